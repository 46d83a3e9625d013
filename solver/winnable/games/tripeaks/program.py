"""The graph of masks laid out for the exact pass over many deals: one flat list of integers.

The pass reads each edge into a mask once, at that mask, so that an edge's *slot* in the table of
reaches can be used again afterwards: 11,650 slots serve 119,364 edges, so that the table for 64
deals takes 0.7 MB in place of 7.6 MB, and stays in the faster caches.

Masks of a level with equally many edges in and out stand together, so that the loops of the pass
run with fixed counts and their branches are predicted.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from winnable.arrays import IntArray, LongArray
from winnable.games.tripeaks.graph import PLACES, Graph, tripeaks_graph
from winnable.jit import kernel

# Edges out of one mask that the pass handles at once; more do not fit the registers.
WIDEST_BLOCK = 5


class Program(NamedTuple):
    """The steps of the pass.

    code: int32, for each mask in turn: slots of the edges in, their places, slots of the edges
        out, their places.
    groups: int32, shape (g, 3): edges in, edges out, number of masks.
    first_slots, first_places: int32: the edges out of the full tableau.
    last_slots: int32: the edges into the empty tableau.
    slots: how many slots there are.
    edges: how many edges the pass computes.
    """

    code: IntArray
    groups: IntArray
    first_slots: IntArray
    first_places: IntArray
    last_slots: IntArray
    slots: int
    edges: int


@kernel
def assign_slots(graph: Graph, order: IntArray, slot: IntArray, free: IntArray) -> int:
    """Give each edge a slot, taking those of edges already read; return how many are needed.

    Parameters
    ----------
    graph: see `Graph`.
    order: int32, shape (masks,): the masks in the order of the pass.
    slot: int32, shape (edges,), overwritten.
    free: int32, shape (edges,), work space.
    """
    free_count = 0
    used = 0
    for mask in order:
        for edge in range(graph.first_out[mask], graph.first_out[mask + 1]):
            if free_count > 0:
                free_count -= 1
                slot[edge] = free[free_count]
            else:
                slot[edge] = used
                used += 1
        # Only now: the edges out are written while the edges in are still read.
        for i in range(graph.first_in[mask], graph.first_in[mask + 1]):
            free[free_count] = slot[graph.in_edge[i]]
            free_count += 1
    return used


@cache
def tripeaks_program() -> Program:
    """Build the program, once a process."""
    graph = tripeaks_graph()
    into, out = np.diff(graph.first_in), np.diff(graph.first_out)
    cards_left = np.sum(graph.masks[:, None] >> np.arange(PLACES) & 1, axis=1)
    order = np.lexsort((into, out, -cards_left)).astype(np.int32)
    slot, free = np.empty((2, len(graph.place)), np.int32)
    slots = assign_slots(graph, order, slot, free)
    in_slot = slot[graph.in_edge]
    first, last = int(order[0]), int(order[-1])
    inner = order[1:-1]
    first_out = slice(graph.first_out[first], graph.first_out[first + 1])
    return Program(
        code=_code(graph, inner, slot, in_slot),
        groups=_groups(cards_left[inner], into[inner], out[inner]),
        first_slots=slot[first_out].copy(),
        first_places=graph.place[first_out].copy(),
        last_slots=in_slot[graph.first_in[last] : graph.first_in[last + 1]].copy(),
        slots=int(slots),
        edges=len(graph.place),
    )


def _code(graph: Graph, order: IntArray, slot: IntArray, in_slot: IntArray) -> IntArray:
    """`Program.code` for these masks; slots by edge, and by edge in the order of `in_edge`."""
    into = np.diff(graph.first_in)[order]
    out = np.diff(graph.first_out)[order]
    size = 2 * (into + out)
    at = np.cumsum(size) - size
    # Where the slots of each mask's edges stand in the code; their places stand behind them.
    at_in, at_out = _ranges(at, into), _ranges(at + 2 * into, out)
    edge_in, edge_out = _ranges(graph.first_in[order], into), _ranges(graph.first_out[order], out)
    code = np.empty(size.sum(), np.int32)
    code[at_in] = in_slot[edge_in]
    code[at_in + np.repeat(into, into)] = graph.in_place[edge_in]
    code[at_out] = slot[edge_out]
    code[at_out + np.repeat(out, out)] = graph.place[edge_out]
    return code


def _groups(cards_left: LongArray, into: IntArray, out: IntArray) -> IntArray:
    """`Program.groups`: runs of masks of one level with as many edges in and out."""
    shapes = np.stack([cards_left, into, out], axis=1)
    starts = np.flatnonzero(np.any(shapes[1:] != shapes[:-1], axis=1)) + 1
    bounds = np.concatenate(([0], starts, [len(shapes)]))
    groups = np.stack([*shapes[bounds[:-1], 1:].T, np.diff(bounds)], axis=1)
    return groups.astype(np.int32)


def _ranges(starts: IntArray, counts: IntArray) -> LongArray:
    """For each start, as many consecutive integers as its count, all in one array."""
    ends = np.cumsum(counts, dtype=np.int64)
    ranges: LongArray
    ranges = np.arange(ends[-1]) + np.repeat(starts - (ends - counts), counts)
    return ranges
