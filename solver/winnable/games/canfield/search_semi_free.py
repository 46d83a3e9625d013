"""An easier game than Canfield with far fewer positions; who can't win it can't win Canfield.

In the *semi-free game* an empty reserve counts as a win, and the waste has no size: which stock
cards are in play depends only on which are gone. The card that is number j of stock and waste at
the start of the search (from 1, the first turned first) is in play when j is a multiple of three,
when it is the last one left, when at least j mod 3 cards before it are gone, or when the cards
above it in its packet of three are gone.

Every card that Canfield has in play meets that. With g cards before it gone, the card has number
j - g. Turning from the start of a pass shows the numbers that are multiples of three, and the
last: if j - g is one, then j is one or g is at least j mod 3. Else the waste was left there by
the play of a card, and the card at hand is right below that card, or comes 3, 6, ... cards after
the waste's top. In the first case the same argument for the played card ends at a number that is
shown by turning from the start, so that the cards above it in its packet are gone or one before
it is. In the second a card before it was played; and if it takes two, the played card was
itself not the first one to go before it. With every card that goes, more cards are in play.
"""

from __future__ import annotations

import numpy as np

from winnable.arrays import LongArray
from winnable.games.canfield.search_relaxed import can_still_win
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
from winnable.games.canfield.state import (
    ANY_RUN,
    RELAXED_TEST,
    SAFE_MOVES,
    SEMI_FREE_TEST,
    TAIL_SWAPS,
    TWIN_RULE,
    WASTE_ORDER,
    WHOLE,
    Position,
    Setup,
    may_be_long,
)
from winnable.games.canfield.state_moves import (
    apply_move,
    fill_moves,
)
from winnable.games.canfield.state_safe import (
    after_safe_moves,
)
from winnable.jit import kernel, lean_kernel

# What an entry says. Positions of the stack have `LOST_HERE` until they are left.
LOST_HERE, NOT_LOST = 1, 2


@kernel
def semi_free_setup(setup: Setup) -> Setup:
    """The easier game of these rules: any run may move where more than whole columns do."""
    return Setup(
        setup.full_wrap,
        WHOLE if setup.moves == WHOLE else ANY_RUN,
        setup.fill_from_waste,
        setup.returns,
        setup.draw,
        setup.unlimited,
        SAFE_MOVES | RELAXED_TEST | TAIL_SWAPS | WASTE_ORDER | TWIN_RULE,
        1,
        setup.stock_size,
        setup.order,
        setup.position,
        setup.reserve,
    )


@lean_kernel
def can_be_lost(setup: Setup, start: Position) -> bool:
    """Whether the easier game says something about a search from here."""
    is_used = setup.reductions & SEMI_FREE_TEST != 0 and setup.unlimited == 1
    return is_used and start.waste == 0 and start.reserve > 0


@lean_kernel
def semi_free_start(easier: Setup, at: Position) -> Position:
    """A position of Canfield as one of the easier game, after its safe moves."""
    return after_safe_moves(
        easier,
        Position(at.stock, at.tableau, at.roots, at.second_host, at.up, at.reserve, 0),
    )


@kernel
def try_semi_free(
    easier: Setup,
    at: Position,
    max_nodes: int,
    stack: Stack,
    counts: LongArray,
    stop: LongArray,
    table: Table,
) -> tuple[bool, Table]:
    """Whether a position is lost in the easier game for certain, and the table.

    Entries are kept from call to call. That is right as no position of this game comes up twice
    in a line: cards only go up, leave stock or reserve, or merge columns, which plays a reserve
    card. So a position that was left without a win is lost whatever lies below on the stack.
    Returns from the foundations can lead round in a circle: under them each call needs a new
    table.

    Parameters
    ----------
    max_nodes: nodes for this call.
    counts: int64, shape (4,): nodes and entries, both added to.
    stop: int64, shape (1,): the caller breaks the search off by another value than 0.
    """
    # In a long column tails can't be swapped freely, so that a loss might be none.
    is_long = easier.full_wrap == 1 and may_be_long(at)
    at = semi_free_start(easier, at)
    depth = -1
    most = counts[0] + max_nodes
    while True:
        known = NOT_LOST
        if at.reserve > 0:
            first, second = first_key(easier, at), second_key(easier, at)
            slot = find_slot(table, first, second)
            known = table.seconds[slot] >> LEAST_SHIFT
        is_out = counts[0] >= most or stop[0] != 0 or is_full(table, counts[1])
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
            if can_still_win(easier, at):
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
