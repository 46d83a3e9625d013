"""Where each program's cards go: its own layouts in tests/data/first_deals.txt."""

from pathlib import Path

import pytest

from winnable.cards import PACK_SIZE, parse_card
from winnable.deals import NUMBERINGS, parse_number
from winnable.games.canfield import GAME
from winnable.games.canfield.layout import ORDERS, laid_out
from winnable.games.canfield.rules import RULES, dealt, is_untouched, start

LINES = (Path(__file__).parents[2] / "data" / "first_deals.txt").read_text().splitlines()


def vectors():
    for line in LINES:
        head, _, piles = line.partition(": ")
        program, _, number = head.rpartition(" ")
        names = {"PySolFC Canfield": "pysol", "Solvitaire canfield": "solvitaire"}
        if program in names:
            named = {name: cards for name, *cards in (pile.split() for pile in piles.split("|"))}
            cards = {name: [parse_card(card) for card in pile] for name, pile in named.items()}
            yield pytest.param(names[program], number, cards, id=head)


@pytest.mark.parametrize(("name", "number", "piles"), list(vectors()))
def test_the_layouts_of_the_programs(name, number, piles):
    columns = piles.get("rows") or piles["tableau"]
    stock = piles.get("waste", []) + piles["stock"]
    expected = dealt(piles["base"][0], piles["reserve"], columns, stock)
    assert GAME.deal(*parse_number(NUMBERINGS[name], number), RULES.resolve()) == expected
    if "waste" in piles:
        opened = start(expected, RULES.resolve("pysol"))
        assert list(opened.waste) == piles["waste"]
        assert list(opened.stock) == piles["stock"]


def test_all_six_layouts_are_compared():
    assert len(list(vectors())) == 6


def test_every_numbering_of_the_game_has_an_order_and_uses_every_card():
    assert tuple(ORDERS) == GAME.numberings
    for name, order in ORDERS.items():
        assert sorted(order) == [*range(PACK_SIZE)]
        assert is_untouched(laid_out(range(PACK_SIZE), name))


def test_aisleriots_order():
    deal = laid_out(range(PACK_SIZE), "aisleriot")
    assert deal.reserve == tuple(range(13))
    assert deal.columns == ((13,), (14,), (15,), (16,))
    assert (deal.base, deal.foundations) == (4, (0, 1, 0, 0))
    assert deal.stock == tuple(range(18, PACK_SIZE))
    assert laid_out(range(PACK_SIZE), "winnable") == deal


def test_microsofts_numbers_are_laid_out_as_pysolfc_does():
    rules = RULES.resolve()
    assert GAME.deal(NUMBERINGS["ms"], 17, rules) == GAME.deal(NUMBERINGS["pysol"], 17, rules)
