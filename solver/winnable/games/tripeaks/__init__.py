"""Tri-Peaks."""

from __future__ import annotations

from winnable.games.tripeaks.game import GAME

__all__ = ["GAME"]
