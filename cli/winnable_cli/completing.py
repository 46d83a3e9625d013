"""What the shell offers when a person presses Tab: for values of options and arguments.

Each function is a ``shell_complete`` of click: it gets the context, in which the words before are
parsed, and the word that was begun, and returns those that it may become.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem, shell_complete

if TYPE_CHECKING:
    from winnable.duel.game import Duel
    from winnable.games.base import Game

PROGRAM = "winnable"
# The shell's script sets this variable when it asks.
VARIABLE = "_WINNABLE_COMPLETE"

# Commands that take games of both kinds; other ones outside `duel` take those of one player.
_OF_BOTH_KINDS = frozenset(["deal", "games"])


def answer_shell(command: click.Command) -> int | None:
    """Answer the shell where it asks for completions; None where it does not."""
    instruction = os.environ.get(VARIABLE)
    if not instruction:
        return None
    return shell_complete(command, {}, PROGRAM, VARIABLE, instruction)


def _begun(incomplete: str, names: Iterable[str]) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def _game(ctx: click.Context) -> Game[Any] | Duel | None:
    """The game that was named before."""
    from winnable.duel.game import DUELS
    from winnable.games import REGISTRY, get_game

    # Where the last word is an option without its value, click leaves arguments unparsed.
    for name in (ctx.params.get("game"), *ctx.args):
        if name in DUELS:
            return DUELS[name]
        if name in REGISTRY:
            return get_game(name)
    return None


def files(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Files, which the shell finds by itself."""
    return [CompletionItem(incomplete, type="file")]


def games(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The games that the command takes."""
    from winnable.duel.game import DUELS
    from winnable.games import REGISTRY

    if ctx.parent is not None and ctx.parent.info_name == "duel":
        return _begun(incomplete, DUELS)
    names = [*REGISTRY, *DUELS] if ctx.info_name in _OF_BOTH_KINDS else list(REGISTRY)
    return _begun(incomplete, names)


def rule_sets(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The rule sets of the game that was named before."""
    game = _game(ctx)
    return _begun(incomplete, game.rules.names if game else ())


def rule_values(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Every KEY=VALUE of the game that was named before."""
    game = _game(ctx)
    rows = game.rules.parameters if game else ()
    return _begun(incomplete, (f"{row.name}={value}" for row in rows for value in row.values))


def numberings(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The numberings that deal the game that was named before, or all where none was."""
    from winnable.deals import NUMBERINGS

    game = _game(ctx)
    return _begun(incomplete, game.numberings if game else NUMBERINGS)


def agents(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The agents of two-player games."""
    from winnable.duel.agents import AGENTS

    return _begun(incomplete, AGENTS)


def sights(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """What agents may see."""
    from winnable.duel.agents import SIGHTS

    return _begun(incomplete, SIGHTS)


def clusters(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """What an address of a cluster begins with, or is."""
    return _begun(incomplete, ["local", "tcp://"])
