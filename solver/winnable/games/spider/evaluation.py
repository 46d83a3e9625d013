"""How promising a Spider position is: the sums made with the table of weights.

The value of a position is a sum over its columns, plus what empty columns and finished runs are
worth. A column's value is the sum over its face-up cards of what each is worth where it lies (its
*path*), plus a *standing* for what is left to dig out. So a move changes two columns only, and
each of them by a closed form. Units are points; only differences matter.
"""

from __future__ import annotations

import numpy as np

from winnable.arrays import LongArray
from winnable.games.spider.weights import STAGE_COUNT, TERMS, percents_of
from winnable.jit import inlined

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


def weights_table(variant: int = 0) -> LongArray:
    """The weights, int64 array of shape (stages, terms).

    variant: 0 for the usual ones, else see `percents_of`.
    """
    points = np.array([[term.points[stage] for term in TERMS] for stage in range(STAGE_COUNT)])
    table: LongArray = np.rint(points * percents_of(variant) / 100).astype(np.int64)
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
