"""Which cards of stock and waste turning can bring into play: kernels."""

from __future__ import annotations

from winnable.games.canfield.state import (
    Position,
    Setup,
    popcount,
)
from winnable.jit import inlined, lean_kernel

EVERY_THIRD = 0x1249249249249249


@inlined
def settled_waste(setup: Setup, waste: int, left: int) -> int:
    """The number that stands for a waste of this size, with `left` cards in stock and waste.

    Unlimited redeals: with draw 1 every card can be turned up at any time. With draw 3 the sizes
    3, 6, ... and `left` come up in every pass, so that being there is no more than being at 0.
    """
    if setup.unlimited == 0:
        return waste
    if setup.semi_free == 1 or setup.draw == 1 or waste % 3 == 0 or waste == left:
        return 0
    return waste


@inlined
def below_bit(bits: int) -> int:
    """The mask of all positions below the highest set bit and that bit, 0 for none."""
    bits |= bits >> 1
    bits |= bits >> 2
    bits |= bits >> 4
    bits |= bits >> 8
    bits |= bits >> 16
    return bits | (bits >> 32)


@inlined
def highest_bit(bits: int) -> int:
    """The highest set bit alone."""
    below = below_bit(bits)
    return below ^ (below >> 1)


@lean_kernel
def turned_up_once(setup: Setup, gone: int, left: int, waste: int) -> int:
    """The stock cards that may come into play, as a mask of their numbers in stock and waste.

    Card number i (from 0) is the waste's top when the waste has i + 1 cards.

    Without redeal: the sizes waste, waste + draw, ... and all cards; and the card below one that
    may go. Taking a card does not move the later packets.

    Unlimited, draw 3: card number i comes up when (i + 1) % 3 = 0 or it is the last; when enough
    cards before it are gone to make that so; or when the cards above it in its packet are gone.
    From the waste at hand the same holds, counted from its size, and its top card and those below
    it come up when all above them, down from the top, are gone.

    Parameters
    ----------
    gone: mask of the numbers of the cards that may leave stock and waste.
    left: cards in stock and waste.
    waste: size of the waste.
    """
    everything = (1 << left) - 1
    if left == 0:
        return 0
    last = 1 << (left - 1)
    if setup.unlimited == 0:
        sizes = last
        if waste > 0:
            sizes |= 1 << (waste - 1)
        size = waste + setup.draw
        while size < left:
            sizes |= 1 << (size - 1)
            size += setup.draw
        return sizes | (gone >> 1)
    if setup.draw == 1:
        return everything
    # Cards beyond the last count as gone.
    above = gone | ~everything
    first = gone & -gone
    second = (gone & (gone - 1)) & -(gone & (gone - 1))
    one_before = ~((first << 1) - 1) if gone else 0
    two_before = ~((second << 1) - 1) if second else 0
    short_of_one = one_before | ((above >> 1) & (above >> 2))
    short_of_two = two_before | (above >> 1)
    passes = EVERY_THIRD & everything
    result = (passes << 2) | last | (passes & short_of_one) | ((passes << 1) & short_of_two)
    if waste > 0:
        here = (EVERY_THIRD << (waste - 1)) & everything
        result |= here | ((here << 1) & short_of_one) | ((here << 2) & short_of_two)
        under = (1 << waste) - 1
        staying = ~gone & under
        result |= under & ~(below_bit(staying) >> 1)
    return result & everything


@lean_kernel
def stock_in_reach(setup: Setup, at: Position) -> int:
    """The places of the stock cards that turning alone can make the waste's top.

    In the semi-free game, those that could be it after some order of the plays so far.
    """
    if setup.semi_free == 1:
        gone = ((1 << setup.stock_size) - 1) & ~at.stock
        return at.stock & turned_up_once(setup, gone, setup.stock_size, 0)
    if setup.unlimited == 1 and setup.draw == 1:
        return at.stock
    left = popcount(at.stock)
    reach = 0
    size = 0
    rest = at.stock
    while rest:
        bit = rest & -rest
        rest ^= bit
        size += 1
        is_in_pass = size == left or (setup.unlimited == 1 and size % setup.draw == 0)
        if is_in_pass or (size >= at.waste and (size - at.waste) % setup.draw == 0):
            reach |= bit
    return reach


@inlined
def size_with_top(at: Position, place: int) -> int:
    """How many cards the waste has when the card at this place of the stock order is its top."""
    return int(popcount(at.stock & ((2 << place) - 1)))
