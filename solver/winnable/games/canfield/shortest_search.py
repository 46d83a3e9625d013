"""Searches for the fewest moves that win a Canfield position: kernels.

Two searches share a *pool*, which holds every position seen once, with the least cost at which it
was reached and the step that did so. `expand_best` is A*: it proves bounds, and ends with a proof
when the memory and the time suffice. `widen` is a beam search: of the positions so many steps from
the start it goes on from the most promising ones alone, which finds short wins and proves nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from winnable.arrays import IntArray, LongArray
from winnable.games.canfield.shortest_state import (
    WASTE_BITS,
    after_step,
    fill_steps,
    first_key,
    moves_to_come,
    second_key,
    step_cost,
    turns_to,
    unpacked,
    waste_of,
)
from winnable.games.canfield.state import ALL_CARDS, MAX_MOVES, Position, Setup, popcount
from winnable.jit import inlined, kernel
from winnable.search.open_list import OpenList, lowest_priority, pop, push

NOTHING = -1
# The most moves of a line that can be told; the given line is longer than any that is looked for.
MAX_COST = 30_000

# How a search ended.
FINISHED, OUT_OF_NODES, OUT_OF_POOL, STOPPED = range(4)

# Places in `Pool.counts`: positions in the pool; those expanded since it was made; the moves of
# the shortest win; the position before its last step, or `NOTHING`; that step; and the bound: no
# win has fewer moves.
SIZE, EXPANDED, BEST, BEFORE_WIN, LAST_STEP, BOUND = range(6)

# What `add` did.
KNOWN, NEW, IMPROVED, NO_ROOM = range(4)

# How `widen` counts the moves to come: sixteenths of a move for each card in the stock, in the
# reserve, in the tableau, and the range of the noise.
STOCK_WEIGHT, RESERVE_WEIGHT, TABLEAU_WEIGHT, NOISE = range(4)
SCALE = 16

_LOW_31_BITS = (1 << 31) - 1


class Pool(NamedTuple):
    """Positions by exact keys; the start is the first.

    keys: int64, shape (positions, 2).
    costs: int32, shape (positions,): moves from the start, the least known.
    parents: int32, shape (positions,): the position before, `NOTHING` for the start.
    steps: int32, shape (positions,): the step from there.
    marks: int32, shape (positions,): A*: 1 once expanded at this cost; beam: the last level in
        which it was reached.
    slots: int32, shape (2^k,): open addressing, a position's number plus 1, 0 for none.
    counts: int64, shape (6,).
    moves: int32, shape (`MAX_MOVES`,): scratch.
    """

    keys: LongArray
    costs: IntArray
    parents: IntArray
    steps: IntArray
    marks: IntArray
    slots: IntArray
    counts: LongArray
    moves: IntArray


def new_pool(positions: int) -> Pool:
    """An empty pool for so many positions; memory is taken as they come.

    A position takes 32 bytes, and 4 to 11 more for its slots.
    """
    slots = 1 << (positions * 3 // 2).bit_length()
    return Pool(
        np.empty((positions, 2), np.int64),
        np.empty(positions, np.int32),
        np.empty(positions, np.int32),
        np.empty(positions, np.int32),
        np.empty(positions, np.int32),
        np.zeros(slots, np.int32),
        np.zeros(6, np.int64),
        np.zeros(MAX_MOVES, np.int32),
    )


@inlined
def mixed(first: int, second: int) -> int:
    """A number of a key's that looks random. No product exceeds 63 bits."""
    number = (first & _LOW_31_BITS) * 1540483477 + (first >> 31) * 716633
    number ^= (second & _LOW_31_BITS) * 2127912213 + (second >> 31) * 915343
    number ^= number >> 29
    number = (number & _LOW_31_BITS) * 1640531513 + (number >> 31)
    return number ^ (number >> 27)


@kernel
def add(
    setup: Setup, pool: Pool, at: Position, cost: int, parent: int, step: int
) -> tuple[int, int]:
    """Enter a position reached at a cost: what that did, and the position's number.

    A position is `KNOWN` as well when turning leads to it, at no higher cost, from one in the pool
    that differs by the size of the waste alone. The way on from here is as good from there, with
    the same steps, as turns come before the first stock card that it takes. Keys that differ by
    the waste alone begin at the same slot, so that all of them are met on the way.
    """
    first, second = first_key(at), second_key(at)
    left = popcount(at.stock)
    mask = len(pool.slots) - 1
    slot = mixed(first & ~WASTE_BITS, second) & mask
    same = NOTHING
    while pool.slots[slot] != 0:
        node = np.int64(pool.slots[slot]) - 1
        other = pool.keys[node, 0]
        if pool.keys[node, 1] == second and ((other ^ first) & ~WASTE_BITS) == 0:
            if pool.costs[node] + turns_to(setup, left, waste_of(other), at.waste) <= cost:
                return KNOWN, node
            if other == first:
                same = node
        slot = (slot + 1) & mask
    if same != NOTHING:
        pool.costs[same] = cost
        pool.parents[same] = parent
        pool.steps[same] = step
        return IMPROVED, same
    node = pool.counts[SIZE]
    if node == len(pool.costs):
        return NO_ROOM, NOTHING
    pool.counts[SIZE] = node + 1
    pool.slots[slot] = node + 1
    pool.keys[node, 0] = first
    pool.keys[node, 1] = second
    pool.costs[node] = cost
    pool.parents[node] = parent
    pool.steps[node] = step
    pool.marks[node] = 0
    return NEW, node


