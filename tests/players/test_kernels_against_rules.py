"""Players' games replayed by the plain rules, and that players know no more than they see."""

import random

import pytest
from player_tables import SITTINGS, WINNABLE

from winnable.games import REGISTRY, get_game
from winnable.games.base import LENGTH, CancelledError
from winnable.players.kinds import SCORES, get_player
from winnable.players.seats import SEATS, PlayBatch

RULE_SETS = [(game, name) for game in SITTINGS for name in get_game(game).rules.names]
QUICK = ["random", "casual", "greedy", "look-ahead:playouts=2"]
each_rule_set = pytest.mark.parametrize(("game", "rules"), RULE_SETS)
each_player = pytest.mark.parametrize("player", QUICK)


def sit(game, rules, number, player):
    return SITTINGS[game](get_game(game).rules.resolve(rules), number, player)


@each_rule_set
@each_player
def test_every_move_is_legal_and_leads_to_the_same_position(game, rules, player, compiled_or):
    is_slow = player.startswith("look")
    for number in range(compiled_or(3 if is_slow else 12, 1)):
        sitting = sit(game, rules, number, player)
        for made, _ in enumerate(sitting.moves()):
            sitting.check()
            if made == compiled_or(10_000, 1 if is_slow else 40):
                break
        sitting.check()


@each_rule_set
@each_player
def test_a_player_sees_no_more_than_a_person(game, rules, player, compiled_or):
    chance = random.Random(rules)
    differing = 0
    for number in range(compiled_or(2, 1)):
        sitting = sit(game, rules, number, player)
        for made, move in enumerate(sitting.moves()):
            if made % compiled_or(7, 40) == 0:
                after = sitting.chance.random.copy()
                sitting.chance.random[:] = sitting.before
                other = sitting.reshuffled(chance)
                assert sitting.decide(other) == move
                assert sitting.chance.random[0] == after[0]
                differing += any((a != b).any() for a, b in zip(other, sitting.table, strict=True))
            if made == compiled_or(10_000, 0 if player.startswith("look") else 40):
                break
    assert differing > 0


@each_rule_set
def test_games_of_a_batch_are_those_that_the_plain_rules_replay(game, rules, compiled_or):
    resolved = get_game(game).rules.resolve(rules)
    for player in ("random", "greedy"):
        answers = PlayBatch(game, resolved, WINNABLE, get_player(player)).solve(
            0, compiled_or(8, 1)
        )
        for number, verdict in enumerate(answers.columns["verdict"]):
            sitting = sit(game, rules, number, player)
            moves = sum(1 for _ in sitting.moves())
            assert answers.columns[LENGTH][number] == moves
            assert verdict == sitting.plain.is_won(sitting.state)
            assert answers.columns[SCORES[game][0]][number] == score(game, sitting.state)


def score(game, state):
    if game == "tripeaks":
        return state.tableau.count(None)
    return sum(state.foundations) if game == "canfield" else 13 * sum(state.finished)


@pytest.mark.compiled_only
@pytest.mark.parametrize("game", SITTINGS)
@each_player
def test_games_are_the_same_however_they_are_cut(game, player):
    rules = get_game(game).rules.resolve(None)
    count = 2 if player == QUICK[-1] else 6

    def batch():
        return PlayBatch(game, rules, WINNABLE, get_player(player))

    together = batch().solve(100, count)
    alone = batch()
    for i in reversed(range(count)):
        one = alone.solve(100 + i, 1)
        for name, values in together.columns.items():
            assert one.columns[name][0] == values[i]


@pytest.mark.compiled_only
@pytest.mark.parametrize(
    ("game", "rules", "better", "few"),
    [
        ("tripeaks", "standard", "look-ahead:playouts=60", 400),
        ("canfield", "full-wrap", "look-ahead:playouts=3", 30),
        ("spider", "one-suit", "look-ahead:playouts=3", 12),
    ],
)
def test_better_players_win_more_often(game, rules, better, few):
    resolved = get_game(game).rules.resolve(rules)

    def wins(player, count):
        batch = PlayBatch(game, resolved, WINNABLE, get_player(player))
        return batch.solve(0, count).columns["verdict"].mean()

    assert wins("random", 1000) < wins("greedy", 1000) / 4
    assert wins("greedy", few) < wins(better, few)


def test_every_game_for_one_has_players():
    assert set(SEATS) == set(SCORES) == set(SITTINGS) == set(REGISTRY)


@pytest.mark.parametrize("game", SITTINGS)
def test_a_cancelled_batch_gives_up(game):
    rules = get_game(game).rules.resolve(None)
    batch = PlayBatch(game, rules, WINNABLE, get_player("random"))
    batch.cancel()
    with pytest.raises(CancelledError):
        batch.solve(0, 2)
