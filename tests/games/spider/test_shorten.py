"""Shortened lines still win, and obvious detours go."""

import random

import numpy as np
import pytest
from spider_positions import NAMES, cut_runs, deal

from winnable.games.spider import rules as plain
from winnable.games.spider import solver
from winnable.games.spider.state import DEALT, move_code

RULES = plain.RULES.resolve("four-suit")


def code(move):
    return DEALT if move.kind == plain.DEAL else move_code(move.source, move.target, move.size)


def shortened(state, moves, rules=RULES):
    task = solver.task_of(state, rules)
    return solver.shortened(np.array([code(move) for move in moves], np.int64), task)


def move(size, source, target):
    return plain.Move(plain.MOVE, size, source - 1, target - 1)


def one_run(*pieces):
    """A position with one run of spades in pieces, given as numbers of cards."""
    run, columns = plain.complete_run(3), [()] * plain.COLUMN_COUNT
    for i, size in enumerate(pieces):
        columns[i], run = run[:size], run[size:]
    return plain.State(tuple(columns), (0,) * 10, (), (2, 2, 2, 1))


@pytest.mark.parametrize(
    ("pieces", "line", "length"),
    [
        # There and back.
        ((7, 6), [move(6, 2, 3), move(6, 3, 2), move(6, 2, 1)], 1),
        # A detour, with something else between.
        ((5, 4, 4), [move(4, 3, 4), move(4, 2, 1), move(4, 4, 1)], 2),
        # A whole column to an empty one, and play goes on there.
        ((5, 4, 4), [move(5, 1, 9), move(4, 2, 9), move(4, 3, 9)], 2),
        # Cards out of the way that were not in it.
        ((5, 4, 4), [move(2, 3, 7), move(4, 2, 1), move(2, 3, 1), move(2, 7, 1)], 2),
        # Nothing to gain.
        ((5, 4, 4), [move(4, 2, 1), move(4, 3, 1)], 2),
    ],
)
def test_detours_go(pieces, line, length):
    state = one_run(*pieces)
    assert plain.is_won(plain.replay(state, line, RULES))
    shorter = shortened(state, line)
    assert plain.is_won(plain.replay(state, shorter, RULES))
    assert len(shorter) == length


def joins_run(state, move):
    """Whether a move makes a run longer."""
    target, cards = state.columns[move.target], state.columns[move.source][-move.size :]
    return bool(target) and plain.is_run((target[-1], cards[0]))


def wandering_line(state, rules, chance):
    """Random moves, joins preferred, until the position is won; None if it does not come to it."""
    line = []
    while not plain.is_won(state):
        legal = plain.legal_moves(state, rules)
        if not legal or len(line) == 150:
            return None
        joins = [move for move in legal if joins_run(state, move)]
        line.append(chance.choice(joins if joins and chance.random() < 0.6 else legal))
        state = plain.apply(state, line[-1], rules)
    return line


@pytest.mark.parametrize("name", NAMES)
def test_random_lines_stay_wins(name, compiled_or):
    rules = plain.RULES.resolve(name)
    suits = plain.SUITS_IN_PLAY[rules.settings["suits"]]
    before = after = 0
    for seed in range(compiled_or(20, 2)):
        state = cut_runs(seed, suits=suits)
        line = wandering_line(state, rules, random.Random(seed))
        if line is None:
            continue
        shorter = shortened(state, line, rules)
        assert plain.is_won(plain.replay(state, shorter, rules))
        assert len(shorter) <= len(line)
        before += len(line)
        after += len(shorter)
    assert after < before / 2


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", NAMES)
def test_lines_of_deals_stay_wins(name):
    """With rows dealt, and at every detour put in: a card out to where it can go, and back."""
    rules = plain.RULES.resolve(name)
    for number in (1, 6):
        state = deal(number, rules)
        task = solver.task_of(state, rules)
        search = solver.Search(task, 10**6, np.zeros(1, np.int64))
        outcome = next(part for part in search.parts(4) if part.line is not None)
        line = [solver.plain_move(int(move)) for move in outcome.line]
        detoured, at = [], state
        for move in line:
            there = next((m for m in plain.legal_moves(at, rules) if goes_back(at, m, rules)), None)
            if there is not None:
                detoured += [there, plain.Move(plain.MOVE, there.size, there.target, there.source)]
            detoured.append(move)
            at = plain.apply(at, move, rules)
        assert len(detoured) > len(line)
        shorter = shortened(state, detoured, rules)
        assert plain.is_won(plain.replay(state, shorter, rules))
        assert len(shorter) <= len(line)


def goes_back(state, move, rules):
    """Whether a move can be undone at once."""
    if move.kind == plain.DEAL:
        return False
    after = plain.apply(state, move, rules)
    back = plain.Move(plain.MOVE, move.size, move.target, move.source)
    return (
        plain.why_illegal(after, back, rules) is None and plain.apply(after, back, rules) == state
    )


def test_a_line_that_does_not_win_is_left_alone():
    line = [move(4, 2, 1), move(4, 3, 9)]
    assert shortened(one_run(5, 4, 4), line) == line
