"""The one place that holds the version, and a digest of the sources that decide results."""

from __future__ import annotations

from pathlib import Path

__version__ = "0.1.0"

PACKAGE = Path(__file__).resolve().parent
# What answers about deals depend on, and what compiled code is made from.
KERNEL_SOURCES = ("cards.py", "jit.py", "deals", "duel", "games", "players/kernels", "search")


def kernels_digest(package: Path = PACKAGE) -> str:
    """A short digest of every source file that can change an answer; 16 hexadecimal digits.

    The same on every machine and for every Python, so that two installations can be compared.
    """
    # Not loaded with the module, which every command loads.
    from hashlib import sha256

    digest = sha256()
    for entry in KERNEL_SOURCES:
        path = package / entry
        files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
        for file in files:
            digest.update(file.relative_to(package).as_posix().encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
