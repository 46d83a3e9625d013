"""An exhaustive depth-first search over Canfield positions, for every rule: kernels.

A search that comes to its end without a win has put every position that can be reached, save
those proved not to matter, in its table of lost positions: then none of them is won.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from winnable.arrays import IntArray, LongArray
from winnable.games.canfield.search_beam import AFTER, beam_search
from winnable.games.canfield.search_relaxed import can_still_win
from winnable.games.canfield.search_semi_free import (
    can_be_lost,
    semi_free_setup,
    try_semi_free,
)
from winnable.games.canfield.search_table import (
    LEAST_SHIFT,
    LOW_31_BITS,
    MAX_DEPTH,
    Stack,
    Table,
    find_slot,
    first_key,
    is_covered,
    is_full,
    load,
    new_table,
    save,
    second_key,
    with_room,
    with_waste,
    write_entry,
)
from winnable.games.canfield.state import (
    ALL_CARDS,
    MAX_MOVES,
    NO_MOVE,
    NO_RETURNS_FIRST,
    RELAXED_TEST,
    TAIL_SWAPS,
    Position,
    Setup,
    may_be_long,
    popcount,
    swaps_tails,
)
from winnable.games.canfield.state_moves import (
    apply_move,
    fill_moves,
)
from winnable.games.canfield.state_safe import (
    after_safe_moves,
    safe_move,
)
from winnable.jit import kernel, lean_kernel

# How a search ended. Verdict codes are those of `games.base`: 0 unwinnable, 1 winnable.
LOST, WON, OUT_OF_NODES, OUT_OF_TABLE, OUT_OF_DEPTH, STOPPED = range(6)
# Weights that try the kinds of moves in their order, but for the noise.
KIND_ORDER = 64 * np.arange(8)


# Of a plan's noise, from try to try: what one order of moves is slow to win, another wins at once.
NOISE_PERCENTS = (100, 40, 200, 70)


class Plan(NamedTuple):
    """How a search spends its nodes.

    first_try: nodes of the first try.
    growth: each further try has this many hundredths of the nodes of the one before.
    noise: the end of the random numbers that reorder the moves of the further tries.
    semi_free: nodes of the semi-free game from the start, played after the first try, and again
        with ten times as many when the search itself has spent that many.
    semi_free_most: nodes of it that are not exceeded by that.
    semi_free_inside: nodes of it from each position of the further tries, 0 for none.
    without_returns: nodes of the attempt to win without returns from the foundations.
    weights: int64, shape (8,): of each kind of move in the further tries, the heavy ones being
        tried last.
    beams: int64, shape (n, 11): beam searches to be made in between; see `search_beam`.
    table_slots: how large the table of lost positions may grow; see `search_table`.
    """

    first_try: int
    growth: int
    noise: int
    semi_free: int
    semi_free_most: int
    semi_free_inside: int
    without_returns: int
    weights: LongArray
    beams: LongArray
    table_slots: int


class Work(NamedTuple):
    """The arrays of one thread.

    stack, easier_stack: for the search and for the semi-free game.
    counts: int64, shape (4,): nodes of the search, entries of its table, whether a column may
        have been long, the most cards seen on the foundations.
    easier_counts: int64, shape (4,): nodes of the semi-free game and of beams, and entries of the
        former's table.
    stop: int64, shape (1,): the caller breaks the search off by another value than 0.
    line: int64, shape (n,): receives the moves of a win.
    """

    stack: Stack
    easier_stack: Stack
    counts: LongArray
    easier_counts: LongArray
    stop: LongArray
    line: LongArray


@kernel
def shuffle_a_little(
    moves: IntArray, count: int, weights: LongArray, noise: int, random: int
) -> int:
    """Sort moves by the weight of their kind plus a random number below `noise`.

    Returns the next random state.
    """
    keys = np.empty(MAX_MOVES, np.int64)
    for i in range(count):
        random = (random * 1103515245 + 12345) & LOW_31_BITS
        keys[i] = (weights[np.int64(moves[i]) >> 12] + (random >> 8) % noise) * MAX_MOVES + i
        move, key = moves[i], keys[i]
        j = i
        while j > 0 and keys[j - 1] > key:
            moves[j] = moves[j - 1]
            keys[j] = keys[j - 1]
            j -= 1
        moves[j] = move
        keys[j] = key
    return random


@lean_kernel
def forget_stack(depth: int, stack: Stack, table: Table) -> None:
    """Take the positions of the stack, which are not known to be lost, out of the table.

    The entry of the deepest one is put back first, so that each gets what it had before.
    """
    undo = stack.undo
    while depth >= 0:
        slot = find_slot(table, undo[depth, 0], undo[depth, 1])
        table.seconds[slot] = undo[depth, 1] | undo[depth, 2] << LEAST_SHIFT
        depth -= 1


@lean_kernel
def limit_hit(work: Work, table: Table, depth: int, max_nodes: int) -> int:
    """Which limit forbids to open another position, `LOST` for none."""
    if work.counts[0] >= max_nodes:
        return OUT_OF_NODES
    if depth + 1 == MAX_DEPTH:
        return OUT_OF_DEPTH
    if is_full(table, work.counts[1]):
        return OUT_OF_TABLE
    if work.stop[0] != 0:
        return STOPPED
    return LOST


@kernel
def search_once(
    setup: Setup,
    easier: Setup,
    start: Position,
    max_nodes: int,
    weights: LongArray,
    noise: int,
    random: int,
    inside: int,
    table_slots: int,
    work: Work,
    table: Table,
    easier_table: Table,
) -> tuple[int, int, Table, Table]:
    """Search from a position after its safe moves until a win, the end, or a limit.

    A search that is broken off leaves in the table the positions whose every way was followed,
    and no others. Some of those ways may have led to positions of the stack, which are taken out.
    That is sound: suppose that a later search ends without a win, that the table still holds a
    position that can be won, and take one with the shortest win. The next position of that win
    was covered when the first one was dealt with, by a position that a search had on its stack
    when it was broken off, and is not covered now. Take the last such search and the one nearest
    to its start: the position before it on that stack was covered again by a position put in the
    table by a later search, as what was put into that entry under it was put back with it. The
    later one's ways lead to cover the position in question, or to another one of that kind, of a
    later search. Neither can be.

    Parameters
    ----------
    max_nodes: where to break off, of `work.counts[0]`.
    weights, noise, random: how to disturb the order of moves, and the random state for it.
    inside: nodes of the semi-free game from each position, 0 for none.
    table_slots: how large the table may grow.

    Returns
    -------
    How it ended, the depth of the win, and both tables.
    """
    stack, counts = work.stack, work.counts
    moves, ends, undo = stack.moves, stack.ends, stack.undo
    at, depth = start, -1
    first, second = first_key(setup, at), second_key(setup, at)
    slot = find_slot(table, first, second)
    least = table.seconds[slot] >> LEAST_SHIFT
    while True:
        # Open the position: it is in no entry, or the start.
        known = with_waste(setup, least, at.waste)
        counts[1] = write_entry(table, slot, first, second, known, counts[1])
        table = with_room(table, counts[1], table_slots)
        counts[0] += 1
        counts[3] = max(counts[3], popcount(at.up))
        depth += 1
        undo[depth, 0] = first
        undo[depth, 1] = second
        undo[depth, 2] = least
        save(stack.frames, depth, at)
        ends[depth, 0] = 0
        ends[depth, 1] = 0
        is_open = setup.reductions & RELAXED_TEST == 0 or can_still_win(setup, at)
        if is_open and inside > 0 and at.reserve > 0:
            lost, easier_table = try_semi_free(
                easier,
                at,
                inside,
                work.easier_stack,
                work.easier_counts,
                work.stop,
                easier_table,
            )
            is_open = not lost
        if is_open:
            ends[depth, 1] = fill_moves(setup, at, moves[depth])
            if noise > 0:
                random = shuffle_a_little(moves[depth], ends[depth, 1], weights, noise, random)
        # Find the next position to open.
        is_new = False
        while not is_new:
            if ends[depth, 0] == ends[depth, 1]:
                depth -= 1
                if depth < 0:
                    return LOST, 0, table, easier_table
                continue
            move = np.int64(moves[depth, ends[depth, 0]])
            ends[depth, 0] += 1
            moved = apply_move(setup, load(stack.frames, depth), move)
            counts[2] |= swaps_tails(setup) and setup.full_wrap == 1 and may_be_long(moved)
            at = after_safe_moves(setup, moved)
            if at.up == ALL_CARDS:
                return WON, depth, table, easier_table
            first, second = first_key(setup, at), second_key(setup, at)
            slot = find_slot(table, first, second)
            least = table.seconds[slot] >> LEAST_SHIFT
            is_new = not is_covered(setup, least, at.waste)
        end = limit_hit(work, table, depth, max_nodes)
        if end != LOST:
            forget_stack(depth, stack, table)
            return end, depth, table, easier_table


@kernel
def search_with_restarts(
    setup: Setup, start: Position, plan: Plan, max_nodes: int, work: Work
) -> tuple[int, int]:
    """Search with other move orders by turns, the table of lost positions kept.

    Returns how it ended and the depth of the win.
    """
    table, easier_table = new_table(), new_table()
    easier = semi_free_setup(setup)
    has_easier = can_be_lost(setup, start)
    budget, noise, random, inside = plan.first_try, 0, 1, 0
    easier_budget, easier_after = plan.semi_free, 0
    tries, beams = 0, 0
    while True:
        limit = min(max_nodes - work.easier_counts[0], work.counts[0] + budget)
        end, depth, table, easier_table = search_once(
            setup,
            easier,
            start,
            limit,
            plan.weights,
            noise,
            random,
            inside,
            plan.table_slots,
            work,
            table,
            easier_table,
        )
        is_try = end in (OUT_OF_DEPTH, OUT_OF_NODES)
        if not is_try or work.counts[0] + work.easier_counts[0] >= max_nodes:
            return end, depth
        if has_easier and easier_budget <= plan.semi_free_most and work.counts[0] >= easier_after:
            # What was not finished within the last limit counts as not lost in the old table.
            easier_table = new_table()
            work.easier_counts[1] = 0
            lost, easier_table = try_semi_free(
                easier,
                start,
                min(easier_budget, max_nodes - work.counts[0] - work.easier_counts[0]),
                work.easier_stack,
                work.easier_counts,
                work.stop,
                easier_table,
            )
            if lost:
                return LOST, 0
            easier_after = 10 * easier_budget
            easier_budget *= 10
            if setup.returns == 0:
                inside = plan.semi_free_inside
            if inside == 0:
                # Not needed before the next time: the memory is.
                easier_table = new_table()
        if beams < len(plan.beams) and work.counts[0] >= plan.beams[beams, AFTER]:
            depth = beam_search(
                setup,
                start,
                plan.beams[beams],
                max_nodes - work.counts[0] - work.easier_counts[0],
                work.stack,
                work.easier_counts,
                work.stop,
            )
            if depth >= 0:
                return WON, depth
            beams += 1
        budget = budget * plan.growth // 100
        noise = plan.noise * NOISE_PERCENTS[tries % len(NOISE_PERCENTS)] // 100
        tries += 1
        random += 7919


@lean_kernel
def attempt(
    setup: Setup, dealt: Position, plan: Plan, max_nodes: int, work: Work
) -> tuple[int, int]:
    """Search a position; return how it ended and the number of moves in `work.line`.

    The nodes are added to those in `work.counts[0]`, and `max_nodes` is for both together.
    """
    spent = work.counts[0]
    work.counts[:] = 0
    work.easier_counts[:] = 0
    work.counts[2] = swaps_tails(setup) and setup.full_wrap == 1 and may_be_long(dealt)
    start = after_safe_moves(setup, dealt)
    end, depth = WON, -1
    if start.up != ALL_CARDS:
        end, depth = search_with_restarts(setup, start, plan, max_nodes - spent, work)
    work.counts[0] += work.easier_counts[0] + spent
    if end == WON:
        return WON, write_line(setup, dealt, depth, work)
    return end, 0


@kernel
def decide(
    setup: Setup, dealt: Position, plan: Plan, max_nodes: int, work: Work
) -> tuple[int, int]:
    """Decide a position; write the line of a win to `work.line`, safe moves too.

    Where cards may come back from the foundations, most wins do without that, and are found in
    far fewer positions. So that is tried first; a loss of it says nothing.

    Where tails are swapped and a column may have 26 cards, a position may be taken for one that
    it does not equal. Wins are real all the same. A loss is proved only if no position that came
    up could have such a column; if one could, the search is made again without swaps. (Safe moves
    make no column longer, so that it is enough to look before them.)

    Returns
    -------
    How it ended, and the number of moves in the line. The nodes are in `work.counts[0]`.
    """
    work.counts[:] = 0
    if setup.returns == 1 and setup.reductions & NO_RETURNS_FIRST != 0:
        stricter = changed_setup(setup, 0, setup.reductions)
        end, length = attempt(stricter, dealt, plan, min(max_nodes, plan.without_returns), work)
        if end in (WON, STOPPED):
            return end, length
        if work.counts[0] >= max_nodes:
            # A loss without returns is none.
            return OUT_OF_NODES, 0
    end, length = attempt(setup, dealt, plan, max_nodes, work)
    if end != LOST or work.counts[2] == 0:
        return end, length
    exact = changed_setup(setup, setup.returns, setup.reductions & ~TAIL_SWAPS)
    return attempt(exact, dealt, plan, max_nodes, work)


@kernel
def changed_setup(setup: Setup, returns: int, reductions: int) -> Setup:
    """The setup with other values of these two."""
    return Setup(
        setup.full_wrap,
        setup.moves,
        setup.fill_from_waste,
        returns,
        setup.draw,
        setup.unlimited,
        reductions,
        setup.semi_free,
        setup.stock_size,
        setup.order,
        setup.position,
        setup.reserve,
    )


@lean_kernel
def write_line(setup: Setup, at: Position, depth: int, work: Work) -> int:
    """Write the moves that were tried last at the depths 0 to `depth`, with the safe moves."""
    line = work.line
    count = 0
    for level in range(-1, depth + 1):
        if level >= 0:
            move = np.int64(work.stack.moves[level, work.stack.ends[level, 0] - 1])
            line[count] = move
            count += 1
            at = apply_move(setup, at, move)
        move = safe_move(setup, at)
        while move != NO_MOVE:
            line[count] = move
            count += 1
            at = apply_move(setup, at, move)
            move = safe_move(setup, at)
    return count
