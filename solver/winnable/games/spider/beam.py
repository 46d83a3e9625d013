"""A beam search that keeps the most promising positions and deals row after row: kernels.

One stage for each number of rows dealt. Within a stage each layer makes one move from every
position of the beam, and the best of those not seen before are the next layer. Every position of
every layer is a candidate for dealing the next row, its empty columns filled first; the best of
these begin the next stage. The search is not exhaustive: that it finds nothing means nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from winnable.arrays import IntArray, LongArray
from winnable.games.spider.beam_best import (
    CUT,
    HIGHEST_SCORE,
    LINES,
    NODES,
    POOL,
    POOL_LEAST,
    Beam,
    begin_layer,
    choose_best,
    choose_children,
    is_new,
    note_score,
)
from winnable.games.spider.blocked import is_blocked
from winnable.games.spider.columns import (
    BELOW,
    CARD,
    COLUMN_COUNT,
    EMPTY,
    FULL,
    HIDDEN,
    KEY_MASK,
    LOWEST,
    NEXT_PATH,
    NEXT_VALUE,
    ON_KING,
    PATH,
    RUN,
    RUN_SIZE,
    RUNS,
    SIZE,
    VALUE,
    Columns,
    clear_columns,
    field,
    keep_columns,
    run_key,
    without,
)
from winnable.games.spider.evaluation import (
    BASE_VALUE,
    FINISHED,
    MAX_VALUE,
    NOISE,
    OFF_SUIT,
    empty_points,
    laid_points,
    run_points,
    standing,
)
from winnable.games.spider.state import (
    COUNT_SHIFT,
    DEALT,
    FAILED,
    GOES_ON,
    LOST,
    MOST_MOVES,
    OUT_OF_MEMORY,
    OUT_OF_NODES,
    RUN_COUNT,
    SOURCE_SHIFT,
    STOPPED,
    WON,
    Task,
    apply_deal,
    apply_move,
    copy_position,
    fill_moves,
    first_position,
    move_code,
    place_key,
)
from winnable.games.spider.weights import ROW_COUNT
from winnable.jit import inlined, lean_kernel

DEALT_KEY = 0x5DEECE66D


class Plan(NamedTuple):
    """How a beam searches.

    patience, last_patience: layers without a better position that end a stage, or the last one.
    max_layers: layers that end any stage.
    noise_shift: which bits of a position's key make its noise.
    """

    patience: int
    last_patience: int
    max_layers: int
    noise_shift: int


@inlined
def noise(weights: LongArray, stage: int, key: int, shift: int) -> int:
    """A few points that depend on the position by chance only."""
    return int(((key >> shift) & 0xFFFF) % weights[stage, NOISE])


@inlined
def in_range(value: int) -> int:
    """A value cut to what scores may be."""
    return min(max(value, 0), MAX_VALUE - 1)


@lean_kernel
def expand(
    beam: Beam,
    now: int,
    index: int,
    stage: int,
    weights: LongArray,
    shift: int,
    found: int,
) -> int:
    """Write the children of a position that are new, from `found` on; returns the new count."""
    columns, at = beam.columns, beam.at[now, index]
    keys, moves, layer = columns.keys, beam.trial_moves, beam.layer
    total, key, empty = BASE_VALUE, 0, 0
    for place in range(COLUMN_COUNT):
        column = at[place]
        total += field(columns, column, VALUE)
        key += place_key(keys[column], place, stage)
        key &= KEY_MASK
        if column == EMPTY:
            empty += 1
    finished = np.int64(beam.finished[now, index])
    total += weights[stage, FINISHED] * finished
    count_moves = fill_moves(columns, at, moves, 0)
    for i in range(count_moves):
        move = moves[i]
        count, source, target = move >> COUNT_SHIFT, (move >> SOURCE_SHIFT) & 15, move & 15
        moving, onto = np.int64(at[source]), np.int64(at[target])
        size = field(columns, onto, SIZE)
        rest = without(columns, moving, count)
        card = field(columns, moving, CARD) + 4 * (count - 1)
        joined = field(columns, onto, RUN) if field(columns, onto, CARD) == card + 4 else 0
        left = empty
        child_key, child_finished = 0, finished
        if onto == EMPTY:
            left -= 1
            joined = 0
        if rest == EMPTY:
            left += 1
        score = total - field(columns, moving, VALUE) - field(columns, onto, VALUE)
        score += field(columns, rest, VALUE)
        if joined + count == RUN_SIZE:
            below = field(columns, onto, BELOW) if joined > 0 else EMPTY
            child_key = keys[below]
            if below == EMPTY:
                left += 1
            score += field(columns, below, VALUE) + weights[stage, FINISHED]
            child_finished += 1
        else:
            score += moved_value(columns, onto, card, count, joined, weights, stage)
            child_key = keys[onto] ^ run_key(columns, size, card, count)
        score += empty_points(weights, stage, left)
        if score + weights[stage, NOISE] <= layer[CUT] and child_finished < RUN_COUNT:
            continue
        whole_key = key - place_key(keys[moving], source, stage)
        whole_key += place_key(keys[rest], source, stage)
        whole_key -= place_key(keys[onto], target, stage)
        whole_key += place_key(child_key, target, stage)
        whole_key &= KEY_MASK
        score = in_range(score + noise(weights, stage, whole_key, shift))
        if child_finished == RUN_COUNT:
            score = MAX_VALUE
        # What is not good enough is not noted as seen: it may come again when times are worse, and
        # most children need no look at the table, which is too large for the processor's caches.
        if score < layer[CUT] or not is_new(beam.seen, whole_key):
            continue
        note_score(beam, score)
        beam.scores[found] = score
        beam.moves[found] = move
        beam.parents[found] = index
        found += 1
    return found


@inlined
def moved_value(
    columns: Columns, onto: int, card: int, count: int, joined: int, weights: LongArray, stage: int
) -> int:
    """The value of a column after a run came to its end, which it does not complete."""
    rank = card >> 2
    lowest = field(columns, onto, LOWEST)
    path = field(columns, onto, PATH) + run_points(weights, stage, rank, count, joined, lowest)
    if onto == EMPTY:
        return path + standing(weights, stage, 0, 1 if rank == RUN_SIZE - 1 else 0, 1)
    runs = field(columns, onto, RUNS)
    if joined == 0:
        path += weights[stage, OFF_SUIT]
        runs += 1
    on_king = field(columns, onto, ON_KING)
    return path + standing(weights, stage, field(columns, onto, HIDDEN), on_king, runs)


@lean_kernel
def dealt_score(
    beam: Beam,
    at: IntArray,
    finished: int,
    stage: int,
    row: LongArray,
    weights: LongArray,
    shift: int,
) -> tuple[int, int]:
    """The score of a position after a row, by the weights of the next stage, and its key."""
    columns = beam.columns
    following = stage + 1
    total, key, empty = BASE_VALUE, 0, 0
    for place in range(COLUMN_COUNT):
        column, card = np.int64(at[place]), row[place]
        size = field(columns, column, SIZE)
        column_key = columns.keys[column] ^ run_key(columns, size, card, 1)
        if column == EMPTY:
            total += standing(weights, following, 0, 1 if card >> 2 == RUN_SIZE - 1 else 0, 1)
        else:
            on, run = field(columns, column, CARD), field(columns, column, RUN)
            joins = on == card + 4
            if joins and run + 1 == RUN_SIZE:
                below = field(columns, column, BELOW)
                total += field(columns, below, NEXT_VALUE)
                finished += 1
                column_key = columns.keys[below]
                if below == EMPTY:
                    empty += 1
            else:
                lowest = field(columns, column, LOWEST)
                total += field(columns, column, NEXT_PATH)
                total += laid_points(weights, following, card, on, run, lowest)
                runs = field(columns, column, RUNS) + (0 if joins else 1)
                hidden, on_king = field(columns, column, HIDDEN), field(columns, column, ON_KING)
                total += standing(weights, following, hidden, on_king, runs)
        key = (key + place_key(column_key, place, following)) & KEY_MASK
    total += weights[following, FINISHED] * finished + empty_points(weights, following, empty)
    key ^= DEALT_KEY
    return in_range(total + noise(weights, following, key, shift)), key


@lean_kernel
def best_fill(columns: Columns, at: IntArray, weights: LongArray, stage: int) -> int:
    """The most promising move to the first empty column, 0 when there is none."""
    best, best_value = 0, -MAX_VALUE
    target = 0
    while at[target] != EMPTY:
        target += 1
    for source in range(COLUMN_COUNT):
        column = np.int64(at[source])
        run = field(columns, column, RUN)
        last = field(columns, column, CARD)
        for count in range(1, min(run, field(columns, column, SIZE) - 1) + 1):
            rest = without(columns, column, count)
            card = last + 4 * (count - 1)
            value = field(columns, rest, VALUE) - field(columns, column, VALUE)
            value += moved_value(columns, EMPTY, card, count, 0, weights, stage)
            if value > best_value:
                best, best_value = move_code(source, target, count), value
    return best


@lean_kernel
def fill_empty(beam: Beam, stage: int, weights: LongArray, fills: IntArray) -> int:
    """Fill the empty columns of the trial position greedily; returns `GOES_ON` when all are full.

    fills: int32, shape (`MOST_FILLS` + 1,), receives the number of moves and the moves.
    """
    at = beam.trial[0]
    fills[0] = 0
    for place in range(COLUMN_COUNT):
        if at[place] != EMPTY:
            continue
        move = best_fill(beam.columns, at, weights, stage)
        if move == 0:
            return FAILED
        if apply_move(beam.columns, at, move, weights, stage) == FULL:
            return OUT_OF_MEMORY
        fills[0] += 1
        fills[fills[0]] = move
    return GOES_ON


@lean_kernel
def pool_best(beam: Beam) -> None:
    """Drop all but the best of the pool."""
    width = beam.at.shape[1]
    kept = choose_best(beam.pool_scores, beam.counts[POOL], width, beam.histogram, beam.chosen)
    least = MAX_VALUE
    for to in range(kept):
        index = beam.chosen[to]
        copy_position(beam.pool_at[to], beam.pool_at[index])
        beam.pool_finished[to] = beam.pool_finished[index]
        beam.pool_lines[to] = beam.pool_lines[index]
        beam.pool_scores[to] = beam.pool_scores[index]
        for i in range(beam.pool_fills[index, 0] + 1):
            beam.pool_fills[to, i] = beam.pool_fills[index, i]
        least = min(least, np.int64(beam.pool_scores[index]))
    if beam.counts[POOL] > width:
        beam.counts[POOL_LEAST] = least
    beam.counts[POOL] = kept


@lean_kernel
def offer_deal(
    beam: Beam, task: Task, now: int, index: int, stage: int, weights: LongArray, shift: int
) -> int:
    """Put a position in the pool of those from which to deal, if it is among the best."""
    free = beam.counts[POOL]
    fills = beam.pool_fills[free]
    fills[0] = 0
    at = beam.trial[0]
    copy_position(at, beam.at[now, index])
    if task.deal_on_empty == 0:
        outcome = fill_empty(beam, stage, weights, fills)
        if outcome != GOES_ON:
            return GOES_ON if outcome == FAILED else outcome
    finished = np.int64(beam.finished[now, index])
    score, key = dealt_score(beam, at, finished, stage, task.rows[stage], weights, shift)
    if score <= beam.counts[POOL_LEAST] or not is_new(beam.seen, key):
        return GOES_ON
    if is_blocked(beam.columns, at, task.rows, stage, 1, beam.digging):
        return GOES_ON
    copy_position(beam.pool_at[free], at)
    beam.pool_finished[free] = finished
    beam.pool_lines[free] = beam.lines[now, index]
    beam.pool_scores[free] = score
    beam.counts[POOL] += 1
    if beam.counts[POOL] == beam.pool_scores.shape[0]:
        pool_best(beam)
    return GOES_ON


@lean_kernel
def add_line(beam: Beam, before: int, move: int) -> int:
    """Note a move; returns its row, `FULL` when there is no room."""
    row = int(beam.counts[LINES])
    if row == beam.line.shape[0]:
        return FULL
    beam.line[row, 0] = before
    beam.line[row, 1] = move
    beam.counts[LINES] += 1
    return row


@lean_kernel
def advance(beam: Beam, now: int, count: int, weights: LongArray, stage: int) -> int:
    """Make the chosen children the next layer's positions."""
    then = 1 - now
    for to in range(count):
        child = beam.chosen[to]
        parent = beam.parents[child]
        at = beam.at[then, to]
        copy_position(at, beam.at[now, parent])
        finishes = apply_move(beam.columns, at, np.int64(beam.moves[child]), weights, stage)
        line = add_line(beam, np.int64(beam.lines[now, parent]), np.int64(beam.moves[child]))
        if finishes == FULL or line == FULL:
            return OUT_OF_MEMORY
        finished = np.int64(beam.finished[now, parent]) + finishes
        beam.finished[then, to] = finished
        beam.lines[then, to] = line
        if finished == RUN_COUNT:
            return WON
    return GOES_ON


