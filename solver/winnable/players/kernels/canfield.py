"""Players of Canfield: kernels.

A player sees the columns, the foundations, the top card of the reserve and each card that is
turned, all three of a packet, and remembers where in the waste it lies: from the second pass on he
knows the stock. What he can't see is the order of the reserve below its top card and of the stock
cards that were never turned; which cards these are together he knows.

No player puts foundation cards back to columns, and none moves a whole column to an empty place.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from winnable.arrays import ByteArray, LongArray
from winnable.cards import PACK_SIZE, RANK_COUNT, SUIT_COUNT
from winnable.jit import inlined, kernel
from winnable.players.kernels.chance import begin, clearly_best, draw, shuffle, takes_the_lead
from winnable.players.kernels.chooser import (
    GIVES_UP,
    LOOK_AHEAD_KIND,
    Chance,
    Chooser,
    Tally,
    moves_at_random,
)

COLUMN_COUNT = 4
RESERVE_SIZE = 13
STOCK_SIZE = 34
# Values of the parameter `moves`.
ANY_RUN, WHOLE, WHOLE_OR_TOP = range(3)

# A move is kind << 14 | source << 10 | target << 6 | cards; columns are sources and targets 0 to 3.
TURN, REDEAL, UP, MOVE = range(4)
KIND, SOURCE, TARGET = 14, 10, 6
FROM_RESERVE, FROM_WASTE = 4, 5
# More than any position has.
MOST_MOVES = 128

# What a table counts. LEFT: cards of stock and waste; WASTE: those of the waste; UNSEEN: those at
# the end of the stock that were never turned. PLAYED: whether a card has gone from reserve or waste
# or up since the waste was turned over. IDLE: moves since one did, or the stock was turned.
# NEXT_UP: bits of the cards that the foundations take next.
BASE, RESERVE, LEFT, WASTE, UNSEEN, PLAYED, IDLE, CARDS_UP, NEXT_UP = range(9)
# A game ends when a whole pass through the stock has brought nothing, and when so many moves of
# columns have: a player who plays at random may go on moving for ever.
_MOST_IDLE = 50

# The greedy player's liking for moves, falling; what is not liked at all he leaves undone.
_RESERVE_UP, _COLUMN_UP, _WASTE_UP = 100, 90, 80
_RESERVE_DOWN, _FREES, _JOINS, _WASTE_DOWN, _WASTE_TO_EMPTY = 70, 60, 50, 40, 30
_TO_STOCK, _NOT_LIKED = 10, 0

RED = (1, 2)
# For each card the bits of those that go on it: one lower in the other colour, a king on an ace.
CARRIED = np.array(
    [
        sum(
            1 << ((rank - 1) % RANK_COUNT * SUIT_COUNT + other)
            for other in range(SUIT_COUNT)
            if (other in RED) != (suit in RED)
        )
        for rank in range(RANK_COUNT)
        for suit in range(SUIT_COUNT)
    ],
    np.int64,
)


class Rules(NamedTuple):
    """The rule parameters.

    full_wrap, fill_from_waste, unlimited: 1 where the rules say so.
    moves: `ANY_RUN`, `WHOLE` or `WHOLE_OR_TOP`.
    draw, opening: how many cards are turned at a time, and at the start.
    """

    full_wrap: int
    moves: int
    fill_from_waste: int
    draw: int
    unlimited: int
    opening: int


class Table(NamedTuple):
    """A position.

    columns: int64, shape (4, 52). sizes: int64, shape (4,).
    reserve: int64, shape (13,): the last card on top.
    deck: int64, shape (34,): the waste, its top card last, and then the stock, the next card first.
    up: int64, shape (4,): how many cards the foundation of each suit has.
    counts: int64, shape (9,): see `BASE`.
    """

    columns: LongArray
    sizes: LongArray
    reserve: LongArray
    deck: LongArray
    up: LongArray
    counts: LongArray


class Room(NamedTuple):
    """Where playouts are played.

    trial: the position with its hidden cards dealt anew; play: a copy to play on.
    hidden: int64, shape (52,): the hidden cards.
    moves: int64, shape (2, MOST_MOVES): choices of the player, and of the playouts.
    gains, squares: int64, shape (MOST_MOVES,): see `chance.clearly_best`.
    """

    trial: Table
    play: Table
    hidden: LongArray
    moves: LongArray
    gains: LongArray
    squares: LongArray


def empty_table() -> Table:
    """Room for a position."""
    return Table(
        np.zeros((COLUMN_COUNT, PACK_SIZE), np.int64),
        np.zeros(COLUMN_COUNT, np.int64),
        np.zeros(RESERVE_SIZE, np.int64),
        np.zeros(STOCK_SIZE, np.int64),
        np.zeros(SUIT_COUNT, np.int64),
        np.zeros(NEXT_UP + 1, np.int64),
    )


def empty_room() -> Room:
    """Room for playouts."""
    moves, results = np.zeros((2, 2, MOST_MOVES), np.int64)
    hidden = np.zeros(PACK_SIZE, np.int64)
    return Room(empty_table(), empty_table(), hidden, moves, results[0], results[1])


@inlined
def move_code(kind: int, source: int, target: int, cards: int) -> int:
    """A move as one integer."""
    return kind << KIND | source << SOURCE | target << TARGET | cards


@kernel
def start(table: Table, rules: Rules, cards: ByteArray) -> None:
    """Deal. cards: uint8, shape (52,), in the common order: see `games.canfield.layout`."""
    counts = table.counts
    counts[:] = 0
    table.up[:] = 0
    for i in range(RESERVE_SIZE):
        table.reserve[i] = np.int64(cards[i])
    for i in range(COLUMN_COUNT):
        table.columns[i, 0] = np.int64(cards[RESERVE_SIZE + i])
        table.sizes[i] = 1
    base = np.int64(cards[RESERVE_SIZE + COLUMN_COUNT])
    for i in range(STOCK_SIZE):
        table.deck[i] = np.int64(cards[PACK_SIZE - STOCK_SIZE + i])
    counts[BASE] = base // SUIT_COUNT
    for suit in range(SUIT_COUNT):
        counts[NEXT_UP] |= 1 << (counts[BASE] * SUIT_COUNT + suit)
    note_up(table, base)
    counts[RESERVE] = RESERVE_SIZE
    counts[LEFT] = STOCK_SIZE
    counts[WASTE] = rules.opening
    counts[UNSEEN] = STOCK_SIZE - rules.opening


@inlined
def goes_up(table: Table, card: int) -> bool:
    """Whether the foundation of the card's suit takes it next."""
    return bool(table.counts[NEXT_UP] >> card & 1 == 1)


