"""How fast Tri-Peaks studies are: whole studies in one process, dealing and storing included.

    python benchmarks/tripeaks.py [--numbers 1000000] [--repeat 3] [--out FILE.json]

For each rule set, with one worker and compiled code warm: deals per CPU-second of the process,
also with the fewest stock cards for every deal (``--best``). Then the share that dealing takes, the
slowest single deal, the speed-up by a second worker, memory, the store and report of a hundred
million deals, and how long the command takes to start. Each figure is printed beside its target and
written to the JSON with every raw timing; the exit status is 1 when a target is missed.

The bound to compare with is what a depth-first search with exact memory reached on the same task:
1,200 deals a second.
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
from dataclasses import asdict, dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import numpy as np

from winnable.deals import fill_packs, get_numbering
from winnable.games import get_game
from winnable.games.base import UNWINNABLE_CODE, WINNABLE_CODE, Limits
from winnable.study.plan import Span, Study
from winnable.study.report import summarize
from winnable.study.run import machine_name, run_study, warm_up
from winnable.study.store import Chunk, SessionFigures, Store
from winnable.version import __version__

GAME = get_game("tripeaks")
NUMBERING = get_numbering("winnable")
RULE_SETS = ("standard", "open", "no-wrap", "open-no-wrap")
# Deals per CPU-second.
TARGETS = {"standard": 100_000, "open": 100_000, "no-wrap": 40_000, "open-no-wrap": 40_000}
BEST_TARGET = 25_000
DEPTH_FIRST_DEALS_PER_SECOND = 1_200


@dataclass
class Figure:
    """One measured value, the median of `raw` where there are several, and its target."""

    name: str
    value: float
    unit: str
    target: float
    at_least: bool
    raw: list[Any] = field(default_factory=list)

    @property
    def reached(self) -> bool:
        """Whether the value is on the right side of its target."""
        return self.value >= self.target if self.at_least else self.value <= self.target

    def __str__(self) -> str:
        sign = "at least" if self.at_least else "at most"
        value = f"{self.value:,.0f}" if self.value >= 1000 else f"{self.value:.3g}"
        missed = "" if self.reached else "   MISSED"
        return f"{self.name:42}{value:>10} {self.unit:18} ({sign} {self.target:,g}){missed}"


def study_once(study: Study, numbers: int, workers: int) -> dict[str, float]:
    """Run a study into a fresh store: its CPU and wall seconds and its nodes."""
    with tempfile.TemporaryDirectory() as folder:
        cpu, wall = time.process_time(), time.perf_counter()
        with Store.create_or_open(Path(folder) / "store.sqlite", study) as store:
            run_study(store, study, Span(0, numbers - 1), workers)
            nodes = store.totals().nodes
        return {
            "cpu_seconds": time.process_time() - cpu,
            "wall_seconds": time.perf_counter() - wall,
            "nodes": nodes,
        }


def study_of(rules: str, best: bool = False) -> Study:
    """The study to time, with its kernels compiled."""
    study = Study(GAME, GAME.rules.resolve(rules), NUMBERING, Limits(), best)
    warm_up(study, 0)
    return study


def throughput(rules: str, best: bool, numbers: int, repeat: int) -> Figure:
    """Deals per CPU-second with one worker."""
    study = study_of(rules, best)
    runs = [study_once(study, numbers, 1) for _ in range(repeat)]
    rate = statistics.median(numbers / run["cpu_seconds"] for run in runs)
    target = BEST_TARGET if best else TARGETS[rules]
    name = f"{rules}{' --best' if best else ''}"
    return Figure(name, round(rate), "deals/CPU-second", target, True, runs)


def dealing_share(rate: float, numbers: int, repeat: int) -> Figure:
    """The share of a standard study that dealing takes."""
    packs = np.empty((8192, 52), np.uint8)
    fill_packs(NUMBERING, 0, GAME.name, packs)
    raw = []
    for _ in range(repeat):
        before = time.process_time()
        for first in range(0, numbers, len(packs)):
            fill_packs(NUMBERING, first, GAME.name, packs)
        raw.append((time.process_time() - before) / numbers)
    return Figure("dealing", 100 * statistics.median(raw) * rate, "% of standard", 10, False, raw)


def slowest_deal(rules: str, numbers: int) -> Figure:
    """The most CPU time that one deal takes in a call of its own, with its winning line."""
    chosen = GAME.rules.resolve(rules)
    deals = [GAME.deal(NUMBERING, number, chosen) for number in range(numbers)]
    GAME.solve(deals[0], chosen, Limits())
    times = []
    for deal in deals:
        before = time.process_time()
        GAME.solve(deal, chosen, Limits())
        times.append(1000 * (time.process_time() - before))
    spread = {"median": statistics.median(times), "p99": float(np.percentile(times, 99))}
    name = f"slowest of {numbers:,} deals, {rules}"
    return Figure(name, max(times), "ms", 10, False, [spread])


def second_worker(numbers: int, repeat: int) -> Figure:
    """Wall time with one worker over that with two, pair by pair."""
    study = study_of("no-wrap")
    pairs = []
    for _ in range(repeat):
        pairs.append([study_once(study, numbers, n)["wall_seconds"] for n in (1, 2)])
    ratio = statistics.median(one / two for one, two in pairs)
    return Figure("two workers over one, wall time", ratio, "times", 1.8, True, pairs)


def hundred_million(share_lost: float) -> list[Figure]:
    """Size and report time of a store of 10^8 random answers with scores, made for the purpose."""
    study = Study(GAME, GAME.rules.resolve("standard"), NUMBERING, Limits(), True)
    random = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.sqlite"
        with Store.create_or_open(path, study) as store:
            session = store.begin_session("2026-01-01T00:00:00+00:00", 1, "made", __version__)
            size = GAME.chunk_size
            for first in range(0, 10**8, size):
                count = min(size, 10**8 - first)
                lost = random.random(count) < share_lost
                verdicts = np.where(lost, UNWINNABLE_CODE, WINNABLE_CODE).astype(np.uint8)
                # Spread as the best scores of standard deals are.
                left = np.clip(random.normal(9, 4, count), 0, 23).astype(np.uint8)
                columns = {"verdict": verdicts, "stock_left": left}
                store.add(Chunk(first, columns, count, 1.0), SessionFigures(session, 1, 1, first))
        megabytes = path.stat().st_size / 1e6
        before = time.perf_counter()
        with Store.open_to_read(path) as store:
            summarize(store)
        seconds = time.perf_counter() - before
    return [
        Figure("store of 10^8 deals with scores", megabytes, "MB", 200, False),
        Figure("report of that store", seconds, "seconds", 10, False),
    ]


def command(name: str, words: list[str], target: float, repeat: int) -> Figure:
    """CPU seconds of a whole command, compiled code warm."""
    raw = []
    for _ in range(repeat + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-m", "winnable_cli", *words], check=True, stdout=subprocess.DEVNULL
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        raw.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return Figure(name, statistics.median(raw[1:]), "CPU-seconds", target, False, raw[1:])


def peak_memory() -> Figure:
    """The most memory that this process has held."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Linux counts in kilobytes, macOS in bytes.
    megabytes = peak / (2**20 if sys.platform == "darwin" else 2**10)
    return Figure("peak memory of all the above", megabytes, "MB", 400, False)


