"""The rules of Spider in plain Python: slow, obvious, and the truth about every solution.

Two packs, ten columns, five rows of ten cards in the stock. Cards are not unique, so a move names
columns. A card that is the same as another one in rank and suit is the same to every rule: with
four suits each card is there twice, with two suits four times, with one suit eight times.

What follows a move by itself is part of it: a complete run, king to ace of one suit, leaves the
table at once, and a face-down card left at the end of a column is turned up.

The compiled kernels know nothing of this module; tests play the two against each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from winnable.cards import (
    ACE,
    KING,
    PACK_SIZE,
    RANK_COUNT,
    SUIT_COUNT,
    SUITS,
    SYMBOLS,
    Card,
    Suit,
    card_name,
    make_card,
    rank_of,
    suit_of,
)
from winnable.errors import InputError
from winnable.games.ruleset import Parameter, Rules, RuleSet, RuleTable

COLUMN_COUNT = 10
DECK_SIZE = 2 * PACK_SIZE
RUN_COUNT = DECK_SIZE // RANK_COUNT
ROW_COUNT = 5
STOCK_SIZE = ROW_COUNT * COLUMN_COUNT
TABLE_SIZE = DECK_SIZE - STOCK_SIZE

# For each value of the parameter `suits`: the suits in play.
SUITS_IN_PLAY: dict[str, tuple[Suit, ...]] = {
    "4": tuple(range(SUIT_COUNT)),
    "2": (SUITS.index("H"), SUITS.index("S")),
    "1": (SUITS.index("S"),),
}

RULES = RuleTable(
    parameters=(
        Parameter(
            "suits",
            {
                "4": "two packs: each card is there twice",
                "2": "hearts and spades only: each card is there four times",
                "1": "spades only: each card is there eight times",
            },
        ),
        Parameter(
            "deal-on-empty",
            {
                "no": "no row is dealt while a column is empty",
                "yes": "a row may be dealt on empty columns too",
            },
        ),
    ),
    rule_sets=(
        RuleSet("four-suit", "AisleRiot and PySolFC Spider", {"suits": "4", "deal-on-empty": "no"}),
        RuleSet("two-suit", "AisleRiot and PySolFC, with two suits", {"suits": "2"}),
        RuleSet("one-suit", "AisleRiot and PySolFC, with one suit", {"suits": "1"}),
        RuleSet("relaxed-four-suit", "KPat Spider, hard", {"deal-on-empty": "yes"}),
        RuleSet("relaxed-two-suit", "KPat Spider, medium", {"suits": "2", "deal-on-empty": "yes"}),
        RuleSet("relaxed-one-suit", "KPat Spider, easy", {"suits": "1", "deal-on-empty": "yes"}),
    ),
)

RULES_TEXT = """\
Layout: two packs of 52 cards. 54 cards go to ten columns, six to each of four columns and five to
each of the others; only the last card of each column is face up. Which columns have six cards is
part of the deal. The other 50 cards are the stock: five rows of ten. A game of two suits has
hearts and spades in place of all four suits, a game of one suit spades only; it has 104 cards too.

Play: the last card of a column, or a run at its end that descends in rank within one suit, moves
onto the last card of another column if that is one rank higher, of any suit, or to an empty
column. Nothing goes on an ace, a king goes only to an empty column. A face-down card that comes to
the end of its column is turned up. A row of the stock is dealt face up, one card to each column
from left to right; whether it may be dealt while a column is empty is a matter of the rule set.
A complete run of one suit, king to ace, leaves the table by itself and at once, when a move or a
row completes it.

Won: when all eight runs have left the table.

