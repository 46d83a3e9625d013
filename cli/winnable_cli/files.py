"""Files that a command writes: whole or not at all, and never over what took long to make."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from winnable.errors import InputError


@contextmanager
def written(path: Path, sources: Iterable[Path] = ()) -> Iterator[Path]:
    """A file to write in place of `path`, which it becomes when all went well.

    What is there stays until then, and for good where something fails. A path that is no file, such
    as a pipe, is written as it is.

    sources:
        Files that the command reads, not to be overwritten.

    Raises
    ------
    InputError
        When `path` can't be written, or is a source or any store.
    """
    try:
        refuse(path, sources)
        # Resolved only then: what /dev/stdout leads to need not have a name.
        target = path.resolve() if path.is_file() or not path.exists() else None
        draft = path if target is None else _draft_beside(target)
    except OSError as error:
        raise InputError(f"{path} can't be written: {_reason(error)}.") from None
    if target is None:
        yield path
        return
    try:
        yield draft
        draft.chmod(_mode(target))
        draft.replace(target)
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()


def refuse(path: Path, sources: Iterable[Path] = ()) -> None:
    """Raise InputError for a path that `written` does not write."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; name a file in it.")
    if not path.parent.is_dir():
        raise InputError(f"{path} can't be written: there is no folder {path.parent}.")
    if not path.exists():
        return
    if any(source.exists() and source.samefile(path) for source in sources):
        raise InputError(f"{path} is to be read, so that it can't be written; name another file.")
    if not os.access(path, os.W_OK):
        raise InputError(f"{path} can't be written: it is protected.")
    if path.is_file() and _is_store(path):
        raise InputError(f"{path} is a store, which is not overwritten; name another file.")


def _is_store(path: Path) -> bool:
    from winnable.study.store_file import command_of

    return command_of(path) is not None


def _draft_beside(target: Path) -> Path:
    # Takes half as long to load as all else of the command line, and few commands write files.
    import tempfile

    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".winnable-", suffix=".part")
    os.close(handle)
    return Path(name)


def _mode(target: Path) -> int:
    """The permissions that a file has, or that a new one would have."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _reason(error: OSError) -> str:
    return error.strerror or str(error)
