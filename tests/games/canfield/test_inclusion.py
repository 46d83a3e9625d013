"""Deals decided by way of rules with more or fewer moves, against the general search alone."""

import numpy as np
import pytest

from winnable.deals import NUMBERINGS
from winnable.games.base import Limits, Verdict
from winnable.games.canfield import GAME, inclusion, solver
from winnable.games.canfield import rules as plain
from winnable.games.canfield.inclusion import solve_by_inclusion

NAMES = ("pysol", "thoughtful-strict", "aisleriot")
FEW_MOVES = GAME.rules.resolve("thoughtful-strict")


def deal_of(number, rules):
    return GAME.deal(NUMBERINGS["winnable"], number, rules)


@pytest.fixture
def hasty(monkeypatch):
    """The easier rules are asked at once, so that they decide all they can."""
    monkeypatch.setattr(inclusion, "ALONE_NODES", 5)


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", NAMES)
def test_verdicts_of_the_search_alone(name, hasty):
    rules = GAME.rules.resolve(name)
    seen = []
    for number in range(60):
        deal = deal_of(number, rules)
        alone = solver.solve(deal, rules, Limits(20_000)).verdict
        found = solve_by_inclusion(deal, rules, Limits(20_000))
        if found.moves is not None:
            end = plain.replay(plain.start(deal, rules), map(plain.parse_move, found.moves), rules)
            assert plain.is_won(end)
        if Verdict.UNKNOWN not in (alone, found.verdict):
            assert found.verdict is alone, number
            seen.append(alone)
    assert seen.count(Verdict.WINNABLE) > 20
    assert seen.count(Verdict.UNWINNABLE) > 2


@pytest.mark.compiled_only
def test_what_easier_rules_lose_is_lost(hasty, monkeypatch):
    asked = []
    in_classes = inclusion._solve_in_classes

    def noted(at, rules, limits):
        asked.append(in_classes(at, rules, limits))
        return asked[-1]

    monkeypatch.setattr(inclusion, "_solve_in_classes", noted)
    lost = 0
    for number in range(60):
        del asked[:]
        found = solve_by_inclusion(deal_of(number, FEW_MOVES), FEW_MOVES, Limits(20_000))
        if asked and asked[0].verdict is Verdict.UNWINNABLE:
            assert found.verdict is Verdict.UNWINNABLE
            assert found.nodes <= asked[0].nodes + inclusion.ALONE_NODES + 5
            lost += 1
    assert lost > 3


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("most", [1, 5, 60, 600])
def test_searches_share_the_nodes(name, most, hasty):
    rules = GAME.rules.resolve(name)
    unknown = 0
    for number in range(20):
        found = solve_by_inclusion(deal_of(number, rules), rules, Limits(most))
        if found.verdict is Verdict.UNKNOWN:
            assert found.limit == "nodes"
            # The class solver looks at its limits only now and then.
            assert most <= found.nodes <= most + 15_000
            unknown += 1
    assert unknown > 0


@pytest.mark.parametrize("name", NAMES)
def test_a_caller_stops_all_searches(name, hasty):
    rules = GAME.rules.resolve(name)
    stop = np.ones(1, np.int64)
    found = solve_by_inclusion(deal_of(8, rules), rules, Limits(stop=stop))
    assert (found.verdict, found.limit) == (Verdict.UNKNOWN, "stopped")


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", NAMES)
def test_seconds_are_shared(name, hasty):
    rules = GAME.rules.resolve(name)
    found = solve_by_inclusion(deal_of(8, rules), rules, Limits(max_seconds=1e-6))
    assert (found.verdict, found.limit) == (Verdict.UNKNOWN, "seconds")
