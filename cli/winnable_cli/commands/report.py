"""``winnable report``."""

from __future__ import annotations

from pathlib import Path

import click

from winnable.errors import InputError
from winnable.study.check import check_store
from winnable.study.report import load_summaries, markdown_table, plain_report, write_csv
from winnable.study.store import Store
from winnable_cli import completing
from winnable_cli.options import json_option, quiet_option
from winnable_cli.output import announce_compilation, results, say, say_json
from winnable_cli.progress import bar, interruptible


@click.command()
@click.argument(
    "stores", metavar="STORE...", nargs=-1, required=True, shell_complete=completing.files
)
@json_option
@click.option("--markdown", is_flag=True, help="One table of all, published figures below.")
@click.option("--csv", "as_csv", is_flag=True, help="Every deal of one store as a line.")
@click.option(
    "--check",
    "sample",
    type=click.IntRange(min=1),
    metavar="N",
    help="Replay the solutions of N deals of each store, solve those without, and compare.",
)
@quiet_option
def report(
    stores: tuple[str, ...],
    as_json: bool,
    markdown: bool,
    as_csv: bool,
    sample: int | None,
    quiet: bool,
) -> None:
    """Print the win rate, its interval and all else that STOREs of studies hold.

    A STORE is a file that 'winnable study' wrote, or a file that ends in .json with what --json
    printed.
    """
    if as_json + markdown + as_csv + (sample is not None) > 1:
        raise InputError("Choose one of --json, --markdown, --csv and --check.")
    if as_csv:
        if len(stores) != 1:
            raise InputError("--csv takes one store.")
        with Store.open_to_read(Path(stores[0])) as store:
            write_csv(store, results())
    elif sample is not None:
        announce_compilation(quiet)
        for path in stores:
            say(interruptible(_checked, Path(path), sample, quiet))
    else:
        summaries = [summary for path in stores for summary in load_summaries(Path(path))]
        if markdown:
            say(markdown_table(summaries))
        for index, summary in enumerate(() if markdown else summaries):
            if as_json:
                say_json(summary)
            else:
                say(("\n" if index else "") + plain_report(summary))


def _checked(path: Path, sample: int, quiet: bool) -> str:
    """Audit a store, and say what was found; the store is opened in the thread that reads it."""
    with Store.open_to_read(path) as store, bar(sample, 0, quiet) as progress:
        check = check_store(store, sample, progress.update)
    kept = f" ({check.kept:,} of them kept in the store)" if check.kept else ""
    return (
        f"{path}: {check.deals:,} deals checked, {check.solved:,} solved again, "
        f"{check.replayed:,} solutions replayed{kept}; all agree"
    )
