"""A crew of a study on the workers of a Dask cluster. The store stays with the one who asks.

Dask is loaded when a cluster is joined.
"""

from __future__ import annotations

import logging
import os
import pickle
import re
import subprocess
import sys
import threading
import time
import uuid
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Generic

from winnable.errors import InputError
from winnable.study.cluster_worker import (
    Delivery,
    Introduction,
    Order,
    deliver,
    forget,
    give_up,
    introduce,
    own_stamp,
    packed_call,
)
from winnable.study.plan import Study, Work
from winnable.study.run import Action, Result, Task
from winnable.version import PACKAGE

# In place of an address: a cluster that is started here, and ends with the study.
LOCAL = "local"
INSTALL = "pip install 'winnable[cluster]'"
# What dask keeps an eye on in its own processes costs more than it is worth in those started here.
_CALM = {
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.tick.interval": "1s",
    "distributed.client.scheduler-info-interval": "10s",
    "distributed.scheduler.active-memory-manager.start": False,
    "distributed.worker.profile.enabled": False,
}
_WORKER_MODULE = "distributed.cli.dask_worker"
_ADDRESS = re.compile(r"(tcp|tls|ws|wss)://[^/\s]+:[0-9]{1,5}")

# Seconds that a scheduler has to answer at first, and workers on this machine to come.
_ANSWER_WITHIN, _WORKERS_WITHIN = 5.0, 60.0
# Seconds between two looks at who works, and between two looks for results.
_LOOK_EVERY, _PAUSE = 1.0, 0.05
# Seconds that the workers have, once told to stop, to hand over what they decided.
_LAST_CALL = 3.0
# Tasks in flight for each thread of a worker: one waits, so that none is ever idle.
_AHEAD = 2

Say = Callable[[str], None]


class ClusterError(InputError):
    """A cluster that can't be used, or not any longer. What was decided before is kept."""


class Cluster:
    """The workers of a Dask cluster as a crew; see `winnable.study.run.Crew`.

    Workers may come, go and die at any time: a task is given to another one then, and its result is
    taken once. Those of another version get no work.
    """

    is_elsewhere = True

    def __init__(self, client: Any, name: str, say: Say, on_close: ExitStack) -> None:
        self._client, self._name, self._say, self._on_close = client, name, say, on_close
        self._own = own_stamp()
        # Address -> how many threads, of the workers that are there and of this version.
        self._threads: dict[str, int] = {}
        self._machines: dict[str, str] = {}
        # What was said of workers that can't be used, and whether there was a time with none.
        self._said: dict[str, str] = {}
        self._looked = float("-inf")
        self._look()

    @property
    def workers(self) -> int:
        """The threads of all workers there are."""
        return sum(self._threads.values())

    @property
    def machine(self) -> str:
        """What the workers run on, each kind once."""
        kinds = sorted({self._machines[address] for address in self._threads})
        return "; ".join(kinds) or self._name

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # The cluster is left, and ended where it was started here.
        self._on_close.close()

    def answers(
        self,
        study: Work,
        action: Action[Task, Result],
        tasks: Iterable[Task],
        stop: threading.Event,
    ) -> Iterator[Result]:
        """See `winnable.study.run.Crew.answers`.

        Raises
        ------
        ClusterError
            When the scheduler is gone, or workers die again and again at the same task.
        TypeError
            When it is not a study; nothing else is sent to workers.
        """
        if not isinstance(study, Study):
            raise TypeError(f"{study} is no study")
        order = Order.of(uuid.uuid4().hex, study)
        flight = _Flight(self._client, self._name, order, action, tasks)
        try:
            yield from self._results(flight, stop)
        finally:
            stop.set()
            flight.cancel()
            self._tell(forget, order.session)

    def _results(self, flight: _Flight[Task, Result], stop: threading.Event) -> Iterator[Result]:
        last_call = None
        while last_call is None or time.monotonic() < last_call:
            if not stop.is_set():
                self._look()
                flight.send(self._threads)
            elif last_call is None:
                last_call = time.monotonic() + _LAST_CALL
                self._tell(give_up, flight.order.session)
            if flight.is_over(stop.is_set()):
                return
            landed = flight.landed()
            for task, delivery in landed:
                if delivery.stamp == self._own:
                    yield delivery.result
                else:
                    # A worker of another version took the address of one that was there.
                    flight.again(task)
                    self._threads = {}
                    self._looked = float("-inf")
            if not landed:
                time.sleep(_PAUSE)

    def _look(self) -> None:
        """Now and then, see who is there, and have the new ones introduce themselves."""
        if time.monotonic() < self._looked + _LOOK_EVERY:
            return
        try:
            there: dict[str, int] = dict(self._client.nthreads())
            said = self._ask(introduce, [each for each in there if each not in self._threads])
        except Exception as error:
            raise _gone(self._name) from error
        threads = {each: count for each, count in there.items() if each in self._threads}
        refusals = []
        for address, answer in said.items():
            refusal = self._refusal(answer)
            if isinstance(answer, Introduction) and refusal is None:
                threads[address] = there[address]
                self._machines[address] = answer.machine
            elif refusal is not None:
                refusals.append(refusal)
                self._say_once(address, f"Worker {address} gets no work: {refusal}.")
        if refusals and not threads:
            raise ClusterError(f"No worker of {self._name} can be used: {refusals[0]}.")
        if not threads:
            self._say_once(self._name, f"{self._name} has no worker now; waiting for one.")
        self._threads, self._looked = threads, time.monotonic()

    def _refusal(self, answer: Any) -> str | None:
        """Why a worker is not used, by its introduction or by what it raised instead.

        None too for one that does not answer, which may have died since: it is asked again.
        """
        if isinstance(answer, Introduction) and answer.stamp != self._own:
            return f"it has {answer.stamp}, and this is {self._own}"
        if isinstance(answer, (ImportError, AttributeError)):
            return f"it has no winnable, or another version, and this is {self._own}"
        return None

    def _say_once(self, topic: str, text: str) -> None:
        if self._said.get(topic) != text:
            self._said[topic] = text
            self._say(text)

    def _ask(
        self, function: Callable[..., Any], workers: Iterable[str], *args: Any
    ) -> Mapping[str, Any]:
        """Call a function on workers: what each returned, or raised."""
        addresses = list(workers)
        if not addresses:
            return {}
        call = packed_call(function, *args)
        answers: Mapping[str, Any] = self._client.run(
            pickle.loads, call, workers=addresses, on_error="return"
        )
        return answers

    def _tell(self, function: Callable[..., Any], *args: Any) -> None:
        """Call a function on all workers, but wait for none that hangs or is gone."""

        with suppress(Exception):
            _begun(lambda: self._ask(function, self._threads, *args)).result(_LAST_CALL)


