"""Unknown deals tried once more: settled, left, stopped, and told apart in the report."""

import sqlite3
import threading
from dataclasses import replace

import numpy as np
import pytest
from study.fake_study import (
    ENOUGH_NODES,
    SETTLED_STOCK_LEFT,
    fake_study,
    lines_of,
    stock_left_of,
    verdicts_of,
)

from winnable.errors import StoreError
from winnable.games.base import Limits
from winnable.study.plan import Span
from winnable.study.report import plain_report, summarize
from winnable.study.run import retry_unknown, run_study, to_retry
from winnable.study.store import Retry, Store

WANTED = Span(60_000, 70_000)
UNKNOWN = [n for n in range(60_000, 70_001) if verdicts_of(n, 1)[0] == 2]
ENOUGH = Limits(max_nodes=ENOUGH_NODES)


@pytest.fixture
def store(tmp_path):
    study = fake_study(best=True)
    with Store.create_or_open(tmp_path / "s.sqlite", study) as opened:
        run_study(opened, study, WANTED, 1)
        yield opened


def retry(store, limits, span=WANTED, before=lambda first, count: None, **options):
    study = fake_study(before, limits=limits, best=True)
    return retry_unknown(store, study, span, 1, **options)


def held(store, name):
    return np.concatenate([values for _, values in store.column(name)])


def test_a_higher_limit_settles_what_was_unknown(store):
    assert len(UNKNOWN) > 100
    assert retry(store, ENOUGH) == (len(UNKNOWN), len(UNKNOWN))
    verdicts = verdicts_of(WANTED.first, WANTED.count)
    left = stock_left_of(WANTED.first, WANTED.count)
    for number in UNKNOWN:
        verdicts[number - WANTED.first] = 1 - number % 2
        left[number - WANTED.first] = 255 if number % 2 else SETTLED_STOCK_LEFT
    assert np.array_equal(held(store, "verdict"), verdicts)
    assert np.array_equal(held(store, "stock_left"), left)
    totals = store.totals()
    assert totals.unknown == 0
    assert totals.winnable == (verdicts == 1).sum()
    assert totals.unwinnable == (verdicts == 0).sum()


def lines_in(store):
    return [None if text is None else tuple(text.splitlines()) for text in held(store, "solution")]


def test_the_lines_of_deals_settled_later_are_kept_too(tmp_path):
    study = fake_study(keeps=True)
    span = Span(60_000, 60_999)
    with Store.create_or_open(tmp_path / "s.sqlite", study) as store:
        run_study(store, study, span, 1)
        verdicts = verdicts_of(span.first, span.count)
        assert lines_in(store) == lines_of(span.first, verdicts)
        retry_unknown(store, replace(study, limits=ENOUGH), span, 1)
        settled = held(store, "verdict")
        assert (settled != verdicts).sum() > 5
        lines = lines_of(span.first, settled)
        assert lines_in(store) == lines
        wanted = [65535 if line is None else len(line) for line in lines]
        assert held(store, "moves").tolist() == wanted


def test_a_store_from_before_lines_were_kept_goes_on(tmp_path):
    """Its own deals have none, except where they are settled now; a report counts what there is."""
    old, new = Span(60_000, 60_499), Span(60_500, 60_999)
    with Store.create_or_open(tmp_path / "s.sqlite", fake_study()) as store:
        run_study(store, fake_study(), old, 1)
        assert "solution_moves" not in summarize(store)
    study = fake_study(keeps=True)
    with Store.create_or_open(tmp_path / "s.sqlite", study) as store:
        retry_unknown(store, replace(study, limits=ENOUGH), old, 1)
        run_study(store, study, new, 1)
        lines = lines_of(old.first, held(store, "verdict"))
        unknown = verdicts_of(old.first, old.count) == 2
        assert lines_in(store) == [
            line if number >= new.first or unknown[number - old.first] else None
            for number, line in enumerate(lines, old.first)
        ]
        moves = summarize(store)["solution_moves"]
        assert moves["solutions"] == sum(line is not None for line in lines_in(store))
        assert old.count - unknown.sum() + moves["solutions"] > new.count


def test_only_the_range_that_is_asked_for_is_tried(store):
    asked = [n for n in UNKNOWN if 65_000 <= n <= 65_999]
    seen = []
    counts = retry(
        store, ENOUGH, Span(65_000, 65_999), lambda first, count: seen.append((first, count))
    )
    assert counts == (len(asked), len(asked))
    assert seen == [(number, 1) for number in asked]
    assert list(store.unknown_numbers()) == [n for n in UNKNOWN if n not in asked]


def test_what_was_tried_in_vain_is_tried_again_only_under_a_higher_limit(store):
    assert retry(store, Limits(max_nodes=50)) == (len(UNKNOWN), 0)
    assert retry(store, Limits(max_nodes=50)) == (0, 0)
    assert retry(store, Limits(max_nodes=49)) == (0, 0)
    assert to_retry(store, WANTED, Limits(max_nodes=51)) == UNKNOWN
    assert to_retry(store, WANTED, Limits(max_seconds=1)) == UNKNOWN
    assert retry(store, ENOUGH) == (len(UNKNOWN), len(UNKNOWN))


