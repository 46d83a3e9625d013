"""``winnable play-rate``."""

from __future__ import annotations

from pathlib import Path

import click

from winnable.players.kinds import PLAYERS, get_player
from winnable.study.plan import Span, missing
from winnable.study.plays import Plays, PlayStore, plain_report, summarize
from winnable.study.run import default_workers, run_study, warm_up
from winnable_cli import exit_codes
from winnable_cli.asked import game_and_rules, parse_span
from winnable_cli.options import (
    game_argument,
    json_option,
    numbering_option,
    quiet_option,
    rules_options,
    workers_option,
)
from winnable_cli.output import announce_compilation, note, say, say_json
from winnable_cli.progress import bar, interruptible, stop_on_signal


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
    "--store", metavar="FILE", help="Where games are kept.  [default: named after the plays]"
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
    path = _default_store(asked) if store is None else Path(store)
    with PlayStore.create_or_open(path, asked) as opened:
        stopped = _run(opened, asked, wanted, workers or default_workers(), quiet)
        if stopped and not opened.covered():
            return exit_codes.INTERRUPTED
        summary = summarize(opened)
    if summary["deals"] > wanted.count and not quiet:
        note(f"The report is of all {summary['deals']:,} deals that are in {path}.")
    if as_json:
        say_json(summary)
    else:
        say(plain_report(summary))
    return exit_codes.INTERRUPTED if stopped else exit_codes.OK


def _default_store(asked: Plays) -> Path:
    """The file of plays that name none: in this folder, told apart by all that matters."""
    rules = asked.rules.name.replace(" ", "-").replace("=", "-")
    parts = [asked.game.name, rules, asked.numbering.name, asked.player.name, asked.digest()]
    return Path("-".join(parts) + ".sqlite")


def _run(store: PlayStore, asked: Plays, wanted: Span, workers: int, quiet: bool) -> bool:
    """Play what is missing; whether it was stopped before the end."""
    total = wanted.count
    left = sum(span.count for span in missing(wanted, store.covered()))
    if not quiet:
        done = total - left
        known = f"; {done:,} of {total:,} are there already" if done else ""
        note(f"Games are kept in {store.path}{known}.")
    if left == 0:
        return False
    announce_compilation(quiet)
    # Before signals are taken over: nothing to save yet, so Ctrl-C may end it at once.
    interruptible(warm_up, asked, wanted.first)
    with stop_on_signal() as stop, bar(total, total - left, quiet) as progress:
        added = run_study(store, asked, wanted, workers, progress.update, stop)
    if added < left and not quiet:
        note(f"Stopped; {added:,} deals were added. The same command goes on from here.")
    return added < left
