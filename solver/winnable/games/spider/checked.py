"""Whether piles that somebody wrote down are a position of Spider; every reader's last step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from winnable.cards import (
    RANK_COUNT,
    SUIT_COUNT,
    SUITS,
    Card,
    card_name,
    make_card,
    rank_of,
    suit_of,
)
from winnable.errors import InputError
from winnable.games.spider.rules import (
    COLUMN_COUNT,
    DECK_SIZE,
    RUN_COUNT,
    STOCK_SIZE,
    SUITS_IN_PLAY,
    TABLE_SIZE,
    State,
    complete_run,
)

MOST_HIDDEN = 5
HIDDEN_SIZE = TABLE_SIZE - COLUMN_COUNT
FRESH_LENGTHS = [5] * 6 + [6] * 4
# How many cards a message names before it says "and so on".
_SHOWN = 6
_CLUBS, _SPADES = SUITS.index("C"), SUITS.index("S")


def is_fresh(columns: Sequence[Sequence[Card]], stock: Sequence[Card]) -> bool:
    """Whether the piles are as long as those of a deal in which nothing was moved yet."""
    return len(stock) == STOCK_SIZE and sorted(map(len, columns)) == FRESH_LENGTHS


def checked(
    columns: Sequence[Sequence[Card]],
    hidden: Sequence[int],
    stock: Sequence[Card],
    finished: Sequence[int],
    where: str,
) -> State:
    """The position of these piles; see `State` for what they are.

    A deal of clubs, or of clubs and hearts, is one of PySolFC's games with fewer suits: the clubs
    are read as spades.

    Raises
    ------
    InputError
        When no game of Spider comes to it; begins with `where`, which says which deal it is.
    """
    if len(columns) != COLUMN_COUNT:
        raise InputError(
            f"{where}: there are {len(columns)} columns; Spider has {COLUMN_COUNT}, so that this "
            "may be a deal of another game."
        )
    _check_stock(stock, where)
    _check_hidden(columns, hidden, where)
    cards = [card for pile in (*columns, stock) for card in pile]
    cards += [card for suit, count in enumerate(finished) for card in count * complete_run(suit)]
    if {suit_of(card) for card in cards} <= set(map(SUITS.index, "CH")):
        columns, stock = [_with_spades(column) for column in columns], _with_spades(stock)
        cards = _with_spades(cards)
        finished = (0, *finished[1:_SPADES], finished[_CLUBS])
    _check_cards(cards, where)
    return State(tuple(map(tuple, columns)), tuple(hidden), tuple(stock), tuple(finished))


def _with_spades(cards: Sequence[Card]) -> list[Card]:
    """The cards with spades in place of clubs."""
    return [
        make_card(rank_of(card), _SPADES) if suit_of(card) == _CLUBS else card for card in cards
    ]


def _check_stock(stock: Sequence[Card], where: str) -> None:
    if len(stock) > STOCK_SIZE or len(stock) % COLUMN_COUNT:
        raise InputError(
            f"{where}: the stock has {len(stock)} cards; it should have {STOCK_SIZE}, or later in "
            "the game 40, 30, 20, 10 or none."
        )


def _check_hidden(columns: Sequence[Sequence[Card]], hidden: Sequence[int], where: str) -> None:
    for number, (column, count) in enumerate(zip(columns, hidden, strict=True), start=1):
        if count and count >= len(column):
            raise InputError(
                f"{where}: column {number} ends with a face-down card, which would have been "
                "turned up."
            )
        if count > MOST_HIDDEN:
            raise InputError(
                f"{where}: column {number} has {count} face-down cards; none ever has more than "
                f"{MOST_HIDDEN}."
            )
    if sum(hidden) > HIDDEN_SIZE:
        raise InputError(
            f"{where}: {sum(hidden)} cards are face down in the columns; there are never more "
            f"than {HIDDEN_SIZE}."
        )


def _check_cards(cards: Sequence[Card], where: str) -> None:
    """That these are two packs of four suits, or what takes their place with fewer suits."""
    found = Counter(cards)
    wanted = min(map(_full_deck, SUITS_IN_PLAY), key=lambda deck: _differences(found, deck))
    problems = []
    if len(cards) != DECK_SIZE:
        problems.append(f"{len(cards)} cards instead of {DECK_SIZE}")
    wrong = [card for card in sorted(found | wanted) if found[card] != wanted[card]]
    problems += [_how_often(card, found[card], wanted[card]) for card in wrong[:_SHOWN]]
    if len(wrong) > _SHOWN:
        problems.append("and so on")
    # Positions whose complete runs were forgotten are the likeliest to lack so many cards.
    if len(cards) <= DECK_SIZE - RANK_COUNT:
        problems.append("complete runs that have left the table count too, as in 'finished: KS'")
    if problems:
        raise InputError(f"{where}: {'; '.join(problems)}.")


def _full_deck(suits: str) -> Counter[Card]:
    """How often each card occurs in a game of so many suits."""
    in_play = SUITS_IN_PLAY[suits]
    copies = RUN_COUNT // len(in_play)
    return Counter(
        {make_card(rank, suit): copies for suit in in_play for rank in range(RANK_COUNT)}
    )


def _differences(found: Counter[Card], wanted: Counter[Card]) -> int:
    return sum(abs(found[card] - wanted[card]) for card in range(SUIT_COUNT * RANK_COUNT))


def _how_often(card: Card, found: int, wanted: int) -> str:
    times = {0: "not at all", 1: "once", 2: "twice"}.get(found, f"{found} times")
    instead = {0: "none", 1: "once", 2: "twice"}.get(wanted, f"{wanted} times")
    return f"{card_name(card)} {times} instead of {instead}"
