"""The rules of Canfield in plain Python: slow, obvious, and the truth about every solution.

One card is dealt to the first foundation: its rank is the *base rank*, from which all four
foundations build up in suit, the ace following the king. 13 cards are the reserve, only the last
of them in play; four columns begin with one card each and build down in alternating colours; the
other 34 cards are the stock, turned in packets to the waste. The game is won when all 52 cards
are on the foundations.

A column that loses its last card takes the reserve's top card at once: that is part of the move,
not a choice. So there are empty columns only after the reserve is gone.

The compiled kernels know nothing of this module; tests play the two against each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from winnable.cards import (
    PACK_SIZE,
    RANK_COUNT,
    SUIT_COUNT,
    Card,
    Rank,
    Suit,
    card_name,
    is_red,
    make_card,
    parse_card,
    rank_of,
    suit_of,
)
from winnable.errors import InputError
from winnable.games.ruleset import Parameter, Rules, RuleSet, RuleTable

RESERVE_SIZE = 13
COLUMN_COUNT = 4
STOCK_SIZE = PACK_SIZE - 1 - RESERVE_SIZE - COLUMN_COUNT
OPENING_SIZE = 3

RULES = RuleTable(
    parameters=(
        Parameter(
            "wrap",
            {
                "full": "on columns a king goes on an ace, and a base-rank card is as any other",
                "base": "ranks count from the base rank: nothing goes on a base-rank card",
            },
        ),
        Parameter(
            "moves",
            {
                "any-run": "any face-up end of a column moves to another one",
                "whole": "only whole columns move",
                "whole-or-top": "a whole column moves, or its last card",
            },
        ),
        Parameter(
            "fill",
            {
                "any": "with the reserve gone, an empty column takes any card or run in play",
                "waste": "with the reserve gone, an empty column takes only the waste's top card",
            },
        ),
        Parameter(
            "return",
            {
                "no": "cards stay on the foundations",
                "yes": "a foundation's top card may go back to a column, a base-rank card excepted",
            },
        ),
        Parameter(
            "opening",
            {
                "0": "play begins with an empty waste",
                "3": "play begins with three cards turned to the waste",
            },
        ),
        Parameter(
            "draw",
            {"3": "the stock is turned three cards at a time", "1": "it is turned card by card"},
        ),
        Parameter(
            "redeals",
            {
                "unlimited": "when the stock is empty the waste is turned over, as often as wanted",
                "0": "the stock is gone through once",
            },
        ),
    ),
    rule_sets=(
        RuleSet(
            "aisleriot",
            "AisleRiot Canfield",
            {
                "wrap": "full",
                "moves": "any-run",
                "fill": "any",
                "return": "yes",
                "opening": "0",
                "draw": "3",
                "redeals": "unlimited",
            },
        ),
        RuleSet(
            "pysol",
            "PySolFC Canfield",
            {"moves": "whole-or-top", "return": "no", "opening": "3"},
        ),
        RuleSet(
            "thoughtful",
            "Solvitaire's canfield and Wolter's program: the published 71.2 %",
            {"wrap": "base", "return": "no"},
        ),
        RuleSet(
            "thoughtful-strict",
            "Solvitaire's canfield-strict: whole columns, and empty ones filled from the waste",
            {"wrap": "base", "moves": "whole", "fill": "waste", "return": "no"},
        ),
        RuleSet(
            "full-wrap",
            "'thoughtful' with columns built as people play: kings go on aces",
            {"return": "no"},
        ),
        RuleSet(
            "casino",
            "the betting game: pay 50, get 5 for each foundation card",
            {"return": "no", "draw": "1", "redeals": "0"},
        ),
    ),
)

RULES_TEXT = """\
Layout: one card to the first foundation: its rank is the base rank. 13 cards to the reserve, of
which only the top one, the last dealt, is in play. One card to each of four columns. The other 34
cards are the stock.

