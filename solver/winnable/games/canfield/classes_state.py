"""Canfield in *classes*: positions without the order of the columns' cards, and their moves.

A column is one descending run of alternating colours. A *class* is a rank and colour: two cards,
called *twins*. When both twins lie in columns, whichever of them carries a run can hand it to the
other, if that one is bare. If both carry runs, nothing can happen to either until one run is gone,
and then the other can be handed over. So it never matters which twin carries what, and a position
needs only the set of tableau cards and the set of *roots*, the first cards of the columns. A class
has as many free hosts as it has members in the tableau, less the cards that lie on them: those of
the class below it that are no roots.

Once the reserve is gone, columns may be empty, and any arrangement of the tableau in at most four
columns can be made from any other: then the roots don't matter either. What counts is the least
number of columns that the tableau needs: in each class, the cards for which it has no host.

Where kings go on aces (``wrap=full``) a column could have 26 cards, so that the only host of a run
lies in the run itself. The classes allow a move there that the columns may not: what is lost in
classes is lost, but a win has to be replayed on columns.

Ranks count from the base rank; cards and masks are those of `state`. The functions are kernels.
"""

from __future__ import annotations

from typing import NamedTuple

from winnable.arrays import LongArray
from winnable.games.canfield.classes_bits import deposit, highest
from winnable.games.canfield.state import (
    ALL_CARDS,
    BASE_CARDS,
    FIRST_TWINS,
    ONE_SUIT,
    lowest,
    next_up,
    other_colour,
    popcount,
    twins,
    with_twins,
)
from winnable.jit import inlined, lean_kernel

PACK = 52
PLACES = 34
RESERVE = 13
COLUMNS = 4
ALL_PLACES = (1 << PLACES) - 1

# The layout of a deal's int64 array, the first argument of nearly every kernel. One array, as each
# array that is handed on costs seven machine words.
# WRAP: 15 where base-rank cards take cards, else 0. REDUCTIONS: those in use.
# ORDER: the stock's cards in order of turning. PLACE: for each card 1 << place in the stock, or 0.
# TOP: the reserve's cards, the last one on top. RESERVE_SET: the mask of the reserve's first n.
# PLACE_TABLE, CARD_TABLE: cards to places and back, eight bits at a time.
# DRAW: stock cards turned at a time, 3 or 1. REDEALS: 1 for any number of them, 0 for none.
WRAP, REDUCTIONS = 0, 1
ORDER = 2
PLACE = ORDER + PLACES
TOP = PLACE + PACK
RESERVE_SET = TOP + RESERVE
PLACE_TABLE = RESERVE_SET + RESERVE + 1
CARD_TABLE = PLACE_TABLE + 7 * 256
DRAW = CARD_TABLE + 5 * 256
REDEALS = DRAW + 1
DEAL_SIZE = REDEALS + 1

# Reductions that can be switched off, so that tests can search without one.
SAFE_MOVES = 1
WASTE_ORDER = 2
RELAXED_TEST = 4
TWIN_RULE = 8
EASIER_GAME = 16
# Without it the easier game is the free one.
SEMI_FREE_GAME = 32
# Without it there is one search from the start, and no easier game.
RESTARTS = 64
# Of the easier games: stock cards wait until they are needed.
LAZY_STOCK = 128
ALL_REDUCTIONS = 255

# Kinds of moves, in the order in which they are tried. A move is kind << 6 | card.
RESERVE_UP, TABLEAU_UP, STOCK_UP, ROOT_MOVE, RESERVE_MOVE, STOCK_MOVE = range(6)
NO_MOVE = -1
MAX_MOVES = 128
# Each move takes a card from reserve or stock, or brings one up.
MAX_DEPTH = RESERVE + PLACES + PACK


class Position(NamedTuple):
    """A position in classes.

    stock: mask of the places in the order of turning whose cards are still in stock or waste.
    tableau, roots, up: masks of the cards in columns, first in a column, on foundations. The roots
        mean nothing once the reserve is gone.
    reserve: cards in the reserve.
    waste: cards in the waste; with redeals, 0 for every number that turning leads to from anywhere.
    """

    stock: int
    tableau: int
    roots: int
    up: int
    reserve: int
    waste: int