Every card is known to the solver, the face-down ones and the stock too ("thoughtful" play). In
AisleRiot and PySolFC the player takes a complete run off by hand; leaving it is of no use."""


class MoveKind(str, Enum):
    """What a move does.

    deal: the next row of the stock comes to the columns, one card to each.
    move: cards from the end of a column go to another one.
    """

    DEAL = "deal"
    MOVE = "move"


DEAL, MOVE = MoveKind.DEAL, MoveKind.MOVE


class Move(NamedTuple):
    """One move.

    kind: what it does.
    size: how many cards move.
    source, target: the columns that they leave and come to, 0 to 9; people count from 1.
    """

    kind: MoveKind
    size: int = 0
    source: int = 0
    target: int = 0

    def __str__(self) -> str:
        if self.kind == DEAL:
            return self.kind.value
        return f"{self.kind.value} {self.size} from {self.source + 1} to {self.target + 1}"


@dataclass(frozen=True)
class State:
    """A position.

    columns: ten columns, the last card of each at its end, face-down cards first.
    hidden: for each column how many of its cards are face down; never all of them.
    stock: the cards not yet dealt, the one dealt first comes first; whole rows of ten.
    finished: how many complete runs have left the table in each suit (clubs, diamonds, hearts,
        spades).
    """

    columns: tuple[tuple[Card, ...], ...]
    hidden: tuple[int, ...]
    stock: tuple[Card, ...]
    finished: tuple[int, ...] = (0,) * SUIT_COUNT


def dealt(columns: Sequence[Sequence[Card]], stock: Sequence[Card]) -> State:
    """The layout: ten columns of which only the last cards are face up, and the stock."""
    return State(
        tuple(map(tuple, columns)), tuple(len(column) - 1 for column in columns), tuple(stock)
    )


def is_untouched(state: State) -> bool:
    """Whether the position is a layout in which nothing was dealt or moved yet."""
    return (
        len(state.stock) == STOCK_SIZE
        and sum(state.finished) == 0
        and sorted(map(len, state.columns)) == [5] * 6 + [6] * 4
        and all(
            hidden == len(column) - 1
            for column, hidden in zip(state.columns, state.hidden, strict=True)
        )
    )


def suits_of(state: State) -> set[Suit]:
    """The suits of all cards, those of runs that have left the table too."""
    present = {suit_of(card) for pile in (*state.columns, state.stock) for card in pile}
    return present | {suit for suit, count in enumerate(state.finished) if count}


def start(state: State, rules: Rules) -> State:
    """The position in which play begins: complete runs that were left on the table leave it.

    Raises
    ------
    InputError
        For a position that these rules can't lead to.
    """
    reason = _why_impossible(state, rules)
    if reason:
        raise InputError(reason)
    return _settled(state.columns, state.hidden, state.stock, state.finished)


def _why_impossible(state: State, rules: Rules) -> str | None:
    """Why no game by these rules comes to a position; None when one may."""
    suits = rules.settings["suits"]
    present = suits_of(state)
    if present != set(SUITS_IN_PLAY[suits]):
        wanted = " ".join(SYMBOLS[suit] for suit in SUITS_IN_PLAY[suits])
        found = " ".join(SYMBOLS[suit] for suit in sorted(present))
        return (
            f"This deal has cards of {found}, but with suits={suits} all cards are {wanted}: "
            f"it needs rules with suits={len(present)}."
        )
    for number, column in enumerate(state.columns, start=1):
        face_up = column[state.hidden[number - 1] :]
        for place in range(len(face_up) - RANK_COUNT):
            if is_complete(face_up[place : place + RANK_COUNT]):
                return (
                    f"Column {number} has cards on a complete run: a run leaves at once, so that "
                    "nothing is ever put on it."
                )
    return None


def is_won(state: State) -> bool:
    """Whether all eight runs have left the table."""
    return sum(state.finished) == RUN_COUNT


def is_run(cards: Sequence[Card]) -> bool:
    """Whether the cards descend by one rank at a time within one suit."""
    return all(
        suit_of(lower) == suit_of(upper) and rank_of(lower) == rank_of(upper) + 1
        for lower, upper in zip(cards, cards[1:], strict=False)
    )


def is_complete(cards: Sequence[Card]) -> bool:
    """Whether the cards are a complete run, king to ace of one suit."""
    return len(cards) == RANK_COUNT and rank_of(cards[0]) == KING and is_run(cards)


def legal_moves(state: State, rules: Rules) -> list[Move]:
    """Every move of a position, to each of several empty columns too; a deal comes last."""
    return [move for move in _conceivable(state) if why_illegal(state, move, rules) is None]


def _conceivable(state: State) -> Iterator[Move]:
    """Every number of face-up cards from every column to every other one, and the deal."""
    for source, column in enumerate(state.columns):
        for count in range(1, len(column) - state.hidden[source] + 1):
            for target in range(COLUMN_COUNT):
                if target != source:
                    yield Move(MOVE, count, source, target)
    yield Move(DEAL)


def why_illegal(state: State, move: Move, rules: Rules) -> str | None:
    """Why a move can't be made, as a sentence; None when it can."""
    if move.kind == DEAL:
        return _why_no_deal(state, rules)
    return _why_not_movable(state, move) or _why_not_there(state, move)


