"""The compiled shuffle of the numbering `solvitaire`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from winnable.cards import PACK_SIZE
from winnable.deals.kernels.mersenne import (
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

    The pack is kept in dealing order, the reverse of the order in which it is shuffled.

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
            # The plain version's length of an interval, rounded up for powers of two, is this.
            length = TWO_32 // bound
            while True:
                drawn = next_output(state, position) // length
                position = next_position(position)
                if drawn < bound:
                    break
            dealt, other = top - last, top - np.int64(drawn)
            pack[dealt], pack[other] = pack[other], pack[dealt]
