"""The most cards that can be on Canfield's foundations at once: depth-first branch and bound.

A position is not opened when `may_exceed` says that it leads to no more cards than were found, or
than a *threshold* that is not to be looked into below. When a search comes to its end, no position
that can be reached has more.

What lets the search for wins leave out positions is right for counting too, each for its reason:

* Safe moves. The argument in `safe_to_lift` compares two plays move by move: one with the safe
  card in its place and one with that card, and what might be put on it, up. All along the second
  has every card up that the first has, and the reserve at least as far on; the first can make no
  move that the second need answer by more than moves of the same cards. So it never has fewer up,
  whether the play ends in a win or not. The same holds for the stock cards of `safe_stock_card`.
* Order of the waste. From a waste of w cards turning alone leads to w + 3, w + 6, ..., which
  changes no foundation: what can be reached from there can be reached from w.
* Tail swaps. Each of two positions that differ by a swap leads to the other by moves of tails, or
  has the same moves until it does (`swaps_tails`); no foundation changes. With columns of 26 cards
  it may not be so, and an end of the search proves nothing, as in `search.decide`.
* Entries of the table. An entry says that the position was opened and each of its moves led to a
  position in the table or to one that was cut. The bound for a cut was what was found then, which
  only grows. Suppose that at the end some opened position leads to more than was found, and
  take the one and the line for which the line moves the fewest cards. Its first move was to a
  position that was cut, which it was wrongly, or to one that is covered by an opened one, from
  which at most the rest of the line is needed. Neither can be. For searches that are broken off,
  see `search.search_once`: what is said there of wins is true of lines to more cards.

A move to a foundation is no better than its alternatives unless it is safe, and the attempt
without returns only gives a number to begin with.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from winnable.arrays import IntArray, LongArray
from winnable.games.canfield.best_bound import may_exceed
from winnable.games.canfield.best_easier import try_easier
from winnable.games.canfield.search import KIND_ORDER, shuffle_a_little
from winnable.games.canfield.search_table import (
    LARGE_SLOTS,
    LEAST_SHIFT,
    Stack,
    Table,
    find_slot,
    first_key,
    is_covered,
    is_full,
    load,
    save,
    second_key,
    with_room,
    with_waste,
    write_entry,
)
from winnable.games.canfield.state import (
    MAX_MOVES,
    RELAXED_TEST,
    Position,
    Setup,
    may_be_long,
    popcount,
    swaps_tails,
)
from winnable.games.canfield.state_moves import apply_move, fill_moves
from winnable.games.canfield.state_safe import after_safe_moves
from winnable.jit import kernel, lean_kernel

# How a search ended; `COMPLETE`: all cards are up.
EXHAUSTED, COMPLETE, OUT_OF_NODES, OUT_OF_TABLE, OUT_OF_DEPTH, STOPPED = range(6)

# Cells of `Way.counts`.
NODES, ENTRIES, WAS_LONG, FOUND, LINE_LENGTH, RANDOM = range(6)
COUNTS = 6
COMPLETE_COUNT = 52


class Way(NamedTuple):
    """The way to the position at hand, and the best one so far.

    frames: int64, shape (depths, 7): the positions.
    moves: int32, shape (n,): the moves of all depths, one depth after the other.
    ends: int64, shape (depths, 2): the index of the next move to try and the end of its moves.
    undo: int64, shape (depths, 3): the key and what the table's entry had before.
    line: int32, shape (depths,): the moves of the best way, safe ones left out.
    counts: int64, shape (COUNTS,): nodes; entries of the table; whether a column may have been
        long; the most cards seen on the foundations; moves in `line`; the random state.
    stop, timer: int64, shape (1,): another value than 0 in one of them breaks the search off.
    """

    frames: LongArray
    moves: IntArray
    ends: LongArray
    undo: LongArray
    line: IntArray
    counts: LongArray
    stop: LongArray
    timer: LongArray


class Easier(NamedTuple):
    """What tests by the easier game need.

    setup: the easier game of `semi_free_setup`.
    nodes: nodes for each position, 0 for no tests.
    stack: its stack.
    counts: int64, shape (2,): its nodes and the entries of its table.
    """

    setup: Setup
    nodes: int
    stack: Stack
    counts: LongArray


@lean_kernel
def note_best(at: Position, depth: int, way: Way) -> None:
    """When a position has more cards up than any before, keep the way to it.

    Parameters
    ----------
    depth: of the position before it, -1 for the start.
    """
    up = popcount(at.up)
    if up <= way.counts[FOUND]:
        return
    way.counts[FOUND] = up
    way.counts[LINE_LENGTH] = depth + 1
    for level in range(depth + 1):
        way.line[level] = way.moves[way.ends[level, 0] - 1]


@lean_kernel
def forget_way(depth: int, way: Way, table: Table) -> None:
    """Take the positions of the stack, some of whose moves were not tried, out of the table.

    The entry of the deepest one is put back first, so that each gets what it had before.
    """
    while depth >= 0:
        undo = way.undo[depth]
        slot = find_slot(table, undo[0], undo[1])
        table.seconds[slot] = undo[1] | undo[2] << LEAST_SHIFT
        depth -= 1


@lean_kernel
def limit_hit(way: Way, table: Table, depth: int, spent: int, max_nodes: int) -> int:
    """Which limit forbids to open another position, `EXHAUSTED` for none."""
    if spent >= max_nodes:
        return OUT_OF_NODES
    used = way.ends[depth, 1] if depth >= 0 else 0
    if depth + 1 == len(way.ends) or used + MAX_MOVES > len(way.moves):
        return OUT_OF_DEPTH
    if is_full(table, way.counts[ENTRIES]):
        return OUT_OF_TABLE
    if way.stop[0] != 0 or way.timer[0] != 0:
        return STOPPED
    return EXHAUSTED


@kernel
def search_for_more(
    setup: Setup,
    start: Position,
    threshold: int,
    max_nodes: int,
    noise: int,
    easier: Easier,
    way: Way,
    table: Table,
    easier_table: Table,
) -> tuple[int, Table, Table]:
    """Look for positions with more cards up than were found, and than a threshold.

    Parameters
    ----------
    start: a position after its safe moves.
    threshold: lines to no more cards than this are not looked for. Tables may be kept from call to
        call as long as it does not become less.
    max_nodes: where to break off, of the nodes of both games together.
    noise: how much the order of moves is disturbed; kinds are 64 apart.

    Returns
    -------
    How it ended, and both tables. `EXHAUSTED`: no line has more cards up than the larger of the
    threshold and what was found, save where a column may have been long.
    """
    counts, ends = way.counts, way.ends
    # A constant array can't be written to, and would be of a type of its own.
    kind_order = KIND_ORDER.copy()
    at, depth = start, -1
    note_best(at, depth, way)
    first, second = first_key(setup, at), second_key(setup, at)
    slot = find_slot(table, first, second)
    least = table.seconds[slot] >> LEAST_SHIFT
    while True:
        if counts[FOUND] == COMPLETE_COUNT:
            return COMPLETE, table, easier_table
        end = limit_hit(way, table, depth, counts[NODES] + easier.counts[0], max_nodes)
        if end != EXHAUSTED:
            forget_way(depth, way, table)
            return end, table, easier_table
        # Open the position: it is in no entry, or the start.
        known = with_waste(setup, least, at.waste)
        counts[ENTRIES] = write_entry(table, slot, first, second, known, counts[ENTRIES])
        table = with_room(table, counts[ENTRIES], LARGE_SLOTS)
        counts[NODES] += 1
        most = max(threshold, counts[FOUND])
        is_open = setup.reductions & RELAXED_TEST == 0 or may_exceed(setup, at, most)
        if is_open and easier.nodes > 0 and at.reserve > 0:
            is_bounded, easier_table = try_easier(
                easier.setup,
                at,
                most,
                easier.nodes,
                easier.stack,
                easier.counts,
                way.stop,
                way.timer,
                easier_table,
            )
            is_open = not is_bounded
        if is_open:
            begin = ends[depth, 1] if depth >= 0 else 0
            depth += 1
            way.undo[depth, 0] = first
            way.undo[depth, 1] = second
            way.undo[depth, 2] = least
            save(way.frames, depth, at)
            moves = way.moves[begin : begin + MAX_MOVES]
            count = fill_moves(setup, at, moves)
            if noise > 0:
                counts[RANDOM] = shuffle_a_little(moves, count, kind_order, noise, counts[RANDOM])
            ends[depth, 0] = begin
            ends[depth, 1] = begin + count
        # Find the next position to open.
        is_new = False
        while not is_new:
            while depth >= 0 and ends[depth, 0] == ends[depth, 1]:
                depth -= 1
            if depth < 0:
                return EXHAUSTED, table, easier_table
            move = np.int64(way.moves[ends[depth, 0]])
            ends[depth, 0] += 1
            moved = apply_move(setup, load(way.frames, depth), move)
            counts[WAS_LONG] |= swaps_tails(setup) and setup.full_wrap == 1 and may_be_long(moved)
            at = after_safe_moves(setup, moved)
            first, second = first_key(setup, at), second_key(setup, at)
            slot = find_slot(table, first, second)
            least = table.seconds[slot] >> LEAST_SHIFT
            is_new = not is_covered(setup, least, at.waste)
        note_best(at, depth, way)
