"""A cluster with a real scheduler and workers, each a process: the answers are those of threads."""

import contextlib
import logging
import os
import pickle
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from study import cluster_work
from study.fake_study import without_machine

import winnable
from winnable.deals import NUMBERINGS
from winnable.errors import InputError
from winnable.games import get_game
from winnable.games.base import Limits
from winnable.study import cluster_worker
from winnable.study.cluster import ClusterError, check, join
from winnable.study.cluster_worker import Order, Stamp, deliver, own_stamp
from winnable.study.plan import Span, Study
from winnable.study.report import summarize
from winnable.study.run import retry_unknown, run_study
from winnable.study.store import Store

ROOT = Path(__file__).parents[2]
# Neither end at a multiple of a chunk.
WANTED = Span(1_000, 60_000)
CHUNK_SIZE = 1 << 11
# Seconds to wait for processes to start, on a busy machine.
PATIENCE = 180

pytestmark = pytest.mark.compiled_only


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def environment(*first):
    paths = [*first, *(str(ROOT / folder) for folder in ("solver", "cli", "tests"))]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))}


class Processes:
    """A scheduler, and workers that come and go."""

    def __init__(self, folder):
        self.folder = folder
        self.workers = []
        self.scheduler = self.address = None

    def begin(self):
        """Start the scheduler where none is running."""
        if self.scheduler is None or self.scheduler.poll() is not None:
            port = free_port()
            self.address = f"tcp://127.0.0.1:{port}"
            options = ["--host", "127.0.0.1", "--port", str(port), "--no-show"]
            self.scheduler = self._start("dask_scheduler", *options)

    def _start(self, name, *words, paths=()):
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{name}", "--no-dashboard", *words],
                cwd=self.folder,
                env=environment(*paths),
                stdout=log,
                stderr=log,
            )

    def worker(self, *paths):
        """Start a worker, which finds modules in `paths` first."""
        options = ["--nthreads", "1", "--no-nanny", "--memory-limit", "0"]
        self.workers.append(self._start("dask_worker", self.address, *options, paths=paths))
        return self.workers[-1]

    def end_workers(self):
        for process in self.workers:
            process.kill()
        for process in self.workers:
            process.wait()
        self.workers.clear()

    def end(self):
        self.end_workers()
        self.scheduler.kill()
        self.scheduler.wait()


@pytest.fixture(scope="module")
def started(tmp_path_factory):
    made = Processes(tmp_path_factory.mktemp("dask"))
    made.begin()
    yield made
    made.end()


@pytest.fixture
def processes(started):
    """A scheduler that has no worker yet."""
    started.end_workers()
    started.begin()
    with joined(started) as crew:
        wait_for_workers(crew, 0)
    return started


@pytest.fixture
def crew(started):
    """A cluster of one worker, which all tests have that leave it alive."""
    started.begin()
    if len(started.workers) != 1 or started.workers[0].poll() is not None:
        started.end_workers()
        started.worker()
    with joined(started) as crew:
        wait_for_workers(crew, 1)
        yield crew


