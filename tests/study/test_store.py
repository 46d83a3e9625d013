"""The store: made, opened again, refused, shared between processes, and kept whole."""

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from study.fake_study import fake_study, stock_left_of, verdicts_of

from winnable.errors import StoreError
from winnable.games.base import Limits
from winnable.study import store as store_module
from winnable.study.plan import Span
from winnable.study.report import summarize
from winnable.study.store import Chunk, SessionFigures, Store
from winnable.study.store_file import APPLICATION_ID

ROOT = Path(__file__).parents[2]
# Figures of no session: they change nothing in a store.
NO_SESSION = SessionFigures(0, 0.0, 0.0, 0)


def chunk(first, count, best=False):
    columns = {"verdict": verdicts_of(first, count)}
    if best:
        columns["stock_left"] = stock_left_of(first, count)
    return Chunk(first, columns, nodes=count, cpu_seconds=0.25)


def make(path, *chunks, study=None):
    """A closed store that holds these chunks and a session."""
    with Store.create_or_open(path, study or fake_study()) as store:
        session = store.begin_session("2026-01-01T00:00:00+00:00", 2, "a machine", "1.0")
        deals = 0
        for each in chunks:
            deals += each.count
            store.add(each, SessionFigures(session, 2.0, 1.0, deals))
    return path


def beside(path):
    """The files whose names begin with the store's."""
    return {each.name for each in path.parent.glob(path.name + "*")}


def test_a_store_keeps_what_was_added(tmp_path):
    path = make(tmp_path / "s.sqlite", chunk(0, 1000, True), chunk(5000, 70_000, True))
    with Store.open_to_read(path) as store:
        assert store.identity() == fake_study().identity()
        assert store.covered() == [Span(0, 999), Span(5000, 74_999)]
        assert store.column_names() == ["stock_left", "verdict"]
        for name, made in (("verdict", verdicts_of), ("stock_left", stock_left_of)):
            held = dict(store.column(name))
            assert list(held) == [0, 5000]
            assert np.array_equal(held[0], made(0, 1000))
            assert np.array_equal(held[5000], made(5000, 70_000))
        totals = store.totals()
        together = np.concatenate([verdicts_of(0, 1000), verdicts_of(5000, 70_000)])
        assert totals.unwinnable == (together == 0).sum()
        assert totals.winnable == (together == 1).sum()
        assert totals.unknown == (together == 2).sum()
        assert (totals.nodes, totals.cpu_seconds) == (71_000, 0.5)
        (session,) = store.sessions()
        assert (session["deals"], session["workers"]) == (71_000, 2)
        assert (session["wall_seconds"], session["machine"]) == (2.0, "a machine")


def test_a_store_is_opened_again_and_goes_on(tmp_path):
    path = make(tmp_path / "s.sqlite", chunk(0, 10))
    make(path, chunk(10, 10))
    with Store.open_to_read(path) as store:
        assert store.covered() == [Span(0, 19)]
        assert len(store.sessions()) == 2


def test_numbers_up_to_10_to_the_20_in_number_order(tmp_path):
    firsts = [10**20 - 9, 0, 2**63 - 5, 2**64 + 3, 99, 10**19]
    path = make(tmp_path / "s.sqlite", *(chunk(first, 10) for first in firsts))
    with Store.open_to_read(path) as store:
        assert [first for first, _ in store.column("verdict")] == sorted(firsts)
        assert store.covered()[-1] == Span(10**20 - 9, 10**20)


def test_the_same_chunk_twice_is_refused_and_changes_nothing(tmp_path):
    path = tmp_path / "s.sqlite"
    with Store.create_or_open(path, fake_study()) as store:
        store.add(chunk(0, 10), NO_SESSION)
        with pytest.raises(StoreError):
            store.add(chunk(0, 20), NO_SESSION)
        assert store.covered() == [Span(0, 9)]
        store.add(chunk(10, 10), NO_SESSION)
    with Store.open_to_read(path) as store:
        assert store.covered() == [Span(0, 19)]


# --- refused ---


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rules": "no-wrap"}, ["rules is standard there, no-wrap here", "wrap=yes", "wrap=no"]),
        ({"numbering": "ms"}, ["numbering is winnable there, ms here"]),
        ({"limits": Limits(max_nodes=9)}, ["max_nodes is none there, 9 here"]),
        ({"limits": Limits(max_seconds=0.5)}, ["max_seconds is none there, 0.5 here"]),
        ({"limits": Limits(effort=3)}, ["effort is none there, 3 here"]),
        ({"best": True}, ["best is no there, yes here"]),
    ],
)
def test_other_settings_are_refused_with_the_difference(tmp_path, changes, words):
    path = make(tmp_path / "s.sqlite", chunk(0, 10))
    before = path.read_bytes()
    with pytest.raises(StoreError) as caught:
        Store.create_or_open(path, fake_study(**changes))
    text = str(caught.value)
    assert all(word in text for word in [str(path), *words])
    # What is the same is not named.
    assert text.count(" there, ") == len([word for word in words if "there" in word]) + (
        "rules" in changes
    )
    assert path.read_bytes() == before
    assert beside(path) - {f"{path.name}.lock"} == {path.name}


