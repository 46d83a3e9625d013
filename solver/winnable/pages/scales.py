"""Scales of charts: where values lie, and which of them are marked."""

from __future__ import annotations

import math
from dataclasses import dataclass

# About how many marks an axis has.
_TICKS = 5


@dataclass(frozen=True)
class Axis:
    """A scale from values, `low` to `high`, to places, `start` to `end`; with its ticks."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False
    whole: bool = False

    def place(self, value: float) -> float:
        """Where a value lies."""
        low, high, value = (self._scaled(each) for each in (self.low, self.high, value))
        return self.start + (value - low) / (high - low) * (self.end - self.start)

    def _scaled(self, value: float) -> float:
        return math.log10(value) if self.log else value

    def ticks(self) -> list[tuple[float, str]]:
        """Where it is marked, and with what."""
        if self.log:
            return [(value, compact(value)) for value in self._log_ticks()]
        step = nice_step(self.high - self.low, _TICKS)
        if self.whole:
            step = max(1.0, step)
        digits = max(0, -math.floor(math.log10(step) + 1e-9))
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        values = [step * i for i in range(first, last + 1)]
        return [(value, compact(value, digits)) for value in values]

    def _log_ticks(self) -> list[float]:
        first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        few = math.log10(self.high / self.low) < 2
        factors = (1, 2, 5) if few else (1,)
        values = [factor * 10.0**power for power in range(first, last + 1) for factor in factors]
        inside = [value for value in values if self.low <= value * 1.000001 <= self.high * 1.000002]
        return inside[:: max(1, math.ceil(len(inside) / (2 * _TICKS)))]


def compact(value: float, digits: int = 0) -> str:
    """A number for an axis: 12, 0.25, 20k, 3M."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= max(size, 10_000 if letter == "k" else 0):
            return f"{value / size:g}{letter}"
    return f"{value:,.{digits}f}" if value >= 1 or digits else f"{value:g}"


def nice_step(length: float, parts: int) -> float:
    """The smallest 1, 2 or 5 times a power of ten that cuts a length into no more than so many."""
    least = length / parts
    power: float = 10.0 ** math.floor(math.log10(least))
    return next((factor * power for factor in (1, 2, 5) if factor * power >= least), 10 * power)
