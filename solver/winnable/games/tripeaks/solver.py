"""Tri-Peaks solvers: one deal with its winning line, or many numbered deals at once.

This is the side of Python that checks, unwraps and wraps; the kernels are in `exact`, `playouts`
and `lanes`.
"""

from __future__ import annotations

import time
from functools import cache
from typing import Any

import numpy as np

from winnable.cards import Card, rank_of
from winnable.games.base import (
    Limits,
    Solution,
    Verdict,
)
from winnable.games.ruleset import Rules
from winnable.games.tripeaks import rules as plain
from winnable.games.tripeaks.exact import ANY_CARD, NEVER, fill_next_fit, fill_reach, trace_line
from winnable.games.tripeaks.graph import tripeaks_graph


@cache
def _mask_index() -> dict[int, int]:
    return {mask: index for index, mask in enumerate(tripeaks_graph().masks.tolist())}


def edge_count() -> int:
    """The nodes of one exact pass: the ways to play a card from any tableau mask."""
    return len(tripeaks_graph().card)


def _ranks(cards: list[Card | None]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Ranks of cards, 0 for a card that is gone: no kernel reads that place."""
    return np.array([0 if card is None else rank_of(card) for card in cards], np.int64)


def solve(deal: plain.State, rules: Rules, limits: Limits) -> Solution:
    """Decide a deal or a position by the exact pass, with the fewest stock cards.

    `max_nodes` is compared with the size of the pass, which is the same for every deal; a limit on
    seconds is never reached, as the pass takes milliseconds.
    """
    before = time.perf_counter()
    if limits.max_nodes is not None and limits.max_nodes < edge_count():
        seconds = time.perf_counter() - before
        return Solution(Verdict.UNKNOWN, None, 0, seconds, "nodes", _score(None))
    state = plain.start(deal, rules)
    line, nodes = _best_line(state, rules)
    seconds = time.perf_counter() - before
    if line is None:
        return Solution(Verdict.UNWINNABLE, None, nodes, seconds, score=_score(None))
    end = plain.replay(state, line, rules)
    if not plain.is_won(end):
        raise AssertionError(f"the line {line} does not win {state}")
    moves = tuple(map(str, line))
    return Solution(Verdict.WINNABLE, moves, nodes, seconds, score=_score(end))


def _score(end: plain.State | None) -> dict[str, int | None]:
    if end is None:
        return {"stock_turned": None, "stock_left": None}
    return {"stock_turned": end.stock_turned, "stock_left": len(end.stock)}


def _best_line(state: plain.State, rules: Rules) -> tuple[list[plain.Move] | None, int]:
    """The line with the fewest stock cards, None when lost, and how many edges can be played."""
    graph = tripeaks_graph()
    start = _mask_index()[sum(1 << p for p, card in enumerate(state.tableau) if card is not None)]
    tableau = _ranks(list(state.tableau))
    stock = _ranks([None] * state.stock_turned + list(state.stock))
    top = rank_of(state.waste[-1]) if state.waste else ANY_CARD
    wrap = int(rules.settings["wrap"] == "yes")
    next_fit = np.full((plain.TABLEAU_SIZE, plain.STOCK_SIZE + 1), NEVER, np.uint8)
    reach = np.empty(len(graph.card), np.uint8)
    fill_next_fit(tableau, stock, state.stock_turned, wrap, next_fit)
    nodes = fill_reach(
        graph.first_out,
        graph.card,
        graph.first_in,
        graph.in_edge,
        graph.in_card,
        tableau,
        next_fit,
        start,
        top,
        state.stock_turned,
        wrap,
        reach,
    )
    places = np.zeros(plain.TABLEAU_SIZE, np.int64)
    positions = np.zeros(plain.TABLEAU_SIZE, np.int64)
    begin = trace_line(
        graph.first_in,
        graph.in_edge,
        graph.in_card,
        graph.card,
        graph.source,
        tableau,
        start,
        wrap,
        reach,
        places,
        positions,
    )
    if begin < 0:
        return None, int(nodes)
    plays = zip(places[begin:].tolist(), positions[begin:].tolist(), strict=True)
    return _moves(state, plays), int(nodes)


def _moves(state: plain.State, plays: Any) -> list[plain.Move]:
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
