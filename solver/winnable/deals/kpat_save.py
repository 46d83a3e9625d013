"""Saved games of KDE's KPat, read: XML in its present form and in the one it calls legacy.

The present form lists every position of the game as changes to the one before, from the deal on,
and marks the one that is on the table; the legacy form has just that one, pile by pile. Which
piles a game has is the game's business.

Source: ``saveFile``, ``loadFile`` and ``loadLegacyFile`` in KPat's ``dealer.cpp``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from winnable.cards import RANK_COUNT, SUIT_COUNT, Card, make_card
from winnable.errors import InputError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
RANK_NAMES = (
    *("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king"),
)


@dataclass(frozen=True)
class SavedCard:
    """A card on the table and whether it lies face up."""

    card: Card
    face_up: bool


@dataclass
class KPatSave:
    """The position that a saved game has on the table.

    game: the game's name, such as ``spider``; of a legacy save its number, such as ``17``.
    options: the game's options, in Spider the number of suits; "" when it has none.
    piles: by name (of a legacy save by number) the cards of each pile, the last one on top.
    """

    game: str
    options: str
    piles: dict[str, list[SavedCard]] = field(default_factory=dict)


def is_xml(text: str) -> bool:
    """Whether a text should be read by `read_save`."""
    return text.lstrip("\ufeff \t\r\n").startswith("<")


def read_save(text: str, games: Callable[[str], bool]) -> KPatSave:
    """The position on the table of a saved game.

    Parameters
    ----------
    text:
        The whole file.
    games:
        Whether a game of this name or number is wanted.

    Raises
    ------
    InputError
        When the text is no save of KPat's, is one of another game or has an unknown card in it.
    """
    # Imported here because few commands ever read a save.
    from xml.etree import ElementTree

    try:
        root = ElementTree.fromstring(text.lstrip("\ufeff \t\r\n"))
    except ElementTree.ParseError as error:
        raise InputError(f"This begins like a save of KPat's, but is no XML: {error}.") from None
    if root.tag not in _READERS:
        raise InputError(f"This XML begins with <{root.tag}>, so that it is no save of KPat's.")
    key, options, read = _READERS[root.tag]
    save = KPatSave(root.get(key, ""), root.get(options, ""))
    if not games(save.game):
        raise InputError(f"This is a save of another of KPat's games: {key} is '{save.game}'.")
    read(root, save)
    return save


def _read_present(root: Element, save: KPatSave) -> None:
    """Play the changes of all positions up to the current one; those after it were undone."""
    cards: dict[int, SavedCard] = {}
    piles: dict[str, list[int]] = {}
    for state in root.iter("state"):
        for move in state.iter("move"):
            _make(move, cards, piles)
        if state.get("current") == "true":
            break
    save.piles = {name: [cards[number] for number in pile] for name, pile in piles.items()}


def _make(move: Element, cards: dict[int, SavedCard], piles: dict[str, list[int]]) -> None:
    """Put the cards of a change in their places, face up or down."""
    target = piles.setdefault(move.get("pile", ""), [])
    position = _number(move, "position")
    for offset, element in enumerate(move.iter("card")):
        number = _number(element, "id")
        card = _card_of(element, number)
        before = cards.get(number)
        turned = element.get("turn", "face-up" if before and before.face_up else "face-down")
        cards[number] = SavedCard(card, turned == "face-up")
        for pile in piles.values():
            if number in pile:
                pile.remove(number)
        target.insert(position + offset, number)


def _card_of(element: Element, number: int) -> Card:
    """The card of an id, which says suit and rank, as their names do."""
    suit, rank = number >> 8 & 0xFF, (number & 0xFF) - 1
    names = (element.get("suit"), element.get("rank"))
    is_card = suit < SUIT_COUNT and 0 <= rank < RANK_COUNT
    if is_card and names == (SUIT_NAMES[suit], RANK_NAMES[rank]):
        return make_card(rank, suit)
    raise InputError(
        f"In this save of KPat's the card with the id {element.get('id')}, suit '{names[0]}' and "
        f"rank '{names[1]}' is unknown."
    )


def _read_legacy(root: Element, save: KPatSave) -> None:
    for pile in root.iter("pile"):
        cards = [_legacy_card(element) for element in pile.iter("card")]
        save.piles[str(_number(pile, "index"))] = cards


def _legacy_card(element: Element) -> SavedCard:
    suit, rank = _number(element, "suit"), _number(element, "value") - 1
    if suit < SUIT_COUNT and 0 <= rank < RANK_COUNT:
        return SavedCard(make_card(rank, suit), _number(element, "faceup") == 1)
    raise InputError(
        f"In this save of KPat's the card with suit {suit} and value {rank + 1} is unknown."
    )


def _number(element: Element, name: str) -> int:
    """An attribute that is a whole number."""
    value = element.get(name, "")
    # int() alone would also take signs, underscores and the digits of other scripts.
    if not (value.isascii() and value.isdigit() and len(value) < 12):
        raise InputError(
            f"In this save of KPat's a <{element.tag}> has '{value}' as its {name}, "
            "where a whole number is needed."
        )
    return int(value)


# Root element -> the attributes with the game and its options, and how the rest is read.
_READERS: dict[str, tuple[str, str, Callable[[Element, KPatSave], None]]] = {
    "kpat-game": ("game-type", "game-type-options", _read_present),
    "dealer": ("id", "options", _read_legacy),
}
