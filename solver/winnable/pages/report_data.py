"""What a report of a study shows: read from its store, or from a summary as far as that goes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from winnable.games import get_game
from winnable.games.base import (
    LENGTH,
    NO_LENGTH,
    UNKNOWN_CODE,
    UNWINNABLE_CODE,
    WINNABLE_CODE,
)
from winnable.pages.figures import (
    Band,
    Bars,
    Dot,
    Dots,
    Figure,
    bars_of_measures,
    bars_of_whole_numbers,
)
from winnable.players.levels import DIFFICULTY, STEPS
from winnable.study.columns import VERDICT, Column
from winnable.study.plan import USUAL_NUMBERING
from winnable.study.published import Published, published_for
from winnable.study.report import Summary, interval_of, numbers_of, summarize
from winnable.study.statistics import Interval, win_rate
from winnable.study.store import ChunkFigures, Retry, Store

# The figures that every game can have, as `winnable report --figure` names them; those of scores
# are named after their column.
RATES, SETTLING, NODES, TIME, LENGTHS = "rates", "settling", "nodes", "time", "length"

# How many points the settling of an estimate is drawn with, from which part of the deals on, and
# the least of them with which it begins.
_POINTS = 100
_FIRST_PART = 1000
_FEWEST_DEALS = 20
# With fewer blocks there is no distribution to speak of.
_FEWEST_BLOCKS = 8
# How many deals a list of the hardest ones has.
MOST_HARDEST = 10

_RATE_AXIS = "deals that can be won, in per cent"


@dataclass(frozen=True)
class Settled:
    """What the win rate was after the first `deals` of a store, in number order."""

    deals: int
    rate: Interval


@dataclass(frozen=True)
class Lowest:
    """The least of a score that any win has, how many have it, and the first of them."""

    score: int
    count: int
    numbers: list[int]


@dataclass(frozen=True)
class StudyData:
    """A study's summary, and what only its store has: nothing of that where there is none.

    origin: the file, for a person.
    settling: the win rate as deals are added.
    chunks: what each block of deals took.
    lengths: how many of the kept solutions have how many moves.
    longest: the longest of them, as numbers and moves.
    lowest: for each score, the deals with the least of it.
    """

    summary: Summary
    origin: str
    settling: list[Settled] = field(default_factory=list)
    chunks: list[ChunkFigures] = field(default_factory=list)
    lengths: dict[int, int] = field(default_factory=dict)
    longest: list[tuple[int, int]] = field(default_factory=list)
    lowest: dict[str, Lowest] = field(default_factory=dict)
    retries: list[Retry] = field(default_factory=list)

    @property
    def name(self) -> str:
        """What a person calls the study."""
        summary = self.summary
        title = get_game(summary["game"]).title
        numbering = summary["numbering"]
        dealt = "" if numbering == USUAL_NUMBERING else f", numbering {numbering}"
        best = ", best scores" if summary["best"] else ""
        return f"{title}, rules {summary['rules']}{dealt}{best}"


def read_study(path: Path) -> StudyData:
    """Everything a report shows of a store; raises StoreError where it can't be used."""
    with Store.open_to_read(path) as store, store.one_moment():
        summary = summarize(store)
        names = store.column_names()
        return StudyData(
            summary,
            str(path),
            _settling(store, summary["deals"]),
            store.chunk_figures(),
            *_lengths(store.column(LENGTH) if LENGTH in names else ()),
            lowest={
                name: _lowest(store, name, summary)
                for name in _scored(summary)
                if name != DIFFICULTY
            },
            retries=store.retries(),
        )


def _scored(summary: Summary) -> list[str]:
    """The scores that any deal of a study has."""
    return [name for name, counts in summary["scores"].items() if counts]


