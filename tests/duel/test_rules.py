"""Both games' rules by small hand-made positions; kernels list the same moves in each."""

from dataclasses import replace

import pytest
from duel_positions import after, bank, cards, full, legal, position, zank

from winnable.duel.position import (
    DISCARD,
    PASS,
    STOP,
    TURN,
    Ending,
    House,
    Move,
    Outcome,
    parse_move,
    shuffled,
    standing,
)
from winnable.duel.rules import (
    apply,
    first_player,
    legal_moves,
    why_illegal,
)
from winnable.duel.tables import QUIET_TURNS, Size
from winnable.errors import InputError

BANK, ZANK = bank(), zank()
CALLED = bank("stop=called")


def reason(state, move, variant):
    return why_illegal(state, parse_move(move), variant)


# Where cards go


def test_houses_build_down_in_alternating_colours():
    state = position(ZANK, full("9H/9D/9S/9C/7H", ZANK), reserve="8S")
    assert legal(state, ZANK) == ["pass", "r h1", "r h2"]


def test_early_houses_build_down_in_suit():
    early = bank("house-build=suit")
    state = position(early, full("9H/9D/9S/9C/7S", early), reserve="8S")
    assert legal(state, early) == ["r h3"]


def test_nothing_goes_on_an_ace_and_no_king_on_a_card():
    state = position(ZANK, full("AH/AD/QH", ZANK), reserve="KC")
    assert "r h1" not in legal(state, ZANK)
    assert reason(state, "r h1", ZANK) == (
        "KC does not go on AH: houses build down in alternating colours."
    )


def test_an_empty_house_takes_any_card_and_the_first_stands_for_all():
    state = position(ZANK, "9H 8S//5H", reserve="KC", other="", other_waste="2C")
    assert legal(state, ZANK) == ["h1 h2", "pass", "r h2"]
    assert reason(state, "r h8", ZANK) is None
    assert after(state, ZANK, "r h8").houses[7] == House(cards("KC"))


def test_a_card_alone_does_not_go_to_an_empty_house():
    state = position(ZANK, "9H/", reserve="KC")
    assert reason(state, "h1 h2", ZANK) == (
        "The position that this leads to was there in this turn already."
    )


def test_foundations_build_up_in_suit_two_of_each():
    state = position(ZANK, full("2C/3C/AC/9D", ZANK), reserve="5C", up="AC 2C")
    assert legal(state, ZANK) == ["h2 f", "h3 f", "pass"]
    state = after(state, ZANK, "h3 f")
    assert state.foundations[0] == (2, 1)
    state = after(state, ZANK, "h1 f", "h2 f")
    assert state.foundations[0] == (3, 2)


def test_loading_takes_the_same_suit_one_rank_apart():
    state = position(
        ZANK, full("8H/9D/JD/TS/AH", ZANK), reserve="2C", other="TD", other_waste="3C 9H"
    )
    assert legal(state, ZANK) == ["h1 ow", "h2 h4", "h2 or", "h3 or", "h4 h3", "h5 f", "pass"]


def test_a_king_and_an_ace_are_not_neighbours_for_loading():
    state = position(ZANK, full("KH/AD", ZANK), other="AH", other_waste="KD", up="AD AD")
    assert "h1 or" not in legal(state, ZANK)
    assert "h2 ow" not in legal(state, ZANK)


def test_an_empty_pile_can_not_be_loaded():
    state = position(ZANK, full("2H", ZANK), other="", other_waste="")
    assert reason(state, "h1 or", ZANK) == (
        "The opponent's reserve is empty: only a card can be loaded on."
    )
    assert reason(state, "h1 ow", ZANK).startswith("The opponent's waste is empty")


@pytest.mark.parametrize(
    ("load", "targets"), [("both", {"or", "ow"}), ("reserve", {"or"}), ("waste", {"ow"})]
)
def test_option_load(load, targets):
    variant = zank(f"load={load}")
    state = position(variant, full("5H", variant), other="6H", other_waste="4H")
    found = {move.split()[1] for move in legal(state, variant) if move.startswith("h1")}
    assert found == targets
    if "ow" not in targets:
        assert reason(state, "h1 ow", variant) == (
            "Nothing goes on the opponent's waste: the rules have load=reserve."
        )


