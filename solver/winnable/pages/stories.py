"""From a game's answer to the story that a page tells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from winnable.duel.position import Move, State
from winnable.duel.rules import apply
from winnable.duel.tables import Variant
from winnable.games.base import Game, Solution, Verdict
from winnable.games.ruleset import Rules
from winnable.pages.replay import Story
from winnable.pages.tables import duel

# Game of one player -> the module of its table.
TABLES = {
    "tripeaks": "winnable.pages.tables.tripeaks",
    "canfield": "winnable.pages.tables.canfield",
    "spider": "winnable.pages.tables.spider",
}


def solution_story(
    game: Game[Any],
    rules: Rules,
    deal: Any,
    title: str,
    solution: Solution,
    remarks: Sequence[str] = (),
) -> Story:
    """The solution of a deal or, where it is not won, the best line that was found, or the deal.

    Parameters
    ----------
    title: what the page is about.
    solution: the answer; its moves are replayed by the plain rules.
    remarks: what is to be said of it besides the verdict.
    """
    table = import_module(TABLES[game.name])
    moves = solution.moves if solution.moves is not None else solution.best_moves
    replay = game.replay(deal, rules, moves or ())
    assert replay.problem is None
    assert replay.won or solution.verdict is not Verdict.WINNABLE
    return Story(
        title,
        [solution.verdict.value, *remarks],
        table.layout(replay.states[0]),
        [table.heaps(state) for state in replay.states],
        [step.words for step in replay.steps],
        "Won." if replay.won else "This is as far as the line goes.",
    )


def duel_story(
    start: State, variant: Variant, title: str, facts: Sequence[str], moves: Iterable[Move]
) -> Story:
    """A game of two players from a position on.

    Raises
    ------
    InputError
        For a move that is not legal.
    """
    state = start
    positions, words = [duel.heaps(state)], []
    for move in moves:
        words.append(duel.in_words(move, state))
        state = apply(state, move, variant)
        positions.append(duel.heaps(state))
    return Story(title, facts, duel.layout(start), positions, words, duel.ending(state))
