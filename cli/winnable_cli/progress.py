"""The progress bar, and a clean end on Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from tqdm import tqdm


def bar(total: int | None, done: int, quiet: bool, unit: str = " deals") -> Any:
    """A progress bar on stderr; none when stderr is not a terminal or with ``--quiet``."""
    return tqdm(
        total=total,
        initial=done,
        unit=unit,
        unit_scale=True,
        disable=True if quiet else None,
        dynamic_ncols=True,
        smoothing=0.05,
    )


@contextmanager
def stop_on_signal() -> Iterator[threading.Event]:
    """An event that the first Ctrl-C (or SIGTERM) sets; a second one kills as usual."""
    stop = threading.Event()
    before: dict[int, Any] = {}

    def handler(number: int, frame: FrameType | None) -> None:
        stop.set()
        signal.signal(number, before[number])

    for sign in (signal.SIGINT, signal.SIGTERM):
        before[sign] = signal.signal(sign, handler)
    try:
        yield stop
    finally:
        for number, action in before.items():
            signal.signal(number, action)
