"""Proof-number search (df-pn) over a graph of positions: which one to expand next. Kernels.

After Nagai's depth-first proof-number search, with the greatest child's number plus one for each
further child in place of sums, which count a position several times where ways join.

What a search finds on its way can depend on the way: a position that is on it already counts as no
win, or, within a turn of the opponent's, as no way out. Such a result is kept only beside the
positions on the way that it came from, and never written into the numbers. That is for the good of
the search; verdicts rest on `judge_values`, which knows nothing of ways.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from winnable.arrays import ByteArray, IntArray, LongArray
from winnable.duel.moves import DISCARD, MAX_MOVES
from winnable.duel.position_graph import (
    EXPANDED,
    NONE,
    POSITIONS,
    WON,
    Graph,
    cards_left,
    expand,
    has_room,
)
from winnable.duel.state import Codes
from winnable.jit import inlined, kernel, lean_kernel

# The number of what can't be proved.
INFINITE = 1 << 28
# No position on the way matters.
NOWHERE = 1 << 30
# A way can be so long, in moves; results at its end depend on this limit.
MAX_WAY = 10_000
LIMIT = -1

# Results beside the way: none, the player can't win, he does.
OPEN, LOST, WON_HERE = 0, 1, 2

# Why a search came back.
SETTLED, NO_ROOM, SLICE, NODES, STOPPED = range(5)


class Numbers(NamedTuple):
    """The search's numbers for one player, by position.

    proofs, disproofs: int32: how many positions have to be won, at least, for a proof that he wins
        and that he doesn't; heuristic until one of them is 0.
    known: int64, shape (1,): how many positions have numbers.
    """

    proofs: IntArray
    disproofs: IntArray
    known: LongArray


class Way(NamedTuple):
    """The moves from the root to the present position; arrays by depth, `MAX_WAY` long.

    numbers: int32: the positions.
    most_proofs, most_disproofs: int32: numbers at which the search goes back.
    chosen: int32: the edge that it took, counted from the position's first.
    turn_starts: int32: the depth at which the turn began.
    results, depends: int8 and int32, shape (MAX_WAY, MAX_MOVES): results of edges that hold only
        beside the way, and the depth that they depend on.
    depths: int32, by position: one more than its depth on the way, 0 elsewhere.
    """

    numbers: IntArray
    most_proofs: IntArray
    most_disproofs: IntArray
    chosen: IntArray
    turn_starts: IntArray
    results: ByteArray
    depends: IntArray
    depths: IntArray


class Sum(NamedTuple):
    """A position's numbers from those of its children.

    proof, disproof: the numbers.
    best: the edge to take, counted from the first.
    second: the second best of the numbers by which it was chosen.
    others: open children besides one.
    depends: when one of the numbers is 0, the depth that this depends on.
    """

    proof: int
    disproof: int
    best: int
    second: int
    others: int
    depends: int


def new_numbers() -> Numbers:
    """Numbers of no position; see `with_numbers`."""
    return Numbers(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(1, np.int64))


def new_way() -> Way:
    """A way for a graph of no positions; see `with_depths`."""
    return Way(
        np.zeros(MAX_WAY, np.int32),
        np.zeros(MAX_WAY, np.int32),
        np.zeros(MAX_WAY, np.int32),
        np.zeros(MAX_WAY, np.int32),
        np.zeros(MAX_WAY, np.int32),
        np.zeros((MAX_WAY, MAX_MOVES), np.uint8),
        np.zeros((MAX_WAY, MAX_MOVES), np.int32),
        np.zeros(0, np.int32),
    )


def with_numbers(numbers: Numbers, graph: Graph) -> Numbers:
    """The numbers with room for as many positions as the graph."""
    more = np.zeros(len(graph.movers) - len(numbers.proofs), np.int32)
    return numbers._replace(
        proofs=np.concatenate([numbers.proofs, more]),
        disproofs=np.concatenate([numbers.disproofs, more]),
    )


def with_depths(way: Way, graph: Graph) -> Way:
    """The way, empty, with room for as many positions as the graph."""
    return way._replace(depths=np.zeros(len(graph.movers), np.int32))


@lean_kernel
def number_new(graph: Graph, numbers: Numbers, player: int) -> None:
    """First numbers for positions that have none: the more cards somebody has, the further off."""
    for number in range(numbers.known[0], graph.counts[POSITIONS]):
        if number < WON:
            is_won = number == player
            numbers.proofs[number] = 0 if is_won else INFINITE
            numbers.disproofs[number] = INFINITE if is_won else 0
        else:
            numbers.proofs[number] = 1 + cards_left(graph, number, player)
            numbers.disproofs[number] = 1 + cards_left(graph, number, 1 - player)
    numbers.known[0] = graph.counts[POSITIONS]


@lean_kernel
def search(
    graph: Graph,
    codes: Codes,
    numbers: Numbers,
    way: Way,
    player: int,
    max_expanded: int,
    max_steps: int,
    stop: LongArray,
) -> int:
    """Look for a proof that the player wins from position `WON`, or that he doesn't.

    Returns `SETTLED` when the root's numbers say so, which is not a proof yet; `NO_ROOM`, `SLICE`
    after `max_steps` steps, `NODES` when as many positions of the graph are expanded as are
    allowed, or `STOPPED`. The search goes on where it was when it is called again.
    """
    number_new(graph, numbers, player)
    reason = SETTLED
    depth, steps = 0, 0
    enter(graph, way, 0, WON, INFINITE, INFINITE, 0)
    while depth >= 0:
        at = np.int64(way.numbers[depth])
        if reason == SETTLED:
            steps += 1
            if stop[0] != 0:
                reason = STOPPED
            elif steps > max_steps:
                reason = SLICE
            elif graph.edge_starts[at] == NONE:
                if graph.counts[EXPANDED] >= max_expanded:
                    reason = NODES
                elif not has_room(graph):
                    reason = NO_ROOM
                else:
                    expand(graph, codes, np.int64(at))
                    number_new(graph, numbers, player)
                    way.results[depth, : graph.edge_counts[at]] = OPEN
        if graph.edge_starts[at] == NONE:
            # Its numbers are the first ones still.
            way.depths[at] = 0
            depth -= 1
            continue
        found = summed(graph, numbers, way, depth, player)
        is_decided = found.proof == 0 or found.disproof == 0
        is_too_deep = not is_decided and depth == MAX_WAY - 1
        if is_decided and found.depends >= depth:
            numbers.proofs[at], numbers.disproofs[at] = found.proof, found.disproof
        elif not is_decided and not is_too_deep:
            numbers.proofs[at] = min(found.proof, INFINITE - 1)
            numbers.disproofs[at] = min(found.disproof, INFINITE - 1)
        goes_back = (
            is_decided
            or is_too_deep
            or reason != SETTLED
            or found.proof >= way.most_proofs[depth]
            or found.disproof >= way.most_disproofs[depth]
        )
        if not goes_back:
            descend(graph, way, depth, player, found)
            depth += 1
            continue
        way.depths[at] = 0
        depth -= 1
        if depth >= 0 and (is_too_deep or (is_decided and found.depends <= depth)):
            edge = way.chosen[depth]
            way.results[depth, edge] = WON_HERE if is_decided and found.proof == 0 else LOST
            way.depends[depth, edge] = LIMIT if is_too_deep else found.depends
    return reason


@kernel
def widen(graph: Graph, codes: Codes, numbers: Numbers, player: int, most: int) -> int:
    """Expand positions nearest to the root that are reached through undecided ones.

    Where many ways lead in circles the search goes over the same positions again and again; this
    gets it on. Expands up to `most`, fewer without room or when there are no more; returns how
    many.
    """
    positions = graph.counts[POSITIONS]
    is_queued = np.zeros(positions, np.uint8)
    queue = np.empty(positions, np.int32)
    queue[0] = WON
    is_queued[WON] = 1
    size, done, expanded = 1, 0, 0
    while done < size and expanded < most and has_room(graph):
        at = np.int64(queue[done])
        done += 1
        if graph.edge_starts[at] == NONE:
            expand(graph, codes, at)
            expanded += 1
            continue
        start = graph.edge_starts[at]
        for edge in range(start, start + np.int64(graph.edge_counts[at])):
            end = np.int64(graph.edge_ends[edge])
            is_decided = numbers.proofs[end] == 0 or numbers.disproofs[end] == 0
            if is_queued[end] == 0 and not is_decided:
                is_queued[end] = 1
                queue[size] = end
                size += 1
    number_new(graph, numbers, player)
    return expanded


@inlined
def enter(
    graph: Graph,
    way: Way,
    depth: int,
    number: int,
    most_proofs: int,
    most_disproofs: int,
    turn_start: int,
) -> None:
    """Put a position at the end of the way."""
    way.numbers[depth] = number
    way.most_proofs[depth] = most_proofs
    way.most_disproofs[depth] = most_disproofs
    way.turn_starts[depth] = turn_start
    way.depths[number] = depth + 1
    way.results[depth, : max(0, graph.edge_counts[number])] = OPEN


@lean_kernel
def descend(graph: Graph, way: Way, depth: int, player: int, found: Sum) -> None:
    """Go on to the best child, until it is no longer the best or the position's limits are met."""
    at = np.int64(way.numbers[depth])
    way.chosen[depth] = found.best
    edge = graph.edge_starts[at] + found.best
    most_proofs = np.int64(way.most_proofs[depth])
    most_disproofs = np.int64(way.most_disproofs[depth])
    if graph.movers[at] == player:
        most_proofs = min(most_proofs, found.second + 1)
        most_disproofs -= found.others if most_disproofs < INFINITE else 0
    else:
        most_disproofs = min(most_disproofs, found.second + 1)
        most_proofs -= found.others if most_proofs < INFINITE else 0
    is_new_turn = graph.edge_moves[edge] >= DISCARD
    turn_start = depth + 1 if is_new_turn else np.int64(way.turn_starts[depth])
    following = np.int64(graph.edge_ends[edge])
    enter(graph, way, depth + 1, following, most_proofs, most_disproofs, turn_start)


