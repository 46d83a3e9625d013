"""Per-deal columns of a chunk as compressed bytes."""

from __future__ import annotations

import zlib

import numpy as np

from winnable.arrays import ByteArray
from winnable.games.base import UNKNOWN_CODE, WINNABLE_CODE

VERDICT = "verdict"
_LEVEL = 6


def pack_column(name: str, values: ByteArray) -> bytes:
    """Compress one column, uint8 of shape (n,).

    Verdicts become two bit planes, winnable and unknown: one bit a deal before compression where a
    byte would leave zlib at no less than one bit after it, however rare the losses.
    """
    if name == VERDICT:
        planes = np.stack([values == WINNABLE_CODE, values == UNKNOWN_CODE])
        return zlib.compress(np.packbits(planes, axis=1).tobytes(), _LEVEL)
    return zlib.compress(values.tobytes(), _LEVEL)


def unpack_column(name: str, data: bytes, count: int) -> ByteArray:
    """The column that was packed: uint8, shape (count,).

    Raises
    ------
    ValueError
        For damaged data, also when the column has another length.
    """
    try:
        raw = np.frombuffer(zlib.decompress(data), np.uint8)
    except zlib.error as error:
        raise ValueError(f"column {name}: {error}") from None
    length = 2 * -(-count // 8) if name == VERDICT else count
    if len(raw) != length:
        raise ValueError(f"column {name} has {len(raw)} bytes in place of {length}")
    if name == VERDICT:
        winnable, unknown = np.unpackbits(raw.reshape(2, -1), axis=1, count=count)
        verdicts: ByteArray = winnable * np.uint8(WINNABLE_CODE) + unknown * np.uint8(UNKNOWN_CODE)
        return verdicts
    return raw
