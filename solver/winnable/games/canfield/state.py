"""Canfield positions as seven integers, their moves and their keys: kernels.

Ranks are counted from the base rank, so that a foundation always goes from 0 to 12. A *card* here
is ``4 * rank + suit`` with the suits renumbered: clubs 0, diamonds 1, spades 2, hearts 3. So bit
0 of a card is its colour and bit 1 tells it from its *twin*, the other card of its rank and
colour. A set of cards is a mask of 52 bits, four bits a rank.

A column is one descending run of alternating colours. So a tableau card is either the *root* of
its column or lies on one of two twins, its *host*; one bit says on which. A card is *free* when
nothing lies on it. All sets that the rules speak of are then a few operations on masks.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from llvmlite import ir
from numba.core import types

from winnable.arrays import LongArray
from winnable.jit import inlined, lean_kernel
from winnable.search.vectors import compiled_form_of

ALL_CARDS = (1 << 52) - 1
ALL_POSITIONS = (1 << 34) - 1
FIRST_TWINS = 0x3333333333333
EVEN_BITS = 0x5555555555555
ODD_BITS = 0xAAAAAAAAAAAAA
ONE_SUIT = 0x1111111111111
BASE_CARDS = 0xF
NO_CARD = 63
COLUMN_COUNT = 4
# A column of 26 cards has 25 that lie on others; only then can a run's host be in the run.
LONG_COLUMN = 25

# Values of the parameter `moves`.
ANY_RUN, WHOLE, WHOLE_OR_TOP = range(3)

# Reductions, as bits of `Setup.reductions`; each is proved where it is made.
SAFE_MOVES = 1
RELAXED_TEST = 2
TAIL_SWAPS = 4
WASTE_ORDER = 8
TWIN_RULE = 16
SEMI_FREE_TEST = 32
NO_RETURNS_FIRST = 64
ALL_REDUCTIONS = 127

# Kinds of moves, in the order in which they are tried.
(
    RESERVE_UP,
    TABLEAU_UP,
    STOCK_UP,
    ROOT_MOVE,
    RESERVE_MOVE,
    STOCK_MOVE,
    TAIL_MOVE,
    RETURN_MOVE,
) = range(8)
NO_MOVE = -1
MAX_MOVES = 256


class Setup(NamedTuple):
    """A deal's fixed part, and the rules, as kernels read them.

    full_wrap, fill_from_waste, returns, unlimited: 1 where the rules say so, else 0.
    moves: `ANY_RUN`, `WHOLE` or `WHOLE_OR_TOP`.
    draw: stock cards turned at a time, 3 or 1.
    reductions: the bits of those in use.
    semi_free: 1 for the easier game of `search_semi_free`, else 0.
    stock_size: cards of stock and waste at the start.
    order: int64, shape (34,): the stock's cards in the order in which they are turned.
    position: int64, shape (52,): where in `order` a card is, -1 for other cards.
    reserve: int64, shape (13,): the reserve's cards, the last one on top at the start.
    """

    full_wrap: int
    moves: int
    fill_from_waste: int
    returns: int
    draw: int
    unlimited: int
    reductions: int
    semi_free: int
    stock_size: int
    order: LongArray
    position: LongArray
    reserve: LongArray


class Position(NamedTuple):
    """One position.

    stock: mask of the places in `Setup.order` whose cards are still in stock or waste.
    tableau, roots: masks of cards.
    second_host: mask of the cards that lie on the second of two twins (bit 1 set).
    up: mask of the cards on the foundations.
    reserve: how many cards the reserve has left.
    waste: how many cards the waste holds; under unlimited redeals 0 stands for every number
        that turning can lead to from everywhere.
    """

    stock: int
    tableau: int
    roots: int
    second_host: int
    up: int
    reserve: int
    waste: int


def _plain_popcount(mask: int) -> int:
    return bin(mask).count("1")


@compiled_form_of(_plain_popcount)
def popcount(_context: Any, _mask: Any) -> Any:
    """How many bits of a non-negative int64 are set."""

    def generate(_c: Any, builder: Any, _s: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


def _plain_lowest(mask: int) -> int:
    return int(mask & -mask).bit_length() - 1


@compiled_form_of(_plain_lowest)
def lowest(_context: Any, _mask: Any) -> Any:
    """The index of the lowest set bit of a positive int64."""

    def generate(_c: Any, builder: Any, _s: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@inlined
def with_twins(cards: int) -> int:
    """The cards and their twins."""
    return cards | ((cards & FIRST_TWINS) << 2) | ((cards >> 2) & FIRST_TWINS)


@inlined
def twins(cards: int) -> int:
    """The twins of the cards."""
    return ((cards & FIRST_TWINS) << 2) | ((cards >> 2) & FIRST_TWINS)


@inlined
def other_colour(cards: int) -> int:
    """The same ranks and twin bits in the other colour."""
    return ((cards & EVEN_BITS) << 1) | ((cards & ODD_BITS) >> 1)


@inlined
def rank_above(cards: int) -> int:
    """One rank higher, 12 becoming 0."""
    return ((cards << 4) & ALL_CARDS) | (cards >> 48)


@inlined
def fitting(free: int, full_wrap: int) -> int:
    """The cards that may be put on one of these."""
    hosts = other_colour(with_twins(free))
    below = hosts >> 4
    if full_wrap == 1:
        below |= (hosts & BASE_CARDS) << 48
    return below


@inlined
def hosts_of(cards: int, second_host: int) -> int:
    """The cards on which these lie; none of them may be a root."""
    first = cards & ~second_host
    second = cards & second_host
    classes = ((first | (first >> 2)) & FIRST_TWINS) | (
        ((second | (second >> 2)) & FIRST_TWINS) << 2
    )
    return rank_above(other_colour(classes))


@inlined
def next_up(up: int) -> int:
    """The cards that the foundations take next."""
    return ((up << 4) | BASE_CARDS) & ~up & ALL_CARDS


@inlined
def first_parent(card: int) -> int:
    """The first of the two cards on which a card may lie; the second is two more."""
    rank = (card >> 2) + 1
    if rank == 13:
        rank = 0
    return 4 * rank + ((card & 1) ^ 1)


@inlined
def host_of(card: int, second_host: int) -> int:
    """The card on which a card that is no root lies."""
    return first_parent(card) + 2 * ((second_host >> card) & 1)


@lean_kernel
def child_of(at: Position, card: int) -> int:
    """The card that lies on a card, `NO_CARD` for none."""
    rank = (card >> 2) - 1
    if rank < 0:
        rank = 12
    lying = at.tableau & ~at.roots
    for twin in range(2):
        child = 4 * rank + ((card & 1) ^ 1) + 2 * twin
        if (lying >> child) & 1 and ((at.second_host >> child) & 1) == ((card >> 1) & 1):
            return child
    return NO_CARD


@inlined
def may_be_long(at: Position) -> bool:
    """Whether some column of this tableau could have 26 cards, however its tails are swapped."""
    lying = at.tableau & ~at.roots
    return bool(popcount((lying | (lying >> 2)) & FIRST_TWINS) >= LONG_COLUMN)


@lean_kernel
def lies_under(at: Position, card: int, end: int) -> bool:
    """Whether `end` is `card` or lies somewhere on it."""
    while end != card:
        if (at.roots >> end) & 1:
            return False
        end = host_of(end, at.second_host)
    return True


@inlined
def move_code(kind: int, card: int, target: int) -> int:
    """A move as one integer; the target is the new host, `NO_CARD` for an empty column."""
    return kind << 12 | card << 6 | target


@inlined
def free_cards(at: Position) -> int:
    """The tableau cards on which nothing lies."""
    return at.tableau & ~hosts_of(at.tableau & ~at.roots, at.second_host)


@inlined
def swaps_tails(setup: Setup) -> bool:
    """Whether positions that differ only by whose tail is whose count as one.

    Rules that let any run move let a tail go from a card to its free twin. So it does not matter
    on which of the two a single tail lies. When both twins have tails, no move touches either
    host until one tail has left, and then the other can be swapped: so it does not matter either
    which tail lies on which. The one exception is a column of 26 or more cards, in which a twin
    can lie in the other's tail; see `search.decide`.
    """
    return setup.reductions & TAIL_SWAPS != 0 and setup.moves == ANY_RUN


@inlined
def in_both_suits(cards: int) -> int:
    """The cards whose twin is in the set too, with that twin."""
    return cards & twins(cards)
