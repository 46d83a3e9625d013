"""Parquet files: the same rows as CSV, in types that readers know, in groups of a fair size."""

import csv
import io
import json
import sys
from dataclasses import replace

import pyarrow as pa
import pytest
from pyarrow import parquet
from study.fake_study import FakeGame, fake_study

from winnable.deals import NUMBERINGS
from winnable.errors import InputError
from winnable.study.parquet import STUDY_KEY, require_pyarrow, write_parquet
from winnable.study.plan import Span
from winnable.study.rows import write_csv
from winnable.study.run import run_study
from winnable.study.store import Store


class SmallChunks(FakeGame):
    """The fake game in chunks as small as those of slow games."""

    chunk_size = 64


def stored(path, spans, game=None, **options):
    study = fake_study(**options)
    if game is not None:
        study = replace(study, game=game)
    with Store.create_or_open(path, study) as store:
        for span in spans:
            run_study(store, study, span, 1)
    return path


def rows_of_csv(path):
    out = io.StringIO()
    with Store.open_to_read(path) as store:
        write_csv(store, out)
    return list(csv.DictReader(io.StringIO(out.getvalue())))


def parquet_of(path, tmp_path):
    with Store.open_to_read(path) as store:
        write_parquet(store, tmp_path / "o.parquet")
    return parquet.ParquetFile(tmp_path / "o.parquet")


def as_texts(table):
    columns = table.to_pydict()
    return [
        {
            name: "" if value is None else str(value)
            for name, value in zip(columns, row, strict=True)
        }
        for row in zip(*columns.values(), strict=True)
    ]


CASES = {
    "verdicts alone": {},
    "scores": {"best": True},
    "solutions": {"keeps": True},
    "both": {"best": True, "keeps": True},
}


@pytest.mark.parametrize("options", CASES.values(), ids=CASES)
def test_the_same_rows_as_csv(tmp_path, options):
    path = stored(tmp_path / "s.sqlite", [Span(5, 20_000), Span(30_000, 30_009)], **options)
    file = parquet_of(path, tmp_path)
    assert as_texts(file.read()) == rows_of_csv(path)
    types = {field.name: field.type for field in file.schema_arrow}
    known = {
        "number": pa.uint64(),
        "verdict": pa.dictionary(pa.int8(), pa.string()),
        "stock_left": pa.uint8(),
        "moves": pa.uint16(),
    }
    assert types == {name: known[name] for name in types}
    with Store.open_to_read(path) as store:
        assert json.loads(file.schema_arrow.metadata[STUDY_KEY]) == store.identity()


def test_small_chunks_are_gathered(tmp_path):
    path = stored(tmp_path / "s.sqlite", [Span(0, 140_000)], game=SmallChunks())
    file = parquet_of(path, tmp_path)
    groups = [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]
    assert groups == [1 << 16, 1 << 16, 140_001 - (1 << 17)]


def test_numbers_past_64_bits(tmp_path):
    last = NUMBERINGS["pysol"].last
    assert last > 2**64
    path = stored(tmp_path / "s.sqlite", [Span(last - 9, last)], numbering="pysol")
    table = parquet_of(path, tmp_path).read()
    assert as_texts(table) == rows_of_csv(path)
    assert int(table["number"][-1].as_py()) == last


def test_the_largest_number_of_64_bits(tmp_path):
    path = stored(tmp_path / "s.sqlite", [Span(2**64 - 3, 2**64 - 1)])
    table = parquet_of(path, tmp_path).read()
    assert table["number"].to_pylist() == [2**64 - 3, 2**64 - 2, 2**64 - 1]


def test_without_pyarrow(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"pip install 'winnable\[parquet\]'"):
        require_pyarrow()
