"""The fewest moves: against a plain breadth-first search, and what is promised of long ones."""

from random import Random

import pytest
from plain_canfield import canonical, late_position, random_play, single_changes, successors

from winnable.deals import NUMBERINGS
from winnable.errors import InputError
from winnable.games.base import Limits
from winnable.games.canfield import GAME, shortest_state
from winnable.games.canfield.rules import RULES, cards_up, start
from winnable.games.canfield.shortest import shortest, steps_of
from winnable.games.canfield.shortest_state import (
    after_step,
    first_key,
    moves_to_come,
    second_key,
    step_cost,
    unpacked,
)
from winnable.games.canfield.solver import position_of, setup_of
from winnable.games.canfield.state import NO_MOVE

ALL_RULES = single_changes()


def fewest_moves(state, rules, max_positions):
    """By breadth-first search; None for a lost position or one that is too large."""
    if cards_up(state) == 52:
        return 0
    level = [canonical(state)]
    seen = set(level)
    moves = 0
    while level and len(seen) <= max_positions:
        moves += 1
        reached = []
        for position in level:
            for after in successors(position, state.base, rules.settings):
                if after not in seen:
                    if sum(after[0]) == 52:
                        return moves
                    seen.add(after)
                    reached.append(after)
        level = reached
    return None


def kernel_start(state, rules):
    """The fixed part and the start of this search, for a position in which play goes on."""
    setup = setup_of(state, rules, reductions=0)
    return setup, position_of(state, setup)._replace(waste=len(state.waste))


def whole_deal(number):
    return GAME.deal(NUMBERINGS["solvitaire"], number, GAME.rules.resolve())


def winning_line(deal, rules):
    return GAME.solve(deal, rules, Limits(max_nodes=50_000)).moves


def wins(seeds, left, max_positions):
    """Won late positions under all rules in turn: (position, rules, winning line, fewest moves)."""
    for seed in seeds:
        rules = ALL_RULES[seed % len(ALL_RULES)]
        state = late_position(seed, left)
        fewest = fewest_moves(start(state, rules), rules, max_positions)
        if fewest is not None:
            yield state, rules, winning_line(state, rules), fewest


def test_the_fewest_moves_of_late_positions(compiled_or):
    count = 0
    for state, rules, won, fewest in wins(range(compiled_or(2000, 40)), (4, 9), 300):
        found = shortest(state, rules, won, Limits())
        assert (len(found.moves), found.bound, found.limit) == (fewest, fewest, None)
        assert GAME.replay(state, rules, found.moves).won
        count += 1
    assert count > compiled_or(1000, 20)


@pytest.mark.compiled_only
def test_bounds_of_late_positions():
    """No bound is above the truth, and every term makes a difference somewhere."""
    raised = [0, 0, 0]
    for state, rules, _, fewest in wins(range(5000, 5300), (5, 14), 1000):
        setup, at = kernel_start(start(state, rules), rules)
        assert moves_to_come(setup, at) <= fewest
        raised[0] += shortest_state.cards_too_early(setup, at) > 0
        raised[1] += shortest_state.columns_to_split(at) > 0
        raised[2] += shortest_state.reserve_moves(setup, at) > 0
    assert min(raised[0], raised[2]) > 0


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", RULES.names)
def test_bounds_along_winning_lines(name):
    """Whatever a win takes from each of its positions is no less than the bound there."""
    rules = RULES.resolve(name)
    split = 0
    for number in range(1, 21):
        deal = whole_deal(number)
        won = winning_line(deal, rules)
        if won is None:
            continue
        at_start = start(deal, rules)
        for line in (won, shortest(deal, rules, won, Limits(max_nodes=3000)).moves):
            setup, at = kernel_start(at_start, rules)
            path, cost = [(at, 0)], 0
            for step in steps_of(at_start, rules, line):
                cost += step_cost(setup, at, step)
                at = after_step(setup, at, step)
                path.append((at, cost))
            for at, before in path:
                assert before + moves_to_come(setup, at) <= cost
                split += shortest_state.columns_to_split(at)
    # Casino has few wins among these.
    assert (split > 0) == (name in ("aisleriot", "pysol", "full-wrap"))


