"""``winnable deal``."""

from __future__ import annotations

import click

from winnable_cli.asked import game_and_rules, sources
from winnable_cli.options import (
    deals_options,
    json_option,
)
from winnable_cli.output import say, say_json
from winnable_cli.rows import rules_as_json


@click.command()
@deals_options
@click.option(
    "--format",
    "form",
    type=click.Choice(["drawn", "text", "json", "solvitaire"]),
    default="drawn",
    show_default=True,
    help="Drawn for people, as text that --deal reads, as JSON, or as Solvitaire's JSON.",
)
@json_option
def deal(
    game: str,
    numbers: tuple[str, ...],
    deal_file: str | None,
    numbering: str,
    rules: str | None,
    changes: tuple[str, ...],
    form: str,
    as_json: bool,
) -> None:
    """Print deals: the cards that a NUMBER (or a range FIRST:LAST) stands for."""
    played, chosen = game_and_rules(game, rules, changes)
    for index, source in enumerate(sources(played, chosen, numbers, numbering, deal_file)):
        if as_json or form == "json":
            row = rules_as_json(played, chosen) | source.as_json()
            say_json(row | {"deal": played.deal_to_json(source.deal)})
            continue
        if index:
            say("")
        if form == "text":
            say(played.format_deal(source.deal))
        elif form == "solvitaire":
            say(played.foreign_text(source.deal, form))
        else:
            say(f"{played.title} {source}, rules {chosen.name}")
            say(played.draw(source.deal, chosen))
