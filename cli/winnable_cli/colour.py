"""Cards in the colours of a terminal."""

from __future__ import annotations

import os
import re
import sys

from winnable.cards import SYMBOLS

# A card that stands in a column takes a second blank before it, so that all are as wide as a ten.
_FACE_UP = re.compile(rf"(?:10|(?:(?<!\S) )?[A2-9JQK])[{SYMBOLS}]")
_FACE_DOWN = re.compile(rf"\[(?:10|[A2-9JQK])[{SYMBOLS}]\]|##")
_EITHER = re.compile(f"{_FACE_DOWN.pattern}|{_FACE_UP.pattern}")
_RED = SYMBOLS[1:3]
# Grey is in every terminal's palette, bright white is not.
_BLACK_ON_GREY, _RED_ON_GREY, _DIM, _END = "\x1b[30;47m", "\x1b[31;47m", "\x1b[2m", "\x1b[0m"


def has_colours() -> bool:
    """Whether standard output is a terminal that shows colours, and the user wants them."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout is not None and sys.stdout.isatty()


def coloured(drawn: str) -> str:
    """A drawn table whose face-up cards look like cards, and whose face-down ones are dim."""
    return _EITHER.sub(_painted, drawn)


def _painted(match: re.Match[str]) -> str:
    card = match[0]
    if _FACE_DOWN.fullmatch(card):
        return f"{_DIM}{card}{_END}"
    return f"{_RED_ON_GREY if card[-1] in _RED else _BLACK_ON_GREY}{card}{_END}"
