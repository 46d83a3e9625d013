"""Positions as text, both ways, and what is said of a wrong one."""

import random
from dataclasses import replace

import pytest
from duel_agreement import WINNABLE, all_variants, without_past
from duel_positions import after, bank, zank

from winnable.duel.deal import numbered_deal
from winnable.duel.game import DUELS, get_duel
from winnable.duel.rules import (
    apply,
    begun,
    legal_moves,
)
from winnable.duel.tables import Size, variant_of
from winnable.duel.text import draw, format_position, parse_positions, position_to_json
from winnable.errors import InputError

BANK, ZANK = bank(), zank()
DEAL = format_position(numbered_deal(WINNABLE, 1, BANK), BANK)


def parsed(text, variant=BANK):
    (state,) = parse_positions(text, variant)
    return state


def changed(label, words):
    """The deal with another line of this label; without it for None."""
    lines = []
    for line in DEAL.splitlines():
        if not line.startswith(label):
            lines.append(line)
        elif words is not None:
            lines.append(f"{label}: {words}")
    return "\n".join(lines)


def line_of(label):
    (line,) = [line for line in DEAL.splitlines() if line.startswith(label)]
    return line.removeprefix(f"{label}: ")


# Both ways


@pytest.mark.parametrize("game", list(DUELS))
def test_a_deal_is_six_lines(game):
    variant = variant_of(game)
    state = numbered_deal(WINNABLE, 12345, variant)
    text = format_position(state, variant)
    assert [line.rpartition(":")[0] for line in text.splitlines()] == [
        f"player {player}: {pile}" for player in (0, 1) for pile in ("reserve", "houses", "stock")
    ]
    assert parsed(text, variant) == state


def test_positions_of_every_variant_survive_text():
    chance = random.Random(2)
    for number, variant in enumerate(all_variants()[::7]):
        state = numbered_deal(WINNABLE, number, variant)
        for _ in range(40):
            if state.outcome is not None:
                break
            read = parsed(format_position(state, variant), variant)
            assert read == begun(replace(state, fault=None), variant, state.mover)
            assert without_past(read) == without_past(replace(state, fault=None))
            state = apply(state, chance.choice(legal_moves(state, variant)), variant)


def test_several_positions_comments_symbols_and_other_line_ends():
    text = DEAL.replace("10", "T").replace("TS", "10s").replace("AH", "a♥")
    text = f"# two deals\n{text}\n\n\n# the second\n{DEAL}\n".replace("\n", "\r\n")
    assert parse_positions(text, BANK) == [parsed(DEAL)] * 2


def test_lines_go_on_and_labels_may_be_written_loosely():
    loose = DEAL.replace("player 0: stock: ", "PLAYER 0 stock:\n  ").replace(
        "reserve:", "Reserve :"
    )
    assert parsed(loose) == parsed(DEAL)


def test_who_is_to_move_may_be_said():
    assert parsed(f"{DEAL}\nto move: player 1").mover == 1
    state = parsed(f"{DEAL}\nto move: player 1")
    assert parsed(format_position(state, BANK)) == state


def test_a_position_without_a_turn_is_none_of_the_first():
    state = after(numbered_deal(WINNABLE, 1, BANK), BANK, "h2 f", "h3 f", "r h2")
    text = "\n".join(x for x in format_position(state, BANK).splitlines() if x[:5] != "turn:")
    assert parsed(text).turn == 2


