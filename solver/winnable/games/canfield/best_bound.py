"""How many Canfield cards can come up at most, by facts that only grow: a kernel.

The counting form of `search_relaxed`: it goes on where a win has become possible, with what empty
columns allow, and asks how many cards may ever reach a foundation.
"""

from __future__ import annotations

from typing import NamedTuple

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
    lowest,
    next_up,
    popcount,
    twins,
)
from winnable.games.canfield.state_stock import highest_bit
from winnable.jit import inlined, lean_kernel


class Facts(NamedTuple):
    """What could ever be, as masks of cards.

    up: on a foundation. free: in a column with nothing on them. in_play: playable but not from
    the waste. in_columns: in a column. leaving: `up`, or on another card or in an
    empty column. to_empty: whether a column could be empty.
    """

    up: int
    free: int
    in_play: int
    in_columns: int
    leaving: int
    to_empty: bool


@lean_kernel
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


@lean_kernel
def grown(setup: Setup, at: Position, facts: Facts, shown: int, stock: int) -> Facts:
    """One round of all rules but those of the stock.

    Parameters
    ----------
    shown: the cards of stock and waste that may be in play.
    stock: all of them.
    """
    lying = at.tableau & ~at.roots
    up, free, in_columns = facts.up, facts.free, facts.in_columns
    in_play = facts.in_play
    while True:
        more = next_up(up) & ((at.tableau & free) | in_play | shown)
        if more == 0:
            break
        up |= more
        if more & lying:
            free |= hosts_of(more & lying, at.second_host)
    if setup.returns == 1:
        in_play |= up & ~BASE_CARDS
    free = freed_by_moves(setup, lying, at.second_host, free)
    placed = fitting(free, setup.full_wrap)
    if facts.to_empty:
        placed |= put_in_empty(setup, shown, stock)
        if setup.fill_from_waste == 0 and setup.moves != WHOLE:
            free |= at.tableau
    # What was put on a column can leave it later, whatever the waste shows then.
    in_play |= shown & placed
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
    to_empty = facts.to_empty or (number < 0 and columns > 0)
    return Facts(up, free, in_play, in_columns, placed | up, to_empty)


@inlined
def are_same(one: Facts, other: Facts) -> bool:
    """Whether nothing was added."""
    return bool(
        one.up == other.up
        and one.free == other.free
        and one.in_play == other.in_play
        and one.in_columns == other.in_columns
        and one.leaving == other.leaving
        and one.to_empty == other.to_empty
    )


@lean_kernel
def top_cards(setup: Setup, turned: int, leaving: int) -> int:
    """The cards of a waste that may come to its top: the top, and below cards that may leave."""
    cards = 0
    while turned:
        top = highest_bit(turned)
        turned ^= top
        card = 1 << setup.order[lowest(top)]
        cards |= card
        if card & leaving == 0:
            break
    return cards


@lean_kernel
def may_exceed(setup: Setup, at: Position, most: int) -> bool:
    """Whether more than `most` cards could come up, if every fact stayed true once it was.

    False is a proof that no line from here has more of them on the foundations at any time.

    The facts and their rules are those of `can_still_win`: what happens in any line keeps within
    them, by induction over its moves, and a card on a foundation was up at some time. Two rules
    are added.

    Once the reserve can be gone while a column is left whose root may leave, that column can
    become empty; then it takes whatever the rules let it take, and any card whose tail may go
    there is free. A column is left when the reserve cards and twins that stay roots for good do
    not need all of them.

    Where the stock is gone through once, the facts grow along with the waste. While so many cards
    are turned, those in play are the last of them and, below, others if all that lie on them may
    have left by then; a card that can't be played by then stays covered. Cards that leave do not
    change which are turned together.
    """
    stock = cards_of_stock(setup, at)
    facts = Facts(at.up, free_cards(at), 0, at.tableau, at.up, False)
    if setup.unlimited == 1:
        shown = 0
        while True:
            before, shown_before = facts, shown
            facts = grown(setup, at, facts, shown, stock)
            if popcount(facts.up) > most:
                return True
            shown |= stock_in_play(setup, at, (facts.in_play | shown) & facts.leaving)
            if shown == shown_before and are_same(facts, before):
                return False
    turned, rest = 0, at.stock
    for _ in range(at.waste):
        turned |= rest & -rest
        rest &= rest - 1
    while True:
        while True:
            before = facts
            facts = grown(setup, at, facts, top_cards(setup, turned, facts.leaving), stock)
            if popcount(facts.up) > most:
                return True
            if are_same(facts, before):
                break
        if rest == 0:
            return False
        for _ in range(setup.draw):
            turned |= rest & -rest
            rest &= rest - 1
