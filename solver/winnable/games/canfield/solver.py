"""Decides a Canfield deal or position under any rules, with a winning line.

The search is in the kernels of `search`; here it is fed, and its line replayed by the plain rules.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import numpy as np

from winnable.cards import PACK_SIZE, RANK_COUNT, SUIT_COUNT, Card, make_card
from winnable.games.base import NO_LIMIT, Limits, Solution, Verdict
from winnable.games.canfield import rules as plain
from winnable.games.canfield import search, state
from winnable.games.canfield.search import LOST, WON, Plan, Work, decide
from winnable.games.canfield.search_beam import NO_BEAMS
from winnable.games.canfield.search_table import (
    LARGE_SLOTS,
    MAX_DEPTH,
    MOST_SLOTS_ASKED,
    new_stack,
)
from winnable.games.canfield.state import (
    Position,
    Setup,
)
from winnable.games.canfield.state_stock import settled_waste
from winnable.games.ruleset import Rules
from winnable.jit import interpreted
from winnable.search.stopping import GIVE_UP, stop_array, stopping_after

# Nodes at which a hard deal is given up when the caller sets no limit: a few seconds, and up to
# twenty where ends of columns move one by one, since there the last hard deals need that many.
DEFAULT_MAX_NODES = 5_000_000
DEFAULT_MAX_NODES_TOP = 18_000_000
# Lines have been seen of up to a few hundred moves; each depth adds one and its safe moves.
_LINE_SIZE = MAX_DEPTH + PACK_SIZE * MAX_DEPTH // 10
EASIER_DEPTH = 100
# Found by trying, on deals of the numbering `winnable`. Under the base wrap most hard deals are
# lost, and the semi-free game shows it; under the full wrap most can be won, and by lines that
# bring cards up late, while they are of use as hosts: so these moves come late in the order, which
# is much disturbed. Where ends of columns move one by one, the semi-free game, in which runs do,
# tells little.
_LATE_UP = np.array([480, 480, 480, 0, 0, 0, 0, 0])
_LATE_UP_EARLY_ROOTS = np.array([240, 480, 480, -300, 0, 0, 300, 0])
# Found by trying on deals of the numbering `solvitaire` that took long: cards on the foundations
# count for nothing or less, those that cover the next ones for much. A beam's node costs five times
# as much as the search's, so that there is none before the deal is known to be hard.
_BEAMS = np.array(
    [
        [300_000, 1000, -10, 40, 25, 10, 8, 1, 5, 6, 4],
        [1_000_000, 3000, 0, 80, 15, 5, 2, 0, 1, 1, 4],
    ]
)
_BASE_PLAN = Plan(
    first_try=1000,
    growth=130,
    noise=1000,
    semi_free=200_000,
    semi_free_most=NO_LIMIT,
    semi_free_inside=100,
    without_returns=500_000,
    weights=_LATE_UP_EARLY_ROOTS,
    beams=NO_BEAMS,
    table_slots=LARGE_SLOTS,
)
_FULL_PLAN = _BASE_PLAN._replace(semi_free=5_000, semi_free_inside=0, weights=_LATE_UP)
_FULL_TOP_PLAN = _FULL_PLAN._replace(
    semi_free_most=500_000, weights=_LATE_UP_EARLY_ROOTS, beams=_BEAMS
)

# Suits of kernels (clubs, diamonds, spades, hearts) by suits of cards, and back.
KERNEL_SUITS = (0, 1, 3, 2)

_MOVES = {"any-run": state.ANY_RUN, "whole": state.WHOLE, "whole-or-top": state.WHOLE_OR_TOP}
_LIMIT_NAMES = {
    search.OUT_OF_NODES: "nodes",
    search.OUT_OF_TABLE: "memory",
    search.OUT_OF_DEPTH: "depth",
    search.STOPPED: "seconds",
}


# The arrays of each thread, kept from deal to deal.
_KEPT = threading.local()


def _thread_work() -> Work:
    if not hasattr(_KEPT, "work"):
        _KEPT.work = new_work()
    work: Work = _KEPT.work
    return work


def new_work() -> Work:
    """Arrays for one thread, about 2 MB."""
    return Work(
        new_stack(MAX_DEPTH),
        new_stack(EASIER_DEPTH),
        np.zeros(4, np.int64),
        np.zeros(4, np.int64),
        np.zeros(1, np.int64),
        np.zeros(_LINE_SIZE, np.int64),
    )


def plan_for(rules: Rules) -> Plan:
    """How to spend the nodes under these rules."""
    if rules.settings["wrap"] == "base":
        return _BASE_PLAN
    return _FULL_PLAN if rules.settings["moves"] == "any-run" else _FULL_TOP_PLAN


def default_nodes(rules: Rules) -> int:
    """Nodes at which a deal is given up when the caller sets no limit."""
    is_slow = rules.settings["moves"] == "whole-or-top"
    return DEFAULT_MAX_NODES_TOP if is_slow else DEFAULT_MAX_NODES


def most_slots(max_nodes: int | None) -> int:
    """How many slots the table of a search may have, given the caller's limit on nodes.

    Only nodes that were asked for, above those of the default limits, get more memory than these.
    """
    slots = LARGE_SLOTS
    if max_nodes is None or max_nodes <= DEFAULT_MAX_NODES_TOP:
        return slots
    # A table is full when seven of eight slots are taken.
    while slots // 8 * 7 < max_nodes and slots < MOST_SLOTS_ASKED:
        slots *= 2
    return slots


def kernel_card(card: Card, base: int) -> int:
    """A card as kernels number it, given the base rank."""
    rank = (card // SUIT_COUNT - base) % RANK_COUNT
    return SUIT_COUNT * rank + KERNEL_SUITS[card % SUIT_COUNT]


def plain_card(card: int, base: int) -> Card:
    """The card that kernels give this number."""
    return make_card((card // SUIT_COUNT + base) % RANK_COUNT, KERNEL_SUITS[card % SUIT_COUNT])


def setup_of(at: plain.State, rules: Rules, reductions: int = state.ALL_REDUCTIONS) -> Setup:
    """The fixed part of a deal and its rules for kernels; the stock's order begins at its waste."""
    cards = [kernel_card(card, at.base) for card in (*at.waste, *at.stock)]
    order = np.zeros(plain.STOCK_SIZE, np.int64)
    position = np.full(PACK_SIZE, -1, np.int64)
    order[: len(cards)] = cards
    position[cards] = np.arange(len(cards))
    reserve = np.zeros(plain.RESERVE_SIZE, np.int64)
    reserve[: len(at.reserve)] = [kernel_card(card, at.base) for card in at.reserve]
    return Setup(
        **rule_values(rules),
        reductions=reductions,
        semi_free=0,
        stock_size=len(cards),
        order=order,
        position=position,
        reserve=reserve,
    )


