"""The moves of a Canfield position, and what they lead to: kernels."""

from __future__ import annotations

from typing import Any

from winnable.games.canfield.state import (
    BASE_CARDS,
    COLUMN_COUNT,
    NO_CARD,
    RESERVE_MOVE,
    RESERVE_UP,
    RETURN_MOVE,
    ROOT_MOVE,
    STOCK_MOVE,
    STOCK_UP,
    TABLEAU_UP,
    TAIL_MOVE,
    WHOLE,
    WHOLE_OR_TOP,
    Position,
    Setup,
    child_of,
    first_parent,
    fitting,
    free_cards,
    host_of,
    lies_under,
    lowest,
    may_be_long,
    move_code,
    next_up,
    popcount,
    swaps_tails,
    with_twins,
)
from winnable.games.canfield.state_stock import (
    settled_waste,
    size_with_top,
    stock_in_reach,
)
from winnable.jit import inlined, lean_kernel


@inlined
def filled(setup: Setup, at: Position) -> Position:
    """The position after a column became empty: the reserve's top card, if any, comes there."""
    if at.reserve == 0:
        return at
    top = 1 << setup.reserve[at.reserve - 1]
    return Position(
        at.stock,
        at.tableau | top,
        at.roots | top,
        at.second_host,
        at.up,
        at.reserve - 1,
        at.waste,
    )


@inlined
def without_stock_card(setup: Setup, at: Position, card: int) -> Position:
    """The position after the stock was turned until the card was on top, and the card taken."""
    place = setup.position[card]
    size = size_with_top(at, place)
    left = popcount(at.stock) - 1
    return Position(
        at.stock & ~(1 << place),
        at.tableau,
        at.roots,
        at.second_host,
        at.up,
        at.reserve,
        settled_waste(setup, size - 1, left),
    )


@inlined
def put(at: Position, card: int, target: int) -> Position:
    """The position with a card, which has left its place, on a host or in an empty column."""
    bit = 1 << card
    roots, second_host = at.roots & ~bit, at.second_host & ~bit
    if target == NO_CARD:
        roots |= bit
    else:
        second_host |= ((target >> 1) & 1) << card
    return Position(at.stock, at.tableau | bit, roots, second_host, at.up, at.reserve, at.waste)


@inlined
def lifted(at: Position, card: int) -> Position:
    """The position with a card, which has left stock or reserve, on its foundation."""
    return Position(
        at.stock,
        at.tableau,
        at.roots,
        at.second_host,
        at.up | (1 << card),
        at.reserve,
        at.waste,
    )


@inlined
def with_reserve(at: Position, reserve: int) -> Position:
    """The position with another number of cards in the reserve."""
    return Position(at.stock, at.tableau, at.roots, at.second_host, at.up, reserve, at.waste)


@inlined
def tableau_card_up(setup: Setup, at: Position, card: int) -> Position:
    """A tableau card goes up; its tail, if it has one, goes to its twin before."""
    bit = 1 << card
    second_host = at.second_host
    child = child_of(at, card)
    if child != NO_CARD:
        second_host ^= 1 << child
    after = Position(
        at.stock,
        at.tableau & ~bit,
        at.roots & ~bit,
        second_host & ~bit,
        at.up | bit,
        at.reserve,
        at.waste,
    )
    if at.roots & bit:
        return filled(setup, after)
    return after


@lean_kernel
def apply_move(setup: Setup, at: Position, move: int) -> Position:
    """The position after a move of `fill_moves`."""
    kind, card, target = move >> 12, (move >> 6) & 63, move & 63
    if kind == TABLEAU_UP:
        return tableau_card_up(setup, at, card)
    if kind == RESERVE_UP:
        return lifted(with_reserve(at, at.reserve - 1), card)
    if kind == RESERVE_MOVE:
        return put(with_reserve(at, at.reserve - 1), card, target)
    if kind == STOCK_UP:
        return lifted(without_stock_card(setup, at, card), card)
    if kind == STOCK_MOVE:
        return put(without_stock_card(setup, at, card), card, target)
    if kind == ROOT_MOVE:
        return filled(setup, put(at, card, target))
    if kind == RETURN_MOVE:
        returned = put(at, card, target)
        return Position(
            returned.stock,
            returned.tableau,
            returned.roots,
            returned.second_host,
            at.up & ~(1 << card),
            at.reserve,
            at.waste,
        )
    return put(at, card, target)


@lean_kernel
def can_be_freed(setup: Setup, at: Position, free: int) -> int:
    """The tableau cards that are free, or made so by giving their tail to a free twin."""
    if not swaps_tails(setup):
        return free
    freed = with_twins(free) & at.tableau
    if setup.full_wrap == 0 or not may_be_long(at):
        return freed
    extra = freed & ~free
    while extra:
        card = lowest(extra)
        extra &= extra - 1
        if lies_under(at, card, card ^ 2):
            freed &= ~(1 << card)
    return freed