@kernel
def begin(setup: Setup, pool: Pool, at: Position, best: int, bound: int) -> None:
    """Empty a pool and enter the start; `best` is the length of the shortest win known."""
    pool.slots[:] = 0
    pool.counts[SIZE] = 0
    pool.counts[EXPANDED] = 0
    pool.counts[BEST] = best
    pool.counts[BEFORE_WIN] = NOTHING
    pool.counts[BOUND] = bound
    add(setup, pool, at, 0, NOTHING, 0)


@kernel
def note_win(pool: Pool, cost: int, parent: int, step: int) -> None:
    """Keep a win that is shorter than all before."""
    pool.counts[BEST] = cost
    pool.counts[BEFORE_WIN] = parent
    pool.counts[LAST_STEP] = step


@kernel
def fill_line(pool: Pool, line: LongArray) -> int:
    """Write the steps of the shortest win found; returns their number, 0 when none was found.

    line: int64, longer than the win has steps.
    """
    node = pool.counts[BEFORE_WIN]
    if node == NOTHING:
        return 0
    count = 1
    line[0] = pool.counts[LAST_STEP]
    while pool.parents[node] != NOTHING:
        line[count] = pool.steps[node]
        count += 1
        node = np.int64(pool.parents[node])
    line[:count] = line[:count][::-1].copy()
    return count


@kernel
def expand_best(setup: Setup, pool: Pool, queue: OpenList, most: int, stop: LongArray) -> int:
    """A*: expand the positions in the order of cost plus `moves_to_come`.

    Some position on a shortest win's way is always open, reached at its least cost, or there is
    no win shorter than the best one known. As no estimate exceeds the truth, the lowest priority
    is a bound, whenever it is looked at; and the greatest of these bounds holds.

    Parameters
    ----------
    pool: begun, see `begin`. Its `BOUND` is raised.
    queue: empty, with priorities for `BEST` moves at least.
    most: positions to expand.
    stop: int64, shape (1,): the search ends soon after it is set to 1.
    """
    push(queue, 0, moves_to_come(setup, unpacked(setup, pool.keys[0, 0], pool.keys[0, 1])))
    while True:
        priority = lowest_priority(queue)
        pool.counts[BOUND] = max(pool.counts[BOUND], min(priority, pool.counts[BEST]))
        if pool.counts[BOUND] >= pool.counts[BEST]:
            return FINISHED
        node = pop(queue, priority)
        if pool.marks[node] == 1:
            continue
        if pool.counts[EXPANDED] >= most:
            return OUT_OF_NODES
        if stop[0] != 0:
            return STOPPED
        pool.counts[EXPANDED] += 1
        pool.marks[node] = 1
        if not expand(setup, pool, queue, node):
            return OUT_OF_POOL


@kernel
def expand(setup: Setup, pool: Pool, queue: OpenList, node: int) -> bool:
    """Enter what one step leads to, and push it; False when pool or queue has no room."""
    at = unpacked(setup, pool.keys[node, 0], pool.keys[node, 1])
    count = fill_steps(setup, at, pool.moves)
    for i in range(count):
        step = np.int64(pool.moves[i])
        cost = np.int64(pool.costs[node]) + step_cost(setup, at, step)
        after = after_step(setup, at, step)
        if after.up == ALL_CARDS:
            if cost < pool.counts[BEST]:
                note_win(pool, cost, np.int64(node), step)
            continue
        priority = cost + moves_to_come(setup, after)
        if priority >= pool.counts[BEST]:
            continue
        done, reached = add(setup, pool, after, cost, np.int64(node), step)
        if done == NO_ROOM:
            return False
        if done != KNOWN:
            pool.marks[reached] = 0
            if not push(queue, reached, priority):
                return False
    return True


class Beam(NamedTuple):
    """The levels of a beam search.

    level: int32, shape (positions,): those to go on from.
    reached: int32, shape (positions,): those reached from them.
    priorities: int32, shape (positions of the pool,): of each position reached.
    tally: int64, shape (priorities,): how many of those reached have each.
    """

    level: IntArray
    reached: IntArray
    priorities: IntArray
    tally: LongArray


