"""Spider deals and positions as text and JSON, and the table drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from winnable.cards import (
    KING,
    SUIT_COUNT,
    Card,
    card_name,
    card_symbol,
    make_card,
    rank_of,
    suit_of,
)
from winnable.deals import kpat_save, solvitaire_json
from winnable.deals.text import EMPTY_PLACE, Block, parse_blocks, present_cards
from winnable.errors import InputError
from winnable.games.spider.checked import checked, is_fresh
from winnable.games.spider.foreign import read_kpat, read_solvitaire
from winnable.games.spider.rules import COLUMN_COUNT, RUN_COUNT, STOCK_SIZE, State, is_untouched

COLUMN_LABELS = tuple(str(number) for number in range(1, COLUMN_COUNT + 1))
LABELS = (*COLUMN_LABELS, "stock", "finished")
# Between the face-down and the face-up cards of a column.
MARK = "|"

DEAL_FORMAT = """\
1: to 10: the columns, face-down cards too, the last card at the end
stock: 50 cards, the one dealt first comes first
In a whole deal all but the last card of each column are face down. In the middle of a game
| stands between the face-down and the face-up cards of a column, -- for an empty pile, and there is
finished: the king of each complete run that has left the table
A game of two suits has hearts and spades, a game of one suit spades; PySolFC's clubs in these games
are read as spades.
Or a saved game of KPat's, or a deal as JSON for Solvitaire; what Solvitaire prints can't be read.\
"""

_NO_DEAL = (
    "There is no deal in this text: lines '1: …' to '10: …' and 'stock: …' are needed, or a saved "
    "game of KPat's, or a deal as JSON for Solvitaire."
)


def parse_deals(text: str) -> list[State]:
    """The deals of a text; see `DEAL_FORMAT`.

    Raises
    ------
    InputError
        With what is wrong, in which deal or line, and what would be right.
    """
    if solvitaire_json.is_json(text):
        return read_solvitaire(text)
    if kpat_save.is_xml(text):
        return [read_kpat(text)]
    solvitaire_json.refuse_printed(text)
    blocks = parse_blocks(text, LABELS, MARK)
    if not blocks:
        raise InputError(_NO_DEAL)
    return [_labelled(block, f"Deal in line {block.line}") for block in blocks]


def _labelled(block: Block, where: str) -> State:
    if block.rows:
        raise InputError(
            f"{where}: a line of cards stands before the first label: write '1: …' to '10: …' and "
            "'stock: …'."
        )
    piles = {label: present_cards(cards, label, where) for label, cards in block.piles.items()}
    for label in (*COLUMN_LABELS, "stock"):
        if label not in piles:
            raise InputError(f"{where}: the line '{label}: …' is missing.")
    for label in ("stock", "finished"):
        if label in block.marks:
            raise InputError(f"{where}: '{MARK}' has no meaning in the line '{label}: …'.")
    columns = [piles[label] for label in COLUMN_LABELS]
    kings = piles.get("finished", [])
    hidden = _hidden(block, columns, piles["stock"], kings, where)
    return checked(columns, hidden, piles["stock"], _finished(kings, where), where)


def _hidden(
    block: Block,
    columns: list[list[Card]],
    stock: list[Card],
    kings: list[Card],
    where: str,
) -> list[int]:
    """How many cards of each column are face down; in a whole deal nothing has to say so."""
    if block.marks:
        return [min(block.marks.get(label, 0), len(column)) for label, column in _columns(columns)]
    if is_fresh(columns, stock) and not kings:
        return [len(column) - 1 for column in columns]
    if len(stock) == STOCK_SIZE and not kings:
        raise InputError(
            f"{where}: the columns have {', '.join(str(len(column)) for column in columns)} cards. "
            "In a whole deal four columns have 6 cards and six have 5; in a position later in the "
            f"game '{MARK}' stands between the face-down and the face-up cards of each column."
        )
    if stock:
        raise InputError(
            f"{where}: it does not say which cards are face down: put '{MARK}' between the "
            f"face-down and the face-up cards of each column, or write '1: {MARK} …' when all are "
            "face up."
        )
    return [0] * COLUMN_COUNT


def _columns(columns: Iterable[Sequence[Card]]) -> Iterable[tuple[str, Sequence[Card]]]:
    return zip(COLUMN_LABELS, columns, strict=True)


def _finished(kings: list[Card], where: str) -> tuple[int, ...]:
    """How many complete runs have gone in each suit."""
    for card in kings:
        if rank_of(card) != KING:
            raise InputError(
                f"{where}: in the line 'finished: …' stands {card_name(card)}; a complete run is "
                "listed by its king alone."
            )
    if len(kings) > RUN_COUNT:
        raise InputError(
            f"{where}: {len(kings)} complete runs are finished; there are {RUN_COUNT}."
        )
    return tuple(sum(suit_of(king) == suit for king in kings) for suit in range(SUIT_COUNT))


def format_deal(state: State) -> str:
    """The labelled lines that `parse_deals` reads."""
    fresh = is_untouched(state)
    lines = []
    for (label, column), hidden in zip(_columns(state.columns), state.hidden, strict=True):
        names = [card_name(card) for card in column]
        if names and not fresh:
            names.insert(hidden, MARK)
        lines.append(f"{label}: {' '.join(names) or EMPTY_PLACE}")
    lines.append(f"stock: {_names(state.stock)}")
    if not fresh:
        lines.append(f"finished: {_names(_kings(state))}")
    return "\n".join(lines)


def _names(cards: Sequence[Card]) -> str:
    return " ".join(map(card_name, cards)) or EMPTY_PLACE


def _kings(state: State) -> list[Card]:
    """The king of each complete run that has gone."""
    return [
        make_card(KING, suit) for suit in range(SUIT_COUNT) for _ in range(state.finished[suit])
    ]


def deal_to_json(state: State) -> dict[str, list[str | int]]:
    """The piles as lists of card names, and how many cards of each column are face down."""
    piles: dict[str, list[str | int]] = {
        label: [card_name(card) for card in column] for label, column in _columns(state.columns)
    }
    piles["face_down"] = list(state.hidden)
    piles["stock"] = [card_name(card) for card in state.stock]
    piles["finished"] = [card_name(card) for card in _kings(state)]
    return piles


def draw(state: State) -> str:
    """The table: complete runs, columns downwards with face-down cards in brackets, stock rows."""
    kings = _kings(state)
    lines = [
        f"complete runs ({len(kings)}): {' '.join(map(card_symbol, kings)) or 'none'}",
        "columns (face-down cards in brackets):",
        "".join(f"{label} ".rjust(7) for label in COLUMN_LABELS).rstrip(),
    ]
    shown = [
        [
            f"[{card_symbol(card)}]" if place < hidden else f"{card_symbol(card)} "
            for place, card in enumerate(column)
        ]
        for column, hidden in zip(state.columns, state.hidden, strict=True)
    ]
    for row in zip_longest(*shown, fillvalue=""):
        lines.append("".join(place.rjust(7) for place in row).rstrip())
    lines.append(f"stock ({len(state.stock)}):{'' if state.stock else ' empty'}")
    for first in range(0, len(state.stock), COLUMN_COUNT):
        dealt = state.stock[first : first + COLUMN_COUNT]
        lines.append("".join(f"{card_symbol(card)} ".rjust(7) for card in dealt).rstrip())
    return "\n".join(lines)
