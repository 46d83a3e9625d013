"""Positions, moves and variants between the plain rules and the kernels' arrays.

Importing this module imports numba.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from winnable.arrays import ByteArray
from winnable.duel import engine, moves
from winnable.duel import state as cells
from winnable.duel.moves import Table
from winnable.duel.position import (
    DISCARD,
    FOUNDATION,
    OTHER_RESERVE,
    OTHER_WASTE,
    PASS,
    RESERVE,
    STOP,
    TURN,
    TURNED,
    Ending,
    House,
    Move,
    Outcome,
    Side,
    State,
    house_name,
)
from winnable.duel.rules import (
    is_load_barred,
)
from winnable.duel.state import CARD_COUNT, HOUSE_ROOM, RESERVE_ROOM, Codes
from winnable.duel.tables import Variant

_HOUSE_NAMES = [house_name(number) for number in range(cells.HOUSE_COUNT)]
_SOURCES = [*_HOUSE_NAMES, RESERVE, TURNED]
_TARGETS = [*_HOUSE_NAMES, FOUNDATION, OTHER_RESERVE, OTHER_WASTE]
_WORDS = (TURN, DISCARD, PASS, STOP)
_OUTCOMES = {
    cells.GOING_ON: None,
    cells.FIRST_WON: Outcome(0, Ending.WON),
    cells.SECOND_WON: Outcome(1, Ending.WON),
    cells.REPETITION: Outcome(None, Ending.REPETITION),
    cells.QUIET_DRAW: Outcome(None, Ending.QUIET),
}


def codes_of(variant: Variant) -> Codes:
    """A variant as kernels read it."""
    size = variant.size
    reserve_to_house = variant.says("reserve-to-house")
    return Codes(
        compulsory=int(reserve_to_house != "none"),
        only_empty=int(reserve_to_house == "empty"),
        loads={"reserve": 1, "waste": 2, "both": 3}[variant.says("load")],
        first_load=int(variant.says("first-turn-load") == "yes"),
        in_suit=int(variant.says("house-build") == "suit"),
        shuffles=int(variant.says("redeal") == "shuffle"),
        called=int(variant.are_faults_called),
        seen_rule=int(variant.says("seen-rule") == "yes"),
        must_play=int(variant.says("must-play") == "own"),
        open_stock=int(variant.is_stock_open),
        starter=["first", "high-reserve", "low-reserve"].index(variant.says("starter")),
        hidden=variant.face_down_rows,
        ranks=size.ranks,
        suits=size.suits,
        houses=size.houses,
        reserve=size.reserve,
    )


def code_of(move: Move) -> int:
    """A move as kernels write it."""
    if move in _WORDS:
        return moves.TURN + _WORDS.index(move)
    return _SOURCES.index(move.source) << 4 | _TARGETS.index(move.target)


def move_of(code: int) -> Move:
    """The move of a code."""
    if code >= moves.TURN:
        return _WORDS[code - moves.TURN]
    return Move(_SOURCES[code >> 4], _TARGETS[code & 15])


def empty_table() -> Table:
    """Arrays for one position and its past, all zero."""
    return Table(
        np.zeros(cells.CELL_COUNT, np.uint8),
        np.zeros(cells.WORD_COUNT, np.uint64),
        np.zeros((moves.TURN_ROOM, 2), np.uint64),
        np.zeros((moves.START_ROOM, 2), np.uint64),
        np.zeros(2, np.int64),
        np.zeros(cells.CELL_COUNT, np.uint8),
        np.zeros(cells.WORD_COUNT, np.uint64),
        np.zeros(2, np.int64),
    )


def table_of(state: State, variant: Variant) -> Table:
    """A position as arrays, with no past."""
    table = empty_table()
    at = table.cells
    for player, side in enumerate(state.sides):
        deck = cells.DECKS + player * CARD_COUNT
        _write(at, deck, side.waste)
        _write(at, deck + CARD_COUNT - len(side.stock), side.stock)
        _write(at, cells.RESERVES + player * RESERVE_ROOM, side.reserve)
        at[cells.RESERVE_SIZE + player] = len(side.reserve)
        at[cells.OPEN_RESERVE + player] = side.open_reserve
        at[cells.STOCK_SIZE + player] = len(side.stock)
        at[cells.TURNED_OVER + player] = side.turned_over
        at[cells.WASTE_SIZE + player] = len(side.waste)
    for number, house in enumerate(state.houses):
        _write(at, cells.HOUSES + number * HOUSE_ROOM, house.cards)
        at[cells.HOUSE_SIZE + number] = len(house.cards)
        at[cells.HIDDEN + number] = house.hidden
    _write(at, cells.FOUNDATIONS, [height for pair in state.foundations for height in pair])
    at[cells.MOVER] = state.mover
    at[cells.TURNED] = state.turned
    at[cells.BARRED] = is_load_barred(state, variant)
    at[cells.QUIET] = state.quiet + 1
    table.words[cells.CHANCE] = state.chance
    table.words[cells.TURN_COUNT] = state.turn
    with np.errstate(over="ignore"):
        engine.begin(table)
    return table


def _write(at: ByteArray, first: int, values: tuple[int, ...] | list[int]) -> None:
    at[first : first + len(values)] = values


def _read(at: ByteArray, first: int, size: int) -> tuple[int, ...]:
    return tuple(at[first : first + size].tolist())


def state_of(table: Table, variant: Variant) -> State:
    """The position of a table; of its past only the fault and the outcome."""
    state = _position(table.cells, table.words, variant)
    fault = None
    if table.cells[cells.FAULT]:
        fault = _position(table.before_cells, table.before_words, variant)
    return replace(state, fault=fault, outcome=_OUTCOMES[int(table.cells[cells.OUTCOME])])


def _position(at: ByteArray, words: cells.KeyArray, variant: Variant) -> State:
    count = [int(value) for value in at]
    houses = tuple(
        House(
            _read(at, cells.HOUSES + number * HOUSE_ROOM, count[cells.HOUSE_SIZE + number]),
            count[cells.HIDDEN + number],
        )
        for number in range(variant.size.houses)
    )
    heights = _read(at, cells.FOUNDATIONS, 8)
    return State(
        houses=houses,
        sides=(_side(at, 0), _side(at, 1)),
        foundations=tuple(zip(heights[::2], heights[1::2], strict=True)),
        mover=count[cells.MOVER],
        turned=bool(count[cells.TURNED]),
        turn=int(words[cells.TURN_COUNT]),
        quiet=count[cells.QUIET] - 1,
        chance=int(words[cells.CHANCE]),
    )


def _side(at: ByteArray, player: int) -> Side:
    deck = cells.DECKS + player * CARD_COUNT
    stock = int(at[cells.STOCK_SIZE + player])
    return Side(
        _read(at, cells.RESERVES + player * RESERVE_ROOM, int(at[cells.RESERVE_SIZE + player])),
        _read(at, deck + CARD_COUNT - stock, stock),
        _read(at, deck, int(at[cells.WASTE_SIZE + player])),
        int(at[cells.OPEN_RESERVE + player]),
        bool(at[cells.TURNED_OVER + player]),
    )
