"""Intervals: published figures, small cases and what holds for all counts."""

import math
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from winnable.study.statistics import Interval, difference, lead, share, wilson, win_rate

COUNTS = st.integers(0, 10**9)

# won, lost, unknown; as printed by Blake & Gent (JAIR 85, 2026).
PUBLISHED = [
    (7_124_239, 2_875_241, 520, "71.245 ± 0.031"),
    (35_605, 13_671, 724, "71.929 ± 1.118"),
    (819_371, 180_472, 157, "81.945 ± 0.084"),
    (6_755_771, 3_243_482, 747, "67.562 ± 0.034"),
]
PUBLISHED_IDS = ["canfield", "canfield by Wolter", "klondike", "canfield whole piles"]


@pytest.mark.parametrize(("won", "lost", "unknown", "printed"), PUBLISHED, ids=PUBLISHED_IDS)
def test_published_intervals_come_out_as_printed(won, lost, unknown, printed):
    assert str(win_rate(won, lost, unknown)) == printed


def test_the_published_interval_of_spider():
    # plspider prints 99.9886 ± 0.0114: one decimal more than we do.
    low, high = 100 * wilson(31_998, 32_000)[0], 100 * wilson(32_000, 32_000)[1]
    assert high == 100
    assert f"{low:.4f}" == "99.9772"
    ours = win_rate(31_998, 0, 2)
    assert ours.low <= 99.9772
    assert ours.high == 100
    assert ours.half < 0.0125


@pytest.mark.parametrize(("percent", "half"), [("45.109", "0.032"), ("86.944", "0.022")])
def test_golf_and_black_hole(percent, half):
    # Their counts are not printed; the share that gives the centre must give the half range too.
    won = round(float(percent) * 10**5)
    interval = win_rate(won, 10**7 - won, 0)
    assert abs(interval.center - float(percent)) < 0.0011
    assert abs(interval.half - float(half)) < 0.0011


def test_wilson_against_its_equation():
    # The ends are the proportions p with |share - p| = z * sqrt(p * (1 - p) / n).
    for successes, trials in [(1, 2), (3, 10), (97, 100), (999, 1000), (1, 10**6)]:
        for end in wilson(successes, trials):
            distance = abs(successes / trials - end)
            assert distance == pytest.approx(1.959963985 * math.sqrt(end * (1 - end) / trials))


def test_wilson_without_trials_knows_nothing():
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        ((1, 0, 0), 20.654, 100.0),
        ((0, 1, 0), 0.0, 79.346),
        ((0, 0, 1), 0.0, 100.0),
        ((500, 0, 0), 99.237, 100.0),
        ((0, 500, 0), 0.0, 0.763),
        ((0, 0, 500), 0.0, 100.0),
    ],
)
def test_one_deal_and_all_alike(counts, low, high):
    interval = win_rate(*counts)
    assert (interval.low, interval.high) == (low, high)


def test_an_unknown_deal_is_lost_for_the_low_end_and_won_for_the_high_end():
    interval = win_rate(90, 5, 5)
    assert interval.low == win_rate(90, 10, 0).low
    assert interval.high == win_rate(95, 5, 0).high
    assert interval.half > win_rate(90, 10, 0).half


def printed_parts(interval: Interval) -> tuple[Decimal, Decimal]:
    center, half = str(interval).split(" ± ")
    return Decimal(center), Decimal(half)


@given(COUNTS, COUNTS, COUNTS)
@example(7_124_239, 2_875_241, 520)
@example(10**7, 0, 0)
@example(0, 10**7, 0)
def test_what_is_printed_covers_the_interval(won, lost, unknown):
    if won + lost + unknown == 0:
        return
    interval = win_rate(won, lost, unknown)
    center, half = printed_parts(interval)
    decimals = interval.decimals
    assert decimals >= 3
    low, high = (Decimal(f"{end:.{decimals}f}") for end in (interval.low, interval.high))
    assert center - half <= low <= high <= center + half
    # ... but by no more than a unit of the last digit at each end.
    unit = Decimal(1).scaleb(-decimals)
    assert center - half >= low - unit
    assert center + half <= high + unit
    # Rounded outwards, and no further than a unit.
    exact_low = 100 * wilson(won, won + lost + unknown)[0]
    exact_high = 100 * wilson(won + unknown, won + lost + unknown)[1]
    assert exact_low - float(unit) <= interval.low <= exact_low + 1e-12
    assert exact_high - 1e-12 <= interval.high <= exact_high + float(unit)
    assert 0 <= interval.low <= interval.high <= 100


@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_wins_and_losses_mirror_each_other(won, trials):
    won = min(won, trials)
    low, high = wilson(won, trials)
    other_low, other_high = wilson(trials - won, trials)
    assert low == pytest.approx(1 - other_high, abs=1e-12)
    assert high == pytest.approx(1 - other_low, abs=1e-12)
    assert 0 <= low <= won / trials <= high <= 1


def test_more_deals_make_a_narrower_interval():
    halves = [win_rate(97 * n, 3 * n, 0).half for n in (1, 10, 100, 1000)]
    assert halves == sorted(halves, reverse=True)
    assert len(set(halves)) == 4


def test_a_difference_is_covered_as_often_as_it_says():
    """Exactly, over all counts of thirty games with draws."""
    for first, second in [(0.5, 0.4), (0.7, 0.2), (0.45, 0.45), (0.95, 0.04)]:
        drawn, covered = 1 - first - second, 0.0
        for wins in range(31):
            for losses in range(31 - wins):
                low, high = difference(wins, losses, 30)
                draws = 30 - wins - losses
                ways = math.comb(30, wins) * math.comb(30 - wins, losses)
                if low <= first - second <= high:
                    covered += ways * first**wins * second**losses * drawn**draws
        assert 0.93 < covered < 0.99


def test_a_difference_of_many_games_is_that_of_the_normal_distribution():
    low, high = difference(5_300, 4_600, 10_000)
    half = 1.959963985 * math.sqrt((0.53 + 0.46 - 0.07**2) / 10_000)
    assert (low, high) == (
        pytest.approx(0.07 - half, abs=1e-4),
        pytest.approx(0.07 + half, abs=1e-4),
    )
    assert difference(0, 0, 0)[0] < -0.97
    assert difference(0, 0, 0)[1] > 0.97
    low, high = difference(1, 0, 1)
    assert low < 0 < high <= 1


def test_shares_and_leads_are_in_per_cent():
    assert share(1, 4)["percent"] == 25
    assert share(0, 0) == {"count": 0, "percent": None, "interval": [0, 100]}
    row = lead(3, 1, 4)
    assert row["points"] == 50
    assert row["interval"] == [round(100 * end, 3) for end in difference(3, 1, 4)]
