"""Reports: the numbers in them, and the forms in which they are printed and read again."""

import csv
import hashlib
import io
import json
import statistics

import numpy as np
import pytest
from study.fake_study import fake_study, lines_of, stock_left_of, verdicts_of, without_machine

from winnable.errors import StoreError
from winnable.games.base import Limits
from winnable.study.plan import Span
from winnable.study.published import PUBLISHED, Published, published_for
from winnable.study.report import (
    interval_of,
    load_summaries,
    markdown_table,
    numbers_of,
    plain_report,
    summarize,
)
from winnable.study.rows import write_csv
from winnable.study.run import run_study
from winnable.study.statistics import win_rate
from winnable.study.store import Store

SPANS = (Span(5, 70_000), Span(100_000, 100_009))
WORDS = ("unwinnable", "winnable", "unknown")


def stored(path, spans=SPANS, **options):
    study = fake_study(**options)
    with Store.create_or_open(path, study) as store:
        for span in spans:
            run_study(store, study, span, 2)
    return path


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return stored(tmp_path_factory.mktemp("report") / "s.sqlite", best=True)


@pytest.fixture(scope="module")
def summary(path):
    with Store.open_to_read(path) as store:
        return summarize(store)


def all_verdicts():
    return np.concatenate([verdicts_of(span.first, span.count) for span in SPANS])


def test_counts_and_interval(summary):
    verdicts = all_verdicts()
    counts = {word: int((verdicts == code).sum()) for code, word in enumerate(WORDS)}
    assert {word: summary[word] for word in WORDS} == counts
    assert summary["deals"] == len(verdicts) == sum(counts.values())
    interval = win_rate(counts["winnable"], counts["unwinnable"], counts["unknown"])
    assert interval_of(summary) == interval
    assert summary["numbers"] == [[5, 70_000], [100_000, 100_009]]
    assert numbers_of(summary) == "5 to 70,000, 100,000 to 100,009"


def test_the_digest_is_that_of_the_verdict_bytes(summary):
    assert summary["verdict_sha256"] == hashlib.sha256(all_verdicts().tobytes()).hexdigest()


def test_what_identifies_the_study(summary):
    identity = fake_study(best=True).identity()
    assert {key: summary[key] for key in identity} == identity


def test_only_the_machine_differs_between_two_runs(summary, tmp_path):
    with Store.open_to_read(stored(tmp_path / "s.sqlite", best=True)) as store:
        again = summarize(store)
    assert without_machine(again) == without_machine(summary)
    machine = summary["machine"]
    assert set(machine) == set(again["machine"])
    assert machine["workers"] == 2
    assert machine["wall_seconds"] > 0
    assert machine["deals_per_second"] > 0


def test_the_plain_report(summary):
    text = plain_report(summary)
    rows = dict(line.split(None, 1) for line in text.splitlines()[1:])
    assert text.splitlines()[0] == "Tri-Peaks"
    assert rows["rules"] == "standard (wrap=yes, waste=turned)"
    assert rows["deals"] == "70,006"
    for word in WORDS:
        assert rows[word] == f"{summary[word]:,}"
    assert f"{interval_of(summary)} %" in text
    assert "97.13 %   (1,457 of 1,500; mchung94/solitaire-player)" in text
    left = np.concatenate([stock_left_of(span.first, span.count) for span in SPANS])
    assert f"{left[left != 255].mean():.3f}, most 23 " in text
    assert "most 23" in text


def test_the_lengths_of_kept_solutions(tmp_path):
    path = stored(tmp_path / "s.sqlite", spans=[Span(5, 999)], keeps=True)
    (found,) = load_summaries(path)
    lengths = [len(line) for line in lines_of(5, verdicts_of(5, 995)) if line is not None]
    assert found["solution_moves"] == {
        "solutions": len(lengths),
        "mean": round(statistics.mean(lengths), 3),
        "median": statistics.median(lengths),
        "longest": 299,
    }
    assert found["scores"] == {}
    row = f"mean moves  {statistics.mean(lengths):.1f}, median {statistics.median(lengths):g}, "
    assert f"{row}longest 299   ({len(lengths)} solutions" in plain_report(found)
    out = io.StringIO()
    with Store.open_to_read(path) as store:
        write_csv(store, out)
    assert out.getvalue().startswith(
        "number,verdict,moves\n5,unknown,\n6,winnable,6\n7,winnable,7\n"
    )


def test_without_a_win_there_is_no_length(tmp_path):
    (found,) = load_summaries(stored(tmp_path / "s.sqlite", spans=[Span(0, 0)], keeps=True))
    assert found["unwinnable"] == 1
    assert "solution_moves" not in found


def test_limits_are_told(tmp_path):
    path = stored(tmp_path / "s.sqlite", limits=Limits(max_nodes=12_345, max_seconds=0.5))
    (found,) = load_summaries(path)
    text = plain_report(found)
    assert "12,345 a deal" in text
    assert "0.5 a deal" in text


def test_a_summary_file_gives_the_same_tables(path, summary, tmp_path):
    file = tmp_path / "summary.json"
    file.write_text(json.dumps(summary))
    assert load_summaries(file) == [summary] == load_summaries(path)


def test_a_file_of_several_summaries(summary, tmp_path):
    file = tmp_path / "summaries.json"
    file.write_text(f"{json.dumps(summary)}\n{json.dumps(summary | {'deals': 1})}\n")
    assert [each["deals"] for each in load_summaries(file)] == [summary["deals"], 1]