@lean_kernel
def fill_deal(
    deal: LongArray,
    wrap: int,
    draw: int,
    redeals: int,
    reductions: int,
    stock: LongArray,
    reserve: LongArray,
) -> None:
    """Write a deal's array.

    Parameters
    ----------
    deal: int64, shape (DEAL_SIZE,), overwritten.
    wrap: 15 where base-rank cards take cards, else 0.
    draw: stock cards turned at a time, 3 or 1.
    redeals: 1 for any number of them, 0 for none.
    stock: int64, shape (up to 34,): cards in order of turning; a waste comes first, bottom first.
    reserve: int64, shape (up to 13,): cards, the last one on top.
    """
    deal[:] = 0
    deal[WRAP] = wrap
    deal[REDUCTIONS] = reductions
    deal[DRAW] = draw
    deal[REDEALS] = redeals
    for place in range(len(stock)):
        deal[ORDER + place] = stock[place]
        deal[PLACE + stock[place]] = 1 << place
    for i in range(len(reserve)):
        deal[TOP + i] = reserve[i]
        deal[RESERVE_SET + i + 1] = deal[RESERVE_SET + i] | (1 << reserve[i])
    for part in range(7):
        for byte in range(1, 256):
            card = 8 * part + lowest(byte)
            bit = deal[PLACE + card] if card < PACK else 0
            at = PLACE_TABLE + 256 * part
            deal[at + byte] = deal[at + (byte & (byte - 1))] | bit
    for part in range(5):
        for byte in range(1, 256):
            place = 8 * part + lowest(byte)
            bit = 1 << deal[ORDER + place] if place < len(stock) else 0
            at = CARD_TABLE + 256 * part
            deal[at + byte] = deal[at + (byte & (byte - 1))] | bit


@lean_kernel
def places_of(deal: LongArray, cards: int) -> int:
    """The stock places of those cards that the stock had."""
    places = deal[PLACE_TABLE + (cards & 255)]
    places |= deal[PLACE_TABLE + 256 + ((cards >> 8) & 255)]
    places |= deal[PLACE_TABLE + 512 + ((cards >> 16) & 255)]
    places |= deal[PLACE_TABLE + 768 + ((cards >> 24) & 255)]
    places |= deal[PLACE_TABLE + 1024 + ((cards >> 32) & 255)]
    places |= deal[PLACE_TABLE + 1280 + ((cards >> 40) & 255)]
    return int(places | deal[PLACE_TABLE + 1536 + ((cards >> 48) & 255)])


@lean_kernel
def cards_at(deal: LongArray, places: int) -> int:
    """The cards at these stock places."""
    cards = deal[CARD_TABLE + (places & 255)]
    cards |= deal[CARD_TABLE + 256 + ((places >> 8) & 255)]
    cards |= deal[CARD_TABLE + 512 + ((places >> 16) & 255)]
    cards |= deal[CARD_TABLE + 768 + ((places >> 24) & 255)]
    return int(cards | deal[CARD_TABLE + 1024 + ((places >> 32) & 255)])


@lean_kernel
def stock_cards(deal: LongArray, at: Position) -> int:
    """The cards in stock and waste: all that are nowhere else."""
    return int(ALL_CARDS & ~(at.tableau | at.up | deal[RESERVE_SET + at.reserve]))


@inlined
def above(cards: int, wrap: int) -> int:
    """One rank higher; from rank 12 to 0 where base-rank cards take cards."""
    return ((cards << 4) & ALL_CARDS) | ((cards >> 48) & wrap)


@inlined
def below(cards: int, wrap: int) -> int:
    """One rank lower; from rank 0 to 12 where base-rank cards take cards."""
    return (cards >> 4) | ((cards & wrap) << 48)