@inlined
def note_up(table: Table, card: int) -> None:
    """Count a card that came to its foundation, and note which one that takes next."""
    table.up[card % SUIT_COUNT] += 1
    following = (card + SUIT_COUNT) % PACK_SIZE
    table.counts[NEXT_UP] &= ~(1 << card)
    if following // SUIT_COUNT != table.counts[BASE]:
        table.counts[NEXT_UP] |= 1 << following
    table.counts[CARDS_UP] += 1


@inlined
def fits(table: Table, rules: Rules, card: int, target: int) -> bool:
    """Whether a card goes on the target, the end of a column."""
    return bool(carried(table, rules, target) >> card & 1 == 1)


@inlined
def carried(table: Table, rules: Rules, target: int) -> int:
    """The cards that go on the target, as bits."""
    # By the other wrap ranks count from the base rank, and nothing goes on a card of that rank.
    if rules.full_wrap == 1 or target // SUIT_COUNT != table.counts[BASE]:
        return int(CARRIED[target])
    return 0


@inlined
def end_of(table: Table, column: int) -> int:
    """The last card of a column that is not empty."""
    return int(table.columns[column, table.sizes[column] - 1])


@inlined
def empty_column(table: Table) -> int:
    """The first empty column, -1 when there is none."""
    for column in range(COLUMN_COUNT):
        if table.sizes[column] == 0:
            return column
    return -1


@inlined
def waste_top(table: Table) -> int:
    """The waste's top card; there is one."""
    return int(table.deck[table.counts[WASTE] - 1])