def test_the_markdown_table(summary, tmp_path):
    (other,) = load_summaries(stored(tmp_path / "s.sqlite", spans=[Span(0, 99)], rules="open"))
    lines = markdown_table([summary, other]).splitlines()
    assert len({line.count("|") for line in lines}) == 1
    ours, theirs = lines[2:4], lines[4:]
    assert "`standard`" in ours[0]
    assert f"**{interval_of(summary)}**" in ours[0]
    assert "`open`" in ours[1]
    # Every published figure once, although two rows would name the one without rules.
    assert len(theirs) == sum(row.game == "tripeaks" for row in PUBLISHED)
    assert sum("Robert Hogue" in line for line in theirs) == 1


def test_published_figures_belong_to_their_rules():
    assert {row.rules for row in published_for("tripeaks", "standard")} == {"standard", None}
    assert {row.rules for row in published_for("tripeaks", "open")} == {None}
    assert published_for("chess", "standard") == []


@pytest.mark.parametrize(
    ("rate", "deals", "percent", "interval"),
    [
        ("71.245 ± 0.031", "7,124,239 of 10,000,000, 520 unknown", 71.245, (71.214, 71.276)),
        ("97.13", "1,457 of 1,500", 97.13, (96.161, 97.865)),
        ("50", "10 of 20, 10 unknown", 50.0, (29.930, 100.0)),
        ("96.6", "1,000", 96.6, (95.287, 97.557)),
        ("> 90", "not stated", 90.0, None),
    ],
)
def test_published_figures_as_numbers(rate, deals, percent, interval):
    row = Published("tripeaks", None, rate, deals, "somebody")
    assert row.percent == percent
    assert row.is_bound == rate.startswith(">")
    assert row.interval == (None if interval is None else pytest.approx(interval, abs=1e-3))


def test_all_published_figures_can_be_drawn():
    for row in PUBLISHED:
        assert 0 < row.percent < 100
        if row.interval is not None:
            low, high = row.interval
            assert low < row.percent < high


def test_a_published_figure_that_is_none():
    with pytest.raises(ValueError, match="'about half' is no rate"):
        _ = Published("tripeaks", None, "about half", "10", "somebody").percent


def test_csv_has_every_deal(path):
    out = io.StringIO()
    with Store.open_to_read(path) as store:
        write_csv(store, out)
    head, *rows = csv.reader(io.StringIO(out.getvalue()))
    assert head == ["number", "verdict", "stock_left"]
    numbers = [number for span in SPANS for number in range(span.first, span.last + 1)]
    left = np.concatenate([stock_left_of(span.first, span.count) for span in SPANS])
    assert [int(row[0]) for row in rows] == numbers
    assert [row[1] for row in rows] == [WORDS[code] for code in all_verdicts()]
    assert [row[2] for row in rows] == ["" if v == 255 else str(v) for v in left]


def test_csv_without_scores(tmp_path):
    out = io.StringIO()
    with Store.open_to_read(stored(tmp_path / "s.sqlite", spans=[Span(0, 1)])) as store:
        write_csv(store, out)
    assert out.getvalue() == "number,verdict\n0,unwinnable\n1,winnable\n"


UNUSABLE = {
    "empty": "",
    "prose": "nonsense",
    "list": "[]",
    "number": "3",
    "null": "null",
    "no keys": "{}",
    "one key": '{"game": "tripeaks"}',
    "list of keys": '["game", "rules", "deals", "win_rate_percent"]',
    "few keys": '{"game": "tripeaks", "rules": "a", "deals": 1, "win_rate_percent": {}}',
    "wrong type": '{"game": "tripeaks", "rules": "a", "deals": 1, "win_rate_percent": 5}',
    "nested": '{"a":' * 100_000,
}


@pytest.mark.parametrize(
    "changes",
    [
        {"win_rate_percent": {"low": 9.0, "high": 8.0, "center": 8.5, "half": 1.0, "decimals": 3}},
        {"win_rate_percent": {key: float("nan") for key in ("low", "high", "center", "half")}},
        {"version": None},
    ],
)
def test_summaries_with_nonsense_in_them(summary, tmp_path, changes):
    kept = {key: value for key, value in (summary | changes).items() if value is not None}
    if "win_rate_percent" in changes:
        kept["win_rate_percent"].setdefault("decimals", 3)
    file = tmp_path / "summary.json"
    file.write_text(json.dumps(kept))
    with pytest.raises(StoreError, match="does not hold"):
        load_summaries(file)


@pytest.mark.parametrize("text", UNUSABLE.values(), ids=UNUSABLE)
def test_unusable_summary_files(tmp_path, text):
    file = tmp_path / "summary.json"
    file.write_text(text)
    with pytest.raises(StoreError) as caught:
        load_summaries(file)
    assert str(file) in str(caught.value)


def test_a_missing_summary_file_is_called_missing(tmp_path):
    with pytest.raises(StoreError, match=r"(?i)there is no|no such file|not exist"):
        load_summaries(tmp_path / "summary.json")


def test_a_summary_is_one_moment_of_a_growing_store(tmp_path, monkeypatch):
    study = fake_study()
    path = tmp_path / "s.sqlite"
    with Store.create_or_open(path, study) as writer:
        run_study(writer, study, Span(0, 99), 1)
        covered = Store.covered

        def covered_late(self):
            monkeypatch.undo()
            run_study(writer, study, Span(0, 199), 1)
            return covered(self)

        monkeypatch.setattr(Store, "covered", covered_late)
        with Store.open_to_read(path) as reader:
            summary = summarize(reader)
    spans = [Span(*pair) for pair in summary["numbers"]]
    assert summary["deals"] == sum(span.count for span in spans)
    verdicts = np.concatenate([verdicts_of(span.first, span.count) for span in spans])
    assert summary["verdict_sha256"] == hashlib.sha256(verdicts.tobytes()).hexdigest()
