"""``winnable find``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from winnable.arrays import BoolArray, ByteArray
from winnable.deals import Numbering, parse_number
from winnable.errors import InputError
from winnable.games.base import (
    UNKNOWN_CODE,
    UNWINNABLE_CODE,
    WINNABLE_CODE,
    Game,
    Limits,
    Solution,
    Verdict,
)
from winnable.games.ruleset import Rules
from winnable.players.levels import DIFFICULTY, NAMES, Level, as_share, get_level, level_of
from winnable_cli.asked import Source, game_and_rules
from winnable_cli.exports import FORMATS, check_format, export
from winnable_cli.options import (
    game_argument,
    json_option,
    limit_options,
    numbering_option,
    quiet_option,
    rules_options,
)
from winnable_cli.output import announce_compilation, note
from winnable_cli.progress import bar, interruptible
from winnable_cli.rows import solution_as_json

# So many unknown deals in a row mean that the limits are too low for any.
HOPELESS = 200


# Deals whose difficulty is measured in one go: a fraction of a second's work.
_MOST_MEASURED = 256


@dataclass(frozen=True)
class Wish:
    """What deals are wanted.

    min_stock_left, level: None where they don't matter.
    measure: gives the difficulties of the deals from a number on, so many of them.
    """

    unwinnable: bool
    min_stock_left: int | None
    level: Level | None
    measure: Callable[[int, int], ByteArray] | None

    def of_level(self, first: int, count: int) -> BoolArray:
        """Which of consecutive deals are of the level."""
        if self.level is None or self.measure is None:
            return np.ones(count, np.bool_)
        steps = self.measure(first, count)
        return np.array([self.level.holds(each) for each in steps.tolist()], np.bool_)

    def answered(self, columns: Mapping[str, NDArray[Any]]) -> BoolArray:
        """Which of these answers are wanted ones."""
        wanted = UNWINNABLE_CODE if self.unwinnable else WINNABLE_CODE
        matches: BoolArray = columns["verdict"] == wanted
        if self.min_stock_left is not None:
            matches &= columns["stock_left"] >= self.min_stock_left
        return matches


@click.command()
@game_argument
@click.option(
    "--count",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="How many to find.",
)
@click.option("--from", "start", metavar="N", help="Begin with this number.")
@click.option("--unwinnable", is_flag=True, help="Deals that can't be won, in place of the others.")
@click.option(
    "--min-stock-left",
    type=click.IntRange(min=0),
    metavar="K",
    help="Only deals that can be won with K stock cards left over.",
)
@click.option(
    "--difficulty",
    "level_name",
    metavar="LEVEL",
    help=f"Only deals that are {', '.join(NAMES[:-1])} or {NAMES[-1]}; see docs/difficulty.md.",
)
@click.option(
    "--format",
    "form",
    metavar="NAME",
    help=f"With cards, solution and difficulty: {', '.join(FORMATS)}.",
)
@numbering_option
@rules_options
@limit_options
@json_option
@quiet_option
def find(
    game: str,
    count: int,
    start: str | None,
    unwinnable: bool,
    min_stock_left: int | None,
    level_name: str | None,
    form: str | None,
    numbering: str,
    rules: str | None,
    changes: tuple[str, ...],
    max_nodes: int | None,
    max_seconds: float | None,
    effort: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print the numbers of deals that are proved winnable (or unwinnable), in rising order.

    With --json each comes with its cards and its solution, ready to be shipped; with --format in
    other forms too, and with a measured difficulty.
    """
    check_format(form, as_json)
    played, chosen = game_and_rules(game, rules, changes)
    found = played.numbering(numbering)
    first = found.first
    if start is not None:
        found, first = parse_number(found, start)
    if min_stock_left is not None:
        if unwinnable:
            raise InputError("--min-stock-left is about winnable deals; leave --unwinnable out.")
        most = played.highest_scores(chosen).get("stock_left")
        if most is None:
            raise InputError(f"--min-stock-left has no meaning in {played.title}.")
        if min_stock_left > most:
            raise InputError(f"--min-stock-left can be {most} at most by the rules {chosen.name}.")
    level = None
    if level_name is not None:
        if unwinnable:
            raise InputError("--difficulty is about winnable deals; leave --unwinnable out.")
        level = get_level(played.name, chosen.name, level_name)
    limits = played.limits(max_nodes, max_seconds, effort)
    announce_compilation(quiet)
    measure = None
    if level is not None or form is not None:
        from winnable.players.seats import difficulties, seat_of

        measure = partial(difficulties, seat_of(played.name, chosen, found))
    wish = Wish(unwinnable, min_stock_left, level, measure)
    printed, out = 0, export("json" if as_json else form)
    with bar(count, 0, quiet, " found") as progress:
        numbers = _matching(played, chosen, found, limits, first, wish)
        while (number := interruptible(next, numbers, None)) is not None:
            source = Source(played.deal(found, number, chosen), found, number)
            # Solved once more, for the moves and a replay by the plain rules.
            solution = interruptible(played.solve, source.deal, chosen, limits)
            if solution.verdict is Verdict.UNKNOWN:
                continue  # a limit on seconds need not be hit twice at the same place
            _require_agreement(solution, source, unwinnable, min_stock_left)
            row = solution_as_json(played, chosen, source, solution)
            if measure is not None:
                steps = int(interruptible(measure, number, 1)[0])
                row |= {DIFFICULTY: as_share(steps), "level": level_of(game, chosen.name, steps)}
            out.add(row | {"deal": played.deal_to_json(source.deal)})
            progress.update(1)
            printed += 1
            if printed == count:
                break
    out.end()
    if printed == count:
        return
    if not quiet:
        note(f"Only {printed} were found up to number {found.last}, the last of {found.name}.")


def _require_agreement(
    solution: Solution, source: Source, unwinnable: bool, min_stock_left: int | None
) -> None:
    """That the deal's own solution is what the batch said of it."""
    verdict = Verdict.UNWINNABLE if unwinnable else Verdict.WINNABLE
    left = solution.score.get("stock_left") or 0
    if solution.verdict is not verdict or left < (min_stock_left or 0):
        raise AssertionError(f"two solvers differ on deal {source}: please report it")


def _matching(
    game: Game[Any], rules: Rules, numbering: Numbering, limits: Limits, first: int, wish: Wish
) -> Iterator[int]:
    """The numbers from `first` on that match, solved block by block; blocks grow from small."""
    batch = game.batch(rules, numbering, limits, best=wish.min_stock_left is not None)
    block = min(64, batch.block)
    unknown = 0
    while first <= numbering.last:
        count = min(block, numbering.last - first + 1)
        matches = wish.of_level(first, count)
        # Where deals are solved one by one, those of other levels need not be.
        if matches.any():
            columns = batch.solve(first, count).columns
            matches &= wish.answered(columns)
            unknown = unknown + count if np.all(columns["verdict"] == UNKNOWN_CODE) else 0
        if unknown >= HOPELESS:
            last = first + count - 1
            raise InputError(
                f"The limits leave all deals from {last - unknown + 1} to {last} unknown; "
                "raise them."
            )
        for index in np.nonzero(matches)[0]:
            yield first + int(index)
        first += count
        block = min(2 * block, batch.block, _MOST_MEASURED if wish.level else batch.block)
