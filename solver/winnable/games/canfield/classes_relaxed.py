"""A cheap test that proves many Canfield positions lost: facts that only grow, to a fixpoint.

It asks what could ever be, as if nothing were ever used up: which cards could come up, which
classes could have a free host, which stock cards could be turned up. Each real play keeps within
these facts, by induction over its moves. So when some card can't come up, the position is lost.

The same test serves three games (see `classes_free`), which differ in the stock cards that are
available: the real one, the free game and the semi-free game.
"""

from __future__ import annotations

from winnable.arrays import LongArray
from winnable.games.canfield.classes_bits import deposit, extract, highest
from winnable.games.canfield.classes_state import (
    ALL_PLACES,
    COLUMNS,
    DRAW,
    ORDER,
    REDEALS,
    REDUCTIONS,
    TOP,
    TWIN_RULE,
    WRAP,
    Position,
    above,
    below,
    cards_at,
    fitting,
    free_hosts,
    places_of,
    stock_cards,
)
from winnable.games.canfield.state import (
    ALL_CARDS,
    FIRST_TWINS,
    next_up,
    other_colour,
    popcount,
    with_twins,
)
from winnable.jit import inlined, lean_kernel

# Which stock cards are available.
REAL_STOCK, FREE_STOCK, SEMI_FREE_STOCK = range(3)

# Bits 0, 3, 6, ... of 63.
EVERY_THIRD = 0o111111111111111111111


@inlined
def available_places(gone: int, sizes_1: int, sizes_2: int) -> int:
    """Places from which a card can be played at some time, when those in `gone` may be gone.

    Of places counted from 1, a pass through an untouched stock turns up every third one and the
    last one. One that is a place beyond a third one (`sizes_1`) is turned up only after a card
    before it has gone, or when the two that lie on it in its packet have; one that is two places
    beyond (`sizes_2`) after two cards before it, or the one that lies on it. One card does not do
    for the latter: a new pass then has it one place beyond a third one, and the pass that goes on
    from where that card lay, itself a third place, meets only places two beyond. The last one
    that is left is always turned up. `gone` has all bits beyond the stock set.
    """
    first = gone & -gone
    more = gone & (gone - 1)
    second = more & -more
    after_first = ~((first << 1) - 1) if first else 0
    after_second = ~((second << 1) - 1) if second else 0
    available = sizes_1 & (after_first | ((gone >> 1) & (gone >> 2)))
    return available | (sizes_2 & (after_second | (gone >> 1)))


@inlined
def semi_free_places(stock: int) -> int:
    """The places that the semi-free game makes available, of the original stock.

    `available_places` for the whole play from a settled waste: what must have gone since.
    """
    gone = ~stock
    sizes_1, sizes_2 = EVERY_THIRD & ALL_PLACES, (EVERY_THIRD << 1) & ALL_PLACES
    found = ((EVERY_THIRD << 2) & ALL_PLACES) | available_places(gone, sizes_1, sizes_2)
    left = stock & ALL_PLACES
    if left:
        found |= 1 << highest(left)
    return found


@inlined
def real_places(count: int, waste: int, gone: int) -> int:
    """The places that turning can make available, of a stock of `count` cards counted anew.

    Passes begin at size 0, or go on from the waste as it lies; until a card before it has gone,
    a place has to be met by one of the two. Cards within the waste are met when those on them
    have gone.
    """
    every = (1 << count) - 1
    gone |= ~every
    found = (EVERY_THIRD << 2) & every
    found |= available_places(gone, EVERY_THIRD & every, (EVERY_THIRD << 1) & every)
    if count:
        found |= 1 << (count - 1)
    if waste:
        on = (EVERY_THIRD << (waste - 1)) & every
        found |= on | available_places(
            gone,
            (EVERY_THIRD << waste) & every,
            (EVERY_THIRD << (waste + 1)) & every,
        )
        within = (1 << waste) - 1
        left = ~gone & within
        found |= within & ~((1 << highest(left)) - 1) if left else within
    return found


@inlined
def once_places(count: int, waste: int, draw: int, gone: int) -> int:
    """`real_places` where the stock is gone through once: `count` cards, from a waste on.

    The packets to come stay as they are, whatever goes. So a card is turned up as the top of the
    waste or of a packet, or is in play once the card that lies on it has gone.
    """
    every = (1 << count) - 1
    found = gone >> 1
    if draw == 1:
        found |= every & ~((1 << (waste - 1)) - 1) if waste else every
    else:
        found |= EVERY_THIRD << (waste - 1) if waste else EVERY_THIRD << 2
    if count:
        found |= 1 << (count - 1)
    return found & every


@inlined
def columns_kept(guests: int, hosts: int, wrap: int) -> int:
    """The least number of columns while these guests lie in the tableau, with at most these hosts.

    That is `columns_needed` of the guests, with the other set as hosts.
    """
    hosts = below(other_colour(hosts), wrap)
    one, two = guests | (guests >> 2), guests & (guests >> 2)
    host, both = hosts | (hosts >> 2), hosts & (hosts >> 2)
    return int(popcount(one & ~host & FIRST_TWINS) + popcount(two & ~both & FIRST_TWINS))


