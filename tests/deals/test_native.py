"""The numbering `winnable`: its page in docs/numbering.md, and its randomness."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numba import config

from winnable.cards import parse_card
from winnable.deals import NUMBERINGS, fill_packs, shuffled_double_pack, shuffled_pack
from winnable.deals.native import game_tag

WINNABLE = NUMBERINGS["winnable"]
PAGE = (Path(__file__).parents[2] / "docs" / "numbering.md").read_text(encoding="utf-8")
LAST = 2**64 - 1
GAMES = ("tripeaks", "canfield", "spider")
# Deals in which a word is rejected, found by search: one in seven million deals has such a word.
REJECTING = (("tripeaks", 669500), ("tripeaks", 2216453), ("canfield", 3444002))


def block(language: str) -> str:
    (text,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return text


def documented_vectors():
    for line in block("text").splitlines():
        key, _, cards = line.partition(": ")
        game, number = key.split()
        yield game, int(number), [parse_card(card) for card in cards.split()]


def reference_deal(game: str, number: int, packs: int = 1) -> list[int]:
    names: dict = {}
    exec(block("python"), names)
    return [parse_card(card) for card in names["deal"](game, number, packs)]


def compiled(game: str, number: int) -> list[int]:
    packs = np.empty((1, 52), np.uint8)
    fill_packs(WINNABLE, number, game, packs)
    return packs[0].tolist()


def test_the_page_has_the_promised_vectors():
    promised = [(game, number) for game in GAMES for number in (0, 1, LAST)]
    listed = [(game, number) for game, number, _ in documented_vectors()]
    assert listed == promised + list(REJECTING[:2])


@pytest.mark.parametrize(("game", "number", "cards"), list(documented_vectors()))
def test_documented_vectors(game, number, cards):
    if game == "spider":
        assert shuffled_double_pack(WINNABLE, number, game) == cards
        assert reference_deal(game, number, packs=2) == cards
        return
    assert shuffled_pack(WINNABLE, number, game) == cards
    assert compiled(game, number) == cards
    assert reference_deal(game, number) == cards


def test_the_documented_program_takes_about_twenty_lines():
    assert len([line for line in block("python").splitlines() if line.strip()]) <= 21


@pytest.mark.parametrize(("game", "number"), REJECTING)
def test_a_rejected_word(game, number):
    assert shuffled_pack(WINNABLE, number, game) == compiled(game, number)
    assert shuffled_pack(WINNABLE, number, game) == reference_deal(game, number)


def test_two_packs_as_documented_on_other_deals():
    for number in range(7, 2**64, 2**59):
        expected = reference_deal("zank", number, packs=2)
        assert shuffled_double_pack(WINNABLE, number, "zank") == expected


def test_the_documented_program_on_other_deals():
    for number in range(7, 2**64, 2**59):
        assert shuffled_pack(WINNABLE, number, "zank") == reference_deal("zank", number)


def test_game_tag_is_fnv_1a():
    # From the test vectors of the hash's authors.
    assert game_tag("") == 0xCBF29CE484222325
    assert game_tag("a") == 0xAF63DC4C8601EC8C
    assert game_tag("foobar") == 0x85944171F73967E8


def test_games_and_neighbouring_numbers_share_no_prefix():
    games = ("tripeaks", "canfield", "spider", "russian-bank", "zank")
    for number in (0, 1, 2, 17, 32000, 2**32, 2**63, LAST - 1):
        packs = [shuffled_pack(WINNABLE, number, game) for game in games]
        packs.append(shuffled_pack(WINNABLE, number + 1, "tripeaks"))
        for one, other in combinations(packs, 2):
            assert one[:6] != other[:6]
            # The shuffle draws for the end of the pack first.
            assert one[-6:] != other[-6:]


@pytest.mark.parametrize("first", [0, 10**12, 2**64 - 20_000])
def test_every_card_is_as_likely_at_every_position(first):
    count = 400 if config.DISABLE_JIT else 20_000
    packs = np.empty((count, 52), np.uint8)
    fill_packs(WINNABLE, first, "tripeaks", packs)
    seen = np.zeros((52, 52))
    for position in range(52):
        seen[position] = np.bincount(packs[:, position], minlength=52)
    expected = count / 52
    chi_square = ((seen - expected) ** 2 / expected).sum()
    # 51 * 51 degrees of freedom, scaled by 52 / 51; standard deviation about 72. Six of them.
    assert abs(chi_square - 51 * 52) < 6 * 74


def test_pairs_of_neighbouring_cards_are_equally_likely():
    count = 400 if config.DISABLE_JIT else 20_000
    packs = np.empty((count, 52), np.uint8)
    fill_packs(WINNABLE, 0, "canfield", packs)
    pairs = packs[:, :-1].astype(np.int64) * 52 + packs[:, 1:]
    seen = np.bincount(pairs.ravel(), minlength=52 * 52).reshape(52, 52)
    assert (np.diag(seen) == 0).all()
    expected = count * 51 / (52 * 51)
    deviations = (seen[~np.eye(52, dtype=bool)] - expected) / expected**0.5
    assert abs((deviations**2).mean() - 1) < 6 * (2 / deviations.size) ** 0.5
