"""Plays a line of class moves on real columns: kernels.

A class move says which card moves; here the columns are prepared for it, by handing runs between
twins, to empty columns or to free hosts. With ``wrap=base`` that always succeeds:

* While the reserve lasts, a class with a free host has a bare member, since each card lies on one
  host; and a twin that is to go up, with the other twin bare, hands its run over.
* Then, if no root can go on a bare card, each class lies on its hosts as far as these reach, so
  that the columns are as few as the tableau needs. Either that leaves an empty column, or the
  class move needs none.

With ``wrap=full`` the only bare host may be in the run itself that is to move, at its end. There
are two ways out, and when neither is open the line fails:

* Between the run's first card and the host there is a card whose twin is the end of another column:
  what lies on the card, with the host, is handed over to the twin.
* The host's twin lies in another column: the host takes its run over, and it becomes the host.
"""

from __future__ import annotations

from typing import NamedTuple

from winnable.arrays import LongArray
from winnable.games.canfield.classes_state import (
    COLUMNS,
    PLACES,
    RESERVE_MOVE,
    RESERVE_UP,
    ROOT_MOVE,
    STOCK_MOVE,
    STOCK_UP,
    TABLEAU_UP,
)
from winnable.jit import inlined, lean_kernel

# Kinds of column moves: kind << 12 | card << 6 | target. The target of `TO_COLUMN` is the card at
# the column's end, `NO_TARGET` for an empty column.
TURN, REDEAL, TO_FOUNDATION, TO_COLUMN = range(4)
NO_TARGET = 63
MOST_COLUMN_MOVES = 4096
# Two passes card by card show every card.
MOST_TURNS = 2 * PLACES + 2

# Cells of `Board.counts`: after the columns' lengths.
IN_RESERVE, IN_STOCK, IN_WASTE, WRITTEN, FULL_WRAP, PACKET, REDEALS = range(COLUMNS, COLUMNS + 7)
COUNTS = COLUMNS + 7


class Board(NamedTuple):
    """Real piles.

    columns: int64, shape (4, 52).
    reserve: int64, shape (13,).
    stock: int64, shape (34,): waste, bottom first, and the stock after it, in order of turning.
    up: int64, shape (4,): cards on the foundation of each suit.
    counts: int64, shape (COUNTS,): columns' lengths, cards in the reserve, in stock and waste
        together, in the waste; column moves written; 1 where base-rank cards take cards; cards
        turned at a time; 1 with redeals, 0 without.
    written: int64, shape (MOST_COLUMN_MOVES,): the column moves.
    """

    columns: LongArray
    reserve: LongArray
    stock: LongArray
    up: LongArray
    counts: LongArray
    written: LongArray


@inlined
def write(board: Board, kind: int, card: int, target: int) -> None:
    """Append a column move."""
    board.written[board.counts[WRITTEN]] = kind << 12 | card << 6 | target
    board.counts[WRITTEN] += 1


@lean_kernel
def column_of(board: Board, card: int) -> tuple[int, int]:
    """The column of a card and its place in it; -1 for a card in no column."""
    for column in range(COLUMNS):
        for i in range(board.counts[column]):
            if board.columns[column, i] == card:
                return column, i
    return -1, -1


@lean_kernel
def goes_on(board: Board, card: int, column: int) -> bool:
    """Whether a card fits on the end of a column that is not empty."""
    length = board.counts[column]
    if length == 0:
        return False
    end = board.columns[column, length - 1]
    rank = (card >> 2) + 1
    if rank == 13:
        if board.counts[FULL_WRAP] == 0:
            return False
        rank = 0
    return bool((end >> 2) == rank and ((end ^ card) & 1) == 1)


@lean_kernel
def fill_column(board: Board, column: int) -> None:
    """Put the reserve's top card, if there is one, in a column if it is empty."""
    if board.counts[column] == 0 and board.counts[IN_RESERVE] > 0:
        board.counts[IN_RESERVE] -= 1
        board.columns[column, 0] = board.reserve[board.counts[IN_RESERVE]]
        board.counts[column] = 1


@lean_kernel
def move_run(board: Board, column: int, begin: int, target: int) -> None:
    """Move the end of a column, from index `begin` on, to another column that takes it."""
    card = board.columns[column, begin]
    length = board.counts[target]
    write(board, TO_COLUMN, card, board.columns[target, length - 1] if length else NO_TARGET)
    for i in range(begin, board.counts[column]):
        board.columns[target, board.counts[target]] = board.columns[column, i]
        board.counts[target] += 1
    board.counts[column] = begin
    fill_column(board, column)


@lean_kernel
def move_root(board: Board, column: int) -> bool:
    """Move a whole column to the end of another one, if any takes it."""
    if board.counts[column] == 0:
        return False
    for target in range(COLUMNS):
        if target != column and goes_on(board, board.columns[column, 0], target):
            move_run(board, column, 0, target)
            return True
    return False


@lean_kernel
def split_column(board: Board, column: int, begin: int) -> int:
    """Hand the end of a column over to a twin of one of its cards, from index `begin` on.

    Returns the other column, or -1 when none of these twins is the end of another column.
    """
    for i in range(begin, board.counts[column] - 1):
        other, place = column_of(board, board.columns[column, i] ^ 2)
        if other >= 0 and other != column and place + 1 == board.counts[other]:
            move_run(board, column, i + 1, other)
            return other
    return -1


