"""Breaking a kernel off from outside: it polls an array of one number."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from winnable.arrays import LongArray

# What a caller writes to have a search given up, and what a timer writes.
GIVE_UP, TIME_IS_UP = 1, 2


def stop_array(given: LongArray | None) -> LongArray:
    """The caller's array to stop a search by, or a new one: int64, shape (1,)."""
    return np.zeros(1, np.int64) if given is None else given


@contextmanager
def stopping_after(stop: LongArray, seconds: float | None) -> Iterator[None]:
    """Set ``stop[0]`` to `TIME_IS_UP` once so many seconds are over, while the block runs.

    Parameters
    ----------
    stop: int64, shape (1,). Anything but 0 stops kernels; `GIVE_UP` in it stays there.
    seconds: None for never; the array is left alone then.
    """
    if seconds is None:
        yield
        return
    timer = threading.Timer(max(seconds, 0.0), _ring, [stop])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if stop[0] == TIME_IS_UP:
            stop[0] = 0


def _ring(stop: LongArray) -> None:
    if stop[0] == 0:
        stop[0] = TIME_IS_UP
