"""The compiled shuffle of the numbering `aisleriot`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from winnable.cards import PACK_SIZE
from winnable.deals.kernels.mersenne import (
    LOW_32_BITS,
    STATE_WORDS,
    init_genrand,
    next_output,
    next_position,
)
from winnable.jit import kernel

TWO_32 = np.uint64(1 << 32)


@kernel
def fill_packs(first: np.uint64, unshuffled: NDArray[np.uint8], packs: NDArray[np.uint8]) -> None:
    """Write deals `first`, `first` + 1, ...

    The pack is kept in dealing order, the reverse of the order in which cards are picked.

    Parameters
    ----------
    first:
        uint64, as all numbers of rows below 2**32.
    unshuffled:
        uint8 array, shape (52,): the pack before the shuffle.
    packs:
        uint8 array, shape (n, 52), overwritten.
    """
    top = PACK_SIZE - 1
    state = np.empty(STATE_WORDS, np.uint64)
    for row in range(len(packs)):
        init_genrand(state, first + np.uint64(row))
        position = 0
        pack = packs[row]
        for i in range(PACK_SIZE):
            pack[top - i] = unshuffled[i]
        for last in range(top, 0, -1):
            bound = np.uint64(last + 1)
            while True:
                output = next_output(state, position)
                position = next_position(position)
                # 2**32 mod bound is below bound: the first test spares almost every division.
                if output <= LOW_32_BITS - bound or output <= LOW_32_BITS - TWO_32 % bound:
                    break
            other = last - np.int64(output % bound)
            pack[last], pack[other] = pack[other], pack[last]
