"""Russian Bank and Zank-Patience in plain Python: slow, obvious, and the truth about every game.

The two games share table, moves and end; `Variant` says in what they differ.

The compiled kernels know nothing of this module; tests play the two against each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import Enum

from winnable.cards import RANKS, SYMBOLS, Card, card_name, is_red, rank_of, suit_of
from winnable.duel.position import (
    DISCARD,
    FOUNDATION,
    HOUSE,
    OTHER_RESERVE,
    OTHER_WASTE,
    PASS,
    RESERVE,
    RESERVE_UP,
    STOP,
    TURN,
    TURNED,
    Ending,
    House,
    Key,
    Move,
    Outcome,
    Player,
    Side,
    State,
    card_moved,
    house_name,
    house_number,
    shuffled,
    source_card,
    with_side,
)
from winnable.duel.tables import QUIET_TURNS, Variant
from winnable.errors import InputError


class Duty(Enum):
    """What the mover is obliged to do, the first that applies.

    NOTHING: he is free.
    RESERVE_UP: the reserve's top goes to a foundation.
    UP: an end card of a house or the open stock card goes to a foundation.
    HOUSE_UP: an end card of a house goes to a foundation.
    RESERVE_FIRST: the reserve's top fits a house, so that the stock is not touched.
    OWN_CARD: the reserve's or the stock's card has a place to go, so that the turn can't end.
    """

    NOTHING = 0
    RESERVE_UP = 1
    UP = 2
    HOUSE_UP = 3
    RESERVE_FIRST = 4
    OWN_CARD = 5


_DUTY_WORDS = {
    Duty.RESERVE_UP: "The reserve's top has to go to its foundation first.",
    Duty.UP: "A house's end card or the stock's card has to go to its foundation first.",
    Duty.HOUSE_UP: "A house's end card has to go to its foundation first (seen-rule=yes).",
    Duty.RESERVE_FIRST: "The reserve's top fits a house: until it is dealt with, the stock's card "
    "can't be turned, played or discarded.",
    Duty.OWN_CARD: "The reserve's or the stock's card has a place to go: with must-play=own the "
    "turn can't end yet.",
}


# Beginning


def begun(state: State, variant: Variant, mover: Player | None = None) -> State:
    """The position with no past, ready for play.

    Parameters
    ----------
    state:
        Piles, foundations and counts; what it says of the past is dropped.
    mover:
        Whose turn it is; None for a fresh deal, in which the rules say who begins.
    """
    if mover is None:
        mover = first_player(state, variant)
    state = replace(state, mover=mover, seen=frozenset(), starts=frozenset(), fault=None)
    state = _with_stock_open(state, variant)
    key = position_key(state, variant)
    outcome = None
    if _is_out(state.own):
        outcome = Outcome(mover, Ending.WON)
    elif state.quiet >= QUIET_TURNS:
        outcome = Outcome(None, Ending.QUIET)
    return replace(state, seen=frozenset([key]), starts=frozenset([key]), outcome=outcome)


def first_player(deal: State, variant: Variant) -> Player:
    """Who begins after this deal."""
    if variant.says("starter") == "first":
        return 0
    share = len(deal.houses) // 2
    ranks = []
    for side, houses in zip(deal.sides, (deal.houses[:share], deal.houses[share:]), strict=True):
        tops = side.reserve[-1:] + tuple(house.cards[-1] for house in houses if house.cards)
        ranks.append([rank_of(card) for card in tops])
    is_second = (
        ranks[1] > ranks[0] if variant.says("starter") == "high-reserve" else ranks[1] < ranks[0]
    )
    return int(is_second)


def position_key(state: State, variant: Variant) -> Key:
    """What makes two positions the same: piles, mover, open stock card, and whether he may load."""
    piles = tuple((side.reserve, side.stock, side.waste) for side in state.sides)
    houses = tuple(sorted(state.houses))
    barred = is_load_barred(state, variant)
    return (state.foundations, houses, piles, state.mover, state.turned, barred)


# What goes where


def is_load_barred(state: State, variant: Variant) -> bool:
    """Whether this is a first turn in which nothing may be loaded."""
    return state.turn == 0 and variant.says("first-turn-load") == "no"


def _is_out(side: Side) -> bool:
    return not (side.reserve or side.stock or side.waste)


def fits_foundation(state: State, card: Card) -> bool:
    """Whether one of the suit's two foundations takes the card next."""
    return rank_of(card) in state.foundations[suit_of(card)]