def test_loaded_cards_stay_open_and_a_taken_one_opens_the_next():
    state = position(ZANK, full("5H/6H", ZANK), reserve="2S 9C", other="9S 7H")
    state = after(state, ZANK, "h2 or", "h1 or")
    assert state.other.reserve == cards("9S 7H 6H 5H")
    assert state.other.open_reserve == 3
    state = after(state, ZANK, "pass")
    assert "r h1" in legal(state, ZANK)
    state = after(state, ZANK, "r h1")
    assert state.own.open_reserve == 2


def test_waste_foundation_and_the_opponents_cards_are_not_available():
    state = position(ZANK, "", reserve="KC", stock="QD", waste="AC", other="AD", other_waste="AH")
    assert legal(state, ZANK) == ["discard", "r h1", "t h1"]


# Turns in Russian Bank


def test_a_stock_card_is_turned_played_and_the_next_one_turned():
    state = position(BANK, full("9H", BANK), stock="8S 3D")
    assert legal(state, BANK) == ["turn"]
    state = after(state, BANK, "turn")
    assert legal(state, BANK) == ["discard", "t h1"]
    state = after(state, BANK, "t h1")
    assert not state.turned
    assert state.mover == 0
    assert legal(state, BANK) == ["turn"]


def test_a_discard_ends_the_turn():
    state = after(position(BANK, full("", BANK), stock="8S 3D"), BANK, "turn", "discard")
    assert (state.mover, state.turned, state.turn, state.quiet) == (1, False, 3, 1)
    assert state.other.waste == cards("8S")
    assert state.other.stock == cards("3D")


def test_the_waste_is_turned_over_when_a_card_is_needed_and_not_before():
    state = position(BANK, full("", BANK), stock="8S", waste="4C 3D", other_waste="7D")
    state = after(state, BANK, "turn", "discard")
    assert state.other.waste == cards("4C 3D 8S")
    state = after(state, BANK, "turn", "discard")
    assert state.own.stock == ()
    assert legal(state, BANK) == ["turn"]
    state = after(state, BANK, "turn")
    assert state.own.stock == cards("4C 3D 8S")
    assert state.own.waste == ()
    assert state.own.turned_over


def test_redeal_shuffle_keeps_the_cards_and_follows_the_generator():
    variant = bank("redeal=shuffle")
    waste = "4C 3D 8S 9S TS JS"
    state = position(variant, full("", variant), waste=waste)
    turned = after(state, variant, "turn")
    assert turned.own.stock == shuffled(cards(waste), 0)[0]
    assert sorted(turned.own.stock) == sorted(cards(waste))
    assert turned.chance == 6 * 0x9E3779B97F4A7C15 % 2**64
    other = after(replace(state, chance=1), variant, "turn")
    assert other.own.stock != turned.own.stock


def test_passing_takes_empty_stock_and_waste():
    state = position(BANK, full("", BANK))
    assert legal(state, BANK) == ["pass"]
    state = position(BANK, full("", BANK), waste="4C")
    assert legal(state, BANK) == ["turn"]
    assert reason(state, "pass", BANK) == "Only with stock and waste both empty can one pass."


def test_the_first_turn_has_no_loads_and_the_second_has():
    state = position(BANK, full("5H", BANK), stock="9C 9C", other="6H", other_waste="4H", turn=0)
    assert legal(state, BANK) == ["turn"]
    assert reason(state, "h1 or", BANK) == (
        "In the first turn of the game nothing goes on the opponent's piles."
    )
    assert "h1 or" in legal(replace(state, turn=1), BANK)
    yes = bank("first-turn-load=yes")
    assert "h1 or" in legal(position(yes, full("5H", yes), other="6H", turn=0), yes)


# Compulsion in Russian Bank


def test_the_reserve_goes_up_before_anything_else():
    state = position(BANK, "AH/9H", reserve="KC AC", stock="AD 3D", turned=True)
    assert legal(state, BANK) == ["r f"]
    assert reason(state, "h1 f", BANK) == "The reserve's top has to go to its foundation first."


def test_then_house_ends_and_the_open_stock_card_go_up_in_any_order():
    state = position(BANK, "AH/9H/8S", reserve="KC", stock="AD 3D", turned=True)
    assert legal(state, BANK) == ["h1 f", "t f"]
    assert reason(state, "h3 h2", BANK) == (
        "A house's end card or the stock's card has to go to its foundation first."
    )


