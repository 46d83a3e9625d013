"""Spider as the command line uses it: replays in words."""

import subprocess
import sys

import pytest
from plain_spider import position

from winnable.cards import card_name
from winnable.deals import NUMBERINGS
from winnable.errors import InputError
from winnable.games.spider import GAME
from winnable.games.spider.game import in_words
from winnable.games.spider.rules import apply, complete_run, parse_move

FOUR, RELAXED = GAME.rules.resolve(), GAME.rules.resolve("relaxed-four-suit")
DEAL = GAME.deal(NUMBERINGS["pysol"], 1, FOUR)
MOVES = [
    ("move 1 from 6 to 1", "move 7H from column 6 to column 1, on 8H; turns up 2D in column 6"),
    ("move 1 from 6 to 10", "move 2D from column 6 to column 10, on 3S; turns up 7C in column 6"),
    (
        "deal",
        "deal a row: QH 9S 2S QH 3C AS 4S KS 6D TD (40 cards left in the stock)",
    ),
]


def words(state, move, rules=FOUR):
    move = parse_move(move)
    return in_words(move, state, apply(state, move, rules))


def test_a_replay_says_what_to_do():
    replay = GAME.replay(DEAL, FOUR, [move for move, _ in MOVES])
    assert (replay.problem, replay.won) == (None, False)
    assert [(step.move, step.words) for step in replay.steps] == MOVES
    assert replay.steps[0].before == GAME.draw(DEAL, FOUR)
    assert "stock (40):" in replay.after


def test_words_for_runs_and_empty_columns():
    hearts = complete_run(2)
    rest = " ".join(map(card_name, hearts[:-1]))
    state = position([f"4C | {rest}", "9D | 3H 2H AH", *["KC"] * 7], finished=(0, 0, 1, 0))
    assert words(state, "move 3 from 2 to 10") == (
        "move 3H 2H AH from column 2 to column 10, which is empty; turns up 9D in column 2"
    )
    assert words(state, "move 1 from 2 to 1") == (
        "move AH from column 2 to column 1, on 2H; a run of hearts is complete and leaves; "
        "turns up 4C in column 1"
    )
    spades = rest.replace("H", "S")
    state = position([rest, spades, *["KC"] * 8], "AH AS 2C 2C 2C 2C 2C 2C 2C 2C")
    assert words(state, "deal") == (
        "deal a row: AH AS 2C 2C 2C 2C 2C 2C 2C 2C (0 cards left in the stock); a run of hearts "
        "is complete and leaves; a run of spades is complete and leaves"
    )


def test_a_replay_stops_at_the_first_illegal_move():
    replay = GAME.replay(DEAL, FOUR, ["move 1 from 6 to 1", "move 1 from 6 to 1", "deal"])
    assert [step.move for step in replay.steps] == ["move 1 from 6 to 1"]
    assert replay.problem == "2D does not go on 7H."
    with pytest.raises(InputError) as caught:
        GAME.replay(DEAL, FOUR, ["deal", "turn"])
    assert str(caught.value).startswith("Move 2 (turn) can't be read: 'turn' is not a move:")


def test_a_replay_to_the_end():
    rest = " ".join(map(card_name, complete_run(3)[:-1]))
    text = "\n".join([f"1: {rest}", "2: AS", *(f"{i}: --" for i in range(3, 11)), "stock: --"])
    [state] = GAME.parse_deals(f"{text}\nfinished: KC KC KD KD KH KH KS")
    replay = GAME.replay(state, FOUR, ["Move 1  from 2 to 1"])
    assert (replay.won, replay.problem) == (True, None)
    assert replay.steps[0].move == "move 1 from 2 to 1"
    assert replay.steps[0].words.endswith("a run of spades is complete and leaves")
    assert replay.after.startswith("complete runs (8): ")


def test_a_deal_by_the_wrong_rules_is_refused():
    for call in (
        lambda rules: GAME.draw(DEAL, rules),
        lambda rules: GAME.replay(DEAL, rules, ["deal"]),
    ):
        with pytest.raises(InputError, match="it needs rules with suits=4"):
            call(GAME.rules.resolve("one-suit"))


def test_the_words_about_the_game():
    assert "Layout:" in GAME.rules_text
    assert "Won:" in GAME.rules_text
    for text in (GAME.rules_text, GAME.deal_format, GAME.move_format):
        assert max(map(len, text.splitlines())) <= 100
    assert GAME.highest_scores(FOUR) == {}
    assert GAME.describe_score({}) == "All eight runs leave the table."
    with pytest.raises(InputError, match="no way to write a deal of Spider for solvitaire"):
        GAME.foreign_text(DEAL, "solvitaire")


def test_dealing_and_replaying_load_neither_numpy_nor_numba():
    program = """
import sys
from winnable.deals import NUMBERINGS
from winnable.games.spider import GAME
for name in GAME.numberings:
    for rule_set in GAME.rules.names:
        rules = GAME.rules.resolve(rule_set)
        deal = GAME.deal(NUMBERINGS[name], 7, rules)
        assert GAME.parse_deals(GAME.format_deal(deal)) == [deal]
        GAME.replay(deal, rules, ["deal"])
sys.exit(any(name in sys.modules for name in ("numpy", "numba")))
"""
    paths = f"import sys; sys.path[:0] = {sys.path!r}\n"
    assert subprocess.run([sys.executable, "-c", paths + program]).returncode == 0
