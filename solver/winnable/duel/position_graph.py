"""Positions of a game under exact keys, and the moves between them, as a growing graph: kernels.

A position's key is all that `rules.position_key` looks at, card by card, with the houses in order
of their codes. Two positions share a number only if their keys are equal byte for byte: a hash
only says where to look. Moves are those of a position without regard to its past.

Numbers 0 and 1 stand for every position in which the first or the second player has gone out.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from winnable.arrays import ByteArray, IntArray, LongArray
from winnable.duel.engine import move_in_position
from winnable.duel.moves import DISCARD, FOUNDATION, MAX_MOVES, RESERVE, TURN, position_moves
from winnable.duel.state import (
    BARRED,
    CARD_COUNT,
    CELL_COUNT,
    DECKS,
    FIRST_WON,
    FOUNDATIONS,
    GOING_ON,
    HIDDEN,
    HOUSE_CODES,
    HOUSE_COUNT,
    HOUSE_ROOM,
    HOUSE_SIZE,
    HOUSES,
    KEY_LOW,
    MOVER,
    OPEN_RESERVE,
    OUTCOME,
    QUIET,
    RESERVE_ROOM,
    RESERVE_SIZE,
    RESERVES,
    STOCK_SIZE,
    TURNED,
    WASTE_SIZE,
    WORD_COUNT,
    Codes,
    KeyArray,
    copy_array,
    set_keys,
)
from winnable.jit import inlined, lean_kernel

Number = TypeVar("Number", bound=np.generic)

# How many numbers stand for won positions.
WON = 2
# No such position, or no moves listed yet.
NONE = -1
# Every key begins with the foundations, two a byte, the flags, and the sizes of six piles.
PILE_SIZES = 5
HEAD = PILE_SIZES + 6
# The most bytes of a key: all cards, and a byte for each house.
KEY_ROOM = HEAD + CARD_COUNT + HOUSE_COUNT

# Places in `Graph.counts`: positions, bytes of keys, edges, positions with their moves listed.
POSITIONS, KEY_BYTES, EDGES, EXPANDED = range(4)


class Graph(NamedTuple):
    """Positions by number, and the moves of those that were expanded.

    counts: int64, shape (4,): how much of the other arrays is in use.
    keys: uint8: the keys of all positions, one after the other.
    key_ends: int64: where the key of each position ends.
    hashes: uint64: a hash of each position.
    slots: int32, a power of two of them: a hash table of positions, `NONE` where there is none.
    movers: uint8: who is to move.
    edge_starts: int64: the first edge of each position, `NONE` before it is expanded.
    edge_counts: int32: how many edges each has: moves to the same position count once.
    edge_ends: int32: the position that each edge leads to.
    edge_moves: uint8: a move that leads there, of the houses as the key orders them.
    cells, words: the position that is expanded, and its next one; shapes (2, CELL_COUNT) and
        (2, WORD_COUNT).
    key: uint8, shape (KEY_ROOM,): the key of the next position.
    moves: int64, shape (MAX_MOVES,).
    """

    counts: LongArray
    keys: ByteArray
    key_ends: LongArray
    hashes: KeyArray
    slots: IntArray
    movers: ByteArray
    edge_starts: LongArray
    edge_counts: IntArray
    edge_ends: IntArray
    edge_moves: ByteArray
    cells: ByteArray
    words: KeyArray
    key: ByteArray
    moves: LongArray


def new_graph(cells: ByteArray, words: KeyArray) -> Graph:
    """A graph of the won positions and of one more, whose number is `WON`.

    Parameters
    ----------
    cells, words: the position; see `state`.
    """
    graph = Graph(
        counts=np.array([WON, 0, 0, 0], np.int64),
        keys=np.zeros(1 << 16, np.uint8),
        key_ends=np.zeros(1 << 10, np.int64),
        hashes=np.zeros(1 << 10, np.uint64),
        slots=np.full(1 << 11, NONE, np.int32),
        movers=np.zeros(1 << 10, np.uint8),
        edge_starts=np.full(1 << 10, NONE, np.int64),
        edge_counts=np.zeros(1 << 10, np.int32),
        edge_ends=np.zeros(1 << 12, np.int32),
        edge_moves=np.zeros(1 << 12, np.uint8),
        cells=np.zeros((2, CELL_COUNT), np.uint8),
        words=np.zeros((2, WORD_COUNT), np.uint64),
        key=np.zeros(KEY_ROOM, np.uint8),
        moves=np.zeros(MAX_MOVES, np.int64),
    )
    intern(graph, cells, words)
    return graph


def with_room(graph: Graph) -> Graph:
    """The graph with room for at least one more expansion."""
    positions, key_bytes, edges, _ = graph.counts.tolist()
    if positions + MAX_MOVES > len(graph.key_ends):
        graph = graph._replace(
            key_ends=_longer(graph.key_ends),
            hashes=_longer(graph.hashes),
            movers=_longer(graph.movers),
            edge_starts=_longer(graph.edge_starts, NONE),
            edge_counts=_longer(graph.edge_counts),
            slots=np.full(2 * len(graph.slots), NONE, np.int32),
        )
        fill_slots(graph)
    if key_bytes + MAX_MOVES * KEY_ROOM > len(graph.keys):
        graph = graph._replace(keys=_longer(graph.keys))
    if edges + MAX_MOVES > len(graph.edge_ends):
        graph = graph._replace(
            edge_ends=_longer(graph.edge_ends), edge_moves=_longer(graph.edge_moves)
        )
    return graph


def _longer(array: NDArray[Number], filling: int = 0) -> NDArray[Number]:
    """An array of twice the length."""
    longer = np.full(2 * len(array), filling, array.dtype)
    longer[: len(array)] = array
    return longer


@inlined
def has_room(graph: Graph) -> bool:
    """Whether there is room for the moves of one more position."""
    return bool(
        graph.counts[POSITIONS] + MAX_MOVES <= len(graph.key_ends)
        and graph.counts[KEY_BYTES] + MAX_MOVES * KEY_ROOM <= len(graph.keys)
        and graph.counts[EDGES] + MAX_MOVES <= len(graph.edge_ends)
    )


@lean_kernel
def fill_slots(graph: Graph) -> None:
    """Enter all positions into an empty hash table."""
    last = len(graph.slots) - 1
    for number in range(WON, graph.counts[POSITIONS]):
        slot = np.int64(graph.hashes[number] & np.uint64(last))
        while graph.slots[slot] != NONE:
            slot = (slot + 1) & last
        graph.slots[slot] = number


# Keys


@lean_kernel
def write_key(cells: ByteArray, words: KeyArray, key: ByteArray) -> int:
    """Write the key of a position into `key`, shape (KEY_ROOM,); return its length."""
    for pair in range(4):
        high = np.int64(cells[FOUNDATIONS + 2 * pair])
        key[pair] = high << 4 | np.int64(cells[FOUNDATIONS + 2 * pair + 1])
    flags = np.int64(cells[MOVER]) | np.int64(cells[TURNED]) << 1
    key[4] = flags | np.int64(cells[BARRED]) << 2
    length = HEAD
    for player in range(2):
        reserve = np.int64(cells[RESERVE_SIZE + player])
        stock = np.int64(cells[STOCK_SIZE + player])
        waste = np.int64(cells[WASTE_SIZE + player])
        deck = DECKS + player * CARD_COUNT
        key[PILE_SIZES + 3 * player] = reserve
        key[PILE_SIZES + 3 * player + 1] = stock
        key[PILE_SIZES + 3 * player + 2] = waste
        length = write_cards(cells, RESERVES + player * RESERVE_ROOM, reserve, key, length)
        length = write_cards(cells, deck + CARD_COUNT - stock, stock, key, length)
        length = write_cards(cells, deck, waste, key, length)
    # Codes are exact: their order is one of the houses' contents, and empty houses are left out.
    last = np.uint64(0)
    for _ in range(HOUSE_COUNT):
        least = ~np.uint64(0)
        for house in range(HOUSE_COUNT):
            code = words[HOUSE_CODES + house]
            if last < code < least:
                least = code
        if least == ~np.uint64(0):
            break
        for house in range(HOUSE_COUNT):
            # Equal houses come one after the other.
            if words[HOUSE_CODES + house] == least:
                size = np.int64(cells[HOUSE_SIZE + house])
                key[length] = np.int64(cells[HIDDEN + house]) << 4 | size
                length = write_cards(cells, HOUSES + house * HOUSE_ROOM, size, key, length + 1)
        last = least
    return length


@inlined
def write_cards(cells: ByteArray, first: int, size: int, key: ByteArray, at: int) -> int:
    """Copy a pile's cards into a key; return where they end."""
    for i in range(size):
        key[at + i] = cells[first + i]
    return at + size


