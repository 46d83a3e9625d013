"""Exact keys of Canfield positions, the table that holds them, and the stack: kernels.

A key is two integers and holds everything of a position but the order of its columns and the size
of the waste, for which the table's entry has fields of its own. So no verdict rests on a hash.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from winnable.arrays import IntArray, LongArray
from winnable.games.canfield.state import (
    FIRST_TWINS,
    MAX_MOVES,
    NO_CARD,
    ONE_SUIT,
    WASTE_ORDER,
    Position,
    Setup,
    lowest,
    popcount,
    swaps_tails,
)
from winnable.jit import inlined, kernel

MAX_DEPTH = 1500
# Numbers that a position is saved as.
FRAME_SIZE = 7
# Slots of 16 bytes. A table doubles up to a million slots; from there it grows by an odd step to
# `MIDDLE_SLOTS`, 29 MB, and from that at once to `LARGE_SLOTS`, 252 MB, so that both together stay
# below 300 MB while the one grows to the other. Whoever asks for more nodes than fill that gets it
# doubled again, up to `MOST_SLOTS_ASKED`, 4 GB.
FIRST_SLOTS = 1 << 14
SLOTS_BEFORE_MIDDLE = 1 << 20
MIDDLE_SLOTS = 7 << 18
LARGE_SLOTS = 15 << 20
MOST_SLOTS_ASKED = 15 << 24

IN_USE = 1 << 54
WASTE_SHIFT = 55
LEAST_SHIFT = 50
LEAST_BITS = 0xFFF
POSITION_BITS = (1 << LEAST_SHIFT) - 1
LOW_31_BITS = (1 << 31) - 1


class Stack(NamedTuple):
    """The way to the position at hand.

    frames: int64, shape (depths, `FRAME_SIZE`): the positions.
    moves: int32, shape (depths, `MAX_MOVES`): for each depth its moves.
    ends: int64, shape (depths, 2): how many of them were tried and how many there are.
    undo: int64, shape (depths, 3): the key and what the table's entry had before.
    """

    frames: LongArray
    moves: IntArray
    ends: LongArray
    undo: LongArray


def new_stack(depths: int) -> Stack:
    """A stack for that many positions."""
    return Stack(
        np.zeros((depths, FRAME_SIZE), np.int64),
        np.zeros((depths, MAX_MOVES), np.int32),
        np.zeros((depths, 2), np.int64),
        np.zeros((depths, 3), np.int64),
    )


class Table(NamedTuple):
    """Entries by open addressing: int64 arrays of shape (slots,).

    firsts: the first half of the key, 0 for an empty slot.
    seconds: the second half, and above it what is known of the position.
    """

    firsts: LongArray
    seconds: LongArray


@kernel
def new_table() -> Table:
    """An empty table of the smallest size."""
    return Table(np.zeros(FIRST_SLOTS, np.int64), np.zeros(FIRST_SLOTS, np.int64))


@inlined
def twin_bits(at: Position) -> int:
    """Which tail lies on which twin, 26 bits: one for each rank and colour.

    Of two cards of a rank and colour that lie on others, the first's bit tells where both lie.
    """
    lying = at.tableau & ~at.roots
    second = at.second_host & lying
    first_lying = lying & FIRST_TWINS
    bits = (second & first_lying) | ((second >> 2) & FIRST_TWINS & ~first_lying)
    bits = (bits | (bits >> 2)) & 0x0F0F0F0F0F0F0F
    bits = (bits | (bits >> 4)) & 0x00FF00FF00FF00FF
    bits = (bits | (bits >> 8)) & 0x0000FFFF0000FFFF
    return (bits | (bits >> 16)) & 0x3FFFFFF


@inlined
def first_key(setup: Setup, at: Position) -> int:
    """Stock, reserve and foundations in 54 bits, which give the set of tableau cards too."""
    key = at.stock | at.reserve << 34 | IN_USE
    for suit in range(4):
        key |= popcount(at.up & (ONE_SUIT << suit)) << (38 + 4 * suit)
    if setup.reductions & WASTE_ORDER == 0:
        key |= at.waste << WASTE_SHIFT
    return key


@inlined
def second_key(setup: Setup, at: Position) -> int:
    """How the tableau's cards are arranged, whatever the order of the columns, in 50 bits."""
    key = 0
    roots = at.roots
    for i in range(4):
        card = NO_CARD
        if roots:
            card = lowest(roots)
            roots &= roots - 1
        key |= card << (6 * i)
    if not swaps_tails(setup):
        key |= twin_bits(at) << 24
    return key


