"""Spider.

`rules` is the plain truth; `text`, with `foreign` and `checked`, `layout` and `game` are words and
deals.
"""

from __future__ import annotations

from winnable.games.spider.game import GAME

__all__ = ["GAME"]
