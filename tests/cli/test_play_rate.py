"""``winnable play-rate``, ``study --difficulty`` and what ``find`` has for makers of games."""

import csv
import io
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from winnable.cards import parse_card
from winnable.games import get_game
from winnable.players import levels
from winnable.study.plays import PlayStore

ROOT = Path(__file__).parents[2]


@pytest.fixture
def store(tmp_path):
    return tmp_path / "plays.sqlite"


def test_a_rate_with_its_interval(winnable, store):
    done = winnable("play-rate", "tripeaks", "0:499", "--player", "greedy", "--store", store)
    assert done.code == 0
    assert "greedy, who sees what a person sees" in done.out
    assert "0 to 499 of numbering winnable" in done.out
    assert "% (95 %, Wilson)" in done.out.replace("  ", " ").replace("  ", " ")
    assert "mean score" in done.out


def test_a_range_adds_to_the_store_and_the_same_one_does_nothing(winnable, store):
    line = ["play-rate", "tripeaks", "--player", "random", "--json", "--store", store]
    first = winnable(*line, "0:99").row
    assert (first["deals"], first["numbers"]) == (100, [[0, 99]])
    again = winnable(*line, "0:99")
    assert "100 of 100 are there already" in again.err
    assert again.row == first
    both = winnable(*line, "50:149")
    assert both.row["numbers"] == [[0, 149]]
    assert "all 150 deals" in both.err


def test_its_store_is_no_study(winnable, store):
    winnable("play-rate", "tripeaks", "0:9", "--player", "random", "--store", store)
    for other in (["report", store], ["study", "tripeaks", "0:9", "--store", store]):
        result = winnable(*other)
        assert result.code == 2
        assert "is a store of 'winnable play-rate'" in result.err


def test_workers_change_nothing(winnable, tmp_path):
    def games(workers):
        path = tmp_path / f"{workers}.sqlite"
        winnable(
            *("play-rate", "canfield", "0:40", "--player", "casual", "--rules", "casino"),
            *("--workers", workers, "--store", path, "--quiet"),
        )
        with PlayStore.open_to_read(path) as opened:
            names = opened.column_names()
            return {name: [values.tolist() for _, values in opened.column(name)] for name in names}

    assert set(games(1)) == {"verdict", "foundation", "moves"}
    assert games(1) == games(2)


def test_the_casinos_money(winnable, store):
    line = ["play-rate", "canfield", "0:99", "--player", "greedy", "--store", store]
    row = winnable(*line, "--rules", "casino", "--json").row
    assert row["money"]["stake"] == 50
    assert row["money"]["mean"] == pytest.approx(5 * row["score"]["mean"] - 50, abs=0.01)
    assert "money" in winnable(*line, "--rules", "casino").out
    assert "other study" not in winnable(*line, "--rules", "casino").err


def test_other_rules_need_another_store(winnable, store):
    line = ["play-rate", "canfield", "0:9", "--store", store, "--player"]
    winnable(*line, "greedy")
    refused = winnable(*line, "casual")
    assert refused.code == 2
    assert "player is greedy there, casual here" in refused.err
    assert winnable("report", store).code == 2


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["tripeaks", "0:9", "--player", "gredy"], "Did you mean greedy?"),
        (["tripeaks", "0:9", "--player", "greedy:playouts=3"], "has no parameters"),
        (["tripeaks", "0:9", "--player", "look-ahead:turns=3"], "Known: playouts."),
        (["tripeaks", "0:9", "--player", "look-ahead:playouts=0"], "from 1 to 100000"),
        (["tripeaks", "0:9", "--player", "look-ahead:"], "Known: playouts."),
        (["zank", "0:9", "--player", "greedy"], "a game of two players"),
        (["bridge", "0:9", "--player", "greedy"], "There is no game 'bridge'"),
        (["tripeaks", "9:0", "--player", "greedy"], "is an empty range"),
        (["tripeaks", "0:9"], "Missing option '--player'"),
    ],
)
def test_plays_that_there_are_not(winnable, args, words):
    done = winnable("play-rate", *args)
    assert (done.code, done.out) == (2, "")
    assert words in done.err


# How hard deals are


def test_a_study_with_difficulties(winnable, tmp_path):
    store = tmp_path / "study.sqlite"
    line = ["study", "tripeaks", "0:299", "--difficulty", "--store", store]
    done = winnable(*line)
    assert done.code == 0
    assert "difficulty" in done.out
    assert "(0 easy, 1 hard)" in done.out
    lines = list(csv.DictReader(io.StringIO(winnable("report", store, "--csv").out)))
    values = [float(row["difficulty"]) for row in lines]
    assert len(values) == 300
    assert min(values) < 0.3
    assert {value for value, row in zip(values, lines, strict=True) if row["verdict"] != "winnable"}
    assert all(
        value == 1 or row["verdict"] == "winnable" for value, row in zip(values, lines, strict=True)
    )
    assert "difficulty" in winnable("report", store, "--markdown").out
    assert "50 deals checked" in winnable("report", store, "--check", 50, "--quiet").out
    refused = winnable("study", "tripeaks", "0:299", "--store", store)
    assert refused.code == 2
    assert "difficulty" in refused.err