def rule_values(rules: Rules) -> dict[str, int]:
    """The rules as the integers of a `Setup`."""
    settings = rules.settings
    return {
        "full_wrap": int(settings["wrap"] == "full"),
        "moves": _MOVES[settings["moves"]],
        "fill_from_waste": int(settings["fill"] == "waste"),
        "returns": int(settings["return"] == "yes"),
        "draw": int(settings["draw"]),
        "unlimited": int(settings["redeals"] == "unlimited"),
    }


def position_of(at: plain.State, setup: Setup) -> Position:
    """A position of the plain rules as kernels see it."""
    tableau = roots = second_host = up = 0
    for column in at.columns:
        cards = [kernel_card(card, at.base) for card in column]
        tableau |= sum(1 << card for card in cards)
        roots |= sum(1 << card for card in cards[:1])
        for host, card in zip(cards, cards[1:], strict=False):
            second_host |= (host >> 1 & 1) << card
    for suit, count in enumerate(at.foundations):
        up |= sum(1 << (SUIT_COUNT * rank + KERNEL_SUITS[suit]) for rank in range(count))
    left = len(at.waste) + len(at.stock)
    waste = interpreted(settled_waste)(setup, len(at.waste), left)
    return Position((1 << left) - 1, tableau, roots, second_host, up, len(at.reserve), int(waste))