Play: the foundations begin with the four cards of the base rank and build up in suit, an ace
following a king, 13 cards each. The columns build down in alternating colours. In play are the top
cards of the reserve and the waste and the end of each column; a run at the end of a column moves
as one. A column that becomes empty is filled at once with the reserve's top card; once the reserve
is gone it stays empty until a card is put there. Cards of the stock are turned to the waste in
packets of three, a shorter last packet as it is; when the stock is empty the waste is turned over
as a whole, its order kept.

Won: when all 52 cards are on the foundations. In a game that is not won the cards on the
foundations are the score.

Every card is known to the solver, the covered ones and the stock too ("thoughtful" play)."""


class MoveKind(str, Enum):
    """What a move does.

    turn: the next packet of the stock comes to the waste, its last card on top.
    redeal: the waste, turned over, becomes the stock.
    up: the top card of the waste, of the reserve or of a column goes to its foundation.
    move: the top card of the waste or of the reserve, or the end of a column from the named card
        on, goes to a column.
    down: the top card of a foundation goes to a column.
    """

    TURN = "turn"
    REDEAL = "redeal"
    UP = "up"
    MOVE = "move"
    DOWN = "down"


TURN, REDEAL, UP = MoveKind.TURN, MoveKind.REDEAL, MoveKind.UP
MOVE, DOWN = MoveKind.MOVE, MoveKind.DOWN
# How a move names an empty column instead of the card that it goes to.
EMPTY_COLUMN = "empty"


class Move(NamedTuple):
    """One move.

    kind: what it does.
    card: the card that moves, of a run the one furthest from the column's end; None when the
        stock or the waste is turned.
    target: for `move` and `down`, the last card of the column it goes to, None for an empty
        column. Which of several empty columns makes no difference: it is the leftmost.
    """

    kind: MoveKind
    card: Card | None = None
    target: Card | None = None

    def __str__(self) -> str:
        words = [self.kind.value]
        if self.card is not None:
            words.append(card_name(self.card))
        if self.kind in (MOVE, DOWN):
            words += ["to", EMPTY_COLUMN if self.target is None else card_name(self.target)]
        return " ".join(words)


@dataclass(frozen=True)
class State:
    """A position.

    base: the base rank.
    foundations: how many cards are up in each suit (clubs, diamonds, hearts, spades), 0 to 13,
        counted from the base rank.
    reserve: the last card is on top and alone in play.
    columns: four columns, the last card of each at its end.
    stock: the cards not yet turned, the one turned next first.
    waste: the cards turned and not played, the last one on top.
    """

    base: Rank
    foundations: tuple[int, ...]
    reserve: tuple[Card, ...]
    columns: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    waste: tuple[Card, ...] = ()


class Pile(str, Enum):
    """Where a card can lie."""

    FOUNDATION = "foundation"
    RESERVE = "reserve"
    COLUMN = "column"
    STOCK = "stock"
    WASTE = "waste"


class Place(NamedTuple):
    """Where a card lies.

    pile: the kind of pile.
    number: which column (0-3) or foundation (the suit), 0 for the other piles.
    above: how many cards lie on it; in the stock, how many are turned before it.
    """

    pile: Pile
    number: int
    above: int


def dealt(
    base_card: Card, reserve: Sequence[Card], column_cards: Sequence[Card], stock: Sequence[Card]
) -> State:
    """The layout: the first foundation's card, 13 cards (the last on top), four cards, 34 cards."""
    foundations = tuple(int(suit == suit_of(base_card)) for suit in range(SUIT_COUNT))
    columns = tuple((card,) for card in column_cards)
    return State(rank_of(base_card), foundations, tuple(reserve), columns, tuple(stock))


def is_untouched(state: State) -> bool:
    """Whether the position is a layout in which nothing was turned or played yet."""
    return (
        cards_up(state) == 1
        and len(state.reserve) == RESERVE_SIZE
        and all(len(column) == 1 for column in state.columns)
        and not state.waste
    )


def start(state: State, rules: Rules) -> State:
    """The position in which play begins: a fresh deal gets its opening cards under ``opening=3``.

    Raises
    ------
    InputError
        For a position that these rules can't lead to.
    """
    reason = _why_impossible(state, rules)
    if reason:
        raise InputError(reason)
    if rules.settings["opening"] == "3" and is_untouched(state):
        return _turned(state, OPENING_SIZE)
    return state