def fits_house(house: House, card: Card, variant: Variant) -> bool:
    """Whether the house takes the card."""
    if not house.cards:
        return True
    end = house.cards[-1]
    if rank_of(card) + 1 != rank_of(end):
        return False
    if variant.says("house-build") == "suit":
        return suit_of(card) == suit_of(end)
    return is_red(card) != is_red(end)


def fits_pile(pile: tuple[Card, ...], card: Card) -> bool:
    """Whether the card may be loaded on the top of the opponent's pile."""
    if not pile or suit_of(card) != suit_of(pile[-1]):
        return False
    return abs(rank_of(card) - rank_of(pile[-1])) == 1


def may_load(state: State, target: str, variant: Variant) -> bool:
    """Whether the rules let anything go on this pile of the opponent in this turn."""
    if is_load_barred(state, variant):
        return False
    return variant.says("load") in ("both", "reserve" if target == OTHER_RESERVE else "waste")


def _takes(state: State, target: str, card: Card, variant: Variant) -> bool:
    """Whether an available card may go to a target, compulsion and repetition aside."""
    if target == FOUNDATION:
        return fits_foundation(state, card)
    if target in (OTHER_RESERVE, OTHER_WASTE):
        pile = state.other.reserve if target == OTHER_RESERVE else state.other.waste
        return may_load(state, target, variant) and fits_pile(pile, card)
    number = house_number(target)
    return (
        number is not None
        and number < len(state.houses)
        and fits_house(state.houses[number], card, variant)
    )


def duty(state: State, variant: Variant) -> Duty:
    """What the mover is obliged to do."""
    reserve, turned = source_card(state, RESERVE), source_card(state, TURNED)
    is_end_up = any(
        house.cards and fits_foundation(state, house.cards[-1]) for house in state.houses
    )
    if variant.says("reserve-to-house") != "none":
        if reserve is not None and fits_foundation(state, reserve):
            return Duty.RESERVE_UP
        if is_end_up or (turned is not None and fits_foundation(state, turned)):
            return Duty.UP
        only_empty = variant.says("reserve-to-house") == "empty"
        obliging = [house for house in state.houses if not (only_empty and house.cards)]
        if reserve is not None and any(fits_house(house, reserve, variant) for house in obliging):
            return Duty.RESERVE_FIRST
    if variant.says("seen-rule") == "yes" and is_end_up:
        return Duty.HOUSE_UP
    if variant.says("must-play") == "own":
        own = [card for card in (reserve, turned) if card is not None]
        targets = [FOUNDATION, OTHER_RESERVE, OTHER_WASTE, *_house_targets(state)]
        if any(_takes(state, target, card, variant) for card in own for target in targets):
            return Duty.OWN_CARD
    return Duty.NOTHING


def misses(move: Move, obliged: Duty) -> bool:
    """Whether a move leaves undone what the mover is obliged to do."""
    if obliged is Duty.RESERVE_UP:
        return move != RESERVE_UP
    if obliged is Duty.UP:
        return move.target != FOUNDATION
    if obliged is Duty.HOUSE_UP:
        return move.target != FOUNDATION or not move.source.startswith(HOUSE)
    if obliged is Duty.RESERVE_FIRST:
        return move.source == TURNED or move in (TURN, DISCARD, PASS)
    return obliged is Duty.OWN_CARD and move in (DISCARD, PASS)


# Legal moves


def legal_moves(state: State, variant: Variant) -> list[Move]:
    """Every legal move; of several empty houses only the first is named.

    The others are legal as well and lead to the same position. `stop` is the opponent's move, or
    the mover's when the fault ended the turn.
    """
    if state.outcome is not None:
        return []
    moves = [move for move in _card_moves(state, variant) if not _recurs(state, move, variant)]
    moves += [move for move in (TURN, DISCARD, PASS) if _why_no_word(state, move, variant) is None]
    if variant.are_faults_called:
        return moves + [STOP] * (state.fault is not None)
    obliged = duty(state, variant)
    return [move for move in moves if not misses(move, obliged)]


