"""Random games of one deal, many at once: the quick first look that wins most winnable deals.

A playout is a game by the rules, so that a won one proves the deal winnable; that none is won
proves nothing. 32 playouts run side by side, one in each lane of two vectors of sixteen 32-bit
numbers. They play whenever a card fits and turn the stock when none does, and now and then
before. Which card: of a random half of those that fit, one of the last row, else of the third, else
of the peaks; at its left end in odd lanes and at its right end in even ones.

Within a playout the tableau is 28 bits, arranged so that the cards lying on a card are found by
shifts:

    row 1 at bits 0, 3, 6           covered by bits +1 and +2
    row 2 at bits 1, 2, 4, 5, 7, 8  covered by bits +8 and +9
    row 3 at bits 9 to 17           covered by bits +9 and +10
    row 4 at bits 18 to 27
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from winnable.arrays import LongArray, WordArray
from winnable.cards import KING
from winnable.games.tripeaks.graph import FULL_MASK, PLACES, STOCK_CARDS
from winnable.jit import inlined, kernel
from winnable.search import vectors
from winnable.search.vectors import Table32, int64

BIT_OF_PLACE = np.array([0, 3, 6, 1, 2, 4, 5, 7, 8, *range(9, 18), *range(18, 28)], np.int64)
ROW_1, ROW_2, ROW_3, ROW_4 = 0b001001001, 0b110110110, 0x1FF << 9, 0x3FF << 18

LANES = 16
VECTORS = 2
GAMES = LANES * VECTORS
# A stock position past the end: the playout is over.
OVER = STOCK_CARDS + 1
# The most cards and turns that a playout can take.
LONGEST = PLACES + OVER
# After a play, the stock is turned at once when the lane's random number is below this: one in 32.
# Always playing on would never find the wins that need a card kept back.
EARLY_TURN = 1 << 27

# Where the two tables of 32 words begin.
ON_CARD, ON_STOCK = 0, 32


def playout_seeds(rounds: int) -> WordArray:
    """The start of each lane's random numbers, shape (rounds * 32,): the same for all deals."""
    numbers = np.random.RandomState(1989).randint(1, 1 << 32, rounds * GAMES, dtype=np.uint32)
    return np.ascontiguousarray(numbers)


@kernel
def fill_tables(ranks: LongArray, wrap: int, by_rank: WordArray, tables: WordArray) -> None:
    """Which tableau cards go on each card, as sets of bits.

    Parameters
    ----------
    ranks: int64, shape (52,): tableau, then stock.
    wrap: 1 where king and ace are neighbours.
    by_rank: uint32, shape (13,), work space.
    tables: uint32, shape (64,), overwritten. At `ON_CARD` + 31 - b: what goes on the card at bit b;
        at `ON_STOCK` + p: what goes on the p-th stock card, nothing from `OVER` on.
    """
    by_rank[:] = 0
    tables[:] = 0
    for place in range(PLACES):
        bit = np.uint32(1 << BIT_OF_PLACE[place])
        below, above = ranks[place] - 1, ranks[place] + 1
        if below >= 0:
            by_rank[below] |= bit
        elif wrap == 1:
            by_rank[KING] |= bit
        if above <= KING:
            by_rank[above] |= bit
        elif wrap == 1:
            by_rank[0] |= bit
    for place in range(PLACES):
        tables[ON_CARD + 31 - BIT_OF_PLACE[place]] = by_rank[ranks[place]]
    for position in range(1, OVER):
        tables[ON_STOCK + position] = by_rank[ranks[PLACES + position - 1]]


def open_cards(tableau: Any) -> Any:
    """The cards that no card lies on, of one tableau or of an array of them."""
    covered = ((tableau >> 1) | (tableau >> 2)) & ROW_1
    covered |= ((tableau >> 8) | (tableau >> 9)) & ROW_2
    covered |= ((tableau >> 9) | (tableau >> 10)) & ROW_3
    return tableau & ~covered


open_cards_of_one = inlined(open_cards)


