"""An exhaustive depth-first search of Canfield in classes: kernels.

Positions that were entered are kept in a table: while the search goes on they are lost, or on the
line that is being tried. A search that is broken off takes the entries of its line back, so that
the table holds lost positions only, and the next attempt, with its moves in another order, goes
on from there.

A position is lost when all its moves lead to lost ones, or when the relaxed test or an easier game
says so; `LOST` is thus a proof by exhaustion. A move always takes a card from stock or reserve or
brings one up, so that no position can come twice on a line.
"""

from __future__ import annotations

import numpy as np

from winnable.arrays import LongArray
from winnable.games.canfield.classes_free import (
    BEFORE,
    END,
    FIRST,
    MOVE,
    NEXT,
    REFUTED,
    SECOND,
    SELF,
    WASTE,
    Stack,
    copy_child,
    load,
    save,
    try_to_refute,
)
from winnable.games.canfield.classes_relaxed import REAL_STOCK, can_still_win
from winnable.games.canfield.classes_state import (
    NO_MOVE,
    REDEALS,
    REDUCTIONS,
    RELAXED_TEST,
    WASTE_ORDER,
    Position,
    after_safe_moves,
    apply_move,
    fill_moves,
    first_key,
    safe_move,
    second_key,
)
from winnable.games.canfield.classes_table import (
    ENTERED,
    NOTE,
    NOTE_SHIFT,
    SLOTS,
    USED,
    Table,
    fetch_ahead,
    find,
    is_crowded,
    is_empty,
    put,
)
from winnable.games.canfield.state import ALL_CARDS
from winnable.jit import inlined, kernel, lean_kernel

# How a call ended: the first two are final, after the others it can be made again.
LOST, WON, OUT_OF_NODES, TABLE_CROWDED, FREE_TABLE_CROWDED = range(5)

# Cells of a search's counters.
DEPTH, NODES, FREE_NODES, RANDOM, WON_MOVE = range(5)
COUNTERS = 5
# The first cell of an order of moves; see `search`.
NOISE = 0

# An empty note: no waste of either class was entered. A note has four bits a class.
NO_WASTE = 0xFF
ALREADY_LOST = -1