def _why_impossible(state: State, rules: Rules) -> str | None:
    """Why no game by these rules comes to a position; None when one may."""
    for number, column in enumerate(state.columns, start=1):
        for lower, upper in zip(column, column[1:], strict=False):
            if not fits(state, upper, lower, rules):
                return (
                    f"Column {number} has {card_name(upper)} on {card_name(lower)}: with "
                    f"wrap={rules.settings['wrap']} it does not go there."
                )
    # With a redeal the whole stock can be back.
    opens_full = rules.settings["opening"] == "3" and rules.settings["redeals"] == "0"
    if opens_full and len(state.stock) == STOCK_SIZE and not is_untouched(state):
        return (
            f"Cards have been played, but all {STOCK_SIZE} stock cards are there: with opening=3 "
            "three of them are turned at the start."
        )
    return None


def relative_rank(state: State, card: Card) -> int:
    """The rank of a card counted from the base rank, 0 to 12."""
    return (rank_of(card) - state.base) % RANK_COUNT


def cards_up(state: State) -> int:
    """How many cards are on the foundations, the dealt one included: the score."""
    return sum(state.foundations)


def is_won(state: State) -> bool:
    """Whether all cards are on the foundations."""
    return cards_up(state) == PACK_SIZE


def foundation_cards(state: State, suit: Suit) -> tuple[Card, ...]:
    """The cards on the foundation of a suit, the last one on top."""
    return tuple(
        make_card((state.base + i) % RANK_COUNT, suit) for i in range(state.foundations[suit])
    )


def next_up(state: State, suit: Suit) -> Card | None:
    """The card that the foundation of a suit takes next, None when it is complete."""
    count = state.foundations[suit]
    return None if count == RANK_COUNT else make_card((state.base + count) % RANK_COUNT, suit)


def fits(state: State, card: Card, target: Card, rules: Rules) -> bool:
    """Whether the card may be put on the target, the end of a column."""
    if is_red(card) == is_red(target):
        return False
    if rules.settings["wrap"] == "base":
        return relative_rank(state, card) + 1 == relative_rank(state, target)
    return (rank_of(card) + 1) % RANK_COUNT == rank_of(target)


def find(state: State, card: Card) -> Place:
    """Where a card lies."""
    suit = suit_of(card)
    up = state.foundations[suit]
    if relative_rank(state, card) < up:
        return Place(Pile.FOUNDATION, suit, up - 1 - relative_rank(state, card))
    for number, column in enumerate(state.columns):
        if card in column:
            return Place(Pile.COLUMN, number, len(column) - 1 - column.index(card))
    if card in state.stock:
        return Place(Pile.STOCK, 0, state.stock.index(card))
    if card in state.waste:
        return Place(Pile.WASTE, 0, len(state.waste) - 1 - state.waste.index(card))
    return Place(Pile.RESERVE, 0, len(state.reserve) - 1 - state.reserve.index(card))


def legal_moves(state: State, rules: Rules) -> list[Move]:
    """Every move of a position: up, to the columns, back from the foundations, the stock."""
    return [move for move in _conceivable(state) if why_illegal(state, move, rules) is None]


def _conceivable(state: State) -> Iterator[Move]:
    """Every move of cards that are in view, legal or not."""
    in_view = [*state.waste[-1:], *state.reserve[-1:]]
    in_view += [card for column in state.columns for card in column]
    tops = [card for suit in range(SUIT_COUNT) for card in foundation_cards(state, suit)[-1:]]
    targets: list[Card | None] = [column[-1] for column in state.columns if column]
    targets.append(None)
    yield from (Move(UP, card) for card in in_view)
    yield from (Move(MOVE, card, target) for card in in_view for target in targets)
    yield from (Move(DOWN, card, target) for card in tops for target in targets)
    yield Move(TURN)
    yield Move(REDEAL)


