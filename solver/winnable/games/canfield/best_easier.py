"""The semi-free game asked for a number of cards instead of a win: a kernel.

Who can't have more than so many cards up there can't in Canfield; see `search_semi_free`. There
every line of Canfield is a line with the same cards up, so that what holds for wins holds for
counts too. A position with an empty reserve is taken for one without a bound.
"""

from __future__ import annotations

import numpy as np

from winnable.arrays import LongArray
from winnable.games.canfield.best_bound import may_exceed
from winnable.games.canfield.search_semi_free import LOST_HERE, NOT_LOST, semi_free_start
from winnable.games.canfield.search_table import (
    LARGE_SLOTS,
    LEAST_SHIFT,
    Stack,
    Table,
    find_slot,
    first_key,
    is_full,
    load,
    save,
    second_key,
    with_room,
    write_entry,
)
from winnable.games.canfield.state import Position, Setup, may_be_long, popcount
from winnable.games.canfield.state_moves import apply_move, fill_moves
from winnable.games.canfield.state_safe import after_safe_moves
from winnable.jit import kernel


@kernel
def try_easier(
    easier: Setup,
    at: Position,
    most: int,
    max_nodes: int,
    stack: Stack,
    counts: LongArray,
    stop: LongArray,
    timer: LongArray,
    table: Table,
) -> tuple[bool, Table]:
    """Whether no line from a position has more than `most` cards up, for certain; and the table.

    Entries are kept from call to call, as in `try_semi_free`, as long as `most` does not become
    less: a position from which no line has more than a number has none with more than a larger
    one. Those that were not decided stay undecided.

    Parameters
    ----------
    max_nodes: nodes for this call.
    counts: int64, shape (2,): nodes and entries, both added to.
    stop, timer: int64, shape (1,): another value than 0 in one of them breaks the search off.
    """
    # In a long column tails can't be swapped freely, so that a bound might be none.
    is_long = easier.full_wrap == 1 and may_be_long(at)
    at = semi_free_start(easier, at)
    depth = -1
    last = counts[0] + max_nodes
    while True:
        known = NOT_LOST
        if at.reserve > 0 and popcount(at.up) <= most:
            first, second = first_key(easier, at), second_key(easier, at)
            slot = find_slot(table, first, second)
            known = table.seconds[slot] >> LEAST_SHIFT
        is_out = counts[0] >= last or stop[0] != 0 or timer[0] != 0
        is_out = is_out or is_full(table, counts[1])
        if is_long or (known == 0 and (is_out or depth + 1 >= len(stack.ends))):
            known = NOT_LOST
        if known == NOT_LOST:
            for level in range(depth + 1):
                undo = stack.undo[level]
                slot = find_slot(table, undo[0], undo[1])
                table.seconds[slot] = undo[1] | NOT_LOST << LEAST_SHIFT
            return False, table
        if known == 0:
            counts[1] = write_entry(table, slot, first, second, LOST_HERE, counts[1])
            table = with_room(table, counts[1], LARGE_SLOTS)
            counts[0] += 1
            depth += 1
            stack.undo[depth, 0] = first
            stack.undo[depth, 1] = second
            save(stack.frames, depth, at)
            stack.ends[depth, 0] = 0
            stack.ends[depth, 1] = 0
            if may_exceed(easier, at, most):
                stack.ends[depth, 1] = fill_moves(easier, at, stack.moves[depth])
        while depth >= 0 and stack.ends[depth, 0] == stack.ends[depth, 1]:
            depth -= 1
        if depth < 0:
            return True, table
        move = np.int64(stack.moves[depth, stack.ends[depth, 0]])
        stack.ends[depth, 0] += 1
        moved = apply_move(easier, load(stack.frames, depth), move)
        is_long = easier.full_wrap == 1 and may_be_long(moved)
        at = after_safe_moves(easier, moved)
