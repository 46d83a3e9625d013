"""Positions of the plain rules as players' tables, and what a player may know of them."""

from itertools import accumulate, pairwise

import numpy as np

from winnable.deals import NUMBERINGS, shuffled_double_pack, shuffled_pack
from winnable.games import get_game
from winnable.games.canfield import rules as canfield_rules
from winnable.games.canfield.layout import ORDERS
from winnable.games.spider import layout
from winnable.games.spider import rules as spider_rules
from winnable.games.tripeaks import rules as tripeaks_rules
from winnable.games.tripeaks.playouts import BIT_OF_PLACE
from winnable.players.kernels import canfield, spider, tripeaks
from winnable.players.kernels.chance import begin
from winnable.players.kernels.chooser import GIVES_UP, fresh_chance
from winnable.players.kinds import get_player
from winnable.players.seats import chooser_of, rules_of_canfield

WINNABLE = NUMBERINGS["winnable"]


class Sitting:
    """A game that goes on in a player's table: see the subclasses, one a game."""

    def __init__(self, rules, number, player):
        self.rules, self.number = rules, number
        self.table, self.room = self.module.empty_table(), self.module.empty_room()
        self.chooser, self.chance = chooser_of(get_player(player)), fresh_chance()
        with np.errstate(over="ignore"):
            begin(self.chance.random, np.uint64(self.number), 0)
        self.state = self.plain.start(
            get_game(self.name).deal(WINNABLE, self.number, self.rules), self.rules
        )
        self.start()

    def decide(self, table=None):
        """The player's next move; `before` has the generator as it was."""
        self.before = self.chance.random.copy()
        with np.errstate(over="ignore"):
            return self.module.decide(
                self.table if table is None else table,
                self.codes,
                self.chooser,
                self.room,
                self.chance,
            )

    def play(self, move):
        """Make a kernel's move in both; the plain rules refuse one that is not legal."""
        self.state = self.plain.apply(self.state, self.plain_move(move), self.rules)
        self.make(move)

    def moves(self):
        """Play to the end; gives each decision before it is made."""
        while not self.plain.is_won(self.state):
            move = self.decide()
            if move == GIVES_UP:
                return
            yield move
            self.play(move)

    def copy(self):
        return type(self.table)(*(part.copy() for part in self.table))


class TriPeaks(Sitting):
    name, plain, module = "tripeaks", tripeaks_rules, tripeaks

    def start(self):
        settings = self.rules.settings
        wrap, opened = settings["wrap"] == "yes", settings["waste"] == "turned"
        self.codes = tripeaks.Rules(int(wrap), int(opened))
        pack = np.array(shuffled_pack(WINNABLE, self.number, self.name), np.uint8)
        tripeaks.start(self.table, self.codes, pack)

    def make(self, move):
        tripeaks.make(self.table, move)

    def plain_move(self, move):
        if move == tripeaks.TURN:
            return self.plain.Move(self.plain.TURN, self.state.stock[0])
        place = BIT_OF_PLACE.tolist().index(move)
        return self.plain.Move(self.plain.PLAY, self.state.tableau[place])

    def check(self):
        """That the table is the plain position."""
        left = [
            int(self.table.cards[bit]) if self.table.counts[tripeaks.TABLEAU] >> bit & 1 else None
            for bit in BIT_OF_PLACE
        ]
        assert tuple(left) == self.state.tableau
        assert tuple(self.table.cards[self.table.counts[tripeaks.NEXT] :]) == self.state.stock

    def reshuffled(self, chance):
        table, state = self.copy(), self.state
        places = [
            int(BIT_OF_PLACE[place])
            for place in range(28)
            if state.tableau[place] is not None and not self.plain.is_open(state, place)
        ]
        places += range(int(table.counts[tripeaks.NEXT]), 52)
        table.cards[places] = chance.sample(table.cards[places].tolist(), len(places))
        tripeaks.fill_fits(table, self.codes.wrap)
        return table


