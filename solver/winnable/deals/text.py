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


def split_blocks(text: str) -> list[list[tuple[int, str]]]:
    """The lines of each block without comments, with their numbers from 1; blank lines part blocks.

    ``#`` starts a comment; a line that holds nothing else doesn't part blocks. Line ends may be
    those of any system.
    """
    blocks: list[list[tuple[int, str]]] = []
    is_inside = False
    for number, raw in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        content = raw.partition("#")[0].strip()
        if content:
            if not is_inside:
                blocks.append([])
            blocks[-1].append((number, content))
            is_inside = True
        elif not raw.strip():
            is_inside = False
    return blocks


def parse_blocks(text: str, labels: Sequence[str], mark: str | None = None) -> list[Block]:
    """The blocks of a deal text, one a deal; see `split_blocks`.

    A line without a label goes on with the pile above it. In a game that has a `mark`, it may part
    the cards under a label once.

    Raises
    ------
    InputError
        For an unreadable card, or a label or mark that is unknown or comes twice.
    """
    return [_block(lines, labels, mark) for lines in split_blocks(text)]


def _block(lines: list[tuple[int, str]], labels: Sequence[str], mark: str | None) -> Block:
    block, label = Block(lines[0][0]), ""
    for number, line in lines:
        head, colon, tail = line.partition(":")
        if colon:
            label = _checked_label(head.strip().lower(), labels, block, number)
        content = tail if colon else line
        if label:
            _add_to_pile(block, label, content, number, mark)
        else:
            block.rows.append((number, _parse_cards(content, number)))
    return block


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