def why_illegal(state: State, move: Move, rules: Rules) -> str | None:
    """Why a move can't be made, as a sentence; None when it can."""
    if move.kind == TURN:
        return None if state.stock else "The stock is empty, so that no card can be turned."
    if move.kind == REDEAL:
        return _why_no_redeal(state, rules)
    if move.card is None:
        return f"The move '{move.kind.value}' needs a card."
    return _why_not_from(state, move.kind, move.card, move.target, find(state, move.card), rules)


def _why_not_from(
    state: State, kind: MoveKind, card: Card, target: Card | None, place: Place, rules: Rules
) -> str | None:
    """Why a card can't be moved from its place, which the caller has looked up."""
    if kind == UP:
        return _why_not_up(state, card, place)
    if kind == MOVE:
        reason = _why_not_movable(state, card, place, rules)
    else:
        reason = _why_no_return(state, card, place, rules)
    return reason or _why_not_there(state, card, target, place, rules)


def _why_no_redeal(state: State, rules: Rules) -> str | None:
    if rules.settings["redeals"] == "0":
        return "The waste is not turned over: with redeals=0 the stock is gone through once."
    if state.stock:
        return f"The waste is turned over when the stock is empty; it has {len(state.stock)} cards."
    if not state.waste:
        return "Stock and waste are empty: there is nothing to turn over."
    return None


def _why_not_up(state: State, card: Card, place: Place) -> str | None:
    name = card_name(card)
    if place.pile == Pile.FOUNDATION:
        return f"{name} is on its foundation already."
    if place.pile == Pile.STOCK:
        return f"{name} is in the stock."
    if place.above:
        return f"{name} is covered by {card_name(_cards_of(state, place)[-place.above])}."
    wanted = next_up(state, suit_of(card))
    if wanted != card:
        return f"{name} can't go up: its foundation takes {card_name(wanted or 0)} next."
    return None


def _why_not_movable(state: State, card: Card, place: Place, rules: Rules) -> str | None:
    """Why a card, with what lies on it, can't leave its place for a column."""
    name = card_name(card)
    if place.pile == Pile.FOUNDATION:
        return f"{name} is on its foundation: the move from there is 'down'."
    if place.pile == Pile.STOCK:
        return f"{name} is in the stock."
    if place.pile != Pile.COLUMN:
        if place.above:
            return f"{name} is covered by {card_name(_cards_of(state, place)[-place.above])}."
        return None
    is_whole = place.above + 1 == len(state.columns[place.number])
    if rules.settings["moves"] == "whole" and not is_whole:
        return f"{name} is not the first card of its column: with moves=whole only columns move."
    if rules.settings["moves"] == "whole-or-top" and not is_whole and place.above:
        return (
            f"{name} is neither the first nor the last card of its column: with "
            "moves=whole-or-top nothing else moves."
        )
    return None


def _why_no_return(state: State, card: Card, place: Place, rules: Rules) -> str | None:
    """Why a card can't go back from its foundation."""
    name = card_name(card)
    if rules.settings["return"] == "no":
        return "Cards stay on the foundations: the rules have return=no."
    place = find(state, card)
    if place.pile != Pile.FOUNDATION:
        return f"{name} is not on a foundation."
    if place.above:
        return f"{name} is not the top card of its foundation."
    if rank_of(card) == state.base:
        return f"{name} has the base rank, and such a card stays on its foundation."
    return None


def _why_not_there(
    state: State, card: Card, target: Card | None, place: Place, rules: Rules
) -> str | None:
    """Why a card that may leave its place can't come to the column that ends with the target."""
    name = card_name(card)
    if target is None:
        if () not in state.columns:
            return "No column is empty."
        if rules.settings["fill"] == "waste" and place.pile != Pile.WASTE:
            return f"With fill=waste an empty column takes only the waste's top card, not {name}."
        return None
    there = find(state, target)
    if there.pile != Pile.COLUMN or there.above:
        return f"{card_name(target)} is not the last card of a column."
    if place[:2] == there[:2]:
        return f"{name} is in the column of {card_name(target)} already."
    if not fits(state, card, target, rules):
        return f"{name} does not go on {card_name(target)}."
    return None