class Canfield(Sitting):
    name, plain, module = "canfield", canfield_rules, canfield

    def start(self):
        self.codes = rules_of_canfield(self.rules)
        pack = shuffled_pack(WINNABLE, self.number, self.name)
        common = np.array([pack[i] for i in ORDERS["winnable"]], np.uint8)
        canfield.start(self.table, self.codes, common)
        self.known = set(self.state.waste)

    def make(self, move):
        canfield.make(self.table, self.codes, move)
        self.known |= set(self.state.waste)

    def plain_move(self, move):
        kind, source = move >> canfield.KIND, move >> canfield.SOURCE & 15
        if kind in (canfield.TURN, canfield.REDEAL):
            return self.plain.Move(self.plain.TURN if kind == canfield.TURN else self.plain.REDEAL)
        state, cards = self.state, move & 63
        if source == canfield.FROM_RESERVE:
            card = state.reserve[-1]
        elif source == canfield.FROM_WASTE:
            card = state.waste[-1]
        else:
            card = state.columns[source][-cards]
        if kind == canfield.UP:
            return self.plain.Move(self.plain.UP, card)
        target = state.columns[move >> canfield.TARGET & 15]
        return self.plain.Move(self.plain.MOVE, card, target[-1] if target else None)

    def check(self):
        table, state = self.table, self.state
        counts = table.counts
        waste = int(counts[canfield.WASTE])
        assert tuple(table.deck[:waste]) == state.waste
        assert tuple(table.deck[waste : counts[canfield.LEFT]]) == state.stock
        assert tuple(table.reserve[: counts[canfield.RESERVE]]) == state.reserve
        assert tuple(table.up) == state.foundations
        columns = zip(table.columns, table.sizes, strict=True)
        assert tuple(tuple(column[:size]) for column, size in columns) == state.columns

    def reshuffled(self, chance):
        table, state = self.copy(), self.state
        covered = list(state.reserve[:-1])
        unseen = [card for card in state.stock if card not in self.known]
        dealt = chance.sample(covered + unseen, len(covered) + len(unseen))
        table.reserve[: len(covered)] = dealt[: len(covered)]
        left = int(table.counts[canfield.LEFT])
        table.deck[left - len(unseen) : left] = dealt[len(covered) :]
        return table


class Spider(Sitting):
    name, plain, module = "spider", spider_rules, spider

    def start(self):
        self.codes = spider.Rules(int(self.rules.settings["deal-on-empty"] == "yes"))
        order, suits = layout.ORDERS["winnable"], self.rules.settings["suits"]
        pack = shuffled_double_pack(WINNABLE, self.number, self.name)
        dealt = np.array([layout.recoloured(card, order, suits) for card in pack], np.uint8)
        spider.start(self.table, np.array(order.columns), dealt)

    def make(self, move):
        spider.make(self.table, move)

    def plain_move(self, move):
        if move == spider.DEAL:
            return self.plain.Move(self.plain.DEAL)
        return self.plain.Move(self.plain.MOVE, move >> 8, move >> 4 & 15, move & 15)

    def check(self):
        table, state = self.table, self.state
        columns = zip(table.columns, table.sizes, strict=True)
        assert tuple(tuple(column[:size]) for column, size in columns) == state.columns
        assert tuple(table.hidden) == state.hidden
        assert tuple(table.stock[10 * table.counts[spider.ROWS_DEALT] :]) == state.stock
        assert table.counts[spider.FINISHED] == sum(state.finished)

    def reshuffled(self, chance):
        table, state = self.copy(), self.state
        hidden = [column[:count] for column, count in zip(state.columns, state.hidden, strict=True)]
        cards = [card for column in hidden for card in column] + list(state.stock)
        dealt = chance.sample(cards, len(cards))
        ends = [0, *accumulate(map(len, hidden))]
        for column, (first, last) in enumerate(pairwise(ends)):
            table.columns[column, : last - first] = dealt[first:last]
        table.stock[50 - len(state.stock) :] = dealt[ends[-1] :]
        return table


SITTINGS = {sitting.name: sitting for sitting in (TriPeaks, Canfield, Spider)}
