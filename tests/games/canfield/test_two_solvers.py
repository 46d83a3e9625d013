"""The search in classes and the general one, written apart, say the same of whole deals."""

import pytest

from winnable.deals import NUMBERINGS
from winnable.games.base import Limits, Verdict
from winnable.games.canfield import GAME
from winnable.games.canfield.classes import can_solve, solve_classes
from winnable.games.canfield.solver import solve

BOTH = [name for name in GAME.rules.names if can_solve(GAME.rules.resolve(name))]


def test_there_are_rule_sets_for_both():
    assert BOTH == ["thoughtful", "full-wrap"]


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("numbering", ["winnable", "pysol"])
def test_whole_deals(name, numbering):
    rules = GAME.rules.resolve(name)
    verdicts = []
    for number in range(500, 750):
        deal = GAME.deal(NUMBERINGS[numbering], number, rules)
        one = solve_classes(deal, rules, Limits())
        other = solve(deal, rules, Limits(max_nodes=20_000))
        assert one.verdict is not Verdict.UNKNOWN
        assert other.verdict in (one.verdict, Verdict.UNKNOWN), number
        verdicts.append(other.verdict)
    assert verdicts.count(Verdict.UNKNOWN) < 25
    assert {Verdict.WINNABLE, Verdict.UNWINNABLE} <= set(verdicts)
