"""``winnable duel judge`` and ``winnable duel solvable``, called as command objects."""

import json

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
    code, out = run(judge, "zank", "1", "--max-nodes", "5")
    assert code == 3
    assert out.splitlines()[0].endswith(": unknown")
    assert out.splitlines()[1] == "  The limit of nodes was hit after 10 nodes."


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
