"""Exhaustive search of Canfield in plain Python, to be compared with the compiled solvers.

Every position that can be reached is visited once; nothing is pruned, and only the order of the
columns is forgotten. Moves are generated here once more, on tuples instead of `rules.State`, an
order of magnitude faster; `test_plain_search.py` compares them with the rules move by move.
"""

from itertools import product
from random import Random
from typing import NamedTuple

from winnable.cards import PACK_SIZE
from winnable.games.canfield.rules import (
    MOVE,
    RULES,
    UP,
    State,
    apply,
    cards_up,
    is_won,
    legal_moves,
    start,
)


class Outcome(NamedTuple):
    """What a search found.

    winnable: whether all cards come up, None when the search was cut off before that was known.
    best: the most cards on the foundations in any position seen; exact unless cut off.
    positions: how many different positions were seen.
    """

    winnable: bool | None
    best: int
    positions: int


def canonical(state):
    """A position without the order of its columns: (up, reserve, columns, stock, waste)."""
    columns = tuple(sorted(state.columns))
    return tuple(state.foundations), state.reserve, columns, state.stock, state.waste


def colour(card):
    return card % 4 in (1, 2)


def successors(position, base, settings):
    """Every position that one move leads to; some come more than once."""
    up, reserve, columns, stock, waste = position
    if stock:
        packet = int(settings["draw"])
        yield up, reserve, columns, stock[packet:], waste + stock[:packet]
    elif waste and settings["redeals"] == "unlimited":
        yield up, reserve, columns, waste, ()

    if waste:
        rest = up, reserve, columns, stock, waste[:-1]
        yield from to_foundation(waste[-1], rest, base)
        yield from to_columns(waste[-1:], None, rest, base, settings, may_fill=True)
    may_fill = settings["fill"] == "any"
    if reserve:
        rest = up, reserve[:-1], columns, stock, waste
        yield from to_foundation(reserve[-1], rest, base)
        yield from to_columns(reserve[-1:], None, rest, base, settings, may_fill)
    for number, column in enumerate(columns):
        for cut in range(len(column)):
            kept = (*columns[:number], column[:cut], *columns[number + 1 :])
            rest = up, reserve, kept, stock, waste
            if cut == len(column) - 1:
                yield from to_foundation(column[cut], rest, base)
            if (
                settings["moves"] == "any-run"
                or cut == 0
                or (settings["moves"] == "whole-or-top" and cut == len(column) - 1)
            ):
                yield from to_columns(column[cut:], number, rest, base, settings, may_fill)
    if settings["return"] == "yes":
        for suit in range(4):
            if up[suit] > 1:
                card = 4 * ((base + up[suit] - 1) % 13) + suit
                lower = (*up[:suit], up[suit] - 1, *up[suit + 1 :])
                rest = lower, reserve, columns, stock, waste
                yield from to_columns((card,), None, rest, base, settings, may_fill)


def to_foundation(card, rest, base):
    up, reserve, columns, stock, waste = rest
    suit = card % 4
    if up[suit] < 13 and card // 4 == (base + up[suit]) % 13:
        higher = (*up[:suit], up[suit] + 1, *up[suit + 1 :])
        yield filled(higher, reserve, columns, stock, waste)


