"""Looks for shorter ways to win a deal of Spider, by more beams along the best line so far."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from winnable.arrays import LongArray
from winnable.cards import KING, Card, make_card, rank_of, suit_of
from winnable.games.base import Limits, Solution
from winnable.games.ruleset import Rules
from winnable.games.spider import rules as plain
from winnable.games.spider.ladder import Rung
from winnable.games.spider.solver import Search, replayed, shortened, task_of
from winnable.games.spider.state import COUNT_SHIFT, DEALT, SOURCE_SHIFT
from winnable.search.stopping import stop_array, stopping_after

# Enough for some dozens of narrow beams: about three seconds.
DEFAULT_MAX_NODES = 1_000_000
# Beams begin at the start of the line, and behind these parts of it.
PARTS = 4
WIDTHS = (60, 200, 1000)
NOISE_SHIFTS = range(3, 40, 2)


def fewest_moves(at: plain.State) -> int:
    """A number of moves that no win of a position has fewer of.

    When a run leaves the table, each of its cards but the king lies on the next higher card of its
    suit. What a card lies on changes only when it is dealt, or is the first of the cards that a
    move takes. So each card of the table that lies on something else, or on nothing, and is no king
    needs a move of its own; and each row of the stock has to be dealt. A card of the stock needs
    one too if, when it is dealt, no card that it belongs on can be on the table.
    """
    needed = sum(
        rank_of(card) != KING and (place == 0 or column[place - 1] != _higher(card))
        for column in at.columns
        for place, card in enumerate(column)
    )
    there = {card for column in at.columns for card in column}
    for first in range(0, len(at.stock), plain.COLUMN_COUNT):
        row = at.stock[first : first + plain.COLUMN_COUNT]
        needed += sum(rank_of(card) != KING and _higher(card) not in there for card in row)
        there |= set(row)
    return needed + len(at.stock) // plain.COLUMN_COUNT


def _higher(card: Card) -> Card:
    """What a card other than a king lies on in a run."""
    return make_card(rank_of(card) + 1, suit_of(card))


def with_fewer_moves(
    deal: plain.State, rules: Rules, limits: Limits, solution: Solution
) -> Solution:
    """The answer for a deal that is won, with the shortest line found within the limits.

    Parameters
    ----------
    limits: without any, `DEFAULT_MAX_NODES` holds. Their effort is not used.
    """
    before = time.perf_counter()
    at = plain.start(deal, rules)
    best = [plain.parse_move(move) for move in solution.moves or ()]
    bound, task = fewest_moves(at), task_of(at, rules)
    left = limits.nodes_or(DEFAULT_MAX_NODES)
    stop = stop_array(limits.stop)
    nodes = 0
    with stopping_after(stop, limits.max_seconds):
        for rung, part in _tries():
            if len(best) <= bound or nodes >= left or stop[0]:
                break
            kept = best[: len(best) * part // PARTS]
            middle = plain.replay(at, kept, rules)
            search = Search(task_of(middle, rules), left - nodes, stop)
            line = search.climb(rung).line
            nodes += search.nodes
            if line is not None:
                found = shortened(np.concatenate([_kernel_moves(kept), line]), task)
                best = min(best, found, key=len)
    return replace(
        solution,
        moves=replayed(at, best, rules),
        nodes=solution.nodes + nodes,
        seconds=solution.seconds + time.perf_counter() - before,
        moves_bound=bound,
    )


def _tries() -> Iterator[tuple[Rung, int]]:
    """The beams to try, and behind how many parts of the best line each begins."""
    for shift, width, part in product(NOISE_SHIFTS, WIDTHS, range(PARTS)):
        yield Rung(width, noise_shift=shift), part


def _kernel_moves(moves: list[plain.Move]) -> LongArray:
    """Moves of the plain rules as the kernels write them."""
    return np.array(
        [
            DEALT
            if move.kind == plain.DEAL
            else move.size << COUNT_SHIFT | move.source << SOURCE_SHIFT | move.target
            for move in moves
        ],
        np.int64,
    )
