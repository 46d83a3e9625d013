"""``winnable duel judge``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from winnable.duel.agents import ALL, MONTECARLO, Agent, get_agent, get_sight
from winnable.duel.position import Move, State
from winnable.duel.rules import apply
from winnable.duel.tables import Variant
from winnable.games.base import Limits
from winnable.study.statistics import lead, share
from winnable_cli import exit_codes
from winnable_cli.duel_asked import (
    asked_positions,
    asked_variant,
    headline,
    question_as_json,
    size_options,
)
from winnable_cli.html_file import checked_page, html_option, only_one, write_game
from winnable_cli.options import (
    agent_help,
    deals_options,
    json_option,
    quiet_option,
    search_limit_options,
    sight_option,
)
from winnable_cli.output import announce_compilation, say, say_json
from winnable_cli.progress import interruptible

if TYPE_CHECKING:
    from winnable.duel.judge import Judgement

_WORDS = {
    "first": "  The player who begins can force a win, whatever the other plays.",
    "second": "  The player who does not begin can force a win, whatever the other plays.",
    "draw": "  Neither player can force a win.",
}
# Games between agents where nothing is proved: a second or two for a full deal.
_GAMES = 200


@click.command()
@deals_options
@size_options
@search_limit_options
@html_option
@click.option(
    "--games",
    type=click.IntRange(0, 1_000_000),
    metavar="N",
    default=_GAMES,
    show_default=True,
    help="Where nothing is proved, have an agent play both chairs of this deal N times.",
)
@click.option(
    "--agent",
    "agent_name",
    metavar="AGENT",
    default=MONTECARLO,
    show_default=True,
    help=agent_help("Who plays these games"),
)
@sight_option
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
    games: int,
    agent_name: str,
    players_see: str,
    as_json: bool,
    quiet: bool,
) -> int:
    """Prove who wins with best play when every card is known: first, second or draw.

    'first' is the player who has the first turn of the game. The nodes are for each of two proofs:
    that the one, and that the other, can force a win or can't. Without a finished proof the answer
    is 'unknown', as for most full deals at their beginning; ends of games and small decks can be
    decided.

    Where the answer is 'unknown', it is told who is favoured: an agent plays this very deal many
    times against itself, deciding otherwise each time as it draws other numbers. That is a
    measurement of the agent's games, with an interval, and no proof. An agent that draws none plays
    once.

    Exit status: 0 all decided, 3 some unknown, 2 bad input.
    """
    variant = asked_variant(game, rules, changes, (ranks, suits, houses, reserve))
    limits = Limits(max_nodes, max_seconds)
    page = checked_page(html_file)
    players = _Players(get_agent(agent_name), get_sight(players_see), games)
    asked = asked_positions(variant, numbers, numbering, deal_file)
    if page is not None:
        asked = iter(only_one(asked))
    announce_compilation(quiet)
    # Imports numba, which is not wanted before the words are known to be right.
    from winnable.duel import judge as library

    status = exit_codes.OK
    for source in asked:
        found = interruptible(library.judge, source.deal, variant, limits)
        played = None
        if found.standing is library.Standing.UNKNOWN:
            status = exit_codes.UNKNOWN
            if games > 0 and (as_json or not quiet):
                played = interruptible(players.play, source.deal, variant)
        if as_json:
            say_json(question_as_json(variant, source) | _as_json(found) | {"played": played})
        else:
            say(f"{headline(variant, source)}: {found.standing.value}")
            if not quiet:
                say("\n".join([*_explanation(source.deal, variant, found), *_played_lines(played)]))
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


@dataclass(frozen=True)
class _Players:
    """Who plays where nothing is proved, and how many games."""

    agent: Agent
    sight: str
    games: int

    def play(self, state: State, variant: Variant) -> dict[str, Any]:
        """Play a position, and count; `favoured` is who leads by more than chance explains."""
        from winnable.duel.simulate import outcome_words, play_on

        count = self.games if self.agent.varies(self.sight) else 1
        outcomes = play_on(state, variant, self.agent, count, self.sight).outcomes.tolist()
        first, second = outcomes.count(1), outcomes.count(2)
        leads = lead(first, second, count)
        low, high = leads["interval"]
        return {
            "agent": str(self.agent),
            "players_see": self.sight,
            "games": count,
            "first_wins": share(first, count),
            "second_wins": share(second, count),
            "first_leads": leads,
            "draws": {words: outcomes.count(code) for code, words in outcome_words().items()},
            "favoured": "first" if low > 0 else "second" if high < 0 else None,
        }


def _played_lines(played: dict[str, Any] | None) -> list[str]:
    """The games that were played, for people."""
    if played is None:
        return []
    sees = "every card" if played["players_see"] == ALL else "what a person sees"
    lines = [
        f"  Played, not proved: {played['games']:,} games of {played['agent']}",
        f"  against itself, which sees {sees}; {sum(played['draws'].values()):,} drawn.",
    ]
    for name in ("first", "second"):
        row = played[f"{name}_wins"]
        low, high = row["interval"]
        lines.append(
            f"    {name} wins {row['count']:,}: {row['percent']:.1f} %  [{low:.1f}, {high:.1f}]"
        )
    favoured = played["favoured"]
    whom = "neither player" if favoured is None else favoured
    return [*lines, f"  These games favour {whom}."]


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
