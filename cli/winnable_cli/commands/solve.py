"""``winnable solve``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from winnable.errors import InputError
from winnable.games.base import Game, Solution, Verdict
from winnable.games.ruleset import Rules
from winnable_cli import exit_codes
from winnable_cli.asked import Source, game_and_rules, sources
from winnable_cli.html_file import checked_page, html_option, only_one, write_page
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
@click.option("--best", is_flag=True, help="Of deals that can't be won, find the best score.")
@click.option("--shortest", is_flag=True, help="Spend the limits once more on fewer moves.")
@click.option("--show", is_flag=True, help="Draw the table before each move.")
@html_option
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
    effort: int | None,
    best: bool,
    shortest: bool,
    show: bool,
    html_file: str | None,
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
    limits = played.limits(max_nodes, max_seconds, effort)
    page = checked_page(html_file)
    asked = sources(played, chosen, numbers, numbering, deal_file)
    if page is not None:
        asked = iter(only_one(asked))
    announce_compilation(quiet)
    verdicts = set()
    for index, source in enumerate(asked):
        solution = interruptible(played.answer, source.deal, chosen, limits, best, shortest)
        verdicts.add(solution.verdict)
        if as_json:
            say_json(solution_as_json(played, chosen, source, solution))
        else:
            if index and not quiet:
                say("")
            say(f"{_headline(played, chosen, source)}: {solution.verdict.value}")
            if not quiet:
                say(_explanation(played, chosen, source, solution, show))
        if page is not None:
            write_page(page, _as_page(played, chosen, source, solution), quiet)
    return exit_codes.of_verdicts(verdicts)


def _headline(game: Game[Any], rules: Rules, source: Source) -> str:
    return f"{game.title} {source}, rules {rules.name}"


def _as_page(game: Game[Any], rules: Rules, source: Source, solution: Solution) -> str:
    """A page that plays the solution, or shows the deal that has none."""
    from winnable.pages.replay import replay_page
    from winnable.pages.stories import solution_story

    if solution.moves is not None:
        remarks = [f"{_length(solution)} {game.describe_score(solution.score)}"]
    else:
        remarks = [_why_not(solution)]
        if solution.best_moves is not None:
            remarks.append(game.describe_best(solution.score))
    title = _headline(game, rules, source)
    return replay_page(solution_story(game, rules, source.deal, title, solution, remarks))


def _explanation(
    game: Game[Any], rules: Rules, source: Source, solution: Solution, show: bool
) -> str:
    """What stands below the verdict: the solution move by move, or why there is none."""
    if solution.moves is not None:
        return "\n".join(
            [
                f"  {_length(solution)} {game.describe_score(solution.score)}",
                *_line(game, rules, source, solution.moves, show),
            ]
        )
    lines = [f"  {_why_not(solution)}"]
    if solution.best_moves is not None:
        lines.append(f"  {game.describe_best(solution.score)}")
        lines += _line(game, rules, source, solution.best_moves, show)
    return "\n".join(lines)


def _why_not(solution: Solution) -> str:
    """Why there is no winning line."""
    if solution.verdict is Verdict.UNWINNABLE and solution.nodes == 0:
        return "No line wins: that was proved without a search."
    if solution.verdict is Verdict.UNWINNABLE:
        return f"No line wins: the search went through all of its {solution.nodes:,} nodes."
    if solution.limit in ("nodes", "seconds"):
        return f"The limit of {solution.limit} was hit; a higher --max-{solution.limit} may tell."
    if solution.limit == "width":
        return "None of the beams found a win, which proves nothing; a higher --effort tries more."
    if solution.limit == "memory":
        return "The search came to the end of its memory; a higher --max-nodes may give it more."
    return f"The search came to the end of its {solution.limit}."


def _length(solution: Solution) -> str:
    """How many moves a solution has, and what is known about the fewest."""
    count = len(solution.moves or ())
    words = f"{count} move{'' if count == 1 else 's'}"
    if solution.moves_before not in (None, count):
        words += f" ({solution.moves_before} at first)"
    if solution.moves_bound is None:
        return f"{words}."
    if solution.moves_bound == count:
        return f"{words}, the fewest that win."
    return f"{words}; every line that wins has at least {solution.moves_bound}."


def _line(
    game: Game[Any], rules: Rules, source: Source, moves: Sequence[str], show: bool
) -> list[str]:
    """The moves in words, one a line, with the table before each where it is to be drawn."""
    replay = game.replay(source.deal, rules, moves)
    lines = []
    for number, step in enumerate(replay.steps, start=1):
        if show:
            lines += ["", step.before, ""]
        lines.append(f"{number:4}  {step.words}")
    if show:
        lines += ["", replay.after]
    return lines
