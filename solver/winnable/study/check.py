"""Solves deals of a store once more, one by one, and compares: an audit of a study."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from winnable.deals import get_numbering
from winnable.errors import StoreError
from winnable.games import get_game
from winnable.games.base import NO_SCORE, UNKNOWN_CODE, VERDICT_CODES, Limits, Solution, Verdict
from winnable.games.ruleset import Rules
from winnable.study.columns import VERDICT
from winnable.study.store import Store

# The sample is drawn anew for each store and size, but the same one each time.
_SEED = 1989


@dataclass(frozen=True)
class Check:
    """What an audit found: all verdicts and scores agreed (or it raises).

    deals: how many were solved again; replayed: how many of them are winnable, each with a
    solution that the plain rules replayed to a won position.
    """

    deals: int
    replayed: int


def check_store(
    store: Store, sample: int, on_progress: Callable[[int], None] = lambda deals: None
) -> Check:
    """Solve a random sample of a store's deals by `Game.solve`, without the batch's kernels.

    Parameters
    ----------
    store:
        Open for reading.
    sample:
        How many deals; all of them when the store has fewer.
    on_progress:
        Called with 1 after each deal.

    Raises
    ------
    StoreError
        At the first deal whose verdict or score is not what the store says.
    """
    identity = store.identity()
    game, numbering = get_game(identity["game"]), get_numbering(identity["numbering"])
    rules = Rules(identity["rules"], identity["settings"])
    limits = Limits(identity["max_nodes"], identity["max_seconds"])
    scores = [name for name in store.column_names() if name != VERDICT]
    total = sum(span.count for span in store.covered())
    draw = random.Random(f"{_SEED} {total} {sample}")
    chosen = np.array(sorted(draw.sample(range(total), min(sample, total))), np.int64)
    replayed = before = 0
    columns = [store.column(name) for name in (VERDICT, *scores)]
    for parts in zip(*columns, strict=True):
        first, verdicts = parts[0]
        inside = chosen[(chosen >= before) & (chosen < before + len(verdicts))] - before
        before += len(verdicts)
        for index in inside.tolist():
            number = first + index
            solution = game.solve(game.deal(numbering, number, rules), rules, limits)
            held = {
                name: int(part[index]) for name, (_, part) in zip(scores, parts[1:], strict=True)
            }
            _compare(store, number, solution, int(verdicts[index]), held)
            replayed += solution.verdict is Verdict.WINNABLE
            on_progress(1)
    return Check(len(chosen), replayed)


def _compare(
    store: Store, number: int, solution: Solution, verdict: int, scores: dict[str, int]
) -> None:
    if UNKNOWN_CODE in (verdict, VERDICT_CODES.index(solution.verdict)):
        return
    found = {"verdict": solution.verdict.value}
    held = {"verdict": VERDICT_CODES[verdict].value}
    for name, score in scores.items():
        value = solution.score.get(name)
        found[name] = "none" if value is None else str(value)
        held[name] = "none" if score == NO_SCORE else str(score)
    if found != held:
        raise StoreError(f"{store.path} says {held} for deal {number}, but it is {found}.")
