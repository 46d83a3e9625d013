"""Players by name, and the levels of difficulty."""

import pytest

from winnable.errors import InputError
from winnable.players import levels
from winnable.players.kinds import PLAYERS, get_player


def test_players_by_name():
    assert list(PLAYERS) == ["random", "casual", "greedy", "look-ahead"]
    assert str(get_player("greedy")) == "greedy"
    assert str(get_player("look-ahead: playouts = 50")) == "look-ahead playouts=50"


def test_every_difficulty_is_of_one_level():
    for (game, rules), (low, high) in levels.THIRDS.items():
        assert 0 < low < high <= levels.STEPS
        for steps in range(levels.STEPS + 1):
            names = [
                name for name in levels.NAMES if levels.get_level(game, rules, name).holds(steps)
            ]
            assert names == [levels.level_of(game, rules, steps)]


def test_rules_without_levels():
    assert levels.level_of("canfield", "pysol draw=1", 7) is None
    with pytest.raises(InputError, match="only by: "):
        levels.get_level("canfield", "pysol draw=1", "easy")


def test_difficulties_as_numbers():
    assert levels.as_share(0) == 0
    assert levels.as_share(levels.STEPS) == 1
