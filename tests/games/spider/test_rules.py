"""The plain rules, on positions small enough to check by eye."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_spider import (
    SUIT_COUNTS,
    all_cards,
    cards,
    deck,
    late_position,
    position,
    random_deal,
    random_play,
)

from winnable.cards import SUITS, card_name
from winnable.errors import InputError
from winnable.games.spider.rules import (
    DEAL,
    MOVE,
    RULES,
    Move,
    apply,
    complete_run,
    dealt,
    is_complete,
    is_run,
    is_untouched,
    is_won,
    legal_moves,
    parse_move,
    replay,
    start,
    why_illegal,
)

FOUR, TWO, ONE, RELAXED, RELAXED_TWO, RELAXED_ONE = map(RULES.resolve, RULES.names)
ROW = "2C 3C 4C 5C 6C 7C 8C 9C TC JC"
HEARTS = " ".join(map(card_name, complete_run(SUITS.index("H"))))
rule_names = st.sampled_from(RULES.names)


def moves(state, rules=FOUR):
    return [str(move) for move in legal_moves(state, rules)]


def after(state, *written, rules=FOUR):
    for text in written:
        state = apply(state, parse_move(text), rules)
    return state


def columns(state):
    return [" ".join(map(card_name, column)) for column in state.columns]


def test_the_rule_sets():
    assert RULES.names == [
        "four-suit",
        "two-suit",
        "one-suit",
        "relaxed-four-suit",
        "relaxed-two-suit",
        "relaxed-one-suit",
    ]
    values = [tuple(RULES.resolve(name).settings.values()) for name in RULES.names]
    assert values == [
        ("4", "no"),
        ("2", "no"),
        ("1", "no"),
        ("4", "yes"),
        ("2", "yes"),
        ("1", "yes"),
    ]
    assert RULES.resolve("four-suit", ["suits=1", "deal-on-empty=yes"]).name == "relaxed-one-suit"


def test_a_card_moves_onto_any_card_one_rank_higher():
    state = position(["8H", "9S", "9H", "7H", "TH", "KC", "QC", "JC", "2D", "2C"])
    assert moves(state) == [
        "move 1 from 1 to 2",
        "move 1 from 1 to 3",
        "move 1 from 2 to 5",
        "move 1 from 3 to 5",
        "move 1 from 4 to 1",
        "move 1 from 5 to 8",
        "move 1 from 7 to 6",
        "move 1 from 8 to 7",
    ]


def test_only_runs_of_one_suit_move_together():
    state = position(["9C 8H 7H 6H", "9D", "7S", "8C", "KS", "KS", "KS", "KS", "KS", "KS"])
    assert [move for move in moves(state) if "from 1" in move] == [
        "move 1 from 1 to 3",
        "move 2 from 1 to 4",
        "move 3 from 1 to 2",
    ]
    assert why_illegal(state, parse_move("move 4 from 1 to 5"), FOUR) == (
        "9C 8H 7H 6H at the end of column 1 is no run of one suit: it can't move."
    )


def test_nothing_goes_on_an_ace_and_a_king_only_to_an_empty_column():
    state = position(["AC", "KD", "2D", "AD", "QS 3S", "KC", "KC", "KC", "KC"])
    found = moves(state)
    assert [move for move in found if move.endswith(("to 1", "to 4"))] == []
    assert [move for move in found if "from 2" in move] == ["move 1 from 2 to 10"]
    assert why_illegal(state, parse_move("move 1 from 2 to 1"), FOUR) == "KD does not go on AC."


def test_an_empty_column_takes_any_run_and_each_empty_column_is_a_move_of_its_own():
    full = ["3D | 9H 8H", *["KC"] * 7]
    state = position(full)
    expected = [f"move {size} from 1 to {target}" for size in (1, 2) for target in (9, 10)]
    assert [move for move in moves(state) if "from 1" in move] == expected
    moved = after(state, "move 2 from 1 to 10")
    assert columns(moved)[0] == "3D"
    assert columns(moved)[8:] == ["", "9H 8H"]
    # A whole column may go to another empty column, pointless as it is.
    assert "move 1 from 2 to 9" in moves(state)


def test_face_down_cards_do_not_move_and_are_turned_up_when_left_on_top():
    state = position(["5D 4D | 3D", "4S", *["KC"] * 8])
    assert state.hidden == (2, *[0] * 9)
    assert moves(state) == ["move 1 from 1 to 2"]
    assert why_illegal(state, parse_move("move 2 from 1 to 2"), FOUR) == (
        "The face-up cards of column 1 number 1: 2 can't move."
    )
    turned = after(state, "move 1 from 1 to 2")
    assert turned.hidden == (1, *[0] * 9)
    assert columns(turned)[:2] == ["5D 4D", "4S 3D"]
    # The card turned up does not join the one below it, which is still face down.
    assert "move 2 from 1" not in " ".join(moves(turned))
    emptied = after(position(["5D | 4D", "5S", "6H", *["KC"] * 7]), "move 1 from 1 to 2")
    assert emptied.hidden[0] == 0
    assert columns(after(emptied, "move 1 from 1 to 3"))[0] == ""


def test_a_row_is_dealt_one_card_to_each_column():
    state = position(["9D | KH", *["KC"] * 9], f"{ROW} AS AS AS AS AS AS AS AS AS AS")
    dealt_row = after(state, "deal")
    assert columns(dealt_row) == ["9D KH 2C", *[f"KC {card}" for card in ROW.split()[1:]]]
    assert dealt_row.hidden == (1, *[0] * 9)
    assert dealt_row.stock == cards("AS AS AS AS AS AS AS AS AS AS")
    last = after(dealt_row, "deal")
    assert last.stock == ()
    assert why_illegal(last, Move(DEAL), FOUR) == "The stock is empty: there is no row to deal."
    assert "deal" not in moves(last)


def test_a_row_on_empty_columns_is_a_matter_of_the_rules():
    state = position(["KH", "", *["KC"] * 8], ROW)
    assert why_illegal(state, Move(DEAL), FOUR) == (
        "Column 2 is empty: with deal-on-empty=no no row can be dealt."
    )
    with pytest.raises(InputError, match="Column 2 is empty"):
        after(state, "deal")
    assert moves(state, RELAXED)[-1] == "deal"
    assert columns(after(state, "deal", rules=RELAXED))[:3] == ["KH 2C", "3C", "KC 4C"]


def test_a_complete_run_leaves_by_itself():
    rest = " ".join(HEARTS.split()[:-1])
    state = position([f"4C 9D | {rest}", "AH", *["KC"] * 8], finished=(1, 0, 0, 0))
    left = after(state, "move 1 from 2 to 1")
    assert left.finished == (1, 0, 1, 0)
    assert columns(left)[:2] == ["4C 9D", ""]
    assert left.hidden[0] == 1


def test_a_complete_run_may_be_a_whole_column_or_lie_on_other_cards():
    rest = " ".join(HEARTS.split()[:-1])
    whole = after(position([rest, "AH", *["KC"] * 8]), "move 1 from 2 to 1")
    assert columns(whole)[:2] == ["", ""]
    on_others = after(position([f"4C 9D {rest}", "AH", *["KC"] * 8]), "move 1 from 2 to 1")
    assert columns(on_others)[0] == "4C 9D"
    assert on_others.hidden[0] == 0


def test_a_run_of_two_suits_or_without_its_king_or_with_face_down_cards_stays():
    twelve = HEARTS.split()[:-1]
    mixed = " ".join(["KD", *twelve[1:]])
    assert after(position([mixed, "AH", *["KC"] * 8]), "move 1 from 2 to 1").finished[2] == 0
    short = " ".join(twelve[1:])
    assert after(position([short, "AH", *["KC"] * 8]), "move 1 from 2 to 1").finished[2] == 0
    face_down = f"KH | {short}"
    kept = after(position([face_down, "AH", *["KC"] * 8]), "move 1 from 2 to 1")
    assert (kept.finished[2], len(kept.columns[0]), kept.hidden[0]) == (0, 13, 1)


def test_a_row_can_complete_several_runs():
    rest = " ".join(HEARTS.split()[:-1])
    spades = rest.replace("H", "S")
    state = position([rest, f"2D | {spades}", *["KC"] * 8], "AH AS 4C 5C 6C 7C 8C 9C TC JC")
    left = after(state, "deal")
    assert left.finished == (0, 0, 1, 1)
    assert columns(left)[:3] == ["", "2D", "KC 4C"]
    assert left.hidden[1] == 0


def test_the_game_is_won_when_the_last_run_leaves():
    rest = " ".join(HEARTS.split()[:-1])
    state = position([rest, "AH"], finished=(2, 2, 1, 2))
    assert not is_won(state)
    won = after(state, "move 1 from 2 to 1")
    assert is_won(won)
    assert moves(won) == []
    assert replay(state, [Move(MOVE, 1, 1, 0)], FOUR) == won


def test_play_starts_without_the_complete_runs_that_were_left_on_the_table():
    """As AisleRiot and PySolFC do, where the player takes them off."""
    state = position([f"2D | {HEARTS}", HEARTS.replace("H", "S"), "4C", "4D"])
    begun = start(state, FOUR)
    assert columns(begun)[:3] == ["2D", "", "4C"]
    assert begun.hidden[0] == 0
    assert begun.finished == (0, 0, 1, 1)


def test_a_covered_complete_run_is_refused():
    columns_of_all_suits = [f"{HEARTS} KC", "2C", "3D", "4S"]
    with pytest.raises(InputError) as caught:
        start(position(columns_of_all_suits), FOUR)
    assert str(caught.value) == (
        "Column 1 has cards on a complete run: a run leaves at once, so that nothing is ever put "
        "on it."
    )
    # Partly face down it is no complete run yet.
    state = position([f"KH | {HEARTS[3:]} KC", *columns_of_all_suits[1:]])
    assert start(state, FOUR) == state


@pytest.mark.parametrize("suits", SUIT_COUNTS)
def test_a_deal_of_other_suits_than_the_rules_have_is_refused(suits):
    deal = random_deal(3, suits)
    for rules in (FOUR, TWO, ONE):
        if rules.settings["suits"] == suits:
            assert start(deal, rules) == deal
        else:
            with pytest.raises(InputError, match=f"it needs rules with suits={suits}"):
                start(deal, rules)


def test_the_sentence_about_other_suits():
    with pytest.raises(InputError) as caught:
        start(random_deal(3, "4"), ONE)
    assert str(caught.value) == (
        "This deal has cards of ♣ ♦ ♥ ♠, but with suits=1 all cards are ♠: it needs rules with "
        "suits=4."
    )
    # The suits of finished runs count too.
    only_spades_left = position(["KS QS"], finished=(0, 0, 4, 3))
    assert start(only_spades_left, TWO) == only_spades_left
    with pytest.raises(InputError, match="needs rules with suits=2"):
        start(only_spades_left, ONE)


def test_untouched_layouts():
    deal = random_deal(5, "2")
    assert is_untouched(deal)
    assert deal.hidden == tuple(len(column) - 1 for column in deal.columns)
    assert not is_untouched(apply(deal, Move(DEAL), TWO))
    assert not is_untouched(replace(deal, hidden=(0, *deal.hidden[1:])))
    # Any four columns may have the sixth card.
    pack = deck("4")
    assert is_untouched(dealt([pack[:5]] * 3 + [pack[:6]] * 4 + [pack[:5]] * 3, pack[:50]))
    assert not is_untouched(dealt([pack[:7], *[pack[:5]] * 7, *[pack[:6]] * 2], pack[:50]))


def test_runs():
    assert is_run(cards("9H"))
    assert is_run(cards("9H 8H 7H"))
    assert not is_run(cards("9H 8D"))
    assert not is_run(cards("9H 7H"))
    assert is_complete(cards(HEARTS))
    assert not is_complete(cards(HEARTS)[1:])
    assert not is_complete(cards("KD " + HEARTS[3:]))
    assert not is_complete(())


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("deal", Move(DEAL)),
        (" DEAL\n", Move(DEAL)),
        ("move 3 from 2 to 7", Move(MOVE, 3, 1, 6)),
        ("  Move  13 From 10\tTO 1 ", Move(MOVE, 13, 9, 0)),
        ("move 03 from 02 to 07", Move(MOVE, 3, 1, 6)),
    ],
)
def test_moves_as_people_write_them(text, move):
    assert parse_move(text) == move
    assert parse_move(str(move)) == move


@pytest.mark.parametrize(
    "text",
    [
        "",
        "deal 2",
        "move",
        "move 3 from 2",
        "move 3 to 7 from 2",
        "move 9H from 2 to 7",
        "move -1 from 2 to 7",
        "move +1 from 2 to 7",
        "move 1_0 from 2 to 7",
        "move 1.0 from 2 to 7",
        "move ٣ from 2 to 7",
        "move 3 from 2 to 7 and 8",
        "move 9999 from 2 to 7",
        "play 3 from 2 to 7",
    ],
)
def test_what_is_no_move(text):
    with pytest.raises(InputError) as caught:
        parse_move(text)
    assert str(caught.value).startswith(f"'{text}' is not a move: write 'deal', or 'move 3 from")


@pytest.mark.parametrize("text", ["move 1 from 0 to 7", "move 1 from 7 to 11"])
def test_columns_that_there_are_not(text):
    with pytest.raises(InputError, match=r"There is no column (0|11): columns are 1 to 10\."):
        parse_move(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("move 0 from 1 to 2", "A move takes at least one card."),
        ("move 1 from 1 to 1", "Column 1 is where the cards are already."),
        ("move 1 from 3 to 1", "The face-up cards of column 3 number 0: 1 can't move."),
        ("move 1 from 1 to 2", "8H does not go on 8S."),
        ("deal", "The stock is empty: there is no row to deal."),
    ],
)
def test_reasons(text, reason):
    state = position(["9H 8H", "8S"])
    assert why_illegal(state, parse_move(text), FOUR) == reason
    with pytest.raises(InputError) as caught:
        after(state, text)
    assert str(caught.value) == reason


@given(name=rule_names, seed=st.integers(0, 10**6), late=st.booleans())
@settings(max_examples=40, deadline=None)
def test_random_play_keeps_what_never_changes(name, seed, late):
    rules = RULES.resolve(name)
    suits = rules.settings["suits"]
    first = late_position(seed, suits) if late else random_deal(seed, suits)
    full = Counter(deck(suits))
    before = None
    for state, move in random_play(first, rules, seed, longest=40):
        assert all_cards(state) == full
        assert len(state.stock) % 10 == 0
        assert len(state.columns) == len(state.hidden) == 10
        for column, hidden in zip(state.columns, state.hidden, strict=True):
            assert hidden < len(column) or hidden == len(column) == 0
            assert not is_complete(column[hidden:][-13:])
        if before is not None:
            assert sum(state.finished) >= sum(before.finished)
            assert sum(state.hidden) <= sum(before.hidden)
        if move is not None:
            assert parse_move(str(move)) == move
            assert why_illegal(state, move, rules) is None
        before = state


def test_random_play_near_the_end_wins_some_games():
    """So that the invariants above have seen runs leave and games end."""
    ends = [random_play(late_position(seed, "1"), ONE, seed)[-1][0] for seed in range(20)]
    assert sum(map(is_won, ends)) > 3