def test_keys_hold_the_whole_position(compiled_or):
    seen = {}
    for seed in range(compiled_or(22, 6)):
        rules = ALL_RULES[seed]
        deal = whole_deal(seed + 1)
        setup, _ = kernel_start(start(deal, rules), rules)
        places = {int(card): place for place, card in enumerate(setup.order[: setup.stock_size])}
        for state, _ in random_play(deal, rules, seed):
            part, at = kernel_start(state, rules)
            left = part.order[: part.stock_size].tolist()
            at = at._replace(stock=sum(1 << places[card] for card in left))
            key = int(first_key(at)), int(second_key(at))
            again = unpacked(setup, *key)
            assert again == at._replace(second_host=at.second_host & at.tableau & ~at.roots)
            assert seen.setdefault((seed, key), canonical(state)) == canonical(state)
    assert len(seen) > compiled_or(1000, 300)


def test_safe_steps_are_taken(compiled_or):
    """There are some, and never where cards can come back from the foundations."""
    taken = 0
    for seed in range(compiled_or(200, 20)):
        rules = ALL_RULES[seed % len(ALL_RULES)]
        state = start(late_position(seed), rules)
        step = shortest_state.safe_step(*kernel_start(state, rules))
        assert step == NO_MOVE or rules.settings["return"] == "no"
        taken += step != NO_MOVE
    assert taken > 0


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", RULES.names)
def test_whole_deals(name):
    rules = RULES.resolve(name)
    shorter = 0
    for number in range(1, 11):
        won = winning_line(whole_deal(number), rules)
        if won is None:
            continue
        found = shortest(whole_deal(number), rules, won, Limits(max_nodes=10_000))
        assert GAME.replay(whole_deal(number), rules, found.moves).won
        assert found.bound <= len(found.moves) <= len(won)
        assert (found.bound == len(found.moves)) == (found.limit is None)
        assert found.nodes <= 10_000
        shorter += len(found.moves) < len(won)
        again = shortest(whole_deal(number), rules, found.moves, Limits(max_nodes=2_000))
        assert again.bound <= len(again.moves) <= len(found.moves)
    # Casino has few wins among these, and no slack in its turns.
    assert shorter > 0 or name == "casino"


def test_moves_that_lead_nowhere_go_out():
    rules = RULES.resolve("thoughtful")
    deal = whole_deal(2)
    won = winning_line(deal, rules)
    turns = ("turn",) * 12 + ("redeal",)
    assert steps_of(deal, rules, turns + won) == steps_of(deal, rules, won)
    found = shortest(deal, rules, turns + won, Limits(max_nodes=1))
    assert found.bound < len(found.moves) <= len(won)


def test_a_won_position_takes_no_move():
    state = late_position(1)
    won = type(state)(state.base, (13,) * 4, (), ((),) * 4, ())
    found = shortest(won, RULES.resolve("aisleriot"), (), Limits())
    assert (found.moves, found.bound, found.limit) == ((), 0, None)


@pytest.mark.compiled_only
def test_limits():
    rules = RULES.resolve("thoughtful")
    won = winning_line(whole_deal(2), rules)
    by_nodes = shortest(whole_deal(2), rules, won, Limits(max_nodes=500))
    assert (by_nodes.limit, by_nodes.nodes) == ("nodes", 500)
    by_time = shortest(whole_deal(2), rules, won, Limits(max_seconds=0.2))
    assert by_time.limit == "seconds"
    assert by_time.seconds < 5
    assert by_time.bound < len(by_time.moves) < len(won)


@pytest.mark.parametrize("line", [(), ("up AS",), ("turn", "redeal")])
def test_a_line_that_wins_nothing(line):
    with pytest.raises(InputError, match=r"winning line|win nothing"):
        shortest(whole_deal(2), RULES.resolve("thoughtful"), line, Limits())


def test_the_same_whatever_the_random_start(compiled_or):
    """From the middle of random games too, with a waste that no pass begins with."""
    random = Random(3)
    count = 0
    for seed in range(compiled_or(150, 10)):
        rules = ALL_RULES[seed % len(ALL_RULES)]
        state = random.choice(random_play(late_position(seed, (4, 12)), rules, seed, longest=6))[0]
        fewest = fewest_moves(state, rules, 1000)
        if fewest is not None:
            found = shortest(state, rules, winning_line(state, rules), Limits())
            assert (len(found.moves), found.bound) == (fewest, fewest)
            count += 1
    assert count > 0
