"""The table of Tri-Peaks."""

from __future__ import annotations

from winnable.games.tripeaks.rules import COVERED_BY, ROW_SIZES, TABLEAU_SIZE, State, is_open
from winnable.games.tripeaks.text import row_and_place
from winnable.pages.tables.piles import RIGHT, STRIDE, Heap, Pile

# How far a row lies below the one that it covers, in card heights.
_ROW_HEIGHT = 0.5
_WASTE_SHOWN = 12


def layout(start: State) -> list[Pile]:
    """A pile for each of the 28 places, the stock, and the waste."""
    places = [_place(index, x) for index, x in enumerate(_lefts())]
    return [
        *places,
        Pile("stock", 0, 1, caption="stock", is_counted=True),
        Pile("waste", 2 * STRIDE, 1, fan=RIGHT, last=_WASTE_SHOWN, caption="waste"),
    ]


def _lefts() -> list[float]:
    """The left edge of each place: a card lies midway above the two that cover it."""
    first_of_last_row = TABLEAU_SIZE - ROW_SIZES[-1]
    lefts: dict[int, float] = {}
    for index in reversed(range(TABLEAU_SIZE)):
        covering = COVERED_BY[index]
        if covering:
            lefts[index] = sum(lefts[above] for above in covering) / len(covering)
        else:
            lefts[index] = STRIDE * (index - first_of_last_row)
    return [lefts[index] for index in range(TABLEAU_SIZE)]


def _place(index: int, x: float) -> Pile:
    row, place = row_and_place(index)
    return Pile(f"row {row}, place {place}", x, 0, _ROW_HEIGHT * (row - 1), has_slot=False)


def heaps(state: State) -> list[Heap]:
    """What lies on each pile; covered cards of the tableau are face down."""
    tableau = [
        Heap() if card is None else Heap((card,), int(not is_open(state, place)))
        for place, card in enumerate(state.tableau)
    ]
    stock = Heap(state.stock[::-1], len(state.stock))
    return [*tableau, stock, Heap(state.waste)]
