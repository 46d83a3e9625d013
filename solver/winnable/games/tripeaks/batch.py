"""Many numbered Tri-Peaks deals at once: playouts first, then the exact pass on 64 at a time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from winnable.arrays import ByteArray, IntArray, LongArray, WordArray
from winnable.cards import PACK_SIZE, RANK_COUNT, SUIT_COUNT
from winnable.deals import Numbering, fill_packs
from winnable.games.base import (
    NO_SCORE,
    UNKNOWN_CODE,
    UNWINNABLE_CODE,
    WINNABLE_CODE,
    Answers,
    Batch,
)
from winnable.games.ruleset import Rules
from winnable.games.tripeaks import lanes, playouts
from winnable.games.tripeaks.exact import NEVER
from winnable.games.tripeaks.graph import STOCK_CARDS
from winnable.games.tripeaks.playouts import fill_tables, play_games, play_greedily
from winnable.games.tripeaks.program import tripeaks_program
from winnable.jit import kernel

# Numbers dealt and decided in one call: a fraction of a second's work, and enough that the lanes
# that stay idle in the last pass of a block cost 1 or 2 %.
BLOCK = 1 << 15

# Rounds of random games by (wrap, opened), before the pass becomes the cheaper way to decide.
ROUNDS = {(1, 1): 2, (1, 0): 3, (0, 1): 1, (0, 0): 2}


class Playouts(NamedTuple):
    """What playouts start from, and their work space.

    seeds: uint32, shape (32 r,): for r rounds of `playouts.plain_play_games`.
    ranks: int64, shape (52,): one deal in dealing order.
    by_rank, tables: see `playouts.fill_tables`.
    """

    seeds: WordArray
    ranks: LongArray
    by_rank: WordArray
    tables: WordArray


@kernel
def win_by_playouts(
    packs: ByteArray, wrap: int, opened: int, space: Playouts, undecided: IntArray
) -> tuple[int, int]:
    """Try a greedy game and then random ones on each deal.

    Parameters
    ----------
    packs: uint8, shape (n, 52): cards in dealing order.
    wrap, opened: see `lanes.prepare_fitting`.
    space: see `Playouts`.
    undecided: int32, shape (n,): receives the rows of the deals that no playout won.

    Returns
    -------
    How many are undecided, and the steps of all games.
    """
    left = 0
    nodes = 0
    for row in range(len(packs)):
        for i in range(PACK_SIZE):
            space.ranks[i] = packs[row, i] // SUIT_COUNT
        fill_tables(space.ranks, wrap, space.by_rank, space.tables)
        playable = np.int64(playouts.ROW_4)
        if opened == 1:
            playable &= np.int64(space.tables[playouts.ON_STOCK + 1])
        taken = play_greedily(space.tables, playable, opened)
        nodes += abs(taken)
        first = 0
        while taken < 0 and first < len(space.seeds):
            taken = play_games(space.tables, space.seeds, first, playable, opened)
            nodes += abs(taken) * playouts.GAMES
            first += playouts.GAMES
        if taken < 0:
            undecided[left] = row
            left += 1
    return left, nodes


@kernel
def gather_ranks(packs: ByteArray, rows: IntArray, ranks: ByteArray) -> None:
    """Lay the ranks of up to 64 deals side by side; lanes without a deal repeat the first.

    Parameters
    ----------
    packs: uint8, shape (n, 52).
    rows: int32, shape (1 to 64,): the deals.
    ranks: uint8, shape (52 * 64,), overwritten: see `lanes.Tables`.
    """
    for lane in range(lanes.LANES):
        row = rows[lane] if lane < len(rows) else rows[0]
        for i in range(PACK_SIZE):
            ranks[i * lanes.LANES + lane] = packs[row, i] // SUIT_COUNT


class TriPeaksBatch(Batch):
    """Verdicts (and with `best` the stock cards left) of consecutive numbers.

    The nodes of a deal are the steps of its playouts in all lanes, and the edges of the exact pass
    where it was needed.
    """

    block = BLOCK

    def __init__(self, rules: Rules, numbering: Numbering, best: bool) -> None:
        self._numbering = numbering
        self._best = best
        self._wrap = int(rules.settings["wrap"] == "yes")
        self._opened = int(rules.settings["waste"] == "turned")
        self._program = tripeaks_program()
        self._tables = lanes.make_tables(self._program.slots)
        self._playouts = Playouts(
            seeds=playouts.playout_seeds(ROUNDS[self._wrap, self._opened]),
            ranks=np.empty(PACK_SIZE, np.int64),
            by_rank=np.empty(RANK_COUNT, np.uint32),
            tables=np.empty(64, np.uint32),
        )
        self._packs = np.empty((BLOCK, PACK_SIZE), np.uint8)
        self._undecided = np.empty(BLOCK, np.int32)

    def solve(self, first: int, count: int) -> Answers:
        """The answers for the numbers `first` to `first + count - 1`, at most `block` of them."""
        if count > BLOCK:
            raise ValueError(f"{count} numbers at once; {BLOCK} is the most")
        packs = self._packs[:count]
        fill_packs(self._numbering, first, "tripeaks", packs)
        verdicts = np.full(count, UNKNOWN_CODE, np.uint8)
        stock_left = np.full(count, NO_SCORE, np.uint8)
        rows, nodes = np.arange(count, dtype=np.int32), 0
        if not self._best:
            rows, nodes = self._undecided_rows(packs)
            verdicts[:] = WINNABLE_CODE
            verdicts[rows] = UNKNOWN_CODE
        rows = self._in_like_batches(packs, rows)
        fewest = self._pass(packs, rows)
        verdicts[rows] = np.where(fewest == NEVER, UNWINNABLE_CODE, WINNABLE_CODE)
        won = fewest != NEVER
        stock_left[rows[won]] = STOCK_CARDS - fewest[won]
        columns = {"verdict": verdicts}
        if self._best:
            columns["stock_left"] = stock_left
        return Answers(columns, nodes + len(rows) * self._program.edges)

    def cancel(self) -> None:
        """Let the block end: that takes a fraction of a second."""

    def _undecided_rows(self, packs: ByteArray) -> tuple[IntArray, int]:
        """The deals that no playout won, and the nodes spent on finding out."""
        left, nodes = win_by_playouts(
            packs, self._wrap, self._opened, self._playouts, self._undecided
        )
        return self._undecided[:left].copy(), int(nodes)

    def _in_like_batches(self, packs: ByteArray, rows: IntArray) -> IntArray:
        """The same rows, first those for which the cheaper form of the pass is enough."""
        most = np.empty(len(rows), np.uint8)
        lanes.most_fitting_cards(packs, rows, self._wrap, self._opened, most)
        usual = most <= lanes.USUAL_FITTING
        return np.concatenate([rows[usual], rows[~usual]])

    def _pass(self, packs: ByteArray, rows: IntArray) -> ByteArray:
        """The fewest stock cards of the deals in these rows, 64 at a time."""
        fewest = np.empty(len(rows), np.uint8)
        for start in range(0, len(rows), lanes.LANES):
            part = rows[start : start + lanes.LANES]
            gather_ranks(packs, part, self._tables.ranks)
            lanes.fewest_stock_cards(self._program, self._wrap, self._opened, self._tables)
            fewest[start : start + len(part)] = self._tables.fewest[: len(part)]
        return fewest
