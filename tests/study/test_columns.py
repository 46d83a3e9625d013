"""Columns: what is packed comes back, and takes little room."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnable.study.columns import pack_column, unpack_column

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


def test_damaged_data_is_noticed():
    data = pack_column("verdict", np.ones(100, np.uint8))
    with pytest.raises(ValueError, match="column verdict"):
        unpack_column("verdict", data[:-3], 100)