@lean_kernel
def expand_layer(
    beam: Beam,
    task: Task,
    plan: Plan,
    now: int,
    count: int,
    stage: int,
    weights: LongArray,
    max_nodes: int,
    stop: LongArray,
) -> tuple[int, int]:
    """Deal from and expand the positions of a layer; returns the outcome and the child count."""
    begin_layer(beam)
    found = 0
    for index in range(count):
        if beam.counts[NODES] >= max_nodes:
            return OUT_OF_NODES, found
        if stop[0] != 0:
            return STOPPED, found
        if stage < ROW_COUNT:
            outcome = offer_deal(beam, task, now, index, stage, weights, plan.noise_shift)
            if outcome != GOES_ON:
                return outcome, found
        if found + MOST_MOVES > beam.scores.shape[0]:
            # Far more children than positions ever have: the layer's last positions have none.
            break
        found = expand(beam, now, index, stage, weights, plan.noise_shift, found)
        beam.counts[NODES] += 1
    return GOES_ON, found


@lean_kernel
def run_stage(
    beam: Beam,
    task: Task,
    plan: Plan,
    count: int,
    stage: int,
    weights: LongArray,
    max_nodes: int,
    stop: LongArray,
) -> int:
    """Search among positions with so many rows dealt, from those of layer 0."""
    patience = plan.last_patience if stage == ROW_COUNT else plan.patience
    now = layers = idle = 0
    best = -1
    while count > 0 and layers < plan.max_layers and idle < patience:
        outcome, found = expand_layer(beam, task, plan, now, count, stage, weights, max_nodes, stop)
        if outcome != GOES_ON:
            return outcome
        idle += 1
        if beam.layer[HIGHEST_SCORE] > best:
            best, idle = int(beam.layer[HIGHEST_SCORE]), 0
        count = choose_children(beam, found)
        outcome = advance(beam, now, count, weights, stage)
        if outcome != GOES_ON:
            return outcome
        now = 1 - now
        layers += 1
    return GOES_ON


