"""Worker threads that take tasks as they get free, and end early when told to."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from itertools import islice
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

# Seconds between two looks at whether to stop.
_LOOK = 0.1


def in_threads(
    work: Callable[[Task], Result],
    tasks: Iterable[Task],
    count: int,
    stop: threading.Event,
    on_stop: Callable[[], None],
) -> Iterator[Result]:
    """The results of all tasks as they come, from `count` threads.

    Parameters
    ----------
    tasks:
        Taken one by one, not listed: there may be 2^64 of them.
    stop:
        When set, no further task is begun; those in work are waited for.
    on_stop:
        Called then, once, so that work that takes long can be told.
    """
    todo = iter(tasks)
    pool = ThreadPoolExecutor(count, thread_name_prefix="study")
    # One task waits for each thread, so that none is ever idle.
    pending = {pool.submit(work, task) for task in islice(todo, 2 * count)}
    is_told = False
    try:
        while pending:
            done, pending = wait(pending, _LOOK, FIRST_COMPLETED)
            for future in done:
                yield future.result()
            if not stop.is_set():
                pending |= {pool.submit(work, task) for task in islice(todo, len(done))}
            elif not is_told:
                on_stop()
                is_told = True
    finally:
        stop.set()
        if not is_told:
            on_stop()
        pool.shutdown(cancel_futures=True)
