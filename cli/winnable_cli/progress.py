"""The progress bar, and a clean end on Ctrl-C."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

import click
from tqdm import tqdm

from winnable_cli import exit_codes

T = TypeVar("T")


def bar(total: int | None, done: int, quiet: bool, unit: str = " deals") -> Any:
    """A progress bar on stderr; none when stderr is not a terminal or with ``--quiet``."""
    # Some terminals say that they have no columns and no lines; this falls back to 80 and 24 then.
    size = shutil.get_terminal_size()
    return tqdm(
        total=total,
        initial=done,
        unit=unit,
        unit_scale=True,
        disable=True if quiet else None,
        ncols=size.columns,
        nrows=size.lines,
        smoothing=0.05,
    )


def note_beside_bar(text: str) -> None:
    """Tell the user something that is no result, while a bar may be drawn."""
    tqdm.write(text, file=sys.stderr)


# One thread for all such work, so that what solvers keep for a thread serves every deal.
_WORKER = ThreadPoolExecutor(1, thread_name_prefix="interruptible")


def interruptible(function: Callable[..., T], *args: Any) -> T:
    """Call a function so that Ctrl-C ends the process at once, whatever the function is doing.

    It runs in a thread apart, since an exception in the midst of LLVM's compiler would bring the
    process down, and kernels do not look for signals. Only for work with nothing to save.
    """
    try:
        return _WORKER.submit(function, *args).result()
    except KeyboardInterrupt:
        click.echo("winnable: interrupted", err=True)
        sys.stdout.flush()
        os._exit(exit_codes.INTERRUPTED)


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
