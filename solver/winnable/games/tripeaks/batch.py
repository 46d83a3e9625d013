"""Many numbered Tri-Peaks deals at once: playouts first, then the exact pass on 64 at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from winnable.cards import PACK_SIZE, SUIT_COUNT
from winnable.deals import Numbering, fill_packs
from winnable.games.base import (
    NO_SCORE,
    UNKNOWN_CODE,
    UNWINNABLE_CODE,
    WINNABLE_CODE,
    Answers,
    Batch,
    Limits,
)
from winnable.games.ruleset import Rules
from winnable.games.tripeaks import lanes, playouts
from winnable.games.tripeaks.exact import NEVER
from winnable.games.tripeaks.graph import PLACES, STOCK_CARDS, IntArray
from winnable.games.tripeaks.lanes import ByteArray, fewest_stock_cards
from winnable.games.tripeaks.playouts import WordArray, fill_tables, play_games, play_greedily
from winnable.games.tripeaks.program import tripeaks_program
from winnable.jit import kernel

# Numbers dealt and decided in one call: they fit the second-level cache, and the last batch of 64,
# which is rarely full, costs less than 1 %.
BLOCK = 8192


# Rounds of random games by (wrap, opened), before the pass becomes the cheaper way to decide.
ROUNDS = {(1, 1): 2, (1, 0): 3, (0, 1): 1, (0, 0): 2}


@kernel
def win_by_playouts(
    packs: ByteArray,
    wrap: int,
    opened: int,
    seeds: WordArray,
    ranks: Any,
    by_rank: WordArray,
    tables: WordArray,
    undecided: IntArray,
) -> tuple[int, int]:
    """Try a greedy game and then random ones on each deal.

    Parameters
    ----------
    packs: uint8, shape (n, 52): cards in dealing order.
    wrap, opened: see `lanes.prepare_fitting`.
    seeds: uint32, shape (32 r,): for r rounds of `playouts.plain_play_games`.
    ranks: int64, shape (52,), work space; by_rank, tables: see `playouts.fill_tables`.
    undecided: int32, shape (n,): receives the rows of the deals that no playout won.

    Returns
    -------
    How many are undecided, and the steps of all games.
    """
    left = 0
    nodes = 0
    for row in range(len(packs)):
        for i in range(PACK_SIZE):
            ranks[i] = packs[row, i] // SUIT_COUNT
        fill_tables(ranks, wrap, by_rank, tables)
        playable = np.int64(playouts.ROW_4)
        if opened == 1:
            playable &= np.int64(tables[playouts.ON_STOCK + 1])
        taken = play_greedily(tables, playable, opened)
        nodes += abs(taken)
        first = 0
        while taken < 0 and first < len(seeds):
            taken = play_games(tables, seeds, first, playable, opened)
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
    ranks: uint8, shape (52 * 64,), overwritten: card c of lane d at 64 c + d.
    """
    for lane in range(lanes.LANES):
        row = rows[lane] if lane < len(rows) else rows[0]
        for i in range(PACK_SIZE):
            ranks[i * lanes.LANES + lane] = packs[row, i] // SUIT_COUNT


def _aligned(size: int) -> ByteArray:
    """Zeroed bytes that begin at a cache line, where vectors load fastest."""
    line = 64
    raw = np.zeros(size + line, np.uint8)
    offset = -raw.ctypes.data % line
    return raw[offset : offset + size]