def joined(processes):
    """Join, however long the scheduler takes to start on a busy machine."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return join(processes.address, 0, lambda text: None)
        except ClusterError:
            assert time.monotonic() < end


def wait_for_workers(crew, count):
    end = time.monotonic() + PATIENCE
    while crew.workers != count:
        assert time.monotonic() < end
        time.sleep(0.1)
        crew._looked = float("-inf")
        crew._look()


def tripeaks(rules="no-wrap", limits=None, best=True):
    game = get_game("tripeaks")
    rules = game.rules.resolve(rules)
    return Study(game, rules, NUMBERINGS["winnable"], limits or Limits(), best)


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr(get_game("tripeaks"), "chunk_size", CHUNK_SIZE, raising=False)


def content(path):
    """All that a store holds but times."""
    with Store.open_to_read(path) as store:
        execute = store._connection.execute
        counts = "first, count, winnable, unwinnable, unknown, nodes"
        return [
            execute(f"SELECT {counts} FROM chunk ORDER BY first").fetchall(),
            execute("SELECT * FROM chunk_column ORDER BY first, name").fetchall(),
            execute("SELECT * FROM study ORDER BY key").fetchall(),
            execute("SELECT number, verdict, max_nodes, nodes FROM retry").fetchall(),
        ]


def solved(path, crew, study=None, span=WANTED, **options):
    study = study or tripeaks()
    with Store.create_or_open(path, study) as store:
        return run_study(store, study, span, crew, **options)


@pytest.fixture(scope="module")
def by_threads(tmp_path_factory):
    """What two threads make of WANTED."""
    path = tmp_path_factory.mktemp("threads") / "s.sqlite"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(get_game("tripeaks"), "chunk_size", CHUNK_SIZE, raising=False)
        assert solved(path, 2) == WANTED.count
    return path


# --- the same results ---


def test_a_cluster_is_as_good_as_threads(tmp_path, crew, by_threads):
    path = tmp_path / "s.sqlite"
    seen = []
    assert solved(path, crew, on_progress=seen.append) == sum(seen) == WANTED.count
    assert content(path) == content(by_threads)
    with Store.open_to_read(path) as one, Store.open_to_read(by_threads) as other:
        assert without_machine(summarize(one)) == without_machine(summarize(other))
        (session,) = one.sessions()
        assert session["workers"] == 1
        assert "Python 3." in session["machine"]
        # The workers' time is in it.
        assert session["cpu_seconds"] > 0.5 * one.totals().cpu_seconds > 0
    # All is there: no task is sent.
    assert solved(path, crew) == 0


def test_unknown_deals_are_tried_again_on_a_cluster(tmp_path, crew):
    few, enough = Limits(max_nodes=115_000), Limits(max_nodes=10**7)
    span = Span(0, 40)
    tried = []
    for name, workers in (("cluster", crew), ("threads", 2)):
        path = tmp_path / name
        solved(path, workers, tripeaks(limits=few, best=False), span)
        again = tripeaks(limits=enough, best=False)
        with Store.create_or_open(path, tripeaks(limits=few, best=False)) as store:
            tried.append(retry_unknown(store, again, span, workers))
    assert tried[0] == tried[1]
    assert tried[0][0] > 0
    assert content(tmp_path / "cluster") == content(tmp_path / "threads")


# --- workers come, go and die ---


def test_a_worker_is_killed_and_another_comes(tmp_path, processes, by_threads):
    path = tmp_path / "s.sqlite"
    victim = processes.worker()
    chunks = []
    with joined(processes) as crew:
        wait_for_workers(crew, 1)

        def progress(deals):
            chunks.append(deals)
            if len(chunks) == 4:
                processes.worker()
            if len(chunks) == 8:
                victim.send_signal(signal.SIGKILL)

        assert solved(path, crew, on_progress=progress) == WANTED.count
        assert crew.workers == 1
    assert victim.wait() == -signal.SIGKILL
    assert Counter(chunks)[CHUNK_SIZE] == len(chunks) - 2
    assert content(path) == content(by_threads)


def test_it_waits_for_the_first_worker(tmp_path, processes):
    said = []
    with joined(processes) as crew:
        crew._say = said.append
        timer = threading.Timer(1.5, processes.worker)
        timer.start()
        answers = crew.answers(tripeaks(), cluster_work.double, range(5), threading.Event())
        assert sorted(answers) == [0, 2, 4, 6, 8]
        timer.join()


def test_workers_that_die_at_the_same_task_again_and_again(processes):
    processes.worker()
    with joined(processes) as crew:
        wait_for_workers(crew, 1)
        crew._client.run_on_scheduler(
            lambda dask_scheduler: setattr(dask_scheduler, "allowed_failures", 0)
        )
        answers = crew.answers(tripeaks(), cluster_work.die, range(5), threading.Event())
        with pytest.raises(ClusterError, match="died again and again at the same task"):
            list(answers)


def test_the_scheduler_goes(tmp_path, processes):
    path = tmp_path / "s.sqlite"
    processes.worker()
    chunks = []
    with joined(processes) as crew:
        wait_for_workers(crew, 1)

        def progress(deals):
            chunks.append(deals)
            if len(chunks) == 3:
                processes.scheduler.kill()

        with pytest.raises(ClusterError, match="is gone; what was decided before is kept"):
            solved(path, crew, span=Span(0, 10**9), on_progress=progress)
    with Store.open_to_read(path) as store:
        assert sum(span.count for span in store.covered()) == sum(chunks)


# --- workers of another version ---


@pytest.fixture
def edited(tmp_path):
    """A folder with a copy of the package in which a kernel's source was edited."""
    source = Path(winnable.__file__).parent
    folder = tmp_path / "edited"
    shutil.copytree(source, folder / "winnable", ignore=shutil.ignore_patterns("__pycache__"))
    with (folder / "winnable" / "search" / "__init__.py").open("a", encoding="utf-8") as file:
        file.write("\n# edited\n")
    return folder


