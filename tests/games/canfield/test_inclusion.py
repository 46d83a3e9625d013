"""Deals decided by way of easier rules: against a plain search and the search without that."""

import pytest
from plain_canfield import late_position, random_play, search, single_changes

from winnable.deals import NUMBERINGS
from winnable.games.base import Limits, Verdict
from winnable.games.canfield import GAME, inclusion, solver
from winnable.games.canfield import rules as plain
from winnable.games.canfield.classes import can_solve
from winnable.games.canfield.inclusion import easier_rules, solve_by_inclusion

RULES = [rules for rules in single_changes() if not can_solve(rules)]
NAMED = ["aisleriot", "pysol", "thoughtful-strict"]


@pytest.fixture
def hasty(monkeypatch):
    """The rules themselves are searched only after the easier ones."""
    monkeypatch.setattr(inclusion, "FIRST_NODES", 1)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_late_positions_as_by_plain_search(rules, compiled_or):
    compared = 0
    for seed in range(compiled_or(40, 2)):
        at = late_position(seed)
        truth = search(at, rules, 1_500).winnable
        if truth is not None:
            answer = solve_by_inclusion(at, rules, Limits(20_000)).verdict
            expected = Verdict.WINNABLE if truth else Verdict.UNWINNABLE
            assert answer in (expected, Verdict.UNKNOWN), seed
            compared += answer is not Verdict.UNKNOWN
    assert compared > compiled_or(10, 0)


@pytest.mark.compiled_only
@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("name", NAMED)
def test_whole_deals_as_by_the_search_alone(name):
    rules = GAME.rules.resolve(name)
    verdicts = []
    for number in range(500, 560):
        deal = GAME.deal(NUMBERINGS["solvitaire"], number)
        answer = solve_by_inclusion(deal, rules, Limits(100_000))
        alone = solver.solve(deal, rules, Limits(20_000)).verdict
        assert Verdict.UNKNOWN in (answer.verdict, alone) or answer.verdict == alone, number
        if answer.verdict is Verdict.WINNABLE:
            replay = GAME.replay(deal, rules, answer.moves)
            assert replay.won
            assert replay.problem is None
        verdicts.append(answer.verdict)
    assert {Verdict.WINNABLE, Verdict.UNWINNABLE} <= set(verdicts)
    assert verdicts.count(Verdict.UNKNOWN) < 30


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_easier_rules_allow_every_move_but_returns(rules):
    easier = easier_rules(rules)
    assert can_solve(easier)
    for seed in range(3):
        for state, move in random_play(late_position(seed), rules, seed, longest=40):
            if move is not None and move.kind is not plain.DOWN:
                assert plain.why_illegal(state, move, easier) is None


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("name", NAMED)
def test_limits(name, compiled_or):
    rules = GAME.rules.resolve(name)
    for number in range(1, compiled_or(20, 2)):
        deal = GAME.deal(NUMBERINGS["solvitaire"], number)
        by_nodes = solve_by_inclusion(deal, rules, Limits(2))
        assert by_nodes.verdict is not Verdict.UNKNOWN or by_nodes.limit == "nodes"
        by_time = solve_by_inclusion(deal, rules, Limits(1 << 40, 1e-9))
        assert by_time.verdict is not Verdict.UNKNOWN or by_time.limit == "seconds"