@kernel
def add_places(
    table: Table, rules: Rules, card: int, source: int, empty: int, moves: LongArray, found: int
) -> int:
    """Write the moves of a reserve or waste card, which is in play; returns the new count."""
    if goes_up(table, card):
        moves[found] = move_code(UP, source, 0, 1)
        found += 1
    for target in range(COLUMN_COUNT):
        if table.sizes[target] > 0 and fits(table, rules, card, end_of(table, target)):
            moves[found] = move_code(MOVE, source, target, 1)
            found += 1
    # There are empty columns only when the reserve is gone.
    if empty >= 0:
        moves[found] = move_code(MOVE, source, empty, 1)
        found += 1
    return found


@kernel
def may_lift(table: Table, rules: Rules, column: int, cards: int) -> bool:
    """Whether so many cards at the end of a column move together."""
    if cards == table.sizes[column] or rules.moves == ANY_RUN:
        return True
    return rules.moves == WHOLE_OR_TOP and cards == 1


@kernel
def add_column_moves(
    table: Table,
    rules: Rules,
    source: int,
    empty: int,
    wanted: int,
    moves: LongArray,
    found: int,
) -> int:
    """Write the moves of a column's cards; returns the new count.

    wanted: bits of the cards that go on the end of some column.
    """
    size = table.sizes[source]
    if goes_up(table, end_of(table, source)):
        moves[found] = move_code(UP, source, 0, 1)
        found += 1
    for cards in range(1, size + 1):
        if not may_lift(table, rules, source, cards):
            continue
        card = table.columns[source, size - cards]
        for target in range(COLUMN_COUNT if wanted >> card & 1 == 1 else 0):
            if target == source or table.sizes[target] == 0:
                continue
            if fits(table, rules, card, end_of(table, target)):
                moves[found] = move_code(MOVE, source, target, cards)
                found += 1
        if empty >= 0 and cards < size and rules.fill_from_waste == 0:
            moves[found] = move_code(MOVE, source, empty, cards)
            found += 1
    return found


@kernel
def fill_moves(table: Table, rules: Rules, moves: LongArray) -> int:
    """Write the moves that players think of; returns how many there are.

    moves: int64, shape (MOST_MOVES,), overwritten.
    """
    counts = table.counts
    empty = empty_column(table)
    found = 0
    if counts[RESERVE] > 0:
        card = table.reserve[counts[RESERVE] - 1]
        found = add_places(table, rules, card, FROM_RESERVE, empty, moves, found)
    if counts[WASTE] > 0:
        found = add_places(table, rules, waste_top(table), FROM_WASTE, empty, moves, found)
    wanted = 0
    for column in range(COLUMN_COUNT):
        if table.sizes[column] > 0:
            wanted |= carried(table, rules, end_of(table, column))
    for column in range(COLUMN_COUNT):
        if table.sizes[column] > 0:
            found = add_column_moves(table, rules, column, empty, wanted, moves, found)
    if counts[WASTE] < counts[LEFT]:
        moves[found] = move_code(TURN, 0, 0, 0)
        found += 1
    elif rules.unlimited == 1 and counts[LEFT] > 0 and counts[PLAYED] == 1:
        moves[found] = move_code(REDEAL, 0, 0, 0)
        found += 1
    return found if counts[IDLE] < _MOST_IDLE else 0


@kernel
def turn(table: Table, rules: Rules) -> None:
    """Turn a packet of the stock to the waste."""
    counts = table.counts
    counts[WASTE] = min(counts[WASTE] + rules.draw, counts[LEFT])
    counts[UNSEEN] = min(counts[UNSEEN], counts[LEFT] - counts[WASTE])
    counts[IDLE] = 0


@kernel
def take_waste_top(table: Table) -> None:
    """Take the waste's top card away."""
    counts = table.counts
    for i in range(counts[WASTE], counts[LEFT]):
        table.deck[i - 1] = table.deck[i]
    counts[WASTE] -= 1
    counts[LEFT] -= 1


