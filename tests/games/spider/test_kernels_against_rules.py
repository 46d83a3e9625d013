"""Moves, values and keys of the kernels, compared with the plain rules along random play."""

import random

import numpy as np
import pytest
from spider_positions import NAMES, column_value, cut_runs, deal, end_of_game, value

from winnable.games.spider import rules as plain
from winnable.games.spider.beam import DEALT_KEY, dealt_score, expand
from winnable.games.spider.beam_best import begin_layer, choose_children, is_new, new_beam
from winnable.games.spider.columns import (
    CARD,
    EMPTY,
    HIDDEN,
    NEXT_VALUE,
    PARENT,
    VALUE,
    clear_columns,
    keep_columns,
    new_columns,
)
from winnable.games.spider.evaluation import NOISE, weights_table
from winnable.games.spider.solver import plain_move, task_of
from winnable.games.spider.state import (
    DEALT,
    FULL,
    GOES_ON,
    MOST_MOVES,
    apply_deal,
    apply_move,
    fill_moves,
    first_position,
    is_legal,
    may_deal,
    move_code,
    position_key,
)
from winnable.games.spider.weights import TERMS

RULE_SETS = plain.RULES.names
WEIGHTS = weights_table()
SHIFT = 5
DEAL = plain.Move(plain.DEAL)


class Table:
    """A position of the kernels beside one of the plain rules."""

    def __init__(self, state, rules, width=100):
        self.state, self.rules = state, rules
        self.task = task_of(state, rules)
        self.stage = self.task.first_stage
        self.beam = new_beam(width)
        self.columns, self.at = self.beam.columns, self.beam.at[0, 0]
        clear_columns(self.columns)
        assert first_position(self.columns, self.task, self.at, WEIGHTS) == GOES_ON

    def cards_of(self, place):
        """The cards of a column, and how many are face down."""
        row, cards = self.at[place], []
        hidden = self.columns.rows[row, HIDDEN]
        while row != EMPTY:
            cards.append(int(self.columns.rows[row, CARD]))
            row = self.columns.rows[row, PARENT]
        return tuple(cards[::-1]), hidden

    def moves(self, every=1):
        """The moves of the kernels as plain ones."""
        moves = np.zeros(MOST_MOVES, np.int64)
        count = fill_moves(self.columns, self.at, moves, every)
        found = [plain_move(int(move)) for move in moves[:count]]
        if may_deal(self.task, self.at, self.stage):
            found.append(DEAL)
        return found

    def play(self, move):
        """Make a move on both sides."""
        if move == DEAL:
            row = self.task.rows[self.stage]
            self.stage += 1
            # As the search does it: the columns are valued anew for the next stage.
            keep_columns(self.columns, self.beam.at[0, :1], WEIGHTS, self.stage)
            finishes = apply_deal(self.columns, self.at, row, WEIGHTS, self.stage)
        else:
            finishes = apply_move(self.columns, self.at, code(move), WEIGHTS, self.stage)
        before = sum(self.state.finished)
        self.state = plain.apply(self.state, move, self.rules)
        assert finishes == sum(self.state.finished) - before
        self.beam.finished[0, 0] = sum(self.state.finished)


def code(move):
    return DEALT if move == DEAL else move_code(move.source, move.target, move.size)


def games(rules, count):
    """Positions to play from: deals and ends of games."""
    suits = plain.SUITS_IN_PLAY[rules.settings["suits"]]
    for i in range(count):
        yield deal(i + 1, rules), 60
        yield cut_runs(i, suits=suits), 60
        yield end_of_game(i, kept=3, suits=suits, rows=1), 30


def random_play(rules, count):
    """Tables along random play, runs preferred and rows dealt now and then."""
    for number, (state, length) in enumerate(games(rules, count)):
        chance = random.Random(number)
        table = Table(state, rules)
        for _ in range(length):
            yield table
            moves = table.moves()
            if not moves or plain.is_won(table.state):
                break
            rows = [move for move in moves if move == DEAL and chance.random() < 0.1]
            joins = [move for move in moves if move != DEAL and joins_run(table.state, move)]
            table.play(chance.choice(rows or joins or moves))


def joins_run(state, move):
    target = state.columns[move.target]
    return target and plain.is_run((target[-1], state.columns[move.source][-move.size]))


@pytest.mark.parametrize("name", NAMES)
def test_same_positions_and_moves(name, compiled_or):
    rules = plain.RULES.resolve(name)
    finished = 0
    for table in random_play(rules, compiled_or(6, 1)):
        for place in range(plain.COLUMN_COUNT):
            expected = table.state.columns[place], table.state.hidden[place]
            assert table.cards_of(place) == expected
        moves, legal = table.moves(), plain.legal_moves(table.state, rules)
        assert len(set(moves)) == len(moves)
        assert set(moves) == set(legal)
        finished = max(finished, sum(table.state.finished))
    assert finished > 6


@pytest.mark.parametrize("name", NAMES)
def test_moves_left_out_only_reorder_columns(name, compiled_or):
    """Each position one move away is reached by the fewer moves too, in some order of columns."""
    rules = plain.RULES.resolve(name)
    for table in random_play(rules, compiled_or(3, 1)):
        state = table.state

        def unordered(move, state=state):
            after = plain.apply(state, move, rules)
            columns = zip(after.columns, after.hidden, strict=True)
            return tuple(sorted(columns)), after.stock

        fewer = {unordered(move) for move in table.moves(every=0)}
        every = {unordered(move) for move in table.moves(every=1)}
        still = tuple(sorted(zip(state.columns, state.hidden, strict=True))), state.stock
        assert every - fewer <= {still}


