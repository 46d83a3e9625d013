"""What a shell is offered: through click's own classes, and in a real bash."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from winnable.deals import NUMBERINGS
from winnable.duel.agents import AGENTS
from winnable.duel.game import DUELS
from winnable.games import REGISTRY, get_game
from winnable_cli import main
from winnable_cli.commands.completion import SHELLS
from winnable_cli.completing import PROGRAM, VARIABLE
from winnable_cli.main import COMMANDS, cli

ROOT = Path(__file__).parents[2]


def offered(*words):
    """The completions of the last word."""
    *args, incomplete = words
    shell = ShellComplete(cli, {}, PROGRAM, VARIABLE)
    return shell.get_completions(args, incomplete)


def names(*words):
    return [item.value for item in offered(*words)]


def test_commands():
    assert names("") == list(COMMANDS)
    assert names("so") == ["solve"]
    assert [item.help for item in offered("so")] == [COMMANDS["solve"]]
    assert set(names("-")) >= {"--version", "--help"}
    assert names("duel", "ju") == ["judge"]
    assert names("nonsense", "") == list(COMMANDS)
    assert names("duel", "nonsense", "p") == ["play"]


def test_games():
    assert names("solve", "") == names("study", "") == list(REGISTRY)
    assert names("games", "") == names("deal", "") == [*REGISTRY, *DUELS]
    assert names("duel", "play", "") == list(DUELS)
    assert names("solve", "tri") == ["tripeaks"]


@pytest.mark.parametrize("game", REGISTRY)
def test_rule_sets_and_numberings_are_those_of_the_game(game):
    known = get_game(game)
    for words in (("solve", game), ("study", game, "0:9")):
        assert names(*words, "--rules", "") == known.rules.names
        assert names(*words, "--numbering", "") == list(known.numberings)
    values = names("solve", game, "--set", "")
    assert len(values) == sum(len(row.values) for row in known.rules.parameters)
    assert all("=" in value for value in values)


def test_of_two_player_games():
    for name, duel in DUELS.items():
        assert names("deal", name, "--rules", "") == duel.rules.names
        assert names("duel", "simulate", name, "--numbering", "") == list(duel.numberings)
    assert names("duel", "simulate", "zank", "0:9", "--first", "") == list(AGENTS)
    assert names("duel", "simulate", "zank", "0:9", "--players-see", "a") == ["all"]


def test_before_a_game_is_named():
    assert names("solve", "--rules", "") == []
    assert names("solve", "--numbering", "") == list(NUMBERINGS)
    assert names("solve", "nonsense", "--rules", "") == []


def test_files_are_left_to_the_shell():
    for words in (
        ("solve", "tripeaks", "--deal", "x"),
        ("study", "tripeaks", "0:9", "--store", "x"),
        ("report", "x"),
        ("verify", "tripeaks", "1", "x"),
    ):
        assert [(item.type, item.value) for item in offered(*words)] == [("file", "x")]


def test_choices_and_options():
    assert names("deal", "tripeaks", "--format", "") == ["drawn", "text", "json", "solvitaire"]
    assert names("completion", "") == list(SHELLS)
    assert names("study", "tripeaks", "0:9", "--clu") == ["--cluster"]
    assert names("study", "tripeaks", "0:9", "--cluster", "l") == ["local"]


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_asks_the_program(winnable, shell):
    result = winnable("completion", shell)
    assert (result.code, result.err) == (0, "")
    assert f"{VARIABLE}={shell}_complete" in result.out


def test_an_unknown_shell(winnable):
    result = winnable("completion", "tcsh")
    assert (result.code, result.out) == (2, "")
    assert "bash" in result.err


def test_nothing_is_offered_to_an_unknown_shell(monkeypatch, capsys):
    monkeypatch.setenv(VARIABLE, "tcsh_complete")
    assert main.run(["solve"]) == 1
    assert capsys.readouterr() == ("", "")


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_in_bash(tmp_path):
    command = tmp_path / "winnable"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m winnable_cli "$@"\n')
    command.chmod(0o755)
    script = """
        eval "$(winnable completion bash)"
        offered() {
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
            _winnable_completion winnable
            echo "${COMPREPLY[*]}"
        }
        offered winnable stu
        offered winnable solve canfield --rules ""
        complete -p winnable
    """
    paths = os.pathsep.join(str(ROOT / folder) for folder in ("solver", "cli"))
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    result = subprocess.run(
        ["bash", "--norc", "-c", script],
        env={**os.environ, "PYTHONPATH": paths, "PATH": path},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (result.returncode, result.stderr) == (0, "")
    first, second, third = result.stdout.splitlines()
    assert first == "study"
    assert second == " ".join(get_game("canfield").rules.names)
    assert third == "complete -o nosort -F _winnable_completion winnable"
