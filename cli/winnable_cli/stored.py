"""What commands share that keep results in a store: the file's name, going on, and the end."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from winnable.games.ruleset import Rules
from winnable.study.plan import Span, missing
from winnable.study.run import Progress
from winnable.study.store import Store
from winnable_cli.output import announce_compilation, note, say, say_json
from winnable_cli.progress import bar, interruptible, stop_on_signal

Crew = TypeVar("Crew")
Asked = TypeVar("Asked")


def usual_file(game: str, rules: Rules, *parts: str) -> Path:
    """The file of results that name none: in this folder, told apart by all that matters."""
    chosen = rules.name.replace(" ", "-").replace("=", "-")
    return Path("-".join([game, chosen, *parts]) + ".sqlite")


def compile_first(
    warm_up: Callable[[Asked, int], None], asked: Asked, number: int, quiet: bool
) -> None:
    """Have all kernels compiled. Nothing is to be saved yet: Ctrl-C may end the process at once."""
    announce_compilation(quiet)
    interruptible(warm_up, asked, number)


@contextmanager
def threads(
    workers: int, warm_up: Callable[[Asked, int], None], asked: Asked, number: int, quiet: bool
) -> Iterator[int]:
    """So many threads as a crew, ready to begin."""
    compile_first(warm_up, asked, number, quiet)
    yield workers


def fill(
    store: Store,
    wanted: Span,
    what: str,
    quiet: bool,
    crew: AbstractContextManager[Crew],
    work: Callable[[Crew, Progress, threading.Event], int],
) -> bool:
    """Add what a store lacks of the numbers wanted; whether it was stopped before the end.

    Parameters
    ----------
    what: what is kept there, with a capital letter.
    crew: entered when there is something to do, before signals are taken over.
    work: does it; called with the crew, for the bar, and with the event that says to stop. Returns
        how many numbers were added.
    """
    total = wanted.count
    left = sum(span.count for span in missing(wanted, store.covered()))
    if not quiet:
        done = total - left
        known = f"; {done:,} of {total:,} are there already" if done else ""
        note(f"{what} are kept in {store.path}{known}.")
    if left == 0:
        return False
    with crew as ready, stop_on_signal() as stop, bar(total, total - left, quiet) as progress:
        added = work(ready, progress.update, stop)
    if added < left and not quiet:
        note(f"Stopped; {added:,} deals were added. The same command goes on from here.")
    return added < left


def tell(
    summary: dict[str, Any],
    text_of: Callable[[dict[str, Any]], str],
    wanted: Span,
    path: Path,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print what a store holds."""
    if summary["deals"] > wanted.count and not quiet:
        note(f"The report is of all {summary['deals']:,} deals that are in {path}.")
    if as_json:
        say_json(summary)
    else:
        say(text_of(summary))
