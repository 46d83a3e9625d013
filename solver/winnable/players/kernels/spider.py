"""Players of Spider: kernels.

A player sees the face-up cards, how many face-down ones lie below them, and how many rows the stock
has left. He knows which cards he hasn't seen, but not where they are.
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

COLUMN_COUNT = 10
DECK_SIZE = 2 * PACK_SIZE
RUN_COUNT = DECK_SIZE // RANK_COUNT
ROW_COUNT = 5
STOCK_SIZE = ROW_COUNT * COLUMN_COUNT
FACE_DOWN_CARDS = DECK_SIZE - STOCK_SIZE - COLUMN_COUNT
# Turning up a card is a step of the game, and so is each card that leaves the table.
ALL_DONE = DECK_SIZE + FACE_DOWN_CARDS

# A move is cards << 8 | source << 4 | target, and a row of the stock is this.
DEAL = 1 << 12
# More than any position has: ten runs of up to 13 cards to nine other columns, and the deal.
MOST_MOVES = 10 * 9 * 13 + 1

# What a table counts. IDLE: moves since a card was turned up, a run was finished or a row was
# dealt. FILLING: 1 while empty columns are filled so that a row can be dealt.
ROWS_DEALT, FINISHED, IDLE, FILLING = range(4)
# A player who plays at random or tries moves ends, or goes on greedily, after so many idle ones: he
# could move cards to and fro for ever.
_MOST_IDLE = 60

# The greedy player's measure of a position: its face-up cards that lie on the next higher card, of
# their suit or not; its face-down cards; its empty columns; and its finished runs.
_IN_SUIT, _IN_SEQUENCE, _FACE_DOWN, _EMPTY, _FINISHED = 60, 5, -40, 20, 2000
# Of moves that gain as much: those of more cards, and onto the longer run.
_TIE = 16
# So many of the moves that gain the most are tried by the player who looks ahead.
CANDIDATES = 6
# What a win counts for in a playout beside the cards that left the table, and each card turned up.
_WIN = 104


class Rules(NamedTuple):
    """deal_on_empty: 1 where a row may be dealt while a column is empty."""

    deal_on_empty: int


class Table(NamedTuple):
    """A position.

    columns: int64, shape (10, 104). sizes: int64, shape (10,).
    hidden: int64, shape (10,): how many cards of each column are face down.
    runs: int64, shape (10,): how many cards at each column's end are a run of one suit.
    stock: int64, shape (50,): in the order in which it is dealt.
    counts: int64, shape (4,): see `ROWS_DEALT`.
    """

    columns: LongArray
    sizes: LongArray
    hidden: LongArray
    runs: LongArray
    stock: LongArray
    counts: LongArray


class Room(NamedTuple):
    """Where playouts are played.

    trial: the position with its hidden cards dealt anew; play: a copy to play on.
    unseen: int64, shape (104,): the hidden cards.
    moves, worths: int64, shape (MOST_MOVES,): choices, and what they gain at once.
    gains, squares: int64, shape (CANDIDATES + 1,): see `chance.clearly_best`.
    """

    trial: Table
    play: Table
    unseen: LongArray
    moves: LongArray
    worths: LongArray
    gains: LongArray
    squares: LongArray


def empty_table() -> Table:
    """Room for a position."""
    sizes, hidden, runs = np.zeros((3, COLUMN_COUNT), np.int64)
    return Table(
        np.zeros((COLUMN_COUNT, DECK_SIZE), np.int64),
        sizes,
        hidden,
        runs,
        np.zeros(STOCK_SIZE, np.int64),
        np.zeros(FILLING + 1, np.int64),
    )


def empty_room() -> Room:
    """Room for playouts."""
    moves, worths = np.zeros((2, MOST_MOVES), np.int64)
    gains, squares = np.zeros((2, CANDIDATES + 1), np.int64)
    unseen = np.zeros(DECK_SIZE, np.int64)
    return Room(empty_table(), empty_table(), unseen, moves, worths, gains, squares)


@inlined
def move_code(cards: int, source: int, target: int) -> int:
    """A move as one integer."""
    return cards << 8 | source << 4 | target


@kernel
def start(table: Table, places: LongArray, cards: ByteArray) -> None:
    """Deal.

    places: int64, shape (54,): the column of each table card in dealing order.
    cards: uint8, shape (104,): the table cards in dealing order, then the stock.
    """
    table.counts[:] = 0
    table.sizes[:] = 0
    for i in range(len(places)):
        column = places[i]
        table.columns[column, table.sizes[column]] = np.int64(cards[i])
        table.sizes[column] += 1
    for column in range(COLUMN_COUNT):
        table.hidden[column] = table.sizes[column] - 1
        table.runs[column] = 1
    for i in range(STOCK_SIZE):
        table.stock[i] = np.int64(cards[DECK_SIZE - STOCK_SIZE + i])


@inlined
def end_of(table: Table, column: int) -> int:
    """The last card of a column that is not empty."""
    return int(table.columns[column, table.sizes[column] - 1])


@kernel
def empty_count(table: Table) -> int:
    """How many columns are empty."""
    empty = 0
    for column in range(COLUMN_COUNT):
        if table.sizes[column] == 0:
            empty += 1
    return empty


@inlined
def may_deal(table: Table, rules: Rules, empty: int) -> bool:
    """Whether a row can be dealt, with so many columns empty."""
    has_row = table.counts[ROWS_DEALT] < ROW_COUNT
    return bool(has_row and (empty == 0 or rules.deal_on_empty == 1))


@kernel
def settle(table: Table, column: int) -> None:
    """After a change: a complete run leaves, a face-down end is turned up, the run is counted."""
    size = table.sizes[column]
    if count_run(table, column) == RANK_COUNT:
        size -= RANK_COUNT
        table.sizes[column] = size
        table.counts[FINISHED] += 1
        table.counts[IDLE] = 0
    if table.hidden[column] > 0 and table.hidden[column] == size:
        table.hidden[column] -= 1
        table.counts[IDLE] = 0
        # Few cards are left to be turned up: filling columns may begin anew each time.
        table.counts[FILLING] = 0
    table.runs[column] = count_run(table, column)


@kernel
def count_run(table: Table, column: int) -> int:
    """How many face-up cards at the end of a column are a run of one suit."""
    size = table.sizes[column]
    if size == 0:
        return 0
    first = size - 1
    cards = table.columns[column]
    while first > table.hidden[column] and cards[first - 1] == cards[first] + SUIT_COUNT:
        first -= 1
    return int(size - first)


@kernel
def make(table: Table, move: int) -> None:
    """Make a legal move, with what follows by itself."""
    counts = table.counts
    if move == DEAL:
        first = counts[ROWS_DEALT] * COLUMN_COUNT
        counts[ROWS_DEALT] += 1
        for column in range(COLUMN_COUNT):
            table.columns[column, table.sizes[column]] = table.stock[first + column]
            table.sizes[column] += 1
            settle(table, column)
        counts[IDLE] = counts[FILLING] = 0
        return
    cards, source, target = move >> 8, move >> 4 & 15, move & 15
    counts[IDLE] += 1
    size = table.sizes[source] - cards
    for i in range(cards):
        table.columns[target, table.sizes[target] + i] = table.columns[source, size + i]
    table.sizes[target] += cards
    table.sizes[source] = size
    settle(table, target)
    settle(table, source)


@inlined
def gain_of(table: Table, empty: int, cards: int, source: int, target: int) -> int:
    """How much a move adds to the greedy player's measure, and a little for ties."""
    size, run = table.sizes[source], table.runs[source]
    end = end_of(table, source)
    gain = 0
    if cards < run:
        gain -= _IN_SUIT
    elif size == cards:
        gain += _EMPTY
    elif table.hidden[source] == size - cards:
        gain -= _FACE_DOWN
    else:
        first, below = table.columns[source, size - cards], table.columns[source, size - cards - 1]
        if below // SUIT_COUNT == first // SUIT_COUNT + 1:
            gain -= _IN_SEQUENCE
    joined = 0
    if table.sizes[target] == 0:
        gain -= _EMPTY
    elif end_of(table, target) == end + SUIT_COUNT * cards:
        gain += _IN_SUIT
        joined = table.runs[target]
        if joined + cards == RANK_COUNT:
            gain += _FINISHED
    else:
        gain += _IN_SEQUENCE
    return int(_TIE * gain + (cards + joined if gain > 0 else 0))


