"""A player as kernels read it, and the results of its games."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from winnable.arrays import LongArray
from winnable.jit import inlined
from winnable.players.kernels.chance import draw

# Kinds of players, in the order of the table; what is none of the first three looks ahead.
RANDOM_KIND, CASUAL_KIND, GREEDY_KIND, LOOK_AHEAD_KIND = range(4)
# The move of a player who gives the game up.
GIVES_UP = -1


class Chooser(NamedTuple):
    """A player.

    kind: one of these.
    playouts, slips: see `winnable.players.kinds.Player`.
    """

    kind: int
    playouts: int
    slips: int


class Tally(NamedTuple):
    """What the games of each deal came to, arrays of shape (n,).

    wins: how many were won. scores, moves: sums over the deal's games.
    undone: the sum of what was left undone, of which difficulty is made: see `levels`.
    """

    wins: LongArray
    scores: LongArray
    undone: LongArray
    moves: LongArray


class Chance(NamedTuple):
    """random: uint64, shape (1,): the generator. stop: int64, shape (1,): 1 to give up at once."""

    random: NDArray[np.uint64]
    stop: LongArray


def empty_tally(deals: int) -> Tally:
    """Room for the results of so many deals."""
    return Tally(*np.zeros((4, deals), np.int64))


def fresh_chance() -> Chance:
    """A generator, to be begun for each game."""
    return Chance(np.zeros(1, np.uint64), np.zeros(1, np.int64))


@inlined
def moves_at_random(chooser: Chooser, chance: Chance) -> bool:
    """Whether a player makes any move now: the random one always, the casual one when he slips."""
    slips = chooser.kind == CASUAL_KIND and draw(chance.random, chooser.slips) == 0
    return slips or chooser.kind == RANDOM_KIND