# What is wrong


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "There is no deal in this text"),
        ("5H 6H", "Line 1: cards stand before the first label"),
        (DEAL + "\ncolumn 1: 5H", "Line 7: 'column 1' is not the name of a line here; known: "),
        (DEAL + "\nplayer 0: stock: --", "Line 7: 'player 0: stock' comes twice in one position"),
        (changed("player 1: stock", None), "Deal in line 1: the line 'player 1: stock: …' is miss"),
        (changed("player 1: houses", None), "the line 'player 1: houses: …' is missing"),
        (changed("player 0: reserve", "5X"), "Deal in line 1: line 1: '5X' is not a card"),
        (changed("player 0: houses", "AS AC JC"), "has 3 cards; it should have 4. Longer houses "),
        (DEAL + "\nhouse 1: 5H", "a line 'player 0: houses: …' and also 'house 1: …'"),
        (DEAL + "\nto move: player 2", "'to move: player 2' names no player"),
        (DEAL + "\nturn: x", "'turn: x' is not a number"),
        (DEAL + "\nturn: 99999999\nto move: 0", "turns are counted from 0 to 21000"),
        (DEAL + "\nstock card: up", "'stock card: up' should be 'open' or 'covered'"),
        (DEAL + "\nplayer 0: seen stock: --", "and also 'player 0: seen stock: …'"),
        (DEAL + "\nplayer 0: waste: 5H --", "stands for an empty pile, alone"),
        (DEAL + "\nplayer 0: waste: 5H | 6H", "there is a bar in the line 'player 0: waste: …'"),
        (DEAL + "\nturn: 3\nquiet: 200\nto move: 0", "quiet ones from -1 to 199"),
        (DEAL.replace("3H\n", "3H |\n", 1), "the last card in the line 'player 0: reserve: …' is"),
        (DEAL.replace("TS", "| TS |", 1), "there are two bars in the line 'player 0: reserve: …'"),
    ],
)
def test_what_is_wrong_is_said(text, words):
    with pytest.raises(InputError) as caught:
        parse_positions(text, BANK)
    assert words in str(caught.value)


def test_too_many_of_a_card():
    reserve = line_of("player 0: reserve").split()
    doubled = " ".join([reserve[1], *reserve[1:]])
    with pytest.raises(InputError) as caught:
        parsed(changed("player 0: reserve", doubled))
    assert str(caught.value) == (
        "Deal in line 1: There are 2D more than twice; AH less than twice."
    )
    with pytest.raises(InputError, match="There are 105 cards instead of 104; .* more than twice"):
        parsed(changed("player 0: reserve", " ".join(["AH", *reserve])) + "\nto move: player 0")
    with pytest.raises(InputError, match="There are 105 cards instead of 104; .* more than twice"):
        parsed(changed("player 0: reserve", " ".join(["AH", *reserve])))


def test_packs_of_a_fresh_deal_are_each_players_own():
    ours, theirs = line_of("player 0: houses"), line_of("player 1: houses")
    text = changed("player 0: houses", theirs).splitlines()
    text[4] = f"player 1: houses: {ours}"
    with pytest.raises(InputError, match="a pack of his own, but player 0 has .* more than once"):
        parsed("\n".join(text))


def test_cards_of_a_larger_deck():
    small = zank(size=Size(ranks=4, suits=2, houses=2, reserve=2))
    text = format_position(numbered_deal(WINNABLE, 1, small), small)
    with pytest.raises(InputError, match="KH, which is not in this deck"):
        parsed(text.replace("4C", "KH", 1), small)


def middle(**lines):
    """A position in mid-game in which all is up but three pairs of kings and one of queens."""
    up = " ".join(f"{rank}{suit}" for suit in "CDHS" for rank in "A23456789TJQ" for _ in "12")
    base = {
        "foundations": up,
        "player 0: reserve": "KC",
        "player 0: stock": "KC",
        "player 1: reserve": "KD",
        "player 1: stock": "KD",
        "to move": "player 0",
        "house 1": "KH",
        "house 2": "KH",
        "house 3": "KS",
        "house 4": "KS",
        **{f"house {number}": "--" for number in range(5, 9)},
    }
    base |= lines
    return "\n".join(f"{label}: {words}" for label, words in base.items() if words is not None)


def test_a_position_in_mid_game():
    state = parsed(middle())
    assert state.foundations == ((12, 12),) * 4
    assert [str(move) for move in legal_moves(state, BANK)] == ["r f"]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ({"to move": None}, "The line 'to move: player 0' or 'to move: player 1' is missing."),
        ({"house 2": "KS", "house 3": "KH KS", "house 4": "--"}, "House h3 has KS on KH, but"),
        ({"house 1": "KH |", "house 2": "KH"}, "House h1 has 1 face-down cards; with face-down-"),
        ({"player 0: reserve": "--", "player 1: reserve": "KC KD", "player 0: stock": "--",
          "player 1: stock": "KD KC", "to move": "player 1"}, "Player 0 has no cards left"),
        ({"player 0: stock": "--", "player 0: waste": "KC", "stock card": "open"},
         "The stock of player 0 is empty: no card of it can be open."),
        ({"foundations": "AC 3C"}, "The foundations of ♣ can't hold A 3: each of the two builds"),
        ({"house 8": None}, "the line 'house 8: …' is missing"),
        ({"chance": "99999999999999999999"}, "is no number from 0 to 18446744073709551615"),
    ],
)  # fmt: skip
def test_positions_that_no_game_has(lines, words):
    with pytest.raises(InputError) as caught:
        parsed(middle(**lines))
    assert words in str(caught.value)


