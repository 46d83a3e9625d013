"""The option ``--html``: a page beside the answer, and what keeps it from being written."""

import os
import re
import stat

import pytest
from replay_stories import data_of

from winnable.games.canfield import classes

SMALL = ("--ranks", 4, "--houses", 4, "--reserve", 2)


@pytest.fixture
def page(tmp_path):
    return tmp_path / "replay.html"


def test_a_solution_is_written_as_a_page(winnable, page):
    plain = winnable("solve", "tripeaks", 2, "--numbering", "pysol")
    result = winnable("solve", "tripeaks", 2, "--numbering", "pysol", "--html", page)
    assert result.code == 0
    assert result.out == plain.out
    assert f"The page is in {page}." in result.err
    text = page.read_text(encoding="utf-8")
    assert "<h1>Tri-Peaks 2 (numbering pysol), rules standard</h1>" in text
    assert "<p>Winnable</p>" in text
    assert "<p>41 moves. No win turns fewer stock cards than this one" in text
    assert len(data_of(text)["steps"]) == 41
    assert text.count("<li>") == 41


def test_json_and_a_page(winnable, page):
    result = winnable("solve", "tripeaks", 2, "--json", "--quiet", "--html", page)
    assert len(data_of(page.read_text(encoding="utf-8"))["steps"]) == len(result.row["moves"])
    assert "The page" not in result.err


def test_a_store_is_not_written_over(winnable, tmp_path):
    store = tmp_path / "study.sqlite"
    winnable("study", "tripeaks", "0:9", "--store", store)
    before = store.read_bytes()
    result = winnable("solve", "tripeaks", 2, "--html", store)
    assert (result.code, result.out) == (2, "")
    assert "is a store, which is not overwritten" in result.err
    assert store.read_bytes() == before


def test_a_deal_that_is_not_won(winnable, page):
    result = winnable("solve", "tripeaks", 59, "--html", page)
    assert result.code == 1
    text = page.read_text(encoding="utf-8")
    assert "<p>Unwinnable</p>" in text
    assert "No line wins: the search went through all of its" in text
    assert "<button" not in text


def test_a_limit_is_told(winnable, page):
    result = winnable("solve", "canfield", 1, "--max-nodes", 1, "--html", page)
    assert result.code == 3
    text = page.read_text(encoding="utf-8")
    assert "<p>Unknown</p>" in text
    assert "The limit of nodes was hit; a higher --max-nodes may tell." in text


@pytest.mark.compiled_only
def test_the_end_of_memory_is_told(winnable, page, monkeypatch):
    monkeypatch.setattr(classes, "MOST_SLOTS", classes.FIRST_SLOTS)
    args = ["canfield", 112, "--numbering", "solvitaire", "--rules", "thoughtful"]
    assert winnable("solve", *args, "--html", page).code == 3
    text = page.read_text(encoding="utf-8")
    assert "came to the end of its memory; a higher --max-nodes may give it more." in text


@pytest.mark.compiled_only
def test_the_best_line_of_a_deal_that_is_not_won(winnable, page):
    args = ["canfield", 4, "--numbering", "solvitaire", "--rules", "thoughtful", "--best"]
    assert winnable("solve", *args, "--html", page).code == 1
    text = page.read_text(encoding="utf-8")
    assert "<p>Unwinnable</p>" in text
    assert "<p>At most 26 cards can lie on the foundations.</p>" in text
    data = data_of(text)
    assert len(data["steps"]) > 20
    assert data["ending"] == "This is as far as the line goes."


def test_a_typed_deal(winnable, page):
    text = winnable("deal", "tripeaks", 7, "--format", "text").out
    assert winnable("solve", "tripeaks", "--deal", "-", "--html", page, stdin=text).code == 0
    assert "<h1>Tri-Peaks typed deal, rules standard</h1>" in page.read_text(encoding="utf-8")


def test_judge_writes_the_line(winnable, page):
    result = winnable("duel", "judge", "zank", 3, *SMALL, "--html", page)
    assert result.code == 0
    text = page.read_text(encoding="utf-8")
    assert "<p>Verdict: first</p>" in text
    assert "The player who begins can force a win, whatever the other plays." in text
    data = data_of(text)
    assert len(data["steps"]) == result.out.count("\n") - 2
    assert data["ending"] == "Player 0 has won."


def test_judge_shows_a_deal_that_it_can_not_decide(winnable, page):
    result = winnable("duel", "judge", "zank", 3, *SMALL, "--max-nodes", 1, "--html", page)
    assert result.code == 3
    text = page.read_text(encoding="utf-8")
    assert "<p>Verdict: unknown</p>" in text
    assert "<p>The limit of nodes was hit after" in text
    assert "<button" not in text


