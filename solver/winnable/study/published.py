"""Win rates that others have published, to set ours beside."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Published:
    """One published figure.

    rules: the rule set it holds for, None where its source does not say.
    rate: as published, in per cent.
    deals: on how many deals it rests, in words.
    """

    game: str
    rules: str | None
    rate: str
    deals: str
    source: str


PUBLISHED = (
    Published("tripeaks", "standard", "97.13", "1,457 of 1,500", "mchung94/solitaire-player"),
    Published("tripeaks", "standard", "96.6", "1,000", "playsolitaire.io"),
    Published("tripeaks", None, "> 90", "not stated", "Robert Hogue, the game's inventor, 1989"),
)


def published_for(game: str, rules: str) -> list[Published]:
    """The published figures for a game under a rule set, and those whose rules are not stated."""
    return [row for row in PUBLISHED if row.game == game and row.rules in (rules, None)]
