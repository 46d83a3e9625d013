"""Whether a position that somebody typed can be played from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from winnable.cards import RANKS, SUIT_COUNT, SYMBOLS, Card, card_name, rank_of, suit_of
from winnable.duel.position import (
    House,
    State,
    house_name,
)
from winnable.duel.rules import (
    fits_house,
)
from winnable.duel.tables import QUIET_TURNS, Variant
from winnable.errors import InputError

# No game is longer: before and after each of 104 foundation cards come fewer than 200 quiet turns.
MOST_TURNS = 105 * QUIET_TURNS
# How many cards a message names at most.
_NAMED = 6


def is_fresh(state: State, variant: Variant) -> bool:
    """Whether nothing was turned or played yet."""
    share = variant.size.houses // 2
    dealt = variant.size.reserve + share * (1 + variant.face_down_rows)
    return (
        state.turn == 0
        and not any(sum(pair) for pair in state.foundations)
        and all(house.hidden == variant.face_down_rows for house in state.houses)
        and all(len(house.cards) == house.hidden + 1 for house in state.houses)
        and all(
            len(side.reserve) == variant.size.reserve
            and not side.waste
            and len(side.stock) == len(variant.size.pack) - dealt
            for side in state.sides
        )
        and (variant.is_stock_open or not state.turned)
    )


def check_position(state: State, variant: Variant) -> None:
    """Refuse a position that no game by these rules has.

    Raises
    ------
    InputError
        With what is wrong, and what would be right.
    """
    check_cards(state, variant)
    for number, house in enumerate(state.houses):
        _check_house(house, number, variant)
    most = variant.size.reserve + 2 * variant.size.ranks - 1
    for player, side in enumerate(state.sides):
        if len(side.reserve) > most:
            raise InputError(
                f"The reserve of player {player} has {len(side.reserve)} cards; with all that "
                f"could be loaded on it there are at most {most}."
            )
        if player != state.mover and not (side.reserve or side.stock or side.waste):
            raise InputError(
                f"Player {player} has no cards left and would have won before this turn."
            )
    if state.turned and not state.own.stock:
        raise InputError(f"The stock of player {state.mover} is empty: no card of it can be open.")
    if not 0 <= state.turn <= MOST_TURNS or not -1 <= state.quiet < QUIET_TURNS:
        raise InputError(
            f"turn {state.turn} and quiet {state.quiet} can't be: turns are counted from 0 to "
            f"{MOST_TURNS}, quiet ones from -1 to {QUIET_TURNS - 1}."
        )
    if not 0 <= state.chance < 2**64:
        raise InputError(f"chance {state.chance} is no number from 0 to {2**64 - 1}.")
    if is_fresh(state, variant):
        _check_packs(state, variant)


def check_cards(state: State, variant: Variant) -> None:
    """Raise InputError unless these are the cards of two packs."""
    cards = [card for house in state.houses for card in house.cards]
    for side in state.sides:
        cards += [*side.reserve, *side.stock, *side.waste]
    for suit, pair in enumerate(state.foundations):
        cards += [SUIT_COUNT * rank + suit for height in pair for rank in range(height)]
    _check_counts(cards, variant.size.pack, 2, "There are")


def _check_packs(state: State, variant: Variant) -> None:
    """That each player of a fresh deal has a pack of his own."""
    share = variant.size.houses // 2
    for player, side in enumerate(state.sides):
        houses = state.houses[share * player : share * (player + 1)]
        cards = [card for house in houses for card in house.cards]
        _check_counts(
            [*cards, *side.reserve, *side.stock],
            variant.size.pack,
            1,
            f"Each player deals a pack of his own, but player {player} has",
        )


def _check_counts(cards: Sequence[Card], pack: Sequence[Card], copies: int, begin: str) -> None:
    """That the cards are `copies` packs; the message begins with `begin`."""
    counts = Counter(cards)
    foreign = [card for card in counts if card not in pack]
    many = [card for card in pack if counts[card] > copies]
    few = [card for card in pack if counts[card] < copies]
    problems = []
    if len(cards) != copies * len(pack):
        problems.append(f"{len(cards)} cards instead of {copies * len(pack)}")
    if foreign:
        problems.append(f"{_names(foreign)}, which {_is_or_are(foreign)} not in this deck")
    wanted = "once" if copies == 1 else "twice"
    if many:
        problems.append(f"{_names(many)} more than {wanted}")
    if few:
        problems.append(f"{_names(few)} less than {wanted}")
    if problems:
        raise InputError(f"{begin} {'; '.join(problems)}.")


def _names(cards: Sequence[Card]) -> str:
    shown = ", ".join(map(card_name, cards[:_NAMED]))
    return shown + (", …" if len(cards) > _NAMED else "")


def _is_or_are(cards: Sequence[Card]) -> str:
    return "is" if len(cards) == 1 else "are"


def _check_house(house: House, number: int, variant: Variant) -> None:
    """That a house is built by the rules."""
    name = house_name(number)
    if house.hidden > variant.face_down_rows:
        raise InputError(
            f"House {name} has {house.hidden} face-down cards; with "
            f"face-down-rows={variant.face_down_rows} it never has more than that."
        )
    if house.hidden and house.hidden >= len(house.cards):
        raise InputError(f"House {name} has only face-down cards; its end card is always open.")
    run = house.cards[house.hidden :]
    for place in range(1, len(run)):
        if not fits_house(House(run[:place]), run[place], variant):
            manner = (
                "in suit" if variant.says("house-build") == "suit" else "in alternating colours"
            )
            raise InputError(
                f"House {name} has {card_name(run[place])} on {card_name(run[place - 1])}, but "
                f"houses build down {manner}."
            )


def heights_of(cards: Sequence[Card]) -> tuple[tuple[int, int], ...]:
    """The heights of the two foundations of each suit that hold these cards.

    Raises
    ------
    InputError
        When a suit's cards are not two rows from the ace up.
    """
    counts = Counter(cards)
    heights = []
    for suit in range(SUIT_COUNT):
        of_suit = [counts[SUIT_COUNT * rank + suit] for rank in range(len(RANKS))]
        pair = (sum(count >= 1 for count in of_suit), sum(count >= 2 for count in of_suit))
        if of_suit != sorted(of_suit, reverse=True) or max(of_suit) > 2:
            given = " ".join(
                RANKS[rank_of(card)] for card in sorted(cards) if suit_of(card) == suit
            )
            raise InputError(
                f"The foundations of {SYMBOLS[suit]} can't hold {given}: each of the two builds "
                "up from the ace."
            )
        heights.append(pair)
    return tuple(heights)
