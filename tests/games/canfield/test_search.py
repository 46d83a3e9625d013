"""Keys, and verdicts of the search with and without each reduction."""

import random

import numpy as np
import pytest
from plain_canfield import late_position, search, single_changes

from winnable.cards import PACK_SIZE
from winnable.games.base import Limits, Verdict
from winnable.games.canfield import GAME, search_table, solver, state, state_moves
from winnable.games.canfield import rules as plain
from winnable.games.canfield import search as search_kernels
from winnable.games.canfield.layout import laid_out

RULES = single_changes()
REDUCTIONS = {
    "none": 0,
    "safe moves": state.SAFE_MOVES,
    "relaxed test": state.RELAXED_TEST,
    "tail swaps": state.TAIL_SWAPS,
    "waste order": state.WASTE_ORDER,
    "twin rule": state.RELAXED_TEST | state.TWIN_RULE,
    "semi-free game": state.SEMI_FREE_TEST,
    "no returns first": state.NO_RETURNS_FIRST,
    "all": state.ALL_REDUCTIONS,
}
# Nodes of a first try so small that the semi-free game, restarts and a beam are used at once.
BEAM = np.array([[20, 10, -10, 40, 25, 10, 8, 1, 5, 6, 4]])
HASTY = search_kernels.Plan(
    20, 130, 600, 1000, 10**9, 50, 200, search_kernels.KIND_ORDER, BEAM, 1 << 24
)
EXPECTED = {True: Verdict.WINNABLE, False: Verdict.UNWINNABLE}


def verdict(at, rules, reductions, work, most=20_000):
    return solver.solve(at, rules, Limits(most), reductions, work).verdict


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_late_positions_against_plain_search(rules, monkeypatch, compiled_or):
    monkeypatch.setattr(solver, "plan_for", lambda rules: HASTY)
    work = solver.new_work()
    compared = 0
    for seed in range(compiled_or(60, 2)):
        at = late_position(seed)
        truth = search(at, rules, 1_500).winnable
        if truth is None:
            continue
        assert GAME.solve(at, rules, Limits()).verdict == EXPECTED[truth], seed
        # The plain search takes the most cards up first and may find a win that this one misses.
        for reductions in (0, state.ALL_REDUCTIONS):
            answer = verdict(at, rules, reductions, work)
            compared += answer != Verdict.UNKNOWN
            assert answer in (EXPECTED[truth], Verdict.UNKNOWN), (seed, reductions)
    assert compared > compiled_or(20, 0)


@pytest.mark.compiled_only
@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_no_reduction_changes_a_verdict(rules, monkeypatch):
    monkeypatch.setattr(solver, "plan_for", lambda rules: HASTY)
    work = solver.new_work()
    for seed in range(1000, 1020):
        at = late_position(seed)
        answers = {name: verdict(at, rules, bits, work, 5_000) for name, bits in REDUCTIONS.items()}
        assert len(set(answers.values()) - {Verdict.UNKNOWN}) <= 1, (seed, answers)


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", plain.RULES.names)
def test_whole_deals_without_reductions(name, monkeypatch):
    monkeypatch.setattr(solver, "plan_for", lambda rules: HASTY)
    rules = plain.RULES.resolve(name)
    work = solver.new_work()
    compared = 0
    for seed in range(100):
        cards = list(range(PACK_SIZE))
        random.Random(seed).shuffle(cards)
        deal = laid_out(cards, "winnable")
        found = verdict(deal, rules, 0, work)
        if found != Verdict.UNKNOWN:
            compared += 1
            assert verdict(deal, rules, state.ALL_REDUCTIONS, work) in (found, Verdict.UNKNOWN)
            assert GAME.solve(deal, rules, Limits()).verdict == found
    assert compared > 40


@pytest.mark.parametrize("name", plain.RULES.names)
def test_keys_tell_positions_apart(name):
    """Equal keys mean equal positions, up to the order of the columns and the waste's size."""
    rules = plain.RULES.resolve(name)
    by_key = {}
    moves = np.zeros(state.MAX_MOVES, np.int32)
    cards = list(range(PACK_SIZE))
    random.Random(0).shuffle(cards)
    deal = plain.start(laid_out(cards, "winnable"), rules)
    setup = solver.setup_of(deal, rules, state.WASTE_ORDER)
    for seed in range(200):
        position = solver.position_of(deal, setup)
        chance = random.Random(seed)
        for _ in range(25):
            key = (
                int(search_table.first_key(setup, position)),
                int(search_table.second_key(setup, position)),
            )
            lying = position.tableau & ~position.roots
            plain_position = position._replace(waste=0, second_host=position.second_host & lying)
            plain_position = state.Position(*map(int, plain_position))
            assert by_key.setdefault(key, plain_position) == plain_position
            count = state_moves.fill_moves(setup, position, moves)
            if count == 0:
                break
            position = state_moves.apply_move(setup, position, int(chance.choice(moves[:count])))
    assert len(set(by_key.values())) == len(by_key) > 50
