"""What the players can see. Both see the same: neither game has cards that only one knows.

Known are all open cards, and of the covered ones those that both have seen: loaded cards in a
reserve, the waste, and a stock that is a waste turned over. A player with a good memory knows too
which cards are covered where; these are the pools.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from winnable.cards import Card
from winnable.duel.position import (
    Side,
    State,
)
from winnable.duel.tables import Variant

Cards: TypeAlias = tuple[Card | None, ...]


class Place(NamedTuple):
    """Where a covered card lies.

    pile: ``reserve``, ``stock`` or ``house``.
    number: the player whose pile it is; of houses, which one.
    at: the place in the pile's tuple.
    """

    pile: str
    number: int
    at: int


class Pool(NamedTuple):
    """Cards of which it is known where they lie together, but not which lies where.

    cards: in ascending order, so that the order says nothing.
    places: as many places.
    """

    cards: tuple[Card, ...]
    places: tuple[Place, ...]


class View(NamedTuple):
    """A position as the players see it; None is a card that they don't know.

    foundations: for each suit the heights of its two foundations, the higher first.
    houses: each with its end card last.
    reserves, stocks, wastes: by player; of a stock the card turned next comes first.
    pools: every unknown card is in one of them.
    """

    foundations: tuple[tuple[int, int], ...]
    houses: tuple[Cards, ...]
    reserves: tuple[Cards, ...]
    stocks: tuple[Cards, ...]
    wastes: tuple[Cards, ...]
    mover: int
    turned: bool
    pools: tuple[Pool, ...]


def visible(state: State, variant: Variant) -> View:
    """The position as both players see it.

    An agent that deals each pool's cards at random to its places has a position that is as likely
    as the true one.
    """
    is_shuffled = variant.says("redeal") == "shuffle"
    unseen = [
        [*_unseen_reserve(state, player), *_unseen_in_houses(state, player)] for player in range(2)
    ]
    pools = []
    for player, places in enumerate(unseen):
        stock = _unseen_stock(state, player, is_shuffled)
        if state.sides[player].turned_over:
            pools.append(stock)
        else:
            places += stock
        pools.append(places)
    hidden = {place for pool in pools for place in pool}
    return View(
        state.foundations,
        tuple(_shown("house", n, house.cards, hidden) for n, house in enumerate(state.houses)),
        tuple(_shown("reserve", n, side.reserve, hidden) for n, side in enumerate(state.sides)),
        tuple(_shown("stock", n, side.stock, hidden) for n, side in enumerate(state.sides)),
        tuple(side.waste for side in state.sides),
        state.mover,
        state.turned,
        tuple(_pool(state, places) for places in pools if places),
    )


def _unseen_reserve(state: State, player: int) -> list[Place]:
    side = state.sides[player]
    return [Place("reserve", player, i) for i in range(len(side.reserve) - side.open_reserve)]


def _unseen_in_houses(state: State, player: int) -> list[Place]:
    """The face-down cards in the houses that the player dealt: they are of his pack."""
    share = len(state.houses) // 2
    numbers = range(share * player, share * (player + 1))
    return [Place("house", n, i) for n in numbers for i in range(state.houses[n].hidden)]


def _unseen_stock(state: State, player: int, is_shuffled: bool) -> list[Place]:
    side: Side = state.sides[player]
    if side.turned_over and not is_shuffled:
        return []
    first = int(state.turned and state.mover == player)
    return [Place("stock", player, i) for i in range(first, len(side.stock))]


def _shown(pile: str, number: int, cards: tuple[Card, ...], hidden: set[Place]) -> Cards:
    return tuple(None if Place(pile, number, i) in hidden else card for i, card in enumerate(cards))


def card_at(state: State, place: Place) -> Card:
    """The card that lies at a place."""
    if place.pile == "house":
        return state.houses[place.number].cards[place.at]
    side = state.sides[place.number]
    return (side.reserve if place.pile == "reserve" else side.stock)[place.at]


def _pool(state: State, places: list[Place]) -> Pool:
    return Pool(tuple(sorted(card_at(state, place) for place in places)), tuple(places))
