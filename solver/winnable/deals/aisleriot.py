"""The numbering `aisleriot`: seeds of the shuffle of GNOME's AisleRiot, for games of one pack.

AisleRiot shows no number, but shuffles by a seeded generator (GLib's ``GRand``).

Sources: ``shuffle-deck`` in AisleRiot's Scheme interface for games; GLib's ``grand.c``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from winnable.cards import PACK_SIZE, RANK_COUNT, SUIT_COUNT, Card, make_card
from winnable.deals.mersenne import outputs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def sorted_pack() -> list[Card]:
    """AisleRiot's pack before it is shuffled: clubs, diamonds, hearts, spades, each ace to king."""
    return [make_card(rank, suit) for suit in range(SUIT_COUNT) for rank in range(RANK_COUNT)]


def shuffled_pack(number: int, game: str) -> list[Card]:
    """The 52 cards of a deal in dealing order; `number` is 0 to 2**32 - 1, `game` is ignored."""
    output = outputs(number)
    pack = sorted_pack()
    picks = []
    for i in range(PACK_SIZE):
        j = i + _draw(output, PACK_SIZE - i)
        picks.append(pack[j])
        pack[j] = pack[i]
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
