"""Breaking a kernel off from outside: it polls an array of one number."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from winnable.arrays import LongArray


@contextmanager
def stopping_after(stop: LongArray, seconds: float | None) -> Iterator[None]:
    """Set ``stop[0]`` to 1 once so many seconds are over, while the block runs.

    Parameters
    ----------
    stop: int64, shape (1,); set to 0 at first.
    seconds: None for never.
    """
    stop[0] = 0
    if seconds is None:
        yield
        return
    timer = threading.Timer(max(seconds, 0.0), stop.__setitem__, (0, 1))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
