"""Deals of Spider in which no column can ever be emptied and no run completed: a quick proof.

To win, a run has to be completed. As long as neither that has happened nor a column has been
emptied, cards move in one way only: onto a card of the next higher rank. `is_blocked` works out
more than all that such moves could ever do, and finds some deals lost by it. What it takes for
possible, and why nothing that is possible is left out:

* Suits don't matter: what moves, moves onto a card of the next higher rank in any suit.
* The *sequence* at the end of a column goes down by one from card to card; its *head* is its
  highest card. A card can be moved or moved onto only while it is in such a sequence. `open_ranks`
  are the ranks that were in one at any time since the last row was dealt. A card that was there
  once is taken to be at hand for ever, and for any number of cards at a time.
* A column is dug when the head of its sequence moves, for which the next higher rank has to be
  open. What is below comes to its end then. Digging goes on as long as any column can be dug, so
  that at the end each column is as deep as it could ever be, and `seen` has all ranks that were in
  its sequence on the way: the heads, and the cards that came with them.
* Cards that lie on a head were moved there one below the other. So the sequence on it is the head
  and ranks below it, without a gap, that were open.
* A row then puts a card on each column. If it fits on a sequence that may be there, the column is
  taken to stay open, with all that it may hold. If not, what may be in the column's sequence is
  shut in, whichever head it was, and comes back, all of it, when the card's rank can move. The
  column counts as dug as deep as it could be before, though it may not have been.
* A completed run is a sequence of all ranks, so all ranks are open then. A king has nowhere to go
  before a column is empty.

So if the digging ends without an empty column or all ranks open, row after row to the last, then
there is no way to either, and the deal is lost. This holds for each number of suits, and for a deal
with empty columns allowed, since there are none.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from winnable.arrays import IntArray, LongArray
from winnable.games.spider.columns import (
    CARD,
    COLUMN_COUNT,
    EMPTY,
    KING_RANK,
    RANKS,
    UNDER,
    Columns,
    field,
)
from winnable.games.spider.weights import ROW_COUNT
from winnable.jit import inlined, lean_kernel

ALL_RANKS = (2 << KING_RANK) - 1


class Digging(NamedTuple):
    """How deep each column could be dug, int64 arrays over the columns.

    heads: the rank of the head of the sequence at the end.
    seen: a bit for each rank that was in the column's sequence since the last row.
    under: the column, as a row of the table, that is left below all that was dug.
    shut_count: how often a row shut something in.
    shut_heads, shut_seen: shape (10, `ROW_COUNT`): head and ranks of what was shut in.
    """

    heads: LongArray
    seen: LongArray
    under: LongArray
    shut_count: LongArray
    shut_heads: LongArray
    shut_seen: LongArray


def new_digging() -> Digging:
    """Arrays to work in."""
    heads, seen, under, shut_count = np.zeros((4, COLUMN_COUNT), np.int64)
    shut_heads, shut_seen = np.zeros((2, COLUMN_COUNT, ROW_COUNT), np.int64)
    return Digging(heads, seen, under, shut_count, shut_heads, shut_seen)


@inlined
def head_of(ranks: int) -> int:
    """The highest of some ranks."""
    head = KING_RANK
    while ranks >> head == 0:
        head -= 1
    return head


@inlined
def on_heads(heads: int, open_ranks: int) -> int:
    """The heads, and all open ranks that go down from one of them without a gap."""
    found = reached = heads
    while reached != 0:
        reached = (reached >> 1) & open_ranks & ~found
        found |= reached
    return found


@lean_kernel
def dig_column(columns: Columns, digging: Digging, place: int, open_ranks: int) -> int:
    """Dig a column as long as it can be; returns the ranks open then, `ALL_RANKS` when emptied."""
    while open_ranks >> (digging.heads[place] + 1) & 1:
        shut = digging.shut_count[place]
        if shut > 0:
            digging.shut_count[place] = shut - 1
            digging.heads[place] = digging.shut_heads[place, shut - 1]
            digging.seen[place] |= digging.shut_seen[place, shut - 1]
        else:
            column = np.int64(digging.under[place])
            if column == EMPTY:
                return ALL_RANKS
            ranks = field(columns, column, RANKS)
            digging.under[place] = field(columns, column, UNDER)
            digging.heads[place] = head_of(ranks)
            digging.seen[place] |= ranks
        open_ranks |= digging.seen[place]
    return int(open_ranks)


@lean_kernel
def dig_all(columns: Columns, digging: Digging, open_ranks: int) -> int:
    """Dig until no column can be dug any more; returns the ranks open then."""
    before = 0
    while open_ranks != before and open_ranks != ALL_RANKS:
        before = open_ranks
        for place in range(COLUMN_COUNT):
            open_ranks = dig_column(columns, digging, place, np.int64(open_ranks))
    return int(open_ranks)


@lean_kernel
def cover(digging: Digging, row: LongArray, open_ranks: int) -> int:
    """Deal a row, int64, shape (10,); returns the ranks that are open after it."""
    still_open = 0
    for place in range(COLUMN_COUNT):
        rank = row[place] >> 2
        held = on_heads(digging.seen[place], open_ranks)
        cover_column(digging, place, np.int64(rank), held, held >> (rank + 1) & 1)
        still_open |= digging.seen[place]
    return int(still_open)


@lean_kernel
def cover_column(digging: Digging, place: int, rank: int, held: int, fits: int) -> None:
    """Lay a card on a column that holds some ranks at its end; 1 for `fits` leaves them open."""
    if fits != 0:
        digging.seen[place] = held | 1 << rank
        return
    shut = digging.shut_count[place]
    digging.shut_heads[place, shut] = digging.heads[place]
    digging.shut_seen[place, shut] = held
    digging.shut_count[place] = shut + 1
    digging.heads[place] = rank
    digging.seen[place] = 1 << rank


@lean_kernel
def cover_at_once(columns: Columns, at: IntArray, digging: Digging, row: LongArray) -> int:
    """Deal a row on a position from which nothing was dug; returns the ranks open after it."""
    still_open = 0
    for place in range(COLUMN_COUNT):
        rank = row[place] >> 2
        fits = 1 if field(columns, np.int64(at[place]), CARD) >> 2 == rank + 1 else 0
        cover_column(digging, place, np.int64(rank), np.int64(digging.seen[place]), fits)
        still_open |= digging.seen[place]
    return int(still_open)


@lean_kernel
def is_blocked(
    columns: Columns, at: IntArray, rows: LongArray, stage: int, deal_first: int, digging: Digging
) -> bool:
    """Whether it is proved that from a position no column is ever emptied and no run completed.

    at: int32, shape (10,): the position, in which no run is complete.
    rows: int64, shape (5, 10): the stock, of which the first `stage` rows were dealt.
    deal_first: 1 when nothing is moved before the next row.
    """
    open_ranks = 0
    for place in range(COLUMN_COUNT):
        column = np.int64(at[place])
        if column == EMPTY:
            return False
        ranks = field(columns, column, RANKS)
        digging.heads[place] = head_of(ranks)
        digging.seen[place] = ranks
        digging.under[place] = field(columns, column, UNDER)
        digging.shut_count[place] = 0
        open_ranks |= ranks
    if deal_first != 0:
        open_ranks = cover_at_once(columns, at, digging, rows[stage])
        stage += 1
    while True:
        open_ranks = dig_all(columns, digging, np.int64(open_ranks))
        if open_ranks == ALL_RANKS:
            return False
        if stage == ROW_COUNT:
            return True
        open_ranks = cover(digging, rows[stage], np.int64(open_ranks))
        stage += 1
