"""``winnable duel solvable``."""

from __future__ import annotations

import click

from winnable.duel.position import parse_move
from winnable.games.base import Limits, Solution, Verdict
from winnable_cli import exit_codes
from winnable_cli.commands.duel.judge import numbered_moves
from winnable_cli.duel_asked import (
    asked_player,
    asked_positions,
    asked_variant,
    headline,
    question_as_json,
    size_options,
)
from winnable_cli.html_file import checked_page, html_option, only_one, write_game
from winnable_cli.options import deals_options, json_option, quiet_option, search_limit_options
from winnable_cli.output import announce_compilation, say, say_json
from winnable_cli.progress import interruptible

_HELPED = "In this line both players help."


@click.command()
@deals_options
@click.option(
    "--player",
    type=click.Choice(["first", "second"]),
    required=True,
    help="Who is to go out: the player who has the first turn of the game, or the other one.",
)
@size_options
@search_limit_options
@html_option
@json_option
@quiet_option
def solvable(
    game: str,
    numbers: tuple[str, ...],
    deal_file: str | None,
    numbering: str,
    rules: str | None,
    changes: tuple[str, ...],
    player: str,
    ranks: int,
    suits: int,
    houses: int,
    reserve: int,
    max_nodes: int | None,
    max_seconds: float | None,
    html_file: str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Find out whether a player can go out at all when the other one helps.

    Exit status: 0 all winnable, 1 some unwinnable, 3 some unknown, 2 bad input.
    """
    variant = asked_variant(game, rules, changes, (ranks, suits, houses, reserve))
    limits = Limits(max_nodes, max_seconds)
    page = checked_page(html_file)
    asked = asked_positions(variant, numbers, numbering, deal_file)
    if page is not None:
        asked = iter(only_one(asked))
    announce_compilation(quiet)
    # Imports numba, which is not wanted before the words are known to be right.
    from winnable.duel import solvable as library

    verdicts = set()
    for source in asked:
        number = asked_player(source.deal, player)
        found = interruptible(library.solvable, source.deal, variant, number, limits)
        verdicts.add(found.verdict)
        moves = tuple(map(parse_move, found.moves or ()))
        if as_json:
            row = question_as_json(variant, source) | {"player": player}
            say_json(row | _as_json(found))
        else:
            say(f"{headline(variant, source)}, {player} player: {found.verdict.value}")
            if not quiet:
                reason = [f"  {_why_not(found)}"] if found.moves is None else []
                say("\n".join(reason + numbered_moves(source.deal, variant, moves)))
        if page is not None:
            facts = [f"{player} player: {found.verdict.value}"]
            facts.append(_HELPED if found.moves is not None else _why_not(found))
            write_game(page, variant, source.deal, headline(variant, source), facts, moves, quiet)
    return exit_codes.of_verdicts(verdicts)


def _as_json(found: Solution) -> dict[str, object]:
    return {
        "verdict": found.verdict.value,
        "moves": None if found.moves is None else list(found.moves),
        "nodes": found.nodes,
        "seconds": round(found.seconds, 6),
        "limit": found.limit,
    }


def _why_not(found: Solution) -> str:
    if found.verdict is Verdict.UNWINNABLE:
        return f"No game ends so: all {found.nodes:,} positions were looked at."
    return f"The limit of {found.limit} was hit after {found.nodes:,} nodes."
