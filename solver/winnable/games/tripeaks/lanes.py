"""The exact pass over 64 deals at once, a deal in each byte lane.

The idea is that of `exact`; see there for why it is right. The graph of masks is the same for
every deal, so one walk over it serves 64 of them: the reach of an edge is a vector of 64 bytes,
and whether two cards are neighbours is a bit a deal. Reaches are numbers of turned stock cards,
0 to 24, and `NEVER`, which is 255, so that minimum and saturating addition treat it as infinity.

The functions that work on whole vectors are written twice: as LLVM instructions, which the
compiled kernels use, and in numpy, which says what they do and serves when kernels run without
compilation.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from winnable.arrays import ByteArray, IntArray
from winnable.cards import KING, PACK_SIZE, RANK_COUNT, SUIT_COUNT
from winnable.games.tripeaks.exact import NEVER, fits
from winnable.games.tripeaks.graph import PLACES, STOCK_CARDS
from winnable.games.tripeaks.program import WIDEST_BLOCK, Program
from winnable.jit import inlined, kernel
from winnable.search import vectors
from winnable.search.vectors import int64

LANES = 64
# Bytes of one row of 64 bits.
BITS = LANES // 8
# A row of `neighbours`: the bits of 28 cards, padded to a power of two.
ROW = 32 * BITS
# A card has at most eight neighbours in the stock. Six suffice for all cards of four deals in five;
# batches of such deals take a pass with shorter loops, which is about 12 % cheaper.
MOST_FITTING = 8
USUAL_FITTING = 6

_VECTOR = ir.VectorType(vectors.BYTE, LANES)
_MASK = ir.VectorType(vectors.BIT, LANES)
_WHOLE_MASK = ir.IntType(LANES)


def _lanes(array: ByteArray, offset: int) -> ByteArray:
    return array[offset : offset + LANES]


def plain_mark_neighbours(
    ranks: ByteArray, one: int, other: int, far: int, neighbours: ByteArray
) -> None:
    """Note in which deals two cards are neighbours: ranks apart by 1 or by `far`.

    Parameters
    ----------
    ranks: uint8, shape (52 * 64,): rank of card c of deal d at 64 c + d.
    one, other: places in the tableau.
    far: 12 where king and ace are neighbours, else 1.
    neighbours: uint8, shape (28 * ROW,): bit d of row `one`, column `other` belongs to deal d.
    """
    difference = _lanes(ranks, one * LANES) - _lanes(ranks, other * LANES)
    distance = np.minimum(difference, 0 - difference)
    bits = np.packbits((distance == 1) | (distance == far), bitorder="little")
    for row, column in ((one, other), (other, one)):
        neighbours[row * ROW + column * BITS : row * ROW + (column + 1) * BITS] = bits


@vectors.compiled_form_of(plain_mark_neighbours)
def mark_neighbours(
    typing: Any, ranks: Any, one: Any, other: Any, far: Any, neighbours: Any
) -> Any:
    """The vector instructions of `plain_mark_neighbours`."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        ranks_at = vectors.data_pointer(context, builder, signature.args[0], args[0])
        neighbours_at = vectors.data_pointer(context, builder, signature.args[4], args[4])
        places = args[1], args[2]
        a, b = (
            vectors.load(builder, ranks_at, builder.mul(place, int64(LANES)), _VECTOR)
            for place in places
        )
        difference = builder.sub(a, b)
        zero = vectors.constant(_VECTOR, 0)
        distance = vectors.minimum(builder, difference, builder.sub(zero, difference))
        near = builder.icmp_unsigned("==", distance, vectors.constant(_VECTOR, 1))
        far = builder.icmp_unsigned("==", distance, vectors.splat(builder, args[3], _VECTOR))
        bits = builder.bitcast(builder.or_(near, far), _WHOLE_MASK)
        for row, column in (places, places[::-1]):
            at = builder.add(builder.mul(row, int64(ROW)), builder.mul(column, int64(BITS)))
            vectors.store(builder, neighbours_at, at, bits)
        return context.get_dummy_value()

    return types.void(ranks, types.int64, types.int64, types.int64, neighbours), emit


