"""The random numbers of players, and the cards that they can't see, dealt anew: kernels.

Each game of a deal has a generator of its own, begun by the deal's number and the number of the
game. So a game is the same however the deals are cut into chunks and whoever plays them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from winnable.arrays import LongArray
from winnable.deals.kernels.native import STEP, mix
from winnable.jit import inlined, kernel

# Keeps these numbers apart from those that shuffle deals.
_PLAYERS = np.uint64(0x706C617965727321)

# The square of how many standard errors by which a choice has to lead.
_CLEARLY = 1


@kernel
def begin(random: NDArray[np.uint64], number: np.uint64, game: int) -> None:
    """Start the generator for a game, counted from 0, of the deal with this number.

    random: uint64, shape (1,): SplitMix64's state.
    """
    random[0] = mix(mix(number ^ _PLAYERS) + np.uint64(game) * STEP)


@inlined
def draw(random: NDArray[np.uint64], bound: int) -> int:
    """A number below `bound`."""
    random[0] += STEP
    word = mix(random[0]) >> np.uint64(32)
    drawn: int = np.int64((word * np.uint64(bound)) >> np.uint64(32))
    return drawn


@kernel
def shuffle(cards: LongArray, count: int, random: NDArray[np.uint64]) -> None:
    """Shuffle the first `count` cards (Fisher and Yates), from their order of rank and suit.

    They are sorted before: what comes out must not depend on where the cards really lie.
    """
    for i in range(1, count):
        card = cards[i]
        k = i
        while k > 0 and cards[k - 1] > card:
            cards[k] = cards[k - 1]
            k -= 1
        cards[k] = card
    for last in range(count - 1, 0, -1):
        other = draw(random, last + 1)
        cards[last], cards[other] = cards[other], cards[last]


@inlined
def takes_the_lead(value: int, best: int, equals: int, random: NDArray[np.uint64]) -> bool:
    """Whether a choice replaces the best so far, each of `equals` equal ones as likely.

    equals: how many choices there were of this value, this one counted, when it equals the best.
    """
    return value > best or (value == best and draw(random, equals) == 0)


@kernel
def clearly_best(first: int, gains: LongArray, squares: LongArray) -> int:
    """The choice with the highest gain over the first one, if that is no matter of chance.

    Playouts are few and choices differ little, so that the best of several is mostly the luckiest:
    to follow it would be worse than to play greedily. A choice has to lead by a standard error.

    gains, squares: int64, one a choice: the sum of its gains, game by game, and of their squares.
    """
    best, best_gain = first, 0
    for choice in range(len(gains)):
        gain = gains[choice]
        if gain > best_gain and gain * gain > _CLEARLY * squares[choice]:
            best, best_gain = choice, gain
    return best
