"""Players of Tri-Peaks: kernels.

A player sees the cards that no card lies on, the waste's top card, and how many cards the stock
has left. He also knows which cards are gone, and so which are hidden, but not where.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from winnable.arrays import ByteArray, LongArray
from winnable.cards import KING, PACK_SIZE, RANK_COUNT, SUIT_COUNT
from winnable.games.tripeaks.graph import FULL_MASK, PLACES
from winnable.games.tripeaks.playouts import BIT_OF_PLACE, open_cards_of_one
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

# A move is the bit of the card that is played, see `games.tripeaks.playouts`, or this.
TURN = PLACES
# What a table counts: the bits of the tableau's cards, the place of the next stock card in
# `cards`, and the rank of the waste's top card.
TABLEAU, NEXT, TOP = range(3)
# The rank of an empty waste's top card, which takes any.
ANY = RANK_COUNT
# What the greedy player likes in a card, in falling order: each card that it turns up; that another
# open card goes on it.
_TURNS_UP, _GOES_ON = 2, 3
# What a win counts for beside the cards cleared, 28 of them, where playouts are compared.
_WIN = 28


class Rules(NamedTuple):
    """wrap: 1 where king and ace are neighbours. opened: 1 where a stock card opens the waste."""

    wrap: int
    opened: int


class Table(NamedTuple):
    """A position.

    cards: int64, shape (52,): the card at each bit of the tableau, then the stock.
    fits: int64, shape (14,): for each rank of the waste's top, the bits of the cards that go on it.
    counts: int64, shape (3,): see `TABLEAU`.
    """

    cards: LongArray
    fits: LongArray
    counts: LongArray


class Room(NamedTuple):
    """Where playouts are played.

    trial: the position with its hidden cards dealt anew; play: a copy to play on.
    hidden, places: int64, shape (52,): the hidden cards and where they lie.
    gains, squares: int64, shape (29,): how much more the playouts of each move came to than those
        of the greedy one, and the sums of the squares.
    """

    trial: Table
    play: Table
    hidden: LongArray
    places: LongArray
    gains: LongArray
    squares: LongArray


def empty_table() -> Table:
    """Room for a position."""
    return Table(np.zeros(PACK_SIZE, np.int64), np.zeros(ANY + 1, np.int64), np.zeros(3, np.int64))


def empty_room() -> Room:
    """Room for playouts."""
    hidden, places = np.zeros((2, PACK_SIZE), np.int64)
    gains, squares = np.zeros((2, TURN + 1), np.int64)
    return Room(empty_table(), empty_table(), hidden, places, gains, squares)


@kernel
def fill_fits(table: Table, wrap: int) -> None:
    """Note which cards go on which rank."""
    fits = table.fits
    fits[:] = 0
    for bit in range(PLACES):
        rank = table.cards[bit] // SUIT_COUNT
        if rank > 0 or wrap == 1:
            fits[rank - 1 if rank > 0 else KING] |= 1 << bit
        if rank < KING or wrap == 1:
            fits[rank + 1 if rank < KING else 0] |= 1 << bit
    fits[ANY] = FULL_MASK


@kernel
def start(table: Table, rules: Rules, cards: ByteArray) -> None:
    """Deal. cards: uint8, shape (52,), in dealing order."""
    for place in range(PLACES):
        table.cards[BIT_OF_PLACE[place]] = np.int64(cards[place])
    for place in range(PLACES, PACK_SIZE):
        table.cards[place] = np.int64(cards[place])
    fill_fits(table, rules.wrap)
    table.counts[TABLEAU] = FULL_MASK
    table.counts[NEXT] = PLACES
    table.counts[TOP] = ANY
    if rules.opened == 1:
        make(table, TURN)


@kernel
def make(table: Table, move: int) -> None:
    """Make a legal move."""
    counts = table.counts
    place = move
    if move == TURN:
        place = counts[NEXT]
        counts[NEXT] += 1
    else:
        counts[TABLEAU] &= ~(1 << move)
    counts[TOP] = table.cards[place] // SUIT_COUNT


@inlined
def playable(table: Table) -> int:
    """The bits of the open cards that go on the waste."""
    return int(open_cards_of_one(table.counts[TABLEAU]) & table.fits[table.counts[TOP]])


@inlined
def may_turn(table: Table) -> bool:
    """Whether the stock has a card left."""
    return bool(table.counts[NEXT] < PACK_SIZE)


@inlined
def count_bits(bits: int) -> int:
    """How many of 28 bits are set, of which few are."""
    count = 0
    while bits != 0:
        bits &= bits - 1
        count += 1
    return count


@kernel
def random_move(table: Table, chance: Chance) -> int:
    """Any legal move."""
    fitting = playable(table)
    choices = count_bits(fitting) + (1 if may_turn(table) else 0)
    if choices == 0:
        return GIVES_UP
    chosen = draw(chance.random, choices)
    for bit in range(PLACES):
        if fitting >> bit & 1 == 1:
            if chosen == 0:
                return bit
            chosen -= 1
    return TURN


@kernel
def greedy_move(table: Table, chance: Chance) -> int:
    """The card that turns up the most and can be gone on from; the stock is turned if none fits.

    Of equally good cards each is as likely.
    """
    tableau = table.counts[TABLEAU]
    fitting = playable(table)
    if fitting == 0:
        return TURN if may_turn(table) else GIVES_UP
    if fitting & (fitting - 1) == 0:
        return lowest_bit(fitting)
    is_open = open_cards_of_one(tableau)
    best, best_value, equals = 0, -1, 1
    while fitting != 0:
        bit = lowest_bit(fitting)
        fitting &= fitting - 1
        left = tableau & ~(1 << bit)
        value = _TURNS_UP * count_bits(open_cards_of_one(left) & ~is_open)
        # Only what is open now: the cards that it turns up are not known yet.
        if table.fits[table.cards[bit] // SUIT_COUNT] & is_open != 0:
            value += _GOES_ON
        equals = equals + 1 if value == best_value else 1
        if takes_the_lead(value, best_value, equals, chance.random):
            best, best_value = bit, value
    return best


@inlined
def lowest_bit(bits: int) -> int:
    """The number of the lowest of 28 bits that is set."""
    bit = 0
    for shift in (16, 8, 4, 2, 1):
        if bits & ((1 << shift) - 1) == 0:
            bits >>= shift
            bit += shift
    return bit


@inlined
def copy_table(source: Table, to: Table) -> None:
    """Write a position over another."""
    to.cards[:] = source.cards
    to.fits[:] = source.fits
    to.counts[:] = source.counts


@kernel
def deal_hidden(table: Table, rules: Rules, room: Room, chance: Chance) -> None:
    """Set the trial position: as the table, with the cards that the player can't see dealt anew."""
    copy_table(table, room.trial)
    covered = table.counts[TABLEAU] & ~open_cards_of_one(table.counts[TABLEAU])
    count = 0
    for place in range(PACK_SIZE):
        in_stock = place >= PLACES and place >= table.counts[NEXT]
        if in_stock or (place < PLACES and covered >> place & 1 == 1):
            room.places[count] = place
            room.hidden[count] = table.cards[place]
            count += 1
    shuffle(room.hidden, count, chance.random)
    for i in range(count):
        room.trial.cards[room.places[i]] = room.hidden[i]
    fill_fits(room.trial, rules.wrap)