@kernel
def make(table: Table, rules: Rules, move: int) -> None:
    """Make a legal move; an emptied column is filled from the reserve."""
    counts = table.counts
    kind, source, target = move >> KIND, move >> SOURCE & 15, move >> TARGET & 15
    cards = move & 63
    if kind == TURN:
        turn(table, rules)
        return
    if kind == REDEAL:
        counts[WASTE] = counts[PLAYED] = counts[IDLE] = 0
        return
    first = 0
    if source == FROM_RESERVE:
        counts[RESERVE] -= 1
        first = table.reserve[counts[RESERVE]]
    elif source == FROM_WASTE:
        first = waste_top(table)
        take_waste_top(table)
    else:
        first = table.columns[source, table.sizes[source] - cards]
    progress = kind == UP or source >= COLUMN_COUNT
    if kind == UP:
        note_up(table, first)
    else:
        table.columns[target, table.sizes[target]] = first
        for i in range(1, cards):
            moved = table.columns[source, table.sizes[source] - cards + i]
            table.columns[target, table.sizes[target] + i] = moved
        table.sizes[target] += cards
    if source < COLUMN_COUNT:
        table.sizes[source] -= cards
        if table.sizes[source] == 0 and counts[RESERVE] > 0:
            counts[RESERVE] -= 1
            table.columns[source, 0] = table.reserve[counts[RESERVE]]
            table.sizes[source] = 1
            progress = True
    counts[IDLE] += 1
    if progress:
        counts[IDLE] = 0
        counts[PLAYED] = 1


@kernel
def random_move(table: Table, rules: Rules, moves: LongArray, chance: Chance) -> int:
    """Any move that players think of."""
    found = fill_moves(table, rules, moves)
    return int(moves[draw(chance.random, found)]) if found > 0 else GIVES_UP


@kernel
def liking(table: Table, move: int) -> int:
    """How much the greedy player likes a move.

    Cards go up whenever they can. Then the reserve counts most, and what brings its cards into
    play: to put a whole column on another one. A part of a column moves only where the card that it
    leaves can go up. Then comes the waste.
    """
    kind, source, target = move >> KIND, move >> SOURCE & 15, move >> TARGET & 15
    if kind in (TURN, REDEAL):
        return _TO_STOCK
    is_up = kind == UP
    if source == FROM_RESERVE:
        return _RESERVE_UP if is_up else _RESERVE_DOWN
    if source == FROM_WASTE:
        to_empty = table.sizes[target] == 0 and not is_up
        return _WASTE_TO_EMPTY if to_empty else (_WASTE_UP if is_up else _WASTE_DOWN)
    if is_up:
        return _COLUMN_UP
    left = table.sizes[source] - (move & 63)
    if left == 0:
        return _JOINS
    return _FREES if goes_up(table, table.columns[source, left - 1]) else _NOT_LIKED


@kernel
def greedy_move(table: Table, rules: Rules, moves: LongArray, chance: Chance) -> int:
    """The move that the greedy player likes most, of equals any.

    He never moves in circles: all but turning the stock bring a card up, empty the reserve or the
    waste, or leave fewer columns.
    """
    found = fill_moves(table, rules, moves)
    best, best_value, equals = GIVES_UP, _NOT_LIKED, 0
    for i in range(found):
        value = liking(table, moves[i])
        if value == _NOT_LIKED:
            continue
        equals = equals + 1 if value == best_value else 1
        if takes_the_lead(value, best_value, equals, chance.random):
            best, best_value = moves[i], value
    return best


@inlined
def copy_table(source: Table, to: Table) -> None:
    """Write a position over another."""
    for column in range(COLUMN_COUNT):
        size = source.sizes[column]
        to.columns[column, :size] = source.columns[column, :size]
    to.sizes[:] = source.sizes
    to.reserve[:] = source.reserve
    to.deck[:] = source.deck
    to.up[:] = source.up
    to.counts[:] = source.counts


