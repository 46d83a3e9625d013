"""A batch of one deal after the other: given up when another thread says so."""

import numpy as np
import pytest

from winnable.deals import NUMBERINGS
from winnable.games import get_game
from winnable.games.base import CancelledError, Limits
from winnable.games.canfield.classes import ClassSolver
from winnable.games.canfield.solver import solve

GAME = get_game("canfield")
WINNABLE = NUMBERINGS["winnable"]
THOUGHTFUL = GAME.rules.resolve("thoughtful")
# A deal for which either solver opens thousands of positions.
HARD = 24


@pytest.mark.parametrize("solve", [ClassSolver().solve, solve], ids=["classes", "general"])
def test_a_search_that_is_told_to_stop_gives_up(solve):
    deal = GAME.deal(WINNABLE, HARD, THOUGHTFUL)
    stop = np.zeros(1, np.int64)
    limits = Limits(max_nodes=20_000, stop=stop)
    assert solve(deal, THOUGHTFUL, limits).nodes > 3000
    stop[0] = 1
    solution = solve(deal, THOUGHTFUL, limits)
    assert solution.nodes < 2000
    assert solution.limit == "stopped"
    assert stop[0] == 1


def test_a_cancelled_batch_gives_up_and_stays_cancelled():
    batch = GAME.batch(THOUGHTFUL, WINNABLE, Limits(), best=False)
    assert len(batch.solve(0, 1).columns["verdict"]) == 1
    batch.cancel()
    for _ in range(2):
        with pytest.raises(CancelledError):
            batch.solve(0, 1)
