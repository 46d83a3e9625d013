"""The beams that are tried for a deal of Spider one after the other, and how many by themselves."""

from __future__ import annotations

from typing import NamedTuple


class Rung(NamedTuple):
    """One beam of the ladder: its width, and which bits of a position's key are its noise."""

    width: int
    noise_shift: int


# A second narrow beam with other noise wins as much as one of twice the width, in half the time.
LADDER = (
    Rung(60, 5),
    Rung(200, 5),
    Rung(300, 21),
    Rung(1000, 5),
    Rung(3000, 5),
    Rung(3000, 21),
    Rung(12_000, 5),
    Rung(12_000, 21),
    Rung(40_000, 5),
    Rung(40_000, 21),
)
# The last rungs are for the few deals that are worth it: each of the two takes some
# ten seconds where it fails, and half a gigabyte.
DEFAULT_EFFORT = 8


def _meaning(effort: int) -> str:
    width = LADDER[effort - 1].width
    is_second = width in (rung.width for rung in LADDER[: effort - 1])
    way = " with other noise" if is_second else ""
    usual = "; the default" if effort == DEFAULT_EFFORT else ""
    before = "" if effort == 1 else f"all of {effort - 1}, then "
    return f"{before}a beam of {width:,} positions{way}{usual}"


EFFORTS = {effort: _meaning(effort) for effort in range(1, len(LADDER) + 1)}