@inlined
def both_twins(cards: int) -> int:
    """The cards whose twins are in the set too."""
    return cards & twins(cards)


@inlined
def free_hosts(at: Position, wrap: int) -> int:
    """Both cards of every class that has a free host.

    A class has members (0 to 2) and no more children than these: it has a free host when the
    numbers differ, that is by one, or by two of two.
    """
    one, other = at.tableau, above(other_colour(at.tableau & ~at.roots), wrap)
    odd = one ^ (one >> 2) ^ other ^ (other >> 2)
    two = (one & (one >> 2)) & ~(other | (other >> 2))
    free = (odd | two) & FIRST_TWINS
    return free | (free << 2)


@inlined
def fitting(hosts: int, wrap: int) -> int:
    """The cards that go on one of these hosts; the set has both cards of each class."""
    return below(other_colour(hosts), wrap)


@inlined
def columns_needed(tableau: int, wrap: int) -> int:
    """The least number of columns for a tableau: the cards beyond their class's hosts."""
    hosts = below(other_colour(tableau), wrap)
    one, two = tableau | (tableau >> 2), tableau & (tableau >> 2)
    host, both = hosts | (hosts >> 2), hosts & (hosts >> 2)
    return int(popcount(one & ~host & FIRST_TWINS) + popcount(two & ~both & FIRST_TWINS))


@inlined
def can_be_bared(tableau: int, card: int, needed: int, wrap: int) -> bool:
    """With no reserve left: whether a tableau card can be the bare end of a column.

    That takes one host less for the class below it, so one column more if these are all in use.
    """
    members = 5 << ((card & ~3) | (card & 1))
    children = popcount(above(other_colour(tableau), wrap) & members)
    return bool(needed + (children >= popcount(tableau & members)) <= COLUMNS)


@inlined
def may_go_up_safely(up: int, wrap: int) -> int:
    """The cards of which it can never lose a win to bring them up as soon as they can go.

    Such a card of rank r could only be of use as a host, of a card of rank r - 1 of the other
    colour. Both suits of that colour have r - 1 cards up or more, so that this guest could go up
    instead; and it does not miss the chance to be a host: what could lie on it has rank r - 2,
    which is up already or, the twin's suit having r - 2 cards up, could go up as well, and what
    could lie on that, of rank r - 3, is up.

    With ``wrap=base``, ranks 0 and 1 have no guest, or one that can always go up and never has
    one. With ``wrap=full``, a base-rank card may carry a king, and is needed as long as there
    are any, so ranks 0 to 2 must make sure that no base-rank card is asked for: rank 1 that both
    of the other colour are up, rank 2 that its twin suit's is too, or that it has no guest.
    """
    guests = other_colour((up << 8) | 0xFF)
    safe = both_twins(guests) & twins((up << 12) | 0xFFF)
    if wrap:
        gone = other_colour(up << 4)
        gone &= twins(gone)
        base = up & BASE_CARDS
        base_others = other_colour(base)
        rank_2 = (base_others & twins(base_others) & twins(base)) << 8
        safe = (safe & ~0xFFF) | (gone & 0xFF0) | (rank_2 & 0xF00)
    return safe


@inlined
def settled_waste(waste: int, left: int, draw: int, redeals: int) -> int:
    """The number that stands for a waste of this size, of `left` cards in stock and waste.

    With redeals turning by threes leads from anywhere to the sizes 3, 6, ... and `left`, so each
    of them is as good as 0; turning card by card leads to every size.
    """
    if redeals and (draw == 1 or waste % 3 == 0 or waste == left):
        return 0
    return waste


@inlined
def can_turn_up(size: int, left: int, waste: int, draw: int, redeals: int) -> bool:
    """Whether turning alone can bring the waste to this size, so that its last card is in play."""
    if draw == 1:
        return redeals == 1 or size >= waste
    in_pass = redeals == 1 and size % 3 == 0
    return in_pass or size == left or (size >= waste and (size - waste) % 3 == 0)


