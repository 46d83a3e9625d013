"""What a Canfield deal costs by each rule set: nodes, CPU time with the replay, deals left open.

    python benchmarks/canfield.py [--rules NAME]... [--deals 2000] [--out FILE.json]
        [--solvitaire BINARY [--peer-deals 100] [--peer-seconds 10]]

The deals are numbers 1 and up of the numbering `solvitaire`, one after the other on one core, with
compiled code warm and the default limits. Nodes and milliseconds come as mean, median, 99 % and
worst; every deal's are in the JSON. Memory is the most that the process held.

With the program of github.com/thecharlieblake/Solvitaire, built as its authors say, the first deals
are solved by that too, in the same run, one by one and in its `smart-solvability` mode. Its time is
the child's CPU time, cut off at the seconds given, so that the ratio is a lower bound.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import numpy as np

from winnable.deals import get_numbering
from winnable.games import get_game
from winnable.games.base import Limits, Verdict
from winnable.study.run import machine_name
from winnable.version import __version__

GAME = get_game("canfield")
NUMBERING = get_numbering("solvitaire")
# What Solvitaire calls the rule sets that it has, and its words for verdicts.
PEER_TYPES = {"thoughtful": "canfield", "thoughtful-strict": "canfield-strict"}
PEER_VERDICTS = {"solved": Verdict.WINNABLE, "unsolvable": Verdict.UNWINNABLE}
# Most milliseconds a deal in the mean, and most per cent of deals left open.
TARGETS = {
    "thoughtful": (8, 0.0),
    "full-wrap": (15, 0.0),
    "aisleriot": (60, 0.1),
    "pysol": (60, 0.1),
    "thoughtful-strict": (60, 0.1),
    "casino": (60, 0.1),
}
# Solved before the clock runs: the first one alone does not reach all kernels, and what it does not
# reach would be compiled, or loaded, in somebody's time.
WARM_UP_DEALS = 30


def spread(values: Sequence[float]) -> dict[str, float]:
    """Mean, median, 99 % and worst."""
    return {
        "mean": float(np.mean(values)),
        "median": float(np.median(values)),
        "p99": float(np.percentile(values, 99)),
        "worst": max(values),
    }


def measure(name: str, deals: int) -> dict[str, Any]:
    """Solve the deals by a rule set."""
    rules = GAME.rules.resolve(name)
    for number in range(1, WARM_UP_DEALS + 1):
        GAME.solve(GAME.deal(NUMBERING, number, rules), rules, Limits())
    verdicts, nodes, milliseconds = [], [], []
    for number in range(1, deals + 1):
        deal = GAME.deal(NUMBERING, number, rules)
        before = time.process_time()
        solution = GAME.solve(deal, rules, Limits())
        milliseconds.append(1000 * (time.process_time() - before))
        verdicts.append(solution.verdict)
        nodes.append(solution.nodes)
    unknown = verdicts.count(Verdict.UNKNOWN)
    most_milliseconds, most_unknown = TARGETS[name]
    row: dict[str, Any] = {
        "rules": name,
        "deals": deals,
        **{verdict.value: verdicts.count(verdict) for verdict in Verdict},
        "unknown_percent": 100 * unknown / deals,
        "milliseconds": spread(milliseconds),
        "nodes": spread(nodes),
        "target_milliseconds": most_milliseconds,
        "target_unknown_percent": most_unknown,
    }
    row["reached"] = (
        row["milliseconds"]["mean"] <= most_milliseconds and row["unknown_percent"] <= most_unknown
    )
    row["raw"] = {
        "numbers_unknown": [i + 1 for i, v in enumerate(verdicts) if v is Verdict.UNKNOWN],
        "nodes": nodes,
        "milliseconds": [round(value, 3) for value in milliseconds],
    }
    return row


def solve_as_peer(binary: Path, kind: str, number: int, seconds: float) -> tuple[str, float]:
    """Solvitaire's verdict on a seed, and its milliseconds of CPU time."""
    command = [
        *(str(binary), "--type", kind, "--random", str(number), "--classify"),
        *("--streamliners", "smart-solvability", "--timeout", str(round(1000 * seconds))),
    ]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout.split()[-1], 1000 * spent


def against_peer(binary: Path, row: dict[str, Any], deals: int, seconds: float) -> dict[str, Any]:
    """What Solvitaire needs for the first deals of a row, and how many times ours that is."""
    rules, ours = GAME.rules.resolve(row["rules"]), row["raw"]["milliseconds"][:deals]
    verdicts, theirs = [], []
    for number in range(1, len(ours) + 1):
        said, milliseconds = solve_as_peer(binary, PEER_TYPES[row["rules"]], number, seconds)
        verdicts.append(PEER_VERDICTS.get(said))
        theirs.append(milliseconds)
        verdict = GAME.solve(GAME.deal(NUMBERING, number, rules), rules, Limits()).verdict
        if verdicts[-1] not in (None, verdict) and verdict is not Verdict.UNKNOWN:
            raise AssertionError(f"seed {number}: {verdict} here, {said} there")
    return {
        "deals": len(ours),
        "seconds": seconds,
        "unknown": verdicts.count(None),
        "milliseconds": spread(theirs),
        "ours": spread(ours),
        "ratio": sum(theirs) / sum(ours),
    }


def main() -> int:
    """Measure, print a line a rule set, and write the JSON; 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", action="append", choices=list(TARGETS), help="may be repeated")
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/canfield.json"))
    parser.add_argument("--solvitaire", type=Path, metavar="BINARY")
    parser.add_argument("--peer-deals", type=int, default=100)
    parser.add_argument("--peer-seconds", type=float, default=10)
    options = parser.parse_args()
    load = os.getloadavg()
    rows = []
    for name in options.rules or TARGETS:
        row = measure(name, options.deals)
        rows.append(row)
        ms, nodes = row["milliseconds"], row["nodes"]
        print(
            f"{name:18} mean {ms['mean']:7.2f}  median {ms['median']:6.2f}  99 % {ms['p99']:7.1f}  "
            f"worst {ms['worst']:7.0f} ms  mean {nodes['mean']:9,.0f} nodes  "
            f"{row['winnable']} / {row['unwinnable']} / {row['unknown']}"
            f"{'' if row['reached'] else '   MISSED'}",
            flush=True,
        )
        if options.solvitaire and name in PEER_TYPES:
            peer = against_peer(options.solvitaire, row, options.peer_deals, options.peer_seconds)
            row["solvitaire"] = peer
            print(
                f"{'':18} Solvitaire {peer['milliseconds']['mean']:.1f} ms, {peer['unknown']} of "
                f"{peer['deals']} unknown: {peer['ratio']:.0f} times as much",
                flush=True,
            )
    record = {
        "version": __version__,
        "machine": machine_name(),
        "load_before": load,
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "numbering": NUMBERING.name,
        "most_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "rows": rows,
    }
    options.out.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return 0 if all(row["reached"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
