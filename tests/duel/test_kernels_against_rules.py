"""Kernels against plain rules: random play over every combination of rules, counts at each depth.

``python tests/duel_agreement.py 100000`` does the first for as long as one likes.
"""

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from duel_agreement import (
    WINNABLE,
    all_variants,
    check_same,
    play_one,
    settings_of,
    without_past,
)
from duel_positions import bank, full, position

from winnable.deals import fill_packs
from winnable.duel import convert, engine, state
from winnable.duel import moves as coded
from winnable.duel import rules as plain
from winnable.duel.deal import chance_of, numbered_deal, shuffle_name
from winnable.duel.position import parse_move
from winnable.duel.tables import QUIET_TURNS, RULE_TABLES, Size, variant_of

VARIANTS = all_variants()
RULE_SETS = [(game, name) for game, table in RULE_TABLES.items() for name in table.names]


# A table so small that nobody may be able to play any more.
CRAMPED = Size(ranks=5, suits=3, houses=2, reserve=5)
SHORT_ENDINGS = {
    plain.Outcome(0, plain.Ending.WON),
    plain.Outcome(1, plain.Ending.WON),
    plain.Outcome(None, plain.Ending.REPETITION),
}


def copy_of(table):
    return table._make(array.copy() for array in table)


def legal_codes(table, codes):
    buffer = np.zeros(coded.MAX_MOVES, np.int64)
    return buffer[: engine.legal_moves(table, codes, buffer)].tolist()


def plain_perft(at, variant, depth):
    """How many move lists of this length there are, plainly."""
    moves = plain.legal_moves(at, variant)
    if depth == 1:
        return len(moves)
    return sum(plain_perft(plain.apply(at, move, variant), variant, depth - 1) for move in moves)


def kernel_perft(table, codes, depth):
    moves = legal_codes(table, codes)
    if depth == 1:
        return len(moves)
    count = 0
    for move in moves:
        after = copy_of(table)
        engine.play(after, codes, move)
        count += kernel_perft(after, codes, depth - 1)
    return count


def walked(variant, seed, length):
    """A position some random moves into a game, plain and as arrays with its past."""
    chance = random.Random(seed)
    codes = convert.codes_of(variant)
    at = numbered_deal(WINNABLE, seed, variant)
    table = convert.table_of(at, variant)
    for _ in range(length):
        moves = plain.legal_moves(at, variant)
        if not moves:
            break
        move = chance.choice(moves)
        at = plain.apply(at, move, variant)
        engine.play(table, codes, convert.code_of(move))
    return at, table, codes


def test_every_combination_of_rules_plays_the_same(compiled_or):
    chosen = random.Random(3).sample(VARIANTS, compiled_or(150, 10))
    made = sum(play_one(variant, seed, 30)[0] for seed, variant in enumerate(chosen))
    assert made > 20 * len(chosen)


@pytest.mark.parametrize(("game", "name"), RULE_SETS)
def test_whole_games_play_the_same(game, name, compiled_or):
    variant = variant_of(game, name)
    made, last = play_one(variant, compiled_or(11, 12), compiled_or(2000, 150))
    assert last.outcome is not None or made >= 150


def test_small_decks_play_the_same_to_every_end_but_the_longest(compiled_or):
    endings = Counter()
    for seed in range(compiled_or(40, 4)):
        for game in RULE_TABLES:
            _, last = play_one(variant_of(game, size=CRAMPED), seed, 2000)
            endings[last.outcome] += 1
    assert None not in endings
    assert set(endings) >= compiled_or(SHORT_ENDINGS, set())


def test_quiet_turns_end_the_game_in_both():
    variant = variant_of("zank")
    codes = convert.codes_of(variant)
    at = replace(numbered_deal(WINNABLE, 3, variant), quiet=QUIET_TURNS - 2)
    table = convert.table_of(at, variant)
    for _ in range(2):
        assert plain.DISCARD in check_same(at, table, variant, codes)
        at = plain.apply(at, plain.DISCARD, variant)
        engine.play(table, codes, convert.code_of(plain.DISCARD))
    assert check_same(at, table, variant, codes) == []
    assert at.outcome == plain.Outcome(None, plain.Ending.QUIET)


@pytest.mark.parametrize("number", range(0, len(VARIANTS), 13))
def test_counts_at_each_depth(number, compiled_or):
    variant = VARIANTS[number]
    at, table, codes = walked(variant, number, 7 + number % 50)
    for depth in (1, 2, compiled_or(4, 3)):
        assert kernel_perft(table, codes, depth) == plain_perft(at, variant, depth), depth


def test_a_copy_is_independent_of_the_original():
    at, table, codes = walked(variant_of("russian-bank", changes=["stop=called"]), 5, 40)
    before = [array.copy() for array in table]
    copied = copy_of(table)
    for _ in range(10):
        engine.play(copied, codes, legal_codes(copied, codes)[0])
    assert all((old == new).all() for old, new in zip(before, table, strict=True))
    assert convert.state_of(table, VARIANTS[0]).houses == at.houses


