"""Spider deals and positions as people type them, and what they are told when it goes wrong."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_spider import SUIT_COUNTS, cards, late_position, random_deal, random_play

from winnable.cards import card_symbol
from winnable.errors import InputError
from winnable.games.spider.rules import RULES, is_untouched, start
from winnable.games.spider.text import deal_to_json, draw, format_deal, parse_deals

# PySolFC's game 1.
TEXT = """\
1: 3D AS KD 7D 3S 8H
2: 5H 8C 2H 9S TH
3: JC 6C TD 8H AH
4: KH 6H 8S JH 9C JC
5: 5S TC AC 4D 4H
6: 5H 8D 7C 2D 7H
7: KC 4C 2H 6H 7D QS
8: KC JS AD TH QC
9: 8D QC 9H 8C 7C
10: JD 4H 8S 2S 4S 3S
stock: QH 9S 2S QH 3C AS 4S KS 6D TD 9C 9D JS 4D 5C 6C AD JH 6S 3C JD TC AH QS 2C 9H 3H 7S 5C 9D \
KS 5D TS QD 7S 6D TS KD QD 7H 3D 2C KH 5D 3H 2D 4C 5S 6S AC"""
COLUMNS = [line.partition(": ")[2] for line in TEXT.splitlines()[:10]]
STOCK = TEXT.partition("stock: ")[2]
# The end of a game of two suits: 26 cards are left.
LATE = """\
1: 4H | KS QS JS TS 9S 8S 7S
2: | 6S 5S
3: 3H 2H | AH
4: --
5: KH
6: QH JH TH 9H 8H 7H 6H 5H
7: | 4S 3S 2S
8: --
9: --
10: AS
stock: --
finished: KH KH KH KS KS KS"""


def one(text):
    [state] = parse_deals(text)
    return state


def refused(text):
    with pytest.raises(InputError) as caught:
        parse_deals(text)
    return str(caught.value)


def with_line(text, label, content):
    """The text with another content, or none, after a label."""
    lines = text.splitlines()
    [place] = [i for i, line in enumerate(lines) if line.startswith(f"{label}:")]
    lines[place : place + 1] = [] if content is None else [f"{label}: {content}"]
    return "\n".join(lines)


def test_a_whole_deal():
    state = one(TEXT)
    assert state.columns == tuple(map(cards, COLUMNS))
    assert state.hidden == (5, 4, 4, 5, 4, 4, 5, 4, 4, 5)
    assert state.stock == cards(STOCK)
    assert state.finished == (0, 0, 0, 0)
    assert is_untouched(state)
    assert format_deal(state) == TEXT


def test_a_position_in_the_middle_of_a_game():
    state = one(LATE)
    assert state.hidden == (1, 0, 2, 0, 0, 0, 0, 0, 0, 0)
    assert state.finished == (0, 0, 3, 3)
    assert state.columns[0] == cards("4H KS QS JS TS 9S 8S 7S")
    assert state.columns[3] == ()
    assert start(state, RULES.resolve("two-suit")) == state
    assert one(format_deal(state)) == state
    assert format_deal(state).splitlines()[4] == "5: | KH"


def test_text_as_it_comes_from_anywhere():
    assert one("\ufeff" + TEXT.replace("\n", "\r\n")) == one(TEXT)
    assert one(TEXT.replace("\n", "\r")) == one(TEXT)
    assert one(TEXT.lower()) == one(TEXT)
    assert one(TEXT.replace("T", "10")) == one(TEXT)
    assert one("# PySolFC's game 1\n" + TEXT.replace(": ", " :  ")) == one(TEXT)
    in_rows = STOCK.replace("TD 9C", "TD\n 9C").replace("3C JD", "3C, # two rows\n JD")
    assert one(with_line(TEXT, "stock", in_rows)) == one(TEXT)
    assert one("\n".join(reversed(TEXT.splitlines()))) == one(TEXT)
    assert one(LATE.replace("| ", "|").replace(" |", "|")) == one(LATE)
    assert parse_deals(f"{TEXT}\n\n{LATE}\n") == [one(TEXT), one(LATE)]


def test_a_whole_deal_with_marks():
    marked = TEXT
    for label, column in enumerate(COLUMNS, start=1):
        marked = with_line(marked, label, f"{column[:-2]}| {column[-2:]}")
    assert one(marked) == one(TEXT)
    # With KPat's option of open columns a deal looks like a whole deal, but nothing is face down.
    opened = one(with_line(TEXT, 1, f"| {COLUMNS[0]}"))
    assert opened.hidden == (0,) * 10
    assert one(format_deal(opened)) == opened


def test_clubs_of_pysolfc_are_read_as_spades():
    two = random_deal(8, "2")
    assert one(format_deal(two).replace("S", "C")) == two
    single = random_deal(8, "1")
    assert one(format_deal(single).replace("S", "C")) == single
    late = one(LATE)
    assert one(LATE.replace("S", "C")) == late


@given(suits=st.sampled_from(SUIT_COUNTS), seed=st.integers(0, 10**6), late=st.booleans())
@settings(max_examples=30, deadline=None)
def test_round_trips(suits, seed, late):
    rules = RULES.resolve("relaxed-four-suit", [f"suits={suits}"])
    first = late_position(seed, suits) if late else random_deal(seed, suits)
    history = random_play(first, rules, seed, longest=25)
    for state in {history[0][0], history[-1][0], history[len(history) // 2][0]}:
        assert one(format_deal(state)) == state


def test_json():
    piles = deal_to_json(one(LATE))
    assert list(piles) == [*map(str, range(1, 11)), "face_down", "stock", "finished"]
    assert piles["3"] == ["3H", "2H", "AH"]
    assert piles["4"] == piles["stock"] == []
    assert piles["face_down"] == [1, 0, 2, 0, 0, 0, 0, 0, 0, 0]
    assert piles["finished"] == ["KH", "KH", "KH", "KS", "KS", "KS"]
    assert deal_to_json(one(TEXT))["stock"] == STOCK.split()


def test_the_table_drawn():
    drawn = draw(one(LATE)).splitlines()
    assert drawn[0] == "complete runs (6): K♥ K♥ K♥ K♠ K♠ K♠"
    assert drawn[2].split() == [*map(str, range(1, 11))]
    assert drawn[3].split() == ["[4♥]", "6♠", "[3♥]", "K♥", "Q♥", "4♠", "A♠"]
    assert drawn[-1] == "stock (0): empty"
    drawn = draw(one(TEXT)).splitlines()
    assert drawn[0] == "complete runs (0): none"
    assert drawn[8].split() == ["8♥", "J♣", "Q♠", "3♠"]
    # Cards stand under the numbers of their columns.
    assert [drawn[8].index(card) for card in ("8♥", "J♣", "Q♠", "3♠")] == [
        f"{drawn[2]} ".index(f" {number} ") for number in (1, 4, 7)
    ] + [drawn[2].index("10")]
    assert drawn[9] == "stock (50):"
    assert drawn[10].split() == [card_symbol(card) for card in cards(STOCK)[:10]]
    assert len(drawn) == 15


@pytest.mark.parametrize("label", [1, 10, "stock"])
def test_a_missing_line(label):
    assert refused(with_line(TEXT, label, None)) == (
        f"Deal in line 1: the line '{label}: …' is missing."
    )


def test_no_deal():
    for text in ("", "\n\n", "# nothing\n"):
        assert refused(text).startswith("There is no deal in this text: lines '1: …' to '10: …'")
    assert refused("3D AS KD\n" + TEXT) == (
        "Deal in line 1: a line of cards stands before the first label: write '1: …' to '10: …' "
        "and 'stock: …'."
    )
    assert "Line 12: 'waste' is not the name of a pile here" in refused(TEXT + "\nwaste: 3D")
    assert "Line 12: '3' comes twice in one deal" in refused(TEXT + "\n3: 3D")
    assert "Line 1: '3X' is not a card" in refused(TEXT.replace("3D AS KD", "3X AS KD"))
    assert "which can't be read back" in refused("--- Foundations ---\n")


def test_three_of_a_card():
    # 5C in the second column takes the place of 5H.
    text = with_line(TEXT, 2, "5C 8C 2H 9S TH")
    assert refused(text) == (
        "Deal in line 1: 5C 3 times instead of twice; 5H once instead of twice."
    )
    assert refused("\n\n" + text).startswith("Deal in line 3: ")


def test_wrong_numbers_of_cards():
    assert refused(with_line(TEXT, 10, "JD 4H 8S 2S 4S")) == (
        "Deal in line 1: the columns have 6, 5, 5, 6, 5, 5, 6, 5, 5, 5 cards. In a whole deal four "
        "columns have 6 cards and six have 5; in a position later in the game '|' stands between "
        "the face-down and the face-up cards of each column."
    )
    assert refused(with_line(TEXT, "stock", STOCK[:-3])) == (
        "Deal in line 1: it does not say which cards are face down: put '|' between the face-down "
        "and the face-up cards of each column, or write '1: | …' when all are face up."
    )
    marked = with_line(TEXT, 1, "3D AS KD 7D 3S | 8H")
    assert refused(with_line(marked, "stock", STOCK[:-3])) == (
        "Deal in line 1: the stock has 49 cards; it should have 50, or later in the game 40, 30, "
        "20, 10 or none."
    )
    assert refused(with_line(marked, "stock", STOCK + " 3D" * 10)).startswith(
        "Deal in line 1: the stock has 60 cards;"
    )
    assert refused(with_line(LATE, 10, "--")) == (
        "Deal in line 1: 103 cards instead of 104; AS 3 times instead of 4 times."
    )
    assert refused(with_line(LATE, "finished", "KH KH KH KS KS")) == (
        "Deal in line 1: 91 cards instead of 104; AS 3 times instead of 4 times; "
        "2S 3 times instead of 4 times; 3S 3 times instead of 4 times; "
        "4S 3 times instead of 4 times; 5S 3 times instead of 4 times; "
        "6S 3 times instead of 4 times; and so on; complete runs that have left the table count "
        "too, as in 'finished: KS'."
    )


def test_a_card_of_a_suit_that_the_game_has_not():
    assert refused(with_line(LATE, 5, "KD")) == (
        "Deal in line 1: KD once instead of none; KH 3 times instead of 4 times."
    )


def test_face_down_cards():
    assert refused(with_line(LATE, 2, "6S 5S |")) == (
        "Deal in line 1: column 2 ends with a face-down card, which would have been turned up."
    )
    assert refused(with_line(LATE, 1, "4H KS QS JS TS 9S | 8S 7S")) == (
        "Deal in line 1: column 1 has 6 face-down cards; none ever has more than 5."
    )
    assert refused(with_line(LATE, 3, "3H | 2H | AH")) == (
        "Line 3: '|' comes twice in the pile '3'."
    )
    assert refused(with_line(LATE, "stock", "-- |")) == (
        "Deal in line 1: '|' has no meaning in the line 'stock: …'."
    )
    assert refused(with_line(LATE, 2, "6S -- 5S")) == (
        "Deal in line 1: '--' in the line '2: …' stands for an empty pile and can't stand beside "
        "cards."
    )
    # An empty column has none.
    assert one(with_line(LATE, 4, "-- |")) == one(LATE)
    assert one(with_line(LATE, 4, "|")) == one(LATE)
    assert one(with_line(LATE, 4, "")) == one(LATE)
    # Once the stock is empty there may be no face-down card any more.
    assert one(LATE.replace("| ", "")) == replace(one(LATE), hidden=(0,) * 10)


def test_too_many_face_down_cards():
    columns = ["3D AS KD 7D 3S | 8H"] * 10
    text = "\n".join(f"{i}: {column}" for i, column in enumerate(columns, start=1))
    assert refused(f"{text}\nstock: --") == (
        "Deal in line 1: 50 cards are face down in the columns; there are never more than 44."
    )


def test_finished_runs():
    assert refused(with_line(LATE, "finished", "KH KH KH KS KS AS")) == (
        "Deal in line 1: in the line 'finished: …' stands AS; a complete run is listed by its king "
        "alone."
    )
    assert refused(with_line(LATE, "finished", "KS " * 9)) == (
        "Deal in line 1: 9 complete runs are finished; there are 8."
    )
    won = "\n".join([*(f"{i}: --" for i in range(1, 11)), "stock: --", "finished:" + " KS" * 8])
    assert one(won).finished == (0, 0, 0, 8)
    assert format_deal(one(won)) == won.replace("finished:", "finished: ").replace(":  ", ": ")


def test_other_suits_than_the_rules_have():
    with pytest.raises(InputError, match="it needs rules with suits=4"):
        start(one(TEXT), RULES.resolve("one-suit"))