@inlined
def start_slot(first: int, second: int, slots: int) -> int:
    """Where the search for a key begins. No product exceeds 63 bits."""
    mixed = (first & LOW_31_BITS) * 1540483477 + ((first >> 31) & LOW_31_BITS) * 716633
    mixed ^= (second & LOW_31_BITS) * 2127912213 + ((second >> 31) & 0x7FFFF) * 915343
    mixed ^= mixed >> 29
    mixed = (mixed & LOW_31_BITS) * 1640531513 + (mixed >> 31)
    return (((mixed ^ (mixed >> 27)) & LOW_31_BITS) * slots) >> 31


@inlined
def find_slot(table: Table, first: int, second: int) -> int:
    """The slot that holds a key, or the empty one where it belongs."""
    firsts, seconds = table.firsts, table.seconds
    slots = len(firsts)
    slot = start_slot(first, second, slots)
    while firsts[slot] != 0 and (
        firsts[slot] != first or (seconds[slot] & POSITION_BITS) != second
    ):
        slot += 1
        if slot == slots:
            slot = 0
    return slot


@kernel
def larger_table(table: Table) -> Table:
    """A table of the next size with the same entries."""
    size = len(table.firsts)
    if size == SLOTS_BEFORE_MIDDLE:
        size = MIDDLE_SLOTS
    elif size == MIDDLE_SLOTS:
        size = LARGE_SLOTS
    else:
        size *= 2
    larger = Table(np.zeros(size, np.int64), np.zeros(size, np.int64))
    for slot in range(len(table.firsts)):
        if table.firsts[slot] != 0:
            second = table.seconds[slot]
            to = find_slot(larger, table.firsts[slot], second & POSITION_BITS)
            larger.firsts[to] = table.firsts[slot]
            larger.seconds[to] = second
    return larger


@inlined
def with_room(table: Table, entries: int, most_slots: int) -> Table:
    """The table, made larger when it is half full, as long as it may grow.

    The one before the large step is filled to three quarters, so that the beams of a plan, whose
    memory would come on top, are over by then.
    """
    size = len(table.firsts)
    room = size // 4 * 3 if size == MIDDLE_SLOTS else size // 2
    if entries > room and size < most_slots:
        return larger_table(table)
    return table


@inlined
def is_full(table: Table, entries: int) -> bool:
    """Whether no more entries should be made."""
    return entries * 8 > len(table.firsts) * 7


@inlined
def write_entry(table: Table, slot: int, first: int, second: int, known: int, entries: int) -> int:
    """Write what is known of a position; return how many entries there are now."""
    table.seconds[slot] = second | known << LEAST_SHIFT
    if table.firsts[slot] == 0:
        table.firsts[slot] = first
        return entries + 1
    return entries


# Waste sizes. From size w, turning leads to w + 3, w + 6, ..., so that whatever wins from there
# wins from w. (With draw 1: w + 1, w + 2, ...) Under unlimited redeals every size leads to 0 too.
# So an entry keeps the least size of each class modulo the draw, plus 1, in one field; 0 for none.


@inlined
def waste_shift(setup: Setup, waste: int) -> int:
    """Where an entry has the field of this waste size."""
    return 4 * (waste % 3) if setup.draw == 3 else 0


@inlined
def is_covered(setup: Setup, least: int, waste: int) -> bool:
    """Whether the entry has a waste from which this size is reached by turning."""
    if least == 0 or setup.reductions & WASTE_ORDER == 0:
        return least != 0
    if setup.unlimited == 1 and waste == 0:
        return True
    known = (least >> waste_shift(setup, waste)) & (15 if setup.draw == 3 else 63)
    return known != 0 and known - 1 <= waste // setup.draw


@inlined
def with_waste(setup: Setup, least: int, waste: int) -> int:
    """The entry's fields with this size, which they do not cover."""
    if setup.reductions & WASTE_ORDER == 0:
        return 1
    shift = waste_shift(setup, waste)
    field = 15 if setup.draw == 3 else 63
    return (least & ~(field << shift)) | ((waste // setup.draw + 1) << shift)


@inlined
def load(frames: LongArray, depth: int) -> Position:
    """The position at this depth."""
    frame = frames[depth]
    return Position(frame[0], frame[1], frame[2], frame[3], frame[4], frame[5], frame[6])


@inlined
def save(frames: LongArray, depth: int, at: Position) -> None:
    """Write the position at this depth."""
    frame = frames[depth]
    frame[0] = at.stock
    frame[1] = at.tableau
    frame[2] = at.roots
    frame[3] = at.second_host
    frame[4] = at.up
    frame[5] = at.reserve
    frame[6] = at.waste
