"""A report as one HTML page: win rates, how they settle, what was hard, and how to repeat it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Union

from winnable.errors import StoreError
from winnable.games import get_game
from winnable.games.base import VERDICT_CODES
from winnable.pages import markup
from winnable.pages.figures import Figure, measure_text, quantity
from winnable.pages.page import asset, page
from winnable.pages.report_data import (
    RATES,
    StudyData,
    comparison_figure,
    distinct,
    figures_of,
    hardest_blocks,
    hardest_retries,
    rate_figures,
    read_study,
    time_unit,
)
from winnable.study.repeat import rules_options, study_commands
from winnable.study.report import (
    SUMMARY_SUFFIX,
    Summary,
    interval_of,
    not_summaries,
    numbers_of,
    report_rows,
)
from winnable.study.sources import is_match, is_store_of_matches, load_any
from winnable.version import __version__

if TYPE_CHECKING:
    # It imports numba.
    from winnable.pages.report_matches import MatchData

Data = Union[StudyData, "MatchData"]

# How many unknown deals a page lists; a store may have a great many.
_MOST_UNKNOWN = 200


def read(paths: Iterable[Path]) -> list[Data]:
    """What reports show of these files; of a study that is given twice, only once.

    Raises
    ------
    StoreError
        For a file that is neither a store nor has summaries.
    """
    found = [data for path in paths for data in _read(path)]
    studies = distinct(data for data in found if isinstance(data, StudyData))
    # The games stand together, in the order in which they are given.
    games = list(dict.fromkeys(data.summary["game"] for data in studies))
    studies.sort(key=lambda data: games.index(data.summary["game"]))
    return [*studies, *(data for data in found if not isinstance(data, StudyData))]


def _read(path: Path) -> list[Data]:
    if path.suffix == SUMMARY_SUFFIX:
        return [_from_summary(summary, path) for summary in load_any(path)]
    if is_store_of_matches(path):
        from winnable.pages.report_matches import read_match

        return [read_match(path)]
    return [read_study(path)]


def _from_summary(summary: Summary, path: Path) -> Data:
    """What a summary has; raises StoreError unless it can be shown, whoever wrote the file."""
    try:
        data = _data_of(summary, str(path))
        report_page([data])
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError):
        raise not_summaries(path) from None
    return data


def _data_of(summary: Summary, origin: str) -> Data:
    if not is_match(summary):
        return StudyData(summary, origin)
    from winnable.pages.report_matches import MatchData

    return MatchData(summary, origin)


def chosen_figures(found: Sequence[Data], name: str | None = None) -> list[Figure]:
    """The figures of one name, the rates by default: one for each study or match.

    Win rates of studies stand together, one figure for each game.

    Raises
    ------
    StoreError
        For a name that some of the files hold no figure of.
    """
    name = name or RATES
    studies = [data for data in found if isinstance(data, StudyData)]
    figures: list[Figure] = [*rate_figures(studies)] if name == RATES else []
    several = len(found) > 1
    for data in found:
        if not isinstance(data, StudyData):
            figures.append(_named(data, name, _figures_of_match(data), several))
        elif name != RATES:
            figures.append(_named(data, name, figures_of(data), several))
    return figures


def _named(data: Data, name: str, held: Mapping[str, Figure], several: bool) -> Figure:
    """A figure of a study or match, which is named in its title where it stands among others."""
    if name not in held:
        known = [*([RATES] if isinstance(data, StudyData) else []), *held]
        raise StoreError(f"{data.origin} has no figure '{name}', only {', '.join(known)}.")
    figure = held[name]
    return replace(figure, title=f"{data.name}: {figure.title}") if several else figure


def report_page(found: Sequence[Data]) -> str:
    """The page, a whole HTML document that needs nothing but itself."""
    single = len(found) == 1
    keyed = [(f"part-{i}", data) for i, data in enumerate(found, 1)]
    studies = [(key, data) for key, data in keyed if isinstance(data, StudyData)]
    matches = [(key, data) for key, data in keyed if not isinstance(data, StudyData)]
    title = found[0].name if single else _title(len(studies), len(matches))
    maker = markup.paragraph(f"Made by winnable {__version__}.", class_="soft")
    parts = [
        markup.element("h1", markup.text(title)),
        *([_overview(studies)] if studies and not single else []),
        *([_matches_overview(matches)] if matches and not single else []),
        *(_study_section(data, key, single) for key, data in studies),
        *(_match_section(data, key, single) for key, data in matches),
        markup.element("footer", maker),
    ]
    return page(title, "\n".join(parts), style=asset("report.css"))


def _title(studies: int, matches: int) -> str:
    parts = [quantity(studies, "study", "studies")] * (studies > 0)
    parts += [quantity(matches, "match", "matches")] * (matches > 0)
    return "Report of " + " and ".join(parts)


def _match_section(data: MatchData, key: str, single: bool) -> str:
    from winnable.pages.report_matches import match_section

    return match_section(data, key, single)


def _matches_overview(matches: Sequence[tuple[str, MatchData]]) -> str:
    from winnable.pages.report_matches import overview

    return overview(matches)


def _figures_of_match(data: MatchData) -> dict[str, Figure]:
    from winnable.pages.report_matches import match_figures

    return match_figures(data)


# Studies together


def _overview(studies: Sequence[tuple[str, StudyData]]) -> str:
    verdicts = [VERDICT_CODES[code].value for code in (1, 0, 2)]
    heads = ["study", "numbers", "deals", *verdicts, "win % (95 %)"]
    rows: list[list[markup.Cell]] = [
        [
            markup.Link(data.name, key),
            numbers_of(data.summary),
            *(f"{data.summary[name]:,}" for name in ("deals", *verdicts)),
            str(interval_of(data.summary)),
        ]
        for key, data in studies
    ]
    rates = rate_figures([data for _, data in studies])
    figures = [(f"rates-{i}", figure) for i, figure in enumerate(rates, 1)]
    parts = [markup.table(heads, rows), markup.charts(figures)]
    return markup.section("studies", "Win rates", parts)


# One study


def _study_section(data: StudyData, key: str, single: bool) -> str:
    summary = data.summary
    rate = f"{interval_of(summary)} % winnable"
    basis = (
        f"{summary['winnable']:,} of {summary['deals']:,} deals, {summary['unwinnable']:,} "
        f"unwinnable, {summary['unknown']:,} unknown. From {data.origin}."
    )
    parts = [
        markup.paragraph(rate, class_="rate"),
        markup.paragraph(basis, class_="soft"),
        markup.charts(_study_figures(data, key, single)),
        _hardest(data),
        _settings(summary),
    ]
    title = "The study" if single else data.name
    return markup.section(key, title, parts)


def _study_figures(data: StudyData, key: str, single: bool) -> list[tuple[str, Figure]]:
    """All figures of a study. Alone on its page, it is set beside all that was published."""
    beside = rate_figures([data])[0] if single else comparison_figure(data)
    figures = [] if beside is None else [(f"{key}-rates", beside)]
    return [*figures, *((f"{key}-{name}", figure) for name, figure in figures_of(data).items())]


def _settings(summary: Summary) -> str:
    values = {each.name: each.values for each in get_game(summary["game"]).rules.parameters}
    # A summary of another version may have what this one does not know.
    meanings = [
        [name, value, values.get(name, {}).get(value, "")]
        for name, value in summary["settings"].items()
    ]
    return "\n".join(
        [
            markup.element("h3", "Settings and counts"),
            markup.facts([*report_rows(summary), *_record(summary)]),
            markup.folded("The rules", markup.table(["rule", "value", "meaning"], meanings)),
            markup.element("h3", "How to repeat it"),
            markup.code(study_commands(summary)),
        ]
    )


def _record(summary: Summary) -> list[tuple[str, str]]:
    """What a study is recognized by when it is repeated."""
    run = summary["machine"]
    return [
        ("nodes", f"{summary['nodes']:,}"),
        ("machine", f"{run['name']}, {quantity(run['workers'], 'worker', 'workers')}"),
        ("begun", run["started"]),
        ("solver", f"{summary['solver']} of winnable {summary['version']}"),
        ("verdicts", f"SHA-256 {summary['verdict_sha256']}"),
    ]


# What was hard


def _hardest(data: StudyData) -> str:
    """The deals that cost most or are decided by least, as far as they are known by number."""
    parts = [
        *_unknown(data.summary),
        *_retried(data),
        *_longest(data),
        *_lowest(data),
        *_blocks(data),
    ]
    if not parts:
        return ""
    return "\n".join([markup.element("h3", "The hardest deals"), *parts])


def _solve(summary: Summary, number: int) -> str:
    words = ["winnable", "solve", summary["game"], str(number), *rules_options(summary)]
    return markup.code([shlex.join(words)])


def _unknown(summary: Summary) -> list[str]:
    numbers = summary["unknown_numbers"][:_MOST_UNKNOWN]
    if not numbers:
        return []
    more = summary["unknown"] - len(numbers)
    words = (
        f"{quantity(summary['unknown'], 'deal', 'deals')} that no search decided within its limits"
    )
    listed = ", ".join(map(str, numbers)) + (f" and {more:,} more" if more else "")
    return [markup.paragraph(f"{words}: {listed}. To look at one:"), _solve(summary, numbers[0])]


def _retried(data: StudyData) -> list[str]:
    rows = [
        [
            str(retry.number),
            VERDICT_CODES[retry.verdict].value,
            f"{retry.nodes:,}",
            measure_text(retry.cpu_seconds),
        ]
        for retry in hardest_retries(data)
    ]
    if not rows:
        return []
    heads = ["deal", "verdict", "nodes", "CPU seconds"]
    return [
        markup.paragraph("Deals that were tried once more, those with the most nodes:"),
        markup.table(heads, rows),
    ]


def _longest(data: StudyData) -> list[str]:
    if not data.longest:
        return []
    rows = [[str(number), f"{moves:,}"] for number, moves in data.longest]
    return [
        markup.paragraph("The longest solutions found, which need not be the shortest there are:"),
        markup.table(["deal", "moves"], rows),
    ]


def _lowest(data: StudyData) -> list[str]:
    parts = []
    for name, lowest in data.lowest.items():
        words = f"The least {name.replace('_', ' ')} that a win has is {lowest.score}"
        deals = quantity(lowest.count, "deal", "deals")
        some = "" if lowest.count == len(lowest.numbers) else ", the first of them"
        listed = ", ".join(map(str, lowest.numbers))
        parts.append(markup.paragraph(f"{words}, in {deals}{some}: {listed}."))
    return parts


def _blocks(data: StudyData) -> list[str]:
    blocks = hardest_blocks(data)
    if not blocks:
        return []
    seconds = sum(chunk.cpu_seconds for chunk in blocks) / sum(chunk.count for chunk in blocks)
    factor, unit = time_unit(seconds)
    rows = [
        [
            f"{chunk.first:,} to {chunk.first + chunk.count - 1:,}",
            measure_text(chunk.nodes / chunk.count),
            measure_text(factor * chunk.cpu_seconds / chunk.count),
        ]
        for chunk in blocks
    ]
    heads = ["numbers", "nodes a deal", f"CPU {unit} a deal"]
    return [
        markup.paragraph("The blocks of consecutive deals with the most nodes:"),
        markup.table(heads, rows),
    ]
