"""Deal numbers: how the number on somebody's screen becomes cards in dealing order.

A *numbering* maps a number (and, for some, a game) to a shuffled pack. Each numbering is one module
with a plain version, which is the definition, and a compiled one for millions of deals; the two
share no code that shuffles, and the tests compare them. ``docs/numbering.md`` describes them all.

Importing this package loads neither numpy nor numba: only `fill_packs` needs them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from winnable.cards import PACK_SIZE, Card
from winnable.errors import InputError, unknown_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "NUMBERINGS",
    "Numbering",
    "check_number",
    "fill_packs",
    "get_numbering",
    "parse_number",
    "shuffled_double_pack",
    "shuffled_pack",
]


@dataclass(frozen=True)
class Numbering:
    """One way of numbering deals.

    Attributes
    ----------
    name:
        What a user types to choose it.
    summary:
        One line: whose numbers these are.
    first, last:
        The smallest and the largest number, both included.
    module:
        The dotted name of the module that shuffles: it has ``shuffled_pack(number, game)``,
        ``fill_packs(first, game, packs)`` and, where games of two packs use it,
        ``shuffled_double_pack(number, game)``, which trust their arguments.
    """

    name: str
    summary: str
    first: int
    last: int
    module: str


_ROWS = (
    Numbering(
        name="winnable",
        summary="this project's own numbers, a different shuffle for each game",
        first=0,
        last=2**64 - 1,
        module="winnable.deals.native",
    ),
    Numbering(
        name="pysol",
        summary="PySolFC's game numbers, also written msN",
        first=1,
        last=10**20,
        module="winnable.deals.pysol",
    ),
    Numbering(
        name="ms",
        summary="Microsoft's deal numbers, which PySolFC writes msN",
        first=1,
        last=2**33 - 1,
        module="winnable.deals.microsoft",
    ),
    Numbering(
        name="kpat",
        summary="the deal numbers of KDE's KPatience",
        first=1,
        last=2**31 - 1,
        module="winnable.deals.kpat",
    ),
    Numbering(
        name="aisleriot",
        summary="seeds of the shuffle of GNOME's AisleRiot",
        first=0,
        last=2**32 - 1,
        module="winnable.deals.aisleriot",
    ),
    Numbering(
        name="solvitaire",
        summary="seeds of the solver Solvitaire",
        first=0,
        last=2**32 - 1,
        module="winnable.deals.solvitaire",
    ),
)
NUMBERINGS: dict[str, Numbering] = {row.name: row for row in _ROWS}


def get_numbering(name: str) -> Numbering:
    """The numbering of this name.

    Raises
    ------
    InputError
        When there is none; the text lists those there are.
    """
    if name not in NUMBERINGS:
        raise unknown_name("numbering", name, NUMBERINGS)
    return NUMBERINGS[name]


def parse_number(numbering: Numbering, text: str) -> tuple[Numbering, int]:
    """The deal that a person means by this text.

    Parameters
    ----------
    numbering:
        The numbering that was chosen.
    text:
        Decimal digits, with or without blanks around them. PySolFC writes Microsoft's deals as
        ``ms17``; with the numbering `pysol` that is understood too.

    Returns
    -------
    tuple
        The numbering that the number belongs to (`ms` for ``ms17``, else the one given) and the
        number.

    Raises
    ------
    InputError
        When the text is no number or a number that the numbering doesn't have.
    """
    owner, digits = numbering, text.strip()
    if numbering.name == "pysol" and digits[:2].lower() == "ms":
        owner, digits = NUMBERINGS["ms"], digits[2:]
    # int() alone would also take signs, underscores and the digits of other scripts.
    if not re.fullmatch("[0-9]+", digits):
        or_ms = ", or ms and a number" if numbering.name == "pysol" else ""
        raise InputError(
            f"'{text}' is not a deal number: write a whole number "
            f"from {numbering.first} to {numbering.last}{or_ms}."
        )
    # Compared by length first because int() refuses text of several thousand digits.
    digits = digits.lstrip("0") or "0"
    if len(digits) > len(str(owner.last)):
        raise _out_of_range(owner, digits)
    number = int(digits)
    check_number(owner, number)
    return owner, number


def check_number(numbering: Numbering, number: int) -> None:
    """Refuse a number that the numbering doesn't have.

    Raises
    ------
    InputError
        When the number is below the first or above the last one.
    """
    if not numbering.first <= number <= numbering.last:
        raise _out_of_range(numbering, str(number))


def _out_of_range(numbering: Numbering, number: str) -> InputError:
    return InputError(
        f"There is no deal {number} in the numbering '{numbering.name}': "
        f"its numbers go from {numbering.first} to {numbering.last}."
    )


def shuffled_pack(numbering: Numbering, number: int, game: str) -> list[Card]:
    """The 52 cards of a deal, in plain Python.

    Parameters
    ----------
    numbering, number:
        Which deal.
    game:
        The game's name, for example ``"tripeaks"``. Only `winnable` shuffles by it: in the other
        numberings all games of 52 cards share one shuffle.

    Returns
    -------
    list
        Card codes in dealing order, the first dealt first.

    Raises
    ------
    InputError
        When the numbering has no such number.
    """
    check_number(numbering, number)
    pack: list[Card] = import_module(numbering.module).shuffled_pack(number, game)
    return pack


def shuffled_double_pack(numbering: Numbering, number: int, game: str) -> list[Card]:
    """The 104 cards of a deal of two packs, in plain Python.

    Parameters
    ----------
    numbering, number, game:
        As for `shuffled_pack`; Solvitaire's numbering has no deals of two packs.

    Returns
    -------
    list
        Card codes in dealing order, the first dealt first; each occurs twice.

    Raises
    ------
    InputError
        When the numbering has no such number.
    """
    check_number(numbering, number)
    pack: list[Card] = import_module(numbering.module).shuffled_double_pack(number, game)
    return pack


def fill_packs(numbering: Numbering, first: int, game: str, packs: NDArray[np.uint8]) -> None:
    """Write the packs of consecutive deals, compiled: row i becomes deal ``first + i``.

    Parameters
    ----------
    numbering, game:
        As for `shuffled_pack`.
    first:
        The number of the deal that goes into row 0.
    packs:
        uint8 array, shape (n, 52), C order. Each row receives card codes in dealing order.

    Raises
    ------
    InputError
        When the numbering doesn't have all of the numbers.
    ValueError
        When `packs` is no such array.
    """
    import numpy as np

    # Any other layout would have numba compile every kernel once more.
    if packs.dtype != np.uint8 or packs.shape[1:] != (PACK_SIZE,) or not packs.flags.carray:
        raise ValueError(f"packs must be a writable uint8 array of shape (n, {PACK_SIZE}), C order")
    check_number(numbering, first)
    check_number(numbering, first + max(len(packs), 1) - 1)
    # Where numba is told not to compile, numpy would warn of every wrapping multiplication.
    with np.errstate(over="ignore"):
        import_module(numbering.module).fill_packs(first, game, packs)