@kernel
def playout(table: Table, chance: Chance) -> int:
    """Play greedily to the end; what that is worth."""
    while table.counts[TABLEAU] != 0:
        move = greedy_move(table, chance)
        if move == GIVES_UP:
            return PLACES - count_bits(table.counts[TABLEAU])
        make(table, move)
    return PLACES + _WIN


@kernel
def try_move(move: int, room: Room, chance: Chance) -> int:
    """What a playout from after a move of the trial position is worth."""
    copy_table(room.trial, room.play)
    make(room.play, move)
    return playout(room.play, chance)


@kernel
def tried_move(table: Table, rules: Rules, playouts: int, room: Room, chance: Chance) -> int:
    """The greedy move, or one whose playouts are clearly better.

    For each of them the cards that the player can't see are dealt anew.
    """
    choices = playable(table)
    if may_turn(table):
        choices |= 1 << TURN
    if choices == 0:
        return GIVES_UP
    if choices & (choices - 1) == 0:
        return lowest_bit(choices)
    first = greedy_move(table, chance)
    room.gains[:] = 0
    room.squares[:] = 0
    for _ in range(playouts):
        deal_hidden(table, rules, room, chance)
        worth = try_move(first, room, chance)
        for move in range(TURN + 1):
            if choices >> move & 1 == 1 and move != first:
                gain = try_move(move, room, chance) - worth
                room.gains[move] += gain
                room.squares[move] += gain * gain
    return clearly_best(first, room.gains, room.squares)


@kernel
def decide(table: Table, rules: Rules, chooser: Chooser, room: Room, chance: Chance) -> int:
    """The move that a player makes, `GIVES_UP` when there is none."""
    if chooser.kind == LOOK_AHEAD_KIND:
        return tried_move(table, rules, chooser.playouts, room, chance)
    if moves_at_random(chooser, chance):
        return random_move(table, chance)
    return greedy_move(table, chance)


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
    deals: uint8, shape (n, 52): cards in dealing order.
    first: uint64, the number of the first deal; each game's random numbers begin with its deal's.
    tally: scores are tableau cards cleared.
    """
    for row in range(len(deals)):
        for game in range(games):
            begin(chance.random, first + np.uint64(row), game)
            start(table, rules, deals[row])
            while table.counts[TABLEAU] != 0 and chance.stop[0] == 0:
                move = decide(table, rules, chooser, room, chance)
                if move == GIVES_UP:
                    break
                make(table, move)
                tally.moves[row] += 1
            if chance.stop[0] != 0:
                return
            left = count_bits(table.counts[TABLEAU])
            tally.wins[row] += 1 if left == 0 else 0
            tally.scores[row] += PLACES - left
            tally.undone[row] += 1 if left > 0 else 0
