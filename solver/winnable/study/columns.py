"""Per-deal columns of a chunk as compressed bytes."""

from __future__ import annotations

import zlib
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from winnable.arrays import ByteArray
from winnable.games.base import (
    LENGTH,
    NO_LENGTH,
    NO_SCORE,
    SOLUTION,
    UNKNOWN_CODE,
    WINNABLE_CODE,
)

# uint8 or uint16, or objects: text or None.
Column: TypeAlias = NDArray[Any]

VERDICT = "verdict"
_LEVEL = 6
# What is no score, for each column that has none.
_NO_SCORES = frozenset([VERDICT, LENGTH, SOLUTION])
# A line of moves ends with this, which no move contains; without `_THERE` before it there is none.
_END, _THERE = "\0", "+"


def score_names(names: list[str]) -> list[str]:
    """Which of these columns hold scores."""
    return [name for name in names if name not in _NO_SCORES]


def absent_column(name: str, count: int) -> Column:
    """A column of a chunk that was written before there was such a column: nothing in it.

    Raises
    ------
    ValueError
        For verdicts, which every chunk has.
    """
    if name == VERDICT:
        raise ValueError("column verdict is missing")
    if name == SOLUTION:
        return np.full(count, None, object)
    return np.full(count, NO_LENGTH if name == LENGTH else NO_SCORE, _number_type(name))


def pack_column(name: str, values: Column) -> bytes:
    """Compress one column, shape (n,).

    Verdicts become two bit planes, winnable and unknown: one bit a deal before compression where a
    byte would leave zlib at no less than one bit after it, however rare the losses.
    """
    return zlib.compress(_as_bytes(name, values), _LEVEL)


def _as_bytes(name: str, values: Column) -> bytes:
    if name == VERDICT:
        planes = np.stack([values == WINNABLE_CODE, values == UNKNOWN_CODE])
        return np.packbits(planes, axis=1).tobytes()
    if name == SOLUTION:
        texts = ["" if text is None else _THERE + text for text in values.tolist()]
        return "".join(text + _END for text in texts).encode()
    return values.astype(_number_type(name)).tobytes()


def unpack_column(name: str, data: bytes, count: int) -> Column:
    """The column that was packed: uint8 or uint16, or objects, shape (count,).

    Raises
    ------
    ValueError
        For damaged data, also when the column has another length.
    """
    try:
        raw = zlib.decompress(data)
    except zlib.error as error:
        raise ValueError(f"column {name}: {error}") from None
    if name == SOLUTION:
        return _lines(raw, count)
    kind = _number_type(name)
    length = 2 * -(-count // 8) if name == VERDICT else count * kind.itemsize
    if len(raw) != length:
        raise ValueError(f"column {name} has {len(raw)} bytes in place of {length}")
    return _verdicts(raw, count) if name == VERDICT else np.frombuffer(raw, kind)


def _number_type(name: str) -> np.dtype[Any]:
    """How the numbers of a column are written, the lower byte first on every machine."""
    return np.dtype("<u2" if name == LENGTH else "u1")


def _verdicts(raw: bytes, count: int) -> ByteArray:
    planes = np.frombuffer(raw, np.uint8).reshape(2, -1)
    winnable, unknown = np.unpackbits(planes, axis=1, count=count)
    if np.any(winnable & unknown):
        raise ValueError(f"column {VERDICT} has deals that are both winnable and unknown")
    verdicts: ByteArray = winnable * np.uint8(WINNABLE_CODE) + unknown * np.uint8(UNKNOWN_CODE)
    return verdicts


def _lines(raw: bytes, count: int) -> Column:
    texts = raw.decode().split(_END)
    if len(texts) != count + 1:
        raise ValueError(f"column {SOLUTION} has {len(texts) - 1} lines in place of {count}")
    return np.array([text.removeprefix(_THERE) if text else None for text in texts[:-1]], object)
