"""What players can't see, in arrays: which moves turn up an unknown card, and shuffles: kernels.

The plain form of the same is `view`.
"""

from __future__ import annotations

import numpy as np

from winnable.arrays import ByteArray, LongArray
from winnable.deals.kernels.native import STEP, mix
from winnable.duel.engine import draw
from winnable.duel.moves import RESERVE, STOCK_CARD, TURN
from winnable.duel.state import (
    CARD_COUNT,
    CHANCE,
    DECKS,
    HIDDEN,
    HOUSE_ROOM,
    HOUSE_SIZE,
    HOUSES,
    MOVER,
    OPEN_RESERVE,
    RESERVE_ROOM,
    RESERVE_SIZE,
    RESERVES,
    STOCK_SIZE,
    TURNED,
    TURNED_OVER,
    Codes,
    KeyArray,
)
from winnable.jit import inlined, lean_kernel


@lean_kernel
def turns_up(cells: ByteArray, codes: Codes, move: int, sees_all: int) -> bool:
    """Whether a legal move shows the mover a card that he didn't know.

    sees_all: 1 when he knows every card that lies on the table; a shuffle to come he never knows.
    """
    player = np.int64(cells[MOVER])
    stock = np.int64(cells[STOCK_SIZE + player])
    turned_over = np.int64(cells[TURNED_OVER + player])
    if move == TURN:
        if stock == 0:
            return bool(codes.shuffles == 1)
        return bool(sees_all == 0 and (turned_over == 0 or codes.shuffles == 1))
    if move > TURN or sees_all == 1:
        return False
    source = move >> 4
    if source == RESERVE:
        is_last_open = cells[OPEN_RESERVE + player] == 1
        return bool(is_last_open and cells[RESERVE_SIZE + player] > 1)
    if source == STOCK_CARD:
        # The next one opens by itself, and is unknown unless the stock is a waste turned over.
        is_waste_next = stock == 1 or turned_over == 1
        return bool(codes.open_stock == 1 and not is_waste_next)
    hidden = np.int64(cells[HIDDEN + source])
    return bool(hidden > 0 and np.int64(cells[HOUSE_SIZE + source]) - 1 == hidden)


@lean_kernel
def covered_places(cells: ByteArray, codes: Codes, player: int, places: LongArray) -> int:
    """Write where a player's covered cards lie in reserve and houses; return their number."""
    count = 0
    covered = np.int64(cells[RESERVE_SIZE + player]) - np.int64(cells[OPEN_RESERVE + player])
    for i in range(covered):
        places[count] = RESERVES + player * RESERVE_ROOM + i
        count += 1
    share = codes.houses // 2
    for house in range(share * player, share * (player + 1)):
        for i in range(np.int64(cells[HIDDEN + house])):
            places[count] = HOUSES + house * HOUSE_ROOM + i
            count += 1
    return count


@lean_kernel
def stock_places(cells: ByteArray, player: int, places: LongArray, count: int) -> int:
    """Append where a player's stock cards lie but for the open one; return the new number."""
    size = np.int64(cells[STOCK_SIZE + player])
    is_open = cells[TURNED] == 1 and cells[MOVER] == player
    last = DECKS + (player + 1) * CARD_COUNT
    for place in range(last - size + (1 if is_open else 0), last):
        places[count] = place
        count += 1
    return count


@lean_kernel
def sort_cards(cells: ByteArray, places: LongArray, count: int) -> None:
    """Lay the cards of the first `count` places in ascending order (by insertion)."""
    for i in range(1, count):
        card = np.int64(cells[places[i]])
        k = i
        while k > 0 and np.int64(cells[places[k - 1]]) > card:
            cells[places[k]] = cells[places[k - 1]]
            k -= 1
        cells[places[k]] = card


@lean_kernel
def mix_cards(cells: ByteArray, places: LongArray, count: int, random: KeyArray) -> None:
    """Shuffle the cards of the first `count` places (Fisher and Yates)."""
    for last in range(count - 1, 0, -1):
        other = draw(random, last + 1)
        card = cells[places[last]]
        cells[places[last]] = cells[places[other]]
        cells[places[other]] = card


@inlined
def pool_places(cells: ByteArray, codes: Codes, pool: int, places: LongArray) -> int:
    """Write where the cards of a pool lie; return their number, 0 when there is no such pool.

    The pool of a number from 0 to 3 is that of player `pool >> 1`: his cards that nobody has seen,
    or (odd) the cards of a stock that is a shuffled waste, known but for their order.
    """
    player = pool >> 1
    is_known = cells[TURNED_OVER + player] == 1
    count = 0
    if pool & 1 == 0:
        count = covered_places(cells, codes, player, places)
    if is_known == (pool & 1 == 1) and (not is_known or codes.shuffles == 1):
        count = stock_places(cells, player, places, count)
    return count


@lean_kernel
def sort_unknown(cells: ByteArray, codes: Codes, places: LongArray) -> None:
    """Lay the cards of each pool in order, so that nothing depends on where they really lie.

    places: int64, shape (CARD_COUNT,), overwritten.
    """
    for pool in range(4):
        sort_cards(cells, places, pool_places(cells, codes, pool, places))


@lean_kernel
def shuffle_unknown(
    cells: ByteArray, words: KeyArray, codes: Codes, places: LongArray, random: KeyArray
) -> None:
    """Deal the cards of each pool anew, and the shuffles to come with them.

    The position is then as likely as the true one for who doesn't know better. Its key is out of
    date: for play that looks at no keys.

    places: int64, shape (CARD_COUNT,), overwritten.
    random: uint64, shape (1,): SplitMix64's state, moved on.
    """
    for pool in range(4):
        mix_cards(cells, places, pool_places(cells, codes, pool, places), random)
    random[0] += STEP
    words[CHANCE] = mix(random[0])