@pytest.mark.parametrize(
    ("limits", "others", "reach"),
    [
        (Limits(5), Limits(5), True),
        (Limits(5), Limits(4), True),
        (Limits(5), Limits(6), False),
        (Limits(5, 1.0), Limits(5), False),
        (Limits(5), Limits(5, 1.0), True),
        (Limits(None, 2.0), Limits(10**9, 1.0), True),
        (Limits(10, 2.0), Limits(None, 1.0), False),
        (Limits(effort=3), Limits(effort=3), True),
        (Limits(effort=3), Limits(effort=4), False),
        (Limits(5, effort=3), Limits(effort=3), False),
        (Limits(effort=9), Limits(), False),
        (Limits(), Limits(effort=1), False),
    ],
)
def test_which_limits_reach_as_far(limits, others, reach):
    assert limits.reach(others) is reach


def test_it_stops_between_two_deals_and_keeps_what_was_settled(store):
    stop = threading.Event()
    seen = []

    def progress(deals):
        seen.append(deals)
        if len(seen) == 10:
            stop.set()

    tried, settled = retry(store, ENOUGH, on_progress=progress, stop=stop)
    assert 10 <= tried == settled < len(UNKNOWN)
    assert store.totals().unknown == len(UNKNOWN) - settled
    assert retry(store, ENOUGH) == (len(UNKNOWN) - settled, len(UNKNOWN) - settled)


def test_the_report_lists_unknown_deals_and_says_how_others_were_settled(store):
    before = summarize(store)
    assert before["unknown_numbers"] == UNKNOWN
    assert before["retried"] is None
    shown = ", ".join(map(str, UNKNOWN[:20]))
    assert f" {shown} and {len(UNKNOWN) - 20} more" in plain_report(before)

    retry(store, Limits(max_nodes=50))
    retry(store, ENOUGH, Span(60_000, 64_999))
    after = summarize(store)
    left = [n for n in UNKNOWN if n >= 65_000]
    assert after["unknown_numbers"] == left
    assert after["retried"]["deals"] == len(UNKNOWN)
    assert after["retried"]["settled"] == len(UNKNOWN) - len(left)
    assert after["retried"]["max_nodes"] == ENOUGH_NODES
    assert after["retried"]["max_seconds"] is None
    assert after["deals"] == before["deals"]
    assert after["nodes"] == before["nodes"]
    assert f"{len(UNKNOWN) - len(left)} of {len(UNKNOWN)} unknown deals" in plain_report(after)


def test_a_deal_that_is_not_there_is_not_settled(store):
    one = {"verdict": np.ones(1, np.uint8)}
    for number in (WANTED.first - 1, WANTED.last + 1):
        with pytest.raises(StoreError, match=f"deal {number} is not there"):
            store.settle(Retry(number, 1, ENOUGH, 1, 0.1), one)
    assert store.retries() == []


def test_the_effort_of_a_retry_is_kept(store):
    some = Span(60_000, 62_000)
    count = len([n for n in UNKNOWN if n <= some.last])
    more = Limits(max_nodes=50, effort=9)
    assert retry(store, more, some) == (count, 0)
    assert {kept.limits for kept in store.retries()} == {more}
    assert retry(store, more, some) == (0, 0)
    assert to_retry(store, some, Limits(max_nodes=50, effort=10)) != []
    summary = summarize(store)
    assert summary["retried"]["effort"] == 9
    assert "with up to 50 nodes and effort 9 a deal" in plain_report(summary)


def test_retries_from_before_there_were_efforts(tmp_path):
    path, study, some = tmp_path / "old.sqlite", fake_study(best=True), Span(60_000, 62_000)
    with Store.create_or_open(path, study) as store:
        run_study(store, study, some, 1)
        assert retry(store, Limits(max_nodes=50), some)[0] > 0
    connection = sqlite3.connect(path)
    connection.execute("ALTER TABLE retry DROP COLUMN effort")
    connection.commit()
    connection.close()
    with Store.open_to_read(path) as store:
        assert {kept.limits for kept in store.retries()} == {Limits(max_nodes=50)}
        assert "effort" not in summarize(store)["retried"]
    with Store.create_or_open(path, study) as store:
        assert retry(store, ENOUGH, some)[1] > 0
        assert {kept.limits for kept in store.retries()} == {ENOUGH}


def test_a_store_made_before_there_were_retries(tmp_path):
    path = tmp_path / "old.sqlite"
    study = fake_study(best=True)
    with Store.create_or_open(path, study) as store:
        run_study(store, study, WANTED, 1)
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE retry")
    connection.commit()
    connection.close()
    with Store.open_to_read(path) as store:
        assert summarize(store)["retried"] is None
    with Store.create_or_open(path, replace(study)) as store:
        assert retry(store, ENOUGH) == (len(UNKNOWN), len(UNKNOWN))
        assert len(store.retries()) == len(UNKNOWN)
