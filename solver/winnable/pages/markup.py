"""Pieces of HTML that reports are put together from; every text is escaped here."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from winnable.pages.charts import svg
from winnable.pages.figures import Bars, Figure

# What stands to the right in a table: numbers, also with a unit, a half range or an interval.
_NUMBER = re.compile(r"[\d,.\s±%\[\]k-]*\d[\d,.\s±%\[\]]*")


@dataclass(frozen=True)
class Link:
    """A text that leads to a section of the page, which has the key."""

    words: str
    key: str


Cell: TypeAlias = str | Link


def text(value: object) -> str:
    """Any value as text in a page."""
    return html.escape(str(value))


def element(tag: str, content: str, **attributes: str) -> str:
    """An element around HTML; a trailing underscore of an attribute's name is left out."""
    words = "".join(
        f' {name.rstrip("_")}="{html.escape(value)}"' for name, value in attributes.items()
    )
    return f"<{tag}{words}>{content}</{tag}>"


def paragraph(words: str, **attributes: str) -> str:
    """A paragraph of text."""
    return element("p", text(words), **attributes)


def table(heads: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """A table of texts with a line of heads, which scrolls by itself where the page is narrow."""
    top = "".join(element("th", text(head), scope="col") for head in heads)
    body = "\n".join(element("tr", "".join(map(_cell, row))) for row in rows)
    inner = f"<thead><tr>{top}</tr></thead>\n<tbody>\n{body}\n</tbody>"
    return _wide(element("table", inner))


def facts(rows: Iterable[tuple[str, str]]) -> str:
    """A table of names and what belongs to each."""
    body = "\n".join(
        element("tr", element("th", text(name), scope="row") + element("td", text(words)))
        for name, words in rows
    )
    return element("table", f"<tbody>\n{body}\n</tbody>", class_="facts")


def _wide(content: str) -> str:
    return element("div", content, class_="wide")


def _cell(value: Cell) -> str:
    if isinstance(value, Link):
        link = element("a", text(value.words), href=f"#{value.key}")
        return element("td", link, class_="name")
    if _NUMBER.fullmatch(value):
        return element("td", text(value), class_="number")
    return element("td", text(value))


def folded(words: str, content: str) -> str:
    """HTML that is shown when a person opens it."""
    return f"<details><summary>{text(words)}</summary>\n{content}\n</details>"


def code(lines: Iterable[str]) -> str:
    """Commands, one a line."""
    return element("pre", element("code", text("\n".join(lines))))


def chart(figure: Figure, key: str) -> str:
    """A figure with its title, its caption, and a table that says the same."""
    notes = [figure.caption] if figure.caption else []
    if isinstance(figure, Bars):
        notes.insert(0, figure.facts_text[:1].upper() + figure.facts_text[1:] + ".")
    caption = "".join(map(paragraph, notes)) + folded("The same as a table", table(*figure.table()))
    return (
        f"<figure>\n{element('h3', text(figure.title))}\n{svg(figure, key)}\n"
        f"{element('figcaption', caption)}\n</figure>"
    )


def charts(figures: Iterable[tuple[str, Figure]]) -> str:
    """Figures side by side where there is room; each with the key that its ids begin with."""
    drawn = "\n".join(chart(figure, key) for key, figure in figures)
    return f'<div class="figures">\n{drawn}\n</div>' if drawn else ""


def section(key: str, title: str, parts: Iterable[str]) -> str:
    """A section with a title, to which links may lead."""
    content = "\n".join(part for part in parts if part)
    return f'<section id="{key}">\n{element("h2", text(title))}\n{content}\n</section>'
