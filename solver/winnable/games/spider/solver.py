"""Decides a Spider deal or position where that can be done, with a winning line.

Beams, narrow ones first, look for a win, which is shortened and replayed by the plain rules. That a
deal is lost is said only when it is proved that no column can ever be emptied and no run completed,
or when an exhaustive search comes to its end, which it does for deals in which hardly anything can
move and for ends of games. All else is unknown.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from winnable.arrays import IntArray, LongArray
from winnable.games.base import NO_LIMIT, Limits, Solution, Verdict
from winnable.games.ruleset import Rules
from winnable.games.spider import rules as plain
from winnable.games.spider.beam import Plan, run_beam
from winnable.games.spider.beam_best import LINES, NODES, Beam, new_beam
from winnable.games.spider.columns import COLUMN_COUNT, MOST_CARDS
from winnable.games.spider.evaluation import weights_table
from winnable.games.spider.ladder import DEFAULT_EFFORT, Rung, rungs_of
from winnable.games.spider.proof import BEFORE, MOVE, Explored, explore, new_explored
from winnable.games.spider.shorten import new_shortener, shorten
from winnable.games.spider.state import (
    COUNT_SHIFT,
    DEALT,
    FAILED,
    LOST,
    OUT_OF_MEMORY,
    OUT_OF_NODES,
    SOURCE_SHIFT,
    STOPPED,
    WON,
    Task,
)
from winnable.games.spider.weights import ROW_COUNT
from winnable.search.stopping import GIVE_UP, stop_array, stopping_after

# Arrays of all beams up to this width are kept from deal to deal, and of one wider one.
KEPT_WIDTH = 1000
# Enough for the usual rungs, which take up to 50 seconds where they fail.
DEFAULT_MAX_NODES = 25_000_000
PATIENCE, LAST_PATIENCE, MAX_LAYERS = 15, 80, 400
# Positions opened exhaustively once the beams of this effort have failed, and after the last.
NARROW_EFFORT = 3
FIRST_LOOK, LAST_LOOK = 5000, 300_000
MAX_PASSES = 5

_LIMIT_NAMES = {
    FAILED: "width",
    OUT_OF_NODES: "nodes",
    OUT_OF_MEMORY: "memory",
    STOPPED: "seconds",
}


class _Kept(threading.local):
    """What a thread keeps from deal to deal."""

    def __init__(self) -> None:
        self.beams: dict[int, Beam] = {}
        self.explored: dict[int, Explored] = {}
        self.weights = weights_table()


_KEPT = _Kept()


def beam_of(width: int) -> Beam:
    """A beam of this width, the thread's own."""
    if width not in _KEPT.beams:
        # Wide ones are large: one at a time.
        for other in [other for other in _KEPT.beams if other > KEPT_WIDTH]:
            del _KEPT.beams[other]
        _KEPT.beams[width] = new_beam(width)
    return _KEPT.beams[width]


def explored_of(most: int) -> Explored:
    """Arrays for so many positions, the thread's own."""
    if most in _KEPT.explored:
        return _KEPT.explored[most]
    explored = new_explored(most)
    if most <= FIRST_LOOK:
        _KEPT.explored[most] = explored
    return explored


def task_of(at: plain.State, rules: Rules) -> Task:
    """A position and its rules for the kernels."""
    cards = np.zeros((COLUMN_COUNT, MOST_CARDS), np.int64)
    for place, column in enumerate(at.columns):
        cards[place, : len(column)] = column
    left = len(at.stock) // COLUMN_COUNT
    rows = np.zeros((ROW_COUNT, COLUMN_COUNT), np.int64)
    rows[ROW_COUNT - left :] = np.array(at.stock, np.int64).reshape(left, COLUMN_COUNT)
    return Task(
        cards=cards,
        sizes=np.array([len(column) for column in at.columns], np.int64),
        hidden=np.array(at.hidden, np.int64),
        rows=rows,
        first_stage=ROW_COUNT - left,
        finished=sum(at.finished),
        deal_on_empty=int(rules.settings["deal-on-empty"] == "yes"),
    )


def plain_move(move: int) -> plain.Move:
    """A move of the kernels as the plain rules write it."""
    if move == DEALT:
        return plain.Move(plain.DEAL)
    source, target = (move >> SOURCE_SHIFT) & 15, move & 15
    return plain.Move(plain.MOVE, move >> COUNT_SHIFT, source, target)


def line_of(beam: Beam) -> LongArray:
    """The moves to the last position that a beam kept."""
    return _traced(beam.line[:, 0], beam.line[:, 1], int(beam.counts[LINES]) - 1)


def proved_line(explored: Explored) -> LongArray:
    """The moves to the last position that an exhaustive search found."""
    last = int(explored.counts[0])
    return _traced(explored.found[:, BEFORE], explored.found[:, MOVE], last - 1)


