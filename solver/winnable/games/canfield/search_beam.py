"""A beam search for wins that a depth-first search is slow to come by: kernels.

Move by move, every kept position is followed by all its moves, and of the new positions those of
the best marks are kept. Where ends of columns go one by one, what is built on a card stays there
for long, and a depth-first search plays out endings whose cards were covered long before. A beam
gives those up early. It finds wins and proves nothing else.
"""

from __future__ import annotations

import numpy as np

from winnable.arrays import IntArray, LongArray
from winnable.games.canfield.search_relaxed import can_still_win
from winnable.games.canfield.search_table import (
    FRAME_SIZE,
    LEAST_SHIFT,
    LOW_31_BITS,
    MIDDLE_SLOTS,
    Stack,
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
    COLUMN_COUNT,
    MAX_MOVES,
    NO_CARD,
    ONE_SUIT,
    Position,
    Setup,
    child_of,
    popcount,
)
from winnable.games.canfield.state_moves import apply_move, fill_moves
from winnable.games.canfield.state_safe import after_safe_moves
from winnable.jit import kernel, lean_kernel

# What a row of `Plan.beams` holds.
#   AFTER: nodes of a search after which the beam is tried, once.
#   WIDTH: positions kept after each move.
# The others are weights of a position's mark; all but the first two are taken off it:
#   UP: a card on the foundations.
#   EMPTY: an empty column.
#   RESERVE, STOCK: a card left in the reserve, in stock or waste.
#   COVERING_NEXT: a card that lies over one that a foundation takes next.
#   COVERING_LATER: a card that lies over one of the further cards of a suit ...
#   LOOKAHEAD: ... of which this many are looked at, the next one included.
#   IN_STOCK: the cards that a card in stock or waste is taken to lie under.
#   NOISE: the end of a random number.
(
    AFTER,
    WIDTH,
    UP,
    EMPTY,
    RESERVE,
    STOCK,
    COVERING_NEXT,
    COVERING_LATER,
    LOOKAHEAD,
    IN_STOCK,
    NOISE,
) = range(11)
# Positions that may come from one move of the kept ones, for each of these.
CHILDREN = 40
# Moves after which a beam is given up.
MAX_MOVES_DEEP = 400
NO_BEAMS = np.zeros((0, 11), np.int64)


@lean_kernel
def cards_over(setup: Setup, at: Position, card: int, in_stock: int) -> int:
    """How many cards cover a card that is not up yet; `in_stock` for one in stock or waste."""
    place = setup.position[card]
    if place >= 0 and (at.stock >> place) & 1:
        return in_stock
    count = 0
    if (at.tableau >> card) & 1:
        card = child_of(at, card)
        while card != NO_CARD:
            count += 1
            card = child_of(at, card)
        return count
    while setup.reserve[at.reserve - 1 - count] != card:
        count += 1
    return count


@lean_kernel
def mark_of(setup: Setup, at: Position, beam: LongArray) -> int:
    """How good a position looks."""
    mark = beam[UP] * popcount(at.up) + beam[EMPTY] * (COLUMN_COUNT - popcount(at.roots))
    mark -= beam[RESERVE] * at.reserve + beam[STOCK] * popcount(at.stock)
    for suit in range(4):
        rank = popcount(at.up & (ONE_SUIT << suit))
        weight = beam[COVERING_NEXT]
        for _ in range(min(beam[LOOKAHEAD], 13 - rank)):
            mark -= weight * cards_over(setup, at, 4 * rank + suit, beam[IN_STOCK])
            weight = beam[COVERING_LATER]
            rank += 1
    return int(mark)


@lean_kernel
def write_way(depth: int, parent: int, parents: IntArray, chosen: IntArray, stack: Stack) -> None:
    """Write the moves that lead to a kept position to a search's stack, as its last tried ones."""
    for level in range(depth - 1, -1, -1):
        stack.moves[level, 0] = chosen[level + 1, parent]
        stack.ends[level, 0] = 1
        parent = parents[level + 1, parent]


@kernel
def beam_search(
    setup: Setup,
    start: Position,
    beam: LongArray,
    max_nodes: int,
    stack: Stack,
    counts: LongArray,
    stop: LongArray,
) -> int:
    """Look for a win from a position after its safe moves.

    Parameters
    ----------
    beam: int64, shape (11,): one row of `Plan.beams`.
    max_nodes: positions to follow at most. The table of those met has `MIDDLE_SLOTS` at most, so
        that the memory is the search's; a beam that fills it is given up.
    stack: receives the moves of a win at the depths 0, 1, ..., as those tried last.
    counts: int64: the positions followed are added to the first.
    stop: int64, shape (1,): the caller breaks the search off by another value than 0.

    Returns
    -------
    The depth of the win's last move, -1 for no win.
    """
    width, depths = beam[WIDTH], min(MAX_MOVES_DEEP, len(stack.ends))
    room = CHILDREN * width
    kept = np.zeros((width, FRAME_SIZE), np.int64)
    children = np.zeros((room, FRAME_SIZE), np.int64)
    marks = np.zeros(room, np.int64)
    child_parents, child_moves = np.zeros(room, np.int32), np.zeros(room, np.int32)
    parents, chosen = np.zeros((depths, width), np.int32), np.zeros((depths, width), np.int32)
    moves = np.zeros(MAX_MOVES, np.int32)
    table, entries, random = new_table(), 0, 1
    save(kept, 0, start)
    kept_count, most = 1, counts[0] + max_nodes
    for depth in range(depths - 1):
        child_count = 0
        for parent in range(kept_count):
            if counts[0] >= most or stop[0] != 0 or is_full(table, entries):
                return -1
            counts[0] += 1
            at = load(kept, parent)
            for i in range(fill_moves(setup, at, moves)):
                child = after_safe_moves(setup, apply_move(setup, at, np.int64(moves[i])))
                if child.up == ALL_CARDS:
                    stack.moves[depth, 0] = moves[i]
                    stack.ends[depth, 0] = 1
                    write_way(depth, parent, parents, chosen, stack)
                    return depth
                first, second = first_key(setup, child), second_key(setup, child)
                slot = find_slot(table, first, second)
                least = table.seconds[slot] >> LEAST_SHIFT
                if child_count == room or is_covered(setup, least, child.waste):
                    continue
                known = with_waste(setup, least, child.waste)
                entries = write_entry(table, slot, first, second, known, entries)
                table = with_room(table, entries, MIDDLE_SLOTS)
                if not can_still_win(setup, child):
                    continue
                random = (random * 1103515245 + 12345) & LOW_31_BITS
                marks[child_count] = (random >> 8) % beam[NOISE] - mark_of(setup, child, beam)
                save(children, child_count, child)
                child_parents[child_count] = parent
                child_moves[child_count] = moves[i]
                child_count += 1
        kept_count = min(child_count, width)
        if kept_count == 0:
            return -1
        best = np.argsort(marks[:child_count])
        for i in range(kept_count):
            kept[i] = children[best[i]]
            parents[depth + 1, i] = child_parents[best[i]]
            chosen[depth + 1, i] = child_moves[best[i]]
    return -1
