"""Columns of Spider kept once each: kernels.

A column that arises in a search is a row of a table: its last card, the row of the column without
that card, and what the search wants to know of it. A position is ten row numbers. So positions are
copied in a few bytes, and what is known of a column is worked out once, however many positions
have it.

Turning up a card needs no care: the column that is left when the last face-up card goes is entered
with its own last card turned up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from winnable.arrays import IntArray, LongArray
from winnable.games.spider.evaluation import ABOVE_LOWER, laid_points, standing
from winnable.jit import inlined, lean_kernel

COLUMN_COUNT = 10
RUN_SIZE = 13
KING_RANK = 12
CARD_COUNT = 52
# No column can have more cards than there are.
MOST_CARDS = 104
# The row of the empty column.
EMPTY = 0
NO_RANK = 99
FULL = -1

# Fields of a row.
(
    PARENT,
    BELOW,
    CARD,
    RUN,
    RUNS,
    SIZE,
    HIDDEN,
    LOWEST,
    ON_KING,
    PATH,
    VALUE,
    NEXT_PATH,
    NEXT_VALUE,
    UNDER,
    RANKS,
) = range(15)
FIELD_COUNT = 16

KEY_BITS = 61
KEY_MASK = (1 << KEY_BITS) - 1


class Columns(NamedTuple):
    """The table of columns.

    rows: int32, shape (n, `FIELD_COUNT`), fields by the constants above. PARENT is the column
        without its last card, BELOW without the run at its end, RUN the length of that run, RUNS
        the number of runs face up, HIDDEN of cards face down, LOWEST the lowest rank of all,
        PATH and VALUE as in `evaluation` for the stage at hand, NEXT_PATH and NEXT_VALUE for the
        one after it. RANKS has a bit for each rank of the *sequence* at the end, which goes down by
        one from card to card in any suits, UNDER is the column without it.
    keys: int64, shape (n,): a hash of each column.
    slots: int32, shape (2^k,): rows by parent and card, open addressing, 0 for a free slot.
    used: int64, shape (1,): rows in use.
    card_keys: int64, shape (105, 56): xor of random numbers along runs, see `run_key`.
    hidden_keys: int64, shape (105,): random numbers by cards face down.
    moved: int32, shape (n,): where rows go when the table is thinned out.
    """

    rows: IntArray
    keys: LongArray
    slots: IntArray
    used: LongArray
    card_keys: LongArray
    hidden_keys: LongArray
    moved: IntArray


def new_columns(most: int) -> Columns:
    """An empty table for at most so many columns."""
    random = np.random.default_rng(20_050_104)
    singles = random.integers(1, KEY_MASK, (MOST_CARDS, CARD_COUNT), np.int64)
    card_keys = np.zeros((MOST_CARDS + 1, CARD_COUNT + 4), np.int64)
    for place in range(MOST_CARDS):
        card_keys[place + 1, :CARD_COUNT] = singles[place] ^ card_keys[place, 4:]
    hidden_keys = random.integers(1, KEY_MASK, MOST_CARDS + 1, np.int64)
    hidden_keys[0] = 0
    slot_count = 1 << (2 * most - 1).bit_length()
    columns = Columns(
        np.zeros((most, FIELD_COUNT), np.int32),
        np.zeros(most, np.int64),
        np.zeros(slot_count, np.int32),
        np.ones(1, np.int64),
        card_keys,
        hidden_keys,
        np.zeros(most, np.int32),
    )
    columns.rows[EMPTY, LOWEST] = NO_RANK
    # Not 0, or the key of the won position would be that of a free slot.
    columns.keys[EMPTY] = random.integers(1, KEY_MASK)
    return columns


@inlined
def field(columns: Columns, column: int, name: int) -> int:
    """A field of a column's row, as a wide integer."""
    return int(columns.rows[column, name])


@inlined
def run_key(columns: Columns, size: int, card: int, count: int) -> int:
    """The part of a column's key that a run adds on top of `size` cards.

    A row's key is the xor of a number for each card at its place. `card_keys` sums these up along
    runs from their kings, so that the part of a run is the difference of two sums.
    """
    last = columns.card_keys[size + count, card - 4 * (count - 1)]
    return int(last ^ columns.card_keys[size, card + 4])


@inlined
def without(columns: Columns, column: int, count: int) -> int:
    """The column that is left when `count` cards of the run at its end go."""
    if count == field(columns, column, RUN):
        return field(columns, column, BELOW)
    for _ in range(count):
        column = field(columns, column, PARENT)
    return column


@inlined
def slot_of(columns: Columns, parent: int, card: int) -> int:
    """The slot of the column with this card on that one, or the free slot where it belongs."""
    mask = columns.slots.shape[0] - 1
    slot = ((((parent << 6) | card) * 0x9E3779B1) >> 17) & mask
    while True:
        row = int(columns.slots[slot])
        if row == 0 or (
            field(columns, row, PARENT) == parent and field(columns, row, CARD) == card
        ):
            return int(slot)
        slot = (slot + 1) & mask


