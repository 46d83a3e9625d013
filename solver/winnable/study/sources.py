"""What a report is made of: stores and summaries, of studies and of games between two agents."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from winnable.errors import StoreError
from winnable.study.report import (
    SUMMARY_SUFFIX,
    Summary,
    checked_summary,
    load_summaries,
    plain_report,
    summaries_in,
)
from winnable.study.store_file import MATCH_COMMAND, command_of

# Modules of the games between agents import numba, and are imported where a report has some.

_STORE_SUFFIX = ".sqlite"


def files_in(paths: Iterable[Path]) -> list[Path]:
    """The same files; for a folder, the stores and summaries in it and in the folders below.

    Raises
    ------
    StoreError
        When a folder has neither.
    """
    files: list[Path] = []
    for path in paths:
        # Not `Path.is_dir`, which raises for an impossible name.
        if not os.path.isdir(path):
            files.append(path)
            continue
        suffixes = (SUMMARY_SUFFIX, _STORE_SUFFIX)
        ending = sorted(file for file in path.rglob("*") if file.suffix in suffixes)
        found = [file for file in ending if not _is_of_players(file)]
        if not found:
            raise StoreError(f"The folder {path} has no file that ends in {' or '.join(suffixes)}.")
        files += found
    return files


def _is_of_players(path: Path) -> bool:
    """Whether a file is what ``winnable play-rate --json`` prints, or a table of difficulties.

    Folders of results have them beside studies, and reports tell nothing of them.
    """
    if path.suffix != SUMMARY_SUFFIX:
        return False
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(content, dict) and ({"player", "won"} <= set(content) or "thirds" in content)


def is_store_of_matches(path: Path) -> bool:
    """Whether a file is a store that ``winnable duel simulate`` wrote; raises StoreError."""
    return path.suffix != SUMMARY_SUFFIX and command_of(path) == MATCH_COMMAND


def is_match(summary: Summary) -> bool:
    """Whether a summary is one of games between two agents, not of a study."""
    return "first_wins" in summary


def load_any(path: Path) -> list[Summary]:
    """The summary of a store of either kind, or those that a file has; raises StoreError."""
    if path.suffix == SUMMARY_SUFFIX:
        return summaries_in(path, _checked)
    if not is_store_of_matches(path):
        return load_summaries(path)
    from winnable.study.matches import MatchStore, summarize

    with MatchStore.open_to_read(path) as store:
        return [summarize(store)]


def _checked(summary: Any) -> Summary:
    if not is_match(summary):
        return checked_summary(summary)
    from winnable.study.matches import checked_summary as checked_match

    return checked_match(summary)


def text_of(summary: Summary) -> str:
    """A summary of either kind for people."""
    if not is_match(summary):
        return plain_report(summary)
    from winnable.study.matches import plain_report as plain_match

    return plain_match(summary)
