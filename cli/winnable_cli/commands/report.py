"""``winnable report``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from winnable.errors import InputError
from winnable.study.report import (
    load_summaries,
    markdown_table,
    plain_report,
    write_csv,
)
from winnable.study.store import Store
from winnable_cli.options import json_option
from winnable_cli.output import say, say_json


@click.command()
@click.argument("stores", metavar="STORE...", nargs=-1, required=True)
@json_option
@click.option("--markdown", is_flag=True, help="One table of all, published figures below.")
@click.option("--csv", "as_csv", is_flag=True, help="Every deal of one store as a line.")
def report(stores: tuple[str, ...], as_json: bool, markdown: bool, as_csv: bool) -> None:
    """Print the win rate, its interval and all else that STOREs of studies hold.

    A STORE is a file that 'winnable study' wrote, or a summary of one, as --json prints it, in a
    file that ends in .json.
    """
    if as_json + markdown + as_csv > 1:
        raise InputError("Choose one of --json, --markdown and --csv.")
    if as_csv:
        if len(stores) != 1:
            raise InputError("--csv takes one store.")
        with Store.open_to_read(Path(stores[0])) as store:
            write_csv(store, sys.stdout)
        return
    summaries = [summary for store in stores for summary in load_summaries(Path(store))]
    if markdown:
        say(markdown_table(summaries))
        return
    for index, summary in enumerate(summaries):
        if as_json:
            say_json(summary)
            continue
        if index:
            say("")
        say(plain_report(summary))
