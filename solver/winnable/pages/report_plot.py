"""Figures as pictures for papers and slides. Needs matplotlib, the extra `plot`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from winnable.errors import InputError
from winnable.pages.figures import Band, Bars, Dots, Figure, reach
from winnable.pages.scales import Axis, compact

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMATS = ("svg", "png")

_OURS, _THEIRS = "#0b63b5", "#a8500a"
# In inches: a panel's width and height, the height of a line of dots and that of what is below.
_WIDTH, _HEIGHT, _ROW, _FOOT = 6.4, 3.4, 0.36, 0.9
_DOTS_PER_INCH = 200


def format_of(path: Path) -> str:
    """The format that a file's name asks for; raises InputError for one that can't be drawn."""
    name = path.suffix.removeprefix(".").lower()
    if name not in FORMATS:
        endings = " or ".join(f".{each}" for each in FORMATS)
        raise InputError(f"A picture's name ends in {endings}, not as in {path.name}.")
    return name


def require_matplotlib() -> None:
    """Raise InputError, with what to do, unless matplotlib is there."""
    try:
        import matplotlib  # noqa: F401
    except ModuleNotFoundError:
        raise InputError(
            "--plot needs matplotlib, which is not installed: pip install 'winnable[plot]'."
        ) from None


def plot(figures: Sequence[Figure], path: Path, kind: str) -> None:
    """Draw figures one below the other into a file of a kind of `FORMATS`.

    The same figures give the same file.

    Raises
    ------
    InputError
        When matplotlib is not installed.
    OSError
        When the file can't be written.
    """
    require_matplotlib()
    from matplotlib import rc_context

    # Not pyplot, which looks for a screen and keeps what it drew.
    from matplotlib.figure import Figure as Canvas

    heights = [_height(figure) for figure in figures]
    with rc_context({"svg.hashsalt": "winnable", "font.size": 9}):
        canvas = Canvas((_WIDTH, sum(heights)), layout="constrained")
        panels = canvas.subplots(len(figures), 1, squeeze=False, height_ratios=heights)
        for axes, figure in zip(panels[:, 0], figures, strict=True):
            axes.set_title(figure.title)
            _draw(axes, figure)
        canvas.savefig(path, format=kind, dpi=_DOTS_PER_INCH, metadata=_metadata(kind))


def _metadata(kind: str) -> dict[str, Any]:
    """Without what differs from run to run."""
    return {"Date": None} if kind == "svg" else {"Software": None}


def _height(figure: Figure) -> float:
    return _FOOT + _ROW * len(figure.dots) if isinstance(figure, Dots) else _HEIGHT


def _draw(axes: Axes, figure: Figure) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    if isinstance(figure, Dots):
        _draw_dots(axes, figure)
        return
    axes.set_xlabel(figure.x_axis)
    axes.set_ylabel(figure.y_axis)
    if isinstance(figure, Band):
        _draw_band(axes, figure)
    else:
        _draw_bars(axes, figure)


def _draw_dots(axes: Axes, figure: Dots) -> None:
    for row, dot in enumerate(figure.dots):
        colour, face = (_OURS, _OURS) if dot.ours else (_THEIRS, "white")
        ends = dot.interval or (dot.value, dot.value)
        axes.errorbar(
            dot.value,
            row,
            xerr=[[dot.value - ends[0]], [ends[1] - dot.value]],
            fmt=">" if dot.is_bound else "o" if dot.ours else "D",
            color=colour,
            markerfacecolor=face,
            markersize=5,
            capsize=3,
        )
    axes.set_xlim(*reach(figure.dots))
    axes.set_yticks(range(len(figure.dots)), [f"{dot.label}\n{dot.shown}" for dot in figure.dots])
    axes.set_ylim(len(figure.dots) - 0.5, -0.5)
    axes.set_xlabel(figure.axis)
    axes.grid(axis="x", alpha=0.4)


def _draw_band(axes: Axes, figure: Band) -> None:
    axes.fill_between(figure.x, figure.low, figure.high, color=_OURS, alpha=0.25, linewidth=0)
    axes.plot(figure.x, figure.middle, color=_OURS)
    _log_scale(axes, float(figure.x[0]), float(figure.x[-1]))
    axes.grid(alpha=0.4)


def _draw_bars(axes: Axes, figure: Bars) -> None:
    left = figure.edges[:-1] - (0.5 if figure.whole else 0.0)
    widths = np.diff(figure.edges)
    axes.bar(left, figure.counts, widths, align="edge", color=_OURS, edgecolor="white")
    if figure.log:
        _log_scale(axes, float(figure.edges[0]), float(figure.edges[-1]))
    axes.yaxis.set_major_formatter(lambda value, place: compact(value))
    axes.set_axisbelow(True)
    axes.grid(axis="y", alpha=0.4)


def _log_scale(axes: Axes, low: float, high: float) -> None:
    """A log scale with the marks that pages have, in place of powers of ten."""
    values, words = zip(*Axis(low, high, 0.0, 1.0, log=True).ticks(), strict=True)
    axes.set_xscale("log")
    axes.set_xlim(low, high)
    axes.set_xticks(values, words)
    axes.set_xticks([], minor=True)
