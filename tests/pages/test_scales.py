"""Scales: values at their places, and marks that people can read."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnable.pages.scales import Axis, compact, nice_step


def test_places_on_both_kinds_of_scale():
    assert Axis(10, 20, 100, 200).place(15) == 150
    assert Axis(1, 100, 0, 50, log=True).place(10) == pytest.approx(25)
    # Upwards: the larger value has the smaller coordinate.
    assert Axis(0, 4, 200, 0).place(1) == 150


@pytest.mark.parametrize(
    ("axis", "words"),
    [
        (Axis(0, 100, 0, 1), ["0", "20", "40", "60", "80", "100"]),
        (Axis(96.1, 97.9, 0, 1), ["96.5", "97.0", "97.5"]),
        (Axis(0, 2.1, 0, 1, whole=True), ["0", "1", "2"]),
        (Axis(0, 105_000, 0, 1), ["0", "50k", "100k"]),
        (Axis(1000, 1_000_000, 0, 1, log=True), ["1,000", "10k", "100k", "1M"]),
        (Axis(20, 300, 0, 1, log=True), ["20", "50", "100", "200"]),
    ],
)
def test_marks(axis, words):
    assert [text for _, text in axis.ticks()] == words


@given(low=st.floats(-1e9, 1e9, allow_nan=False), length=st.floats(1e-3, 1e9), whole=st.booleans())
def test_few_marks_and_all_of_them_inside(low, length, whole):
    axis = Axis(low, low + length, 0, 1, whole=whole)
    values = [value for value, _ in axis.ticks()]
    assert len(values) <= 7
    slack = length * 1e-6 + abs(low) * 1e-9
    assert all(axis.low - slack <= value <= axis.high + slack for value in values)
    if whole:
        assert all(value == int(value) for value in values)


@given(low=st.floats(1e-6, 1e6), ratio=st.floats(31, 1e12))
def test_marks_of_log_scales(low, ratio):
    axis = Axis(low, low * ratio, 0, 1, log=True)
    values = [value for value, _ in axis.ticks()]
    assert 1 <= len(values) <= 10
    assert all(low * 0.999 <= value <= low * ratio * 1.001 for value in values)


@given(length=st.floats(1e-6, 1e12), parts=st.integers(1, 50))
def test_a_nice_step_is_the_least_one(length, parts):
    step = nice_step(length, parts)
    assert step * parts >= length * (1 - 1e-9)
    assert step / 2.6 * parts < length
    assert round(step / 10 ** math.floor(math.log10(step * 1.0001))) in (1, 2, 5)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (0.05, "0.05"),
        (9999, "9,999"),
        (10_000, "10k"),
        (15_800, "15.8k"),
        (2_000_000, "2M"),
        (3e9, "3G"),
    ],
)
def test_numbers_of_axes(value, text):
    assert compact(value) == text
