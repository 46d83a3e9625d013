"""What a Spider deal costs with each number of suits, and what each level of the ladder wins.

    python benchmarks/spider.py [--rules NAME]... [--deals N] [--out FILE.json]

The deals are PySolFC's numbers 1 and up, 2,000 with four suits and 5,000 with two and one, one
after the other on one core, with compiled code warm and the default limits. What these don't win
is tried again with the highest effort. CPU seconds include the shortening of the line and its
replay by the plain rules; every deal's are in the JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from winnable.deals import get_numbering
from winnable.games.base import NO_LIMIT
from winnable.games.ruleset import Rules
from winnable.games.spider import GAME
from winnable.games.spider.ladder import DEFAULT_EFFORT, LEVELS, rungs_of
from winnable.games.spider.rules import State
from winnable.games.spider.solver import (
    DEFAULT_MAX_NODES,
    Search,
    replayed,
    shortened,
    task_of,
)
from winnable.games.spider.state import LOST, OUT_OF_NODES
from winnable.search.stopping import stop_array
from winnable.study.run import machine_name
from winnable.version import __version__

NUMBERING = get_numbering("pysol")
HIGHEST_EFFORT = len(LEVELS)


class Target(NamedTuple):
    """What to reach on how many deals.

    median, mean: most CPU seconds a deal with the default limits.
    won, won_at_last: least per cent of deals won, with these and with the highest effort.
    """

    deals: int
    median: float
    mean: float
    won: float
    won_at_last: float


TARGETS = {
    "four-suit": Target(2000, 0.15, 0.9, 99.7, 99.9),
    "two-suit": Target(5000, 0.12, 0.9, 99.95, 99.95),
    "one-suit": Target(5000, 0.12, 0.9, 99.95, 99.95),
}


def spread(values: Sequence[float]) -> dict[str, float]:
    """Mean, median, 95 % and worst."""
    return {
        "mean": float(np.mean(values)),
        "median": float(np.median(values)),
        "p95": float(np.percentile(values, 95)),
        "worst": float(max(values)),
    }


class Measured(NamedTuple):
    """One deal: CPU seconds, nodes, beams tried, moves of the win, whether it is proved lost."""

    seconds: float
    nodes: int
    rung: int
    moves: int | None
    lost: bool


def measured(
    deal: State, rules: Rules, effort: int, max_nodes: int = DEFAULT_MAX_NODES
) -> Measured:
    """Do what the solver does with a deal, and see with which beam it wins."""
    before = time.process_time()
    task = task_of(deal, rules)
    search = Search(task, max_nodes, stop_array(None))
    rung, moves, lost = 0, None, False
    for outcome in search.parts(effort):
        rung += outcome.width > 0
        if outcome.line is not None:
            moves = len(replayed(deal, shortened(outcome.line, task), rules))
            break
        lost = outcome.code == LOST
        if lost or outcome.code == OUT_OF_NODES:
            break
    return Measured(time.process_time() - before, search.nodes, rung, moves, lost)


def level_rows(results: list[Measured]) -> list[dict[str, Any]]:
    """For each effort: deals that came to its beams, deals they won, and the CPU time of these."""
    rows = []
    for effort in range(1, DEFAULT_EFFORT + 1):
        own, before = LEVELS[effort - 1], len(rungs_of(effort - 1))
        reached = [result for result in results if result.rung > before]
        won = [r for r in reached if r.rung <= before + len(own) and r.moves is not None]
        row = {"effort": effort, "width": own[0].width, "beams": len(own)}
        row |= {"tried": len(reached), "won": len(won)}
        rows.append({**row, "seconds": sum(result.seconds for result in won)})
    return rows


def tried_again(numbers: Sequence[int], rules: Rules) -> list[dict[str, Any]]:
    """What the highest effort makes of deals that the default limits left unknown."""
    rows = []
    for number in numbers:
        result = measured(GAME.deal(NUMBERING, number, rules), rules, HIGHEST_EFFORT, NO_LIMIT)
        rows.append({"number": number, **result._asdict()})
    return rows


def measure(name: str, deals: int) -> dict[str, Any]:
    """Solve the deals by a rule set."""
    rules = GAME.rules.resolve(name)
    # Loads the compiled code, of what only some deals need too.
    for number in (1, 2, 3):
        measured(GAME.deal(NUMBERING, number, rules), rules, effort=2)
    results = [
        measured(GAME.deal(NUMBERING, number, rules), rules, DEFAULT_EFFORT)
        for number in range(1, deals + 1)
    ]
    numbered = list(enumerate(results, start=1))
    unknown = [number for number, each in numbered if each.moves is None and not each.lost]
    again = tried_again(unknown, rules)
    won = sum(result.moves is not None for result in results)
    won_at_last = won + sum(row["moves"] is not None for row in again)
    target = TARGETS[name]
    row: dict[str, Any] = {
        "rules": name,
        "deals": deals,
        "won": won,
        "lost": sum(result.lost for result in results),
        "won_with_highest_effort": won_at_last,
        "seconds": spread([result.seconds for result in results]),
        "nodes": spread([result.nodes for result in results]),
        "moves": spread([result.moves for result in results if result.moves is not None]),
        "levels": level_rows(results),
        "highest_effort": {"effort": HIGHEST_EFFORT, "deals": again},
        "target": target._asdict(),
    }
    row["reached"] = (
        row["seconds"]["median"] <= target.median
        and row["seconds"]["mean"] <= target.mean
        and 100 * won >= target.won * deals
        and 100 * won_at_last >= target.won_at_last * deals
    )
    row["raw"] = {
        "numbers_unknown": unknown,
        "numbers_lost": [number for number, each in numbered if each.lost],
        "rung": [result.rung for result in results],
        "seconds": [round(result.seconds, 4) for result in results],
        "nodes": [result.nodes for result in results],
        "moves": [result.moves for result in results],
    }
    return row


def line(row: dict[str, Any]) -> str:
    """A rule set's figures in words."""
    seconds = row["seconds"]
    ladder = "  ".join(
        f"{level['beams']} × {level['width']}: {level['won']}" for level in row["levels"]
    )
    return (
        f"{row['rules']:10} {row['won']} of {row['deals']} won, {row['won_with_highest_effort']} "
        f"with effort {HIGHEST_EFFORT}, {row['lost']} lost  median {seconds['median']:.3f}  "
        f"mean {seconds['mean']:.3f}  95 % {seconds['p95']:.2f}  worst {seconds['worst']:.1f} s  "
        f"{row['moves']['mean']:.0f} moves  by beams {ladder}"
        f"{'' if row['reached'] else '   MISSED'}"
    )


def main() -> int:
    """Measure, print a line a rule set, and write the JSON; 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rules", action="append", choices=list(TARGETS), help="may be repeated")
    parser.add_argument("--deals", type=int, help="fewer than the targets are for")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/spider.json"))
    options = parser.parse_args()
    load = os.getloadavg()
    rows = []
    for name in options.rules or TARGETS:
        rows.append(measure(name, options.deals or TARGETS[name].deals))
        print(line(rows[-1]), flush=True)
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
