"""The beams that are tried, and what is said of them."""

import numpy as np
import pytest
from spider_positions import deal

from winnable.games.spider import rules as plain
from winnable.games.spider.evaluation import NOISE, OFF_SUIT, weights_table
from winnable.games.spider.ladder import (
    DEFAULT_EFFORT,
    EFFORTS,
    LEVELS,
    Rung,
    rungs_of,
)
from winnable.games.spider.solver import Search, task_of
from winnable.games.spider.weights import TERMS, VARIANT_COUNT, VARIANTS
from winnable.search.stopping import stop_array

LADDER = rungs_of(len(LEVELS))
FOUR = plain.RULES.resolve("four-suit")
DRAWN = [96, 3, -107, -27, -30, -15, -91, 74, 122, 152, 64, 1083, 8]


def test_no_beam_is_like_another_and_wider_ones_come_later():
    widths = [rung.width for rung in rungs_of(DEFAULT_EFFORT)]
    assert widths == sorted(widths)
    assert len(set(LADDER)) == len(LADDER)
    assert all(len({rung.width for rung in level}) == 1 for level in LEVELS)


def test_an_effort_goes_on_from_the_one_before():
    assert rungs_of(1) == (Rung(60),)
    assert rungs_of(len(LEVELS)) == LADDER
    for effort in range(2, len(LEVELS) + 1):
        assert rungs_of(effort)[: len(rungs_of(effort - 1))] == rungs_of(effort - 1)


def test_efforts_in_words():
    assert list(EFFORTS) == list(range(1, len(LEVELS) + 1))
    assert [effort for effort in EFFORTS if "default" in EFFORTS[effort]] == [DEFAULT_EFFORT]
    assert EFFORTS[1] == "a beam of 60 positions"
    assert EFFORTS[3] == "all of 2, then 5 beams of 150 positions"


def test_variants_are_percents_of_the_weights():
    assert len(VARIANTS) == VARIANT_COUNT == len(set(VARIANTS))
    usual = weights_table()
    assert usual.tolist() == [[term.points[stage] for term in TERMS] for stage in range(6)]
    for variant, percents in enumerate(VARIANTS):
        table = weights_table(variant)
        assert (np.abs(100 * table - usual * np.array(percents)) <= 50).all()
        assert (table[:, NOISE] > 0).all()


def test_drawn_tables_are_the_same_each_time_and_keep_their_signs():
    usual = weights_table()
    assert (weights_table(300) == weights_table(300)).all()
    assert (weights_table(300) != weights_table(301)).any()
    # As published with the studies: Python promises the same draws for ever.
    assert weights_table(300)[0].tolist() == DRAWN
    for variant in range(300, 330):
        table = weights_table(variant)
        kept = np.delete(table * usual, OFF_SUIT, axis=1)
        assert (kept > 0).all()
        assert (table[:, NOISE] == usual[:, NOISE]).all()
        assert (table[0] == table[1]).sum() > 11


@pytest.mark.compiled_only
def test_noise_and_weights_of_a_rung_count():
    task = task_of(deal(2, FOUR), FOUR)
    nodes = set()
    for rung in (Rung(60), Rung(60, noise_shift=21), Rung(60, variant=1)):
        search = Search(task, 10**9, stop_array(None))
        search.climb(rung)
        nodes.add(search.nodes)
    assert len(nodes) == 3