@kernel
def play_greedily(tables: WordArray, playable: int, turned: int) -> int:
    """One game without chance: always the card at the highest bit; turns when none fits.

    It wins half of the deals where king and ace are neighbours, for a tenth of the cost of
    `plain_play_games`; parameters and result are as there.
    """
    tableau = np.int64(FULL_MASK)
    fitting = playable
    position = turned
    steps = 0
    while True:
        steps += 1
        if fitting != 0:
            bit = 0
            for shift in (16, 8, 4, 2, 1):
                if fitting >> (bit + shift) != 0:
                    bit += shift
            tableau ^= 1 << bit
            if tableau == 0:
                return steps
            on_top = np.int64(tables[ON_CARD + 31 - bit])
        elif position < OVER - 1:
            position += 1
            on_top = np.int64(tables[ON_STOCK + position])
        else:
            return -steps
        fitting = open_cards_of_one(tableau) & on_top


def plain_play_games(
    tables: WordArray, seeds: WordArray, first: int, playable: int, turned: int
) -> int:
    """Play `GAMES` random games until one is won or all are over.

    Parameters
    ----------
    tables: see `fill_tables`.
    seeds, first: uint32, none 0; 32 of them are used, from number `first` on.
    playable: bits of the cards that can be played at the start.
    turned: stock cards turned at the start, 0 or 1.

    Returns
    -------
    The steps taken, each up to one card a game: positive when a game was won, else negative.
    """
    lanes = np.arange(GAMES)
    random = seeds[first : first + GAMES].copy()
    tableau = np.full(GAMES, FULL_MASK, np.uint32)
    fitting = np.full(GAMES, playable, np.uint32)
    position = np.full(GAMES, turned, np.uint32)
    steps = 0
    while True:
        steps += 1
        random ^= (random << 7 | random >> 25) ^ (random << 18 | random >> 14)
        choice = np.where(fitting & random != 0, fitting & random, fitting)
        for row in (ROW_3, ROW_4):
            choice = np.where(choice & row != 0, choice & row, choice)
        leftmost = choice & (0 - choice)
        choice = np.where(lanes % 2 == 1, leftmost, choice)
        # The float holds 28 bits exactly; the exponent of 0 counts from 0.
        zeros = (32 - np.frexp(choice.astype(np.float64))[1]).astype(np.uint32)
        stuck = fitting == 0
        tableau ^= np.where(stuck, 0, np.uint32(1 << 31) >> (zeros & 31)).astype(np.uint32)
        turn = stuck | (random < EARLY_TURN)
        position = np.where(turn, np.minimum(position + 1, OVER), position).astype(np.uint32)
        on_top = np.where(turn, tables[ON_STOCK + position], tables[ON_CARD + (zeros & 31)])
        fitting = (open_cards(tableau) & on_top).astype(np.uint32)
        if np.any(tableau == 0):
            return steps
        if np.all(position == OVER):
            return -steps


