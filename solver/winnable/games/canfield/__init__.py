"""Canfield."""

from __future__ import annotations

from winnable.games.canfield.game import GAME

__all__ = ["GAME"]
