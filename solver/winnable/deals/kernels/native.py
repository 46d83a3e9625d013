"""The compiled shuffle of the numbering `winnable`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from winnable.cards import PACK_SIZE
from winnable.jit import inlined, kernel

STEP = np.uint64(0x9E3779B97F4A7C15)
FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
TWO_32 = np.uint64(1 << 32)
LOW_HALF = np.uint64(0xFFFFFFFF)
BY_27 = np.uint64(27)
BY_30 = np.uint64(30)
BY_31 = np.uint64(31)
BY_32 = np.uint64(32)


@inlined
def mix(z: np.uint64) -> np.uint64:
    """SplitMix64's finaliser."""
    z = (z ^ (z >> BY_30)) * FIRST_FACTOR
    z = (z ^ (z >> BY_27)) * SECOND_FACTOR
    mixed: np.uint64 = z ^ (z >> BY_31)
    return mixed


@kernel
def fill_packs(first: np.uint64, tag: np.uint64, packs: NDArray[np.uint8]) -> None:
    """Write deals `first`, `first` + 1, ... of the game with this tag.

    Parameters
    ----------
    first, tag:
        uint64.
    packs:
        uint8 array, shape (n, 52), overwritten.
    """
    for row in range(len(packs)):
        pack = packs[row]
        for card in range(PACK_SIZE):
            pack[card] = card
        state = mix(first + np.uint64(row)) ^ tag
        word = np.uint64(0)
        is_high_half_next = True
        for last in range(PACK_SIZE - 1, 0, -1):
            bound = np.uint64(last + 1)
            while True:
                if is_high_half_next:
                    state += STEP
                    word = mix(state)
                    product = (word >> BY_32) * bound
                else:
                    product = (word & LOW_HALF) * bound
                is_high_half_next = not is_high_half_next
                low = product & LOW_HALF
                # 2**32 mod bound is below bound: the first test spares almost every division.
                if low >= bound or low >= TWO_32 % bound:
                    break
            other = product >> BY_32
            pack[last], pack[other] = pack[other], pack[last]
