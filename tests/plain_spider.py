"""Spider positions for tests: written short, dealt at random, near the end, along random play."""

from collections import Counter
from random import Random

from winnable.cards import make_card, parse_card, suit_of
from winnable.games.spider.rules import (
    COLUMN_COUNT,
    DEAL,
    RUN_COUNT,
    SUITS_IN_PLAY,
    State,
    apply,
    complete_run,
    dealt,
    is_complete,
    is_run,
    is_won,
    legal_moves,
    start,
)

SUIT_COUNTS = list(SUITS_IN_PLAY)


def cards(text):
    return tuple(parse_card(word) for word in text.split())


def position(columns, stock="", finished=(0, 0, 0, 0)):
    """A position of columns such as "3D | 8H 7H", the rest of the ten empty. Not all 104 cards."""
    columns = [*columns, *[""] * (COLUMN_COUNT - len(columns))]
    hidden = tuple(
        len(cards(column.partition("|")[0])) if "|" in column else 0 for column in columns
    )
    together = tuple(cards(column.replace("|", " ")) for column in columns)
    return State(together, hidden, cards(stock), finished)


def deck(suits):
    """The 104 cards of a game of so many suits, "4", "2" or "1"."""
    in_play = SUITS_IN_PLAY[suits]
    one_pack = [make_card(rank, suit) for rank in range(13) for suit in in_play]
    return one_pack * (RUN_COUNT // len(in_play))


def all_cards(state):
    """Every card of a position, those of finished runs too."""
    on_table = [card for pile in (*state.columns, state.stock) for card in pile]
    gone = [card for suit, n in enumerate(state.finished) for card in n * complete_run(suit)]
    return Counter(on_table + gone)


def random_deal(seed, suits):
    """A layout of shuffled cards, columns 1 to 4 with six."""
    pack = deck(suits)
    Random(seed).shuffle(pack)
    return dealt([pack[column:54:COLUMN_COUNT] for column in range(COLUMN_COUNT)], pack[54:])


def late_position(seed, suits):
    """A random position in which one to four runs are left, in pieces on columns and stock."""
    random = Random(seed)
    while True:
        state = _pieces(random, suits)
        if not any(is_complete(cards) for cards in _windows(state)):
            return state


def _pieces(random, suits):
    """One draw of `late_position`, in which a run may be complete by chance."""
    in_play = SUITS_IN_PLAY[suits]
    runs = list(in_play) * (RUN_COUNT // len(in_play))
    random.shuffle(runs)
    left = random.randint(1, 4)
    pieces = []
    for suit in runs[:left]:
        run = complete_run(suit)
        while run:
            length = random.choice((1, 1, 2, 3, 5, 8))
            pieces.append(run[:length])
            run = run[length:]
    random.shuffle(pieces)
    rows = random.randint(0, min(2, 13 * left // 20))
    stock = []
    while len(stock) < 10 * rows:
        stock += pieces.pop()
    columns = [[] for _ in range(COLUMN_COUNT)]
    used = random.randint(4, COLUMN_COUNT)
    for piece in [*pieces, stock[10 * rows :]]:
        columns[random.randrange(used)] += piece
    hidden = [random.choice((0, 0, min(2, max(0, len(column) - 1)))) for column in columns]
    finished = tuple(runs[left:].count(suit) for suit in range(4))
    return State(tuple(map(tuple, columns)), tuple(hidden), tuple(stock[: 10 * rows]), finished)


def _windows(state):
    """Every thirteen face-up cards that lie together in a column."""
    for column, hidden in zip(state.columns, state.hidden, strict=True):
        for place in range(hidden, len(column) - 12):
            yield column[place : place + 13]


def random_play(state, rules, seed, longest=120, joins_first=0.8):
    """The positions of a random game: [(position, move made in it or None at the end)].

    With probability `joins_first` a move is made that joins cards of one suit, if there is one, so
    that games get somewhere; most deals are put off as long as cards can be moved.
    """
    random = Random(seed)
    state = start(state, rules)
    history = []
    while len(history) < longest and not is_won(state) and (moves := legal_moves(state, rules)):
        joins = [move for move in moves if joins_suit(state, move)]
        if joins and random.random() < joins_first:
            moves = joins
        move = random.choice(moves)
        history.append((state, move))
        state = apply(state, move, rules)
    history.append((state, None))
    return history


def joins_suit(state, move):
    """Whether a move puts a run on a card of its own suit, and not just the end of a longer one."""
    if move.kind == DEAL or not state.columns[move.target]:
        return False
    column = state.columns[move.source]
    is_whole_run = not is_run(column[-move.size - 1 :]) or move.size == len(column)
    return is_whole_run and suit_of(state.columns[move.target][-1]) == suit_of(column[-1])