def test_a_reserve_that_fits_a_house_keeps_the_stock_untouched():
    state = position(BANK, full("9H/8S/9D", BANK), reserve="8C", stock="8S 3D", turned=True)
    assert legal(state, BANK) == ["h2 h1", "h2 h3", "r h1", "r h3"]
    assert reason(state, "discard", BANK).startswith("The reserve's top fits a house")
    closed = replace(state, turned=False)
    assert legal(closed, BANK) == ["h2 h1", "h2 h3", "r h1", "r h3"]
    idle = position(BANK, full("9H", BANK), reserve="8C")
    assert legal(idle, BANK) == ["r h1"]


def test_an_empty_house_obliges_the_reserve():
    state = position(BANK, "KH", reserve="8C", stock="8S")
    assert legal(state, BANK) == ["r h2"]


def test_option_reserve_to_house_empty():
    variant = bank("reserve-to-house=empty")
    state = position(variant, full("9H", variant), reserve="8C", stock="8S")
    assert legal(state, variant) == ["r h1", "turn"]
    state = position(variant, "9H", reserve="8C", stock="8S")
    assert legal(state, variant) == ["r h1", "r h2"]


# Stop


def test_a_missed_move_can_be_called_and_is_taken_back():
    state = position(CALLED, full("AH", CALLED), stock="9S 3D")
    assert legal(state, CALLED) == ["h1 f", "turn"]
    missed = after(state, CALLED, "turn")
    assert legal(missed, CALLED) == ["discard", "h1 f", "stop"]
    assert (missed.mover, missed.turned) == (0, True)
    stopped = after(missed, CALLED, "stop")
    assert (stopped.mover, stopped.turned, stopped.turn) == (1, False, 3)
    assert stopped.sides == state.sides
    assert stopped.fault is None
    assert legal(stopped, CALLED) == ["h1 f", "turn"]


def test_a_fault_that_ended_the_turn_is_called_by_the_next_player():
    state = position(CALLED, full("AH", CALLED), stock="9S 3D", turned=True)
    ended = after(state, CALLED, "discard")
    assert ended.mover == 1
    assert "stop" in legal(ended, CALLED)
    stopped = after(ended, CALLED, "stop")
    assert (stopped.mover, stopped.turn) == (1, 3)
    assert stopped.other.stock == cards("9S 3D")
    assert stopped.other.waste == ()


def test_the_next_move_waives_the_call():
    state = position(CALLED, full("AH", CALLED), stock="9S 3D")
    done = after(state, CALLED, "turn", "h1 f")
    assert legal(done, CALLED) == ["discard", "r h1", "t h1"]
    assert reason(done, "stop", CALLED) == (
        "The last move missed nothing compulsory: there is no fault to stop."
    )


def test_stopping_a_foundation_move_puts_the_count_of_quiet_turns_back():
    state = position(CALLED, full("AH", CALLED), reserve="KC AC", stock="9S", quiet=7)
    missed = after(state, CALLED, "h1 f")
    assert missed.quiet == -1
    assert "stop" in legal(missed, CALLED)
    assert after(missed, CALLED, "stop").quiet == 8


def test_faults_are_impossible_when_enforced():
    state = position(BANK, full("AH", BANK), stock="9S 3D")
    with pytest.raises(InputError, match="Legal now: h1 f.$"):
        apply(state, TURN, BANK)
    assert reason(state, "stop", BANK) == (
        "Faults can't be made, so that none can be stopped: the rules have stop=enforced."
    )


# Face-down rows


def test_a_face_down_card_is_turned_up_at_once():
    variant = bank("face-down-rows=2", "reserve-to-house=empty")
    state = position(variant, full("5C 7H | 8S/9H/6C", variant), stock="2C")
    assert legal(state, variant) == ["h1 h2", "turn"]
    state = after(state, variant, "h1 h2")
    assert state.houses[0] == House(cards("5C 7H"), 1)
    assert legal(state, variant) == ["h1 h2", "h3 h1", "turn"]
    assert after(state, variant, "h1 h2").houses[0] == House(cards("5C"), 0)


# Zank-Patience


