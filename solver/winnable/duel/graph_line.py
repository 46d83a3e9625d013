"""A way through a graph of positions as moves of a game, found and checked by the plain rules.

Importing this module imports numba.
"""

from __future__ import annotations

from collections.abc import Iterable

from winnable.duel import convert
from winnable.duel.position import Move, State
from winnable.duel.position_graph import Graph, number_of
from winnable.duel.rules import apply, legal_moves
from winnable.duel.tables import Variant
from winnable.errors import InputError


def check_known(variant: Variant) -> None:
    """Refuse rules under which a position's future does not follow from its cards and moves alone.

    Raises InputError for shuffled wastes, and for faults that the opponent may or may not see.
    """
    if variant.says("redeal") == "shuffle":
        raise InputError(
            "With redeal=shuffle the order of the cards to come is not known: give "
            "redeal=turn-over to search through games to their ends."
        )
    if variant.are_faults_called:
        raise InputError(
            "With stop=called it depends on what the opponent sees: give stop=enforced to search "
            "through games to their ends."
        )


def moves_along(
    graph: Graph, numbers: Iterable[int], start: State, variant: Variant
) -> tuple[tuple[Move, ...], State]:
    """The moves of a game through numbered positions.

    Parameters
    ----------
    graph: where the positions have their numbers.
    numbers: those that follow the start, in order.
    start: the first position.

    Returns
    -------
    The moves up to the last position or to an end of the game that comes before it by a draw, and
    the position after them.
    """
    moves = []
    state = start
    for number in numbers:
        if state.outcome is not None:
            break
        for move in legal_moves(state, variant):
            following = apply(state, move, variant)
            if _number(graph, following, variant) == number:
                break
        else:
            raise AssertionError("the graph has a move that the plain rules don't have")
        moves.append(move)
        state = following
    return tuple(moves), state


def _number(graph: Graph, state: State, variant: Variant) -> int:
    """The number of a position, also of a drawn one, `NONE` if it has none."""
    if state.outcome is not None and state.outcome.winner is not None:
        return state.outcome.winner
    table = convert.table_of(state, variant)
    return int(number_of(graph, table.cells, table.words))
