"""Audits a study: replays the solutions that its store keeps, solves other deals once more."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from winnable.deals import get_numbering
from winnable.errors import InputError, StoreError
from winnable.games import get_game
from winnable.games.base import (
    LENGTH,
    NO_SCORE,
    SOLUTION,
    UNKNOWN_CODE,
    VERDICT_CODES,
    WINNABLE_CODE,
    Solution,
    Verdict,
)
from winnable.games.ruleset import Rules
from winnable.players.levels import DIFFICULTY
from winnable.study.columns import VERDICT, score_names
from winnable.study.plan import limits_of
from winnable.study.store import Store

# The sample is drawn anew for each store and size, but the same one each time.
_SEED = 1989


@dataclass(frozen=True)
class Check:
    """What an audit found: all verdicts, scores and solutions agreed (or it raises).

    deals: how many were looked at.
    solved: how many of them were solved again.
    replayed: how many are winnable, each with a solution that the plain rules replayed to a won
        position.
    kept: how many of these solutions are the store's own.
    """

    deals: int
    solved: int
    replayed: int
    kept: int


def check_store(
    store: Store, sample: int, on_progress: Callable[[int], None] = lambda deals: None
) -> Check:
    """Audit a random sample of a store's deals.

    Of a deal whose solution is kept, that one is replayed. All others are solved by `Game.solve`,
    without the batch's kernels; those that the store has as unknown only say something where this
    decides them. So are deals with scores, which no single solution proves.

    Parameters
    ----------
    store:
        Open for reading.
    sample:
        How many deals; all of them when the store has fewer.
    on_progress:
        Called with 1 after each deal.

    Raises
    ------
    StoreError
        At the first deal whose verdict or score is not what the store says, and at the first
        solution that does not win.
    """
    audit = _Audit(store)
    deals = solved = replayed = kept = 0
    for number, held in _sampled(store, sample):
        deals += 1
        line = held.get(SOLUTION)
        is_kept = line is not None and not audit.scores
        if is_kept:
            audit.replay(number, held)
        else:
            solution = audit.solve(number, held)
        kept += is_kept
        solved += not is_kept
        replayed += is_kept or solution.verdict is Verdict.WINNABLE
        on_progress(1)
    return Check(deals, solved, replayed, kept)


def _sampled(store: Store, sample: int) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The numbers of a sample in rising order, each with what the columns hold of it."""
    total = sum(span.count for span in store.covered())
    draw = random.Random(f"{_SEED} {total} {sample}")
    chosen = np.array(sorted(draw.sample(range(total), min(sample, total))), np.int64)
    before = 0
    names = store.column_names()
    for parts in zip(*map(store.column, names), strict=True):
        first, values = parts[0]
        low, high = np.searchsorted(chosen, [before, before + len(values)])
        for index in (chosen[low:high] - before).tolist():
            yield first + index, {n: part[index] for n, (_, part) in zip(names, parts, strict=True)}
        before += len(values)


class _Audit:
    """What a store is of, to look at its deals one by one."""

    def __init__(self, store: Store) -> None:
        identity = store.identity()
        self.path = store.path
        self.game = get_game(identity["game"])
        self.numbering = get_numbering(identity["numbering"])
        self.rules = Rules(identity["rules"], identity["settings"])
        self.limits = limits_of(identity)
        names = score_names(store.column_names())
        self.scores = [name for name in names if name != DIFFICULTY]
        self.seat = None
        if DIFFICULTY in names:
            from winnable.players.seats import seat_of

            self.seat = seat_of(self.game.name, self.rules, self.numbering)

    def deal(self, number: int) -> Any:
        return self.game.deal(self.numbering, number, self.rules)

    def replay(self, number: int, held: Mapping[str, Any]) -> None:
        """Play the solution that the store keeps of a deal by the plain rules."""
        moves = held[SOLUTION].splitlines()
        problem = None
        if held[VERDICT] != WINNABLE_CODE:
            problem = f"the deal is called {VERDICT_CODES[held[VERDICT]].value}."
        elif held[LENGTH] != len(moves):
            problem = f"it has {len(moves)} moves, and is said to have {held[LENGTH]}."
        else:
            problem = self._why_no_win(number, moves)
        if problem is not None:
            raise StoreError(
                f"{self.path} keeps a solution of deal {number} that can't be right: {problem}"
            )

    def _why_no_win(self, number: int, moves: list[str]) -> str | None:
        try:
            replay = self.game.replay(self.deal(number), self.rules, moves)
        except InputError as error:
            return str(error)
        if replay.problem is not None:
            return f"move {len(replay.steps) + 1}: {replay.problem}"
        return None if replay.won else "its last position is not won."

    def solve(self, number: int, held: Mapping[str, Any]) -> Solution:
        """Solve a deal once more, and compare what comes out with what the store holds."""
        solution = self.game.solve(self.deal(number), self.rules, self.limits)
        if UNKNOWN_CODE in (held[VERDICT], VERDICT_CODES.index(solution.verdict)):
            return solution
        there = {VERDICT: VERDICT_CODES[held[VERDICT]].value}
        found = {VERDICT: solution.verdict.value}
        for name in self.scores:
            value = solution.score.get(name)
            found[name] = "none" if value is None else str(value)
            there[name] = "none" if held[name] == NO_SCORE else str(held[name])
        if self.seat is not None:
            from winnable.players.seats import difficulties

            there[DIFFICULTY] = str(held[DIFFICULTY])
            found[DIFFICULTY] = str(difficulties(self.seat, number, 1)[0])
        if found != there:
            raise StoreError(f"{self.path} says {there} for deal {number}, but it is {found}.")
        return solution
