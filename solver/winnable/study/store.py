"""The result store: one SQLite file a study, a row a chunk of consecutive numbers.

One process writes at a time; others may read meanwhile. What was committed survives kill -9.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np

from winnable.arrays import ByteArray
from winnable.errors import StoreError
from winnable.games.base import UNKNOWN_CODE, UNWINNABLE_CODE, WINNABLE_CODE, Limits
from winnable.study.columns import VERDICT, Column, absent_column, pack_column, unpack_column
from winnable.study.plan import EFFORT, IDENTITY_KEYS, Span, merged
from winnable.study.store_file import (
    APPLICATION_ID,
    connect,
    connect_to_read,
    exists,
    foreign,
    is_empty,
    lock_to_write,
    require_our_header,
    translated,
)

# That of the tables below.
FORMAT_VERSION = 1

# Of every kind of store; each has a table of chunks of its own.
SHARED_TABLES = """
CREATE TABLE IF NOT EXISTS study (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS chunk_column (
    first TEXT NOT NULL, name TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (first, name)
);
CREATE TABLE IF NOT EXISTS session (
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
_TABLES = f"""{SHARED_TABLES}
CREATE TABLE IF NOT EXISTS chunk (
    first TEXT PRIMARY KEY,
    count INTEGER NOT NULL,
    winnable INTEGER NOT NULL,
    unwinnable INTEGER NOT NULL,
    unknown INTEGER NOT NULL,
    nodes INTEGER NOT NULL,
    cpu_seconds REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS retry (
    number TEXT PRIMARY KEY,
    verdict INTEGER NOT NULL,
    max_nodes INTEGER,
    max_seconds REAL,
    nodes INTEGER NOT NULL,
    cpu_seconds REAL NOT NULL,
    effort INTEGER
) WITHOUT ROWID;
"""

# Deal numbers go past SQLite's 64-bit integers, so they are kept as text that sorts as they do.
_NUMBER_DIGITS = 24


def _number_key(number: int) -> str:
    return str(number).zfill(_NUMBER_DIGITS)


def _counts(verdicts: ByteArray) -> tuple[int, int, int]:
    """How many of these verdict codes say winnable, unwinnable and unknown."""
    winnable, unwinnable, unknown = (
        int(np.count_nonzero(verdicts == code))
        for code in (WINNABLE_CODE, UNWINNABLE_CODE, UNKNOWN_CODE)
    )
    return winnable, unwinnable, unknown


@dataclass(frozen=True)
class Chunk:
    """The answers for consecutive numbers, as a study hands them over."""

    first: int
    columns: dict[str, Column]
    nodes: int
    cpu_seconds: float

    @property
    def count(self) -> int:
        """How many numbers are answered."""
        return len(self.columns[VERDICT])


@dataclass(frozen=True)
class SessionFigures:
    """A run's seconds and deals so far; `id` is what `Store.begin_session` gave."""

    id: int
    wall_seconds: float
    cpu_seconds: float
    deals: int


@dataclass(frozen=True)
class Retry:
    """The last answer for a deal that was unknown, and the limits under which it was sought."""

    number: int
    verdict: int
    limits: Limits
    nodes: int
    cpu_seconds: float


@dataclass(frozen=True)
class Totals:
    """The sums over all chunks of a store."""

    winnable: int
    unwinnable: int
    unknown: int
    nodes: int
    cpu_seconds: float


@dataclass(frozen=True)
class ChunkFigures:
    """What a store keeps of a chunk of deals besides their answers."""

    first: int
    count: int
    nodes: int
    cpu_seconds: float


class Identified(Protocol):
    """What a store can be of: anything that says as plain values what its answers depend on."""

    def identity(self) -> dict[str, Any]:
        """The values; equal ones mean equal answers."""
        ...


S = TypeVar("S", bound="Store")


class Store:
    """An open store. Use `Store.create_or_open` to write and `Store.open_to_read` to read."""

    # What stores of another kind have of their own.
    application_id: ClassVar[int] = APPLICATION_ID
    tables: ClassVar[str] = _TABLES
    identity_keys: ClassVar[frozenset[str]] = IDENTITY_KEYS

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: Any = None) -> None:
        self.path = path
        self._connection = connection
        self._lock = lock

    @classmethod
    def create_or_open(cls: type[S], path: Path, study: Identified) -> S:
        """The store of a study, ready to write; made when it does not exist.

        Raises
        ------
        StoreError
            When the file is something else, belongs to another study, can't be written, or is
            being written by another process. The file is left as it was.
        """
        # A look that can change nothing comes first, even before a lock file is made.
        if exists(path):
            if not is_empty(path):
                with cls.open_to_read(path) as found:
                    found.require(study)
        elif not path.resolve().parent.is_dir():
            raise StoreError(f"{path} can't be made: there is no folder {path.parent}.")
        lock = lock_to_write(path)
        try:
            store = cls(path, connect(path), lock)
            try:
                with translated(path):
                    store._prepare(study)
                # The look is repeated, since the file may have been made meanwhile.
                store.require(study)
            except BaseException:
                store._connection.close()
                raise
        except BaseException:
            lock.release()
            raise
        return store

    @classmethod
    def open_to_read(cls: type[S], path: Path) -> S:
        """An existing store, for reading only; raises StoreError when it is not one of ours."""
        if not exists(path):
            raise StoreError(f"There is no store {path}.")
        require_our_header(path, cls.application_id)
        store = cls(path, connect_to_read(path))
        try:
            store._require_format()
        except BaseException:
            store.close()
            raise
        return store

    def _pragma(self, name: str) -> int:
        return int(self._connection.execute(f"PRAGMA {name}").fetchone()[0])

    def _require_format(self) -> None:
        with translated(self.path):
            application, version = self._pragma("application_id"), self._pragma("user_version")
        if application != self.application_id:
            raise foreign(self.path)
        if version != FORMAT_VERSION:
            raise StoreError(
                f"{self.path} was written by another version of winnable (format {version}, "
                f"this one reads {FORMAT_VERSION})."
            )

    def _prepare(self, study: Identified) -> None:
        execute = self._connection.execute
        execute("PRAGMA synchronous = NORMAL")
        is_new = self._pragma("application_id") != self.application_id
        if is_new or not self._retry_columns():
            rows = [(key, json.dumps(value)) for key, value in study.identity().items()] * is_new
            execute("BEGIN IMMEDIATE")
            for statement in self.tables.split(";"):
                execute(statement)
            self._connection.executemany("INSERT INTO study VALUES (?, ?)", rows)
            execute(f"PRAGMA application_id = {self.application_id}")
            execute(f"PRAGMA user_version = {FORMAT_VERSION}")
            execute("COMMIT")
        elif EFFORT not in self._retry_columns():
            execute("ALTER TABLE retry ADD COLUMN effort INTEGER")
        # After the tables: until then the file is not known to be ours by its first bytes.
        execute("PRAGMA journal_mode = WAL")

    def require(self, study: Identified) -> None:
        """Raise StoreError, naming each difference, unless the store is of this study."""
        held, asked = self.identity(), study.identity()
        differences = [
            f"{key} is {_shown(held.get(key))} there, {_shown(asked.get(key))} here"
            for key in {**asked, **held}
            if held.get(key) != asked.get(key)
        ]
        if differences:
            raise StoreError(
                f"{self.path} belongs to another study ({'; '.join(differences)}); "
                "name another file with --store."
            )

    def __enter__(self: S) -> S:
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
        with translated(self.path):
            rows = self._connection.execute("SELECT key, value FROM study")
            identity = {key: json.loads(value) for key, value in rows}
            if not identity.keys() >= self.identity_keys:
                raise ValueError("what it is a study of is not there")
            return identity

    def covered(self) -> list[Span]:
        """The numbers that are answered, as few spans."""
        with translated(self.path):
            rows = self._connection.execute("SELECT first, count FROM chunk").fetchall()
        return merged(Span(int(first), int(first) + count - 1) for first, count in rows)

    def add(self, chunk: Chunk, session: SessionFigures) -> None:
        """Commit one chunk together with its session's figures.

        Raises
        ------
        StoreError
            When it can't be written; nothing of it is kept then, and all before it is.
        """
        key = _number_key(chunk.first)
        counts = _counts(chunk.columns[VERDICT])
        row = (key, chunk.count, *counts, chunk.nodes, chunk.cpu_seconds)
        columns = [(key, name, pack_column(name, data)) for name, data in chunk.columns.items()]
        with translated(self.path), self._transaction():
            self._connection.execute("INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            self._connection.executemany("INSERT INTO chunk_column VALUES (?, ?, ?)", columns)
            self._connection.execute(
                "UPDATE session SET wall_seconds = ?, cpu_seconds = ?, deals = ? WHERE id = ?",
                (session.wall_seconds, session.cpu_seconds, session.deals, session.id),
            )

    @contextmanager
    def one_moment(self) -> Iterator[None]:
        """What is read within belongs together, even while another process adds to the store.

        Within another such moment it is part of that one.
        """
        if self._connection.in_transaction:
            yield
            return
        with translated(self.path):
            self._connection.execute("BEGIN")
        try:
            yield
        finally:
            self._connection.execute("ROLLBACK")

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

    def _guarded(self) -> AbstractContextManager[None]:
        """What a store of another kind does within raises StoreError, as all here does."""
        return translated(self.path)

    @staticmethod
    def _key(number: int) -> str:
        """How tables of chunks write a number."""
        return _number_key(number)

    def begin_session(self, started: str, workers: int, machine: str, version: str) -> int:
        """Note that a run begins; each chunk that is added brings its figures up to date."""
        with translated(self.path), self._transaction():
            cursor = self._connection.execute(
                "INSERT INTO session (started_time, wall_seconds, cpu_seconds, deals, workers,"
                " machine, version) VALUES (?, 0, 0, 0, ?, ?, ?)",
                (started, workers, machine, version),
            )
        return int(cursor.lastrowid or 0)

    def sessions(self) -> list[dict[str, Any]]:
        """The runs that filled the store, oldest first."""
        with translated(self.path):
            cursor = self._connection.execute("SELECT * FROM session WHERE deals > 0 ORDER BY id")
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in cursor]

    def totals(self) -> Totals:
        """Counts, nodes and CPU seconds of all chunks."""
        with translated(self.path):
            row = self._connection.execute(
                "SELECT coalesce(sum(winnable), 0), coalesce(sum(unwinnable), 0),"
                " coalesce(sum(unknown), 0), coalesce(sum(nodes), 0), total(cpu_seconds) FROM chunk"
            ).fetchone()
        return Totals(*row)

    def chunk_figures(self) -> list[ChunkFigures]:
        """What each chunk took, in number order; retries are not counted in."""
        with translated(self.path):
            rows = self._connection.execute(
                "SELECT first, count, nodes, cpu_seconds FROM chunk ORDER BY first"
            )
            return [ChunkFigures(int(first), *figures) for first, *figures in rows]

    def settle(self, retry: Retry, columns: Mapping[str, Column]) -> None:
        """Commit what trying an unknown deal once more came to.

        Parameters
        ----------
        columns:
            The deal's new answers, arrays of shape (1,).

        Raises
        ------
        StoreError
            When it can't be written, or no chunk holds the deal.
        """
        key = _number_key(retry.number)
        execute = self._connection.execute
        with translated(self.path), self._transaction():
            found = execute(
                "SELECT first, count FROM chunk WHERE first <= ? ORDER BY first DESC LIMIT 1",
                (key,),
            ).fetchone()
            if found is None or int(found[0]) + found[1] <= retry.number:
                raise ValueError(f"deal {retry.number} is not there")
            first, count = found
            for name, value in columns.items():
                row = execute(
                    "SELECT data FROM chunk_column WHERE first = ? AND name = ?", (first, name)
                ).fetchone()
                values = _unpacked(name, None if row is None else row[0], count).copy()
                values[retry.number - int(first)] = value[0]
                execute(
                    "INSERT OR REPLACE INTO chunk_column VALUES (?, ?, ?)",
                    (first, name, pack_column(name, values)),
                )
                if name == VERDICT:
                    execute(
                        "UPDATE chunk SET winnable = ?, unwinnable = ?, unknown = ?"
                        " WHERE first = ?",
                        (*_counts(values), first),
                    )
            execute(
                "INSERT OR REPLACE INTO retry VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    key,
                    retry.verdict,
                    retry.limits.max_nodes,
                    retry.limits.max_seconds,
                    retry.nodes,
                    retry.cpu_seconds,
                    retry.limits.effort,
                ),
            )

    def retries(self) -> list[Retry]:
        """The deals that were tried once more, in number order."""
        with translated(self.path):
            if not self._retry_columns():
                return []
            rows = self._connection.execute("SELECT * FROM retry ORDER BY number").fetchall()
        # Older stores have no effort at the end of a row.
        return [
            Retry(int(number), verdict, Limits(most, seconds, *effort), nodes, cpu_seconds)
            for number, verdict, most, seconds, nodes, cpu_seconds, *effort in rows
        ]

    def _retry_columns(self) -> list[str]:
        """What the store keeps of each retry: none in the first ones, later all but the effort."""
        rows = self._connection.execute("SELECT name FROM pragma_table_info('retry')")
        return [name for (name,) in rows]

    def unknown_numbers(self) -> Iterator[int]:
        """The deals left unknown, in number order."""
        for first, verdicts in self.column(VERDICT):
            for index in np.flatnonzero(verdicts == UNKNOWN_CODE).tolist():
                yield first + index

    def column(self, name: str) -> Iterator[tuple[int, Column]]:
        """One column in number order, chunk by chunk: the first number and values, shape (n,).

        See `winnable.games.base.Answers` for what is in them.
        """
        with translated(self.path):
            rows = self._connection.execute(
                "SELECT chunk.first, count, data FROM chunk"
                " LEFT JOIN chunk_column ON chunk_column.first = chunk.first AND name = ?"
                " ORDER BY chunk.first",
                (name,),
            )
            for first, count, data in rows:
                yield int(first), _unpacked(name, data, count)

    def column_names(self) -> list[str]:
        """The per-deal columns that the store holds."""
        with translated(self.path):
            rows = self._connection.execute("SELECT DISTINCT name FROM chunk_column ORDER BY name")
            return [name for (name,) in rows]


def _unpacked(name: str, data: bytes | None, count: int) -> Column:
    """A chunk's column, None for data where the chunk has none."""
    return absent_column(name, count) if data is None else unpack_column(name, data, count)


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key}={item}" for key, item in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