def test_another_solver_version_is_another_study(tmp_path):
    path = make(tmp_path / "s.sqlite", chunk(0, 10))
    study = fake_study()
    study.game.solver_version = 99
    with pytest.raises(StoreError, match="solver is 1 there, 99 here"):
        Store.create_or_open(path, study)


def text_file(path):
    path.write_text("this is not a database\n" * 100)


def short_text(path):
    path.write_text("x")


def foreign_database(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (a)")
        connection.execute("INSERT INTO t VALUES (1)")
    connection.close()


def foreign_wal_database(path):
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE t (a)")
    connection.close()


def foreign_application(path):
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA application_id = 42")
    connection.close()


def truncated_store(path):
    make(path, chunk(0, 10))
    path.write_bytes(path.read_bytes()[:50])


def newer_store(path):
    make(path, chunk(0, 10))
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA user_version = 2")
    connection.close()


FOREIGN = [
    text_file,
    short_text,
    foreign_database,
    foreign_wal_database,
    foreign_application,
    truncated_store,
    newer_store,
]


@pytest.mark.parametrize("make_file", FOREIGN)
def test_foreign_files_are_refused_and_left_as_they_were(tmp_path, make_file):
    path = tmp_path / "s.sqlite"
    make_file(path)
    path.with_name(f"{path.name}.lock").unlink(missing_ok=True)
    before, stamp = path.read_bytes(), path.stat().st_mtime_ns
    for opening in (
        lambda: Store.create_or_open(path, fake_study()),
        lambda: Store.open_to_read(path),
    ):
        with pytest.raises(StoreError) as caught:
            opening()
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)
    assert path.read_bytes() == before
    assert path.stat().st_mtime_ns == stamp
    assert not (tmp_path / "s.sqlite.lock").exists()


def test_nothing_is_left_beside_a_foreign_database_in_wal_mode(tmp_path):
    path = tmp_path / "s.sqlite"
    foreign_wal_database(path)
    assert beside(path) == {path.name}
    with pytest.raises(StoreError):
        Store.create_or_open(path, fake_study())
    assert beside(path) == {path.name}


def test_a_missing_store_and_a_folder_are_refused(tmp_path):
    for path in (tmp_path / "none.sqlite", tmp_path):
        with pytest.raises(StoreError, match=str(path)):
            Store.open_to_read(path)
    with pytest.raises(StoreError, match=str(tmp_path)):
        Store.create_or_open(tmp_path, fake_study())
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_is_too_long_is_refused(tmp_path):
    for opening in (Store.open_to_read, lambda path: Store.create_or_open(path, fake_study())):
        with pytest.raises(StoreError):
            opening(tmp_path / ("x" * 300))


def test_an_empty_file_is_taken_as_new(tmp_path):
    path = tmp_path / "s.sqlite"
    path.touch()
    with pytest.raises(StoreError):
        Store.open_to_read(path)
    make(path, chunk(0, 10))
    with Store.open_to_read(path) as store:
        assert store.covered() == [Span(0, 9)]


@pytest.mark.parametrize("name", ["a b.sqlite", "a?b#c%41.sqlite", "ä♠.sqlite", "noext"])
def test_any_file_name_will_do(tmp_path, name):
    path = make(tmp_path / name, chunk(0, 10))
    assert path.stat().st_size > 0
    with Store.open_to_read(path) as store:
        assert store.covered() == [Span(0, 9)]


def test_the_name_memory_is_a_file_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    make(Path(":memory:"), chunk(0, 10))
    with Store.open_to_read(Path(":memory:")) as store:
        assert store.covered() == [Span(0, 9)]


def damage(path, statement):
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE chunk_column SET data = x'00'",
        "UPDATE chunk SET count = 9000",
        "UPDATE study SET value = 'nonsense'",
        "DROP TABLE chunk_column",
        "DELETE FROM study",
    ],
    ids=["compressed data", "count", "identity value", "missing table", "no identity"],
)
def test_a_damaged_store_ends_in_a_sentence(tmp_path, statement):
    path = make(tmp_path / "s.sqlite", chunk(0, 1000))
    damage(path, statement)
    with pytest.raises(StoreError) as caught, Store.open_to_read(path) as store:
        summarize(store)
    assert str(path) in str(caught.value)


