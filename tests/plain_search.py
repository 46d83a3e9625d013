"""Exhaustive search of Tri-Peaks in plain Python, to be compared with the compiled solver.

It goes through the stock card by card and holds every (tableau, rank on the waste) that can be
there with just so many stock cards turned. Nothing is pruned; so it is slow, but hard to get wrong.
"""

from functools import cache
from itertools import product
from random import Random

from winnable.cards import RANK_COUNT, rank_of
from winnable.games.tripeaks.rules import (
    COVERED_BY,
    TABLEAU_SIZE,
    Move,
    State,
    apply,
    are_neighbours,
    is_won,
    legal_moves,
    start,
)

# In place of a rank: the waste is empty.
EMPTY = RANK_COUNT
COVERS = tuple(sum(1 << above for above in places) for places in COVERED_BY)


def mask_of(state):
    """The tableau as bits: bit p is set while place p holds a card."""
    return sum(1 << place for place, card in enumerate(state.tableau) if card is not None)


@cache
def open_places(mask):
    return tuple(p for p in range(TABLEAU_SIZE) if mask >> p & 1 and not mask & COVERS[p])


def positions(state, rules):
    """Every position that can be reached, in order of the stock cards turned.

    Yields (stock cards turned, positions, plays) once for each number of turned cards. Positions
    are a set of (mask, rank on the waste); plays a set of (mask, place played from it).
    """
    state = start(state, rules)
    ranks = [None if card is None else rank_of(card) for card in state.tableau]
    fits = [
        [r is not None and are_neighbours(top, r, rules) for r in ranks]
        for top in range(RANK_COUNT)
    ]
    fits.append([True] * TABLEAU_SIZE)
    top = rank_of(state.waste[-1]) if state.waste else EMPTY
    found = {(mask_of(state), top)}
    plays = set()
    for turned in range(state.stock_turned, state.stock_turned + len(state.stock) + 1):
        unfinished = list(found)
        while unfinished:
            mask, top = unfinished.pop()
            fitting = fits[top]
            for place in open_places(mask):
                if fitting[place]:
                    plays.add((mask, place))
                    after = (mask ^ 1 << place, ranks[place])
                    if after not in found:
                        found.add(after)
                        unfinished.append(after)
        yield turned, found, plays
        if turned < state.stock_turned + len(state.stock):
            card = rank_of(state.stock[turned - state.stock_turned])
            found = {(mask, card) for mask, _ in found}
            plays = set()


def fewest_turned(state, rules):
    """The fewest stock cards turned in a won game, None when the position is lost."""
    for turned, found, _ in positions(state, rules):
        if any((0, top) in found for top in range(RANK_COUNT + 1)):
            return turned
    return None


def playable(state, rules):
    """Each (mask, place) that can be played, with the fewest stock cards turned by then."""
    fewest = {}
    for turned, _, plays in positions(state, rules):
        for play in plays:
            fewest.setdefault(play, turned)
    return fewest


def positions_after(state, rules, depth):
    """How many different positions exist after 1, 2, ... `depth` moves, by `rules` alone."""
    level = {start(state, rules)}
    counts = []
    for _ in range(depth):
        reached = [apply(s, move, rules) for s in level for move in legal_moves(s, rules)]
        # Only the top of the waste matters for what comes.
        level = {State(s.tableau, s.stock, s.waste[-1:]) for s in reached}
        counts.append(len(level))
    return counts


def random_play(state, rules, seed, plays_first=0.7):
    """The positions of a random game: [(position, move made in it or None at the end)].

    With probability `plays_first` a card is played when one can be, so that games go deep.
    """
    random = Random(seed)
    state = start(state, rules)
    history = []
    while moves := legal_moves(state, rules):
        if is_won(state):
            break
        plays = [move for move in moves if move.kind == "play"]
        pool = plays if plays and random.random() < plays_first else moves
        move: Move = random.choice(pool)
        history.append((state, move))
        state = apply(state, move, rules)
    history.append((state, None))
    return history


def closed_masks():
    """Every mask in which no card lies on an empty place, by trying all peaks and rows naively."""
    rows = ((0, 3), (3, 9), (9, 18), (18, 28))
    masks = {0}
    for first, end in reversed(rows):
        masks = {
            below | sum(bit << first + i for i, bit in enumerate(bits))
            for below in masks
            for bits in product((0, 1), repeat=end - first)
            if all(bit or not below & COVERS[first + i] for i, bit in enumerate(bits))
        }
    return masks