def plain_moves(at: plain.State, move: int, rules: Rules) -> Iterator[plain.Move]:
    """The moves of the plain rules that a kernel's move stands for."""
    kind, target_number = move >> 12, move & 63
    card = plain_card(move >> 6 & 63, at.base)
    target = None if target_number == state.NO_CARD else plain_card(target_number, at.base)
    if kind in (state.STOCK_UP, state.STOCK_MOVE):
        yield from _turns_to(at, card, rules)
    if kind == state.TABLEAU_UP:
        column = next(column for column in at.columns if card in column)
        tail = column[column.index(card) + 1 :]
        if tail:
            twin = plain_card((move >> 6 & 63) ^ 2, at.base)
            yield plain.Move(plain.MOVE, tail[0], twin)
    if kind in (state.TABLEAU_UP, state.RESERVE_UP, state.STOCK_UP):
        yield plain.Move(plain.UP, card)
    elif kind == state.RETURN_MOVE:
        yield plain.Move(plain.DOWN, card, target)
    else:
        yield plain.Move(plain.MOVE, card, target)


def _turns_to(at: plain.State, card: Card, rules: Rules) -> Iterator[plain.Move]:
    """The turns and redeals until a card is the waste's top."""
    # A pass from here and another from the start show every card that can be shown.
    for _ in range(2 * plain.STOCK_SIZE + 2):
        if at.waste and at.waste[-1] == card:
            return
        move = plain.Move(plain.TURN if at.stock else plain.REDEAL)
        at = plain.apply(at, move, rules)
        yield move
    raise AssertionError(f"turning the stock of {at} never shows {card}")


def replayed(
    at: plain.State, line: list[int], rules: Rules
) -> tuple[list[plain.Move], plain.State]:
    """A kernel's line as moves of the plain rules, and the position after them."""
    moves = []
    for kernel_move in line:
        for move in plain_moves(at, kernel_move, rules):
            at = plain.apply(at, move, rules)
            moves.append(move)
    return moves, at


def solve(
    deal: plain.State,
    rules: Rules,
    limits: Limits,
    reductions: int = state.ALL_REDUCTIONS,
    work: Work | None = None,
) -> Solution:
    """Decide a deal or a position by exhaustive search; a win has been replayed.

    Parameters
    ----------
    limits: without any, `default_nodes` holds.
    reductions: bits of those to use; tests leave some out.
    work: arrays to use; by default those of the thread.

    Returns
    -------
    The answer. Its score "foundation_found" is 52 for a win, else the most cards that the search
    saw on the foundations, which need not be the most that can be reached.
    """
    before = time.perf_counter()
    at = plain.start(deal, rules)
    setup = setup_of(at, rules, reductions)
    work = _thread_work() if work is None else work
    most = limits.nodes_or(default_nodes(rules))
    stop = stop_array(limits.stop)
    work = work._replace(stop=stop)
    with stopping_after(stop, limits.max_seconds):
        plan = plan_for(rules)._replace(table_slots=most_slots(limits.max_nodes))
        end, length = decide(setup, position_of(at, setup), plan, most, work)
    nodes = int(work.counts[0])
    if end == WON:
        moves, last = replayed(at, work.line[:length].tolist(), rules)
        if not plain.is_won(last):
            raise AssertionError(f"the line {moves} does not win {at}")
        words = tuple(map(str, moves))
        seconds = time.perf_counter() - before
        return Solution(
            Verdict.WINNABLE, words, nodes, seconds, score={"foundation_found": PACK_SIZE}
        )
    seconds = time.perf_counter() - before
    score = {"foundation_found": max(int(work.counts[3]), plain.cards_up(at))}
    if end == LOST:
        return Solution(Verdict.UNWINNABLE, None, nodes, seconds, score=score)
    limit = "stopped" if stop[0] == GIVE_UP else _LIMIT_NAMES[int(end)]
    return Solution(Verdict.UNKNOWN, None, nodes, seconds, limit, score)
