"""A batch that solves each deal on its own, so that limits mean what they mean for one deal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from winnable.deals import Numbering
from winnable.games.base import NO_SCORE, VERDICT_CODES, Answers, Batch, Game, Limits, Solution
from winnable.games.ruleset import Rules


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
        self._limits, self._scores = limits, scores

    def solve(self, first: int, count: int) -> Answers:
        """The answers for the numbers `first` to `first + count - 1`."""
        solutions = [self._solve(number) for number in range(first, first + count)]
        codes = [VERDICT_CODES.index(solution.verdict) for solution in solutions]
        columns = {"verdict": np.array(codes, np.uint8)}
        for name in self._scores:
            found = [solution.score.get(name) for solution in solutions]
            values = [NO_SCORE if value is None else value for value in found]
            columns[name] = np.array(values, np.uint8)
        return Answers(columns, sum(solution.nodes for solution in solutions))

    def _solve(self, number: int) -> Solution:
        deal = self._game.deal(self._numbering, number, self._rules)
        return self._game.solve(deal, self._rules, self._limits)
