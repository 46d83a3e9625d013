"""What a chart shows, as plain values: computed once, drawn as SVG in pages or by matplotlib."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from winnable.pages.scales import nice_step

# Above this ratio of the largest to the smallest value a distribution is shown on a log scale.
_LOG_RATIO = 30
# About how many bars a distribution of measured values has, and the most that one of whole numbers
# has.
_BARS = 24
_MOST_WHOLE_BARS = 48


@dataclass(frozen=True)
class Dot:
    """One share in per cent with its interval, None where no interval is known.

    ours: whether this project measured it.
    is_bound: whether it is only known to be above `value`.
    shown: the share as it is printed.
    basis: on what it rests, in words.
    """

    label: str
    value: float
    interval: tuple[float, float] | None
    shown: str
    basis: str
    ours: bool = True
    is_bound: bool = False


@dataclass(frozen=True)
class Dots:
    """Shares in per cent, one below the other on one axis."""

    title: str
    axis: str
    dots: tuple[Dot, ...]
    caption: str = ""

    @property
    def description(self) -> str:
        """What there is to see, in words."""
        shown = "; ".join(f"{dot.label}: {dot.shown}" for dot in self.dots)
        return f"{self.axis}. {shown}."

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Heads and rows of a table that says the same."""
        rows = [[dot.label, dot.shown, *_ends(dot.interval), dot.basis] for dot in self.dots]
        return ["", "%", "95 % from", "to", "based on"], rows


def _ends(interval: tuple[float, float] | None) -> list[str]:
    return ["", ""] if interval is None else [f"{end:.3f}" for end in interval]


@dataclass(frozen=True)
class Band:
    """A line with a band around it, over a log scale of counts; all arrays of shape (n,)."""

    title: str
    x_axis: str
    y_axis: str
    x: NDArray[np.int64]
    low: NDArray[np.float64]
    middle: NDArray[np.float64]
    high: NDArray[np.float64]
    caption: str = ""

    @property
    def description(self) -> str:
        """What there is to see, in words."""
        first, last = (
            f"from {self.low[i]:.3f} to {self.high[i]:.3f} after {self.x[i]:,}" for i in (0, -1)
        )
        return f"{self.y_axis} over {self.x_axis}: the interval goes {first}, {last}."

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Heads and rows of a table with some of the points, the last one among them."""
        step = max(1, len(self.x) // 12)
        places = sorted(range(len(self.x) - 1, -1, -step))
        rows = [
            [f"{self.x[i]:,}", *(f"{part[i]:.3f}" for part in (self.middle, self.low, self.high))]
            for i in places
        ]
        return [self.x_axis, self.y_axis, "95 % from", "to"], rows


@dataclass(frozen=True)
class Bars:
    """A distribution: `counts[i]` values lie from `edges[i]` up to before `edges[i + 1]`.

    whole: whether each bar stands for one whole number, its lower edge.
    log: whether the x axis is a log scale.
    facts: mean, median and the like, as names and values.
    """

    title: str
    x_axis: str
    y_axis: str
    edges: NDArray[np.float64]
    counts: NDArray[np.int64]
    whole: bool = False
    log: bool = False
    facts: Mapping[str, float] = field(default_factory=dict)
    caption: str = ""

    @property
    def facts_text(self) -> str:
        """The facts as words."""
        return ", ".join(f"{name} {number_text(value)}" for name, value in self.facts.items())

    @property
    def description(self) -> str:
        """What there is to see, in words."""
        peak = int(self.counts.argmax())
        counted = f"{self.counts.sum():,} {self.y_axis}"
        return (
            f"{self.x_axis}, {counted}: {self.facts_text}. The highest bar is at "
            f"{self.bar_name(peak)}."
        )

    def bar_name(self, i: int) -> str:
        """What a bar stands for."""
        if self.whole:
            return f"{self.edges[i]:,.0f}"
        return f"{number_text(self.edges[i])} to {number_text(self.edges[i + 1])}"

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Heads and rows of a table that says the same; empty bars are left out."""
        rows = [
            [self.bar_name(i), f"{count:,}", f"{100 * count / self.counts.sum():.3g} %"]
            for i, count in enumerate(self.counts.tolist())
            if count
        ]
        return [self.x_axis, self.y_axis, "share"], rows


