"""``winnable games``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import click

from winnable.deals import NUMBERINGS
from winnable.duel.game import DUELS, Duel
from winnable.games import REGISTRY, get_game
from winnable.games.base import Game
from winnable_cli import completing
from winnable_cli.asked import check_game
from winnable_cli.options import json_option
from winnable_cli.output import say, say_json

AnyGame: TypeAlias = Game[Any] | Duel


@click.command()
@click.argument("game", metavar="[GAME]", required=False, shell_complete=completing.games)
@json_option
def games(game: str | None, as_json: bool) -> None:
    """List the games with their rule sets, or print one game's exact rules."""
    if game is None:
        for name in (*REGISTRY, *DUELS):
            _list(_find(name), as_json)
        return
    check_game(game)
    if as_json:
        say_json(_as_json(_find(game)))
    else:
        say(_description(_find(game)))


def _find(name: str) -> AnyGame:
    return DUELS[name] if name in DUELS else get_game(name)


def _list(game: AnyGame, as_json: bool) -> None:
    if as_json:
        say_json(_as_json(game))
        return
    say(f"{game.name}: {game.summary}")
    say(f"  rule sets:  {', '.join(game.rules.names)}")
    say(f"  numberings: {', '.join(game.numberings)}")


def _as_json(game: AnyGame) -> dict[str, Any]:
    rule_sets = {row.name: game.rules.values_of(row) for row in game.rules.rule_sets}
    parameters = {row.name: dict(row.values) for row in game.rules.parameters}
    return {
        "game": game.name,
        "title": game.title,
        "players": 2 if isinstance(game, Duel) else 1,
        "rule_sets": rule_sets,
        "parameters": parameters,
        "numberings": list(game.numberings),
        "efforts": {str(effort): meaning for effort, meaning in _efforts(game).items()},
    }


def _efforts(game: AnyGame) -> Mapping[int, str]:
    return {} if isinstance(game, Duel) else game.efforts


def _description(game: AnyGame) -> str:
    efforts = "\n".join(f"  {effort}: {meaning}" for effort, meaning in _efforts(game).items())
    return "\n\n".join(
        [
            f"{game.title} ({game.name})",
            game.rules_text,
            "Rules that can be set (--set KEY=VALUE):\n" + _parameters(game),
            "Rule sets (--rules NAME; the first is the default):\n" + _rule_sets(game),
            "Numberings (--numbering NAME):\n" + _numberings(game),
            "A deal as text (--deal FILE):\n" + _indented(game.deal_format),
            "A move:\n" + _indented(game.move_format),
            *(["How much is tried (--effort N):\n" + efforts] if efforts else []),
        ]
    )


def _parameters(game: AnyGame) -> str:
    return "\n".join(
        f"  {parameter.name}={value}: {meaning}"
        for parameter in game.rules.parameters
        for value, meaning in parameter.values.items()
    )


def _rule_sets(game: AnyGame) -> str:
    lines = []
    for row in game.rules.rule_sets:
        values = ", ".join(f"{key}={value}" for key, value in game.rules.values_of(row).items())
        lines.append(f"  {row.name}: {values}\n      {row.played_by}")
    return "\n".join(lines)


def _numberings(game: AnyGame) -> str:
    rows = [NUMBERINGS[name] for name in game.numberings]
    return "\n".join(f"  {row.name}: {row.first} to {row.last}; {row.summary}" for row in rows)


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
