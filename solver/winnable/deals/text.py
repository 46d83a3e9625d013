"""Deal text as people type it: labelled lines of cards, split into lines, blocks and piles.

What the piles of a game are called and how many cards belong in them is the game's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from winnable.cards import Card, parse_card
from winnable.errors import InputError

# How a place that holds no card is written.
EMPTY_PLACE = "--"
_EMPTY_PLACES = {EMPTY_PLACE, "-", "."}


@dataclass
class Block:
    """The lines of one deal.

    line: where it begins, counted from 1.
    piles: the cards under each label.
    rows: the lines of cards before any label, each with its line number.
    marks: for each label whose cards are parted by a mark, how many of them stand before it.
    """

    line: int
    piles: dict[str, list[Card | None]] = field(default_factory=dict)
    rows: list[tuple[int, list[Card | None]]] = field(default_factory=list)
    marks: dict[str, int] = field(default_factory=dict)


def _parse_cards(text: str, line: int) -> list[Card | None]:
    cards: list[Card | None] = []
    for word in text.replace(",", " ").split():
        try:
            cards.append(None if word in _EMPTY_PLACES else parse_card(word))
        except InputError as error:
            raise InputError(f"Line {line}: {error}") from None
    return cards


def parse_blocks(text: str, labels: Sequence[str], mark: str | None = None) -> list[Block]:
    """Split deal text into blocks, one a deal; a blank line ends a block.

    A line without a label goes on with the pile above it. ``#`` starts a comment; line ends may be
    those of any system. In a game that has a `mark`, it may part the cards under a label once.

    Raises
    ------
    InputError
        For an unreadable card, or a label or mark that is unknown or comes twice.
    """
    blocks: list[Block] = []
    block: Block | None = None
    label = ""
    for number, raw in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        content = raw.partition("#")[0].strip()
        if not content:
            # A line that holds only a comment does not end a deal, a blank one does.
            if not raw.strip():
                block = None
            continue
        if block is None:
            block, label = Block(number), ""
            blocks.append(block)
        head, colon, tail = content.partition(":")
        if colon:
            label = _checked_label(head.strip().lower(), labels, block, number)
            content = tail
        if label:
            _add_to_pile(block, label, content, number, mark)
        else:
            block.rows.append((number, _parse_cards(content, number)))
    return blocks


def present_cards(cards: list[Card | None], label: str, where: str, hint: str = "") -> list[Card]:
    """The cards of a pile; the mark for an empty place stands alone or not at all.

    Raises InputError, to which a `hint` may add how an empty place of a pile is written.
    """
    if cards == [None]:
        return []
    present = [card for card in cards if card is not None]
    if len(present) < len(cards):
        raise InputError(
            f"{where}: '{EMPTY_PLACE}' in the line '{label}: …' stands for an empty pile and can't "
            f"stand beside cards{hint}."
        )
    return present


def _add_to_pile(block: Block, label: str, content: str, line: int, mark: str | None) -> None:
    pile = block.piles.setdefault(label, [])
    parts = content.split(mark) if mark else [content]
    pile.extend(_parse_cards(parts[0], line))
    for part in parts[1:]:
        if label in block.marks:
            raise InputError(f"Line {line}: '{mark}' comes twice in the pile '{label}'.")
        block.marks[label] = len(pile)
        pile.extend(_parse_cards(part, line))


def _checked_label(label: str, labels: Sequence[str], block: Block, line: int) -> str:
    if label not in labels:
        raise InputError(
            f"Line {line}: '{label}' is not the name of a pile here; known: {', '.join(labels)}."
        )
    if label in block.piles:
        raise InputError(
            f"Line {line}: '{label}' comes twice in one deal; put a blank line between two deals."
        )
    return label
