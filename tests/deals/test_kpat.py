"""The numbering `kpat`; tests/games/spider/test_layout.py has KPat's own deals of two packs."""

from winnable.deals import NUMBERINGS, shuffled_double_pack, shuffled_pack
from winnable.deals.microsoft import shuffled

KPAT, MS = NUMBERINGS["kpat"], NUMBERINGS["ms"]


def test_one_pack_is_microsofts():
    for number in (1, 617, 2**31 - 1):
        assert shuffled_pack(KPAT, number, "tripeaks") == shuffled_pack(MS, number, "tripeaks")


def test_two_packs_begin_in_another_order_than_pysolfcs():
    for number in (1, 617, 2**31 - 1):
        cards = shuffled_double_pack(KPAT, number, "spider")
        assert cards != shuffled_double_pack(MS, number, "spider")
        assert cards == [place % 52 for place in shuffled(list(range(104)), number)]
