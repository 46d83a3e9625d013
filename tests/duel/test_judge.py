"""Verdicts on small decks equal those of plain exhaustive play; lines replay by the plain rules.

``python tests/duel_judged.py 1000 4000 0`` compares more decks.
"""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from duel_agreement import WINNABLE, all_variants, restless
from duel_judged import DECKS, expected, variants_of
from duel_positions import full, position, zank
from plain_duel import TooManyError, bare, value_of_graph, value_with_history

from winnable.duel import convert, position_graph
from winnable.duel.deal import numbered_deal
from winnable.duel.judge import Standing, judge
from winnable.duel.position import PASS, parse_move, standing
from winnable.duel.rules import apply, legal_moves
from winnable.duel.tables import QUIET_TURNS, Size, variant_of
from winnable.errors import InputError
from winnable.games.base import Limits
from winnable.search.stopping import GIVE_UP

# So small that all games, with all of their past, can be played out.
TINY = [Size(2, 1, 2, 0), Size(2, 1, 2, 1), Size(3, 1, 2, 1), Size(3, 1, 2, 2), Size(2, 2, 2, 2)]
SIX_RANKS = variant_of("russian-bank", size=Size(ranks=6, suits=4, houses=8, reserve=6))


def replayed(state, moves, variant):
    for move in moves:
        state = apply(state, move, variant)
    return state


def test_positions_without_their_past_have_the_value_that_all_games_give():
    found = Counter()
    for game in ("russian-bank", "zank"):
        for size in TINY:
            variant = variant_of(game, size=size)
            for number in range(4):
                state = numbered_deal(WINNABLE, number, variant)
                try:
                    value = value_with_history(state, variant, 1000)
                    of_graph = value_of_graph(state, variant, 500)
                except TooManyError:
                    continue
                assert of_graph == value, (game, size, number)
                assert judge(state, variant).standing is expected(state, value)
                found[value] += 1
    assert sum(found.values()) >= 20
    assert found[0] > 0
    assert found[1] > 0


@pytest.mark.parametrize(("game", "size"), DECKS)
def test_verdicts_are_those_of_exhaustive_play(game, size, compiled_or):
    for number, variant in enumerate(variants_of(game, size)[: compiled_or(4, 1)]):
        state = numbered_deal(WINNABLE, number, variant)
        try:
            value = value_of_graph(state, variant, 500)
        except TooManyError:
            continue
        found = judge(state, variant)
        assert found.standing is expected(state, value), (variant, number)
        if value is None:
            assert found.moves is None
            assert set(found.excluded) == {Standing.FIRST, Standing.SECOND}
        else:
            last = replayed(state, found.moves, variant)
            assert standing(last) == found.standing.value


def test_most_decks_of_six_ranks_are_decided(compiled_or):
    for number in range(1, compiled_or(5, 2)):
        state = numbered_deal(WINNABLE, number, SIX_RANKS)
        found = judge(state, SIX_RANKS, Limits(max_nodes=20_000))
        assert standing(replayed(state, found.moves, SIX_RANKS)) == found.standing.value


def test_what_a_graph_lists_are_the_moves_of_the_plain_rules(compiled_or):
    chance = np.random.default_rng(1)
    searched = [
        variant
        for variant in all_variants()
        if variant.says("redeal") == "turn-over" and not variant.are_faults_called
    ]
    for number, variant in enumerate(searched[:: compiled_or(3, 20)]):
        state = numbered_deal(WINNABLE, number, variant)
        for _ in range(int(chance.integers(40))):
            if state.outcome is None:
                state = apply(state, restless(legal_moves(state, variant), Dice(chance)), variant)
        if state.outcome is not None:
            continue
        state = bare(state, variant)
        table = convert.table_of(state, variant)
        graph = position_graph.new_graph(table.cells, table.words)
        position_graph.expand(graph, convert.codes_of(variant), position_graph.WON)
        moves = legal_moves(state, variant)
        ends = {numbered(graph, apply(state, move, variant), variant) for move in moves}
        assert ends == set(graph.edge_ends[: graph.counts[position_graph.EDGES]].tolist())
        assert position_graph.NONE not in ends


