"""Win rates with intervals that tell the truth about what is not known."""

from __future__ import annotations

import math
from dataclasses import dataclass

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