@kernel
def fill_moves(table: Table, rules: Rules, moves: LongArray, gains: LongArray) -> int:
    """Write the legal moves and what they gain, the deal last; returns how many there are.

    Left out are whole columns to empty ones, and moves to any but the first empty column: they
    change only the order of the columns.

    moves, gains: int64, shape (MOST_MOVES,), overwritten.
    """
    empty = empty_count(table)
    found = 0
    for source in range(COLUMN_COUNT):
        size, run = table.sizes[source], table.runs[source]
        if size == 0:
            continue
        rank = end_of(table, source) // SUIT_COUNT
        empty_seen = False
        for target in range(COLUMN_COUNT):
            if target == source:
                continue
            least, most = 1, 0
            if table.sizes[target] > 0:
                # The run goes there from the card that is one lower.
                cards = end_of(table, target) // SUIT_COUNT - rank
                if 1 <= cards <= run:
                    least = most = cards
            elif not empty_seen:
                empty_seen = True
                most = min(run, size - 1)
            for cards in range(least, most + 1):
                moves[found] = move_code(cards, source, target)
                gains[found] = gain_of(table, empty, cards, source, target)
                found += 1
    if may_deal(table, rules, empty):
        moves[found], gains[found] = DEAL, 0
        found += 1
    return found


@kernel
def random_move(table: Table, rules: Rules, room: Room, chance: Chance) -> int:
    """Any legal move."""
    found = fill_moves(table, rules, room.moves, room.worths)
    if found == 0 or table.counts[IDLE] >= _MOST_IDLE:
        return GIVES_UP
    return int(room.moves[draw(chance.random, found)])


