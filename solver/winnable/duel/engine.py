"""Legal moves, their effect, the past of a game, and random play: kernels.

A move is ``source << 4 | target``; sources and targets 0 to 7 are the houses.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from winnable.arrays import ByteArray, LongArray
from winnable.deals.kernels.native import STEP, mix
from winnable.duel.state import (
    BARRED,
    CARD_COUNT,
    CHANCE,
    DECKS,
    FAULT,
    FIRST_WON,
    FLAG_BARRED,
    FLAG_MOVER,
    FLAG_TURNED,
    GOING_ON,
    HIDDEN,
    HOUSE_CODES,
    HOUSE_ROOM,
    HOUSE_SIZE,
    HOUSES,
    KEY_HIGH,
    KEY_LOW,
    LANE_HIGH,
    LANE_LOW,
    MOVER,
    NO_CARD,
    OPEN_RESERVE,
    OUTCOME,
    QUIET,
    QUIET_DRAW,
    REPETITION,
    RESERVE_ROOM,
    RESERVE_SIZE,
    RESERVES,
    STOCK_SIZE,
    TURN_COUNT,
    TURNED,
    WASTE_SIZE,
    Codes,
    KeyArray,
    builds,
    code_with,
    fill_stock,
    fits_foundation,
    house_end,
    is_out,
    loads_on,
    open_stock,
    put_on_foundation,
    put_on_house,
    put_on_reserve,
    put_on_waste,
    reserve_top,
    set_flag,
    set_keys,
    take_house,
    take_reserve,
    take_stock,
    turned_card,
    waste_top,
)
from winnable.jit import inlined, kernel

# Sources and targets that are no houses.
RESERVE, STOCK_CARD = 8, 9
FOUNDATION, OTHER_RESERVE, OTHER_WASTE = 8, 9, 10
# Moves that are no card's: above all others.
TURN, DISCARD, PASS, STOP = 160, 161, 162, 163
RESERVE_UP = RESERVE << 4 | FOUNDATION
STOCK_CARD_UP = STOCK_CARD << 4 | FOUNDATION
MAX_MOVES = 128

# Turns without a foundation card that make a draw, counted as the cell `QUIET` is: from 1.
QUIET_LIMIT = 201
# Room for the positions since the last move in this turn that can't be taken back; when it is
# full, no more moves between houses are made. Play is a hundred times away from that.
TURN_ROOM = 512
# Room for the positions that began turns since the last foundation card: the draw comes first.
START_ROOM = QUIET_LIMIT + 1
# Places in `Table.lengths`.
TURN_LENGTH, START_LENGTH = range(2)

# What the mover is obliged to do.
NOTHING, UP_RESERVE, UP_ANY, UP_HOUSE, RESERVE_FIRST, OWN_CARD = range(6)


class Table(NamedTuple):
    """A position and the past that the rules ask for.

    cells, words: the position, see `state`.
    turn_keys: uint64, shape (TURN_ROOM, 2): keys of the positions of this turn since the last
        move that can't be taken back, the present one last.
    start_keys: uint64, shape (START_ROOM, 2): keys with which turns began since the last
        foundation card; such a card makes all earlier positions impossible.
    lengths: int64, shape (2,): how many of each there are.
    before_cells, before_words, before_lengths: the position before a fault, when the cell FAULT
        is set. The keys of earlier turns are still there then: they are overwritten only when a
        turn has ended.
    """

    cells: ByteArray
    words: KeyArray
    turn_keys: KeyArray
    start_keys: KeyArray
    lengths: LongArray
    before_cells: ByteArray
    before_words: KeyArray
    before_lengths: LongArray


# Legal moves


@kernel
def duty(cells: ByteArray, codes: Codes) -> int:
    """What the mover is obliged to do: the first that applies."""
    player = np.int64(cells[MOVER])
    reserve, turned = reserve_top(cells, player), turned_card(cells)
    is_end_up = False
    has_empty = False
    fits_house = False
    for house in range(codes.houses):
        if cells[HOUSE_SIZE + house] == 0:
            has_empty = True
            continue
        end = house_end(cells, house)
        is_end_up |= fits_foundation(cells, end)
        fits_house |= reserve != NO_CARD and builds(reserve, end, codes.in_suit)
    is_reserve_up = reserve != NO_CARD and fits_foundation(cells, reserve)
    is_turned_up = turned != NO_CARD and fits_foundation(cells, turned)
    if codes.compulsory == 1:
        if is_reserve_up:
            return UP_RESERVE
        if is_end_up or is_turned_up:
            return UP_ANY
        if reserve != NO_CARD and (has_empty or (fits_house and codes.only_empty == 0)):
            return RESERVE_FIRST
    if codes.seen_rule == 1 and is_end_up:
        return UP_HOUSE
    if codes.must_play == 1:
        if is_reserve_up or is_turned_up or fits_house:
            return OWN_CARD
        if has_empty and (reserve != NO_CARD or turned != NO_CARD):
            return OWN_CARD
        if has_place(cells, codes, turned) or has_load(cells, codes, reserve):
            return OWN_CARD
    return NOTHING


@kernel
def has_load(cells: ByteArray, codes: Codes, card: int) -> bool:
    """Whether a card, or `NO_CARD`, can be loaded."""
    if card == NO_CARD or cells[BARRED] == 1:
        return False
    other = 1 - np.int64(cells[MOVER])
    on_reserve = codes.loads & 1 != 0 and loads_on(card, reserve_top(cells, other))
    return bool(on_reserve or (codes.loads & 2 != 0 and loads_on(card, waste_top(cells, other))))


@kernel
def has_place(cells: ByteArray, codes: Codes, card: int) -> bool:
    """Whether a card, or `NO_CARD`, goes on a house that is not empty or can be loaded."""
    if card == NO_CARD:
        return False
    for house in range(codes.houses):
        is_open = cells[HOUSE_SIZE + house] != 0
        if is_open and builds(card, house_end(cells, house), codes.in_suit):
            return True
    return has_load(cells, codes, card)


@inlined
def misses(move: int, obliged: int) -> bool:
    """Whether a move leaves undone what the mover is obliged to do."""
    is_up = move < TURN and move & 15 == FOUNDATION
    if obliged == UP_RESERVE:
        return bool(move != RESERVE_UP)
    if obliged == UP_ANY:
        return not is_up
    if obliged == UP_HOUSE:
        return bool(not is_up or move >= RESERVE << 4)
    if obliged == RESERVE_FIRST:
        return bool(move >= STOCK_CARD << 4)
    return bool(obliged == OWN_CARD and move > TURN)


@kernel
def legal_moves(table: Table, codes: Codes, moves: LongArray) -> int:
    """Write every legal move into `moves`, int64 of shape (MAX_MOVES,); return their number.

    Of several empty houses only the first is named.
    """
    cells = table.cells
    if cells[OUTCOME] != GOING_ON:
        return 0
    obliged = NOTHING if codes.called == 1 else duty(cells, codes)
    player = np.int64(cells[MOVER])
    count = 0
    if obliged <= UP_ANY:
        count = card_moves(cells, codes, RESERVE, reserve_top(cells, player), obliged, moves, count)
    if obliged != UP_RESERVE:
        for house in range(codes.houses):
            if cells[HOUSE_SIZE + house] != 0:
                before = count
                end = house_end(cells, house)
                count = card_moves(cells, codes, house, end, obliged, moves, count)
                count = without_recurring(table, codes, moves, before, count)
    if obliged >= RESERVE_FIRST:
        count = card_moves(cells, codes, RESERVE, reserve_top(cells, player), obliged, moves, count)
    if obliged in (NOTHING, UP_ANY, OWN_CARD):
        count = card_moves(cells, codes, STOCK_CARD, turned_card(cells), obliged, moves, count)
    if obliged == NOTHING:
        moves[count] = ending(cells, codes)
        count += 1
    if cells[FAULT] == 1:
        moves[count] = STOP
        count += 1
    return count


@inlined
def ending(cells: ByteArray, codes: Codes) -> int:
    """The one of turn, discard and pass that is possible."""
    player = np.int64(cells[MOVER])
    if cells[TURNED] == 1:
        return DISCARD
    left = np.int64(cells[STOCK_SIZE + player]) + np.int64(cells[WASTE_SIZE + player])
    return TURN if left > 0 else PASS


@kernel
def card_moves(
    cells: ByteArray,
    codes: Codes,
    source: int,
    card: int,
    obliged: int,
    moves: LongArray,
    count: int,
) -> int:
    """Append the moves of an available card, or of `NO_CARD`; return the new number of moves."""
    if card == NO_CARD:
        return count
    if fits_foundation(cells, card):
        moves[count] = source << 4 | FOUNDATION
        count += 1
    if UP_RESERVE <= obliged <= UP_HOUSE:
        return count
    empty = -1
    for house in range(codes.houses):
        if cells[HOUSE_SIZE + house] == 0:
            if empty < 0:
                empty = house
        elif builds(card, house_end(cells, house), codes.in_suit):
            moves[count] = source << 4 | house
            count += 1
    if empty >= 0:
        moves[count] = source << 4 | empty
        count += 1
    if cells[BARRED] == 0:
        other = 1 - np.int64(cells[MOVER])
        if codes.loads & 1 and loads_on(card, reserve_top(cells, other)):
            moves[count] = source << 4 | OTHER_RESERVE
            count += 1
        if codes.loads & 2 and loads_on(card, waste_top(cells, other)):
            moves[count] = source << 4 | OTHER_WASTE
            count += 1
    return count


@kernel
def without_recurring(table: Table, codes: Codes, moves: LongArray, first: int, count: int) -> int:
    """Drop from moves `first` to `count` those to a position that this turn had; the new count."""
    kept = first
    for i in range(first, count):
        move = moves[i]
        if move & 15 >= FOUNDATION or not recurs(table, move >> 4, move & 15):
            moves[kept] = move
            kept += 1
    return kept


@kernel
def recurs(table: Table, source: int, target: int) -> bool:
    """Whether moving a card between two houses leads to a position that this turn had.

    No other moves can: see the plain rules. A face-down card that is turned up does not go back
    either.
    """
    cells, words = table.cells, table.words
    size, hidden = np.int64(cells[HOUSE_SIZE + source]), np.int64(cells[HIDDEN + source])
    if hidden > 0 and size - 1 == hidden:
        return False
    length = table.lengths[TURN_LENGTH]
    if length == TURN_ROOM:
        return True
    old_source = np.int64(words[HOUSE_CODES + source])
    old_target = np.int64(words[HOUSE_CODES + target])
    new_source = 0 if size == 1 else old_source >> 1
    # The two houses have changed places: the present position itself.
    if new_source == old_target:
        return True
    if length == 1:
        return False
    new_target = code_with(old_target, house_end(cells, source))
    low = words[KEY_LOW] + change(old_source, old_target, new_source, new_target, LANE_LOW)
    high = words[KEY_HIGH] + change(old_source, old_target, new_source, new_target, LANE_HIGH)
    for i in range(length):
        if table.turn_keys[i, 0] == low and table.turn_keys[i, 1] == high:
            return True
    return False


@inlined
def change(
    old_source: int, old_target: int, new_source: int, new_target: int, lane: np.uint64
) -> np.uint64:
    """What two changed houses add to one half of the key."""
    changed: np.uint64 = mix(np.uint64(new_target) ^ lane) - mix(np.uint64(old_source) ^ lane)
    if new_source != 0:
        changed += mix(np.uint64(new_source) ^ lane)
    if old_target != 0:
        changed -= mix(np.uint64(old_target) ^ lane)
    return changed


# Making moves


@kernel
def move_card(cells: ByteArray, words: KeyArray, move: int) -> None:
    """Move a card. The position's part of a move: nothing of turns, ends or the past."""
    player = np.int64(cells[MOVER])
    source, target = move >> 4, move & 15
    if source == RESERVE:
        card = take_reserve(cells, words, player)
    elif source == STOCK_CARD:
        card = take_stock(cells, words)
    else:
        card = take_house(cells, words, source)
    if target == FOUNDATION:
        put_on_foundation(cells, words, card)
    elif target == OTHER_RESERVE:
        put_on_reserve(cells, words, 1 - player, card)
    elif target == OTHER_WASTE:
        put_on_waste(cells, words, 1 - player, card)
    else:
        put_on_house(cells, words, target, card)


