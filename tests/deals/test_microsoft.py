"""The numbering `ms`."""

import pytest

from winnable.cards import card_name
from winnable.deals import NUMBERINGS, shuffled_pack

# Number 1 is known from FreeCell; the others are what the package pysol-cards deals, at the first
# number of each of its two further rules and at the last number of all.
FIRST_CARDS = {
    1: "JD 2D 9H JC 5D 7H 7C 5H KD KC 9S 5S",
    2**31: "QH QC 2H 6S 2S 3D KS 8C 3H JD KC 7C",
    2**32: "TS 5S 2S TD 3C AD JC 6D 3S QD 7C 7D",
    2**33 - 1: "TC 2S JS 5S 4D 6H 3H 7C 8S TD TH QS",
}


@pytest.mark.parametrize("number", FIRST_CARDS)
def test_first_cards(number):
    pack = shuffled_pack(NUMBERINGS["ms"], number, "tripeaks")
    assert " ".join(card_name(card) for card in pack[:12]) == FIRST_CARDS[number]