@inlined
def place_in_stock(stock: int, place: int) -> int:
    """How many cards are in the waste when the card at this place is on top."""
    return int(popcount(stock & ((2 << place) - 1)))


@lean_kernel
def filled(deal: LongArray, at: Position) -> Position:
    """The position after a column was emptied: the reserve's top card becomes its root."""
    if at.reserve == 0:
        return at
    card = 1 << deal[TOP + at.reserve - 1]
    return Position(at.stock, at.tableau | card, at.roots | card, at.up, at.reserve - 1, at.waste)


@lean_kernel
def apply_move(deal: LongArray, at: Position, move: int) -> Position:
    """The position after a move."""
    kind, card = move >> 6, 1 << (move & 63)
    stock, tableau, roots, up, reserve, waste = at
    if kind in (STOCK_UP, STOCK_MOVE):
        bit = deal[PLACE + (move & 63)]
        size = popcount(stock & (2 * bit - 1)) - 1
        stock ^= bit
        waste = settled_waste(size, popcount(stock), deal[DRAW], deal[REDEALS])
        if kind == STOCK_UP:
            return Position(stock, tableau, roots, up | card, reserve, waste)
        return Position(stock, tableau | card, roots, up, reserve, waste)
    if kind == RESERVE_UP:
        return Position(stock, tableau, roots, up | card, reserve - 1, waste)
    if kind == RESERVE_MOVE:
        return Position(stock, tableau | card, roots, up, reserve - 1, waste)
    if kind == TABLEAU_UP:
        tableau &= ~card
        up |= card
    after = Position(stock, tableau, roots & ~card, up, reserve, waste)
    if roots & card:
        return filled(deal, after)
    return after


@inlined
def safe_places(deal: LongArray, at: Position) -> int:
    """The stock places from which a card that no one needs can go without harm to the others.

    Redeals, by threes: only the last card, and only with a waste that settles to 0: every other
    one shifts the packets. Without the last card, what turned up in each pass still does.
    Redeals, card by card: every card, as all of them can be turned up at all times.

    No redeal: the waste's top card, and card by card also the one turned next. The packets to
    come stay as they are, and the waste is at all times as it would be, less this card: the card
    under it is in play instead, or as well. For a card further on, the cards before it would be
    covered first.
    """
    if deal[REDEALS]:
        if deal[DRAW] == 1:
            return at.stock
        return 1 << highest(at.stock) if at.waste == 0 and at.stock else 0
    places = deposit(1 << (at.waste - 1), at.stock) if at.waste else 0
    if deal[DRAW] == 1:
        places |= deposit(1 << at.waste, at.stock)
    return int(places)


@lean_kernel
def safe_move(deal: LongArray, at: Position) -> int:
    """A move that never loses a win, `NO_MOVE` for none.

    See `may_go_up_safely`, and `safe_places` for the stock.
    """
    if deal[REDUCTIONS] & SAFE_MOVES == 0:
        return NO_MOVE
    wrap = deal[WRAP]
    safe = next_up(at.up) & may_go_up_safely(at.up, wrap)
    if safe == 0:
        return NO_MOVE
    if at.reserve:
        top = deal[TOP + at.reserve - 1]
        if (safe >> top) & 1:
            return int((RESERVE_UP << 6) | top)
        ends = safe & at.tableau
        if ends:
            ends &= free_hosts(at, wrap)
            if ends:
                return int((TABLEAU_UP << 6) | lowest(ends))
    else:
        ends = safe & at.tableau
        needed = columns_needed(at.tableau, wrap)
        while ends:
            card = lowest(ends)
            ends &= ends - 1
            if can_be_bared(at.tableau, card, needed, wrap):
                return int((TABLEAU_UP << 6) | card)
    places = safe_places(deal, at)
    if places:
        cards = safe & cards_at(deal, places)
        if cards:
            return int((STOCK_UP << 6) | lowest(cards))
    return NO_MOVE