@kernel
def pass_turn(cells: ByteArray, words: KeyArray, codes: Codes) -> None:
    """Begin the opponent's turn: the position's part of a turn's end."""
    set_flag(cells, words, FLAG_MOVER, 1 - np.int64(cells[MOVER]))
    set_flag(cells, words, FLAG_TURNED, 0)
    set_flag(cells, words, FLAG_BARRED, 0)
    cells[QUIET] = np.int64(cells[QUIET]) + 1
    words[TURN_COUNT] += np.uint64(1)
    open_stock(cells, words, codes)


@kernel
def move_in_position(cells: ByteArray, words: KeyArray, codes: Codes, move: int) -> bool:
    """Make a move that is no `STOP`, leaving the past alone; return whether the turn has ended.

    A win ends the game, not the turn: `OUTCOME` is set.
    """
    if move == TURN:
        fill_stock(cells, words, codes)
        set_flag(cells, words, FLAG_TURNED, 1)
        return False
    if move >= DISCARD:
        if move == DISCARD:
            card = take_stock(cells, words)
            put_on_waste(cells, words, np.int64(cells[MOVER]), card)
        pass_turn(cells, words, codes)
        return True
    move_card(cells, words, move)
    player = np.int64(cells[MOVER])
    if is_out(cells, player):
        cells[OUTCOME] = FIRST_WON + player
    else:
        open_stock(cells, words, codes)
    return False


