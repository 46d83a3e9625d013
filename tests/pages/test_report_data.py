"""What reports show is what the store holds: counted here again from the deals themselves."""

import json
from pathlib import Path

import numpy as np
import pytest
from study.fake_study import (
    NODES_A_DEAL,
    FakeGame,
    fake_study,
    lines_of,
    stock_left_of,
    verdicts_of,
)

from winnable.games.base import Limits
from winnable.pages.report_data import (
    MOST_HARDEST,
    StudyData,
    comparison_figure,
    distinct,
    figures_of,
    hardest_blocks,
    hardest_retries,
    rate_figures,
    read_study,
    time_unit,
)
from winnable.study.plan import Span, Study
from winnable.study.report import load_summaries
from winnable.study.run import retry_unknown, run_study
from winnable.study.statistics import win_rate
from winnable.study.store import Store

SPANS = (Span(5, 20_000), Span(30_000, 30_009))


class SmallChunks(FakeGame):
    """The fake game with solutions, in chunks of which there are enough for a distribution."""

    chunk_size = 512


def stored(path, spans=SPANS, game=None, **options):
    study = fake_study(**options)
    if game is not None:
        study = Study(game, study.rules, study.numbering, study.limits, study.best)
    with Store.create_or_open(path, study) as store:
        for span in spans:
            run_study(store, study, span, 1)
    return path


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "s.sqlite"
    return read_study(stored(path, game=SmallChunks(keeps=True), best=True))


@pytest.fixture(scope="module")
def numbers():
    return [number for span in SPANS for number in range(span.first, span.last + 1)]


@pytest.fixture(scope="module")
def verdicts():
    return np.concatenate([verdicts_of(span.first, span.count) for span in SPANS])


def test_the_summary_is_that_of_the_store(data):
    assert [data.summary] == load_summaries(Path(data.origin))
    assert data.name == "Tri-Peaks, rules standard, best scores"


def test_the_estimate_settles_in_number_order(data, verdicts):
    deals = [each.deals for each in data.settling]
    assert deals == sorted(set(deals))
    assert (deals[0], deals[-1]) == (20, len(verdicts))
    assert 50 < len(deals) <= 100
    for each in data.settling:
        lost, won, unknown = np.bincount(verdicts[: each.deals], minlength=3).tolist()
        assert each.rate == win_rate(won, lost, unknown)


def test_few_deals_settle_nothing(tmp_path):
    data = read_study(stored(tmp_path / "s.sqlite", [Span(0, 3)]))
    assert [each.deals for each in data.settling] == [4]
    assert figures_of(data) == {}
    assert hardest_blocks(data) == []


def test_lengths_and_the_longest(data, numbers):
    lines = [
        line for span in SPANS for line in lines_of(span.first, verdicts_of(span.first, span.count))
    ]
    lengths = {n: len(line) for n, line in zip(numbers, lines, strict=True) if line is not None}
    assert sum(data.lengths.values()) == len(lengths)
    assert data.lengths[299] == sum(length == 299 for length in lengths.values())
    longest = [number for number in numbers if lengths.get(number) == 299]
    assert data.longest == [(number, 299) for number in longest[:MOST_HARDEST]]


def test_the_lowest_scores(data, numbers):
    left = np.concatenate([stock_left_of(span.first, span.count) for span in SPANS])
    zero = [number for number, value in zip(numbers, left.tolist(), strict=True) if value == 0]
    lowest = data.lowest["stock_left"]
    assert (lowest.score, lowest.count) == (0, len(zero))
    assert lowest.numbers == zero[:MOST_HARDEST]


def test_figures_of_a_store(data, verdicts):
    figures = figures_of(data)
    # Every deal of the fake takes the same nodes: nothing to tell blocks apart by.
    assert list(figures) == ["settling", "time", "length", "stock_left"]
    assert figures["length"].counts.sum() == (verdicts == 1).sum()
    assert figures["stock_left"].counts.sum() == (verdicts == 1).sum()
    assert figures["stock_left"].caption.startswith("Stock cards left over")
    assert figures["time"].counts.sum() == len(data.chunks)
    assert figures["time"].caption == (
        "Means of blocks of up to 512 deals, as it is not kept by deal."
    )
    assert figures["settling"].x[-1] == len(verdicts)
    rate = data.settling[-1].rate
    assert (figures["settling"].low[-1], figures["settling"].high[-1]) == (rate.low, rate.high)