@dataclass(frozen=True)
class _Sent:
    """A task in flight, and the addresses of the workers that may do it."""

    task: Any
    future: Any
    workers: frozenset[str]


class _Flight(Generic[Task, Result]):
    """The tasks of one session: which are on their way, and which have to go once more."""

    def __init__(
        self,
        client: Any,
        name: str,
        order: Order,
        action: Action[Task, Result],
        tasks: Iterable[Task],
    ) -> None:
        import distributed

        self.order = order
        self._client, self._name, self._action = client, name, action
        self._todo, self._back = iter(tasks), deque[Task]()
        self._are_all_taken = False
        self._sent: dict[str, _Sent] = {}
        self._count = 0
        # Brings the results along, so that none has to be waited for.
        self._done: Any = distributed.as_completed(
            loop=client.loop, with_results=True, raise_errors=False
        )

    def send(self, threads: Mapping[str, int]) -> None:
        """Have two tasks on their way for each thread; give to others what none has left to do."""
        if self._client.status != "running":
            raise _gone(self._name)
        for key, sent in list(self._sent.items()):
            if not sent.workers & threads.keys():
                del self._sent[key]
                self._client.cancel([sent.future])
                self._back.append(sent.task)
        while len(self._sent) < _AHEAD * sum(threads.values()) and self._fetch():
            self._send(self._back.popleft(), frozenset(threads))

    def _fetch(self) -> bool:
        """Have a task at hand, if there is one left."""
        if not self._back and not self._are_all_taken:
            try:
                self._back.append(next(self._todo))
            except StopIteration:
                self._are_all_taken = True
        return bool(self._back)

    def _send(self, task: Task, workers: frozenset[str]) -> None:
        key = f"winnable-{self.order.session}-{self._count}"
        self._count += 1
        call = packed_call(deliver, self.order, self._action, task)
        future = self._client.submit(
            pickle.loads, call, key=key, pure=False, workers=sorted(workers)
        )
        self._sent[key] = _Sent(task, future, workers)
        self._done.add(future)

    def again(self, task: Task) -> None:
        """Put a task back that came to nothing."""
        self._back.append(task)

    def is_over(self, is_stopped: bool) -> bool:
        """Whether nothing is on its way, and nothing will be."""
        return not self._sent and (is_stopped or not self._fetch())

    def landed(self) -> list[tuple[Task, Delivery]]:
        """What has come since the last call, each task once.

        Raises what a solver raised, and ClusterError when the cluster failed.
        """
        import distributed

        landed = []
        for future, result in self._done.next_batch(block=False):
            # Not there: it was given to others before it came.
            sent = self._sent.pop(future.key, None)
            if sent is None:
                continue
            if future.status == "error":
                error = result[1]
                if isinstance(error, distributed.KilledWorker):
                    raise ClusterError(
                        f"Workers of {self._name} died again and again at the same task "
                        f"({sent.task}): do they have memory enough?"
                    ) from error
                raise error
            if future.status != "finished":
                raise _gone(self._name)
            landed.append((sent.task, pickle.loads(result)))
        return landed

    def cancel(self) -> None:
        """Give up what is still on its way."""
        futures = [sent.future for sent in self._sent.values()]
        self._sent.clear()
        if futures and self._client.status == "running":
            with suppress(Exception):
                self._client.cancel(futures)


