"""Two easier games, whose loss proves a Canfield position lost: kernels.

The *free game*: every stock card is available at any time, and a game with an empty reserve is
won. Every play of the real game is one of the free game, up to the reserve's end. The waste does
not matter there, so that it has far fewer positions.

The *semi-free game*: a stock card is available when it meets conditions on what has left the stock
that every real play meets (`relaxed.available_places`), and that stay true once they are. Without
redeals the stock's cards tell the waste, so that the real stock has no more positions: there the
semi-free game is the real one, but won with an empty reserve unless `can_finish` denies it.
"""

from __future__ import annotations

from typing import NamedTuple

from winnable.arrays import LongArray
from winnable.games.canfield.classes_bits import deposit
from winnable.games.canfield.classes_relaxed import (
    FREE_STOCK,
    can_still_win,
    once_places,
    semi_free_places,
)
from winnable.games.canfield.classes_state import (
    DRAW,
    LAZY_STOCK,
    NO_MOVE,
    REDEALS,
    REDUCTIONS,
    RESERVE_MOVE,
    RESERVE_UP,
    ROOT_MOVE,
    SAFE_MOVES,
    STOCK_MOVE,
    STOCK_UP,
    TABLEAU_UP,
    TOP,
    WRAP,
    Position,
    above,
    add_cards,
    apply_move,
    cards_at,
    first_key,
    fitting,
    free_hosts,
    may_go_up_safely,
    places_of,
    safe_places,
    second_key,
    stock_cards,
)
from winnable.games.canfield.classes_table import (
    NOTE_SHIFT,
    Table,
    fetch_ahead,
    find,
    is_empty,
    put,
)
from winnable.games.canfield.state import (
    ALL_CARDS,
    lowest,
    next_up,
    other_colour,
    popcount,
    with_twins,
)
from winnable.jit import inlined, lean_kernel

# How a search ended. `UNDECIDED`: won, or a limit was hit, which is all the same here.
REFUTED, UNDECIDED = range(2)
ANY_UNDECIDED = -1

# Columns of a child: a position, its keys, and the move that led to it.
STOCK, TABLEAU, ROOTS, UP, RESERVE_LEFT, WASTE, FIRST, SECOND, MOVE = range(9)
CHILD_SIZE = 9

# Columns of a frame: its children not yet tried, the child that it is itself, and for the main
# search what its entry said before.
NEXT, END, SELF, BEFORE = range(4)
FRAME_SIZE = 4


class Stack(NamedTuple):
    """The line that a depth-first search is at.

    frames: int64, shape (MAX_DEPTH, FRAME_SIZE).
    children: int64, shape (1 + MAX_DEPTH * MAX_MOVES, CHILD_SIZE): in row 0 the position that the
        search began with, then the children of all frames, one frame after the other.
    moves: int64, shape (MAX_MOVES,): work space.
    """

    frames: LongArray
    children: LongArray
    moves: LongArray


@inlined
def load(children: LongArray, row: int) -> Position:
    """The position of a child."""
    return Position(
        children[row, STOCK],
        children[row, TABLEAU],
        children[row, ROOTS],
        children[row, UP],
        children[row, RESERVE_LEFT],
        children[row, WASTE],
    )


@inlined
def save(
    children: LongArray, row: int, at: Position, waste: int, first: int, second: int, move: int
) -> None:
    """Write a child: a position, but with this waste, its keys and its move."""
    children[row, STOCK] = at.stock
    children[row, TABLEAU] = at.tableau
    children[row, ROOTS] = at.roots
    children[row, UP] = at.up
    children[row, RESERVE_LEFT] = at.reserve
    children[row, WASTE] = waste
    children[row, FIRST] = first
    children[row, SECOND] = second
    children[row, MOVE] = move


@inlined
def copy_child(children: LongArray, row: int, to: int) -> None:
    """Copy a child to another row."""
    for column in range(CHILD_SIZE):
        children[to, column] = children[row, column]


