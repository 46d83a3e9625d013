"""Runs a study: chunks of numbers on worker threads, each finished chunk committed at once."""

from __future__ import annotations

import os
import platform
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np

from winnable.games.base import UNKNOWN_CODE, Answers, Batch, CancelledError, Limits
from winnable.study.columns import VERDICT
from winnable.study.plan import Span, Study, Work, chunks, missing
from winnable.study.store import Chunk, Retry, SessionFigures, Store
from winnable.study.threads import in_threads
from winnable.version import __version__

Progress = Callable[[int], None]
Task = TypeVar("Task")
Result = TypeVar("Result")
# What is done with a task: by the solvers of a study, until the event says to stop.
Action = Callable[["Batches", threading.Event, Task], Result]

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


def warm_up(study: Work, number: int) -> None:
    """Have the kernels compiled that the study needs, by solving a few deals from `number` on.

    To be called before `run_study` where its times matter or a quick answer to Ctrl-C.
    """
    batch = study.batch()
    # Where a batch takes many deals at once, some of these are hard enough to need every kernel.
    count = min(batch.block, _WARM_UP_DEALS, study.numbering.last - number + 1)
    batch.solve(number, count)


@dataclass(frozen=True)
class Attempt:
    """One deal's answers and what they cost."""

    number: int
    answers: Answers
    cpu_seconds: float


class Batches:
    """A solver for each thread that asks, with tables of its own."""

    def __init__(self, study: Work) -> None:
        self._study = study
        self._local = threading.local()
        self._all: list[Batch] = []

    def of_this_thread(self) -> Batch:
        """The solver of the thread that asks, made when it asks first."""
        if not hasattr(self._local, "batch"):
            batch = self._study.batch()
            self._local.batch = batch
            self._all.append(batch)
        kept: Batch = self._local.batch
        return kept

    def cancel(self) -> None:
        """Have every solver give up what it has in work."""
        for batch in self._all:
            batch.cancel()


class Crew(Protocol):
    """Those who do the work of a study."""

    @property
    def workers(self) -> int:
        """How many they are now."""
        ...

    @property
    def machine(self) -> str:
        """What they run on, for the record beside timings."""
        ...

    @property
    def is_elsewhere(self) -> bool:
        """Whether they run in other processes, so that this one's CPU time leaves them out."""
        ...

    def answers(
        self,
        study: Work,
        action: Action[Task, Result],
        tasks: Iterable[Task],
        stop: threading.Event,
    ) -> Iterator[Result]:
        """The results of all tasks as they come, one each; see `run_study` about `stop`.

        Parameters
        ----------
        action:
            A function of a module, not a local one.
        tasks:
            Taken one by one, not listed: there may be 2^64 of them.
        """
        ...


class Threads:
    """A crew of threads in this process."""

    is_elsewhere = False

    def __init__(self, workers: int) -> None:
        self.workers, self.machine = workers, machine_name()

    def answers(
        self,
        study: Work,
        action: Action[Task, Result],
        tasks: Iterable[Task],
        stop: threading.Event,
    ) -> Iterator[Result]:
        """See `Crew.answers`."""
        batches = Batches(study)
        return in_threads(partial(action, batches, stop), tasks, self.workers, stop, batches.cancel)


def _solve_chunk(batches: Batches, stop: threading.Event, span: Span) -> Chunk | None:
    """The chunk, or its beginning when told to stop, or None when nothing was decided."""
    batch = batches.of_this_thread()
    before = time.thread_time()
    parts = []
    first = span.first
    while first <= span.last and not stop.is_set():
        count = min(batch.block, span.last - first + 1)
        try:
            parts.append(batch.solve(first, count))
        except CancelledError:
            break
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
    study: Work,
    wanted: Span,
    crew: int | Crew,
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
    crew:
        Who does the work; a number means so many threads.
    on_progress:
        Called with the number of deals of each chunk, once it is committed.
    stop:
        Set it, from a signal handler for example, to end early: each thread gives up the deal or
        ends the block that it is in, and everything decided until then is committed.

    Returns
    -------
    How many deals were solved now.

    Raises
    ------
    StoreError
        When a chunk can't be written; those before it are kept.
    """
    todo = chunks(missing(wanted, store.covered()), study.chunk_size)
    first = next(todo, None)
    if first is None:
        return 0
    stop = stop or threading.Event()
    crew = Threads(crew) if isinstance(crew, int) else crew
    session = _Session(store, crew)
    for chunk in crew.answers(study, _solve_chunk, chain([first], todo), stop):
        session.add(chunk, on_progress)
    return session.deals


def _solve_again(batches: Batches, stop: threading.Event, number: int) -> Attempt | None:
    """One deal's answers, None when told to stop before."""
    if stop.is_set():
        return None
    before = time.thread_time()
    try:
        answers = batches.of_this_thread().solve(number, 1)
    except CancelledError:
        return None
    return Attempt(number, answers, time.thread_time() - before)


def retry_unknown(
    store: Store,
    study: Study,
    wanted: Span,
    crew: int | Crew,
    on_progress: Progress = lambda deals: None,
    stop: threading.Event | None = None,
) -> tuple[int, int]:
    """Try the unknown deals of `wanted` once more, under the limits of `study`.

    Those that were tried under limits as high are left alone. See `run_study` for the parameters,
    and for what happens on `stop` and on errors.

    Returns
    -------
    How many deals were tried now, and how many of them were decided.
    """
    stop = stop or threading.Event()
    crew = Threads(crew) if isinstance(crew, int) else crew
    tried = settled = 0
    todo = to_retry(store, wanted, study.limits)
    for attempt in crew.answers(study, _solve_again, todo, stop):
        if attempt is None:
            continue
        columns = attempt.answers.columns
        verdict = int(columns[VERDICT][0])
        nodes, seconds = attempt.answers.nodes, attempt.cpu_seconds
        store.settle(Retry(attempt.number, verdict, study.limits, nodes, seconds), columns)
        tried += 1
        settled += verdict != UNKNOWN_CODE
        on_progress(1)
    return tried, settled


def to_retry(store: Store, wanted: Span, limits: Limits) -> list[int]:
    """The unknown deals of `wanted` that were not tried under limits as high as these."""
    tried = {retry.number for retry in store.retries() if retry.limits.reach(limits)}
    return [
        number
        for number in store.unknown_numbers()
        if wanted.first <= number <= wanted.last and number not in tried
    ]


class _Session:
    """One run of a study: commits its chunks and keeps its times."""

    def __init__(self, store: Store, crew: Crew) -> None:
        self.deals = 0
        self._store, self._crew = store, crew
        self._cpu_elsewhere = 0.0
        self._wall = time.perf_counter()
        self._cpu = time.process_time()
        started = datetime.now(timezone.utc).isoformat(timespec="seconds")
        self._id = store.begin_session(started, crew.workers, crew.machine, __version__)

    def add(self, chunk: Chunk | None, on_progress: Progress) -> None:
        if chunk is None:
            return
        self.deals += chunk.count
        if self._crew.is_elsewhere:
            self._cpu_elsewhere += chunk.cpu_seconds
        wall = time.perf_counter() - self._wall
        cpu = time.process_time() - self._cpu + self._cpu_elsewhere
        self._store.add(chunk, SessionFigures(self._id, wall, cpu, self.deals))
        on_progress(chunk.count)