def test_the_stock_card_lies_open_and_nothing_is_compulsory():
    state = position(ZANK, full("AH/9H", ZANK), reserve="8C", stock="AD 8S 3D")
    assert state.turned
    assert legal(state, ZANK) == ["discard", "h1 f", "r h2", "t f"]
    state = after(state, ZANK, "t f")
    assert legal(state, ZANK) == ["discard", "h1 f", "r h2", "t h2"]
    assert reason(state, "turn", ZANK) == "The stock's top card lies open by itself in this game."
    assert reason(state, "pass", ZANK) == "Only with stock and waste both empty can one pass."


def test_the_waste_is_turned_over_in_mid_turn_or_at_the_next_one():
    state = position(ZANK, full("9H", ZANK), stock="8S", waste="4C 3D")
    played = after(state, ZANK, "t h1")
    assert (played.own.stock, played.own.waste) == (cards("4C 3D"), ())
    assert played.turned
    ended = after(state, ZANK, "discard")
    assert ended.other.waste == cards("4C 3D 8S")
    back = after(ended, ZANK, "discard")
    assert back.own.stock == cards("4C 3D 8S")


def test_must_play_own_bars_the_end_of_the_turn():
    variant = zank("must-play=own")
    state = position(variant, full("9H", variant), reserve="8C", stock="2D 3D")
    assert legal(state, variant) == ["r h1"]
    assert reason(state, "discard", variant).startswith("The reserve's or the stock's card has")
    idle = position(variant, full("9H/8S/9D", variant), reserve="7C", stock="2D 3D")
    assert legal(idle, variant) == ["discard", "h2 h1", "h2 h3"]
    load = position(variant, full("9H", variant), reserve="7C", stock="2D", other_waste="3D")
    assert legal(load, variant) == ["t ow"]


def test_seen_rule_sends_house_ends_up_first():
    variant = zank("seen-rule=yes")
    state = position(variant, full("AH/9H", variant), reserve="AC", stock="AD 8S")
    assert legal(state, variant) == ["h1 f"]
    freed = legal(after(state, variant, "h1 f"), variant)
    assert freed == ["discard", "r f", "r h1", "t f", "t h1"]


# Ends


def test_the_game_is_won_in_mid_turn():
    state = position(BANK, full("9H/AH", BANK), reserve="", stock="8S", up="AH AH", turned=True)
    state = after(state, BANK, "t h1")
    assert state.outcome == Outcome(0, Ending.WON)
    assert standing(state) == "first"
    assert legal(replace(state, turn=3), BANK) == []
    assert standing(replace(state, turn=3)) == "second"
    assert reason(state, "turn", BANK) == "The game is over."
    with pytest.raises(InputError, match=r"^The game is over\.$"):
        apply(state, TURN, BANK)


def test_no_position_comes_twice_in_a_turn():
    state = position(BANK, full("9H/9D/KS 8S", BANK), stock="2C", reserve="KC")
    assert legal(state, BANK) == ["h3 h1", "h3 h2", "turn"]
    state = after(state, BANK, "h3 h1")
    assert reason(state, "h1 h2", BANK) is None
    state = after(state, BANK, "h1 h2")
    # Back on the first nine would be the position of a moment ago.
    assert legal(state, BANK) == ["turn"]
    assert reason(state, "h2 h1", BANK) == (
        "The position that this leads to was there in this turn already."
    )


def test_swapping_equal_houses_is_no_new_position():
    state = position(ZANK, full("9H 8S/9H", ZANK), stock="2C")
    assert legal(state, ZANK) == ["discard"]


def test_a_position_that_begins_a_turn_again_is_a_draw():
    state = position(BANK, full("", BANK), other_stock="")
    state = after(state, BANK, "pass")
    assert state.outcome is None
    state = after(state, BANK, "pass")
    assert state.outcome == Outcome(None, Ending.REPETITION)
    assert standing(state) == "draw"
    assert legal_moves(state, BANK) == []


def test_the_first_turn_without_loads_is_another_position():
    state = position(BANK, full("", BANK), other_stock="", turn=0)
    state = after(state, BANK, "pass", "pass")
    assert state.outcome is None
    assert after(state, BANK, "pass").outcome == Outcome(None, Ending.REPETITION)


def test_a_foundation_card_counts_the_quiet_turns_anew():
    state = position(ZANK, full("AH", ZANK), stock="2C 3C", other_stock="2D 3D", quiet=150)
    state = after(state, ZANK, "h1 f")
    assert state.quiet == -1
    state = after(state, ZANK, "discard")
    assert state.quiet == 0
    assert after(state, ZANK, "discard").quiet == 1


