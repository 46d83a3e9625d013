"""The numbering `pysol`."""

from winnable.cards import card_name
from winnable.deals import NUMBERINGS, shuffled_pack
from winnable.deals.pysol import sorted_pack

PYSOL, MS = NUMBERINGS["pysol"], NUMBERINGS["ms"]


def test_small_numbers_are_microsofts_deals():
    for number in (1, 2, 617, 31999):
        assert shuffled_pack(PYSOL, number, "canfield") == shuffled_pack(MS, number, "canfield")
    assert shuffled_pack(PYSOL, 32000, "canfield") != shuffled_pack(MS, 32000, "canfield")


def test_the_unshuffled_pack():
    names = [card_name(card) for card in sorted_pack()]
    assert names[::13] == ["AC", "AS", "AH", "AD"]
    assert names[12::13] == ["KC", "KS", "KH", "KD"]
