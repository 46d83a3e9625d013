"""Kernel moves against the plain rules, along random play, for all rule sets and parameters."""

import random

import numpy as np
import pytest
from plain_canfield import single_changes

from winnable.games.canfield import rules as plain
from winnable.games.canfield import solver, state, state_moves, state_safe
from winnable.games.canfield.layout import laid_out

RULES = single_changes()
RULE_SETS = plain.RULES.names


def random_deal(seed):
    cards = list(range(52))
    random.Random(seed).shuffle(cards)
    return laid_out(cards, "winnable")


def played(at, rules, steps, chance):
    """The position after some random moves, most of them not turns of the stock."""
    for _ in range(steps):
        moves = plain.legal_moves(at, rules)
        if not moves:
            break
        ups = [move for move in moves if move.kind == plain.UP]
        others = [move for move in moves if move.kind in (plain.MOVE, plain.DOWN)]
        pick = chance.random()
        chosen = ups if ups and pick < 0.5 else others if others and pick < 0.7 else moves
        at = plain.apply(at, chance.choice(chosen), rules)
    return at


def position_in(at, setup):
    """A plain position as a kernel position of a setup made before."""
    base = solver.position_of(at, setup)
    cards = [solver.kernel_card(card, at.base) for card in (*at.waste, *at.stock)]
    places = sorted(int(setup.position[card]) for card in cards)
    assert [int(setup.order[place]) for place in places] == cards
    return base._replace(stock=sum(1 << place for place in places))


def ways_to_turn(at, rules):
    """The positions that turning alone leads to."""
    seen = {(at.stock, at.waste): at}
    todo = [at]
    while todo:
        now = todo.pop()
        for move in (plain.Move(plain.TURN), plain.Move(plain.REDEAL)):
            if plain.why_illegal(now, move, rules) is None:
                after = plain.apply(now, move, rules)
                if (after.stock, after.waste) not in seen:
                    seen[after.stock, after.waste] = after
                    todo.append(after)
    return list(seen.values())


def is_pointless(at, move):
    """Whether a move carries a whole column to an empty one."""
    is_root = any(column and column[0] == move.card for column in at.columns)
    return move.kind == plain.MOVE and move.target is None and is_root


def plain_successors(at, rules, setup):
    """What one move leads to, for the waste's top card after any number of turns."""
    found = set()
    for turned in ways_to_turn(at, rules):
        for move in plain.legal_moves(turned, rules):
            if move.kind in (plain.TURN, plain.REDEAL) or is_pointless(turned, move):
                continue
            if turned is at or move.card in turned.waste[-1:]:
                found.add(position_in(plain.apply(turned, move, rules), setup))
    return found


def as_numbers(position):
    return state.Position(*map(int, position))


def kernel_successors(at, setup):
    moves = np.zeros(state.MAX_MOVES, np.int32)
    position = position_in(at, setup)
    count = state_moves.fill_moves(setup, position, moves)
    chosen = moves[:count].tolist()
    reached = [as_numbers(state_moves.apply_move(setup, position, move)) for move in chosen]
    return reached, chosen


def comparable(positions):
    """The bits of `second_host` count only for cards that lie on others."""
    return {p._replace(second_host=p.second_host & p.tableau & ~p.roots) for p in positions}


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_moves_are_those_of_the_rules(rules, compiled_or):
    chance = random.Random(rules.name)
    for seed in range(compiled_or(6, 2)):
        at = plain.start(random_deal(seed), rules)
        setup = solver.setup_of(at, rules, reductions=0)
        for _ in range(12):
            at = played(at, rules, 12, chance)
            reached, moves = kernel_successors(at, setup)
            assert len(moves) == len(set(moves))
            assert comparable(reached) == comparable(plain_successors(at, rules, setup)), at


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_a_kernel_move_stands_for_moves_of_the_rules(rules, compiled_or):
    chance = random.Random(rules.name)
    for seed in range(compiled_or(4, 1)):
        at = plain.start(random_deal(seed), rules)
        setup = solver.setup_of(at, rules)
        for _ in range(12):
            at = played(at, rules, 12, chance)
            reached, moves = kernel_successors(at, setup)
            for position, move in zip(reached, moves, strict=True):
                _, after = solver.replayed(at, [move], rules)
                assert comparable([position_in(after, setup)]) == comparable([position])


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_safe_moves_are_moves(rules, compiled_or):
    chance = random.Random(rules.name)
    for seed in range(compiled_or(10, 1)):
        at = plain.start(random_deal(seed), rules)
        setup = solver.setup_of(at, rules)
        for _ in range(12):
            at = played(at, rules, 20, chance)
            move = int(state_safe.safe_move(setup, position_in(at, setup)))
            if move != state.NO_MOVE:
                assert move in kernel_successors(at, setup)[1]
