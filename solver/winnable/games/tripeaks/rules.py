"""The rules of Tri-Peaks in plain Python: slow, obvious, and the truth about every solution.

28 cards lie in three overlapping peaks, rows of 3, 6, 9 and 10 numbered from the top; the other
24 are the stock. A tableau card with nothing on it may be moved to the waste when its rank is
next to that of the waste's top card. The stock is turned card by card, once. The game is won when
the tableau is empty.

The compiled kernels know nothing of this module; tests play the two against each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

from winnable.cards import KING, Card, Rank, card_name, parse_card, rank_of
from winnable.errors import InputError
from winnable.games.ruleset import Parameter, Rules, RuleSet, RuleTable

ROW_SIZES = (3, 6, 9, 10)
TABLEAU_SIZE = sum(ROW_SIZES)
STOCK_SIZE = 24

RULES = RuleTable(
    parameters=(
        Parameter("wrap", {"yes": "king and ace are neighbours", "no": "they are not"}),
        Parameter(
            "waste",
            {
                "turned": "the first stock card opens the waste",
                "empty": "the waste starts empty and takes any open card first",
            },
        ),
    ),
    rule_sets=(
        RuleSet(
            "standard",
            "AisleRiot Triple Peaks, PySolFC Three Peaks, most sites and apps",
            {"wrap": "yes", "waste": "turned"},
        ),
        RuleSet("no-wrap", "the hard mode of some apps", {"wrap": "no"}),
        RuleSet("open", "no program that we know of", {"waste": "empty"}),
        RuleSet(
            "open-no-wrap",
            "a Ukrainian help text: a 6 on the waste takes a 5 or a 7, and the waste starts empty",
            {"wrap": "no", "waste": "empty"},
        ),
    ),
)

RULES_TEXT = """\
Layout: 28 cards in three overlapping peaks, rows of 3, 6, 9 and 10 cards. A card of the upper
three rows is covered by two cards of the row below it. The other 24 cards are the stock.

Play: a tableau card with no card on it may be moved to the waste when its rank is one above or
one below that of the waste's top card; suits do not matter. At any time the next stock card may be
turned to the waste. The stock is gone through once.

Won: when all 28 tableau cards are gone. Stock cards left over are the score: the more, the better.

Every card is known to the solver, the covered ones and the stock too ("thoughtful" play)."""


def _covering_places() -> tuple[tuple[int, ...], ...]:
    """For each place of the tableau, the places of the two cards that lie on it."""
    first = [sum(ROW_SIZES[:row]) for row in range(len(ROW_SIZES))]
    rows: list[list[tuple[int, ...]]] = [
        # Each peak is a triangle of its own down to the third row ...
        [(first[1] + 2 * i, first[1] + 2 * i + 1) for i in range(3)],
        [(first[2] + j + j // 2, first[2] + j + j // 2 + 1) for j in range(6)],
        # ... and the last row runs below all three.
        [(first[3] + k, first[3] + k + 1) for k in range(9)],
        [() for _ in range(10)],
    ]
    return tuple(places for row in rows for places in row)


COVERED_BY = _covering_places()


class MoveKind(str, Enum):
    """What a move does: turn the next stock card, or play a card of the tableau to the waste."""

    TURN = "turn"
    PLAY = "play"


TURN, PLAY = MoveKind.TURN, MoveKind.PLAY


class Move(NamedTuple):
    """One move, and the card that comes to the waste by it."""

    kind: MoveKind
    card: Card

    def __str__(self) -> str:
        return f"{self.kind.value} {card_name(self.card)}"


@dataclass(frozen=True)
class State:
    """A position.

    tableau: 28 places, top row first, left to right; None where the card is gone.
    stock: the cards not yet turned, the next one first.
    waste: the cards played and turned, the last one on top.
    """

    tableau: tuple[Card | None, ...]
    stock: tuple[Card, ...]
    waste: tuple[Card, ...] = ()

    @property
    def stock_turned(self) -> int:
        """How many of the 24 stock cards have been turned, an opening card counted."""
        return STOCK_SIZE - len(self.stock)


def dealt(cards: Sequence[Card]) -> State:
    """The layout of 52 cards in dealing order: 28 to the tableau, then the stock."""
    return State(tuple(cards[:TABLEAU_SIZE]), tuple(cards[TABLEAU_SIZE:]))


def is_untouched(state: State) -> bool:
    """Whether nothing was turned or played yet."""
    return not state.waste and len(state.stock) == STOCK_SIZE and None not in state.tableau


def start(state: State, rules: Rules) -> State:
    """The position in which play begins: a fresh deal gets its opening card under ``turned``.

    Raises
    ------
    InputError
        For a position that these rules can't lead to.
    """
    if rules.settings["waste"] != "turned":
        return state
    if is_untouched(state):
        return _turned(state)
    if not state.stock_turned:
        raise InputError(
            f"Cards have been played, but all {STOCK_SIZE} stock cards are there: with "
            "waste=turned the first of them opens the waste."
        )
    return state


def is_open(state: State, place: int) -> bool:
    """Whether the place holds a card and no card lies on it."""
    return state.tableau[place] is not None and all(
        state.tableau[above] is None for above in COVERED_BY[place]
    )


def are_neighbours(one: Rank, other: Rank, rules: Rules) -> bool:
    """Whether the ranks are next to each other, king and ace only where ``wrap`` says so."""
    distance = abs(one - other)
    return distance == 1 or (distance == KING and rules.settings["wrap"] == "yes")


def fits_waste(state: State, card: Card, rules: Rules) -> bool:
    """Whether the waste's top card takes this card; an empty waste takes any."""
    return not state.waste or are_neighbours(rank_of(state.waste[-1]), rank_of(card), rules)


