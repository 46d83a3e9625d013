"""Figures as SVG that stands in a page: no script, colours by the page's style sheet.

Every chart has a title and a description for those who can't see it. Coordinates are in a box that
is narrow enough to be read on a telephone, where it fills the width.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator

from winnable.pages.figures import Band, Bars, Dot, Dots, Figure, reach
from winnable.pages.scales import Axis

WIDTH = 400
# Of the charts with two axes: the height, and the room around the plot.
_HEIGHT = 250
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 16, 12, 44
# Of the charts with one line for each share: the room at both sides, a line's height, and in it
# the places of the words and of the dot.
_SIDE, _ROW, _WORDS, _DOT = 12, 42, 14, 28
# The width of a letter, roughly: a label may not run into the figure beside it.
_LETTER = 6.3


def svg(figure: Figure, key: str) -> str:
    """A figure as an SVG element; `key` makes its ids different from all others of the page."""
    if isinstance(figure, Dots):
        return _dots(figure, key)
    return _band(figure, key) if isinstance(figure, Band) else _bars(figure, key)


def _element(figure: Figure, key: str, height: float, parts: Iterable[str]) -> str:
    title, description = html.escape(figure.title), html.escape(figure.description)
    body = "\n".join(parts)
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {height:g}" role="img" '
        f'aria-labelledby="{key}-title {key}-desc">\n'
        f'<title id="{key}-title">{title}</title>\n<desc id="{key}-desc">{description}</desc>\n'
        f"{body}\n</svg>"
    )


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(kind: str, x: float, y: float, text: str, turn: str = "") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}"{turn}>{html.escape(text)}</text>'


# Shares


def _dots(figure: Dots, key: str) -> str:
    axis = _share_axis(figure)
    bottom = len(figure.dots) * _ROW + 4
    parts = list(_share_scale(axis, figure.axis, bottom))
    for i, dot in enumerate(figure.dots):
        parts += _share(dot, axis, i * _ROW)
    return _element(figure, key, bottom + 40, parts)


def _share_axis(figure: Dots) -> Axis:
    return Axis(*reach(figure.dots), _SIDE + 8, WIDTH - _SIDE - 8)


def _share_scale(axis: Axis, words: str, bottom: float) -> Iterator[str]:
    for value, text in axis.ticks():
        x = axis.place(value)
        yield _line("grid", x, 4, x, bottom)
        yield _text("tick middle", x, bottom + 14, text)
    yield _text("axis middle", WIDTH / 2, bottom + 32, words)


def _share(dot: Dot, axis: Axis, top: float) -> Iterator[str]:
    kind = "ours" if dot.ours else "theirs"
    room = int((WIDTH - 2 * _SIDE) / _LETTER) - len(dot.shown) - 1
    label = dot.label if len(dot.label) <= room else dot.label[: room - 1] + "…"
    yield f'<g class="{kind}"><title>{html.escape(f"{dot.label}: {dot.shown} %")}</title>'
    yield _text("label", _SIDE, top + _WORDS, label)
    yield _text("figure end", WIDTH - _SIDE, top + _WORDS, dot.shown)
    x, y = axis.place(dot.value), top + _DOT
    if dot.interval is not None:
        low, high = (axis.place(end) for end in dot.interval)
        yield _line("interval", low, y, high, y)
        yield from (_line("interval", end, y - 4, end, y + 4) for end in (low, high))
    if dot.is_bound:
        # From there on to the right.
        yield f'<path class="interval" d="M{x:.1f} {y}h26m-6 -4l6 4l-6 4" fill="none"/>'
        yield _line("interval", x, y - 5, x, y + 5)
    elif dot.ours:
        yield f'<circle class="mark" cx="{x:.1f}" cy="{y}" r="4"/>'
    else:
        yield f'<path class="mark" d="M{x:.1f} {y - 5}l5 5l-5 5l-5 -5z"/>'
    yield "</g>"


# Two axes


def _frame(x: Axis, y: Axis, figure: Band | Bars, shift: float = 0.0) -> Iterator[str]:
    """Grid, marks and words; `shift` is how far to the right the marks of x are put."""
    for value, text in y.ticks():
        place = y.place(value)
        yield _line("grid", x.start, place, x.end, place)
        yield _text("tick end", x.start - 6, place + 4, text)
    for value, text in x.ticks():
        place = x.place(value) + shift
        if place <= x.end:
            yield _line("notch", place, y.start, place, y.start + 4)
            yield _text("tick middle", place, y.start + 17, text)
    yield _line("base", x.start, y.start, x.end, y.start)
    yield _text("axis middle", (x.start + x.end) / 2, y.start + 36, figure.x_axis)
    middle = (y.start + y.end) / 2
    turn = f' transform="rotate(-90 12 {middle:.1f})"'
    yield _text("axis middle", 12, middle, figure.y_axis, turn)


def _across(low: float, high: float, log: bool, whole: bool = False) -> Axis:
    return Axis(low, high, _LEFT, WIDTH - _RIGHT, log, whole)


def _upwards(low: float, high: float, whole: bool = False) -> Axis:
    return Axis(low, high, _HEIGHT - _BOTTOM, _TOP, whole=whole)


def _band(figure: Band, key: str) -> str:
    low, high = float(figure.low.min()), float(figure.high.max())
    room = max((high - low) / 20, 0.001)
    x = _across(float(figure.x[0]), float(figure.x[-1]), log=True)
    y = _upwards(max(0.0, low - room), min(100.0, high + room))
    across = [x.place(value) for value in figure.x.tolist()]

    def path(values: list[float], places: list[float]) -> str:
        pairs = zip(places, values, strict=True)
        return "L".join(f"{place:.1f} {y.place(value):.1f}" for place, value in pairs)

    upper = path(figure.high.tolist(), across)
    lower = path(figure.low.tolist()[::-1], across[::-1])
    parts = [
        *_frame(x, y, figure),
        f'<path class="band" d="M{upper}L{lower}z"/>',
        f'<path class="line" d="M{path(figure.middle.tolist(), across)}" fill="none"/>',
    ]
    return _element(figure, key, _HEIGHT, parts)


def _bars(figure: Bars, key: str) -> str:
    edges = figure.edges.tolist()
    x = _across(edges[0], edges[-1], figure.log, figure.whole)
    y = _upwards(0.0, 1.05 * int(figure.counts.max()), whole=True)
    # A whole number is marked under the middle of its bar.
    shift = (x.place(edges[1]) - x.start) / 2 if figure.whole else 0.0
    parts = [*_frame(x, y, figure, shift), *_rectangles(figure, x, y)]
    return _element(figure, key, _HEIGHT, parts)


def _rectangles(figure: Bars, x: Axis, y: Axis) -> Iterator[str]:
    places = [x.place(edge) for edge in figure.edges.tolist()]
    for i, count in enumerate(figure.counts.tolist()):
        if not count:
            continue
        left, right = places[i], places[i + 1]
        gap = min(1.0, (right - left) / 5)
        # However few there are, they are to be seen.
        height = max(1.0, y.start - y.place(count))
        words = html.escape(f"{figure.bar_name(i)}: {count:,} {figure.y_axis}")
        yield (
            f'<rect class="bar" x="{left + gap / 2:.1f}" y="{y.start - height:.1f}" '
            f'width="{right - left - gap:.1f}" height="{height:.1f}">'
            f"<title>{words}</title></rect>"
        )
