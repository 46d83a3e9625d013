"""From a number to the table: two separate packs, one a player, and where their cards go."""

from __future__ import annotations

from collections.abc import Sequence

from winnable.cards import Card
from winnable.deals import Numbering, check_number, shuffled_pack
from winnable.duel.position import (
    House,
    Side,
    State,
)
from winnable.duel.rules import (
    begun,
)
from winnable.duel.tables import Variant
from winnable.errors import InputError

# The numberings that deal two packs.
NUMBERINGS = ("winnable",)


def shuffle_name(game: str, player: int) -> str:
    """The name under which the numbering `winnable` shuffles the pack of a player.

    Each player of each game has a name, and so shuffles, of his own.
    """
    return f"{game}/{player}"


def numbered_deal(numbering: Numbering, number: int, variant: Variant) -> State:
    """The table at the start of the game of a number.

    Packs of fewer ranks or suits are the shuffled full packs without the other cards. The number
    also begins the shuffles of the waste, where the rules have them.

    Raises
    ------
    InputError
        When the numbering deals one pack only, or doesn't have the number.
    """
    if numbering.name not in NUMBERINGS:
        raise InputError(
            f"The numbering '{numbering.name}' deals one pack; two-player games need two. Known: "
            f"{', '.join(NUMBERINGS)}."
        )
    check_number(numbering, number)
    packs = []
    for player in range(2):
        shuffled = shuffled_pack(numbering, number, shuffle_name(variant.game, player))
        packs.append([card for card in shuffled if card in variant.size.pack])
    return laid_out(packs, variant, chance_of(number, variant))


def chance_of(number: int, variant: Variant) -> int:
    """The state in which a game's generator begins: the number, or 0 where nothing is shuffled."""
    return number if variant.says("redeal") == "shuffle" else 0


def laid_out(packs: Sequence[Sequence[Card]], variant: Variant, chance: int = 0) -> State:
    """The table that two shuffled packs give, the first card of each dealt first.

    A player deals his reserve, the last of it on top, his face-down rows, his open row, and keeps
    the rest as his stock, the next card of the pack on top.
    """
    sides: list[Side] = []
    houses: list[House] = []
    share = variant.size.houses // 2
    hidden = variant.face_down_rows
    for pack in packs:
        reserve, rest = tuple(pack[: variant.size.reserve]), pack[variant.size.reserve :]
        for number in range(share):
            houses.append(House(tuple(rest[number : share * (hidden + 1) : share]), hidden))
        stock = tuple(rest[share * (hidden + 1) :])
        sides.append(Side(reserve, stock, (), min(1, len(reserve))))
    return begun(State(tuple(houses), (sides[0], sides[1]), chance=chance), variant)