@pytest.fixture
def without(tmp_path):
    """A folder with something else of the package's name."""
    folder = tmp_path / "without"
    folder.mkdir()
    (folder / "winnable.py").write_text("", encoding="utf-8")
    return folder


def refused_by_all(processes):
    """The error of joining where no worker can be used, once they have come."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            with join(processes.address, 0, lambda text: None):
                assert time.monotonic() < end
        except ClusterError as error:
            if "can be used" in str(error):
                return str(error)


def test_workers_of_another_version_get_no_work(processes, edited, without):
    processes.worker(edited)
    text = refused_by_all(processes)
    assert f"can be used: it has winnable {winnable.__version__} (kernels " in text
    assert text.endswith(f", and this is {own_stamp()}.")
    processes.worker(without)
    processes.worker()
    said, crew, end = [], None, time.monotonic() + PATIENCE
    while crew is None:
        assert time.monotonic() < end
        with contextlib.suppress(ClusterError):
            crew = join(processes.address, 0, said.append)
    with crew:
        while len(set(said)) < 2 or crew.workers < 1:
            assert time.monotonic() < end
            crew._look()
        answers = crew.answers(tripeaks(), cluster_work.double, range(50), threading.Event())
        assert sorted(answers) == list(range(0, 100, 2))
        assert crew.workers == 1
    assert all(text.startswith("Worker tcp://127.0.0.1:") for text in said)
    assert len(set(said)) == 2
    assert any("gets no work: it has winnable" in text for text in said)
    assert any("gets no work: it has no winnable, or another version" in text for text in said)


def test_nothing_is_taken_from_a_worker_that_turns_out_to_be_of_another_version(crew):
    crew._own = Stamp("0.0.0", "0123456789abcdef")
    answers = crew.answers(tripeaks(), cluster_work.double, range(5), threading.Event())
    with pytest.raises(ClusterError, match=r"this is winnable 0\.0\.0"):
        raise AssertionError(list(answers))


def test_a_task_is_not_done_under_another_stamp():
    order = Order("session", Stamp("0", "0"), "none", None, "none", Limits(), False, False)
    delivery = pickle.loads(deliver(order, cluster_work.double, 1))
    assert (delivery.stamp, delivery.result) == (own_stamp(), None)


def test_a_worker_keeps_the_solvers_of_few_sessions(monkeypatch):
    desks = type(cluster_worker._desks)()
    monkeypatch.setattr(cluster_worker, "_desks", desks)
    for session in "abcdef":
        order = Order.of(session, tripeaks())
        assert pickle.loads(deliver(order, cluster_work.double, 1)).result == 2
    assert list(desks) == list("cdef")
    (first, *_) = desks.values()
    cluster_worker.forget("c")
    assert list(desks) == list("def")
    assert first.stop.is_set()
    # Told twice, or of a session that it never had.
    cluster_worker.forget("c")


# --- stopped, and errors ---


def test_told_to_stop_what_was_decided_comes(crew, monkeypatch):
    # Otherwise a busy machine could be too slow.
    monkeypatch.setattr("winnable.study.cluster._LAST_CALL", 60)
    stop = threading.Event()
    timer = threading.Timer(1, stop.set)
    timer.start()
    # One is in work, and one waits behind it.
    answers = list(crew.answers(tripeaks(), cluster_work.wait, range(1000), stop))
    assert answers == ["half of 0", "half of 1"]
    timer.join()
    # The worker is free again, and no task is left over.
    answers = crew.answers(tripeaks(), cluster_work.double, range(3), threading.Event())
    assert sorted(answers) == [0, 2, 4]


def test_stopped_studies_go_on(tmp_path, crew, by_threads):
    path = tmp_path / "s.sqlite"
    parts = []
    for _ in range(3):
        stop, chunks = threading.Event(), []

        def progress(deals, stop=stop, chunks=chunks):
            chunks.append(deals)
            if len(chunks) == 5:
                stop.set()

        parts.append(solved(path, crew, on_progress=progress, stop=stop))
        assert parts[-1] == sum(chunks) < WANTED.count
        with Store.open_to_read(path) as store:
            assert sum(span.count for span in store.covered()) == sum(parts)
    assert solved(path, crew) == WANTED.count - sum(parts)
    with Store.open_to_read(path) as one, Store.open_to_read(by_threads) as other:
        assert one.covered() == [WANTED]
        for name in ("verdict", "stock_left"):
            held = [
                np.concatenate([part for _, part in each.column(name)]) for each in (one, other)
            ]
            assert np.array_equal(*held)


def test_an_error_of_a_solver_comes_through(crew):
    answers = crew.answers(tripeaks(), cluster_work.fail, range(100), threading.Event())
    with pytest.raises(ZeroDivisionError, match="at [01]"):
        list(answers)


# --- joining ---


def test_no_scheduler_there():
    address = f"tcp://127.0.0.1:{free_port()}"
    before = time.monotonic()
    with pytest.raises(ClusterError, match=f"No scheduler answers at {address} within 5 seconds"):
        join(address, 0, print)
    assert time.monotonic() - before < 15


def test_something_else_at_the_address(monkeypatch):
    monkeypatch.setattr("winnable.study.cluster._ANSWER_WITHIN", 1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(ClusterError, match=f"No scheduler answers at {address}"):
            join(address, 0, print)


@pytest.mark.parametrize(
    "address", ["", "lokal", "127.0.0.1:8786", "http://a:1", "tcp://a", "tcp://:1"]
)
def test_what_is_no_address(address):
    with pytest.raises(InputError, match=f"'{address}' is no cluster: .*tcp://.*local"):
        check(address)


def test_without_dask_the_command_to_install_it_is_told(monkeypatch):
    monkeypatch.setattr("winnable.study.cluster.find_spec", lambda name: None)
    with pytest.raises(
        ClusterError, match=r"not installed here: pip install 'winnable\[cluster\]'"
    ):
        join("local", 1, print)


def test_workers_that_cannot_be_started(monkeypatch):
    monkeypatch.setattr("winnable.study.cluster._WORKER_MODULE", "no_such_module")
    with pytest.raises(ClusterError, match="don't start: .*no_such_module"):
        join("local", 1, print)


def test_logs_and_warnings_are_as_before_once_it_is_left(started):
    started.begin()
    before = logging.root.manager.disable, list(warnings.filters)
    with joined(started):
        assert logging.root.manager.disable == logging.CRITICAL
    assert (logging.root.manager.disable, list(warnings.filters)) == before
