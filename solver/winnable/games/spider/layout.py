"""Where each numbering's cards go: from 104 cards in dealing order to the layout of Spider.

All programs deal 54 cards to the columns and 50 to the stock, in orders of their own. A game of
two suits or one is in all of them the deal of four suits with other suits on its cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from winnable.cards import SUITS, Card, make_card, rank_of, suit_of
from winnable.games.spider.rules import (
    COLUMN_COUNT,
    STOCK_SIZE,
    TABLE_SIZE,
    State,
    dealt,
)


@dataclass(frozen=True)
class Order:
    """How a program deals.

    columns: for each of the 54 table cards in dealing order, the column that it comes to, 0 to 9.
    stock: for each card of the stock, the one dealt to column 1 first, its place among the 104;
        the table cards come first.
    two_suits: the suits that stand for clubs, diamonds, hearts and spades in a game of two suits.
    """

    columns: tuple[int, ...]
    stock: tuple[int, ...]
    two_suits: str


# The extra card of four columns lies below the face-up row (PySolFC), on it (AisleRiot), or comes
# to the first four columns (KPat, Microsoft).
_APART = (0, 3, 6, 9)
_ROW = tuple(range(COLUMN_COUNT))
_PYSOL_COLUMNS = _ROW * 4 + _APART + _ROW
_AISLERIOT_COLUMNS = _ROW * 5 + _APART
_ROUND_ROBIN = _ROW * 5 + _ROW[:4]

_STOCK_LAST = tuple(range(TABLE_SIZE, TABLE_SIZE + STOCK_SIZE))
# KPat deals each row of its stock from right to left.
_KPAT_STOCK = tuple(
    TABLE_SIZE + row + COLUMN_COUNT - 1 - column
    for row in range(0, STOCK_SIZE, COLUMN_COUNT)
    for column in range(COLUMN_COUNT)
)

# A game of two suits in which colours are kept. PySolFC has clubs in place of spades there, and in
# its game of one suit; that is a matter of names.
_BY_COLOUR = "SHHS"
_ALTERNATING = "HSHS"

_PYSOL = Order(_PYSOL_COLUMNS, _STOCK_LAST, _BY_COLOUR)
ORDERS: dict[str, Order] = {
    "winnable": Order(_ROUND_ROBIN, _STOCK_LAST, _BY_COLOUR),
    "pysol": _PYSOL,
    "ms": _PYSOL,
    "kpat": Order(_ROUND_ROBIN, _KPAT_STOCK, _ALTERNATING),
    "aisleriot": Order(_AISLERIOT_COLUMNS, _STOCK_LAST, _ALTERNATING),
}


def laid_out(cards: Sequence[Card], numbering: str, suits: str) -> State:
    """The deal of 104 cards of four suits in the dealing order of a numbering.

    Parameters
    ----------
    cards:
        Card codes, each twice.
    numbering:
        Whose order it is.
    suits:
        The rules' number of suits, "4", "2" or "1".
    """
    order = ORDERS[numbering]
    shown = [recoloured(card, order, suits) for card in cards]
    columns: list[list[Card]] = [[] for _ in _ROW]
    for column, card in zip(order.columns, shown, strict=False):
        columns[column].append(card)
    return dealt(columns, [shown[place] for place in order.stock])


def recoloured(card: Card, order: Order, suits: str) -> Card:
    """The card that stands for this one in a game of so many suits."""
    names = {"4": SUITS, "2": order.two_suits, "1": "SSSS"}[suits]
    return make_card(rank_of(card), SUITS.index(names[suit_of(card)]))
