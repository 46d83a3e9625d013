"""Best-first search for a way in which a player goes out with the opponent's help: kernels."""

from __future__ import annotations

import numpy as np

from winnable.arrays import IntArray, LongArray
from winnable.duel.moves import QUIET_LIMIT
from winnable.duel.position_graph import (
    EXPANDED,
    NONE,
    WON,
    Graph,
    cards_left,
    cards_up,
    ends_turn,
    expand,
    has_room,
    is_up,
)
from winnable.duel.state import CARD_COUNT, Codes
from winnable.jit import lean_kernel
from winnable.search.open_list import OpenList, lowest_priority, pop, push

# Why a search came back: a way was found, no way is left, or before that.
FOUND, EXHAUSTED, NO_ROOM, NODES, STOPPED = range(5)
# A card of the player's own counts as much as so many that are not yet on foundations.
OWN_WEIGHT = 3
PRIORITIES = (OWN_WEIGHT + 1) * CARD_COUNT + 1


@lean_kernel
def priority_of(graph: Graph, number: int, player: int) -> int:
    """How far a position seems from the player's going out; below `PRIORITIES`."""
    return OWN_WEIGHT * cards_left(graph, number, player) + CARD_COUNT - cards_up(graph, number)


@lean_kernel
def search_helped(
    graph: Graph,
    codes: Codes,
    queue: OpenList,
    befores: IntArray,
    quiets: IntArray,
    drawn: LongArray,
    player: int,
    max_expanded: int,
    stop: LongArray,
) -> int:
    """Expand positions, the most promising first, until the player has gone out.

    queue: the positions that wait, `WON` at first.
    befores: int32, by position: the one that it was first reached from, `NONE` for none; it and
        the queue need room for as many positions as the graph has.
    quiets: int32, by position: on that way to it, the turns that ended since the one in which a
        card last went to a foundation, -1 in that turn; the same room.
    drawn: int64, shape (1,): how many ways were not followed, as a draw by quiet turns ends them.

    The search goes on where it was when it is called again.
    """
    while True:
        priority = lowest_priority(queue)
        if priority == PRIORITIES:
            return EXHAUSTED
        if stop[0] != 0:
            return STOPPED
        if graph.counts[EXPANDED] >= max_expanded:
            return NODES
        if not has_room(graph):
            return NO_ROOM
        at = pop(queue, priority)
        expand(graph, codes, np.int64(at))
        start = graph.edge_starts[at]
        for edge in range(start, start + np.int64(graph.edge_counts[at])):
            end = np.int64(graph.edge_ends[edge])
            if befores[end] != NONE or end == WON:
                continue
            move = np.int64(graph.edge_moves[edge])
            quiet = -1 if is_up(move) else np.int64(quiets[at]) + (1 if ends_turn(move) else 0)
            if quiet >= QUIET_LIMIT - 1:
                drawn[0] += 1
                continue
            befores[end] = at
            quiets[end] = quiet
            if end == player:
                return FOUND
            if end >= WON:
                push(queue, end, priority_of(graph, end, player))