@kernel
def play(table: Table, codes: Codes, move: int) -> None:
    """Make a legal move."""
    if move == STOP:
        table.cells[:] = table.before_cells
        table.words[:] = table.before_words
        table.lengths[:] = table.before_lengths
        pass_turn(table.cells, table.words, codes)
        note_start(table)
        return
    is_fault = False
    if codes.called == 1:
        is_fault = misses(move, duty(table.cells, codes))
        table.cells[FAULT] = 0
        if is_fault:
            table.before_cells[:] = table.cells
            table.before_words[:] = table.words
            table.before_lengths[:] = table.lengths
    turned_up = is_turned_up_by(table.cells, move)
    has_ended = move_in_position(table.cells, table.words, codes, move)
    if has_ended:
        note_start(table)
    else:
        if move < TURN and move & 15 == FOUNDATION:
            table.lengths[START_LENGTH] = 0
        is_between_houses = move < RESERVE << 4 and move & 15 < FOUNDATION
        if not is_between_houses or turned_up:
            table.lengths[TURN_LENGTH] = 0
        note(table.turn_keys, table.lengths, TURN_LENGTH, table.words)
    if is_fault:
        table.cells[FAULT] = 1


@inlined
def is_turned_up_by(cells: ByteArray, move: int) -> bool:
    """Whether a move turns a house's face-down card up."""
    if move >= RESERVE << 4:
        return False
    house = move >> 4
    hidden = np.int64(cells[HIDDEN + house])
    return bool(hidden > 0 and np.int64(cells[HOUSE_SIZE + house]) - 1 == hidden)