def _house_targets(state: State) -> list[str]:
    """The houses that cards can go to, of the empty ones the first."""
    numbers = [number for number, house in enumerate(state.houses) if house.cards]
    numbers += [number for number, house in enumerate(state.houses) if not house.cards][:1]
    return [house_name(number) for number in numbers]


def _card_moves(state: State, variant: Variant) -> Iterator[Move]:
    """Every move of an available card to a place that takes it."""
    houses = [house_name(number) for number in range(len(state.houses))]
    targets = [FOUNDATION, *_house_targets(state), OTHER_RESERVE, OTHER_WASTE]
    for source in (RESERVE, *houses, TURNED):
        card = source_card(state, source)
        if card is not None:
            for target in targets:
                if target != source and _takes(state, target, card, variant):
                    yield Move(source, target)


def why_illegal(state: State, move: Move, variant: Variant) -> str | None:
    """Why a move can't be made, as a sentence; None when it can."""
    if state.outcome is not None:
        return "The game is over."
    if move == STOP:
        if state.fault is not None:
            return None
        if variant.are_faults_called:
            return "The last move missed nothing compulsory: there is no fault to stop."
        return "Faults can't be made, so that none can be stopped: the rules have stop=enforced."
    if move in (TURN, DISCARD, PASS):
        reason = _why_no_word(state, move, variant)
    else:
        reason = _why_no_card(state, move) or _why_not_there(state, move, variant)
    if reason is None and not variant.are_faults_called:
        obliged = duty(state, variant)
        reason = _DUTY_WORDS[obliged] if misses(move, obliged) else None
    if reason is None and _recurs(state, move, variant):
        reason = "The position that this leads to was there in this turn already."
    return reason


def _why_no_word(state: State, move: Move, variant: Variant) -> str | None:
    """Why the stock's card can't be turned or discarded, or why the mover can't pass."""
    has_cards = bool(state.own.stock or state.own.waste)
    if move == TURN:
        if variant.is_stock_open:
            return "The stock's top card lies open by itself in this game."
        if state.turned:
            return f"{card_name(state.own.stock[0])} is turned already: play or discard it."
        return None if has_cards else "Stock and waste are empty: there is no card to turn."
    if move == DISCARD:
        if state.turned:
            return None
        return "No stock card is open: " + (
            "turn one first." if has_cards else "stock and waste are empty, so that one can pass."
        )
    return "Only with stock and waste both empty can one pass." if has_cards else None


def _why_no_card(state: State, move: Move) -> str | None:
    """Why there is no card at the source of a move."""
    if source_card(state, move.source) is not None:
        return None
    if move.source == RESERVE:
        return f"The reserve of player {state.mover} is empty."
    if move.source == TURNED:
        return "No stock card is open."
    return _why_no_house(state, move.source) or f"House {move.source} is empty."


def _why_no_house(state: State, place: str) -> str | None:
    number = house_number(place)
    if number is not None and number < len(state.houses):
        return None
    last = house_name(len(state.houses) - 1)
    return f"There is no house {place}: they are {house_name(0)} to {last}."


def _why_not_there(state: State, move: Move, variant: Variant) -> str | None:
    """Why the card of the source can't come to the target, compulsion and repetition aside."""
    card = source_card(state, move.source)
    assert card is not None
    name, target = card_name(card), move.target
    if target == FOUNDATION:
        if fits_foundation(state, card):
            return None
        suit = suit_of(card)
        wanted = [
            RANKS[height] for height in state.foundations[suit] if height < variant.size.ranks
        ]
        shown = " and ".join(dict.fromkeys(wanted)) or "nothing more"
        return f"{name} does not go up: the foundations of {SYMBOLS[suit]} take {shown} next."
    if target in (OTHER_RESERVE, OTHER_WASTE):
        return _why_no_load(state, target, card, variant)
    reason = _why_no_house(state, target)
    if reason is not None:
        return reason
    if target == move.source:
        return f"{name} is in house {target} already."
    if _takes(state, target, card, variant):
        return None
    end = source_card(state, target)
    assert end is not None
    manner = "in suit" if variant.says("house-build") == "suit" else "in alternating colours"
    return f"{name} does not go on {card_name(end)}: houses build down {manner}."


