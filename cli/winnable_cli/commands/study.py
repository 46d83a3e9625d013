"""``winnable study``."""

from __future__ import annotations

from pathlib import Path

import click

from winnable.games.base import Limits
from winnable.study.plan import Span, Study, missing
from winnable.study.report import plain_report, summarize
from winnable.study.run import default_workers, run_study, warm_up
from winnable.study.store import Store
from winnable_cli import exit_codes
from winnable_cli.asked import game_and_rules, parse_span
from winnable_cli.options import (
    game_argument,
    json_option,
    limit_options,
    numbering_option,
    quiet_option,
    rules_options,
    workers_option,
)
from winnable_cli.output import announce_compilation, note, say, say_json
from winnable_cli.progress import bar, interruptible, stop_on_signal


@click.command()
@game_argument
@click.argument("numbers", metavar="FIRST:LAST")
@numbering_option
@rules_options
@limit_options
@click.option("--best", is_flag=True, help="Also find the best score of each deal.")
@click.option(
    "--store", metavar="FILE", help="Where results are kept.  [default: named after the study]"
)
@workers_option
@json_option
@quiet_option
def study(
    game: str,
    numbers: str,
    numbering: str,
    rules: str | None,
    changes: tuple[str, ...],
    max_nodes: int | None,
    max_seconds: float | None,
    best: bool,
    store: str | None,
    workers: int | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Solve the numbers FIRST to LAST; print the win rate of all in the store, with its interval.

    Results are kept in a store as they come. Stop it at any moment; the same command goes on, and
    does nothing when all is done. Another range of the same study adds to the store.
    """
    played, chosen = game_and_rules(game, rules, changes)
    found, wanted = parse_span(played.numbering(numbering), numbers)
    asked = Study(played, chosen, found, Limits(max_nodes, max_seconds), best)
    path = default_store(asked) if store is None else Path(store)
    with Store.create_or_open(path, asked) as opened:
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


def default_store(asked: Study) -> Path:
    """The file of a study that names none: in this folder, told apart by all that matters."""
    rules = asked.rules.name.replace(" ", "-").replace("=", "-")
    parts = [asked.game.name, rules, asked.numbering.name]
    if asked.best:
        parts.append("best")
    if asked.limits != Limits():
        parts.append(asked.digest())
    return Path("-".join(parts) + ".sqlite")


def _run(store: Store, asked: Study, wanted: Span, workers: int, quiet: bool) -> bool:
    """Solve what is missing; whether it was stopped before the end."""
    left = sum(span.count for span in missing(wanted, store.covered()))
    if not quiet:
        done = wanted.count - left
        known = f"; {done:,} of {wanted.count:,} are there already" if done else ""
        note(f"Results are kept in {store.path}{known}.")
    if left == 0:
        return False
    announce_compilation(quiet)
    # Before signals are taken over: nothing could be saved yet, so Ctrl-C may end it at once.
    interruptible(warm_up, asked, wanted.first)
    with stop_on_signal() as stop, bar(wanted.count, wanted.count - left, quiet) as progress:
        solved = run_study(store, asked, wanted, workers, progress.update, stop)
    if solved < left and not quiet:
        note(f"Stopped; {solved:,} deals were added. The same command goes on from here.")
    return solved < left