def test_a_copy_has_the_past_of_a_fault_too():
    variant = bank("stop=called")
    codes = convert.codes_of(variant)
    at = position(variant, full("AH", variant), reserve="KC AC", stock="9S 8S", other_stock="9D 8D")
    table = convert.table_of(at, variant)
    # Two turns in which the aces are left where they are, then the wrong one goes up.
    for move in ("turn", "discard", "turn", "discard", "h1 f"):
        at = plain.apply(at, parse_move(move), variant)
        engine.play(table, codes, convert.code_of(parse_move(move)))
    assert table.lengths[coded.START_LENGTH] == 0
    copied = copy_of(table)
    for each in (table, copied):
        engine.play(each, codes, coded.STOP)
        check_same(plain.apply(at, plain.STOP, variant), each, variant, codes)
    starts = table.lengths[coded.START_LENGTH]
    assert starts == 4
    assert (copied.lengths == table.lengths).all()
    assert (copied.start_keys[:starts] == table.start_keys[:starts]).all()


def test_shuffled_wastes_are_the_same():
    variant = variant_of("russian-bank", changes=["redeal=shuffle"])
    codes = convert.codes_of(variant)
    for size in range(1, 30):
        # Few different cards: which of two equal ones it is does not show.
        waste = tuple(random.Random(size).choices(variant.size.pack, k=size))
        side = plain.Side((50,), (), waste)
        houses = (plain.House((51,)),) * 8
        at = plain.begun(plain.State(houses, (side, side), turn=2, chance=size), variant, 0)
        table = convert.table_of(at, variant)
        assert check_same(at, table, variant, codes) == [plain.TURN]
        engine.play(table, codes, coded.TURN)
        check_same(plain.apply(at, plain.TURN, variant), table, variant, codes)


def all_cards(table, variant):
    """How often each card is on the table, foundations counted."""
    at = convert.state_of(table, variant)
    counts = Counter(card for house in at.houses for card in house.cards)
    for side in at.sides:
        counts += Counter([*side.reserve, *side.stock, *side.waste])
    for suit, pair in enumerate(at.foundations):
        counts += Counter(4 * rank + suit for height in pair for rank in range(height))
    return counts


def test_random_games_end_and_keep_every_card(compiled_or):
    buffer = np.zeros(coded.MAX_MOVES, np.int64)
    dice = np.array([1], np.uint64)
    for number, variant in enumerate(VARIANTS[:: compiled_or(3, 61)]):
        codes = convert.codes_of(variant)
        table = convert.table_of(numbered_deal(WINNABLE, number, variant), variant)
        expected = Counter(variant.size.pack + variant.size.pack)
        for _ in range(20):
            engine.play_randomly(table, codes, dice, 100, buffer)
            assert all_cards(table, variant) == expected
        if not compiled_or(1, 0):
            continue
        engine.play_randomly(table, codes, dice, 10**6, buffer)
        assert table.cells[state.OUTCOME] != state.GOING_ON
        assert all_cards(table, variant) == expected


@pytest.mark.parametrize("number", range(0, len(VARIANTS), 11))
def test_dealing_is_the_same(number):
    variant = VARIANTS[number]
    codes = convert.codes_of(variant)
    packs = np.zeros((2, 52), np.uint8)
    for player in range(2):
        fill_packs(WINNABLE, number, shuffle_name(variant.game, player), packs[player : player + 1])
    table = convert.empty_table()
    engine.lay_out(table, codes, packs, np.uint64(chance_of(number, variant)))
    deal = numbered_deal(WINNABLE, number, variant)
    check_same(deal, table, variant, codes)
    expected = convert.table_of(deal, variant)
    assert (table.words == expected.words).all()
    assert (table.lengths == expected.lengths).all()


def test_moves_have_one_code_each():
    codes = [
        *(source << 4 | target for source in range(10) for target in range(11)),
        *range(coded.TURN, coded.STOP + 1),
    ]
    assert [convert.code_of(convert.move_of(code)) for code in codes] == codes


def test_positions_survive_arrays():
    for number in range(0, len(VARIANTS), 29):
        at, table, _ = walked(VARIANTS[number], number, 30)
        assert convert.state_of(table, VARIANTS[number]) == without_past(at)


def test_a_key_tells_positions_apart_and_knows_no_order_of_houses():
    variant = variant_of("russian-bank")
    at, table, _ = walked(variant, 3, 60)
    swapped = plain.State(
        at.houses[::-1], at.sides, at.foundations, at.mover, at.turned, at.turn, at.quiet
    )
    keys = convert.table_of(swapped, variant).words[: state.KEY_HIGH + 1]
    assert (keys == table.words[: state.KEY_HIGH + 1]).all()
    seen = {}
    for seed in range(40):
        at, table, _ = walked(variant, seed, 25)
        key = tuple(table.words[: state.KEY_HIGH + 1].tolist())
        assert seen.setdefault(key, plain.position_key(at, variant)) == plain.position_key(
            at, variant
        )
    assert len(seen) == 40


def test_the_room_of_a_reserve_is_enough():
    """Thirteen cards, and one suit's other 25 in a chain: more can't lie there."""
    variant = variant_of("zank")
    chain = [4 * rank for rank in [*range(12, -1, -1), *range(1, 13), 12]]
    side = plain.Side(tuple(chain[:13]) + tuple(chain[13:]) + (1,) * 12, (1,), (), 26)
    other = plain.Side((2,), (2,))
    houses = (plain.House(),) * 8
    at = plain.begun(plain.State(houses, (side, other)), variant, 1)
    table = convert.table_of(at, variant)
    assert len(side.reserve) == Size().reserve + 25
    assert convert.state_of(table, variant) == without_past(at)


def test_combinations_of_rules_are_all_there():
    assert len(VARIANTS) == 3 * 2**5 * 3 + 12
    assert len(settings_of("zank")) == 12
