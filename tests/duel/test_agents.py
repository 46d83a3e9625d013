"""What agents decide, and that they decide it from what a person in their chair can see."""

import random
from dataclasses import replace

import numpy as np
import pytest
from duel_agreement import WINNABLE

from winnable.duel import convert, hidden, match
from winnable.duel import state as cells
from winnable.duel.agents import AGENTS, ALL, OWN, get_agent, get_sight
from winnable.duel.deal import numbered_deal
from winnable.duel.moves import TURN_LENGTH
from winnable.duel.position import House, Move, house_number
from winnable.duel.rules import apply, duty, legal_moves, misses
from winnable.duel.session import Session
from winnable.duel.simulate import (
    Estimator,
    Simulator,
    choose,
    obedient,
    play_on,
    table_in_turn,
)
from winnable.duel.tables import variant_of
from winnable.duel.view import visible
from winnable.errors import InputError

VARIANTS = [
    variant_of("russian-bank"),
    variant_of("russian-bank", "pagat", ["face-down-rows=2", "redeal=shuffle"]),
    variant_of("russian-bank", "early", ["stop=called", "face-down-rows=1"]),
    variant_of("zank"),
    variant_of("zank", changes=["must-play=own", "seen-rule=yes", "load=waste"]),
]
QUICK = ["random", "greedy", "planner:nodes=40", "montecarlo:nodes=40,candidates=3,playouts=2"]
each_variant = pytest.mark.parametrize(
    "variant", VARIANTS, ids=lambda v: f"{v.game} {v.rules.name}"
)


def middle(variant, seed, moves):
    """A game after so many moves that are random but miss nothing."""
    chance = random.Random(seed)
    session = Session(numbered_deal(WINNABLE, seed, variant), variant)
    for _ in range(moves):
        legal = [m for m in legal_moves(session.state, variant) if not is_missing(session, m)]
        if not legal:
            break
        ending = [move for move in legal if not move.target]
        session.play(chance.choice(ending if ending and chance.random() < 0.3 else legal))
    return session


def is_missing(session, move):
    return str(move) == "stop" or misses(move, duty(session.state, session.variant))


def with_card(state, place, card):
    """The position with another card at a covered place."""
    if place.pile == "house":
        house = state.houses[place.number]
        dealt = (*house.cards[: place.at], card, *house.cards[place.at + 1 :])
        houses = list(state.houses)
        houses[place.number] = House(dealt, house.hidden)
        return replace(state, houses=tuple(houses))
    side = state.sides[place.number]
    pile = getattr(side, place.pile)
    side = side._replace(**{place.pile: (*pile[: place.at], card, *pile[place.at + 1 :])})
    sides = list(state.sides)
    sides[place.number] = side
    return replace(state, sides=tuple(sides))


def reshuffled(state, variant, chance):
    """The position with the cards of each pool dealt anew, and other shuffles to come."""
    for pool in visible(state, variant).pools:
        dealt = chance.sample(pool.cards, len(pool.cards))
        for place, card in zip(pool.places, dealt, strict=True):
            state = with_card(state, place, card)
    return replace(state, chance=chance.getrandbits(64))


@each_variant
@pytest.mark.parametrize("name", QUICK)
def test_an_agent_sees_no_more_than_a_person(variant, name, compiled_or):
    chance = random.Random(name)
    agent = get_agent(name)
    differing = 0
    for seed in range(compiled_or(12, 1)):
        state = middle(variant, seed, 5 + 9 * seed).turn_positions[-1]
        if state.outcome is not None:
            continue
        decided = choose(agent, [state], variant, OWN, seed)
        for _ in range(compiled_or(4, 1)):
            other = reshuffled(state, variant, chance)
            assert visible(other, variant) == visible(state, variant)
            assert choose(agent, [other], variant, OWN, seed) == decided
            differing += other != state
    assert differing > 0


@pytest.mark.compiled_only
def test_the_same_test_finds_agents_that_see_all():
    chance = random.Random(5)
    agent, variant = get_agent("planner:nodes=200"), VARIANTS[0]
    different = 0
    for seed in range(20):
        state = numbered_deal(WINNABLE, seed, variant)
        decided = choose(agent, [state], variant, ALL)
        other = reshuffled(state, variant, chance)
        different += choose(agent, [other], variant, ALL) != decided
    assert different > 5