@kernel
def greedy_move(table: Table, rules: Rules, room: Room, chance: Chance) -> int:
    """The move that gains the most, of equals any; a row where none gains anything.

    Each move but a row, and the fillings of empty columns before it, adds to the measure, so that
    no position comes twice.
    """
    counts = table.counts
    found = fill_moves(table, rules, room.moves, room.worths)
    if counts[FILLING] == 0:
        best, best_gain, equals = GIVES_UP, 0, 0
        for i in range(found):
            gain = room.worths[i]
            if gain > 0:
                equals = equals + 1 if gain == best_gain else 1
                if takes_the_lead(gain, best_gain, equals, chance.random):
                    best, best_gain = room.moves[i], gain
        if best != GIVES_UP:
            return best
    if counts[ROWS_DEALT] == ROW_COUNT:
        return GIVES_UP
    if found > 0 and room.moves[found - 1] == DEAL:
        return DEAL
    counts[FILLING] = 1
    return filling_move(table, found, room, chance)


@kernel
def filling_move(table: Table, found: int, room: Room, chance: Chance) -> int:
    """The move to an empty column that costs the least; `GIVES_UP` when none fills it."""
    best, best_gain, equals = GIVES_UP, -_TIE * _FINISHED, 0
    for i in range(found):
        move, gain = room.moves[i], room.worths[i]
        if table.sizes[move & 15] > 0:
            continue
        equals = equals + 1 if gain == best_gain else 1
        if takes_the_lead(gain, best_gain, equals, chance.random):
            best, best_gain = move, gain
    return best


@inlined
def copy_table(source: Table, to: Table) -> None:
    """Write a position over another."""
    for column in range(COLUMN_COUNT):
        size = source.sizes[column]
        to.columns[column, :size] = source.columns[column, :size]
    to.sizes[:] = source.sizes
    to.hidden[:] = source.hidden
    to.runs[:] = source.runs
    to.stock[:] = source.stock
    to.counts[:] = source.counts


@kernel
def deal_hidden(table: Table, room: Room, chance: Chance) -> None:
    """Set the trial position: as the table, with the cards that the player can't see dealt anew."""
    copy_table(table, room.trial)
    count = 0
    for column in range(COLUMN_COUNT):
        for i in range(table.hidden[column]):
            room.unseen[count] = table.columns[column, i]
            count += 1
    first = table.counts[ROWS_DEALT] * COLUMN_COUNT
    for i in range(first, STOCK_SIZE):
        room.unseen[count] = table.stock[i]
        count += 1
    shuffle(room.unseen, count, chance.random)
    count = 0
    for column in range(COLUMN_COUNT):
        for i in range(table.hidden[column]):
            room.trial.columns[column, i] = room.unseen[count]
            count += 1
    for i in range(first, STOCK_SIZE):
        room.trial.stock[i] = room.unseen[count]
        count += 1


