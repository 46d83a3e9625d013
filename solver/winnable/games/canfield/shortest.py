"""Short winning lines of Canfield, and how short they could be at best.

A known line is shortened by beam searches around it, wider and wider; A* proves how many moves
every win takes at least. The kernels are in `shortest_search`; what they find is replayed by the
plain rules.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from winnable.errors import InputError
from winnable.games.base import Limits
from winnable.games.canfield import rules as plain
from winnable.games.canfield import shortest_search as kernels
from winnable.games.canfield import state
from winnable.games.canfield.shortest_search import Pool, new_beam, new_pool
from winnable.games.canfield.shortest_state import (
    after_step,
    first_key,
    moves_to_come,
    second_key,
    step_cost,
)
from winnable.games.canfield.solver import kernel_card, position_of, replayed, setup_of
from winnable.games.ruleset import Rules
from winnable.search.open_list import new_open_list
from winnable.search.stopping import stop_array, stopping_after

# Positions expanded when the caller sets no limit at all: about ten seconds' work.
DEFAULT_MAX_NODES = 4_000_000
# A first A* that is enough for late positions, and for no more than that.
QUICK_NODES = 2_000
QUICK_POSITIONS = 60_000
# Forty bytes each, and twelve for the open list: 260 MB.
MOST_POSITIONS = 5_000_000
# Beam searches before the proof, with a share of nodes and seconds. They find most of what there
# is to find, and the shorter the line the less the proof has to look at.
FIRST_WIDTHS = (16, 64, 256, 1024, 4096)
FIRST_SHARE = 0.4
# And those after a proof that ran out of memory, as long as there is time.
LAST_WIDTHS = (20_000,) * 10
# Positions that come to the pool for each of a level's: 250 for the narrowest beams, 50 to 150
# for wide ones. A beam that needs more than there is room for ends early.
POSITIONS_A_WIDTH = 300
# What a beam search takes the moves to come for, see `shortest_search.likely_moves`. On six deals,
# none of five choices was better than the others by more than chance.
WEIGHTS = (16, 16, 0, 16)

NO_LIMIT = 1 << 60
_LIMIT_NAMES = {
    kernels.OUT_OF_NODES: "nodes",
    kernels.OUT_OF_POOL: "memory",
    kernels.STOPPED: "seconds",
}


@dataclass(frozen=True)
class Shortest:
    """A short win and what is proved about shorter ones.

    Attributes
    ----------
    moves: the shortest winning line found, in the game's notation, replayed by the plain rules.
    bound: no winning line has fewer moves; the length of `moves` when that is proved shortest.
    nodes: positions expanded.
    seconds: wall time.
    limit: None when proved shortest, else what ended the search: "nodes", "seconds" or "memory".
    """

    moves: tuple[str, ...]
    bound: int
    nodes: int
    seconds: float
    limit: str | None


def shortest(deal: plain.State, rules: Rules, won: Sequence[str], limits: Limits) -> Shortest:
    """Look for the fewest moves that win a deal or a position.

    A move is one of the game's notation: every turn, redeal, `up`, `move` and `down` counts, the
    filling of a column from the reserve does not.

    Parameters
    ----------
    won: a winning line, from which the search begins; what comes back is never longer.
    limits: without any, `DEFAULT_MAX_NODES` holds.

    Raises
    ------
    InputError
        When `won` is no winning line.
    """
    before = time.perf_counter()
    at = plain.start(deal, rules)
    search = _Search(at, rules, steps_of(at, rules, won), limits)
    search.run()
    moves, last = replayed(at, search.steps, rules)
    if not plain.is_won(last) or len(moves) != search.length:
        raise AssertionError(f"the line {moves} does not win {at} in {search.length} moves")
    seconds = time.perf_counter() - before
    return Shortest(tuple(map(str, moves)), search.bound, search.nodes, seconds, search.limit)


def steps_of(at: plain.State, rules: Rules, won: Sequence[str]) -> list[int]:
    """A winning line as steps of the kernels, without moves that change nothing.

    Turns go out: each step has as many as it needs. So do moves of a whole column to an empty one.
    """
    steps = []
    for number, written in enumerate(won, start=1):
        move = plain.parse_move(written)
        reason = plain.why_illegal(at, move, rules)
        if reason is not None:
            raise InputError(f"Move {number} of the winning line ({written}) is none: {reason}")
        step = _step_of(at, move)
        if step is not None:
            steps.append(step)
        at = plain.apply(at, move, rules)
    if not plain.is_won(at):
        raise InputError(f"The {len(won)} moves of the line win nothing.")
    return steps


_UP_KINDS = {
    plain.Pile.COLUMN: state.TABLEAU_UP,
    plain.Pile.RESERVE: state.RESERVE_UP,
    plain.Pile.WASTE: state.STOCK_UP,
}
_MOVE_KINDS = {
    plain.Pile.COLUMN: state.TAIL_MOVE,
    plain.Pile.RESERVE: state.RESERVE_MOVE,
    plain.Pile.WASTE: state.STOCK_MOVE,
    plain.Pile.FOUNDATION: state.RETURN_MOVE,
}


def _step_of(at: plain.State, move: plain.Move) -> int | None:
    """A legal move as a step; None when it is no step."""
    if move.card is None:
        return None
    card = kernel_card(move.card, at.base)
    place = plain.find(at, move.card)
    if move.kind == plain.UP:
        return int(state.move_code(_UP_KINDS[place.pile], card, state.NO_CARD))
    kind = _MOVE_KINDS[place.pile]
    if place.pile == plain.Pile.COLUMN and at.columns[place.number][0] == move.card:
        if move.target is None:
            return None
        kind = state.ROOT_MOVE
    target = state.NO_CARD if move.target is None else kernel_card(move.target, at.base)
    return int(state.move_code(kind, card, target))


class _Search:
    """One search: the line at hand and what is proved so far.

    Attributes
    ----------
    steps, length: the shortest win found, and its moves.
    bound, nodes, limit: as in `Shortest`.
    """

    def __init__(self, at: plain.State, rules: Rules, steps: list[int], limits: Limits) -> None:
        self._began = time.perf_counter()
        self._setup = setup_of(at, rules, reductions=0)
        self._start = position_of(at, self._setup)._replace(waste=len(at.waste))
        self._stop = stop_array(limits.stop)
        self._seconds = limits.max_seconds
        self._most = limits.nodes_or(DEFAULT_MAX_NODES)
        self.nodes = 0
        self.bound = int(moves_to_come(self._setup, self._start))
        self.limit: str | None = None
        self.steps, self.length = self._without_loops(steps)

    def _without_loops(self, steps: list[int]) -> tuple[list[int], int]:
        """A line without what leads back to a position that it has had, and its moves."""
        at, cost = self._start, 0
        kept: list[int] = []
        # Where each position of the line was first: the steps and moves before it.
        seen = {self._key(at): (0, 0)}
        for step in steps:
            cost += int(step_cost(self._setup, at, step))
            at = after_step(self._setup, at, step)
            kept.append(step)
            count, cost = seen.setdefault(self._key(at), (len(kept), cost))
            del kept[count:]
            seen = {key: place for key, place in seen.items() if place[0] <= count}
        return kept, cost

    @staticmethod
    def _key(at: state.Position) -> tuple[int, int]:
        return int(first_key(at)), int(second_key(at))

    def run(self) -> None:
        """Shorten the line and raise the bound until they meet or a limit is hit."""
        self._prove(QUICK_NODES, QUICK_POSITIONS)
        if self.bound < self.length:
            self._shorten(FIRST_WIDTHS, FIRST_SHARE)
        if self.bound < self.length:
            self._prove(self._nodes_left(1.0), MOST_POSITIONS)
        if self.limit == "memory":
            self._shorten(LAST_WIDTHS, 1.0)

    def _prove(self, most: int, positions: int) -> None:
        """A*, with limits of its own on nodes and positions."""
        pool = new_pool(positions)
        queue = new_open_list(self.length + 1, positions * 3 // 2)
        kernels.begin(self._setup, pool, self._start, self.length, self.bound)
        most = min(most, self._nodes_left(1.0))
        with stopping_after(self._stop, self._seconds_left(1.0)):
            end = kernels.expand_best(self._setup, pool, queue, most, self._stop)
        self._harvest(pool)
        self.bound = int(pool.counts[kernels.BOUND])
        self.limit = None if end == kernels.FINISHED else _LIMIT_NAMES[int(end)]

    def _shorten(self, widths: Sequence[int], share: float) -> None:
        """Beam searches around the line at hand, until a share of the limits is used."""
        weights = np.array(WEIGHTS, np.int64)
        for seed, width in enumerate(widths):
            positions = min(MOST_POSITIONS, width * POSITIONS_A_WIDTH)
            pool, beam = new_pool(positions), new_beam(width, positions)
            kernels.begin(self._setup, pool, self._start, self.length, self.bound)
            line = np.array(self.steps, np.int64)
            most = self._nodes_left(share)
            with stopping_after(self._stop, self._seconds_left(share)):
                end = kernels.widen(self._setup, pool, beam, line, weights, seed, most, self._stop)
            self._harvest(pool)
            if self.bound == self.length:
                self.limit = None
            if end in (kernels.OUT_OF_NODES, kernels.STOPPED) or self.limit is None:
                return

    def _harvest(self, pool: Pool) -> None:
        """Take the nodes of a search, and its line if it is shorter."""
        self.nodes += int(pool.counts[kernels.EXPANDED])
        line = np.zeros(self.length + 1, np.int64)
        count = kernels.fill_line(pool, line)
        if count:
            self.steps, self.length = self._without_loops(line[:count].tolist())

    def _nodes_left(self, share: float) -> int:
        """How many more nodes may be spent before this share of all is."""
        return max(0, int(self._most * share) - self.nodes)

    def _seconds_left(self, share: float) -> float | None:
        """How many more seconds, None without a limit on them."""
        if self._seconds is None:
            return None
        return self._seconds * share - (time.perf_counter() - self._began)