@vectors.compiled_form_of(plain_play_games)
def play_games(typing: Any, tables: Any, seeds: Any, first: Any, playable: Any, turned: Any) -> Any:
    """The vector instructions of `plain_play_games`."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        tables_at, seeds_at = (
            vectors.data_pointer(context, builder, signature.args[i], args[i]) for i in (0, 1)
        )
        seeds_at = builder.gep(seeds_at, [builder.mul(args[2], int64(4))])
        on_card = Table32(builder, tables_at, 4 * ON_CARD)
        on_stock = Table32(builder, tables_at, 4 * ON_STOCK)
        games = [
            _GamesEmitter(builder, on_card, on_stock, seeds_at, 64 * i, args[3], args[4])
            for i in range(VECTORS)
        ]
        steps = cgutils.alloca_once_value(builder, int64(0))
        step, goes_on, end = (builder.append_basic_block(name) for name in ("step", "on", "end"))
        builder.branch(step)
        builder.position_at_end(step)
        builder.store(builder.add(builder.load(steps), int64(1)), steps)
        outcomes = [vector.emit_step() for vector in games]
        won = _any([outcome[0] for outcome in outcomes], builder)
        builder.cbranch(won, end, goes_on)
        builder.position_at_end(goes_on)
        builder.cbranch(_any([outcome[1] for outcome in outcomes], builder), step, end)
        builder.position_at_end(end)
        was_won = builder.phi(vectors.BIT)
        was_won.add_incoming(vectors.BIT(1), step)
        was_won.add_incoming(vectors.BIT(0), goes_on)
        taken = builder.load(steps)
        return builder.select(was_won, taken, builder.sub(int64(0), taken))

    return types.int64(tables, seeds, types.int64, types.int64, types.int64), emit


def _any(masks: list[Any], builder: Any) -> Any:
    together = masks[0]
    for mask in masks[1:]:
        together = builder.or_(together, mask)
    return vectors.any_lane(builder, together)


class _GamesEmitter:
    """Emits the instructions for sixteen games of `play_games`."""

    KIND = Table32.KIND

    def __init__(
        self,
        builder: Any,
        on_card: Table32,
        on_stock: Table32,
        seeds: Any,
        offset: int,
        playable: Any,
        turned: Any,
    ) -> None:
        def variable(value: Any) -> Any:
            return cgutils.alloca_once_value(builder, value)

        self.builder, self.on_card, self.on_stock = builder, on_card, on_stock
        self.random = variable(vectors.load(builder, seeds, int64(offset), self.KIND))
        self.tableau = variable(self._same(FULL_MASK))
        self.fitting = variable(vectors.splat(builder, playable, self.KIND))
        self.position = variable(vectors.splat(builder, turned, self.KIND))

    def emit_step(self) -> tuple[Any, Any]:
        """One step of each game; whether a game is won, and whether it goes on, bit by bit."""
        b = self.builder
        random = self._next_random()
        fitting = b.load(self.fitting)
        stuck = b.icmp_unsigned("==", fitting, self._same(0))
        zeros = vectors.leading_zeros(b, self._choice(fitting, random))
        index = b.and_(zeros, self._same(31))
        bit = b.select(stuck, self._same(0), b.lshr(self._same(1 << 31), index))
        tableau = b.xor(b.load(self.tableau), bit)
        turn = b.or_(stuck, b.icmp_unsigned("<", random, self._same(EARLY_TURN)))
        position = b.load(self.position)
        following = vectors.minimum(b, b.add(position, self._same(1)), self._same(OVER))
        position = b.select(turn, following, position)
        stock_top = self.on_stock.lookup(b, position)
        on_top = b.select(turn, stock_top, self.on_card.lookup(b, index))
        b.store(tableau, self.tableau)
        b.store(position, self.position)
        b.store(b.and_(self._open_cards(tableau), on_top), self.fitting)
        won = b.icmp_unsigned("==", tableau, self._same(0))
        return won, b.icmp_unsigned("!=", position, self._same(OVER))

    def _same(self, value: int) -> Any:
        return vectors.constant(self.KIND, value)

    def _next_random(self) -> Any:
        b = self.builder
        old = b.load(self.random)
        turned = b.xor(vectors.rotate_left(b, old, 7), vectors.rotate_left(b, old, 18))
        new = b.xor(old, turned)
        b.store(new, self.random)
        return new

    def _choice(self, fitting: Any, random: Any) -> Any:
        """A set whose highest bit is the card to play; empty when none fits."""
        choice = self._part_if_any(fitting, random)
        for row in (ROW_3, ROW_4):
            choice = self._part_if_any(choice, self._same(row))
        b = self.builder
        leftmost = b.and_(choice, b.sub(self._same(0), choice))
        odd = ir.Constant(ir.VectorType(vectors.BIT, LANES), [lane % 2 for lane in range(LANES)])
        return b.select(odd, leftmost, choice)

    def _part_if_any(self, cards: Any, wanted: Any) -> Any:
        b = self.builder
        part = b.and_(cards, wanted)
        return b.select(b.icmp_unsigned("!=", part, self._same(0)), part, cards)

    def _open_cards(self, tableau: Any) -> Any:
        b = self.builder

        def covered(row: int, near: int, far: int) -> Any:
            lying = (b.lshr(tableau, self._same(shift)) for shift in (near, far))
            return b.and_(b.or_(*lying), self._same(row))

        upper = b.or_(covered(ROW_1, 1, 2), covered(ROW_2, 8, 9))
        return b.and_(tableau, b.not_(b.or_(upper, covered(ROW_3, 9, 10))))