@inlined
def note(keys: KeyArray, lengths: LongArray, which: int, words: KeyArray) -> None:
    """Append the position's key."""
    length = lengths[which]
    keys[length, 0] = words[KEY_LOW]
    keys[length, 1] = words[KEY_HIGH]
    lengths[which] = length + 1


@kernel
def note_start(table: Table) -> None:
    """Note the position with which a turn begins; end the game where that is a draw."""
    low, high = table.words[KEY_LOW], table.words[KEY_HIGH]
    for i in range(table.lengths[START_LENGTH]):
        if table.start_keys[i, 0] == low and table.start_keys[i, 1] == high:
            table.cells[OUTCOME] = REPETITION
            return
    if table.cells[QUIET] >= QUIET_LIMIT:
        table.cells[OUTCOME] = QUIET_DRAW
        return
    note(table.start_keys, table.lengths, START_LENGTH, table.words)
    table.lengths[TURN_LENGTH] = 0
    note(table.turn_keys, table.lengths, TURN_LENGTH, table.words)


@kernel
def begin(table: Table) -> None:
    """Forget the past of a position whose cells were set; compute codes and keys."""
    table.cells[FAULT] = 0
    set_keys(table.cells, table.words)
    table.lengths[START_LENGTH] = 0
    table.lengths[TURN_LENGTH] = 0
    player = np.int64(table.cells[MOVER])
    if is_out(table.cells, player):
        table.cells[OUTCOME] = FIRST_WON + player
    else:
        table.cells[OUTCOME] = GOING_ON
        note_start(table)


