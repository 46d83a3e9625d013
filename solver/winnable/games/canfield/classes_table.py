"""The hash table of positions in classes, under exact keys: kernels.

An entry is two int64: the first key and an `ENTERED` bit; the second key (24 bits), eight bits for
the search, and the *generation* in the upper half. A slot with another generation is empty, so
that the next search has an empty table at once. The table may use only the first part of its
array, and grows into the rest: small searches then stay in the processor's cache.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from winnable.arrays import LongArray
from winnable.games.canfield.classes_bits import prefetch
from winnable.jit import inlined, kernel, lean_kernel

ENTERED = 1 << 54
ROOTS = (1 << 24) - 1
NOTE_SHIFT = 24
NOTE = 0xFF << NOTE_SHIFT
GENERATION_SHIFT = 32
LOW_31_BITS = (1 << 31) - 1

# How far ahead the places of entries are fetched while a table grows: eight entries.
AHEAD = 16

# Cells of `Table.head`.
SLOTS, GENERATION, USED = range(3)


class Table(NamedTuple):
    """A table: its entries, and what is in use.

    cells: int64, shape (2 * capacity,); entry i is at 2 i and 2 i + 1.
    head: int64, shape (3,): slots in use (a power of two), generation, entries.
    """

    cells: LongArray
    head: LongArray


@inlined
def start_slot(first: int, second: int, mask: int) -> int:
    """Where the search for a key begins. No product exceeds 63 bits."""
    mixed = (first & LOW_31_BITS) * 1540483477 + (first >> 31) * 716633
    mixed ^= second * 2127912213
    mixed ^= mixed >> 29
    mixed = (mixed & LOW_31_BITS) * 1640531513 + (mixed >> 31)
    return (mixed ^ (mixed >> 27)) & mask


@lean_kernel
def find(cells: LongArray, head: LongArray, first: int, second: int) -> int:
    """The cell of the entry with these keys, or of the empty slot where it belongs."""
    mask = head[SLOTS] - 1
    generation = head[GENERATION]
    slot = start_slot(first, second, mask)
    while cells[2 * slot + 1] >> GENERATION_SHIFT == generation:
        same_first = (cells[2 * slot] & ~ENTERED) == first
        if same_first and (cells[2 * slot + 1] & ROOTS) == second:
            break
        slot = (slot + 1) & mask
    return 2 * slot


@lean_kernel
def fetch_ahead(cells: LongArray, head: LongArray, first: int, second: int) -> None:
    """Have the place of an entry fetched: a search for it soon then need not wait for memory."""
    prefetch(cells, 2 * start_slot(first, second, head[SLOTS] - 1))


@lean_kernel
def is_empty(cells: LongArray, head: LongArray, cell: int) -> bool:
    """Whether the slot at this cell holds no entry."""
    return bool(cells[cell + 1] >> GENERATION_SHIFT != head[GENERATION])


@lean_kernel
def put(cells: LongArray, head: LongArray, cell: int, first: int, second: int, note: int) -> None:
    """Write an entry into an empty slot."""
    cells[cell] = first
    cells[cell + 1] = second | (note << NOTE_SHIFT) | (head[GENERATION] << GENERATION_SHIFT)
    head[USED] += 1


@lean_kernel
def is_crowded(head: LongArray) -> bool:
    """Whether half of the slots are taken."""
    return bool(2 * head[USED] >= head[SLOTS])


@lean_kernel
def clear(head: LongArray, slots: int) -> None:
    """Forget all entries, and use this many slots."""
    head[SLOTS] = slots
    head[GENERATION] += 1
    head[USED] = 0


@lean_kernel
def put_again(cells: LongArray, head: LongArray, first: int, rest: int) -> None:
    """Put an entry, its two cells as they were, into a table that does not have it."""
    second = rest & ROOTS
    cell = find(cells, head, first & ~ENTERED, second)
    put(cells, head, cell, first, second, (rest & NOTE) >> NOTE_SHIFT)


@lean_kernel
def copy_entries(source: Table, target: Table) -> None:
    """Put the entries of a table into another one; the two share no cells."""
    cells, head = source
    to_cells, to_head = target
    for cell in range(0, 2 * head[SLOTS], 2):
        ahead = cell + AHEAD
        if ahead < 2 * head[SLOTS] and not is_empty(cells, head, ahead):
            fetch_ahead(to_cells, to_head, cells[ahead] & ~ENTERED, cells[ahead + 1] & ROOTS)
        if not is_empty(cells, head, cell):
            put_again(to_cells, to_head, cells[cell], cells[cell + 1])


@kernel
def grow_in_place(table: Table) -> None:
    """Double the slots in use, within the array."""
    cells, head = table
    entries = np.empty(2 * head[USED], np.int64)
    end = 0
    for cell in range(0, 2 * head[SLOTS], 2):
        if not is_empty(cells, head, cell):
            entries[end] = cells[cell]
            entries[end + 1] = cells[cell + 1]
            end += 2
    clear(head, 2 * head[SLOTS])
    for i in range(0, end, 2):
        if i + AHEAD < end:
            ahead = i + AHEAD
            fetch_ahead(cells, head, entries[ahead] & ~ENTERED, entries[ahead + 1] & ROOTS)
        put_again(cells, head, entries[i], entries[i + 1])
