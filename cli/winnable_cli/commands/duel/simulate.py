"""``winnable duel simulate``."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from winnable.duel.agents import OWN, get_agent, get_sight
from winnable.duel.game import get_duel
from winnable.errors import InputError
from winnable.study.matches import (
    Match,
    MatchStore,
    plain_report,
    run_match,
    summarize,
    warm_up,
)
from winnable.study.run import default_workers
from winnable_cli import completing, exit_codes
from winnable_cli.asked import duel_and_variant, duel_numbering, parse_span
from winnable_cli.html_file import checked_page, html_option, write_game
from winnable_cli.options import (
    agent_help,
    game_argument,
    json_option,
    numbering_option,
    quiet_option,
    rules_options,
    sight_option,
    workers_option,
)
from winnable_cli.progress import interruptible
from winnable_cli.stored import fill, tell, threads, usual_file


@click.command()
@game_argument
@click.argument("numbers", metavar="FIRST:LAST")
@click.option(
    "--first",
    metavar="AGENT",
    required=True,
    help=agent_help("The agent that begins"),
    shell_complete=completing.agents,
)
@click.option(
    "--second",
    metavar="AGENT",
    required=True,
    help="The other agent.",
    shell_complete=completing.agents,
)
@click.option("--swap", is_flag=True, help="Play each deal once more, the second agent beginning.")
@sight_option
@numbering_option
@rules_options
@click.option(
    "--store",
    metavar="FILE",
    help="Where games are kept.  [default: named after the match]",
    shell_complete=completing.files,
)
@workers_option
@html_option
@json_option
@quiet_option
def simulate(
    game: str,
    numbers: str,
    first: str,
    second: str,
    swap: bool,
    players_see: str,
    numbering: str,
    rules: str | None,
    changes: tuple[str, ...],
    store: str | None,
    workers: int | None,
    html_file: str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Have two agents play the deals FIRST to LAST; print who wins how often.

    Games are kept in a store as they end. Stop it at any moment; the same command goes on, and does
    nothing when all is done. Another range of the same match adds to the store.

    Intervals are 95 % Wilson intervals of the share of all games, draws included. An agent obeys
    every compulsory rule, also where the rules would let it be missed.
    """
    played, variant = duel_and_variant(game, rules, changes)
    found, wanted = parse_span(duel_numbering(played, numbering), numbers)
    match = Match(variant, found, get_agent(first), get_agent(second), swap, get_sight(players_see))
    page = checked_page(html_file)
    if page is not None and (swap or wanted.count > 1):
        raise InputError("A page shows one game: give a single number with --html, and no --swap.")
    path = default_store(match) if store is None else Path(store)
    with MatchStore.create_or_open(path, match) as opened:
        stopped = fill(
            opened,
            wanted,
            "Games",
            quiet,
            threads(workers or default_workers(), warm_up, match, wanted.first, quiet),
            partial(run_match, opened, match, wanted),
        )
        if stopped and not opened.covered():
            return exit_codes.INTERRUPTED
        summary = summarize(opened)
    tell(summary, plain_report, wanted, path, as_json, quiet)
    if stopped:
        return exit_codes.INTERRUPTED
    if page is not None:
        _write_page(page, match, wanted.first, quiet)
    return exit_codes.OK


def _write_page(page: Path, match: Match, number: int, quiet: bool) -> None:
    """Write the page of one game of the match."""
    from winnable.study.recorded import recorded_game

    start, moves = interruptible(recorded_game, match, number)
    title = f"{get_duel(match.variant.game).title} {number}, rules {match.variant.rules.name}"
    facts = [f"{match.first}, player {start.mover}, begins against {match.second}"]
    write_game(page, match.variant, start, title, facts, moves, quiet)


def default_store(match: Match) -> Path:
    """The file of a match that names none."""
    sight = [] if match.sight == OWN else [match.sight]
    variant, agents = match.variant, (match.first.name, match.second.name)
    return usual_file(variant.game, variant.rules, *agents, *sight, match.digest())
