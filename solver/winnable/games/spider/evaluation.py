"""How promising a Spider position is: one table of weights, and the sums made with them.

The value of a position is a sum over its columns, plus what empty columns and finished runs are
worth. A column's value is the sum over its face-up cards of what each is worth where it lies (its
*path*), plus a *standing* for what is left to dig out. So a move changes two columns only, and
each of them by a closed form. Units are points; only differences matter.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from winnable.arrays import LongArray
from winnable.jit import inlined

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
(
    SAME_SUIT,
    RUN_LENGTH,
    OFF_SUIT,
    BROKEN,
    RISING,
    ABOVE_LOWER,
    FACE_DOWN,
    OPEN_KING,
    OPEN,
    FIRST_EMPTY,
    FURTHER_EMPTY,
    FINISHED,
    NOISE,
) = range(len(TERMS))

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

# Added to every value, so that none is negative; values are cut to 0 … MAX_VALUE.
BASE_VALUE = 12_000
MAX_VALUE = (1 << 15) - 1


def weights_table(variant: int = 0) -> LongArray:
    """The weights, int64 array of shape (stages, terms).

    variant: 0 for the usual ones, else one of `VARIANTS`.
    """
    points = [[term.points[stage] for term in TERMS] for stage in range(STAGE_COUNT)]
    percent = np.array(VARIANTS[variant], np.int64)
    return np.rint(np.array(points) * percent / 100).astype(np.int64)


@inlined
def laid_points(weights: LongArray, stage: int, card: int, on: int, run: int, lowest: int) -> int:
    """What a card is worth on the end of a column that is not empty.

    on, run, lowest: the column's last card, the length of the run that it ends, its lowest rank.
    """
    points = 0
    if on == card + 4:
        points += weights[stage, SAME_SUIT] + weights[stage, RUN_LENGTH] * run
    elif (on >> 2) == (card >> 2) + 1:
        points += weights[stage, OFF_SUIT]
    else:
        points += weights[stage, BROKEN]
        if (card >> 2) > (on >> 2):
            points += weights[stage, RISING]
    if (card >> 2) > lowest:
        points += weights[stage, ABOVE_LOWER]
    return int(points)


@inlined
def run_points(
    weights: LongArray, stage: int, rank: int, count: int, joined: int, lowest: int
) -> int:
    """What the cards of a run are worth together on the end of a column, or on an empty one.

    rank, count: of its highest card, and the number of its cards.
    joined: the length of the run that it makes longer, 0 when it does not.
    lowest: the lowest rank of the column, `NO_RANK` of an empty one.
    """
    joins = count if joined > 0 else count - 1
    onto = joined if joined > 0 else 1
    # Each card goes on a run that is one longer than the one before it did.
    lengths = joins * onto + joins * (joins - 1) // 2
    higher = min(max(rank - lowest, 0), count)
    points = joins * weights[stage, SAME_SUIT]
    points += lengths * weights[stage, RUN_LENGTH]
    points += higher * weights[stage, ABOVE_LOWER]
    return int(points)


@inlined
def standing(weights: LongArray, stage: int, hidden: int, on_king: int, runs: int) -> int:
    """What a column that is not empty is worth besides its path."""
    if hidden > 0:
        return int(weights[stage, FACE_DOWN] * hidden)
    if on_king != 0:
        return int(weights[stage, OPEN_KING])
    return int(weights[stage, OPEN] // runs)


@inlined
def empty_points(weights: LongArray, stage: int, empty: int) -> int:
    """What so many empty columns are worth."""
    if empty == 0:
        return 0
    return int(weights[stage, FIRST_EMPTY] + weights[stage, FURTHER_EMPTY] * (empty - 1))
