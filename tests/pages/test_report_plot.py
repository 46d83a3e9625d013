"""Pictures by matplotlib: they come out, in the format asked for, and say what the figure says."""

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from winnable.errors import InputError
from winnable.pages.figures import Band, Dot, Dots, bars_of_measures, bars_of_whole_numbers
from winnable.pages.report_plot import format_of, plot, require_matplotlib

X = np.arange(20, 5000, 10)
FIGURES = [
    Dots(
        "Dots",
        "per cent",
        (
            Dot("ours", 71.2, (70.9, 71.5), "71.2", ""),
            Dot("theirs", 71.9, None, "71.9", "", ours=False),
            Dot("bound", 70.0, None, "> 70", "", ours=False, is_bound=True),
        ),
    ),
    Band("Band", "deals", "per cent", X, 60 - 99 / X, 60 + 0.0 * X, 60 + 99 / X),
    bars_of_whole_numbers({0: 12, 1: 7, 5: 1}, "Whole", "moves", "deals"),
    bars_of_measures(np.geomspace(5, 6e5, 40), 5.5, "Log", "nodes", "blocks"),
    bars_of_measures(np.full(9, 7.0), 7.0, "Equal", "nodes", "blocks"),
]


def test_all_figures_as_svg_the_same_each_time(tmp_path):
    for name in ("a", "b"):
        plot(FIGURES, tmp_path / name, "svg")
    text = (tmp_path / "a").read_bytes()
    assert text == (tmp_path / "b").read_bytes()
    assert ET.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.title)
def test_each_figure_as_png(tmp_path, figure):
    plot([figure], tmp_path / "p", "png")
    data = (tmp_path / "p").read_bytes()
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20], "big") == 1280


def test_no_screen_is_looked_for(tmp_path):
    plot(FIGURES[:1], tmp_path / "p", "png")
    assert "matplotlib.pyplot" not in sys.modules


@pytest.mark.parametrize(("name", "kind"), [("a.svg", "svg"), ("A.PNG", "png")])
def test_formats(name, kind):
    assert format_of(Path(name)) == kind


@pytest.mark.parametrize("name", ["a", "a.pdf", "svg"])
def test_other_formats(name):
    with pytest.raises(InputError, match=r"\.svg or \.png"):
        format_of(Path(name))


def test_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=r"pip install 'winnable\[plot\]'"):
        require_matplotlib()
