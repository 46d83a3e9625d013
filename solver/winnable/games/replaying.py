"""Playing a move list by a game's plain rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from winnable.errors import InputError
from winnable.games.base import Replay, Step

State = TypeVar("State")
Move = TypeVar("Move")


@dataclass(frozen=True)
class Play(Generic[State, Move]):
    """A game's plain rules under chosen settings.

    Attributes
    ----------
    read: a move from its text; raises InputError.
    why_illegal: None for a legal move.
    apply: the state after a legal move.
    is_won, draw: of a state.
    words: what a move does at the table, from the states before and after it.
    """

    read: Callable[[str, State], Move]
    why_illegal: Callable[[State, Move], str | None]
    apply: Callable[[State, Move], State]
    is_won: Callable[[State], bool]
    draw: Callable[[State], str]
    words: Callable[[Move, State, State], str]

    def replay(self, state: State, moves: Iterable[str]) -> Replay:
        """Play moves until one is illegal; raises InputError for one that can't be read."""
        steps: list[Step] = []
        states = [state]
        problem = None
        for number, written in enumerate(moves, start=1):
            try:
                move = self.read(written, state)
            except InputError as error:
                raise InputError(f"Move {number} ({written}) can't be read: {error}") from None
            problem = self.why_illegal(state, move)
            if problem is not None:
                break
            after = self.apply(state, move)
            steps.append(Step(str(move), self.words(move, state, after), self.draw(state)))
            state = after
            states.append(state)
        return Replay(tuple(steps), self.is_won(state), problem, self.draw(state), tuple(states))