@pytest.mark.parametrize("name", NAMES)
def test_legality_of_any_move(name, compiled_or):
    rules = plain.RULES.resolve(name)
    for table in random_play(rules, 1):
        legal = set(plain.legal_moves(table.state, rules))
        for source in range(plain.COLUMN_COUNT):
            for target in range(plain.COLUMN_COUNT):
                for size in range(1, 5 if table.state.columns[source] else 1):
                    move = plain.Move(plain.MOVE, size, source, target)
                    assert is_legal(table.columns, table.at, code(move)) == (move in legal)


@pytest.mark.parametrize("name", NAMES)
def test_values_of_columns(name, compiled_or):
    rules = plain.RULES.resolve(name)
    for table in random_play(rules, compiled_or(4, 1)):
        following = min(table.stage + 1, 5)
        for place in range(plain.COLUMN_COUNT):
            cards, hidden = table.state.columns[place], table.state.hidden[place]
            row = table.columns.rows[table.at[place]]
            assert row[VALUE] == column_value(cards, hidden, table.stage)
            assert row[NEXT_VALUE] == column_value(cards, hidden, following)


@pytest.mark.parametrize("name", NAMES)
def test_scores_and_keys_of_children(name, compiled_or):
    """The search scores a child before it is made: by what changes, not from the start."""
    rules = plain.RULES.resolve(name)
    scored = 0
    for table in random_play(rules, compiled_or(4, 1)):
        if sum(table.state.finished) == plain.RUN_COUNT:
            continue
        beam, stage = table.beam, table.stage
        beam.finished[0, 0] = sum(table.state.finished)
        beam.seen[:] = 0
        begin_layer(beam)
        count = expand(beam, 0, 0, stage, WEIGHTS, SHIFT, 0)
        assert choose_children(beam, count) == count
        for i in range(count):
            move = int(beam.moves[i])
            after = plain.apply(table.state, plain_move(move), rules)
            at = table.at.copy()
            apply_move(table.columns, at, move, WEIGHTS, stage)
            assert not is_new(beam.seen, position_key(table.columns, at, stage))
            if not plain.is_won(after):
                assert 0 <= beam.scores[i] - value(after, stage) < WEIGHTS[stage, NOISE]
                scored += 1
    assert scored > 50


@pytest.mark.parametrize("name", NAMES)
def test_scores_and_keys_of_deals(name, compiled_or):
    rules = plain.RULES.resolve(name)
    scored = 0
    for table in random_play(rules, compiled_or(4, 2)):
        if DEAL not in table.moves():
            continue
        stage, finished = table.stage, sum(table.state.finished)
        row = table.task.rows[stage]
        score, key = dealt_score(table.beam, table.at, finished, stage, row, WEIGHTS, SHIFT)
        after = plain.apply(table.state, DEAL, rules)
        other = Table(after, rules)
        if not plain.is_won(after):
            assert 0 <= score - value(after, stage + 1) < WEIGHTS[stage + 1, NOISE]
        assert key ^ DEALT_KEY == position_key(other.columns, other.at, stage + 1)
        scored += 1
    assert scored > 10


def test_a_narrow_beam_keeps_the_best_children(compiled_or):
    """Children that can't be among the best are not even looked up: the best stay the same."""
    rules = plain.RULES.resolve("one-suit")
    compared = 0
    for number, table in enumerate(random_play(rules, compiled_or(3, 1))):
        chosen = []
        for width in (100, 3):
            copied = Table(table.state, rules, width)
            copied.beam.finished[0, 0] = copied.task.finished
            begin_layer(copied.beam)
            found = expand(copied.beam, 0, 0, table.stage, WEIGHTS, SHIFT, 0)
            kept = copied.beam.chosen[: choose_children(copied.beam, found)]
            chosen.append(sorted(copied.beam.scores[kept].tolist(), reverse=True))
        assert chosen[0][:3] == chosen[1]
        compared += len(chosen[0]) > 3
        if number == compiled_or(60, 5):
            break
    assert compared > 0


def test_order_of_columns_matters_until_the_last_row():
    rules = plain.RULES.resolve("four-suit")
    table = Table(deal(1, rules), rules)
    turned = table.at[::-1].copy()
    keys = [position_key(table.columns, table.at, stage) for stage in (4, 5)]
    turned_keys = [position_key(table.columns, turned, stage) for stage in (4, 5)]
    assert keys[0] != turned_keys[0]
    assert keys[1] == turned_keys[1]


def test_a_full_table_says_so():
    rules = plain.RULES.resolve("four-suit")
    at = np.zeros(10, np.int32)
    columns = new_columns(30)
    assert first_position(columns, task_of(deal(1, rules), rules), at, WEIGHTS) == FULL


def test_weights_have_names_and_meanings():
    assert WEIGHTS.shape == (6, len(TERMS))
    assert len({term.name for term in TERMS}) == len(TERMS)
    assert all(term.meaning for term in TERMS)
