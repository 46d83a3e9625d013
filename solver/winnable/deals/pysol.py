"""The numbering `pysol`: PySolFC's game numbers.

Below 32,000 these are the deals of the numbering `ms`; from there on Python's own Mersenne Twister
shuffles.

Sources: PySolFC's ``pysollib/pysolrandom.py`` and the class ``MTRandom`` of ``pysol-cards``. (That
package's ``shuffle`` gives 32,000 itself to Microsoft's generator; PySolFC doesn't.)
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from winnable.cards import Card
from winnable.deals import microsoft
from winnable.deals.packs import pysol_pack

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FIRST_MERSENNE = 32000


def shuffled_pack(number: int, game: str) -> list[Card]:
    """The 52 cards of a deal in dealing order; `number` is 1 to 10**20, `game` is ignored."""
    if number < FIRST_MERSENNE:
        return microsoft.shuffled_pack(number, game)
    return _shuffled(pysol_pack(), number)


def shuffled_double_pack(number: int, game: str) -> list[Card]:
    """The 104 cards of a deal of two packs in dealing order; `game` is ignored."""
    if number < FIRST_MERSENNE:
        return microsoft.shuffled_double_pack(number, game)
    return _shuffled(2 * pysol_pack(), number)


def _shuffled(cards: list[Card], number: int) -> list[Card]:
    random = Random(number).random
    for last in range(len(cards) - 1, 0, -1):
        other = int(random() * (last + 1))
        cards[last], cards[other] = cards[other], cards[last]
    return cards[::-1]


def fill_packs(first: int, game: str, packs: NDArray[np.uint8]) -> None:
    """Write deals `first`, `first` + 1, ... into the rows of a uint8 array, shape (n, 52)."""
    import numpy as np

    from winnable.deals.kernels import pysol

    by_microsoft = min(max(FIRST_MERSENNE - first, 0), len(packs))
    if by_microsoft > 0:
        microsoft.fill_packs(first, game, packs[:by_microsoft])
    if by_microsoft < len(packs):
        high, low = divmod(first + by_microsoft, 2**64)
        pack = np.array(pysol_pack(), np.uint8)
        pysol.fill_packs(np.uint64(high), np.uint64(low), pack, packs[by_microsoft:])
