"""The most cards on the foundations at once: against a plain search, and what callers see."""

import random
import threading

import numpy as np
import pytest
from plain_canfield import late_position, search, single_changes

from winnable.cards import PACK_SIZE
from winnable.games.base import Limits
from winnable.games.canfield import rules as plain
from winnable.games.canfield import solver, state
from winnable.games.canfield.best import Effort, most_cards
from winnable.games.canfield.best_bound import may_exceed
from winnable.games.canfield.best_easier import try_easier
from winnable.games.canfield.layout import laid_out
from winnable.games.canfield.search_semi_free import can_be_lost, semi_free_setup
from winnable.games.canfield.search_table import new_stack, new_table

RULES = single_changes()
# So few nodes that the easier game, restarts and the search for a bound are used at once.
HASTY = Effort(first_try=20, easier=1000, easier_inside=30)
REDUCTIONS = {
    "safe moves": state.SAFE_MOVES,
    "relaxed test": state.RELAXED_TEST,
    "twin rule": state.RELAXED_TEST | state.TWIN_RULE,
    "tail swaps": state.TAIL_SWAPS,
    "waste order": state.WASTE_ORDER,
    "semi-free game": state.SEMI_FREE_TEST,
    "no returns first": state.NO_RETURNS_FIRST,
    "all": state.ALL_REDUCTIONS,
}
by_rules = pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)


def deal_of(seed):
    cards = list(range(PACK_SIZE))
    random.Random(seed).shuffle(cards)
    return laid_out(cards, "winnable")