# --- one writer, many readers ---


def test_a_second_writer_is_refused_while_the_first_is_open(tmp_path):
    path = tmp_path / "s.sqlite"
    with Store.create_or_open(path, fake_study()) as store:
        store.add(chunk(0, 10), NO_SESSION)
        with pytest.raises(StoreError, match="Another process is writing"):
            Store.create_or_open(path, fake_study())
        store.add(chunk(10, 10), NO_SESSION)
    make(path, chunk(20, 10))


def test_a_link_is_the_same_store(tmp_path):
    path, link = tmp_path / "s.sqlite", tmp_path / "link.sqlite"
    link.symlink_to(path)
    with (
        Store.create_or_open(path, fake_study()),
        pytest.raises(StoreError, match="Another process is writing"),
    ):
        Store.create_or_open(link, fake_study())


def in_another_process(code, *args):
    paths = [str(ROOT / folder) for folder in ("solver", "cli", "tests")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, args)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_second_writer_from_another_process_is_refused_and_a_reader_is_not(tmp_path):
    path = tmp_path / "s.sqlite"
    write = (
        "import sys; from pathlib import Path\n"
        "from study.fake_study import fake_study\n"
        "from winnable.study.store import Store\n"
        "Store.create_or_open(Path(sys.argv[1]), fake_study()).close()\n"
    )
    read = (
        "import sys; from pathlib import Path\n"
        "from winnable.study.store import Store\n"
        "print(Store.open_to_read(Path(sys.argv[1])).covered())\n"
    )
    with Store.create_or_open(path, fake_study()) as store:
        store.add(chunk(0, 10), NO_SESSION)
        result = in_another_process(write, path)
        assert result.returncode == 1
        assert "StoreError: Another process is writing" in result.stderr
        assert in_another_process(read, path).stdout == "[Span(first=0, last=9)]\n"
    assert in_another_process(write, path).returncode == 0


def test_a_reader_sees_what_is_committed_while_a_writer_writes(tmp_path):
    path = tmp_path / "s.sqlite"
    with Store.create_or_open(path, fake_study()) as writer:
        writer.add(chunk(0, 10), NO_SESSION)
        with Store.open_to_read(path) as reader:
            assert reader.covered() == [Span(0, 9)]
            rows = reader.column("verdict")
            assert next(rows)[0] == 0
            writer.add(chunk(10, 10), NO_SESSION)
            # The query goes on over what there was when it began ...
            assert list(rows) == []
            # ... and the next one sees more.
            assert reader.covered() == [Span(0, 19)]


def test_closing_does_not_wait_for_readers(tmp_path):
    path = tmp_path / "s.sqlite"
    writer = Store.create_or_open(path, fake_study())
    writer.add(chunk(0, 10), NO_SESSION)
    writer.add(chunk(10, 10), NO_SESSION)
    with Store.open_to_read(path) as reader:
        rows = reader.column("verdict")
        next(rows)
        before = time.perf_counter()
        writer.close()
        assert time.perf_counter() - before < 1
        assert next(rows)[0] == 10
        rows.close()
    with Store.open_to_read(path) as reader:
        assert reader.covered() == [Span(0, 19)]


def test_a_reader_cannot_write(tmp_path):
    path = make(tmp_path / "s.sqlite", chunk(0, 10))
    with Store.open_to_read(path) as store, pytest.raises(StoreError):
        store.add(chunk(10, 10), NO_SESSION)


def test_a_store_that_was_made_meanwhile_for_another_study_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "s.sqlite"
    lock = store_module.lock_to_write

    def lock_after_another(wanted):
        monkeypatch.setattr(store_module, "lock_to_write", lock)
        make(path, chunk(0, 10), study=fake_study(rules="no-wrap"))
        return lock(wanted)

    monkeypatch.setattr(store_module, "lock_to_write", lock_after_another)
    with pytest.raises(StoreError, match="belongs to another study"):
        Store.create_or_open(path, fake_study())


# --- where nothing can be written ---


def test_a_closed_store_is_one_file(tmp_path):
    path = make(tmp_path / "s.sqlite", chunk(0, 10))
    # Apart from the lock, which stays so that two processes never hold two files of its name.
    assert beside(path) - {f"{path.name}.lock"} == {path.name}


def test_a_closed_store_is_read_in_a_folder_without_write_permission(tmp_path, frozen):
    folder = tmp_path / "folder"
    folder.mkdir()
    path = make(folder / "s.sqlite", chunk(0, 10))
    frozen(folder)
    with Store.open_to_read(path) as store:
        assert store.covered() == [Span(0, 9)]


