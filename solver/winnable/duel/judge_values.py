"""What a graph of positions decides: who can force a win, whatever the past was. Kernels.

Verdicts rest on this module alone; the search only chooses which positions are expanded.

Let W be the least set of positions such that

* a position in which the player has gone out is in W;
* one where he is to move is in W when one of its moves leads into W;
* one where his opponent is to move is in W when all ways to leave its *group* lead into W. A group
  is a largest set of positions that lead to each other by moves between houses, within a turn.

Then W holds just the positions from which he forces a win when no position is repeated, for

* in W he wins: he moves, in the order in which positions joined, always to an earlier one, and any
  way out of a group of the opponent's leads to an earlier one as well. So no position comes twice,
  and no draw by repetition is met. The opponent has to leave each group in the end, as no position
  recurs within a turn; from every position some move that is not between houses is legal, so that
  he is never without a move.
* outside of W he doesn't win: the opponent has a way out of each group to a position outside of W,
  and each of the player's own moves stays outside. Repetitions can only make such a game a draw.
  A position in a group can be visited on the way out without a recurrence, as a shortest way has
  none, and the opponent follows it from where he came into the group.

The rule that no position recurs within a turn takes nothing from the player either: his way through
W is without repetition.

There remains the draw after 200 quiet turns, which only takes wins away. Every position of W has a
height, the most turns that can end on the player's way before a card goes to a foundation or the
game is won, and a position does not join when its height is above what is always allowed.

Where not every position is expanded, the others are counted as lost for a proof that he wins, and
as won for a proof that he does not; the second needs no heights.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from winnable.arrays import IntArray, LongArray
from winnable.duel.moves import QUIET_LIMIT
from winnable.duel.position_graph import (
    EDGES,
    NONE,
    POSITIONS,
    WON,
    Graph,
    ends_turn,
    is_between_houses,
    is_up,
)
from winnable.jit import inlined, kernel

# Turns may end so often between two foundation cards without a draw: the one with the first of
# them is counted, and the draw comes when the count that begins with it reaches `QUIET_LIMIT`.
MOST_HEIGHT = QUIET_LIMIT - 1
# Joined, as far as is known, in a proof that a player wins; and in one that he does not.
FOR_WIN, AGAINST_WIN = 0, 1


class Structure(NamedTuple):
    """What a graph's edges say apart from who wins.

    groups: int32, shape (positions,): the group of each position.
    group_starts, members: int64 and int32: the members of each group, `members` by group.
    sources, source_starts: int32 and int64: the positions with an edge to each position.
    source_edges: int64: these edges.
    """

    groups: IntArray
    group_starts: LongArray
    members: IntArray
    sources: IntArray
    source_starts: LongArray
    source_edges: LongArray


class Region(NamedTuple):
    """The set W of one player.

    ranks: int32, shape (positions,): in which order positions joined, `NONE` outside of W.
    heights: int32, shape (positions,): turns before the next foundation card, at most.
    """

    ranks: IntArray
    heights: IntArray


@kernel
def structure_of(graph: Graph) -> Structure:
    """Groups and reversed edges."""
    positions = graph.counts[POSITIONS]
    source_starts = np.zeros(positions + 1, np.int64)
    edges = graph.counts[EDGES]
    for edge in range(edges):
        source_starts[np.int64(graph.edge_ends[edge]) + 1] += 1
    for number in range(positions):
        source_starts[number + 1] += source_starts[number]
    filled = source_starts.copy()
    sources = np.empty(edges, np.int32)
    source_edges = np.empty(edges, np.int64)
    for number in range(positions):
        start = graph.edge_starts[number]
        for edge in range(start, start + np.int64(graph.edge_counts[number])):
            end = np.int64(graph.edge_ends[edge])
            sources[filled[end]] = number
            source_edges[filled[end]] = edge
            filled[end] += 1
    groups, group_starts, members = find_groups(graph)
    return Structure(groups, group_starts, members, sources, source_starts, source_edges)


@kernel
def find_groups(graph: Graph) -> tuple[IntArray, LongArray, IntArray]:
    """The strongly connected components of the moves between houses, by Tarjan's algorithm."""
    positions = graph.counts[POSITIONS]
    groups = np.full(positions, NONE, np.int32)
    # When each position was found, 0 if not yet, and the earliest one that it leads back to.
    found = np.zeros(positions, np.int32)
    earliest = np.zeros(positions, np.int32)
    next_edge = np.zeros(positions, np.int32)
    way = np.empty(positions, np.int32)
    waiting = np.empty(positions, np.int32)
    members = np.empty(positions, np.int32)
    group_starts = np.zeros(positions + 1, np.int64)
    found_count, waiting_count, group_count, member_count = 0, 0, 0, 0
    for root in range(positions):
        if found[root] != 0:
            continue
        way[0] = root
        depth = 0
        while depth >= 0:
            at = np.int64(way[depth])
            if found[at] == 0:
                found_count += 1
                found[at] = found_count
                earliest[at] = found_count
                waiting[waiting_count] = at
                waiting_count += 1
            deeper = NONE
            while deeper == NONE and next_edge[at] < graph.edge_counts[at]:
                edge = graph.edge_starts[at] + next_edge[at]
                next_edge[at] += 1
                if is_between_houses(np.int64(graph.edge_moves[edge])):
                    end = np.int64(graph.edge_ends[edge])
                    if found[end] == 0:
                        deeper = end
                    elif groups[end] == NONE:
                        earliest[at] = min(earliest[at], found[end])
            if deeper != NONE:
                depth += 1
                way[depth] = deeper
                continue
            if earliest[at] == found[at]:
                group_starts[group_count] = member_count
                is_last = False
                while not is_last:
                    waiting_count -= 1
                    member = waiting[waiting_count]
                    groups[member] = group_count
                    members[member_count] = member
                    member_count += 1
                    is_last = member == at
                group_count += 1
            depth -= 1
            if depth >= 0:
                before = np.int64(way[depth])
                earliest[before] = min(earliest[before], earliest[at])
    group_starts[group_count] = member_count
    return groups, group_starts[: group_count + 1], members


