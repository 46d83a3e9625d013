"""Ends of a plan compared by games played from them, unknown cards shuffled: kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from winnable.arrays import ByteArray, LongArray
from winnable.duel.engine import move_in_position
from winnable.duel.hidden import shuffle_unknown, sort_unknown
from winnable.duel.moves import QUIET_LIMIT, Table
from winnable.duel.planner import LOWEST, WON_VALUE, Space, best_end, value_of, write_path
from winnable.duel.policy import greedy_move
from winnable.duel.state import (
    FIRST_WON,
    GOING_ON,
    MOVER,
    OUTCOME,
    QUIET,
    Codes,
    KeyArray,
    copy_array,
)
from winnable.jit import lean_kernel

# Turns after which a playout to the end is a draw: greedy games have about 44, and seldom 100.
PLAYOUT_TURNS = 150
# What a playout to the end counts for.
WIN, DRAW = 2, 1
# What a win counts for in a playout that ends with the value of its last position: thirty cards.
WIN_VALUE = 3000


class Trial(NamedTuple):
    """Room for playouts.

    cells, words: positions: row 0 with its unknown cards shuffled, row 1 to play in, and row 2 of
        `cells` with the unknown cards in order.
    places: int64, shape (CARD_COUNT,).
    paths: int64, shape (candidates, nodes): the moves to each candidate; lengths: how many.
    nodes, scores: int64, shape (candidates,): the candidates, and the sums of what their playouts
        count for.
    stop: uint8, shape (1,): 1 to give up what is going on.
    """

    cells: ByteArray
    words: KeyArray
    places: LongArray
    paths: LongArray
    lengths: LongArray
    nodes: LongArray
    scores: LongArray
    stop: ByteArray


@lean_kernel
def list_candidates(space: Space, count: int, wanted: int, trial: Trial) -> int:
    """Note the most valuable ends of a plan, best first; return how many there are."""
    below, after = WON_VALUE, -1
    for i in range(wanted):
        node = best_end(space, count, below, after)
        if node < 0:
            return i
        trial.nodes[i] = node
        trial.lengths[i] = write_path(space, node, trial.paths[i])
        below, after = space.values[node], node
    return wanted


@lean_kernel
def try_candidates(
    table: Table,
    codes: Codes,
    candidates: int,
    playouts: int,
    turns: int,
    sees_all: int,
    random: KeyArray,
    weights: LongArray,
    trial: Trial,
) -> None:
    """Set the scores of the candidates: `playouts` games each, with the same shuffles for all.

    turns: after so many a playout ends, and the value of its last position is what it counts for;
        0 to play on to the end, and count wins and draws.
    """
    player = np.int64(table.cells[MOVER])
    trial.scores[:candidates] = 0
    known = trial.cells[2]
    copy_array(known, table.cells)
    if sees_all == 0:
        # Else the same drawn numbers would make other shuffles of other hidden cards.
        sort_unknown(known, codes, trial.places)
    for _ in range(playouts):
        if trial.stop[0] != 0:
            break
        copy_array(trial.cells[0], known)
        copy_array(trial.words[0], table.words)
        if sees_all == 0:
            shuffle_unknown(trial.cells[0], trial.words[0], codes, trial.places, random)
        for i in range(candidates):
            cells, words = trial.cells[1], trial.words[1]
            copy_array(cells, trial.cells[0])
            copy_array(words, trial.words[0])
            for k in range(trial.lengths[i]):
                move_in_position(cells, words, codes, trial.paths[i, k])
            outcome = play_out(cells, words, codes, turns if turns > 0 else PLAYOUT_TURNS)
            if turns == 0:
                trial.scores[i] += points(outcome, player)
            elif outcome == GOING_ON:
                trial.scores[i] += value_of(cells, codes, weights, player)
            else:
                trial.scores[i] += (points(outcome, player) - DRAW) * WIN_VALUE


@lean_kernel
def play_out(cells: ByteArray, words: KeyArray, codes: Codes, turns: int) -> int:
    """Play on greedily; return the outcome, `GOING_ON` when it is open after so many turns."""
    ended = 0
    while cells[OUTCOME] == GOING_ON and ended < turns and cells[QUIET] < QUIET_LIMIT:
        move = greedy_move(cells, codes, 1)
        ended += 1 if move_in_position(cells, words, codes, move) else 0
    outcome: int = np.int64(cells[OUTCOME])
    return outcome


@lean_kernel
def points(outcome: int, player: int) -> int:
    """What an outcome counts for a player."""
    if outcome == FIRST_WON + player:
        return WIN
    return 0 if outcome == FIRST_WON + 1 - player else DRAW


@lean_kernel
def best_candidate(trial: Trial, candidates: int) -> int:
    """The candidate with the highest score, of equal ones the planner's first."""
    found, best = 0, LOWEST
    for i in range(candidates):
        if trial.scores[i] > best:
            found, best = i, trial.scores[i]
    return found
