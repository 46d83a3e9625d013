"""The exact pass over one deal or position, with its winning line: a kernel in plain scalars.

A state is (tableau mask, card played last, stock cards turned). For one mask and last card it is
never worse to have turned fewer stock cards, as the player with more of them left can turn the
rest from there. So each edge of the graph (mask, card played from it) needs one number, its
*reach*: the fewest stock cards turned when that card can be played from that mask. With g the
least reach of the edges into a mask, a card c is played from it either

* on the card played just before, if the two are neighbours: reach of that edge; or
* on a stock card: the first one after position g that c goes on. Any edge into the mask may come
  before, hence the one with the least reach, g, and the first fitting card after that.

One pass over the masks in topological order therefore decides every deal. The least reach into
the empty tableau is the fewest stock cards that a win needs.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from winnable.games.tripeaks.graph import IntArray
from winnable.jit import kernel

Ranks: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
ByteArray: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]

NEVER = 255
# In place of the waste's top rank, when the waste is empty and takes any card.
ANY_CARD = -1


@kernel
def fits(one: int, other: int, wrap: int) -> bool:
    """Whether two ranks are neighbours; `wrap` 1 makes king and ace so."""
    distance = abs(one - other)
    return distance == 1 or (wrap == 1 and distance == 12)


@kernel
def fill_neighbours(tableau: Ranks, wrap: int, neighbours: ByteArray) -> None:
    """Write 1 for each pair of places whose cards are neighbours, else 0.

    Parameters
    ----------
    tableau: int64, shape (28,): ranks of the places.
    neighbours: uint8, shape (28, 28), overwritten.
    """
    for one in range(len(tableau)):
        for other in range(len(tableau)):
            neighbours[one, other] = fits(tableau[one], tableau[other], wrap)


@kernel
def fill_next_fit(
    tableau: Ranks, stock: Ranks, turned: int, wrap: int, next_fit: ByteArray
) -> None:
    """For each place and stock position, the next position that turns up a card it goes on.

    Parameters
    ----------
    tableau: int64, shape (28,): ranks of the places.
    stock: int64, shape (24,): ranks of the stock; positions before `turned` are not read.
    turned: stock cards turned so far. Position p means that p cards have been turned.
    next_fit: uint8, shape (28, 25), written from column `turned` on; `NEVER` where none comes.
    """
    for place in range(28):
        found = NEVER
        for position in range(24, turned - 1, -1):
            next_fit[place, position] = found
            if position > 0 and fits(stock[position - 1], tableau[place], wrap):
                found = position


@kernel
def fill_reach(
    first_out: IntArray,
    card: IntArray,
    first_in: IntArray,
    in_edge: IntArray,
    in_card: IntArray,
    tableau: Ranks,
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
    first_out, card, first_in, in_edge, in_card: see `Graph`.
    tableau: int64, shape (28,): ranks.
    neighbours, next_fit: from `fill_neighbours` and `fill_next_fit`.
    start: index of the mask at the start.
    top: rank of the waste's top card, or `ANY_CARD`.
    turned: stock cards turned at the start.
    wrap: 1 where king and ace are neighbours.
    reach: uint8, shape (edges,); `NEVER` where the card can't be played from the mask.
    """
    reach[:] = NEVER
    nodes = np.int64(first_out[start + 1]) - np.int64(first_out[start])
    # The edges into the mask at hand; none has more than ten.
    reach_in = np.empty(10, np.int64)
    card_in = np.empty(10, np.int64)
    for edge in range(first_out[start], first_out[start + 1]):
        place = card[edge]
        if top == ANY_CARD or fits(top, tableau[place], wrap):
            reach[edge] = turned
        else:
            reach[edge] = next_fit[place, turned]
    for mask in range(start + 1, first_out.shape[0] - 1):
        least = NEVER
        entering = 0
        for i in range(first_in[mask], first_in[mask + 1]):
            before = np.int64(reach[in_edge[i]])
            if before != NEVER:
                reach_in[entering] = before
                card_in[entering] = in_card[i]
                entering += 1
                least = min(least, before)
        if entering == 0:
            continue
        nodes += np.int64(first_out[mask + 1]) - np.int64(first_out[mask])
        if nodes > max_nodes:
            return -1
        for edge in range(first_out[mask], first_out[mask + 1]):
            place = card[edge]
            best = np.int64(next_fit[place, least])
            for i in range(entering):
                if reach_in[i] < best and neighbours[card_in[i], place] == 1:
                    best = reach_in[i]
            reach[edge] = best
    return int(nodes)


@kernel
def trace_line(
    first_in: IntArray,
    in_edge: IntArray,
    in_card: IntArray,
    card: IntArray,
    source: IntArray,
    start: int,
    neighbours: ByteArray,
    reach: ByteArray,
    places: Ranks,
    positions: Ranks,
) -> int:
    """Walk the line with the fewest stock cards back from the empty tableau.

    Parameters
    ----------
    places: int64, shape (28,): the places played, in order; the line fills the end of it.
    positions: int64, shape (28,): for each play, the stock cards turned by then.

    Returns
    -------
    Where the line begins in `places`, or -1 when the deal is lost.
    """
    at = 28
    mask = first_in.shape[0] - 2
    edge = -1
    while mask != start:
        before = -1
        least, least_edge = NEVER, -1
        for i in range(first_in[mask], first_in[mask + 1]):
            entering = in_edge[i]
            turned = np.int64(reach[entering])
            if turned < least:
                least, least_edge = turned, entering
            same = edge >= 0 and turned == positions[at]
            if same and neighbours[in_card[i], card[edge]] == 1:
                before = entering
        edge = before if before >= 0 else least_edge
        if edge < 0:
            return -1
        at -= 1
        places[at] = card[edge]
        positions[at] = reach[edge]
        mask = source[edge]
    return at
