"""Win rates with intervals that tell the truth about what is not known."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

# Two-sided 95 % quantile of the normal distribution.
Z_95 = 1.959963984540054


def wilson(successes: float, trials: int, z: float = Z_95) -> tuple[float, float]:
    """The Wilson score interval of a proportion, as two numbers from 0 to 1.

    A draw can count as half a success.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
    JASA 22 (1927).
    """
    if trials == 0:
        return 0.0, 1.0
    share = successes / trials
    spread = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    middle = share + z * z / (2 * trials)
    scale = 1 + z * z / trials
    low = 0.0 if successes == 0 else (middle - spread) / scale
    high = 1.0 if successes == trials else (middle + spread) / scale
    return low, high


def difference(successes: int, failures: int, trials: int) -> tuple[float, float]:
    """The 95 % interval of the share of successes less that of failures, from -1 to 1.

    Draws are trials that are neither.

    Source: A. Agresti and Y. Min, "Simple improved confidence intervals for comparing matched
    proportions", Statistics in Medicine 24 (2005): half a trial is added to each of four cells.
    """
    scale = trials + 2
    middle = (successes - failures) / scale
    variance = (successes + failures + 1) / scale - middle * middle
    half = Z_95 * math.sqrt(variance / scale)
    return max(-1.0, middle - half), min(1.0, middle + half)


def share(wins: int, games: int) -> dict[str, Any]:
    """A count as a share of games in per cent, with its 95 % Wilson interval."""
    low, high = wilson(wins, games)
    return {
        "count": wins,
        "percent": round(100 * wins / games, 3) if games else None,
        "interval": [round(100 * low, 3), round(100 * high, 3)],
    }


def lead(wins: int, losses: int, games: int) -> dict[str, Any]:
    """How far wins lead losses, in points of a hundred games, with its 95 % interval."""
    low, high = difference(wins, losses, games)
    return {
        "points": round(100 * (wins - losses) / games, 3),
        "interval": [round(100 * low, 3), round(100 * high, 3)],
    }


@dataclass(frozen=True)
class Interval:
    """A win rate in per cent: everything from `low` to `high`, ends rounded outwards.

    `center` ± `half` is the form in which it is printed; it covers `low` and `high`.
    """

    low: float
    high: float
    center: float
    half: float
    decimals: int

    def __str__(self) -> str:
        return f"{self.center:.{self.decimals}f} ± {self.half:.{self.decimals}f}"


def win_rate(winnable: int, unwinnable: int, unknown: int) -> Interval:
    """The 95 % interval of a win rate, built as Blake & Gent build theirs (JAIR 85, 2026).

    For the lower end every unknown deal counts as lost, for the upper end as won.
    """
    trials = winnable + unwinnable + unknown
    low = 100 * wilson(winnable, trials)[0]
    high = 100 * wilson(winnable + unknown, trials)[1]
    # Two digits of the half range, and never fewer than three decimals.
    decimals = max(3, 1 - math.floor(math.log10((high - low) / 2)))
    scale = 10**decimals
    # The ends are rounded before the middle is taken, so that the printed range covers them.
    first, last = math.floor(low * scale), math.ceil(high * scale)
    half = (last - first + 1) // 2
    center = (first + last + 1) // 2
    return Interval(first / scale, last / scale, center / scale, half / scale, decimals)