@lean_kernel
def move_root_off_itself(board: Board, column: int) -> bool:
    """Move a whole column whose only host is its own end; see the module's text."""
    if not goes_on(board, board.columns[column, 0], column):
        return False
    host = board.columns[column, board.counts[column] - 1]
    other, place = column_of(board, host ^ 2)
    if other >= 0 and other != column:
        move_run(board, other, place + 1, column)
        move_run(board, column, 0, other)
        return True
    other = split_column(board, column, 0)
    if other < 0:
        return False
    move_run(board, column, 0, other)
    return True


@lean_kernel
def empty_column(board: Board) -> int:
    """With the reserve gone: a column that is empty, or can be made so at once; -1 for none."""
    for column in range(COLUMNS):
        if board.counts[column] == 0:
            return column
    for column in range(COLUMNS):
        if move_root(board, column):
            return column
    for column in range(COLUMNS):
        if move_root_off_itself(board, column):
            return column
    return -1


@lean_kernel
def bare(board: Board, card: int) -> bool:
    """Take away what lies on a card of a column."""
    column, i = column_of(board, card)
    if column < 0:
        return False
    if i + 1 == board.counts[column]:
        return True
    twins_column, twins_place = column_of(board, card ^ 2)
    target = -1
    if twins_column >= 0 and twins_place + 1 == board.counts[twins_column]:
        target = twins_column
        if target == column:
            target = split_column(board, column, i + 1)
    elif board.counts[IN_RESERVE] == 0:
        target = empty_column(board)
        # Another column may just have come to lie on this one, or this one on another.
        column, i = column_of(board, card)
    if target < 0 or target == column:
        return False
    move_run(board, column, i + 1, target)
    return True


@lean_kernel
def turn_up(board: Board, card: int) -> bool:
    """Turn the stock until a card is on the waste's top."""
    counts = board.counts
    for _ in range(MOST_TURNS):
        if counts[IN_WASTE] > 0 and board.stock[counts[IN_WASTE] - 1] == card:
            return True
        if counts[IN_WASTE] == counts[IN_STOCK]:
            if counts[REDEALS] == 0:
                return False
            write(board, REDEAL, 0, NO_TARGET)
            counts[IN_WASTE] = 0
        else:
            write(board, TURN, 0, NO_TARGET)
            counts[IN_WASTE] = min(counts[IN_WASTE] + counts[PACKET], counts[IN_STOCK])
    return False


@lean_kernel
def take_from_waste(board: Board) -> None:
    """Remove the waste's top card."""
    counts = board.counts
    for i in range(counts[IN_WASTE], counts[IN_STOCK]):
        board.stock[i - 1] = board.stock[i]
    counts[IN_WASTE] -= 1
    counts[IN_STOCK] -= 1


@lean_kernel
def put_up(board: Board, card: int) -> bool:
    """Bring a card to its foundation, if that takes it next."""
    if board.up[card & 3] != card >> 2:
        return False
    board.up[card & 3] += 1
    write(board, TO_FOUNDATION, card, NO_TARGET)
    return True


@lean_kernel
def put_on_column(board: Board, card: int, may_use_empty: bool) -> bool:
    """Put a card of reserve or waste, which is taken from there by the caller, on a column."""
    target = -1
    for column in range(COLUMNS):
        if goes_on(board, card, column):
            target = column
            break
    if target < 0 and may_use_empty:
        target = empty_column(board)
    if target < 0:
        return False
    length = board.counts[target]
    write(board, TO_COLUMN, card, board.columns[target, length - 1] if length else NO_TARGET)
    board.columns[target, length] = card
    board.counts[target] += 1
    return True


@lean_kernel
def play_class_move(board: Board, move: int) -> bool:
    """Play one class move; False when the columns don't allow it."""
    kind, card = move >> 6, move & 63
    counts = board.counts
    if kind in (STOCK_UP, STOCK_MOVE):
        if not turn_up(board, card):
            return False
        if kind == STOCK_UP:
            done = put_up(board, card)
        else:
            done = put_on_column(board, card, counts[IN_RESERVE] == 0)
        if done:
            take_from_waste(board)
        return done
    if kind in (RESERVE_UP, RESERVE_MOVE):
        if counts[IN_RESERVE] == 0 or board.reserve[counts[IN_RESERVE] - 1] != card:
            return False
        done = put_up(board, card) if kind == RESERVE_UP else put_on_column(board, card, False)
        counts[IN_RESERVE] -= 1
        return done
    if kind == TABLEAU_UP:
        if not bare(board, card) or not put_up(board, card):
            return False
        column, _ = column_of(board, card)
        counts[column] -= 1
        fill_column(board, column)
        return True
    column, i = column_of(board, card)
    if kind != ROOT_MOVE or i != 0:
        return False
    return move_root(board, column) or move_root_off_itself(board, column)


@lean_kernel
def play_line(board: Board, line: LongArray, count: int) -> int:
    """Play class moves; returns how many could be played.

    Parameters
    ----------
    board: the start, with nothing written; changed.
    line: int64: class moves, of which `count` are played.
    """
    for i in range(count):
        if not play_class_move(board, line[i]):
            return i
    return count
