"""The file under a store: whose it is, its lock, connections to it, and its errors in words."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import filelock

from winnable.errors import StoreError

# "WNBL", "WNBD" and "WNBP": mark the file as one of ours, of a study, of games between two agents,
# or of a player's games.
APPLICATION_ID = 0x574E424C
MATCH_APPLICATION_ID = 0x574E4244
PLAY_APPLICATION_ID = 0x574E4250
STUDY_COMMAND, MATCH_COMMAND = "winnable study", "winnable duel simulate"
_COMMANDS = {
    APPLICATION_ID: STUDY_COMMAND,
    MATCH_APPLICATION_ID: MATCH_COMMAND,
    PLAY_APPLICATION_ID: "winnable play-rate",
}


def exists(path: Path) -> bool:
    """Whether there is a file; raises StoreError for a folder and for an impossible name."""
    try:
        if path.is_dir():
            raise StoreError(f"{path} is a folder; name a file in it.")
        return path.exists()
    except OSError as error:
        raise StoreError(f"{path} can't be opened: {_reason(error)}.") from None


def is_empty(path: Path) -> bool:
    """Whether an existing file has no content."""
    return path.stat().st_size == 0


def foreign(path: Path) -> StoreError:
    """The error for a file that is none of ours."""
    return StoreError(f"{path} is not a store of winnable; it was left as it is.")


def command_of(path: Path) -> str | None:
    """The command that makes stores like this file, None for a file that is no store of ours.

    Raises
    ------
    StoreError
        When there is no such file, or it can't be read.
    """
    if not exists(path):
        raise StoreError(f"There is no store {path}.")
    return _COMMANDS.get(_application_of(path))


def _application_of(path: Path) -> int:
    """What the first bytes of a file say it is, 0 when it is nothing of SQLite's."""
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except OSError as error:
        raise StoreError(f"{path} can't be read: {_reason(error)}.") from None
    is_sqlite = header.startswith(b"SQLite format 3\0")
    return int.from_bytes(header[68:72], "big") if is_sqlite else 0


def require_our_header(path: Path, ours: int) -> None:
    """Refuse another's file by its first bytes: SQLite would make journals beside some of them."""
    application = _application_of(path)
    if application == ours:
        return
    if application in _COMMANDS:
        raise StoreError(
            f"{path} is a store of '{_COMMANDS[application]}', which is not read here."
        )
    raise foreign(path)


def connect(path: Path) -> sqlite3.Connection:
    """Connect for reading and writing; the file is made when it does not exist."""
    # The resolved path: through a link SQLite would look for journals beside the link, and
    # ':memory:' would be no file at all.
    with translated(path):
        return sqlite3.connect(path.resolve(), isolation_level=None)


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Connect for reading, where nothing can be written beside the file too."""
    resolved = path.resolve()
    wal = resolved.with_name(resolved.name + "-wal")
    # Without a journal the file is complete, and can be read without the files that WAL needs.
    still = not wal.exists() and not os.access(resolved.parent, os.W_OK)
    mode = "immutable=1" if still else "mode=ro"
    with translated(path):
        return sqlite3.connect(f"{resolved.as_uri()}?{mode}", uri=True, isolation_level=None)


def lock_to_write(path: Path) -> filelock.BaseFileLock:
    """The right to write a store, given back by the system even when the process is killed."""
    held = filelock.FileLock(f"{path.resolve()}.lock")
    try:
        held.acquire(timeout=0)
    except filelock.Timeout:
        raise StoreError(f"Another process is writing {path}; wait for it or stop it.") from None
    except NotImplementedError:
        raise StoreError(f"{path} is in a folder where files can't be locked.") from None
    except OSError as error:
        raise StoreError(f"{path} can't be written: {_reason(error)}.") from None
    return held


def _reason(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else str(error)


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn SQLite's errors, and those of damaged content, into sentences for the user."""
    try:
        yield
    except ValueError as error:
        if isinstance(error, StoreError):
            raise
        raise StoreError(f"{path} is damaged: {error}.") from None
    except sqlite3.DatabaseError as error:
        text = str(error)
        if "full" in text:
            message = f"The disk with {path} is full; what was decided before is kept."
        elif "readonly" in text or "unable to open" in text:
            message = f"{path} can't be written here: {text}."
        else:
            message = f"{path} can't be used: {text}."
        raise StoreError(message) from None
