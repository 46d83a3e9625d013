"""The exact pass over one deal or position, with its winning line: a kernel in plain scalars.

A state is (tableau mask, card on the waste, stock cards turned). Two facts make one number for each
edge of the graph (mask, place played from it) enough: its *reach*, the fewest stock cards turned
when the card at that place can be played from that mask.

1. Of two states that differ only in the stock cards turned, the one with fewer is never worse. It
   follows the other's line play by play, since both have the same waste top and tableau, up to the
   other's first turn; there it turns up to the same stock card, and the two are one state. If the
   other never turns again, both win, and this one with more stock left.
2. A state with a stock card on the waste is (mask, position) alone, whatever was played before. It
   can be reached just when the mask can be, with fewer stock cards turned than that position.

So with g the least reach of the edges into a mask, the card at place p is played from the mask
either

* on the card played just before, if the two are neighbours: at the reach of that edge; or
* on a stock card: the first one after position g that it goes on.

The start of play is one more state, with a card on the waste that came by no edge (or none, under
``waste=empty``); the edges out of its mask are filled from it. Masks that hold a card which is gone
at the start are never reached.

One pass over the masks in topological order therefore decides every deal, and the least reach into
the empty tableau is the fewest stock cards that a win needs.
"""

from __future__ import annotations

import numpy as np

from winnable.arrays import ByteArray, LongArray
from winnable.cards import KING
from winnable.games.tripeaks.graph import MOST_EDGES, PLACES, STOCK_CARDS, Graph
from winnable.jit import kernel

NEVER = 255
# In place of the waste's top rank, when the waste is empty and takes any card.
ANY_CARD = -1


@kernel
def fits(one: int, other: int, wrap: int) -> bool:
    """Whether two ranks are neighbours; `wrap` 1 makes king and ace so."""
    distance = abs(one - other)
    return distance == 1 or (wrap == 1 and distance == KING)


@kernel
def fill_neighbours(tableau: LongArray, wrap: int, neighbours: ByteArray) -> None:
    """Write 1 for each pair of places whose cards are neighbours, else 0.

    Parameters
    ----------
    tableau: int64, shape (28,): ranks of the places.
    neighbours: uint8, shape (28, 28), overwritten.
    """
    for one in range(PLACES):
        for other in range(PLACES):
            neighbours[one, other] = fits(tableau[one], tableau[other], wrap)


@kernel
def fill_next_fit(
    tableau: LongArray, stock: LongArray, turned: int, wrap: int, next_fit: ByteArray
) -> None:
    """For each place and stock position, the next position that turns up a card it goes on.

    Parameters
    ----------
    tableau: int64, shape (28,): ranks of the places.
    stock: int64, shape (24,): ranks of the stock; positions before `turned` are not read.
    turned: stock cards turned so far. Position p means that p cards have been turned.
    next_fit: uint8, shape (28, 25), written from column `turned` on; `NEVER` where none comes.
    """
    for place in range(PLACES):
        found = NEVER
        for position in range(STOCK_CARDS, turned - 1, -1):
            next_fit[place, position] = found
            if position > 0 and fits(stock[position - 1], tableau[place], wrap):
                found = position


@kernel
def fill_reach(
    graph: Graph,
    tableau: LongArray,
    neighbours: ByteArray,
    next_fit: ByteArray,
    start: int,
    top: int,
    turned: int,
    wrap: int,
    max_nodes: int,
    reach: ByteArray,
) -> int:
    """Fill the reach of every edge at or after mask `start`; return how many were looked at.

    Returns -1 when that would be more than `max_nodes`, and then the reaches are not to be used.

    Parameters
    ----------
    graph: see `Graph`.
    tableau: int64, shape (28,): ranks.
    neighbours, next_fit: from `fill_neighbours` and `fill_next_fit`.
    start: index of the mask at the start.
    top: rank of the waste's top card, or `ANY_CARD`.
    turned: stock cards turned at the start.
    wrap: 1 where king and ace are neighbours.
    reach: uint8, shape (edges,); `NEVER` where the card can't be played from the mask.
    """
    reach[:] = NEVER
    # The edges into the mask at hand.
    reach_in = np.empty(MOST_EDGES, np.int64)
    place_in = np.empty(MOST_EDGES, np.int64)
    nodes = 0
    for mask in range(start, len(graph.masks)):
        first, last = np.int64(graph.first_out[mask]), np.int64(graph.first_out[mask + 1])
        least = NEVER
        entering = 0
        for i in range(graph.first_in[mask], graph.first_in[mask + 1]):
            before = np.int64(reach[graph.in_edge[i]])
            if before != NEVER:
                reach_in[entering] = before
                place_in[entering] = graph.in_place[i]
                entering += 1
                least = min(least, before)
        if entering == 0 and mask != start:
            continue
        nodes += last - first
        if nodes > max_nodes:
            return -1
        for edge in range(first, last):
            place = graph.place[edge]
            if mask == start:
                if top == ANY_CARD or fits(top, tableau[place], wrap):
                    reach[edge] = turned
                else:
                    reach[edge] = next_fit[place, turned]
                continue
            best = np.int64(next_fit[place, least])
            for i in range(entering):
                if reach_in[i] < best and neighbours[place_in[i], place] == 1:
                    best = reach_in[i]
            reach[edge] = best
    return int(nodes)


@kernel
def trace_line(
    graph: Graph,
    start: int,
    neighbours: ByteArray,
    reach: ByteArray,
    places: LongArray,
    positions: LongArray,
) -> int:
    """Walk the line with the fewest stock cards back from the empty tableau.

    Parameters
    ----------
    graph, start, neighbours, reach: see `fill_reach`.
    places: int64, shape (28,): the places played, in order; the line fills the end of it.
    positions: int64, shape (28,): for each play, the stock cards turned by then.

    Returns
    -------
    Where the line begins in `places`, or -1 when the deal is lost.
    """
    at = PLACES
    mask = len(graph.masks) - 1
    edge = -1
    while mask != start:
        before = -1
        least, least_edge = NEVER, -1
        for i in range(graph.first_in[mask], graph.first_in[mask + 1]):
            entering = np.int64(graph.in_edge[i])
            turned = np.int64(reach[entering])
            if turned < least:
                least, least_edge = turned, entering
            same = edge >= 0 and turned == positions[at]
            if same and neighbours[graph.in_place[i], graph.place[edge]] == 1:
                before = entering
        # Without such a play before it, the card goes on a stock card just turned.
        edge = before if before >= 0 else least_edge
        if edge < 0:
            return -1
        at -= 1
        places[at] = graph.place[edge]
        positions[at] = reach[edge]
        mask = np.int64(graph.source[edge])
    return at