def plain_relax_mask(
    code: IntArray,
    at: int,
    edges_in: int,
    edges_out: int,
    most_fitting: int,
    neighbours: ByteArray,
    fitting: ByteArray,
    reach: ByteArray,
) -> None:
    """Compute the reaches of all edges out of one mask, for all deals.

    Parameters
    ----------
    code, at: the program, and where this mask's part of it begins.
    edges_in, edges_out: how many edges the mask has; `edges_out` is a literal for the compiler.
    most_fitting: how many of the `MOST_FITTING` stock positions a card are looked at: a literal.
    neighbours: see `plain_mark_neighbours`.
    fitting: uint8, shape (28 * 8 * 64,): for each place the stock positions, in any order, whose
        cards it goes on; `NEVER` where there are no more.
    reach: uint8, shape (slots * 64,): read at the slots in, written at the slots out.
    """
    slots_in, places_in = code[at : at + 2 * edges_in].reshape(2, -1)
    at += 2 * edges_in
    slots_out, places_out = code[at : at + 2 * edges_out].reshape(2, -1)
    reaches_in = [_lanes(reach, slot * LANES).copy() for slot in slots_in]
    least = np.min(reaches_in, axis=0)
    after = np.minimum(least, NEVER - 1) + np.uint8(1)
    for slot, place in zip(slots_out, places_out, strict=True):
        # Positions before `after` become the largest numbers when it is subtracted.
        start = place * MOST_FITTING * LANES
        positions = fitting[start : start + most_fitting * LANES].reshape(-1, LANES)
        ahead = np.min(positions - after, axis=0)
        best = np.where(ahead > NEVER - after, NEVER, ahead + after)
        for place_in, reach_in in zip(places_in, reaches_in, strict=True):
            row = place_in * ROW + place * BITS
            bits = np.unpackbits(neighbours[row : row + BITS], bitorder="little").astype(bool)
            best = np.where(bits, np.minimum(best, reach_in), best)
        reach[slot * LANES : (slot + 1) * LANES] = best


@vectors.compiled_form_of(plain_relax_mask)
def relax_mask(
    typing: Any,
    code: Any,
    at: Any,
    edges_in: Any,
    edges_out: Any,
    most_fitting: Any,
    neighbours: Any,
    fitting: Any,
    reach: Any,
) -> Any:
    """The vector instructions of `plain_relax_mask`; loops over edges out are unrolled."""
    literals = edges_out, most_fitting
    if not all(isinstance(literal, types.IntegerLiteral) for literal in literals):
        return None  # numba tries other types too
    width, positions = (literal.literal_value for literal in literals)

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        def pointer(i: int) -> Any:
            return vectors.data_pointer(context, builder, signature.args[i], args[i])

        mask = _MaskEmitter(
            builder,
            code=builder.gep(pointer(0), [builder.mul(args[1], int64(4))]),
            edges_in=args[2],
            positions=positions,
            neighbours=pointer(5),
            fitting=pointer(6),
            reach=pointer(7),
        )
        mask.find_least()
        for first, count in _blocks(width):
            mask.relax_block(width, first, count)
        return context.get_dummy_value()

    signature = types.void(
        code, types.int64, types.int64, edges_out, most_fitting, neighbours, fitting, reach
    )
    return signature, emit


