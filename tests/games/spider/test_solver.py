"""Verdicts of the solver: wins replayed, losses proved, limits kept."""

import time

import pytest
from spider_positions import NAMES, blocked, cut_runs, deal, reachable

from winnable.games.base import Limits, Verdict
from winnable.games.spider import rules as plain
from winnable.games.spider import solver
from winnable.games.spider.solver import solve

NO_LIMITS = Limits()
FOUR = plain.RULES.resolve("four-suit")


def replayed(state, solution, rules):
    """The position after a solution, by the plain rules alone."""
    return plain.replay(state, map(plain.parse_move, solution.moves), rules)


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", NAMES)
def test_deals_are_won(name):
    rules = plain.RULES.resolve(name)
    won = 0
    for number in range(1, 7):
        state = deal(number, rules)
        solution = solve(state, rules, Limits(effort=2))
        if solution.verdict == Verdict.WINNABLE:
            assert plain.is_won(replayed(state, solution, rules))
            won += 1
        else:
            assert (solution.verdict, solution.limit) == (Verdict.UNKNOWN, "width")
            assert solution.moves is None
    assert won >= 4


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", NAMES)
def test_positions_of_a_game_in_progress(name):
    """From every tenth position of a won game: empty columns, rows dealt, runs finished."""
    rules = plain.RULES.resolve(name)
    state = deal(1, rules)
    solution = solve(state, rules, Limits(effort=3))
    won = 0
    for number, move in enumerate(map(plain.parse_move, solution.moves)):
        if number % 10 == 0:
            answer = solve(state, rules, Limits(effort=2))
            won += answer.verdict == Verdict.WINNABLE
            assert answer.verdict != Verdict.UNWINNABLE
            if answer.moves is not None:
                assert plain.is_won(replayed(state, answer, rules))
        state = plain.apply(state, move, rules)
    assert won > 5
    assert solve(state, rules, NO_LIMITS).moves == ()


@pytest.mark.parametrize("name", NAMES)
def test_little_that_moves_is_proved_lost(name, compiled_or):
    """And each position on the way is lost too: rows dealt, other moves made."""
    rules = plain.RULES.resolve(name)
    suits = plain.SUITS_IN_PLAY[rules.settings["suits"]]
    for seed in range(compiled_or(6, 1)):
        positions = reachable(blocked(suits, seed, swaps=2), rules, 100)
        for state in (positions or [])[:: compiled_or(5, 50)]:
            solution = solve(state, rules, NO_LIMITS)
            assert (solution.verdict, solution.limit) == (Verdict.UNWINNABLE, None)
            assert solution.moves is None


@pytest.mark.parametrize("name", NAMES)
def test_blocked_deals_are_proved_at_once(name):
    rules = plain.RULES.resolve(name)
    suits = plain.SUITS_IN_PLAY[rules.settings["suits"]]
    solution = solve(blocked(suits), rules, NO_LIMITS)
    assert solution.verdict == Verdict.UNWINNABLE
    assert solution.nodes < 12


def test_a_small_win():
    state = cut_runs(3)
    solution = solve(state, FOUR, NO_LIMITS)
    assert solution.verdict == Verdict.WINNABLE
    assert plain.is_won(replayed(state, solution, FOUR))


def test_nodes_are_limited():
    for most in (1, 100, 777):
        solution = solve(deal(2, FOUR), FOUR, Limits(max_nodes=most))
        assert (solution.verdict, solution.limit) == (Verdict.UNKNOWN, "nodes")
        assert solution.nodes == most


@pytest.mark.compiled_only
def test_seconds_are_limited():
    before = time.perf_counter()
    solution = solve(deal(914, FOUR), FOUR, Limits(max_seconds=0.3))
    assert (solution.verdict, solution.limit) == (Verdict.UNKNOWN, "seconds")
    assert 0.2 < time.perf_counter() - before < 3


@pytest.mark.compiled_only
def test_answers_do_not_depend_on_what_was_solved_before():
    state = deal(6, FOUR)
    first = solve(state, FOUR, Limits(effort=3))
    solve(deal(7, FOUR), FOUR, Limits(effort=1))
    again = solve(state, FOUR, Limits(effort=3))
    assert (first.moves, first.nodes) == (again.moves, again.nodes)


def test_a_line_that_does_not_win_is_never_an_answer(monkeypatch):
    monkeypatch.setattr(solver, "shortened", lambda line, task: [])
    with pytest.raises(AssertionError, match="does not win"):
        solve(cut_runs(3), FOUR, NO_LIMITS)
