"""Positions and moves of the two-player games, and cards on the move, in plain Python.

What is legal is the business of `rules`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple, TypeAlias

from winnable.cards import SUIT_COUNT, Card, rank_of, suit_of
from winnable.errors import InputError

Player: TypeAlias = int
Key: TypeAlias = tuple[object, ...]

# Where a card can come from and go to, as a person types it. Houses are h1, h2, …
RESERVE, TURNED = "r", "t"
FOUNDATION, OTHER_RESERVE, OTHER_WASTE = "f", "or", "ow"
HOUSE = "h"


class Move(NamedTuple):
    """One move: ``source target``, or one word.

    source: `r` the own reserve's top, `t` the own open stock card, `h1` to `h8` a house's end; or
        a word: `turn` the stock's top card, `discard` it to the own waste, `pass`, `stop`.
    target: `f` a foundation, `h1` to `h8` a house, `or` and `ow` the opponent's reserve and
        waste; nothing for the words.
    """

    source: str
    target: str = ""

    def __str__(self) -> str:
        return f"{self.source} {self.target}".strip()


TURN, DISCARD, PASS, STOP = Move("turn"), Move("discard"), Move("pass"), Move("stop")
RESERVE_UP = Move(RESERVE, FOUNDATION)
_WORDS = {str(move): move for move in (TURN, DISCARD, PASS, STOP)}


class House(NamedTuple):
    """A house: its cards, the last one at its end, and how many of the first ones are face down."""

    cards: tuple[Card, ...] = ()
    hidden: int = 0


class Side(NamedTuple):
    """A player's own piles.

    reserve, waste: the last card is on top.
    stock: the card that is turned next comes first.
    open_reserve: how many cards at the top of the reserve both players have seen: its top, and
        what is loaded on it.
    turned_over: whether the stock is a waste that was turned over, so that its cards are known.
    """

    reserve: tuple[Card, ...]
    stock: tuple[Card, ...]
    waste: tuple[Card, ...] = ()
    open_reserve: int = 1
    turned_over: bool = False


class Ending(str, Enum):
    """Why a game is over."""

    WON = "won"
    REPETITION = "repetition"
    QUIET = "no foundation card"


class Outcome(NamedTuple):
    """How a game ended: the player who won, None for a draw, and why."""

    winner: Player | None
    ending: Ending


@dataclass(frozen=True)
class State:
    """A position, and of the past what the rules ask for.

    houses, sides: the piles; `sides` by player, 0 and 1.
    foundations: for each suit the heights of its two foundations, the higher first.
    mover: whose turn it is.
    turned: whether the mover's stock card lies open.
    turn: how many turns have ended.
    quiet: how many turns have ended since the one in which a card last went to a foundation; -1
        in that turn itself.
    chance: the state of the generator that shuffles wastes, a 64-bit number.
    seen: the positions of this turn.
    starts: the positions with which this and all earlier turns began.
    fault: the position before the last move, when that missed a compulsory one and can still be
        called on.
    outcome: how the game ended, None while it goes on.
    """

    houses: tuple[House, ...]
    sides: tuple[Side, Side]
    foundations: tuple[tuple[int, int], ...] = ((0, 0),) * SUIT_COUNT
    mover: Player = 0
    turned: bool = False
    turn: int = 0
    quiet: int = 0
    chance: int = 0
    seen: frozenset[Key] = frozenset()
    starts: frozenset[Key] = frozenset()
    fault: State | None = None
    outcome: Outcome | None = None

    @property
    def own(self) -> Side:
        """The mover's piles."""
        return self.sides[self.mover]

    @property
    def other(self) -> Side:
        """The opponent's piles."""
        return self.sides[1 - self.mover]

    @property
    def starter(self) -> Player:
        """Who had the first turn of the game."""
        return self.mover ^ (self.turn & 1)


def house_name(number: int) -> str:
    """How moves name the house of a number, counted from 0."""
    return f"{HOUSE}{number + 1}"


def house_number(place: str) -> int | None:
    """The number of the house that a place names, counted from 0; None for other places."""
    return int(place[1:]) - 1 if re.fullmatch("h[1-9]", place) else None


def standing(state: State) -> str | None:
    """How the game ended: ``first`` or ``second`` player to move won, or ``draw``; None if not."""
    if state.outcome is None:
        return None
    if state.outcome.winner is None:
        return "draw"
    return "first" if state.outcome.winner == state.starter else "second"