@kernel
def deal_hidden(table: Table, room: Room, chance: Chance) -> None:
    """Set the trial position: as the table, with the cards that the player can't see dealt anew."""
    copy_table(table, room.trial)
    counts = table.counts
    covered = max(counts[RESERVE] - 1, 0)
    room.hidden[:covered] = table.reserve[:covered]
    first = counts[LEFT] - counts[UNSEEN]
    for i in range(counts[UNSEEN]):
        room.hidden[covered + i] = table.deck[first + i]
    shuffle(room.hidden, covered + counts[UNSEEN], chance.random)
    room.trial.reserve[:covered] = room.hidden[:covered]
    for i in range(counts[UNSEEN]):
        room.trial.deck[first + i] = room.hidden[covered + i]


@kernel
def try_move(move: int, rules: Rules, room: Room, chance: Chance) -> int:
    """What a playout from after a move of the trial position is worth."""
    play = room.play
    copy_table(room.trial, play)
    while move != GIVES_UP:
        make(play, rules, move)
        if play.counts[CARDS_UP] == PACK_SIZE:
            # In casino play cards are paid for, not the win.
            return PACK_SIZE * (1 + rules.unlimited)
        move = greedy_move(play, rules, room.moves[1], chance)
    return int(play.counts[CARDS_UP])


@kernel
def drop_idle_moves(table: Table, choices: LongArray, found: int) -> int:
    """Leave out moves between columns when one has brought nothing: they would lead in circles."""
    if table.counts[IDLE] == 0:
        return found
    kept = 0
    for i in range(found):
        if choices[i] >> KIND != MOVE or choices[i] >> SOURCE & 15 >= COLUMN_COUNT:
            choices[kept] = choices[i]
            kept += 1
    return kept


@kernel
def tried_move(table: Table, rules: Rules, playouts: int, room: Room, chance: Chance) -> int:
    """The greedy move, or one whose playouts are clearly better.

    For each of them the cards that the player can't see are dealt anew.
    """
    choices = room.moves[0]
    greedy = greedy_move(table, rules, choices, chance)
    found = drop_idle_moves(table, choices, fill_moves(table, rules, choices))
    if greedy == GIVES_UP or found < 2:
        return greedy
    first = 0
    for i in range(found):
        if choices[i] == greedy:
            first = i
    room.gains[:found] = 0
    room.squares[:found] = 0
    for _ in range(playouts):
        deal_hidden(table, room, chance)
        worth = try_move(greedy, rules, room, chance)
        for i in range(found):
            if i != first:
                gain = try_move(choices[i], rules, room, chance) - worth
                room.gains[i] += gain
                room.squares[i] += gain * gain
    return int(choices[clearly_best(first, room.gains[:found], room.squares[:found])])


@kernel
def decide(table: Table, rules: Rules, chooser: Chooser, room: Room, chance: Chance) -> int:
    """The move that a player makes, `GIVES_UP` when he has none that he wants."""
    if chooser.kind == LOOK_AHEAD_KIND:
        return tried_move(table, rules, chooser.playouts, room, chance)
    if moves_at_random(chooser, chance):
        return random_move(table, rules, room.moves[0], chance)
    return greedy_move(table, rules, room.moves[0], chance)


@kernel
def play_deals(
    table: Table,
    rules: Rules,
    chooser: Chooser,
    room: Room,
    chance: Chance,
    deals: ByteArray,
    first: np.uint64,
    games: int,
    tally: Tally,
) -> None:
    """Play deals, each so many times.

    Parameters
    ----------
    deals: uint8, shape (n, 52): cards in the common order.
    first: uint64, the number of the first deal; each game's random numbers begin with its deal's.
    tally: scores are cards on the foundations.
    """
    for row in range(len(deals)):
        for game in range(games):
            begin(chance.random, first + np.uint64(row), game)
            start(table, rules, deals[row])
            while table.counts[CARDS_UP] < PACK_SIZE and chance.stop[0] == 0:
                move = decide(table, rules, chooser, room, chance)
                if move == GIVES_UP:
                    break
                make(table, rules, move)
                tally.moves[row] += 1
            if chance.stop[0] != 0:
                return
            up = table.counts[CARDS_UP]
            tally.wins[row] += 1 if up == PACK_SIZE else 0
            tally.scores[row] += up
            tally.undone[row] += PACK_SIZE - up
