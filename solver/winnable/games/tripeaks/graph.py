"""The graph of all tableau masks that Tri-Peaks can reach, the same for every deal.

Bit p of a mask is set while place p holds a card. Of the 2^28 masks only 22,932 can occur, with
119,364 ways to take one open card away. The exact pass works on these *edges*.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from winnable.games.tripeaks.rules import COVERED_BY, TABLEAU_SIZE

IntArray: TypeAlias = np.ndarray[Any, np.dtype[np.int32]]

FULL_MASK = (1 << TABLEAU_SIZE) - 1


class Graph(NamedTuple):
    """Masks in topological order, edges grouped by the mask they leave.

    masks: int32, shape (22932,): the masks, most cards first.
    first_out: int32, shape (22933,): edges first_out[m] to first_out[m + 1] - 1 leave mask m.
    card: int32, shape (119364,): the place that an edge empties.
    source: int32, shape (119364,): the index of the mask that an edge leaves.
    first_in: int32, shape (22933,): where the edges into mask m stand in `in_edge`.
    in_edge, in_card: int32, shape (119364,): edges by the mask they enter, and their places.
    """

    masks: IntArray
    first_out: IntArray
    card: IntArray
    source: IntArray
    first_in: IntArray
    in_edge: IntArray
    in_card: IntArray


def _open_places(masks: IntArray, place: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    covering = sum(1 << above for above in COVERED_BY[place])
    is_open: np.ndarray[Any, np.dtype[np.bool_]] = masks & (covering | 1 << place) == 1 << place
    return is_open


def _levels() -> list[IntArray]:
    """The reachable masks by number of cards left, from 28 to 0, each level sorted downwards."""
    levels = [np.array([FULL_MASK], np.int32)]
    for _ in range(TABLEAU_SIZE):
        masks = levels[-1]
        taken = [masks[_open_places(masks, p)] & ~(1 << p) for p in range(TABLEAU_SIZE)]
        levels.append(np.unique(np.concatenate(taken))[::-1].astype(np.int32))
    return levels


@cache
def tripeaks_graph() -> Graph:
    """Build the graph; about 20 ms, once a process."""
    masks = np.concatenate(_levels())
    open_now = np.stack([_open_places(masks, p) for p in range(TABLEAU_SIZE)], axis=1)
    source, card = np.nonzero(open_now)
    by_value = np.argsort(masks)
    target = by_value[np.searchsorted(masks[by_value], masks[source] & ~(1 << card))]
    in_edge = np.argsort(target, kind="stable")
    return Graph(
        masks=masks,
        first_out=_offsets(source, len(masks)),
        card=card.astype(np.int32),
        source=source.astype(np.int32),
        first_in=_offsets(target, len(masks)),
        in_edge=in_edge.astype(np.int32),
        in_card=card[in_edge].astype(np.int32),
    )


def _offsets(group: np.ndarray[Any, np.dtype[np.intp]], groups: int) -> IntArray:
    """Where each group begins when items are sorted by group; one more entry for the end."""
    counts = np.bincount(group, minlength=groups)
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
