"""Spider on the command line: its deals, and what can be wrong with them."""

import pytest
from kpat_saves import Table, dealt_table
from plain_spider import cards

from winnable.deals import NUMBERINGS
from winnable.games.spider import GAME

DEAL = GAME.deal(NUMBERINGS["kpat"], 1, GAME.rules.resolve())
TEXT = GAME.format_deal(DEAL)


@pytest.mark.parametrize("rules", GAME.rules.names)
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_a_printed_deal_can_be_read(winnable, rules, ends):
    options = ("--rules", rules)
    printed = winnable("deal", "spider", "3:4", *options, "--format", "text").out
    typed = b"\xef\xbb\xbf" + printed.replace("\n", ends).encode()
    again = winnable("deal", "spider", "--deal", "-", *options, "--format", "text", stdin=typed)
    assert (again.code, again.out) == (0, printed)
    one, other = (
        winnable("deal", "spider", *words, *options, "--json", stdin=typed).rows
        for words in (["3:4"], ["--deal", "-"])
    )
    assert [row["deal"] for row in one] == [row["deal"] for row in other]


def test_the_numbers_of_other_programs(winnable):
    for numbering in GAME.numberings:
        row = winnable("deal", "spider", 1, "--numbering", numbering, "--json").row
        assert row["numbering"] == numbering
        assert len(row["deal"]["stock"]) == 50
    ms = winnable("deal", "spider", "ms17", "--numbering", "pysol", "--json").row
    assert (ms["numbering"], ms["number"]) == ("ms", 17)


def test_a_save_of_kpats(winnable):
    save = dealt_table(DEAL, current=True).text()
    read = winnable("deal", "spider", "--deal", "-", "--format", "text", stdin=save)
    assert (read.code, read.out) == (0, TEXT + "\n")


@pytest.mark.parametrize(
    ("text", "options", "mention"),
    [
        (TEXT.replace("JD 4D", "KS 4D"), (), ["KS 3 times instead of twice", "JD once"]),
        (TEXT, ("--rules", "one-suit"), ["suits=1", "♠", "it needs rules with suits=4"]),
        (TEXT.replace("JD 4D", "4D"), (), ["5, 6, 6, 6", "six have 5"]),
        (TEXT.replace("\n10:", "\n11:"), (), ["'11' is not the name of a pile"]),
        (Table("1", game="klondike").text(), (), ["another of KPat's games", "klondike"]),
        (
            dealt_table(DEAL).text().replace('"queen"', '"knight"', 1),
            (),
            ["'knight' is unknown"],
        ),
        ('{"tableau piles": [["AS"]]}', (), ["1 columns", "another game"]),
        ("", (), ["There is no deal in this text"]),
    ],
)
@pytest.mark.parametrize("command", ["deal", "solve"])
def test_bad_deals(winnable, command, text, options, mention):
    result = winnable(command, "spider", "--deal", "-", *options, stdin=text)
    assert (result.code, result.out) == (2, "")
    assert len(result.err.strip().splitlines()) == 1
    for words in mention:
        assert words in result.err


def test_numberings_that_do_not_deal_it(winnable):
    result = winnable("deal", "spider", 1, "--numbering", "solvitaire")
    assert result.code == 2
    assert "There is no numbering of Spider 'solvitaire'." in result.err


@pytest.mark.compiled_only
def test_from_deal_to_report(winnable, tmp_path):
    path, solution = tmp_path / "s.sqlite", tmp_path / "solution.txt"
    options = ("--rules", "two-suit", "--numbering", "kpat")
    row = winnable("solve", "spider", 1, *options, "--json").row
    assert row["verdict"] == "winnable"
    solution.write_text("\n".join(row["moves"]))
    assert winnable("verify", "spider", 1, solution, *options).code == 0
    # The same number of another game of Spider is another deal.
    assert (
        winnable("verify", "spider", 1, solution, *options[:1], "one-suit", *options[2:]).code == 1
    )
    assert winnable("study", "spider", "1:3", *options, "--store", path).code == 0
    text = winnable("report", path).out
    assert "win rate" in text
    assert "mean moves" in text
    checked = winnable("report", path, "--check", 5, "--quiet").out
    assert checked.startswith(f"{path}: 3 deals checked, ")
    assert " of them kept in the store); all agree" in checked


@pytest.mark.compiled_only
def test_a_shorter_solution(winnable):
    limits = ("--effort", 3, "--max-nodes", 150_000)
    asked = ("solve", "spider", 1, "--numbering", "pysol", *limits, "--shortest")
    row = winnable(*asked, "--json").row
    moves, before, bound = len(row["moves"]), row["moves_before"], row["moves_bound"]
    assert bound <= moves < before
    words = f"{moves} moves ({before} at first); every line that wins has at least {bound}."
    assert words in winnable(*asked).out


def test_what_the_efforts_are(winnable):
    text = winnable("games", "spider").out
    assert "1: a beam of 60 positions\n" in text
    assert "7: all of 6, then 6 beams of 12,000 positions; the default\n" in text
    row = winnable("games", "spider", "--json").row
    assert list(row["efforts"]) == [str(effort) for effort in range(1, 11)]
    assert winnable("games", "tripeaks", "--json").row["efforts"] == {}


# Deal 3769 of four suits is out of reach of all beams but the widest.
HARD = ("--numbering", "pysol", "--effort", 1)


@pytest.mark.compiled_only
def test_the_effort_is_part_of_a_study(winnable, tmp_path):
    path = tmp_path / "s.sqlite"
    asked = ("study", "spider", "3769:3769", *HARD, "--store", path)
    row = winnable(*asked, "--json").row
    assert (row["unknown_numbers"], row["effort"]) == ([3769], 1)
    assert ["effort", "1"] in [line.split() for line in winnable("report", path).out.splitlines()]
    other = winnable(*asked, "--effort", 2)
    assert (other.code, "effort is 1 there, 2 here" in other.err) == (2, True)
    other = winnable(*asked[:5], "--store", path)
    assert (other.code, "effort is 1 there, none here" in other.err) == (2, True)
    again = winnable(*asked, "--effort", 2, "--retry-unknown", "--json").row
    assert (again["effort"], again["retried"]["effort"]) == (1, 2)


@pytest.mark.compiled_only
def test_more_effort_looks_at_more(winnable):
    rows = [winnable("solve", "spider", 3769, *HARD, "--effort", n, "--json").row for n in (1, 2)]
    assert [row["limit"] for row in rows] == ["width", "width"]
    assert rows[0]["nodes"] < rows[1]["nodes"]


@pytest.mark.compiled_only
def test_a_position_in_the_middle_of_a_game(winnable):
    runs = ["KS QS JS TS 9S 8S 7S", "6S 5S 4S | 3S 2S AS", "KH QH | JH TH 9H 8H"]
    runs += ["7H 6H | 5H 4H 3H 2H AH", *["--"] * 6]
    lines = [f"{i}: {run}" for i, run in enumerate(runs, start=1)]
    text = "\n".join([*lines, "stock: --", "finished: KH KH KH KS KS KS"])
    assert len(cards(" ".join(runs).replace("|", "").replace("--", ""))) == 26
    row = winnable(
        "solve", "spider", "--rules", "two-suit", "--deal", "-", "--json", stdin=text
    ).row
    assert row["verdict"] == "winnable"


def test_a_deal_that_is_lost_from_the_start(winnable):
    found = winnable("solve", "spider", 1748, "--numbering", "pysol")
    assert (found.code, "unwinnable" in found.out) == (1, True)
    assert "No line wins: that was proved without a search." in found.out
