"""Where each program's cards go: its own layouts in tests/data/first_deals.txt."""

import re
from pathlib import Path

import pytest
from plain_spider import cards, deck

from winnable.cards import card_name
from winnable.deals import NUMBERINGS, parse_number, shuffled_double_pack
from winnable.games.spider import GAME
from winnable.games.spider.layout import ORDERS, laid_out
from winnable.games.spider.rules import RULES, dealt, is_untouched

LINES = (Path(__file__).parents[2] / "data" / "first_deals.txt").read_text().splitlines()
LAYOUT = re.compile(r"(PySolFC|KPat) Spider ?(?:\((\d)(?: suits)?\) )?(\d+): (.*) \| stock (.*)")
DEALING_ORDER = re.compile(r"AisleRiot seed (\d+) Spider (\d) suits, dealing order: (.*)")
NAMES = {"PySolFC": "pysol", "KPat": "kpat"}
RULE_SETS = {"4": RULES.names[0], "2": RULES.names[1], "1": RULES.names[2]}


def layouts():
    for line in LINES:
        if match := LAYOUT.fullmatch(line):
            program, suits, number, columns, stock = match.groups(default="4")
            if program == "PySolFC" and suits != "4":
                # Its clubs are our spades.
                columns, stock = columns.replace("C", "S"), stock.replace("C", "S")
            expected = dealt([cards(column) for column in columns.split("/")], cards(stock))
            yield pytest.param(NAMES[program], number, suits, expected, id=line.partition(":")[0])


def dealing_orders():
    for line in LINES:
        if match := DEALING_ORDER.fullmatch(line):
            yield pytest.param(match[1], match[2], cards(match[3]), id=line.partition(",")[0])


@pytest.mark.parametrize(("name", "number", "suits", "expected"), list(layouts()))
def test_the_layouts_of_the_programs(name, number, suits, expected):
    rules = RULES.resolve(RULE_SETS[suits])
    assert GAME.deal(*parse_number(NUMBERINGS[name], number), rules) == expected
    relaxed = RULES.resolve(f"relaxed-{RULE_SETS[suits]}")
    assert GAME.deal(*parse_number(NUMBERINGS[name], number), relaxed) == expected


@pytest.mark.parametrize(("number", "suits", "dealing_order"), list(dealing_orders()))
def test_aisleriots_dealing_order(number, suits, dealing_order):
    rules = RULES.resolve(RULE_SETS[suits])
    deal = GAME.deal(*parse_number(NUMBERINGS["aisleriot"], number), rules)
    last_four = [dealing_order[50 + place] for place in range(4)]
    for column in range(10):
        assert deal.columns[column][:5] == dealing_order[column:50:10]
    assert [deal.columns[column][5] for column in (0, 3, 6, 9)] == last_four
    assert deal.stock == dealing_order[54:]


def test_all_layouts_are_compared():
    assert len(list(layouts())) == 4 + 2 + 3 + 2
    assert len(list(dealing_orders())) == 3


def test_microsofts_numbers_are_laid_out_as_pysolfc_does():
    for name in RULES.names:
        rules = RULES.resolve(name)
        assert GAME.deal(NUMBERINGS["ms"], 17, rules) == GAME.deal(NUMBERINGS["pysol"], 17, rules)
        assert GAME.deal(NUMBERINGS["ms"], 2**32, rules) != GAME.deal(
            NUMBERINGS["pysol"], 2**32, rules
        )


@pytest.mark.parametrize("name", GAME.numberings)
@pytest.mark.parametrize("suits", RULE_SETS)
def test_every_numbering_deals_every_card(name, suits):
    assert tuple(ORDERS) == GAME.numberings
    rules = RULES.resolve(RULE_SETS[suits])
    deal = GAME.deal(NUMBERINGS[name], 99, rules)
    assert is_untouched(deal)
    together = [card for pile in (*deal.columns, deal.stock) for card in pile]
    assert sorted(together) == sorted(deck(suits))


def test_our_own_order():
    pack = shuffled_double_pack(NUMBERINGS["winnable"], 7, "spider")
    deal = GAME.deal(NUMBERINGS["winnable"], 7, RULES.resolve())
    for column in range(10):
        assert list(deal.columns[column]) == pack[column:54:10]
    assert list(deal.stock) == pack[54:]


@pytest.mark.parametrize(
    ("name", "two_suits"),
    [
        ("winnable", "SHHS"),
        ("pysol", "SHHS"),
        ("ms", "SHHS"),
        ("kpat", "HSHS"),
        ("aisleriot", "HSHS"),
    ],
)
def test_with_fewer_suits_other_suits_are_on_the_same_cards(name, two_suits):
    pack = shuffled_double_pack(NUMBERINGS[name], 3, "spider")
    four, two, one = (laid_out(pack, name, suits) for suits in "421")
    as_two = dict(zip("CDHS", two_suits, strict=True))
    for place in range(50):
        rank, suit = card_name(four.stock[place])
        assert card_name(two.stock[place]) == rank + as_two[suit]
        assert card_name(one.stock[place]) == f"{rank}S"
