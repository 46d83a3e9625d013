"""The numbering `kpat`: the deal numbers of KDE's KPatience.

Its shuffle is that of Microsoft's FreeCell, for two packs too: those lie one on the other, each
sorted as Microsoft's.

Source: 32-bit numbers of KPat's own saved games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winnable.cards import PACK_SIZE, Card
from winnable.deals import microsoft

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def shuffled_pack(number: int, game: str) -> list[Card]:
    """The 52 cards of a deal in dealing order; `number` is 1 to 2**31 - 1, `game` is ignored."""
    return microsoft.shuffled_pack(number, game)


def shuffled_double_pack(number: int, game: str) -> list[Card]:
    """The 104 cards of a deal of two packs in dealing order; `game` is ignored."""
    return microsoft.shuffled(2 * list(range(PACK_SIZE)), number)


def fill_packs(first: int, game: str, packs: NDArray[np.uint8]) -> None:
    """Write deals `first`, `first` + 1, ... into the rows of a uint8 array, shape (n, 52)."""
    microsoft.fill_packs(first, game, packs)
