"""The numbering `aisleriot`: seeds of the shuffle of GNOME's AisleRiot.

AisleRiot shows no number, but shuffles by a seeded generator (GLib's ``GRand``).

Sources: ``shuffle-deck`` in AisleRiot's Scheme interface for games; GLib's ``grand.c``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from winnable.cards import SUITS, Card
from winnable.deals.mersenne import outputs
from winnable.deals.packs import by_suit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def sorted_pack() -> list[Card]:
    """AisleRiot's pack before it is shuffled: clubs, diamonds, hearts, spades, each ace to king."""
    return by_suit(SUITS)


def shuffled_pack(number: int, game: str) -> list[Card]:
    """The 52 cards of a deal in dealing order; `number` is 0 to 2**32 - 1, `game` is ignored."""
    return _shuffled(sorted_pack(), number)


def shuffled_double_pack(number: int, game: str) -> list[Card]:
    """The 104 cards of a deal of two packs in dealing order; `game` is ignored."""
    return _shuffled(2 * sorted_pack(), number)


def _shuffled(cards: list[Card], number: int) -> list[Card]:
    output = outputs(number)
    picks = []
    for i in range(len(cards)):
        j = i + _draw(output, len(cards) - i)
        picks.append(cards[j])
        cards[j] = cards[i]
    return picks[::-1]


def _draw(output: Callable[[], int], bound: int) -> int:
    """GLib's ``g_rand_int_range(0, bound)``: the largest outputs are rejected to be unbiased."""
    leftover = 2 * (2**31 % bound)
    if leftover >= bound:
        leftover -= bound
    while True:
        value = output()
        if value <= 2**32 - 1 - leftover:
            return value % bound


def fill_packs(first: int, game: str, packs: NDArray[np.uint8]) -> None:
    """Write deals `first`, `first` + 1, ... into the rows of a uint8 array, shape (n, 52)."""
    import numpy as np

    from winnable.deals.kernels import aisleriot

    aisleriot.fill_packs(np.uint64(first), np.array(sorted_pack(), np.uint8), packs)
