"""How hard a deal is: what a casual player leaves undone, and the levels made of it.

A deal is played many times by the player `casual`, who sees what a person sees. Its difficulty is a
number from 0 to 1: in Tri-Peaks the share of games lost; in Canfield, where he seldom wins, the
mean share of the 51 cards that don't come to the foundations; in Spider that of the 148 steps that
are not made, which are 44 cards to turn up and 104 to bring home. ``docs/difficulty.md`` has the
distributions.
"""

from __future__ import annotations

from dataclasses import dataclass

from winnable.errors import InputError, unknown_name

# How often each deal is played.
GAMES = {"tripeaks": 100, "canfield": 10, "spider": 10}
# What a game that comes to nothing leaves undone.
ALL_UNDONE = {"tripeaks": 1, "canfield": 51, "spider": 148}
# Difficulties are kept as so many steps from 0 to 1, a byte each.
STEPS = 200
# The name of a study's column of difficulties.
DIFFICULTY = "difficulty"
# Raised when the difficulty of a deal changes.
DIFFICULTY_VERSION = 1

NAMES = ("easy", "medium", "hard")
# By game and rule set, in steps: below the first a deal is easy, from the second on it is hard.
# They cut the deals 0 to 9,999 of the numbering `winnable` into thirds.
THIRDS: dict[tuple[str, str], tuple[int, int]] = {
    ("tripeaks", "standard"): (100, 172),
    ("tripeaks", "no-wrap"): (186, 200),
    ("tripeaks", "open"): (88, 154),
    ("tripeaks", "open-no-wrap"): (172, 200),
    ("canfield", "aisleriot"): (157, 179),
    ("canfield", "pysol"): (158, 179),
    ("canfield", "thoughtful"): (157, 179),
    ("canfield", "thoughtful-strict"): (159, 180),
    ("canfield", "full-wrap"): (157, 179),
    ("canfield", "casino"): (167, 177),
    ("spider", "four-suit"): (180, 185),
    ("spider", "two-suit"): (163, 175),
    ("spider", "one-suit"): (60, 95),
    ("spider", "relaxed-four-suit"): (180, 185),
    ("spider", "relaxed-two-suit"): (164, 175),
    ("spider", "relaxed-one-suit"): (75, 104),
}


@dataclass(frozen=True)
class Level:
    """A level of difficulty: from `low` on and below `high`, in steps."""

    name: str
    low: int
    high: int

    def holds(self, steps: int) -> bool:
        """Whether a deal of this difficulty is of the level."""
        return self.low <= steps < self.high


def get_level(game: str, rules: str, name: str) -> Level:
    """The level of this name.

    Parameters
    ----------
    game: the game's name.
    rules: the name of the rules, which may be no rule set's where single rules were set.

    Raises
    ------
    InputError
        When there is no such level, or none was measured by these rules.
    """
    if name not in NAMES:
        raise unknown_name("level of difficulty", name, NAMES)
    if (game, rules) not in THIRDS:
        known = ", ".join(other for owner, other in THIRDS if owner == game)
        raise InputError(
            f"The levels of difficulty were not measured by the rules '{rules}', only by: {known}."
        )
    bounds = (0, *THIRDS[game, rules], STEPS + 1)
    place = NAMES.index(name)
    return Level(name, bounds[place], bounds[place + 1])


def level_of(game: str, rules: str, steps: int) -> str | None:
    """The name of the level that a difficulty belongs to; None where none was measured."""
    if (game, rules) not in THIRDS:
        return None
    return NAMES[sum(steps >= bound for bound in THIRDS[game, rules])]


def as_share(steps: int) -> float:
    """A difficulty as the number from 0 to 1."""
    return steps / STEPS