def to_columns(run, origin, rest, base, settings, may_fill):
    """Put cards on every other column that takes them; `origin` is the column they left."""
    up, reserve, columns, stock, waste = rest
    card = run[0]
    for number, column in enumerate(columns):
        if number == origin:
            continue
        if column:
            end = column[-1]
            takes = colour(end) != colour(card) and (card // 4 + 1) % 13 == end // 4
            if settings["wrap"] == "base" and end // 4 == base:
                takes = False
        else:
            takes = may_fill
        if takes:
            after = (*columns[:number], column + run, *columns[number + 1 :])
            yield filled(up, reserve, after, stock, waste)


def filled(up, reserve, columns, stock, waste):
    if reserve and () in columns:
        columns = [column or (reserve[-1],) for column in columns]
        reserve = reserve[:-1]
    return up, reserve, tuple(sorted(columns)), stock, waste


def search(state, rules, max_positions=None):
    """Visit every position that can be reached until one is won, the most cards up first.

    The state is a position in which play begins or goes on: `start` is applied to it.
    """
    state = start(state, rules)
    first = canonical(state)
    seen = {first}
    # By the number of cards up: only a win is found sooner by the order, nothing is left out.
    unfinished = [[] for _ in range(PACK_SIZE + 1)]
    unfinished[cards_up(state)].append(first)
    best = level = cards_up(state)
    while level >= 0:
        if not unfinished[level]:
            level -= 1
            continue
        position = unfinished[level].pop()
        for after in successors(position, state.base, rules.settings):
            if after not in seen:
                seen.add(after)
                up = sum(after[0])
                unfinished[up].append(after)
                level = max(level, up)
        best = max(best, level)
        if best == PACK_SIZE:
            return Outcome(True, best, len(seen))
        if max_positions is not None and len(seen) > max_positions:
            return Outcome(None, best, len(seen))
    return Outcome(False, best, len(seen))


def positions_after(state, rules, depth):
    """How many different positions exist after 1, 2, ... `depth` moves, by the rules alone."""
    level = {canonical(start(state, rules)): start(state, rules)}
    counts = []
    for _ in range(depth):
        reached = [apply(s, m, rules) for s in level.values() for m in legal_moves(s, rules)]
        level = {canonical(s): s for s in reached}
        counts.append(len(level))
    return counts


def random_play(state, rules, seed, longest=120, cards_first=0.8):
    """The positions of a random game: [(position, move made in it or None at the end)].

    With probability `cards_first` a card goes up or to a column when one can, so that games get
    somewhere; cards come down with the rest.
    """
    random = Random(seed)
    state = start(state, rules)
    history = []
    while len(history) < longest and not is_won(state) and (moves := legal_moves(state, rules)):
        first = [move for move in moves if move.kind in (UP, MOVE)]
        move = random.choice(first if first and random.random() < cards_first else moves)
        history.append((state, move))
        state = apply(state, move, rules)
    history.append((state, None))
    return history


def late_position(seed, left=(14, 30)):
    """A random position with few cards left off the foundations, legal under every rule set.

    Reserve, columns, stock and waste share the cards that are left at random. Nothing lies on a
    base-rank card, and no column is empty while the reserve has cards.
    """
    random = Random(seed)
    base = random.randrange(13)
    count = random.randint(*left)
    # One or two suits miss most cards, often all of them: with base-rank cards in play, with
    # uneven foundations and a deep reserve more positions are lost, and rules differ more.
    weights = random.choice(((1, 0, 0, 0.1), (1, 1, 0, 0.05), (1, 1, 0.2, 0.2), (1, 1, 1, 1)))
    weights = [weight + 0.01 for weight in random.sample(weights, 4)]
    up = [13] * 4
    for _ in range(count):
        suits = [suit for suit in range(4) if up[suit] > 0]
        up[random.choices(suits, [weights[suit] for suit in suits])[0]] -= 1
    cards = [4 * ((base + i) % 13) + suit for suit in range(4) for i in range(up[suit], 13)]
    random.shuffle(cards)
    deepest = min(13, len(cards) - 4)
    reserve = [cards.pop() for _ in range(random.choice((0, random.randint(0, deepest))))]
    roots = 4 if reserve else random.randint(0, 4)
    columns = [[cards.pop()] if number < roots else [] for number in range(4)]
    pool = []
    for card in cards:
        hosts = [
            column
            for column in columns
            if column
            and colour(column[-1]) != colour(card)
            and (card // 4 + 1) % 13 == column[-1] // 4 != base
        ]
        if hosts and random.random() < 0.7:
            random.choice(hosts).append(card)
        else:
            pool.append(card)
    turned = random.choice((0, 0, random.randint(0, len(pool))))
    return State(
        base,
        tuple(up),
        tuple(reserve),
        tuple(map(tuple, columns)),
        tuple(pool[turned:]),
        tuple(pool[:turned]),
    )


def single_changes():
    """The rules of every rule set with any one parameter changed, without repetition."""
    rows = {}
    for name, parameter in product(RULES.names, RULES.parameters):
        for value in parameter.values:
            rules = RULES.resolve(name, [f"{parameter.name}={value}"])
            rows[tuple(rules.settings.items())] = rules
    return list(rows.values())
