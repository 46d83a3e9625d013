"""What makes a Spider position promising: one table of weights, and variants of it."""

from __future__ import annotations

import math
import random
from typing import NamedTuple

ROW_COUNT = 5
STAGE_COUNT = ROW_COUNT + 1


class Term(NamedTuple):
    """One weight: its name, what the points are for, and its value by rows dealt (0 to 5)."""

    name: str
    meaning: str
    points: tuple[int, int, int, int, int, int]


# Found by trying, see `benchmarks/spider_tuning.py`. "off_suit" is below 0 although such joins dig
# out cards: what they dig out is counted apart, and a join for nothing only covers a card.
TERMS = (
    Term("same_suit", "a card on the next higher one of its suit", (80,) * 6),
    Term("run_length", "that join, for each card of the run it goes on", (4,) * 6),
    Term("off_suit", "a card on the next higher one of another suit", (-50,) * 6),
    Term("broken", "a card on one of no neighbouring rank", (-30,) * 6),
    Term("rising", "that, when the card is the higher one", (-20,) * 6),
    Term("above_lower", "a card with a lower rank in its column", (-12, -12, -12, -12, -24, -24)),
    Term("face_down", "a face-down card", (-75, -75, -75, -75, -50, -50)),
    Term("open_king", "a column without face-down cards on a king", (90,) * 6),
    Term("open", "another column without face-down cards, over the number of its runs", (170,) * 6),
    Term("first_empty", "the first empty column", (220,) * 6),
    Term("further_empty", "each further empty column", (180,) * 6),
    Term("finished", "a run that has left the table", (1300,) * 6),
    Term("noise", "numbers of points, from 0, that a hash of the position adds", (8,) * 6),
)
# The usual weights, and other ones: per cent of each term, in the order of the table. These were
# drawn at random and kept for what they win together of deals that the usual ones lose, see
# `benchmarks/spider_variants.py`. Each by itself is about as good as the usual ones or a bit worse.
VARIANTS = (
    (100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100),
    (50, 115, 155, 65, 125, 110, 85, 130, 75, 120, 75, 115, 100),
    (95, 85, 100, 100, 110, 115, 75, 110, 105, 60, 50, 115, 100),
    (90, 150, 110, 130, 120, 120, 65, 130, 75, 150, 140, 220, 100),
    (65, 85, 160, 50, 95, 55, 105, 80, 55, 105, 170, 105, 100),
    (120, 100, 55, 160, 50, 110, 70, 120, 65, 85, 105, 120, 100),
    (115, 155, 55, 65, 100, 105, 155, 125, 85, 120, 140, 110, 100),
    (90, 80, 170, 95, 80, 85, 85, 105, 105, 60, 95, 115, 100),
    (85, 60, 165, 125, 45, 105, 190, 130, 120, 115, 140, 75, 100),
    (55, 95, 50, 100, 95, 130, 155, 125, 70, 75, 80, 100, 100),
    (85, 60, 150, 110, 85, 80, 80, 165, 105, 110, 90, 85, 100),
    (95, 85, 30, 70, 135, 120, 145, 105, 70, 90, 70, 115, 100),
)
VARIANT_COUNT = len(VARIANTS)
# How far tables that are drawn at random go from the usual one: the logarithm of a factor for a
# term, and of a further one for two rows dealt; and per cent of "off_suit", which may change sign.
DRAWN_TERM, DRAWN_STAGES, DRAWN_OFF_SUIT = 0.9, 0.45, (-50, 200)


def percents_of(variant: int) -> list[tuple[float, ...]]:
    """A variant's per cent of each term, for each number of rows dealt.

    Those behind `VARIANTS` are drawn at random, the same ones for the same number.
    """
    if variant < VARIANT_COUNT:
        return [VARIANTS[variant]] * STAGE_COUNT
    chance = random.Random(variant)
    whole = {term.name: _factor(chance, DRAWN_TERM) for term in TERMS}
    whole |= {"off_suit": chance.uniform(*DRAWN_OFF_SUIT) / 100, "noise": 1}
    parts = [{term.name: _factor(chance, DRAWN_STAGES) for term in TERMS} for _ in range(3)]
    return [
        tuple(
            100 * whole[term.name] * (1 if term.name == "noise" else parts[stage // 2][term.name])
            for term in TERMS
        )
        for stage in range(STAGE_COUNT)
    ]


def _factor(chance: random.Random, most: float) -> float:
    return math.exp(chance.uniform(-most, most))
