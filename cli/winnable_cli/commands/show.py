"""``winnable show``."""

from __future__ import annotations

from collections.abc import Iterator

import click

from winnable.duel.game import DUELS, draw
from winnable_cli.asked import (
    check_game,
    duel_and_variant,
    duel_sources,
    game_and_rules,
    sources,
)
from winnable_cli.colour import coloured, has_colours
from winnable_cli.options import deals_options
from winnable_cli.output import say


@click.command()
@deals_options
def show(
    game: str,
    numbers: tuple[str, ...],
    deal_file: str | None,
    numbering: str,
    rules: str | None,
    changes: tuple[str, ...],
) -> None:
    """Draw deals as they lie on the table: of a NUMBER, a range FIRST:LAST, or typed.

    Cards have colours where standard output is a terminal; the environment variable NO_COLOR turns
    them off. 'winnable deal' prints deals for other programs.
    """
    check_game(game)
    tables = _duels if game in DUELS else _deals
    paint = coloured if has_colours() else str
    for index, (title, drawn) in enumerate(
        tables(game, numbers, deal_file, numbering, rules, changes)
    ):
        if index:
            say("")
        say(title)
        say(paint(drawn))


def _deals(
    game: str,
    numbers: tuple[str, ...],
    deal_file: str | None,
    numbering: str,
    rules: str | None,
    changes: tuple[str, ...],
) -> Iterator[tuple[str, str]]:
    """Titles and tables of a game of one player."""
    played, chosen = game_and_rules(game, rules, changes)
    for source in sources(played, chosen, numbers, numbering, deal_file):
        title = f"{played.title} {source}, rules {chosen.name}"
        yield title, played.draw(source.deal, chosen)


def _duels(
    game: str,
    numbers: tuple[str, ...],
    deal_file: str | None,
    numbering: str,
    rules: str | None,
    changes: tuple[str, ...],
) -> Iterator[tuple[str, str]]:
    """Titles and tables of a game of two players."""
    duel, variant = duel_and_variant(game, rules, changes)
    for source in duel_sources(duel, variant, numbers, numbering, deal_file):
        yield f"{duel.title} {source}, rules {variant.rules.name}", draw(source.deal)