def _blocks(width: int) -> list[tuple[int, int]]:
    """Cut `width` edges into nearly equal runs of at most `WIDEST_BLOCK`: (first, count)."""
    blocks = -(-width // WIDEST_BLOCK)
    bounds = [width * i // blocks for i in range(blocks + 1)]
    return [(a, b - a) for a, b in zip(bounds, bounds[1:], strict=False)]


class _MaskEmitter:
    """Emits the instructions of `relax_mask`."""

    def __init__(
        self,
        builder: Any,
        *,
        code: Any,
        edges_in: Any,
        positions: int,
        neighbours: Any,
        fitting: Any,
        reach: Any,
    ) -> None:
        self.builder = builder
        self.edges_in = edges_in
        self.positions = positions
        self.neighbours, self.fitting, self.reach = neighbours, fitting, reach
        bytes_in = builder.mul(edges_in, int64(4))
        self.slots_in = code
        self.places_in = builder.gep(code, [bytes_in])
        self.out = builder.gep(self.places_in, [bytes_in])

    def reach_in(self, index: Any) -> Any:
        """The reach of an edge into the mask."""
        slot = vectors.load_index(self.builder, self.slots_in, index)
        at = self.builder.mul(slot, int64(LANES))
        return vectors.load(self.builder, self.reach, at, _VECTOR)

    def find_least(self) -> None:
        """The least reach into the mask; what follows works with the position after it."""
        builder = self.builder
        least = cgutils.alloca_once_value(builder, self.reach_in(int64(0)))
        loop = cgutils.for_range_slice(builder, int64(1), self.edges_in, int64(1), vectors.INT64)
        with loop as (index, _):
            builder.store(
                vectors.minimum(builder, builder.load(least), self.reach_in(index)), least
            )
        one = vectors.constant(_VECTOR, 1)
        self.after = vectors.saturating_add(builder, builder.load(least), one)
        # Adding the negative, in place of subtracting, lets the other operand come from memory.
        self.minus_after = builder.sub(vectors.constant(_VECTOR, 0), self.after)

    def relax_block(self, width: int, first: int, count: int) -> None:
        """The reaches of `count` edges out from the `first` on, kept in registers."""
        builder = self.builder
        places = [
            vectors.load_index(builder, self.out, int64(width + first + i)) for i in range(count)
        ]
        best = [self._on_the_stock(place) for place in places]
        columns = [builder.mul(place, int64(BITS)) for place in places]
        with cgutils.for_range(builder, self.edges_in, intp=vectors.INT64) as loop:
            reach = self.reach_in(loop.index)
            place_in = vectors.load_index(builder, self.places_in, loop.index)
            row = builder.gep(self.neighbours, [builder.mul(place_in, int64(ROW))])
            for variable, column in zip(best, columns, strict=True):
                bits = builder.bitcast(vectors.load(builder, row, column, _WHOLE_MASK), _MASK)
                before = builder.load(variable)
                lesser = vectors.minimum(builder, before, reach)
                builder.store(builder.select(bits, lesser, before), variable)
        for i, variable in enumerate(best):
            slot = vectors.load_index(builder, self.out, int64(first + i))
            at = builder.mul(slot, int64(LANES))
            vectors.store(builder, self.reach, at, builder.load(variable))

    def _on_the_stock(self, place: Any) -> Any:
        """A variable with the first fitting stock position after the least reach."""
        builder = self.builder
        row = builder.gep(self.fitting, [builder.mul(place, int64(MOST_FITTING * LANES))])
        ahead = []
        for i in range(self.positions):
            position = vectors.load(builder, row, int64(i * LANES), _VECTOR)
            ahead.append(builder.add(position, self.minus_after))
        while len(ahead) > 1:  # as a tree: these are independent, a chain would have to wait
            one, other, *rest = ahead
            ahead = [*rest, vectors.minimum(builder, one, other)]
        found = vectors.saturating_add(builder, ahead[0], self.after)
        return cgutils.alloca_once_value(builder, found)


class Tables(NamedTuple):
    """The work space of one thread.

    ranks: uint8, shape (52 * 64,): rank of card c (in dealing order) of deal d at 64 c + d.
    neighbours: uint8, shape (28 * ROW,): see `plain_mark_neighbours`.
    by_rank: uint8, shape (13, 8): stock positions that a card of each rank goes on.
    fitting: uint8, shape (28 * 8 * 64,): see `plain_relax_mask`.
    first_reach: uint8, shape (28 * 64,): the reach of each place from the full tableau.
    reach: uint8, shape (slots * 64,): see `Program`.
    fewest: uint8, shape (64,): the result.
    """

    ranks: ByteArray
    neighbours: ByteArray
    by_rank: ByteArray
    fitting: ByteArray
    first_reach: ByteArray
    reach: ByteArray
    fewest: ByteArray


def make_tables(slots: int) -> Tables:
    """Fresh tables for a program with so many slots."""
    return Tables(
        ranks=_aligned(PACK_SIZE * LANES),
        neighbours=_aligned(PLACES * ROW),
        by_rank=np.empty((RANK_COUNT, MOST_FITTING), np.uint8),
        fitting=_aligned(PLACES * MOST_FITTING * LANES),
        first_reach=_aligned(PLACES * LANES),
        reach=_aligned(slots * LANES),
        fewest=_aligned(LANES),
    )


def _aligned(size: int) -> ByteArray:
    """Zeroed bytes that begin at a cache line, where vectors load fastest."""
    line = 64
    raw = np.zeros(size + line, np.uint8)
    offset = -raw.ctypes.data % line
    return raw[offset : offset + size]


@inlined
def relax_group(
    code: IntArray,
    at: int,
    edges_in: int,
    edges_out: int,
    masks: int,
    most_fitting: int,
    tables: Tables,
) -> None:
    """`plain_relax_mask` for masks with the same numbers of edges."""
    for _ in range(masks):
        relax_mask(
            code,
            at,
            edges_in,
            edges_out,
            most_fitting,
            tables.neighbours,
            tables.fitting,
            tables.reach,
        )
        at += 2 * (edges_in + edges_out)


@inlined
def relax_groups(code: IntArray, groups: IntArray, most_fitting: int, tables: Tables) -> None:
    """All masks but the full and the empty one, in topological order; see `plain_relax_mask`."""
    at = 0
    for group in range(len(groups)):
        into = np.int64(groups[group, 0])
        out = np.int64(groups[group, 1])
        masks = np.int64(groups[group, 2])
        # A call for each number of edges out, which has to be a literal: the loops over them are
        # unrolled, and what they carry stays in registers.
        if out == 1:
            relax_group(code, at, into, 1, masks, most_fitting, tables)
        elif out == 2:
            relax_group(code, at, into, 2, masks, most_fitting, tables)
        elif out == 3:
            relax_group(code, at, into, 3, masks, most_fitting, tables)
        elif out == 4:
            relax_group(code, at, into, 4, masks, most_fitting, tables)
        elif out == 5:
            relax_group(code, at, into, 5, masks, most_fitting, tables)
        elif out == 6:
            relax_group(code, at, into, 6, masks, most_fitting, tables)
        elif out == 7:
            relax_group(code, at, into, 7, masks, most_fitting, tables)
        elif out == 8:
            relax_group(code, at, into, 8, masks, most_fitting, tables)
        elif out == 9:
            relax_group(code, at, into, 9, masks, most_fitting, tables)
        at += 2 * masks * (into + out)


@kernel
def relax_all(program: Program, most_fitting: int, tables: Tables) -> None:
    """`relax_groups` with as many stock positions a card as the batch needs."""
    if most_fitting <= USUAL_FITTING:
        relax_groups(program.code, program.groups, USUAL_FITTING, tables)
    else:
        relax_groups(program.code, program.groups, MOST_FITTING, tables)


@kernel
def prepare_fitting(wrap: int, opened: int, tables: Tables) -> int:
    """Fill `fitting` and `first_reach` from `ranks`.

    Parameters
    ----------
    wrap: 1 where king and ace are neighbours.
    opened: 1 where the first stock card opens the waste, 0 where any card may be played first.

    Returns
    -------
    The highest number of stock positions that any tableau card goes on.
    """
    most = 0
    for lane in range(LANES):
        tables.by_rank[:] = NEVER
        counts = np.zeros(RANK_COUNT, np.int64)
        # A play on a stock card is at a position after the least reach into its mask. That is at
        # least 1 where a card opens the waste; the first play is tested against it below.
        for position in range(1 + opened, STOCK_CARDS + 1):
            rank = np.int64(tables.ranks[(PLACES + position - 1) * LANES + lane])
            for step in (-1, 1):
                other = rank + step
                if wrap == 1:
                    other = (other + RANK_COUNT) % RANK_COUNT
                if 0 <= other < RANK_COUNT:
                    tables.by_rank[other, counts[other]] = position
                    counts[other] += 1
        opening = np.int64(tables.ranks[PLACES * LANES + lane])
        for place in range(PLACES):
            rank = np.int64(tables.ranks[place * LANES + lane])
            most = max(most, counts[rank])
            for k in range(MOST_FITTING):
                at = (place * MOST_FITTING + k) * LANES + lane
                tables.fitting[at] = tables.by_rank[rank, k]
            if opened == 0:
                reach = 0
            elif fits(opening, rank, wrap):
                reach = 1
            else:
                # Positions were entered in rising order.
                reach = np.int64(tables.by_rank[rank, 0])
            tables.first_reach[place * LANES + lane] = reach
    return most


@kernel
def prepare_neighbours(wrap: int, tables: Tables) -> None:
    """Fill `neighbours` for all pairs of tableau places; see `plain_mark_neighbours`."""
    far = KING if wrap == 1 else 1
    for one in range(PLACES):
        for other in range(one + 1):
            mark_neighbours(tables.ranks, one, other, far, tables.neighbours)


@kernel
def fewest_stock_cards(program: Program, wrap: int, opened: int, tables: Tables) -> None:
    """From `ranks`, the fewest stock cards that a win of each deal turns; `NEVER` for a lost one.

    Parameters
    ----------
    program: see `Program`.
    wrap, opened: see `prepare_fitting`.
    tables: see `Tables`; `fewest` is the result.
    """
    prepare_neighbours(wrap, tables)
    most_fitting = prepare_fitting(wrap, opened, tables)
    for i in range(len(program.first_slots)):
        slot = np.int64(program.first_slots[i]) * LANES
        place = np.int64(program.first_places[i]) * LANES
        tables.reach[slot : slot + LANES] = tables.first_reach[place : place + LANES]
    relax_all(program, most_fitting, tables)
    tables.fewest[:] = NEVER
    for i in range(len(program.last_slots)):
        slot = np.int64(program.last_slots[i]) * LANES
        for lane in range(LANES):
            tables.fewest[lane] = min(tables.fewest[lane], tables.reach[slot + lane])


@kernel
def most_fitting_cards(
    packs: ByteArray, rows: IntArray, wrap: int, opened: int, most: ByteArray
) -> None:
    """For each deal, the highest number of stock cards that one of its tableau cards goes on.

    Parameters
    ----------
    packs: uint8, shape (n, 52): cards in dealing order.
    rows: int32, shape (k,): the deals.
    wrap, opened: see `prepare_fitting`.
    most: uint8, shape (k,), overwritten.
    """
    for i in range(len(rows)):
        counts = np.zeros(RANK_COUNT, np.int64)
        for position in range(1 + opened, STOCK_CARDS + 1):
            counts[packs[rows[i], PLACES + position - 1] // SUIT_COUNT] += 1
        highest = 0
        for place in range(PLACES):
            rank = np.int64(packs[rows[i], place]) // SUIT_COUNT
            fitting = 0
            if rank > 0 or wrap == 1:
                fitting += counts[(rank + KING) % RANK_COUNT]
            if rank < KING or wrap == 1:
                fitting += counts[(rank + 1) % RANK_COUNT]
            highest = max(highest, fitting)
        most[i] = highest
