"""The graph of masks laid out for the exact pass over many deals: one flat list of integers.

The pass reads each edge into a mask once, at that mask, so that an edge's *slot* in the table of
reaches can be used again afterwards: 11,650 slots serve 119,364 edges, and the table stays in the
processor's second-level cache.

Masks of a level with equally many edges in and out stand together, so that the loops of the pass
run with fixed counts and their branches are predicted.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from winnable.games.tripeaks.graph import PLACES, IntArray, tripeaks_graph
from winnable.jit import kernel

# Cards played from one mask that the pass handles at once; more do not fit the registers.
WIDEST_BLOCK = 5


class Program(NamedTuple):
    """The steps of the pass.

    code: int32, for each mask in turn: slots of the edges in, their cards, slots of the edges out,
        their cards.
    groups: int32, shape (g, 3): edges in, edges out, number of masks.
    first_slots, first_cards: int32: the edges out of the full tableau.
    last_slots: int32: the edges into the empty tableau.
    slots: how many slots there are.
    edges: how many edges the pass computes.
    """

    code: IntArray
    groups: IntArray
    first_slots: IntArray
    first_cards: IntArray
    last_slots: IntArray
    slots: int
    edges: int


@kernel
def assign_slots(
    order: IntArray,
    first_in: IntArray,
    in_edge: IntArray,
    first_out: IntArray,
    slot: IntArray,
    free: IntArray,
) -> int:
    """Give each edge a slot, taking those of edges already read; return how many are needed.

    Parameters
    ----------
    order: int32, shape (masks,): the masks in the order of the pass.
    first_in, in_edge, first_out: see `Graph`.
    slot: int32, shape (edges,), overwritten.
    free: int32, shape (edges,), work space.
    """
    free_count = 0
    used = 0
    for mask in order:
        for edge in range(first_out[mask], first_out[mask + 1]):
            if free_count > 0:
                free_count -= 1
                slot[edge] = free[free_count]
            else:
                slot[edge] = used
                used += 1
        # Only now: the edges out are written while the edges in are still read.
        for i in range(first_in[mask], first_in[mask + 1]):
            free[free_count] = slot[in_edge[i]]
            free_count += 1
    return used


@cache
def tripeaks_program() -> Program:
    """Build the program, once a process."""
    graph = tripeaks_graph()
    into, out = np.diff(graph.first_in), np.diff(graph.first_out)
    cards_left = np.sum(graph.masks[:, None] >> np.arange(PLACES) & 1, axis=1)
    order = np.lexsort((into, out, -cards_left)).astype(np.int32)
    slot, free = np.empty((2, len(graph.card)), np.int32)
    slots = assign_slots(order, graph.first_in, graph.in_edge, graph.first_out, slot, free)
    in_slot = slot[graph.in_edge]
    first, last = int(order[0]), int(order[-1])
    inner = order[1:-1]
    into, out = into[inner], out[inner]
    size = 2 * (into + out)
    # Where in the code each mask begins, and where each of its edges in and out goes.
    at = np.cumsum(size) - size
    place_in, place_out = _ranges(at, into), _ranges(at + 2 * into, out)
    edge_in, edge_out = _ranges(graph.first_in[inner], into), _ranges(graph.first_out[inner], out)
    code = np.empty(size.sum(), np.int32)
    code[place_in] = in_slot[edge_in]
    code[place_in + np.repeat(into, into)] = graph.in_card[edge_in]
    code[place_out] = slot[edge_out]
    code[place_out + np.repeat(out, out)] = graph.card[edge_out]
    shapes = np.stack([cards_left[inner], into, out], axis=1)
    starts = np.flatnonzero(np.any(shapes[1:] != shapes[:-1], axis=1)) + 1
    bounds = np.concatenate(([0], starts, [len(inner)]))
    groups = np.stack([*shapes[bounds[:-1], 1:].T, np.diff(bounds)], axis=1)
    first_out = slice(graph.first_out[first], graph.first_out[first + 1])
    return Program(
        code=code,
        groups=groups.astype(np.int32),
        first_slots=slot[first_out].copy(),
        first_cards=graph.card[first_out].copy(),
        last_slots=in_slot[graph.first_in[last] : graph.first_in[last + 1]].copy(),
        slots=int(slots),
        edges=len(graph.card),
    )


def _ranges(starts: IntArray, counts: IntArray) -> np.ndarray[Any, np.dtype[np.int64]]:
    """For each start, as many consecutive integers as its count, all in one array."""
    ends = np.cumsum(counts, dtype=np.int64)
    ranges: np.ndarray[Any, np.dtype[np.int64]]
    ranges = np.arange(ends[-1]) + np.repeat(starts - (ends - counts), counts)
    return ranges