# Cards on the move


def source_card(state: State, source: str) -> Card | None:
    """The available card at a source, None when there is none."""
    if source == RESERVE:
        return state.own.reserve[-1] if state.own.reserve else None
    if source == TURNED:
        return state.own.stock[0] if state.turned else None
    number = house_number(source)
    if number is None or number >= len(state.houses) or not state.houses[number].cards:
        return None
    return state.houses[number].cards[-1]


def card_moved(state: State, move: Move) -> State:
    """The piles after the move of a card; an uncovered card is turned up."""
    card = source_card(state, move.source)
    assert card is not None
    return _card_put(_card_taken(state, move.source), move.target, card)


def _card_taken(state: State, source: str) -> State:
    own = state.own
    if source == RESERVE:
        kept = own.reserve[:-1]
        still_open = min(len(kept), max(1, own.open_reserve - 1))
        own = own._replace(reserve=kept, open_reserve=still_open)
        return with_side(state, state.mover, own)
    if source == TURNED:
        own = own._replace(stock=own.stock[1:])
        return replace(with_side(state, state.mover, own), turned=False)
    number = house_number(source)
    assert number is not None
    house = state.houses[number]
    left = house.cards[:-1]
    return _with_house(state, number, House(left, min(house.hidden, max(0, len(left) - 1))))


def _card_put(state: State, target: str, card: Card) -> State:
    if target == FOUNDATION:
        heights = list(state.foundations[suit_of(card)])
        heights[heights.index(rank_of(card))] += 1
        foundations = list(state.foundations)
        foundations[suit_of(card)] = (max(heights), min(heights))
        return replace(state, foundations=tuple(foundations), quiet=-1)
    other = state.other
    if target == OTHER_RESERVE:
        other = other._replace(reserve=(*other.reserve, card), open_reserve=other.open_reserve + 1)
        return with_side(state, 1 - state.mover, other)
    if target == OTHER_WASTE:
        other = other._replace(waste=(*other.waste, card))
        return with_side(state, 1 - state.mover, other)
    number = house_number(target)
    assert number is not None
    house = state.houses[number]
    return _with_house(state, number, House((*house.cards, card), house.hidden))


def with_side(state: State, player: Player, side: Side) -> State:
    """The position with other piles for a player."""
    sides = (side, state.sides[1]) if player == 0 else (state.sides[0], side)
    return replace(state, sides=sides)


def _with_house(state: State, number: int, house: House) -> State:
    houses = (*state.houses[:number], house, *state.houses[number + 1 :])
    return replace(state, houses=houses)


def shuffled(cards: tuple[Card, ...], chance: int) -> tuple[tuple[Card, ...], int]:
    """The cards in the order of a generator's next words, and the generator's state after them.

    The generator is SplitMix64: each card, from the waste's bottom up, gets the next 64-bit word,
    and the card with the smallest word is turned first. That is unbiased but for equal words, of
    which there are about one in 10^16 shuffles.
    """
    words = []
    for _ in cards:
        chance = (chance + 0x9E3779B97F4A7C15) % 2**64
        word = (chance ^ chance >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        word = (word ^ word >> 27) * 0x94D049BB133111EB % 2**64
        words.append(word ^ word >> 31)
    order = sorted(range(len(cards)), key=words.__getitem__)
    return tuple(cards[place] for place in order), chance


def parse_move(text: str) -> Move:
    """Read a move: ``r f``, ``h2 to h5``, ``t ow``, ``turn``, ``discard``, ``pass``, ``stop``.

    Raises
    ------
    InputError
        When it is none of these.
    """
    words = [word for word in text.lower().split() if word != "to"]
    if len(words) == 1 and words[0] in _WORDS:
        return _WORDS[words[0]]
    if len(words) == 2:
        source, target = words
        is_source = source in (RESERVE, TURNED) or house_number(source) is not None
        is_target = target in (FOUNDATION, OTHER_RESERVE, OTHER_WASTE)
        if is_source and (is_target or house_number(target) is not None):
            return Move(source, target)
    raise InputError(
        f"'{text}' is not a move: write a source (r own reserve, t open stock card, h1 to h8 a "
        "house) and a target (f foundation, h1 to h8, or the opponent's reserve, ow the "
        "opponent's waste), for example 'r h3', or 'turn', 'discard', 'pass', 'stop'."
    )
