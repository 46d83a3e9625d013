"""Decisions of agents, and whole games between two of them: kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from winnable.arrays import ByteArray, LongArray
from winnable.deals.kernels.native import mix
from winnable.duel.engine import draw, lay_out, play
from winnable.duel.montecarlo import Trial, best_candidate, list_candidates, try_candidates
from winnable.duel.moves import TURN_LENGTH, Table, legal_moves
from winnable.duel.planner import WINS, WON_VALUE, Space, best_end, plan, write_path
from winnable.duel.policy import greedy_move
from winnable.duel.state import (
    FIRST_WON,
    GOING_ON,
    MOVER,
    OUTCOME,
    SECOND_WON,
    TURN_COUNT,
    Codes,
    KeyArray,
    copy_array,
)
from winnable.jit import lean_kernel

# Kinds of agents.
RANDOM, GREEDY, PLANNER, MONTECARLO = range(4)


class Chooser(NamedTuple):
    """An agent as kernels read it.

    kind: `RANDOM`, `GREEDY`, `PLANNER` or `MONTECARLO`.
    nodes, patience, candidates, playouts, turns, trust: see `agents.Agent`.
    sees_all: 1 when it sees every card on the table.
    """

    kind: int
    nodes: int
    patience: int
    candidates: int
    playouts: int
    turns: int
    trust: int
    sees_all: int


class Room(NamedTuple):
    """What decisions are made in.

    space, trial: for plans and playouts.
    path: int64, shape (n,): the moves decided on.
    random: uint64, shape (1,): the state of the agents' generator.
    """

    space: Space
    trial: Trial
    path: LongArray
    random: KeyArray


# Decisions


@lean_kernel
def decide(table: Table, codes: Codes, chooser: Chooser, room: Room) -> int:
    """Write the moves that an agent makes next into `room.path`; return their number, 1 or more.

    They lead up to the end of its turn or to a card that it didn't know, and miss nothing
    compulsory: a fault is never worth it, since the opponent calls on it.

    table: with no fault to be called on, and the game not over.
    codes: with `called` 0.
    """
    if chooser.kind == GREEDY:
        room.path[0] = safe_greedy_move(table, codes)
        return 1
    listed = room.space.listed
    count = legal_moves(table, codes, listed)
    if chooser.kind == RANDOM or count == 1:
        room.path[0] = listed[draw(room.random, count) if count > 1 else 0]
        return 1
    nodes = plan(table, codes, chooser.nodes, chooser.patience, chooser.sees_all, room.space)
    best = best_end(room.space, nodes, WON_VALUE, -1)
    if best < 0:
        room.path[0] = safe_greedy_move(table, codes)
        return 1
    if chooser.kind == MONTECARLO and room.space.kinds[best] != WINS:
        return decide_by_playouts(table, codes, chooser, room, nodes)
    return write_path(room.space, best, room.path)


@lean_kernel
def safe_greedy_move(table: Table, codes: Codes) -> int:
    """The greedy move, without moves between houses where one could lead back."""
    return greedy_move(table.cells, codes, 1 if table.lengths[TURN_LENGTH] == 1 else 0)


@lean_kernel
def decide_by_playouts(table: Table, codes: Codes, chooser: Chooser, room: Room, nodes: int) -> int:
    """Write the moves to the end of the plan that does best in playouts; return their number."""
    trial = room.trial
    count = list_candidates(room.space, nodes, chooser.candidates, trial)
    best = 0
    if count > 1:
        try_candidates(
            table,
            codes,
            count,
            chooser.playouts,
            chooser.turns,
            chooser.sees_all,
            room.random,
            room.space.weights,
            trial,
        )
        for i in range(count):
            value = room.space.values[trial.nodes[i]]
            trial.scores[i] += chooser.playouts * chooser.trust * value // 100
        best = best_candidate(trial, count)
    length: int = trial.lengths[best]
    copy_array(room.path[:length], trial.paths[best, :length])
    return length


# Games


@lean_kernel
def play_game(
    table: Table, rules: Codes, codes: Codes, choosers: tuple[Chooser, Chooser], room: Room
) -> int:
    """Play on until the game is over, or given up; return the number of moves.

    rules, codes: the rules of the game, and the same with `called` 0.
    choosers: the agents of players 0 and 1.
    """
    moves, at, length = 0, 0, 0
    while table.cells[OUTCOME] == GOING_ON and room.trial.stop[0] == 0:
        if at == length:
            if table.cells[MOVER] == 0:
                length = decide(table, codes, choosers[0], room)
            else:
                length = decide(table, codes, choosers[1], room)
            at = 0
        play(table, rules, room.path[at])
        at += 1
        moves += 1
    return moves


@lean_kernel
def play_games(
    table: Table,
    rules: Codes,
    codes: Codes,
    first: np.uint64,
    packs: ByteArray,
    begins: Chooser,
    follows: Chooser,
    room: Room,
    outcomes: ByteArray,
    turns: NDArray[np.uint16],
    moves: NDArray[np.uint32],
) -> None:
    """Play consecutive deals, each to its end.

    first: the number of the first one; agents that draw numbers draw others in each deal.
    packs: uint8, shape (n, 2, 52).
    begins, follows: the agent that has the first turn, and the other one.
    outcomes, turns, moves: uint8, uint16 and uint32, shape (n,), overwritten. Of a game that was
        won, `FIRST_WON` says that `begins` won it.
    """
    for i in range(len(packs)):
        number = first + np.uint64(i)
        lay_out(table, rules, packs[i], number * np.uint64(rules.shuffles))
        room.random[0] = mix(number)
        starter = np.int64(table.cells[MOVER])
        if starter == 0:
            moves[i] = play_game(table, rules, codes, (begins, follows), room)
        else:
            moves[i] = play_game(table, rules, codes, (follows, begins), room)
        turns[i] = table.words[TURN_COUNT]
        outcome = np.int64(table.cells[OUTCOME])
        if outcome in (FIRST_WON, SECOND_WON) and starter == 1:
            outcome = FIRST_WON + SECOND_WON - outcome
        outcomes[i] = outcome
