"""The players, one row each. What they decide is compiled, a module a game."""

from __future__ import annotations

from dataclasses import dataclass, replace

from winnable.errors import InputError, unknown_name

RANDOM, CASUAL, GREEDY, LOOK_AHEAD = "random", "casual", "greedy", "look-ahead"
# Raised when a player decides otherwise than before, so that no store mixes two of them.
PLAYERS_VERSION = 1
# What is counted in a game besides winning, as a column of a store, and in words.
SCORES = {
    "tripeaks": ("cleared", "tableau cards cleared, of 28"),
    "canfield": ("foundation", "cards on the foundations, the first one counted"),
    "spider": ("home", "cards of complete runs, of 104"),
}
# More playouts than anybody waits for.
_MOST_PLAYOUTS = 100_000


@dataclass(frozen=True)
class Player:
    """A player and its parameter.

    name: as typed on the command line.
    summary: one line.
    playouts: for each choice, how often the game is played to its end; 0 for players that don't.
    slips: one move in so many is any legal one, 0 for none.
    """

    name: str
    summary: str
    playouts: int = 0
    slips: int = 0

    def __str__(self) -> str:
        return f"{self.name} playouts={self.playouts}" if self.playouts else self.name


_ROWS = (
    Player(RANDOM, "any legal move"),
    Player(CASUAL, "greedy, but one move in eight is any legal move", slips=8),
    Player(GREEDY, "the move that looks best at a glance"),
    Player(
        LOOK_AHEAD,
        "deals the cards it can't see at random, and tries each choice in greedy games",
        20,
    ),
)
PLAYERS = {row.name: row for row in _ROWS}


def get_player(text: str) -> Player:
    """The player of a name, or with a parameter of one's own: ``look-ahead:playouts=50``.

    Raises
    ------
    InputError
        For a player or parameter that does not exist, and for a value out of bounds.
    """
    name, colon, change = text.partition(":")
    if name not in PLAYERS:
        raise unknown_name("player", name, PLAYERS)
    player = PLAYERS[name]
    if not colon:
        return player
    if not player.playouts:
        raise InputError(f"The player '{name}' has no parameters: '{change}' can't be set.")
    key, _, value = (part.strip() for part in change.partition("="))
    if key != "playouts":
        raise unknown_name(f"parameter of {name}", key, ["playouts"])
    is_number = value.isascii() and value.isdigit() and len(value) <= len(str(_MOST_PLAYOUTS))
    if not is_number or not 1 <= int(value) <= _MOST_PLAYOUTS:
        raise InputError(
            f"'{change}' can't be set: playouts is a whole number from 1 to {_MOST_PLAYOUTS}."
        )
    return replace(player, playouts=int(value))
