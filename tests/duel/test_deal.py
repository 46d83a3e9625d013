"""Dealing two packs of a number, and the page that documents it."""

import re
from pathlib import Path

import pytest
from duel_positions import bank, zank

from winnable.cards import card_name, parse_card
from winnable.deals import NUMBERINGS, shuffled_pack
from winnable.duel.deal import laid_out, numbered_deal, shuffle_name
from winnable.duel.tables import Size
from winnable.errors import InputError

PAGE = (Path(__file__).parents[2] / "docs" / "numbering.md").read_text(encoding="utf-8")
WINNABLE = NUMBERINGS["winnable"]


def documented_vectors():
    (block,) = re.findall(r"```packs\n(.*?)```", PAGE, re.DOTALL)
    for line in block.splitlines():
        key, _, cards = line.partition(": ")
        game, number, player = re.fullmatch(r"(\S+) (\d+) player (\d)", key).groups()
        yield game, int(number), int(player), [parse_card(card) for card in cards.split()]


@pytest.mark.parametrize(("game", "number", "player", "cards"), list(documented_vectors()))
def test_documented_packs(game, number, player, cards):
    assert shuffled_pack(WINNABLE, number, shuffle_name(game, player)) == cards


def test_the_documented_packs_are_of_both_games():
    promised = [
        (game, number, p) for game in ("russian-bank", "zank") for number in (0, 1) for p in (0, 1)
    ]
    assert [vector[:3] for vector in documented_vectors()] == promised


def test_where_the_cards_go():
    variant = bank()
    packs = [shuffled_pack(WINNABLE, 7, shuffle_name("russian-bank", p)) for p in range(2)]
    state = numbered_deal(WINNABLE, 7, variant)
    for player, pack in enumerate(packs):
        side = state.sides[player]
        houses = [house.cards[0] for house in state.houses[4 * player : 4 * player + 4]]
        assert [*side.reserve, *houses, *side.stock] == pack
        assert (len(side.reserve), len(side.stock), side.waste) == (13, 35, ())
    assert (state.mover, state.turn, state.turned) == (0, 0, False)


@pytest.mark.parametrize(("rows", "stock"), [(1, 31), (2, 27)])
def test_face_down_rows_are_dealt_before_the_open_one(rows, stock):
    variant = bank(f"face-down-rows={rows}")
    pack = shuffled_pack(WINNABLE, 7, shuffle_name("russian-bank", 0))
    state = numbered_deal(WINNABLE, 7, variant)
    for number in range(4):
        assert state.houses[number].cards == tuple(pack[13 + number : 17 + 4 * rows : 4])
        assert state.houses[number].hidden == rows
    assert len(state.sides[0].stock) == stock


def test_small_decks_are_the_full_ones_without_the_other_cards():
    size = Size(ranks=5, suits=2, houses=4, reserve=3)
    full = shuffled_pack(WINNABLE, 7, shuffle_name("zank", 1))
    side = numbered_deal(WINNABLE, 7, zank(size=size)).sides[1]
    left = [card for card in full if card_name(card)[0] in "A2345" and card_name(card)[1] in "CD"]
    assert [*side.reserve] == left[:3]
    assert [*side.stock] == left[5:]


def test_the_number_begins_the_shuffles_where_there_are_any():
    assert numbered_deal(WINNABLE, 7, bank()).chance == 0
    assert numbered_deal(WINNABLE, 7, bank("redeal=shuffle")).chance == 7


def test_zank_begins_with_the_open_card():
    state = numbered_deal(WINNABLE, 1, zank())
    assert state.turned
    assert state.mover == 1


def test_other_numberings_deal_one_pack():
    with pytest.raises(InputError, match="The numbering 'ms' deals one pack; .* Known: winnable"):
        numbered_deal(NUMBERINGS["ms"], 1, bank())
    with pytest.raises(InputError, match="There is no deal -1"):
        numbered_deal(WINNABLE, -1, bank())


def test_nothing_is_left_in_hand_when_packs_are_just_large_enough():
    variant = zank(size=Size(ranks=3, suits=2, houses=4, reserve=4))
    state = laid_out([variant.size.pack, variant.size.pack], variant)
    assert [side.stock for side in state.sides] == [(), ()]
    assert not state.turned
