"""Who wins a two-player game with best play, when all cards are known: proved, or unknown.

Importing this module imports numba.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import Enum

import numpy as np

from winnable.arrays import LongArray
from winnable.duel import convert
from winnable.duel.judge_search import (
    INFINITE,
    NODES,
    NO_ROOM,
    SETTLED,
    STOPPED,
    Numbers,
    new_numbers,
    new_way,
    search,
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
    number_of,
    with_room,
)
from winnable.duel.rules import apply, begun, legal_moves
from winnable.duel.tables import QUIET_TURNS, Variant
from winnable.errors import InputError
from winnable.games.base import Limits
from winnable.search.stopping import stop_array, stopping_after

# Nodes a side where nothing else is said: some seconds, and less than a gigabyte.
DEFAULT_NODES = 200_000
# The fewest steps of a search between two looks at what the graph decides.
LEAST_STEPS = 5_000


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
    limit: what kept it from being decided: "nodes", "seconds", "stopped", "depth" for lines that
        are too long, or "quiet turns" when the proof that was found might meet the draw by them.
    """

    standing: Standing
    excluded: tuple[Standing, ...]
    moves: tuple[Move, ...] | None
    nodes: int
    seconds: float
    limit: str | None = None


def check_known(variant: Variant) -> None:
    """Refuse rules under which a position's future does not follow from its cards and moves alone.

    Raises InputError for shuffled wastes, and for faults that the opponent may or may not see.
    """
    if variant.says("redeal") == "shuffle":
        raise InputError(
            "With redeal=shuffle the order of the cards to come is not known: only games with "
            "redeal=turn-over can be judged."
        )
    if variant.are_faults_called:
        raise InputError(
            "With stop=called it depends on what the opponent sees: only games with stop=enforced "
            "can be judged."
        )


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
                left[player] -= int(self.graph.counts[EXPANDED]) - before
                self._look()
                if self.standing() is not Standing.UNKNOWN:
                    return None
                if reason == STOPPED:
                    return "stopped" if stop[0] == 1 else "seconds"
                if reason == SETTLED and player not in self.excluded:
                    # Either the count of quiet turns stands in the way, or the way was too long.
                    is_win = self.numbers[player].proofs[WON] == 0
                    return "quiet turns" if is_win else "depth"
            if not any(left[player] for player in range(2) if player not in self.excluded):
                return "nodes"

    def _search(self, player: Player, max_expanded: int, stop: LongArray) -> int:
        """Search for one player for a while; return why it came back."""
        max_steps = LEAST_STEPS + int(self.graph.counts[POSITIONS])
        reason = NO_ROOM
        while reason == NO_ROOM:
            self.graph = with_room(self.graph)
            self.numbers[player] = with_numbers(self.numbers[player], self.graph)
            self.way = with_depths(self.way, self.graph)
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
        """The line of play to the win, found with the plain rules, move by move."""
        assert self.winner is not None and self.structure is not None and self.region is not None
        state, number = self.state, WON
        moves: list[Move] = []
        while state.outcome is None:
            number = int(
                next_in_line(self.graph, self.structure, self.region, self.winner, number)
            )
            move = next(
                move
                for move in legal_moves(state, self.variant)
                if self._number(apply(state, move, self.variant)) == number
            )
            moves.append(move)
            state = apply(state, move, self.variant)
        assert state.outcome.winner == self.winner
        return tuple(moves)

    def _number(self, state: State) -> int:
        """The number of a position in the graph."""
        if state.outcome is not None:
            return NONE if state.outcome.winner is None else state.outcome.winner
        table = convert.table_of(state, self.variant)
        return int(number_of(self.graph, table.cells, table.words))
