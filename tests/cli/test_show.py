"""``winnable show``: deals drawn, with colours only where they belong."""

import io
import re
import sys

import pytest

from winnable_cli.colour import coloured, has_colours
from winnable_cli.main import run

GAMES = ["tripeaks", "canfield", "spider", "russian-bank", "zank"]
CODE = re.compile("\x1b\\[[0-9;]*m")


class Device(io.BytesIO):
    """A terminal's bytes."""

    def isatty(self):
        return True


class Terminal(io.TextIOWrapper):
    """A terminal that keeps what is written to it."""

    def __init__(self, encoding="utf-8"):
        super().__init__(Device(), encoding=encoding)

    def text(self):
        self.flush()
        return self.buffer.getvalue().decode(self.encoding)


@pytest.fixture
def terminal(monkeypatch):
    """A function that puts a terminal in place of standard output."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")

    def put(encoding="utf-8"):
        screen = Terminal(encoding)
        monkeypatch.setattr(sys, "stdout", screen)
        return screen

    return put


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_drawn_as_it_is_dealt(winnable, game):
    result = winnable("show", game, 7)
    assert (result.code, result.err) == (0, "")
    assert result.out == winnable("deal", game, 7).out
    assert "♠" in result.out
    assert "\x1b" not in result.out


@pytest.mark.parametrize("game", GAMES)
def test_a_terminal_gets_colours(winnable, terminal, game):
    plain = winnable("show", game, 7).out
    screen = terminal()
    assert run(["show", game, "7"]) == 0
    assert CODE.sub("", screen.text()) == plain
    for symbol in "♣♦♥♠":
        for card in re.findall(f"\x1b\\[([0-9;]+)m ?[0-9AJQK]+{symbol}\x1b\\[0m", screen.text()):
            assert card == ("31;47" if symbol in "♦♥" else "30;47")


def test_what_turns_colours_off(terminal, monkeypatch):
    terminal()
    assert has_colours()
    monkeypatch.setenv("NO_COLOR", "1")
    assert not has_colours()
    monkeypatch.setenv("NO_COLOR", "")
    assert has_colours()
    monkeypatch.setenv("TERM", "dumb")
    assert not has_colours()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert not has_colours()


def test_letters_where_there_are_no_symbols(terminal):
    screen = terminal("ascii")
    assert run(["show", "tripeaks", "7"]) == 0
    assert "\x1b[31;47m 4H\x1b[0m" in screen.text()


@pytest.mark.parametrize(
    ("drawn", "painted"),
    [
        ("7♠", "<30;47>7♠<0>"),
        ("  7♦ 10♥ A♣", " <31;47> 7♦<0> <31;47>10♥<0> <30;47>A♣<0>"),
        ("   10♠", "   <30;47>10♠<0>"),
        ("[10♦] K♣", "<2>[10♦]<0> <30;47>K♣<0>"),
        ("h1: ## 4♥", "h1: <2>##<0> <31;47>4♥<0>"),
        ("foundations from 7 (1): --♣ --♦", "foundations from 7 (1): --♣ --♦"),
    ],
)
def test_cards_are_painted_and_nothing_else(drawn, painted):
    assert coloured(drawn) == re.sub("<([0-9;]+)>", "\x1b[\\1m", painted)


def test_several_deals_and_rules(winnable):
    result = winnable("show", "canfield", "1:2", "--rules", "pysol", "--numbering", "pysol")
    titles = [line for line in result.out.splitlines() if line.startswith("Canfield")]
    assert titles == [f"Canfield {n} (numbering pysol), rules pysol" for n in (1, 2)]
    assert result.out.count("\n\n") == 1


def test_a_typed_position(winnable):
    text = winnable("deal", "spider", 3, "--format", "text", "--rules", "two-suit").out
    result = winnable("show", "spider", "--deal", "-", "--rules", "two-suit", stdin=text)
    assert (
        result.out.splitlines()[1:]
        == winnable("show", "spider", 3, "--rules", "two-suit").out.splitlines()[1:]
    )


@pytest.mark.parametrize(
    ("args", "mention"),
    [
        (("tripeakz", 1), "mean tripeaks?"),
        (("tripeaks",), "Give either deal numbers or --deal FILE."),
        (("zank", 1, "--numbering", "pysol"), "deals one pack"),
        (("spider", 1, "--rules", "one-suitt"), "mean one-suit?"),
    ],
)
def test_bad_input(winnable, args, mention):
    result = winnable("show", *args)
    assert (result.code, result.out) == (2, "")
    assert mention in result.err
