"""What every registered game must bring along. A new game or rule set fails here until it does."""

import re
import runpy
from pathlib import Path

import pytest

from winnable.deals import NUMBERINGS, get_numbering
from winnable.errors import InputError
from winnable.games import REGISTRY, get_game
from winnable.games.base import Game, Limits, Verdict

HERE = Path(__file__).resolve().parent
GOLDEN = runpy.run_path(str(HERE / "golden.py"))
ROWS = [(game, name) for game in REGISTRY for name in get_game(game).rules.names]

every_game = pytest.mark.parametrize("name", list(REGISTRY))
every_rule_set = pytest.mark.parametrize(("name", "rule_set"), ROWS)


@every_game
def test_the_name_and_the_words(name):
    game = get_game(name)
    assert isinstance(game, Game)
    assert game.name == name
    assert game.title
    assert game.summary
    assert game.deal_format
    assert game.move_format
    assert game.solver_version >= 1
    assert game.numberings
    assert set(game.numberings) <= set(NUMBERINGS)
    assert game.numberings[0] == "winnable"


@every_game
def test_the_rules_in_words(name):
    text = get_game(name).rules_text
    assert len(text) > 300, "the rules in words are missing or far too short"
    for part in ("Layout:", "Won:"):
        assert part in text
    assert max(map(len, text.splitlines())) <= 100


@every_game
def test_rule_sets_are_complete_distinct_and_explained(name):
    table = get_game(name).rules
    known = {parameter.name: parameter.values for parameter in table.parameters}
    assert table.names
    assert len(set(table.names)) == len(table.names)
    seen = []
    for row in table.rule_sets:
        assert row.played_by, f"rule set {row.name} does not say who plays by it"
        assert re.fullmatch("[a-z0-9-]+", row.name)
        values = table.values_of(row)
        assert set(values) == set(known), f"rule set {row.name} leaves a parameter open"
        assert all(value in known[key] for key, value in values.items())
        assert values not in seen, f"rule set {row.name} has the values of another one"
        seen.append(values)
    assert all(meaning for values in known.values() for meaning in values.values())


@every_game
def test_there_are_tests_of_the_kernels_against_the_rules(name):
    game_folder = REGISTRY[name].rpartition(".")[2]
    file = HERE / game_folder / "test_kernels_against_rules.py"
    assert file.exists(), f"game {name} has no test of its kernels against its plain rules: {file}"
    module = runpy.run_path(str(file))
    assert list(module["RULE_SETS"]) == get_game(name).rules.names
    assert sum(key.startswith("test_") for key in module) >= 3


@every_rule_set
def test_a_rule_set_has_a_golden_deal(name, rule_set):
    rows = GOLDEN["load"](name).get(rule_set)
    assert rows, f"no golden deal for {name} {rule_set}: run tests/games/golden.py --write"
    assert "winnable" in {row["verdict"] for row in rows}


@every_game
def test_no_golden_deal_is_left_over_from_a_rule_set_that_is_gone(name):
    assert set(GOLDEN["load"](name)) <= set(get_game(name).rules.names)


@every_rule_set
def test_golden_lines_win_by_the_plain_rules(name, rule_set):
    game = get_game(name)
    rules = game.rules.resolve(rule_set)
    for row in GOLDEN["load"](name)[rule_set]:
        [deal] = game.parse_deals(row["deal"])
        assert deal == game.deal(get_numbering("winnable"), row["number"], rules)
        if row["verdict"] == "winnable":
            replay = game.replay(deal, rules, row["moves"])
            assert (replay.problem, replay.won) == (None, True)
            assert not game.replay(deal, rules, row["moves"][:-1]).won
        else:
            assert row["moves"] is None


@every_rule_set
def test_golden_verdicts_are_never_contradicted(name, rule_set):
    game = get_game(name)
    rules = game.rules.resolve(rule_set)
    for row in GOLDEN["load"](name)[rule_set]:
        [deal] = game.parse_deals(row["deal"])
        solution = game.solve(deal, rules, Limits(max_seconds=30))
        assert solution.verdict in (Verdict(row["verdict"]), Verdict.UNKNOWN)
        if solution.moves is not None:
            assert game.replay(deal, rules, solution.moves).won
        assert (solution.limit is not None) == (solution.verdict is Verdict.UNKNOWN)


@every_game
def test_a_dealt_deal_survives_text(name):
    game = get_game(name)
    rules = game.rules.resolve()
    deals = [game.deal(get_numbering(row), 12_345, rules) for row in game.numberings]
    text = "\n\n".join(map(game.format_deal, deals))
    assert game.parse_deals(text) == deals
    assert all(game.draw(deal, rules) for deal in deals)


def test_an_unknown_game_is_answered_with_the_known_ones():
    with pytest.raises(InputError) as caught:
        get_game("tripeak")
    text = str(caught.value)
    assert text.startswith("There is no game 'tripeak'. Did you mean tripeaks? Known: ")
    assert text.endswith(f"{', '.join(REGISTRY)}.")
