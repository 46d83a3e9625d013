"""Runs a study: chunks of numbers on worker threads, each finished chunk committed at once."""

from __future__ import annotations

import os
import platform
import subprocess
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import datetime, timezone
from itertools import islice
from pathlib import Path

import numpy as np

from winnable.games.base import Batch
from winnable.study.plan import Span, Study, chunks, missing
from winnable.study.store import Chunk, SessionFigures, Store
from winnable.version import __version__

Progress = Callable[[int], None]


_WARM_UP_DEALS = 256


def default_workers() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def machine_name() -> str:
    """The processor and system, for the record beside timings."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        lines = cpuinfo.read_text(encoding="utf-8").splitlines()
        names = [line.partition(":")[2].strip() for line in lines if "model name" in line]
        model = names[0] if names else model
    elif platform.system() == "Darwin":
        command = ["sysctl", "-n", "machdep.cpu.brand_string"]
        model = subprocess.check_output(command, text=True).strip() or model
    system = f"{platform.system()}, Python {platform.python_version()}"
    return f"{model}, {os.cpu_count()} cores, {system}"


def warm_up(study: Study, number: int) -> None:
    """Have the kernels compiled that the study needs, by solving a few deals from `number` on.

    To be called before `run_study` where its times matter or a quick answer to Ctrl-C.
    """
    batch = study.game.batch(study.rules, study.numbering, study.limits, study.best)
    # Where a batch takes many deals at once, some of these are hard enough to need every kernel.
    count = min(batch.block, _WARM_UP_DEALS, study.numbering.last - number + 1)
    batch.solve(number, count)


class _Workers:
    """Threads that solve chunks, each with solver tables of its own."""

    def __init__(self, study: Study, count: int, stop: threading.Event) -> None:
        self._study = study
        self._local = threading.local()
        self._stop = stop
        self.pool = ThreadPoolExecutor(count, thread_name_prefix="study")

    def submit(self, span: Span) -> Future[Chunk | None]:
        return self.pool.submit(self._solve, span)

    def _batch(self) -> Batch:
        if not hasattr(self._local, "batch"):
            study = self._study
            self._local.batch = study.game.batch(
                study.rules, study.numbering, study.limits, study.best
            )
        batch: Batch = self._local.batch
        return batch

    def _solve(self, span: Span) -> Chunk | None:
        """The chunk, or its beginning when told to stop, or None when nothing was decided."""
        batch = self._batch()
        before = time.thread_time()
        parts = []
        first = span.first
        while first <= span.last and not self._stop.is_set():
            count = min(batch.block, span.last - first + 1)
            parts.append(batch.solve(first, count))
            first += count
        if not parts:
            return None
        return Chunk(
            first=span.first,
            columns={
                name: np.concatenate([part.columns[name] for part in parts])
                for name in parts[0].columns
            },
            nodes=sum(part.nodes for part in parts),
            cpu_seconds=time.thread_time() - before,
        )


def run_study(
    store: Store,
    study: Study,
    wanted: Span,
    workers: int,
    on_progress: Progress = lambda deals: None,
    stop: threading.Event | None = None,
) -> int:
    """Answer every number of `wanted` that the store does not hold yet.

    Parameters
    ----------
    store:
        Open for writing.
    wanted:
        The numbers to answer; those already in the store are left alone.
    workers:
        Threads.
    on_progress:
        Called with the number of deals of each chunk, once it is committed.
    stop:
        Set it, from a signal handler for example, to end early: each thread ends with the block
        that it is in, and everything decided until then is committed.

    Returns
    -------
    How many deals were solved now.

    Raises
    ------
    StoreError
        When a chunk can't be written; those before it are kept.
    """
    todo = chunks(missing(wanted, store.covered()), study.game.chunk_size)
    first = next(todo, None)
    if first is None:
        return 0
    stop = stop or threading.Event()
    session = _Session(store, workers)
    threads = _Workers(study, workers, stop)
    # One chunk waits for each thread, so that none is ever idle; the range itself is never listed.
    pending = {threads.submit(span) for span in (first, *islice(todo, 2 * workers - 1))}
    try:
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                session.add(future.result(), on_progress)
            if not stop.is_set():
                pending |= {threads.submit(span) for span in islice(todo, len(done))}
    finally:
        stop.set()
        threads.pool.shutdown(cancel_futures=True)
    return session.deals


class _Session:
    """One run of a study: commits its chunks and keeps its times."""

    def __init__(self, store: Store, workers: int) -> None:
        self.deals = 0
        self._store = store
        self._wall = time.perf_counter()
        self._cpu = time.process_time()
        started = datetime.now(timezone.utc).isoformat(timespec="seconds")
        self._id = store.begin_session(started, workers, machine_name(), __version__)

    def add(self, chunk: Chunk | None, on_progress: Progress) -> None:
        if chunk is None:
            return
        self.deals += chunk.count
        wall, cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu
        self._store.add(chunk, SessionFigures(self._id, wall, cpu, self.deals))
        on_progress(chunk.count)