def long_position(seed):
    """A position with a column of 26 cards, for rules by which kings go on aces."""
    chance = random.Random(seed)
    base, rank = chance.randrange(13), chance.randrange(13)
    is_black = chance.random() < 0.5
    # Of each colour one suit has the low ranks in the column, the other one the high ranks.
    low = {True: chance.choice((0, 3)), False: chance.choice((1, 2))}
    high = {True: 3 - low[True], False: 3 - low[False]}
    split = {colour: chance.choice((0, 1, 2, 12, 13)) for colour in (True, False)}
    column = []
    for _ in range(26):
        suit = (low if rank < split[is_black] else high)[is_black]
        column.append(4 * ((base + rank) % 13) + suit)
        rank, is_black = (rank - 1) % 13, not is_black
    up = [0] * 4
    for colour in (True, False):
        up[high[colour]] = split[colour]
        up[low[colour]] = 13 if split[colour] == 0 else 0
    on_foundations = {4 * ((base + i) % 13) + suit for suit in range(4) for i in range(up[suit])}
    rest = [card for card in range(PACK_SIZE) if card not in on_foundations | set(column)]
    chance.shuffle(rest)
    columns = [tuple(column), *((rest.pop(),) if rest else () for _ in range(3))]
    reserve = [rest.pop() for _ in range(chance.randint(0, min(3, len(rest))))]
    turned = chance.choice((0, len(rest) // 2))
    return plain.State(
        base, tuple(up), tuple(reserve), tuple(columns), tuple(rest[turned:]), tuple(rest[:turned])
    )


def lost_ones(positions, rules, most):
    """The positions that a plain search proves lost, each with the most cards seen in it."""
    for seed, at in positions:
        truth = search(at, rules, most)
        if truth.winnable is False:
            yield seed, plain.start(at, rules), truth.best


@by_rules
def test_late_positions_against_plain_search(rules, compiled_or):
    compared = 0
    for seed in range(compiled_or(30, 2)):
        at = late_position(seed)
        truth = search(at, rules, 1_000)
        if truth.winnable is None:
            continue
        answer = most_cards(at, rules, Limits(), effort=HASTY)
        assert (answer.found, answer.bound) == (truth.best, truth.best), seed
        last = plain.replay(at, map(plain.parse_move, answer.moves), rules)
        assert plain.cards_up(last) == truth.best
        assert answer.limit is None
        compared += 1
    assert compared > compiled_or(20, 0)


@pytest.mark.compiled_only
@by_rules
def test_each_reduction_against_none(rules):
    compared = 0
    for seed, at, best in lost_ones(((s, late_position(s)) for s in range(1000, 1030)), rules, 500):
        for name, bits in {"none": 0, **REDUCTIONS}.items():
            answer = most_cards(at, rules, Limits(100_000), reductions=bits, effort=HASTY)
            assert (answer.found, answer.bound) == (best, best), (seed, name)
            compared += 1
    assert compared >= 1 + len(REDUCTIONS)


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", plain.RULES.names)
def test_whole_deals_without_reductions(name):
    rules = plain.RULES.resolve(name)
    compared = 0
    for seed in range(30):
        fast = most_cards(deal_of(seed), rules, Limits(20_000), effort=HASTY)
        plainer = most_cards(deal_of(seed), rules, Limits(20_000), reductions=0, effort=HASTY)
        assert max(fast.found, plainer.found) <= min(fast.bound, plainer.bound), seed
        compared += plainer.limit is None and plainer.found < PACK_SIZE
    assert compared > 0


@by_rules
def test_what_was_shown_by_a_limit_is_true(rules, compiled_or):
    positions = ((seed, late_position(seed)) for seed in range(compiled_or(40, 2)))
    for seed, at, best in lost_ones(positions, rules, 500):
        for nodes in (1, 10, 60, 200):
            answer = most_cards(at, rules, Limits(nodes), effort=HASTY)
            assert answer.found <= best <= answer.bound, (seed, nodes)
            assert (answer.found == answer.bound) == (answer.limit is None)
            assert answer.limit in (None, "nodes")
            assert answer.limit is not None or answer.found == best


@by_rules
def test_bounds_are_never_too_low(rules, compiled_or):
    """Of the relaxed test and of the easier game, where they bound best: in lost positions."""
    stack, no_stop = new_stack(100), np.zeros(1, np.int64)
    compared = 0
    positions = ((seed, late_position(seed)) for seed in range(compiled_or(40, 2)))
    for seed, at, best in lost_ones(positions, rules, 500):
        for bits in (0, state.TWIN_RULE, state.ALL_REDUCTIONS):
            setup = solver.setup_of(at, rules, bits)
            position = solver.position_of(at, setup)
            assert may_exceed(setup, position, best - 1), seed
            if can_be_lost(setup, position):
                counts = np.zeros(2, np.int64)
                is_bounded, _ = try_easier(
                    semi_free_setup(setup),
                    position,
                    best - 1,
                    10_000,
                    stack,
                    counts,
                    no_stop,
                    no_stop,
                    new_table(),
                )
                assert not is_bounded, seed
        compared += 1
    assert compared > compiled_or(0, -1)


@pytest.mark.compiled_only
def test_columns_of_26_cards():
    compared = 0
    rows = [rules for rules in RULES if rules.settings["wrap"] == "full"]
    for seed in range(30):
        rules = rows[seed % len(rows)]
        truth = search(long_position(seed), rules, 5_000)
        if truth.winnable is not None:
            answer = most_cards(long_position(seed), rules, Limits(200_000), effort=HASTY)
            assert (answer.found, answer.bound) == (truth.best, truth.best), seed
            compared += truth.best < PACK_SIZE
    assert compared > 5


# Hardly a deal of the betting game can be won.
@pytest.mark.compiled_only
@pytest.mark.parametrize("name", [name for name in plain.RULES.names if name != "casino"])
def test_a_deal_that_can_be_won_has_all_cards(name):
    rules = plain.RULES.resolve(name)
    won = 0
    for seed in range(8):
        solution = solver.solve(deal_of(seed), rules, Limits(20_000))
        if solution.moves is not None:
            answer = most_cards(deal_of(seed), rules, Limits())
            assert (answer.found, answer.bound, answer.limit) == (PACK_SIZE, PACK_SIZE, None)
            last = plain.replay(deal_of(seed), map(plain.parse_move, answer.moves), rules)
            assert plain.is_won(last)
            won += 1
    assert won > 0


def test_a_won_position_needs_no_move():
    rules = plain.RULES.resolve("aisleriot")
    won = plain.State(3, (13, 13, 13, 13), (), ((), (), (), ()), ())
    answer = most_cards(won, rules, Limits())
    assert (answer.found, answer.bound, answer.moves) == (PACK_SIZE, PACK_SIZE, ())


@pytest.mark.compiled_only
def test_nodes_are_kept_to():
    rules = plain.RULES.resolve("casino")
    for nodes in (1, 7, 100, 5_000):
        for seed in range(10):
            assert most_cards(deal_of(seed), rules, Limits(nodes)).nodes <= nodes


@pytest.mark.compiled_only
def test_a_limit_on_seconds():
    rules = plain.RULES.resolve("casino")
    answers = [most_cards(deal_of(seed), rules, Limits(1 << 40, 1e-9)) for seed in range(10)]
    limits = {answer.limit for answer in answers}
    assert "seconds" in limits
    assert limits <= {"seconds", None}


@pytest.mark.compiled_only
def test_the_caller_can_stop_it():
    rules = plain.RULES.resolve("casino")
    stop = np.ones(1, np.int64)
    answer = most_cards(deal_of(0), rules, Limits(stop=stop))
    assert answer.limit == "stopped"
    assert answer.nodes <= 1
    stop[0] = 0
    assert most_cards(deal_of(0), rules, Limits(3_000, stop=stop)).limit != "stopped"
    assert stop[0] == 0


@pytest.mark.compiled_only
def test_threads_have_tables_of_their_own():
    rules = plain.RULES.resolve("thoughtful")
    alone = [most_cards(deal_of(seed), rules, Limits(3_000)).found for seed in range(12)]
    together = {}

    def work(seeds):
        for seed in seeds:
            together[seed] = most_cards(deal_of(seed), rules, Limits(3_000)).found

    threads = [threading.Thread(target=work, args=(range(i, 12, 2),)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [together[seed] for seed in range(12)] == alone
