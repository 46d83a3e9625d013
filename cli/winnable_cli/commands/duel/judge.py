"""``winnable duel judge``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from winnable.duel.position import Move, State
from winnable.duel.rules import apply
from winnable.duel.tables import Variant
from winnable.games.base import Limits
from winnable_cli import exit_codes
from winnable_cli.duel_asked import (
    asked_positions,
    asked_variant,
    headline,
    question_as_json,
    size_options,
)
from winnable_cli.html_file import checked_page, html_option, only_one, write_game
from winnable_cli.options import deals_options, json_option, quiet_option, search_limit_options
from winnable_cli.output import announce_compilation, say, say_json
from winnable_cli.progress import interruptible

if TYPE_CHECKING:
    from winnable.duel.judge import Judgement

_WORDS = {
    "first": "  The player who begins can force a win, whatever the other plays.",
    "second": "  The player who does not begin can force a win, whatever the other plays.",
    "draw": "  Neither player can force a win.",
}


@click.command()
@deals_options
@size_options
@search_limit_options
@html_option
@json_option
@quiet_option
def judge(
    game: str,
    numbers: tuple[str, ...],
    deal_file: str | None,
    numbering: str,
    rules: str | None,
    changes: tuple[str, ...],
    ranks: int,
    suits: int,
    houses: int,
    reserve: int,
    max_nodes: int | None,
    max_seconds: float | None,
    html_file: str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Prove who wins with best play when every card is known: first, second or draw.

    'first' is the player who has the first turn of the game. The nodes are for each of two proofs:
    that the one, and that the other, can force a win or can't. Without a finished proof the answer
    is 'unknown', as for most full deals at their beginning; ends of games and small decks can be
    decided.

    Exit status: 0 all decided, 3 some unknown, 2 bad input.
    """
    variant = asked_variant(game, rules, changes, (ranks, suits, houses, reserve))
    limits = Limits(max_nodes, max_seconds)
    page = checked_page(html_file)
    asked = asked_positions(variant, numbers, numbering, deal_file)
    if page is not None:
        asked = iter(only_one(asked))
    announce_compilation(quiet)
    # Imports numba, which is not wanted before the words are known to be right.
    from winnable.duel import judge as library

    status = exit_codes.OK
    for source in asked:
        found = interruptible(library.judge, source.deal, variant, limits)
        if found.standing is library.Standing.UNKNOWN:
            status = exit_codes.UNKNOWN
        if as_json:
            say_json(question_as_json(variant, source) | _as_json(found))
        else:
            say(f"{headline(variant, source)}: {found.standing.value}")
            if not quiet:
                say("\n".join(_explanation(source.deal, variant, found)))
        if page is not None:
            facts = [
                f"verdict: {found.standing.value}",
                *(words.strip() for words in _conclusions(found)),
            ]
            write_game(
                page,
                variant,
                source.deal,
                headline(variant, source),
                facts,
                found.moves or (),
                quiet,
            )
    return status


def _as_json(found: Judgement) -> dict[str, object]:
    return {
        "verdict": found.standing.value,
        "cannot_force": [standing.value for standing in found.excluded],
        "moves": None if found.moves is None else list(map(str, found.moves)),
        "nodes": found.nodes,
        "seconds": round(found.seconds, 6),
        "limit": found.limit,
    }


def _explanation(state: State, variant: Variant, found: Judgement) -> list[str]:
    """What stands below the verdict: who can't win, and a line of play."""
    return _conclusions(found) + numbered_moves(state, variant, found.moves or ())


def _conclusions(found: Judgement) -> list[str]:
    """What is proved, in words."""
    if found.limit is not None:
        lines = [f"  The limit of {found.limit} was hit after {found.nodes:,} nodes."]
        return lines + [f"  Proved: {each.value} can't force a win." for each in found.excluded]
    return [_WORDS[found.standing.value]]


def numbered_moves(state: State, variant: Variant, moves: tuple[Move, ...]) -> list[str]:
    """A game's moves, one a line, with the player who makes them."""
    lines = []
    for number, move in enumerate(moves, start=1):
        lines.append(f"{number:4}  player {state.mover}: {move}")
        state = apply(state, move, variant)
    return lines
