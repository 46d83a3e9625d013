"""The parts of MT19937 that the compiled shuffles share.

The generator's state is a uint64 array of shape (624,) that holds 32-bit words, and the caller's
position in it. A shuffle reads a few dozen outputs of a fresh generator, so outputs are made one
at a time instead of 624 together: word i of the next generation needs only words i, i + 1 and
i + 397, all of which are in place when word i is reached, also after the end was passed.

Source: M. Matsumoto, T. Nishimura, "Mersenne Twister" (1998), and their ``mt19937ar.c`` (2002).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from winnable.jit import inlined

STATE_WORDS = 624
MIDDLE = 397
LOW_32_BITS = np.uint64(0xFFFFFFFF)
UPPER_BIT = np.uint64(0x80000000)
LOWER_BITS = np.uint64(0x7FFFFFFF)
MATRIX = np.uint64(0x9908B0DF)
FIRST_TEMPER = np.uint64(0x9D2C5680)
SECOND_TEMPER = np.uint64(0xEFC60000)
GENRAND_FACTOR = np.uint64(1812433253)
FIRST_ARRAY_FACTOR = np.uint64(1664525)
SECOND_ARRAY_FACTOR = np.uint64(1566083941)
ARRAY_SEED = np.uint64(19650218)
ONE = np.uint64(1)
BY_7 = np.uint64(7)
BY_11 = np.uint64(11)
BY_15 = np.uint64(15)
BY_18 = np.uint64(18)
BY_30 = np.uint64(30)


@inlined
def init_genrand(state: NDArray[np.uint64], seed: np.uint64) -> None:
    """Seed by one word, a uint64 below 2**32; the position is then 0."""
    word = seed
    state[0] = word
    for i in range(1, STATE_WORDS):
        word = (GENRAND_FACTOR * (word ^ (word >> BY_30)) + np.uint64(i)) & LOW_32_BITS
        state[i] = word


@inlined
def init_by_array(
    state: NDArray[np.uint64], start: NDArray[np.uint64], key: NDArray[np.uint64], key_words: int
) -> None:
    """Seed by the first words of a key; the position is then 0.

    Parameters
    ----------
    state:
        uint64 array, shape (624,), overwritten.
    start:
        uint64 array, shape (624,): the state after ``init_genrand(ARRAY_SEED)``, which is the same
        for every key.
    key:
        uint64 array of 32-bit words.
    key_words:
        How many of them there are, 1 to 624.
    """
    # The loops of the original, each cut where its index wraps from word 623 to word 1.
    word = start[0]
    j = 0
    for i in range(1, STATE_WORDS):
        mixed = start[i] ^ ((word ^ (word >> BY_30)) * FIRST_ARRAY_FACTOR)
        word = (mixed + key[j] + np.uint64(j)) & LOW_32_BITS
        state[i] = word
        j = j + 1 if j + 1 < key_words else 0
    mixed = state[1] ^ ((word ^ (word >> BY_30)) * FIRST_ARRAY_FACTOR)
    word = (mixed + key[j] + np.uint64(j)) & LOW_32_BITS
    state[1] = word
    for i in range(2, STATE_WORDS):
        mixed = state[i] ^ ((word ^ (word >> BY_30)) * SECOND_ARRAY_FACTOR)
        word = (mixed - np.uint64(i)) & LOW_32_BITS
        state[i] = word
    mixed = state[1] ^ ((word ^ (word >> BY_30)) * SECOND_ARRAY_FACTOR)
    state[1] = (mixed - ONE) & LOW_32_BITS
    state[0] = UPPER_BIT


@inlined
def next_position(position: int) -> int:
    """The position, 0 to 623, after this one."""
    return position + 1 if position + 1 < STATE_WORDS else 0


@inlined
def next_output(state: NDArray[np.uint64], position: int) -> np.uint64:
    """Renew the word at this position, 0 to 623, and return its output, a uint64 below 2**32."""
    following = next_position(position)
    opposite = position + MIDDLE
    if opposite >= STATE_WORDS:
        opposite -= STATE_WORDS
    joined = (state[position] & UPPER_BIT) | (state[following] & LOWER_BITS)
    word = state[opposite] ^ (joined >> ONE) ^ ((joined & ONE) * MATRIX)
    state[position] = word
    word ^= word >> BY_11
    word ^= (word << BY_7) & FIRST_TEMPER
    word ^= (word << BY_15) & SECOND_TEMPER
    output: np.uint64 = word ^ (word >> BY_18)
    return output
