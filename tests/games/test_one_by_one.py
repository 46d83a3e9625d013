"""A batch of one deal after the other: given up when another thread says so."""

import threading
import time

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


@pytest.mark.compiled_only
def test_a_long_search_is_cancelled_from_another_thread():
    """A deal of Spider that no beam of the default effort wins, which takes them half a minute."""
    spider, pysol = get_game("spider"), NUMBERINGS["pysol"]
    rules, hard = spider.rules.resolve("four-suit"), 3769
    narrow = spider.batch(rules, pysol, Limits(effort=1), best=False)
    assert narrow.solve(hard, 1).columns["verdict"].tolist() == [2]
    batch = spider.batch(rules, pysol, Limits(), best=False)
    timer = threading.Timer(0.5, batch.cancel)
    before = time.perf_counter()
    timer.start()
    with pytest.raises(CancelledError):
        batch.solve(hard, 1)
    assert 0.4 < time.perf_counter() - before < 5
    timer.join()


def test_a_cancelled_batch_gives_up_and_stays_cancelled():
    batch = GAME.batch(THOUGHTFUL, WINNABLE, Limits(), best=False)
    assert len(batch.solve(0, 1).columns["verdict"]) == 1
    batch.cancel()
    for _ in range(2):
        with pytest.raises(CancelledError):
            batch.solve(0, 1)
