"""The table of positions and how it grows."""

import numpy as np
import pytest

from winnable.deals import get_numbering
from winnable.games.base import Limits, Verdict
from winnable.games.canfield import GAME, search_table, solver
from winnable.games.canfield import rules as plain
from winnable.games.canfield.search_table import (
    FIRST_SLOTS,
    LARGE_SLOTS,
    MIDDLE_SLOTS,
    MOST_SLOTS_ASKED,
    find_slot,
    larger_table,
    new_table,
    with_room,
    write_entry,
)

BYTES_A_SLOT = 16


def filled_table(count):
    """A table with random keys, and the keys."""
    random = np.random.default_rng(7)
    keys = random.integers(1, 1 << 50, (count, 2)).tolist()
    table = new_table()
    for known, (first, second) in enumerate(keys):
        slot = find_slot(table, first, second)
        assert write_entry(table, slot, first, second, known & 0xFF, known) == known + 1
    return table, keys


def assert_entries(table, keys):
    for known, (first, second) in enumerate(keys):
        slot = find_slot(table, first, second)
        assert table.firsts[slot] == first
        assert table.seconds[slot] == second | (known & 0xFF) << search_table.LEAST_SHIFT


def test_entries_are_found_again_in_a_table_that_is_nearly_full():
    table, keys = filled_table(FIRST_SLOTS // 8 * 7)
    assert_entries(table, keys)
    assert np.count_nonzero(table.firsts) == len(keys)


def test_a_table_grows_by_itself_up_to_its_limit():
    table, keys = filled_table(100)
    assert len(with_room(table, FIRST_SLOTS // 2, LARGE_SLOTS).firsts) == FIRST_SLOTS
    assert len(with_room(table, FIRST_SLOTS // 2 + 1, FIRST_SLOTS).firsts) == FIRST_SLOTS
    larger = with_room(table, FIRST_SLOTS // 2 + 1, LARGE_SLOTS)
    assert len(larger.firsts) == 2 * FIRST_SLOTS
    assert_entries(larger, keys)


@pytest.mark.compiled_only
def test_entries_are_kept_through_all_sizes_and_two_tables_stay_below_300_mb():
    table, keys = filled_table(1000)
    sizes = [len(table.firsts)]
    while sizes[-1] < LARGE_SLOTS:
        table = larger_table(table)
        sizes.append(len(table.firsts))
        assert_entries(table, keys)
    assert sizes == [1 << bits for bits in range(14, 21)] + [MIDDLE_SLOTS, LARGE_SLOTS]
    both = [BYTES_A_SLOT * (old + new) for old, new in zip(sizes, sizes[1:], strict=False)]
    assert max(both) < 300_000_000


def test_a_middle_table_is_filled_to_three_quarters_before_the_large_step():
    cells = np.zeros(MIDDLE_SLOTS, np.int64)
    table = search_table.Table(cells, cells)
    kept = with_room(table, MIDDLE_SLOTS // 4 * 3, LARGE_SLOTS)
    assert len(kept.firsts) == MIDDLE_SLOTS


def test_only_nodes_asked_for_above_the_defaults_get_more_memory():
    assert solver.most_slots(None) == LARGE_SLOTS
    assert solver.most_slots(solver.DEFAULT_MAX_NODES_TOP) == LARGE_SLOTS
    assert solver.most_slots(40_000_000) == 4 * LARGE_SLOTS
    assert solver.most_slots(10**15) == MOST_SLOTS_ASKED


@pytest.mark.compiled_only
def test_a_search_that_fills_its_table_is_decided_with_a_larger_one(monkeypatch):
    rules = plain.RULES.resolve("casino")
    deal = GAME.deal(get_numbering("solvitaire"), 46, rules)
    monkeypatch.setattr(solver, "most_slots", lambda max_nodes: FIRST_SLOTS)
    answer = solver.solve(deal, rules, Limits())
    assert (answer.verdict, answer.limit) == (Verdict.UNKNOWN, "memory")
    monkeypatch.undo()
    assert solver.solve(deal, rules, Limits()).verdict != Verdict.UNKNOWN


@pytest.mark.compiled_only
def test_a_limit_of_seconds_alone_gets_the_usual_memory(monkeypatch):
    asked = []

    def noted(max_nodes):
        asked.append(max_nodes)
        return LARGE_SLOTS

    monkeypatch.setattr(solver, "most_slots", noted)
    rules = plain.RULES.resolve("pysol")
    # Not decided by the first, short search.
    deal = GAME.deal(get_numbering("solvitaire"), 42, rules)
    GAME.solve(deal, rules, Limits(max_seconds=5))
    assert asked[1:] == [None]