class TriPeaksBatch(Batch):
    """Verdicts (and with `best` the stock cards left) of consecutive numbers.

    The nodes of a deal are the steps of its playouts in all lanes, and the edges of the exact pass
    where it was needed. A limit below that of the pass leaves every deal unknown.
    """

    block = BLOCK

    def __init__(self, rules: Rules, numbering: Numbering, limits: Limits, best: bool) -> None:
        program = tripeaks_program()
        self._numbering = numbering
        self._best = best
        self._wrap = int(rules.settings["wrap"] == "yes")
        self._opened = int(rules.settings["waste"] == "turned")
        self._program = program
        rounds = ROUNDS[self._wrap, self._opened]
        self._seeds = playouts.playout_seeds(rounds)
        self._packs = np.empty((BLOCK, PACK_SIZE), np.uint8)
        self._undecided = np.empty(BLOCK, np.int32)
        self._most_fitting = np.empty(BLOCK, np.uint8)
        self._pack_ranks = np.empty(PACK_SIZE, np.int64)
        self._cards_by_rank = np.empty(13, np.uint32)
        self._tables = np.empty(64, np.uint32)
        self._ranks = _aligned(PACK_SIZE * lanes.LANES)
        self._neighbours = _aligned(PLACES * lanes.ROW)
        self._positions_by_rank = np.empty((13, lanes.MOST_FITTING), np.uint8)
        self._fitting = _aligned(PLACES * lanes.MOST_FITTING * lanes.LANES)
        self._first_reach = _aligned(PLACES * lanes.LANES)
        self._reach = _aligned(program.slots * lanes.LANES)
        self._fewest = _aligned(lanes.LANES)
        pass_nodes = program.edges
        most = limits.max_nodes
        self._has_pass = most is None or most >= pass_nodes
        self._has_playouts = not best and (
            most is None or most >= pass_nodes + (1 + rounds * playouts.GAMES) * playouts.LONGEST
        )

    def solve(self, first: int, count: int) -> Answers:
        """The answers for the numbers `first` to `first + count - 1`, at most `block` of them."""
        verdicts = np.full(count, WINNABLE_CODE, np.uint8)
        stock_left = np.full(count, NO_SCORE, np.uint8)
        nodes = 0
        if self._has_pass:
            packs = self._packs[:count]
            fill_packs(self._numbering, first, "tripeaks", packs)
            rows, nodes = self._undecided_rows(packs)
            rows = self._in_like_batches(packs, rows)
            fewest = self._pass(packs, rows)
            won = fewest != NEVER
            verdicts[rows[~won]] = UNWINNABLE_CODE
            stock_left[rows[won]] = STOCK_CARDS - fewest[won]
            nodes += len(rows) * self._program.edges
        else:
            verdicts[:] = UNKNOWN_CODE
        columns = {"verdict": verdicts}
        if self._best:
            columns["stock_left"] = stock_left
        return Answers(columns, nodes)

    def _undecided_rows(self, packs: ByteArray) -> tuple[IntArray, int]:
        """The deals that the exact pass has to decide, and the nodes spent on finding them."""
        if not self._has_playouts:
            return np.arange(len(packs), dtype=np.int32), 0
        left, nodes = win_by_playouts(
            packs,
            self._wrap,
            self._opened,
            self._seeds,
            self._pack_ranks,
            self._cards_by_rank,
            self._tables,
            self._undecided,
        )
        return self._undecided[:left], int(nodes)

    def _in_like_batches(self, packs: ByteArray, rows: IntArray) -> IntArray:
        """The same rows, first those for which the cheaper form of the pass is enough."""
        most = self._most_fitting[: len(rows)]
        lanes.most_fitting_cards(packs, rows, self._wrap, self._opened, most)
        usual = most <= lanes.USUAL_FITTING
        return np.concatenate([rows[usual], rows[~usual]])

    def _pass(self, packs: ByteArray, rows: IntArray) -> ByteArray:
        """The fewest stock cards of the deals in these rows, 64 at a time."""
        program = self._program
        fewest = np.empty(len(rows), np.uint8)
        for start in range(0, len(rows), lanes.LANES):
            part = rows[start : start + lanes.LANES]
            gather_ranks(packs, part, self._ranks)
            fewest_stock_cards(
                program.code,
                program.groups,
                program.first_slots,
                program.first_cards,
                program.last_slots,
                self._ranks,
                self._wrap,
                self._opened,
                self._neighbours,
                self._positions_by_rank,
                self._fitting,
                self._first_reach,
                self._reach,
                self._fewest,
            )
            fewest[start : start + len(part)] = self._fewest[: len(part)]
        return fewest
