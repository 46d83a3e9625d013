"""Every deal of a store as a row: its number, verdict, and what else is kept of it."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TextIO

import numpy as np

from winnable.games.base import LENGTH, NO_LENGTH, NO_SCORE, VERDICT_CODES
from winnable.players.levels import DIFFICULTY, as_share
from winnable.study.columns import VERDICT, Column, score_names
from winnable.study.store import Store

NUMBER = "number"


@dataclass(frozen=True)
class RowBlock:
    """The rows of consecutive numbers from `first` on.

    columns: by name, arrays of shape (n,): the verdict codes, and numbers as in `absent_value`.
    """

    first: int
    columns: dict[str, Column]

    @property
    def count(self) -> int:
        """How many rows these are."""
        return len(self.columns[VERDICT])


def number_columns(store: Store) -> list[str]:
    """The columns of numbers that a row has after its verdict: scores, and moves if kept."""
    held = store.column_names()
    return [*score_names(held), *([LENGTH] if LENGTH in held else [])]


def absent_value(name: str) -> int:
    """What stands in a column of numbers where a deal has none."""
    return NO_LENGTH if name == LENGTH else NO_SCORE


def _cells(name: str, values: Column) -> list[int | float | str]:
    """A column of numbers as people read it; nothing where a deal has none."""
    none = absent_value(name)
    shown = as_share if name == DIFFICULTY else int
    return ["" if value == none else shown(value) for value in values.tolist()]


def row_blocks(store: Store) -> Iterator[RowBlock]:
    """All rows in number order, a block at a time: one chunk of the store is in memory."""
    names = [VERDICT, *number_columns(store)]
    columns = [store.column(name) for name in names]
    for parts in zip(*columns, strict=True):
        values = (values for _, values in parts)
        yield RowBlock(parts[0][0], dict(zip(names, values, strict=True)))


def write_csv(store: Store, out: TextIO) -> None:
    """Every deal of a store as a line: its number, verdict, and scores and moves if there are."""
    words = np.array([verdict.value for verdict in VERDICT_CODES])
    writer = csv.writer(out, lineterminator="\n")
    with store.one_moment():
        names = number_columns(store)
        writer.writerow([NUMBER, VERDICT, *names])
        for block in row_blocks(store):
            scores = [
                _cells(name, values) for name, values in block.columns.items() if name != VERDICT
            ]
            numbers = range(block.first, block.first + block.count)
            verdicts = words[block.columns[VERDICT]].tolist()
            writer.writerows(zip(numbers, verdicts, *scores, strict=True))
