"""Makes a winning line shorter: kernels.

A beam's line wanders. Three kinds of edits are tried at each move of it, from the first to the
last, again and again until none helps:

* a *leap*: the position at hand, or one a single move away, comes again later in the line: what is
  between goes. After the last row the columns may come in another order, which then holds for the
  rest of the line.
* a *drop*: the line wins without the move, or without it and with the names of its two columns
  exchanged from there on.
* a *merger*: cards go from A to B, and later the same number from B to C: they go from A to C, when
  the second move was due or when the first one was. If meanwhile the cards under them went from A
  to C, both go together.

Drops and mergers are played to the end, and kept only if the line still wins.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from winnable.arrays import IntArray, LongArray
from winnable.games.spider.columns import (
    COLUMN_COUNT,
    FULL,
    Columns,
    clear_columns,
    new_columns,
)
from winnable.games.spider.state import (
    COUNT_SHIFT,
    DEALT,
    MOST_MOVES,
    RUN_COUNT,
    SOURCE_SHIFT,
    Task,
    apply_deal,
    apply_move,
    copy_position,
    fill_moves,
    first_position,
    is_legal,
    may_deal,
    move_code,
    position_key,
)
from winnable.games.spider.weights import ROW_COUNT
from winnable.jit import inlined, lean_kernel

MOST_COLUMNS = 1 << 15
# Later moves that a merger is tried with.
LATER_TRIED = 4
# No move: what is left of one that was dropped.
NO_MOVE = -1
FIELDS = 2
STAGE, FINISHED_RUNS = range(FIELDS)


class Track(NamedTuple):
    """A line and its positions.

    moves: int64, shape (n,).
    at: int32, shape (n + 1, 10): the position before each move, and the last one.
    progress: int32, shape (n + 1, 2): rows dealt and runs finished in each.
    """

    moves: LongArray
    at: IntArray
    progress: IntArray


def new_track(moves: LongArray) -> Track:
    """Arrays for a line of moves, which is copied."""
    count = len(moves)
    return Track(
        moves.copy(),
        np.zeros((count + 1, COLUMN_COUNT), np.int32),
        np.zeros((count + 1, FIELDS), np.int32),
    )


class Shortener(NamedTuple):
    """The arrays for a line.

    columns: the table of columns.
    line, trial: the line that holds, and one that is tried.
    keys: int64, shape (n + 1,): hashes of the line's positions.
    moves: int64, shape (`MOST_MOVES`,).
    at: int32, shape (1, 10): a position to work on.
    names: int64, shape (10,): the columns that those of a line are renamed to, each itself unless
        an edit is tried.
    leap_names: int64, shape (10,): the same for a leap.
    edited: int64, shape (n,): the line's moves with some replaced, or dropped: `NO_MOVE`.
    """

    columns: Columns
    line: Track
    trial: Track
    keys: LongArray
    moves: LongArray
    at: IntArray
    names: LongArray
    leap_names: LongArray
    edited: LongArray


def new_shortener(moves: LongArray) -> Shortener:
    """Arrays for a line of moves, which is copied."""
    return Shortener(
        new_columns(MOST_COLUMNS),
        new_track(moves),
        new_track(moves),
        np.zeros(len(moves) + 1, np.int64),
        np.zeros(MOST_MOVES, np.int64),
        np.zeros((1, COLUMN_COUNT), np.int32),
        np.arange(COLUMN_COUNT),
        np.zeros(COLUMN_COUNT, np.int64),
        moves.copy(),
    )


@lean_kernel
def play(columns: Columns, track: Track, task: Task, index: int, weights: LongArray) -> bool:
    """Make the move of an index and write what follows; whether it can be made."""
    before, at, move = track.at[index], track.at[index + 1], int(track.moves[index])
    stage, finished = int(track.progress[index, STAGE]), int(track.progress[index, FINISHED_RUNS])
    if move == DEALT:
        if not may_deal(task, before, np.int64(stage)):
            return False
        copy_position(at, before)
        finishes = apply_deal(columns, at, task.rows[stage], weights, 0)
        stage += 1
    else:
        if not is_legal(columns, before, move):
            return False
        copy_position(at, before)
        finishes = apply_move(columns, at, move, weights, 0)
    if finishes == FULL:
        return False
    track.progress[index + 1, STAGE] = stage
    track.progress[index + 1, FINISHED_RUNS] = finished + finishes
    return True


@inlined
def copy_step(to: Track, track: Track, index: int) -> None:
    """Copy the position of an index from one line to another one."""
    copy_position(to.at[index], track.at[index])
    for i in range(FIELDS):
        to.progress[index, i] = track.progress[index, i]


@lean_kernel
def play_out(
    columns: Columns, track: Track, task: Task, first: int, count: int, weights: LongArray
) -> bool:
    """Play a line's moves from an index to its end; whether it wins."""
    for index in range(first, count):
        if not play(columns, track, task, index, weights):
            return False
    return bool(track.progress[count, FINISHED_RUNS] == RUN_COUNT)