def test_nodes_by_block(tmp_path):
    class Uneven(SmallChunks):
        def batch(self, *args):
            batch = super().batch(*args)
            solve = batch.solve

            def uneven(first, count):
                answers = solve(first, count)
                return type(answers)(answers.columns, NODES_A_DEAL * count + first)

            batch.solve = uneven
            return batch

    data = read_study(stored(tmp_path / "s.sqlite", [Span(0, 9999)], game=Uneven()))
    chunks = data.chunks
    assert sum(chunk.nodes for chunk in chunks) == data.summary["nodes"]
    figure = figures_of(data)["nodes"]
    assert figure.counts.sum() == len(chunks) == 20
    assert figure.facts["mean"] == data.summary["nodes"] / 10_000
    assert figure.facts["most"] == max(chunk.nodes / chunk.count for chunk in chunks)
    hardest = hardest_blocks(data)
    assert len(hardest) == MOST_HARDEST
    assert hardest[0].first == 9728
    means = [chunk.nodes / chunk.count for chunk in hardest]
    assert means == sorted(means, reverse=True)


def test_retries(tmp_path):
    path = stored(tmp_path / "s.sqlite", [Span(0, 999)], limits=Limits(max_nodes=5))
    again = fake_study(limits=Limits(max_nodes=6))
    with Store.create_or_open(path, fake_study(limits=Limits(max_nodes=5))) as store:
        retry_unknown(store, again, Span(0, 999), 1)
    data = read_study(path)
    unknown = np.flatnonzero(verdicts_of(0, 1000) == 2).tolist()
    assert [retry.number for retry in data.retries] == unknown
    assert len(hardest_retries(data)) == min(MOST_HARDEST, len(unknown))


def from_summary(data, **changes):
    return StudyData(json.loads(json.dumps(data.summary)) | changes, "s.json")


def test_figures_of_a_summary_are_those_it_holds(data):
    summary = from_summary(data)
    assert list(figures_of(summary)) == ["stock_left"]
    assert figures_of(summary)["stock_left"].description == (
        figures_of(data)["stock_left"].description
    )
    (ours,), (theirs,) = rate_figures([data]), rate_figures([summary])
    assert ours == theirs


def test_rates_of_several_games_and_rules(data):
    other = from_summary(data, rules="open", best=False, numbering="pysol")
    canfield = from_summary(data, game="canfield", rules="full-wrap", best=False)
    tripeaks, second = rate_figures([other, canfield, data])
    assert (tripeaks.title, second.title) == ("Win rates of Tri-Peaks", "Win rates of Canfield")
    labels = [dot.label for dot in tripeaks.dots]
    assert labels == [
        "open, numbering pysol",
        "standard, with best scores",
        "mchung94/solitaire-player",
        "playsolitaire.io",
        "Robert Hogue, the game's inventor, 1989",
    ]
    assert [dot.ours for dot in tripeaks.dots] == [True, True, False, False, False]
    assert "diamonds" in tripeaks.caption
    assert len(second.dots) == 1
    assert "diamonds" not in second.caption
    rate = data.summary["win_rate_percent"]
    assert tripeaks.dots[1].interval == (rate["low"], rate["high"])
    assert tripeaks.dots[1].value == rate["center"]


def test_what_others_published_for_the_same_rules(data):
    assert [dot.value for dot in comparison_figure(data).dots[1:]] == [97.13, 96.6]
    assert comparison_figure(from_summary(data, rules="open")) is None


def test_of_a_store_and_its_summary_the_store_stays(data):
    summary = from_summary(data, machine={}, version="0.0.9")
    assert distinct([summary, data]) == [data]
    assert distinct([data, summary]) == [data]
    other = from_summary(data, verdict_sha256="0")
    assert distinct([summary, other]) == [summary, other]


@pytest.mark.parametrize(
    ("seconds", "unit"),
    [(2.5, (1.0, "seconds")), (0.002, (1e3, "milliseconds")), (3e-6, (1e6, "microseconds"))],
)
def test_units_of_time(seconds, unit):
    assert time_unit(seconds) == unit
