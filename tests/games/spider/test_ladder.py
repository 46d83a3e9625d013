"""The beams that are tried, and what is said of them."""

import numpy as np
import pytest
from spider_positions import deal

from winnable.games.spider import rules as plain
from winnable.games.spider.evaluation import NOISE, weights_table
from winnable.games.spider.ladder import (
    DEFAULT_EFFORT,
    EFFORTS,
    LADDER,
    LEVELS,
    OTHER_NOISE,
    Rung,
    rungs_of,
)
from winnable.games.spider.solver import Search, task_of
from winnable.games.spider.weights import TERMS, VARIANT_COUNT, VARIANTS
from winnable.search.stopping import stop_array

FOUR = plain.RULES.resolve("four-suit")


def test_no_beam_is_narrower_than_the_one_before_or_like_another():
    widths = [rung.width for rung in LADDER]
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


@pytest.mark.compiled_only
def test_noise_and_weights_of_a_rung_count():
    task = task_of(deal(2, FOUR), FOUR)
    nodes = set()
    for rung in (Rung(60), Rung(60, noise_shift=OTHER_NOISE), Rung(60, variant=1)):
        search = Search(task, 10**9, stop_array(None))
        search.climb(rung)
        nodes.add(search.nodes)
    assert len(nodes) == 3
