"""Shorter lines: no longer than the first, still wins, and not below the proved bound."""

from collections import deque

import numpy as np
import pytest
from spider_positions import NAMES, cut_runs, deal, told_apart

from winnable.games.base import Limits, Verdict
from winnable.games.spider import GAME
from winnable.games.spider import rules as plain
from winnable.games.spider.shortest import fewest_moves

FOUR = plain.RULES.resolve("four-suit")


def late_position(rules, left):
    """A position of a won game, with so many moves left."""
    state = deal(1, rules)
    moves = GAME.solve(state, rules, Limits()).moves
    return plain.replay(state, map(plain.parse_move, moves[:-left]), rules)


def fewest_by_search(state, rules, most):
    """The fewest moves that win, by looking at all positions level by level."""
    seen, waiting = {told_apart(state)}, deque([(state, 0)])
    while waiting:
        at, depth = waiting.popleft()
        if plain.is_won(at):
            return depth
        assert len(seen) < most
        for move in plain.legal_moves(at, rules):
            after = plain.apply(at, move, rules)
            if told_apart(after) not in seen:
                seen.add(told_apart(after))
                waiting.append((after, depth + 1))
    return None


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", NAMES)
def test_the_bound_holds_along_a_line(name):
    """No position of a winning line has more moves to go by the bound than it has in truth."""
    rules = plain.RULES.resolve(name)
    state = deal(1, rules)
    moves = GAME.solve(state, rules, Limits()).moves
    for done, move in enumerate(moves):
        bound = fewest_moves(state)
        assert 0 < bound <= len(moves) - done
        state = plain.apply(state, plain.parse_move(move), rules)
        # A move puts at most one card where it belongs.
        assert fewest_moves(state) >= bound - 1
    assert fewest_moves(state) == 0


@pytest.mark.compiled_only
@pytest.mark.parametrize(("kept", "pieces"), [(1, 2), (1, 3), (2, 2)])
def test_the_fewest_moves_of_small_positions(kept, pieces):
    state = cut_runs(3, kept, pieces)
    fewest = fewest_by_search(state, FOUR, 20_000)
    assert 0 < fewest_moves(state) <= fewest
    found = GAME.answer(state, FOUR, Limits(max_nodes=3000), shortest=True)
    assert found.verdict == Verdict.WINNABLE
    assert found.moves_bound <= fewest <= len(found.moves) <= found.moves_before


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", ["four-suit", "relaxed-one-suit"])
def test_a_line_becomes_shorter_within_the_limit(name):
    rules = plain.RULES.resolve(name)
    state = late_position(rules, 40)
    limits = Limits(max_nodes=10_000)
    first = GAME.solve(state, rules, limits)
    found = GAME.answer(state, rules, limits, shortest=True)
    assert found.moves_before == len(first.moves)
    assert found.moves_bound == fewest_moves(plain.start(state, rules))
    assert found.moves_bound <= len(found.moves) <= len(first.moves)
    assert first.nodes <= found.nodes <= first.nodes + limits.max_nodes
    replay = GAME.replay(state, rules, found.moves)
    assert (replay.won, replay.problem) == (True, None)
    again = GAME.answer(state, rules, limits, shortest=True)
    assert (again.moves, again.nodes) == (found.moves, found.nodes)


def test_a_stop_ends_it_at_once():
    state = cut_runs(3)
    first = GAME.solve(state, FOUR, Limits())
    stopped = GAME.with_shortest(state, FOUR, Limits(stop=np.ones(1, np.int64)), first)
    assert (stopped.moves, stopped.nodes) == (first.moves, first.nodes)
