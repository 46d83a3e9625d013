"""A game whose answers cost nothing, so that studies of millions of numbers run in tests.

It calls itself Tri-Peaks, because reports look a game's title up by its name.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from winnable.deals import NUMBERINGS
from winnable.games.base import Answers, Batch, Limits
from winnable.games.one_by_one import line_columns
from winnable.games.tripeaks.game import TriPeaks
from winnable.study.plan import Span, Study
from winnable.study.run import run_study
from winnable.study.store import Store

BLOCK = 1 << 14
CHUNK_SIZE = TriPeaks.chunk_size
NODES_A_DEAL = 3
NO_LIMITS = Limits()
# With this limit no deal is unknown.
ENOUGH_NODES = 1_000_000
SETTLED_STOCK_LEFT = 7


def verdicts_of(first: int, count: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The verdict bytes of consecutive numbers: some are lost, a few unknown, most won."""
    numbers = (first % 10_007 + np.arange(count)) % 10_007
    verdicts = np.ones(count, np.uint8)
    verdicts[numbers % 31 == 0] = 0
    verdicts[numbers % 97 == 5] = 2
    return verdicts


def stock_left_of(first: int, count: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The score bytes of consecutive numbers, 255 where the deal is not won."""
    left = ((first % 24 + np.arange(count)) % 24).astype(np.uint8)
    left[verdicts_of(first, count) != 1] = 255
    return left


def lines_of(
    first: int, verdicts: np.ndarray[Any, np.dtype[np.uint8]]
) -> list[tuple[str, ...] | None]:
    """A line of moves for each winnable deal: now and then none is needed."""
    return [
        tuple(f"move {i}" for i in range((first + index) % 300)) if verdict == 1 else None
        for index, verdict in enumerate(verdicts.tolist())
    ]


class FakeBatch(Batch):
    """Answers by arithmetic; `before` may look at, delay or stop each block."""

    block = BLOCK

    def __init__(
        self, before: Callable[[int, int], None], limits: Limits, best: bool, keeps: bool
    ) -> None:
        self.before, self.limits, self.best, self.keeps = before, limits, best, keeps

    def solve(self, first: int, count: int) -> Answers:
        assert 0 < count <= self.block
        self.before(first, count)
        verdicts, stock_left = verdicts_of(first, count), stock_left_of(first, count)
        if self.limits.max_nodes == ENOUGH_NODES:
            # Of the unknown ones those with an even number are won, the others lost.
            unknown = np.flatnonzero(verdicts == 2)
            verdicts[unknown] = (first + unknown + 1) % 2
            stock_left[unknown] = np.where(verdicts[unknown] == 1, SETTLED_STOCK_LEFT, 255)
        columns = {"verdict": verdicts}
        if self.best:
            columns["stock_left"] = stock_left
        if self.keeps:
            columns |= line_columns(lines_of(first, verdicts))
        return Answers(columns, NODES_A_DEAL * count)

    def cancel(self) -> None:
        """Nothing takes long."""


class FakeGame(TriPeaks):
    """Tri-Peaks with the answers of `FakeBatch`."""

    def __init__(
        self, before: Callable[[int, int], None] = lambda first, count: None, keeps: bool = False
    ) -> None:
        self.before, self.keeps = before, keeps

    def batch(self, rules: Any, numbering: Any, limits: Limits, best: bool) -> Batch:
        return FakeBatch(self.before, limits, best, self.keeps)


def fake_study(
    before: Callable[[int, int], None] = lambda first, count: None,
    rules: str | None = None,
    numbering: str = "winnable",
    limits: Limits = NO_LIMITS,
    best: bool = False,
    keeps: bool = False,
) -> Study:
    """A study of the fake game, whose solutions are kept where `keeps`."""
    game = FakeGame(before, keeps)
    return Study(game, game.rules.resolve(rules), NUMBERINGS[numbering], limits, best)


def without_machine(summary: dict[str, Any]) -> dict[str, Any]:
    """A summary without what differs from run to run."""
    return {key: value for key, value in summary.items() if key != "machine"}


def main() -> None:
    """``python -m study.fake_study STORE FIRST LAST SECONDS``: a slow study, to be killed."""
    path, first, last, seconds = sys.argv[1:]
    study = fake_study(lambda first, count: time.sleep(float(seconds)))
    with Store.create_or_open(Path(path), study) as store:
        run_study(store, study, Span(int(first), int(last)), 2)


if __name__ == "__main__":
    main()