@each_variant
@pytest.mark.parametrize("name", QUICK)
def test_decisions_are_legal_and_stop_where_cards_turn_up(variant, name, compiled_or):
    agent = get_agent(name)
    for seed in range(compiled_or(6, 1)):
        session = middle(variant, seed, 7 * seed)
        for _ in range(compiled_or(30, 3)):
            state = session.state
            if state.outcome is not None:
                break
            path = choose(agent, session.turn_positions, variant, OWN, seed)
            assert path
            for move in path:
                assert not is_missing(session, move)
                assert session.state.turn == state.turn
                unknown = unknown_count(session.state, variant)
                session.play(move)
                if move != path[-1]:
                    assert unknown_count(session.state, variant) >= unknown


def unknown_count(state, variant):
    return sum(len(pool.cards) for pool in visible(state, variant).pools)


@each_variant
def test_shuffled_cards_are_those_that_nobody_sees(variant, compiled_or):
    codes = convert.codes_of(variant)
    places, drawn = np.zeros(cells.CARD_COUNT, np.int64), np.array([9], np.uint64)
    for seed in range(compiled_or(30, 4)):
        state = middle(variant, seed, 4 * seed).state
        table = convert.table_of(state, variant)
        hidden.shuffle_unknown(table.cells, table.words, codes, places, drawn)
        after = convert.state_of(table, variant)
        assert visible(after, variant) == visible(state, variant)


@each_variant
def test_which_moves_turn_up_a_card(variant, compiled_or):
    codes = convert.codes_of(variant)
    seen = set()
    for seed in range(compiled_or(40, 4)):
        session = middle(variant, seed, 6 * seed)
        table = convert.table_of(session.state, variant)
        for move in legal_moves(session.state, variant):
            after = apply(session.state, move, variant)
            if after.turn != session.state.turn or after.outcome is not None:
                continue
            turns_up = hidden.turns_up(table.cells, codes, convert.code_of(move), 0)
            assert turns_up == is_shown(session.state, after, move, variant), move
            seen.add(bool(turns_up))
    assert seen == {True, False}


def is_shown(before, after, move, variant):
    """By the plain rules: a pool became smaller, or a shuffle was laid as the stock."""
    if move == Move("turn") and not before.own.stock and variant.says("redeal") == "shuffle":
        return True
    return unknown_count(after, variant) < unknown_count(before, variant)


@each_variant
def test_the_greedy_order(variant, compiled_or):
    codes = obedient(convert.codes_of(variant))
    for seed in range(compiled_or(60, 5)):
        session = middle(variant, seed, 5 * seed)
        state = session.state
        if state.outcome is not None:
            continue
        table = table_in_turn(session.turn_positions, variant)
        move = convert.move_of(match.safe_greedy_move(table, codes))
        legal = [m for m in legal_moves(state, variant) if not is_missing(session, m)]
        assert move in legal
        assert rank(move) == min(map(rank, greedy_choices(state, legal, table))), (move, legal)


def rank(move):
    """The order of kinds of moves."""
    if move.target == "f":
        return 0
    if move.target in ("or", "ow"):
        return 1
    return 2 if move.target else 3


def greedy_choices(state, legal, table):
    """Moves that a greedy player thinks of: a house is only moved when that empties it."""
    no_past = table.lengths[TURN_LENGTH] == 1
    return [
        move for move in legal if not between_houses(move) or (no_past and empties(state, move))
    ]


def between_houses(move):
    return move.source.startswith("h") and move.target.startswith("h")


def empties(state, move):
    source, target = (state.houses[house_number(place)].cards for place in move)
    return len(source) == 1 and len(target) > 0


def test_games_of_a_number_are_the_same_however_they_are_cut():
    variant = VARIANTS[0]
    for names in (("random", "greedy"), ("planner:nodes=20", "random")):
        agents = [get_agent(name) for name in names]
        together = Simulator(variant, WINNABLE, *agents).play(0, 4)
        assert together is not None
        for number in (3, 1):
            alone = Simulator(variant, WINNABLE, *agents).play(number, 1)
            assert alone is not None
            assert alone.moves[0] == together.moves[number]
            assert alone.turns[0] == together.turns[number]
            assert alone.outcomes[0] == together.outcomes[number]


@pytest.mark.compiled_only
@pytest.mark.parametrize("game", ["russian-bank", "zank"])
def test_a_simulated_game_is_a_game_by_the_plain_rules(game):
    variant = variant_of(game)
    agents = [get_agent("greedy"), get_agent("planner:nodes=30")]
    games = Simulator(variant, WINNABLE, *agents).play(0, 3)
    for number in range(3):
        session = Session(numbered_deal(WINNABLE, number, variant), variant)
        starter = session.state.mover
        while session.state.outcome is None:
            agent = agents[session.state.mover != starter]
            for move in choose(agent, session.turn_positions, variant):
                session.play(move)
        assert len(session.moves) == games.moves[number]
        assert session.state.turn == games.turns[number]
        winner = session.state.outcome.winner
        assert games.outcomes[number] == 1 + (winner != starter)


