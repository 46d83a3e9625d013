"""Who wins small two-player games, found by the plain rules alone.

`value_with_history` plays out every game, with all of its past, and is exact by definition.
`value_of_graph` works on positions without their past, which is many times faster.
"""

from dataclasses import replace

from winnable.duel.position import HOUSE
from winnable.duel.rules import apply, legal_moves, position_key

# Python's stack allows for no longer games.
MOST_MOVES = 600


class TooManyError(Exception):
    """The game is too large for this."""


def value_with_history(state, variant, most):
    """The winner with best play, None for a draw; raises TooManyError beyond so many positions."""
    looked_at = 0

    def value(at, depth):
        nonlocal looked_at
        looked_at += 1
        if looked_at > most or depth > MOST_MOVES:
            raise TooManyError
        if at.outcome is not None:
            return at.outcome.winner
        best = 1 - at.mover
        for move in legal_moves(at, variant):
            found = value(apply(at, move, variant), depth + 1)
            if found == at.mover:
                return found
            if found is None:
                best = None
        return best

    return value(state, 0)


def bare(state, variant):
    """A position without its past."""
    key = frozenset([position_key(state, variant)])
    return replace(state, seen=key, starts=frozenset(), quiet=0)


def value_of_graph(state, variant, most):
    """The winner with best play, None for a draw; raises TooManyError beyond so many positions."""
    after, inside = all_positions(state, variant, most)
    root = position_key(state, variant)
    ways = {key: ways_out(key, after, inside) for key in after}
    for player in range(2):
        if root in forced(player, after, ways):
            return player
    return None


def all_positions(state, variant, most):
    """For every position that can be reached, by key: where its moves lead, within houses apart.

    The first dictionary has the mover and the set of all other following positions; a won position
    is the winner's number.
    """
    after, inside, waiting = {}, {}, [bare(state, variant)]
    while waiting:
        at = waiting.pop()
        key = position_key(at, variant)
        if key in after:
            continue
        if len(after) == most:
            raise TooManyError
        after[key], inside[key] = (at.mover, set()), set()
        for move in legal_moves(at, variant):
            following = apply(at, move, variant)
            if following.outcome is not None:
                after[key][1].add(following.outcome.winner)
                continue
            is_shift = move.source.startswith(HOUSE) and move.target.startswith(HOUSE)
            to = inside[key] if is_shift else after[key][1]
            to.add(position_key(following, variant))
            waiting.append(bare(following, variant))
    return after, inside


def ways_out(key, after, inside):
    """All moves that are open to the mover once he has moved cards between houses as he likes."""
    reached, waiting = {key}, [key]
    while waiting:
        for other in inside[waiting.pop()] - reached:
            reached.add(other)
            waiting.append(other)
    return set().union(*(after[other][1] for other in reached))


def forced(player, after, ways):
    """The positions from which a player forces a win, and his number for the won ones."""
    wins = {player}
    grows = True
    while grows:
        grows = False
        for key, (mover, _) in after.items():
            if key not in wins:
                does_win = ways[key] & wins if mover == player else ways[key] <= wins
                if does_win:
                    wins.add(key)
                    grows = True
    return wins
