"""Players at numbered deals: a seat for each game, which knows how its kernels are fed.

Importing this module imports numba.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from winnable.arrays import ByteArray
from winnable.cards import PACK_SIZE
from winnable.deals import Numbering, fill_packs, shuffled_double_pack
from winnable.errors import unknown_name
from winnable.games.base import (
    LENGTH,
    UNWINNABLE_CODE,
    WINNABLE_CODE,
    Answers,
    Batch,
    CancelledError,
)
from winnable.games.canfield.layout import ORDERS as CANFIELD_ORDERS
from winnable.games.ruleset import Rules
from winnable.games.spider.layout import ORDERS as SPIDER_ORDERS
from winnable.games.spider.layout import recoloured
from winnable.players import levels
from winnable.players.kernels import canfield, spider, tripeaks
from winnable.players.kernels.chooser import Chooser, Tally, empty_tally, fresh_chance
from winnable.players.kinds import CASUAL, LOOK_AHEAD, PLAYERS, SCORES, Player

# Deals that are played in one call: the greedy ones take a fraction of a second.
_BLOCK = 256


def chooser_of(player: Player) -> Chooser:
    """A player as kernels read it."""
    return Chooser(list(PLAYERS).index(player.name), player.playouts, player.slips)


class Seat(ABC):
    """Where players of a game sit; one for each thread."""

    game: str

    def __init__(self, rules: Rules, numbering: Numbering) -> None:
        self._settings, self._numbering = rules.settings, numbering
        self._chance = fresh_chance()

    def play(self, player: Player, first: int, count: int, games: int) -> Tally:
        """Play the deals `first` to `first + count - 1`, each `games` times.

        Raises CancelledError when another thread called `cancel`.
        """
        tally = empty_tally(count)
        # Numbers above 64 bits keep their lower part: only random numbers begin with them.
        begin = np.uint64(first % 2**64)
        with np.errstate(over="ignore"):
            deals = self._deals(first, count)
            self._play(chooser_of(player), deals, begin, games, tally)
        if self._chance.stop[0]:
            raise CancelledError
        return tally

    def cancel(self) -> None:
        """Called from another thread: give up the game that goes on."""
        self._chance.stop[0] = 1

    @abstractmethod
    def _deals(self, first: int, count: int) -> ByteArray:
        """Consecutive deals as the game's kernel reads them, one a row."""

    @abstractmethod
    def _play(
        self, chooser: Chooser, deals: ByteArray, begin: np.uint64, games: int, tally: Tally
    ) -> None:
        """Call the game's kernel."""

    def _packs(self, first: int, count: int) -> ByteArray:
        """The shuffled packs of consecutive deals of a game with one pack, one a row."""
        packs = np.empty((count, PACK_SIZE), np.uint8)
        fill_packs(self._numbering, first, self.game, packs)
        return packs

    def _flag(self, name: str, value: str) -> int:
        return int(self._settings[name] == value)


class TriPeaksSeat(Seat):
    """Where players of Tri-Peaks sit."""

    game = "tripeaks"

    def __init__(self, rules: Rules, numbering: Numbering) -> None:
        super().__init__(rules, numbering)
        self._rules = tripeaks.Rules(self._flag("wrap", "yes"), self._flag("waste", "turned"))
        self._table, self._room = tripeaks.empty_table(), tripeaks.empty_room()

    def _deals(self, first: int, count: int) -> ByteArray:
        return self._packs(first, count)

    def _play(
        self, chooser: Chooser, deals: ByteArray, begin: np.uint64, games: int, tally: Tally
    ) -> None:
        table, room, chance = self._table, self._room, self._chance
        tripeaks.play_deals(table, self._rules, chooser, room, chance, deals, begin, games, tally)


class CanfieldSeat(Seat):
    """Where players of Canfield sit."""

    game = "canfield"

    def __init__(self, rules: Rules, numbering: Numbering) -> None:
        super().__init__(rules, numbering)
        self._rules = rules_of_canfield(rules)
        self._order = np.array(CANFIELD_ORDERS[numbering.name])
        self._table, self._room = canfield.empty_table(), canfield.empty_room()

    def _deals(self, first: int, count: int) -> ByteArray:
        return np.ascontiguousarray(self._packs(first, count)[:, self._order])

    def _play(
        self, chooser: Chooser, deals: ByteArray, begin: np.uint64, games: int, tally: Tally
    ) -> None:
        table, room, chance = self._table, self._room, self._chance
        canfield.play_deals(table, self._rules, chooser, room, chance, deals, begin, games, tally)


