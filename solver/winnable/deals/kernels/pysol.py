"""The compiled shuffle of the numbering `pysol` from number 32,000 on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from winnable.cards import PACK_SIZE
from winnable.deals.kernels.mersenne import (
    ARRAY_SEED,
    LOW_32_BITS,
    STATE_WORDS,
    init_by_array,
    init_genrand,
    next_output,
)
from winnable.jit import inlined, kernel

BY_5 = np.uint64(5)
BY_6 = np.uint64(6)
BY_32 = np.uint64(32)
TWO_26 = 67108864.0
TWO_53 = 9007199254740992.0
NO_BITS = np.uint64(0)


@inlined
def set_key(key: NDArray[np.uint64], high: np.uint64, low: np.uint64) -> int:
    """Write the number 2**64 high + low as 32-bit words, lowest first; returns how many it has."""
    key[0] = low & LOW_32_BITS
    key[1] = low >> BY_32
    key[2] = high
    words = 1
    if high != NO_BITS:
        words = 3
    elif key[1] != NO_BITS:
        words = 2
    return words


@kernel
def fill_packs(
    high: np.uint64, low: np.uint64, unshuffled: NDArray[np.uint8], packs: NDArray[np.uint8]
) -> None:
    """Write deals `first`, `first` + 1, ..., where `first` is 2**64 high + low.

    The pack is kept in dealing order, the reverse of the order in which it is shuffled.

    Parameters
    ----------
    high, low:
        uint64, high below 2**32.
    unshuffled:
        uint8 array, shape (52,): the pack before the shuffle.
    packs:
        uint8 array, shape (n, 52), overwritten.
    """
    top = PACK_SIZE - 1
    start = np.empty(STATE_WORDS, np.uint64)
    init_genrand(start, ARRAY_SEED)
    state = np.empty(STATE_WORDS, np.uint64)
    key = np.empty(3, np.uint64)
    for row in range(len(packs)):
        row_low = low + np.uint64(row)
        row_high = high + np.uint64(row_low < low)
        key_words = set_key(key, row_high, row_low)
        init_by_array(state, start, key, key_words)
        pack = packs[row]
        for i in range(PACK_SIZE):
            pack[top - i] = unshuffled[i]
        for dealt in range(top):
            a = next_output(state, 2 * dealt) >> BY_5
            b = next_output(state, 2 * dealt + 1) >> BY_6
            fraction = (np.float64(a) * TWO_26 + np.float64(b)) / TWO_53
            other = top - int(fraction * np.float64(PACK_SIZE - dealt))
            pack[dealt], pack[other] = pack[other], pack[dealt]
