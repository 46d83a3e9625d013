"""Canfield positions with what moves cost: exact keys, turns, and bounds on the moves to come.

Between two moves of stock cards, turns and redeals change nothing else, so that they can all wait
until just before the next of these moves. So a step of this search is a move of a card, with the
turns and redeals that bring the card up, and its *cost* is their number plus 1. A position lies
between steps: its waste ends where the last stock card was taken.

The positions and steps are those of `state` and `state_moves`, without any reduction and with the
true size of the waste: what merges positions there would merge such as are not equally far from a
win. Only the order of the columns is forgotten. The functions are kernels.
"""

from __future__ import annotations

from winnable.arrays import IntArray
from winnable.games.canfield.classes_bits import deposit, extract
from winnable.games.canfield.state import (
    ALL_CARDS,
    BASE_CARDS,
    FIRST_TWINS,
    NO_CARD,
    NO_MOVE,
    ONE_SUIT,
    RESERVE_UP,
    STOCK_MOVE,
    STOCK_UP,
    TABLEAU_UP,
    Position,
    Setup,
    child_of,
    free_cards,
    host_of,
    lowest,
    move_code,
    popcount,
)
from winnable.games.canfield.state_moves import apply_move, fill_moves
from winnable.games.canfield.state_safe import safe_to_lift
from winnable.games.canfield.state_stock import size_with_top
from winnable.jit import inlined, lean_kernel

_RESERVE_SHIFT = 34
_WASTE_SHIFT = 38
_UP_SHIFT = 44
_TWINS_SHIFT = 24
WASTE_BITS = 63 << _WASTE_SHIFT
# More turns than any way takes.
FAR = 1 << 20


@inlined
def first_key(at: Position) -> int:
    """Stock, reserve, waste and foundations in 60 bits; all other cards are in the tableau."""
    key = at.stock | at.reserve << _RESERVE_SHIFT | at.waste << _WASTE_SHIFT
    for suit in range(4):
        key |= popcount(at.up & (ONE_SUIT << suit)) << (_UP_SHIFT + 4 * suit)
    return key


@inlined
def waste_of(first: int) -> int:
    """The size of the waste in the first half of a key."""
    return int((first >> _WASTE_SHIFT) & 63)


@inlined
def second_key(at: Position) -> int:
    """The roots, and who lies on whom, in 50 bits.

    Two hosts carry at most one card each: where two twins lie on others, the first one's host
    tells the second one's. So a bit for each rank and colour is enough.
    """
    key = 0
    roots = at.roots
    for i in range(4):
        card = NO_CARD
        if roots:
            card = lowest(roots)
            roots &= roots - 1
        key |= card << (6 * i)
    lying = at.tableau & ~at.roots
    second = at.second_host & lying
    bits = (second & FIRST_TWINS) | ((second >> 2) & FIRST_TWINS & ~lying)
    return int(key | extract(bits, FIRST_TWINS) << _TWINS_SHIFT)


@lean_kernel
def unpacked(setup: Setup, first: int, second: int) -> Position:
    """The position of a key."""
    stock = first & ((1 << _RESERVE_SHIFT) - 1)
    reserve = (first >> _RESERVE_SHIFT) & 15
    up = 0
    for suit in range(4):
        count = (first >> (_UP_SHIFT + 4 * suit)) & 15
        up |= (ONE_SUIT << suit) & ((1 << (4 * count)) - 1)
    elsewhere = up
    rest = stock
    while rest:
        elsewhere |= 1 << setup.order[lowest(rest)]
        rest &= rest - 1
    for i in range(reserve):
        elsewhere |= 1 << setup.reserve[i]
    tableau = ALL_CARDS & ~elsewhere
    roots = 0
    for i in range(4):
        card = (second >> (6 * i)) & 63
        if card != NO_CARD:
            roots |= 1 << card
    lying = tableau & ~roots
    bits = deposit(second >> _TWINS_SHIFT, FIRST_TWINS)
    first_lying = lying & FIRST_TWINS
    second_host = (bits & first_lying) | (((bits ^ first_lying) << 2) & lying & ~FIRST_TWINS)
    return Position(stock, tableau, roots, second_host, up, reserve, waste_of(first))


@inlined
def packets(cards: int, draw: int) -> int:
    """How many turns so many cards take."""
    return (cards + draw - 1) // draw


