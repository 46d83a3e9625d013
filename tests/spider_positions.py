"""Spider positions for tests, and the search's values of them in plain Python."""

import random

from winnable.deals import get_numbering
from winnable.games.spider import GAME
from winnable.games.spider import rules as plain
from winnable.games.spider.evaluation import BASE_VALUE
from winnable.games.spider.weights import TERMS

NAMES = plain.RULES.names


def deal(number, rules):
    """A deal of PySolFC."""
    return GAME.deal(get_numbering("pysol"), number, rules)


def points(name, stage):
    return next(term.points[stage] for term in TERMS if term.name == name)


def column_value(cards, hidden, stage):
    """What a column is worth, card by card."""
    value = run = runs = 0
    for i in range(hidden, len(cards)):
        rank = plain.rank_of(cards[i])
        if any(plain.rank_of(card) < rank for card in cards[:i]):
            value += points("above_lower", stage)
        if i > hidden and plain.is_run(cards[i - 1 : i + 1]):
            value += points("same_suit", stage) + points("run_length", stage) * run
            run += 1
            continue
        if i > hidden:
            under = plain.rank_of(cards[i - 1])
            value += points("off_suit" if under == rank + 1 else "broken", stage)
            value += points("rising", stage) if rank > under else 0
        run = 1
        runs += 1
    if not cards:
        return 0
    if hidden:
        return value + points("face_down", stage) * hidden
    if plain.rank_of(cards[0]) == plain.KING:
        return value + points("open_king", stage)
    return value + points("open", stage) // runs


def value(state, stage):
    """What a position is worth without noise."""
    empty = state.columns.count(())
    total = BASE_VALUE + points("finished", stage) * sum(state.finished)
    if empty:
        total += points("first_empty", stage) + points("further_empty", stage) * (empty - 1)
    return total + sum(
        column_value(cards, hidden, stage)
        for cards, hidden in zip(state.columns, state.hidden, strict=True)
    )


def end_of_game(seed, kept=2, moves=12, suits=(0, 1, 2, 3), rows=0):
    """A position in which few runs are left: complete ones, taken apart at random.

    kept: runs on the table, or in the stock as far as it has rows.
    """
    chance = random.Random(seed)
    chosen = [chance.choice(suits) for _ in range(kept)]
    cards = [card for suit in chosen for card in plain.complete_run(suit)]
    chance.shuffle(cards)
    cards, stock = cards[10 * rows :], cards[: 10 * rows]
    columns = [[] for _ in range(plain.COLUMN_COUNT)]
    for card in cards:
        columns[min(chance.randrange(moves), 9)].append(card)
    # Suits of the runs that have left are those of the game, so that all of them are there.
    gone = [0] * plain.SUIT_COUNT
    for i in range(plain.RUN_COUNT - kept):
        gone[suits[i % len(suits)]] += 1
    hidden = tuple(chance.randrange(len(column)) if column else 0 for column in columns)
    return plain.State(tuple(map(tuple, columns)), hidden, tuple(stock), tuple(gone))


def cut_runs(seed, kept=2, pieces=4, suits=(0, 1, 2, 3)):
    """A position with the last runs cut in pieces, which lie in the columns at random."""
    chance = random.Random(seed)
    chosen = [chance.choice(suits) for _ in range(kept)]
    parts = []
    for suit in chosen:
        cuts = [0, *sorted(chance.sample(range(1, plain.RANK_COUNT), pieces - 1)), plain.RANK_COUNT]
        run = plain.complete_run(suit)
        parts += [run[a:b] for a, b in zip(cuts, cuts[1:], strict=False)]
    chance.shuffle(parts)
    columns = [()] * plain.COLUMN_COUNT
    for i, part in enumerate(parts):
        columns[i % plain.COLUMN_COUNT] += part
    gone = [0] * plain.SUIT_COUNT
    for i in range(plain.RUN_COUNT - kept):
        gone[suits[i % len(suits)]] += 1
    return plain.State(tuple(columns), (0,) * plain.COLUMN_COUNT, (), tuple(gone))


def blocked(suits, seed=0, swaps=0):
    """A deal in which no card ever moves, then some pairs of its cards exchanged.

    The face-up row has odd ranks only, those of the stock even ones only: so no card fits on
    another one. No card of the first row of the stock makes a run with the one that it lies on.
    """
    chance = random.Random(seed)
    pack = [plain.make_card(r, suits[i % len(suits)]) for i in range(8) for r in range(13)]
    even = [card for card in pack if plain.rank_of(card) % 2 == 0]
    odd = [card for card in pack if plain.rank_of(card) % 2 == 1]
    chance.shuffle(even)
    chance.shuffle(odd)
    face_up, stock = odd[:10], even[:50]
    while any(map(plain.is_run, zip(face_up, stock[:10], strict=True))):
        chance.shuffle(stock)
        chance.shuffle(face_up)
    cards = [*odd[10:], *even[50:], *face_up, *stock]
    for _ in range(swaps):
        one, other = chance.sample(range(len(cards)), 2)
        cards[one], cards[other] = cards[other], cards[one]
    columns = [[] for _ in range(plain.COLUMN_COUNT)]
    # The last ten of these are the face-up ones.
    for i, card in enumerate(cards[:54]):
        columns[(i - 44) % plain.COLUMN_COUNT].append(card)
    return plain.dealt(columns, cards[54:])


def told_apart(state):
    """What two positions must have in common to count as one."""
    columns = list(zip(state.columns, state.hidden, strict=True))
    return tuple(columns if state.stock else sorted(columns)), state.stock


def reachable(state, rules, most):
    """All positions that can be reached, one for each that is told apart; None if too many."""
    seen, waiting = {told_apart(state): state}, [state]
    while waiting:
        at = waiting.pop()
        for move in plain.legal_moves(at, rules):
            after = plain.apply(at, move, rules)
            if told_apart(after) not in seen:
                if len(seen) == most:
                    return None
                seen[told_apart(after)] = after
                waiting.append(after)
    return list(seen.values())