def legal_moves(state: State, rules: Rules) -> list[Move]:
    """Every move of a position: plays by place, then the turn."""
    moves = [
        Move(PLAY, card)
        for place, card in enumerate(state.tableau)
        if card is not None and is_open(state, place) and fits_waste(state, card, rules)
    ]
    if state.stock:
        moves.append(Move(TURN, state.stock[0]))
    return moves


def apply(state: State, move: Move, rules: Rules) -> State:
    """The position after a move.

    Raises
    ------
    InputError
        When the move is not legal, with the reason.
    """
    reason = why_illegal(state, move, rules)
    if reason:
        raise InputError(reason)
    if move.kind == TURN:
        return _turned(state)
    left = tuple(None if card == move.card else card for card in state.tableau)
    return replace(state, tableau=left, waste=(*state.waste, move.card))


def _turned(state: State) -> State:
    return replace(state, stock=state.stock[1:], waste=(*state.waste, state.stock[0]))


def why_illegal(state: State, move: Move, rules: Rules) -> str | None:
    """Why a move can't be made, as a sentence; None when it can."""
    card = card_name(move.card)
    if move.kind == TURN:
        if not state.stock:
            return "The stock is empty, so that no card can be turned."
        if move.card != state.stock[0]:
            return f"The next stock card is {card_name(state.stock[0])}, not {card}."
        return None
    if move.card not in state.tableau:
        return f"{card} is not in the tableau."
    place = state.tableau.index(move.card)
    lying_on_it = [state.tableau[above] for above in COVERED_BY[place]]
    names = [card_name(above) for above in lying_on_it if above is not None]
    if names:
        return f"{card} is covered by {' and '.join(names)}."
    if not fits_waste(state, move.card, rules):
        return f"{card} does not go on {card_name(state.waste[-1])}."
    return None


def is_won(state: State) -> bool:
    """Whether the tableau is empty."""
    return all(card is None for card in state.tableau)


def parse_move(text: str, state: State) -> Move:
    """Read a move: ``turn``, ``turn 4H``, ``play 5H`` or just ``5H``.

    Raises
    ------
    InputError
        When it is none of these.
    """
    words = text.split()
    if words and words[0].lower() == TURN.value and len(words) <= 2:
        if len(words) == 2:
            return Move(TURN, parse_card(words[1]))
        # With an empty stock any card will do: the move is refused for that reason.
        return Move(TURN, state.stock[0] if state.stock else 0)
    if words and words[0].lower() == PLAY.value:
        words = words[1:]
    if len(words) != 1:
        raise InputError(f"'{text}' is not a move: write 'turn' or 'play' and a card.")
    return Move(PLAY, parse_card(words[0]))


def replay(state: State, moves: Iterable[Move], rules: Rules) -> State:
    """The position after all moves from the start of play.

    Raises
    ------
    InputError
        At the first illegal move.
    """
    state = start(state, rules)
    for move in moves:
        state = apply(state, move, rules)
    return state
