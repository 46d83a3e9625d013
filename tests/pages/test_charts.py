"""Charts: read as XML, with everything where it belongs and within the picture."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from winnable.pages.charts import WIDTH, svg
from winnable.pages.figures import Band, Dot, Dots, bars_of_measures, bars_of_whole_numbers

NASTY = '<b>"A & B"</b>'
X = np.unique(np.geomspace(20, 5000, 50).astype(np.int64))
FIGURES = {
    "dots": Dots(
        NASTY,
        NASTY,
        (
            Dot(NASTY, 71.2, (70.9, 71.5), NASTY, NASTY),
            Dot("theirs", 71.9, (70.8, 73.0), "71.9 ± 1.1", "", ours=False),
            Dot("bound", 70.0, None, "> 70", "", ours=False, is_bound=True),
            Dot("bare", 72.0, None, "72", "", ours=False),
        ),
    ),
    "one dot": Dots("T", "per cent", (Dot("a", 100.0, (100.0, 100.0), "100", ""),)),
    "band": Band(NASTY, NASTY, NASTY, X, 60 - 99 / X, 60 + 0.0 * X, 60 + 99 / X),
    "whole": bars_of_whole_numbers({0: 12, 1: 7, 5: 1}, NASTY, NASTY, NASTY),
    "one bar": bars_of_whole_numbers({7: 3}, "T", "moves", "deals"),
    "wide": bars_of_whole_numbers({20: 3, 900: 1}, "T", "moves", "deals"),
    "measures": bars_of_measures(np.linspace(5, 6, 40), 5.5, NASTY, NASTY, NASTY),
    "log": bars_of_measures(np.geomspace(5, 6e5, 40), 5.5, "T", "nodes", "blocks"),
    "equal": bars_of_measures(np.full(9, 7.0), 7.0, "T", "nodes", "blocks"),
}
each_figure = pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)


def drawn(figure):
    return ET.fromstring(svg(figure, "key"))


def of(chart, tag, kind):
    return [each for each in chart.iter(tag) if kind in each.attrib.get("class", "").split()]


@each_figure
def test_a_chart_is_named_described_and_without_foreign_markup(figure):
    chart = drawn(figure)
    assert chart.attrib["aria-labelledby"] == "key-title key-desc"
    assert chart[0].text == figure.title
    assert chart[1].text == figure.description
    known = {"svg", "title", "desc", "g", "line", "path", "circle", "rect", "text"}
    assert {each.tag for each in chart.iter()} <= known


@each_figure
def test_everything_is_within_the_picture(figure):
    chart = drawn(figure)
    left, top, width, height = (float(part) for part in chart.attrib["viewBox"].split())
    assert (left, top, width) == (0, 0, WIDTH)
    for each in chart.iter():
        for key, most in (("x", width), ("x1", width), ("x2", width), ("cx", width)):
            assert 0 <= float(each.attrib.get(key, 0)) <= most
        for key in ("y", "y1", "y2", "cy"):
            assert 0 <= float(each.attrib.get(key, 0)) <= height
        if each.tag == "path" and "h" not in each.attrib["d"] and "l" not in each.attrib["d"]:
            numbers = [float(word) for word in re.findall(r"[\d.]+", each.attrib["d"])]
            assert all(0 <= x <= width for x in numbers[::2])
            assert all(0 <= y <= height for y in numbers[1::2])


def test_bars_are_as_high_as_their_counts():
    figure = FIGURES["whole"]
    bars = of(drawn(figure), "rect", "bar")
    heights = [float(bar.attrib["height"]) for bar in bars]
    assert heights[0] / heights[1] == pytest.approx(12 / 7, rel=0.01)
    assert [bar[0].text for bar in bars] == [
        f"{n}: {c} {NASTY}" for n, c in ((0, 12), (1, 7), (5, 1))
    ]
    # Bars of one width stand in their order.
    lefts = [float(bar.attrib["x"]) for bar in bars]
    assert lefts[2] - lefts[0] == pytest.approx(5 * (lefts[1] - lefts[0]), abs=0.3)


def test_marks_of_whole_numbers_are_under_the_middle_of_their_bars():
    chart = drawn(FIGURES["whole"])
    bar = of(chart, "rect", "bar")[0]
    middle = float(bar.attrib["x"]) + float(bar.attrib["width"]) / 2
    (zero,) = (each for each in of(chart, "text", "middle") if each.text == "0")
    assert float(zero.attrib["x"]) == pytest.approx(middle, abs=0.2)


def test_dots_lie_in_their_intervals_on_one_scale():
    chart = drawn(FIGURES["dots"])
    ours, theirs, bound, bare = chart.iter("g")
    assert [each.attrib["class"] for each in (ours, theirs)] == ["ours", "theirs"]
    line = of(ours, "line", "interval")[0]
    low, high = float(line.attrib["x1"]), float(line.attrib["x2"])
    mark = float(ours.find("circle").attrib["cx"])
    assert mark == pytest.approx((low + high) / 2, abs=0.2)
    a_percent = (high - low) / 0.6
    (diamond,) = of(theirs, "path", "mark")
    x = float(diamond.attrib["d"][1:].split()[0])
    assert x - mark == pytest.approx(0.7 * a_percent, abs=0.5)
    assert of(bound, "path", "mark") == []
    assert of(bare, "line", "interval") == []
    assert [each.text for each in of(ours, "text", "label")] == [NASTY]


def test_a_long_label_is_cut_and_told_in_full_to_who_points_at_it():
    long = "a name that is longer than any line of a chart could ever be"
    chart = drawn(Dots("T", "%", (Dot(long, 5.0, (4.0, 6.0), "5.0 ± 1.0", ""),)))
    (label,) = of(chart, "text", "label")
    assert label.text.endswith("…")
    assert long.startswith(label.text[:-1])
    assert next(chart.iter("g"))[0].text == f"{long}: 5.0 ± 1.0 %"


def test_a_band_is_closed_and_has_every_point_twice():
    chart = drawn(FIGURES["band"])
    (band,), (line,) = of(chart, "path", "band"), of(chart, "path", "line")
    assert band.attrib["d"].endswith("z")
    assert len(re.split("[ML]", band.attrib["d"])) - 1 == 2 * len(X)
    assert len(re.split("[ML]", line.attrib["d"])) - 1 == len(X)
