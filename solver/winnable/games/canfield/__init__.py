"""Canfield.

`rules` is the plain truth, `text`, `layout` and `game` are words and deals. Two searches were
written apart and check each other: `solver` with the files `search*` and `state*`, for all rules,
and `classes` with the files of that name, for rules under which columns can be searched as classes
of cards; that one is cheaper and leaves fewer deals open.
"""

from __future__ import annotations

from winnable.games.canfield.game import GAME

__all__ = ["GAME"]
