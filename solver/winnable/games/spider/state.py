"""Spider positions for the search, and moves on them: kernels.

A position is ten rows of the table of columns, and how many rows were dealt and runs finished.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from winnable.arrays import IntArray, LongArray
from winnable.games.spider.columns import (
    CARD,
    COLUMN_COUNT,
    EMPTY,
    FULL,
    KEY_MASK,
    RUN,
    SIZE,
    Columns,
    field,
    settled,
    turned_up,
    with_card,
    without,
)
from winnable.games.spider.weights import ROW_COUNT
from winnable.jit import inlined, lean_kernel

# How a search ended. FAILED proves nothing, LOST does. GOES_ON is for the end of one part only.
GOES_ON, WON, FAILED, OUT_OF_NODES, OUT_OF_MEMORY, STOPPED, LOST = range(7)

RUN_COUNT = 8
# More than any position has: ten runs of up to 13 cards to nine other columns.
MOST_MOVES = 10 * 9 * 13
# A move as one integer; `DEALT` stands for a row.
COUNT_SHIFT, SOURCE_SHIFT = 8, 4
DEALT = 1 << 12

# Makes the key of a position depend on which column is where.
_PLACE_KEYS = tuple(
    int(key) for key in np.random.default_rng(54).integers(1, KEY_MASK, COLUMN_COUNT, np.int64)
)
PLACE_KEYS = np.array(_PLACE_KEYS, np.int64)


class Task(NamedTuple):
    """What to search from.

    cards: int64, shape (10, 104): the columns.
    sizes, hidden: int64, shape (10,): their cards, and how many of these are face down.
    rows: int64, shape (5, 10): the stock; rows that were dealt before come first, unused.
    first_stage: how many rows were dealt before.
    finished: how many runs have left the table.
    deal_on_empty: 1 when a row may be dealt on empty columns.
    """

    cards: LongArray
    sizes: LongArray
    hidden: LongArray
    rows: LongArray
    first_stage: int
    finished: int
    deal_on_empty: int


@inlined
def copy_position(to: IntArray, at: IntArray) -> None:
    """Copy a position, int32, shape (10,)."""
    for place in range(COLUMN_COUNT):
        to[place] = at[place]


@inlined
def move_code(source: int, target: int, count: int) -> int:
    """A move of `count` cards as one integer."""
    return count << COUNT_SHIFT | source << SOURCE_SHIFT | target


@inlined
def place_key(key: int, place: int, stage: int) -> int:
    """What a column adds to the key of its position.

    While rows are left to be dealt it matters which column is where; after the last one it does
    not.
    """
    return int(key) if stage == ROW_COUNT else int(key ^ PLACE_KEYS[place])


@lean_kernel
def position_key(columns: Columns, at: IntArray, stage: int) -> int:
    """A hash of a position, for dropping repeats inside a beam only."""
    key = 0
    for place in range(COLUMN_COUNT):
        key = (key + place_key(columns.keys[at[place]], place, stage)) & KEY_MASK
    return key


@lean_kernel
def first_column(
    columns: Columns, cards: LongArray, size: int, hidden: int, weights: LongArray, stage: int
) -> int:
    """Enter a column of a deal, with what is left of it when cards go; `FULL` if there is no room.

    cards: int64, the column's cards, the last of `size` at its end.
    hidden: how many of them are face down.
    """
    column = EMPTY
    for i in range(size):
        if 0 < i <= hidden:
            column = turned_up(columns, column, cards[i], weights, stage)
        else:
            column = with_card(columns, column, cards[i], weights, stage)
        if column == FULL:
            return FULL
    return column


@lean_kernel
def first_position(columns: Columns, task: Task, at: IntArray, weights: LongArray) -> int:
    """Enter the columns of a task and write the position; `FULL` when the table has no room."""
    for place in range(COLUMN_COUNT):
        size, hidden = task.sizes[place], task.hidden[place]
        cards = task.cards[place]
        column = first_column(columns, cards, size, hidden, weights, task.first_stage)
        if column == FULL:
            return FULL
        at[place] = column
    return GOES_ON


@lean_kernel
def apply_move(columns: Columns, at: IntArray, move: int, weights: LongArray, stage: int) -> int:
    """Make a legal move; returns how many runs it finished, `FULL` when a table has no room.

    at: int32, shape (10,): the position, changed in place.
    """
    count, source, target = move >> COUNT_SHIFT, (move >> SOURCE_SHIFT) & 15, move & 15
    moving = np.int64(at[source])
    onto = np.int64(at[target])
    rest = without(columns, moving, count)
    card = field(columns, moving, CARD) + 4 * (count - 1)
    for _ in range(count):
        onto = with_card(columns, onto, card, weights, stage)
        if onto == FULL:
            return FULL
        card -= 4
    left = settled(columns, onto)
    at[source] = rest
    at[target] = left
    return 0 if left == onto else 1


@lean_kernel
def apply_deal(
    columns: Columns, at: IntArray, row: LongArray, weights: LongArray, stage: int
) -> int:
    """Deal a row; returns how many runs it finished, `FULL` when a table has no room.

    row: int64, shape (10,): a card for each column.
    """
    finished = 0
    for place in range(COLUMN_COUNT):
        onto = np.int64(at[place])
        column = with_card(columns, onto, row[place], weights, stage)
        if column == FULL:
            return FULL
        left = settled(columns, column)
        if left != column:
            finished += 1
        at[place] = left
    return finished


@lean_kernel
def empty_count(at: IntArray) -> int:
    """How many columns of a position are empty."""
    empty = 0
    for place in range(COLUMN_COUNT):
        if at[place] == EMPTY:
            empty += 1
    return empty


@lean_kernel
def fill_moves(columns: Columns, at: IntArray, moves: LongArray, every: int) -> int:
    """Write the legal moves but deals; returns how many.

    every: 1 for all of them. 0 leaves out what only changes the order of the columns: whole columns
        to empty ones, and moves to any but the first empty column.
    """
    found = 0
    for source in range(COLUMN_COUNT):
        column = int(at[source])
        if column == EMPTY:
            continue
        run = field(columns, column, RUN)
        rank = field(columns, column, CARD) >> 2
        most = run if every != 0 else min(run, field(columns, column, SIZE) - 1)
        empty_seen = False
        for target in range(COLUMN_COUNT):
            onto = int(at[target])
            if target == source:
                continue
            if onto != EMPTY:
                count = (field(columns, onto, CARD) >> 2) - rank
                if 1 <= count <= run:
                    moves[found] = move_code(source, target, count)
                    found += 1
            elif every != 0 or not empty_seen:
                empty_seen = True
                for count in range(1, most + 1):
                    moves[found] = move_code(source, target, count)
                    found += 1
    return found


@lean_kernel
def is_legal(columns: Columns, at: IntArray, move: int) -> bool:
    """Whether a move that is no deal can be made."""
    count, source, target = move >> COUNT_SHIFT, (move >> SOURCE_SHIFT) & 15, move & 15
    column, onto = int(at[source]), int(at[target])
    if source == target or count > field(columns, column, RUN):
        return False
    card = field(columns, column, CARD) + 4 * (count - 1)
    return onto == EMPTY or (field(columns, onto, CARD) >> 2) == (card >> 2) + 1


@lean_kernel
def may_deal(task: Task, at: IntArray, stage: int) -> bool:
    """Whether the next row can be dealt."""
    return stage < ROW_COUNT and (task.deal_on_empty != 0 or empty_count(at) == 0)
