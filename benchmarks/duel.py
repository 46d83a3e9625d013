"""How fast the agents of the two-player games are, and which of them is stronger.

    python benchmarks/duel.py [--deals 2000] [--montecarlo-deals 2000] [--out FILE.json]

Speed is games a second of CPU time on one core, compiled code warm, and for Monte Carlo the
milliseconds of a decision between several ends of a turn, in positions along greedy games. Strength
is the share of games won, each of the deals 0 and up played from both chairs, with its 95 % Wilson
interval; a target is reached when the share is as high (for Monte Carlo: when the interval lies
above 50 %).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import numpy as np

from winnable.deals import get_numbering
from winnable.duel import engine, match, policy
from winnable.duel import state as cells
from winnable.duel.agents import get_agent
from winnable.duel.convert import codes_of, table_of
from winnable.duel.deal import numbered_deal
from winnable.duel.simulate import Simulator, chooser_of, room_for
from winnable.duel.tables import variant_of
from winnable.study.run import machine_name
from winnable.study.statistics import wilson
from winnable.version import __version__

GAMES = ("russian-bank", "zank")
NUMBERING = get_numbering("winnable")
# Games a second at least, by agent (against itself), and deals to measure them on.
SPEEDS = {"greedy": (10_000, 4000), "planner": (400, 400)}
MOST_MILLISECONDS = 10
# Per cent of games that the planner wins against the greedy agent, at least.
STRENGTHS = {"russian-bank": 72, "zank": 78}
ROUNDS = 5


def speed(game: str, agent: str) -> dict[str, Any]:
    """Games a second between two of an agent: the median of some rounds."""
    target, deals = SPEEDS[agent]
    simulator = Simulator(variant_of(game), NUMBERING, get_agent(agent), get_agent(agent))
    simulator.play(0, 1)
    rates = []
    for number in range(ROUNDS):
        before = time.process_time()
        simulator.play(number * deals, deals)
        rates.append(deals / (time.process_time() - before))
    value = float(np.median(rates))
    return {
        "what": f"{game}: {agent} against {agent}",
        "unit": "games/CPU-second",
        "value": round(value),
        "target": target,
        "reached": value >= target,
        "raw": [round(rate, 1) for rate in rates],
    }


def decision(game: str, deals: int) -> dict[str, Any]:
    """Milliseconds of a decision of Monte Carlo that is more than one move's."""
    variant, agent = variant_of(game), get_agent("montecarlo")
    codes, chooser, room = codes_of(variant), chooser_of(agent), room_for([agent])
    times = []
    for number in range(deals):
        table = table_of(numbered_deal(NUMBERING, number, variant), variant)
        # As many greedy turns as the number says, so that openings and endings are there.
        while table.words[cells.TURN_COUNT] < number % 40 and table.cells[cells.OUTCOME] == 0:
            engine.play(table, codes, policy.greedy_move(table.cells, codes, 1))
        if table.cells[cells.OUTCOME] != 0:
            continue
        room.trial.scores[:] = -1
        before = time.process_time()
        match.decide(table, codes, chooser, room)
        spent = 1000 * (time.process_time() - before)
        if room.trial.scores[0] >= 0 and number > 0:
            times.append(spent)
    value = float(np.mean(times))
    return {
        "what": f"{game}: montecarlo decides, {agent.candidates} candidates, "
        f"{agent.playouts} playouts",
        "unit": "ms",
        "value": round(value, 2),
        "target": MOST_MILLISECONDS,
        "reached": value <= MOST_MILLISECONDS,
        "raw": [round(each, 3) for each in times],
    }


def strength(game: str, better: str, worse: str, deals: int) -> dict[str, Any]:
    """The share of games that one agent wins against another, from both chairs."""
    agents = get_agent(better), get_agent(worse)
    wins, draws = 0, 0
    before = time.process_time()
    for first, second, code in ((*agents, 1), (*agents[::-1], 2)):
        games = Simulator(variant_of(game), NUMBERING, first, second).play(0, deals)
        assert games is not None, "nobody cancels them"
        wins += int(np.count_nonzero(games.outcomes == code))
        draws += int(np.count_nonzero(games.outcomes > 2))
    low, high = (100 * end for end in wilson(wins, 2 * deals))
    percent = 100 * wins / (2 * deals)
    target = STRENGTHS[game] if worse == "greedy" else 50
    return {
        "what": f"{game}: {better} beats {worse}",
        "unit": "%",
        "value": round(percent, 2),
        "interval": [round(low, 2), round(high, 2)],
        "target": target,
        "reached": percent >= target if worse == "greedy" else low > target,
        "raw": {"deals": deals, "wins": wins, "draws": draws, "games": 2 * deals},
        "cpu_seconds": round(time.process_time() - before, 1),
    }


def main() -> int:
    """Measure, print a line a figure, and write the JSON; 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--montecarlo-deals", type=int, default=2000)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/duel.json"))
    options = parser.parse_args()
    load = os.getloadavg()
    figures = []

    def record(figure: dict[str, Any]) -> None:
        figures.append(figure)
        interval = f"  {figure['interval']}" if "interval" in figure else ""
        print(
            f"{figure['what']:60} {figure['value']:>9} {figure['unit']:16} target "
            f"{figure['target']}{interval}{'' if figure['reached'] else '   MISSED'}",
            flush=True,
        )

    for game in GAMES:
        for agent in SPEEDS:
            record(speed(game, agent))
        record(decision(game, 200))
        record(strength(game, "planner", "greedy", options.deals))
        record(strength(game, "montecarlo", "planner", options.montecarlo_deals))
    row = {
        "version": __version__,
        "machine": machine_name(),
        "load_before": load,
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "numbering": NUMBERING.name,
        "agents": {name: get_agent(name).settings for name in ("planner", "montecarlo")},
        "figures": figures,
    }
    options.out.write_text(json.dumps(row) + "\n", encoding="utf-8")
    return 0 if all(figure["reached"] for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