def test_two_hundred_quiet_turns_are_a_draw():
    state = position(ZANK, full("", ZANK), stock="2C 3C", other_stock="2D", quiet=QUIET_TURNS - 2)
    state = after(state, ZANK, "discard")
    assert state.outcome is None
    state = after(state, ZANK, "discard")
    assert state.outcome == Outcome(None, Ending.QUIET)


# Who begins


@pytest.mark.parametrize(
    ("starter", "own", "other", "houses", "begins"),
    [
        ("first", "2C", "9C", "", 0),
        ("high-reserve", "2C", "9C", "", 1),
        ("high-reserve", "9C", "2C", "", 0),
        ("low-reserve", "2C", "9C", "", 0),
        ("low-reserve", "9C", "2C", "", 1),
        ("high-reserve", "9C", "9D", "3C/4C/5C/6C/3D/4D/6D/2D", 1),
        ("low-reserve", "9C", "9D", "3C/4C/5C/6C/3D/4D/6D/2D", 0),
        ("high-reserve", "9C", "9D", "3C/4C/5C/6C/3D/4D/5D/6D", 0),
        ("low-reserve", "9C", "9D", "3C/4C/5C/6C/3D/4D/5D/6D", 0),
    ],
)
def test_who_begins(starter, own, other, houses, begins):
    variant = bank(f"starter={starter}")
    state = position(variant, houses, reserve=own, other=other, mover=0)
    assert first_player(state, variant) == begins


# Small decks, bad moves


def test_a_small_table_has_fewer_houses():
    variant = zank(size=Size(ranks=4, suits=2, houses=2, reserve=2))
    state = position(variant, "3C/2D", reserve="2D", other="")
    assert legal(state, variant) == ["h2 h1", "pass", "r h1"]
    assert reason(state, "r h3", variant) == "There is no house h3: they are h1 to h2."


def test_packs_too_small_for_the_table_are_refused():
    with pytest.raises(InputError, match="A pack of 4 cards is too small: .* take 17"):
        zank(size=Size(ranks=1))
    with pytest.raises(InputError, match="houses=3 can't be played"):
        Size(houses=3)
    with pytest.raises(InputError, match="ranks=14 can't be played: give 1 to 13"):
        Size(ranks=14)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("r f", Move("r", "f")),
        (" H2  to h5 ", Move("h2", "h5")),
        ("t OW", Move("t", "ow")),
        ("h8 or", Move("h8", "or")),
        ("turn", TURN),
        ("Discard", DISCARD),
        ("pass", PASS),
        ("stop", STOP),
    ],
)
def test_moves_are_read(text, move):
    assert parse_move(text) == move
    assert parse_move(str(move)) == move


@pytest.mark.parametrize(
    "text", ["", "r", "f r", "h0 f", "or h1", "turn h1", "r f f", "h10 f", "x"]
)
def test_unreadable_moves_say_how_moves_are_written(text):
    with pytest.raises(InputError, match="is not a move: write a source"):
        parse_move(text)


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("h2 f", "House h2 is empty."),
        ("h9 f", "There is no house h9: they are h1 to h8."),
        ("t f", "No stock card is open."),
        ("r h9", "There is no house h9: they are h1 to h8."),
        ("h1 h1", "9H is in house h1 already."),
        ("h1 f", "9H does not go up: the foundations of ♥ take 3 and A next."),
        ("discard", "No stock card is open: turn one first."),
        (
            "h1 or",
            "9H does not go on KD, the top of the opponent's reserve: it takes the same "
            "suit, one rank higher or lower.",
        ),
    ],
)
def test_why_a_move_is_illegal(move, words):
    state = position(CALLED, "9H", reserve="KC", stock="2C", up="AH 2H")
    assert reason(state, move, CALLED) == words


def test_an_empty_reserve_and_an_open_card_are_named():
    state = position(CALLED, "9H", reserve="", stock="2C", turned=True)
    assert reason(state, "r h1", CALLED) == "The reserve of player 0 is empty."
    assert reason(state, "turn", CALLED) == "2C is turned already: play or discard it."
    assert reason(position(CALLED, "9H"), "turn", CALLED) == (
        "Stock and waste are empty: there is no card to turn."
    )
