"""What players see: covered cards are in pools, and dealing these anew fits the view."""

import random
from collections import Counter

from duel_agreement import WINNABLE, all_variants
from duel_positions import after, bank, cards, full, position, zank

from winnable.duel.deal import numbered_deal
from winnable.duel.rules import (
    apply,
    legal_moves,
)
from winnable.duel.view import Place, card_at, visible


def test_a_fresh_deal_shows_tops_and_houses_only():
    state = numbered_deal(WINNABLE, 5, bank())
    view = visible(state, bank())
    assert view.reserves[0] == (None,) * 12 + state.sides[0].reserve[-1:]
    assert view.stocks == ((None,) * 35, (None,) * 35)
    assert [house[0] for house in view.houses] == [house.cards[0] for house in state.houses]
    assert [len(pool.cards) for pool in view.pools] == [47, 47]


def test_the_open_stock_card_is_seen_while_it_is_the_movers():
    state = numbered_deal(WINNABLE, 1, zank())
    view = visible(state, zank())
    assert view.stocks[state.mover][0] == state.own.stock[0]
    assert view.stocks[1 - state.mover][0] is None


def test_loaded_cards_are_seen_under_others():
    variant = zank()
    state = position(variant, full("5H/6H", variant), stock="2C", other="9S 7H")
    view = visible(after(state, variant, "h2 or", "h1 or"), variant)
    assert view.reserves[1] == (None, *cards("7H 6H 5H"))


def test_a_waste_turned_over_is_known_and_a_shuffled_one_only_as_a_whole():
    for redeal, known in (("turn-over", True), ("shuffle", False)):
        variant = bank(f"redeal={redeal}")
        state = position(variant, full("", variant), reserve="3C KC", waste="7C 6S 5D")
        view = visible(after(state, variant, "turn"), variant)
        assert None not in view.wastes[1]
        assert (None not in view.stocks[0]) == known
        assert view.stocks[0][0] is not None
        sizes = [len(pool.cards) for pool in view.pools]
        assert sizes == ([1, 1] if known else [2, 1, 1])


def test_face_down_cards_of_houses_are_in_the_pool_of_who_dealt_them():
    variant = bank("face-down-rows=1")
    view = visible(numbered_deal(WINNABLE, 5, variant), variant)
    assert [house[0] for house in view.houses] == [None] * 8
    numbers = [
        {place.number for place in pool.places if place.pile == "house"} for pool in view.pools
    ]
    assert numbers == [{0, 1, 2, 3}, {4, 5, 6, 7}]


def test_pools_hold_just_what_is_not_seen():
    chance = random.Random(1)
    for number, variant in enumerate(all_variants()[::31]):
        state = numbered_deal(WINNABLE, number, variant)
        for _ in range(60):
            view = visible(state, variant)
            shown = {"house": view.houses, "reserve": view.reserves, "stock": view.stocks}
            unseen = {
                Place(pile, row, at)
                for pile, rows in shown.items()
                for row, seen in enumerate(rows)
                for at, card in enumerate(seen)
                if card is None
            }
            places = [place for pool in view.pools for place in pool.places]
            assert len(places) == len(set(places))
            assert set(places) == unseen
            for pool in view.pools:
                assert list(pool.cards) == sorted(pool.cards)
                assert Counter(pool.cards) == Counter(card_at(state, at) for at in pool.places)
            for pile, rows in shown.items():
                for row, seen in enumerate(rows):
                    for at, card in enumerate(seen):
                        assert card in (None, card_at(state, Place(pile, row, at)))
            moves = legal_moves(state, variant)
            if not moves:
                break
            state = apply(state, chance.choice(moves), variant)