@lean_kernel
def available_cards(deal: LongArray, at: Position, game: int) -> int:
    """The stock cards that can be played."""
    stock = stock_cards(deal, at)
    if game == FREE_STOCK or (deal[REDEALS] == 1 and deal[DRAW] == 1):
        return stock
    if deal[REDEALS] == 0:
        places = once_places(popcount(at.stock), at.waste, deal[DRAW], 0)
        return cards_at(deal, deposit(places, at.stock))
    return stock & cards_at(deal, semi_free_places(at.stock))


@lean_kernel
def after_free_safe_moves(deal: LongArray, at: Position, game: int) -> Position:
    """The position after all moves that can lose no win; of the stock too.

    See `classes_state.may_go_up_safely`. There are no packets that a stock card could shift.
    """
    if deal[REDUCTIONS] & SAFE_MOVES == 0:
        return at
    wrap = deal[WRAP]
    while at.reserve:
        safe = next_up(at.up) & may_go_up_safely(at.up, wrap)
        if safe == 0:
            break
        top = deal[TOP + at.reserve - 1]
        if (safe >> top) & 1:
            at = apply_move(deal, at, (RESERVE_UP << 6) | top)
            continue
        stock = safe & stock_cards(deal, at)
        if stock and deal[REDEALS] == 0:
            stock &= cards_at(deal, safe_places(deal, at))
            if stock:
                at = apply_move(deal, at, (STOCK_UP << 6) | lowest(stock))
                continue
        elif stock:
            stock &= available_cards(deal, at, game)
        if stock:
            left = at.stock & ~places_of(deal, stock)
            at = Position(left, at.tableau, at.roots, at.up | stock, at.reserve, 0)
            continue
        ends = safe & at.tableau & free_hosts(at, wrap)
        if ends == 0:
            break
        at = apply_move(deal, at, (TABLEAU_UP << 6) | lowest(ends))
    return at


@inlined
def with_free_waste(deal: LongArray, at: Position, game: int) -> Position:
    """The position with the waste as far as it matters for what is available."""
    waste = at.waste if deal[REDEALS] == 0 and game != FREE_STOCK else 0
    return Position(at.stock, at.tableau, at.roots, at.up, at.reserve, waste)


@lean_kernel
def useful_up(stock: int, cards: int, others: int) -> int:
    """Of some stock cards those whose suit goes on, over stock cards, to one of the others."""
    found = 0
    while cards:
        card = cards & -cards
        cards ^= card
        last = card
        while last & stock:
            last = (last << 4) & ALL_CARDS
        if last & others:
            found |= card
    return found


@lean_kernel
def fill_free_moves(deal: LongArray, at: Position, game: int, moves: LongArray, end: int) -> int:
    """Append the moves of a position whose reserve is not empty; see `classes_state.fill_moves`.

    When all of the stock is available, and so for ever, its cards can wait in it until they are
    needed: nobody else can take what they need. Up, until the next tableau or reserve card of the
    suit can follow. To a column, as a host for a card that is in play, or for a run so that its
    twin is bared; either only where the class has no free host.
    """
    wrap = deal[WRAP]
    wanted = next_up(at.up)
    free = free_hosts(at, wrap)
    placeable = fitting(free, wrap)
    top = 1 << deal[TOP + at.reserve - 1]
    stock = stock_cards(deal, at)
    available = available_cards(deal, at, game)
    end = add_cards(moves, end, RESERVE_UP, top & wanted)
    end = add_cards(moves, end, ROOT_MOVE, at.roots & placeable)
    end = add_cards(moves, end, RESERVE_MOVE, top & placeable)
    ends = at.tableau & wanted & free
    end = add_cards(moves, end, TABLEAU_UP, ends & at.roots)
    end = add_cards(moves, end, TABLEAU_UP, ends & ~at.roots)
    ups, guests = available & wanted, available & placeable
    if available == stock and deal[REDEALS] and deal[REDUCTIONS] & LAZY_STOCK:
        ups = useful_up(stock, ups, at.tableau | top)
        hosts = above(other_colour(with_twins(stock | top | at.roots)), wrap)
        guests &= ~free & (hosts | with_twins(at.tableau))
    end = add_cards(moves, end, STOCK_UP, ups)
    return add_cards(moves, end, STOCK_MOVE, guests)


