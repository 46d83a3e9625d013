"""How many Canfield cards can come up at most, by facts that only grow: a kernel.

The counting form of `search_relaxed`: it goes on where a win has become possible, with what empty
columns allow, and asks how many cards may ever reach a foundation.
"""

from __future__ import annotations

from winnable.games.canfield.search_relaxed import freed_by_moves, one_host, stock_in_play
from winnable.games.canfield.state import (
    ALL_CARDS,
    BASE_CARDS,
    COLUMN_COUNT,
    FIRST_TWINS,
    TWIN_RULE,
    WHOLE,
    Position,
    Setup,
    fitting,
    free_cards,
    hosts_of,
    next_up,
    popcount,
    twins,
)
from winnable.jit import inlined, kernel


@kernel
def cards_of_stock(setup: Setup, at: Position) -> int:
    """The cards that are still in stock and waste."""
    cards = 0
    for place in range(setup.stock_size):
        cards |= ((at.stock >> place) & 1) << setup.order[place]
    return cards


@inlined
def put_in_empty(setup: Setup, in_play: int, stock: int) -> int:
    """The cards that an empty column may take, of those in play and those in the columns."""
    return in_play & stock if setup.fill_from_waste == 1 else ALL_CARDS


@kernel
def may_exceed(setup: Setup, at: Position, most: int) -> bool:
    """Whether more than `most` cards could come up, if every fact stayed true once it was.

    False is a proof that no line from here has more of them on the foundations at any time.

    The facts and their rules are those of `can_still_win`: what happens in any line keeps within
    them, by induction over its moves, and a card on a foundation was up at some time. One rule is
    added. Once the reserve can be gone while a column is left whose root may leave, that column
    can become empty; then it takes whatever the rules let it take, and any card whose tail may go
    there is free. A column is left when the reserve cards and twins that stay roots for good do
    not need all of them.
    """
    lying = at.tableau & ~at.roots
    up, free = at.up, free_cards(at)
    in_play, in_columns = 0, at.tableau
    stock = cards_of_stock(setup, at)
    to_empty = False
    while True:
        before = (up, free, in_play, in_columns, to_empty)
        while True:
            more = next_up(up) & ((at.tableau & free) | in_play)
            if more == 0:
                break
            up |= more
            if more & lying:
                free |= hosts_of(more & lying, at.second_host)
        if popcount(up) > most:
            return True
        if setup.returns == 1:
            in_play |= up & ~BASE_CARDS
        free = freed_by_moves(setup, lying, at.second_host, free)
        placed = fitting(free, setup.full_wrap)
        if to_empty:
            placed |= put_in_empty(setup, in_play, stock)
            if setup.fill_from_waste == 0 and setup.moves != WHOLE:
                free |= at.tableau
        free |= in_play & placed
        in_columns |= in_play & placed
        placed |= fitting(free, setup.full_wrap)
        single = 0
        if setup.reductions & TWIN_RULE:
            single = one_host(setup, up, placed, in_columns)
        columns = popcount(at.roots & (placed | up)) + COLUMN_COUNT - popcount(at.roots)
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
        to_empty = to_empty or (number < 0 and columns > 0)
        in_play |= stock_in_play(setup, at, in_play & (placed | up))
        if (up, free, in_play, in_columns, to_empty) == before:
            return False
