"""The beams that are tried, and what is said of them."""

import numpy as np
import pytest
from spider_positions import deal

from winnable.games.spider import rules as plain
from winnable.games.spider.evaluation import OFF_SUIT, weights_table
from winnable.games.spider.ladder import DEFAULT_EFFORT, EFFORTS, LADDER, Rung
from winnable.games.spider.solver import Search, task_of
from winnable.search.stopping import stop_array

FOUR = plain.RULES.resolve("four-suit")


def test_no_beam_is_narrower_than_the_one_before_or_like_another():
    widths = [rung.width for rung in LADDER]
    assert widths == sorted(widths)
    assert len(set(LADDER)) == len(LADDER)


def test_efforts_in_words():
    assert list(EFFORTS) == list(range(1, len(LADDER) + 1))
    assert [effort for effort in EFFORTS if "default" in EFFORTS[effort]] == [DEFAULT_EFFORT]
    assert EFFORTS[1] == "a beam of 60 positions"
    assert EFFORTS[5] == "all of 4, then a beam of 1,000 positions with other weights"


def test_a_rung_changes_one_weight_only():
    usual, other = weights_table(), weights_table(off_suit=0)
    assert (other[:, OFF_SUIT] == 0).all()
    assert (np.delete(usual, OFF_SUIT, axis=1) == np.delete(other, OFF_SUIT, axis=1)).all()
    assert (usual[:, OFF_SUIT] != 0).all()


@pytest.mark.compiled_only
def test_noise_and_weights_of_a_rung_count():
    task = task_of(deal(2, FOUR), FOUR)
    nodes = set()
    for rung in (Rung(60), Rung(60, noise_shift=21), Rung(60, off_suit=0)):
        search = Search(task, 10**9, stop_array(None))
        search.climb(rung)
        nodes.add(search.nodes)
    assert len(nodes) == 3
