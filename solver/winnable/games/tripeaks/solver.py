"""Decides one Tri-Peaks deal or position, with its winning line.

The search is in the kernels of `exact`; here it is fed, and its line replayed by the plain rules.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import cache

import numpy as np

from winnable.arrays import LongArray
from winnable.cards import Card, rank_of
from winnable.games.base import (
    Limits,
    Solution,
    Verdict,
)
from winnable.games.ruleset import Rules
from winnable.games.tripeaks import rules as plain
from winnable.games.tripeaks.exact import (
    ANY_CARD,
    fill_neighbours,
    fill_next_fit,
    fill_reach,
    trace_line,
)
from winnable.games.tripeaks.graph import PLACES, STOCK_CARDS, tripeaks_graph

# More than the pass can have.
_ALL_NODES = 1 << 40


@cache
def _mask_index() -> dict[int, int]:
    return {mask: index for index, mask in enumerate(tripeaks_graph().masks.tolist())}


def _ranks(cards: list[Card | None]) -> LongArray:
    """Ranks of cards, 0 for a card that is gone: no edge that is reached uses its place."""
    return np.array([0 if card is None else rank_of(card) for card in cards], np.int64)


def solve(deal: plain.State, rules: Rules, limits: Limits) -> Solution:
    """Decide a deal or a position by the exact pass, with the fewest stock cards.

    Nodes are the ways to play a card from the tableaus that can be reached. A limit on seconds is
    never hit, as the pass takes milliseconds.
    """
    before = time.perf_counter()
    state = plain.start(deal, rules)
    line, nodes = _best_line(state, rules, limits)
    if nodes < 0:
        seconds = time.perf_counter() - before
        return Solution(
            Verdict.UNKNOWN, None, limits.max_nodes or 0, seconds, "nodes", _score(None)
        )
    if line is None:
        seconds = time.perf_counter() - before
        return Solution(Verdict.UNWINNABLE, None, nodes, seconds, score=_score(None))
    end = plain.replay(state, line, rules)
    if not plain.is_won(end):
        raise AssertionError(f"the line {line} does not win {state}")
    moves = tuple(map(str, line))
    seconds = time.perf_counter() - before
    return Solution(Verdict.WINNABLE, moves, nodes, seconds, score=_score(end))


def _score(end: plain.State | None) -> dict[str, int | None]:
    if end is None:
        return {"stock_turned": None, "stock_left": None}
    return {"stock_turned": end.stock_turned, "stock_left": len(end.stock)}


def _best_line(
    state: plain.State, rules: Rules, limits: Limits
) -> tuple[list[plain.Move] | None, int]:
    """The line with the fewest stock cards, None when lost; and the nodes, -1 for too many."""
    graph = tripeaks_graph()
    start = _mask_index()[sum(1 << p for p, card in enumerate(state.tableau) if card is not None)]
    tableau = _ranks(list(state.tableau))
    stock = _ranks([None] * state.stock_turned + list(state.stock))
    top = rank_of(state.waste[-1]) if state.waste else ANY_CARD
    wrap = int(rules.settings["wrap"] == "yes")
    neighbours = np.empty((PLACES, PLACES), np.uint8)
    next_fit = np.empty((PLACES, STOCK_CARDS + 1), np.uint8)
    reach = np.empty(len(graph.place), np.uint8)
    fill_neighbours(tableau, wrap, neighbours)
    fill_next_fit(tableau, stock, state.stock_turned, wrap, next_fit)
    nodes = fill_reach(
        graph,
        tableau,
        neighbours,
        next_fit,
        start,
        top,
        state.stock_turned,
        wrap,
        min(limits.max_nodes or _ALL_NODES, _ALL_NODES),
        reach,
    )
    if nodes < 0:
        return None, -1
    places, positions = np.empty((2, PLACES), np.int64)
    begin = trace_line(graph, start, neighbours, reach, places, positions)
    if begin < 0:
        return None, int(nodes)
    plays = zip(places[begin:].tolist(), positions[begin:].tolist(), strict=True)
    return _moves(state, plays), int(nodes)


def _moves(state: plain.State, plays: Iterable[tuple[int, int]]) -> list[plain.Move]:
    """Plays, each with the stock cards turned by then, as the moves of the plain rules."""
    moves = []
    turned = state.stock_turned
    for place, position in plays:
        drawn = state.stock[turned - state.stock_turned : position - state.stock_turned]
        moves += [plain.Move(plain.TURN, card) for card in drawn]
        card = state.tableau[place]
        assert card is not None
        moves.append(plain.Move(plain.PLAY, card))
        turned = position
    return moves
