"""The gap between what can be won and what is won: plays deals, and makes the tables of it.

    python benchmarks/play_rate.py            print the tables from results/play-rate
    python benchmarks/play_rate.py --write    also put them into results/README.md
    python benchmarks/play_rate.py --play     before, play what results/play-rate has no file of

Each file is what 'winnable play-rate GAME RANGE --player PLAYER --rules RULES --json' prints.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from winnable.games import get_game
from winnable.study.plays import rate_of
from winnable.study.report import interval_of, load_summaries
from winnable_cli.main import run

RESULTS = Path(__file__).resolve().parents[1] / "results"
FOLDER = RESULTS / "play-rate"

# By game: its rule sets; then by player, how many deals from 0 on. Players never put cards back
# from foundations, so that Canfield by the rules `aisleriot` is played as `full-wrap` is.
RULES = {
    "tripeaks": ("standard", "no-wrap", "open", "open-no-wrap"),
    "canfield": ("full-wrap", "thoughtful", "thoughtful-strict", "pysol", "casino"),
    "spider": ("one-suit", "two-suit", "four-suit"),
}
DEALS = {
    "tripeaks": {
        "random": 100_000,
        "casual": 100_000,
        "greedy": 100_000,
        "look-ahead:playouts=100": 500,
    },
    "canfield": {
        "random": 100_000,
        "casual": 100_000,
        "greedy": 100_000,
        "look-ahead:playouts=10": 1_000,
    },
    "spider": {
        "random": 10_000,
        "casual": 10_000,
        "greedy": 10_000,
        "look-ahead:playouts=5": 60,
    },
}
PLAYERS = ("look-ahead", "greedy", "casual", "random")


def path_of(game: str, rules: str, player: str) -> Path:
    """Where the summary of a player's games is."""
    return FOLDER / f"{game}-{rules}-{player.partition(':')[0]}.json"


def play(game: str, rules: str, player: str, deals: int) -> None:
    """Have the command play, and keep what it prints."""
    printed = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(printed):
        command = ["play-rate", game, f"0:{deals - 1}", "--player", player, "--rules", rules]
        command += ["--json", "--quiet", "--workers", "1"]
        if run([*command, "--store", str(Path(folder) / "plays.sqlite")]) != 0:
            raise SystemExit(f"{' '.join(command)} failed")
    path_of(game, rules, player).write_text(printed.getvalue(), encoding="utf-8")


def played() -> dict[tuple[str, str], dict[str, Any]]:
    """The summaries that there are, by game and rules, then by player."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for game, names in RULES.items():
        for rules in names:
            for player in PLAYERS:
                path = path_of(game, rules, player)
                if path.exists():
                    row = json.loads(path.read_text(encoding="utf-8"))
                    found.setdefault((game, rules), {})[player] = row
    return found


def winnable_rates() -> dict[tuple[str, str], str]:
    """What can be won, from the studies of most deals in the numbering `winnable`."""
    most: dict[tuple[str, str], dict[str, Any]] = {}
    files = [*RESULTS.glob("*.json"), *RESULTS.glob("canfield/*.json")]
    files += RESULTS.glob("spider/*.json")
    for path in sorted(files):
        for row in load_summaries(path):
            key = (row["game"], row["rules"])
            if row["deals"] > most.get(key, {"deals": 0})["deals"]:
                most[key] = row
    return {key: str(interval_of(row)) for key, row in most.items()}


def _table(rows: Iterable[list[str]]) -> str:
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def gap_table() -> str:
    """What can be won and what players win, in per cent, as a Markdown table."""
    heads = ["game", "rules", "can be won, %", *(f"won by `{name}`, %" for name in PLAYERS)]
    rows, rates = [heads, ["---"] * len(heads)], winnable_rates()
    for (game, rules), by_player in played().items():
        shown = [_rate(by_player.get(name)) for name in PLAYERS]
        can = rates.get((game, rules), "")
        rows.append([get_game(game).title, f"`{rules}`", can, *shown])
    return _table(rows)


def _rate(row: dict[str, Any] | None) -> str:
    if row is None:
        return ""
    return f"{rate_of(row)} ({row['won']:,} of {row['deals']:,})"


def score_table() -> str:
    """The mean number of cards on Canfield's foundations, and the casino's money."""
    heads = ["rules", *(f"`{name}`" for name in PLAYERS)]
    rows = [heads, ["---"] * len(heads)]
    for (game, rules), by_player in played().items():
        if game == "canfield":
            shown = [_mean(by_player.get(name), "score") for name in PLAYERS]
            rows.append([f"`{rules}`, mean cards on the foundations", *shown])
            if any("money" in row for row in by_player.values()):
                money = [_mean(by_player.get(name), "money") for name in PLAYERS]
                rows.append([f"`{rules}`, mean money a game, the stake taken off", *money])
    return _table(rows)


def _mean(row: dict[str, Any] | None, key: str) -> str:
    return "" if row is None else f"{row[key]['mean']:.2f} ± {row[key]['half']:.2f}"


def write_tables() -> None:
    """Put the tables in the place of the old ones, which begin with the same line."""
    page = RESULTS / "README.md"
    text = page.read_text(encoding="utf-8")
    for made in (gap_table(), score_table()):
        start = text.index(made.splitlines()[0])
        text = text[:start] + made + text[text.index("\n\n", start) :]
    page.write_text(text, encoding="utf-8")


def main(arguments: list[str]) -> None:
    """Play and write where asked to, and print the tables."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    if "--play" in arguments:
        for game, players in DEALS.items():
            for player, deals in players.items():
                for rules in RULES[game]:
                    if not path_of(game, rules, player).exists():
                        play(game, rules, player, deals)
    if "--write" in arguments:
        write_tables()
    print(gap_table(), score_table(), sep="\n\n")


if __name__ == "__main__":
    main(sys.argv[1:])