def commit() -> str:
    """The commit that is measured, marked where files differ from it."""
    words = ["git", "describe", "--always", "--dirty"]
    found = subprocess.run(words, capture_output=True, text=True, check=False)
    return found.stdout.strip() or "unknown"


def main() -> int:
    """Measure, print a line a figure, and write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--numbers", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/tripeaks.json"))
    options = parser.parse_args()
    numbers, repeat = options.numbers, options.repeat
    load = os.getloadavg()
    figures: list[Figure] = []

    def add(*measured: Figure) -> None:
        figures.extend(measured)
        print(*measured, sep="\n", flush=True)

    for best in (False, True):
        for rules in RULE_SETS:
            add(throughput(rules, best, numbers, repeat))
    add(dealing_share(figures[0].value, numbers, repeat))
    for rules in ("standard", "no-wrap"):
        add(slowest_deal(rules, 5_000))
    add(second_worker(numbers, repeat))
    add(peak_memory())
    add(*hundred_million(share_lost=0.03))
    add(command("winnable --help", ["--help"], 0.2, repeat))
    add(command("winnable games", ["games"], 0.2, repeat))
    add(command("winnable solve tripeaks 1", ["solve", "tripeaks", "1"], 2, repeat))
    record = {
        "commit": commit(),
        "version": __version__,
        "machine": machine_name(),
        "load_before": load,
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "numbers": [0, numbers - 1],
        "depth_first_deals_per_second": DEPTH_FIRST_DEALS_PER_SECOND,
        "figures": [asdict(figure) | {"reached": figure.reached} for figure in figures],
    }
    options.out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return 0 if all(figure.reached for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
