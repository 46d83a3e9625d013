"""The two-player games on the command line: listed, dealt, played, simulated, advised on."""

import inspect
import json
import re
from importlib import import_module

import click
import pytest

from winnable.duel.game import DUELS
from winnable_cli.commands.duel import COMMANDS

GAMES = list(DUELS)
each_game = pytest.mark.parametrize("game", GAMES)


# --- the group ---


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_a_module_words_and_help(winnable, name):
    module = import_module(f"winnable_cli.commands.duel.{name}")
    command = getattr(module, name)
    assert module.__doc__ == f"``winnable duel {name}``."
    assert COMMANDS[name].endswith(".")
    assert len(inspect.cleandoc(command.callback.__doc__).splitlines()[0]) > 20
    result = winnable("duel", name, "--help")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f"Usage: winnable duel {name} ")
    assert all(len(line) <= 80 for line in result.out.splitlines())
    for option in command.params:
        if isinstance(option, click.Option):
            assert option.opts[0] in result.out
            assert option.help.rstrip("]").endswith(".") or "[default:" in option.help


def test_help_of_the_group(winnable):
    result = winnable("duel", "--help")
    assert result.code == 0
    assert all(f"  {name} " in result.out for name in COMMANDS)


# --- games and deal ---


@each_game
def test_one_game_tells_everything_that_can_be_typed(winnable, game):
    result = winnable("games", game)
    duel = DUELS[game]
    assert (result.code, result.err) == (0, "")
    for parameter in duel.rules.parameters:
        assert all(f"{parameter.name}={value}: " in result.out for value in parameter.values)
    assert all(f"  {rules}: " in result.out for rules in duel.rules.names)
    assert duel.rules_text in result.out
    row = winnable("games", game, "--json").row
    assert (row["game"], row["players"]) == (game, 2)
    assert set(row["rule_sets"]) == set(duel.rules.names)


@each_game
@pytest.mark.parametrize("changes", [[], ["face-down-rows=1", "redeal=shuffle"]], ids=str)
def test_a_deal_in_its_forms_and_back(winnable, tmp_path, game, changes):
    if game == "zank":
        changes = ["load=waste"] * bool(changes)
    options = [part for change in changes for part in ("--set", change)]
    text = winnable("deal", game, 7, "--format", "text", *options)
    row = winnable("deal", game, 7, "--format", "json", *options).row
    drawn = winnable("deal", game, 7, *options)
    assert (text.code, drawn.code, drawn.err) == (0, 0, "")
    assert (row["game"], row["numbering"], row["number"]) == (game, "winnable", 7)
    assert "reserve (13)" in drawn.out
    assert f"{DUELS[game].title} 7 (numbering winnable), rules " in drawn.out
    file = tmp_path / "deal.txt"
    file.write_text(text.out)
    again = winnable("deal", game, "--deal", file, "--format", "json", *options).row
    assert again["deal"] == row["deal"]
    assert winnable("deal", game, "--deal", file, "--format", "text", *options).out == text.out


def test_several_deals(winnable):
    rows = winnable("deal", "zank", "3:5", "--json").rows
    assert [row["number"] for row in rows] == [3, 4, 5]


# --- simulate ---


def simulate(winnable, *args):
    return winnable("duel", "simulate", *args, "--workers", 1)


@each_game
def test_a_simulation_goes_on_where_it_stopped(winnable, tmp_path, game):
    match = [game, "--first", "planner:nodes=20", "--second", "greedy", "--swap", "--json"]
    store = tmp_path / "s.sqlite"
    part = simulate(winnable, *match, "0:2", "--store", store)
    assert part.code == 0
    assert part.row["deals"] == 3
    more = simulate(winnable, *match, "0:5", "--store", store)
    assert "3 of 6 are there already" in more.err
    whole = simulate(winnable, *match, "0:5", "--store", tmp_path / "w.sqlite").row
    done = simulate(winnable, *match, "0:5", "--store", store)
    varying = ("cpu_seconds", "sessions")
    rows = [{k: v for k, v in row.items() if k not in varying} for row in (more.row, done.row)]
    assert rows[0] == rows[1] == {k: v for k, v in whole.items() if k not in varying}
    row = more.row
    assert (row["deals"], row["games"], row["numbers"]) == (6, 12, [[0, 5]])
    counts = [row[key]["count"] for key in ("first_wins", "second_wins", "draws")]
    assert sum(counts) == 12
    assert row["settings"] == DUELS[game].rules.resolve().settings
    low, high = row["first_wins"]["interval"]
    assert low <= row["first_wins"]["percent"] <= high


