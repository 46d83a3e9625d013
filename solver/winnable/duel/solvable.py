"""Whether a player of a two-player game can go out at all, when both players help.

Importing this module imports numba.
"""

from __future__ import annotations

import time

import numpy as np

from winnable.arrays import LongArray
from winnable.duel import convert
from winnable.duel.graph_line import check_known, moves_along
from winnable.duel.position import Player, State
from winnable.duel.position_graph import EXPANDED, NONE, WON, Graph, new_graph, with_room
from winnable.duel.rules import begun
from winnable.duel.solvable_search import (
    EXHAUSTED,
    FOUND,
    NO_ROOM,
    NODES,
    PRIORITIES,
    STOPPED,
    priority_of,
    search_helped,
)
from winnable.duel.tables import Variant
from winnable.games.base import Limits, Solution, Verdict
from winnable.search.open_list import OpenList, new_open_list, push
from winnable.search.stopping import GIVE_UP, stop_array, stopping_after

DEFAULT_NODES = 200_000
_VERDICTS = {FOUND: Verdict.WINNABLE, EXHAUSTED: Verdict.UNWINNABLE}
# Exhausted but for ways that a draw by quiet turns ends: another way to the same positions might
# have been in time.
_ALL_DRAWN = -1
_LIMIT_NAMES = {NODES: "nodes", STOPPED: "seconds", _ALL_DRAWN: "quiet turns"}


def solvable(
    state: State, variant: Variant, player: Player, limits: Limits | None = None
) -> Solution:
    """Whether some game from a position ends with the player going out.

    Parameters
    ----------
    state:
        The position; what was before it does not count for repetition.
    player:
        0 or 1.
    limits:
        See `Limits`.

    Returns
    -------
    `winnable` with a line of play that the plain rules have replayed, `unwinnable` when no position
    that can be reached is such an end, else `unknown`; the limit is "quiet turns" when all that is
    left is ways that meet the draw by these.

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
        has_won = state.outcome.winner == player
        verdict = Verdict.WINNABLE if has_won else Verdict.UNWINNABLE
        return Solution(verdict, () if has_won else None, 0, 0.0)
    stop = stop_array(limits.stop)
    with np.errstate(over="ignore"), stopping_after(stop, limits.max_seconds):
        graph, befores, end = _search(state, variant, player, limits, stop)
        moves = None
        if end == FOUND:
            found, last = moves_along(graph, _way(befores, player), state, variant)
            assert last.outcome is not None
            assert last.outcome.winner == player
            moves = tuple(map(str, found))
    return Solution(
        _VERDICTS.get(end, Verdict.UNKNOWN),
        moves,
        int(graph.counts[EXPANDED]),
        time.perf_counter() - started,
        "stopped" if end == STOPPED and stop[0] == GIVE_UP else _LIMIT_NAMES.get(end),
    )


def _search(
    state: State, variant: Variant, player: Player, limits: Limits, stop: LongArray
) -> tuple[Graph, np.ndarray[tuple[int], np.dtype[np.int32]], int]:
    """The graph, the position before each, and why the search ended."""
    table = convert.table_of(state, variant)
    graph = new_graph(table.cells, table.words)
    queue = new_open_list(PRIORITIES, len(graph.movers))
    befores = np.full(len(graph.movers), NONE, np.int32)
    quiets = np.full(len(graph.movers), state.quiet, np.int32)
    drawn = np.zeros(1, np.int64)
    push(queue, WON, priority_of(graph, WON, player))
    codes = convert.codes_of(variant)
    end = NO_ROOM
    while end == NO_ROOM:
        graph = with_room(graph)
        more = len(graph.movers) - len(befores)
        befores = np.concatenate([befores, np.full(more, NONE, np.int32)])
        quiets = np.concatenate([quiets, np.zeros(more, np.int32)])
        queue = _with_entries(queue, more)
        most = limits.nodes_or(DEFAULT_NODES)
        end = int(search_helped(graph, codes, queue, befores, quiets, drawn, player, most, stop))
    if end == EXHAUSTED and drawn[0] > 0:
        end = _ALL_DRAWN
    return graph, befores, end


def _with_entries(queue: OpenList, more: int) -> OpenList:
    """The list with room for more entries."""
    unused = np.zeros(more, np.int32)
    return queue._replace(
        items=np.concatenate([queue.items, unused]),
        following=np.concatenate([queue.following, unused]),
    )


def _way(befores: np.ndarray[tuple[int], np.dtype[np.int32]], player: Player) -> list[int]:
    """The positions on the way to the player's win, without the first one."""
    way = [int(player)]
    while befores[way[-1]] != WON:
        way.append(int(befores[way[-1]]))
    return way[::-1]
