"""How fast Tri-Peaks studies are: whole studies in one process, dealing and storing included.

    python benchmarks/tripeaks.py [--numbers 1000000] [--repeat 3] [--out FILE.json]

For each rule set, with one worker and compiled code warm: deals per CPU-second of the process,
then with the fewest stock cards for every deal (``--best``). Also the share of the time that
dealing takes, the slowest single deal, the speed-up of a second worker in wall time, and the peak
memory. The bound beside them is what a plain depth-first search with exact memory reached on the
same task, 1,200 deals a second. Every raw timing is in the JSON; quote medians.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import numpy as np

from winnable.deals import fill_packs, get_numbering
from winnable.games import get_game
from winnable.games.base import Limits
from winnable.study.plan import Span, Study
from winnable.study.run import machine_name, run_study
from winnable.study.store import Store
from winnable.version import __version__

GAME = get_game("tripeaks")
NUMBERING = get_numbering("winnable")
# Deals per CPU-second that the project promises.
TARGETS = {"standard": 100_000, "open": 100_000, "no-wrap": 40_000, "open-no-wrap": 40_000}
BEST_TARGET = 25_000


def study_once(rules: str, best: bool, numbers: int, workers: int) -> tuple[float, float, int]:
    """Run a study into a fresh store; its CPU seconds, wall seconds and nodes."""
    study = Study(GAME, GAME.rules.resolve(rules), NUMBERING, Limits(), best)
    with tempfile.TemporaryDirectory() as folder:
        cpu, wall = time.process_time(), time.perf_counter()
        with Store.create_or_open(Path(folder) / "store.sqlite", study) as store:
            run_study(store, study, Span(0, numbers - 1), workers)
            nodes = store.totals().nodes
        return time.process_time() - cpu, time.perf_counter() - wall, nodes


def throughput(rules: str, best: bool, numbers: int, repeat: int) -> dict[str, Any]:
    """Deals per CPU-second with one worker, each run and their median."""
    study_once(rules, best, 1000, 1)
    runs = [study_once(rules, best, numbers, 1) for _ in range(repeat)]
    rates = [numbers / cpu for cpu, _, _ in runs]
    return {
        "rules": rules,
        "best": best,
        "numbers": numbers,
        "nodes_per_deal": runs[0][2] / numbers,
        "cpu_seconds": [cpu for cpu, _, _ in runs],
        "deals_per_cpu_second": round(statistics.median(rates)),
        "target": BEST_TARGET if best else TARGETS[rules],
    }


def dealing_microseconds(numbers: int) -> float:
    """CPU microseconds to deal one pack."""
    packs = np.empty((8192, 52), np.uint8)
    fill_packs(NUMBERING, 0, GAME.name, packs)
    before = time.process_time()
    for first in range(0, numbers, len(packs)):
        fill_packs(NUMBERING, first, GAME.name, packs)
    return (time.process_time() - before) / numbers * 1e6


def single_deal_milliseconds(rules: str, numbers: int) -> dict[str, float]:
    """The time of one deal in a call of its own."""
    batch = GAME.batch(GAME.rules.resolve(rules), NUMBERING, Limits(), False)
    batch.solve(0, 1)
    times = []
    for number in range(numbers):
        before = time.perf_counter()
        batch.solve(number, 1)
        times.append(1000 * (time.perf_counter() - before))
    return {
        "median": statistics.median(times),
        "p99": float(np.percentile(times, 99)),
        "worst": max(times),
    }


def two_workers(rules: str, numbers: int, repeat: int) -> dict[str, Any]:
    """Wall time of one worker over that of two, pair by pair."""
    pairs = []
    for _ in range(repeat):
        one = study_once(rules, False, numbers, 1)[1]
        two = study_once(rules, False, numbers, 2)[1]
        pairs.append([one, two])
    ratio = statistics.median(one / two for one, two in pairs)
    return {"rules": rules, "wall_seconds": pairs, "ratio": round(ratio, 3), "target": 1.8}


def peak_megabytes() -> float:
    """The most memory that this process has held."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Linux counts in kilobytes, macOS in bytes.
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def commit() -> str:
    """The commit that is measured, marked where files differ from it."""
    command = ["git", "describe", "--always", "--dirty"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return found.stdout.strip() or "unknown"


def main() -> int:
    """Measure, print a line a figure, and write the JSON; 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--numbers", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/tripeaks.json"))
    options = parser.parse_args()
    load = os.getloadavg()
    rows = []
    for best in (False, True):
        for rules in TARGETS:
            row = throughput(rules, best, options.numbers, options.repeat)
            rows.append(row)
            print(
                f"{rules:13}{' --best' if best else '':8}"
                f"{row['deals_per_cpu_second']:>9,} deals/CPU-second (target {row['target']:,}), "
                f"{row['nodes_per_deal']:,.0f} nodes a deal",
                flush=True,
            )
    dealing = dealing_microseconds(options.numbers)
    share = dealing * rows[0]["deals_per_cpu_second"] / 1e6
    print(f"dealing      {dealing:.3f} µs a deal, {100 * share:.1f} % of standard")
    single = {rules: single_deal_milliseconds(rules, 20_000) for rules in TARGETS}
    for rules, row in single.items():
        print(f"{rules:13}one deal a call: median {row['median']:.3f}, worst {row['worst']:.2f} ms")
    workers = two_workers("no-wrap", options.numbers, options.repeat)
    print(f"two workers  {workers['ratio']:.2f} times one (target 1.8)")
    peak = peak_megabytes()
    print(f"peak memory  {peak:.0f} MB (target 400)")
    record = {
        "commit": commit(),
        "version": __version__,
        "machine": machine_name(),
        "load_before": load,
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "first_number": 0,
        "throughput": rows,
        "dealing_microseconds": dealing,
        "dealing_share_of_standard": share,
        "single_deal_milliseconds": single,
        "two_workers": workers,
        "peak_memory_mb": peak,
    }
    options.out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    fast_enough = all(row["deals_per_cpu_second"] >= row["target"] for row in rows)
    return 0 if fast_enough and workers["ratio"] >= workers["target"] else 1


if __name__ == "__main__":
    sys.exit(main())
