"""What a Spider deal costs with each number of suits, and what each rung of the ladder wins.

    python benchmarks/spider.py [--rules NAME]... [--deals 300] [--effort 8] [--out FILE.json]

The deals are PySolFC's numbers 1 and up, one after the other on one core, with compiled code warm
and the default limits. CPU seconds include the shortening of the line and its replay by the plain
rules; every deal's are in the JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from winnable.deals import get_numbering
from winnable.games.ruleset import Rules
from winnable.games.spider import GAME
from winnable.games.spider.ladder import DEFAULT_EFFORT, LADDER
from winnable.games.spider.rules import State
from winnable.games.spider.solver import (
    DEFAULT_MAX_NODES,
    Search,
    replayed,
    shortened,
    task_of,
)
from winnable.search.stopping import stop_array
from winnable.study.run import machine_name
from winnable.version import __version__

NUMBERING = get_numbering("pysol")
# Most seconds a deal in the median and in the mean, and least per cent of deals won.
TARGETS = {
    "four-suit": (0.15, 0.7, 99.3),
    "two-suit": (0.12, 0.7, 99.95),
    "one-suit": (0.12, 0.7, 99.95),
}


def spread(values: list[float]) -> dict[str, float]:
    """Mean, median, 95 % and worst."""
    return {
        "mean": float(np.mean(values)),
        "median": float(np.median(values)),
        "p95": float(np.percentile(values, 95)),
        "worst": float(max(values)),
    }


class Measured(NamedTuple):
    """One deal: CPU seconds, nodes, beams tried, moves of the win."""

    seconds: float
    nodes: int
    rung: int
    moves: int | None


def measured(deal: State, rules: Rules, effort: int) -> Measured:
    """Do what the solver does with a deal, and see with which beam it wins."""
    before = time.process_time()
    task = task_of(deal, rules)
    search = Search(task, DEFAULT_MAX_NODES, stop_array(None))
    rung, moves = 0, None
    for outcome in search.parts(effort):
        rung += outcome.width > 0
        if outcome.line is not None:
            moves = len(replayed(deal, shortened(outcome.line, task), rules))
            break
    return Measured(time.process_time() - before, search.nodes, rung, moves)


def rung_rows(results: list[Measured], effort: int) -> list[dict[str, float]]:
    """For each rung: deals that came to it, deals it won, and the CPU time of these deals."""
    rows = []
    for number, rung in enumerate(LADDER[:effort], start=1):
        reached = [result for result in results if result.rung >= number]
        won = [r for r in reached if r.rung == number and r.moves is not None]
        row = {"width": rung.width, "tried": len(reached), "won": len(won)}
        rows.append({**row, "seconds": sum(result.seconds for result in won)})
    return rows


def measure(name: str, deals: int, effort: int) -> dict[str, Any]:
    """Solve the deals by a rule set."""
    rules = GAME.rules.resolve(name)
    # Loads the compiled code, of what only some deals need too.
    for number in (1, 2, 3):
        measured(GAME.deal(NUMBERING, number, rules), rules, effort=2)
    results = [
        measured(GAME.deal(NUMBERING, number, rules), rules, effort)
        for number in range(1, deals + 1)
    ]
    lost = [i for i, result in enumerate(results, start=1) if result.moves is None]
    most_median, most_mean, least_won = TARGETS[name]
    row = {
        "rules": name,
        "deals": deals,
        "won": deals - len(lost),
        "seconds": spread([result.seconds for result in results]),
        "nodes": spread([result.nodes for result in results]),
        "moves": spread([result.moves for result in results if result.moves is not None]),
        "rungs": rung_rows(results, effort),
        "target_median_seconds": most_median,
        "target_mean_seconds": most_mean,
        "target_won_percent": least_won,
    }
    row["reached"] = (
        row["seconds"]["median"] <= most_median
        and row["seconds"]["mean"] <= most_mean
        and 100 * row["won"] >= least_won * deals
    )
    row["raw"] = {
        "numbers_not_won": lost,
        "rung": [result.rung for result in results],
        "seconds": [round(result.seconds, 4) for result in results],
        "nodes": [result.nodes for result in results],
        "moves": [result.moves for result in results],
    }
    return row


def main() -> int:
    """Measure, print a line a rule set, and write the JSON; 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rules", action="append", choices=list(TARGETS), help="may be repeated")
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--effort", type=int, default=DEFAULT_EFFORT)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/spider.json"))
    options = parser.parse_args()
    load = os.getloadavg()
    rows = []
    for name in options.rules or TARGETS:
        row = measure(name, options.deals, options.effort)
        rows.append(row)
        seconds = row["seconds"]
        ladder = "  ".join(f"{rung['width']}: {rung['won']}" for rung in row["rungs"])
        print(
            f"{name:10} {row['won']} of {row['deals']} won  median {seconds['median']:.3f}  "
            f"mean {seconds['mean']:.3f}  95 % {seconds['p95']:.2f}  worst {seconds['worst']:.1f} s"
            f"  {row['moves']['mean']:.0f} moves  by width {ladder}"
            f"{'' if row['reached'] else '   MISSED'}",
            flush=True,
        )
    record = {
        "version": __version__,
        "machine": machine_name(),
        "load_before": load,
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "numbering": NUMBERING.name,
        "rows": rows,
    }
    options.out.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return 0 if all(row["reached"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