# Dealing


@kernel
def lay_out(table: Table, codes: Codes, packs: ByteArray, chance: np.uint64) -> None:
    """Deal a game: `packs` is uint8, shape (2, 52), full packs; smaller decks leave cards out."""
    cells = table.cells
    cells[:] = 0
    share = codes.houses // 2
    for player in range(2):
        dealt = 0
        stock = 0
        # The stock's cells are known when all cards are counted.
        size = codes.ranks * codes.suits - codes.reserve - share * (codes.hidden + 1)
        for i in range(packs.shape[1]):
            card = np.int64(packs[player, i])
            if card >> 2 >= codes.ranks or card & 3 >= codes.suits:
                continue
            row = dealt - codes.reserve
            if row < 0:
                cells[RESERVES + player * RESERVE_ROOM + dealt] = card
            elif row < share * (codes.hidden + 1):
                house = player * share + row % share
                cells[HOUSES + house * HOUSE_ROOM + row // share] = card
            else:
                cells[DECKS + (player + 1) * CARD_COUNT - size + stock] = card
                stock += 1
            dealt += 1
        cells[RESERVE_SIZE + player] = codes.reserve
        cells[OPEN_RESERVE + player] = min(1, codes.reserve)
        cells[STOCK_SIZE + player] = size
    for house in range(codes.houses):
        cells[HOUSE_SIZE + house] = codes.hidden + 1
        cells[HIDDEN + house] = codes.hidden
    cells[MOVER] = first_player(cells, codes)
    cells[BARRED] = 1 - codes.first_load
    cells[QUIET] = 1
    table.words[:] = np.uint64(0)
    table.words[CHANCE] = chance
    set_keys(cells, table.words)
    open_stock(cells, table.words, codes)
    begin(table)


@kernel
def first_player(cells: ByteArray, codes: Codes) -> int:
    """Who begins: by the reserve tops, then by the house tops in the order of dealing."""
    if codes.starter == 0:
        return 0
    share = codes.houses // 2
    apart = 0
    if codes.reserve > 0:
        apart = (reserve_top(cells, 1) >> 2) - (reserve_top(cells, 0) >> 2)
    for i in range(share):
        if apart == 0:
            apart = (house_end(cells, share + i) >> 2) - (house_end(cells, i) >> 2)
    if codes.starter == 2:
        apart = -apart
    return 1 if apart > 0 else 0


# Play


@kernel
def copy_table(source: Table, target: Table) -> None:
    """Copy a position with its past."""
    target.cells[:] = source.cells
    target.words[:] = source.words
    turns, starts = source.lengths[TURN_LENGTH], source.lengths[START_LENGTH]
    target.turn_keys[:turns] = source.turn_keys[:turns]
    # Before a fault there may have been more of them.
    if source.cells[FAULT] == 1:
        target.before_cells[:] = source.before_cells
        target.before_words[:] = source.before_words
        target.before_lengths[:] = source.before_lengths
        starts = max(starts, source.before_lengths[START_LENGTH])
    target.start_keys[:starts] = source.start_keys[:starts]
    target.lengths[:] = source.lengths


@inlined
def draw(random: KeyArray, bound: int) -> int:
    """A number below `bound`, from the generator whose state is `random[0]`."""
    random[0] += STEP
    word = mix(random[0]) >> np.uint64(32)
    drawn: int = np.int64((word * np.uint64(bound)) >> np.uint64(32))
    return drawn


@kernel
def play_randomly(
    table: Table, codes: Codes, random: KeyArray, max_moves: int, moves: LongArray
) -> int:
    """Make random legal moves, up to `max_moves` or the end of the game; return how many.

    random: uint64, shape (1,): SplitMix64's state, moved on.
    moves: int64, shape (MAX_MOVES,), overwritten.
    """
    for made in range(max_moves):
        count = legal_moves(table, codes, moves)
        if count == 0:
            return made
        play(table, codes, moves[draw(random, count)])
    return max_moves
