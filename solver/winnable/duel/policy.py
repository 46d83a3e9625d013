"""Moves chosen at a glance: kernels."""

from __future__ import annotations

import numpy as np

from winnable.arrays import ByteArray
from winnable.duel.moves import (
    FOUNDATION,
    OTHER_RESERVE,
    OTHER_WASTE,
    RESERVE,
    STOCK_CARD,
    Targets,
    ending,
    find_targets,
)
from winnable.duel.state import (
    BUILDS_ON,
    ENDS,
    HOUSE_SIZE,
    MOVER,
    NO_CARD,
    Codes,
    reserve_top,
    turned_card,
)
from winnable.jit import inlined, lean_kernel


@lean_kernel
def greedy_move(cells: ByteArray, codes: Codes, with_houses: int) -> int:
    """The first move there is, in a fixed order; it is always one that the rules oblige to.

    Cards go up, the reserve's before the others unless the seen-rule wants those of houses first;
    then loads, of reserve, stock and houses; then the reserve's card on a house, the stock's, and a
    house's only card on another house; then the turn goes on with the stock, or ends.

    with_houses: 0 to leave out moves between houses, which could lead to a position of this turn
        when others moved before.
    """
    to = find_targets(cells, codes)
    reserve = reserve_top(cells, np.int64(cells[MOVER]))
    stock = turned_card(cells)
    own = 1 << reserve if reserve != NO_CARD else 0
    turned = 1 << stock if stock != NO_CARD else 0
    if to.up & to.ends != 0 and (codes.seen_rule == 1 or to.up & own == 0):
        return house_with(cells, codes, to.up) << 4 | FOUNDATION
    if to.up & own != 0:
        return RESERVE << 4 | FOUNDATION
    if to.up & turned != 0:
        return STOCK_CARD << 4 | FOUNDATION
    fits = to.building & own != 0 and codes.only_empty == 0
    if codes.compulsory == 1 and own != 0 and (fits or to.empty >= 0):
        # The stock's card has to wait until the reserve's is dealt with.
        turned = 0
    if (to.on_reserve | to.on_waste) & (own | turned | to.ends) != 0:
        return load(cells, codes, to, own, turned)
    return build(cells, codes, to, own, turned, with_houses)


@inlined
def house_with(cells: ByteArray, codes: Codes, mask: int) -> int:
    """The first house whose end card is in a mask."""
    found = 0
    for house in range(codes.houses - 1, -1, -1):
        if mask >> np.int64(cells[ENDS + house]) & 1 == 1:
            found = house
    return found


@inlined
def house_taking(cells: ByteArray, codes: Codes, mask: int) -> int:
    """The first house that is not empty and takes a card of a mask, -1 for none."""
    found = -1
    for house in range(codes.houses - 1, -1, -1):
        if BUILDS_ON[codes.in_suit, np.int64(cells[ENDS + house])] & mask != 0:
            found = house
    return found


@inlined
def load(cells: ByteArray, codes: Codes, to: Targets, own: int, turned: int) -> int:
    """A load, of which there is one: on the reserve before the waste."""
    onto = OTHER_RESERVE if to.on_reserve & (own | turned | to.ends) != 0 else OTHER_WASTE
    mask = to.on_reserve if onto == OTHER_RESERVE else to.on_waste
    if mask & own != 0:
        return RESERVE << 4 | onto
    if mask & turned != 0:
        return STOCK_CARD << 4 | onto
    return house_with(cells, codes, mask) << 4 | onto


@inlined
def build(
    cells: ByteArray, codes: Codes, to: Targets, own: int, turned: int, with_houses: int
) -> int:
    """A move to a house, or what goes on with the stock."""
    move = ending(cells)
    if to.building & own != 0:
        move = RESERVE << 4 | house_taking(cells, codes, own)
    elif own != 0 and to.empty >= 0:
        move = RESERVE << 4 | to.empty
    elif to.building & turned != 0:
        move = STOCK_CARD << 4 | house_taking(cells, codes, turned)
    else:
        emptied = -1
        if with_houses == 1 and to.building & to.ends != 0:
            emptied = emptying_move(cells, codes)
        if emptied >= 0:
            move = emptied
        elif turned != 0 and to.empty >= 0:
            move = STOCK_CARD << 4 | to.empty
    return move


@lean_kernel
def emptying_move(cells: ByteArray, codes: Codes) -> int:
    """A move of a house's only card to a house that is not empty, -1 for none.

    It never leads back: every such move leaves one house more empty.
    """
    for house in range(codes.houses):
        end = np.int64(cells[ENDS + house])
        if cells[HOUSE_SIZE + house] == 1:
            target = house_taking(cells, codes, 1 << end)
            if target >= 0:
                return house << 4 | target
    return -1
