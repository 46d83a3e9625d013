"""Follows a line in classes under rules that move less than any run: kernels.

A line says which cards move, not on which of two twins they come to lie. All arrangements of the
columns that the line can lead to are kept side by side, as far as there is room. A card that
carries others is bared by moving these to the twins of the cards they lie on: single cards, from
the column's end on, where the rules let a column's last card move.
"""

from __future__ import annotations

from winnable.arrays import LongArray
from winnable.games.canfield.state import (
    NO_CARD,
    ROOT_MOVE,
    TABLEAU_UP,
    WHOLE_OR_TOP,
    Position,
    Setup,
    child_of,
    first_parent,
    free_cards,
    may_be_long,
    move_code,
)
from winnable.games.canfield.state_moves import apply_move
from winnable.jit import inlined, kernel

# Arrangements kept after each move, and the cells of one: a position, which arrangement it comes
# from, and the move.
WIDTH = 64
PARENT, MADE = 7, 8
CELLS = 9


@kernel
def bared(setup: Setup, at: Position, card: int) -> int:
    """Which twins carry what once a tableau card is bare, as `Position.second_host`.

    -1 if it can't be bared.
    """
    free = free_cards(at)
    second_host = at.second_host
    end = card
    while (free >> end) & 1 == 0:
        if setup.moves != WHOLE_OR_TOP or (free >> (end ^ 2)) & 1 == 0:
            return -1
        end = child_of(at, end)
        second_host ^= 1 << end
    return int(second_host)


@inlined
def load(cells: LongArray) -> Position:
    """The position of an arrangement."""
    return Position(cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6])


@kernel
def add(beam: LongArray, level: int, count: int, at: Position, parent: int, move: int) -> int:
    """Keep an arrangement if it is new and there is room; returns how many there are now."""
    rows = beam[level]
    second_host = at.second_host & at.tableau & ~at.roots
    for i in range(count):
        if rows[i, 3] == second_host:
            return count
    if count == WIDTH:
        return count
    row = rows[count]
    row[0] = at.stock
    row[1] = at.tableau
    row[2] = at.roots
    row[3] = second_host
    row[4] = at.up
    row[5] = at.reserve
    row[6] = at.waste
    row[PARENT] = parent
    row[MADE] = move
    return count + 1


@kernel
def follow(
    setup: Setup, start: Position, line: LongArray, count: int, beam: LongArray
) -> tuple[int, int]:
    """Follow a line until the reserve is gone, or as far as it goes.

    Parameters
    ----------
    line: int64: moves in classes, of which `count` are followed.
    beam: int64, shape (more than `count`, WIDTH, CELLS): receives the arrangements.

    Returns
    -------
    The moves made, and the arrangements after them; 0 when a move can't be made in any.
    """
    known = add(beam, 0, 0, start, 0, 0)
    for level in range(count):
        if beam[level, 0, 5] == 0:
            return level, known
        kind, card = line[level] >> 6, line[level] & 63
        after = 0
        for parent in range(known):
            at = load(beam[level, parent])
            first = NO_CARD if kind < ROOT_MOVE else first_parent(card)
            for twin in range(1 if kind < ROOT_MOVE else 2):
                host = first if kind < ROOT_MOVE else first + 2 * twin
                must_be_bare = card if kind == TABLEAU_UP else host
                second_host = at.second_host
                if must_be_bare != NO_CARD:
                    if (at.tableau >> must_be_bare) & 1 == 0:
                        continue
                    if may_be_long(at):
                        # A twin, or the host, may lie in the tail itself.
                        continue
                    second_host = bared(setup, at, must_be_bare)
                    if second_host < 0:
                        continue
                move = move_code(kind, card, host)
                ready = Position(
                    at.stock, at.tableau, at.roots, second_host, at.up, at.reserve, at.waste
                )
                after = add(beam, level + 1, after, apply_move(setup, ready, move), parent, move)
        known = after
        if known == 0:
            return level, 0
    return count, known