@lean_kernel
def after_safe_moves(deal: LongArray, at: Position) -> Position:
    """The position after all safe moves; where some come first does not matter."""
    move = safe_move(deal, at)
    while move != NO_MOVE:
        at = apply_move(deal, at, move)
        move = safe_move(deal, at)
    return at


@lean_kernel
def add_cards(moves: LongArray, end: int, kind: int, cards: int) -> int:
    """Append a move of this kind for every card; returns the new end."""
    while cards:
        moves[end] = (kind << 6) | lowest(cards)
        cards &= cards - 1
        end += 1
    return end


@lean_kernel
def fill_moves(deal: LongArray, at: Position, moves: LongArray, end: int) -> int:
    """Append the moves of a position, the promising ones first.

    Parameters
    ----------
    moves: int64, written from index `end` on, at most `MAX_MOVES`.

    Returns
    -------
    The new end.
    """
    wrap = deal[WRAP]
    left = popcount(at.stock)
    wanted = next_up(at.up)
    free = free_hosts(at, wrap)
    placeable = fitting(free, wrap)
    needed = 0
    if at.reserve:
        top = 1 << deal[TOP + at.reserve - 1]
        end = add_cards(moves, end, RESERVE_UP, top & wanted)
        end = add_cards(moves, end, TABLEAU_UP, at.tableau & wanted & free)
    else:
        top = 0
        needed = columns_needed(at.tableau, wrap)
        ends = at.tableau & wanted
        while ends:
            card = lowest(ends)
            ends &= ends - 1
            if can_be_bared(at.tableau, card, needed, wrap):
                moves[end] = (TABLEAU_UP << 6) | card
                end += 1
        # A card without a host takes a column of its own, if there is one more.
        hosts = below(other_colour(at.tableau), wrap)
        more = (hosts ^ (hosts >> 2) ^ at.tableau ^ (at.tableau >> 2)) & (hosts | (hosts >> 2))
        more = (more & ~(at.tableau & (at.tableau >> 2))) | (
            hosts & (hosts >> 2) & ~(at.tableau | (at.tableau >> 2))
        )
        placeable = with_twins(more & FIRST_TWINS) if needed >= COLUMNS else ALL_CARDS
    cards = stock_cards(deal, at)
    turned_up = 0
    places = places_of(deal, cards & (wanted | placeable))
    while places:
        place = lowest(places)
        places &= places - 1
        size = place_in_stock(at.stock, place)
        if can_turn_up(size, left, at.waste, deal[DRAW], deal[REDEALS]):
            turned_up |= 1 << place
    end = add_cards(moves, end, STOCK_UP, cards_at(deal, turned_up) & wanted)
    if at.reserve:
        end = add_cards(moves, end, ROOT_MOVE, at.roots & placeable)
        end = add_cards(moves, end, RESERVE_MOVE, top & placeable)
    places = turned_up & places_of(deal, cards & placeable)
    # From the end of the stock: that leaves the packets before it as they are. Without a redeal
    # from the waste on: the cards passed over are covered.
    while places:
        place = highest(places) if deal[REDEALS] else lowest(places)
        places ^= 1 << place
        moves[end] = (STOCK_MOVE << 6) | deal[ORDER + place]
        end += 1
    return end


@lean_kernel
def first_key(deal: LongArray, at: Position) -> int:
    """Stock, reserve and foundations in 54 bits: they give the set of tableau cards too.

    Without the reduction `WASTE_ORDER` the waste is added from bit 55 on.
    """
    key = at.stock | (at.reserve << 34)
    for suit in range(4):
        key |= popcount(at.up & (ONE_SUIT << suit)) << (38 + 4 * suit)
    if deal[REDUCTIONS] & WASTE_ORDER == 0:
        key |= at.waste << 55
    return key


@lean_kernel
def second_key(at: Position) -> int:
    """The roots in 24 bits; 0 when the reserve is gone and they don't matter."""
    key = 0
    if at.reserve:
        roots = at.roots
        for i in range(COLUMNS):
            card = 63
            if roots:
                card = lowest(roots)
                roots &= roots - 1
            key |= card << (6 * i)
    return key
