"""The option ``--html``, and the file that it names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

import click

from winnable.duel.position import Move, State
from winnable.duel.tables import Variant
from winnable.errors import InputError
from winnable_cli.asked import Source
from winnable_cli.files import refuse, written
from winnable_cli.output import note

html_option = click.option(
    "--html",
    "html_file",
    metavar="FILE",
    help="Of one deal: also write a page that shows the table and plays the moves.",
)


def checked_page(name: str | None) -> Path | None:
    """The file for a page, found to be one that can be written before anything is searched.

    Raises
    ------
    InputError
        With what is wrong.
    """
    if name is None:
        return None
    if name in ("", "-"):
        raise InputError("Standard output is for the answer; name a file for --html.")
    try:
        return _writable(Path(name))
    except OSError as error:
        raise InputError(f"{name} can't be written: {error.strerror or error}.") from None


def _writable(path: Path) -> Path:
    if path.is_dir():
        raise InputError(f"{path} is a folder; name a file for --html.")
    # A page takes the place of the file: a device must not be lost so.
    if path.exists() and not path.is_file():
        raise InputError(f"{path} is no usual file; name one for --html.")
    if not path.parent.is_dir():
        raise InputError(f"{path} can't be written: there is no folder {path.parent}.")
    if not os.access(path.resolve().parent, os.W_OK):
        raise InputError(f"{path} can't be written: the folder {path.parent} is not writable.")
    refuse(path)
    return path


def only_one(asked: Iterable[Source]) -> list[Source]:
    """The one deal that is asked for; raises InputError when there are several."""
    found = list(islice(asked, 2))
    if len(found) > 1:
        raise InputError("A page shows one deal: give a single number or deal with --html.")
    return found


def write_page(path: Path, text: str, quiet: bool) -> None:
    """Write a page, whole or not at all; raises InputError when it can't be."""
    try:
        with written(path) as draft:
            draft.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{path} can't be written: {error.strerror or error}.") from None
    if not quiet:
        note(f"The page is in {click.format_filename(path)}.")


def write_game(
    path: Path,
    variant: Variant,
    start: State,
    title: str,
    facts: Sequence[str],
    moves: Iterable[Move],
    quiet: bool,
) -> None:
    """Write the page of a game of two players; raises InputError when it can't be written."""
    from winnable.pages.replay import replay_page
    from winnable.pages.stories import duel_story

    story = duel_story(start, variant, title, facts, moves)
    write_page(path, replay_page(story), quiet)
