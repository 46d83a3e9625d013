"""Moves made, turns and games ended, deals laid out, and random play: kernels."""

from __future__ import annotations

import numpy as np

from winnable.arrays import ByteArray, LongArray
from winnable.deals.kernels.native import STEP, mix
from winnable.duel.moves import (
    DISCARD,
    FOUNDATION,
    OTHER_RESERVE,
    OTHER_WASTE,
    QUIET_LIMIT,
    RESERVE,
    START_LENGTH,
    STOCK_CARD,
    STOP,
    TURN,
    TURN_LENGTH,
    Table,
    duty,
    find_targets,
    legal_moves,
    misses,
)
from winnable.duel.state import (
    BARRED,
    CARD_COUNT,
    CHANCE,
    DECKS,
    ENDS,
    FAULT,
    FIRST_WON,
    FLAG_BARRED,
    FLAG_MOVER,
    FLAG_TURNED,
    GOING_ON,
    HIDDEN,
    HOUSE_ROOM,
    HOUSE_SIZE,
    HOUSES,
    KEY_HIGH,
    KEY_LOW,
    MOVER,
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
    Codes,
    KeyArray,
    copy_array,
    fill_stock,
    is_out,
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
)
from winnable.jit import inlined, lean_kernel

# Making moves


@lean_kernel
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


@lean_kernel
def pass_turn(cells: ByteArray, words: KeyArray, codes: Codes) -> None:
    """Begin the opponent's turn: the position's part of a turn's end."""
    set_flag(cells, words, FLAG_MOVER, 1 - np.int64(cells[MOVER]))
    set_flag(cells, words, FLAG_TURNED, 0)
    set_flag(cells, words, FLAG_BARRED, 0)
    cells[QUIET] = np.int64(cells[QUIET]) + 1
    words[TURN_COUNT] += np.uint64(1)
    open_stock(cells, words, codes)


@lean_kernel
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


@lean_kernel
def play(table: Table, codes: Codes, move: int) -> None:
    """Make a legal move."""
    if move == STOP:
        copy_array(table.cells, table.before_cells)
        copy_array(table.words, table.before_words)
        copy_array(table.lengths, table.before_lengths)
        pass_turn(table.cells, table.words, codes)
        note_start(table)
        return
    is_fault = False
    if codes.called == 1:
        is_fault = misses(move, duty(table.cells, codes, find_targets(table.cells, codes)))
        table.cells[FAULT] = 0
        if is_fault:
            copy_array(table.before_cells, table.cells)
            copy_array(table.before_words, table.words)
            copy_array(table.before_lengths, table.lengths)
    has_ended = move_in_position(table.cells, table.words, codes, move)
    if has_ended:
        note_start(table)
    else:
        if move < TURN and move & 15 == FOUNDATION:
            table.lengths[START_LENGTH] = 0
        # Only moves between houses can be taken back.
        if move >= RESERVE << 4 or move & 15 >= FOUNDATION:
            table.lengths[TURN_LENGTH] = 0
        note(table.turn_keys, table.lengths, TURN_LENGTH, table.words)
    if is_fault:
        table.cells[FAULT] = 1


@inlined
def note(keys: KeyArray, lengths: LongArray, which: int, words: KeyArray) -> None:
    """Append the position's key."""
    length = lengths[which]
    keys[length, 0] = words[KEY_LOW]
    keys[length, 1] = words[KEY_HIGH]
    lengths[which] = length + 1


@lean_kernel
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


@lean_kernel
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


@lean_kernel
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
    table.words[:] = np.uint64(0)
    # The ends of the houses are needed to see who begins.
    set_keys(cells, table.words)
    cells[MOVER] = first_player(cells, codes)
    cells[BARRED] = 1 - codes.first_load
    cells[QUIET] = 1
    table.words[CHANCE] = chance
    set_keys(cells, table.words)
    open_stock(cells, table.words, codes)
    begin(table)


@lean_kernel
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
            second = np.int64(cells[ENDS + share + i]) >> 2
            apart = second - (np.int64(cells[ENDS + i]) >> 2)
    if codes.starter == 2:
        apart = -apart
    return 1 if apart > 0 else 0


# Play


@inlined
def draw(random: KeyArray, bound: int) -> int:
    """A number below `bound`, from the generator whose state is `random[0]`."""
    random[0] += STEP
    word = mix(random[0]) >> np.uint64(32)
    drawn: int = np.int64((word * np.uint64(bound)) >> np.uint64(32))
    return drawn


@lean_kernel
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