@lean_kernel
def read_position(graph: Graph, number: int) -> None:
    """Write a position into the first row of `cells` and `words`.

    Its houses are in the order of the key; what no key holds, and no move depends on, is made up.
    """
    cells, words, key = graph.cells[0], graph.words[0], graph.keys
    at = key_start(graph, number)
    cells[:] = 0
    for pair in range(4):
        cells[FOUNDATIONS + 2 * pair] = np.int64(key[at + pair]) >> 4
        cells[FOUNDATIONS + 2 * pair + 1] = np.int64(key[at + pair]) & 15
    flags = np.int64(key[at + 4])
    cells[MOVER] = flags & 1
    cells[TURNED] = flags >> 1 & 1
    cells[BARRED] = flags >> 2
    cells[QUIET] = 1
    cells[OUTCOME] = GOING_ON
    sizes = at + PILE_SIZES
    at += HEAD
    for player in range(2):
        reserve = np.int64(key[sizes + 3 * player])
        stock = np.int64(key[sizes + 3 * player + 1])
        waste = np.int64(key[sizes + 3 * player + 2])
        deck = DECKS + player * CARD_COUNT
        cells[RESERVE_SIZE + player] = reserve
        cells[OPEN_RESERVE + player] = min(1, reserve)
        cells[STOCK_SIZE + player] = stock
        cells[WASTE_SIZE + player] = waste
        at = read_cards(key, at, reserve, cells, RESERVES + player * RESERVE_ROOM)
        at = read_cards(key, at, stock, cells, deck + CARD_COUNT - stock)
        at = read_cards(key, at, waste, cells, deck)
    house = 0
    while at < graph.key_ends[number]:
        size = np.int64(key[at]) & 15
        cells[HOUSE_SIZE + house] = size
        cells[HIDDEN + house] = np.int64(key[at]) >> 4
        at = read_cards(key, at + 1, size, cells, HOUSES + house * HOUSE_ROOM)
        house += 1
    set_keys(cells, words)