def _why_no_deal(state: State, rules: Rules) -> str | None:
    if not state.stock:
        return "The stock is empty: there is no row to deal."
    if rules.settings["deal-on-empty"] == "no" and () in state.columns:
        number = state.columns.index(()) + 1
        return f"Column {number} is empty: with deal-on-empty=no no row can be dealt."
    return None


def _why_not_movable(state: State, move: Move) -> str | None:
    """Why so many cards can't leave their column together."""
    column, number = state.columns[move.source], move.source + 1
    face_up = len(column) - state.hidden[move.source]
    if move.size < 1:
        return "A move takes at least one card."
    if move.size > face_up:
        return f"Column {number} has {face_up} cards face up: {move.size} can't move."
    cards = column[-move.size :]
    if not is_run(cards):
        names = " ".join(map(card_name, cards))
        return f"{names} at the end of column {number} is no run of one suit: it can't move."
    return None


def _why_not_there(state: State, move: Move) -> str | None:
    """Why cards that may leave their column can't come to the target."""
    if move.source == move.target:
        return f"Column {move.source + 1} is where the cards are already."
    target = state.columns[move.target]
    card = state.columns[move.source][-move.size]
    if target and rank_of(target[-1]) != rank_of(card) + 1:
        return f"{card_name(card)} does not go on {card_name(target[-1])}."
    return None


def apply(state: State, move: Move, rules: Rules) -> State:
    """The position after a move: complete runs have left the table, face-down cards are turned up.

    Raises
    ------
    InputError
        When the move is not legal, with the reason.
    """
    reason = why_illegal(state, move, rules)
    if reason:
        raise InputError(reason)
    columns, stock = list(state.columns), state.stock
    if move.kind == DEAL:
        row, stock = stock[:COLUMN_COUNT], stock[COLUMN_COUNT:]
        columns = [(*column, card) for column, card in zip(columns, row, strict=True)]
    else:
        source = columns[move.source]
        columns[move.target] += source[-move.size :]
        columns[move.source] = source[: -move.size]
    return _settled(columns, state.hidden, stock, state.finished)


def _settled(
    columns: Sequence[tuple[Card, ...]],
    hidden: Sequence[int],
    stock: tuple[Card, ...],
    finished: Sequence[int],
) -> State:
    """The position once complete runs have left it and no column ends with a face-down card."""
    left, still_hidden, counts = [], [], list(finished)
    for column, face_down in zip(columns, hidden, strict=True):
        kept = column
        if is_complete(column[face_down:][-RANK_COUNT:]):
            counts[suit_of(column[-1])] += 1
            kept = column[:-RANK_COUNT]
        left.append(kept)
        still_hidden.append(max(0, min(face_down, len(kept) - 1)))
    return State(tuple(left), tuple(still_hidden), stock, tuple(counts))


def parse_move(text: str) -> Move:
    """Read a move: ``deal``, or ``move 3 from 2 to 7`` for three cards of column 2 to column 7.

    Raises
    ------
    InputError
        When it is neither of these, or names a column that there isn't.
    """
    words = text.lower().split()
    if words == [DEAL.value]:
        return Move(DEAL)
    numbers = words[1::2]
    is_move = words[0::2] == [MOVE.value, "from", "to"] and len(numbers) == 3
    # int() alone would also take signs, underscores and the digits of other scripts.
    if not is_move or not all(
        word.isascii() and word.isdigit() and len(word) < 4 for word in numbers
    ):
        raise InputError(
            f"'{text}' is not a move: write 'deal', or 'move 3 from 2 to 7' for three cards from "
            "column 2 to column 7."
        )
    count, source, target = map(int, numbers)
    for column in (source, target):
        if not 1 <= column <= COLUMN_COUNT:
            raise InputError(f"There is no column {column}: columns are 1 to {COLUMN_COUNT}.")
    return Move(MOVE, count, source - 1, target - 1)


def complete_run(suit: Suit) -> tuple[Card, ...]:
    """The cards of a complete run, king to ace."""
    return tuple(make_card(rank, suit) for rank in range(KING, ACE - 1, -1))


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
