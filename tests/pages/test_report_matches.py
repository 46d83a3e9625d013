"""Pages of games between two agents."""

import json
from pathlib import Path

import numpy as np
import pytest
from report_pages import checked_page

from winnable.deals import NUMBERINGS
from winnable.duel.agents import get_agent
from winnable.duel.game import get_duel
from winnable.duel.tables import Variant
from winnable.errors import StoreError
from winnable.pages.report import chosen_figures, read, report_page
from winnable.study.matches import Match, MatchStore, run_match, summarize
from winnable.study.plan import Span
from winnable.study.sources import load_any

RESULTS = Path(__file__).parents[2] / "results"

pytestmark = pytest.mark.compiled_only


def match(swap=True):
    rules = get_duel("zank").rules.resolve()
    agents = get_agent("random"), get_agent("greedy")
    return Match(Variant("zank", rules), NUMBERINGS["winnable"], *agents, swap)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("matches") / "m.sqlite"
    with MatchStore.create_or_open(path, match()) as opened:
        run_match(opened, match(), Span(0, 19), 1)
    return path


@pytest.fixture(scope="module")
def summary(store):
    with MatchStore.open_to_read(store) as opened:
        return summarize(opened)


def test_the_page_of_a_match(store, summary):
    page = checked_page(report_page(read([store])))
    assert "Zank-Patience, random against greedy" in page.text
    assert f"{summary['first_wins']['percent']:.2f}" in page.text
    assert "winnable duel simulate zank 0:19 --first random --second greedy --swap" in page.text
    titles = [chart[0].text for chart in page.charts]
    assert titles == ["Who wins", "Length in turns", "Length in moves"]
    assert "greedy wins when it begins" in page.charts[0][1].text


def test_lengths_are_those_of_all_games(store):
    (turns,) = chosen_figures(read([store]), "turns")
    with MatchStore.open_to_read(store) as opened:
        columns = [opened.games_column(name) for name in ("turns", "swapped_turns")]
    assert turns.counts.sum() == 40
    assert turns.facts["mean"] == pytest.approx(float(np.concatenate(columns).mean()))
    (rates,) = chosen_figures(read([store]))
    assert [dot.label for dot in rates.dots][:2] == ["random wins", "greedy wins"]


def test_a_match_without_swapped_chairs(tmp_path):
    path = tmp_path / "m.sqlite"
    with MatchStore.create_or_open(path, match(swap=False)) as opened:
        run_match(opened, match(swap=False), Span(0, 4), 1)
    (rates,) = chosen_figures(read([path]))
    assert len(rates.dots) == 2
    assert "random begins" in checked_page(report_page(read([path]))).text


def test_a_summary_of_a_match(store, summary, tmp_path):
    file = tmp_path / "m.json"
    file.write_text(json.dumps(summary))
    assert load_any(file) == [summary] == load_any(store)
    page = checked_page(report_page(read([file])))
    assert [chart[0].text for chart in page.charts] == ["Who wins"]
    assert f"{summary['turns']['mean']:.1f}" in page.text


def test_matches_and_studies_on_one_page(store):
    page = checked_page(report_page(read([store, RESULTS / "tripeaks-open.json"])))
    assert "Report of 1 study and 1 match" in page.text
    assert "Games between agents" in page.text


def test_a_summary_with_nonsense_in_it_is_refused(summary, tmp_path):
    file = tmp_path / "m.json"
    wins = summary["first_wins"]
    for change in ({"first_wins": wins | {"interval": [float("nan"), 1]}}, {"turns": {}}):
        file.write_text(json.dumps(summary | change))
        with pytest.raises(StoreError, match="does not hold"):
            load_any(file)


def test_an_empty_store_has_no_page(tmp_path):
    path = tmp_path / "m.sqlite"
    MatchStore.create_or_open(path, match()).close()
    with pytest.raises(StoreError, match="holds no games yet"):
        read([path])