@lean_kernel
def mark_undecided(table: Table, stack: Stack, depth: int) -> None:
    """Note on the entries of the whole line that they are not known to be lost."""
    cells, head = table
    for i in range(depth + 1):
        row = stack.frames[i, SELF]
        cell = find(cells, head, stack.children[row, FIRST], stack.children[row, SECOND])
        cells[cell + 1] |= 1 << NOTE_SHIFT


@lean_kernel
def write_free_children(
    deal: LongArray, at: Position, game: int, table: Table, stack: Stack, begin: int
) -> int:
    """Write those children of a position that are not known to be refuted, from a row on.

    All are made before the first one is looked up, so that the waiting for memory overlaps.

    Returns
    -------
    The end of the rows, or `ANY_UNDECIDED` when a child is won or known to be undecided.
    """
    cells, head = table
    children, moves = stack.children, stack.moves
    count = fill_free_moves(deal, at, game, moves, 0)
    end = begin
    for i in range(count):
        child = after_free_safe_moves(deal, apply_move(deal, at, moves[i]), game)
        child = with_free_waste(deal, child, game)
        if child.reserve == 0:
            if can_still_win(deal, child, game):
                return ANY_UNDECIDED
            continue
        first, second = first_key(deal, child), second_key(child)
        save(children, end, child, child.waste, first, second, moves[i])
        fetch_ahead(cells, head, first, second)
        end += 1
    kept = begin
    for row in range(begin, end):
        cell = find(cells, head, children[row, FIRST], children[row, SECOND])
        if is_empty(cells, head, cell):
            if kept < row:
                copy_child(children, row, kept)
            kept += 1
        elif (cells[cell + 1] >> NOTE_SHIFT) & 1:
            return ANY_UNDECIDED
    return kept


@lean_kernel
def try_to_refute(
    deal: LongArray, at: Position, game: int, max_nodes: int, table: Table, stack: Stack
) -> tuple[int, int]:
    """Search one of the two games exhaustively from a position.

    Parameters
    ----------
    game: `relaxed.FREE_STOCK` or `relaxed.SEMI_FREE_STOCK`.
    max_nodes: where to give up.
    table: entries of the same deal and game, which are used and added to. A note of 1 says that
        the position is `UNDECIDED`, 0 that it is `REFUTED`. It must have room for `max_nodes`.
    stack: work space.

    Returns
    -------
    How it ended, and the nodes.
    """
    cells, head = table
    frames, children = stack.frames, stack.children
    nodes = 0
    depth = -1
    at = with_free_waste(deal, after_free_safe_moves(deal, at, game), game)
    if at.reserve == 0:
        return (UNDECIDED if can_still_win(deal, at, game) else REFUTED), nodes
    save(children, 0, at, at.waste, first_key(deal, at), second_key(at), NO_MOVE)
    row, end = 0, 1
    while True:
        first, second = children[row, FIRST], children[row, SECOND]
        cell = find(cells, head, first, second)
        if is_empty(cells, head, cell):
            depth += 1
            put(cells, head, cell, first, second, 0)
            frames[depth, SELF] = row
            frames[depth, NEXT] = end
            nodes += 1
            if nodes > max_nodes:
                end = ANY_UNDECIDED
            else:
                at = load(children, row)
                if can_still_win(deal, at, game):
                    end = write_free_children(deal, at, game, table, stack, end)
            if end == ANY_UNDECIDED:
                mark_undecided(table, stack, depth)
                return UNDECIDED, nodes
            frames[depth, END] = end
        elif (cells[cell + 1] >> NOTE_SHIFT) & 1:
            mark_undecided(table, stack, depth)
            return UNDECIDED, nodes
        while depth >= 0 and frames[depth, NEXT] == frames[depth, END]:
            depth -= 1
        if depth < 0:
            return REFUTED, nodes
        row, end = frames[depth, NEXT], frames[depth, END]
        frames[depth, NEXT] += 1