@inlined
def height_before(move: int, height: int) -> int:
    """The height of a move that leads to a position of this height."""
    if is_up(move):
        return 0 if height <= MOST_HEIGHT else MOST_HEIGHT + 1
    return height + (1 if ends_turn(move) else 0)


@kernel
def region_of(graph: Graph, structure: Structure, player: int, purpose: int) -> Region:
    """The positions from which a player forces a win.

    purpose: `FOR_WIN`: those where it is certain; `AGAINST_WIN`: those where it can't be excluded.
    """
    positions = graph.counts[POSITIONS]
    ranks = np.full(positions, NONE, np.int32)
    heights = np.zeros(positions, np.int32)
    queue = np.empty(positions, np.int32)
    size = join(ranks, queue, 0, player)
    # Of each group of the opponent's: ways out that don't lead into the region yet.
    open_ways = count_ways_out(graph, structure)
    if purpose == AGAINST_WIN:
        for number in range(WON, positions):
            if graph.edge_starts[number] == NONE:
                size = join(ranks, queue, size, number)
    done = 0
    while done < size:
        at = np.int64(queue[done])
        done += 1
        for i in range(structure.source_starts[at], structure.source_starts[at + 1]):
            source = np.int64(structure.sources[i])
            if ranks[source] != NONE:
                continue
            height = 0
            if purpose == FOR_WIN:
                move = np.int64(graph.edge_moves[structure.source_edges[i]])
                height = height_before(move, np.int64(heights[at]))
                if height > MOST_HEIGHT:
                    continue
            if graph.movers[source] == player:
                heights[source] = height
                size = join(ranks, queue, size, source)
                continue
            group = np.int64(structure.groups[source])
            if structure.groups[at] == group:
                continue
            heights[source] = max(np.int64(heights[source]), height)
            open_ways[group] -= 1
            if open_ways[group] == 0:
                size = join_group(structure, group, ranks, heights, queue, size)
    return Region(ranks, heights)


@inlined
def join(ranks: IntArray, queue: IntArray, size: int, number: int) -> int:
    """Add a position to the region; return the region's size."""
    ranks[number] = size
    queue[size] = number
    return size + 1


@kernel
def join_group(
    structure: Structure,
    group: int,
    ranks: IntArray,
    heights: IntArray,
    queue: IntArray,
    size: int,
) -> int:
    """Add all of a group, with the greatest height of its members; return the region's size."""
    first, last = structure.group_starts[group], structure.group_starts[group + 1]
    height = 0
    for i in range(first, last):
        height = max(height, np.int64(heights[structure.members[i]]))
    for i in range(first, last):
        heights[structure.members[i]] = height
        size = join(ranks, queue, size, np.int64(structure.members[i]))
    return size


@kernel
def count_ways_out(graph: Graph, structure: Structure) -> IntArray:
    """For each group the edges that leave it, and one more, not to be used, for what is not known.

    A member without its moves listed may have any; so may one without moves, which there is not.
    """
    ways = np.zeros(len(structure.group_starts) - 1, np.int32)
    for number in range(graph.counts[POSITIONS]):
        group = structure.groups[number]
        start = graph.edge_starts[number]
        count = np.int64(graph.edge_counts[number])
        if count == 0:
            ways[group] += 1
        for edge in range(start, start + count):
            if structure.groups[graph.edge_ends[edge]] != group:
                ways[group] += 1
    return ways


# Numbers of the search


@kernel
def settle(region: Region, purpose: int, proofs: IntArray, disproofs: IntArray, most: int) -> int:
    """Write what a region decides into the search's numbers; return how many it decides.

    proofs, disproofs: int32: 0 and `most` where a win is certain, the reverse where it is excluded.
        They may have room for fewer positions than there are.
    """
    count = 0
    for number in range(len(proofs)):
        is_in = region.ranks[number] != NONE
        if purpose == FOR_WIN and is_in:
            proofs[number], disproofs[number] = 0, most
            count += 1
        if purpose == AGAINST_WIN and not is_in:
            proofs[number], disproofs[number] = most, 0
            count += 1
    return count


# A line of play


@kernel
def next_in_line(
    graph: Graph, structure: Structure, region: Region, player: int, number: int
) -> int:
    """Where a game goes on from a position of the region that is not won.

    The player goes the way by which the position joined early; the opponent the longest way.
    """
    best = NONE
    start = graph.edge_starts[number]
    for edge in range(start, start + np.int64(graph.edge_counts[number])):
        end = np.int64(graph.edge_ends[edge])
        rank = region.ranks[end]
        if graph.movers[number] == player:
            height = height_before(np.int64(graph.edge_moves[edge]), np.int64(region.heights[end]))
            is_way = NONE < rank < region.ranks[number] and height <= region.heights[number]
            if is_way and (best == NONE or rank < region.ranks[best]):
                best = end
        elif structure.groups[end] != structure.groups[number] and (
            best == NONE or rank > region.ranks[best]
        ):
            best = end
    return best
