"""Distributions: nothing is lost on the way into bars, and the facts are those of the values."""

import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnable.pages.figures import (
    Band,
    Dot,
    Dots,
    bars_of_measures,
    bars_of_whole_numbers,
    measure_text,
    number_text,
    quantity,
    reach,
)

counts_of_numbers = st.dictionaries(
    st.integers(0, 60_000), st.integers(1, 10**9), min_size=1, max_size=60
)


def whole(counts):
    return bars_of_whole_numbers(counts, "T", "moves", "deals")


def measured(values, mean=1.0):
    return bars_of_measures(np.array(values, np.float64), mean, "T", "nodes a deal", "blocks")


@given(counts=counts_of_numbers)
def test_every_whole_number_is_in_its_bar(counts):
    bars = whole(counts)
    assert len(bars.counts) == len(bars.edges) - 1 <= 60
    for i, count in enumerate(bars.counts.tolist()):
        low, high = bars.edges[i], bars.edges[i + 1]
        assert count == sum(n for value, n in counts.items() if low <= value < high)
    assert bars.counts.sum() == sum(counts.values())
    assert bars.whole == (bars.edges[1] - bars.edges[0] == 1)


@given(counts=st.dictionaries(st.integers(0, 200), st.integers(1, 9), min_size=1, max_size=20))
def test_facts_are_those_of_the_values(counts):
    values = sorted(value for value, n in counts.items() for _ in range(n))
    facts = whole(counts).facts
    assert facts["mean"] == pytest.approx(statistics.mean(values))
    assert facts["median"] == statistics.median_low(values)
    assert facts["most"] == values[-1]
    within = sum(value <= facts["95 % up to"] for value in values)
    below = sum(value < facts["95 % up to"] for value in values)
    assert within >= 0.95 * len(values) > below


@given(values=st.lists(st.floats(1e-3, 1e9), min_size=1, max_size=50))
def test_every_measure_is_in_a_bar(values):
    bars = measured(values)
    assert bars.counts.sum() == len(values)
    assert np.all(np.diff(bars.edges) > 0)
    assert len(bars.counts) <= 60
    assert bars.log == (max(values) / min(values) > 30)


@pytest.mark.parametrize("values", [[0.0] * 9, [5.0] * 9, [0.0, 1e6]])
def test_measures_that_have_no_log_scale(values):
    bars = measured(values)
    assert not bars.log
    assert bars.counts.sum() == len(values)


def test_bars_in_words():
    bars = whole({3: 1, 5: 3})
    assert bars.facts_text == "mean 4.5, median 5, 95 % up to 5, most 5"
    assert bars.description.startswith("moves, 4 deals: mean 4.5")
    assert bars.description.endswith("The highest bar is at 5.")
    assert bars.table() == (
        ["moves", "deals", "share"],
        [["3", "1", "25 %"], ["5", "3", "75 %"]],
    )
    wide = whole({0: 1, 99: 1})
    assert wide.table()[1][0] == ["0 to 5", "1", "50 %"]


def test_dots_in_words():
    dots = Dots(
        "T",
        "per cent",
        (
            Dot("a", 50.0, (40.0, 60.0), "50 ± 10", "5 of 10"),
            Dot("b", 90.0, None, "> 90", "not told", ours=False, is_bound=True),
        ),
    )
    assert dots.description == "per cent. a: 50 ± 10; b: > 90."
    heads, rows = dots.table()
    assert heads == ["", "%", "95 % from", "to", "based on"]
    assert rows == [
        ["a", "50 ± 10", "40.000", "60.000", "5 of 10"],
        ["b", "> 90", "", "", "not told"],
    ]
    low, high = reach(dots.dots)
    assert low < 40
    assert 90 < high <= 100


def test_the_axis_of_one_point_has_a_length():
    low, high = reach([Dot("a", 100.0, (100.0, 100.0), "100", "")])
    assert (low, high) == (99.99, 100.0)


def test_a_band_in_words():
    x = np.arange(1, 101)
    level = np.full(100, 50.0)
    band = Band("T", "deals", "per cent", x, level - 10.0 / x, level, level + 10.0 / x)
    assert band.description == (
        "per cent over deals: the interval goes from 40.000 to 60.000 after 1, "
        "from 49.900 to 50.100 after 100."
    )
    heads, rows = band.table()
    assert heads == ["deals", "per cent", "95 % from", "to"]
    assert rows[-1] == ["100", "50.000", "49.900", "50.100"]
    assert 10 <= len(rows) <= 14


def test_numbers_in_words():
    assert [number_text(value) for value in (5.0, 0.12345, 12345.6)] == ["5", "0.1235", "12,346"]
    assert [measure_text(value) for value in (13.0, 0.02, 98765.4, 0.0)] == [
        "13.00",
        "0.02000",
        "98,765",
        "0",
    ]
    assert quantity(1, "deal", "deals") == "1 deal"
    assert quantity(2000, "deal", "deals") == "2,000 deals"
