"""The two-player games as the rest of the project sees them.

Importing this module imports neither numpy nor numba.
"""

from __future__ import annotations

from dataclasses import dataclass

from winnable.duel.deal import NUMBERINGS, numbered_deal
from winnable.duel.position import (
    State,
)
from winnable.duel.tables import (
    RULE_TABLES,
    RULES_TEXTS,
    RUSSIAN_BANK,
    ZANK,
    Variant,
)
from winnable.duel.text import DEAL_FORMAT, draw, format_position, parse_positions
from winnable.errors import unknown_name
from winnable.games.ruleset import RuleTable

__all__ = [
    "DUELS",
    "Duel",
    "State",
    "Variant",
    "draw",
    "format_position",
    "get_duel",
    "numbered_deal",
    "parse_positions",
]

MOVE_FORMAT = """\
SOURCE TARGET: one card
sources: r the own reserve's top, t the own open stock card, h1 to h8 the end card of a house
targets: f a foundation, h1 to h8 a house, or the opponent's reserve, ow the opponent's waste
"""
_TURN_LINE = "turn: the stock's top card is turned; an empty stock is filled with the waste first\n"
_LAST_LINES = """\
discard: the open stock card goes to the own waste, which ends the turn
pass: the turn ends, with stock and waste both empty"""
_STOP_LINE = "\nstop: with stop=called, the opponent calls on a missed compulsory move"


@dataclass(frozen=True)
class Duel:
    """A two-player game: its tables and words.

    name: as typed on the command line.
    title: as people write it.
    summary: one line.
    move_format: how a person writes a move.
    """

    name: str
    title: str
    summary: str
    move_format: str
    deal_format: str = DEAL_FORMAT
    numberings: tuple[str, ...] = NUMBERINGS

    @property
    def rules(self) -> RuleTable:
        """Parameters and named rule sets."""
        return RULE_TABLES[self.name]

    @property
    def rules_text(self) -> str:
        """The rules in words."""
        return RULES_TEXTS[self.name]


DUELS = {
    RUSSIAN_BANK: Duel(
        RUSSIAN_BANK,
        "Russian Bank",
        "two players, two packs, shared houses and foundations, compulsory moves",
        MOVE_FORMAT + _TURN_LINE + _LAST_LINES + _STOP_LINE,
    ),
    ZANK: Duel(
        ZANK,
        "Zank-Patience",
        "two players, two packs, shared houses and foundations, the stock's card open",
        MOVE_FORMAT + _LAST_LINES,
    ),
}


def get_duel(name: str) -> Duel:
    """The two-player game of this name; raises InputError for an unknown one."""
    if name not in DUELS:
        raise unknown_name("two-player game", name, DUELS)
    return DUELS[name]