def new_beam(width: int, positions: int) -> Beam:
    """Arrays for levels of so many positions, and a pool of so many."""
    # A line's position comes to each level beyond its width.
    return Beam(
        np.empty(width + 1, np.int32),
        np.empty(positions, np.int32),
        np.empty(positions, np.int32),
        np.zeros(SCALE * 1024, np.int64),
    )


@kernel
def likely_moves(setup: Setup, at: Position, least: int, weights: LongArray, noise: int) -> int:
    """A guess of the moves to come, in sixteenths; `least` of them are certain."""
    return int(
        SCALE * least
        + weights[STOCK_WEIGHT] * popcount(at.stock)
        + weights[RESERVE_WEIGHT] * at.reserve
        + weights[TABLEAU_WEIGHT] * popcount(at.tableau)
        + (noise * weights[NOISE] >> 16)
    )


@kernel
def widen(
    setup: Setup,
    pool: Pool,
    beam: Beam,
    line: LongArray,
    weights: LongArray,
    seed: int,
    most: int,
    stop: LongArray,
) -> int:
    """Beam search: of each level, the positions with the fewest likely moves in all go on.

    Parameters
    ----------
    pool: begun, see `begin`.
    line: int64, shape (steps,): the steps of a win; its positions are in each level too.
    weights: int64, shape (4,).
    seed: another noise for each.
    most, stop: as in `expand_best`.
    """
    width = len(beam.level) - 1
    on_line = np.int64(0)
    is_on_line = True
    beam.level[0] = 0
    size = 1
    depth = 0
    while size > 0:
        depth += 1
        found = 0
        for i in range(size):
            if pool.counts[EXPANDED] >= most:
                return OUT_OF_NODES
            if stop[0] != 0:
                return STOPPED
            pool.counts[EXPANDED] += 1
            found = reach(setup, pool, beam, np.int64(beam.level[i]), depth, found, weights, seed)
            if found == NOTHING:
                return OUT_OF_POOL
        size = choose(beam, found, width)
        is_on_line = is_on_line and depth < len(line)
        if is_on_line:
            at = unpacked(setup, pool.keys[on_line, 0], pool.keys[on_line, 1])
            step = line[depth - 1]
            cost = np.int64(pool.costs[on_line]) + step_cost(setup, at, step)
            parent = np.int64(on_line)
            done, on_line = add(setup, pool, after_step(setup, at, step), cost, parent, step)
            if done == NO_ROOM:
                return OUT_OF_POOL
            beam.level[size] = on_line
            size += 1
    return FINISHED


@kernel
def reach(
    setup: Setup,
    pool: Pool,
    beam: Beam,
    node: int,
    depth: int,
    found: int,
    weights: LongArray,
    seed: int,
) -> int:
    """Add to a level what one step leads to; the new size, `NOTHING` without room in the pool."""
    at = unpacked(setup, pool.keys[node, 0], pool.keys[node, 1])
    count = fill_steps(setup, at, pool.moves)
    for i in range(count):
        step = np.int64(pool.moves[i])
        cost = np.int64(pool.costs[node]) + step_cost(setup, at, step)
        after = after_step(setup, at, step)
        if after.up == ALL_CARDS:
            if cost < pool.counts[BEST]:
                note_win(pool, cost, np.int64(node), step)
            continue
        least = moves_to_come(setup, after)
        if cost + least >= pool.counts[BEST]:
            continue
        done, reached = add(setup, pool, after, cost, np.int64(node), step)
        if done == NO_ROOM:
            return NOTHING
        if done == KNOWN:
            continue
        if done == NEW or pool.marks[reached] != depth:
            pool.marks[reached] = depth
            beam.reached[found] = reached
            found += 1
        noise = mixed(pool.keys[reached, 0] ^ seed, pool.keys[reached, 1]) & 0xFFFF
        likely = SCALE * cost + likely_moves(setup, after, least, weights, noise)
        beam.priorities[reached] = max(0, min(likely, len(beam.tally) - 1))
    return found


@kernel
def choose(beam: Beam, found: int, width: int) -> int:
    """Write the best of those reached as the next level; returns how many these are."""
    if found <= width:
        beam.level[:found] = beam.reached[:found]
        return found
    beam.tally[:] = 0
    for i in range(found):
        beam.tally[beam.priorities[beam.reached[i]]] += 1
    last = 0
    room = width
    while beam.tally[last] <= room:
        room -= beam.tally[last]
        last += 1
    size = 0
    for i in range(found):
        node = np.int64(beam.reached[i])
        priority = np.int64(beam.priorities[node])
        if priority < last or (priority == last and room > 0):
            room -= priority == last
            beam.level[size] = node
            size += 1
    return size
