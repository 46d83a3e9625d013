"""``winnable deal``."""

from __future__ import annotations

import click

from winnable.duel.game import DUELS, draw, format_position
from winnable.duel.text import position_to_json
from winnable.errors import InputError
from winnable_cli.asked import (
    check_game,
    duel_and_variant,
    duel_sources,
    game_and_rules,
    sources,
)
from winnable_cli.options import (
    deals_options,
    json_option,
)
from winnable_cli.output import say, say_json
from winnable_cli.rows import duel_as_json, rules_as_json


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
    check_game(game)
    if as_json:
        form = "json"
    if game in DUELS:
        _print_duels(game, numbers, deal_file, numbering, rules, changes, form)
        return
    played, chosen = game_and_rules(game, rules, changes)
    for index, source in enumerate(sources(played, chosen, numbers, numbering, deal_file)):
        if form == "json":
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
            # Drawn first: nothing is printed of a deal that these rules refuse.
            drawn = played.draw(source.deal, chosen)
            say(f"{played.title} {source}, rules {chosen.name}")
            say(drawn)


def _print_duels(
    game: str,
    numbers: tuple[str, ...],
    deal_file: str | None,
    numbering: str,
    rules: str | None,
    changes: tuple[str, ...],
    form: str,
) -> None:
    """Print positions of a two-player game."""
    if form == "solvitaire":
        raise InputError("Solvitaire has no games of two players.")
    duel, variant = duel_and_variant(game, rules, changes)
    positions = duel_sources(duel, variant, numbers, numbering, deal_file)
    for index, source in enumerate(positions):
        if form == "json":
            row = duel_as_json(variant) | source.as_json()
            say_json(row | {"deal": position_to_json(source.deal)})
            continue
        if index:
            say("")
        if form == "text":
            say(format_position(source.deal, variant))
        else:
            say(f"{duel.title} {source}, rules {variant.rules.name}")
            say(draw(source.deal))
