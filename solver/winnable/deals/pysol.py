"""The numbering `pysol`: PySolFC's game numbers for games of one pack.

Below 32,000 these are Microsoft's deals; from there on Python's own Mersenne Twister shuffles.

Sources: PySolFC's ``pysollib/pysolrandom.py`` and the class ``MTRandom`` of ``pysol-cards``. (That
package's ``shuffle`` gives 32,000 itself to Microsoft's generator; PySolFC doesn't.)
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from winnable.cards import PACK_SIZE, RANK_COUNT, SUITS, Card, make_card
from winnable.deals import microsoft

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FIRST_MERSENNE = 32000
# The order of the suits in an unshuffled PySolFC pack, each ace to king.
SUIT_BLOCKS = tuple(SUITS.index(name) for name in "CSHD")


def sorted_pack() -> list[Card]:
    """PySolFC's pack before it is shuffled."""
    return [make_card(rank, suit) for suit in SUIT_BLOCKS for rank in range(RANK_COUNT)]


def shuffled_pack(number: int, game: str) -> list[Card]:
    """The 52 cards of a deal in dealing order; `number` is 1 to 10**20, `game` is ignored."""
    if number < FIRST_MERSENNE:
        return microsoft.shuffled_pack(number, game)
    random = Random(number).random
    pack = sorted_pack()
    for last in range(PACK_SIZE - 1, 0, -1):
        other = int(random() * (last + 1))
        pack[last], pack[other] = pack[other], pack[last]
    return pack[::-1]


def fill_packs(first: int, game: str, packs: NDArray[np.uint8]) -> None:
    """Write deals `first`, `first` + 1, ... into the rows of a uint8 array, shape (n, 52)."""
    import numpy as np

    from winnable.deals.kernels import pysol

    by_microsoft = min(max(FIRST_MERSENNE - first, 0), len(packs))
    if by_microsoft > 0:
        microsoft.fill_packs(first, game, packs[:by_microsoft])
    if by_microsoft < len(packs):
        high, low = divmod(first + by_microsoft, 2**64)
        pack = np.array(sorted_pack(), np.uint8)
        pysol.fill_packs(np.uint64(high), np.uint64(low), pack, packs[by_microsoft:])
