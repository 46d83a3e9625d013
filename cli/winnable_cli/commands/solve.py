"""``winnable solve``."""

from __future__ import annotations

from typing import Any

import click

from winnable.errors import InputError
from winnable.games.base import Game, Limits, Solution, Verdict
from winnable.games.ruleset import Rules
from winnable_cli import exit_codes
from winnable_cli.asked import Source, game_and_rules, sources
from winnable_cli.options import (
    deals_options,
    json_option,
    limit_options,
    quiet_option,
)
from winnable_cli.output import announce_compilation, say, say_json
from winnable_cli.progress import interruptible
from winnable_cli.rows import solution_as_json


@click.command()
@deals_options
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
    if show and (as_json or quiet):
        raise InputError("--show draws solutions for people; leave --json and --quiet out.")
    limits = Limits(max_nodes, max_seconds)
    asked = sources(played, chosen, numbers, numbering, deal_file)
    announce_compilation(quiet)
    verdicts = set()
    for index, source in enumerate(asked):
        solution = interruptible(played.solve, source.deal, chosen, limits)
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


def _explanation(
    game: Game[Any], rules: Rules, source: Source, solution: Solution, show: bool
) -> str:
    """What stands below the verdict: the solution move by move, or why there is none."""
    if solution.verdict is Verdict.UNKNOWN:
        limit = solution.limit
        if limit in ("nodes", "seconds"):
            return f"  The limit of {limit} was hit; a higher --max-{limit} may tell."
        return f"  The search came to the end of its {limit}."
    if solution.moves is None:
        return f"  No line wins: the search went through all of its {solution.nodes:,} nodes."
    replay = game.replay(source.deal, rules, solution.moves)
    lines = [f"  {len(replay.steps)} moves. {game.describe_score(solution.score)}"]
    for number, step in enumerate(replay.steps, start=1):
        if show:
            lines += ["", step.before, ""]
        lines.append(f"{number:4}  {step.words}")
    if show:
        lines += ["", replay.after]
    return "\n".join(lines)
