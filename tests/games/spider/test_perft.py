"""The plain rules still give the counts that are kept as data."""

import runpy
from pathlib import Path

import pytest

from winnable.games.spider.rules import RULES, start
from winnable.games.spider.text import parse_deals

PERFT = runpy.run_path(str(Path(__file__).with_name("perft.py")))
ROWS = PERFT["load"]()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['rules']} {row['lines'][0]}")
def test_the_counts(row):
    rules = RULES.resolve(row["rules"])
    [state] = parse_deals(row["position"])
    assert start(state, rules) == state
    # Deeper only where that is quick.
    depth = sum(lines < 6000 for lines in row["lines"])
    assert depth >= 2
    lines, positions = PERFT["counts"](state, rules, depth)
    assert (lines, positions) == (row["lines"][:depth], row["positions"][:depth])


def test_every_rule_set_is_there():
    assert sorted({row["rules"] for row in ROWS}) == sorted(RULES.names)
    assert {len(row["lines"]) for row in ROWS} == {2, 3, 4}
