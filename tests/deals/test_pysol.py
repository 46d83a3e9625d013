"""The numbering `pysol`."""

from random import Random

from winnable.cards import card_name
from winnable.deals import NUMBERINGS, shuffled_double_pack, shuffled_pack
from winnable.deals.packs import pysol_pack

PYSOL, MS = NUMBERINGS["pysol"], NUMBERINGS["ms"]


def test_small_numbers_are_microsofts_deals():
    for number in (1, 2, 617, 31999):
        assert shuffled_pack(PYSOL, number, "canfield") == shuffled_pack(MS, number, "canfield")
    assert shuffled_pack(PYSOL, 32000, "canfield") != shuffled_pack(MS, 32000, "canfield")


def test_small_numbers_are_microsofts_deals_with_two_packs_too():
    for number in (1, 31999):
        assert shuffled_double_pack(PYSOL, number, "spider") == shuffled_double_pack(
            MS, number, "spider"
        )
    assert shuffled_double_pack(PYSOL, 32000, "spider") != shuffled_double_pack(MS, 32000, "spider")


def test_a_long_number_shuffles_two_packs_as_pythons_generator_does():
    """From the sorted packs: swaps from the end, dealt from the end."""
    random = Random(10**20)
    expected = 2 * pysol_pack()
    for last in range(103, 0, -1):
        other = int(random.random() * (last + 1))
        expected[last], expected[other] = expected[other], expected[last]
    assert shuffled_double_pack(PYSOL, 10**20, "spider") == expected[::-1]


def test_the_unshuffled_pack():
    names = [card_name(card) for card in pysol_pack()]
    assert names[::13] == ["AC", "AS", "AH", "AD"]
    assert names[12::13] == ["KC", "KS", "KH", "KD"]
