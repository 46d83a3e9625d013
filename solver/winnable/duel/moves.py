"""The past that the rules ask for, and the legal moves of a position: kernels.

A move is ``source << 4 | target``; sources and targets 0 to 7 are the houses.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from winnable.arrays import ByteArray, LongArray
from winnable.deals.kernels.native import mix
from winnable.duel.state import (
    BARRED,
    BUILDS_ON,
    ENDS,
    FAULT,
    GOING_ON,
    HIDDEN,
    HOUSE_CODES,
    HOUSE_SIZE,
    KEY_HIGH,
    KEY_LOW,
    LANE_HIGH,
    LANE_LOW,
    MOVER,
    NO_CARD,
    OUTCOME,
    STOCK_SIZE,
    TURNED,
    WASTE_SIZE,
    Codes,
    KeyArray,
    code_with,
    foundation_mask,
    load_mask,
    reserve_top,
    turned_card,
    waste_top,
)
from winnable.jit import inlined, lean_kernel

# Sources and targets that are no houses.
RESERVE, STOCK_CARD = 8, 9
FOUNDATION, OTHER_RESERVE, OTHER_WASTE = 8, 9, 10
# Moves that are no card's: above all others.
TURN, DISCARD, PASS, STOP = 160, 161, 162, 163
RESERVE_UP = RESERVE << 4 | FOUNDATION
MAX_MOVES = 128

# Turns without a foundation card that make a draw, counted as the cell `QUIET` is: from 1.
QUIET_LIMIT = 201
# Room for the positions of a turn since its last move that was not between houses; when it is
# full, there are no more such moves. Random play came to 25 in a million moves.
TURN_ROOM = 512
# Room for the positions that began turns since the last foundation card: the draw comes first.
START_ROOM = QUIET_LIMIT + 1
# Places in `Table.lengths`.
TURN_LENGTH, START_LENGTH = range(2)

# What the mover is obliged to do.
NOTHING, UP_RESERVE, UP_ANY, UP_HOUSE, RESERVE_FIRST, OWN_CARD = range(6)


class Table(NamedTuple):
    """A position and the past that the rules ask for.

    cells, words: the position, see `state`.
    turn_keys: uint64, shape (TURN_ROOM, 2): keys of the positions of this turn since the last
        move that was not between houses, the present one last.
    start_keys: uint64, shape (START_ROOM, 2): keys with which turns began since the last
        foundation card; such a card makes all earlier positions impossible.
    lengths: int64, shape (2,): how many of each there are.
    before_cells, before_words, before_lengths: the position before a fault, when the cell FAULT
        is set. The keys of earlier turns are still there then: they are overwritten only when a
        turn has ended.
    """

    cells: ByteArray
    words: KeyArray
    turn_keys: KeyArray
    start_keys: KeyArray
    lengths: LongArray
    before_cells: ByteArray
    before_words: KeyArray
    before_lengths: LongArray


class Targets(NamedTuple):
    """What takes which cards: masks of cards, bit `card` each.

    up: the foundations. on_reserve, on_waste: the opponent's piles. building: houses that are not
    empty. ends: the end cards of these. empty: the first empty house, -1 for none.
    """

    up: int
    on_reserve: int
    on_waste: int
    building: int
    ends: int
    empty: int


# Legal moves


@lean_kernel
def find_targets(cells: ByteArray, codes: Codes) -> Targets:
    """What takes which cards of the mover's."""
    other = 1 - np.int64(cells[MOVER])
    barred = np.int64(cells[BARRED])
    building, ends, empty = 0, 0, -1
    for house in range(codes.houses - 1, -1, -1):
        end = np.int64(cells[ENDS + house])
        if end == NO_CARD:
            empty = house
        else:
            building |= BUILDS_ON[codes.in_suit, end]
            ends |= 1 << end
    return Targets(
        foundation_mask(cells),
        load_mask(codes, 1, reserve_top(cells, other), barred),
        load_mask(codes, 2, waste_top(cells, other), barred),
        building,
        ends,
        empty,
    )


@lean_kernel
def duty(cells: ByteArray, codes: Codes, to: Targets) -> int:
    """What the mover is obliged to do: the first that applies."""
    reserve = reserve_top(cells, np.int64(cells[MOVER]))
    own = 1 << reserve if reserve != NO_CARD else 0
    turned = turned_card(cells)
    turned_bit = 1 << turned if turned != NO_CARD else 0
    if codes.compulsory == 1:
        if to.up & own != 0:
            return UP_RESERVE
        if to.up & (to.ends | turned_bit) != 0:
            return UP_ANY
        fits = to.building & own != 0 and codes.only_empty == 0
        if own != 0 and (fits or to.empty >= 0):
            return RESERVE_FIRST
    if codes.seen_rule == 1 and to.up & to.ends != 0:
        return UP_HOUSE
    if codes.must_play == 1:
        own |= turned_bit
        places = to.up | to.building | to.on_reserve | to.on_waste
        if own != 0 and (places & own != 0 or to.empty >= 0):
            return OWN_CARD
    return NOTHING


@inlined
def misses(move: int, obliged: int) -> bool:
    """Whether a move leaves undone what the mover is obliged to do."""
    is_up = move < TURN and move & 15 == FOUNDATION
    if obliged == UP_RESERVE:
        return bool(move != RESERVE_UP)
    if obliged == UP_ANY:
        return not is_up
    if obliged == UP_HOUSE:
        return bool(not is_up or move >= RESERVE << 4)
    if obliged == RESERVE_FIRST:
        return bool(move >= STOCK_CARD << 4)
    return bool(obliged == OWN_CARD and move > TURN)


