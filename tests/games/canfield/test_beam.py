"""The beam search between the tries of the exhaustive search."""

import numpy as np
import pytest

from winnable.deals import get_numbering
from winnable.games.base import Limits, Verdict
from winnable.games.canfield import GAME, solver
from winnable.games.canfield import rules as plain
from winnable.games.canfield.search_beam import AFTER, IN_STOCK, NO_BEAMS, beam_search, cards_over
from winnable.games.canfield.state_safe import after_safe_moves

RULES = plain.RULES.resolve("pysol")
# Won by the first beam; the search alone finds no win in five million nodes.
HARD = 1640


def begun(number):
    at = plain.start(GAME.deal(get_numbering("solvitaire"), number, RULES), RULES)
    setup = solver.setup_of(at, RULES)
    return setup, after_safe_moves(setup, solver.position_of(at, setup))


def run_beam(number, max_nodes, stop=0):
    setup, start = begun(number)
    work = solver.new_work()
    work.stop[0] = stop
    row = solver.plan_for(RULES).beams[0]
    depth = beam_search(setup, start, row, max_nodes, work.stack, work.easier_counts, work.stop)
    return depth, int(work.easier_counts[0])


@pytest.mark.compiled_only
def test_a_beam_wins_what_the_search_does_not(monkeypatch):
    deal = GAME.deal(get_numbering("solvitaire"), HARD, RULES)
    plan = solver.plan_for(RULES)
    assert solver.solve(deal, RULES, Limits(500_000)).verdict == Verdict.WINNABLE
    monkeypatch.setattr(solver, "plan_for", lambda rules: plan._replace(beams=NO_BEAMS))
    assert solver.solve(deal, RULES, Limits(500_000)).verdict == Verdict.UNKNOWN


@pytest.mark.compiled_only
def test_a_beam_ends_at_its_limit_and_when_it_is_stopped():
    assert run_beam(HARD, 5_000) == (-1, 5_000)
    assert run_beam(HARD, 5_000, stop=1) == (-1, 0)
    depth, nodes = run_beam(HARD, 1_000_000)
    assert depth > 20
    assert nodes < 1_000_000


def test_cards_are_counted_where_they_lie():
    setup, start = begun(1)
    for below, card in enumerate(setup.reserve[::-1].tolist()):
        assert cards_over(setup, start, card, 0) == below
    assert cards_over(setup, start, int(setup.order[0]), 6) == 6
    roots = [card for card in range(52) if start.roots >> card & 1]
    assert [cards_over(setup, start, card, 6) for card in roots] == [0, 0, 0, 0]


def test_rows_of_beams_are_in_the_order_of_their_use():
    beams = solver.plan_for(RULES).beams
    assert beams.shape[1] == NO_BEAMS.shape[1] > IN_STOCK
    assert np.all(np.diff(beams[:, AFTER]) > 0)
