"""Running a study: stopped anywhere, killed, gone on with; the answers are always the same."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from study.fake_study import (
    BLOCK,
    CHUNK_SIZE,
    NODES_A_DEAL,
    fake_study,
    stock_left_of,
    verdicts_of,
    without_machine,
)

from winnable.deals import NUMBERINGS
from winnable.errors import StoreError
from winnable.games import get_game
from winnable.games.base import Limits, Verdict
from winnable.study.plan import Span, Study
from winnable.study.report import summarize
from winnable.study.run import default_workers, machine_name, run_study
from winnable.study.store import Store

ROOT = Path(__file__).parents[2]
# Parts of four chunks of 65,536 numbers, neither end at a multiple.
WANTED = Span(10_000, 200_000)


def run(path, *spans, workers=1, study=None, **options):
    """Run a study over spans; the deals that were solved and the summary."""
    study = study or fake_study()
    with Store.create_or_open(path, study) as store:
        solved = [run_study(store, study, span, workers, **options) for span in spans]
        return solved, summarize(store)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The summary of an uninterrupted study of WANTED."""
    solved, summary = run(tmp_path_factory.mktemp("whole") / "s.sqlite", WANTED)
    assert solved == [WANTED.count]
    return summary


def check(path, *spans, best=False):
    """That a store holds the right answer for every number of the spans."""
    with Store.open_to_read(path) as store:
        assert store.covered() == list(spans)
        for name, made in [("verdict", verdicts_of)] + [("stock_left", stock_left_of)] * best:
            held = np.concatenate([values for _, values in store.column(name)])
            wanted = np.concatenate([made(span.first, span.count) for span in spans])
            assert np.array_equal(held, wanted)


def study_threads():
    """The worker threads that are alive."""
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("study")]


def test_worker_threads_are_seen_by_their_name(tmp_path):
    seen = []
    run(
        tmp_path / "s.sqlite",
        WANTED,
        study=fake_study(lambda first, count: seen.append(study_threads())),
    )
    assert seen
    assert all(len(names) == 1 for names in seen)
    assert study_threads() == []


def test_a_study_answers_every_number(tmp_path, whole):
    path = tmp_path / "s.sqlite"
    run(path, WANTED)
    check(path, WANTED)
    verdicts = verdicts_of(WANTED.first, WANTED.count)
    assert whole["winnable"] == (verdicts == 1).sum()
    assert whole["unwinnable"] == (verdicts == 0).sum()
    assert whole["unknown"] == (verdicts == 2).sum()
    assert whole["nodes"] == NODES_A_DEAL * WANTED.count
    assert whole["numbers"] == [[WANTED.first, WANTED.last]]


def test_with_scores(tmp_path):
    path = tmp_path / "s.sqlite"
    _, summary = run(path, WANTED, study=fake_study(best=True))
    check(path, WANTED, best=True)
    left = stock_left_of(WANTED.first, WANTED.count)
    histogram = {str(value): int((left == value).sum()) for value in range(24)}
    assert summary["scores"] == {"stock_left": histogram}
    assert sum(histogram.values()) == summary["winnable"]


@pytest.mark.parametrize("workers", [2, 3, 8])
def test_many_workers_are_as_good_as_one(tmp_path, whole, workers):
    path = tmp_path / "s.sqlite"
    solved, summary = run(path, WANTED, workers=workers)
    assert solved == [WANTED.count]
    assert without_machine(summary) == without_machine(whole)
    check(path, WANTED)


def test_each_thread_has_a_solver_of_its_own(tmp_path):
    threads, batches = set(), []
    gate = threading.Barrier(2, timeout=20)
    study = fake_study(lambda first, count: threads.add(threading.get_ident()))
    make = study.game.batch

    def batch(*args):
        batches.append(threading.get_ident())
        gate.wait()
        return make(*args)

    study.game.batch = batch
    run(tmp_path / "s.sqlite", WANTED, workers=2, study=study)
    assert sorted(batches) == sorted(threads)
    assert len(threads) == 2


def test_a_finished_study_is_left_alone(tmp_path):
    path = tmp_path / "s.sqlite"
    _, before = run(path, WANTED)

    def never(first, count):
        raise AssertionError("solved again")

    solved, after = run(path, WANTED, Span(50_000, 50_000), study=fake_study(never))
    assert solved == [0, 0]
    assert after == before


