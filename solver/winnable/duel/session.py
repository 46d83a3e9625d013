"""A game in progress: its positions, moves taken back, saved and read again."""

from __future__ import annotations

from collections.abc import Iterable

from winnable.duel.position import Move, State
from winnable.duel.rules import apply
from winnable.duel.save import read_save, write_save
from winnable.duel.tables import Variant
from winnable.duel.text import parse_positions
from winnable.errors import InputError


class Session:
    """A game from its first position on.

    start: the position in which it begins.
    moves: those made since.
    """

    def __init__(self, start: State, variant: Variant, moves: Iterable[Move] = ()) -> None:
        self.variant = variant
        self.moves: list[Move] = []
        self._states = [start]
        for move in moves:
            self.play(move)

    @property
    def state(self) -> State:
        """The present position."""
        return self._states[-1]

    @property
    def turn_positions(self) -> list[State]:
        """The positions of this turn, in order, the present one last."""
        first = len(self._states) - 1
        while first > 0 and self._states[first - 1].turn == self.state.turn:
            first -= 1
        return self._states[first:]

    def play(self, move: Move) -> None:
        """Make a move; raises InputError, with the reason, when it is not legal."""
        self._states.append(apply(self.state, move, self.variant))
        self.moves.append(move)

    def undo(self) -> Move:
        """Take the last move back and return it; raises InputError when there is none."""
        if not self.moves:
            raise InputError("There is no move to take back.")
        self._states.pop()
        return self.moves.pop()

    def save(self) -> str:
        """The game as the text that `read_session` reads."""
        return write_save(self._states[0], self.moves, self.variant)


def read_session(text: str, variant: Variant) -> Session:
    """The game of a text: a saved one, or a position, with no past, as `format_position` writes it.

    Raises
    ------
    InputError
        When it is neither, holds more than one position, or was saved under other rules.
    """
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        start, moves, _ = read_save(text, variant)
        return Session(start, variant, moves)
    positions = parse_positions(text, variant)
    if len(positions) > 1:
        raise InputError(f"There are {len(positions)} positions in this text; give one.")
    return Session(positions[0], variant)