@inlined
def note_with(note: int, waste: int) -> int:
    """A note with this waste as the least of its class modulo 3."""
    if waste == 0:
        return note
    if waste % 3 == 1:
        return (note & 0xF0) | (waste // 3)
    return (note & 0x0F) | (waste // 3 << 4)


@inlined
def is_noted(note: int, waste: int) -> bool:
    """Whether the note has a waste that leads to this one by turning."""
    if waste % 3 == 1:
        return (note & 0xF) <= waste // 3
    return (note >> 4) <= waste // 3


@lean_kernel
def enter(cells: LongArray, head: LongArray, first: int, second: int, waste: int) -> int:
    """Note that a position is being searched.

    From a waste of w, turning leads to w + 3, w + 6, ... and to the settled sizes, 0: what wins
    from there wins from w. So a position is known to be lost when one of the same cards with a
    waste from which its own is reached was entered, and one with waste 0 after any other one.

    Returns
    -------
    `ALREADY_LOST`, or what the entry said before, for `take_back`.
    """
    cell = find(cells, head, first, second)
    if is_empty(cells, head, cell):
        put(cells, head, cell, first | ENTERED, second, note_with(NO_WASTE, waste))
        return NO_WASTE
    entered = (cells[cell] & ENTERED) != 0
    note = (cells[cell + 1] & NOTE) >> NOTE_SHIFT
    if entered if waste == 0 else is_noted(note, waste):
        return ALREADY_LOST
    cells[cell] |= ENTERED
    new = note_with(note, waste)
    cells[cell + 1] = (cells[cell + 1] & ~NOTE) | (new << NOTE_SHIFT)
    return int(note | (entered << 8))


@lean_kernel
def is_lost(cells: LongArray, head: LongArray, first: int, second: int, waste: int) -> bool:
    """Whether `enter` would say `ALREADY_LOST`."""
    cell = find(cells, head, first, second)
    if is_empty(cells, head, cell):
        return False
    if waste == 0:
        return bool(cells[cell] & ENTERED)
    return is_noted((cells[cell + 1] & NOTE) >> NOTE_SHIFT, waste)


@lean_kernel
def take_back(table: Table, stack: Stack, counters: LongArray) -> None:
    """Break a search off: the entries of its line say again what they said before."""
    cells, head = table
    frames, children = stack.frames, stack.children
    for i in range(counters[DEPTH], 0, -1):
        before, row = frames[i, BEFORE], frames[i, SELF]
        cell = find(cells, head, children[row, FIRST], children[row, SECOND])
        cells[cell] &= ~ENTERED
        if before >> 8:
            cells[cell] |= ENTERED
        rest = cells[cell + 1] & ~NOTE
        cells[cell + 1] = rest | ((before & NO_WASTE) << NOTE_SHIFT)


@inlined
def noted_waste(deal: LongArray, waste: int) -> int:
    """The waste that is noted in an entry, beside its keys; 0 for none.

    Without redeals the stock's cards tell the waste: cards are turned only for the last of them to
    be played, so that they reach as far as the packet of the last card that went.
    """
    return waste if deal[REDEALS] and deal[REDUCTIONS] & WASTE_ORDER else 0


@lean_kernel
def next_random(counters: LongArray) -> int:
    """A number below 2^15, from a linear congruential generator modulo 2^31."""
    counters[RANDOM] = (counters[RANDOM] * 1103515245 + 12345) & 0x7FFFFFFF
    return int(counters[RANDOM] >> 16)


@kernel
def shuffle_a_little(moves: LongArray, count: int, order: LongArray, counters: LongArray) -> None:
    """Reorder moves by the weight of their kind, plus their place, less a random number."""
    weights = np.empty(count, np.int64)
    for i in range(count):
        move = moves[i]
        weight = order[1 + (move >> 6)] + i - next_random(counters) % order[NOISE]
        to = i
        while to > 0 and weights[to - 1] > weight:
            weights[to] = weights[to - 1]
            moves[to] = moves[to - 1]
            to -= 1
        weights[to] = weight
        moves[to] = move


@lean_kernel
def open_frame(
    deal: LongArray,
    at: Position,
    table: Table,
    stack: Stack,
    depth: int,
    order: LongArray,
    counters: LongArray,
) -> None:
    """Put a position on the stack, with its children as far as they are not known to be lost.

    All are made before the first one is looked up, so that the waiting for memory overlaps.
    """
    cells, head = table
    frames, children, moves = stack
    begin = frames[depth - 1, END] if depth > 0 else 1
    count = fill_moves(deal, at, moves, 0)
    if order[NOISE] > 0:
        shuffle_a_little(moves, count, order, counters)
    end = begin
    for i in range(count):
        child = after_safe_moves(deal, apply_move(deal, at, moves[i]))
        first, second = first_key(deal, child), second_key(child)
        save(children, end, child, child.waste, first, second, moves[i])
        fetch_ahead(cells, head, first, second)
        end += 1
    kept = begin
    for row in range(begin, end):
        waste = noted_waste(deal, children[row, WASTE])
        if not is_lost(cells, head, children[row, FIRST], children[row, SECOND], waste):
            if kept < row:
                copy_child(children, row, kept)
            kept += 1
    frames[depth, NEXT] = begin
    frames[depth, END] = kept
    counters[DEPTH] = depth


@lean_kernel
def begin_search(
    deal: LongArray, at: Position, table: Table, stack: Stack, order: LongArray, counters: LongArray
) -> bool:
    """Set the stack to the start of a search; True when safe moves alone win."""
    at = after_safe_moves(deal, at)
    counters[NODES] += 1
    counters[WON_MOVE] = NO_MOVE
    open_frame(deal, at, table, stack, 0, order, counters)
    return at.up == ALL_CARDS


@lean_kernel
def search(
    deal: LongArray,
    table: Table,
    stack: Stack,
    max_nodes: int,
    pause: int,
    order: LongArray,
    game: int,
    free_table: Table,
    free_stack: Stack,
    free_limit: int,
    counters: LongArray,
) -> int:
    """Go on with a search until it is decided or something runs out.

    After a win the call can be repeated: it goes on as if that position were lost, so that a final
    `LOST` then proves nothing.

    Parameters
    ----------
    deal: see `classes_state.fill_deal`.
    table, stack: what was entered, and the line, from `begin_search`.
    max_nodes: where to break off, by the nodes in `counters`.
    pause: where to come back for a look at the limits, by these and those of the easier games.
    order: int64, shape (7,): `NOISE`, the end of the random numbers that reorder moves, 0 for none;
        then the weight of each kind of move, the heavy ones being tried last.
    game, free_table, free_stack: for tests by an easier game, see `try_to_refute`.
    free_limit: nodes of such a test in each position; 0 for no tests.
    counters: int64, shape (COUNTERS,): updated.
    """
    cells, head = table
    frames, children = stack.frames, stack.children
    free_head = free_table.head
    depth = counters[DEPTH]
    while True:
        while depth >= 0 and frames[depth, NEXT] == frames[depth, END]:
            depth -= 1
        counters[DEPTH] = depth
        if depth < 0:
            return LOST
        if is_crowded(head):
            return TABLE_CROWDED
        if free_limit and 2 * (free_head[USED] + free_limit + 1) > free_head[SLOTS]:
            return FREE_TABLE_CROWDED
        if counters[NODES] >= max_nodes or counters[NODES] + counters[FREE_NODES] >= pause:
            return OUT_OF_NODES
        row = frames[depth, NEXT]
        frames[depth, NEXT] += 1
        at = load(children, row)
        if at.up == ALL_CARDS:
            counters[WON_MOVE] = children[row, MOVE]
            return WON
        first, second = children[row, FIRST], children[row, SECOND]
        waste = noted_waste(deal, at.waste)
        before = enter(cells, head, first, second, waste)
        if before == ALREADY_LOST:
            continue
        counters[NODES] += 1
        if deal[REDUCTIONS] & RELAXED_TEST and not can_still_win(deal, at, REAL_STOCK):
            continue
        if free_limit and at.reserve:
            outcome, nodes = try_to_refute(deal, at, game, free_limit, free_table, free_stack)
            counters[FREE_NODES] += nodes
            if outcome == REFUTED:
                continue
        depth += 1
        open_frame(deal, at, table, stack, depth, order, counters)
        frames[depth, SELF] = row
        frames[depth, BEFORE] = before


@lean_kernel
def fill_line(
    deal: LongArray, at: Position, stack: Stack, counters: LongArray, line: LongArray
) -> int:
    """Write all moves of the win that `search` found, the safe ones too.

    Parameters
    ----------
    at: the position that `begin_search` was given.
    line: int64, shape (MAX_DEPTH,), overwritten.

    Returns
    -------
    The number of moves.
    """
    end = 0
    for depth in range(counters[DEPTH] + 2):
        if depth > 0:
            is_last = depth == counters[DEPTH] + 1
            row = stack.frames[depth, SELF] if not is_last else 0
            move = counters[WON_MOVE] if is_last else stack.children[row, MOVE]
            if move == NO_MOVE:
                break
            line[end] = move
            end += 1
            at = apply_move(deal, at, move)
        while True:
            move = safe_move(deal, at)
            if move == NO_MOVE:
                break
            line[end] = move
            end += 1
            at = apply_move(deal, at, move)
    return end
