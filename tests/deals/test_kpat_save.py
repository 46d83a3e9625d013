"""KPat's saved games as piles of cards, of any game."""

import pytest
from kpat_saves import Table
from plain_spider import cards

from winnable.deals.kpat_save import SavedCard, is_xml, read_save
from winnable.errors import InputError


def read(table):
    return read_save(table.text(), lambda game: game == "spider")


def names(save):
    """The piles, a face-down card with a small letter for its suit."""
    return {
        name: " ".join(_name(saved) for saved in pile) for name, pile in save.piles.items() if pile
    }


def _name(saved):
    rank, suit = "A23456789TJQK"[saved.card // 4], "CDHS"[saved.card % 4]
    return rank + (suit if saved.face_up else suit.lower())


def three_states(current):
    """Two cards on a pile; one goes to another pile; the other is turned up."""
    table = Table()
    for number, change in enumerate(
        (
            lambda state: table.add(state, "one", cards("KS 3H"), False),
            lambda state: table.move(state, 1, "one", "two", face_up=True),
            lambda state: table.turn_up(state, "one"),
        )
    ):
        change(table.state(current=number == current))
    return table


@pytest.mark.parametrize(
    ("current", "piles"),
    [
        (0, {"one": "Ks 3h"}),
        (1, {"one": "Ks", "two": "3H"}),
        (2, {"one": "KS", "two": "3H"}),
        # Where none is marked it is the last one.
        (None, {"one": "KS", "two": "3H"}),
    ],
)
def test_the_changes_up_to_the_current_position(current, piles):
    assert names(read(three_states(current))) == piles


def test_a_card_keeps_its_face_where_nothing_is_said():
    table = Table()
    first = table.state()
    table.add(first, "one", cards("KS"), True)
    table.add(first, "one", cards("3H"), False)
    table.move(table.state(), 2, "one", "two")
    assert names(read(table)) == {"two": "KS 3h"}


def test_a_change_says_where_in_a_pile_a_card_comes():
    table = Table()
    first = table.state()
    table.add(first, "one", cards("KS 3H 5D"), True)
    table.add(first, "two", cards("AC 2C"), True)
    second = table.state()
    table.move(second, 2, "two", "one")
    [move] = second
    for position, expected in (
        ("0", "AC 2C KS 3H 5D"),
        ("1", "KS AC 2C 3H 5D"),
        ("9", "KS 3H 5D AC 2C"),
    ):
        move.set("position", position)
        assert names(read(table)) == {"one": expected}


def test_cards_alike_are_told_apart():
    table = Table()
    table.add(table.state(), "one", cards("KS KS"), False)
    table.turn_up(table.state(), "one")
    assert read(table).piles == {"one": [SavedCard(51, False), SavedCard(51, True)]}


def test_game_and_options():
    save = read(Table(options="2"))
    assert (save.game, save.options) == ("spider", "2")
    with pytest.raises(InputError, match="another of KPat's games: game-type is 'golf'"):
        read(Table(game="golf"))


def test_what_looks_like_xml():
    assert is_xml('\ufeff\r\n <?xml version="1.0"?>')
    assert not is_xml("1: 3D AS")
    assert not is_xml("")
