"""Plays kernels and plain rules against each other.

Run it for long: ``python tests/duel_agreement.py 100000`` makes that many random moves.
"""

import random
import sys
from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np

from winnable.deals import NUMBERINGS
from winnable.duel import convert, engine
from winnable.duel import moves as coded
from winnable.duel import rules as plain
from winnable.duel.deal import numbered_deal
from winnable.duel.tables import RULE_TABLES, RUSSIAN_BANK, ZANK, Size, variant_of

WINNABLE = NUMBERINGS["winnable"]
# The whole decks, and small ones, in which piles run empty and positions recur.
SIZES = (Size(), Size(ranks=6, suits=4, houses=4, reserve=5), Size(4, 2, 2, 2), Size(5, 3, 4, 0))


def settings_of(game):
    """Every combination of the game's rule parameters, as lists of ``key=value``."""
    parameters = RULE_TABLES[game].parameters
    choices = [[f"{row.name}={value}" for value in row.values] for row in parameters]
    return [list(changes) for changes in product(*choices)]


def all_variants(shift=0):
    """Every combination of rules with one of the sizes; other shifts give it the other ones."""
    variants = []
    for game in (RUSSIAN_BANK, ZANK):
        for number, changes in enumerate(settings_of(game)):
            # The last two parameters alone would settle number % 4.
            size = SIZES[(number + number // 4 + shift) % len(SIZES)]
            if size == SIZES[2] and "face-down-rows=2" in changes:
                size = SIZES[1]
            variants.append(variant_of(game, changes=changes, size=size))
    return variants


def without_past(state):
    """A position without what only the plain rules keep of the past."""
    fault = None if state.fault is None else without_past(state.fault)
    return replace(state, seen=frozenset(), starts=frozenset(), fault=fault)


def kernel_moves(table, codes):
    """The legal moves of a table, as the plain rules write them."""
    buffer = np.zeros(coded.MAX_MOVES, np.int64)
    count = engine.legal_moves(table, codes, buffer)
    return [convert.move_of(code) for code in buffer[:count].tolist()]


def check_same(state, table, variant, codes):
    """That plain rules and kernels agree about a position; return its legal moves."""
    assert convert.state_of(table, variant) == without_past(state)
    moves = plain.legal_moves(state, variant)
    listed = kernel_moves(table, codes)
    assert len(listed) == len(set(listed))
    assert sorted(listed) == sorted(moves), (state, variant)
    return moves


def restless(moves, chance):
    """One of the moves, more often than not one that goes on with the turn."""
    going_on = [move for move in moves if move not in (plain.DISCARD, plain.PASS)]
    return chance.choice(going_on if going_on and chance.random() < 0.5 else moves)


def play_one(variant, seed, max_moves):
    """Play a game at random in both; return the moves made and the last position."""
    chance = random.Random(seed)
    codes = convert.codes_of(variant)
    state = numbered_deal(WINNABLE, seed, variant)
    table = convert.table_of(state, variant)
    made = 0
    while made < max_moves:
        moves = check_same(state, table, variant, codes)
        if not moves:
            break
        move = restless(moves, chance)
        state = plain.apply(state, move, variant)
        engine.play(table, codes, convert.code_of(move))
        made += 1
    fresh = table.words.copy()
    with np.errstate(over="ignore"):
        engine.set_keys(table.cells, fresh)
    assert (fresh == table.words).all()
    return made, state


def main(wanted):
    """Random games over all variants until so many moves were compared."""
    made, games, rounds, endings = 0, 0, 0, Counter()
    while made < wanted:
        variants = all_variants(shift=rounds)
        # Zank-Patience has few combinations: as many games as of the other game's half.
        variants += 11 * [variant for variant in variants if variant.game == ZANK]
        for variant in variants:
            count, state = play_one(variant, games, 400)
            made += count
            games += 1
            endings[variant.game, state.outcome.ending.value if state.outcome else "cut off"] += 1
        rounds += 1
    sys.stdout.write(f"{made} moves in {games} games: all the same. {dict(endings)}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
