"""Moves to the foundations that need no alternative: kernels."""

from __future__ import annotations

from winnable.games.canfield.state import (
    ALL_CARDS,
    BASE_CARDS,
    NO_CARD,
    NO_MOVE,
    RESERVE_UP,
    SAFE_MOVES,
    STOCK_UP,
    TABLEAU_UP,
    Position,
    Setup,
    free_cards,
    in_both_suits,
    lowest,
    move_code,
    next_up,
    other_colour,
    twins,
)
from winnable.games.canfield.state_moves import (
    apply_move,
    can_be_freed,
)
from winnable.games.canfield.state_stock import (
    highest_bit,
    stock_in_reach,
)
from winnable.jit import inlined, lean_kernel


@lean_kernel
def safe_to_lift(setup: Setup, up: int) -> int:
    """The cards that foundations take next and that no win needs in the tableau.

    Let the card have rank r, let both suits of the other colour have at least r - 1 cards up,
    and its twin's suit at least r - 2. Then every card that could be put on it (rank r - 1,
    other colour) can go up at once, as can what those could carry (rank r - 2: its own suit's
    is up, its twin's suit's can go up), which carries nothing in turn, as rank r - 3 of the other
    colour is up. So a line that puts cards on this one, or keeps it where it is, can put them
    all up instead; it then has at least the same hosts free, the reserve and the columns at
    least as far on. That holds however columns move, and for cards that come back from the
    foundations: they are the same harmless ones.

    Under the full wrap a base-rank card carries cards of rank 12, so that base-rank cards
    themselves are not safe, and below them "can go up at once" must be "is up": for r = 1 the
    other colour's base-rank cards, for r = 2 the twin's suit's. For r = 2 it is enough as well
    that both other suits' cards of rank 1 are up, as long as they can't come back.
    """
    above_2 = ((up & (ALL_CARDS >> 8)) << 8) | 0xFF
    above_3 = ((up & (ALL_CARDS >> 12)) << 12) | 0xFFF
    # Per card of rank r: the other colour's cards of rank r - 2 are up, both of them.
    carried = in_both_suits(other_colour(above_2))
    safe = carried & twins(above_3)
    if setup.full_wrap == 1:
        safe &= ~0xFFF
        # Per card of rank r: the other colour's cards of rank r - 1 are up, both of them.
        nothing_fits = in_both_suits(other_colour((up << 4) & ALL_CARDS))
        safe |= nothing_fits & 0xF0
        base_up = up & BASE_CARDS
        safe |= ((in_both_suits(other_colour(base_up)) & twins(base_up)) << 8) & 0xF00
        if setup.returns == 0:
            safe |= nothing_fits & 0xF00
    return safe & next_up(up)


@inlined
def safe_stock_card(setup: Setup, at: Position, safe: int) -> int:
    """A stock card that may go up at once because it is safe and leaves no packet worse.

    Draw 1, unlimited: all cards can be turned up at all times, before and after. Draw 3,
    unlimited: the last card, as seen from the start of a pass: the sizes 3, 6, ... stay, and the
    card before becomes the last. No redeal: the waste's top card, since the later packets keep
    their cards; with draw 1 also the card that comes next. In the semi-free game taking a card
    never puts another out of reach.
    """
    harmless = 0
    if setup.semi_free == 1:
        harmless = stock_in_reach(setup, at)
    elif setup.unlimited == 1 and setup.draw == 1:
        harmless = at.stock
    elif setup.unlimited == 1:
        if at.waste == 0 and at.stock:
            harmless = highest_bit(at.stock)
    else:
        rest = at.stock
        for _ in range(at.waste - 1):
            rest &= rest - 1
        if at.waste > 0:
            harmless = rest & -rest
            rest &= rest - 1
        if setup.draw == 1:
            harmless |= rest & -rest
    while harmless:
        card = setup.order[lowest(harmless)]
        harmless &= harmless - 1
        if (safe >> card) & 1:
            return int(card)
    return NO_CARD


@lean_kernel
def safe_move(setup: Setup, at: Position) -> int:
    """A move that needs no alternative, `NO_MOVE` when there is none."""
    if setup.reductions & SAFE_MOVES == 0:
        return NO_MOVE
    safe = safe_to_lift(setup, at.up)
    if safe == 0:
        return NO_MOVE
    if at.reserve > 0:
        top = setup.reserve[at.reserve - 1]
        if (safe >> top) & 1:
            return move_code(RESERVE_UP, top, NO_CARD)
    if safe & at.tableau:
        lifted_cards = can_be_freed(setup, at, free_cards(at)) & safe
        if lifted_cards:
            return move_code(TABLEAU_UP, lowest(lifted_cards), NO_CARD)
    card = safe_stock_card(setup, at, safe)
    if card != NO_CARD:
        return move_code(STOCK_UP, card, NO_CARD)
    return NO_MOVE


@lean_kernel
def after_safe_moves(setup: Setup, at: Position) -> Position:
    """The position after all moves that need no alternative."""
    move = safe_move(setup, at)
    while move != NO_MOVE:
        at = apply_move(setup, at, move)
        move = safe_move(setup, at)
    return at