@pytest.mark.parametrize(
    ("spans", "solved", "covered"),
    [
        # adjacent, the second below the first
        ([Span(100, 199), Span(0, 99)], [100, 100], [Span(0, 199)]),
        # overlapping at either end
        ([Span(100, 199), Span(150, 250), Span(50, 120)], [100, 51, 50], [Span(50, 250)]),
        # around what is there, and inside it
        ([Span(100, 199), Span(0, 300), Span(150, 160)], [100, 201, 0], [Span(0, 300)]),
        # apart, over the cut between two chunks
        (
            [Span(0, 9), Span(CHUNK_SIZE - 5, CHUNK_SIZE + 4)],
            [10, 10],
            [Span(0, 9), Span(CHUNK_SIZE - 5, CHUNK_SIZE + 4)],
        ),
        # single numbers, then all
        (
            [Span(0, 0), Span(CHUNK_SIZE, CHUNK_SIZE), Span(0, 2 * CHUNK_SIZE)],
            [1, 1, 2 * CHUNK_SIZE - 1],
            [Span(0, 2 * CHUNK_SIZE)],
        ),
    ],
)
def test_several_ranges(tmp_path, spans, solved, covered):
    path = tmp_path / "s.sqlite"
    assert run(path, *spans)[0] == solved
    check(path, *covered)


def test_the_order_of_ranges_does_not_show(tmp_path):
    spans = [Span(0, 99), Span(70_000, 70_099), Span(50, 70_050)]
    one = run(tmp_path / "a.sqlite", *spans)[1]
    other = run(tmp_path / "b.sqlite", *reversed(spans))[1]
    assert without_machine(one) == without_machine(other)


def test_numbers_beyond_64_bits(tmp_path):
    path = tmp_path / "s.sqlite"
    last = NUMBERINGS["pysol"].last
    run(path, Span(2**64 - 50, 2**64 + 50), Span(last - 99, last), study=fake_study())
    check(path, Span(2**64 - 50, 2**64 + 50), Span(last - 99, last))


def test_a_range_without_end_is_begun_at_once(tmp_path):
    stop = threading.Event()
    study = fake_study(lambda first, count: stop.set())
    solved, _ = run(tmp_path / "s.sqlite", Span(0, 2**64 - 1), study=study, stop=stop)
    assert solved == [BLOCK]


# --- progress ---


@pytest.mark.parametrize("workers", [1, 3])
def test_progress_adds_up_and_follows_the_commits(tmp_path, workers):
    seen = []
    study = fake_study()
    with Store.create_or_open(tmp_path / "s.sqlite", study) as store:

        def progress(deals):
            seen.append(deals)
            assert sum(span.count for span in store.covered()) == sum(seen)

        run_study(store, study, WANTED, workers, progress)
    assert sum(seen) == WANTED.count
    assert min(seen) > 0


# --- stopped ---


