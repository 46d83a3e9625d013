"""Decides Canfield deals by way of easier rules, which the search in classes decides quickly.

Rules with ``moves=any-run, fill=any`` allow all that stricter ones do. So what is lost by them is
lost by the stricter ones; and a win by them is followed, move by move, as far as the stricter
rules let it, which often is to the end of the reserve, from where most positions are easily won.
Returns from the foundations go the other way round: a win without them is one with them, and a
loss without them only spares the search that tries without.

What remains goes to the search of `solver`.
"""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import numpy as np

from winnable.arrays import LongArray
from winnable.cards import PACK_SIZE
from winnable.games.base import Limits, Solution, Verdict
from winnable.games.canfield import rules as plain
from winnable.games.canfield import search, solver, state
from winnable.games.canfield.classes import ClassSolver
from winnable.games.canfield.classes_state import MAX_DEPTH
from winnable.games.canfield.following import CELLS, MADE, PARENT, WIDTH, follow
from winnable.games.canfield.state import Position, Setup
from winnable.games.ruleset import Rules

# Nodes of the search under the rules themselves before anything else, of the one under easier
# rules, and of all searches from where such a line leads. By trial on deals from 3001 on of the
# numbering `solvitaire`.
FIRST_NODES = 1_000
EASIER_NODES = 600_000
FOLLOWING_NODES = 300_000
# Nodes for another line under the easier rules, and from the end of one.
LINE_NODES = 2_000
END_NODES = 300
# Arrangements at the end of a line that are searched.
ENDS = 2


class _Thread:
    """The tables of one thread."""

    def __init__(self) -> None:
        self.classes = ClassSolver()
        self.work = solver.new_work()
        self.beam = np.zeros((MAX_DEPTH + 2, WIDTH, CELLS), np.int64)


_KEPT = threading.local()


class _Budget:
    """What is left of the limits."""

    def __init__(self, limits: Limits) -> None:
        self.before = time.perf_counter()
        self.nodes = 0
        self.limits = limits
        self.most = solver.DEFAULT_MAX_NODES if limits.max_nodes is None else limits.max_nodes

    def part(self, nodes: int) -> Limits:
        """At most so many nodes, within the limits; always some, so that a limit is met there."""
        seconds = self.limits.max_seconds
        if seconds is not None:
            seconds = max(seconds + self.before - time.perf_counter(), 1e-9)
        return Limits(max(min(nodes, self.most - self.nodes), 1), seconds)

    def spent(self) -> str | None:
        """The limit that has been reached, if one has."""
        if self.nodes >= self.most:
            return "nodes"
        seconds = self.limits.max_seconds
        is_late = seconds is not None and time.perf_counter() >= self.before + seconds
        return "seconds" if is_late else None

    def answer(self, found: Solution) -> Solution:
        """An answer with all nodes and seconds, and the limit that ended the whole."""
        seconds = time.perf_counter() - self.before
        limit = found.limit and (self.spent() or found.limit)
        return Solution(found.verdict, found.moves, self.nodes, seconds, limit, score=found.score)


def easier_rules(rules: Rules) -> Rules:
    """The rules with any run moved anywhere, without returns: those of a search in classes."""
    changes = {"moves": "any-run", "fill": "any", "return": "no"}
    return Rules(f"{rules.name} in classes", {**rules.settings, **changes})


def solve_by_inclusion(deal: plain.State, rules: Rules, limits: Limits) -> Solution:
    """Decide a deal or a position; see the module's text, and `solver.solve` for the answer.

    All searches share the limits.
    """
    budget = _Budget(limits)
    at = plain.start(deal, rules)
    found = solver.solve(at, rules, budget.part(FIRST_NODES))
    budget.nodes += found.nodes
    if found.verdict is not Verdict.UNKNOWN or budget.spent():
        return budget.answer(found)
    easier = _solve_easier(at, rules, budget)
    returns = rules.settings["return"] == "yes"
    if easier.verdict is Verdict.UNWINNABLE and not returns:
        return budget.answer(replace(easier, score=found.score))
    if easier.verdict is Verdict.WINNABLE:
        if _is_legal(at, easier, rules):
            return budget.answer(easier)
        followed = _follow_lines(at, rules, budget)
        if followed is not None:
            return budget.answer(followed)
    if budget.spent():
        return budget.answer(found)
    reductions = state.ALL_REDUCTIONS
    if easier.verdict is Verdict.UNWINNABLE:
        reductions &= ~state.NO_RETURNS_FIRST
    found = solver.solve(at, rules, budget.part(budget.most), reductions)
    budget.nodes += found.nodes
    return budget.answer(found)


def _thread() -> _Thread:
    if not hasattr(_KEPT, "thread"):
        _KEPT.thread = _Thread()
    thread: _Thread = _KEPT.thread
    return thread


def _solve_easier(at: plain.State, rules: Rules, budget: _Budget) -> Solution:
    """The answer by the easier rules, as far as the nodes for it go."""
    easier = easier_rules(rules)
    found = _thread().classes.solve(at, easier, budget.part(EASIER_NODES))
    budget.nodes += found.nodes
    return found


def _is_legal(at: plain.State, found: Solution, rules: Rules) -> bool:
    """Whether a win by the easier rules is one by the rules as it stands."""
    for move in map(plain.parse_move, found.moves or ()):
        if plain.why_illegal(at, move, rules) is not None:
            return False
        at = plain.apply(at, move, rules)
    return plain.is_won(at)


def _follow_lines(at: plain.State, rules: Rules, budget: _Budget) -> Solution | None:
    """A win by the rules along one by the easier rules, if some line leads to one."""
    thread = _thread()
    setup = solver.setup_of(at, rules)
    start = solver.position_of(at, setup)
    stop_at = budget.nodes + FOLLOWING_NODES
    while True:
        moves = _line_to_win(setup, start, rules, thread, budget)
        if moves is not None:
            played, last = solver.replayed(at, moves, rules)
            if not plain.is_won(last):
                raise AssertionError(f"the line {played} does not win {at}")
            score = {"foundation_found": PACK_SIZE}
            return Solution(Verdict.WINNABLE, tuple(map(str, played)), 0, 0.0, score=score)
        spent = thread.classes.nodes()
        is_win = budget.nodes < stop_at and budget.spent() is None
        is_win = is_win and thread.classes.find_another_win(LINE_NODES)
        budget.nodes += thread.classes.nodes() - spent
        if not is_win:
            return None


def _line_to_win(
    setup: Setup, start: Position, rules: Rules, thread: _Thread, budget: _Budget
) -> list[int] | None:
    """The moves along the last line in classes, and from where it leads to a win."""
    line = thread.classes.line()
    made, count = follow(setup, start, line, len(line), thread.beam)
    plan = solver.plan_for(rules)
    for end in range(min(count, ENDS)):
        at = Position(*thread.beam[made, end, :7].tolist())
        thread.work.counts[:] = 0
        code, length = search.attempt(setup, at, plan, END_NODES, thread.work)
        budget.nodes += int(thread.work.counts[0])
        if code == search.WON:
            rest: list[int] = thread.work.line[:length].tolist()
            return _moves_to(thread.beam, made, end) + rest
    return None


def _moves_to(beam: LongArray, level: int, end: int) -> list[int]:
    """The moves to an arrangement."""
    moves: list[int] = []
    while level > 0:
        moves.append(int(beam[level, end, MADE]))
        end = int(beam[level, end, PARENT])
        level -= 1
    return moves[::-1]
