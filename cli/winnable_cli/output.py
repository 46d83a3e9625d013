"""Printing: results to stdout, everything else to stderr, on any terminal."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, TextIO

import click

from winnable.cards import SUITS, SYMBOLS
from winnable.errors import InputError

_TO_LETTERS = str.maketrans(SYMBOLS + "±…", SUITS + "+.")


def results() -> TextIO:
    """Where results go; raises InputError when standard output is closed."""
    if sys.stdout is None:
        raise InputError("Standard output is closed, so that no result can be printed.")
    return sys.stdout


def say(text: str) -> None:
    """Print a result. Where the terminal has no suit symbols, letters stand for them."""
    try:
        text.encode(results().encoding or "utf-8")
    except UnicodeEncodeError:
        text = text.translate(_TO_LETTERS)
    click.echo(text)


def say_json(row: dict[str, Any]) -> None:
    """Print one object on a line of its own."""
    say(json.dumps(row, ensure_ascii=True, allow_nan=False))


def note(text: str) -> None:
    """Tell the user something that is no result."""
    click.echo(text, err=True)


def announce_compilation(quiet: bool) -> None:
    """From now on, say when kernels have to be compiled, since that takes a while once."""
    if quiet:
        return
    from winnable.jit import CACHE_IS_KEPT, CACHE_VARIABLE, on_first_compilation

    def announce(folder: Path) -> None:
        if CACHE_IS_KEPT:
            note(f"Compiling the solver for this machine, once; it is kept in {folder}.")
        else:
            note(
                "Compiling the solver, as at every start: no folder to keep it in can be written; "
                f"set {CACHE_VARIABLE} to one that can."
            )

    on_first_compilation(announce)
