"""Canfield deals and positions as people type them, and what they are told when it goes wrong."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_canfield import late_position, random_play

from winnable.cards import PACK_SIZE, card_name, parse_card
from winnable.errors import InputError
from winnable.games.canfield.layout import laid_out
from winnable.games.canfield.rules import RULES, State
from winnable.games.canfield.text import (
    deal_to_json,
    draw,
    format_deal,
    parse_deals,
    to_solvitaire,
)

# Solvitaire's random deal 1.
RESERVE = "JS TD AS KD 8C 5H 8S JC 7S 7H 8D 6D 2C"
STOCK = (
    "8H 3C 5D 9D 4C QD 9S 6S 3D 2H TS 6C 3H TH 7D 5S 9C 4S 7C KC 4D 2D 5C AD 3S QS QC 4H 2S AC "
    "QH TC KS 6H"
)
TEXT = f"foundation: JD\nreserve: {RESERVE}\ntableau: 9H JH KH AH\nstock: {STOCK}"
# The same deal after some moves, with an empty waste and one column of four cards.
MIDDLE = """\
foundation: JD JH
reserve: JS TD AS KD 8C 5H 8S JC 7S 7H 8D
column 1: 9H
column 2: 2C AH KS QD
column 3: KH QC
column 4: 6D 5S
stock: 8H 3C 5D 9D 4C 9S 6S 3D 2H TS 6C 3H TH 7D 9C 4S 7C KC 4D 2D 5C AD 3S QS 4H 2S AC QH TC 6H
waste: --"""
packs = st.permutations(range(PACK_SIZE))


def one(text):
    [state] = parse_deals(text)
    return state


def cards(text):
    return tuple(parse_card(word) for word in text.split())


DEAL = State(
    10, (0, 1, 0, 0), cards(RESERVE), tuple((card,) for card in cards("9H JH KH AH")), cards(STOCK)
)


def complaint(text):
    with pytest.raises(InputError) as caught:
        parse_deals(text)
    return str(caught.value)


def test_a_fresh_deal_as_text():
    assert one(TEXT) == DEAL
    assert format_deal(DEAL) == TEXT


def test_a_position_as_text():
    state = one(MIDDLE)
    assert state.foundations == (0, 1, 1, 0)
    assert state.columns[1] == cards("2C AH KS QD")
    assert format_deal(state) == MIDDLE


@given(packs)
def test_any_deal_comes_back(pack):
    deal = laid_out(pack, "winnable")
    assert one(format_deal(deal)) == deal
    assert one(to_solvitaire(deal)) == deal


@given(packs, st.integers(0, 999), st.sampled_from(RULES.names))
@settings(deadline=None, max_examples=20)
def test_any_position_comes_back(pack, seed, name):
    history = random_play(laid_out(pack, "winnable"), RULES.resolve(name), seed, longest=50)
    states = [state for state, _ in history] + [late_position(seed)]
    assert parse_deals("\n\n".join(map(format_deal, states))) == states
    assert parse_deals("\n".join(map(to_solvitaire, states))) == states


def test_a_won_position_comes_back():
    won = State(4, (13,) * 4, (), ((),) * 4, ())
    assert "reserve: --" in format_deal(won)
    assert one(format_deal(won)) == won
    assert one(to_solvitaire(won)) == won


@pytest.mark.parametrize(
    "text",
    [
        TEXT.replace("\n", "\r\n") + "\r\n",
        "\ufeff" + TEXT,
        TEXT.lower(),
        TEXT.replace("reserve", "RESERVE").replace("stock", " Stock "),
        TEXT.replace("TD", "10D").replace("TS", "10♠"),
        TEXT.replace(" ", ", "),
        "# a deal\n" + TEXT.replace("\ntableau", " # top: 2C\n# the columns\ntableau") + "\n\n",
        "\n".join(reversed(TEXT.splitlines())),
        TEXT.replace(": ", ":\n").replace(" KC", "\nKC"),
        TEXT + "\nwaste: --",
        TEXT + "\nwaste:",
        TEXT.replace(
            "tableau: 9H JH KH AH", "column 1: 9H\ncolumn 2: JH\ncolumn 3: KH\ncolumn 4: AH"
        ),
    ],
)
def test_one_deal_written_in_many_ways(text):
    assert one(text) == DEAL


def test_several_deals_in_order():
    assert parse_deals(f"{TEXT}\n\n{MIDDLE}") == [DEAL, one(MIDDLE)]


HERE = "Deal in line 1: "


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (" 2C", "", HERE + "the reserve has 12 cards; in a fresh deal it should have 13."),
        (
            " 2C\n",
            " 2C 6H\n",
            HERE + "the reserve has 14 cards; in a fresh deal it should have 13.",
        ),
        (" 6H", "", HERE + "the stock has 33 cards; in a fresh deal it should have 34."),
        ("6H", "6S", HERE + "6S more than once; 6H missing."),
        (
            "8H 3C",
            "8H 3X",
            "Line 4: '3X' is not a card: write a rank (A, 2 to 9, 10 or T, J, Q, K) and a suit "
            "(C, D, H, S), for example TD or 10D.",
        ),
        (
            "tableau",
            "columns",
            "Line 3: 'columns' is not the name of a pile here; known: foundation, reserve, "
            "tableau, column 1, column 2, column 3, column 4, stock, waste.",
        ),
        ("tableau: 9H JH KH AH\n", "", HERE + "the line 'tableau: …' is missing."),
        ("foundation: JD\n", "", HERE + "the line 'foundation: …' is missing."),
        (
            "stock: ",
            "stock: -- ",
            HERE
            + "'--' in the line 'stock: …' stands for an empty pile and can't stand beside cards; "
            "an empty column needs lines 'column 1: …' to 'column 4: …'.",
        ),
        (
            "9H JH KH",
            "9H JH",
            HERE
            + "the tableau has 3 cards; it should have 4. Longer columns need lines 'column 1: …' "
            "to 'column 4: …'.",
        ),
        (
            "stock:",
            "column 1: 5H\nstock:",
            HERE + "there is a line 'tableau: …' and also 'column 1: …'.",
        ),
        (
            "foundation: JD",
            "JD",
            HERE
            + "a line of cards stands before the first label: write 'foundation: …', 'reserve: "
            "…', 'tableau: …' and 'stock: …'.",
        ),
        (
            "foundation: JD",
            "foundation: JD QH",
            HERE + "53 cards instead of 52; QH more than once.",
        ),
        ("foundation: JD", "foundation:", HERE + "51 cards instead of 52; JD missing."),
        (
            "stock:",
            "tableau: 5H\nstock:",
            "Line 4: 'tableau' comes twice in one deal; put a blank line between two deals.",
        ),
    ],
)
def test_what_is_wrong_with_a_deal(old, new, sentence):
    assert old in TEXT
    assert complaint(TEXT.replace(old, new, 1)) == sentence


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("JD JH\n", "JD\n", HERE + "51 cards instead of 52; JH missing."),
        ("JD JH", "JD QH", HERE + "QH more than once; JH missing."),
        ("JD JH\nreserve: JS", "JD JS\nreserve: JH", None),
        (
            "JD JH\nreserve: JS TD",
            "JD TD\nreserve: JS JH",
            HERE
            + "TD does not fit the foundations, which build up from J, the rank of the first card "
            "listed: the next ♦ is Q.",
        ),
        (
            "JD JH\nreserve: JS TD",
            "JD TD JH\nreserve: JS",
            HERE
            + "TD does not fit the foundations, which build up from J, the rank of the first card "
            "listed: the next ♦ is Q.",
        ),
        (
            "JD JH\nreserve: JS TD AS",
            "JD AS\nreserve: JS TD JH",
            HERE
            + "AS does not fit the foundations, which build up from J, the rank of the first card "
            "listed: the next ♠ is J.",
        ),
        (
            "2C AH KS QD",
            "2C AH QD KS",
            HERE + "column 2 has QD on AH, but columns build down in alternating colours.",
        ),
        ("KH QC\n", "KH\n", HERE + "51 cards instead of 52; QC missing."),
        ("column 3: KH QC\n", "", HERE + "the line 'column 3: …' is missing."),
        (
            "8D\ncolumn 1: 9H",
            "8D 9H\ncolumn 1: --",
            HERE
            + "column 1 is empty, although the reserve has cards: it would have been filled with "
            "9H.",
        ),
        ("8D\n", "8D 6H TC QH\n", HERE + "the reserve has 14 cards; it never has more than 13."),
        (
            "waste: --",
            "waste: 9H KH QC 6D 5S",
            HERE + "stock and waste have 35 cards together; they never have more than 34.",
        ),
    ],
)
def test_what_is_wrong_with_a_position(old, new, sentence):
    assert old in MIDDLE
    text = MIDDLE.replace(old, new, 1)
    if sentence is None:
        assert one(text).foundations == (0, 1, 0, 1)
    else:
        assert complaint(text) == sentence


def test_a_position_without_a_base_card():
    text = MIDDLE.replace("JD JH", "--").replace("waste: --", "waste: JD JH")
    assert complaint(text) == HERE + "the foundation is empty; at least the base card lies there."


def test_a_king_on_an_ace_is_a_run():
    assert one(MIDDLE).columns[1][1:3] == cards("AH KS")


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing"])
def test_no_deal_at_all(text):
    assert complaint(text).startswith("There is no deal in this text: lines 'foundation: …', ")


def as_json(**changes):
    piles = json.loads(to_solvitaire(DEAL))
    piles.update({name.replace("_", " "): pile for name, pile in changes.items()})
    return json.dumps({name: pile for name, pile in piles.items() if pile is not None})


def test_solvitaires_json():
    piles = json.loads(to_solvitaire(DEAL))
    assert list(piles) == ["tableau piles", "foundations", "reserve", "stock", "waste"]
    assert piles["tableau piles"] == [["9H"], ["JH"], ["KH"], ["AH"]]
    assert piles["foundations"] == ["JD"]
    assert piles["reserve"][:2] == ["JS", "10D"]
    # Solvitaire turns the last card of the stock first.
    assert (piles["stock"][0], piles["stock"][-1]) == ("6H", "8H")
    assert one(json.dumps(piles)) == DEAL
    assert one("\ufeff\n" + json.dumps(piles, indent=4).lower()) == DEAL


def test_other_ways_to_write_solvitaires_json():
    assert one(as_json(waste=None)) == DEAL
    assert one(as_json(foundations=[[], ["JD"], [], []])) == DEAL
    assert one(as_json(foundations=["11d"])) == DEAL
    assert one(as_json(tableau_piles=[["9h"], ["11h"], ["13H"], ["1H"]])) == DEAL
    assert parse_deals(as_json() + "\n" + as_json()) == [DEAL, DEAL]


def test_a_position_in_solvitaires_json():
    state = one(MIDDLE)
    assert json.loads(to_solvitaire(state))["foundations"] == ["JD", "JH"]
    assert one(to_solvitaire(state)) == state


JSON = "JSON deal 1: "


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (as_json(cells=[]), JSON + "the pile 'cells' belongs to another game of Solvitaire's."),
        (as_json(hole="AS"), JSON + "the pile 'hole' belongs to another game of Solvitaire's."),
        (
            as_json(tableau_piles=[["9H"]] * 8),
            JSON
            + "there are 8 tableau piles; Canfield has 4, so that this is a deal of another game.",
        ),
        (
            as_json(foundations=None),
            JSON + "'foundations' is missing, which in Canfield holds the base card; this may be a "
            "deal of another game.",
        ),
        (as_json(tableau_piles=None), JSON + "the pile 'tableau piles' is missing."),
        (
            as_json(talon=[]),
            JSON + "'talon' is not a pile of a Solvitaire deal; known: tableau piles, foundations, "
            "reserve, stock, waste. What Solvitaire prints by --deal-only can't be read back.",
        ),
        (as_json(reserve="2C"), JSON + "'reserve' should be a list of cards."),
        (
            as_json(tableau_piles=["9H", "JH", "KH", "AH"]),
            JSON + "'tableau piles' should be a list of lists of cards.",
        ),
        (as_json(foundations=[7]), JSON + "in 'foundations', 7 is not a card."),
        (
            as_json(foundations=["14D"]),
            JSON + "in 'foundations', '14D' is not a card; write it as 10H or AS.",
        ),
        (
            as_json(foundations=[""]),
            JSON + "in 'foundations', '' is not a card; write it as 10H or AS.",
        ),
        (as_json(foundations=["QD"]), JSON + "QD more than once; JD missing."),
        (
            as_json(reserve=["2C"]),
            JSON + "the reserve has 1 card; in a fresh deal it should have 13.",
        ),
        (as_json()[:-1], None),
        ("{", None),
        (as_json() + " [1]", 'JSON deal 2: an object of piles is needed, {"tableau piles": …}.'),
        ('{"waste": [], "waste": []}', "In a JSON deal the pile 'waste' comes twice."),
    ],
)
def test_what_is_wrong_with_json(text, sentence):
    if sentence is None:
        assert complaint(text).startswith("This begins like a JSON deal, but is no JSON: ")
    else:
        assert complaint(text) == sentence


PRINTED = """\
Deal:
--- Foundations ---------
[]\tJD\t[]\t[]\t
--- Tableau Piles -------
9H\tJH\tKH\tAH\t
==================================="""


def test_what_solvitaire_prints_is_recognised():
    assert complaint(PRINTED) == (
        "This is a table as Solvitaire prints it, which can't be read back: use the deal's seed "
        "with the numbering 'solvitaire', or a JSON deal as Solvitaire reads."
    )


def test_piles_as_json():
    piles = deal_to_json(one(MIDDLE))
    assert list(piles) == [
        "foundation",
        "reserve",
        *(f"column {number}" for number in range(1, 5)),
        "stock",
        "waste",
    ]
    assert piles["column 2"] == ["2C", "AH", "KS", "QD"]
    assert piles["foundation"] == ["JD", "JH"]
    assert sorted(card for pile in piles.values() for card in pile) == sorted(
        map(card_name, range(PACK_SIZE))
    )


def test_the_table_drawn():
    lines = draw(one(MIDDLE)).splitlines()
    assert lines[:7] == [
        "foundations from J (2): --♣ J♦ J♥ --♠",
        "reserve (11): J♠ 10♦ A♠ K♦ 8♣ 5♥ 8♠ J♣ 7♠ 7♥ 8♦",
        "columns:",
        "   9♥   2♣   K♥   6♦",
        "        A♥   Q♣   5♠",
        "        K♠",
        "        Q♦",
    ]
    assert lines[7] == "waste (0): empty"
    assert lines[8].startswith("stock (30): 8♥ 3♣ 5♦ ")
