"""The plain rules, on positions small enough to check by eye."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_search import closed_masks, fewest_turned, mask_of, open_places, random_play

from winnable.cards import PACK_SIZE, card_name, parse_card
from winnable.errors import InputError
from winnable.games.tripeaks.rules import (
    COVERED_BY,
    RULES,
    STOCK_SIZE,
    TABLEAU_SIZE,
    Move,
    State,
    apply,
    are_neighbours,
    dealt,
    is_open,
    is_untouched,
    is_won,
    legal_moves,
    parse_move,
    replay,
    start,
    why_illegal,
)

STANDARD, NO_WRAP, OPEN, OPEN_NO_WRAP = (RULES.resolve(name) for name in RULES.names)

# Places are counted row by row from the top: 0-2, 3-8, 9-17, 18-27.
COVERED_BY_HAND = {
    0: (3, 4),
    1: (5, 6),
    2: (7, 8),
    3: (9, 10),
    4: (10, 11),
    5: (12, 13),
    6: (13, 14),
    7: (15, 16),
    8: (16, 17),
    9: (18, 19),
    10: (19, 20),
    11: (20, 21),
    12: (21, 22),
    13: (22, 23),
    14: (23, 24),
    15: (24, 25),
    16: (25, 26),
    17: (26, 27),
}


def cards(text):
    return tuple(parse_card(word) for word in text.split())


def position(places, stock="", waste=""):
    """A position from {place: card name}; all other places are empty."""
    tableau = [None] * TABLEAU_SIZE
    for place, name in places.items():
        tableau[place] = parse_card(name)
    return State(tuple(tableau), cards(stock), cards(waste))


def moves(state, rules):
    return [str(move) for move in legal_moves(state, rules)]


def reason(state, written, rules=STANDARD):
    return why_illegal(state, parse_move(written, state), rules)


def test_rule_sets():
    assert {name: dict(RULES.resolve(name).settings) for name in RULES.names} == {
        "standard": {"wrap": "yes", "waste": "turned"},
        "no-wrap": {"wrap": "no", "waste": "turned"},
        "open": {"wrap": "yes", "waste": "empty"},
        "open-no-wrap": {"wrap": "no", "waste": "empty"},
    }


def test_which_places_cover_which():
    expected = [COVERED_BY_HAND.get(place, ()) for place in range(TABLEAU_SIZE)]
    assert [tuple(places) for places in COVERED_BY] == expected


def neighbours(rank, rules):
    return [other for other in range(13) if are_neighbours(rank, other, rules)]


def test_every_rank_has_two_neighbours_on_the_ring():
    ring = {rank: {(rank - 1) % 13, (rank + 1) % 13} for rank in range(13)}
    assert {rank: set(neighbours(rank, STANDARD)) for rank in range(13)} == ring


def test_king_and_ace_are_no_neighbours_without_wrap():
    assert neighbours(0, NO_WRAP) == [1]
    assert neighbours(12, NO_WRAP) == [11]
    assert neighbours(5, NO_WRAP) == [4, 6]
    pairs = [(a, b) for a in range(13) for b in range(13) if are_neighbours(a, b, NO_WRAP)]
    assert len(pairs) == 24


def test_a_full_tableau_has_only_the_last_row_open():
    state = dealt(range(PACK_SIZE))
    assert [place for place in range(TABLEAU_SIZE) if is_open(state, place)] == [*range(18, 28)]


def test_open_once_both_covering_cards_are_gone():
    assert not is_open(position({0: "5C", 3: "6C", 4: "7C"}), 0)
    assert not is_open(position({0: "5C", 4: "7C"}), 0)
    assert not is_open(position({0: "5C", 3: "7C"}), 0)
    assert is_open(position({0: "5C"}), 0)
    assert not is_open(position({0: "5C"}), 1)


def test_the_open_places_of_every_mask_are_those_of_the_plain_search():
    masks = sorted(closed_masks())
    for mask in masks[::7]:
        tableau = tuple(place if mask >> place & 1 else None for place in range(TABLEAU_SIZE))
        state = State(tableau, ())
        assert mask_of(state) == mask
        is_open_here = tuple(place for place in range(TABLEAU_SIZE) if is_open(state, place))
        assert is_open_here == open_places(mask)


ENDING = {0: "5C", 3: "6D", 1: "TH", 2: "KS"}


@pytest.mark.parametrize(
    ("waste", "rules", "expected"),
    [
        ("7S", STANDARD, ["play 6D", "turn 2H"]),
        ("5H", STANDARD, ["play 6D", "turn 2H"]),
        ("4H", STANDARD, ["turn 2H"]),
        ("9C", STANDARD, ["play TH", "turn 2H"]),
        ("JC", STANDARD, ["play TH", "turn 2H"]),
        ("AC", STANDARD, ["play KS", "turn 2H"]),
        ("AC", NO_WRAP, ["turn 2H"]),
        ("QC", NO_WRAP, ["play KS", "turn 2H"]),
        ("", OPEN, ["play TH", "play KS", "play 6D", "turn 2H"]),
        ("", OPEN_NO_WRAP, ["play TH", "play KS", "play 6D", "turn 2H"]),
        ("AC", OPEN, ["play KS", "turn 2H"]),
        ("AC", OPEN_NO_WRAP, ["turn 2H"]),
        ("AC TC", STANDARD, ["turn 2H"]),
    ],
)
def test_the_exact_moves_of_a_position(waste, rules, expected):
    assert moves(position(ENDING, "2H 3H", waste), rules) == expected


def test_several_cards_of_one_rank_are_several_moves():
    state = position({18: "5C", 19: "5D", 21: "7H", 27: "6S"}, "", "6H")
    assert moves(state, STANDARD) == ["play 5C", "play 5D", "play 7H"]


def test_no_moves_when_stuck_with_an_empty_stock():
    assert moves(position({0: "5C"}, "", "8H"), STANDARD) == []


def test_the_opening_card_is_turned_only_on_a_fresh_deal_under_turned():
    deal = dealt(range(PACK_SIZE))
    assert is_untouched(deal)
    for rules in (STANDARD, NO_WRAP):
        opened = start(deal, rules)
        assert (opened.waste, opened.stock) == ((28,), tuple(range(29, 52)))
        assert opened.stock_turned == 1
        assert start(opened, rules) == opened
    for rules in (OPEN, OPEN_NO_WRAP):
        assert start(deal, rules) == deal
        assert moves(start(deal, rules), rules)[-1] == f"turn {card_name(28)}"
        assert len(moves(start(deal, rules), rules)) == 11
    ending = position(ENDING, "2H 3H")
    assert not is_untouched(ending)
    assert start(ending, STANDARD) == ending


def test_a_play_empties_its_place_and_a_turn_shortens_the_stock():
    state = position(ENDING, "2H 3H", "7S")
    played = apply(state, Move("play", parse_card("6D")), STANDARD)
    assert played == position({0: "5C", 1: "TH", 2: "KS"}, "2H 3H", "7S 6D")
    turned = apply(played, Move("turn", parse_card("2H")), STANDARD)
    assert turned == position({0: "5C", 1: "TH", 2: "KS"}, "3H", "7S 6D 2H")


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("play 6D", "6D does not go on 2S."),
        ("play KS", "KS does not go on 2S."),
        ("play 5C", "5C is covered by 6D."),
        ("play AC", "AC is not in the tableau."),
        ("turn 3H", "The next stock card is 2H, not 3H."),
    ],
)
def test_why_a_move_is_illegal(written, sentence):
    state = position(ENDING, "2H 3H", "2S")
    assert reason(state, written) == sentence
    with pytest.raises(InputError) as caught:
        apply(state, parse_move(written, state), STANDARD)
    assert str(caught.value) == sentence


def test_why_illegal_names_both_covering_cards_before_the_misfit():
    state = position({0: "5C", 3: "6D", 4: "TH"}, "", "9S")
    assert reason(state, "5C") == "5C is covered by 6D and TH."


def test_why_no_card_can_be_turned():
    state = position(ENDING, "", "7S")
    assert reason(state, "turn") == "The stock is empty, so that no card can be turned."
    assert reason(state, "turn 2H") == "The stock is empty, so that no card can be turned."


def test_king_on_ace_is_explained_without_wrap_and_legal_with_it():
    state = position(ENDING, "", "AC")
    assert reason(state, "KS", NO_WRAP) == "KS does not go on AC."
    assert reason(state, "KS", STANDARD) is None


@pytest.mark.parametrize(
    ("written", "move"),
    [
        ("turn", "turn 2H"),
        (" TURN ", "turn 2H"),
        ("turn 2h", "turn 2H"),
        ("Turn 3H", "turn 3H"),
        ("play TD", "play TD"),
        ("PLAY 10d", "play TD"),
        ("10♦", "play TD"),
        ("td", "play TD"),
    ],
)
def test_moves_as_people_write_them(written, move):
    assert str(parse_move(written, position(ENDING, "2H 3H", "7S"))) == move


@pytest.mark.parametrize(
    "written", ["", "play", "play 5H 6H", "turn 2H 3H", "5H 6H", "play turn 2H"]
)
def test_text_that_is_no_move(written):
    with pytest.raises(InputError) as caught:
        parse_move(written, position(ENDING, "2H 3H", "7S"))
    assert str(caught.value) == f"'{written}' is not a move: write 'turn' or 'play' and a card."


@pytest.mark.parametrize("written", ["draw", "play 11H", "turn XX"])
def test_a_move_with_an_unreadable_card_says_which(written):
    with pytest.raises(InputError, match=f"'{written.split()[-1]}' is not a card"):
        parse_move(written, position(ENDING, "2H 3H", "7S"))


def play(text):
    return [Move("play", card) for card in cards(text)]


def test_replay_goes_from_the_start_of_play():
    state = position({0: "5C", 3: "6D"}, "7H", "8S")
    end = replay(state, [Move("turn", parse_card("7H")), *play("6D 5C")], STANDARD)
    assert is_won(end)
    assert end.waste == cards("8S 7H 6D 5C")
    assert end.stock == ()
    fresh = dealt(range(PACK_SIZE))
    assert replay(fresh, [], STANDARD).waste == (28,)
    assert replay(fresh, [], OPEN).waste == ()


def test_replay_stops_at_the_first_illegal_move():
    state = position({0: "5C", 3: "6D"}, "7H", "8S")
    with pytest.raises(InputError, match="6D does not go on 8S"):
        replay(state, play("6D 5C"), STANDARD)


def test_won_when_and_only_when_the_tableau_is_empty():
    assert is_won(position({}, "2H 3H", "7S"))
    assert is_won(position({}))
    assert not is_won(position({27: "2H"}, "", "7S"))
    assert not is_won(dealt(range(PACK_SIZE)))


@pytest.mark.parametrize(
    ("state", "rules", "fewest"),
    [
        (position({0: "5C"}, "2H 3H", "6S"), STANDARD, 22),
        (position({0: "5C"}, "2H 4H", "7S"), STANDARD, 24),
        (position({0: "5C"}, "4H 2H", "7S"), STANDARD, 23),
        (position({0: "5C"}, "2H 3H", "7S"), STANDARD, None),
        (position({0: "KC", 1: "AC"}, "QH", "7S"), STANDARD, 24),
        (position({0: "KC", 1: "AC"}, "QH", "7S"), NO_WRAP, None),
        (position({0: "5C", 1: "8C"}, "", ""), OPEN, None),
        (position({0: "5C", 1: "6C"}, "", ""), OPEN, 24),
        (position({}, "2H", "7S"), STANDARD, 23),
        # Both stock cards are needed: 6H takes 7D, 8D and then the uncovered 9C.
        (position({0: "9C", 3: "7D", 4: "8D"}, "QH 6H", "2S"), STANDARD, 24),
    ],
)
def test_the_plain_search_on_endings_checked_by_hand(state, rules, fewest):
    assert fewest_turned(state, rules) == fewest


@given(st.permutations(range(PACK_SIZE)), st.integers(0, 999), st.sampled_from(RULES.names))
def test_no_card_is_lost_or_made_along_random_play(pack, seed, name):
    rules = RULES.resolve(name)
    history = random_play(dealt(pack), rules, seed)
    for state, move in history:
        seen = [card for card in state.tableau if card is not None]
        assert sorted([*seen, *state.stock, *state.waste]) == [*range(PACK_SIZE)]
        assert state.stock_turned == STOCK_SIZE - len(state.stock)
        if move is not None:
            assert move in legal_moves(state, rules)


@given(st.permutations(range(PACK_SIZE)), st.integers(0, 999), st.sampled_from(RULES.names))
def test_legal_moves_are_exactly_those_without_an_objection(pack, seed, name):
    rules = RULES.resolve(name)
    for state, _ in random_play(dealt(pack), rules, seed)[::5]:
        every = [Move(kind, card) for kind in ("play", "turn") for card in range(PACK_SIZE)]
        allowed = {move for move in every if why_illegal(state, move, rules) is None}
        assert allowed == set(legal_moves(state, rules))