def rules_of_canfield(rules: Rules) -> canfield.Rules:
    """Canfield's rules as its kernels read them."""
    settings = rules.settings
    moves = {
        "any-run": canfield.ANY_RUN,
        "whole": canfield.WHOLE,
        "whole-or-top": canfield.WHOLE_OR_TOP,
    }
    return canfield.Rules(
        full_wrap=int(settings["wrap"] == "full"),
        moves=moves[settings["moves"]],
        fill_from_waste=int(settings["fill"] == "waste"),
        draw=int(settings["draw"]),
        unlimited=int(settings["redeals"] == "unlimited"),
        opening=int(settings["opening"]),
    )


class SpiderSeat(Seat):
    """Where players of Spider sit."""

    game = "spider"

    def __init__(self, rules: Rules, numbering: Numbering) -> None:
        super().__init__(rules, numbering)
        self._rules = spider.Rules(self._flag("deal-on-empty", "yes"))
        order = SPIDER_ORDERS[numbering.name]
        self._columns = np.array(order.columns)
        self._stock = [*range(len(order.columns)), *order.stock]
        suits = self._settings["suits"]
        self._colours = np.array([recoloured(c, order, suits) for c in range(PACK_SIZE)], np.uint8)
        self._table, self._room = spider.empty_table(), spider.empty_room()

    def _deals(self, first: int, count: int) -> ByteArray:
        dealt = [shuffled_double_pack(self._numbering, first + i, "spider") for i in range(count)]
        return np.ascontiguousarray(self._colours[np.array(dealt)[:, self._stock]])

    def _play(
        self, chooser: Chooser, deals: ByteArray, begin: np.uint64, games: int, tally: Tally
    ) -> None:
        table, room, chance = self._table, self._room, self._chance
        spider.play_deals(
            table, self._rules, chooser, room, chance, self._columns, deals, begin, games, tally
        )


SEATS = {seat.game: seat for seat in (TriPeaksSeat, CanfieldSeat, SpiderSeat)}


def seat_of(game: str, rules: Rules, numbering: Numbering) -> Seat:
    """A seat at a game; raises InputError for one that has no players."""
    if game not in SEATS:
        raise unknown_name("game with players", game, SEATS)
    seat: type[Seat] = SEATS[game]
    return seat(rules, numbering)


def difficulties(seat: Seat, first: int, count: int) -> ByteArray:
    """How hard consecutive deals are, uint8, shape (count,): see `levels`."""
    games = levels.GAMES[seat.game]
    undone = seat.play(PLAYERS[CASUAL], first, count, games).undone
    most = games * levels.ALL_UNDONE[seat.game]
    # Rounded in integers: a half always goes up, on every machine.
    steps: NDArray[np.int64] = (2 * levels.STEPS * undone + most) // (2 * most)
    return steps.astype(np.uint8)


class PlayBatch(Batch):
    """One game of each of consecutive numbers: who wins, the score, and how many moves."""

    def __init__(self, game: str, rules: Rules, numbering: Numbering, player: Player) -> None:
        self._seat, self._player = seat_of(game, rules, numbering), player
        self.block = 1 if player.name == LOOK_AHEAD else _BLOCK

    def solve(self, first: int, count: int) -> Answers:
        """The games of the numbers `first` to `first + count - 1`; may be cancelled."""
        tally = self._seat.play(self._player, first, count, 1)
        columns: dict[str, NDArray[Any]] = {
            "verdict": np.where(tally.wins == 1, WINNABLE_CODE, UNWINNABLE_CODE).astype(np.uint8),
            SCORES[self._seat.game][0]: tally.scores.astype(np.uint8),
            LENGTH: tally.moves.astype(np.uint16),
        }
        return Answers(columns, int(tally.moves.sum()))

    def cancel(self) -> None:
        """Give up the game that goes on."""
        self._seat.cancel()


class WithDifficulty(Batch):
    """The answers of another batch, and how hard each deal is."""

    def __init__(self, solver: Batch, game: str, rules: Rules, numbering: Numbering) -> None:
        self._solver = solver
        self._seat = seat_of(game, rules, numbering)
        self.block = min(solver.block, _BLOCK)

    def solve(self, first: int, count: int) -> Answers:
        """The answers for the numbers `first` to `first + count - 1`; may be cancelled."""
        answers = self._solver.solve(first, count)
        steps = difficulties(self._seat, first, count)
        return Answers({**answers.columns, levels.DIFFICULTY: steps}, answers.nodes)

    def cancel(self) -> None:
        """Give up what is in work."""
        self._solver.cancel()
        self._seat.cancel()
