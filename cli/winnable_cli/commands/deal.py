"""``winnable deal``."""

from __future__ import annotations

import click

from winnable_cli.options import (
    deal_option,
    game_and_rules,
    game_argument,
    numbering_option,
    rules_as_json,
    rules_options,
    sources,
)
from winnable_cli.output import say, say_json


@click.command()
@game_argument
@click.argument("numbers", metavar="NUMBER...", nargs=-1)
@deal_option
@numbering_option
@rules_options
@click.option(
    "--format",
    "form",
    type=click.Choice(["drawn", "text", "json"]),
    default="drawn",
    show_default=True,
    help="Drawn for people, as text that --deal reads, or as JSON.",
)
def deal(
    game: str,
    numbers: tuple[str, ...],
    deal_file: str | None,
    numbering: str,
    rules: str | None,
    changes: tuple[str, ...],
    form: str,
) -> None:
    """Print deals: the cards that a NUMBER (or a range FIRST:LAST) stands for."""
    played, chosen = game_and_rules(game, rules, changes)
    for index, source in enumerate(sources(played, numbers, numbering, deal_file)):
        if form == "json":
            row = rules_as_json(played, chosen) | source.as_json()
            say_json(row | {"deal": played.deal_to_json(source.deal)})
            continue
        if index:
            say("")
        if form == "text":
            say(played.format_deal(source.deal))
        else:
            say(f"{played.title} {source}, rules {chosen.name}")
            say(played.draw(source.deal, chosen))
