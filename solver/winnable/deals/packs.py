"""Packs as programs hold them before they are shuffled."""

from __future__ import annotations

from winnable.cards import RANK_COUNT, SUITS, Card, make_card


def by_suit(order: str) -> list[Card]:
    """The suits in this order, such as "CDHS", each from ace to king."""
    suits = [SUITS.index(name) for name in order]
    return [make_card(rank, suit) for suit in suits for rank in range(RANK_COUNT)]


def by_rank(order: str) -> list[Card]:
    """The four aces with their suits in this order, the four twos and so on."""
    suits = [SUITS.index(name) for name in order]
    return [make_card(rank, suit) for rank in range(RANK_COUNT) for suit in suits]


def pysol_pack() -> list[Card]:
    """PySolFC's pack."""
    return by_suit("CSHD")
