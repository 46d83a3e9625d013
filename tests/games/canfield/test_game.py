"""Canfield as the command line uses it: replays in words, and the score."""

import subprocess
import sys

import pytest

from winnable.deals import NUMBERINGS
from winnable.errors import InputError
from winnable.games.canfield import GAME

AISLERIOT, PYSOL = (GAME.rules.resolve(name) for name in ("aisleriot", "pysol"))
DEAL = GAME.deal(NUMBERINGS["solvitaire"], 1, AISLERIOT)
MOVES = [
    ("up JH", "put JH from column 2 on its foundation; 2C from the reserve fills column 2"),
    (
        "move AH to 2C",
        "move AH from column 4 to column 2 on 2C; 6D from the reserve fills column 4",
    ),
    ("turn", "turn 8H 3C 5D from the stock (31 left)"),
    ("turn", "turn 9D 4C QD from the stock (28 left)"),
    ("up QD", "put QD from the waste on its foundation"),
    *[("turn", None)] * 5,
    ("turn", "turn 3S QS QC from the stock (10 left)"),
]


def test_a_replay_says_what_to_do():
    replay = GAME.replay(DEAL, AISLERIOT, [move for move, _ in MOVES[:5]])
    assert replay.problem is None
    assert not replay.won
    assert [(step.move, step.words) for step in replay.steps] == MOVES[:5]
    assert replay.steps[0].before == GAME.draw(DEAL, AISLERIOT)
    assert replay.after.startswith("foundations from J (3): --♣ Q♦ J♥ --♠")


def test_words_for_runs_returns_and_the_waste():
    text = """
    foundation: 5C 6C 5D 5H 6H 7H 8H 9H TH JH QH KH AH 2H 3H 4H
    reserve: --
    column 1: TD
    column 2: JS
    column 3: 8S 7D
    column 4: --
    stock: --
    waste: 7C 8C 9C TC JC QC KC AC 2C 3C 4C 6D 8D 9D JD QD KD AD 2D 3D 4D 5S 6S 7S 9S TS QS KS AS 2S
        3S 4S"""
    [state] = GAME.parse_deals(text.replace("\n    ", "\n"))
    moves = ["move TD to JS", "move JS to empty", "down 6C to 7D", "redeal", "turn", "up 9C"]
    replay = GAME.replay(state, AISLERIOT, moves)
    assert [step.words for step in replay.steps] == [
        "move TD from column 1 to column 2 on JS",
        "move JS TD from column 2 to column 1, which is empty",
        "move 6C from its foundation to column 3 on 7D",
        "turn the waste over: its 32 cards are the stock again",
        "turn 7C 8C 9C from the stock (29 left)",
    ]
    assert replay.problem == "9C can't go up: its foundation takes 6C next."


def test_a_replay_stops_at_the_first_illegal_move():
    replay = GAME.replay(DEAL, PYSOL, ["turn", "up KD", "turn"])
    assert [step.move for step in replay.steps] == ["turn"]
    assert replay.problem == "KD is covered by 8C."
    with pytest.raises(InputError) as caught:
        GAME.replay(DEAL, PYSOL, ["turn", "play KD"])
    assert str(caught.value).startswith("Move 2 (play KD) can't be read: 'play KD' is not a move:")


def test_the_opening_is_drawn():
    assert "waste (0): empty" in GAME.draw(DEAL, AISLERIOT)
    assert "waste (3): 8♥ 3♣ 5♦\nstock (31): " in GAME.draw(DEAL, PYSOL)


def test_rules_in_words_mention_every_parameter():
    assert GAME.rules.names[0] == "aisleriot"
    assert len(GAME.rules_text.splitlines()) > 10
    assert max(map(len, GAME.rules_text.splitlines())) <= 100


def test_dealing_and_replaying_load_neither_numpy_nor_numba():
    program = """
import sys
from winnable.deals import NUMBERINGS
from winnable.games.canfield import GAME
rules = GAME.rules.resolve()
for name in GAME.numberings:
    deal = GAME.deal(NUMBERINGS[name], 7, rules)
    GAME.parse_deals(GAME.format_deal(deal))
    GAME.replay(deal, rules, ["turn"])
sys.exit(any(name in sys.modules for name in ("numpy", "numba")))
"""
    paths = f"import sys; sys.path[:0] = {sys.path!r}\n"
    assert subprocess.run([sys.executable, "-c", paths + program]).returncode == 0


def test_studies_by_other_rules_go_on_where_only_one_solver_changed():
    versions = {name: GAME.version_for(GAME.rules.resolve(name)) for name in GAME.rules.names}
    assert versions.pop("pysol") == 3
    assert set(versions.values()) == {2}
