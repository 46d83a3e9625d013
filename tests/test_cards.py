"""Cards as numbers and as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnable.cards import (
    ACE,
    KING,
    PACK_SIZE,
    card_name,
    card_symbol,
    is_red,
    make_card,
    missing_and_doubled,
    parse_card,
    rank_of,
    suit_of,
)
from winnable.errors import InputError

PACK = range(PACK_SIZE)


def test_the_order_of_the_codes_is_fixed():
    assert [card_name(card) for card in PACK][:5] == ["AC", "AD", "AH", "AS", "2C"]
    assert " ".join(card_name(card) for card in PACK[-8:]) == "QC QD QH QS KC KD KH KS"
    assert [rank_of(card) for card in (0, 3, 4, 51)] == [ACE, ACE, 1, KING]
    assert [suit_of(card) for card in (0, 1, 2, 3, 4)] == [0, 1, 2, 3, 0]


def test_rank_and_suit_make_the_card():
    assert [make_card(rank_of(card), suit_of(card)) for card in PACK] == [*PACK]
    assert len({card_name(card) for card in PACK}) == PACK_SIZE


def test_diamonds_and_hearts_are_red():
    assert [is_red(parse_card(name)) for name in ("7C", "7D", "7H", "7S")] == [
        False,
        True,
        True,
        False,
    ]


def test_every_card_is_read_back_from_every_way_of_writing_it():
    for card in PACK:
        name, symbol = card_name(card), card_symbol(card)
        assert parse_card(name) == parse_card(name.lower()) == card
        assert parse_card(symbol) == parse_card(f" {symbol}\ufe0f ") == card
        assert parse_card(name.replace("T", "10")) == card


@pytest.mark.parametrize("text", ["TD", "10D", "10d", "td", "Td", " TD\n", "10♦", "T♢", "t♦\ufe0f"])
def test_the_ten_of_diamonds(text):
    assert card_name(parse_card(text)) == "TD"


def test_the_symbol_writes_ten_in_full():
    assert card_symbol(parse_card("TS")) == "10♠"
    assert card_symbol(parse_card("AH")) == "A♥"


BAD = [
    "",
    " ",
    "D",
    "T",
    "10",
    "1D",
    "11D",
    "0D",
    "010D",
    "DT",
    "TDD",
    "T D",
    "TX",
    "♦10",
    "--",
    "♦",
]


@pytest.mark.parametrize("text", BAD)
def test_what_is_no_card(text):
    with pytest.raises(InputError) as caught:
        parse_card(text)
    assert str(caught.value) == (
        f"'{text}' is not a card: write a rank (A, 2 to 9, 10 or T, J, Q, K) "
        "and a suit (C, D, H, S), for example TD or 10D."
    )


@given(st.text(max_size=4))
def test_any_text_is_a_card_or_an_input_error(text):
    try:
        card = parse_card(text)
    except InputError:
        return
    assert card in PACK


def test_missing_and_doubled():
    assert missing_and_doubled([*PACK]) == ([], [])
    assert missing_and_doubled([*PACK[1:], 51]) == ([0], [51])
    assert missing_and_doubled([*PACK[2:], 5, 5, 9]) == ([0, 1], [5, 9])
    assert missing_and_doubled([]) == ([*PACK], [])
