"""The games, by name. A game is loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from winnable.errors import unknown_name
from winnable.games.base import Game

# Name on the command line -> module that holds its GAME.
REGISTRY = {
    "tripeaks": "winnable.games.tripeaks",
    "canfield": "winnable.games.canfield",
    "spider": "winnable.games.spider",
}


def get_game(name: str) -> Game[Any]:
    """The game of this name; raises InputError for an unknown one."""
    if name not in REGISTRY:
        raise unknown_name("game", name, REGISTRY)
    game: Game[Any] = import_module(REGISTRY[name]).GAME
    return game
