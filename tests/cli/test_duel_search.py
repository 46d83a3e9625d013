"""``winnable duel judge`` and ``winnable duel solvable``, called as command objects."""

import json
import re

import click
import pytest

from winnable.errors import InputError
from winnable_cli.commands.duel.judge import judge
from winnable_cli.commands.duel.solvable import solvable

SMALL = ("--ranks", "3", "--suits", "2", "--houses", "2", "--reserve", "1")


@pytest.fixture
def run(capsys, monkeypatch):
    """A function that invokes a command; returns the exit status and what was printed."""
    monkeypatch.setattr("winnable.jit.on_first_compilation", lambda callback: None)

    def invoke(command, *args):
        with command.make_context(command.name, list(args)) as context:
            code = command.invoke(context)
        return code, capsys.readouterr().out

    return invoke


def test_judge_says_who_wins_and_how(run):
    code, out = run(judge, "russian-bank", "0", *SMALL)
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == (
        "Russian Bank 0 (numbering winnable), rules standard, a smaller deck: "
        f"{lines[0].rpartition(' ')[2]}"
    )
    assert "can force a win" in lines[1]
    assert lines[2].startswith("   1  player 0: ")
    assert run(judge, "russian-bank", "0", "--quiet", *SMALL) == (0, lines[0] + "\n")


def test_judge_as_json(run):
    code, out = run(judge, "russian-bank", "0:1", "--json", *SMALL)
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [row["number"] for row in rows] == [0, 1]
    assert rows[0]["size"] == {"ranks": 3, "suits": 2, "houses": 2, "reserve": 1}
    for row in rows:
        assert row["verdict"] in ("first", "second")
        assert row["cannot_force"] == [{"first": "second", "second": "first"}[row["verdict"]]]
        assert row["moves"]
        assert row["limit"] is None


def test_a_full_deal_stays_unknown(run):
    code, out = run(judge, "zank", "1", "--max-nodes", "5", "--games", "0")
    assert code == 3
    assert out.splitlines()[0].endswith(": unknown")
    assert out.splitlines()[1] == "  The limit of nodes was hit after 10 nodes."


FULL = ("--max-nodes", "5", "--agent", "montecarlo:playouts=1,candidates=2,nodes=20")


def test_an_unproved_deal_is_played(run):
    code, out = run(judge, "russian-bank", "2", "--games", "12", "--json", *FULL)
    row = json.loads(out)
    played = row["played"]
    assert (code, row["verdict"], row["moves"]) == (3, "unknown", None)
    counts = [played["first_wins"]["count"], played["second_wins"]["count"]]
    assert sum(counts) + sum(played["draws"].values()) == played["games"] == 12
    low, high = played["first_leads"]["interval"]
    assert low < 100 * (counts[0] - counts[1]) / 12 < high
    assert played["favoured"] == ("first" if low > 0 else "second" if high < 0 else None)
    assert played["agent"].startswith("montecarlo nodes=20 ")
    assert (
        run(judge, "russian-bank", "2", "--games", "12", "--json", *FULL)[1].partition('"played"')[
            2
        ]
        == out.partition('"played"')[2]
    )


def test_an_unproved_deal_is_played_for_people(run):
    code, out = run(judge, "russian-bank", "2", "--games", "12", *FULL)
    lines = out.splitlines()
    assert code == 3
    assert lines[0].endswith(": unknown")
    assert lines[2].startswith("  Played, not proved: 12 games of montecarlo nodes=20 ")
    assert lines[3] == "  against itself, which sees what a person sees; 0 drawn."
    assert re.fullmatch(r"    first wins \d+: [\d.]+ %  \[[\d.]+, [\d.]+\]", lines[4])
    assert re.fullmatch(r"  These games favour (first|second|neither player)\.", lines[6])
    assert len(lines) == 7
    assert run(judge, "russian-bank", "2", "--quiet", *FULL) == (3, lines[0] + "\n")
    assert run(judge, "russian-bank", "2", "--games", "0", *FULL)[1].splitlines() == lines[:2]


@pytest.mark.parametrize(
    ("agent", "sight"), [("greedy", "own"), ("planner", "own"), ("montecarlo", "all")]
)
def test_an_agent_that_always_plays_alike_plays_once(run, agent, sight):
    options = ("--max-nodes", "5", "--agent", agent, "--players-see", sight, "--json")
    played = json.loads(run(judge, "zank", "1", *options)[1])["played"]
    assert (played["games"], played["favoured"], played["players_see"]) == (1, None, sight)


def test_a_proved_deal_is_not_played(run):
    assert json.loads(run(judge, "zank", "1", "--json", *SMALL)[1])["played"] is None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--agent", "plannr"), "no agent 'plannr'. Did you mean planner"),
        (("--agent", "greedy:nodes=3"), "has no parameters"),
        (("--players-see", "none"), "no kind of sight 'none'"),
        (("--games", "-1"), "Invalid value for '--games': -1 is not in the range"),
        (("--games", "many"), "Invalid value for '--games': 'many' is not a valid integer"),
    ],
)
def test_games_that_cannot_be_played(winnable, options, words):
    result = winnable("duel", "judge", "zank", "1", *options)
    assert (result.code, result.out) == (2, "")
    assert words in result.err


def test_judge_reads_positions(run, tmp_path):
    file = tmp_path / "end.txt"
    file.write_text(
        "house 1: --\nhouse 2: --\nfoundations: AC AC\nplayer 0: reserve: 2C\nplayer 0: stock: --\n"
        "player 1: reserve: 2C\nplayer 1: stock: --\nto move: player 1\n"
    )
    small = ("--ranks", "2", "--suits", "1", "--houses", "2", "--reserve", "1")
    code, out = run(judge, "zank", "--deal", str(file), "--json", *small)
    row = json.loads(out)
    assert (code, row["verdict"], row["moves"]) == (0, "first", ["r f"])
    with pytest.raises(InputError, match="Give either"):
        run(judge, "zank", "1", "--deal", str(file))


def test_solvable_says_how(run):
    code, out = run(solvable, "russian-bank", "1", "--player", "second", *SMALL)
    assert code == 0
    assert out.splitlines()[0].endswith(", second player: winnable")
    code, out = run(solvable, "russian-bank", "1", "--player", "second", "--json", *SMALL)
    row = json.loads(out)
    assert (row["player"], row["verdict"], row["limit"]) == ("second", "winnable", None)
    code, out = run(solvable, "zank", "1", "--player", "first", "--max-nodes", "2")
    assert code == 3
    assert out.splitlines()[1] == "  The limit of nodes was hit after 2 nodes."


@pytest.mark.parametrize("command", [judge, solvable])
def test_every_option_has_help(command):
    for option in command.params:
        if isinstance(option, click.Option):
            assert option.help
            assert option.help.endswith(".") or "[default:" in option.help
