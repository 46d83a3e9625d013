"""The plain search, which the compiled solvers are compared with, is right itself."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_canfield import (
    canonical,
    late_position,
    positions_after,
    random_play,
    search,
    single_changes,
    successors,
)

from winnable.cards import PACK_SIZE, parse_card
from winnable.deals import NUMBERINGS, shuffled_pack
from winnable.games.canfield.layout import laid_out
from winnable.games.canfield.rules import RULES, State, apply, cards_up, is_won, legal_moves
from winnable.games.canfield.text import format_deal, parse_deals

CHANGES = single_changes()
DATA = Path(__file__).parents[2] / "data"


def solvitaire(seed):
    return laid_out(shuffled_pack(NUMBERINGS["solvitaire"], seed, "canfield"), "solvitaire")


def test_every_parameter_value_is_tried_beside_every_rule_set():
    named = [RULES.resolve(name).settings for name in RULES.names]
    rows = [rules.settings for rules in CHANGES]
    assert all(row in rows for row in named)
    assert len({tuple(row.items()) for row in rows}) == len(rows) == 43


def by_rules(state, rules):
    return {canonical(apply(state, move, rules)) for move in legal_moves(state, rules)}


@pytest.mark.parametrize("rules", CHANGES, ids=lambda rules: rules.name)
def test_its_moves_are_those_of_the_rules(rules):
    for seed in range(2):
        deal = laid_out(shuffled_pack(NUMBERINGS["winnable"], seed, "canfield"), "winnable")
        late = late_position(seed)
        for first in (deal, late):
            for state, _ in random_play(first, rules, seed, longest=30):
                found = set(successors(canonical(state), state.base, rules.settings))
                assert found == by_rules(state, rules)


@given(st.integers(0, 10**9))
@settings(deadline=None)
def test_late_positions_are_positions(seed):
    state = late_position(seed)
    assert parse_deals(format_deal(state)) == [state]


def reached_by_rules(state, rules):
    """Every position that can be reached, by the rules alone."""
    seen = {canonical(state)}
    unfinished = [state]
    while unfinished:
        state = unfinished.pop()
        for move in legal_moves(state, rules):
            after = apply(state, move, rules)
            if canonical(after) not in seen:
                seen.add(canonical(after))
                unfinished.append(after)
    return seen


@pytest.mark.parametrize("name", RULES.names)
def test_it_visits_what_the_rules_reach(name):
    rules = RULES.resolve(name)
    compared = 0
    for seed in range(60):
        state = late_position(seed, (10, 14))
        outcome = search(state, rules, 2000)
        if outcome.winnable is False and outcome.positions < 400:
            seen = reached_by_rules(state, rules)
            assert len(seen) == outcome.positions
            assert max(sum(position[0]) for position in seen) == outcome.best < PACK_SIZE
            compared += 1
    assert compared >= 3


def ending(reserve, stock):
    """Base A; T to K of clubs and the other queens and kings are left, three kings and JC open."""
    columns = tuple((parse_card(name),) for name in ("KC", "KD", "KH", "JC"))
    piles = [tuple(map(parse_card, names.split())) for names in (reserve, stock)]
    return State(0, (9, 11, 11, 11), piles[0], columns, piles[1])


@pytest.mark.parametrize("name", RULES.names)
def test_endings_checked_by_hand(name):
    rules = RULES.resolve(name)
    # KS covers all that the others wait for, and goes nowhere.
    assert search(ending("TC QC QD QH QS KS", ""), rules) == (False, 42, 1)
    # Turned up, QS makes way for KS, and so on; the stock then is empty.
    assert search(ending("TC QC QD QH KS", "QS"), rules)[:2] == (True, 52)
    assert search(State(4, (13,) * 4, (), ((),) * 4, ()), rules)[:2] == (True, 52)


def test_a_search_that_is_cut_off_knows_nothing():
    outcome = search(solvitaire(1), RULES.resolve("thoughtful"), 50)
    assert outcome.winnable is None
    assert outcome.positions > 50


DECIDED = {
    line.split(",")[0]: line.split(",")[1]
    for line in (DATA / "canfield_solvitaire_1_100.csv").read_text().split()[1:]
}


# Those that take at most 6,000 positions here.
@pytest.mark.parametrize(
    "seed", [9, 10, 13, 14, 15, 16, 19, 20, 21, 24, 25, 28, 29, 31, 58, 60, 84]
)
def test_whole_deals_that_solvitaire_decides(seed):
    outcome = search(solvitaire(seed), RULES.resolve("thoughtful"), 40_000)
    assert outcome.winnable is (DECIDED[str(seed)] == "winnable")


@pytest.mark.parametrize("name", RULES.names)
def test_positions_after_counts_by_the_rules(name):
    rules = RULES.resolve(name)
    deal = solvitaire(7)
    counts = positions_after(deal, rules, 4)
    assert counts[0] == len(by_rules(random_play(deal, rules, 0, longest=0)[0][0], rules))
    assert all(count > 0 for count in counts)


def test_random_play_gets_somewhere():
    best = 0
    for seed in range(15):
        history = random_play(solvitaire(seed), RULES.resolve("full-wrap"), seed)
        best = max(best, cards_up(history[-1][0]))
        assert history[-1][1] is None
        assert not any(is_won(state) for state, _ in history[:-1])
    assert best >= 10
