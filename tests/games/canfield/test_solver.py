"""The solver as its callers see it: verdicts, limits, batches."""

import random

import pytest
from plain_canfield import late_position

from winnable.cards import PACK_SIZE
from winnable.games.base import Limits, Verdict
from winnable.games.canfield import rules as plain
from winnable.games.canfield import solver
from winnable.games.canfield.layout import laid_out


def pack(seed):
    cards = list(range(PACK_SIZE))
    random.Random(seed).shuffle(cards)
    return cards


@pytest.mark.parametrize("name", plain.RULES.names)
def test_solutions_are_replayed_from_their_text(name):
    rules = plain.RULES.resolve(name)
    for seed in range(8):
        deal = laid_out(pack(seed), "winnable")
        solution = solver.solve(deal, rules, Limits(20_000))
        if solution.verdict == Verdict.WINNABLE:
            moves = map(plain.parse_move, solution.moves)
            assert plain.is_won(plain.replay(deal, moves, rules))
            assert solution.score == {"foundation_found": PACK_SIZE}
        else:
            assert solution.moves is None
            assert 1 <= solution.score["foundation_found"] < PACK_SIZE


def test_a_limit_on_nodes_leaves_a_deal_unknown():
    rules = plain.RULES.resolve("thoughtful")
    for seed in range(10):
        solution = solver.solve(laid_out(pack(seed), "winnable"), rules, Limits(3))
        assert solution.verdict != Verdict.UNKNOWN or solution.limit == "nodes"
        assert solution.nodes <= 4


def test_a_loss_without_returns_is_none_at_the_limit_on_nodes():
    """Won by returns alone; the search without them comes to its end at the first node."""
    rules = plain.RULES.resolve("aisleriot")
    position = late_position(1)
    assert solver.solve(position, rules, Limits(1)).verdict == Verdict.UNKNOWN
    assert solver.solve(position, rules, Limits()).verdict == Verdict.WINNABLE


def test_a_limit_on_seconds_leaves_a_deal_unknown():
    rules = plain.RULES.resolve("casino")
    limits = Limits(1 << 40, 1e-9)
    solutions = [solver.solve(laid_out(pack(s), "winnable"), rules, limits) for s in range(10)]
    stopped = [solution for solution in solutions if solution.verdict == Verdict.UNKNOWN]
    assert stopped
    assert {solution.limit for solution in stopped} == {"seconds"}


def test_a_won_position_needs_no_move():
    rules = plain.RULES.resolve("aisleriot")
    won = plain.State(3, (13, 13, 13, 13), (), ((), (), (), ()), ())
    solution = solver.solve(won, rules, Limits())
    assert solution.verdict == Verdict.WINNABLE
    assert solution.moves == ()