@lean_kernel
def write_row(
    columns: Columns, row: int, parent: int, card: int, turned: int, weights: LongArray, stage: int
) -> None:
    """Fill in the row of the column with a card on another one.

    turned: 1 when all cards under it are face down, so that it is the first one face up.
    """
    rows = columns.rows
    following = min(stage + 1, weights.shape[0] - 1)
    size = field(columns, parent, SIZE)
    lowest = field(columns, parent, LOWEST)
    rank = card >> 2
    run, below, runs = 1, parent, 1
    under, ranks = parent, 1 << rank
    path = next_path = 0
    hidden = size if turned != 0 else field(columns, parent, HIDDEN)
    if size == hidden:
        # What laying the card on a face-down one costs is no choice of the player's: only that
        # it lies above lower ones counts, which is what `above_lower` alone gives.
        path = covering_points(weights, stage, rank, lowest)
        next_path = covering_points(weights, following, rank, lowest)
    else:
        on, on_run = field(columns, parent, CARD), field(columns, parent, RUN)
        path = field(columns, parent, PATH)
        path += laid_points(weights, stage, card, on, on_run, lowest)
        next_path = field(columns, parent, NEXT_PATH)
        next_path += laid_points(weights, following, card, on, on_run, lowest)
        runs = field(columns, parent, RUNS) + 1
        if on == card + 4:
            run, below, runs = on_run + 1, field(columns, parent, BELOW), runs - 1
        if on >> 2 == rank + 1:
            under, ranks = field(columns, parent, UNDER), ranks | field(columns, parent, RANKS)
    on_king = field(columns, parent, ON_KING)
    if size == 0:
        on_king = 1 if rank == KING_RANK else 0
    rows[row, PARENT] = parent
    rows[row, BELOW] = below
    rows[row, CARD] = card
    rows[row, RUN] = run
    rows[row, RUNS] = runs
    rows[row, SIZE] = size + 1
    rows[row, HIDDEN] = hidden
    rows[row, LOWEST] = min(lowest, rank)
    rows[row, ON_KING] = on_king
    rows[row, UNDER] = under
    rows[row, RANKS] = ranks
    rows[row, PATH] = path
    rows[row, VALUE] = path + standing(weights, stage, hidden, on_king, runs)
    rows[row, NEXT_PATH] = next_path
    rows[row, NEXT_VALUE] = next_path + standing(weights, following, hidden, on_king, runs)
    key = columns.keys[parent] ^ run_key(columns, size, card, 1)
    columns.keys[row] = (
        key ^ columns.hidden_keys[field(columns, parent, HIDDEN)] ^ columns.hidden_keys[hidden]
    )


@inlined
def covering_points(weights: LongArray, stage: int, rank: int, lowest: int) -> int:
    """What the first face-up card of a column is worth."""
    return int(weights[stage, ABOVE_LOWER]) if rank > lowest else 0


@lean_kernel
def turned_up(columns: Columns, parent: int, card: int, weights: LongArray, stage: int) -> int:
    """Enter the column whose last card alone is face up; `FULL` when the table is."""
    row = int(columns.used[0])
    if row == columns.rows.shape[0]:
        return FULL
    columns.used[0] += 1
    write_row(columns, row, parent, card, 1, weights, stage)
    return row


@lean_kernel
def with_card(columns: Columns, column: int, card: int, weights: LongArray, stage: int) -> int:
    """The column with one more card on it, entered when it is new; `FULL` when the table is.

    A run that the card completes stays: see `settled`.
    """
    slot = slot_of(columns, column, card)
    row = int(columns.slots[slot])
    if row == 0:
        row = int(columns.used[0])
        if row == columns.rows.shape[0]:
            return FULL
        columns.used[0] += 1
        columns.slots[slot] = row
        write_row(columns, row, column, card, 0, weights, stage)
    return row


@inlined
def settled(columns: Columns, column: int) -> int:
    """The column without a complete run at its end."""
    if field(columns, column, RUN) == RUN_SIZE:
        return field(columns, column, BELOW)
    return column


@lean_kernel
def clear_columns(columns: Columns) -> None:
    """Take all columns but the empty one out of the table."""
    columns.used[0] = 1
    columns.slots[:] = 0


@lean_kernel
def keep_columns(columns: Columns, wanted: IntArray, weights: LongArray, stage: int) -> None:
    """Thin the table out to the wanted columns and what is under them, valued for a stage.

    wanted: int32 array of shape (positions, `COLUMN_COUNT`), which receives the new rows.
    """
    moved = columns.moved
    used = columns.used[0]
    moved[:used] = 0
    for i in range(wanted.shape[0]):
        for place in range(COLUMN_COUNT):
            moved[wanted[i, place]] = 1
    # A column is always entered after the one under its last card.
    for row in range(used - 1, 0, -1):
        if moved[row] != 0:
            moved[columns.rows[row, PARENT]] = 1
    columns.slots[:] = 0
    columns.used[0] = 1
    moved[EMPTY] = EMPTY
    for row in range(1, used):
        if moved[row] == 0:
            continue
        old_parent = field(columns, row, PARENT)
        parent = int(moved[old_parent])
        card = field(columns, row, CARD)
        hidden = field(columns, row, HIDDEN)
        kept = int(columns.used[0])
        moved[row] = kept
        columns.used[0] += 1
        turned = 1 if hidden != field(columns, parent, HIDDEN) else 0
        if turned == 0:
            columns.slots[slot_of(columns, parent, card)] = kept
        write_row(columns, kept, np.int64(parent), np.int64(card), turned, weights, stage)
    for i in range(wanted.shape[0]):
        for place in range(COLUMN_COUNT):
            wanted[i, place] = moved[wanted[i, place]]