@inlined
def read_cards(key: ByteArray, at: int, size: int, cells: ByteArray, first: int) -> int:
    """Copy a pile's cards out of a key; return where they end."""
    for i in range(size):
        cells[first + i] = key[at + i]
    return at + size


@inlined
def key_start(graph: Graph, number: int) -> int:
    """Where the key of a position begins."""
    start: int = np.int64(graph.key_ends[number - 1]) if number > WON else 0
    return start


@inlined
def cards_left(graph: Graph, number: int, player: int) -> int:
    """How many cards a player has in his own piles, in a position in which nobody has won."""
    sizes = key_start(graph, number) + PILE_SIZES + 3 * player
    count = 0
    for i in range(3):
        count += np.int64(graph.keys[sizes + i])
    return count


@inlined
def cards_up(graph: Graph, number: int) -> int:
    """How many cards are on the foundations, in a position in which nobody has won."""
    start = key_start(graph, number)
    count = 0
    for pair in range(4):
        heights = np.int64(graph.keys[start + pair])
        count += (heights >> 4) + (heights & 15)
    return count


# Positions and edges


@lean_kernel
def find_slot(graph: Graph, hashed: np.uint64, length: int) -> int:
    """The slot of the position whose key is in `key`, or the free one where it belongs."""
    last = len(graph.slots) - 1
    slot: int = np.int64(hashed & np.uint64(last))
    while graph.slots[slot] != NONE:
        number = np.int64(graph.slots[slot])
        start = key_start(graph, number)
        if graph.hashes[number] == hashed and graph.key_ends[number] - start == length:
            i = 0
            while i < length and graph.keys[start + i] == graph.key[i]:
                i += 1
            if i == length:
                return slot
        slot = (slot + 1) & last
    return slot


@lean_kernel
def number_of(graph: Graph, cells: ByteArray, words: KeyArray) -> int:
    """The number of a position in which nobody has gone out, `NONE` when it is not there."""
    length = write_key(cells, words, graph.key)
    number: int = np.int64(graph.slots[find_slot(graph, words[KEY_LOW], length)])
    return number


@lean_kernel
def intern(graph: Graph, cells: ByteArray, words: KeyArray) -> int:
    """The number of a position, entered if it is new; there has to be room."""
    if cells[OUTCOME] != GOING_ON:
        winner: int = np.int64(cells[OUTCOME]) - FIRST_WON
        return winner
    length = write_key(cells, words, graph.key)
    slot = find_slot(graph, words[KEY_LOW], length)
    number: int = np.int64(graph.slots[slot])
    if number != NONE:
        return number
    number = graph.counts[POSITIONS]
    start = graph.counts[KEY_BYTES]
    for i in range(length):
        graph.keys[start + i] = graph.key[i]
    graph.key_ends[number] = start + length
    graph.hashes[number] = words[KEY_LOW]
    graph.movers[number] = cells[MOVER]
    graph.slots[slot] = number
    graph.counts[KEY_BYTES] = start + length
    graph.counts[POSITIONS] = number + 1
    return number


@lean_kernel
def expand(graph: Graph, codes: Codes, number: int) -> None:
    """List the moves of a position that goes on; there has to be room.

    A move that leads back to the same position is left out: it is never legal.
    """
    read_position(graph, number)
    start = graph.counts[EDGES]
    end = start
    for i in range(position_moves(graph.cells[0], codes, graph.moves)):
        copy_array(graph.cells[1], graph.cells[0])
        copy_array(graph.words[1], graph.words[0])
        move_in_position(graph.cells[1], graph.words[1], codes, graph.moves[i])
        following = intern(graph, graph.cells[1], graph.words[1])
        is_new = following != number
        for edge in range(start, end):
            is_new &= graph.edge_ends[edge] != following
        if is_new:
            graph.edge_ends[end] = following
            graph.edge_moves[end] = graph.moves[i]
            end += 1
    graph.edge_starts[number] = start
    graph.edge_counts[number] = end - start
    graph.counts[EDGES] = end
    graph.counts[EXPANDED] += 1


# What moves do


@inlined
def is_between_houses(move: int) -> bool:
    """Whether a move takes a card from one house to another: only such moves can be taken back."""
    return bool(move < RESERVE << 4 and move & 15 < FOUNDATION)


@inlined
def is_up(move: int) -> bool:
    """Whether a move brings a card to a foundation."""
    return bool(move < TURN and move & 15 == FOUNDATION)


@inlined
def ends_turn(move: int) -> bool:
    """Whether a move ends the turn."""
    return bool(move >= DISCARD)
