"""Whether a player can go out with help: as the plain rules say, and lines that they replay."""

import numpy as np
import pytest
from duel_agreement import WINNABLE
from duel_judged import DECKS
from duel_positions import full, position, zank
from plain_duel import TooManyError, all_positions

from winnable.duel.deal import numbered_deal
from winnable.duel.position import parse_move
from winnable.duel.rules import apply
from winnable.duel.solvable import solvable
from winnable.duel.tables import QUIET_TURNS, variant_of
from winnable.errors import InputError
from winnable.games.base import Limits, Verdict
from winnable.search.stopping import GIVE_UP


def winner_after(state, moves, variant):
    for move in moves:
        state = apply(state, parse_move(move), variant)
    return state.outcome.winner


@pytest.mark.parametrize(("game", "size"), DECKS)
def test_small_decks_as_the_plain_rules_have_it(game, size, compiled_or):
    variant = variant_of(game, size=size)
    for number in range(compiled_or(3, 1)):
        state = numbered_deal(WINNABLE, number, variant)
        try:
            after, _ = all_positions(state, variant, 400)
        except TooManyError:
            continue
        ends = set().union(*(following for _, following in after.values()))
        for player in range(2):
            found = solvable(state, variant, player)
            assert (found.verdict is Verdict.WINNABLE) == (player in ends), (number, player)
            assert (found.verdict is Verdict.UNWINNABLE) == (player not in ends)
            assert found.limit is None
            if found.moves is not None:
                assert winner_after(state, found.moves, variant) == player


def test_nobody_goes_out_where_nothing_fits():
    variant = zank()
    stuck = position(variant, full("", variant), reserve="KC", other="KD", other_stock="")
    for player in range(2):
        found = solvable(stuck, variant, player)
        assert (found.verdict, found.moves, found.nodes) == (Verdict.UNWINNABLE, None, 2)


@pytest.mark.compiled_only
@pytest.mark.parametrize("game", ["russian-bank", "zank"])
@pytest.mark.parametrize("player", [0, 1])
def test_a_full_deal(game, player):
    variant = variant_of(game)
    state = numbered_deal(WINNABLE, 1, variant)
    found = solvable(state, variant, player, Limits(max_nodes=50_000))
    assert winner_after(state, found.moves, variant) == player


def test_a_line_that_meets_the_draw_is_no_win():
    variant = zank()
    state = position(variant, "QD", reserve="", stock="KC AC", other="KD", quiet=QUIET_TURNS - 1)
    found = solvable(state, variant, 1)
    assert (found.verdict, found.moves) == (Verdict.UNKNOWN, None)
    assert found.limit == "quiet turns"


def test_limits_leave_it_unknown():
    variant = variant_of("zank")
    state = numbered_deal(WINNABLE, 1, variant)
    found = solvable(state, variant, 0, Limits(max_nodes=3))
    assert (found.verdict, found.moves, found.nodes) == (Verdict.UNKNOWN, None, 3)
    assert found.limit == "nodes"
    given_up = Limits(stop=np.array([GIVE_UP], np.int64))
    assert solvable(state, variant, 0, given_up).limit == "stopped"


def test_a_game_that_is_over():
    variant = zank()
    over = position(variant, "QD", reserve="", other="KD")
    assert solvable(over, variant, 0).moves == ()
    assert solvable(over, variant, 1).verdict is Verdict.UNWINNABLE


def test_shuffles_are_refused():
    variant = variant_of("russian-bank", changes=["redeal=shuffle"])
    with pytest.raises(InputError, match="redeal=turn-over"):
        solvable(numbered_deal(WINNABLE, 1, variant), variant, 0)