@lean_kernel
def turns_to(setup: Setup, left: int, waste: int, size: int) -> int:
    """The fewest turns and redeals from one size of the waste to another, `FAR` for no way.

    left: cards in stock and waste.
    """
    ahead = size - waste
    if ahead >= 0 and (ahead % setup.draw == 0 or size == left):
        return packets(ahead, setup.draw)
    if setup.unlimited == 1 and (size % setup.draw == 0 or size == left):
        return packets(left - waste, setup.draw) + 1 + packets(size, setup.draw)
    return FAR


@lean_kernel
def step_cost(setup: Setup, at: Position, step: int) -> int:
    """How many moves a step of `state_moves.fill_moves` stands for."""
    if step >> 12 in (STOCK_UP, STOCK_MOVE):
        place = setup.position[(step >> 6) & 63]
        return turns_to(setup, popcount(at.stock), at.waste, size_with_top(at, place)) + 1
    return 1


@lean_kernel
def after_step(setup: Setup, at: Position, step: int) -> Position:
    """The position after a step, with the true size of the waste."""
    after = apply_move(setup, at, step)
    waste = at.waste
    if step >> 12 in (STOCK_UP, STOCK_MOVE):
        waste = size_with_top(at, setup.position[(step >> 6) & 63]) - 1
    return Position(
        after.stock,
        after.tableau,
        after.roots,
        after.second_host,
        after.up,
        after.reserve,
        waste,
    )


@lean_kernel
def safe_step(setup: Setup, at: Position) -> int:
    """A card that may go up now in a shortest win, if there is any; `NO_MOVE` for none.

    Let the card c be one of `state_safe.safe_to_lift`, free in a column or the reserve's top; cards
    don't come back. Take any win. It brings c up at some time; bring it up first, and then follow
    the line with these changes, none of which adds a move or a step:

    * Where the line puts a card x on c, x can go up, after at most one card y that it carries (that
      is what makes c safe): they go up instead, and their later moves go out. As nothing is left
      that could lie on x or y, but y on x, nobody misses them. Moves of c go out, those of runs
      that it ends go on without it.
    * If c was in the reserve, or alone in a column, the reserve's next card z comes to a column
      early. Where the line plays z from the reserve, it is now played from there, and the card
      that fills its place is again one ahead; so it stays until the line fills the gap that c
      left. When the reserve ends first, an empty column is ahead of the line instead.

    Without redeal, a safe card on top of the waste, and with draw 1 the next one too, can go up in
    the same way: the packets to come stay as they are, and all cards have to be turned anyway.
    With redeals this shifts the packets.
    """
    if setup.returns == 1:
        return NO_MOVE
    safe = safe_to_lift(setup, at.up)
    if safe == 0:
        return NO_MOVE
    if at.reserve > 0 and (safe >> setup.reserve[at.reserve - 1]) & 1:
        return move_code(RESERVE_UP, setup.reserve[at.reserve - 1], NO_CARD)
    if safe & at.tableau:
        ends = safe & free_cards(at)
        if ends:
            return move_code(TABLEAU_UP, lowest(ends), NO_CARD)
    if setup.unlimited == 0:
        size = 0
        rest = at.stock
        while rest:
            size += 1
            card = setup.order[lowest(rest)]
            rest &= rest - 1
            is_next = setup.draw == 1 and size == at.waste + 1
            if (size == at.waste or is_next) and (safe >> card) & 1:
                return move_code(STOCK_UP, card, NO_CARD)
    return NO_MOVE


@lean_kernel
def fill_steps(setup: Setup, at: Position, steps: IntArray) -> int:
    """Write the steps of a position, one alone where it is safe; returns their number.

    steps: int32, shape (`MAX_MOVES`,).
    """
    step = safe_step(setup, at)
    if step != NO_MOVE:
        steps[0] = step
        return 1
    return int(fill_moves(setup, at, steps))


@inlined
def lower_in_suit(card: int) -> int:
    """The cards of a card's suit that have to go up before it."""
    return (ONE_SUIT << (card & 3)) & ((1 << card) - 1)