def _cards_of(state: State, place: Place) -> tuple[Card, ...]:
    """The reserve, waste or column of a place."""
    piles = {Pile.RESERVE: state.reserve, Pile.WASTE: state.waste}
    return piles.get(place.pile) or state.columns[place.number]


def apply(state: State, move: Move, rules: Rules) -> State:
    """The position after a move, an emptied column filled from the reserve.

    Raises
    ------
    InputError
        When the move is not legal, with the reason.
    """
    if move.card is None or move.kind in (TURN, REDEAL):
        return _stock_turned(state, move, rules)
    place = find(state, move.card)
    reason = _why_not_from(state, move.kind, move.card, move.target, place, rules)
    if reason:
        raise InputError(reason)
    # One State is built in the end and not one a step: replays are part of every study's time.
    up, columns = list(state.foundations), list(state.columns)
    reserve, waste = state.reserve, state.waste
    target = _column_of_target(state, move)
    taken: tuple[Card, ...] = (move.card,)
    if place.pile == Pile.FOUNDATION:
        up[place.number] -= 1
    elif place.pile == Pile.WASTE:
        waste = waste[:-1]
    elif place.pile == Pile.RESERVE:
        reserve = reserve[:-1]
    else:
        column = columns[place.number]
        kept = len(column) - 1 - place.above
        columns[place.number], taken = column[:kept], column[kept:]
    if move.kind == UP:
        up[suit_of(move.card)] += 1
    else:
        columns[target] += taken
    if reserve and () in columns:
        columns[columns.index(())] = reserve[-1:]
        reserve = reserve[:-1]
    return State(state.base, tuple(up), reserve, tuple(columns), state.stock, waste)


def _stock_turned(state: State, move: Move, rules: Rules) -> State:
    """The position after a move that names no card."""
    reason = why_illegal(state, move, rules)
    if reason:
        raise InputError(reason)
    if move.kind == TURN:
        return _turned(state, int(rules.settings["draw"]))
    return State(state.base, state.foundations, state.reserve, state.columns, state.waste)


def _column_of_target(state: State, move: Move) -> int:
    """The column that a card goes to, the leftmost of several empty ones; 0 for a foundation."""
    if move.kind == UP:
        return 0
    if move.target is None:
        return state.columns.index(())
    return find(state, move.target).number


def _turned(state: State, count: int) -> State:
    return State(
        state.base,
        state.foundations,
        state.reserve,
        state.columns,
        state.stock[count:],
        state.waste + state.stock[:count],
    )


def parse_move(text: str) -> Move:
    """Read a move: ``turn``, ``redeal``, ``up 5H``, ``move 5H to 6S``, ``down 5H to empty``.

    Raises
    ------
    InputError
        When it is none of these.
    """
    words = text.lower().split()
    if words in ([TURN.value], [REDEAL.value]):
        return Move(MoveKind(words[0]))
    if len(words) == 2 and words[0] == UP.value:
        return Move(UP, parse_card(words[1]))
    if len(words) == 4 and words[0] in (MOVE.value, DOWN.value) and words[2] == "to":
        target = None if words[3] == EMPTY_COLUMN else parse_card(words[3])
        return Move(MoveKind(words[0]), parse_card(words[1]), target)
    raise InputError(
        f"'{text}' is not a move: write 'turn', 'redeal', 'up CARD', 'move CARD to CARD' or "
        "'down CARD to CARD', with 'empty' in place of the second card for an empty column."
    )


def replay(state: State, moves: Iterable[Move], rules: Rules) -> State:
    """The position after all moves from the start of play.

    Raises
    ------
    InputError
        At the first illegal move.
    """
    state = start(state, rules)
    draw = int(rules.settings["draw"])
    turns = 0
    for move in moves:
        # Most moves of a solution are turns, many in a row: one State is built for all of these.
        if move.kind is TURN and turns * draw < len(state.stock):
            turns += 1
            continue
        if turns:
            state, turns = _turned(state, turns * draw), 0
        state = apply(state, move, rules)
    return _turned(state, turns * draw)
