"""Steps written as vector instructions do exactly what their numpy forms do."""

import numba
import numpy as np
import pytest

from winnable.games.tripeaks import lanes, playouts
from winnable.games.tripeaks.exact import NEVER
from winnable.games.tripeaks.rules import RULES, dealt, is_won, legal_moves
from winnable.games.tripeaks.rules import apply as apply_move
from winnable.games.tripeaks.rules import start as start_of
from winnable.search import vectors

pytestmark = pytest.mark.compiled_only
RANDOM = np.random.default_rng(20261130)


def random_bytes(size, high=256):
    return RANDOM.integers(0, high, size, dtype=np.uint8)


@numba.njit
def mark(ranks, one, other, far, neighbours):
    lanes.mark_neighbours(ranks, one, other, far, neighbours)


@pytest.mark.parametrize("far", [1, 12])
def test_mark_neighbours(far):
    ranks = random_bytes(52 * lanes.LANES, 13)
    for one, other in (RANDOM.permutation(28)[:2].tolist() for _ in range(20)):
        want, found = np.zeros((2, 28 * lanes.ROW), np.uint8)
        lanes.plain_mark_neighbours(ranks, one, other, far, want)
        mark(ranks, one, other, far, found)
        assert want.any()
        assert np.array_equal(found, want)


def relax_with(width, positions):
    """A compiled call with these literals."""

    @numba.njit
    def relax(code, at, into, neighbours, fitting, reach):
        lanes.relax_mask(code, at, into, width, positions, neighbours, fitting, reach)

    return relax


def random_reaches(size):
    return np.where(RANDOM.random(size) < 0.2, NEVER, random_bytes(size, 25)).astype(np.uint8)


@pytest.mark.parametrize("positions", [lanes.USUAL_FITTING, lanes.MOST_FITTING])
@pytest.mark.parametrize("width", range(1, 10))
def test_relax_mask(width, positions):
    relax = relax_with(width, positions)
    for into in (1, 2, 5, 9):
        slots = RANDOM.permutation(40)[: into + width]
        cards = RANDOM.permutation(28)[: into + width]
        code = np.concatenate([[7], slots[:into], cards[:into], slots[into:], cards[into:]])
        code = code.astype(np.int32)
        neighbours = random_bytes(28 * lanes.ROW)
        fitting = random_reaches(28 * lanes.MOST_FITTING * lanes.LANES)
        want = random_reaches(40 * lanes.LANES)
        found = want.copy()
        lanes.plain_relax_mask(code, 1, into, width, positions, neighbours, fitting, want)
        relax(code, 1, into, neighbours, fitting, found)
        assert np.array_equal(found, want)


@numba.njit
def play(tables, seeds, first, playable, turned):
    return playouts.play_games(tables, seeds, first, playable, turned)


def tables_of(ranks, wrap):
    tables = np.empty(64, np.uint32)
    playouts.fill_tables(ranks, wrap, np.empty(13, np.uint32), tables)
    return tables


def first_plays(tables, opened):
    """What can be played at the start: any card of the last row, or those on the opening card."""
    return playouts.ROW_4 & (int(tables[playouts.ON_STOCK + 1]) if opened else -1)


@pytest.mark.parametrize("features", ["this processor", "none"])
@pytest.mark.parametrize(("wrap", "opened"), [(1, 1), (0, 1), (1, 0), (0, 0)])
def test_play_games(wrap, opened, features, monkeypatch):
    if features == "none":
        # As compiled for a processor that can't look up in registers.
        monkeypatch.setattr(vectors, "has_feature", lambda name: False)
    compiled = numba.njit(play.py_func)
    seeds = playouts.playout_seeds(2)
    outcomes = set()
    for _ in range(40):
        ranks = (RANDOM.permutation(52) // 4).astype(np.int64)
        tables = tables_of(ranks, wrap)
        playable = first_plays(tables, opened)
        for first in (0, playouts.GAMES):
            want = playouts.plain_play_games(tables, seeds, first, playable, opened)
            assert compiled(tables, seeds, first, playable, opened) == want
            assert 0 < abs(want) <= playouts.LONGEST
            outcomes.add(want > 0)
    assert outcomes == {True, False}


@pytest.mark.parametrize("name", RULES.names)
def test_a_greedy_game_is_a_game_by_the_rules(name):
    rules = RULES.resolve(name)
    wrap, opened = int(rules.settings["wrap"] == "yes"), int(rules.settings["waste"] == "turned")
    won = 0
    for _ in range(60):
        cards = RANDOM.permutation(52).tolist()
        tables = tables_of(np.array(cards) // 4, wrap)
        steps = playouts.play_greedily(tables, first_plays(tables, opened), opened)
        state = start_of(dealt(cards), rules)
        moves = 0
        while not is_won(state) and (legal := legal_moves(state, rules)):
            plays = [move for move in legal if move.card in state.tableau]
            plays.sort(key=lambda move: playouts.BIT_OF_PLACE[cards.index(move.card)])
            state = apply_move(state, (plays or legal)[-1], rules)
            moves += 1
        assert (steps > 0) == is_won(state)
        # A lost game takes one more step, in which nothing is left to do.
        assert abs(steps) == moves + (not is_won(state))
        won += is_won(state)
    assert 0 < won < 60