@lean_kernel
def cards_too_early(setup: Setup, at: Position) -> int:
    """How many stock cards can't go up directly when they are taken in this pass.

    Of a packet yet to be turned, and of the waste, the later cards lie on the earlier ones. A card
    that lies on a lower card of its suit and is taken in this pass leaves the waste before that
    one does, so before it can go up.
    """
    count = 0
    under = 0
    size = 0
    rest = at.stock
    while rest:
        if size >= at.waste and (size - at.waste) % setup.draw == 0:
            under = 0
        card = setup.order[lowest(rest)]
        rest &= rest - 1
        size += 1
        if under & lower_in_suit(card):
            count += 1
        under |= 1 << card
    return count


@lean_kernel
def columns_to_split(at: Position) -> int:
    """In how many columns some card lies on a lower card of its suit; only ``wrap=full`` has any.

    Ranks fall by one towards a column's end, so that between the two lies a base-rank card which
    carries one of rank 12. Columns are walked both ways from there.
    """
    columns = 0
    bases = at.tableau & BASE_CARDS
    while bases:
        base = lowest(bases)
        bases &= bases - 1
        above = child_of(at, base)
        if above == NO_CARD:
            continue
        root = base
        under = 1 << base
        while (at.roots >> root) & 1 == 0:
            root = host_of(root, at.second_host)
            under |= 1 << root
        while above != NO_CARD:
            if under & lower_in_suit(above):
                columns |= 1 << root
                break
            above = child_of(at, above)
    return int(popcount(columns))


@lean_kernel
def reserve_moves(setup: Setup, at: Position) -> int:
    """How many moves of reserve cards and of whole columns the reserve takes at least.

    Consider the reserve until a certain card of it, *the mark*, has left. *Late* are the cards that
    can't go up before that: those of its suit from the mark up, and from any card under it.
    A reserve card leaves by going up, by a move, or by filling a column that was emptied. It can't
    go up from the reserve if it lies on a lower card of its suit; call it *stuck* then. A column is
    emptied by a move of all of it, or by its root going up when it is alone. While there is a
    reserve, nothing becomes a root but by filling. So the roots that go up before the mark has left
    are not late, and they are roots of now or cards from above the mark that filled a column.

    Let n cards leave, down to the mark. Those that are not stuck can go up, from the reserve or
    from the column that they fill, which pays back the filling. Of the stuck ones, those above
    the mark that are not late can pay back too. So at least as many moves are made as there are
    stuck cards left, less the roots of now that are not late. Above the mark, late cards are all
    stuck.

    Any card can be the mark; the best bound counts.
    """
    most = 0
    late = 0
    above = 0
    for i in range(at.reserve):
        above |= 1 << setup.reserve[i]
    for i in range(at.reserve):
        card = setup.reserve[i]
        is_stuck = (late >> card) & 1
        above ^= 1 << card
        late |= (ONE_SUIT << card) & ALL_CARDS
        moves = is_stuck + popcount(above & late) - popcount(at.roots & ~late)
        most = max(most, moves)
    return most


@lean_kernel
def moves_to_come(setup: Setup, at: Position) -> int:
    """A number of moves that no win from a position falls short of.

    * Each card that is not up goes up: one `up` for each.
    * Every stock card has to be turned: the rest of this pass takes a turn for each packet.
    * Each of the `cards_too_early` is either moved to a column in this pass, one `move` for each,
      or left to a later pass. For k > 0 of these there is a redeal, and the pass after it turns
      at least k cards. As k grows by 1, the moves fall by 1 and the turns grow by 1 at most: so
      it is best to move all or to leave all. Without redeals all move.
    * In each of the `columns_to_split` the stretch from a lower card to one of its suit on it stays
      as it is, wherever it is carried, until a `move` takes the upper part of it away: the upper
      card can't go up before the lower one, which can't leave from under it. A `move` takes the
      end of one column, so it parts one stretch at most, as those of different columns have no
      card in common.
    * The `reserve_moves`: no move is counted twice, as these are moves of reserve cards and of
      whole columns, and those above of stock cards and of a part of a column.

    Cards that went back from foundations do not change this: what lies in stock, waste or columns
    is not up, and neither is what is above it in its suit.
    """
    left = popcount(at.stock)
    early = cards_too_early(setup, at)
    if setup.unlimited == 1 and early > 0:
        early = min(early, 1 + packets(early, setup.draw))
    total = popcount(ALL_CARDS & ~at.up) + packets(left - at.waste, setup.draw) + early
    total += reserve_moves(setup, at)
    if setup.full_wrap == 1:
        total += columns_to_split(at)
    return int(total)