def test_a_simulation_for_people(winnable, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = simulate(winnable, "zank", "0:3", "--first", "greedy", "--second", "greedy")
    assert result.code == 0
    assert re.search(r"games +4\n", result.out)
    assert "greedy against greedy, greedy begins" in result.out
    assert "repetition 0" in result.out
    assert "95 % up to" in result.out
    (store,) = tmp_path.glob("*.sqlite")
    assert store.name.startswith("zank-standard-greedy-greedy-")
    assert store.name in result.err


def test_a_report_of_games_in_every_form(winnable, tmp_path):
    store, file = tmp_path / "s.sqlite", tmp_path / "s.json"
    args = ["zank", "0:3", "--first", "greedy", "--second", "random", "--swap"]
    told = simulate(winnable, *args, "--store", store)
    assert winnable("report", store).out == told.out
    as_json = winnable("report", store, "--json")
    assert as_json.row == simulate(winnable, *args, "--store", store, "--json").row
    file.write_text(as_json.out)
    table = winnable("report", store, "--markdown")
    assert winnable("report", file, "--markdown").out == table.out
    assert "| Zank-Patience | `standard` | greedy | random, by turns | 8 | " in table.out
    lines = winnable("report", store, "--csv").out.splitlines()
    assert lines[0] == "number,begins,winner,draw,turns,moves"
    assert len(lines) == 9
    refused = winnable("report", store, "--check", 2)
    assert refused.code == 2
    assert "a store of 'winnable duel simulate'" in refused.err


def test_another_match_is_refused(winnable, tmp_path):
    store = tmp_path / "s.sqlite"
    args = ["russian-bank", "0:1", "--store", store, "--first", "greedy"]
    assert simulate(winnable, *args, "--second", "greedy").code == 0
    result = simulate(winnable, *args, "--second", "random")
    assert result.code == 2
    assert "second is greedy there, random here" in result.err


# --- play ---


def play(winnable, *args, lines=()):
    return winnable("duel", "play", *args, "--quiet", stdin="\n".join([*lines, ""]))


@pytest.mark.compiled_only
def test_a_whole_game_through_a_pipe(winnable):
    """Typed as fast as the rules allow: in Zank-Patience a turn can be ended by a discard."""
    lines = ["discard", "switch"] * 400
    result = play(winnable, "zank", 7, "--opponent", "greedy", lines=lines)
    assert result.code == 0
    assert result.out.splitlines()[-1] == "Player 1 has won."
    assert "player 1 has won" in result.out
    assert "♠" in result.out


def test_two_persons_can_take_back(winnable):
    lines = ["moves", "undo", "discard", "table", "undo", "moves", "help", "quit", "discard"]
    result = play(winnable, "zank", 7, "--opponent", "person", lines=lines)
    assert result.code == 0
    listed = [line for line in result.out.splitlines() if line.endswith(", discard")]
    assert len(listed) == 2
    assert listed[0] == listed[1]
    assert "There is no move to take back." in result.out
    assert "save FILE" in result.out
    turns = re.findall(r"^turn (\d+): player (\d)", result.out, re.MULTILINE)
    assert [turn for turn, _ in turns] == ["1", "2", "2", "1"]
    assert turns[0] == turns[3] != turns[1]


def test_against_an_agent_moves_stand_unless_all_is_seen(winnable):
    lines = ["discard", "undo", "quit"]
    closed = play(winnable, "zank", 7, "--opponent", "greedy", lines=lines)
    assert "Against an agent moves stand" in closed.out
    opened = play(winnable, "zank", 7, "--opponent", "greedy", "--players-see", "all", lines=lines)
    assert "Against an agent moves stand" not in opened.out
    assert opened.out.count("turn 1: player 0 to move") == 2


def test_an_illegal_move_is_explained(winnable):
    lines = ["h1 f", "nonsense", "stop", "switch", "quit"]
    result = play(winnable, "russian-bank", 7, lines=lines)
    assert result.code == 0
    assert "Legal now: " in result.out
    assert "'nonsense' is not a move" in result.out
    assert "stop=enforced" in result.out


def test_a_saved_game_goes_on(winnable, tmp_path):
    save = tmp_path / "game.json"
    result = play(
        winnable, "zank", 7, "--opponent", "person", lines=["discard", f"save {save}", "table"]
    )
    assert f"Saved in {save}." in result.out
    assert "The input has ended before the game." in result.out
    table = result.out.rpartition("turn 2:")[2]
    again = play(winnable, "zank", "--deal", save, "--opponent", "person", lines=["quit"])
    assert again.out.rpartition("turn 2:")[2].strip() in table
    assert len(json.loads(save.read_text())["moves"]) == 1


def test_a_missed_move_is_called_by_an_agent(winnable):
    """The other chair calls on it, so that the turn is over and the fault taken back."""
    lines = ["turn", "quit"]
    for number in range(40):
        args = ["russian-bank", number, "--set", "stop=called", "--opponent", "greedy"]
        result = play(winnable, *args, lines=lines)
        if "player 1: stop" in result.out:
            return
    pytest.fail("none of these deals obliges its first player")


# --- advise ---


@each_game
def test_advice_at_once(winnable, game):
    result = winnable("duel", "advise", game, 7, "--json", "--quiet")
    assert result.code == 0
    assert result.row["moves"]
    assert result.row["estimates"] == []
    assert winnable("duel", "advise", game, 7).out.strip() == ", ".join(result.row["moves"])


def test_advice_with_time(winnable, tmp_path):
    file = tmp_path / "deal.txt"
    file.write_text(winnable("deal", "zank", 7, "--format", "text").out)
    args = ["duel", "advise", "zank", "--deal", file, "--max-seconds", "0.01"]
    row = winnable(*args, "--json").row
    assert row["moves"] == row["estimates"][0]["moves"]
    assert all(each["playouts"] >= 5 for each in row["estimates"])
    assert "playouts: " in winnable(*args).out


# --- bad input ---


def refused(result, *words):
    assert result.code == 2
    assert result.out == ""
    assert result.err.startswith("winnable: ")
    for each in words:
        assert each in result.err


def test_unknown_names(winnable):
    greedy = ["--first", "greedy", "--second"]
    refused(simulate(winnable, "zank", "0:1", *greedy, "gredy"), "'gredy'", "mean greedy?")
    refused(simulate(winnable, "zang", "0:1", *greedy, "greedy"), "'zang'", "mean zank?")
    refused(simulate(winnable, "zank", "1:0", *greedy, "greedy"), "empty range")
    refused(simulate(winnable, "zank", "0:1", *greedy, "planner:node=1"), "mean nodes?")
    seen = simulate(winnable, "zank", "0:1", *greedy, "greedy", "--players-see", "al")
    refused(seen, "'al'", "mean all?")
    ms = simulate(winnable, "zank", "1:2", *greedy, "greedy", "--numbering", "ms")
    refused(ms, "'ms' deals one pack", "winnable")
    refused(winnable("duel", "simulat"), "'simulat'", "mean simulate?")
    refused(play(winnable, "zank", 1, "--opponent", "persn"), "'persn'", "mean person?")
    refused(winnable("deal", "zanc", 1), "'zanc'", "mean zank?")
    refused(winnable("games", "rusian-bank"), "mean russian-bank?")
    refused(winnable("solve", "zank", 1), "two players", "winnable duel")
    refused(winnable("duel", "advise", "zank", 7, "--rules", "standart"), "mean standard?")
    refused(winnable("duel", "advise", "zank", 7, "--set", "stop=called"), "'stop'")


def test_deals_that_cannot_be_used(winnable, tmp_path):
    refused(winnable("duel", "advise", "zank"), "--deal FILE")
    refused(winnable("duel", "advise", "zank", "x"), "'x' is not a deal number")
    refused(play(winnable, "zank", "--deal", "-"), "standard input")
    refused(play(winnable, "zank", "--deal", tmp_path / "none"), "can't be read")
    refused(winnable("deal", "zank", 7, "--format", "solvitaire"), "two players")


def test_a_save_of_other_rules(winnable, tmp_path):
    save = tmp_path / "game.json"
    play(winnable, "russian-bank", 7, "--opponent", "person", lines=[f"save {save}", "quit"])
    other = play(winnable, "russian-bank", "--deal", save, "--rules", "pagat")
    refused(other, "saved under other rules", "starter=first there")
    refused(play(winnable, "zank", "--deal", save), "russian-bank, not of zank")