def _why_no_load(state: State, target: str, card: Card, variant: Variant) -> str | None:
    """Why a card can't go on a pile of the opponent."""
    pile_name = "reserve" if target == OTHER_RESERVE else "waste"
    pile = state.other.reserve if target == OTHER_RESERVE else state.other.waste
    if is_load_barred(state, variant):
        return "In the first turn of the game nothing goes on the opponent's piles."
    if not may_load(state, target, variant):
        setting = f"load={variant.says('load')}"
        return f"Nothing goes on the opponent's {pile_name}: the rules have {setting}."
    if not pile:
        return f"The opponent's {pile_name} is empty: only a card can be loaded on."
    if fits_pile(pile, card):
        return None
    return (
        f"{card_name(card)} does not go on {card_name(pile[-1])}, the top of the opponent's "
        f"{pile_name}: it takes the same suit, one rank higher or lower."
    )


def _recurs(state: State, move: Move, variant: Variant) -> bool:
    """Whether the position after a move was there in this turn.

    Only moves between houses can lead back: all others take a card out of the mover's piles for
    this turn, or out of play for good, or open a stock card, which has to go in the same way.
    """
    if not (move.source.startswith(HOUSE) and move.target.startswith(HOUSE)):
        return False
    return position_key(card_moved(state, move), variant) in state.seen


# Making a move


def apply(state: State, move: Move, variant: Variant) -> State:
    """The position after a move.

    Raises
    ------
    InputError
        When the move is not legal, with the reason and the moves that are.
    """
    reason = why_illegal(state, move, variant)
    if reason is not None:
        legal = ", ".join(map(str, legal_moves(state, variant)))
        raise InputError(f"{reason} Legal now: {legal}." if legal else reason)
    if move == STOP:
        assert state.fault is not None
        return _turn_ended(state.fault, variant)
    is_fault = variant.are_faults_called and misses(move, duty(state, variant))
    after = _applied(replace(state, fault=None), move, variant)
    return replace(after, fault=replace(state, fault=None)) if is_fault else after


def _applied(state: State, move: Move, variant: Variant) -> State:
    """The position after a legal move that is no `stop`."""
    if move == PASS:
        return _turn_ended(state, variant)
    if move == DISCARD:
        own = state.own
        own = own._replace(stock=own.stock[1:], waste=(*own.waste, own.stock[0]))
        return _turn_ended(with_side(state, state.mover, own), variant)
    if move == TURN:
        after = replace(_with_stock_filled(state, variant), turned=True)
    else:
        after = card_moved(state, move)
        if _is_out(after.own):
            return replace(after, outcome=Outcome(after.mover, Ending.WON))
        after = _with_stock_open(after, variant)
    return replace(after, seen=after.seen | {position_key(after, variant)})


def _with_stock_filled(state: State, variant: Variant) -> State:
    """The mover's waste as his stock, when that is empty: turned over, or shuffled by the rules.

    Turned over, the card that was discarded first is turned first.
    """
    own = state.own
    if own.stock or not own.waste:
        return state
    stock, chance = own.waste, state.chance
    if variant.says("redeal") == "shuffle":
        stock, chance = shuffled(stock, chance)
    own = own._replace(stock=stock, waste=(), turned_over=True)
    return replace(with_side(state, state.mover, own), chance=chance)


def _with_stock_open(state: State, variant: Variant) -> State:
    """In Zank-Patience, the mover's next stock card opened."""
    if not variant.is_stock_open:
        return state
    state = _with_stock_filled(state, variant)
    return replace(state, turned=bool(state.own.stock))


def _turn_ended(state: State, variant: Variant) -> State:
    """The opponent's turn, or the end of the game by a draw."""
    after = replace(
        state,
        mover=1 - state.mover,
        turned=False,
        turn=state.turn + 1,
        quiet=state.quiet + 1,
        fault=None,
    )
    after = _with_stock_open(after, variant)
    key = position_key(after, variant)
    outcome = None
    if key in state.starts:
        outcome = Outcome(None, Ending.REPETITION)
    elif after.quiet >= QUIET_TURNS:
        outcome = Outcome(None, Ending.QUIET)
    return replace(after, seen=frozenset([key]), starts=state.starts | {key}, outcome=outcome)
