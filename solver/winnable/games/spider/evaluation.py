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

# Added to every value, so that none is negative; values are cut to 0 … MAX_VALUE.
BASE_VALUE = 12_000
MAX_VALUE = (1 << 15) - 1


def weights_table(off_suit: int | None = None) -> LongArray:
    """The weights, int64 array of shape (stages, terms).

    off_suit: points for a join of two suits, None for those of the table.
    """
    points = [[term.points[stage] for term in TERMS] for stage in range(STAGE_COUNT)]
    table = np.array(points, np.int64)
    if off_suit is not None:
        table[:, OFF_SUIT] = off_suit
    return table


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
