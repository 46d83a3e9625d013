"""Repeats the tuning of Spider's weights: a coordinate search over the table of `weights`.

    python benchmarks/spider_tuning.py [--first 100001] [--deals 200] [--width 60] [--suits 4]
        [--terms NAME...] [--passes 1] [--out FILE.json]

Each weight is changed in turn, by a step up and a step down, in the first four stages, the fifth
and the last one apart, and a change is kept when more deals are won, or as many with fewer nodes.
The deals are PySolFC's numbers from --first on, none of which the benchmark reports. Prints each
change that is kept, and writes the table at the end; it is put into `weights` by hand.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from winnable.arrays import LongArray
from winnable.deals import get_numbering
from winnable.games.spider import GAME
from winnable.games.spider.beam import Plan, run_beam
from winnable.games.spider.beam_best import NODES, new_beam
from winnable.games.spider.evaluation import weights_table
from winnable.games.spider.solver import LAST_PATIENCE, MAX_LAYERS, PATIENCE, task_of
from winnable.games.spider.state import WON
from winnable.games.spider.weights import TERMS

RULE_SETS = {1: "one-suit", 2: "two-suit", 4: "four-suit"}
# Stages that share a weight: rows dealt.
GROUPS = ((0, 1, 2, 3), (4,), (5,))
PLAN = Plan(PATIENCE, LAST_PATIENCE, MAX_LAYERS, 5)


class Score(NamedTuple):
    """What a table is worth: deals won first, then few nodes."""

    won: int
    fewer_nodes: int


class Bench:
    """The deals of the tuning and the arrays to solve them with."""

    def __init__(self, first: int, deals: int, width: int, suits: int) -> None:
        numbering = get_numbering("pysol")
        rules = GAME.rules.resolve(RULE_SETS[suits])
        numbers = range(first, first + deals)
        self.tasks = [task_of(GAME.deal(numbering, number, rules), rules) for number in numbers]
        self.beam, self.stop = new_beam(width), np.zeros(1, np.int64)

    def score(self, weights: LongArray) -> Score:
        """Solve all deals by a table."""
        won = nodes = 0
        for task in self.tasks:
            outcome = run_beam(self.beam, task, PLAN, weights, 10**9, self.stop)
            won += outcome == WON
            nodes += int(self.beam.counts[NODES])
        return Score(won, -nodes)


def steps(points: int) -> tuple[int, int]:
    """The changes to try: about an eighth, at least 2."""
    size = max(2, abs(points) // 8)
    return size, -size


def improve(
    bench: Bench, weights: LongArray, best: Score, term: int, group: tuple[int, ...]
) -> Score:
    """Change one weight in place as long as that helps; returns the score."""
    for step in steps(int(weights[group[0], term])):
        while True:
            weights[list(group), term] += step
            score = bench.score(weights)
            if score <= best:
                weights[list(group), term] -= step
                break
            best = score
            points = int(weights[group[0], term])
            print(f"{TERMS[term].name} {group} {points}: {best.won} won", flush=True)
    return best


def main() -> None:
    """Tune, and print and write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--first", type=int, default=100_001)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--width", type=int, default=60)
    parser.add_argument("--suits", type=int, choices=list(RULE_SETS), default=4)
    parser.add_argument("--terms", nargs="*", default=[t.name for t in TERMS if t.name != "noise"])
    parser.add_argument("--passes", type=int, default=1)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    bench = Bench(options.first, options.deals, options.width, options.suits)
    weights = weights_table()
    before = time.process_time()
    best = bench.score(weights)
    seconds = time.process_time() - before
    print(f"{best.won} of {options.deals} won, {-best.fewer_nodes:,} nodes, {seconds:.1f} s")
    for _ in range(options.passes):
        for term, row in enumerate(TERMS):
            for group in GROUPS:
                if row.name in options.terms:
                    best = improve(bench, weights, best, term, group)
    table = {row.name: weights[:, term].tolist() for term, row in enumerate(TERMS)}
    print(f"{best.won} of {options.deals} won, {-best.fewer_nodes:,} nodes")
    for name, points in table.items():
        print(f"{name:14} {points}")
    if options.out:
        options.out.write_text(json.dumps(table) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
