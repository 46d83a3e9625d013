"""The result store: one SQLite file a study, a row a chunk of consecutive numbers.

One process writes at a time; others may read meanwhile. What was committed survives kill -9.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import filelock

from winnable.errors import StoreError
from winnable.study.columns import VERDICT, ByteArray, pack_column, unpack_column
from winnable.study.plan import Span, Study, merged

# "WNBL": marks the file as one of ours; the version is that of the tables below.
APPLICATION_ID = 0x574E424C
FORMAT_VERSION = 1

_TABLES = """
CREATE TABLE study (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE chunk (
    first TEXT PRIMARY KEY,
    count INTEGER NOT NULL,
    winnable INTEGER NOT NULL,
    unwinnable INTEGER NOT NULL,
    unknown INTEGER NOT NULL,
    nodes INTEGER NOT NULL,
    cpu_seconds REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE chunk_column (
    first TEXT NOT NULL, name TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (first, name)
);
CREATE TABLE session (
    id INTEGER PRIMARY KEY,
    started_time TEXT NOT NULL,
    wall_seconds REAL NOT NULL,
    cpu_seconds REAL NOT NULL,
    deals INTEGER NOT NULL,
    workers INTEGER NOT NULL,
    machine TEXT NOT NULL,
    version TEXT NOT NULL
);
"""

# Deal numbers go past SQLite's 64-bit integers, so they are kept as text that sorts as they do.
_NUMBER_DIGITS = 24


def _number_key(number: int) -> str:
    return str(number).zfill(_NUMBER_DIGITS)


@dataclass(frozen=True)
class Chunk:
    """The answers for consecutive numbers, as a study hands them over."""

    first: int
    columns: dict[str, ByteArray]
    nodes: int
    cpu_seconds: float

    @property
    def count(self) -> int:
        """How many numbers are answered."""
        return len(self.columns[VERDICT])


@dataclass(frozen=True)
class Totals:
    """The sums over all chunks of a store."""

    winnable: int
    unwinnable: int
    unknown: int
    nodes: int
    cpu_seconds: float


class Store:
    """An open store. Use `Store.create_or_open` to write and `Store.open_to_read` to read."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: Any = None) -> None:
        self.path = path
        self._connection = connection
        self._lock = lock

    @classmethod
    def create_or_open(cls, path: Path, study: Study) -> Store:
        """The store of a study, ready to write; made when it does not exist.

        Raises
        ------
        StoreError
            When the file is something else, belongs to another study, can't be written, or is
            being written by another process. The file is left as it was.
        """
        if path.exists():
            # First a look that can change nothing, not even the journal mode.
            with cls.open_to_read(path, allow_empty=True) as found:
                found.require(study)
        lock = _lock(path)
        try:
            with _translated(path):
                connection = sqlite3.connect(path, isolation_level=None)
            store = cls(path, connection, lock)
            with _translated(path):
                store._prepare(study)
        except BaseException:
            lock.release()
            raise
        return store

    @classmethod
    def open_to_read(cls, path: Path, allow_empty: bool = False) -> Store:
        """An existing store, for reading only; raises StoreError when it is not one of ours."""
        if not path.is_file():
            raise StoreError(f"There is no store {path}.")
        with _translated(path):
            connection = _connect_to_read(path)
        store = cls(path, connection)
        with _translated(path):
            application = store._pragma("application_id")
            tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            version = store._pragma("user_version")
        if tables == 0 and application == 0 and allow_empty:
            return store
        if application != APPLICATION_ID:
            store.close()
            raise StoreError(f"{path} is not a store of winnable; it was left as it is.")
        if version != FORMAT_VERSION:
            store.close()
            raise StoreError(
                f"{path} was written by another version of winnable (format {version}, "
                f"this one reads {FORMAT_VERSION})."
            )
        return store

    def _pragma(self, name: str) -> int:
        return int(self._connection.execute(f"PRAGMA {name}").fetchone()[0])

    def _prepare(self, study: Study) -> None:
        execute = self._connection.execute
        execute("PRAGMA journal_mode = WAL")
        execute("PRAGMA synchronous = NORMAL")
        if self._pragma("application_id") == APPLICATION_ID:
            return
        rows = [(key, json.dumps(value)) for key, value in study.identity().items()]
        execute("BEGIN IMMEDIATE")
        for statement in _TABLES.split(";"):
            execute(statement)
        self._connection.executemany("INSERT INTO study VALUES (?, ?)", rows)
        execute(f"PRAGMA application_id = {APPLICATION_ID}")
        execute(f"PRAGMA user_version = {FORMAT_VERSION}")
        execute("COMMIT")

    def require(self, study: Study) -> None:
        """Raise StoreError, naming each difference, unless the store is new or of this study."""
        if self._pragma("application_id") != APPLICATION_ID:
            return
        held, asked = self.identity(), study.identity()
        differences = [
            f"{key} is {_shown(held.get(key))} there, {_shown(asked[key])} here"
            for key in asked
            if held.get(key) != asked[key]
        ]
        if differences:
            raise StoreError(
                f"{self.path} belongs to another study ({'; '.join(differences)}); "
                "name another file with --store."
            )

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; a writer also folds the journal into it and lets others write."""
        try:
            if self._lock is not None:
                # Without a journal beside it, the store is one file that can be copied, and read
                # where nothing can be written. With a reader at work or on a full disk the journal
                # stays: nothing is lost by that.
                with suppress(sqlite3.OperationalError):
                    self._connection.execute("PRAGMA journal_mode = DELETE")
            self._connection.close()
        finally:
            if self._lock is not None:
                self._lock.release()
                self._lock = None

    def identity(self) -> dict[str, Any]:
        """What `Study.identity` gave when the store was made."""
        with _translated(self.path):
            rows = self._connection.execute("SELECT key, value FROM study")
            return {key: json.loads(value) for key, value in rows}

    def covered(self) -> list[Span]:
        """The numbers that are answered, as few spans."""
        with _translated(self.path):
            rows = self._connection.execute("SELECT first, count FROM chunk").fetchall()
        return merged(Span(int(first), int(first) + count - 1) for first, count in rows)

    def add(self, chunk: Chunk) -> None:
        """Commit one chunk; raises StoreError when it can't be written, and then keeps nothing."""
        verdicts = chunk.columns[VERDICT]
        counts = [int((verdicts == code).sum()) for code in range(3)]
        unwinnable, winnable, unknown = counts
        key = _number_key(chunk.first)
        row = (key, chunk.count, winnable, unwinnable, unknown, chunk.nodes, chunk.cpu_seconds)
        columns = [(key, name, pack_column(name, data)) for name, data in chunk.columns.items()]
        with _translated(self.path), self._transaction():
            self._connection.execute("INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            self._connection.executemany("INSERT INTO chunk_column VALUES (?, ?, ?)", columns)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            # A full disk may have rolled back already.
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def begin_session(self, started: str, workers: int, machine: str, version: str) -> int:
        """Note that a run begins; `update_session` keeps its figures."""
        with _translated(self.path), self._transaction():
            cursor = self._connection.execute(
                "INSERT INTO session (started_time, wall_seconds, cpu_seconds, deals, workers,"
                " machine, version) VALUES (?, 0, 0, 0, ?, ?, ?)",
                (started, workers, machine, version),
            )
        return int(cursor.lastrowid or 0)

    def update_session(self, session: int, wall: float, cpu: float, deals: int) -> None:
        """Set a run's seconds and deals so far."""
        with _translated(self.path), self._transaction():
            self._connection.execute(
                "UPDATE session SET wall_seconds = ?, cpu_seconds = ?, deals = ? WHERE id = ?",
                (wall, cpu, deals, session),
            )

    def sessions(self) -> list[dict[str, Any]]:
        """The runs that filled the store, oldest first."""
        with _translated(self.path):
            cursor = self._connection.execute("SELECT * FROM session WHERE deals > 0 ORDER BY id")
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in cursor]

    def totals(self) -> Totals:
        """Counts, nodes and CPU seconds of all chunks."""
        with _translated(self.path):
            row = self._connection.execute(
                "SELECT coalesce(sum(winnable), 0), coalesce(sum(unwinnable), 0),"
                " coalesce(sum(unknown), 0), coalesce(sum(nodes), 0), total(cpu_seconds) FROM chunk"
            ).fetchone()
        return Totals(*row)

    def column(self, name: str) -> Iterator[tuple[int, ByteArray]]:
        """One column in number order, chunk by chunk: the first number and uint8 values (n,)."""
        with _translated(self.path):
            rows = self._connection.execute(
                "SELECT chunk.first, count, data FROM chunk"
                " JOIN chunk_column USING (first) WHERE name = ? ORDER BY chunk.first",
                (name,),
            )
            for first, count, data in rows:
                yield int(first), unpack_column(name, data, count)

    def column_names(self) -> list[str]:
        """The per-deal columns that the store holds."""
        with _translated(self.path):
            rows = self._connection.execute("SELECT DISTINCT name FROM chunk_column ORDER BY name")
            return [name for (name,) in rows]


def _connect_to_read(path: Path) -> sqlite3.Connection:
    uri = path.resolve().as_uri()
    connection = sqlite3.connect(f"{uri}?mode=ro", uri=True, isolation_level=None)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        # A folder without write permission leaves no room for WAL's side files. Without a journal
        # beside it the file is complete and can be read as it stands.
        connection.close()
        wal = path.with_name(path.name + "-wal")
        if wal.exists() and wal.stat().st_size:
            raise
        connection = sqlite3.connect(f"{uri}?immutable=1", uri=True, isolation_level=None)
    return connection


def _lock(path: Path) -> filelock.BaseFileLock:
    """The right to write a store, given back by the system even when the process is killed."""
    lock = filelock.FileLock(f"{path}.lock")
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        raise StoreError(f"Another process is writing {path}; wait for it or stop it.") from None
    except OSError as error:
        raise StoreError(f"{path} can't be written: {_reason(error)}.") from None
    return lock


def _reason(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else str(error)


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key}={item}" for key, item in value.items())
    return "none" if value is None else str(value)


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into sentences for the user."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        text = str(error)
        if "not a database" in text:
            message = f"{path} is not a store of winnable; it was left as it is."
        elif "full" in text:
            message = f"The disk with {path} is full; what was decided before is kept."
        elif "readonly" in text or "unable to open" in text:
            message = f"{path} can't be written here: {text}."
        else:
            message = f"{path} can't be used: {text}."
        raise StoreError(message) from None
