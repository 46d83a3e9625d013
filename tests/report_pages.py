"""Reading the pages that reports make: what is in them, and whether they are well-formed."""

import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

# Elements without an end.
VOID = {"meta", "br", "hr", "img", "input", "link"}
SVG = re.compile(r"<svg.*?</svg>", re.DOTALL)


class Page(HTMLParser):
    """A page that was read; raises AssertionError where elements are not closed in order.

    texts: what a person reads, piece by piece. tags: every element and its attributes.
    """

    def __init__(self, source):
        super().__init__()
        self.texts, self.tags, self.open = [], [], []
        self.source = source
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.texts.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())

    @property
    def charts(self):
        """The SVG elements, read as XML."""
        return [ET.fromstring(text) for text in SVG.findall(self.source)]


def checked_page(source):
    """A page, once it was seen to be well-formed, to stand alone, and to be told to all readers."""
    page = Page(source)
    assert source.startswith("<!doctype html>")
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(set(ids)) == len(ids)
    for tag, attributes in page.tags:
        assert tag not in {"script", "link", "img", "iframe", "object", "base"}
        assert not attributes.keys() & {"src", "onload", "onclick", "style", "srcset"}
        if "href" in attributes:
            assert attributes["href"].removeprefix("#") in ids
    assert "http:" not in source
    assert "https:" not in source
    assert "url(" not in source
    assert "@import" not in source
    for chart in page.charts:
        assert chart.attrib["role"] == "img"
        title, description = chart.attrib["aria-labelledby"].split()
        by_id = {each.attrib["id"]: each.text for each in chart.iter() if "id" in each.attrib}
        assert by_id[title]
        assert len(by_id[description]) > len(by_id[title])
    return page
