"""What the commands that search through two-player games are asked: variant, sizes, positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import click

from winnable.duel.game import State, get_duel
from winnable.duel.position import Player
from winnable.duel.tables import FULL_SIZE, Size, Variant
from winnable_cli.asked import Source, duel_sources
from winnable_cli.rows import duel_as_json

F = TypeVar("F", bound=Callable[..., Any])

_SIZES = (
    ("ranks", "Ranks in each pack, from the ace up."),
    ("suits", "Suits in each pack."),
    ("houses", "Houses on the table, both players' together."),
    ("reserve", "Cards dealt to each reserve."),
)


def size_options(command: F) -> F:
    """Options for smaller decks and tables: `ranks`, `suits`, `houses`, `reserve`."""
    for name, words in reversed(_SIZES):
        option = click.option(
            f"--{name}",
            type=int,
            metavar="N",
            default=getattr(FULL_SIZE, name),
            show_default=True,
            help=words,
        )
        command = option(command)
    return command


def asked_variant(
    game: str, rules: str | None, changes: Sequence[str], sizes: tuple[int, int, int, int]
) -> Variant:
    """The game, rules and sizes (in the order of the options); raises InputError."""
    return Variant(game, get_duel(game).rules.resolve(rules, changes), Size(*sizes))


def asked_positions(
    variant: Variant, numbers: Sequence[str], numbering: str, deal_file: str | None
) -> Iterator[Source]:
    """The deals of numbers (or ranges of them), or else the positions of a text."""
    return duel_sources(get_duel(variant.game), variant, numbers, numbering, deal_file)


def asked_player(state: State, name: str) -> Player:
    """The player who has the game's first turn, for ``first``, or the other one."""
    return state.starter if name == "first" else 1 - state.starter


def question_as_json(variant: Variant, source: Source) -> dict[str, Any]:
    """The keys that say what an answer is about."""
    sizes = {name: getattr(variant.size, name) for name, _ in _SIZES}
    return {**duel_as_json(variant), "size": sizes, **source.as_json()}


def headline(variant: Variant, source: Source) -> str:
    """What an answer for people begins with."""
    small = "" if variant.size == FULL_SIZE else ", a smaller deck"
    title = get_duel(variant.game).title
    return f"{title} {source}, rules {variant.rules.name}{small}"
