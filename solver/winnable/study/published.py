"""Win rates that others have published, to set ours beside."""

from __future__ import annotations

import re
from dataclasses import dataclass

from winnable.study.statistics import wilson

# As the texts below are written: "71.245 ± 0.031", "> 90"; "1,457 of 1,500, 2 unknown", "1,000".
_RATE = re.compile(r"(?P<above>> )?(?P<percent>[\d.]+)(?: ± (?P<half>[\d.]+))?")
_DEALS = re.compile(r"(?:(?P<won>[\d,]+) of )?(?P<deals>[\d,]+)(?:, (?P<unknown>[\d,]+) unknown)?")


@dataclass(frozen=True)
class Published:
    """One published figure.

    rules: the rule set it holds for, None where its source does not say.
    rate: as published, in per cent.
    deals: on how many deals it rests, in words.
    """

    game: str
    rules: str | None
    rate: str
    deals: str
    source: str

    @property
    def percent(self) -> float:
        """The rate as a number."""
        return float(self._rate()["percent"])

    @property
    def is_bound(self) -> bool:
        """Whether no more is said than that the rate is above this number."""
        return self._rate()["above"] is not None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The interval in per cent: as published, or else by Wilson at 95 % from the deals.

        None where neither is told.
        """
        half = self._rate()["half"]
        if half is not None:
            return self.percent - float(half), self.percent + float(half)
        counts = _DEALS.fullmatch(self.deals)
        if counts is None:
            return None
        deals = _count(counts["deals"])
        won = _count(counts["won"]) if counts["won"] else round(self.percent * deals / 100)
        unknown = _count(counts["unknown"] or "0")
        return 100 * wilson(won, deals)[0], 100 * wilson(won + unknown, deals)[1]

    def _rate(self) -> re.Match[str]:
        rate = _RATE.fullmatch(self.rate)
        if rate is None:
            raise ValueError(f"'{self.rate}' is no rate")
        return rate


def _count(text: str) -> int:
    return int(text.replace(",", ""))


PUBLISHED = (
    Published("tripeaks", "standard", "97.13", "1,457 of 1,500", "mchung94/solitaire-player"),
    Published("tripeaks", "standard", "96.6", "1,000", "playsolitaire.io"),
    Published("tripeaks", None, "> 90", "not stated", "Robert Hogue, the game's inventor, 1989"),
    Published(
        "canfield",
        "thoughtful",
        "71.245 ± 0.031",
        "7,124,239 of 10,000,000, 520 unknown",
        "Blake & Gent, JAIR 85 (2026)",
    ),
    Published(
        "canfield",
        "thoughtful",
        "71.929 ± 1.118",
        "35,605 of 50,000, 724 unknown",
        "Wolter's program, run by Blake & Gent",
    ),
    Published(
        "canfield",
        "thoughtful-strict",
        "67.562 ± 0.034",
        "6,755,771 of 10,000,000, 747 unknown",
        "Blake & Gent, for whole pile moves",
    ),
    Published(
        "spider",
        "four-suit",
        "99.994",
        "31,998 of 32,000, 2 unknown",
        "plspider, 2005, PySolFC's deals 1 to 32,000",
    ),
    Published("spider", "four-suit", "99.969", "3,199 of 3,200, 1 unknown", "Weisser, 2012"),
)


def published_for(game: str, rules: str) -> list[Published]:
    """The published figures for a game under a rule set, and those whose rules are not stated."""
    return [row for row in PUBLISHED if row.game == game and row.rules in (rules, None)]
