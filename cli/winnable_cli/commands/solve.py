"""``winnable solve``."""

from __future__ import annotations

from typing import Any

import click

from winnable.games.base import Game, Solution, Verdict
from winnable.games.ruleset import Rules
from winnable_cli import exit_codes
from winnable_cli.options import (
    Source,
    deal_option,
    game_and_rules,
    game_argument,
    json_option,
    limit_options,
    limits_of,
    numbering_option,
    quiet_option,
    rules_as_json,
    rules_options,
    sources,
)
from winnable_cli.output import announce_compilation, say, say_json


@click.command()
@game_argument
@click.argument("numbers", metavar="NUMBER...", nargs=-1)
@deal_option
@numbering_option
@rules_options
@limit_options
@click.option("--show", is_flag=True, help="Draw the table before each move.")
@json_option
@quiet_option
def solve(
    game: str,
    numbers: tuple[str, ...],
    deal_file: str | None,
    numbering: str,
    rules: str | None,
    changes: tuple[str, ...],
    max_nodes: int | None,
    max_seconds: float | None,
    show: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Decide deals, by NUMBER (or a range FIRST:LAST) or typed, and print a solution of each.

    Exit status: 0 all winnable, 1 some unwinnable, 3 some unknown, 2 bad input. With --quiet only
    the verdicts are printed.
    """
    played, chosen = game_and_rules(game, rules, changes)
    limits = limits_of(max_nodes, max_seconds)
    asked = sources(played, numbers, numbering, deal_file)
    announce_compilation(quiet)
    verdicts = set()
    for index, source in enumerate(asked):
        solution = played.solve(source.deal, chosen, limits)
        verdicts.add(solution.verdict)
        if as_json:
            say_json(solution_as_json(played, chosen, source, solution))
            continue
        if index and not quiet:
            say("")
        say(f"{played.title} {source}, rules {chosen.name}: {solution.verdict.value}")
        if not quiet:
            say(_explanation(played, chosen, source, solution, show))
    return exit_codes.of_verdicts(verdicts)


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
    }


def _explanation(
    game: Game[Any], rules: Rules, source: Source, solution: Solution, show: bool
) -> str:
    """What stands below the verdict: the solution move by move, or why there is none."""
    if solution.verdict is Verdict.UNKNOWN:
        return f"  The limit of {solution.limit} was hit; a higher --max-{solution.limit} may tell."
    if solution.moves is None:
        return f"  No line wins: all {solution.nodes:,} nodes of the search were looked at."
    replay = game.replay(source.deal, rules, solution.moves)
    lines = [f"  {len(replay.steps)} moves. {game.describe_score(solution.score)}"]
    for number, step in enumerate(replay.steps, start=1):
        if show:
            lines += ["", step.before, ""]
        lines.append(f"{number:4}  {step.words}")
    if show:
        lines += ["", replay.after]
    return "\n".join(lines)
