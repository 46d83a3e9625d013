"""The beams that are tried for a deal of Spider one after the other, and how many by themselves."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from winnable.games.spider.weights import VARIANT_COUNT

USUAL_NOISE = 5


class Rung(NamedTuple):
    """One beam of the ladder.

    width: how many positions it keeps.
    variant: which table of weights it goes by, 0 for the usual one.
    noise_shift: which bits of a position's key are its noise.
    """

    width: int
    variant: int = 0
    noise_shift: int = USUAL_NOISE


def _beams(width: int, variants: Iterable[int]) -> list[Rung]:
    return [Rung(width, variant) for variant in variants]


_EVERY = range(VARIANT_COUNT)
# Each effort tries the beams of those before it, and then its own. What a beam does not win, others
# of its width by other weights win in less time than wider ones: see `results/README.md`.
LEVELS = (
    _beams(60, [0]),
    _beams(60, range(1, 5)),
    _beams(150, range(5)),
    _beams(300, _EVERY),
    _beams(1000, _EVERY),
    _beams(4000, _EVERY),
    _beams(12_000, _EVERY[:6]),
    _beams(300, range(100, 1100)),
    _beams(1000, range(1100, 1500)),
    _beams(4000, range(1500, 1650)),
)
# The levels above try tables drawn at random. Each takes one to three minutes where it fails.
DEFAULT_EFFORT = 7


def rungs_of(effort: int) -> tuple[Rung, ...]:
    """The beams of an effort in their order."""
    return tuple(chain.from_iterable(LEVELS[:effort]))


def _meaning(effort: int) -> str:
    own = LEVELS[effort - 1]
    width = f"{own[0].width:,} positions"
    beams = f"a beam of {width}" if len(own) == 1 else f"{len(own)} beams of {width}"
    before = "" if effort == 1 else f"all of {effort - 1}, then "
    usual = "; the default" if effort == DEFAULT_EFFORT else ""
    return f"{before}{beams}{usual}"


EFFORTS = {effort: _meaning(effort) for effort in range(1, len(LEVELS) + 1)}
