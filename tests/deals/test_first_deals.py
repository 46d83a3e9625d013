"""Deals as the programs themselves deal them: tests/data/first_deals.txt."""

import re
from pathlib import Path

import numpy as np
import pytest

from winnable.cards import parse_card
from winnable.deals import NUMBERINGS, fill_packs, parse_number, shuffled_pack

LINES = (Path(__file__).parents[1] / "data" / "first_deals.txt").read_text().splitlines()
HEADER = re.compile(
    r"(PySolFC Canfield|PySolFC Three Peaks|AisleRiot seed|Solvitaire canfield) (\w+)"
)


def piles_of(text: str) -> dict[str, list[str]]:
    return {name: cards for name, *cards in (part.split() for part in text.split("|"))}


def three_peaks(text: str) -> list[str]:
    piles = piles_of(text)
    return piles["rows"] + piles["waste"] + piles["stock"]


def canfield(text: str) -> list[str]:
    piles = piles_of(text)
    # PySolFC deals the four columns from right to left; the file lists them from left to right.
    return piles["base"] + piles["reserve"] + piles["rows"][::-1] + piles["waste"] + piles["stock"]


def solvitaire(text: str) -> list[str]:
    piles = piles_of(text)
    # The stock is dealt first, and its first card lies at the bottom.
    return piles["stock"][::-1] + piles["reserve"] + piles["tableau"] + piles["base"]


READERS = {
    "PySolFC Canfield": ("pysol", canfield),
    "PySolFC Three Peaks": ("pysol", three_peaks),
    "AisleRiot seed": ("aisleriot", str.split),
    "Solvitaire canfield": ("solvitaire", solvitaire),
}


def vectors():
    """(numbering, number as text, cards in dealing order) of every deal of one pack."""
    for line in LINES:
        match = HEADER.match(line)
        if match is None or "Spider" in line:
            continue
        name, read = READERS[match[1]]
        cards = [parse_card(card) for card in read(line.partition(": ")[2])]
        yield pytest.param(name, match[2], cards, id=match[0])


VECTORS = list(vectors())


def test_all_deals_of_one_pack_are_found():
    assert len(VECTORS) == 3 + 3 + 5 + 3 + 3


@pytest.mark.parametrize(("name", "text", "cards"), VECTORS)
def test_the_program_deals_the_same(name, text, cards):
    numbering, number = parse_number(NUMBERINGS[name], text)
    assert shuffled_pack(numbering, number, "any") == cards
    packs = np.empty((1, 52), np.uint8)
    fill_packs(numbering, number, "any", packs)
    assert packs[0].tolist() == cards
