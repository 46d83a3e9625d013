"""Every deal of a store as a row of a Parquet file. Needs pyarrow, the extra `parquet`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from winnable.errors import InputError
from winnable.games.base import VERDICT_CODES
from winnable.players.levels import DIFFICULTY, STEPS
from winnable.study.columns import VERDICT
from winnable.study.rows import NUMBER, RowBlock, absent_value, number_columns, row_blocks
from winnable.study.store import Store

# Chunks of slow games are small; a row group gathers at least as many rows where there are so many.
_GROUP_ROWS = 1 << 16
# The key under which the file says what it is a study of.
STUDY_KEY = b"winnable.study"
_MOST_OF_64_BITS = 2**64 - 1


def write_parquet(store: Store, path: Path) -> None:
    """Write the rows that ``--csv`` prints, row group by row group.

    `number` is uint64, or a decimal in a store whose numbers go past that; `verdict` a dictionary
    of its three words; scores uint8, difficulties float64 and moves
    uint16, null where a deal has none. The metadata has
    what the study is of, as JSON under `STUDY_KEY`.

    Raises
    ------
    InputError
        When pyarrow is not installed.
    StoreError
        When the store can't be read.
    OSError
        When the file can't be written.
    """
    require_pyarrow()
    import pyarrow as pa
    from pyarrow import parquet

    with store.one_moment():
        schema = _schema(pa, store)
        with parquet.ParquetWriter(path, schema, **_encodings(pa, schema)) as writer:
            for blocks in _gathered(row_blocks(store)):
                writer.write_table(_table(pa, schema, blocks))


def require_pyarrow() -> None:
    """Raise InputError, with what to do, unless pyarrow is there."""
    try:
        import pyarrow  # noqa: F401
    except ModuleNotFoundError:
        raise InputError(
            "--parquet needs pyarrow, which is not installed: pip install 'winnable[parquet]'."
        ) from None


def _schema(pa: Any, store: Store) -> Any:
    last = max((span.last for span in store.covered()), default=0)
    number = pa.uint64() if last <= _MOST_OF_64_BITS else pa.decimal128(38, 0)
    fields = [
        pa.field(NUMBER, number, nullable=False),
        pa.field(VERDICT, pa.dictionary(pa.int8(), pa.string()), nullable=False),
        *(pa.field(name, _number_type(pa, name)) for name in number_columns(store)),
    ]
    return pa.schema(fields, metadata={STUDY_KEY: json.dumps(store.identity())})


def _encodings(pa: Any, schema: Any) -> dict[str, Any]:
    """How columns are written: consecutive numbers as differences, which take next to nothing."""
    others = [name for name in schema.names if name != NUMBER]
    if schema.field(NUMBER).type != pa.uint64():
        return {}
    return {"use_dictionary": others, "column_encoding": {NUMBER: "DELTA_BINARY_PACKED"}}


def _number_type(pa: Any, name: str) -> Any:
    if name == DIFFICULTY:
        return pa.float64()
    # The largest value of each type stands for none.
    return pa.uint8() if absent_value(name) < 256 else pa.uint16()


def _gathered(blocks: Iterator[RowBlock]) -> Iterator[list[RowBlock]]:
    """The same blocks, as many together as make a row group."""
    gathered: list[RowBlock] = []
    rows = 0
    for block in blocks:
        gathered.append(block)
        rows += block.count
        if rows >= _GROUP_ROWS:
            yield gathered
            gathered, rows = [], 0
    if gathered:
        yield gathered


def _table(pa: Any, schema: Any, blocks: list[RowBlock]) -> Any:
    arrays = [_numbers(pa, schema.field(NUMBER).type, blocks)]
    for name in schema.names[1:]:
        values = np.concatenate([block.columns[name] for block in blocks])
        if name == VERDICT:
            words = pa.array([verdict.value for verdict in VERDICT_CODES])
            arrays.append(pa.DictionaryArray.from_arrays(values.astype(np.int8), words))
        else:
            is_absent = values == absent_value(name)
            values = values / STEPS if name == DIFFICULTY else values
            arrays.append(pa.array(values, schema.field(name).type, mask=is_absent))
    return pa.table(arrays, schema=schema)


def _numbers(pa: Any, kind: Any, blocks: list[RowBlock]) -> Any:
    if kind == pa.uint64():
        ranges = [
            np.arange(block.count, dtype=np.uint64) + np.uint64(block.first) for block in blocks
        ]
        return pa.array(np.concatenate(ranges))
    numbers = chain.from_iterable(range(block.first, block.first + block.count) for block in blocks)
    return pa.array(map(Decimal, numbers), kind)
