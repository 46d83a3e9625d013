"""``winnable duel advise``."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from winnable.duel.agents import MONTECARLO, PLANNER, get_agent, get_sight
from winnable.duel.position import STOP
from winnable.duel.session import Session
from winnable.errors import InputError
from winnable.study.statistics import wilson
from winnable_cli.asked import duel_and_variant, duel_session
from winnable_cli.options import (
    duel_deal_option,
    game_argument,
    json_option,
    numbering_option,
    quiet_option,
    refuse_nan,
    rules_options,
    sight_option,
)
from winnable_cli.output import announce_compilation, say, say_json
from winnable_cli.progress import interruptible
from winnable_cli.rows import duel_as_json

if TYPE_CHECKING:
    from winnable.duel.simulate import Estimate

# Playouts from each candidate between two looks at the clock.
_ROUND = 5


@click.command()
@game_argument
@click.argument("number", metavar="[NUMBER]", required=False)
@duel_deal_option
@click.option(
    "--max-seconds",
    type=click.FloatRange(min=0, max=1e6, min_open=True),
    metavar="S",
    help="Also compare the best ends of the turn by playouts, for S seconds.",
    callback=refuse_nan,
)
@sight_option
@numbering_option
@rules_options
@json_option
@quiet_option
def advise(
    game: str,
    number: str | None,
    deal_file: str | None,
    max_seconds: float | None,
    players_see: str,
    numbering: str,
    rules: str | None,
    changes: tuple[str, ...],
    as_json: bool,
    quiet: bool,
) -> None:
    """Say what to play: the planner's moves, up to the turn's end or the next unknown card.

    With --max-seconds the best few ends of the turn are compared by games from there on, with the
    unknown cards shuffled: wins count 1 and draws half. Both sides play greedily in these, so that
    the figures are estimates and no proof.
    """
    played, variant = duel_and_variant(game, rules, changes)
    if (number is None) == (deal_file is None):
        raise InputError("Give either a deal number or --deal FILE.")
    session = duel_session(played, variant, number, numbering, deal_file)
    if session.state.outcome is not None:
        raise InputError("The game is over: there is nothing to play.")
    sight = get_sight(players_see)
    announce_compilation(quiet)
    moves, estimates = interruptible(_advice, session, sight, max_seconds)
    if as_json:
        say_json(duel_as_json(variant) | {"moves": moves, "estimates": estimates})
        return
    say(", ".join(moves))
    for row in estimates:
        low, high = row["interval"]
        say(
            f"  {row['percent']:5.1f} %  [{low:.1f}, {high:.1f}]  of {row['playouts']:,} playouts: "
            f"{', '.join(row['moves'])}"
        )


def _advice(
    session: Session, sight: str, max_seconds: float | None
) -> tuple[list[str], list[dict[str, Any]]]:
    """The moves to play, and the estimates that they rest on, the best first."""
    if session.state.fault is not None:
        return [str(STOP)], []
    from winnable.duel.simulate import Estimator, choose

    positions, variant = session.turn_positions, session.variant
    moves = [str(move) for move in choose(get_agent(PLANNER), positions, variant, sight)]
    if max_seconds is None:
        return moves, []
    estimator = Estimator(get_agent(MONTECARLO), positions, variant, sight)
    end = time.monotonic() + max_seconds
    while estimator.is_open and (estimator.playouts == 0 or time.monotonic() < end):
        estimator.add(_ROUND)
    found = estimator.estimates()
    if found:
        moves = [str(move) for move in found[0].moves]
    return moves, [_as_json(estimate) for estimate in found]


def _as_json(estimate: Estimate) -> dict[str, Any]:
    """An estimate, with the 95 % Wilson interval of its share."""
    wins = estimate.points / 2
    low, high = wilson(wins, estimate.playouts)
    return {
        "moves": [str(move) for move in estimate.moves],
        "playouts": estimate.playouts,
        "percent": round(100 * wins / estimate.playouts, 2),
        "interval": [round(100 * low, 2), round(100 * high, 2)],
    }
