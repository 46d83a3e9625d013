"""Where each numbering's cards go: from 52 cards in dealing order to the layout of Canfield.

Every program deals the piles in an order of its own. All are written as places in the *common
order*, AisleRiot's: 13 cards to the reserve, the last on top; the four columns from left to right;
the base card; the stock, the card turned first coming first.
"""

from __future__ import annotations

from collections.abc import Sequence

from winnable.cards import PACK_SIZE, Card
from winnable.games.canfield.rules import COLUMN_COUNT, RESERVE_SIZE, STOCK_SIZE, State, dealt

COLUMNS = RESERVE_SIZE
BASE = COLUMNS + COLUMN_COUNT
STOCK = BASE + 1

_AISLERIOT = tuple(range(PACK_SIZE))
# Base, reserve, columns from right to left, stock; the three cards that PySolFC turns at the
# start are the stock's first: turning them is part of the rules here.
_PYSOL = (*range(1, 14), *range(17, 13, -1), 0, *range(18, PACK_SIZE))
# Stock, the first card dealt at its bottom and so turned last; reserve, columns, base.
_SOLVITAIRE = (
    *range(STOCK_SIZE, STOCK_SIZE + RESERVE_SIZE + COLUMN_COUNT),
    PACK_SIZE - 1,
    *range(STOCK_SIZE - 1, -1, -1),
)

# For each numbering and each place of the common order: which card dealt comes there.
ORDERS: dict[str, tuple[int, ...]] = {
    "winnable": _AISLERIOT,
    "pysol": _PYSOL,
    "ms": _PYSOL,
    "aisleriot": _AISLERIOT,
    "solvitaire": _SOLVITAIRE,
}


def laid_out(cards: Sequence[Card], numbering: str) -> State:
    """The deal of 52 cards in the dealing order of a numbering."""
    common = [cards[i] for i in ORDERS[numbering]]
    return dealt(common[BASE], common[:COLUMNS], common[COLUMNS:BASE], common[STOCK:])
