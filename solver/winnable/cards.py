"""Cards as small integers.

A card is ``4 * rank + suit``: ranks 0 (ace) to 12 (king), suits in the order clubs, diamonds,
hearts, spades. Plain rules and compiled kernels share this code and nothing else.
"""

from __future__ import annotations

from typing import TypeAlias

from winnable.errors import InputError

Card: TypeAlias = int
Rank: TypeAlias = int
Suit: TypeAlias = int

RANKS = "A23456789TJQK"
SUITS = "CDHS"
SYMBOLS = "♣♦♥♠"
ACE: Rank = 0
KING: Rank = 12
RANK_COUNT = len(RANKS)
SUIT_COUNT = len(SUITS)
PACK_SIZE = RANK_COUNT * SUIT_COUNT

_RANK_OF = {name: rank for rank, name in enumerate(RANKS)} | {"10": RANKS.index("T")}
_SUIT_OF = {name: suit for suit, name in enumerate(SUITS)}
# Black and white symbols, and the emoji form, which is a symbol and U+FE0F.
_SUIT_OF |= {name: suit for names in (SYMBOLS, "♧♢♡♤") for suit, name in enumerate(names)}


def make_card(rank: Rank, suit: Suit) -> Card:
    """The card of this rank (0-12) and suit (0-3)."""
    return SUIT_COUNT * rank + suit


def rank_of(card: Card) -> Rank:
    """The rank of a card, 0 (ace) to 12 (king)."""
    return card // SUIT_COUNT


def suit_of(card: Card) -> Suit:
    """The suit of a card: 0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return card % SUIT_COUNT


def is_red(card: Card) -> bool:
    """Whether the card is a diamond or a heart."""
    return suit_of(card) in (1, 2)


def card_name(card: Card) -> str:
    """Two letters, rank and suit: ``TD`` is the ten of diamonds."""
    return RANKS[rank_of(card)] + SUITS[suit_of(card)]


def card_symbol(card: Card) -> str:
    """The card as a person likes to read it: ``10♦``."""
    rank = RANKS[rank_of(card)]
    return ("10" if rank == "T" else rank) + SYMBOLS[suit_of(card)]


def parse_card(text: str) -> Card:
    """The card that a person typed: ``TD``, ``10d``, ``td`` and ``10♦`` are all one card.

    Raises
    ------
    InputError
        When the text is no card.
    """
    plain = text.strip().rstrip("\ufe0f").upper()
    rank, suit = _RANK_OF.get(plain[:-1]), _SUIT_OF.get(plain[-1:])
    if rank is None or suit is None:
        raise InputError(
            f"'{text}' is not a card: write a rank (A, 2 to 9, 10 or T, J, Q, K) "
            "and a suit (C, D, H, S), for example TD or 10D."
        )
    return make_card(rank, suit)


def missing_and_doubled(cards: list[Card]) -> tuple[list[Card], list[Card]]:
    """Which cards of one pack are absent from the list, and which are in it more than once."""
    counts = [0] * PACK_SIZE
    for card in cards:
        counts[card] += 1
    missing = [card for card, count in enumerate(counts) if count == 0]
    doubled = [card for card, count in enumerate(counts) if count > 1]
    return missing, doubled
