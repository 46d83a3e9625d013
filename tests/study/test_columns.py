"""Columns: what is packed comes back, and takes little room."""

import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnable.study.columns import absent_column, pack_column, unpack_column

VERDICTS = st.lists(st.integers(0, 2), min_size=1, max_size=300)
BYTES = st.lists(st.integers(0, 255), min_size=1, max_size=300)


def round_trip(name, values):
    return unpack_column(name, pack_column(name, np.array(values, np.uint8)), len(values))


@given(VERDICTS)
def test_verdicts_come_back(values):
    back = round_trip("verdict", values)
    assert back.dtype == np.uint8
    assert back.tolist() == values


@given(BYTES)
def test_scores_come_back(values):
    back = round_trip("stock_left", values)
    assert back.dtype == np.uint8
    assert back.tolist() == values


@given(st.lists(st.integers(0, 65535), min_size=1, max_size=300))
def test_lengths_come_back(values):
    packed = pack_column("moves", np.array(values, np.uint16))
    assert unpack_column("moves", packed, len(values)).tolist() == values


@given(st.lists(st.none() | st.text("deal move 123\n"), min_size=1, max_size=50))
def test_solutions_come_back(values):
    """An empty line is one, and not the same as none."""
    back = unpack_column("solution", pack_column("solution", np.array(values, object)), len(values))
    assert back.tolist() == values


@pytest.mark.parametrize(
    ("name", "value"), [("stock_left", 255), ("moves", 65535), ("solution", None)]
)
def test_a_column_that_a_chunk_lacks_holds_nothing(name, value):
    absent = absent_column(name, 3)
    assert absent.tolist() == [value] * 3
    assert unpack_column(name, pack_column(name, absent), 3).tolist() == absent.tolist()


def test_no_chunk_lacks_verdicts():
    with pytest.raises(ValueError, match="column verdict is missing"):
        absent_column("verdict", 3)


@pytest.mark.parametrize("count", [1, 7, 8, 9, 65535, 65536])
@pytest.mark.parametrize("value", [0, 1, 2])
def test_all_alike_at_every_length(count, value):
    values = np.full(count, value, np.uint8)
    data = pack_column("verdict", values)
    assert np.array_equal(unpack_column("verdict", data, count), values)
    assert len(data) < 100


def test_65_536_verdicts_with_3_per_cent_losses_take_2_500_bytes():
    verdicts = (np.random.default_rng(1).random(1 << 16) >= 0.03).astype(np.uint8)
    assert 0.029 < 1 - verdicts.mean() < 0.031
    assert len(pack_column("verdict", verdicts)) <= 2500


def test_a_deal_with_two_verdicts_is_damage():
    planes = zlib.compress(bytes([0b11000000, 0b01000000]))
    with pytest.raises(ValueError, match="both winnable and unknown"):
        unpack_column("verdict", planes, 2)


def test_damaged_data_is_noticed():
    data = pack_column("verdict", np.ones(100, np.uint8))
    with pytest.raises(ValueError, match="column verdict"):
        unpack_column("verdict", data[:-3], 100)


@pytest.mark.parametrize(
    ("name", "values"),
    [("moves", np.ones(4, np.uint16)), ("solution", np.array(["deal"] * 4, object))],
)
@pytest.mark.parametrize("count", [3, 5])
def test_a_column_of_another_length_is_damaged(name, values, count):
    with pytest.raises(ValueError, match=f"column {name} has"):
        unpack_column(name, pack_column(name, values), count)
