"""The arrays of a beam, which positions are new to it, and which children are the best: kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from winnable.arrays import IntArray, LongArray
from winnable.games.spider.blocked import Digging, new_digging
from winnable.games.spider.columns import COLUMN_COUNT, Columns, new_columns
from winnable.games.spider.evaluation import MAX_VALUE
from winnable.games.spider.state import MOST_MOVES
from winnable.jit import inlined, lean_kernel

MOST_FILLS = COLUMN_COUNT
# Slots that a key may be in.
WAYS = 4
COUNT_FIELDS = 4
# Fields of `Beam.counts`.
NODES, LINES, POOL, POOL_LEAST = range(COUNT_FIELDS)
# Fields of `Beam.layer`.
CUT, NOT_BELOW, LOWEST_SCORE, HIGHEST_SCORE = range(4)


class Beam(NamedTuple):
    """The arrays of one beam of a width.

    columns: the table of columns.
    at: int32, shape (2, width, 10): the positions of this layer and the next.
    finished, lines: int32, shape (2, width): their finished runs, and their rows in `line`.
    line: int32, shape (n, 2): for each position kept, the row of the one before and the move.
    pool_at, pool_finished, pool_lines, pool_scores: candidates for dealing, as above.
    pool_fills: int32, shape (pool, `MOST_FILLS` + 1): how many moves fill their empty columns,
        and these moves.
    scores, parents, moves: int32, shape (n,): the children of a layer.
    score_counts: int64, shape (`MAX_VALUE` + 1,): how many of them have each score.
    layer: int64, shape (4,): the score below which a child can't be among the best, how many are
        not below it, and the lowest and the highest score.
    seen: int64, shape (2^k,): keys of positions seen in this stage, 0 for a free slot.
    histogram, chosen: int64: for choosing the best.
    trial: int32, shape (1, 10), and trial_moves: int64: a position to try things on.
    digging: for seeing that a position is blocked.
    counts: int64, shape (4,): positions opened, rows of `line`, candidates in the pool, the score
        that a further one has to beat.
    """

    columns: Columns
    at: IntArray
    finished: IntArray
    lines: IntArray
    line: IntArray
    pool_at: IntArray
    pool_finished: IntArray
    pool_lines: IntArray
    pool_scores: IntArray
    pool_fills: IntArray
    scores: IntArray
    parents: IntArray
    moves: IntArray
    score_counts: LongArray
    layer: LongArray
    seen: LongArray
    histogram: LongArray
    chosen: LongArray
    trial: IntArray
    trial_moves: LongArray
    digging: Digging
    counts: LongArray


def new_beam(width: int) -> Beam:
    """Arrays for a width: about 0.04 MB a position of it, most of them touched only when needed."""
    pool = 4 * width + 16
    children = 128 * width + 4096
    # A stage sees some thousand positions for each place in the beam.
    seen_bits = min(max((2000 * width).bit_length(), 16), 25)
    return Beam(
        columns=new_columns(4096 + 100 * width),
        at=np.zeros((2, width, COLUMN_COUNT), np.int32),
        finished=np.zeros((2, width), np.int32),
        lines=np.zeros((2, width), np.int32),
        line=np.zeros((20_000 + 1500 * width, 2), np.int32),
        pool_at=np.zeros((pool, COLUMN_COUNT), np.int32),
        pool_finished=np.zeros(pool, np.int32),
        pool_lines=np.zeros(pool, np.int32),
        pool_scores=np.zeros(pool, np.int32),
        pool_fills=np.zeros((pool, MOST_FILLS + 1), np.int32),
        scores=np.zeros(children, np.int32),
        parents=np.zeros(children, np.int32),
        moves=np.zeros(children, np.int32),
        score_counts=np.zeros(MAX_VALUE + 1, np.int64),
        layer=np.zeros(4, np.int64),
        seen=np.zeros(1 << seen_bits, np.int64),
        histogram=np.zeros(MAX_VALUE + 1, np.int64),
        chosen=np.zeros(pool, np.int64),
        trial=np.zeros((1, COLUMN_COUNT), np.int32),
        trial_moves=np.zeros(MOST_MOVES, np.int64),
        digging=new_digging(),
        counts=np.zeros(COUNT_FIELDS, np.int64),
    )


@inlined
def is_new(seen: LongArray, key: int) -> bool:
    """Note a key; whether it was not there. A crowded table forgets keys, which only costs time."""
    mask = seen.shape[0] - 1
    first = (key >> 13) & mask
    for i in range(WAYS):
        slot = (first + i) & mask
        known = seen[slot]
        if known == key:
            return False
        if known == 0:
            seen[slot] = key
            return True
    seen[(first + (key & (WAYS - 1))) & mask] = key
    return True


@lean_kernel
def choose_best(
    scores: IntArray, count: int, width: int, histogram: LongArray, chosen: LongArray
) -> int:
    """Write the indices of the `width` highest of `count` scores; returns how many there are.

    Of those that tie for the last places, evenly spaced ones are taken.
    """
    if count <= width:
        for i in range(count):
            chosen[i] = i
        return count
    low, high = MAX_VALUE, 0
    for i in range(count):
        low, high = min(low, np.int64(scores[i])), max(high, np.int64(scores[i]))
    histogram[low : high + 1] = 0
    for i in range(count):
        histogram[scores[i]] += 1
    above, least = 0, high
    while above + histogram[least] < width:
        above += histogram[least]
        least -= 1
    places, ties = width - above, histogram[least]
    found = tie = 0
    for i in range(count):
        score = scores[i]
        if score > least:
            chosen[found] = i
            found += 1
        elif score == least:
            if (tie + 1) * places // ties > tie * places // ties:
                chosen[found] = i
                found += 1
            tie += 1
    return found


@lean_kernel
def begin_layer(beam: Beam) -> None:
    """Forget the scores of the layer before."""
    layer = beam.layer
    beam.score_counts[layer[LOWEST_SCORE] : layer[HIGHEST_SCORE] + 1] = 0
    layer[CUT] = 0
    layer[NOT_BELOW] = 0
    layer[LOWEST_SCORE] = MAX_VALUE
    layer[HIGHEST_SCORE] = 0


@inlined
def note_score(beam: Beam, score: int) -> None:
    """Count a child's score, and raise the cut when there are enough better ones."""
    layer, counts, width = beam.layer, beam.score_counts, beam.at.shape[1]
    counts[score] += 1
    layer[NOT_BELOW] += 1
    layer[LOWEST_SCORE] = min(layer[LOWEST_SCORE], score)
    layer[HIGHEST_SCORE] = max(layer[HIGHEST_SCORE], score)
    if layer[NOT_BELOW] == width:
        layer[CUT] = max(layer[CUT], layer[LOWEST_SCORE])
    while layer[NOT_BELOW] - counts[layer[CUT]] >= width:
        layer[NOT_BELOW] -= counts[layer[CUT]]
        layer[CUT] += 1


@lean_kernel
def choose_children(beam: Beam, found: int) -> int:
    """Write the indices of the best children, as many as the beam is wide; returns how many.

    Of those that tie for the last places, evenly spaced ones are taken.
    """
    cut = int(beam.layer[CUT])
    ties = int(beam.score_counts[cut])
    places = min(beam.at.shape[1] - (int(beam.layer[NOT_BELOW]) - ties), ties)
    kept = tie = 0
    for i in range(found):
        score = beam.scores[i]
        if score == cut:
            tie += 1
        if score > cut or (score == cut and tie * places // ties > (tie - 1) * places // ties):
            beam.chosen[kept] = i
            kept += 1
    return kept
