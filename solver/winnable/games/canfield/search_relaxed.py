"""A test that finds many lost Canfield positions at once: what could ever happen, at best.

Facts only grow: which cards may reach their foundation, which tableau cards may become free, which
stock and reserve cards may come into play. A fact is added when the facts so far allow it,
whatever was lost on the way; so what can really happen is always among them. When nothing more can
be added and the reserve is not empty, the position is lost.
"""

from __future__ import annotations

from winnable.games.canfield.state import (
    ALL_CARDS,
    ANY_RUN,
    BASE_CARDS,
    COLUMN_COUNT,
    FIRST_TWINS,
    TWIN_RULE,
    WHOLE_OR_TOP,
    Position,
    Setup,
    fitting,
    free_cards,
    hosts_of,
    in_both_suits,
    lowest,
    next_up,
    popcount,
    twins,
    with_twins,
)
from winnable.games.canfield.state_stock import (
    turned_up_once,
)
from winnable.jit import inlined, lean_kernel


@lean_kernel
def stock_in_play(setup: Setup, at: Position, leaving: int) -> int:
    """The stock cards that may come into play when those in `leaving` may leave the stock."""
    gone = 0
    number = 0
    cards = 0
    if setup.semi_free == 1:
        for place in range(setup.stock_size):
            gone |= ((leaving >> setup.order[place]) & 1) << place
        gone |= ((1 << setup.stock_size) - 1) & ~at.stock
        seen = at.stock & turned_up_once(setup, gone, setup.stock_size, 0)
        while seen:
            cards |= 1 << setup.order[lowest(seen)]
            seen &= seen - 1
        return cards
    rest = at.stock
    while rest:
        gone |= ((leaving >> setup.order[lowest(rest)]) & 1) << number
        rest &= rest - 1
        number += 1
    seen = turned_up_once(setup, gone, number, at.waste)
    rest = at.stock
    while rest:
        cards |= (seen & 1) << setup.order[lowest(rest)]
        rest &= rest - 1
        seen >>= 1
    return cards


@inlined
def freed_by_moves(setup: Setup, lying: int, second_host: int, free: int) -> int:
    """The free cards, and hosts that a column's end may leave for their free twin."""
    if setup.moves == ANY_RUN:
        return with_twins(free)
    if setup.moves == WHOLE_OR_TOP:
        hosts = hosts_of(lying & free, second_host)
        return free | (hosts & twins(free))
    return free


@inlined
def one_host(setup: Setup, up: int, placed: int, in_columns: int) -> int:
    """Cards of which, with their twin, at most one can lie on another card at a time.

    Neither they nor their twins can go up, and of the two cards that could carry them at most
    one can ever be in the columns. So one of the twins is a root for good, once both are there.
    """
    pairs = in_both_suits(in_columns)
    return placed & ~fitting(pairs, setup.full_wrap) & ~with_twins(up)


@lean_kernel
def can_still_win(setup: Setup, at: Position) -> bool:
    """Whether the reserve could ever become empty, if every fact stayed true once it was.

    False is a proof that the position is lost. A tableau card may go up when it may be free; what
    it lies on is then free. A card in play may lie on a card that may be free, and is free there.
    Foundation cards that may come back count as in play.

    Reserve cards come into play one after the other. One that may neither go up nor lie on
    another card stays a root for good: it costs one of the columns whose first root may leave,
    and so does the second of two twins that share one host (`one_host`).
    """
    if at.reserve == 0 or popcount(at.roots) < COLUMN_COUNT:
        return True
    lying = at.tableau & ~at.roots
    up, free = at.up, free_cards(at)
    in_play, in_columns = 0, at.tableau
    while True:
        before = (up, free, in_play, in_columns)
        while True:
            more = next_up(up) & ((at.tableau & free) | in_play)
            if more == 0:
                break
            up |= more
            if more & lying:
                free |= hosts_of(more & lying, at.second_host)
        if up == ALL_CARDS:
            return True
        if setup.returns == 1:
            in_play |= up & ~BASE_CARDS
        free = freed_by_moves(setup, lying, at.second_host, free)
        placed = fitting(free, setup.full_wrap)
        free |= in_play & placed
        in_columns |= in_play & placed
        placed = fitting(free, setup.full_wrap)
        single = 0
        if setup.reductions & TWIN_RULE:
            single = one_host(setup, up, placed, in_columns)
        columns = popcount(at.roots & (placed | up))
        columns -= popcount(at.roots & (at.roots >> 2) & FIRST_TWINS & single)
        roots = at.roots
        number = at.reserve - 1
        while number >= 0:
            bit = 1 << setup.reserve[number]
            in_play |= bit
            if (placed & bit) or columns > 0:
                free |= bit
                in_columns |= bit
            stays = placed & bit == 0 and up & bit == 0
            if stays or (single & bit != 0 and roots & twins(bit) != 0):
                columns -= 1
                if columns < 0:
                    break
            roots |= bit
            number -= 1
        if number < 0 and columns >= 0 and at.roots & (placed | up) != 0:
            return True
        in_play |= stock_in_play(setup, at, in_play & (placed | up))
        if (up, free, in_play, in_columns) == before:
            return False
