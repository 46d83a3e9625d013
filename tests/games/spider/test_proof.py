"""The exhaustive search: the same positions as the plain rules reach, the same verdicts."""

import numpy as np
import pytest
from spider_positions import NAMES, blocked, cut_runs, deal, end_of_game, reachable, told_apart

from winnable.games.spider import rules as plain
from winnable.games.spider.evaluation import weights_table
from winnable.games.spider.proof import BEFORE, explore, new_explored
from winnable.games.spider.solver import plain_move, proved_line, task_of
from winnable.games.spider.state import LOST, OUT_OF_MEMORY, OUT_OF_NODES, STOPPED, WON

WEIGHTS = weights_table()
MOST = 20_000


@pytest.fixture(scope="module")
def explored():
    return new_explored(MOST)


def outcome(explored, state, rules, max_nodes=10**9, stopped=0, skip_blocked=0):
    stop = np.full(1, stopped, np.int64)
    return explore(explored, task_of(state, rules), WEIGHTS, max_nodes, stop, skip_blocked)


def positions_after(state, rules, depth):
    """How many positions are first reached by 0, 1, ... moves."""
    counts, seen, layer = [], set(), [state]
    for _ in range(depth + 1):
        new = {told_apart(at): at for at in layer if told_apart(at) not in seen}
        seen |= set(new)
        counts.append(len(new))
        layer = [
            plain.apply(at, move, rules)
            for at in new.values()
            for move in plain.legal_moves(at, rules)
        ]
    return counts


def counts_by_depth(explored, depth):
    """The same of the positions that the search has found."""
    depths = [0]
    for i in range(1, int(explored.counts[0])):
        depths.append(depths[explored.found[i, BEFORE]] + 1)
    return [depths.count(i) for i in range(depth + 1)]


@pytest.mark.parametrize("name", NAMES)
def test_perft(explored, name, compiled_or):
    rules = plain.RULES.resolve(name)
    suits = plain.SUITS_IN_PLAY[rules.settings["suits"]]
    starts = [(deal(number, rules), 2) for number in range(1, 4)]
    starts += [(end_of_game(seed, 3, suits=suits, rows=1), 3) for seed in range(3)]
    starts += [(end_of_game(seed, 2, suits=suits), 2) for seed in range(3)]
    for state, depth in starts[:: compiled_or(1, 4)]:
        expected = positions_after(state, rules, depth)
        # All positions of the last but one depth have to be opened, and some more are.
        outcome(explored, state, rules, max_nodes=sum(expected[:-1]))
        assert counts_by_depth(explored, depth) == expected


@pytest.mark.parametrize("name", NAMES)
def test_lost_deals_against_plain_search(explored, name, compiled_or):
    """Deals in which little moves: every position that can be reached, and none of them won."""
    rules = plain.RULES.resolve(name)
    suits = plain.SUITS_IN_PLAY[rules.settings["suits"]]
    compared = 0
    for seed in range(compiled_or(15, 4)):
        state = blocked(suits, seed, swaps=4)
        positions = reachable(state, rules, 80)
        if positions is None:
            continue
        assert not any(map(plain.is_won, positions))
        assert outcome(explored, state, rules) == LOST
        assert list(explored.counts) == [len(positions)] * 2
        assert outcome(explored, state, rules, skip_blocked=1) == LOST
        assert explored.counts[0] <= len(positions)
        compared += len(positions) > 6
    assert compared > compiled_or(3, -1)


@pytest.mark.parametrize("name", NAMES)
def test_wins_are_found(explored, name, compiled_or):
    rules = plain.RULES.resolve(name)
    suits = plain.SUITS_IN_PLAY[rules.settings["suits"]]
    for seed in range(compiled_or(20, 3)):
        state = cut_runs(seed, kept=1, pieces=2 + seed % 3, suits=suits)
        assert outcome(explored, state, rules) == WON
        line = [plain_move(int(move)) for move in proved_line(explored)]
        assert plain.is_won(plain.replay(state, line, rules))
        # Breadth first: one move for each join is the fewest.
        assert len(line) <= 1 + seed % 3
        assert outcome(explored, state, rules, skip_blocked=1) == WON


@pytest.mark.parametrize("name", NAMES)
def test_blocked_deals_are_lost(explored, name):
    rules = plain.RULES.resolve(name)
    suits = plain.SUITS_IN_PLAY[rules.settings["suits"]]
    for seed in range(5):
        state = blocked(suits, seed)
        assert outcome(explored, state, rules) == LOST
        # The deal and a position for each row.
        assert list(explored.counts) == [6, 6]
        assert outcome(explored, state, rules, skip_blocked=1) == LOST
        # At the latest once the rows that fit on the columns in other suits are dealt.
        assert explored.counts[0] == 1 if len(suits) == 1 else explored.counts[0] < 6


@pytest.mark.parametrize(
    ("expected", "limits"),
    [(OUT_OF_NODES, {"max_nodes": 7}), (STOPPED, {"stopped": 1}), (OUT_OF_MEMORY, {})],
)
def test_limits_give_no_verdict(explored, expected, limits):
    rules = plain.RULES.resolve("four-suit")
    small = new_explored(50)
    assert outcome(small, deal(1, rules), rules, **limits) == expected
    assert small.counts[0] <= 50
