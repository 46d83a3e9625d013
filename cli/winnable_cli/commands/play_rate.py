"""``winnable play-rate``."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from winnable.players.kinds import PLAYERS, get_player
from winnable.study.plays import Plays, PlayStore, plain_report, summarize
from winnable.study.run import default_workers, run_study, warm_up
from winnable_cli import completing, exit_codes
from winnable_cli.asked import game_and_rules, parse_span
from winnable_cli.options import (
    game_argument,
    json_option,
    numbering_option,
    quiet_option,
    rules_options,
    workers_option,
)
from winnable_cli.stored import fill, tell, threads, usual_file


@click.command("play-rate")
@game_argument
@click.argument("numbers", metavar="FIRST:LAST")
@click.option(
    "--player",
    metavar="NAME",
    required=True,
    help=f"Who plays: {', '.join(PLAYERS)}; own parameter as in look-ahead:playouts=50.",
)
@numbering_option
@rules_options
@click.option(
    "--store",
    metavar="FILE",
    help="Where games are kept.  [default: named after the plays]",
    shell_complete=completing.files,
)
@workers_option
@json_option
@quiet_option
def play_rate(
    game: str,
    numbers: str,
    player: str,
    numbering: str,
    rules: str | None,
    changes: tuple[str, ...],
    store: str | None,
    workers: int | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Have a player who can't see hidden cards play the deals FIRST to LAST; print what is won.

    'study' tells how many deals can be won by who knows every card; this, how many are won by
    somebody who sees what a person sees. Each deal is played once, and always in the same way.

    Games are kept in a store as they end. Stop it at any moment; the same command goes on, and does
    nothing when all is done. Another range adds to the store.
    """
    played, chosen = game_and_rules(game, rules, changes)
    found, wanted = parse_span(played.numbering(numbering), numbers)
    who = get_player(player)
    asked = Plays(played, chosen, found, who)
    usual = usual_file(played.name, chosen, found.name, who.name, asked.digest())
    path = usual if store is None else Path(store)
    with PlayStore.create_or_open(path, asked) as opened:
        stopped = fill(
            opened,
            wanted,
            "Games",
            quiet,
            threads(workers or default_workers(), warm_up, asked, wanted.first, quiet),
            partial(run_study, opened, asked, wanted),
        )
        if stopped and not opened.covered():
            return exit_codes.INTERRUPTED
        summary = summarize(opened)
    tell(summary, plain_report, wanted, path, as_json, quiet)
    return exit_codes.INTERRUPTED if stopped else exit_codes.OK
