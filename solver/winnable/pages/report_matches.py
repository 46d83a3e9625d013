"""What a report of games between two agents shows. Importing this module imports numba."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from winnable.duel.agents import ALL
from winnable.duel.game import get_duel
from winnable.errors import StoreError
from winnable.pages import markup
from winnable.pages.figures import Bars, Dot, Dots, Figure, bars_of_whole_numbers, number_text
from winnable.pages.report_data import RATES
from winnable.study.matches import MatchStore, summarize
from winnable.study.repeat import match_commands
from winnable.study.report import Summary, numbers_of

TURNS, MOVES = "turns", "moves"


@dataclass(frozen=True)
class MatchData:
    """The summary of a match, and how many games had so many turns and moves: none from a file."""

    summary: Summary
    origin: str
    turns: dict[int, int] = field(default_factory=dict)
    moves: dict[int, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What a person calls the match."""
        title = get_duel(self.summary["game"]).title
        return f"{title}, {self.summary['first']} against {self.summary['second']}"


def read_match(path: Path) -> MatchData:
    """Everything a report shows of a store; raises StoreError where it can't be used."""
    with MatchStore.open_to_read(path) as store, store.one_moment():
        if not store.covered():
            raise StoreError(f"{path} holds no games yet; run its match first.")
        columns = {name: store.games_of_all_seats(name) for name in (TURNS, MOVES)}
        return MatchData(summarize(store), str(path), *map(_counted, columns.values()))


def _counted(values: np.ndarray[Any, np.dtype[Any]]) -> dict[int, int]:
    found, counts = np.unique(values, return_counts=True)
    return dict(zip(found.tolist(), counts.tolist(), strict=True))


def match_figures(data: MatchData) -> dict[str, Figure]:
    """The figures that there are of a match, by name."""
    figures: dict[str, Figure] = {RATES: _wins_figure(data.summary)}
    for name, counts in ((TURNS, data.turns), (MOVES, data.moves)):
        if counts:
            figures[name] = _lengths_figure(name, counts)
    return figures


def _lengths_figure(name: str, counts: dict[int, int]) -> Bars:
    return bars_of_whole_numbers(counts, f"Length in {name}", name, "games")


def _wins_figure(summary: Summary) -> Dots:
    games = summary["games"]
    dots = [
        _dot(f"{summary['first']} wins", summary["first_wins"], games),
        _dot(f"{summary['second']} wins", summary["second_wins"], games),
    ]
    if summary["swap"]:
        dots.append(_dot("who begins wins", summary["beginner_wins"], games))
        dots += [
            _dot(f"{seat['begins']} wins when it begins", seat["beginner_wins"], summary["deals"])
            for seat in summary["seats"]
        ]
    caption = "Lines are 95 % Wilson intervals of the share of all games, draws included."
    return Dots("Who wins", "games won, in per cent", tuple(dots), caption)


def _dot(label: str, share: dict[str, Any], games: int) -> Dot:
    low, high = share["interval"]
    return Dot(
        label=label,
        value=share["percent"],
        interval=(low, high),
        shown=_percent(share),
        basis=f"{share['count']:,} of {games:,}",
    )


def overview(matches: Sequence[tuple[str, MatchData]]) -> str:
    """A table of matches, each with the key of its section."""
    heads = ["match", "games", "first wins %", "second wins %", "draws"]
    rows: list[list[markup.Cell]] = [
        [
            markup.Link(data.name, key),
            f"{data.summary['games']:,}",
            *(_percent(data.summary[f"{who}_wins"]) for who in ("first", "second")),
            f"{data.summary['draws']['count']:,}",
        ]
        for key, data in matches
    ]
    return markup.section("matches", "Games between agents", [markup.table(heads, rows)])


def _percent(share: dict[str, Any]) -> str:
    low, high = share["interval"]
    return f"{share['percent']:.2f} [{low:.2f}, {high:.2f}]"


def match_section(data: MatchData, key: str, single: bool) -> str:
    """The part of a page that is about a match."""
    summary = data.summary
    basis = f"{summary['games']:,} games. From {data.origin}."
    figures = [(f"{key}-{name}", figure) for name, figure in match_figures(data).items()]
    parts = [
        markup.paragraph(basis, class_="soft"),
        markup.charts(figures),
        markup.element("h3", "Settings and counts"),
        markup.facts(_rows(summary)),
        markup.element("h3", "How to repeat it"),
        markup.code(match_commands(summary)),
    ]
    return markup.section(key, "The match" if single else data.name, parts)


def _rows(summary: Summary) -> list[tuple[str, str]]:
    settings = ", ".join(f"{name}={value}" for name, value in summary["settings"].items())
    chairs = "each deal from both chairs" if summary["swap"] else f"{summary['first']} begins"
    sees = "every card" if summary["players_see"] == ALL else "what a person in their chair sees"
    draws = summary["draws"]
    reasons = [f"{words} {count:,}" for words, count in draws.items() if words != "count"]
    return [
        ("rules", f"{summary['rules']} ({settings})"),
        ("numbers", f"{numbers_of(summary)} of numbering {summary['numbering']}"),
        ("agents", f"{summary['first']} and {summary['second']}, {chairs}; they see {sees}"),
        ("games", f"{summary['games']:,}"),
        ("draws", f"{draws['count']:,} ({', '.join(reasons)})"),
        *((name, _spread(summary[name])) for name in (TURNS, MOVES)),
        ("agents' version", str(summary["agents"])),
        ("CPU time", f"{number_text(summary['cpu_seconds'])} s"),
    ]


def _spread(values: dict[str, float]) -> str:
    spread = f"median {values['median']:g}, 95 % up to {values['p95']:g}"
    return f"mean {values['mean']:.1f}, {spread}"