@lean_kernel
def deal_pool(beam: Beam, task: Task, stage: int, weights: LongArray) -> tuple[int, int]:
    """Deal a row from the best of the pool, which are the next stage's first layer.

    Returns the outcome, and how many they are.
    """
    pool_best(beam)
    count = beam.counts[POOL]
    keep_columns(beam.columns, beam.pool_at[:count], weights, stage + 1)
    beam.seen[:] = 0
    for to in range(count):
        line = np.int64(beam.pool_lines[to])
        for i in range(beam.pool_fills[to, 0]):
            line = add_line(beam, line, np.int64(beam.pool_fills[to, i + 1]))
        line = add_line(beam, line, DEALT)
        at = beam.at[0, to]
        copy_position(at, beam.pool_at[to])
        finishes = apply_deal(beam.columns, at, task.rows[stage], weights, stage + 1)
        if finishes == FULL or line == FULL:
            return OUT_OF_MEMORY, to
        beam.finished[0, to] = beam.pool_finished[to] + finishes
        beam.lines[0, to] = line
        if beam.finished[0, to] == RUN_COUNT:
            return WON, to + 1
    beam.counts[POOL] = 0
    beam.counts[POOL_LEAST] = -1
    return GOES_ON, count


@lean_kernel
def run_beam(
    beam: Beam, task: Task, plan: Plan, weights: LongArray, max_nodes: int, stop: LongArray
) -> int:
    """Search; after `WON` the last row of `line` is the winning move."""
    clear_columns(beam.columns)
    beam.seen[:] = 0
    beam.counts[:] = 0
    beam.counts[POOL_LEAST] = -1
    stage = task.first_stage
    if first_position(beam.columns, task, beam.at[0, 0], weights) == FULL:
        return OUT_OF_MEMORY
    if is_blocked(beam.columns, beam.at[0, 0], task.rows, stage, 0, beam.digging):
        return LOST
    beam.finished[0, 0] = task.finished
    beam.lines[0, 0] = add_line(beam, -1, 0)
    count = 1
    while True:
        outcome = run_stage(beam, task, plan, count, stage, weights, max_nodes, stop)
        if outcome != GOES_ON:
            return outcome
        if stage == ROW_COUNT:
            return FAILED
        outcome, count = deal_pool(beam, task, stage, weights)
        if outcome != GOES_ON:
            return outcome
        if count == 0:
            return FAILED
        stage += 1