def _gone(name: str) -> ClusterError:
    return ClusterError(
        f"The scheduler of {name} is gone; what was decided before is kept, and the same command "
        "goes on from there."
    )


# --- joining ---


def check(address: str) -> None:
    """Refuse what is neither `LOCAL` nor an address, and any when dask is not there; InputError."""
    if address != LOCAL and not _ADDRESS.fullmatch(address):
        raise InputError(
            f"'{address}' is no cluster: write the scheduler's address, such as "
            f"tcp://192.168.1.5:8786, or {LOCAL} for one on this machine."
        )
    if find_spec("distributed") is None:
        raise ClusterError(f"A cluster needs dask, which is not installed here: {INSTALL}")


def join(address: str, workers: int, say: Say) -> Cluster:
    """Join a cluster, or start one on this machine; to be left with ``with``.

    Parameters
    ----------
    address:
        The scheduler's, or `LOCAL`.
    workers:
        For `LOCAL`: how many processes to start.
    say:
        Called with sentences for the user about what happens to workers.

    Raises
    ------
    InputError
        When there is no such cluster, dask is not installed, or all workers are of another version.
    """
    check(address)
    with ExitStack() as stack:
        stack.enter_context(_silence())
        if address == LOCAL:
            client = _start(stack, workers)
            name = "the cluster on this machine"
        else:
            client = _connect(stack, address)
            name = address
        return Cluster(client, name, say, stack.pop_all())


def _connect(stack: ExitStack, address: str) -> Any:
    import distributed

    # Dask waits without end for one that takes the connection and says nothing.
    begun = _begun(
        lambda: distributed.Client(address, timeout=_ANSWER_WITHIN, set_as_default=False)
    )
    try:
        return stack.enter_context(begun.result(_ANSWER_WITHIN + 1))
    except Exception as error:  # of the network, of another protocol, of another version of dask
        raise ClusterError(
            f"No scheduler answers at {address} within {_ANSWER_WITHIN:.0f} seconds: is it "
            "started there, and does a firewall let it through?"
        ) from error


def _begun(function: Callable[[], Any]) -> Future[Any]:
    """Have a thread call a function; it never keeps the process from ending."""
    future: Future[Any] = Future()

    def call() -> None:
        try:
            future.set_result(function())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=call, daemon=True).start()
    return future


def _start(stack: ExitStack, workers: int) -> Any:
    """A scheduler in this process, workers as processes, one thread each; all on loopback."""
    import dask
    import distributed

    with dask.config.set(_CALM):
        scheduler = stack.enter_context(
            distributed.LocalCluster(
                n_workers=0,
                threads_per_worker=1,
                dashboard_address="127.0.0.1:0",
                scheduler_kwargs={"dashboard": False},
            )
        )
        client = stack.enter_context(distributed.Client(scheduler, set_as_default=False))
    folder = Path(stack.enter_context(TemporaryDirectory(prefix="winnable-cluster-")))
    processes = [_worker_process(scheduler.scheduler_address, folder) for _ in range(workers)]
    stack.callback(_end, processes)
    end = time.monotonic() + _WORKERS_WITHIN
    while len(client.nthreads()) < workers:
        if time.monotonic() > end or any(each.poll() is not None for each in processes):
            lines = (folder / "log").read_text(encoding="utf-8", errors="replace").split("\n")
            reason = next((line for line in reversed(lines) if line), "they say nothing")
            raise ClusterError(f"The workers on this machine don't start: {reason}")
        time.sleep(_PAUSE)
    return client


def _worker_process(scheduler: str, folder: Path) -> subprocess.Popen[bytes]:
    """A worker of this Python; it ends with the scheduler."""
    command = [sys.executable, "-m", _WORKER_MODULE, scheduler]
    options = {
        "--nthreads": "1",
        "--memory-limit": "0",  # or dask would end it for its tables
        "--local-directory": str(folder),
        "--death-timeout": str(_WORKERS_WITHIN),
    }
    paths = [str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    # How dask reads its settings from the environment.
    calm = {
        f"DASK_{name.upper().replace('-', '_').replace('.', '__')}": str(each)
        for name, each in _CALM.items()
    }
    environment = {"PYTHONPATH": os.pathsep.join(paths), **calm}
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(
            [*command, "--no-nanny", "--no-dashboard", *chain(*options.items())],
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            # A terminal sends Ctrl-C to every process of a session. This one tells the workers to
            # stop, so that what they have decided is kept.
            start_new_session=True,
        )


def _end(processes: Iterable[subprocess.Popen[bytes]]) -> None:
    """End workers at once: they have nothing to lose."""
    for process in processes:
        process.kill()
    for process in processes:
        process.wait()


@contextmanager
def _silence() -> Iterator[None]:
    """No log line nor warning of dask and what it uses: what matters is said in sentences."""
    before = logging.root.manager.disable
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module=r"(dask|distributed|tornado)(\.|$)")
        logging.disable(logging.CRITICAL)
        try:
            yield
        finally:
            logging.disable(before)
