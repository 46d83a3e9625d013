"""Repeats the choice of the tables of weights that Spider's ladder tries beside the usual ones.

    python benchmarks/spider_variants.py [--first 40001] [--deals 3000] [--tables 130] [--seed 1]
        [--choose 11] [--out FILE.json]

The hard deals are those of PySolFC's numbers from --first on, none of which the benchmark reports,
that beams of 60, 200, 300 and 1,000 positions by the usual weights do not win. Tables are drawn at
random around the usual one and tried on these deals with a beam of 300. Then one after the other is
chosen: the one that wins most where few of those chosen win, for the work it takes. Each line is a
row for `VARIANTS` in `weights`, where they are put by hand, those first that win most of deals
that a beam of 60 by the usual weights loses.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np

from winnable.arrays import LongArray
from winnable.deals import get_numbering
from winnable.games.spider import GAME
from winnable.games.spider.beam import Plan, run_beam
from winnable.games.spider.beam_best import NODES, new_beam
from winnable.games.spider.evaluation import NOISE, OFF_SUIT, weights_table
from winnable.games.spider.solver import LAST_PATIENCE, MAX_LAYERS, PATIENCE, task_of
from winnable.games.spider.state import WON, Task
from winnable.games.spider.weights import TERMS

USUAL_WIDTHS, WIDTH = (60, 200, 300, 1000), 300
PLAN = Plan(PATIENCE, LAST_PATIENCE, MAX_LAYERS, 5)
# A term's percentage is exp of a normal number with this deviation, in steps of five.
DEVIATION, STEP = 0.3, 5
# For joins of two suits it is an even number up to this: the best tables differ most in it.
OFF_SUIT_MOST = 180
# A table that wins none of the first deals is given up.
FIRST_DEALS = 12
# What a further win of a deal is worth, against the one before.
AGAIN = 0.4


class Tried(NamedTuple):
    """A table: its percentages, the deals it wins and the positions opened for all of them."""

    percents: tuple[int, ...]
    wins: frozenset[int]
    nodes: int


class Bench:
    """Beams and the deals to try them on."""

    def __init__(self) -> None:
        self.stop = np.zeros(1, np.int64)
        self.beams = {width: new_beam(width) for width in USUAL_WIDTHS}

    def wins(self, task: Task, width: int, weights: LongArray) -> bool:
        """Whether a beam wins a deal."""
        return run_beam(self.beams[width], task, PLAN, weights, 10**9, self.stop) == WON

    def hard_deals(self, first: int, deals: int) -> dict[int, Task]:
        """The deals that the usual weights lose."""
        rules, usual = GAME.rules.resolve("four-suit"), weights_table()
        hard: dict[int, Task] = {}
        for number in range(first, first + deals):
            task = task_of(GAME.deal(get_numbering("pysol"), number, rules), rules)
            if not any(self.wins(task, width, usual) for width in USUAL_WIDTHS):
                hard[number] = task
        return hard

    def tried(self, percents: tuple[int, ...], hard: dict[int, Task]) -> Tried | None:
        """What a table wins, None for a hopeless one."""
        weights = np.rint(weights_table() * np.array(percents) / 100).astype(np.int64)
        wins: set[int] = set()
        nodes = 0
        for done, (number, task) in enumerate(hard.items()):
            if done == FIRST_DEALS and not wins:
                return None
            if self.wins(task, WIDTH, weights):
                wins.add(number)
            nodes += int(self.beams[WIDTH].counts[NODES])
        return Tried(percents, frozenset(wins), nodes)


def drawn(chance: np.random.Generator) -> tuple[int, ...]:
    """Percentages at random."""
    percents = 100 * np.exp(chance.normal(0, DEVIATION, len(TERMS)))
    percents[OFF_SUIT] = chance.uniform(0, OFF_SUIT_MOST)
    percents[NOISE] = 100
    return tuple(STEP * round(percent / STEP) for percent in percents)


def chosen(tables: list[Tried], count: int) -> list[Tried]:
    """The tables that win most together."""
    kept: list[Tried] = []
    times: Counter[int] = Counter()

    def worth(table: Tried) -> float:
        return sum(AGAIN ** times[deal] for deal in table.wins) / float(np.sqrt(table.nodes))

    while tables and len(kept) < count:
        best = max(tables, key=worth)
        tables = [table for table in tables if table is not best]
        times.update(best.wins)
        kept.append(best)
        print(f"{best.percents}  wins {len(best.wins)}, together {len(times)}", flush=True)
    return kept


def main() -> None:
    """Find hard deals, try tables on them, and print those to keep."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--first", type=int, default=40_001)
    parser.add_argument("--deals", type=int, default=3000)
    parser.add_argument("--tables", type=int, default=130)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--choose", type=int, default=11)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    bench, chance = Bench(), np.random.default_rng(options.seed)
    hard = bench.hard_deals(options.first, options.deals)
    print(f"{len(hard)} hard deals of {options.deals}", flush=True)
    tried = [bench.tried(drawn(chance), hard) for _ in range(options.tables)]
    kept = chosen([table for table in tried if table is not None], options.choose)
    if options.out:
        rows = [{**table._asdict(), "wins": sorted(table.wins)} for table in kept]
        options.out.write_text(json.dumps({"hard": list(hard), "tables": rows}) + "\n", "utf-8")


if __name__ == "__main__":
    main()
