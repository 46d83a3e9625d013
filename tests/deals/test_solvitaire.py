"""The numbering `solvitaire`."""

import numpy as np

from winnable.cards import card_name
from winnable.deals import NUMBERINGS, fill_packs, shuffled_pack
from winnable.deals.solvitaire import sorted_pack

SOLVITAIRE = NUMBERINGS["solvitaire"]
# Found by search, the only one below six million: the draw for 21 cards rejects an output.
REJECTING_SEED = 5257882


def test_a_rejected_output():
    packs = np.empty((3, 52), np.uint8)
    fill_packs(SOLVITAIRE, REJECTING_SEED - 1, "canfield", packs)
    for row in range(3):
        expected = shuffled_pack(SOLVITAIRE, REJECTING_SEED - 1 + row, "canfield")
        assert packs[row].tolist() == expected


def test_the_unshuffled_pack():
    names = " ".join(card_name(card) for card in sorted_pack())
    assert names.startswith("AC AH AS AD 2C 2H 2S 2D 3C ")
    assert names.endswith(" KC KH KS KD")


def test_it_is_not_the_shuffle_of_aisleriot():
    assert shuffled_pack(SOLVITAIRE, 1, "any") != shuffled_pack(NUMBERINGS["aisleriot"], 1, "any")
