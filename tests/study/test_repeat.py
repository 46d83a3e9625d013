"""The commands that repeat a study: each, read as a command line, asks for the same study."""

import shlex

import pytest
from study.fake_study import fake_study

from winnable.deals import NUMBERINGS
from winnable.duel.agents import get_agent
from winnable.games import get_game
from winnable.games.base import Limits
from winnable.study.plan import Study
from winnable.study.repeat import match_commands, study_commands


def summary_of(study, numbers=((0, 9),), retried=None):
    return {**study.identity(), "numbers": [list(span) for span in numbers], "retried": retried}


def asked(monkeypatch, tmp_path, command):
    """The study and numbers that the command line understands, which is not run."""
    from winnable_cli import main
    from winnable_cli.commands import study as module

    found = []

    def note(store, wanted, what, quiet, crew, work):
        _, asked, numbers = work.args
        assert numbers == wanted
        found.append((asked, wanted))
        return True

    monkeypatch.setattr(module, "fill", note)
    monkeypatch.chdir(tmp_path)
    assert main.run(shlex.split(command)[1:]) == 130
    return found[0]


CASES = {
    "plain": Study(
        get_game("tripeaks"), get_game("tripeaks").rules.resolve(), NUMBERINGS["winnable"]
    ),
    "best": Study(
        get_game("tripeaks"),
        get_game("tripeaks").rules.resolve("open"),
        NUMBERINGS["pysol"],
        Limits(1000, 2.5),
        best=True,
    ),
    "changed rules": Study(
        get_game("canfield"),
        get_game("canfield").rules.resolve("casino", ["moves=whole", "opening=3"]),
        NUMBERINGS["solvitaire"],
    ),
    "effort": Study(
        get_game("spider"),
        get_game("spider").rules.resolve("one-suit"),
        NUMBERINGS["kpat"],
        Limits(effort=2),
    ),
}


@pytest.mark.parametrize("study", CASES.values(), ids=CASES)
def test_the_command_asks_for_the_same_study(monkeypatch, tmp_path, study):
    (command,) = study_commands(summary_of(study, [(3, 12)]))
    again, wanted = asked(monkeypatch, tmp_path, command)
    assert again.identity() == study.identity()
    assert (wanted.first, wanted.last) == (3, 12)


def test_a_command_for_each_span_and_for_the_retries():
    retried = {"max_nodes": 700, "max_seconds": None, "deals": 3}
    study = fake_study(limits=Limits(max_nodes=5))
    assert study_commands(summary_of(study, [(0, 4), (7, 9)], retried)) == [
        "winnable study tripeaks 0:4 --rules standard --max-nodes 5",
        "winnable study tripeaks 7:9 --rules standard --max-nodes 5",
        "winnable study tripeaks 0:4 --rules standard --retry-unknown --max-nodes 700",
        "winnable study tripeaks 7:9 --rules standard --retry-unknown --max-nodes 700",
    ]


def test_the_command_of_a_match():
    summary = {
        "game": "zank",
        "rules": "standard load=own",
        "numbering": "kpat",
        "first": str(get_agent("planner:nodes=20")),
        "second": "greedy",
        "swap": True,
        "players_see": "all",
        "numbers": [[0, 9]],
    }
    assert match_commands(summary) == [
        "winnable duel simulate zank 0:9 --first planner:nodes=20,patience=100 "
        "--second greedy --swap --players-see all --rules standard --set load=own --numbering kpat"
    ]
    assert get_agent("planner:nodes=20,patience=100") == get_agent("planner:nodes=20")