@lean_kernel
def summed(graph: Graph, numbers: Numbers, way: Way, depth: int, player: int) -> Sum:
    """A position's numbers from those of its children, as they are on this way."""
    at = np.int64(way.numbers[depth])
    start = graph.edge_starts[at]
    is_players = graph.movers[at] == player
    # `least` is the number that the mover wants low, `other` the reverse one.
    least, second, best = INFINITE, INFINITE, 0
    greatest, open_children = 0, 0
    # What a result depends on that needs one child, and one that needs all of them.
    one_depends, all_depends = LIMIT, NOWHERE
    for child in range(np.int64(graph.edge_counts[at])):
        end = np.int64(graph.edge_ends[start + child])
        proof, disproof = np.int64(numbers.proofs[end]), np.int64(numbers.disproofs[end])
        depends = NOWHERE
        if proof != 0 and disproof != 0:
            result = np.int64(way.results[depth, child])
            if result != OPEN:
                depends = np.int64(way.depends[depth, child])
            elif way.depths[end] != 0:
                depends = np.int64(way.depths[end]) - 1
                is_in_turn = not is_players and depends >= way.turn_starts[depth]
                result = WON_HERE if is_in_turn else LOST
            if result != OPEN:
                proof = 0 if result == WON_HERE else INFINITE
                disproof = INFINITE - proof
        low, high = (proof, disproof) if is_players else (disproof, proof)
        if low == 0:
            one_depends = max(one_depends, depends)
        if high == 0:
            all_depends = min(all_depends, depends)
        else:
            open_children += 1
            greatest = max(greatest, high)
        if low < least:
            least, second, best = low, least, child
        elif low < second:
            second = low
    others = max(0, open_children - 1)
    most = min(INFINITE - 1, greatest + others) if open_children > 0 else 0
    if least == 0:
        most = INFINITE
    depends = one_depends if least == 0 else all_depends
    proof, disproof = (least, most) if is_players else (most, least)
    return Sum(proof, disproof, best, second, others, depends)
