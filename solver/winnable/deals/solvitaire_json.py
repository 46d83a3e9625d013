"""Solvitaire's deal files: JSON objects with lists of cards, read and written.

The piles are ``tableau piles`` (a list of lists), ``foundations``, ``reserve``, ``stock`` and
``waste``, each with its top card last; of the stock the last card is turned first. Which of them
a game has, and how long they are, is the game's business.

Source: Solvitaire's ``deal_parser.cpp``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from winnable.cards import RANKS, SUITS, Card, parse_card, rank_of, suit_of
from winnable.errors import InputError

TABLEAU = "tableau piles"
PILES = ("foundations", "reserve", "stock", "waste")
# Piles of Solvitaire's other games.
OTHER_PILES = ("cells", "hole", "sequences", "accordion")
# Ranks that Solvitaire reads as numbers, and 0 to 9 with one digit.
_NUMBERED = {"1": "A", "11": "J", "12": "Q", "13": "K"}
_PRINTED_HEADERS = ("--- foundations", "--- tableau piles", "--- reserve", "--- stock")


@dataclass(frozen=True)
class SolvitaireDeal:
    """The piles of a file, top card last; of the stock the last card is turned first.

    face_down: for each card of each tableau pile whether it was marked as face down, which a small
        letter for its suit does. Games in which no card can be take no notice.
    """

    tableau: Sequence[Sequence[Card]]
    foundations: Sequence[Card] = field(default_factory=tuple)
    reserve: Sequence[Card] = field(default_factory=tuple)
    stock: Sequence[Card] = field(default_factory=tuple)
    waste: Sequence[Card] = field(default_factory=tuple)
    face_down: Sequence[Sequence[bool]] = field(default_factory=tuple)


def is_json(text: str) -> bool:
    """Whether a text should be read by `read_deals`."""
    return text.lstrip("\ufeff \t\r\n").startswith("{")


def refuse_printed(text: str) -> None:
    """Refuse the table that Solvitaire prints, which has no form that can be read back.

    Raises
    ------
    InputError
        When the text has such a table's headings.
    """
    for line in text.lower().splitlines():
        if line.strip().startswith(_PRINTED_HEADERS):
            raise InputError(
                "This is a table as Solvitaire prints it, which can't be read back: use the "
                "deal's seed with the numbering 'solvitaire', or a JSON deal as Solvitaire reads."
            )


def read_deals(text: str) -> list[SolvitaireDeal]:
    """The deals of a text of one or more JSON objects.

    Raises
    ------
    InputError
        When it is no JSON, or has other piles, shapes or cards than Solvitaire's deals.
    """
    deals: list[SolvitaireDeal] = []
    rest = text.lstrip("\ufeff \t\r\n")
    while rest:
        try:
            value, end = json.JSONDecoder(object_pairs_hook=_no_key_twice).raw_decode(rest)
        except InputError:
            raise
        except (ValueError, RecursionError) as error:
            raise InputError(f"This begins like a JSON deal, but is no JSON: {error}.") from None
        deals.append(_read_deal(value, f"JSON deal {len(deals) + 1}"))
        rest = rest[end:].lstrip(" \t\r\n,")
    return deals


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object as a dictionary; JSON's own reader would drop the first of two piles."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise InputError(f"In a JSON deal the pile '{name}' comes twice.")
        found[name] = value
    return found


def _read_deal(value: Any, where: str) -> SolvitaireDeal:
    if not isinstance(value, dict):
        raise InputError(f'{where}: an object of piles is needed, {{"{TABLEAU}": …}}.')
    for name in value:
        if name in OTHER_PILES:
            raise InputError(f"{where}: the pile '{name}' belongs to another game of Solvitaire's.")
        if name not in (TABLEAU, *PILES):
            raise InputError(
                f"{where}: '{name}' is not a pile of a Solvitaire deal; known: "
                f"{', '.join((TABLEAU, *PILES))}. What Solvitaire prints by --deal-only can't be "
                "read back."
            )
    if TABLEAU not in value:
        raise InputError(f"{where}: the pile '{TABLEAU}' is missing.")
    columns = [_as_list(pile, TABLEAU, where) for pile in _as_list(value[TABLEAU], TABLEAU, where)]
    piles = {name: _cards(_flat(value.get(name, []), name, where), name, where) for name in PILES}
    tableau = [_cards(column, TABLEAU, where) for column in columns]
    face_down = [[card.strip()[-1:].islower() for card in column] for column in columns]
    return SolvitaireDeal(tableau, face_down=face_down, **piles)


def _flat(value: Any, name: str, where: str) -> list[Any]:
    """A list of cards; older versions of Solvitaire write a list for each foundation."""
    items = _as_list(value, name, where)
    if name == "foundations" and any(isinstance(item, list) for item in items):
        return [card for item in items for card in _as_list(item, name, where)]
    return items


def _as_list(value: Any, name: str, where: str) -> list[Any]:
    if not isinstance(value, list):
        wanted = "a list of lists" if name == TABLEAU else "a list"
        raise InputError(f"{where}: '{name}' should be {wanted} of cards.")
    return value


def _cards(items: list[Any], name: str, where: str) -> list[Card]:
    return [_card(item, name, where) for item in items]


def _card(item: Any, name: str, where: str) -> Card:
    if not isinstance(item, str):
        raise InputError(f"{where}: in '{name}', {json.dumps(item)} is not a card.")
    written = item.strip()
    try:
        return parse_card(_NUMBERED.get(written[:-1], written[:-1]) + written[-1:])
    except InputError:
        raise InputError(
            f"{where}: in '{name}', '{item}' is not a card; write it as 10H or AS."
        ) from None


def write_deal(deal: SolvitaireDeal) -> str:
    """A deal as Solvitaire reads it, a pile a line."""
    lines = [f' "{TABLEAU}": {json.dumps([_names(column) for column in deal.tableau])}']
    lines += [f' "{name}": {json.dumps(_names(getattr(deal, name)))}' for name in PILES]
    return "{\n" + ",\n".join(lines) + "\n}"


def _names(cards: Sequence[Card]) -> list[str]:
    return [_name(card) for card in cards]


def _name(card: Card) -> str:
    """A card as Solvitaire writes it: the ten is 10."""
    return RANKS[rank_of(card)].replace("T", "10") + SUITS[suit_of(card)]
