"""MT19937 in kernels against Python's own."""

from random import Random

import numpy as np
import pytest

from winnable.deals.kernels import mersenne


@pytest.fixture(autouse=True)
def _wrapping_is_meant():
    with np.errstate(over="ignore"):
        yield


def outputs(state, count):
    position = 0
    words = []
    for _ in range(count):
        words.append(int(mersenne.next_output(state, position)))
        position = mersenne.next_position(position)
    return words


@pytest.mark.parametrize("key", [[5489], [1, 0, 7], [0xFFFFFFFF] * 2, [3, 1 << 31, 5]])
def test_init_by_array(key):
    start = np.zeros(624, np.uint64)
    mersenne.init_genrand(start, mersenne.ARRAY_SEED)
    state = np.zeros(624, np.uint64)
    # Words after the key's own must not count.
    padded = np.array([*key, 99, 99, 99], np.uint64)
    mersenne.init_by_array(state, start, padded, len(key))
    number = sum(word << 32 * i for i, word in enumerate(key))
    assert [int(word) for word in state] == list(Random(number).getstate()[1][:-1])


def test_outputs_beyond_two_generations():
    generator = Random(12345)
    state = np.array(generator.getstate()[1][:-1], np.uint64)
    assert outputs(state, 1500) == [generator.getrandbits(32) for _ in range(1500)]


def test_init_genrand_with_the_published_default_seed():
    state = np.zeros(624, np.uint64)
    mersenne.init_genrand(state, np.uint64(5489))
    # The C++ standard requires this of std::mt19937's ten-thousandth output.
    assert outputs(state, 10_000)[-1] == 4123659995
