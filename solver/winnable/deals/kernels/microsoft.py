"""The compiled shuffle of the numbering `ms`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from winnable.cards import PACK_SIZE
from winnable.jit import inlined, kernel

FACTOR = np.uint64(214013)
INCREMENT = np.uint64(2531011)
LOW_32_BITS = np.uint64(0xFFFFFFFF)
LOW_15_BITS = np.uint64(0x7FFF)
BIT_15 = np.uint64(0x8000)
TWO_31 = np.uint64(1 << 31)
TWO_32 = np.uint64(1 << 32)
BY_16 = np.uint64(16)
ONE = np.uint64(1)


@inlined
def output(number: np.uint64, state: np.uint64) -> np.uint64:
    """What deal `number` reads from a 32-bit state: PySolFC has a rule for each range."""
    bits = state >> BY_16
    if number < TWO_31:
        value: np.uint64 = bits & LOW_15_BITS
    elif number < TWO_32:
        value = bits | BIT_15
    else:
        value = bits + ONE
    return value


@kernel
def fill_packs(first: np.uint64, packs: NDArray[np.uint8]) -> None:
    """Write deals `first`, `first` + 1, ...

    The pack is kept in dealing order, the reverse of the order in which it is shuffled.

    Parameters
    ----------
    first:
        uint64.
    packs:
        uint8 array, shape (n, 52), overwritten.
    """
    top = PACK_SIZE - 1
    for row in range(len(packs)):
        pack = packs[row]
        for card in range(PACK_SIZE):
            pack[top - card] = card
        number = first + np.uint64(row)
        state = number & LOW_32_BITS
        for dealt in range(top):
            state = (FACTOR * state + INCREMENT) & LOW_32_BITS
            other = top - np.int64(output(number, state) % np.uint64(PACK_SIZE - dealt))
            pack[dealt], pack[other] = pack[other], pack[dealt]