Figure: TypeAlias = Dots | Band | Bars


def bars_of_whole_numbers(
    counts: Mapping[int, int], title: str, x_axis: str, y_axis: str, caption: str = ""
) -> Bars:
    """The distribution of whole numbers, each with how often it occurs; at least one does."""
    values = np.array(sorted(counts), np.int64)
    weights = np.array([counts[value] for value in values.tolist()], np.int64)
    low, high = int(values[0]), int(values[-1])
    width = 1
    if high - low >= _MOST_WHOLE_BARS:
        width = max(1, math.ceil(nice_step(high - low, _MOST_WHOLE_BARS)))
    start = low // width * width
    bins = (values - start) // width
    return Bars(
        title,
        x_axis,
        y_axis,
        edges=start + width * np.arange(int(bins[-1]) + 2, dtype=np.float64),
        counts=np.bincount(bins, weights).astype(np.int64),
        whole=width == 1,
        facts=_facts_of_counts(values, weights),
        caption=caption,
    )


def _facts_of_counts(values: NDArray[np.int64], weights: NDArray[np.int64]) -> dict[str, float]:
    below = np.cumsum(weights)
    # The value of the deal in that place, the lower one of two.
    median, p95 = (
        float(values[np.searchsorted(below, math.ceil(share * below[-1]))]) for share in (0.5, 0.95)
    )
    mean = float((values * weights).sum() / weights.sum())
    return {"mean": mean, "median": median, "95 % up to": p95, "most": float(values[-1])}


def bars_of_measures(
    values: NDArray[np.float64],
    mean: float,
    title: str,
    x_axis: str,
    y_axis: str,
    caption: str = "",
) -> Bars:
    """The distribution of positive measured values, shape (n,) with n above 0.

    `mean` is told by the caller, as the values may have unequal weights.
    """
    low, high = float(values.min()), float(values.max())
    log = low > 0 and high / low > _LOG_RATIO
    edges = _log_edges(low, high) if log else _linear_edges(low, high)
    median, p95 = (float(value) for value in np.quantile(values, [0.5, 0.95]))
    return Bars(
        title,
        x_axis,
        y_axis,
        edges=edges,
        counts=np.histogram(values, edges)[0],
        log=log,
        facts={"mean": mean, "median": median, "95 % up to": p95, "most": high},
        caption=caption,
    )


def _log_edges(low: float, high: float) -> NDArray[np.float64]:
    decades = math.log10(high / low)
    each = max(1, round(_BARS / decades))
    first, last = math.floor(each * math.log10(low)), math.ceil(each * math.log10(high))
    return _around(low, 10.0 ** (np.arange(first, last + 1, dtype=np.float64) / each), high)


def _linear_edges(low: float, high: float) -> NDArray[np.float64]:
    step = nice_step(high - low or abs(high) or 1.0, _BARS)
    first, last = math.floor(low / step), math.floor(high / step) + 1
    return _around(low, step * np.arange(first, last + 1, dtype=np.float64), high)


def _around(low: float, edges: NDArray[np.float64], high: float) -> NDArray[np.float64]:
    """The edges, once rounding leaves no value outside."""
    edges[0], edges[-1] = min(edges[0], low), max(edges[-1], high)
    return edges


def number_text(value: float) -> str:
    """A number with as many digits as a person reads."""
    if abs(value) >= 1000 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.4g}"


def measure_text(value: float) -> str:
    """A measured value with four digits, so that those of a column stand below each other."""
    digits = 3 - math.floor(math.log10(value)) if value > 0 else 0
    return f"{value:,.{min(max(digits, 0), 9)}f}"


def reach(dots: Sequence[Dot]) -> tuple[float, float]:
    """From where to where an axis goes that shows dots and their intervals, in per cent."""
    ends = [dot.value for dot in dots]
    ends += [end for dot in dots for end in dot.interval or ()]
    # Room at both sides, within what shares can be; a little of it where all is one point.
    room = max((max(ends) - min(ends)) / 12, 0.01)
    return max(0.0, min(ends) - room), min(100.0, max(ends) + room)


def quantity(count: int, one: str, many: str) -> str:
    """A count with its noun."""
    return f"{count:,} {one if count == 1 else many}"