def test_an_unfinished_store_is_read_in_full_or_refused_in_such_a_folder(tmp_path, frozen):
    folder = tmp_path / "folder"
    folder.mkdir()
    live = tmp_path / "live.sqlite"
    with Store.create_or_open(live, fake_study()) as store:
        store.add(chunk(0, 10), NO_SESSION)
        for end in ("", "-wal"):
            shutil.copy(f"{live}{end}", f"{folder / 's.sqlite'}{end}")
    frozen(folder)
    for path in (folder / "s.sqlite", tmp_path / "link.sqlite"):
        if not path.exists():
            path.symlink_to(folder / "s.sqlite")
        try:
            with Store.open_to_read(path) as store:
                held = store.covered()
        except StoreError:
            continue
        assert held == [Span(0, 9)]


def test_a_new_store_in_a_folder_without_write_permission(tmp_path, frozen):
    frozen(tmp_path)
    with pytest.raises(StoreError, match=r"s\.sqlite"):
        Store.create_or_open(tmp_path / "s.sqlite", fake_study())


def test_a_new_store_in_a_folder_that_is_a_file(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"s\.sqlite"):
        Store.create_or_open(tmp_path / "file" / "s.sqlite", fake_study())


def test_a_store_without_write_permission_is_read_but_not_written(tmp_path, frozen):
    path = make(tmp_path / "s.sqlite", chunk(0, 10))
    before = path.read_bytes()
    frozen(path)
    with Store.open_to_read(path) as store:
        assert store.covered() == [Span(0, 9)]
    with pytest.raises(StoreError, match=r"s\.sqlite can't be (written|used)"):
        Store.create_or_open(path, fake_study())
    assert path.read_bytes() == before


def test_a_refused_writer_gives_the_lock_back(tmp_path, monkeypatch):
    path = tmp_path / "s.sqlite"
    monkeypatch.setattr(Store, "_prepare", lambda self, study: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        Store.create_or_open(path, fake_study())
    monkeypatch.undo()
    make(path, chunk(0, 10))


# --- a full disk ---


def noise(first, count):
    """A chunk that does not compress."""
    columns = {
        "verdict": verdicts_of(first, count),
        "stock_left": np.random.default_rng(first).integers(0, 256, count).astype(np.uint8),
    }
    return Chunk(first, columns, 0, 0.1)


def test_a_full_store_keeps_the_chunks_before(tmp_path):
    path = tmp_path / "s.sqlite"
    with Store.create_or_open(path, fake_study(best=True)) as store:
        store.add(noise(0, 1000), NO_SESSION)
        store._connection.execute("PRAGMA max_page_count = 20")
        with pytest.raises(StoreError) as caught:
            store.add(noise(100_000, 100_000), NO_SESSION)
        assert str(path) in str(caught.value)
        assert "full" in str(caught.value)
        assert store.covered() == [Span(0, 999)]
    with Store.open_to_read(path) as store:
        assert store.covered() == [Span(0, 999)]


@pytest.fixture
def small_disk(tmp_path):
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", folder]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("no right to mount a small disk")
    yield folder
    # Lazily: where opening failed, the traceback that pytest keeps holds the file open.
    subprocess.run(["umount", "-l", folder], check=True)


def test_a_full_disk_keeps_the_chunks_before(small_disk):
    path = small_disk / "s.sqlite"
    added = 0

    def fill(store):
        nonlocal added
        while added < 100:
            store.add(noise(20_000 * added, 20_000), NO_SESSION)
            added += 1

    with Store.create_or_open(path, fake_study(best=True)) as store:
        with pytest.raises(StoreError) as caught:
            fill(store)
        assert f"The disk with {path} is full" in str(caught.value)
    assert 1 <= added < 20
    with Store.open_to_read(path) as store:
        assert store.covered() == [Span(0, 20_000 * added - 1)]
        assert len(list(store.column("stock_left"))) == added


def test_a_new_store_on_a_full_disk(small_disk):
    with pytest.raises(OSError, match="space"):
        (small_disk / "ballast").write_bytes(bytes(10**6))
    with pytest.raises(StoreError, match="full|space"):
        Store.create_or_open(small_disk / "s.sqlite", fake_study())


def test_the_mark_of_our_files(tmp_path):
    path = make(tmp_path / "s.sqlite", chunk(0, 10))
    assert APPLICATION_ID.to_bytes(4, "big") == b"WNBL"
    assert path.read_bytes()[68:72] == b"WNBL"