@pytest.mark.compiled_only
@pytest.mark.parametrize("game", ["russian-bank", "zank"])
def test_play_goes_on_as_in_the_whole_game(game):
    variant, agent = variant_of(game), get_agent("planner:nodes=30")
    starters = set()
    for number in range(6):
        whole = Simulator(variant, WINNABLE, agent, agent).play(number, 1)
        state = numbered_deal(WINNABLE, number, variant)
        starters.add(state.starter)
        on = play_on(state, variant, agent, 2)
        assert on.moves.tolist() == 2 * whole.moves.tolist()
        assert on.turns.tolist() == 2 * whole.turns.tolist()
        assert on.outcomes.tolist() == 2 * whole.outcomes.tolist()
        session = Session(state, variant)
        while session.state.turn < 6:
            for move in choose(agent, session.turn_positions, variant):
                session.play(move)
        later = play_on(session.state, variant, agent, 1)
        assert later.moves[0] == whole.moves[0] - len(session.moves)
        assert later.turns[0] == whole.turns[0] - 6
        assert later.outcomes[0] == whole.outcomes[0]
    assert starters == ({0} if game == "russian-bank" else {0, 1})


def test_agents_that_draw_numbers_play_otherwise_from_other_seeds(compiled_or):
    variant, count = variant_of("zank"), compiled_or(20, 2)
    state = numbered_deal(WINNABLE, 1, variant)
    agent = get_agent("montecarlo:nodes=20,candidates=2,playouts=1")
    for varying, sight in ((get_agent("random"), OWN), (agent, OWN)):
        assert varying.varies(sight)
        games = play_on(state, variant, varying, count, sight)
        again = play_on(state, variant, varying, count - 1, sight, first_seed=1)
        assert len(set(games.moves.tolist())) > 1
        assert games.moves.tolist()[1:] == again.moves.tolist()
    assert not agent.varies(ALL)
    assert len(set(play_on(state, variant, agent, count, ALL).moves.tolist())) == 1


@pytest.mark.compiled_only
@pytest.mark.parametrize("game", ["russian-bank", "zank"])
def test_stronger_agents_win_more_often(game):
    def wins(better, worse, deals):
        agents = get_agent(better), get_agent(worse)
        first = Simulator(variant_of(game), WINNABLE, *agents).play(0, deals)
        second = Simulator(variant_of(game), WINNABLE, *agents[::-1]).play(0, deals)
        return (np.mean(first.outcomes == 1) + np.mean(second.outcomes == 2)) / 2

    assert wins("greedy", "random", 50) > 0.95
    assert wins("planner", "greedy", 150) > 0.6


@pytest.mark.compiled_only
def test_estimates_put_the_best_first():
    variant = VARIANTS[0]
    estimator = Estimator(get_agent("montecarlo"), [numbered_deal(WINNABLE, 7, variant)], variant)
    assert estimator.is_open
    estimator.add(3)
    estimator.add(4)
    found = estimator.estimates()
    assert 1 < len(found) <= 6
    points = [estimate.points for estimate in found]
    assert points == sorted(points, reverse=True)
    assert all(0 <= each.points <= 2 * 7 == 2 * each.playouts for each in found)


def test_a_cancelled_simulator_gives_up():
    simulator = Simulator(VARIANTS[0], WINNABLE, get_agent("random"), get_agent("random"))
    simulator.cancel()
    assert simulator.play(0, 2) is None


def test_agents_by_name():
    assert list(AGENTS) == ["random", "greedy", "planner", "montecarlo"]
    agent = get_agent("montecarlo:playouts=40, nodes=500")
    assert (agent.playouts, agent.nodes, agent.candidates) == (40, 500, 6)
    assert str(get_agent("greedy")) == "greedy"
    assert (
        str(agent) == "montecarlo nodes=500 patience=100 candidates=6 playouts=40 turns=3 trust=50"
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("planer", "Did you mean planner?"),
        ("planner:node=3", "Did you mean nodes?"),
        ("planner:playouts=3", "There is no parameter of planner 'playouts'"),
        ("greedy:nodes=3", "has no parameters"),
        ("planner:nodes=x", "'nodes=x' is no whole number"),
        ("planner:nodes=0", "nodes goes from 1 to"),
    ],
)
def test_agents_that_there_are_not(text, words):
    with pytest.raises(InputError, match=None) as error:
        get_agent(text)
    assert words in str(error.value)


def test_sights():
    assert get_sight("own") == OWN
    with pytest.raises(InputError, match="Did you mean all"):
        get_sight("al")