@inlined
def add_targets(setup: Setup, free: int, kind: int, card: int, moves: Any, count: int) -> int:
    """Write the moves of a card to the free hosts that it fits; return the new count."""
    rank = card >> 2
    if setup.full_wrap == 0 and rank == 12:
        return count
    first = first_parent(card)
    if (free >> first) & 1:
        moves[count] = move_code(kind, card, first)
        count += 1
        # Both twins are free: which of them takes the card does not matter, see `swaps_tails`.
        if swaps_tails(setup):
            return count
    if (free >> (first + 2)) & 1:
        moves[count] = move_code(kind, card, first + 2)
        count += 1
    return count


@lean_kernel
def add_root_moves(setup: Setup, at: Position, free: int, moves: Any, count: int) -> int:
    """Write the moves of whole columns onto others; return the new count."""
    long = setup.full_wrap == 1 and may_be_long(at)
    roots = at.roots & fitting(free, setup.full_wrap)
    while roots:
        card = lowest(roots)
        roots &= roots - 1
        allowed = free
        if long:
            first = first_parent(card)
            for host in (first, first + 2):
                if (free >> host) & 1 and lies_under(at, card, host):
                    allowed &= ~(1 << host)
        count = add_targets(setup, allowed, ROOT_MOVE, card, moves, count)
    return count


@lean_kernel
def add_tail_moves(setup: Setup, at: Position, free: int, moves: Any, count: int) -> int:
    """Write the moves of column ends to the host's twin or an empty column.

    A run's host is one of two twins, so that these are all the places to which a part of a
    column can go.
    """
    if setup.moves == WHOLE:
        return count
    lying = at.tableau & ~at.roots
    if setup.moves == WHOLE_OR_TOP:
        lying &= free
    to_empty = popcount(at.roots) < COLUMN_COUNT and setup.fill_from_waste == 0
    to_empty = to_empty and at.reserve == 0
    long = setup.full_wrap == 1 and may_be_long(at)
    while lying:
        card = lowest(lying)
        lying &= lying - 1
        if to_empty:
            moves[count] = move_code(TAIL_MOVE, card, NO_CARD)
            count += 1
        target = host_of(card, at.second_host) ^ 2
        if swaps_tails(setup) or (free >> target) & 1 == 0:
            continue
        if not (long and lies_under(at, card, target)):
            moves[count] = move_code(TAIL_MOVE, card, target)
            count += 1
    return count


@lean_kernel
def add_stock_moves(
    setup: Setup, at: Position, free: int, wanted: int, moves: Any, count: int
) -> int:
    """Write the moves of stock cards: up first, then to the columns, late cards first."""
    reach = stock_in_reach(setup, at)
    fits = fitting(free, setup.full_wrap)
    to_empty = popcount(at.roots) < COLUMN_COUNT and at.reserve == 0
    rest = reach
    while rest:
        card = setup.order[lowest(rest)]
        rest &= rest - 1
        if (wanted >> card) & 1:
            moves[count] = move_code(STOCK_UP, card, NO_CARD)
            count += 1
    for place in range(setup.stock_size - 1, -1, -1):
        if (reach >> place) & 1 == 0:
            continue
        card = setup.order[place]
        if (fits >> card) & 1:
            count = add_targets(setup, free, STOCK_MOVE, card, moves, count)
        if to_empty:
            moves[count] = move_code(STOCK_MOVE, card, NO_CARD)
            count += 1
    return count


@lean_kernel
def add_returns(setup: Setup, at: Position, free: int, moves: Any, count: int) -> int:
    """Write the moves of foundation cards back to the columns; return the new count."""
    tops = at.up & ~(at.up >> 4) & ~BASE_CARDS
    to_empty = popcount(at.roots) < COLUMN_COUNT and setup.fill_from_waste == 0
    to_empty = to_empty and at.reserve == 0
    while tops:
        card = lowest(tops)
        tops &= tops - 1
        count = add_targets(setup, free, RETURN_MOVE, card, moves, count)
        if to_empty:
            moves[count] = move_code(RETURN_MOVE, card, NO_CARD)
            count += 1
    return count


@lean_kernel
def fill_moves(setup: Setup, at: Position, moves: Any) -> int:
    """Write every move of a position, the kinds in their order.

    A stock card's move stands for turning the stock until the card is on top, and then moving
    it. A whole column is never moved to an empty one, which changes nothing. Where tails are
    swapped, a tableau card that goes up gives its tail to its twin before.

    Parameters
    ----------
    moves: int64 or int32, shape (`MAX_MOVES`,), overwritten.

    Returns
    -------
    The number of moves.
    """
    count = 0
    wanted = next_up(at.up)
    free = free_cards(at)
    if at.reserve > 0 and (wanted >> setup.reserve[at.reserve - 1]) & 1:
        moves[count] = move_code(RESERVE_UP, setup.reserve[at.reserve - 1], NO_CARD)
        count += 1
    rest = can_be_freed(setup, at, free) & wanted
    while rest:
        moves[count] = move_code(TABLEAU_UP, lowest(rest), NO_CARD)
        count += 1
        rest &= rest - 1
    count = add_root_moves(setup, at, free, moves, count)
    if at.reserve > 0:
        top = setup.reserve[at.reserve - 1]
        count = add_targets(setup, free, RESERVE_MOVE, top, moves, count)
    count = add_stock_moves(setup, at, free, wanted, moves, count)
    count = add_tail_moves(setup, at, free, moves, count)
    if setup.returns == 1:
        count = add_returns(setup, at, free, moves, count)
    return count