@kernel
def cards_turned_up(table: Table) -> int:
    """How many of the cards that a deal lays face down were turned up."""
    down = 0
    for column in range(COLUMN_COUNT):
        down += table.hidden[column]
    return FACE_DOWN_CARDS - down


@kernel
def try_move(move: int, rules: Rules, room: Room, chance: Chance) -> int:
    """What a playout from after a move of the trial position is worth."""
    play = room.play
    copy_table(room.trial, play)
    while move != GIVES_UP:
        make(play, move)
        if play.counts[FINISHED] == RUN_COUNT:
            return DECK_SIZE + cards_turned_up(play) + _WIN
        move = greedy_move(play, rules, room, chance)
    return int(RANK_COUNT * play.counts[FINISHED] + cards_turned_up(play))


@kernel
def list_candidates(found: int, greedy: int, room: Room, candidates: LongArray) -> int:
    """Write the greedy move, and after it those that gain the most; returns how many there are."""
    candidates[0] = greedy
    count = 1
    while count < len(candidates):
        best, best_gain = -1, np.int64(0)
        for i in range(found):
            is_better = best < 0 or room.worths[i] > best_gain
            if is_better and room.moves[i] != greedy and room.moves[i] != GIVES_UP:
                best, best_gain = i, room.worths[i]
        if best < 0:
            return count
        candidates[count] = room.moves[best]
        room.moves[best] = GIVES_UP
        count += 1
    return count


@kernel
def tried_move(table: Table, rules: Rules, playouts: int, room: Room, chance: Chance) -> int:
    """The greedy move, or one whose playouts are clearly better.

    For each of them the cards that the player can't see are dealt anew.
    """
    greedy = greedy_move(table, rules, room, chance)
    if greedy == GIVES_UP or table.counts[IDLE] >= _MOST_IDLE:
        return greedy
    found = fill_moves(table, rules, room.moves, room.worths)
    candidates = np.zeros(CANDIDATES + 1, np.int64)
    count = list_candidates(found, greedy, room, candidates)
    if count == 1:
        return greedy
    room.gains[:count] = 0
    room.squares[:count] = 0
    for _ in range(playouts):
        deal_hidden(table, room, chance)
        worth = try_move(greedy, rules, room, chance)
        for i in range(1, count):
            gain = try_move(candidates[i], rules, room, chance) - worth
            room.gains[i] += gain
            room.squares[i] += gain * gain
    return int(candidates[clearly_best(0, room.gains[:count], room.squares[:count])])


@kernel
def decide(table: Table, rules: Rules, chooser: Chooser, room: Room, chance: Chance) -> int:
    """The move that a player makes, `GIVES_UP` when he has none that he wants."""
    if chooser.kind == LOOK_AHEAD_KIND:
        return tried_move(table, rules, chooser.playouts, room, chance)
    if moves_at_random(chooser, chance):
        return random_move(table, rules, room, chance)
    return greedy_move(table, rules, room, chance)


@kernel
def play_deals(
    table: Table,
    rules: Rules,
    chooser: Chooser,
    room: Room,
    chance: Chance,
    places: LongArray,
    deals: ByteArray,
    first: np.uint64,
    games: int,
    tally: Tally,
) -> None:
    """Play deals, each so many times.

    Parameters
    ----------
    places: see `start`.
    deals: uint8, shape (n, 104).
    first: uint64, the number of the first deal; each game's random numbers begin with its deal's.
    tally: scores are cards of complete runs, which have left the table.
    """
    for row in range(len(deals)):
        for game in range(games):
            begin(chance.random, first + np.uint64(row), game)
            start(table, places, deals[row])
            while table.counts[FINISHED] < RUN_COUNT and chance.stop[0] == 0:
                move = decide(table, rules, chooser, room, chance)
                if move == GIVES_UP:
                    break
                make(table, move)
                tally.moves[row] += 1
            if chance.stop[0] != 0:
                return
            finished = table.counts[FINISHED]
            tally.wins[row] += 1 if finished == RUN_COUNT else 0
            tally.scores[row] += RANK_COUNT * finished
            tally.undone[row] += ALL_DONE - RANK_COUNT * finished - cards_turned_up(table)
