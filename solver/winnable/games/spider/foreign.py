"""Spider deals and positions that other programs have written: Solvitaire and KPat."""

from __future__ import annotations

from collections.abc import Sequence

from winnable.cards import RANK_COUNT, SUIT_COUNT, SYMBOLS, Card, suit_of
from winnable.deals import solvitaire_json
from winnable.deals.kpat_save import KPatSave, SavedCard, read_save
from winnable.deals.solvitaire_json import SolvitaireDeal
from winnable.errors import InputError
from winnable.games.spider.checked import checked, is_fresh
from winnable.games.spider.rules import (
    COLUMN_COUNT,
    ROW_COUNT,
    RUN_COUNT,
    State,
    complete_run,
)

# KPat's names for its piles, and their numbers in its legacy saves.
_KPAT_STOCK = [(f"redeals{row}", str(1 + row)) for row in range(ROW_COUNT)]
_KPAT_COLUMNS = [(f"stack{column}", str(6 + column)) for column in range(COLUMN_COUNT)]
_KPAT_RUNS = [(f"legs{run}", str(16 + run)) for run in range(RUN_COUNT)]
_KPAT_PILES = {name for names in (*_KPAT_STOCK, *_KPAT_COLUMNS, *_KPAT_RUNS) for name in names}
# The game's name, and the numbers that it has had in legacy saves, one for each number of suits.
_KPAT_SPIDER = ("spider", "14", "15", "16", "17", "50")


def read_kpat(text: str) -> State:
    """The position on the table of a KPat save.

    Raises
    ------
    InputError
        When it is no save of a game of Spider by known rules.
    """
    save = read_save(text, _KPAT_SPIDER.__contains__)
    where = "KPat save"
    if save.options == "3":
        raise InputError(f"{where}: this is a game of three suits; here there are 4, 2 or 1.")
    for name in save.piles:
        if name not in _KPAT_PILES:
            raise InputError(f"{where}: Spider has no pile '{name}'.")
    columns = [_kpat_pile(save, names) for names in _KPAT_COLUMNS]
    # A row of the stock is a pile from which column 1 gets the top card.
    rows = [_kpat_pile(save, names)[::-1] for names in _KPAT_STOCK]
    gone = [saved.card for names in _KPAT_RUNS for saved in _kpat_pile(save, names)]
    return checked(
        [[saved.card for saved in column] for column in columns],
        [_count_face_down([not saved.face_up for saved in column], where) for column in columns],
        [saved.card for row in rows for saved in row],
        _finished(gone, where),
        where,
    )


def _kpat_pile(save: KPatSave, names: tuple[str, str]) -> list[SavedCard]:
    return next((save.piles[name] for name in names if name in save.piles), [])


def read_solvitaire(text: str) -> list[State]:
    """The deals of a text of Solvitaire's JSON objects; raises InputError."""
    deals = solvitaire_json.read_deals(text)
    return [
        _from_solvitaire(deal, f"JSON deal {number}") for number, deal in enumerate(deals, start=1)
    ]


def _from_solvitaire(deal: SolvitaireDeal, where: str) -> State:
    for name in ("reserve", "waste"):
        if getattr(deal, name):
            raise InputError(f"{where}: Spider has no {name}; this is a deal of another game.")
    finished = _finished(deal.foundations, where)
    hidden = [_count_face_down(column, where) for column in deal.face_down]
    # Nobody marks the cards of a whole deal, where all but the last are face down.
    if not any(hidden) and not any(finished) and is_fresh(deal.tableau, deal.stock):
        hidden = [len(column) - 1 for column in deal.tableau]
    return checked(deal.tableau, hidden, deal.stock[::-1], finished, where)


def _count_face_down(face_down: Sequence[bool], where: str) -> int:
    """How many cards of a column are face down, which have to be the first."""
    count = sum(face_down)
    if any(face_down[count:]):
        raise InputError(f"{where}: in a column a face-down card lies on a face-up one.")
    return count


def _finished(gone: Sequence[Card], where: str) -> list[int]:
    """How many complete runs of each suit have left the table."""
    counts = []
    for suit in range(SUIT_COUNT):
        cards = sorted(card for card in gone if suit_of(card) == suit)
        count = len(cards) // RANK_COUNT
        if cards != sorted(count * complete_run(suit)):
            raise InputError(
                f"{where}: {len(cards)} cards of {SYMBOLS[suit]} have left the table; only "
                "complete runs leave it in Spider."
            )
        counts.append(count)
    return counts
