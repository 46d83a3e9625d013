"""Games between two agents as a table of matches, and as a table of games."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TextIO

from winnable.duel.agents import AGENTS, OWN
from winnable.duel.game import get_duel
from winnable.duel.simulate import outcome_words
from winnable.study.matches import SEAT_PREFIXES, MatchStore

_HEADS = (
    "game",
    "rules",
    "first",
    "second",
    "games",
    "first wins % (95 %)",
    "second wins % (95 %)",
    "who begins leads by (95 %)",
    "draws % (95 %)",
)
_SPREADS = ("turns: mean, 95 % up to, most", "moves: mean, 95 % up to, most")


def markdown_table(summaries: Iterable[Mapping[str, Any]]) -> str:
    """Summaries of matches as one table; percentages and points are of all games."""
    reasons = list(outcome_words().values())
    heads = [*_HEADS, *reasons, *_SPREADS]
    rows = [heads, ["---"] * len(heads)]
    for summary in summaries:
        rows.append(
            [
                get_duel(summary["game"]).title,
                f"`{summary['rules']}`",
                *_agents(summary),
                f"{summary['games']:,}",
                _ranged(summary["first_wins"], "percent"),
                _ranged(summary["second_wins"], "percent"),
                _ranged(summary["beginner_leads"], "points", "**"),
                _ranged(summary["drawn"], "percent"),
                *(f"{summary['draws'][words]:,}" for words in reasons),
                _spread(summary["turns"]),
                _spread(summary["moves"]),
            ]
        )
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _agents(summary: Mapping[str, Any]) -> Iterator[str]:
    """Both agents; by their names alone when they are as they come."""
    usual = {str(agent): agent.name for agent in AGENTS.values()}
    for place in ("first", "second"):
        name = usual.get(summary[place], summary[place])
        turns = ", by turns" if place == "second" and summary["swap"] else ""
        sight = "" if summary["players_see"] == OWN else ", sees every card"
        yield f"{name}{sight}{turns}"


def _ranged(value: Mapping[str, Any], key: str, strong: str = "") -> str:
    low, high = value["interval"]
    return f"{strong}{value[key]:.2f}{strong} [{low:.2f}, {high:.2f}]"


def _spread(values: Mapping[str, float]) -> str:
    return f"{values['mean']:.1f}, {values['p95']:,.0f}, {values['most']:,}"


def write_csv(store: MatchStore, out: TextIO) -> None:
    """Every game of a store as a line, in number order, those of the first agent's turn first.

    `begins` and `winner` are `first` or `second`, the agents' places in the match; a draw has a
    reason in place of a winner.
    """
    reasons = outcome_words()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["number", "begins", "winner", "draw", "turns", "moves"])
    with store.one_moment():
        spans = store.covered()
        prefixes = SEAT_PREFIXES[: 1 + store.identity()["swap"]]
        columns = [
            [store.games_column(prefix + name).tolist() for name in ("outcome", "turns", "moves")]
            for prefix in prefixes
        ]
    numbers = (number for span in spans for number in range(span.first, span.last + 1))
    for i, number in enumerate(numbers):
        for prefix, (outcomes, turns, moves) in zip(prefixes, columns, strict=True):
            seats = ("second", "first") if prefix else ("first", "second")
            reason = reasons.get(outcomes[i], "")
            winner = "" if reason else seats[outcomes[i] - 1]
            writer.writerow([number, seats[0], winner, reason, turns[i], moves[i]])
