"""An exhaustive search of Spider positions, which can say that a deal is lost: kernels.

It opens positions in the order in which they are found until there is no new one, but those from
which it is proved that nothing comes of them (see `blocked`). That is only possible for deals in
which hardly anything can move, and for the ends of games.

Equality is exact. A row of the table of columns stands for one column with all its cards, the
face-down ones too, so two positions with the same ten rows are the same. (Two columns dealt alike
have rows of their own: that only makes the search longer.) How many rows of the stock were dealt
need not be compared: the number of cards in the columns gives it, since ten cards more for each
row and 13 less for each finished run never come to nothing with at most five rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from winnable.arrays import IntArray, LongArray
from winnable.games.spider.blocked import Digging, is_blocked, new_digging
from winnable.games.spider.columns import (
    COLUMN_COUNT,
    FULL,
    KEY_MASK,
    Columns,
    clear_columns,
    new_columns,
)
from winnable.games.spider.state import (
    DEALT,
    GOES_ON,
    LOST,
    MOST_MOVES,
    OUT_OF_MEMORY,
    OUT_OF_NODES,
    RUN_COUNT,
    STOPPED,
    WON,
    Task,
    apply_deal,
    apply_move,
    copy_position,
    fill_moves,
    first_position,
    may_deal,
)
from winnable.games.spider.weights import ROW_COUNT
from winnable.jit import lean_kernel

# Fields of `Explored.found`.
STAGE, RUNS_LEFT, BEFORE, MOVE = range(4)


class Explored(NamedTuple):
    """The arrays of an exhaustive search.

    columns: the table of columns.
    at: int32, shape (n, 10): the positions found, the first one first.
    sorted_at: int32, shape (n, 10): what tells them apart, see `write_sorted`.
    found: int32, shape (n, 4): rows dealt, runs not finished, the position before and the move.
    slots: int32, shape (2^k,): positions by hash, open addressing, -1 for a free slot.
    moves: int64, shape (`MOST_MOVES` + 1,).
    digging: for seeing that a position is blocked.
    counts: int64, shape (2,): positions found, and opened.
    """

    columns: Columns
    at: IntArray
    sorted_at: IntArray
    found: IntArray
    slots: IntArray
    moves: LongArray
    digging: Digging
    counts: LongArray


def new_explored(most: int) -> Explored:
    """Arrays for at most so many positions: about 0.4 kB for each."""
    return Explored(
        new_columns(1000 + 2 * most),
        np.zeros((most, COLUMN_COUNT), np.int32),
        np.zeros((most, COLUMN_COUNT), np.int32),
        np.zeros((most, 4), np.int32),
        np.zeros(1 << (2 * most - 1).bit_length(), np.int32),
        np.zeros(MOST_MOVES + 1, np.int64),
        new_digging(),
        np.zeros(2, np.int64),
    )


@lean_kernel
def write_sorted(at: IntArray, stage: int, sorted_at: IntArray) -> None:
    """Write what tells a position apart: its columns, sorted when no row is left to be dealt.

    No rule but that of dealing tells one column from another. So once the stock is empty, positions
    whose columns are in another order have the same moves and end alike.
    """
    copy_position(sorted_at, at)
    if stage == ROW_COUNT:
        for i in range(1, COLUMN_COUNT):
            column = sorted_at[i]
            place = i
            while place > 0 and sorted_at[place - 1] > column:
                sorted_at[place] = sorted_at[place - 1]
                place -= 1
            sorted_at[place] = column


@lean_kernel
def is_same(one: IntArray, other: IntArray) -> bool:
    """Whether two positions have the same columns in the same order."""
    place = 0
    while place < COLUMN_COUNT and one[place] == other[place]:
        place += 1
    return place == COLUMN_COUNT


@lean_kernel
def position_slot(explored: Explored, index: int) -> int:
    """The slot of a position equal to this one, or the free one where it belongs."""
    wanted = explored.sorted_at[index]
    mixed = 0
    for place in range(COLUMN_COUNT):
        mixed = ((mixed << 11) & KEY_MASK) ^ (mixed >> 23) ^ (int(wanted[place]) * 0x9E3779B1)
    mask = explored.slots.shape[0] - 1
    slot = (mixed ^ (mixed >> 29)) & mask
    while explored.slots[slot] >= 0:
        if is_same(explored.sorted_at[explored.slots[slot]], wanted):
            return int(slot)
        slot = (slot + 1) & mask
    return int(slot)


@lean_kernel
def try_move(explored: Explored, task: Task, index: int, move: int, weights: LongArray) -> int:
    """Make a move from an opened position and enter what it leads to, if that is new."""
    new = int(explored.counts[0])
    if new == explored.at.shape[0]:
        return OUT_OF_MEMORY
    at = explored.at[new]
    copy_position(at, explored.at[index])
    stage = int(explored.found[index, STAGE])
    left = int(explored.found[index, RUNS_LEFT])
    # The columns' values play no part here: all are worked out by the weights of one stage.
    if move == DEALT:
        finishes = apply_deal(explored.columns, at, task.rows[stage], weights, 0)
        stage += 1
    else:
        finishes = apply_move(explored.columns, at, move, weights, 0)
    if finishes == FULL:
        return OUT_OF_MEMORY
    explored.found[new, STAGE] = stage
    explored.found[new, RUNS_LEFT] = left - finishes
    explored.found[new, BEFORE] = index
    explored.found[new, MOVE] = move
    write_sorted(at, stage, explored.sorted_at[new])
    slot = position_slot(explored, new)
    if explored.slots[slot] < 0:
        explored.slots[slot] = new
        explored.counts[0] += 1
        if left - finishes == 0:
            return WON
    return GOES_ON


@lean_kernel
def open_position(
    explored: Explored, task: Task, index: int, weights: LongArray, skip_blocked: int
) -> int:
    """Make every move of a position.

    After the last row, moves that only change the order of the columns are left out: they lead to
    a position that counts as the same one.
    """
    stage = np.int64(explored.found[index, STAGE])
    at, moves = explored.at[index], explored.moves
    if skip_blocked != 0 and is_blocked(
        explored.columns, at, task.rows, stage, 0, explored.digging
    ):
        return GOES_ON
    every = 1 if stage < ROW_COUNT else 0
    count = fill_moves(explored.columns, at, moves, every)
    if may_deal(task, at, stage):
        moves[count] = DEALT
        count += 1
    for i in range(count):
        outcome = try_move(explored, task, index, int(moves[i]), weights)
        if outcome != GOES_ON:
            return outcome
    return GOES_ON


@lean_kernel
def explore(
    explored: Explored,
    task: Task,
    weights: LongArray,
    max_nodes: int,
    stop: LongArray,
    skip_blocked: int,
) -> int:
    """Open positions until none is left (`LOST`), one is won, or a limit.

    skip_blocked: 1 to make no moves from positions that are proved lost by `is_blocked`.
    The first position must not be won. After `WON` the last position found is the won one.
    """
    clear_columns(explored.columns)
    explored.slots[:] = -1
    explored.counts[:] = 0
    if first_position(explored.columns, task, explored.at[0], weights) == FULL:
        return OUT_OF_MEMORY
    explored.found[0, STAGE] = task.first_stage
    explored.found[0, RUNS_LEFT] = RUN_COUNT - task.finished
    explored.found[0, BEFORE] = -1
    write_sorted(explored.at[0], task.first_stage, explored.sorted_at[0])
    explored.slots[position_slot(explored, 0)] = 0
    explored.counts[0] = 1
    while explored.counts[1] < explored.counts[0]:
        if explored.counts[1] >= max_nodes:
            return OUT_OF_NODES
        if stop[0] != 0:
            return STOPPED
        index = int(explored.counts[1])
        explored.counts[1] += 1
        outcome = open_position(explored, task, index, weights, skip_blocked)
        if outcome != GOES_ON:
            return outcome
    return LOST
