"""The most cards that can be on Canfield's foundations at once, with a line that has them there.

The search is in the kernels of `best_search`; here it is fed, and its line replayed by the plain
rules. First it asks for all cards only, which decides whether the deal can be won; then for more
cards than were found, until there are none; if that takes too long, for so many more that the
answer comes sooner, which still bounds what can be reached.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

import numpy as np

from winnable.cards import PACK_SIZE
from winnable.games.base import NO_LIMIT, Limits
from winnable.games.canfield import best_search, state
from winnable.games.canfield import rules as plain
from winnable.games.canfield.best_easier import try_easier
from winnable.games.canfield.best_search import (
    COMPLETE,
    COUNTS,
    ENTRIES,
    EXHAUSTED,
    FOUND,
    LINE_LENGTH,
    NODES,
    RANDOM,
    STOPPED,
    WAS_LONG,
    Easier,
    Way,
    search_for_more,
)
from winnable.games.canfield.search import changed_setup
from winnable.games.canfield.search_semi_free import can_be_lost, semi_free_setup
from winnable.games.canfield.search_table import new_stack, new_table
from winnable.games.canfield.solver import position_of, replayed, setup_of
from winnable.games.canfield.state import Position, Setup, may_be_long, swaps_tails
from winnable.games.canfield.state_moves import apply_move
from winnable.games.canfield.state_safe import after_safe_moves, safe_move
from winnable.games.ruleset import Rules
from winnable.search.stopping import stop_array, stopping_after

# Nodes at which a deal is given up when the caller sets no limit: a few seconds.
DEFAULT_MAX_NODES = 3_000_000
# More than a second brings.
NODES_A_SECOND = 1_000_000
# Under rules with returns a way can be as long as the search; memory is used as far as it gets.
_DEPTHS = 1 << 17
_MOVES = 1 << 22
_EASIER_DEPTH = 100


@dataclass(frozen=True)
class Effort:
    """How nodes are spent.

    first_try: nodes of the first try of a search; each further one has `growth` hundredths of the
        nodes of the one before, and `noise` in the order of moves.
    easier: nodes of the easier game from the start after the first try, ten times as many when
        the search itself has spent that many, and so on.
    easier_inside: nodes of it in each position of the further tries.
    without_returns: hundredths of the nodes for searches without returns, where the rules have
        them; win: for the search for a win; bound: kept back for a bound when there is no answer.
    """

    first_try: int = 1000
    growth: int = 130
    noise: int = 600
    easier: int = 30_000
    easier_inside: int = 100
    without_returns: int = 15
    win: int = 30
    bound: int = 20


@dataclass(frozen=True)
class Best:
    """The most cards on the foundations at once.

    Attributes
    ----------
    found: cards on the foundations after `moves`, replayed by the plain rules.
    bound: no line has more of them there at any time; equal to `found` when that is exact.
    moves: a line in the game's notation.
    nodes: positions looked at.
    seconds: wall time.
    limit: which limit kept it from being exact, None when it is: "nodes", "seconds", "stopped",
        or "memory" or "depth" of the search.
    """

    found: int
    bound: int
    moves: tuple[str, ...]
    nodes: int
    seconds: float
    limit: str | None


def most_cards(
    deal: plain.State,
    rules: Rules,
    limits: Limits,
    reductions: int = state.ALL_REDUCTIONS,
    effort: Effort | None = None,
) -> Best:
    """Find the most cards that can be on the foundations at once; 52 when the deal can be won.

    Parameters
    ----------
    limits: without any, `DEFAULT_MAX_NODES` holds.
    reductions: bits of those to use; tests leave some out.
    effort: how nodes are spent; tests spend them in haste.
    """
    before = time.perf_counter()
    hunt = _Hunt(plain.start(deal, rules), rules, limits, reductions, effort or Effort())
    with stopping_after(hunt.way.timer, limits.max_seconds):
        hunt.run()
    moves, last = replayed(hunt.dealt, hunt.line, rules)
    if plain.cards_up(last) != hunt.found:
        raise AssertionError(f"the line {moves} does not bring up {hunt.found} cards: {last}")
    words = tuple(map(str, moves))
    seconds = time.perf_counter() - before
    return Best(hunt.found, hunt.bound, words, hunt.spent(), seconds, hunt.limit)


# The arrays of each thread, kept from deal to deal.
_KEPT = threading.local()


def _thread_way() -> Way:
    if not hasattr(_KEPT, "way"):
        _KEPT.way = Way(
            np.zeros((_DEPTHS, 7), np.int64),
            np.zeros(_MOVES, np.int32),
            np.zeros((_DEPTHS, 2), np.int64),
            np.zeros((_DEPTHS, 3), np.int64),
            np.zeros(_DEPTHS, np.int32),
            np.zeros(COUNTS, np.int64),
            np.zeros(1, np.int64),
            np.zeros(1, np.int64),
        )
        _KEPT.easier_stack = new_stack(_EASIER_DEPTH)
    way: Way = _KEPT.way
    return way


def _most_nodes(limits: Limits) -> int:
    """The nodes that the searches share; a limit on seconds alone becomes one on nodes as well."""
    if limits.max_seconds is None:
        return limits.nodes_or(DEFAULT_MAX_NODES)
    likely = int(NODES_A_SECOND * (1 + limits.max_seconds))
    return min(limits.nodes_or(NO_LIMIT), likely)


class _Hunt:
    """One deal: the searches, one after the other, and what they have shown so far."""

    def __init__(
        self,
        dealt: plain.State,
        rules: Rules,
        limits: Limits,
        reductions: int,
        effort: Effort,
    ) -> None:
        self.dealt = dealt
        self.setup = setup_of(dealt, rules, reductions)
        self.at = position_of(dealt, self.setup)
        self.way = _thread_way()._replace(stop=stop_array(limits.stop))
        self.way.counts[:] = 0
        self.most_nodes = _most_nodes(limits)
        self.effort = effort
        self.easier_nodes = np.zeros(2, np.int64)
        self.bound = PACK_SIZE
        self.line: list[int] = []
        self.found = 0
        self.end = EXHAUSTED

    @property
    def limit(self) -> str | None:
        """Which limit was hit, None when the bound was reached."""
        if self.found == self.bound:
            return None
        if self.end == STOPPED and self.way.stop[0] != 0:
            return "stopped"
        return _LIMIT_NAMES[self.end]

    def spent(self) -> int:
        """The nodes of both games so far."""
        return int(self.way.counts[NODES] + self.easier_nodes[0])

    def run(self) -> None:
        """Search until the bound is reached or a limit hit."""
        effort, most = self.effort, self.most_nodes
        if self.setup.returns == 1 and self.setup.reductions & state.NO_RETURNS_FIRST:
            stricter = changed_setup(self.setup, 0, self.setup.reductions)
            share = most * effort.without_returns // 100
            self._search(stricter, PACK_SIZE - 1, share // 2)
            self._search(stricter, 0, share)
        self._narrow(self.setup, PACK_SIZE - 1, self.spent() + most * effort.win // 100)
        self._narrow(self.setup, 0, most - most * effort.bound // 100)
        gap = 1
        while not self._is_done() and self.found + gap < self.bound:
            left = most - self.spent()
            self._narrow(self.setup, self.found + gap, self.spent() + max(left // 4, 1))
            gap *= 2

    def _is_done(self) -> bool:
        is_out = self.spent() >= self.most_nodes or self.end == STOPPED
        return self.found == self.bound or is_out

    def _narrow(self, setup: Setup, threshold: int, most: int) -> None:
        """Search for more cards than a threshold; the end of it bounds them."""
        if self._is_done() or threshold >= self.bound:
            return
        is_proof = self._search(setup, threshold, most)
        if self.end == EXHAUSTED and not is_proof:
            exact = changed_setup(setup, setup.returns, setup.reductions & ~state.TAIL_SWAPS)
            is_proof = self._search(exact, threshold, most)
        if is_proof:
            self.bound = min(self.bound, max(threshold, self.found))

    def _search(self, setup: Setup, threshold: int, most: int) -> bool:
        """Search with other orders of moves by turns; whether an end of it is a proof."""
        way, effort = self.way, self.effort
        counts = way.counts
        counts[ENTRIES] = counts[RANDOM] = 0
        counts[WAS_LONG] = setup.full_wrap == 1 and swaps_tails(setup) and may_be_long(self.at)
        start = after_safe_moves(setup, self.at)
        easier_setup = semi_free_setup(setup)
        stack = _KEPT.easier_stack
        has_easier = can_be_lost(setup, start)
        table, easier_table = new_table(), new_table()
        budget, noise, inside = effort.first_try, 0, 0
        easier_budget, easier_after = effort.easier, 0
        first_nodes = int(counts[NODES])
        most = min(most, self.most_nodes)
        while True:
            easier = Easier(easier_setup, inside, stack, self.easier_nodes)
            last = min(most, self.spent() + budget)
            end, table, easier_table = search_for_more(
                setup, start, threshold, last, noise, easier, way, table, easier_table
            )
            self.end = int(end)
            self._keep_line(setup)
            if end == COMPLETE:
                return True
            if end == EXHAUSTED:
                return not counts[WAS_LONG]
            if end not in _WORTH_ANOTHER_TRY or self.spent() >= most:
                return False
            if has_easier and counts[NODES] - first_nodes >= easier_after:
                easier_table = new_table()
                self.easier_nodes[1] = 0
                is_bounded, easier_table = try_easier(
                    easier_setup,
                    start,
                    max(threshold, self.found),
                    min(easier_budget, most - self.spent()),
                    stack,
                    self.easier_nodes,
                    way.stop,
                    way.timer,
                    easier_table,
                )
                if is_bounded:
                    self.end = EXHAUSTED
                    return True
                easier_after = 10 * easier_budget
                easier_budget *= 10
                if setup.returns == 0:
                    inside = effort.easier_inside
            budget = budget * effort.growth // 100
            noise = effort.noise
            counts[RANDOM] += 7919

    def _keep_line(self, setup: Setup) -> None:
        """Take over the line of the best position, with its safe moves, if there is a new one."""
        counts = self.way.counts
        if counts[FOUND] <= self.found:
            return
        self.found = int(counts[FOUND])
        self.line = []
        at = self._with_safe_moves(setup, self.at)
        for move in self.way.line[: counts[LINE_LENGTH]].tolist():
            self.line.append(move)
            at = self._with_safe_moves(setup, apply_move(setup, at, move))

    def _with_safe_moves(self, setup: Setup, at: Position) -> Position:
        """The position after its safe moves, which are appended to the line."""
        move = safe_move(setup, at)
        while move != state.NO_MOVE:
            self.line.append(int(move))
            at = apply_move(setup, at, move)
            move = safe_move(setup, at)
        return at


_WORTH_ANOTHER_TRY = (best_search.OUT_OF_NODES, best_search.OUT_OF_DEPTH)
_LIMIT_NAMES = {
    EXHAUSTED: "nodes",
    best_search.OUT_OF_NODES: "nodes",
    best_search.OUT_OF_TABLE: "memory",
    best_search.OUT_OF_DEPTH: "depth",
    STOPPED: "seconds",
}
