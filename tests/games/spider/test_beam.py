"""The parts of the beam search: choosing, remembering, limits, memory."""

import random

import numpy as np
import pytest
from spider_positions import NAMES, deal

from winnable.games.spider import rules as plain
from winnable.games.spider.beam import Plan, run_beam
from winnable.games.spider.beam_best import NODES, choose_best, is_new, new_beam
from winnable.games.spider.evaluation import MAX_VALUE, weights_table
from winnable.games.spider.ladder import LEVELS, rungs_of
from winnable.games.spider.solver import line_of, plain_move, task_of
from winnable.games.spider.state import OUT_OF_NODES, STOPPED, WON

WEIGHTS = weights_table()
PLAN = Plan(15, 80, 400, 5)
FOUR = plain.RULES.resolve("four-suit")


@pytest.mark.parametrize("width", [1, 7, 50, 200])
def test_the_best_are_chosen(width):
    chance = random.Random(width)
    histogram, chosen = np.zeros(MAX_VALUE + 1, np.int64), np.zeros(200, np.int64)
    for _ in range(20):
        scores = np.array([chance.choice((0, 5, 6, MAX_VALUE)) for _ in range(100)], np.int32)
        count = choose_best(scores, 100, width, histogram, chosen)
        assert count == min(width, 100)
        assert len(set(chosen[:count].tolist())) == count
        assert sorted(scores[chosen[:count]]) == sorted(scores)[-count:]


def test_seen_keys_are_told_from_new_ones():
    seen = np.zeros(1 << 12, np.int64)
    keys = random.Random(0).sample(range(1, 1 << 61), 1000)
    assert all(is_new(seen, key) for key in keys)
    assert sum(is_new(seen, key) for key in keys) < 20


def total_bytes(arrays):
    return sum(
        part.nbytes if isinstance(part, np.ndarray) else total_bytes(part) for part in arrays
    )


def test_memory():
    """The whole of the arrays, of which the system gives only what is touched."""
    assert total_bytes(new_beam(60)) < 6_000_000
    assert total_bytes(new_beam(max(rung.width for rung in rungs_of(len(LEVELS))))) < 600_000_000


def test_limits():
    beam, stop = new_beam(20), np.zeros(1, np.int64)
    task = task_of(deal(1, FOUR), FOUR)
    assert run_beam(beam, task, PLAN, WEIGHTS, 30, stop) == OUT_OF_NODES
    assert beam.counts[NODES] == 30
    stop[0] = 1
    assert run_beam(beam, task, PLAN, WEIGHTS, 10**9, stop) == STOPPED
    assert beam.counts[NODES] == 0


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", NAMES)
def test_lines_are_legal_and_win(name):
    rules = plain.RULES.resolve(name)
    beam, stop = new_beam(60), np.zeros(1, np.int64)
    won = 0
    for number in range(1, 7):
        state = deal(number, rules)
        if run_beam(beam, task_of(state, rules), PLAN, WEIGHTS, 10**9, stop) == WON:
            line = [plain_move(int(move)) for move in line_of(beam)]
            assert plain.is_won(plain.replay(state, line, rules))
            won += 1
    assert won > 1
