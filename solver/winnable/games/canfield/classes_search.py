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
    Stack,
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
    find,
    is_crowded,
    is_empty,
    put,
)
from winnable.games.canfield.state import ALL_CARDS
from winnable.jit import inlined, kernel

# How a call ended: the first two are final, after the others it can be made again.
LOST, WON, OUT_OF_NODES, TABLE_CROWDED, FREE_TABLE_CROWDED = range(5)

# Cells of a search's counters.
DEPTH, NODES, FREE_NODES, RANDOM, WON_MOVE = range(5)
COUNTERS = 5

# An empty note: no waste of either class was entered. A note has four bits a class.
NO_WASTE = 0xFF
# How much a random number weighs against the order of `fill_moves`, which has the kind of move
# in steps of KIND_WEIGHT and its rank within all moves in steps of one.
KIND_WEIGHT = 64
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


@kernel
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


@kernel
def take_back(table: Table, stack: Stack, counters: LongArray) -> None:
    """Break a search off: the entries of its line say again what they said before."""
    cells, head = table
    frames = stack.frames
    for i in range(counters[DEPTH], 0, -1):
        before = frames[i, BEFORE]
        cell = find(cells, head, frames[i, FIRST], frames[i, SECOND])
        cells[cell] &= ~ENTERED
        if before >> 8:
            cells[cell] |= ENTERED
        rest = cells[cell + 1] & ~NOTE
        cells[cell + 1] = rest | ((before & NO_WASTE) << NOTE_SHIFT)


@kernel
def next_random(counters: LongArray) -> int:
    """A number below 2^15, from a linear congruential generator modulo 2^31."""
    counters[RANDOM] = (counters[RANDOM] * 1103515245 + 12345) & 0x7FFFFFFF
    return int(counters[RANDOM] >> 16)


@kernel
def shuffle_a_little(
    moves: LongArray, begin: int, end: int, noise: int, counters: LongArray
) -> None:
    """Reorder moves: the kind weighs most, then a random number below `noise`, then the order."""
    weights = np.empty(end - begin, np.int64)
    for i in range(end - begin):
        weight = (moves[begin + i] >> 6) * KIND_WEIGHT + i - next_random(counters) % noise
        move = moves[begin + i]
        to = i
        while to > 0 and weights[to - 1] > weight:
            weights[to] = weights[to - 1]
            moves[begin + to] = moves[begin + to - 1]
            to -= 1
        weights[to] = weight
        moves[begin + to] = move


@kernel
def open_frame(
    deal: LongArray,
    at: Position,
    frames: LongArray,
    moves: LongArray,
    depth: int,
    noise: int,
    counters: LongArray,
) -> None:
    """Put a position with its moves on the stack."""
    begin = frames[depth - 1, END] if depth > 0 else 0
    end = fill_moves(deal, at, moves, begin)
    if noise > 0:
        shuffle_a_little(moves, begin, end, noise, counters)
    save(frames, depth, at)
    frames[depth, NEXT] = begin
    frames[depth, END] = end
    counters[DEPTH] = depth


@kernel
def begin_search(
    deal: LongArray, at: Position, stack: Stack, noise: int, counters: LongArray
) -> bool:
    """Set the stack to the start of a search; True when safe moves alone win."""
    at = after_safe_moves(deal, at)
    counters[NODES] += 1
    counters[WON_MOVE] = NO_MOVE
    open_frame(deal, at, stack.frames, stack.moves, 0, noise, counters)
    return at.up == ALL_CARDS


@kernel
def search(
    deal: LongArray,
    table: Table,
    stack: Stack,
    max_nodes: int,
    noise: int,
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
    noise: see `shuffle_a_little`; 0 for none.
    game, free_table, free_stack: for tests by an easier game, see `try_to_refute`.
    free_limit: nodes of such a test in each position; 0 for no tests.
    counters: int64, shape (COUNTERS,): updated.
    """
    cells, head = table
    frames, moves = stack
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
        if counters[NODES] >= max_nodes:
            return OUT_OF_NODES
        move = moves[frames[depth, NEXT]]
        frames[depth, NEXT] += 1
        at = after_safe_moves(deal, apply_move(deal, load(frames, depth), move))
        if at.up == ALL_CARDS:
            counters[WON_MOVE] = move
            return WON
        first, second = first_key(deal, at), second_key(at)
        # Without redeals the stock's cards tell the waste: cards are turned only for the last of
        # them to be played, so that they reach as far as the packet of the last card that went.
        waste = at.waste if deal[REDEALS] and deal[REDUCTIONS] & WASTE_ORDER else 0
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
        open_frame(deal, at, frames, moves, depth, noise, counters)
        frames[depth, FIRST] = first
        frames[depth, SECOND] = second
        frames[depth, BEFORE] = before
        frames[depth, MOVE] = move


@kernel
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
            move = counters[WON_MOVE] if is_last else stack.frames[depth, MOVE]
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
