"""Small hand-made positions, and their legal moves by plain rules and kernels alike."""

from duel_agreement import check_same

from winnable.cards import parse_card
from winnable.duel import convert
from winnable.duel.check import heights_of
from winnable.duel.position import (
    House,
    Side,
    State,
    parse_move,
)
from winnable.duel.rules import (
    apply,
    begun,
    legal_moves,
)
from winnable.duel.tables import variant_of


def cards(text):
    """The cards of a text, in order."""
    return tuple(map(parse_card, text.split()))


def position(
    variant,
    houses="",
    reserve="KC",
    stock="",
    waste="",
    other="KD",
    other_stock="KD",
    other_waste="",
    up="",
    turned=False,
    turn=2,
    quiet=0,
    mover=0,
):
    """A position from pieces; cards need not be complete.

    houses: the houses from the first on, parted by slashes, a bar after face-down cards.
    reserve, stock, waste: the mover's piles, `other…` those of his opponent.
    """
    listed = []
    for text in houses.split("/"):
        covered, bar, opened = text.partition("|")
        listed.append(House(cards(covered + opened), len(cards(covered)) if bar else 0))
    listed += [House()] * (variant.size.houses - len(listed))
    own = Side(cards(reserve), cards(stock), cards(waste), min(1, len(cards(reserve))))
    opponent = Side(cards(other), cards(other_stock), cards(other_waste), min(1, len(cards(other))))
    sides = (own, opponent) if mover == 0 else (opponent, own)
    state = State(
        tuple(listed), sides, heights_of(cards(up)), turned=turned, turn=turn, quiet=quiet
    )
    return begun(state, variant, mover)


def full(houses, variant):
    """Houses filled up with kings, so that none is empty and nothing else fits."""
    given = houses.split("/") if houses else []
    return "/".join(given + ["KS"] * (variant.size.houses - len(given)))


def legal(state, variant):
    """The legal moves as text, in order; kernels are asked too where there is no past."""
    if len(state.seen) > 1 or state.fault or state.outcome:
        moves = legal_moves(state, variant)
    else:
        table = convert.table_of(state, variant)
        moves = check_same(state, table, variant, convert.codes_of(variant))
    return sorted(map(str, moves))


def after(state, variant, *moves):
    """The position after moves given as text."""
    for move in moves:
        state = apply(state, parse_move(move), variant)
    return state


def bank(*changes, size=None):
    """Russian Bank with single rules changed."""
    return variant_of("russian-bank", changes=changes, **({"size": size} if size else {}))


def zank(*changes, size=None):
    """Zank-Patience with single rules changed."""
    return variant_of("zank", changes=changes, **({"size": size} if size else {}))
