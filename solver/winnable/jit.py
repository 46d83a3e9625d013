"""The only module that compiles: the decorator of every kernel, and where compiled code is kept.

Numba keeps compiled code on disk, but it looks only at the file of the kernel it loads: when a
kernel that is *called* by it was edited, the old code would run on. So the folder is named after
a digest of all kernel sources, and any edit leads to an empty folder.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import event

from winnable.version import PACKAGE, kernels_digest

F = TypeVar("F", bound=Callable[..., Any])

CACHE_VARIABLE = "WINNABLE_CACHE_DIR"
# Folders of other versions are removed once nothing has used them for this long.
STALE_AFTER_SECONDS = 30 * 86_400


def kernel_digest(package: Path = PACKAGE) -> str:
    """A short digest of all that compiled code depends on: every kernel source, and numba."""
    text = f"{numba.__version__} {kernels_digest(package)}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def cache_root() -> Path:
    """The folder that holds one folder of compiled code a version.

    ``WINNABLE_CACHE_DIR`` when it is set, else the user's cache folder.
    """
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "winnable"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "winnable"


def _remove_stale(root: Path, keep: Path) -> None:
    oldest = time.time() - STALE_AFTER_SECONDS
    for folder in root.glob("kernels-*"):
        # Another process may be removing the same folders.
        with suppress(OSError):
            if folder != keep and folder.stat().st_mtime < oldest:
                shutil.rmtree(folder)


def _prepare_cache() -> tuple[Path, bool]:
    """The folder for this version's code, made when absent, and whether it outlives the process.

    Where none can be written, it is a temporary one that goes with the process.
    """
    digest = kernel_digest()
    try:
        folder = cache_root() / f"kernels-{digest}"
        is_new = not folder.is_dir()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            os.utime(folder)
    except (OSError, RuntimeError):  # RuntimeError: the user has no home folder
        folder = Path(tempfile.mkdtemp(prefix="winnable-kernels-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        return folder, False
    if is_new:
        _remove_stale(folder.parent, folder)
    return folder, True


# Kernels are imported by worker threads too.
_DECORATING = threading.Lock()
CACHE_FOLDER, CACHE_IS_KEPT = _prepare_cache()


def kernel(function: F) -> F:
    """Compile a kernel: no Python objects, no interpreter lock, kept on disk."""
    return _kept(function, counts_references=True)


def lean_kernel(function: F) -> F:
    """Compile a kernel that makes and returns no array, but works in those of its caller.

    Numba counts references to an array with locked instructions, each time that it is read from a
    tuple or handed on: half the time of a two-player game went there. Here nothing is counted. A
    kernel that makes an array doesn't compile then, nor does one that assigns an array to a slice,
    since numba would copy it where the two overlap: use a loop.
    """
    return _kept(function, counts_references=False)


def _kept(function: F, counts_references: bool) -> F:
    """Compile a kernel into the cache folder.

    Numba takes the folder from its own configuration at the moment of decoration, so the
    configuration is changed for that moment only: other users of numba in the process keep theirs.
    Whether references are counted is said either way: a kernel that doesn't say so compiles like
    the first one that calls it.
    """
    config: Any = numba.config
    with _DECORATING:
        before = config.CACHE_DIR
        config.CACHE_DIR = str(CACHE_FOLDER)
        try:
            compiled: Any = numba.njit(
                cache=True, nogil=True, error_model="numpy", _nrt=counts_references
            )(function)
        finally:
            config.CACHE_DIR = before
    _forget_literals(compiled)
    return cast("F", compiled)


def _forget_literals(compiled: Any) -> None:
    """Have one kernel that calls another with a constant use the same code as with any integer.

    Numba types a constant as itself, and would compile the called kernel anew for each of them.
    """
    if numba.config.DISABLE_JIT:
        return
    with_literals = compiled.get_call_template

    def without_literals(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        plain = tuple(map(numba.types.unliteral, args))
        return with_literals(plain, {key: numba.types.unliteral(kws[key]) for key in kws})

    compiled.get_call_template = without_literals


def inlined(function: F) -> F:
    """A helper of kernels that is compiled into each of its callers."""
    compiled: Any = numba.njit(inline="always", nogil=True, error_model="numpy")(function)
    return cast("F", compiled)


def interpreted(function: F) -> F:
    """An inlined kernel as Python runs it.

    For calls from outside kernels: the disk keeps no code of it, so that it would be compiled at
    every start.
    """
    return cast("F", getattr(function, "py_func", function))


class _FirstCompilation(event.Listener):
    """Calls back once, when numba first has to compile because the disk holds no such code."""

    def __init__(self, callback: Callable[[Path], None]) -> None:
        self.callback: Callable[[Path], None] | None = callback

    def on_start(self, event: event.Event) -> None:
        if self.callback is not None:
            callback, self.callback = self.callback, None
            callback(CACHE_FOLDER)

    def on_end(self, event: event.Event) -> None:
        """Nothing to do: the listener only announces."""


def on_first_compilation(callback: Callable[[Path], None]) -> None:
    """Have `callback` called with the cache folder when this process starts to compile."""
    register: Any = event.register
    register("numba:compile", _FirstCompilation(callback))
