"""Tri-Peaks deals and positions as people type them, and what they are told when it goes wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_search import random_play

from winnable.cards import PACK_SIZE, card_name, card_symbol
from winnable.errors import InputError
from winnable.games.tripeaks.rules import COVERED_BY, RULES, State, dealt, start
from winnable.games.tripeaks.text import (
    deal_to_json,
    draw,
    format_deal,
    parse_deals,
    row_and_place,
)

NAMES = [card_name(card) for card in range(PACK_SIZE)]
DEAL = dealt(range(PACK_SIZE))
TABLEAU, STOCK = " ".join(NAMES[:28]), " ".join(NAMES[28:])
LABELLED = f"tableau: {TABLEAU}\nstock: {STOCK}"
ONE_LINE = f"{TABLEAU} {STOCK}"
packs = st.permutations(range(PACK_SIZE))


def one(text):
    [state] = parse_deals(text)
    return state


def complaint(text):
    with pytest.raises(InputError) as caught:
        parse_deals(text)
    return str(caught.value)


def test_a_fresh_deal_as_text():
    assert format_deal(DEAL) == LABELLED
    assert one(LABELLED) == one(ONE_LINE) == DEAL


@given(packs)
def test_any_deal_comes_back(pack):
    assert one(format_deal(dealt(pack))) == dealt(pack)
    assert one(" ".join(map(card_name, pack))) == dealt(pack)


@given(packs, st.integers(0, 999), st.sampled_from(RULES.names))
def test_any_position_comes_back(pack, seed, name):
    history = random_play(dealt(pack), RULES.resolve(name), seed)
    text = "\n\n".join(format_deal(state) for state, _ in history)
    assert parse_deals(text) == [state for state, _ in history]


@given(packs, st.integers(0, 999))
def test_the_top_of_the_waste_is_enough(pack, seed):
    state, _ = random_play(dealt(pack), RULES.resolve("standard"), seed)[-1]
    short = State(state.tableau, state.stock, state.waste[-1:])
    assert one(format_deal(short)) == short


@pytest.mark.parametrize(
    "text",
    [
        LABELLED.replace("\n", "\r\n") + "\r\n",
        LABELLED.replace("\n", "\r"),
        "\ufeff" + LABELLED,
        "\ufeff" + ONE_LINE,
        LABELLED.lower(),
        LABELLED.replace("tableau", "TABLEAU").replace("stock", " Stock "),
        LABELLED.replace("T", "10").replace("10ABLEAU", "TABLEAU"),
        LABELLED.replace(" ", ", "),
        LABELLED.replace(" ", ","),
        LABELLED.replace(" ", "\t "),
        LABELLED.replace("\n", "   \n   "),
        "\n\n" + LABELLED + "\n\n\n",
        "# a deal\n" + LABELLED + " # the end",
        "# a deal\n\n" + LABELLED.replace("\n", "\n# then the stock\n"),
        f"stock: {STOCK}\ntableau: {TABLEAU}",
        f"tableau:\n{TABLEAU}\nstock:\n{STOCK}",
        LABELLED.replace(" 4C", "\n4C").replace(" QS", "\n  QS"),
        ONE_LINE.replace(" 4C", "\n4C").replace(" QS", "\nQS"),
        f"tableau: {' '.join(card_symbol(card) for card in range(28))}\nstock: {STOCK}",
        ONE_LINE.replace("H", "♥️").replace("C", "♧"),
    ],
)
def test_one_deal_written_in_many_ways(text):
    assert one(text) == DEAL


def test_several_deals_in_order():
    other = dealt([*range(1, PACK_SIZE), 0])
    third = dealt([*range(2, PACK_SIZE), 0, 1])
    labelled = "\n\n".join(map(format_deal, (DEAL, other, third)))
    assert parse_deals(labelled) == [DEAL, other, third]
    assert parse_deals(labelled.replace("\n\n", "\n \t\n\n# next\n")) == [DEAL, other, third]
    lines = [" ".join(map(card_name, (*deal.tableau, *deal.stock))) for deal in (DEAL, other)]
    assert parse_deals("\n".join(lines)) == [DEAL, other]
    assert parse_deals("\n\n".join(lines)) == [DEAL, other]
    assert parse_deals("\n\n".join([lines[0], format_deal(other)])) == [DEAL, other]


@pytest.mark.parametrize("gap", ["--", "-", "."])
def test_places_without_a_card(gap):
    tableau = [gap] * 28
    tableau[0] = "5C"
    state = one(f"tableau: {' '.join(tableau)}\nstock: 2H 3H\nwaste: 7S")
    assert state.tableau == (NAMES.index("5C"), *[None] * 27)
    assert state.stock == (NAMES.index("2H"), NAMES.index("3H"))
    assert state.waste == (NAMES.index("7S"),)


def test_an_opened_deal_and_an_empty_stock():
    opened = start(DEAL, RULES.resolve("standard"))
    assert format_deal(opened).splitlines()[2] == "waste: 8C"
    assert one(format_deal(opened)) == opened
    tableau = " ".join(["5C"] + ["--"] * 27)
    assert one(f"tableau: {tableau}\nstock:\nwaste: 7S").stock == ()


def test_a_won_position():
    won = State((None,) * 28, (), (3,))
    assert one(format_deal(won)) == won


NONE = " ".join(["--"] * 28)
ENDING = "tableau: 5C " + " ".join(["--"] * 27)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "",
            "There is no deal in this text: 52 cards are needed, or lines 'tableau: …' and "
            "'stock: …'.",
        ),
        (
            " \n# nothing\n\n",
            "There is no deal in this text: 52 cards are needed, or lines 'tableau: …' and "
            "'stock: …'.",
        ),
        (
            ONE_LINE.replace(" KS", ""),
            "Deal in line 1: 51 cards instead of 52; KS missing.",
        ),
        (
            f"{ONE_LINE} KS",
            "Deal in line 1: 53 cards instead of 52; KS more than once.",
        ),
        (
            f"\n# one\n{ONE_LINE.replace('KS', 'KH')}",
            "Deal in line 3: KH more than once; KS missing.",
        ),
        (
            f"{ONE_LINE}\n{ONE_LINE.replace('AC', 'AD')}",
            "Deal in line 2: AD more than once; AC missing.",
        ),
        (
            LABELLED.replace("AC", "KS"),
            "Deal in line 1: KS more than once; AC missing.",
        ),
        (
            "AC 2C",
            "Deal in line 1: 2 cards instead of 52; AD, AH, AS, 2D, 2H, 2S, … missing.",
        ),
        (
            f"{LABELLED}\n\n{LABELLED.replace('2C', '1C')}",
            "Line 4: '1C' is not a card: write a rank (A, 2 to 9, 10 or T, J, Q, K) and a suit "
            "(C, D, H, S), for example TD or 10D.",
        ),
        (
            "hello",
            "Line 1: 'hello' is not a card: write a rank (A, 2 to 9, 10 or T, J, Q, K) and a suit "
            "(C, D, H, S), for example TD or 10D.",
        ),
        (
            f"tableau: {TABLEAU}\ntalon: {STOCK}",
            "Line 2: 'talon' is not the name of a pile here; known: tableau, stock, waste.",
        ),
        (
            f": {TABLEAU}",
            "Line 1: '' is not the name of a pile here; known: tableau, stock, waste.",
        ),
        (
            f"{LABELLED}\nstock: {STOCK}",
            "Line 3: 'stock' comes twice in one deal; put a blank line between two deals.",
        ),
        (
            f"{LABELLED}\n{LABELLED}",
            "Line 3: 'tableau' comes twice in one deal; put a blank line between two deals.",
        ),
        (
            f"# peaks\ntableau: {TABLEAU}",
            "Deal in line 2: the line 'stock: …' is missing.",
        ),
        (
            f"tableau: {TABLEAU}\n\nstock: {STOCK}",
            "Deal in line 1: the line 'stock: …' is missing.",
        ),
        (
            f"stock: {STOCK}",
            "Deal in line 1: the line 'tableau: …' is missing.",
        ),
        (
            f"{TABLEAU}\nstock: {STOCK}",
            "Deal in line 1: cards stand before the first label.",
        ),
        (
            f"tableau: {TABLEAU.replace('7S', '')}\nstock: {STOCK}",
            "Deal in line 1: the tableau has 27 cards; it should have 28.",
        ),
        (
            f"{ENDING}\nstock: 2H",
            "Deal in line 1: cards are gone from the tableau, so that a line 'waste: …' is needed "
            "with all that left, or with the waste's top card.",
        ),
        (
            f"{ENDING}\nstock: 2H --\nwaste: 7S",
            "Deal in line 1: the stock has an empty place; only the tableau can have one.",
        ),
        (
            f"{ENDING}\nstock: 2H\nwaste: 7S --",
            "Deal in line 1: the waste has an empty place; only the tableau can have one.",
        ),
        (
            ONE_LINE.replace("KS", "--"),
            "Deal in line 1: a deal of 52 cards has an empty place; only the tableau can have one.",
        ),
        (
            f"{ENDING}\nstock: 2H\nwaste: 7S 8S",
            "Deal in line 1: 50 cards have left the tableau and the stock, but the waste has 2; "
            "write all of them, or only the top one.",
        ),
        (
            f"{ENDING}\nstock: 2H\nwaste: 5C",
            "Deal in line 1: 5C more than once.",
        ),
        (
            f"tableau: {NONE}\nstock: {' '.join(NAMES[:25])}\nwaste: KS",
            "Deal in line 1: the stock has more than 24 cards.",
        ),
        (
            f"\ntableau: 5C 6C {' '.join(['--'] * 16)} 7D {' '.join(['--'] * 9)}\n"
            "stock: 2H\nwaste: 7S",
            "Deal in line 2: place 10 of the tableau is empty, although 7D at place 19 lies on it.",
        ),
        (
            f"tableau: 5C -- -- -- -- -- 6D {' '.join(['--'] * 21)}\nstock: 2H\nwaste: 7S",
            "Deal in line 1: place 2 of the tableau is empty, although 6D at place 7 lies on it.",
        ),
    ],
)
def test_what_is_wrong_is_said(text, sentence):
    assert complaint(text) == sentence


def test_too_many_cards_on_a_waste_are_refused():
    state, _ = random_play(DEAL, RULES.resolve("standard"), 1)[-1]
    text = format_deal(state)
    assert "the waste has" in complaint(f"{text} {card_name(state.waste[0])}")
    assert "the waste has" in complaint(text.rpartition(" ")[0])


@given(st.text(alphabet="A23456789TJQKCDHS10♠♥:#-. \n\t,tableuskcw\r\ufeff\u0660", max_size=80))
def test_junk_is_answered_with_a_sentence(text):
    assert complaint(text).endswith((".", "10D."))


def test_the_json_form():
    state = one(f"{ENDING}\nstock: 2H 3H\nwaste: 7S")
    assert deal_to_json(state) == {
        "tableau": ["5C", *[None] * 27],
        "stock": ["2H", "3H"],
        "waste": ["7S"],
    }


def test_rows_and_places():
    places = [row_and_place(index) for index in range(28)]
    assert places == [
        (row, place) for row, size in enumerate((3, 6, 9, 10), 1) for place in range(1, size + 1)
    ]
    with pytest.raises(IndexError):
        row_and_place(28)


def test_the_drawing_of_a_fresh_deal():
    assert draw(DEAL).splitlines() == [
        "       A♣          A♦          A♥",
        "     A♠  2♣      2♦  2♥      2♠  3♣",
        "   3♦  3♥  3♠  4♣  4♦  4♥  4♠  5♣  5♦",
        " 5♥  5♠  6♣  6♦  6♥  6♠  7♣  7♦  7♥  7♠",
        "waste: empty",
        "stock (24): 8♣ 8♦ 8♥ 8♠ 9♣ 9♦ 9♥ 9♠ 10♣ 10♦ 10♥ 10♠ J♣ J♦ J♥ J♠ Q♣ Q♦ Q♥ Q♠ K♣ K♦ K♥ K♠",
    ]


def test_in_the_drawing_a_card_stands_between_the_two_that_lie_on_it():
    lines = draw(DEAL).splitlines()
    column = {
        card: lines[row_and_place(card)[0] - 1].index(card_symbol(card)) for card in DEAL.tableau
    }
    for place, covering in enumerate(COVERED_BY[:18]):
        assert 2 * column[place] == sum(column[above] for above in covering)


def test_the_drawing_of_a_position():
    lines = draw(one(f"{ENDING}\nstock:\nwaste: 10S")).splitlines()
    assert lines == ["       5♣", "", "", "", "waste: 10♠", "stock (0): empty"]
