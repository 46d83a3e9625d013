"""A batch that solves each deal on its own, so that limits mean what they mean for one deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from winnable.deals import Numbering
from winnable.games.base import (
    LENGTH,
    NO_LENGTH,
    NO_SCORE,
    SOLUTION,
    VERDICT_CODES,
    Answers,
    Batch,
    CancelledError,
    Game,
    Limits,
)
from winnable.games.ruleset import Rules


def line_columns(lines: Sequence[Sequence[str] | None]) -> dict[str, NDArray[Any]]:
    """The columns `LENGTH` and `SOLUTION` of deals with these winning lines, None for no line."""
    lengths = [NO_LENGTH if line is None else len(line) for line in lines]
    texts = [None if line is None else "\n".join(line) for line in lines]
    return {LENGTH: np.array(lengths, np.uint16), SOLUTION: np.array(texts, object)}


class OneByOne(Batch):
    """`Game.solve` for consecutive numbers, each win replayed by the plain rules."""

    # A deal of a hard game may take seconds, and a study is stopped between blocks.
    block = 1

    def __init__(
        self,
        game: Game[Any],
        rules: Rules,
        numbering: Numbering,
        limits: Limits,
        scores: Sequence[str],
    ) -> None:
        self._game, self._rules, self._numbering = game, rules, numbering
        self._stop = np.zeros(1, np.int64)
        self._limits, self._scores = replace(limits, stop=self._stop), scores

    def solve(self, first: int, count: int) -> Answers:
        """The answers for the numbers `first` to `first + count - 1`; may be cancelled."""
        solutions = []
        for number in range(first, first + count):
            deal = self._game.deal(self._numbering, number, self._rules)
            solutions.append(self._game.solve(deal, self._rules, self._limits))
            if self._stop[0]:
                raise CancelledError
        codes = [VERDICT_CODES.index(solution.verdict) for solution in solutions]
        columns: dict[str, NDArray[Any]] = {"verdict": np.array(codes, np.uint8)}
        for name in self._scores:
            found = [solution.score.get(name) for solution in solutions]
            values = [NO_SCORE if value is None else value for value in found]
            columns[name] = np.array(values, np.uint8)
        if self._game.keeps_solutions:
            columns |= line_columns([solution.moves for solution in solutions])
        return Answers(columns, sum(solution.nodes for solution in solutions))

    def cancel(self) -> None:
        """Have the deal in work given up."""
        self._stop[0] = 1
