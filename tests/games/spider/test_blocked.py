"""The proof that a deal is blocked: against sets in plain Python, wins, and whole searches."""

import random

import numpy as np
import pytest
from spider_positions import NAMES, blocked, cut_runs, deal, end_of_game, reachable

from winnable.games.base import Limits, Verdict
from winnable.games.spider import GAME
from winnable.games.spider import rules as plain
from winnable.games.spider.blocked import is_blocked, new_digging
from winnable.games.spider.columns import COLUMN_COUNT, clear_columns, new_columns
from winnable.games.spider.evaluation import weights_table
from winnable.games.spider.solver import task_of
from winnable.games.spider.state import GOES_ON, first_position

WEIGHTS = weights_table()
RELAXED_ONE_SUIT = plain.RULES.resolve("relaxed-one-suit")
ALL = frozenset(range(plain.RANK_COUNT))


@pytest.fixture(scope="module")
def by_kernel():
    columns, at, digging = new_columns(5000), np.zeros(COLUMN_COUNT, np.int32), new_digging()

    def decide(state, rules, deal_first=0):
        task = task_of(state, rules)
        clear_columns(columns)
        assert first_position(columns, task, at, WEIGHTS) == GOES_ON
        return is_blocked(columns, at, task.rows, task.first_stage, deal_first, digging)

    return decide


def sequences(cards, hidden):
    """A column as sequences of ranks, each going down by one, the last one at its end."""
    found = [[plain.rank_of(card)] for card in cards[:hidden]]
    for i in range(hidden, len(cards)):
        rank = plain.rank_of(cards[i])
        if i > hidden and found[-1][-1] == rank + 1:
            found[-1].append(rank)
        else:
            found.append([rank])
    return found


def below(head, ranks):
    """A head and the ranks that go down from it without a gap."""
    found = {head}
    while min(found) - 1 in ranks:
        found.add(min(found) - 1)
    return found


def by_sets(state):
    """What the kernel works out with bits."""
    if () in state.columns:
        return False
    columns = []
    for cards, hidden in zip(state.columns, state.hidden, strict=True):
        parts = [(part[0], set(part)) for part in sequences(cards, hidden)]
        head, seen = parts.pop()
        columns.append([parts, head, seen])
    opened = set().union(*(seen for _, _, seen in columns))
    rows = [state.stock[i : i + 10] for i in range(0, len(state.stock), 10)]
    while True:
        before = None
        while before != opened:
            before = set(opened)
            for column in columns:
                while column[1] + 1 in opened:
                    if not column[0]:
                        return False
                    column[1], ranks = column[0].pop()
                    column[2] = column[2] | ranks
                    opened |= ranks
        if opened == ALL:
            return False
        if not rows:
            return True
        row, opened_before, opened = rows.pop(0), opened, set()
        for column, card in zip(columns, row, strict=True):
            rank = plain.rank_of(card)
            held = set().union(*(below(head, opened_before) for head in column[2]))
            if rank + 1 in held:
                column[2] = held | {rank}
            else:
                column[0].append((column[1], held))
                column[1], column[2] = rank, {rank}
            opened |= column[2]


def random_positions(rules, count):
    """Deals in which little moves, ends of games, and positions of random play from any deal."""
    suits = plain.SUITS_IN_PLAY[rules.settings["suits"]]
    for seed in range(count):
        yield blocked(suits, seed, swaps=seed % 30)
        yield end_of_game(seed, kept=3, suits=suits, rows=seed % 3)
        yield cut_runs(seed, kept=4, pieces=9, suits=suits)
        state, chance = deal(seed + 1, rules), random.Random(seed)
        for _ in range(40):
            moves = plain.legal_moves(state, rules)
            if not moves:
                break
            state = plain.apply(state, chance.choice(moves), rules)
            yield state


@pytest.mark.parametrize("name", NAMES)
def test_against_sets(by_kernel, name, compiled_or):
    rules = plain.RULES.resolve(name)
    answers = []
    for state in random_positions(rules, compiled_or(60, 6)):
        answers.append(by_kernel(state, rules))
        assert answers[-1] == by_sets(state)
    assert compiled_or(10, 1) < sum(answers) < len(answers) - 10


@pytest.mark.parametrize("name", NAMES)
def test_no_position_of_a_win_is_blocked(by_kernel, name, compiled_or):
    """From all of them a run is still completed, and most of them have no empty column."""
    rules = plain.RULES.resolve(name)
    full = 0
    for number in range(1, compiled_or(16, 2)):
        state = deal(number, rules)
        solution = GAME.solve(state, rules, Limits(effort=2))
        for written in solution.moves or ():
            assert not by_kernel(state, rules)
            full += () not in state.columns
            move = plain.parse_move(written)
            if move.kind == plain.DEAL:
                assert not by_kernel(state, rules, deal_first=1)
            state = plain.apply(state, move, rules)
    assert full > compiled_or(300, 20)


@pytest.mark.parametrize("name", NAMES)
def test_blocked_positions_are_lost(by_kernel, name, compiled_or):
    """Every position that can be reached, by one suit and with rows dealt on empty columns."""
    rules = plain.RULES.resolve(name)
    suits = plain.SUITS_IN_PLAY[rules.settings["suits"]]
    checked = moved = 0
    for seed in range(compiled_or(100, 20)):
        state = blocked(suits, seed, swaps=1 + seed % 8)
        if not by_kernel(state, rules):
            continue
        positions = reachable(in_one_suit(state), RELAXED_ONE_SUIT, 150)
        if positions is None:
            continue
        checked += 1
        moved += len(positions) > 6
        for position in positions:
            assert () not in position.columns
            assert not any(position.finished)
    assert checked > compiled_or(10, 1)
    assert moved > compiled_or(3, -1)


def in_one_suit(state):
    """The same ranks, all of the suit of the one-suit game."""
    (suit,) = plain.SUITS_IN_PLAY["1"]

    def turned(cards):
        return tuple(plain.make_card(plain.rank_of(card), suit) for card in cards)

    columns = tuple(map(turned, state.columns))
    return plain.State(columns, state.hidden, turned(state.stock), state.finished)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("number", [1748, 14934])
def test_the_two_deals_of_32000_that_are_lost(name, number):
    """plspider wins all other deals of four suits, PySolFC's 1 to 32,000."""
    rules = plain.RULES.resolve(name)
    solution = GAME.solve(deal(number, rules), rules, Limits())
    assert (solution.verdict, solution.nodes) == (Verdict.UNWINNABLE, 0)


def test_an_empty_column_is_not_blocked(by_kernel):
    rules = plain.RULES.resolve("four-suit")
    state = blocked((0, 1, 2, 3))
    assert by_kernel(state, rules)
    columns = ((), state.columns[1] + state.columns[0], *state.columns[2:])
    hidden = (0, len(columns[1]) - 1, *state.hidden[2:])
    assert not by_kernel(plain.State(columns, hidden, state.stock, state.finished), rules)


@pytest.mark.parametrize("name", NAMES)
def test_a_row_dealt_first(by_kernel, name, compiled_or):
    """The answer is that for the position after the row, unless that completes a run."""
    rules = plain.RULES.resolve(name)
    answers = []
    for state in random_positions(rules, compiled_or(30, 3)):
        if () in state.columns or not state.stock:
            continue
        after = plain.apply(state, plain.Move(plain.DEAL), rules)
        if after.finished == state.finished:
            answers.append(by_kernel(state, rules, deal_first=1))
            assert answers[-1] == by_kernel(after, rules)
    assert compiled_or(5, 0) < sum(answers) < len(answers) - 5
