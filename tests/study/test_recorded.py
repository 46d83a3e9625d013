"""A recorded game is the game that was simulated."""

import pytest

from winnable.deals import get_numbering
from winnable.duel.agents import ALL, OWN, get_agent
from winnable.duel.position import standing
from winnable.duel.rules import apply
from winnable.duel.simulate import Simulator
from winnable.duel.state import FIRST_WON, SECOND_WON
from winnable.duel.tables import variant_of
from winnable.study.matches import Match
from winnable.study.recorded import recorded_game

WINNABLE = get_numbering("winnable")
OUTCOMES = {FIRST_WON: "first", SECOND_WON: "second"}


@pytest.mark.parametrize(
    ("game", "changes", "first", "second", "sight"),
    [
        ("russian-bank", (), "random", "greedy", OWN),
        ("russian-bank", ("redeal=shuffle", "stop=called"), "greedy", "random", OWN),
        ("zank", (), "greedy", "planner", OWN),
        ("zank", ("must-play=own",), "planner:nodes=50", "random", ALL),
        ("zank", (), "montecarlo:nodes=50,playouts=2", "greedy", OWN),
    ],
)
@pytest.mark.compiled_only
def test_it_is_the_simulated_game(game, changes, first, second, sight):
    variant = variant_of(game, changes=changes)
    match = Match(variant, WINNABLE, get_agent(first), get_agent(second), sight=sight)
    games = Simulator(variant, WINNABLE, match.first, match.second, sight).play(3, 4)
    for i in range(4):
        state, moves = recorded_game(match, 3 + i)
        for move in moves:
            state = apply(state, move, variant)
        assert len(moves) == games.moves[i]
        assert state.turn == games.turns[i]
        assert standing(state) == OUTCOMES.get(int(games.outcomes[i]), "draw")