def _settling(store: Store, deals: int) -> list[Settled]:
    first = min(deals, max(_FEWEST_DEALS, deals // _FIRST_PART))
    points = np.unique(np.geomspace(first, deals, _POINTS).round().astype(np.int64)).tolist()
    settled = []
    counts = np.zeros(3, np.int64)
    done = 0
    for _, verdicts in store.column(VERDICT):
        begin = 0
        while points and points[0] <= done + len(verdicts):
            end = points.pop(0) - done
            counts += np.bincount(verdicts[begin:end], minlength=3)
            settled.append(Settled(done + end, _rate(counts)))
            begin = end
        counts += np.bincount(verdicts[begin:], minlength=3)
        done += len(verdicts)
    return settled


def _rate(counts: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Interval:
    return win_rate(
        int(counts[WINNABLE_CODE]), int(counts[UNWINNABLE_CODE]), int(counts[UNKNOWN_CODE])
    )


def _lengths(
    column: Iterable[tuple[int, Column]],
) -> tuple[dict[int, int], list[tuple[int, int]]]:
    """How often each length occurs, and the longest ones as numbers and moves."""
    counts = np.zeros(NO_LENGTH, np.int64)
    longest: list[tuple[int, int]] = []
    for first, lengths in column:
        there = np.flatnonzero(lengths != NO_LENGTH)
        counts += np.bincount(lengths[there], minlength=NO_LENGTH)
        top = there[np.argsort(-lengths[there].astype(np.int64), kind="stable")][:MOST_HARDEST]
        longest += [(first + index, int(lengths[index])) for index in top.tolist()]
        longest = sorted(longest, key=lambda each: -each[1])[:MOST_HARDEST]
    return {value: int(counts[value]) for value in np.flatnonzero(counts).tolist()}, longest


def _lowest(store: Store, name: str, summary: Summary) -> Lowest:
    counts = {int(value): count for value, count in summary["scores"][name].items()}
    score = min(counts)
    numbers: list[int] = []
    for first, values in store.column(name):
        numbers += (first + index for index in np.flatnonzero(values == score).tolist())
        if len(numbers) >= MOST_HARDEST:
            break
    return Lowest(score, counts[score], numbers[:MOST_HARDEST])


# Figures of one study


def figures_of(data: StudyData) -> dict[str, Figure]:
    """The figures that there are of a study, by name, but for the one that compares studies."""
    found = {
        SETTLING: _settling_figure(data),
        NODES: _nodes_figure(data),
        TIME: _time_figure(data),
        LENGTHS: _lengths_figure(data),
        **{name: _score_figure(data, name) for name in _scored(data.summary)},
    }
    return {name: figure for name, figure in found.items() if figure is not None}


def _settling_figure(data: StudyData) -> Band | None:
    if len(data.settling) < 2:
        return None
    rates = [each.rate for each in data.settling]
    return Band(
        title="How the estimate settles",
        x_axis="deals",
        y_axis="winnable, in per cent",
        x=np.array([each.deals for each in data.settling], np.int64),
        low=np.array([rate.low for rate in rates]),
        middle=np.array([rate.center for rate in rates]),
        high=np.array([rate.high for rate in rates]),
        caption="In number order, with the 95 % interval.",
    )


def _has_blocks(chunks: Sequence[ChunkFigures]) -> bool:
    return len(chunks) >= _FEWEST_BLOCKS


def _differ_in_nodes(chunks: Sequence[ChunkFigures]) -> bool:
    """Whether nodes tell blocks apart: some searches take the same steps for every deal."""
    return _has_blocks(chunks) and len({chunk.nodes / chunk.count for chunk in chunks}) > 1


def _blocks_caption(data: StudyData) -> str:
    usual = max(chunk.count for chunk in data.chunks)
    retried = " Deals that were tried once more are in it with their first try." * bool(
        data.retries
    )
    return f"Means of blocks of up to {usual:,} deals, as it is not kept by deal.{retried}"


def _nodes_figure(data: StudyData) -> Bars | None:
    chunks = data.chunks
    if not _differ_in_nodes(chunks):
        return None
    return bars_of_measures(
        np.array([chunk.nodes / chunk.count for chunk in chunks]),
        sum(chunk.nodes for chunk in chunks) / sum(chunk.count for chunk in chunks),
        title="Nodes of the search",
        x_axis="nodes a deal",
        y_axis="blocks",
        caption=_blocks_caption(data),
    )


def _time_figure(data: StudyData) -> Bars | None:
    chunks = data.chunks
    if not _has_blocks(chunks):
        return None
    seconds = np.array([chunk.cpu_seconds / chunk.count for chunk in chunks])
    mean = sum(chunk.cpu_seconds for chunk in chunks) / sum(chunk.count for chunk in chunks)
    factor, unit = time_unit(mean)
    return bars_of_measures(
        seconds * factor,
        mean * factor,
        title="Processor time",
        x_axis=f"{unit} a deal",
        y_axis="blocks",
        caption=_blocks_caption(data),
    )


def time_unit(seconds: float) -> tuple[float, str]:
    """The unit in which a person reads such a time, and how many of it make a second."""
    for factor, unit in ((1.0, "seconds"), (1e3, "milliseconds")):
        if seconds * factor >= 1:
            return factor, unit
    return 1e6, "microseconds"


def _lengths_figure(data: StudyData) -> Bars | None:
    if not data.lengths:
        return None
    return bars_of_whole_numbers(
        data.lengths, title="Length of the solutions", x_axis="moves", y_axis="deals"
    )


def _score_figure(data: StudyData, name: str) -> Bars:
    counts = {int(value): count for value, count in data.summary["scores"][name].items()}
    if name == DIFFICULTY:
        return _difficulty_figure(counts)
    meaning = get_game(data.summary["game"]).score_columns[name]
    return bars_of_whole_numbers(
        counts,
        title=name.replace("_", " ").capitalize(),
        x_axis=name.replace("_", " "),
        y_axis="deals",
        caption=meaning[0].upper() + meaning[1:] + ".",
    )


def _difficulty_figure(counts: dict[int, int]) -> Bars:
    """The distribution of difficulties, which are kept in steps, as shares."""
    steps = bars_of_whole_numbers(
        counts,
        title="Difficulty",
        x_axis="difficulty",
        y_axis="deals",
        caption="What a player who sees no hidden card leaves undone: 0 is easy, 1 is hard.",
    )
    return replace(
        steps,
        edges=steps.edges / STEPS,
        whole=False,
        facts={name: value / STEPS for name, value in steps.facts.items()},
    )


# Figures of rates


def rate_figures(studies: Sequence[StudyData]) -> list[Dots]:
    """The win rates, a figure for each game, with all that others published for it below."""
    games = dict.fromkeys(data.summary["game"] for data in studies)
    return [
        _rate_figure(game, [data for data in studies if data.summary["game"] == game])
        for game in games
    ]


def _rate_figure(game: str, studies: Sequence[StudyData]) -> Dots:
    ours = sorted(studies, key=lambda data: data.summary["win_rate_percent"]["center"])
    dots: list[Dot] = []
    for rules in dict.fromkeys(data.summary["rules"] for data in ours):
        dots += (_dot(data, studies) for data in ours if data.summary["rules"] == rules)
        dots += map(_published_dot, _published(game, rules))
    dots += map(_published_dot, _published(game, None))
    return _rates(f"Win rates of {get_game(game).title}", dots)


_INTERVALS = (
    "Lines are 95 % intervals: for the lower end every unknown deal counts as lost, for the upper "
    "end as won."
)
_MARKS = (
    "Dots: measured here; diamonds: published by others for the rules above them, or for rules "
    "that are not stated."
)


def _rates(title: str, dots: Sequence[Dot]) -> Dots:
    caption = _INTERVALS if all(dot.ours for dot in dots) else f"{_MARKS} {_INTERVALS}"
    return Dots(title, _RATE_AXIS, tuple(dots), caption)


def _published(game: str, rules: str | None) -> list[Published]:
    """What was published for just these rules, or with None for rules that are not stated."""
    return [row for row in published_for(game, rules or "") if row.rules == rules]


def comparison_figure(data: StudyData) -> Dots | None:
    """A study's win rate beside what others published for the same rules, None where none did."""
    published = _published(data.summary["game"], data.summary["rules"])
    if not published:
        return None
    dots = [_dot(data, [data]), *map(_published_dot, published)]
    return _rates("Beside what others published", dots)


def _dot(data: StudyData, shown: Sequence[StudyData]) -> Dot:
    """The win rate of a study, named by what tells it apart from the others shown."""
    summary, rate = data.summary, interval_of(data.summary)
    label = [summary["rules"]]
    if summary["numbering"] != USUAL_NUMBERING:
        label.append(f"numbering {summary['numbering']}")
    if summary["best"] and not all(other.summary["best"] for other in shown):
        label.append("with best scores")
    unknown = f", {summary['unknown']:,} unknown" if summary["unknown"] else ""
    counts = f"{summary['winnable']:,} of {summary['deals']:,}{unknown}"
    return Dot(
        label=", ".join(label),
        value=rate.center,
        interval=(rate.low, rate.high),
        shown=str(rate),
        basis=f"{counts}; {summary['numbering']} {numbers_of(summary)}",
    )


def _published_dot(row: Published) -> Dot:
    rules = f"for {row.rules}" if row.rules else "rules not stated"
    return Dot(
        label=row.source,
        value=row.percent,
        interval=row.interval,
        shown=row.rate,
        basis=f"published, {rules}: {row.deals} deals",
        ours=False,
        is_bound=row.is_bound,
    )


# Lists of what was hard


def hardest_blocks(data: StudyData) -> list[ChunkFigures]:
    """The blocks with the most nodes a deal, hardest first."""
    if not _differ_in_nodes(data.chunks):
        return []
    ranked = sorted(data.chunks, key=lambda chunk: -chunk.nodes / chunk.count)
    return ranked[:MOST_HARDEST]


def hardest_retries(data: StudyData) -> list[Retry]:
    """The deals that took the most nodes when they were tried once more, hardest first."""
    return sorted(data.retries, key=lambda retry: -retry.nodes)[:MOST_HARDEST]


# Several files


def distinct(studies: Iterable[StudyData]) -> list[StudyData]:
    """The studies, each once: of a store and the summary made from it the store stays."""
    kept: dict[str, StudyData] = {}
    for data in studies:
        key = repr({name: data.summary[name] for name in data.summary if name not in _PASSING})
        if key not in kept or not kept[key].chunks:
            kept[key] = data
    return list(kept.values())


# What two summaries of the same answers may differ in.
_PASSING = frozenset(["machine", "version"])
