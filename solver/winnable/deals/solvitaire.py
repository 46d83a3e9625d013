"""The numbering `solvitaire`: seeds of Solvitaire's ``--random``, for games of one pack.

Solvitaire shuffles by C++'s ``std::mt19937`` and a bounded draw of its own, so that a seed means
the same deal on every platform. It deals from the end of the shuffled pack, except for Canfield's
base card, which is the first card of it.

Sources: Solvitaire's dealing of random games, and 32 seeds compared with the program itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from winnable.cards import PACK_SIZE, Card
from winnable.deals.mersenne import outputs
from winnable.deals.packs import by_rank

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def sorted_pack() -> list[Card]:
    """Solvitaire's pack before it is shuffled: the four aces, the four twos and so on."""
    return by_rank("CHSD")


def shuffled_pack(number: int, game: str) -> list[Card]:
    """The 52 cards of a deal in dealing order; `number` is 0 to 2**32 - 1, `game` is ignored."""
    output = outputs(number)
    pack = sorted_pack()
    for last in range(PACK_SIZE - 1, 0, -1):
        other = _draw(output, last)
        pack[last], pack[other] = pack[other], pack[last]
    return pack[::-1]


def _draw(output: Callable[[], int], last: int) -> int:
    """An integer from 0 to `last`: outputs fall into last + 1 intervals of one length."""
    length, rest = divmod(2**32 - 1, last + 1)
    if rest == last:
        length += 1
    while True:
        result = output() // length
        if result <= last:
            return result


def fill_packs(first: int, game: str, packs: NDArray[np.uint8]) -> None:
    """Write deals `first`, `first` + 1, ... into the rows of a uint8 array, shape (n, 52)."""
    import numpy as np

    from winnable.deals.kernels import solvitaire

    solvitaire.fill_packs(np.uint64(first), np.array(sorted_pack(), np.uint8), packs)
