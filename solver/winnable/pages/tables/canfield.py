"""The table of Canfield."""

from __future__ import annotations

from winnable.cards import SUIT_COUNT, SYMBOLS
from winnable.games.canfield.rules import COLUMN_COUNT, State, foundation_cards
from winnable.pages.tables.piles import DOWN, RIGHT, STRIDE, Heap, Pile

_SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")
# Foundations and columns stand below each other, to the right of stock, waste and reserve.
_FIRST_COLUMN = 3.2 * STRIDE
# On a small screen the stock's caption is wider than a card.
_WASTE = 1.25 * STRIDE
# As many cards of the waste lie apart as are turned at a time.
_WASTE_SHOWN = 3


def layout(start: State) -> list[Pile]:
    """Stock, waste and foundations above; the reserve and the columns below."""
    lefts = [_FIRST_COLUMN + STRIDE * number for number in range(COLUMN_COUNT)]
    foundations = [
        Pile(f"foundation of {_SUIT_WORDS[suit]}", lefts[suit], 0, caption=SYMBOLS[suit])
        for suit in range(SUIT_COUNT)
    ]
    columns = [
        Pile(f"column {number}", x, 1, fan=DOWN, caption=str(number))
        for number, x in enumerate(lefts, start=1)
    ]
    return [
        Pile("stock", 0, 0, caption="stock", is_counted=True),
        Pile("waste", _WASTE, 0, fan=RIGHT, last=_WASTE_SHOWN, caption="waste", is_counted=True),
        *foundations,
        Pile("reserve", 0, 1, fan=DOWN, caption="reserve", is_counted=True),
        *columns,
    ]


def heaps(state: State) -> list[Heap]:
    """What lies on each pile; of the reserve only the top card is face up."""
    return [
        Heap(state.stock[::-1], len(state.stock)),
        Heap(state.waste),
        *(Heap(foundation_cards(state, suit)) for suit in range(SUIT_COUNT)),
        Heap(state.reserve, max(0, len(state.reserve) - 1)),
        *map(Heap, state.columns),
    ]