class Dice:
    """As much of `random.Random` as random play needs."""

    def __init__(self, chance):
        self.random = chance.random
        self.choice = lambda items: items[int(chance.integers(len(items)))]


def numbered(graph, state, variant):
    if state.outcome is not None:
        return state.outcome.winner
    table = convert.table_of(state, variant)
    return position_graph.number_of(graph, table.cells, table.words)


def test_a_key_is_read_as_it_was_written():
    variant = variant_of("russian-bank", changes=["face-down-rows=2"])
    state = numbered_deal(WINNABLE, 5, variant)
    table = convert.table_of(state, variant)
    graph = position_graph.new_graph(table.cells, table.words)
    position_graph.read_position(graph, position_graph.WON)
    assert position_graph.number_of(graph, graph.cells[0], graph.words[0]) == position_graph.WON
    assert position_graph.cards_left(graph, position_graph.WON, 1) == 13 + 27
    assert position_graph.cards_up(graph, position_graph.WON) == 0
    houses = convert.state_of(table._replace(cells=graph.cells[0]), variant).houses
    assert sorted(houses) == sorted(state.houses)


@pytest.mark.parametrize("quiet", [0, QUIET_TURNS - 1])
def test_a_game_over_at_once_is_won_at_any_count_of_quiet_turns(quiet):
    variant = zank()
    state = position(variant, "QD", reserve="", stock="AC", other="KD", quiet=quiet)
    found = judge(state, variant)
    assert (found.standing, found.moves) == (Standing.FIRST, (parse_move("t f"),))


def test_a_win_behind_the_draw_by_quiet_turns_is_not_proved():
    variant = zank()

    def waiting(quiet):
        houses = full("", variant)
        pieces = {"reserve": "KC", "other": "", "other_stock": "AC"}
        return judge(position(variant, houses, mover=1, quiet=quiet, **pieces), variant)

    found = waiting(QUIET_TURNS - 2)
    assert (found.standing, found.moves) == (Standing.SECOND, (PASS, parse_move("t f")))
    found = waiting(QUIET_TURNS - 1)
    assert (found.standing, found.moves, found.limit) == (Standing.UNKNOWN, None, "quiet turns")
    assert found.excluded == (Standing.FIRST,)


def test_small_decks_near_the_draw_by_quiet_turns():
    variant = variant_of("russian-bank", changes=["first-turn-load=yes"], size=Size(3, 1, 2, 1))
    seen = Counter()
    for number in range(12):
        start = numbered_deal(WINNABLE, number, variant)
        for quiet in range(QUIET_TURNS - 4, QUIET_TURNS):
            state = replace(start, quiet=quiet)
            try:
                value = value_with_history(state, variant, 2000)
            except TooManyError:
                continue
            found = judge(state, variant)
            seen[found.limit] += 1
            if found.standing is not Standing.UNKNOWN:
                assert found.standing is expected(state, value), (number, quiet)
    assert seen[None] > 10


# Limits and refusals


def test_limits_leave_it_unknown():
    variant = variant_of("russian-bank")
    state = numbered_deal(WINNABLE, 1, variant)
    found = judge(state, variant, Limits(max_nodes=3))
    assert (found.standing, found.moves, found.limit) == (Standing.UNKNOWN, None, "nodes")
    assert found.nodes == 6
    found = judge(state, variant, Limits(max_nodes=10**9, max_seconds=0.05))
    assert (found.standing, found.limit) == (Standing.UNKNOWN, "seconds")
    given_up = Limits(max_nodes=10**9, stop=np.array([GIVE_UP], np.int64))
    assert judge(state, variant, given_up).limit == "stopped"


def test_a_game_that_is_over():
    variant = zank()
    over = position(variant, "QD", reserve="", other="KD")
    found = judge(over, variant)
    assert (found.standing, found.excluded, found.moves) == (Standing.FIRST, (Standing.SECOND,), ())


@pytest.mark.parametrize("change", ["redeal=shuffle", "stop=called"])
def test_rules_that_leave_something_open_are_refused(change):
    variant = variant_of("russian-bank", changes=[change])
    with pytest.raises(InputError, match=change):
        judge(numbered_deal(WINNABLE, 1, variant), variant)
