"""The graph of all tableau masks that Tri-Peaks can reach, the same for every deal.

Bit p of a mask is set while place p holds a card. Of the 2^28 masks only 22,932 can occur, with
119,364 ways to take one open card away. The exact pass works on these *edges*.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from winnable.arrays import BoolArray, IntArray

PLACES = 28
STOCK_CARDS = 24
FULL_MASK = (1 << PLACES) - 1

# Where the cards of each row lie, from left to right, in half cards. Two cards of the next row lie
# on a card: those half a card to its left and to its right.
_ROWS = (
    (3, 9, 15),
    (2, 4, 8, 10, 14, 16),
    (1, 3, 5, 7, 9, 11, 13, 15, 17),
    (0, 2, 4, 6, 8, 10, 12, 14, 16, 18),
)
_SPOTS = [(row, across) for row, spots in enumerate(_ROWS) for across in spots]


class Graph(NamedTuple):
    """Masks in topological order, edges grouped by the mask they leave.

    masks: int32, shape (22932,): the masks, most cards first.
    first_out: int32, shape (22933,): edges first_out[m] to first_out[m + 1] - 1 leave mask m.
    place: int32, shape (119364,): the place that an edge empties.
    source: int32, shape (119364,): the index of the mask that an edge leaves.
    first_in: int32, shape (22933,): where the edges into mask m stand in `in_edge`.
    in_edge, in_place: int32, shape (119364,): edges by the mask they enter, and their places.
    """

    masks: IntArray
    first_out: IntArray
    place: IntArray
    source: IntArray
    first_in: IntArray
    in_edge: IntArray
    in_place: IntArray


# The most edges that any mask has in, or out.
MOST_EDGES = 10


def _open_places(masks: IntArray, place: int) -> BoolArray:
    row, across = _SPOTS[place]
    covering = sum(
        1 << other
        for other, (other_row, other_across) in enumerate(_SPOTS)
        if other_row == row + 1 and abs(other_across - across) == 1
    )
    is_open: BoolArray = masks & (covering | 1 << place) == 1 << place
    return is_open


def _levels() -> list[IntArray]:
    """The reachable masks by number of cards left, from 28 to 0, each level sorted downwards."""
    levels = [np.array([FULL_MASK], np.int32)]
    for _ in range(PLACES):
        masks = levels[-1]
        taken = [masks[_open_places(masks, p)] & ~(1 << p) for p in range(PLACES)]
        levels.append(np.unique(np.concatenate(taken))[::-1].astype(np.int32))
    return levels


@cache
def tripeaks_graph() -> Graph:
    """Build the graph, once a process; well below a tenth of a second."""
    masks = np.concatenate(_levels())
    open_now = np.stack([_open_places(masks, p) for p in range(PLACES)], axis=1)
    source, place = np.nonzero(open_now)
    by_value = np.argsort(masks)
    target = by_value[np.searchsorted(masks[by_value], masks[source] & ~(1 << place))]
    in_edge = np.argsort(target, kind="stable")
    return Graph(
        masks=masks,
        first_out=_offsets(source, len(masks)),
        place=place.astype(np.int32),
        source=source.astype(np.int32),
        first_in=_offsets(target, len(masks)),
        in_edge=in_edge.astype(np.int32),
        in_place=place[in_edge].astype(np.int32),
    )


def _offsets(group: NDArray[np.intp], groups: int) -> IntArray:
    """Where each group begins when items are sorted by group; one more entry for the end."""
    counts = np.bincount(group, minlength=groups)
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