def test_levels_hold_what_they_say(winnable):
    found = {}
    for level in levels.NAMES:
        line = ["find", "tripeaks", "--count", 5, "--difficulty", level, "--json", "--quiet"]
        rows = winnable(*line).rows
        assert [row["level"] for row in rows] == [level] * 5
        found[level] = [row["difficulty"] for row in rows]
    assert max(found["easy"]) < min(found["medium"]) <= max(found["medium"]) < min(found["hard"])


def test_json_stays_as_it_was(winnable):
    row = winnable("find", "tripeaks", "--json", "--quiet").row
    assert "difficulty" not in row
    assert list(row)[-1] == "deal"


def test_the_formats_tell_the_same(winnable):
    line = ["find", "canfield", "--count", 2, "--rules", "full-wrap", "--quiet", "--format"]
    objects = winnable(*line, "json").rows
    lines = list(csv.DictReader(io.StringIO(winnable(*line, "csv").out)))
    for row, written in zip(objects, lines, strict=True):
        assert written["number"] == str(row["number"])
        assert float(written["difficulty"]) == row["difficulty"]
        assert written["moves"].split("/") == row["moves"]
        for name in ("reserve", "stock", "column 1"):
            assert written[name].split() == row["deal"][name]


@pytest.mark.parametrize("game", ["tripeaks", "spider"])
def test_a_c_compiler_takes_the_array(winnable, tmp_path, game):
    line = ["find", game, "--count", 2, "--quiet", "--format"]
    rules = ["--rules", "one-suit"] if game == "spider" else []
    source = winnable(*line, "c-array", *rules).out
    rows = winnable(*line, "json", *rules).rows
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no C compiler here")
    show = r"""
#include <stdio.h>
#include "deals.h"
int main(void) {
    for (int i = 0; i < WINNABLE_DEALS; i++) {
        for (int k = 0; k < WINNABLE_CARDS; k++) printf("%d ", winnable_cards[i][k]);
        printf("\n%s\n%d\n%s\n", winnable_number[i], winnable_difficulty[i], winnable_solution[i]);
    }
    return 0;
}
"""
    (tmp_path / "deals.h").write_text(source, encoding="utf-8")
    (tmp_path / "show.c").write_text(show, encoding="utf-8")
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-o", "show", "show.c"]
    subprocess.run([compiler, *flags], cwd=tmp_path, check=True)
    shown = subprocess.run([tmp_path / "show"], capture_output=True, text=True, check=True)
    printed = shown.stdout.splitlines()
    for row in rows:
        cards, number, steps, moves = (printed.pop(0) for _ in range(4))
        piles = [pile for pile in row["deal"].values() if pile and isinstance(pile[0], str)]
        assert cards.split() == [str(parse_card(card)) for pile in piles for card in pile]
        assert number == str(row["number"])
        assert int(steps) / levels.STEPS == row["difficulty"]
        assert moves.removesuffix("/").split("/") == row["moves"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["tripeaks", "--difficulty", "heavy"], "There is no level of difficulty 'heavy'"),
        (["tripeaks", "--difficulty", "hard", "--unwinnable"], "leave --unwinnable out"),
        (["canfield", "--difficulty", "hard", "--set", "draw=1"], "were not measured by the rules"),
        (["tripeaks", "--format", "xml"], "There is no format 'xml'"),
        (["tripeaks", "--format", "csv", "--json"], "Choose one of --json and --format csv"),
        (["zank", "--difficulty", "hard"], "a game of two players"),
    ],
)
def test_what_can_not_be_found(winnable, args, words):
    done = winnable("find", *args)
    assert (done.code, done.out) == (2, "")
    assert words in done.err


def test_the_levels_are_those_that_were_measured():
    measured = {}
    for path in sorted((ROOT / "results" / "difficulty").glob("*.json")):
        row = json.loads(path.read_text(encoding="utf-8"))
        assert row["version"] == levels.DIFFICULTY_VERSION
        assert sum(row["counts"].values()) == row["numbers"][1] + 1
        measured[row["game"], row["rules"]] = tuple(row["thirds"])
    assert measured == levels.THIRDS
    assert set(measured) == {
        (game, rules) for game in levels.GAMES for rules in get_game(game).rules.names
    }
