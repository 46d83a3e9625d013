"""The table of Spider."""

from __future__ import annotations

from winnable.cards import Suit
from winnable.games.spider.rules import (
    COLUMN_COUNT,
    RUN_COUNT,
    State,
    complete_run,
    suits_of,
)
from winnable.pages.tables.piles import DOWN, STRIDE, Heap, Pile


def layout(start: State) -> list[Pile]:
    """Stock and complete runs above, the columns below."""
    first_run = COLUMN_COUNT - RUN_COUNT
    runs = [
        Pile(
            f"complete run {number + 1}",
            STRIDE * (first_run + number),
            0,
            caption="" if number else "runs",
        )
        for number in range(RUN_COUNT)
    ]
    columns = [
        Pile(f"column {number + 1}", STRIDE * number, 1, fan=DOWN, caption=str(number + 1))
        for number in range(COLUMN_COUNT)
    ]
    return [Pile("stock", 0, 0, caption="stock", is_counted=True), *runs, *columns]


def heaps(state: State) -> list[Heap]:
    """What lies on each pile; of a complete run the king is on top."""
    columns = [
        Heap(column, hidden) for column, hidden in zip(state.columns, state.hidden, strict=True)
    ]
    runs = [
        Heap(complete_run(suit)[::-1] if is_complete else ())
        for suit, is_complete in _run_places(state)
    ]
    return [Heap(state.stock[::-1], len(state.stock)), *runs, *columns]


def _run_places(state: State) -> list[tuple[Suit, bool]]:
    """The suit of each place for a run, and whether one lies there: each suit has its own."""
    suits = sorted(suits_of(state))
    share = RUN_COUNT // len(suits)
    return [(suit, number < state.finished[suit]) for suit in suits for number in range(share)]
