"""The plain rules, on positions small enough to check by eye."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_canfield import late_position, random_play, single_changes

from winnable.cards import PACK_SIZE, RANKS, SUITS, card_name, parse_card
from winnable.errors import InputError
from winnable.games.canfield.layout import laid_out
from winnable.games.canfield.rules import (
    DOWN,
    MOVE,
    REDEAL,
    RULES,
    STOCK_SIZE,
    TURN,
    UP,
    Move,
    State,
    apply,
    cards_up,
    dealt,
    find,
    foundation_cards,
    is_untouched,
    is_won,
    legal_moves,
    next_up,
    parse_move,
    replay,
    start,
    why_illegal,
)

AISLERIOT, PYSOL, THOUGHTFUL, STRICT, FULL_WRAP, CASINO = map(RULES.resolve, RULES.names)
packs = st.permutations(range(PACK_SIZE))
rule_names = st.sampled_from(RULES.names)


def cards(text):
    return tuple(parse_card(word) for word in text.split())


def position(base, up, reserve="", columns=("", "", "", ""), stock="", waste=""):
    """A position; `up` says how many cards of a suit are up, as in {"C": 2}. Not all 52 cards."""
    return State(
        RANKS.index(base),
        tuple(up.get(suit, 0) for suit in SUITS),
        cards(reserve),
        tuple(map(cards, columns)),
        cards(stock),
        cards(waste),
    )


def moves(state, rules):
    return [str(move) for move in legal_moves(state, rules)]


def all_cards(state):
    up = [card for suit in range(4) for card in foundation_cards(state, suit)]
    in_columns = [card for column in state.columns for card in column]
    return sorted([*up, *state.reserve, *in_columns, *state.stock, *state.waste])


def test_rule_sets():
    keys = ("wrap", "moves", "fill", "return", "opening", "draw", "redeals")
    assert [parameter.name for parameter in RULES.parameters] == list(keys)
    rows = {
        name: " ".join(RULES.resolve(name).settings[key] for key in keys) for name in RULES.names
    }
    assert rows == {
        "aisleriot": "full any-run any yes 0 3 unlimited",
        "pysol": "full whole-or-top any no 3 3 unlimited",
        "thoughtful": "base any-run any no 0 3 unlimited",
        "thoughtful-strict": "base whole waste no 0 3 unlimited",
        "full-wrap": "full any-run any no 0 3 unlimited",
        "casino": "full any-run any no 0 1 0",
    }
    assert RULES.resolve().name == "aisleriot"
    assert RULES.resolve("aisleriot", ["return=no"]).name == "full-wrap"


# 5C 6C and 5D are up. In play are 7C, 6S and the ends TD, 9C, 7D and JC.
MIDDLE = position(
    "5",
    {"C": 2, "D": 1},
    reserve="KD 6S",
    columns=("TD", "JS TH 9C", "8S 7D", "JC"),
    stock="2C 3C 4C 2D",
    waste="7H 7C",
)


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (AISLERIOT, "up 7C, 6S to 7D, TD to JC, TH to JC, 9C to TD, down 6C to 7D, turn"),
        (FULL_WRAP, "up 7C, 6S to 7D, TD to JC, TH to JC, 9C to TD, turn"),
        (CASINO, "up 7C, 6S to 7D, TD to JC, TH to JC, 9C to TD, turn"),
        (THOUGHTFUL, "up 7C, 6S to 7D, TD to JC, TH to JC, 9C to TD, turn"),
        (PYSOL, "up 7C, 6S to 7D, TD to JC, 9C to TD, turn"),
        (STRICT, "up 7C, 6S to 7D, TD to JC, turn"),
    ],
)
def test_the_exact_moves_of_a_position(rules, expected):
    written = [move.removeprefix("move ") for move in moves(MIDDLE, rules)]
    assert ", ".join(written) == expected


@pytest.mark.parametrize(
    ("base", "rules", "expected"),
    [
        # Counted from 5, the king is just below the ace, and a 4 below nothing.
        ("5", FULL_WRAP, ["move KC to AD", "move 4S to 5H"]),
        ("5", THOUGHTFUL, ["move KC to AD"]),
        ("A", FULL_WRAP, ["move KC to AD", "move 4S to 5H"]),
        ("A", THOUGHTFUL, ["move 4S to 5H"]),
        ("9", THOUGHTFUL, ["move KC to AD", "move 4S to 5H"]),
    ],
)
def test_what_wrap_changes(base, rules, expected):
    state = position(base, {"C": 1}, columns=("AD", "5H", "KC", "4S"))
    assert [str(move) for move in legal_moves(state, rules) if move.kind == MOVE] == expected


# The reserve is gone and the third column is empty.
GAP = position(
    "5", {"H": 4, "S": 1}, columns=("8D", "JS TH 9C", "", "QC"), stock="4D", waste="3H 2S"
)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            [],
            "2S to empty, 8D to 9C, 8D to empty, JS to empty, TH to empty, 9C to empty, QC to "
            "empty",
        ),
        (
            ["moves=whole-or-top"],
            "2S to empty, 8D to 9C, 8D to empty, JS to empty, 9C to empty, QC to empty",
        ),
        (["moves=whole"], "2S to empty, 8D to 9C, 8D to empty, JS to empty, QC to empty"),
        (["fill=waste"], "2S to empty, 8D to 9C"),
    ],
)
def test_what_may_come_to_an_empty_column(changes, expected):
    rules = RULES.resolve("full-wrap", changes)
    written = [move.removeprefix("move ") for move in moves(GAP, rules)]
    assert ", ".join(written) == expected + ", turn"


def test_what_may_come_back_from_the_foundations():
    downs = [move for move in moves(GAP, AISLERIOT) if move.startswith("down")]
    # 8H goes on 9C; 5S has the base rank and stays.
    assert downs == ["down 8H to 9C", "down 8H to empty"]
    by_waste = RULES.resolve("aisleriot", ["fill=waste"])
    assert [str(m) for m in legal_moves(GAP, by_waste) if m.kind == DOWN] == ["down 8H to 9C"]
    assert "down 8H to 9C" not in moves(GAP, FULL_WRAP)


def test_a_run_does_not_go_on_its_own_column():
    # KS would go on the AD at its end.
    column = "KS QD JS TD 9S 8D 7S 6D 5S 4D 3S 2D AS KD QC JD TC 9D 8C 7D 6C 5D 4C 3D 2C AD"
    state = position("A", {"H": 1}, columns=(column, "3H", "4H", "6H"))
    assert moves(state, FULL_WRAP) == ["up AD", "move 5S to 6H", "move 3S to 4H", "move 2C to 3H"]
    assert why_illegal(state, parse_move("move KS to AD"), FULL_WRAP) == (
        "KS is in the column of AD already."
    )


def test_the_stock_is_turned_by_packets_and_the_waste_turned_over():
    state = position("5", {"C": 1}, stock="2C 3C 4C 2D", waste="7H")
    once = apply(state, Move(TURN), AISLERIOT)
    assert (once.stock, once.waste) == (cards("2D"), cards("7H 2C 3C 4C"))
    twice = apply(once, Move(TURN), AISLERIOT)
    assert (twice.stock, twice.waste) == ((), cards("7H 2C 3C 4C 2D"))
    assert moves(twice, AISLERIOT) == ["move 2D to empty", "redeal"]
    over = apply(twice, Move(REDEAL), AISLERIOT)
    assert (over.stock, over.waste) == (cards("7H 2C 3C 4C 2D"), ())
    assert apply(over, Move(TURN), AISLERIOT).waste == cards("7H 2C 3C")
    assert apply(state, Move(TURN), CASINO).waste == cards("7H 2C")
    assert moves(twice, CASINO) == ["move 2D to empty"]


DEAL = laid_out(range(PACK_SIZE), "winnable")


def test_the_opening_is_turned_only_on_a_fresh_deal_under_opening_3():
    assert is_untouched(DEAL)
    assert start(DEAL, AISLERIOT) == DEAL
    opened = start(DEAL, PYSOL)
    assert opened.waste == DEAL.stock[:3]
    assert opened.stock == DEAL.stock[3:]
    assert not is_untouched(opened)
    assert start(opened, PYSOL) == opened
    # One card at a time is turned later, three at the start.
    assert start(DEAL, RULES.resolve("pysol", ["draw=1"])) == opened


def test_a_position_that_the_rules_cannot_lead_to():
    played = position("5", {"C": 2}, columns=("8D", "9C", "QS", "2H"))
    full = replace(played, stock=tuple(range(STOCK_SIZE)))
    assert start(full, PYSOL) == full
    with pytest.raises(InputError, match="all 34 stock cards are there: with opening=3 three"):
        start(full, RULES.resolve("pysol", ["redeals=0"]))
    built = position("5", {"C": 1}, columns=("8D", "5D 4S", "QS", "2H"))
    assert start(built, FULL_WRAP) == built
    with pytest.raises(InputError) as caught:
        start(built, THOUGHTFUL)
    assert str(caught.value) == "Column 2 has 4S on 5D: with wrap=base it does not go there."


def test_an_emptied_column_is_filled_from_the_reserve_at_once():
    moved = apply(MIDDLE, parse_move("move TD to JC"), AISLERIOT)
    assert moved.columns == (cards("6S"), cards("JS TH 9C"), cards("8S 7D"), cards("JC TD"))
    assert moved.reserve == cards("KD")
    up = position("5", {"C": 2}, reserve="KD 6S", columns=("7C", "QD", "QH", "AD"))
    assert apply(up, parse_move("up 7C"), AISLERIOT).columns[0] == cards("6S")
    gone = position("5", {"C": 2}, columns=("7C", "QD", "QH", "AD"))
    assert apply(gone, parse_move("up 7C"), AISLERIOT).columns[0] == ()


def test_moves_from_every_pile():
    assert apply(MIDDLE, parse_move("up 7C"), AISLERIOT).foundations == (3, 1, 0, 0)
    assert apply(MIDDLE, parse_move("up 7C"), AISLERIOT).waste == cards("7H")
    from_reserve = apply(MIDDLE, parse_move("move 6S to 7D"), AISLERIOT)
    assert (from_reserve.reserve, from_reserve.columns[2]) == (cards("KD"), cards("8S 7D 6S"))
    run = apply(MIDDLE, parse_move("move TH to JC"), AISLERIOT)
    assert run.columns == (cards("TD"), cards("JS"), cards("8S 7D"), cards("JC TH 9C"))
    back = apply(MIDDLE, parse_move("down 6C to 7D"), AISLERIOT)
    assert (back.foundations, back.columns[2]) == ((1, 1, 0, 0), cards("8S 7D 6C"))
    assert apply(GAP, parse_move("move TH to empty"), AISLERIOT).columns == (
        cards("8D"),
        cards("JS"),
        cards("TH 9C"),
        cards("QC"),
    )


def test_a_whole_column_that_goes_to_an_empty_one_changes_places():
    moved = apply(GAP, parse_move("move QC to empty"), AISLERIOT)
    assert moved.columns == (cards("8D"), cards("JS TH 9C"), cards("QC"), ())


# 52 cards: what MIDDLE names, and the others in reserve and stock.
NAMED = all_cards(MIDDLE)
WHOLE = State(
    MIDDLE.base,
    MIDDLE.foundations,
    MIDDLE.reserve,
    MIDDLE.columns,
    (*MIDDLE.stock, *(card for card in range(PACK_SIZE) if card not in NAMED)),
    MIDDLE.waste,
)


@pytest.mark.parametrize(
    ("written", "rules", "sentence"),
    [
        ("redeal", AISLERIOT, "The waste is turned over when the stock is empty; it has 38 cards."),
        (
            "redeal",
            CASINO,
            "The waste is not turned over: with redeals=0 the stock is gone through once.",
        ),
        ("up 5C", AISLERIOT, "5C is on its foundation already."),
        ("up 2C", AISLERIOT, "2C is in the stock."),
        ("up 7H", AISLERIOT, "7H is covered by 7C."),
        ("up KD", AISLERIOT, "KD is covered by 6S."),
        ("up TH", AISLERIOT, "TH is covered by 9C."),
        ("up JS", AISLERIOT, "JS is covered by TH."),
        ("up 9C", AISLERIOT, "9C can't go up: its foundation takes 7C next."),
        ("up JC", AISLERIOT, "JC can't go up: its foundation takes 7C next."),
        ("move 6C to 7D", AISLERIOT, "6C is on its foundation: the move from there is 'down'."),
        ("move 2C to 7D", AISLERIOT, "2C is in the stock."),
        ("move 7H to JC", AISLERIOT, "7H is covered by 7C."),
        ("move KD to JC", AISLERIOT, "KD is covered by 6S."),
        (
            "move TH to JC",
            PYSOL,
            "TH is neither the first nor the last card of its column: with moves=whole-or-top "
            "nothing else moves.",
        ),
        (
            "move 9C to TD",
            STRICT,
            "9C is not the first card of its column: with moves=whole only columns move.",
        ),
        ("move 9C to empty", AISLERIOT, "No column is empty."),
        ("move 9C to 8S", AISLERIOT, "8S is not the last card of a column."),
        ("move 9C to 7C", AISLERIOT, "7C is not the last card of a column."),
        ("move 9C to 5C", AISLERIOT, "5C is not the last card of a column."),
        ("move 9C to JC", AISLERIOT, "9C does not go on JC."),
        ("move 9C to 9C", AISLERIOT, "9C is in the column of 9C already."),
        ("down 6C to 7D", PYSOL, "Cards stay on the foundations: the rules have return=no."),
        ("down 9C to TD", AISLERIOT, "9C is not on a foundation."),
        ("down 5C to 7D", AISLERIOT, "5C is not the top card of its foundation."),
        (
            "down 5D to JC",
            AISLERIOT,
            "5D has the base rank, and such a card stays on its foundation.",
        ),
        ("down 6C to JC", AISLERIOT, "6C does not go on JC."),
    ],
)
def test_why_a_move_is_illegal(written, rules, sentence):
    assert all_cards(WHOLE) == [*range(PACK_SIZE)]
    move = parse_move(written)
    assert why_illegal(WHOLE, move, rules) == sentence
    with pytest.raises(InputError) as caught:
        apply(WHOLE, move, rules)
    assert str(caught.value) == sentence


def test_why_nothing_can_be_turned():
    state = position("5", {"C": 1})
    assert why_illegal(state, Move(TURN), AISLERIOT) == (
        "The stock is empty, so that no card can be turned."
    )
    assert why_illegal(state, Move(REDEAL), AISLERIOT) == (
        "Stock and waste are empty: there is nothing to turn over."
    )
    assert why_illegal(GAP, parse_move("move 8D to empty"), STRICT) == (
        "With fill=waste an empty column takes only the waste's top card, not 8D."
    )


def test_a_move_without_a_card():
    assert why_illegal(MIDDLE, Move(UP), AISLERIOT) == "The move 'up' needs a card."


@pytest.mark.parametrize(
    ("written", "move"),
    [
        ("turn", Move(TURN)),
        (" Redeal ", Move(REDEAL)),
        ("up 10♦", Move(UP, parse_card("TD"))),
        ("UP td", Move(UP, parse_card("TD"))),
        ("move 5h TO 6s", Move(MOVE, parse_card("5H"), parse_card("6S"))),
        ("move 5H to EMPTY", Move(MOVE, parse_card("5H"))),
        ("down 5H to 6S", Move(DOWN, parse_card("5H"), parse_card("6S"))),
        ("down 5H to empty", Move(DOWN, parse_card("5H"))),
    ],
)
def test_moves_as_people_write_them(written, move):
    assert parse_move(written) == move
    assert parse_move(str(move)) == move


@pytest.mark.parametrize(
    "written",
    ["", "turn 3", "redeal now", "up", "up 5H 6H", "move 5H", "move 5H 6S", "5H", "play 5H"],
)
def test_text_that_is_no_move(written):
    with pytest.raises(InputError) as caught:
        parse_move(written)
    assert str(caught.value).startswith(f"'{written}' is not a move: write 'turn', 'redeal', ")


@pytest.mark.parametrize("written", ["up 11H", "move 5H to XX", "down empty to 5H"])
def test_a_move_with_an_unreadable_card_says_so(written):
    with pytest.raises(InputError, match="is not a card"):
        parse_move(written)


def test_replay_goes_from_the_start_of_play():
    assert replay(DEAL, [], PYSOL).waste == DEAL.stock[:3]
    end = replay(MIDDLE, map(parse_move, ["up 7C", "move TD to JC"]), AISLERIOT)
    assert cards_up(end) == 4
    with pytest.raises(InputError, match="No column is empty"):
        replay(MIDDLE, map(parse_move, ["up 7C", "move 7H to empty"]), AISLERIOT)


@pytest.mark.parametrize("rules", [AISLERIOT, CASINO])
def test_turns_in_a_row_are_replayed_as_one_after_the_other(rules):
    state = start(DEAL, rules)
    packets = -(-len(DEAL.stock) // int(rules.settings["draw"]))
    for count in range(packets + 1):
        assert replay(DEAL, [Move(TURN)] * count, rules) == state
        if count < packets:
            state = apply(state, Move(TURN), rules)
    with pytest.raises(InputError, match="The stock is empty"):
        replay(DEAL, [Move(TURN)] * (packets + 1), rules)


def test_won_when_and_only_when_all_cards_are_up():
    assert is_won(position("5", {"C": 13, "D": 13, "H": 13, "S": 13}))
    nearly = position("5", {"C": 13, "D": 13, "H": 13, "S": 12}, columns=("4S", "", "", ""))
    assert not is_won(nearly)
    assert is_won(apply(nearly, parse_move("up 4S"), AISLERIOT))
    assert next_up(nearly, 0) is None
    assert card_name(next_up(nearly, 3)) == "4S"


def test_where_cards_lie():
    assert find(MIDDLE, parse_card("5C")) == ("foundation", 0, 1)
    assert find(MIDDLE, parse_card("JS")) == ("column", 1, 2)
    assert find(MIDDLE, parse_card("JC")) == ("column", 3, 0)
    assert find(MIDDLE, parse_card("3C")) == ("stock", 0, 1)
    assert find(MIDDLE, parse_card("7H")) == ("waste", 0, 1)
    assert find(MIDDLE, parse_card("6S")) == ("reserve", 0, 0)


def test_a_deal_has_one_card_up():
    deal = dealt(parse_card("JD"), range(13), range(13, 17), range(18, 52))
    assert (deal.base, deal.foundations) == (RANKS.index("J"), (0, 1, 0, 0))
    assert foundation_cards(deal, 1) == (parse_card("JD"),)


@given(packs, st.integers(0, 999), rule_names)
@settings(deadline=None, max_examples=30)
def test_no_card_is_lost_or_made_along_random_play(pack, seed, name):
    rules = RULES.resolve(name)
    history = random_play(laid_out(pack, "winnable"), rules, seed)
    for state, move in history:
        assert all_cards(state) == [*range(PACK_SIZE)]
        assert sum(state.foundations) >= 1
        assert not state.reserve or () not in state.columns
        assert start(state, rules) == state or is_untouched(state)
        if move is not None:
            assert parse_move(str(move)) == move


@given(st.integers(0, 99_999), st.integers(0, 99))
@settings(deadline=None, max_examples=20)
def test_legal_moves_are_exactly_those_without_an_objection(seed, change):
    rows = single_changes()
    rules = rows[change % len(rows)]
    every = [Move(TURN), Move(REDEAL), *(Move(UP, card) for card in range(PACK_SIZE))]
    every += [
        Move(kind, card, target)
        for kind in (MOVE, DOWN)
        for card in range(PACK_SIZE)
        for target in (None, *range(PACK_SIZE))
    ]
    state = random_play(late_position(seed), rules, seed, longest=seed % 10)[-1][0]
    allowed = [move for move in every if why_illegal(state, move, rules) is None]
    found = legal_moves(state, rules)
    assert sorted(map(str, found)) == sorted(map(str, allowed))