@lean_kernel
def keep_trial(work: Shortener, task: Task, index: int, count: int, weights: LongArray) -> bool:
    """Make the trial, which is as the line before an index, the line if it wins."""
    line, trial = work.line, work.trial
    copy_step(trial, line, index)
    if not play_out(work.columns, trial, task, index, count, weights):
        return False
    for i in range(index, count):
        line.moves[i] = work.edited[i] = trial.moves[i]
    for i in range(index, count + 1):
        copy_step(line, trial, i)
        work.keys[i] = position_key(work.columns, line.at[i], np.int64(line.progress[i, STAGE]))
    return True


@inlined
def parts_of(move: int) -> tuple[int, int, int]:
    """The source and target columns and the number of cards of a move; those of a deal are -1."""
    if move == DEALT:
        return -1, -1, -1
    return (move >> SOURCE_SHIFT) & 15, move & 15, move >> COUNT_SHIFT


@inlined
def renamed(move: int, names: LongArray) -> int:
    """A move with other names of columns."""
    if move == DEALT:
        return move
    source, target, size = parts_of(move)
    return move_code(int(names[source]), int(names[target]), size)


@lean_kernel
def names_between(one: IntArray, other: IntArray, stage: int, names: LongArray) -> bool:
    """Find the column of one position for each of the other; whether the two are the same.

    While there are rows to be dealt, columns have to be in the same places.
    """
    taken = 0
    for place in range(COLUMN_COUNT):
        name = place
        if stage == ROW_COUNT:
            name = 0
            while name < COLUMN_COUNT and (taken >> name & 1 or one[name] != other[place]):
                name += 1
        if name == COLUMN_COUNT or one[name] != other[place]:
            return False
        taken |= 1 << name
        names[place] = name
    return True


@lean_kernel
def leap_from(
    work: Shortener, at: IntArray, stage: int, first: int, count: int, names: LongArray
) -> int:
    """The last index, from the first one allowed on, of a position equal to this one; 0 for none.

    names: int64, shape (10,), receives the columns of this position for those of that one.
    """
    key = position_key(work.columns, at, np.int64(stage))
    for later in range(count, first - 1, -1):
        if (
            work.keys[later] == key
            and work.line.progress[later, STAGE] == stage
            and names_between(at, work.line.at[later], stage, names)
        ):
            return later
    return 0


@lean_kernel
def leap(work: Shortener, task: Task, index: int, count: int, weights: LongArray) -> int:
    """Leap from an index as far as one can; returns the new length of the line."""
    at, names = work.at[0], work.leap_names
    stage = int(work.line.progress[index, STAGE])
    best, best_move, saved = 0, NO_MOVE, 0
    found = fill_moves(work.columns, work.line.at[index], work.moves, 1)
    for i in range(-1, found):
        copy_position(at, work.line.at[index])
        move = NO_MOVE
        made = 0
        if i >= 0:
            move, made = int(work.moves[i]), 1
            if apply_move(work.columns, at, move, weights, 0) == FULL:
                continue
        later = leap_from(work, at, stage, index + made + saved + 1, count, names)
        if later > 0:
            best, best_move, saved = later, move, later - index - made
    if saved == 0:
        return count
    copy_position(at, work.line.at[index])
    kept = index
    if best_move != NO_MOVE:
        apply_move(work.columns, at, best_move, weights, 0)
        work.trial.moves[kept] = best_move
        kept += 1
    names_between(at, work.line.at[best], stage, names)
    for later in range(best, count):
        work.trial.moves[kept] = renamed(int(work.line.moves[later]), names)
        kept += 1
    return kept if keep_trial(work, task, index, kept, weights) else count


