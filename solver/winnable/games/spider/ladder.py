"""The beams that are tried for a deal of Spider one after the other, and how many by themselves."""

from __future__ import annotations

from typing import NamedTuple


class Rung(NamedTuple):
    """One beam of the ladder.

    width: how many positions it keeps.
    noise_shift: which bits of a position's key are its noise.
    off_suit: points for a join of two suits, None for those of the table of weights.
    """

    width: int
    noise_shift: int = 5
    off_suit: int | None = None


# A second narrow beam with other noise wins as much as one of twice the width, in half the time.
# What is hard for these is tried with other weights: of 27 deals that the first four beams do not
# win (of PySolFC's, from 40001 on) a beam of 1,000 with "off_suit" 0 wins 11 and one of 3,000 wins
# 16, for four times the time; of 13 of them, 1,000 with other noise wins one.
LADDER = (
    Rung(60),
    Rung(200),
    Rung(300, noise_shift=21),
    Rung(1000),
    Rung(1000, off_suit=0),
    Rung(3000),
    Rung(3000, off_suit=-25),
    Rung(12_000),
    Rung(12_000, off_suit=0),
    Rung(40_000, off_suit=-25),
)
# The last rung is for the few deals that are worth it: 10 to 30 seconds where it fails, and a
# gigabyte.
DEFAULT_EFFORT = 9


def _meaning(effort: int) -> str:
    rung = LADDER[effort - 1]
    way = ""
    if rung.width in (before.width for before in LADDER[: effort - 1]):
        way = " with other noise" if rung.off_suit is None else " with other weights"
    usual = "; the default" if effort == DEFAULT_EFFORT else ""
    before = "" if effort == 1 else f"all of {effort - 1}, then "
    return f"{before}a beam of {rung.width:,} positions{way}{usual}"


EFFORTS = {effort: _meaning(effort) for effort in range(1, len(LADDER) + 1)}