def _traced(before: IntArray, moves: IntArray, last: int) -> LongArray:
    """The moves that led to a row of a list of positions, whose first row is the start."""
    line = []
    while before[last] >= 0:
        line.append(int(moves[last]))
        last = int(before[last])
    return np.array(line[::-1], np.int64)


def shortened(line: LongArray, task: Task) -> list[plain.Move]:
    """A winning line made shorter, as moves of the plain rules."""
    work = new_shortener(line)
    count = shorten(work, task, _KEPT.weights, MAX_PASSES)
    return [plain_move(int(move)) for move in work.line.moves[:count]]


class Outcome(NamedTuple):
    """How one part of a search ended.

    code: `WON`, `LOST`, `FAILED` or the limit that was hit.
    line: the moves of a win.
    width: of the beam, 0 for an exhaustive search.
    """

    code: int
    line: LongArray | None
    width: int


class Search:
    """The search for one deal, part by part, and the nodes that it has left."""

    def __init__(self, task: Task, max_nodes: int, stop: LongArray) -> None:
        self.task, self.max_nodes, self.stop = task, max_nodes, stop
        self.nodes = 0

    def parts(self, effort: int) -> Iterator[Outcome]:
        """The parts in their order, each done when it is asked for."""
        rungs, narrow = rungs_of(effort), len(rungs_of(NARROW_EFFORT))
        for rung in rungs[:narrow]:
            yield self.climb(rung)
        yield self.exhaust(FIRST_LOOK)
        for rung in rungs[narrow:]:
            yield self.climb(rung)
        yield self.exhaust(LAST_LOOK)

    def climb(self, rung: Rung) -> Outcome:
        """Search with one beam."""
        beam = beam_of(rung.width)
        plan = Plan(PATIENCE, LAST_PATIENCE, MAX_LAYERS, rung.noise_shift)
        left = self.max_nodes - self.nodes
        weights = weights_table(rung.variant)
        code = run_beam(beam, self.task, plan, weights, left, self.stop)
        self.nodes += int(beam.counts[NODES])
        return Outcome(code, line_of(beam) if code == WON else None, rung.width)

    def exhaust(self, most: int) -> Outcome:
        """Look at every position, unless there are more than so many."""
        explored = explored_of(most)
        left = self.max_nodes - self.nodes
        code = explore(explored, self.task, _KEPT.weights, left, self.stop, 1)
        self.nodes += int(explored.counts[1])
        return Outcome(code, proved_line(explored) if code == WON else None, 0)


def solve(deal: plain.State, rules: Rules, limits: Limits) -> Solution:
    """Look for a win of a deal or a position; a win has been replayed.

    Parameters
    ----------
    limits: the effort is how many levels of the ladder to try.
        Up to `DEFAULT_EFFORT`, and without another limit, `DEFAULT_MAX_NODES` holds.

    Returns
    -------
    The answer. "Unwinnable" comes from a proof only. The limit of "unknown" is "width" when no beam
    found a win.
    """
    before = time.perf_counter()
    at = plain.start(deal, rules)
    if plain.is_won(at):
        return Solution(Verdict.WINNABLE, (), 0, time.perf_counter() - before)
    task = task_of(at, rules)
    stop = stop_array(limits.stop)
    effort = limits.effort or DEFAULT_EFFORT
    most = DEFAULT_MAX_NODES if effort <= DEFAULT_EFFORT else NO_LIMIT
    search = Search(task, limits.nodes_or(most), stop)
    limit = _LIMIT_NAMES[FAILED]
    with stopping_after(stop, limits.max_seconds):
        for outcome in search.parts(effort):
            seconds = time.perf_counter() - before
            if outcome.line is not None:
                moves = replayed(at, shortened(outcome.line, task), rules)
                seconds = time.perf_counter() - before
                return Solution(Verdict.WINNABLE, moves, search.nodes, seconds)
            if outcome.code == LOST:
                return Solution(Verdict.UNWINNABLE, None, search.nodes, seconds)
            if outcome.code in (OUT_OF_NODES, STOPPED):
                limit = "stopped" if stop[0] == GIVE_UP else _LIMIT_NAMES[outcome.code]
                break
    seconds = time.perf_counter() - before
    return Solution(Verdict.UNKNOWN, None, search.nodes, seconds, limit)


def replayed(at: plain.State, moves: list[plain.Move], rules: Rules) -> tuple[str, ...]:
    """A winning line in words, once the plain rules have played it to a won position."""
    last = plain.replay(at, moves, rules)
    if not plain.is_won(last):
        raise AssertionError(f"the line {moves} does not win {at}")
    return tuple(map(str, moves))