@lean_kernel
def can_finish(deal: LongArray, at: Position) -> bool:
    """Whether all cards may come up, with reserve and redeals gone; False proves that they can't.

    What lies in the waste comes into play only after all that lies on it, top card first. Those
    of these cards that can't come up then are in the tableau and stay there. At all times these
    need no more than four columns, even if each has every host that may ever be in the tableau.
    The same holds after a tableau card has gone up and is no host any more. By induction over its
    moves no play gets beyond the cards found here.
    """
    wrap = deal[WRAP]
    tableau = at.tableau
    waste = at.stock & ~deposit(-1 << at.waste, at.stock)
    to_come = cards_at(deal, at.stock & ~waste)
    up = at.up
    hosts = tableau | to_come
    while True:
        up_before, hosts_before = up, hosts
        staying = tableau & ~up
        places = waste
        while places and columns_kept(staying, hosts, wrap) <= COLUMNS:
            place = highest(places)
            places ^= 1 << place
            card = 1 << deal[ORDER + place]
            hosts |= card
            staying |= card & ~up
        staying = tableau & ~up
        more = next_up(up) & hosts
        while more:
            card = more & -more
            more ^= card
            is_in_play = tableau & card == 0
            if is_in_play or columns_kept(staying & ~card, hosts & ~card, wrap) <= COLUMNS:
                up |= card
        if up == ALL_CARDS:
            return True
        if up == up_before and hosts == hosts_before:
            return False


@lean_kernel
def can_still_win(deal: LongArray, at: Position, game: int) -> bool:
    """Whether the facts leave a win possible; False is a proof that there is none.

    Emptying the reserve counts as a win where there are redeals; else see `can_finish`. Each
    reserve card that can never leave its column takes one of the columns whose roots can, and
    keeps it; when there is none, what lies under it in the reserve never comes into play.

    The twin rule: two twins that can't come up, while their class never has more than one host in
    the tableau, can't both lie on hosts. Once both are in the tableau one column is theirs.

    Parameters
    ----------
    game: which stock cards are available, such as `REAL_STOCK`.
    """
    if at.reserve == 0:
        # Asked earlier as well, it cost more than it saved. The free game knows of no waste.
        return deal[REDEALS] == 1 or game == FREE_STOCK or can_finish(deal, at)
    wrap = deal[WRAP]
    up, waste = at.up, at.waste
    lying = at.tableau & ~at.roots
    hosts = free_hosts(at, wrap)
    stock = stock_cards(deal, at)
    left = popcount(at.stock)
    # Cards that could be played from reserve or stock, and those that could be in the tableau.
    any_order = deal[REDEALS] == 1 and deal[DRAW] == 1
    available = stock if game == FREE_STOCK or any_order else 0
    in_tableau = at.tableau
    while True:
        up_before, hosts_before = up, hosts
        available_before, in_tableau_before = available, in_tableau
        more = next_up(up) & ((at.tableau & hosts) | available)
        while more:
            up |= more
            hosts |= with_twins(above(other_colour(more & lying), wrap))
            more = next_up(up) & ((at.tableau & hosts) | available)
        if up == ALL_CARDS:
            return True
        placeable = fitting(hosts, wrap)
        hosts |= with_twins(available & placeable)
        placeable = fitting(hosts, wrap)
        in_tableau |= available & placeable
        leaving = placeable | up
        # Columns that a reserve card could have.
        columns = popcount(at.roots & leaving)
        lonely = 0
        if deal[REDUCTIONS] & TWIN_RULE:
            pairs = in_tableau & (in_tableau >> 2) & FIRST_TWINS
            ever_up = (up | (up >> 2)) & FIRST_TWINS
            lonely = placeable & ~fitting(pairs | (pairs << 2), wrap)
            lonely &= ~(ever_up | (ever_up << 2))
            columns -= popcount(at.roots & (at.roots >> 2) & FIRST_TWINS & lonely)
        seen = at.roots
        i = at.reserve - 1
        while i >= 0:
            card = deal[TOP + i]
            bit = 1 << card
            available |= bit
            if (placeable & bit) != 0 or columns > 0:
                hosts |= with_twins(bit)
                in_tableau |= bit
            has_twin = (seen >> (card ^ 2)) & 1 == 1
            if (leaving & bit) == 0 or ((lonely & bit) != 0 and has_twin):
                columns -= 1
                if columns < 0:
                    break
            seen |= bit
            i -= 1
        if i < 0 and (at.roots & leaving) != 0:
            return True
        played = available & stock & leaving
        if game != FREE_STOCK and deal[REDEALS] == 0:
            gone = extract(places_of(deal, played), at.stock)
            places = deposit(once_places(left, waste, deal[DRAW], gone), at.stock)
            available |= cards_at(deal, places)
        elif game == REAL_STOCK:
            gone = extract(places_of(deal, played), at.stock)
            places = deposit(real_places(left, waste, gone), at.stock)
            available |= cards_at(deal, places)
        elif game == SEMI_FREE_STOCK:
            places = semi_free_places(at.stock & ~places_of(deal, played)) & at.stock
            available |= cards_at(deal, places)
        if (
            up == up_before
            and hosts == hosts_before
            and available == available_before
            and in_tableau == in_tableau_before
        ):
            return False
