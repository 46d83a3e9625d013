"""A table as any game's page shows it: piles with places, and what lies on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from winnable.cards import Card

# How the cards of a pile lie: squared, or each a little below or to the right of the one before.
SQUARED, DOWN, RIGHT = "squared", "down", "right"
# The distance of two piles side by side, in card widths.
STRIDE = 1.06


class Heap(NamedTuple):
    """What lies on a pile: the cards, the last one on top, of which the first are face down."""

    cards: tuple[Card, ...] = ()
    hidden: int = 0


@dataclass(frozen=True)
class Pile:
    """A pile's name and place.

    name: as text says it, and the only one of its name.
    x: its left edge, in card widths.
    band: which of the bands it is in that divide the table from top to bottom, from 0; a band is as
        high as the highest pile in it ever becomes.
    y: its upper edge within the band, in card heights.
    fan: how its cards lie.
    last: of a pile that is not squared, how many of its last cards lie apart; 0 for all.
    caption: what stands above it; nothing for piles that need no name.
    is_counted: whether the number of its cards stands there too.
    has_slot: whether the place is marked when no card lies there.
    """

    name: str
    x: float
    band: int
    y: float = 0
    fan: str = SQUARED
    last: int = 0
    caption: str = ""
    is_counted: bool = False
    has_slot: bool = True
