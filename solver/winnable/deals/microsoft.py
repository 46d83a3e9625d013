"""The numbering `ms`: the deals of Microsoft's FreeCell, and PySolFC's continuation of them.

Microsoft numbers its deals up to 32,000 (later 1,000,000). PySolFC calls the same deals ms1, ms2
and so on, and goes on to 2**33 - 1 with two further rules for reading the generator's state.

Microsoft numbers no deals of two packs; those are PySolFC's alone.

Source: the class ``LCRandom31`` of the package ``pysol-cards``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from winnable.cards import PACK_SIZE, Card
from winnable.deals.packs import pysol_pack

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def shuffled_pack(number: int, game: str) -> list[Card]:
    """The 52 cards of a deal in dealing order; `number` is 1 to 2**33 - 1, `game` is ignored."""
    return shuffled(list(range(PACK_SIZE)), number)


def shuffled_double_pack(number: int, game: str) -> list[Card]:
    """The 104 cards of a deal of two packs, which PySolFC begins with its own sorted packs."""
    return shuffled(2 * pysol_pack(), number)


def shuffled(cards: list[Card], number: int) -> list[Card]:
    """The cards in dealing order after the shuffle of this number, 1 to 2**33 - 1."""
    draws = _draws(number)
    for size in range(len(cards), 1, -1):
        other = next(draws) % size
        cards[size - 1], cards[other] = cards[other], cards[size - 1]
    return cards[::-1]


def _draws(number: int) -> Iterator[int]:
    """The outputs of the linear congruential generator of Microsoft's C library.

    PySolFC starts deals from 2**32 on at the number minus 2**32, and keeps 33 bits of the state;
    only bits 16 to 31 are ever read, so that the state mod 2**32 gives the same outputs.
    """
    state = number % 2**32
    while True:
        state = (214013 * state + 2531011) % 2**32
        if number < 2**31:
            yield state >> 16 & 0x7FFF
        elif number < 2**32:
            yield state >> 16 | 0x8000
        else:
            yield (state >> 16) + 1


def fill_packs(first: int, game: str, packs: NDArray[np.uint8]) -> None:
    """Write deals `first`, `first` + 1, ... into the rows of a uint8 array, shape (n, 52)."""
    import numpy as np

    from winnable.deals.kernels import microsoft

    microsoft.fill_packs(np.uint64(first), packs)
