"""What a store says: a summary as plain values, from which every table is made.

A summary is also what a published study is kept as, so that tables can be made again from the
files in results/ without the stores.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from winnable.arrays import ByteArray
from winnable.errors import StoreError
from winnable.games import get_game
from winnable.games.base import LENGTH, NO_LENGTH, NO_SCORE, UNKNOWN_CODE, VERDICT_CODES
from winnable.players.levels import DIFFICULTY, STEPS, as_share
from winnable.study.columns import VERDICT, Column, score_names
from winnable.study.plan import EFFORT, IDENTITY_KEYS
from winnable.study.published import published_for
from winnable.study.statistics import Interval, win_rate
from winnable.study.store import Retry, Store

Summary: TypeAlias = dict[str, Any]

# Of files with summaries; all others are taken for stores.
SUMMARY_SUFFIX = ".json"

# How many unknown deals a summary names, and how many of them are printed for people.
_MOST_LISTED = 1000
_MOST_SHOWN = 20


def summarize(store: Store) -> Summary:
    """Everything that is worth keeping about a store, as values that JSON can hold.

    What differs from run to run is kept under `machine`; all else depends on the study alone.
    `verdict_sha256` runs over one byte a deal in number order: 0 unwinnable, 1 winnable, 2 unknown.
    `solution_moves` is there for games whose solutions are kept: how many are, and their lengths.
    """
    with store.one_moment():
        totals = store.totals()
        covered = store.covered()
        sessions = store.sessions()
        identity = store.identity()
        retries = store.retries()
        unknown = list(islice(store.unknown_numbers(), _MOST_LISTED))
        names = store.column_names()
        digest = hashlib.sha256()
        for _, verdicts in store.column(VERDICT):
            digest.update(verdicts.tobytes())
        scores = {
            name: _histogram(values for _, values in store.column(name))
            for name in score_names(names)
        }
        lengths = _lengths(store.column(LENGTH)) if LENGTH in names else {}
    deals = totals.winnable + totals.unwinnable + totals.unknown
    if deals == 0:
        raise StoreError(f"{store.path} holds no answers yet; run its study first.")
    wall = sum(session["wall_seconds"] for session in sessions)
    return {
        **identity,
        "numbers": [[span.first, span.last] for span in covered],
        "deals": deals,
        "winnable": totals.winnable,
        "unwinnable": totals.unwinnable,
        "unknown": totals.unknown,
        "unknown_numbers": unknown,
        "retried": _retried(retries),
        "win_rate_percent": asdict(win_rate(totals.winnable, totals.unwinnable, totals.unknown)),
        "nodes": totals.nodes,
        "verdict_sha256": digest.hexdigest(),
        "scores": scores,
        **lengths,
        "version": sessions[-1]["version"],
        "machine": {
            "name": sessions[-1]["machine"],
            "workers": sessions[-1]["workers"],
            "started": sessions[0]["started_time"],
            "wall_seconds": round(wall, 3),
            "cpu_seconds": round(totals.cpu_seconds, 3),
            "deals_per_second": _rate(deals, wall),
            "deals_per_cpu_second": _rate(deals, totals.cpu_seconds),
        },
    }


def _retried(retries: Sequence[Retry]) -> dict[str, Any] | None:
    """What trying unknown deals once more came to, under the highest limits used."""
    if not retries:
        return None
    settled = [retry for retry in retries if retry.verdict != UNKNOWN_CODE]
    efforts = [retry.limits.effort for retry in retries if retry.limits.effort is not None]
    nodes = [retry.limits.max_nodes for retry in retries]
    seconds = [retry.limits.max_seconds for retry in retries]
    return {
        "deals": len(retries),
        "settled": len(settled),
        "max_nodes": None if None in nodes else max(filter(None, nodes)),
        "max_seconds": None if None in seconds else max(filter(None, seconds)),
        "nodes": sum(retry.nodes for retry in retries),
        "cpu_seconds": round(sum(retry.cpu_seconds for retry in retries), 3),
        **({EFFORT: max(efforts)} if efforts else {}),
    }


def _rate(deals: int, seconds: float) -> int:
    # A clock may stand still over a handful of deals.
    return round(deals / max(seconds, 1e-9))


def _histogram(columns: Iterable[ByteArray]) -> dict[str, int]:
    counts = np.zeros(256, np.int64)
    for values in columns:
        counts += np.bincount(values, minlength=256)
    return {str(value): int(counts[value]) for value in np.nonzero(counts)[0] if value != NO_SCORE}


def _lengths(column: Iterable[tuple[int, Column]]) -> dict[str, dict[str, float]]:
    """Mean, median and longest of the solutions that are kept; nothing where none is."""
    # Games whose solutions are kept are slow: all lengths of a study fit in memory.
    lengths = np.concatenate([values[values != NO_LENGTH] for _, values in column])
    if len(lengths) == 0:
        return {}
    row = {
        "solutions": len(lengths),
        "mean": round(float(lengths.mean()), 3),
        "median": float(np.median(lengths)),
        "longest": int(lengths.max()),
    }
    return {"solution_moves": row}


def load_summaries(path: Path) -> list[Summary]:
    """The summary of a store, or those that ``report --json`` wrote to a file before.

    Raises
    ------
    StoreError
        When the file is neither.
    """
    if path.suffix != SUMMARY_SUFFIX:
        with Store.open_to_read(path) as store:
            return [summarize(store)]
    return summaries_in(path, checked_summary)


def summaries_in(path: Path, checked: Callable[[Any], Summary]) -> list[Summary]:
    """The objects of a file with one a line, once `checked` has let each of them pass.

    Raises
    ------
    StoreError
        When there is no such file, or none in it, or `checked` raises for one.
    """
    try:
        text = path.read_text(encoding="utf-8")
        summaries = [checked(json.loads(line)) for line in text.splitlines() if line.strip()]
    except OSError as error:
        raise StoreError(f"There is no file {path} to read: {error.strerror}.") from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        summaries = []
    if not summaries:
        raise not_summaries(path)
    return summaries


def not_summaries(path: Path) -> StoreError:
    """The error for a file whose content is something else, or was changed."""
    return StoreError(f"{path} does not hold what 'winnable report --json' prints.")


def checked_summary(summary: Summary) -> Summary:
    """The same summary, once everything that reports are made of was seen to be there.

    Raises
    ------
    ValueError, TypeError, KeyError or AttributeError
        For anything else.
    """
    plain_report(summary)
    markdown_table([summary])
    absent = (IDENTITY_KEYS | {"nodes", "verdict_sha256", "version"}) - summary.keys()
    if absent:
        raise KeyError(*absent)
    rate = interval_of(summary)
    if not rate.low <= rate.center <= rate.high:
        raise ValueError("the ends of the interval are not around its middle")
    return summary


def interval_of(summary: Summary) -> Interval:
    """The win rate of a summary."""
    return Interval(**summary["win_rate_percent"])


def numbers_of(summary: Summary) -> str:
    """The numbers that a summary covers, as a person reads them."""
    return ", ".join(f"{first:,} to {last:,}" for first, last in summary["numbers"])


def plain_report(summary: Summary) -> str:
    """A summary as lines of text."""
    rows = report_rows(summary)
    width = max(len(name) for name, _ in rows)
    title = get_game(summary["game"]).title
    return "\n".join([title, *(f"  {name.ljust(width)}  {text}" for name, text in rows)])


def report_rows(summary: Summary) -> list[tuple[str, str]]:
    """What a summary says, as names and texts."""
    run = summary["machine"]
    settings = ", ".join(f"{key}={value}" for key, value in summary["settings"].items())
    return [
        ("rules", f"{summary['rules']} ({settings})"),
        ("numbers", f"{numbers_of(summary)} of numbering {summary['numbering']}"),
        *_limit_rows(summary),
        ("deals", f"{summary['deals']:,}"),
        *((verdict.value, f"{summary[verdict.value]:,}") for verdict in _REPORT_ORDER),
        *_unknown_rows(summary),
        ("win rate", f"{interval_of(summary)} %   (95 %, Wilson)"),
        *_score_rows(summary),
        *_length_rows(summary),
        *(("published", f"{row.rate} %   ({row.deals}; {row.source})") for row in _others(summary)),
        ("time", f"{_duration(run['wall_seconds'])}, {run['deals_per_second']:,} deals/s"),
        (
            "CPU time",
            f"{_duration(run['cpu_seconds'])}, {run['deals_per_cpu_second']:,} deals/CPU-second",
        ),
    ]


_REPORT_ORDER = (VERDICT_CODES[1], VERDICT_CODES[0], VERDICT_CODES[2])


def _others(summary: Summary) -> list[Any]:
    return published_for(summary["game"], summary["rules"])


def _limit_rows(summary: Summary) -> Iterator[tuple[str, str]]:
    for key in ("max_nodes", "max_seconds"):
        if summary[key] is not None:
            yield key.replace("_", " "), f"{summary[key]:,} a deal"
    if EFFORT in summary:
        yield EFFORT, str(summary[EFFORT])


def _unknown_rows(summary: Summary) -> Iterator[tuple[str, str]]:
    """Which deals are unknown, and which others were once."""
    numbers = summary["unknown_numbers"]
    if numbers:
        more = summary["unknown"] - len(numbers[:_MOST_SHOWN])
        shown = ", ".join(map(str, numbers[:_MOST_SHOWN]))
        yield "undecided", shown + (f" and {more:,} more (see --csv)" if more else "")
    retried = summary["retried"]
    if retried is not None:
        limits = [
            f"{retried[key]:,} {key[4:]}"
            for key in ("max_nodes", "max_seconds")
            if retried[key] is not None
        ]
        if EFFORT in retried:
            limits.append(f"effort {retried[EFFORT]}")
        text = f"{retried['settled']:,} of {retried['deals']:,} unknown deals were decided later"
        yield "retried", f"{text}, with up to {' and '.join(limits)} a deal"


def _score_rows(summary: Summary) -> Iterator[tuple[str, str]]:
    meanings = get_game(summary["game"]).score_columns
    for name in summary["scores"]:
        if name == DIFFICULTY:
            yield DIFFICULTY, _difficulty(summary)
            continue
        yield f"mean {name}", f"{_score(summary, name)}   ({meanings[name]})"


def _difficulty(summary: Summary) -> str:
    """The mean and some quantiles of how hard the deals are."""
    steps = np.repeat(
        np.array([int(value) for value in summary["scores"][DIFFICULTY]], np.int64),
        list(summary["scores"][DIFFICULTY].values()),
    )
    ordered = np.sort(steps)
    parts = [
        f"{share} % up to {as_share(int(ordered[(len(ordered) * share - 1) // 100])):.3f}"
        for share in (10, 50, 90)
    ]
    return f"mean {float(ordered.mean()) / STEPS:.3f}, {', '.join(parts)}   (0 easy, 1 hard)"


def _score(summary: Summary, name: str) -> str:
    """The mean and the highest of a score over the deals that have one."""
    if name == DIFFICULTY and name in summary["scores"]:
        return _difficulty(summary)
    counts = {int(value): count for value, count in summary["scores"].get(name, {}).items()}
    if not counts:
        return ""
    mean = sum(value * count for value, count in counts.items()) / sum(counts.values())
    return f"{mean:.3f}, most {max(counts)}"


def _length_rows(summary: Summary) -> Iterator[tuple[str, str]]:
    """How long the solutions are that a store keeps."""
    moves = summary.get("solution_moves")
    if moves is not None:
        spread = f"median {moves['median']:g}, longest {moves['longest']:,}"
        kept = f"{moves['solutions']:,} solutions, kept in the store"
        yield "mean moves", f"{moves['mean']:.1f}, {spread}   ({kept})"


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.1f} s"
    if seconds < 7200:
        return f"{seconds / 60:.1f} min"
    return f"{seconds / 3600:.2f} h"


def markdown_table(summaries: Iterable[Summary]) -> str:
    """The summaries as one table, the published figures for their games below them."""
    listed = list(summaries)
    scores = list(dict.fromkeys(name for summary in listed for name in summary["scores"]))
    verdicts = [verdict.value for verdict in _REPORT_ORDER]
    heads = ["game", "rules", "numbering", "deals", *verdicts, "win % (95 %)"]
    rows = [[*heads, *(f"mean {name}" for name in scores)]]
    rows.append(["---"] * len(rows[0]))
    for summary in listed:
        title, rules = get_game(summary["game"]).title, f"`{summary['rules']}`"
        numbering = f"`{summary['numbering']}` {numbers_of(summary)}"
        counts = [f"{summary[key]:,}" for key in ("deals", *verdicts)]
        rate = f"**{interval_of(summary)}**"
        means = [_score(summary, name) for name in scores]
        rows.append([title, rules, numbering, *counts, rate, *means])
    for other in dict.fromkeys(other for summary in listed for other in _others(summary)):
        title, rules = (
            get_game(other.game).title,
            f"`{other.rules}`" if other.rules else "not stated",
        )
        empty, more = [""] * len(verdicts), [""] * len(scores)
        source = f"published: {other.source}"
        rows.append([title, rules, source, other.deals, *empty, other.rate, *more])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)
