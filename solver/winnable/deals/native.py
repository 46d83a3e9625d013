"""The numbering `winnable`: SplitMix64, Lemire's bounded draw, Fisher and Yates' shuffle.

It is fixed for ever. ``docs/numbering.md`` defines it with test vectors.

Sources: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators" (2014);
D. Lemire, "Fast random integer generation in an interval" (2019); the FNV-1a hash by G. Fowler,
L. C. Noll and K.-P. Vo.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from winnable.cards import PACK_SIZE, Card

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TWO_32 = 2**32
_TWO_64 = 2**64


def game_tag(game: str) -> int:
    """The 64-bit FNV-1a hash of a game's name, which gives each game its own shuffles."""
    tag = 0xCBF29CE484222325
    for byte in game.encode("ascii"):
        tag = (tag ^ byte) * 0x100000001B3 % _TWO_64
    return tag


def shuffled_pack(number: int, game: str) -> list[Card]:
    """The 52 cards of a deal in dealing order; `number` is 0 to 2**64 - 1."""
    return _shuffled(list(range(PACK_SIZE)), number, game)


def shuffled_double_pack(number: int, game: str) -> list[Card]:
    """The 104 cards of a deal of two packs in dealing order; `number` is 0 to 2**64 - 1."""
    return _shuffled(2 * list(range(PACK_SIZE)), number, game)


def _shuffled(cards: list[Card], number: int, game: str) -> list[Card]:
    words = _words(_mix(number) ^ game_tag(game))
    for last in range(len(cards) - 1, 0, -1):
        other = _draw(words, last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def _mix(z: int) -> int:
    """SplitMix64's finaliser: a permutation of the 64-bit integers."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % _TWO_64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % _TWO_64
    return z ^ (z >> 31)


def _words(state: int) -> Iterator[int]:
    """The endless stream of 32-bit words that starts from this state."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) % _TWO_64
        yield from divmod(_mix(state), _TWO_32)


def _draw(words: Iterator[int], bound: int) -> int:
    """An integer from 0 to bound - 1, each exactly as likely as the others."""
    while True:
        result, low = divmod(next(words) * bound, _TWO_32)
        if low >= _TWO_32 % bound:
            return result


def fill_packs(first: int, game: str, packs: NDArray[np.uint8]) -> None:
    """Write deals `first`, `first` + 1, ... into the rows of a uint8 array, shape (n, 52)."""
    import numpy as np

    from winnable.deals.kernels import native

    native.fill_packs(np.uint64(first), np.uint64(game_tag(game)), packs)
