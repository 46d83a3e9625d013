"""Decides a Canfield deal or position in classes, for ``moves=any-run, fill=any, return=no``.

The search goes from cheap to thorough: a short plain search, which decides most deals; an easier
game from the start, whose loss is a proof; then searches that are broken off and begun anew with
other orders of moves and keep what they proved lost, and that try the easier game in every
position; in the end one without limit.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from winnable.cards import RANK_COUNT, Card, make_card, rank_of, suit_of
from winnable.games.base import NO_LIMIT, Limits, Solution, Verdict
from winnable.games.canfield import classes_replay as columns
from winnable.games.canfield import rules as plain
from winnable.games.canfield.classes_free import (
    CHILD_SIZE,
    FRAME_SIZE,
    REFUTED,
    Stack,
    try_to_refute,
)
from winnable.games.canfield.classes_relaxed import FREE_STOCK, SEMI_FREE_STOCK
from winnable.games.canfield.classes_search import (
    COUNTERS,
    FREE_NODES,
    FREE_TABLE_CROWDED,
    LOST,
    NODES,
    NOISE,
    OUT_OF_NODES,
    RANDOM,
    TABLE_CROWDED,
    WON,
    begin_search,
    fill_line,
    search,
    take_back,
)
from winnable.games.canfield.classes_state import (
    ALL_REDUCTIONS,
    DEAL_SIZE,
    EASIER_GAME,
    MAX_DEPTH,
    MAX_MOVES,
    PACK,
    PLACES,
    RESERVE,
    RESTARTS,
    SEMI_FREE_GAME,
    Position,
    fill_deal,
    settled_waste,
)
from winnable.games.canfield.classes_table import (
    SLOTS,
    USED,
    Table,
    clear,
    copy_entries,
    grow_in_place,
)
from winnable.games.ruleset import Rules
from winnable.jit import interpreted

# Suits are renumbered so that bit 0 is the colour: clubs, diamonds, spades, hearts.
TO_CLASS_SUIT = (0, 1, 3, 2)
# What the rules must say for a search in classes.
NEEDED_RULES = {
    "moves": "any-run",
    "fill": "any",
    "return": "no",
}

FIRST_SLOTS = 1 << 14
# 128 MB, and half of it more while a table grows to that.
MOST_SLOTS = 1 << 23
# 1 GB: what a table may grow to when the caller asks for so many nodes that they need it.
MOST_SLOTS_ASKED = 1 << 26
# 64 MB; a table of an easier game that is full is cleared. With half of it, the hardest losses
# took more than twice as long.
MOST_FREE_SLOTS = 1 << 22
# Nodes, those of the easier games too, between two looks at the limits: a few milliseconds, so that
# an interrupt is answered at once.
PAUSE_NODES = 4000
# Where a deal is given up when the caller sets no limit: under ten seconds. The hardest of 4,000
# deals of the numbering `solvitaire` takes a quarter of it.
DEFAULT_MAX_NODES = 8_000_000
# Failed replays after which a deal is given up as unknown.
MOST_FAILED_REPLAYS = 1000


@dataclass(frozen=True)
class Effort:
    """How much is spent on each step, in nodes.

    first: the plain search. easier: the easier game from the start. rounds: how many searches are
    broken off, the first one after `round_nodes`, each next one after `growth` percent of that;
    noise, weights: their order of moves, see `classes_search.search`; test: the easier game in each
    position of these and of the last search.
    """

    first: int = 300
    easier: int = 500
    rounds: int = 60
    round_nodes: int = 300
    growth: int = 110
    noise: int = 1000
    weights: tuple[int, ...] = (480, 480, 480, 0, 0, 0)
    test: int = 100


# By trial on 1,500 other deals than the reported ones. Where kings go on aces most hard deals are
# won, and those lines bring cards up late, while they are of use as hosts; and the easier game is
# large, and tells less. Else most hard deals are lost, and the order is that of the first search,
# which meets fewer positions with an irregular waste before the regular one.
FULL_EFFORT = Effort()
BASE_EFFORT = Effort(
    first=500,
    easier=10_000,
    round_nodes=250,
    growth=150,
    noise=200,
    weights=(0, 64, 128, 192, 256, 320),
    test=10_000,
)


class _OutOfBudgetError(Exception):
    """A limit was hit; the argument names it."""


def can_solve(rules: Rules) -> bool:
    """Whether these rules are among those for which positions in classes are exact."""
    return all(rules.settings[name] == value for name, value in NEEDED_RULES.items())


def most_slots(max_nodes: int | None) -> int:
    """How many slots the table of a search may have, given the caller's limit on nodes.

    A table is crowded when half of it is taken, so that twice the nodes are always enough.
    """
    slots = MOST_SLOTS
    while max_nodes is not None and slots < min(2 * max_nodes, MOST_SLOTS_ASKED):
        slots *= 2
    return slots


def _new_table(slots: int) -> Table:
    table = Table(np.zeros(2 * slots, np.int64), np.zeros(3, np.int64))
    clear(table.head, slots)
    return table


def _new_stack() -> Stack:
    return Stack(
        np.zeros((MAX_DEPTH, FRAME_SIZE), np.int64),
        np.zeros((1 + MAX_DEPTH * MAX_MOVES, CHILD_SIZE), np.int64),
        np.zeros(MAX_MOVES, np.int64),
    )


def _class_card(card: Card, base: int) -> int:
    return 4 * ((rank_of(card) - base) % RANK_COUNT) + TO_CLASS_SUIT[suit_of(card)]


def _plain_card(card: int, base: int) -> Card:
    return make_card((card // 4 + base) % RANK_COUNT, TO_CLASS_SUIT[card % 4])


@cache
def _plain_move(code: int, base: int) -> plain.Move:
    """A column move as the plain rules have it; they are few, and made again in every win."""
    kind, card, target = code >> 12, code >> 6 & 63, code & 63
    if kind == columns.TURN:
        return plain.Move(plain.TURN)
    if kind == columns.REDEAL:
        return plain.Move(plain.REDEAL)
    moved = _plain_card(card, base)
    if kind == columns.TO_FOUNDATION:
        return plain.Move(plain.UP, moved)
    on = None if target == columns.NO_TARGET else _plain_card(target, base)
    return plain.Move(plain.MOVE, moved, on)


@cache
def _move_text(code: int, base: int) -> str:
    return str(_plain_move(code, base))


class ClassSolver:
    """Solves deals one after the other with tables of its own: one object a thread."""

    def __init__(self, reductions: int = ALL_REDUCTIONS, effort: Effort | None = None) -> None:
        self._reductions = reductions
        self._effort = effort
        self._deal = np.zeros(DEAL_SIZE, np.int64)
        self._table = _new_table(FIRST_SLOTS)
        self._free_table = _new_table(FIRST_SLOTS)
        self._stack = _new_stack()
        self._free_stack = _new_stack()
        self._counters = np.zeros(COUNTERS, np.int64)
        self._order = np.zeros(7, np.int64)
        self._line = np.zeros(MAX_DEPTH + 1, np.int64)
        self._board = columns.Board(
            np.zeros((4, PACK), np.int64),
            np.zeros(RESERVE, np.int64),
            np.zeros(PLACES, np.int64),
            np.zeros(4, np.int64),
            np.zeros(columns.COUNTS, np.int64),
            np.zeros(columns.MOST_COLUMN_MOVES, np.int64),
        )

    def solve(self, deal: plain.State, rules: Rules, limits: Limits) -> Solution:
        """Decide a deal or a position; a win is replayed by the plain rules.

        Nodes are the positions entered, those of the easier games too. A limit on seconds may be
        passed by the time of a few thousand nodes.
        """
        before = time.perf_counter()
        self._start(plain.start(deal, rules), rules, limits, before)
        limit = None
        moves = None
        try:
            is_won = self._decide()
        except _OutOfBudgetError as stopped:
            is_won, limit = False, str(stopped)
        if is_won:
            moves = self._replayed(rules)
        elif limit is None and self._failed_replays:
            limit = "replays"
        nodes = self._nodes()
        seconds = time.perf_counter() - before
        if moves is not None:
            score = {"foundation_found": PACK}
            return Solution(Verdict.WINNABLE, moves, nodes, seconds, score=score)
        verdict = Verdict.UNWINNABLE if limit is None else Verdict.UNKNOWN
        return Solution(verdict, None, nodes, seconds, limit, {"foundation_found": None})

    def _start(self, state: plain.State, rules: Rules, limits: Limits, before: float) -> None:
        """Set everything to the start of play."""
        self._state = state
        self._rules = rules
        self._most_nodes = limits.nodes_or(DEFAULT_MAX_NODES)
        self._most_slots = most_slots(limits.max_nodes)
        self._stop = limits.stop
        self._deadline = None if limits.max_seconds is None else before + limits.max_seconds
        self._failed_replays = 0
        base = state.base
        self._full_wrap = int(rules.settings["wrap"] == "full")
        self._draw = int(rules.settings["draw"])
        self._redeals = int(rules.settings["redeals"] == "unlimited")
        stock = [_class_card(card, base) for card in (*state.waste, *state.stock)]
        reserve = [_class_card(card, base) for card in self._state.reserve]
        piles = [[_class_card(card, base) for card in pile] for pile in self._state.columns]
        self._piles = (stock, reserve, piles)
        fill_deal(
            self._deal,
            15 * self._full_wrap,
            self._draw,
            self._redeals,
            self._reductions,
            np.array(stock, np.int64),
            np.array(reserve, np.int64),
        )
        self._heights = [0] * 4
        for suit, height in enumerate(state.foundations):
            self._heights[TO_CLASS_SUIT[suit]] = height
        self._at = Position(
            (1 << len(stock)) - 1,
            sum(1 << card for pile in piles for card in pile),
            sum(1 << pile[0] for pile in piles if pile),
            sum(1 << 4 * rank + suit for suit in range(4) for rank in range(self._heights[suit])),
            len(reserve),
            interpreted(settled_waste)(len(state.waste), len(stock), self._draw, self._redeals),
        )
        # With redeals the conditions of the semi-free game are for play from a settled waste, and
        # card by card every card is available anyway.
        is_semi_free = self._reductions & SEMI_FREE_GAME
        if self._redeals:
            is_semi_free = is_semi_free and self._at.waste == 0 and self._draw == 3
        self._game = SEMI_FREE_STOCK if is_semi_free else FREE_STOCK
        self._counters[:] = 0
        clear(self._table.head, FIRST_SLOTS)

    def _nodes(self) -> int:
        return int(self._counters[NODES] + self._counters[FREE_NODES])

    def _decide(self) -> bool:
        """Whether the deal is won; a loss is certain unless replays failed."""
        effort = self._effort or (FULL_EFFORT if self._full_wrap else BASE_EFFORT)
        self._order[1:] = effort.weights
        if not self._reductions & RESTARTS:
            return bool(self._search(NO_LIMIT, 0, 0))
        won = self._search(effort.first, 0, 0)
        if won is not None:
            return won
        test = 0
        if self._reductions & EASIER_GAME:
            if self._refuted(effort.easier):
                return False
            test = effort.test
        nodes = effort.round_nodes
        for _ in range(effort.rounds):
            won = self._search(nodes, effort.noise, test)
            if won is not None:
                return won
            nodes = nodes * effort.growth // 100
        return bool(self._search(NO_LIMIT, 0, test))

    def _check_limits(self) -> None:
        if self._nodes() >= self._most_nodes:
            raise _OutOfBudgetError("nodes")
        if self._stop is not None and self._stop[0]:
            raise _OutOfBudgetError("stopped")
        if self._deadline is not None and time.perf_counter() >= self._deadline:
            raise _OutOfBudgetError("seconds")

    def _refuted(self, max_nodes: int) -> bool:
        """Whether the easier game from the start is lost, as far as `max_nodes` tell."""
        self._check_limits()
        slots = FIRST_SLOTS
        while slots < 2 * max_nodes + 2:
            slots *= 2
        if 2 * slots > len(self._free_table.cells):
            self._free_table = _new_table(slots)
        clear(self._free_table.head, slots)
        outcome, nodes = try_to_refute(
            self._deal, self._at, self._game, max_nodes, self._free_table, self._free_stack
        )
        self._counters[FREE_NODES] += nodes
        return bool(outcome == REFUTED)

    def _search(self, nodes: int, noise: int, test: int) -> bool | None:
        """Search from the start for so many nodes; None when that is not enough."""
        counters = self._counters
        stop = int(counters[NODES]) + nodes
        counters[RANDOM] += 1
        order = self._order
        order[NOISE] = noise
        if begin_search(self._deal, self._at, self._table, self._stack, order, counters):
            return self._has_real_line() or None
        while True:
            self._check_limits()
            pause = min(self._nodes() + PAUSE_NODES, self._most_nodes)
            outcome = search(
                self._deal,
                self._table,
                self._stack,
                stop,
                pause,
                order,
                self._game,
                self._free_table,
                self._free_stack,
                test,
                counters,
            )
            if outcome == LOST:
                return False
            if outcome == WON and self._has_real_line():
                return True
            if outcome == OUT_OF_NODES and counters[NODES] >= stop:
                take_back(self._table, self._stack, counters)
                return None
            if outcome == TABLE_CROWDED:
                self._grow_table()
            elif outcome == FREE_TABLE_CROWDED:
                self._grow_free_table(test)

    def _grow_table(self) -> None:
        """Twice the slots for the search, with all its entries."""
        slots = int(self._table.head[SLOTS])
        if 2 * slots > self._most_slots:
            raise _OutOfBudgetError("memory")
        if 4 * slots <= len(self._table.cells):
            grow_in_place(self._table)
        else:
            table = _new_table(2 * slots)
            copy_entries(self._table, table)
            self._table = table

    def _grow_free_table(self, test: int) -> None:
        """Twice the slots for the easier game, or, at the limit, as many but empty."""
        table = self._free_table
        slots = int(table.head[SLOTS])
        if 2 * slots > MOST_FREE_SLOTS and table.head[USED]:
            clear(table.head, slots)
        elif 4 * slots <= len(table.cells):
            grow_in_place(table)
        else:
            self._free_table = _new_table(2 * slots)
            copy_entries(table, self._free_table)

    def _has_real_line(self) -> bool:
        """Whether the line just found can be played on columns; the column moves are kept."""
        count = fill_line(self._deal, self._at, self._stack, self._counters, self._line)
        board = self._fresh_board()
        if columns.play_line(board, self._line, count) == count:
            return True
        self._failed_replays += 1
        if self._failed_replays > MOST_FAILED_REPLAYS:
            raise _OutOfBudgetError("replays")
        return False

    def _fresh_board(self) -> columns.Board:
        board = self._board
        stock, reserve, piles = self._piles
        counts = board.counts
        counts[:] = 0
        for number, pile in enumerate(piles):
            board.columns[number, : len(pile)] = pile
            counts[number] = len(pile)
        board.reserve[: len(reserve)] = reserve
        board.stock[: len(stock)] = stock
        board.up[:] = self._heights
        counts[columns.IN_RESERVE] = len(reserve)
        counts[columns.IN_STOCK] = len(stock)
        counts[columns.IN_WASTE] = len(self._state.waste)
        counts[columns.FULL_WRAP] = self._full_wrap
        counts[columns.PACKET] = self._draw
        counts[columns.REDEALS] = self._redeals
        return board

    def _replayed(self, rules: Rules) -> tuple[str, ...]:
        """The column moves as text, once the plain rules have confirmed that they win."""
        board = self._board
        codes: Any = board.written[: board.counts[columns.WRITTEN]].tolist()
        base = self._state.base
        moves = [_plain_move(code, base) for code in codes]
        end = plain.replay(self._state, moves, rules)
        if not plain.is_won(end):
            raise AssertionError(f"the moves {moves} do not win {self._state}")
        return tuple([_move_text(code, base) for code in codes])


# The solver of each thread, kept from deal to deal.
_KEPT = threading.local()


def solve_classes(deal: plain.State, rules: Rules, limits: Limits) -> Solution:
    """Decide one deal or position with the thread's solver; see `ClassSolver.solve`."""
    if not hasattr(_KEPT, "solver"):
        _KEPT.solver = ClassSolver()
    solver: ClassSolver = _KEPT.solver
    return solver.solve(deal, rules, limits)
