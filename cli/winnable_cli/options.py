"""Options that several commands share."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

import click

from winnable.deals import NUMBERINGS
from winnable_cli import completing

F = TypeVar("F", bound=Callable[..., Any])


def _together(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


game_argument = click.argument("game", metavar="GAME", shell_complete=completing.games)
numbering_option = click.option(
    "--numbering",
    metavar="NAME",
    default="winnable",
    show_default=True,
    help=f"How a number becomes a deal: {', '.join(NUMBERINGS)}.",
    shell_complete=completing.numberings,
)
rules_options: Callable[[F], F] = _together(
    click.option(
        "--rules",
        metavar="NAME",
        help="A rule set; see 'winnable games GAME'.  [default: its first]",
        shell_complete=completing.rule_sets,
    ),
    click.option(
        "--set",
        "changes",
        metavar="KEY=VALUE",
        multiple=True,
        help="One rule, such as wrap=no; may be repeated.",
        shell_complete=completing.rule_values,
    ),
)


def refuse_nan(ctx: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    """Refuse a number that passes any range; a callback of options that take seconds."""
    # No comparison with it is ever true, so that it passes any range.
    if value is not None and math.isnan(value):
        raise click.BadParameter("nan is not a number of seconds.")
    return value


# Of all searches.
search_limit_options: Callable[[F], F] = _together(
    click.option(
        "--max-nodes",
        type=click.IntRange(min=1),
        metavar="N",
        help="Give up on a deal after N nodes of its search.",
    ),
    click.option(
        "--max-seconds",
        type=click.FloatRange(min=0, max=1e9, min_open=True),
        metavar="S",
        help="Give up on a deal after S seconds.",
        callback=refuse_nan,
    ),
)
# Of the solvers of games of one player.
limit_options: Callable[[F], F] = _together(
    search_limit_options,
    click.option(
        "--effort",
        type=click.IntRange(min=1),
        metavar="N",
        help="How much is tried, in games that have levels of it; see 'winnable games GAME'.",
    ),
)
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
quiet_option = click.option(
    "--quiet", is_flag=True, help="Only the result: no progress, notes or details."
)
deal_option = click.option(
    "--deal",
    "deal_file",
    metavar="FILE",
    help="Take the deals from a text file; - is standard input.",
    shell_complete=completing.files,
)
workers_option = click.option(
    "--workers",
    type=click.IntRange(min=1, max=128),
    metavar="N",
    help="Threads.  [default: one a processor]",
)

# GAME, its deals by number or typed, and the rules.
deals_options: Callable[[F], F] = _together(
    game_argument,
    click.argument("numbers", metavar="NUMBER...", nargs=-1),
    deal_option,
    numbering_option,
    rules_options,
)

sight_option = click.option(
    "--players-see",
    metavar="own|all",
    default="own",
    show_default=True,
    help="What agents see: as a person in their chair does, or every card.",
    shell_complete=completing.sights,
)

duel_deal_option = click.option(
    "--deal",
    "deal_file",
    metavar="FILE",
    help="Take the position, or the saved game, from a file.",
    shell_complete=completing.files,
)


def agent_help(words: str) -> str:
    """The help of an option that takes an agent."""
    from winnable.duel.agents import AGENTS

    return f"{words}: {', '.join(AGENTS)}; own parameters as in planner:nodes=500."
