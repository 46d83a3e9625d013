"""Measures how hard 10,000 deals of each game and rule set are, and the thirds that are its levels.

    python benchmarks/difficulty.py [GAME [RULES]]

Writes results/difficulty/GAME-RULES.json for those that are named, by default for each that has no
file yet, and prints the table of docs/difficulty.md. All
but `cpu_seconds` is the same on every machine. The thirds belong in
solver/winnable/players/levels.py; tests compare them, and the table.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from winnable.deals import NUMBERINGS
from winnable.games import REGISTRY, get_game
from winnable.games.ruleset import Rules
from winnable.players.kinds import CASUAL, PLAYERS
from winnable.players.levels import DIFFICULTY_VERSION, GAMES, STEPS
from winnable.players.seats import Seat, difficulties, seat_of

DEALS = 10_000
BLOCK = 500
# Deals that are measured a second time.
REPEATED = 500
FOLDER = Path(__file__).resolve().parents[1] / "results" / "difficulty"
QUANTILES = (5, 25, 50, 75, 95)


def repeatability(seat: Seat) -> float:
    """How the difficulties of deals from as many other games go with theirs: their correlation."""
    games = GAMES[seat.game]
    # The first games of the second call are those of the first one.
    once, twice = (
        seat.play(PLAYERS[CASUAL], 0, REPEATED, times * games).undone for times in (1, 2)
    )
    return round(float(np.corrcoef(once, twice - once)[0, 1]), 3)


def measure(game: str, rules: Rules) -> dict[str, Any]:
    """The difficulties of the deals 0 to 9,999 by one rule set."""
    seat = seat_of(game, rules, NUMBERINGS["winnable"])
    before = time.process_time()
    steps = np.concatenate([difficulties(seat, first, BLOCK) for first in range(0, DEALS, BLOCK)])
    ordered = np.sort(steps)
    counts = np.bincount(steps, minlength=STEPS + 1)
    return {
        "game": game,
        "rules": rules.name,
        "settings": dict(rules.settings),
        "numbering": "winnable",
        "numbers": [0, DEALS - 1],
        "games_a_deal": GAMES[game],
        "version": DIFFICULTY_VERSION,
        "steps": STEPS,
        "thirds": [int(ordered[DEALS // 3]), int(ordered[2 * DEALS // 3])],
        "counts": {str(value): int(counts[value]) for value in np.nonzero(counts)[0]},
        "repeatability": repeatability(seat),
        "cpu_seconds": round(time.process_time() - before, 1),
    }


def table(rows: list[dict[str, Any]]) -> str:
    """The distributions as a Markdown table."""
    heads = [
        "game",
        "rules",
        "mean",
        *(f"{q} %" for q in QUANTILES),
        "easy to",
        "hard from",
        "repeats",
    ]
    lines = [heads, ["---"] * len(heads)]
    for row in rows:
        steps = np.repeat([int(value) for value in row["counts"]], list(row["counts"].values()))
        quantiles = [steps[(len(steps) * q - 1) // 100] for q in QUANTILES]
        low, high = row["thirds"]
        values = [steps.mean(), *quantiles, steps[steps < low].max(), high]
        shown = [f"{value / row['steps']:.3f}" for value in values]
        shown.append(f"{row['repeatability']:.2f}")
        lines.append([get_game(row["game"]).title, f"`{row['rules']}`", *shown])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def recorded() -> list[dict[str, Any]]:
    """What is in the files, in the order of the games and their rule sets."""
    paths = [
        FOLDER / f"{game}-{rules}.json" for game in REGISTRY for rules in get_game(game).rules.names
    ]
    return [json.loads(path.read_text(encoding="utf-8")) for path in paths if path.exists()]


def recorded_table() -> str:
    """The table of all files."""
    return table(recorded())


def main(wanted: list[str]) -> None:
    """Measure what is wanted or, by default, missing, and print the table of all files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for game in REGISTRY:
        for rules in get_game(game).rules.names:
            path = FOLDER / f"{game}-{rules}.json"
            if all(word in (game, rules) for word in wanted) and (wanted or not path.exists()):
                row = measure(game, get_game(game).rules.resolve(rules))
                path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    print(recorded_table())


if __name__ == "__main__":
    main(sys.argv[1:])