@lean_kernel
def try_edits(work: Shortener, task: Task, index: int, count: int, weights: LongArray) -> int:
    """Try the edited line, with columns renamed after an index; returns the length that holds.

    The edits are in `edited`, from the index on, and are taken back.
    """
    work.trial.moves[index] = work.edited[index]
    kept = index if work.edited[index] == NO_MOVE else index + 1
    for i in range(index + 1, count):
        move = int(work.edited[i])
        if move != NO_MOVE:
            work.trial.moves[kept] = renamed(move, work.names)
            kept += 1
    if not keep_trial(work, task, index, kept, weights):
        kept = count
    for i in range(index, count):
        work.edited[i] = work.line.moves[i]
    return kept


@lean_kernel
def drop(work: Shortener, task: Task, index: int, count: int, weights: LongArray) -> int:
    """Try the line without a move, also with its columns exchanged; returns the new length."""
    source, target, _ = parts_of(int(work.line.moves[index]))
    work.edited[index] = NO_MOVE
    kept = try_edits(work, task, index, count, weights)
    if kept == count:
        work.edited[index] = NO_MOVE
        work.names[source], work.names[target] = target, source
        kept = try_edits(work, task, index, count, weights)
        work.names[source], work.names[target] = source, target
    return kept


@lean_kernel
def merge(
    work: Shortener, task: Task, index: int, later: int, count: int, weights: LongArray
) -> int:
    """Try to make one move of a move and a later one that moves the cards on; the new length."""
    source, _, size = parts_of(int(work.line.moves[index]))
    _, end, _ = parts_of(int(work.line.moves[later]))
    at_once = move_code(source, end, size) if end != source else NO_MOVE
    work.edited[index], work.edited[later] = NO_MOVE, at_once
    kept = try_edits(work, task, index, count, weights)
    if kept == count and at_once != NO_MOVE:
        work.edited[index], work.edited[later] = at_once, NO_MOVE
        kept = try_edits(work, task, index, count, weights)
    return kept


@lean_kernel
def rejoin(
    work: Shortener, task: Task, index: int, later: int, count: int, weights: LongArray
) -> int:
    """Try to move cards with those they lay on, which go where both come in the end."""
    source, _, size = parts_of(int(work.line.moves[index]))
    _, end, _ = parts_of(int(work.line.moves[later]))
    for between in range(index + 1, later):
        first, then, more = parts_of(int(work.line.moves[between]))
        if first == source and then == end:
            work.edited[index], work.edited[later] = NO_MOVE, NO_MOVE
            work.edited[between] = move_code(source, end, more + size)
            return try_edits(work, task, index, count, weights)
    return count


@lean_kernel
def join_moves(work: Shortener, task: Task, index: int, count: int, weights: LongArray) -> int:
    """Try to do without a move by moving its cards in another one; returns the new length."""
    _, target, size = parts_of(int(work.line.moves[index]))
    tried = 0
    for later in range(index + 1, count):
        first, _, later_size = parts_of(int(work.line.moves[later]))
        if first != target or later_size != size:
            continue
        kept = merge(work, task, index, later, count, weights)
        if kept == count:
            kept = rejoin(work, task, index, later, count, weights)
        tried += 1
        if kept < count or tried == LATER_TRIED:
            return kept
    return count


@lean_kernel
def shorten(work: Shortener, task: Task, weights: LongArray, max_passes: int) -> int:
    """Shorten the line in place until nothing helps; returns its new length.

    A line that can't be played to a win is left as it is.
    """
    count = int(work.line.moves.shape[0])
    clear_columns(work.columns)
    if first_position(work.columns, task, work.line.at[0], weights) == FULL:
        return count
    work.line.progress[0, STAGE] = task.first_stage
    work.line.progress[0, FINISHED_RUNS] = task.finished
    if not keep_trial(work, task, 0, count, weights):
        return count
    for _ in range(max_passes):
        before = count
        index = 0
        while index < count:
            kept = leap(work, task, index, count, weights)
            if kept == count and work.line.moves[index] != DEALT:
                kept = drop(work, task, index, count, weights)
                if kept == count:
                    kept = join_moves(work, task, index, count, weights)
            if kept == count:
                index += 1
            count = kept
        if count == before:
            break
    return count
