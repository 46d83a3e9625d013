"""Who wins a two-player game with best play, when all cards are known: proved, or unknown.

Importing this module imports numba.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

import numpy as np

from winnable.arrays import LongArray
from winnable.duel import convert
from winnable.duel.graph_line import check_known, moves_along
from winnable.duel.judge_search import (
    INFINITE,
    NO_ROOM,
    STOPPED,
    Numbers,
    new_numbers,
    new_way,
    search,
    widen,
    with_depths,
    with_numbers,
)
from winnable.duel.judge_values import (
    AGAINST_WIN,
    FOR_WIN,
    Region,
    Structure,
    next_in_line,
    region_of,
    settle,
    structure_of,
)
from winnable.duel.position import Move, Player, State
from winnable.duel.position_graph import (
    EXPANDED,
    NONE,
    POSITIONS,
    WON,
    Graph,
    new_graph,
    with_room,
)
from winnable.duel.rules import begun
from winnable.duel.tables import QUIET_TURNS, Variant
from winnable.games.base import Limits
from winnable.search.stopping import GIVE_UP, stop_array, stopping_after

# Nodes a side where nothing else is said: some seconds, and less than a gigabyte.
DEFAULT_NODES = 200_000
# The fewest steps of a search between two looks at what the graph decides.
LEAST_STEPS = 5_000
# What a search has to expand between two looks, at least, and an eighth of the graph more.
LEAST_WIDENING = 50


class Standing(str, Enum):
    """Who wins with best play: the player who has the first turn of the game, the other, nobody.

    unknown: a limit was hit first.
    """

    FIRST = "first"
    SECOND = "second"
    DRAW = "draw"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Judgement:
    """The answer about one position.

    standing: who wins; proved unless unknown.
    excluded: of `first` and `second`, those who were proved not to be able to force a win.
    moves: where somebody wins, a line that he can force: he takes the way that the proof takes,
        the opponent the way that holds out longest in it. Replayed by the plain rules.
    nodes: positions whose moves were looked at.
    seconds: wall time.
    limit: what kept it from being decided: "nodes", "seconds", "stopped", or "quiet turns" when
        the proofs that there are might meet the draw by them.
    """

    standing: Standing
    excluded: tuple[Standing, ...]
    moves: tuple[Move, ...] | None
    nodes: int
    seconds: float
    limit: str | None = None


def judge(state: State, variant: Variant, limits: Limits | None = None) -> Judgement:
    """Who wins from a position with best play.

    Parameters
    ----------
    state:
        The position. What was before it does not count for repetition; its count of quiet turns
        does count.
    limits:
        Nodes for each of the two proofs; see `Limits`.

    Raises
    ------
    InputError
        For rules that `check_known` refuses.
    """
    check_known(variant)
    limits = limits or Limits()
    started = time.perf_counter()
    state = begun(state, variant, state.mover)
    if state.outcome is not None:
        return _over(state)
    stop = stop_array(limits.stop)
    judging = _Judging(state, variant)
    with np.errstate(over="ignore"), stopping_after(stop, limits.max_seconds):
        limit = judging.run(limits.nodes_or(DEFAULT_NODES), stop)
        moves = judging.line() if judging.winner is not None else None
    return Judgement(
        standing=judging.standing(),
        excluded=tuple(_named(state, player) for player in judging.excluded),
        moves=moves,
        nodes=int(judging.graph.counts[EXPANDED]),
        seconds=time.perf_counter() - started,
        limit=limit,
    )


def _named(state: State, player: Player) -> Standing:
    return Standing.FIRST if player == state.starter else Standing.SECOND


def _over(state: State) -> Judgement:
    assert state.outcome is not None
    winner = state.outcome.winner
    losers = tuple(_named(state, player) for player in range(2) if player != winner)
    standing = Standing.DRAW if winner is None else _named(state, winner)
    return Judgement(standing, losers, (), 0, 0.0)


class _Judging:
    """One position in work: the graph, the two searches, and what they came to."""

    def __init__(self, state: State, variant: Variant) -> None:
        self.state = state
        self.variant = variant
        self.codes = convert.codes_of(variant)
        table = convert.table_of(state, variant)
        self.graph: Graph = new_graph(table.cells, table.words)
        self.numbers: list[Numbers] = [new_numbers(), new_numbers()]
        self.way = new_way()
        self.structure: Structure | None = None
        self.region: Region | None = None
        self.winner: Player | None = None
        self.excluded: list[Player] = []

    def standing(self) -> Standing:
        """What is proved."""
        if self.winner is not None:
            return _named(self.state, self.winner)
        return Standing.DRAW if len(self.excluded) == 2 else Standing.UNKNOWN

    def run(self, max_nodes: int, stop: LongArray) -> str | None:
        """Search for both players by turns; return the limit that was hit, None when decided."""
        left = [max_nodes, max_nodes]
        while True:
            for player in (self.state.mover, 1 - self.state.mover):
                if player in self.excluded or left[player] == 0:
                    continue
                before = int(self.graph.counts[EXPANDED])
                reason = self._search(player, before + left[player], stop)
                self._look()
                if self.standing() is Standing.UNKNOWN and player not in self.excluded:
                    self._widen(player, before, left[player])
                spent = int(self.graph.counts[EXPANDED]) - before
                left[player] -= spent
                if self.standing() is not Standing.UNKNOWN:
                    return None
                if reason == STOPPED:
                    return "stopped" if stop[0] == GIVE_UP else "seconds"
                if spent == 0:
                    # All that can be reached is known: a draw by quiet turns stands in the way.
                    return "quiet turns"
            if not any(left[player] for player in range(2) if player not in self.excluded):
                return "nodes"

    def _widen(self, player: Player, before: int, most: int) -> None:
        """Expand some more for a player whose search did little since `before` were expanded."""
        spent = int(self.graph.counts[EXPANDED]) - before
        wanted = min(most, LEAST_WIDENING + before // 8) - spent
        if wanted > 0:
            self._make_room(player)
            widen(self.graph, self.codes, self.numbers[player], player, wanted)

    def _make_room(self, player: Player) -> None:
        self.graph = with_room(self.graph)
        self.numbers[player] = with_numbers(self.numbers[player], self.graph)
        self.way = with_depths(self.way, self.graph)

    def _search(self, player: Player, max_expanded: int, stop: LongArray) -> int:
        """Search for one player for a while; return why it came back."""
        max_steps = LEAST_STEPS + int(self.graph.counts[POSITIONS])
        reason = NO_ROOM
        while reason == NO_ROOM:
            self._make_room(player)
            reason = int(
                search(
                    self.graph,
                    self.codes,
                    self.numbers[player],
                    self.way,
                    player,
                    max_expanded,
                    max_steps,
                    stop,
                )
            )
        return reason

    def _look(self) -> None:
        """See what the graph decides, and tell the searches."""
        self.structure = structure_of(self.graph)
        for player in range(2):
            for purpose in (FOR_WIN, AGAINST_WIN):
                region = region_of(self.graph, self.structure, player, purpose)
                numbers = self.numbers[player]
                known = int(numbers.known[0])
                settle(region, purpose, numbers.proofs[:known], numbers.disproofs[:known], INFINITE)
                is_in = region.ranks[WON] != NONE
                if purpose == AGAINST_WIN and not is_in and player not in self.excluded:
                    self.excluded.append(player)
                if purpose == FOR_WIN and is_in and self._is_soon_enough(region):
                    self.winner, self.region = player, region
                    if 1 - player not in self.excluded:
                        self.excluded.append(1 - player)
                    return

    def _is_soon_enough(self, region: Region) -> bool:
        """Whether no draw by quiet turns can come before the first foundation card."""
        return self.state.quiet + int(region.heights[WON]) < QUIET_TURNS

    def line(self) -> tuple[Move, ...]:
        """A line of play to the win, checked by the plain rules."""
        moves, last = moves_along(self.graph, self._way(), self.state, self.variant)
        assert last.outcome is not None
        assert last.outcome.winner == self.winner
        return moves

    def _way(self) -> Iterator[int]:
        """The positions on a way to the win, without the first one."""
        assert self.structure is not None
        assert self.region is not None
        assert self.winner is not None
        number = WON
        while number >= WON:
            number = int(next_in_line(self.graph, self.structure, self.region, self.winner, number))
            yield number
