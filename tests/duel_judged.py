"""Compares `judge` with plain exhaustive play.

Run it for long: ``python tests/duel_judged.py 1000 4000 0`` compares that many decks of up to so
many positions each, from that number on.
"""

import sys
import time
from collections import Counter

from duel_agreement import WINNABLE, settings_of
from plain_duel import TooManyError, value_of_graph

from winnable.duel.deal import numbered_deal
from winnable.duel.judge import Standing, judge
from winnable.duel.position import standing
from winnable.duel.rules import apply
from winnable.duel.tables import RUSSIAN_BANK, ZANK, Size, variant_of

# Some of them, with many cards in reserve, have draws.
DECKS = [
    (RUSSIAN_BANK, Size(3, 2, 2, 1)),
    (RUSSIAN_BANK, Size(2, 4, 4, 2)),
    (RUSSIAN_BANK, Size(4, 2, 2, 2)),
    (RUSSIAN_BANK, Size(3, 3, 2, 3)),
    (RUSSIAN_BANK, Size(4, 2, 4, 3)),
    (RUSSIAN_BANK, Size(5, 2, 2, 8)),
    (RUSSIAN_BANK, Size(8, 1, 2, 6)),
    (ZANK, Size(4, 1, 2, 2)),
    (ZANK, Size(2, 2, 2, 3)),
    (ZANK, Size(4, 2, 2, 6)),
    (ZANK, Size(8, 1, 2, 6)),
    (ZANK, Size(9, 1, 2, 8)),
]


def variants_of(game, size):
    """The rules that can be judged, the standard ones first, in a fixed order."""
    variants = [variant_of(game, size=size)]
    for changes in settings_of(game)[::7]:
        if "redeal=shuffle" in changes or "stop=called" in changes:
            continue
        if any(f"face-down-rows={rows}" in changes for rows in (1, 2)):
            continue
        variants.append(variant_of(game, changes=changes, size=size))
    return variants


def expected(state, value):
    """The verdict for a winner by number, None for a draw."""
    if value is None:
        return Standing.DRAW
    return Standing.FIRST if value == state.starter else Standing.SECOND


def check(state, variant, most):
    """Whether the two agree; the verdict, or None when the deck is too large."""
    try:
        value = value_of_graph(state, variant, most)
    except TooManyError:
        return None
    found = judge(state, variant)
    assert found.standing is expected(state, value), (variant, state)
    if found.moves is not None:
        for move in found.moves:
            state = apply(state, move, variant)
        assert standing(state) == found.standing.value
    return found.standing.value


def main(wanted, most, number):
    """Decks of all sizes and rules by turns."""
    seen, compared = Counter(), 0
    started = time.process_time()
    while compared < wanted:
        for game, size in DECKS:
            variants = variants_of(game, size)
            variant = variants[number % len(variants)]
            verdict = check(numbered_deal(WINNABLE, number, variant), variant, most)
            seen[game, verdict or "too large"] += 1
            compared += verdict is not None
        number += 1
        if number % 10 == 0:
            seconds = time.process_time() - started
            sys.stdout.write(f"{compared} decks, next {number}, {seconds:.0f} s {dict(seen)}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{compared} decks: all the same. {dict(seen)}\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
