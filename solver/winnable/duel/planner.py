"""A turn searched best-first, up to its end or to the next unknown card: kernels.

Every position of the mover's turn has a value, in hundredths of a card, that looks only at what he
can see. The most valuable one is expanded next; the most valuable of those in which the turn ends,
or an unknown card turns up, is where the plan leads.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from winnable.arrays import ByteArray, LongArray
from winnable.duel.engine import move_in_position
from winnable.duel.hidden import turns_up
from winnable.duel.moves import (
    FOUNDATION,
    RESERVE,
    TURN,
    TURN_LENGTH,
    Table,
    find_targets,
    position_moves,
)
from winnable.duel.state import (
    ENDS,
    FOUNDATIONS,
    GOING_ON,
    KEY_HIGH,
    KEY_LOW,
    MOVER,
    NO_CARD,
    OUTCOME,
    RESERVE_SIZE,
    STOCK_SIZE,
    WASTE_SIZE,
    Codes,
    KeyArray,
    copy_array,
    reserve_top,
)
from winnable.jit import lean_kernel

# What a node is: one to go on from, one that has been gone on from, or an end of the plan.
OPEN, EXPANDED, TURN_ENDS, TURNS_UP, WINS = range(5)
WON_VALUE = 1_000_000
LOWEST = -(1 << 60)

# Places in `Space.weights`: what counts how much, in hundredths of a card.
OWN_RESERVE, OWN_DECK, OTHER_RESERVE, OTHER_DECK, EMPTY_HOUSE, UP, CHANCE_OF_OTHER, LOADABLE = (
    range(8)
)
RESERVE_SHOWN, STOCK_TURNED = 8, 9
# A move between houses puts what comes after it behind other nodes, but costs no value.
BETWEEN_HOUSES = 10
WEIGHTS = (300, 100, 200, 100, 80, 5, 150, 70, 60, 40, 20)


class Space(NamedTuple):
    """Room for the search of a turn, one row a node.

    cells, words: uint8 and uint64, shapes (n, CELL_COUNT) and (n, WORD_COUNT): the positions.
    parents, moves: int64, shape (n,): where each comes from.
    values, kinds: int64, shape (n,).
    orders, delays: int64, shape (n,): the open node with the highest order is expanded next; that
        is its value less its delay.
    slots: int64, shape a power of two: nodes by key, numbers below `stamp[0]` are left over from
        earlier searches.
    stamp: int64, shape (1,).
    listed: int64, shape (MAX_MOVES,): the moves of a position.
    weights: int64, shape (11,).
    """

    cells: ByteArray
    words: KeyArray
    parents: LongArray
    moves: LongArray
    values: LongArray
    kinds: LongArray
    orders: LongArray
    delays: LongArray
    slots: LongArray
    stamp: LongArray
    listed: LongArray
    weights: LongArray


@lean_kernel
def plan(
    table: Table, codes: Codes, max_nodes: int, patience: int, sees_all: int, space: Space
) -> int:
    """Search the mover's turn; return the number of nodes, in `space` from row 0 on.

    The moves that it looks at are those by which nothing compulsory is missed.

    codes: with `called` 0.
    max_nodes: at most the rows of `space`.
    patience: the search ends when that many nodes have brought no better end.
    """
    player = np.int64(table.cells[MOVER])
    space.stamp[0] += len(space.parents)
    copy_array(space.cells[0], table.cells)
    copy_array(space.words[0], table.words)
    space.parents[0] = -1
    space.moves[0] = -1
    space.kinds[0] = OPEN
    space.values[0] = 0
    space.orders[0] = 0
    space.delays[0] = 0
    is_new(table, space, 0)
    count = 1
    best_value, found_at = LOWEST, max_nodes
    while count < max_nodes and count - found_at < patience:
        node, best = -1, LOWEST
        for i in range(count):
            # Of equal ones the newest: depth comes before breadth.
            if space.kinds[i] == OPEN and space.orders[i] >= best:
                node, best = i, space.orders[i]
        if node < 0:
            break
        space.kinds[node] = EXPANDED
        listed = position_moves(space.cells[node], codes, space.listed)
        for i in range(listed):
            if count < max_nodes:
                added = add_node(table, codes, player, sees_all, space, node, i, count)
                is_end = added == 1 and space.kinds[count] >= TURN_ENDS
                if is_end and space.values[count] > best_value:
                    best_value, found_at = space.values[count], count
                count += added
    return count


@lean_kernel
def add_node(
    table: Table,
    codes: Codes,
    player: int,
    sees_all: int,
    space: Space,
    parent: int,
    number: int,
    node: int,
) -> int:
    """Make a move from a node the new node `node`; return 0 when its position is there already."""
    move = space.listed[number]
    copy_array(space.cells[node], space.cells[parent])
    copy_array(space.words[node], space.words[parent])
    cells, words = space.cells[node], space.words[node]
    shown = turns_up(cells, codes, move, sees_all)
    has_ended = move_in_position(cells, words, codes, move)
    if not is_new(table, space, node):
        return 0
    space.parents[node] = parent
    space.moves[node] = move
    if cells[OUTCOME] != GOING_ON:
        space.kinds[node] = WINS
        space.values[node] = WON_VALUE
        return 1
    value = value_of(cells, codes, space.weights, player)
    space.kinds[node] = OPEN
    if has_ended:
        space.kinds[node] = TURN_ENDS
    elif shown:
        space.kinds[node] = TURNS_UP
        value += space.weights[STOCK_TURNED if move == TURN else RESERVE_SHOWN]
    else:
        delay = space.delays[parent]
        if move < RESERVE << 4 and move & 15 < FOUNDATION:
            delay += space.weights[BETWEEN_HOUSES]
        space.delays[node] = delay
        space.orders[node] = value - delay
    space.values[node] = value
    return 1


@lean_kernel
def is_new(table: Table, space: Space, node: int) -> bool:
    """Whether the position of a node was neither searched nor there in this turn; note it."""
    low, high = space.words[node, KEY_LOW], space.words[node, KEY_HIGH]
    # The last of these is the root.
    for i in range(table.lengths[TURN_LENGTH] - 1):
        if table.turn_keys[i, 0] == low and table.turn_keys[i, 1] == high:
            return False
    base = space.stamp[0]
    mask = len(space.slots) - 1
    slot = np.int64(low) & mask
    while space.slots[slot] >= base:
        other = space.slots[slot] - base
        if space.words[other, KEY_LOW] == low and space.words[other, KEY_HIGH] == high:
            return False
        slot = (slot + 1) & mask
    space.slots[slot] = base + node
    return True


@lean_kernel
def value_of(cells: ByteArray, codes: Codes, weights: LongArray, player: int) -> int:
    """What a position is worth to a player, from what both see."""
    other = 1 - player
    own_deck = np.int64(cells[STOCK_SIZE + player]) + np.int64(cells[WASTE_SIZE + player])
    other_deck = np.int64(cells[STOCK_SIZE + other]) + np.int64(cells[WASTE_SIZE + other])
    value: int = other_deck * weights[OTHER_DECK] - own_deck * weights[OWN_DECK]
    value += np.int64(cells[RESERVE_SIZE + other]) * weights[OTHER_RESERVE]
    value -= np.int64(cells[RESERVE_SIZE + player]) * weights[OWN_RESERVE]
    for place in range(FOUNDATIONS, FOUNDATIONS + 8):
        value += np.int64(cells[place]) * weights[UP]
    for house in range(codes.houses):
        if cells[ENDS + house] == NO_CARD:
            value += weights[EMPTY_HOUSE]
    if cells[MOVER] != player:
        value -= threats(cells, codes, weights)
    return value


@lean_kernel
def threats(cells: ByteArray, codes: Codes, weights: LongArray) -> int:
    """What the opponent, who is to move, can do at once with his reserve and the houses' ends."""
    to = find_targets(cells, codes)
    loads = to.on_reserve | to.on_waste
    reserve = reserve_top(cells, np.int64(cells[MOVER]))
    value = 0
    fits = to.empty >= 0 or (to.up | to.building | loads) >> reserve & 1 == 1
    if reserve != NO_CARD and fits:
        value += weights[CHANCE_OF_OTHER]
    for house in range(codes.houses):
        value += (loads >> np.int64(cells[ENDS + house]) & 1) * weights[LOADABLE]
    return value


@lean_kernel
def best_end(space: Space, count: int, below: int, after: int) -> int:
    """The most valuable end of a plan, the first of equal ones; -1 for none.

    below, after: only ends that come later in this order than the node `after` with the value
        `below`; `WON_VALUE` and -1 for all.
    """
    found, best = -1, LOWEST
    for node in range(1, count):
        value = space.values[node]
        is_later = value < below or (value == below and node > after)
        if space.kinds[node] >= TURN_ENDS and is_later and value > best:
            found, best = node, value
    return found


@lean_kernel
def write_path(space: Space, node: int, path: LongArray) -> int:
    """Write the moves that lead to a node into `path`, int64; return their number."""
    length = 0
    at = node
    while space.parents[at] >= 0:
        length += 1
        at = space.parents[at]
    at = node
    for i in range(length - 1, -1, -1):
        path[i] = space.moves[at]
        at = space.parents[at]
    return length