def block_count():
    """How many blocks a study of WANTED solves."""
    cuts = [WANTED.first, CHUNK_SIZE, 2 * CHUNK_SIZE, 3 * CHUNK_SIZE, WANTED.last + 1]
    return sum(-(-(b - a) // BLOCK) for a, b in zip(cuts, cuts[1:], strict=False))


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("stop_at", range(block_count() + 1))
def test_stopped_in_any_block_and_gone_on_with(tmp_path, whole, stop_at, workers):
    path = tmp_path / "s.sqlite"
    stop = threading.Event()
    calls = []

    def before(first, count):
        calls.append(count)
        if len(calls) == stop_at:
            stop.set()

    study = fake_study(before)
    with Store.create_or_open(path, study) as store:
        solved = run_study(store, study, WANTED, workers, stop=stop)
        # Every block that was begun is kept.
        assert solved == sum(calls) == sum(span.count for span in store.covered())
        if stop_at and workers == 1:
            assert len(calls) == stop_at
    rest, summary = run(path, WANTED, workers=workers)
    assert rest == [WANTED.count - solved]
    assert without_machine(summary) == without_machine(whole)
    check(path, WANTED)


def test_stopped_again_and_again(tmp_path, whole):
    path = tmp_path / "s.sqlite"
    solved = 0
    for _ in range(100):
        stop = threading.Event()
        study = fake_study(lambda first, count, stop=stop: stop.set())
        now = run(path, WANTED, study=study, stop=stop)[0][0]
        if now == 0:
            break
        solved += now
    assert solved == WANTED.count
    assert without_machine(run(path, WANTED)[1]) == without_machine(whole)


def test_told_to_stop_before_the_start(tmp_path):
    stop = threading.Event()
    stop.set()
    study = fake_study()
    with Store.create_or_open(tmp_path / "s.sqlite", study) as store:
        assert run_study(store, study, WANTED, 2, stop=stop) == 0
        assert store.covered() == []
        assert store.sessions() == []
        with pytest.raises(StoreError, match="holds no answers yet"):
            summarize(store)


# --- broken ---


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_of_a_solver_comes_through_and_loses_no_chunk(tmp_path, whole, workers):
    path = tmp_path / "s.sqlite"

    def before(first, count):
        if first >= 2 * CHUNK_SIZE:
            time.sleep(0.05)
            raise RuntimeError(f"at {first}")

    # With two workers the next chunk may be the first to fail.
    with pytest.raises(RuntimeError, match="at (131072|196608)"):
        run(path, WANTED, workers=workers, study=fake_study(before))
    assert study_threads() == []
    with Store.open_to_read(path) as store:
        assert store.covered() == [Span(WANTED.first, 2 * CHUNK_SIZE - 1)]
    assert without_machine(run(path, WANTED)[1]) == without_machine(whole)


def test_an_error_of_the_store_ends_the_threads(tmp_path, monkeypatch):
    study = fake_study()

    def full(self, chunk, session):
        raise StoreError("The disk is full.")

    monkeypatch.setattr(Store, "add", full)
    with (
        Store.create_or_open(tmp_path / "s.sqlite", study) as store,
        pytest.raises(StoreError, match="full"),
    ):
        run_study(store, study, Span(0, 2**64 - 1), 2)
    assert study_threads() == []


def test_a_chunk_and_its_sessions_figures_are_one_commit(tmp_path, monkeypatch):
    path = tmp_path / "s.sqlite"
    # Killed at the last statement of the transaction: neither is kept.
    add = Store.add
    monkeypatch.setattr(Store, "add", lambda self, chunk, session: add(self, chunk, None))
    with pytest.raises(AttributeError):
        run(path, Span(0, 99))
    with Store.open_to_read(path) as store:
        assert store.covered() == []
        assert store.sessions() == []


def slow_study(path, first, last, seconds):
    paths = [str(ROOT / folder) for folder in ("solver", "cli", "tests")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    words = [path, first, last, seconds]
    return subprocess.Popen(
        [sys.executable, "-m", "study.fake_study", *map(str, words)],
        env=environment,
        stderr=subprocess.PIPE,
    )


def wait_for_chunks(path, count, process):
    end = time.monotonic() + 30
    while time.monotonic() < end and process.poll() is None:
        try:
            with Store.open_to_read(path) as store:
                if len(list(store.column("verdict"))) >= count:
                    return
        except StoreError:
            pass  # not made yet
        time.sleep(0.02)
    raise AssertionError(f"no {count} chunks: {process.stderr.read()}")


@pytest.mark.parametrize("chunks_before", [1, 3])
def test_killed_and_gone_on_with(tmp_path, chunks_before):
    path = tmp_path / "s.sqlite"
    wanted = Span(1000, 1_000_000)
    process = slow_study(path, wanted.first, wanted.last, 0.02)
    try:
        wait_for_chunks(path, chunks_before, process)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stderr.close()
    with Store.open_to_read(path) as store:
        kept = sum(span.count for span in store.covered())
    assert 0 < kept < wanted.count
    solved, summary = run(path, wanted, workers=2)
    assert solved == [wanted.count - kept]
    check(path, wanted)
    _, uninterrupted = run(tmp_path / "other.sqlite", wanted)
    assert without_machine(summary) == without_machine(uninterrupted)
    assert not path.with_name("s.sqlite-wal").exists()


# --- the real game ---


def test_tripeaks_through_a_study_is_tripeaks_deal_by_deal(tmp_path):
    game = get_game("tripeaks")
    numbering = NUMBERINGS["pysol"]
    study = Study(game, game.rules.resolve("no-wrap"), numbering, Limits(), best=True)
    # Over the number where PySolFC changes its generator.
    span = Span(31_970, 32_029)
    with Store.create_or_open(tmp_path / "s.sqlite", study) as store:
        assert run_study(store, study, span, 2) == span.count
        ((_, verdicts),) = store.column("verdict")
        ((_, left),) = store.column("stock_left")
    codes = {Verdict.UNWINNABLE: 0, Verdict.WINNABLE: 1}
    for index, number in enumerate(range(span.first, span.last + 1)):
        solution = game.solve(game.deal(numbering, number, study.rules), study.rules, Limits())
        assert codes[solution.verdict] == verdicts[index], number
        score = solution.score["stock_left"]
        assert left[index] == (255 if score is None else score), number
    assert set(verdicts.tolist()) == {0, 1}


def test_the_record_of_the_machine():
    assert default_workers() >= 1
    assert "Python 3." in machine_name()
    assert "\n" not in machine_name()
