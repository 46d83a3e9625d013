"""MT19937 seeded by one number, as C and C++ programs seed it, in plain Python.

Source: M. Matsumoto, T. Nishimura, ``mt19937ar.c`` (2002).
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

STATE_WORDS = 624


def outputs(seed: int) -> Callable[[], int]:
    """The 32-bit outputs of MT19937 after ``init_genrand(seed)``, one a call.

    Python's generator is the same MT19937, but seeds itself by ``init_by_array``; so its state is
    set from outside.
    """
    state = [seed]
    for i in range(1, STATE_WORDS):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + i) % 2**32)
    generator = Random()
    generator.setstate((3, (*state, STATE_WORDS), None))
    return lambda: generator.getrandbits(32)
