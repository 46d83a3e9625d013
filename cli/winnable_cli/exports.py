"""Deals with their cards, solutions and difficulties, in the forms that makers of games read."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from typing import Any

from winnable.cards import parse_card
from winnable.errors import InputError, unknown_name
from winnable.players.levels import STEPS
from winnable.version import __version__
from winnable_cli.output import results, say, say_json

FORMATS = ("json", "csv", "c-array")
# Between the moves of a solution on one line; no move contains it.
_BETWEEN = "/"

Row = dict[str, Any]


def check_format(name: str | None, as_json: bool) -> None:
    """Refuse a format that there is not, and two at once; raises InputError."""
    if name is not None and name not in FORMATS:
        raise unknown_name("format", name, FORMATS)
    if as_json and name not in (None, "json"):
        raise InputError(f"Choose one of --json and --format {name}.")


def _piles(row: Row) -> dict[str, list[str]]:
    """The piles of a deal that hold cards; a number in place of cards says how many are hidden."""
    return {name: pile for name, pile in row["deal"].items() if pile and isinstance(pile[0], str)}


class Numbers:
    """The deals' numbers, one a line."""

    def add(self, row: Row) -> None:
        """Print one deal."""
        say(str(row["number"]))

    def end(self) -> None:
        """Nothing is left to be printed."""


class JsonLines(Numbers):
    """One object a line."""

    def add(self, row: Row) -> None:
        """Print one deal."""
        say_json(row)


class Csv(Numbers):
    """A line a deal, below the names of the columns."""

    def __init__(self) -> None:
        self._writer: Any = None

    def add(self, row: Row) -> None:
        """Print one deal, cards separated by spaces and moves by '/'."""
        piles = _piles(row)
        if self._writer is None:
            self._writer = csv.writer(results(), lineterminator="\n")
            self._writer.writerow(["number", "verdict", "difficulty", *piles, "moves"])
        cards = [" ".join(pile) for pile in piles.values()]
        moves = _BETWEEN.join(row["moves"] or ())
        self._writer.writerow([row["number"], row["verdict"], row["difficulty"], *cards, moves])


class CArray(Numbers):
    """A C source of all deals, printed at the end, since it begins with how many they are."""

    def __init__(self) -> None:
        self._rows: list[Row] = []

    def add(self, row: Row) -> None:
        """Keep one deal."""
        self._rows.append(row)

    def end(self) -> None:
        """Print the source; no deals make none."""
        if self._rows:
            say("\n".join(_c_source(self._rows)))


_EXPORTS: dict[str | None, Callable[[], Numbers]] = {
    None: Numbers,
    "json": JsonLines,
    "csv": Csv,
    "c-array": CArray,
}


def export(name: str | None) -> Numbers:
    """What prints deals in a format; None for their numbers only."""
    return _EXPORTS[name]()


def _c_source(rows: list[Row]) -> Iterator[str]:
    first = rows[0]
    order = [f"{len(pile)} {name}" for name, pile in _piles(first).items()]
    deals = [[parse_card(c) for pile in _piles(row).values() for c in pile] for row in rows]
    yield f"/* Deals of {first['game']}, rules {first['rules']}, numbering {first['numbering']}."
    yield f"   Made by winnable {__version__}."
    yield ""
    yield "   A card is 4 * rank + suit: ranks 0 (ace) to 12 (king); suits 0 clubs, 1 diamonds,"
    yield "   2 hearts, 3 spades. The cards of a deal, pile after pile as 'winnable deal' has them:"
    yield from _wrapped(order)
    yield ""
    yield f"   A difficulty is in steps of 1/{STEPS}, 0 the easiest. The moves of a solution are"
    yield f"   those of 'winnable verify', each followed by '{_BETWEEN}'. */"
    yield f"#define WINNABLE_DEALS {len(rows)}"
    yield f"#define WINNABLE_CARDS {len(deals[0])}"
    yield from _c_array("const unsigned char winnable_cards[WINNABLE_DEALS][WINNABLE_CARDS]", deals)
    numbers = [f'"{row["number"]}"' for row in rows]
    yield from _c_array("const char *const winnable_number[WINNABLE_DEALS]", numbers)
    steps = [round(STEPS * row["difficulty"]) for row in rows]
    yield from _c_array("const unsigned char winnable_difficulty[WINNABLE_DEALS]", steps)
    solutions = [_c_string(row["moves"] or ()) for row in rows]
    yield from _c_array("const char *const winnable_solution[WINNABLE_DEALS]", solutions)


def _wrapped(words: list[str]) -> Iterator[str]:
    """Words between commas as lines of a comment."""
    for start in range(0, len(words), 6):
        yield "   " + ", ".join(words[start : start + 6]) + ("," if words[start + 6 :] else ".")


def _c_array(declaration: str, values: Any) -> Iterator[str]:
    yield f"{declaration} = {{"
    for value in values:
        text = f"{{{', '.join(map(str, value))}}}" if isinstance(value, list) else str(value)
        yield f"  {text},"
    yield "};"


def _c_string(moves: Any) -> str:
    # In pieces: compilers need not take a literal of more than 509 characters, and join pieces.
    return "\n  ".join(f'"{move}{_BETWEEN}"' for move in moves) or '""'
