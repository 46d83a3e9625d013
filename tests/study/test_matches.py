"""Stores of games between agents: what is counted, and the tables made of it."""

import csv
import io
import json

import numpy as np
import pytest

from winnable.deals import get_numbering
from winnable.duel.agents import get_agent
from winnable.duel.simulate import Simulator
from winnable.duel.tables import variant_of
from winnable.errors import StoreError
from winnable.study.match_tables import markdown_table, write_csv
from winnable.study.matches import Match, MatchStore, plain_report, run_match, summarize
from winnable.study.plan import Span
from winnable.study.sources import load_any, text_of
from winnable.study.statistics import lead, share

NUMBERING = get_numbering("winnable")
SPANS = (Span(3, 9), Span(20, 21))
NUMBERS = [*range(3, 10), 20, 21]
# One agent that is much the worse, and with deals in which the second player begins.
VARIANT = variant_of("zank")
FIRST, SECOND = get_agent("greedy"), get_agent("random")


def stored(path, swap):
    match = Match(VARIANT, NUMBERING, FIRST, SECOND, swap)
    with MatchStore.create_or_open(path, match) as store:
        for span in SPANS:
            run_match(store, match, span, 1)
    return path


@pytest.fixture(scope="module", params=[False, True], ids=["one chair", "both chairs"])
def path(request, tmp_path_factory):
    return stored(tmp_path_factory.mktemp("match") / "m.sqlite", request.param)


@pytest.fixture(scope="module")
def summary(path):
    with MatchStore.open_to_read(path) as store:
        return summarize(store)


def games_of(begins, follows):
    """The games one by one: winner (0 who begins, 1 the other, None), turns and moves."""
    simulator = Simulator(VARIANT, NUMBERING, begins, follows)
    rows = []
    for number in NUMBERS:
        games = simulator.play(number, 1)
        winner = {1: 0, 2: 1}.get(int(games.outcomes[0]))
        rows.append((number, winner, int(games.turns[0]), int(games.moves[0])))
    return rows


@pytest.fixture(scope="module")
def seats():
    return games_of(FIRST, SECOND), games_of(SECOND, FIRST)


def test_what_is_counted(summary, seats):
    seats = seats[: 1 + summary["swap"]]
    games = [row for seat in seats for row in seat]
    # The winner's place in the match: in the second seat the second agent begins.
    winners = [
        None if row[1] is None else row[1] ^ n for n, seat in enumerate(seats) for row in seat
    ]
    beginners = sum(row[1] == 0 for row in games)
    assert (summary["deals"], summary["games"]) == (9, len(games))
    assert summary["numbers"] == [[3, 9], [20, 21]]
    assert summary["first_wins"] == share(winners.count(0), len(games))
    assert summary["second_wins"] == share(winners.count(1), len(games))
    assert summary["beginner_wins"] == share(beginners, len(games))
    others = sum(row[1] == 1 for row in games)
    assert summary["beginner_leads"] == lead(beginners, others, len(games))
    assert summary["drawn"] == share(winners.count(None), len(games))
    assert summary["draws"]["count"] == winners.count(None)
    for name, place in (("turns", 2), ("moves", 3)):
        values = [row[place] for row in games]
        assert summary[name]["mean"] == round(np.mean(values), 2)
        assert summary[name]["most"] == max(values)
        assert summary[name]["median"] == np.median(values)


def test_a_game_a_line(path, summary, seats):
    out = io.StringIO()
    with MatchStore.open_to_read(path) as store:
        write_csv(store, out)
    rows = list(csv.reader(io.StringIO(out.getvalue())))
    assert rows[0] == ["number", "begins", "winner", "draw", "turns", "moves"]
    expected = []
    for pair in zip(*seats[: 1 + summary["swap"]], strict=True):
        for seat, (number, winner, turns, moves) in enumerate(pair):
            names = ("first", "second")
            word = "" if winner is None else names[winner ^ seat]
            expected.append([str(number), names[seat], word, str(turns), str(moves)])
    assert [[*row[:3], *row[4:]] for row in rows[1:]] == expected
    assert all(bool(row[2]) != bool(row[3]) for row in rows[1:])


def test_a_row_of_the_table(summary):
    head, rule, row = markdown_table([summary]).splitlines()
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert len(cells) == len(head.strip("|").split("|")) == rule.count("---")
    assert cells[:2] == ["Zank-Patience", "`standard`"]
    assert cells[2:5] == [
        "greedy",
        "random, by turns" if summary["swap"] else "random",
        str(summary["games"]),
    ]
    low, high = summary["first_wins"]["interval"]
    assert cells[5] == f"{summary['first_wins']['percent']:.2f} [{low:.2f}, {high:.2f}]"
    assert cells[7].startswith(f"**{summary['beginner_leads']['points']:.2f}** [")


def test_agents_with_parameters_of_their_own_are_told(summary):
    row = markdown_table([summary | {"first": "planner nodes=7 patience=100"}]).splitlines()[2]
    assert "| planner nodes=7 patience=100 |" in row
    usual = str(get_agent("planner"))
    row = markdown_table([summary | {"first": usual, "players_see": "all"}]).splitlines()[2]
    assert "| planner, sees every card |" in row


def test_the_same_games_have_the_same_digest(path, summary, tmp_path):
    again = stored(tmp_path / "again.sqlite", summary["swap"])
    (other,) = load_any(again)
    for key in ("sessions", "cpu_seconds"):
        del other[key]
    assert other == {key: summary[key] for key in other}
    fewer = Match(VARIANT, NUMBERING, FIRST, SECOND, summary["swap"])
    with MatchStore.create_or_open(tmp_path / "fewer.sqlite", fewer) as store:
        run_match(store, fewer, SPANS[0], 1)
        assert summarize(store)["games_sha256"] != summary["games_sha256"]


def test_a_summary_from_a_file_reads_like_the_store(path, summary, tmp_path):
    file = tmp_path / "m.json"
    file.write_text(json.dumps(summary) + "\n", encoding="utf-8")
    assert text_of(load_any(file)[0]) == plain_report(summary) == text_of(load_any(path)[0])
    assert "  who begins     leads by " in plain_report(summary)
    del summary["games_sha256"]
    file.write_text(json.dumps(summary) + "\n", encoding="utf-8")
    with pytest.raises(StoreError, match="does not hold what"):
        load_any(file)


def test_a_store_without_games_has_no_report(tmp_path):
    match = Match(VARIANT, NUMBERING, FIRST, SECOND)
    store = MatchStore.create_or_open(tmp_path / "none.sqlite", match)
    with store, pytest.raises(StoreError, match="holds no games yet"):
        summarize(store)
