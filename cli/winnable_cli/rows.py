"""Answers as the objects that ``--json`` prints."""

from __future__ import annotations

from typing import Any

from winnable.games.base import Game, Solution
from winnable.games.ruleset import Rules
from winnable_cli.asked import Source


def rules_as_json(game: Game[Any], rules: Rules) -> dict[str, Any]:
    """The keys that say by which rules an answer holds."""
    return {"game": game.name, "rules": rules.name, "settings": dict(rules.settings)}


def solution_as_json(
    game: Game[Any], rules: Rules, source: Source, solution: Solution
) -> dict[str, Any]:
    """One answer as the object that ``--json`` prints."""
    return {
        **rules_as_json(game, rules),
        **source.as_json(),
        "verdict": solution.verdict.value,
        "moves": None if solution.moves is None else list(solution.moves),
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 6),
        "limit": solution.limit,
        **solution.score,
        **_further(solution),
    }


def _further(solution: Solution) -> dict[str, Any]:
    """What only an answer has that was asked for more than the verdict."""
    row: dict[str, Any] = {}
    if solution.best_moves is not None:
        row["best_moves"] = list(solution.best_moves)
    if solution.moves_bound is not None:
        row["moves_bound"] = solution.moves_bound
    if solution.moves_before is not None:
        row["moves_before"] = solution.moves_before
    return row
