"""The page of a report: well-formed, alone, and with the figures of the summaries."""

import json
from contextlib import suppress
from pathlib import Path

import pytest
from report_pages import checked_page
from study.fake_study import FakeGame, fake_study

from winnable.errors import StoreError
from winnable.games.base import Limits
from winnable.pages.report import chosen_figures, read, report_page
from winnable.study.plan import Span, Study
from winnable.study.report import interval_of, load_summaries
from winnable.study.run import retry_unknown, run_study
from winnable.study.sources import files_in, is_match, load_any
from winnable.study.store import Store

RESULTS = Path(__file__).parents[2] / "results"
LIMITS = Limits(max_nodes=5)


class SmallChunks(FakeGame):
    """The fake game in chunks of which there are enough for a distribution."""

    chunk_size = 256


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A store with all there can be: scores, solutions, deals that were tried once more."""
    path = tmp_path_factory.mktemp("report") / "a <b> & c.sqlite"
    base = fake_study(best=True, limits=LIMITS)
    study = Study(SmallChunks(keeps=True), base.rules, base.numbering, LIMITS, True)
    again = Study(SmallChunks(keeps=True), base.rules, base.numbering, Limits(max_nodes=7), True)
    with Store.create_or_open(path, study) as opened:
        run_study(opened, study, Span(0, 4999), 1)
        retry_unknown(opened, again, Span(0, 999), 1)
    return path


@pytest.fixture(scope="module")
def summary(store):
    (summary,) = load_summaries(store)
    return summary


@pytest.fixture
def summary_file(summary, tmp_path):
    """A function that writes the summary, changed, as a file."""

    def write(name="s.json", **changes):
        path = tmp_path / name
        path.write_text(json.dumps(summary | changes))
        return path

    return write


def page_of(*paths):
    return checked_page(report_page(read(paths)))


def test_the_page_of_a_store(store, summary):
    page = page_of(store)
    for key in ("deals", "winnable", "unwinnable", "unknown", "nodes"):
        assert f"{summary[key]:,}" in page.text
    assert f"{interval_of(summary)} % winnable" in page.text
    assert summary["verdict_sha256"] in page.text
    assert summary["machine"]["name"] in page.text
    assert "winnable study tripeaks 0:4999 --rules standard --max-nodes 5 --best" in page.text
    assert "winnable study tripeaks 0:4999 --rules standard --best --retry-unknown" in page.text
    for number in summary["unknown_numbers"]:
        assert str(number) in page.text
    assert f"winnable solve tripeaks {summary['unknown_numbers'][0]} --rules standard" in page.text
    titles = [chart[0].text for chart in page.charts]
    assert titles == [
        "Win rates of Tri-Peaks",
        "How the estimate settles",
        "Processor time",
        "Length of the solutions",
        "Stock left",
    ]
    # Each chart has a table, beside those of what was hard and of the rules.
    tables = sum(tag == "table" for tag, _ in page.tags)
    assert tables >= len(titles) + 4
    assert "mchung94/solitaire-player" in page.text
    assert "the longest" in page.text.lower()
    assert "The least stock left that a win has is 0, in " in page.text
    assert "tried once more" in page.text


def test_texts_are_escaped(store, summary_file):
    assert "a <b> & c.sqlite" in page_of(store).text
    evil = '"><script>alert(1)</script>'
    path = summary_file(
        rules=evil,
        numbering=evil,
        version=evil,
        solver=evil,
        verdict_sha256=evil,
        settings={evil: evil},
        machine={
            "name": evil,
            "workers": 1,
            "started": evil,
            "wall_seconds": 1,
            "cpu_seconds": 1,
            "deals_per_second": 1,
            "deals_per_cpu_second": 1,
        },
        unknown_numbers=[evil],
    )
    assert page_of(path).text.count(evil) >= 8
    assert page_of(path, store).text.count(evil) >= 8


JUNK = [None, "x", -1, 1e400, [[]], {"0": "x"}]


def places(value, path=()):
    """Every place in nested objects."""
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*path, key))


def changed(value, path, junk):
    if not path:
        return junk
    return value | {path[0]: changed(value[path[0]], path[1:], junk)}


def test_whatever_a_file_holds_there_is_a_page_or_a_sentence(summary, tmp_path):
    path = tmp_path / "s.json"
    small = summary | {"scores": {"stock_left": {"0": 5, "3": 7}}, "settings": {"wrap": "yes"}}
    pages = 0
    for place in places(small):
        for junk in JUNK:
            path.write_text(json.dumps(changed(small, place, junk)))
            # Anything else that is raised is no sentence.
            with suppress(StoreError):
                checked_page(report_page(read([path])))
                pages += 1
    assert pages > 30


def test_the_page_of_a_summary_has_what_it_holds(summary, summary_file):
    page = page_of(summary_file())
    assert [chart[0].text for chart in page.charts] == ["Win rates of Tri-Peaks", "Stock left"]
    assert f"{interval_of(summary)} % winnable" in page.text
    assert f"{summary['solution_moves']['mean']:.1f}, median" in page.text
    assert "longest solutions found" not in page.text


def test_a_page_of_several(store, summary, summary_file):
    other = summary_file("o.json", rules="open", unknown_numbers=[], verdict_sha256="0")
    page = page_of(store, other, summary_file())
    assert "Report of 2 studies" in page.text
    links = [attributes["href"] for tag, attributes in page.tags if tag == "a"]
    sections = [attributes["id"] for tag, attributes in page.tags if tag == "section"]
    assert [link.removeprefix("#") for link in links] == sections[1:]
    first = page.charts[0]
    assert first[0].text == "Win rates of Tri-Peaks"
    assert "open, with best scores" not in first[1].text
    assert "open" in first[1].text


def test_all_published_studies_on_one_page():
    files = files_in([RESULTS])
    stores = [file for file in files if file.suffix == ".sqlite"]
    found = [each for file in files if file not in stores for each in load_any(file)]
    page = page_of(*files)
    matches = [summary for summary in found if is_match(summary)]
    summaries = [summary for summary in found if not is_match(summary)]
    assert f"Report of {len(summaries)} studies and {len(matches)} matches" in page.text
    for summary in matches:
        assert f"{summary['first_wins']['count']:,} of {summary['games']:,}" in page.text
    for summary in summaries:
        assert str(interval_of(summary)) in page.text
        assert f"{summary['winnable']:,}" in page.text
    assert "Blake & Gent, JAIR 85 (2026)" in page.text
    for title in ("How the estimate settles", "Nodes of the search", "Processor time"):
        assert sum(chart[0].text == title for chart in page.charts) == len(stores) > 0


def test_the_same_files_give_the_same_page(store):
    assert report_page(read([store])) == report_page(read([store]))


def test_games_stand_together(summary_file):
    paths = [
        summary_file("a.json"),
        summary_file("b.json", game="canfield", rules="full-wrap", scores={}),
        summary_file("c.json", rules="open"),
    ]
    assert [data.summary["game"] for data in read(paths)] == ["tripeaks", "tripeaks", "canfield"]


def test_figures_by_name(store, summary_file):
    (rates,) = chosen_figures(read([store]))
    assert rates.title == "Win rates of Tri-Peaks"
    assert chosen_figures(read([store]), "rates") == [rates]
    (length,) = chosen_figures(read([store]), "length")
    assert length.title == "Length of the solutions"
    several = chosen_figures(read([store, summary_file(rules="open")]), "stock_left")
    assert [figure.title for figure in several] == [
        "Tri-Peaks, rules standard, best scores: Stock left",
        "Tri-Peaks, rules open, best scores: Stock left",
    ]


def test_a_figure_that_a_file_does_not_hold(store, summary_file):
    path = summary_file()
    with pytest.raises(StoreError) as caught:
        chosen_figures(read([path]), "settling")
    assert str(caught.value) == f"{path} has no figure 'settling', only rates, stock_left."
    with pytest.raises(StoreError, match="no figure 'nonsense', only rates, settling, time"):
        chosen_figures(read([store]), "nonsense")