@lean_kernel
def legal_moves(table: Table, codes: Codes, moves: LongArray) -> int:
    """Write every legal move into `moves`, int64 of shape (MAX_MOVES,); return their number.

    Of several empty houses only the first is named.
    """
    if table.cells[OUTCOME] != GOING_ON:
        return 0
    count = without_recurring(table, moves, position_moves(table.cells, codes, moves))
    if table.cells[FAULT] == 1:
        moves[count] = STOP
        count += 1
    return count


@lean_kernel
def position_moves(cells: ByteArray, codes: Codes, moves: LongArray) -> int:
    """The moves of a position without regard to the past: not `STOP`, and all between houses.

    For searches that keep their own record of positions; see `legal_moves`.
    """
    to = find_targets(cells, codes)
    obliged = NOTHING if codes.called == 1 else duty(cells, codes, to)
    count = 0
    if obliged != UP_HOUSE:
        reserve = reserve_top(cells, np.int64(cells[MOVER]))
        count = card_moves(cells, codes, to, RESERVE, reserve, obliged, moves, count)
    if obliged != UP_RESERVE:
        # Most end cards have no place to go.
        placed = to.up | to.building | to.on_reserve | to.on_waste
        if to.ends & placed != 0 or to.empty >= 0:
            for house in range(codes.houses):
                end = np.int64(cells[ENDS + house])
                if placed >> end & 1 == 1 or to.empty >= 0:
                    count = card_moves(cells, codes, to, house, end, obliged, moves, count)
    if obliged in (NOTHING, UP_ANY, OWN_CARD):
        turned = turned_card(cells)
        count = card_moves(cells, codes, to, STOCK_CARD, turned, obliged, moves, count)
    if obliged == NOTHING:
        moves[count] = ending(cells)
        count += 1
    return count


@inlined
def ending(cells: ByteArray) -> int:
    """The one of turn, discard and pass that is possible."""
    player = np.int64(cells[MOVER])
    if cells[TURNED] == 1:
        return DISCARD
    left = np.int64(cells[STOCK_SIZE + player]) + np.int64(cells[WASTE_SIZE + player])
    return TURN if left > 0 else PASS


@inlined
def card_moves(
    cells: ByteArray,
    codes: Codes,
    to: Targets,
    source: int,
    card: int,
    obliged: int,
    moves: LongArray,
    count: int,
) -> int:
    """Append the moves of an available card, or of `NO_CARD`; return the new number of moves."""
    if card == NO_CARD:
        return count
    first = source << 4
    if to.up >> card & 1 == 1:
        moves[count] = first | FOUNDATION
        count += 1
    if UP_RESERVE <= obliged <= UP_HOUSE:
        return count
    if to.building >> card & 1 == 1:
        for house in range(codes.houses):
            end = np.int64(cells[ENDS + house])
            if BUILDS_ON[codes.in_suit, end] >> card & 1 == 1:
                moves[count] = first | house
                count += 1
    if to.empty >= 0:
        moves[count] = first | to.empty
        count += 1
    if to.on_reserve >> card & 1 == 1:
        moves[count] = first | OTHER_RESERVE
        count += 1
    if to.on_waste >> card & 1 == 1:
        moves[count] = first | OTHER_WASTE
        count += 1
    return count


@inlined
def without_recurring(table: Table, moves: LongArray, count: int) -> int:
    """Drop the moves to a position that this turn had; return the number of those left."""
    cells, words, turn_keys = table.cells, table.words, table.turn_keys
    length = table.lengths[TURN_LENGTH]
    kept = 0
    for i in range(count):
        source, target = moves[i] >> 4, moves[i] & 15
        is_between_houses = source < RESERVE and target < FOUNDATION
        if is_between_houses and recurs(cells, words, turn_keys, length, source, target):
            continue
        moves[kept] = moves[i]
        kept += 1
    return kept


@inlined
def recurs(
    cells: ByteArray, words: KeyArray, turn_keys: KeyArray, length: int, source: int, target: int
) -> bool:
    """Whether moving a card between two houses leads to a position that this turn had.

    No other moves can: see the plain rules. A face-down card that is turned up does not go back
    either, and the code of its house would not be the old one shifted.
    """
    size, hidden = np.int64(cells[HOUSE_SIZE + source]), np.int64(cells[HIDDEN + source])
    if hidden > 0 and size - 1 == hidden:
        return False
    if length == TURN_ROOM:
        return True
    old_source = np.int64(words[HOUSE_CODES + source])
    old_target = np.int64(words[HOUSE_CODES + target])
    new_source = 0 if size == 1 else old_source >> 1
    # The two houses have changed places: the present position itself.
    if new_source == old_target:
        return True
    if length == 1:
        return False
    new_target = code_with(old_target, np.int64(cells[ENDS + source]))
    low = words[KEY_LOW] + change(old_source, old_target, new_source, new_target, LANE_LOW)
    high = words[KEY_HIGH] + change(old_source, old_target, new_source, new_target, LANE_HIGH)
    was_there = False
    for i in range(length):
        was_there |= turn_keys[i, 0] == low and turn_keys[i, 1] == high
    return was_there


@inlined
def change(
    old_source: int, old_target: int, new_source: int, new_target: int, lane: np.uint64
) -> np.uint64:
    """What two changed houses add to one half of the key."""
    changed: np.uint64 = mix(np.uint64(new_target) ^ lane) - mix(np.uint64(old_source) ^ lane)
    if new_source != 0:
        changed += mix(np.uint64(new_source) ^ lane)
    if old_target != 0:
        changed -= mix(np.uint64(old_target) ^ lane)
    return changed