def test_solvable_writes_the_line(winnable, page):
    args = ["duel", "solvable", "zank", 3, "--player", "first", *SMALL]
    result = winnable(*args, "--html", page, "--json", "--quiet")
    text = page.read_text(encoding="utf-8")
    assert "<p>First player: winnable</p>" in text
    assert len(data_of(text)["steps"]) == len(result.row["moves"])


def test_a_game_that_was_played(winnable, page):
    args = ["duel", "play", "zank", 7, "--opponent", "person", "--html", page]
    result = winnable(*args, stdin="discard\ndiscard\nquit\n")
    assert result.code == 0
    data = data_of(page.read_text(encoding="utf-8"))
    assert len(data["steps"]) == 2
    assert data["ending"].startswith("The game goes on: player 0")


def test_a_game_that_was_simulated(winnable, page, tmp_path):
    args = ["zank", 5, "--first", "greedy", "--second", "random", "--store", tmp_path / "s.sqlite"]
    result = winnable("duel", "simulate", *args, "--json", "--quiet", "--html", page)
    assert result.code == 0
    text = page.read_text(encoding="utf-8")
    assert re.search("<p>Greedy, player [01], begins against random</p>", text)
    data = data_of(text)
    assert len(data["steps"]) == result.row["moves"]["mean"]
    for wrong in (["zank", "5:6", *args[2:]], [*args, "--swap"]):
        result = winnable("duel", "simulate", *wrong, "--html", page)
        assert (result.code, result.out) == (2, "")
        assert "A page shows one game" in result.err


SOLVE = ("solve", "tripeaks", 2)


@pytest.mark.parametrize(
    ("args", "mention"),
    [
        (("solve", "tripeaks", 2, 3), "a single number or deal"),
        (("solve", "tripeaks", "2:1000000"), "a single number or deal"),
        (("duel", "judge", "zank", "3:4"), "a single number or deal"),
        (("duel", "solvable", "zank", 3, 4, "--player", "first"), "a single number or deal"),
    ],
)
def test_a_page_shows_one_deal(winnable, page, args, mention):
    result = winnable(*args, "--html", page)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("winnable: ")
    assert mention in result.err
    assert not page.exists()


def test_places_that_no_page_can_be_written_to(winnable, tmp_path):
    places = {
        "": "name a file",
        "-": "name a file",
        tmp_path: "is a folder",
        tmp_path / "none" / "replay.html": f"there is no folder {tmp_path / 'none'}",
        tmp_path / ("x" * 300): "can't be written: File name too long",
    }
    if os.path.exists("/dev/null"):
        places["/dev/null"] = "is no usual file"
    for place, words in places.items():
        for command in (SOLVE, ("duel", "judge", "zank", 3, *SMALL), ("duel", "play", "zank", 3)):
            result = winnable(*command, "--html", place)
            assert (result.code, result.out) == (2, "")
            assert len(result.err.splitlines()) == 1
            assert words in result.err


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="folders have no such permissions here")
def test_a_folder_that_is_not_writable(winnable, tmp_path, monkeypatch):
    # Root may write everywhere.
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    result = winnable(*SOLVE, "--html", tmp_path / "replay.html")
    assert result.code == 2
    assert f"the folder {tmp_path} is not writable" in result.err


def test_a_page_is_written_whole_or_not_at_all(winnable, page, monkeypatch):
    page.write_text("what was there")

    def full(source, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    result = winnable(*SOLVE, "--html", page)
    assert result.code == 2
    assert "No space left on device" in result.err
    assert result.out.startswith("Tri-Peaks 2")
    assert page.read_text() == "what was there"
    assert [each.name for each in page.parent.iterdir()] == [page.name]


def test_a_page_replaces_a_file_and_keeps_a_link(winnable, page, tmp_path):
    page.write_text("what was there")
    link = tmp_path / "link.html"
    link.symlink_to(page)
    assert winnable(*SOLVE, "--html", link).code == 0
    assert link.is_symlink()
    assert "Tri-Peaks 2" in page.read_text(encoding="utf-8")


def test_a_page_has_the_permissions_of_other_files(winnable, page, tmp_path):
    other = tmp_path / "other"
    other.write_text("")
    assert winnable(*SOLVE, "--html", page).code == 0
    assert stat.S_IMODE(page.stat().st_mode) == stat.S_IMODE(other.stat().st_mode)