def test_face_down_rows_need_house_lines():
    variant = bank("face-down-rows=1")
    with pytest.raises(InputError, match="with face-down-rows=1 lines 'house 1: …' to 'house 8"):
        parsed(DEAL, variant)
    with pytest.raises(InputError, match="House h1 has only face-down cards"):
        parsed(middle(**{"house 1": "KH |"}), variant)


def test_more_in_a_reserve_than_can_be_loaded():
    small = zank(size=Size(ranks=2, suits=2, houses=2, reserve=0))
    lines = """\
    foundations: --
    house 1: --
    house 2: --
    player 0: reserve: AC AC AD AD
    player 0: stock: --
    player 1: reserve: 2C 2C 2D
    player 1: stock: 2D
    to move: player 0"""
    with pytest.raises(InputError, match="reserve of player 0 has 4 cards; .* there are at most 3"):
        parsed(lines, small)


# Shown to people


def test_the_table_drawn():
    state = numbered_deal(WINNABLE, 1, bank("face-down-rows=1"))
    assert draw(state) == (
        "turn 1: player 0 to move\n"
        "player 1: reserve (13) 7♥, stock (31), waste (0) --\n"
        "foundations (0): --♣ --♣ --♦ --♦ --♥ --♥ --♠ --♠\n"
        "h1: ## J♣\nh2: ## Q♣\nh3: ## 3♦\nh4: ## 5♦\n"
        "h5: ## J♠\nh6: ## Q♠\nh7: ## J♦\nh8: ## 9♠\n"
        "player 0: reserve (13) 3♥, stock (31), waste (0) --"
    )


def test_the_headline_tells_of_stops_wins_and_draws():
    called = bank("stop=called")
    state = parsed(middle(), called)
    assert "the last move can be stopped" in draw(after(state, called, "turn"))
    assert draw(after(state, called, "r f", "turn", "t f")).startswith("turn 3: player 0 has won")
    state = after(parsed(middle(), ZANK), ZANK, "discard", "discard")
    assert draw(state).startswith("turn 5: player 0 to move\n")


def test_json_has_every_pile():
    state = after(numbered_deal(WINNABLE, 1, ZANK), ZANK, "discard")
    found = position_to_json(state)
    assert found["players"][1]["waste"] == ["3H"]
    assert [len(side["stock"]) for side in found["players"]] == [35, 34]
    assert found["houses"][0] == {"cards": ["QS"], "face_down": 0}
    assert (found["to_move"], found["turn"], found["outcome"]) == (0, 1, None)


# The games' words


@pytest.mark.parametrize("game", list(DUELS))
def test_every_game_has_its_words(game):
    duel = get_duel(game)
    assert duel.name == game
    assert len(duel.rules_text) > 1000
    assert max(map(len, duel.rules_text.splitlines())) <= 100
    for part in ("Layout:", "Play:", "A turn:", "Won:"):
        assert part in duel.rules_text
    for word in ("discard", "pass", "or the opponent's reserve"):
        assert word in duel.move_format
    known = {parameter.name for parameter in duel.rules.parameters}
    assert all(set(duel.rules.values_of(row)) == known for row in duel.rules.rule_sets)
    values = [duel.rules.values_of(row) for row in duel.rules.rule_sets]
    assert all(values.count(row) == 1 for row in values)


def test_unknown_names():
    with pytest.raises(InputError, match="There is no two-player game 'zanc'. Did you mean zank"):
        get_duel("zanc")
    with pytest.raises(InputError, match="There is no two-player game 'bank'"):
        variant_of("bank")
    with pytest.raises(InputError, match="value of rule parameter load"):
        zank("load=all")
