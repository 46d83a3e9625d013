"""Spider positions for the search, and moves on them: kernels.

A position is ten rows of the table of columns, and how many rows were dealt and runs finished.
"""

from __future__ import annotations

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
    depth_of,
    field,
    settled,
    turned_up,
    with_card,
    without,
)
from winnable.games.spider.evaluation import ROW_COUNT
from winnable.jit import inlined, kernel

RUN_COUNT = 8
# A move as one integer; `DEALT` stands for a row.
COUNT_SHIFT, SOURCE_SHIFT = 8, 4
DEALT = 1 << 12

# Makes the key of a position depend on which column is where.
_PLACE_KEYS = tuple(
    int(key) for key in np.random.default_rng(54).integers(1, KEY_MASK, COLUMN_COUNT, np.int64)
)
PLACE_KEYS = np.array(_PLACE_KEYS, np.int64)


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
    return key if stage == ROW_COUNT else key ^ PLACE_KEYS[place]


@kernel
def position_key(columns: Columns, at: IntArray, stage: int) -> int:
    """A hash of a position, for dropping repeats inside a beam only."""
    key = 0
    for place in range(COLUMN_COUNT):
        key = (key + place_key(columns.keys[at[place]], place, stage)) & KEY_MASK
    return key


@kernel
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


@kernel
def apply_move(
    columns: Columns, at: IntArray, move: int, weights: LongArray, stage: int
) -> int:
    """Make a legal move; returns how many runs it finished, `FULL` when a table has no room.

    at: int32, shape (10,): the position, changed in place.
    """
    count, source, target = move >> COUNT_SHIFT, (move >> SOURCE_SHIFT) & 15, move & 15
    moving = np.int64(at[source])
    onto = np.int64(at[target])
    if field(columns, onto, SIZE) + count > depth_of(columns):
        return FULL
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


@kernel
def apply_deal(
    columns: Columns, at: IntArray, row: LongArray, weights: LongArray, stage: int
) -> int:
    """Deal a row; returns how many runs it finished, `FULL` when a table has no room.

    row: int64, shape (10,): a card for each column.
    """
    finished = 0
    for place in range(COLUMN_COUNT):
        onto = np.int64(at[place])
        if field(columns, onto, SIZE) + 1 > depth_of(columns):
            return FULL
        column = with_card(columns, onto, row[place], weights, stage)
        if column == FULL:
            return FULL
        left = settled(columns, column)
        if left != column:
            finished += 1
        at[place] = left
    return finished


@kernel
def fill_moves(columns: Columns, at: IntArray, moves: LongArray) -> int:
    """Write every legal move but deals; returns how many.

    Whole columns to empty ones are left out, and of several empty columns the first one stands for
    all.
    """
    found = 0
    for source in range(COLUMN_COUNT):
        column = np.int64(at[source])
        if column == EMPTY:
            continue
        run, size = field(columns, column, RUN), field(columns, column, SIZE)
        rank = field(columns, column, CARD) >> 2
        empty_seen = False
        for target in range(COLUMN_COUNT):
            onto = np.int64(at[target])
            if target == source:
                continue
            if onto == EMPTY:
                if not empty_seen:
                    for count in range(1, min(run, size - 1) + 1):
                        moves[found] = move_code(source, target, count)
                        found += 1
                empty_seen = True
                continue
            count = (field(columns, onto, CARD) >> 2) - rank
            if 1 <= count <= run:
                moves[found] = move_code(source, target, count)
                found += 1
    return found
