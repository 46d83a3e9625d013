"""The table of the two-player games, and their moves in words."""

from __future__ import annotations

from winnable.cards import SUIT_COUNT, SYMBOLS, card_name, make_card
from winnable.duel.position import (
    DISCARD,
    FOUNDATION,
    OTHER_RESERVE,
    OTHER_WASTE,
    PASS,
    RESERVE,
    STOP,
    TURN,
    TURNED,
    Ending,
    Move,
    Player,
    State,
    house_number,
    source_card,
)
from winnable.pages.tables.piles import DOWN, RIGHT, STRIDE, Heap, Pile

_SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")
_FOUNDATIONS_A_SUIT = 2
# Of a reserve and a waste, the cards on top lie apart: some may be loaded by the opponent.
_SHOWN = 4


def layout(start: State) -> list[Pile]:
    """Player 1's piles, the foundations, the houses, and player 0's piles."""
    foundations = [
        Pile(
            f"{('first', 'second')[number]} foundation of {_SUIT_WORDS[suit]}",
            STRIDE * (_FOUNDATIONS_A_SUIT * suit + number),
            1,
            caption=SYMBOLS[suit],
        )
        for suit in range(SUIT_COUNT)
        for number in range(_FOUNDATIONS_A_SUIT)
    ]
    houses = [
        Pile(f"house {number}", STRIDE * (number - 1), 2, fan=DOWN, caption=str(number))
        for number in range(1, len(start.houses) + 1)
    ]
    return [*_side_piles(1, 0), *foundations, *houses, *_side_piles(0, 3)]


def _side_piles(player: Player, band: int) -> list[Pile]:
    """A player's reserve, stock and waste."""
    owner = f"player {player}'s"
    return [
        Pile(
            f"{owner} reserve",
            0,
            band,
            fan=RIGHT,
            last=_SHOWN,
            caption=f"player {player}: reserve",
            is_counted=True,
        ),
        Pile(f"{owner} stock", 3.4 * STRIDE, band, caption="stock", is_counted=True),
        Pile(
            f"{owner} waste",
            5.2 * STRIDE,
            band,
            fan=RIGHT,
            last=_SHOWN,
            caption="waste",
            is_counted=True,
        ),
    ]


def heaps(state: State) -> list[Heap]:
    """What lies on each pile, as both players see it."""
    foundations = [
        Heap(tuple(make_card(rank, suit) for rank in range(height)))
        for suit, pair in enumerate(state.foundations)
        for height in pair
    ]
    houses = [Heap(house.cards, house.hidden) for house in state.houses]
    return [*_side_heaps(state, 1), *foundations, *houses, *_side_heaps(state, 0)]


def _side_heaps(state: State, player: Player) -> list[Heap]:
    side = state.sides[player]
    is_open = state.turned and player == state.mover
    return [
        Heap(side.reserve, len(side.reserve) - side.open_reserve),
        Heap(side.stock[::-1], len(side.stock) - is_open),
        # Only its top card is in sight, but all of it has been.
        Heap(side.waste),
    ]


def in_words(move: Move, state: State) -> str:
    """Who does what in a position."""
    if move == STOP:
        assert state.fault is not None
        return f"player {1 - state.fault.mover} calls stop: the move is taken back, the turn ends"
    return f"player {state.mover} {_done(move, state)}"


def _done(move: Move, state: State) -> str:
    if move == PASS:
        return "passes"
    if move == TURN:
        return _turned(state)
    card = state.own.stock[0] if move == DISCARD else source_card(state, move.source)
    assert card is not None
    if move == DISCARD:
        return f"discards {card_name(card)}"
    return f"moves {card_name(card)} from {_whence(move.source)} {_whither(move.target, state)}"


def _turned(state: State) -> str:
    """The stock's next card turned; after a waste was turned over or shuffled it is not told."""
    if state.own.stock:
        return f"turns {card_name(state.own.stock[0])} from the stock"
    return "takes the waste as the stock again and turns its first card"


def _whence(source: str) -> str:
    if source == RESERVE:
        return "the reserve"
    number = house_number(source)
    return "the stock" if source == TURNED or number is None else f"house {number + 1}"


def _whither(target: str, state: State) -> str:
    if target == FOUNDATION:
        return "to a foundation"
    if target in (OTHER_RESERVE, OTHER_WASTE):
        is_reserve = target == OTHER_RESERVE
        pile = state.other.reserve if is_reserve else state.other.waste
        name = "reserve" if is_reserve else "waste"
        return f"to the opponent's {name}, on {card_name(pile[-1])}"
    end = source_card(state, target)
    return f"to {_whence(target)}, {'which is empty' if end is None else f'on {card_name(end)}'}"


def ending(state: State) -> str:
    """How a game stands at the end of its moves, as a sentence."""
    if state.outcome is None:
        return f"The game goes on: player {state.mover} is to move."
    if state.outcome.ending is Ending.WON:
        return f"Player {state.outcome.winner} has won."
    return f"A draw: {state.outcome.ending.value}."
