"""Games in progress as JSON, and saves that are refused."""

import json
import random

import pytest
from duel_agreement import WINNABLE
from duel_positions import bank, zank

from winnable.duel.deal import numbered_deal
from winnable.duel.rules import (
    apply,
    legal_moves,
)
from winnable.duel.save import read_save, write_save
from winnable.errors import InputError

BANK = bank()


def played(variant, length=40):
    chance = random.Random(4)
    start = state = numbered_deal(WINNABLE, 9, variant)
    moves = []
    for _ in range(length):
        moves.append(chance.choice(legal_moves(state, variant)))
        state = apply(state, moves[-1], variant)
    return start, moves, state


@pytest.mark.parametrize("variant", [BANK, bank("stop=called", "redeal=shuffle"), zank()], ids=str)
def test_a_save_has_the_past_too(variant):
    game = played(variant)
    assert read_save(write_save(*game[:2], variant), variant) == game


@pytest.mark.parametrize(
    ("variant", "words"),
    [
        (zank(), "This is a saved game of russian-bank, not of zank."),
        (bank("house-build=suit"), "other rules: house-build=colour there, house-build=suit here."),
    ],
)
def test_a_save_of_other_rules_is_refused(variant, words):
    with pytest.raises(InputError) as caught:
        read_save(write_save(*played(BANK)[:2], BANK), variant)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"moves": ["turn", "r f"]}, "Move 2 (r f): "),
        ({"moves": ["turn", "up"]}, "Move 2 (up): 'up' is not a move"),
        ({"moves": [1]}, "'moves' is not a list of texts"),
        ({"moves": None}, "'moves' is missing or of another kind"),
        ({"position": ["player 0: reserve: 5H"]}, "is missing"),
        ({"size": {}}, "other rules: ranks=None there, ranks=13 here"),
    ],
)
def test_a_damaged_save(change, words):
    save = json.loads(write_save(*played(BANK)[:2], BANK))
    with pytest.raises(InputError) as caught:
        read_save(json.dumps(save | change), BANK)
    assert words in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '{"game": 3}'])
def test_no_save_at_all(text):
    with pytest.raises(InputError, match="This is no saved game: "):
        read_save(text, BANK)


def test_a_save_of_two_positions():
    save = json.loads(write_save(*played(BANK)[:2], BANK))
    save["position"] += ["", *save["position"]]
    with pytest.raises(InputError, match="A save has one position; here are 2"):
        read_save(json.dumps(save), BANK)
