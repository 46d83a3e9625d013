"""Canfield deals and positions as text and as Solvitaire's JSON, and the table drawn."""

from __future__ import annotations

from itertools import zip_longest

from winnable.cards import (
    PACK_SIZE,
    RANK_COUNT,
    RANKS,
    SUIT_COUNT,
    SYMBOLS,
    Card,
    Rank,
    card_name,
    card_symbol,
    is_red,
    missing_and_doubled,
    rank_of,
    suit_of,
)
from winnable.deals import solvitaire_json
from winnable.deals.solvitaire_json import SolvitaireDeal
from winnable.deals.text import EMPTY_PLACE, Block, parse_blocks, present_cards
from winnable.errors import InputError
from winnable.games.canfield.rules import (
    COLUMN_COUNT,
    RESERVE_SIZE,
    STOCK_SIZE,
    State,
    cards_up,
    foundation_cards,
    is_untouched,
)

COLUMN_LABELS = tuple(f"column {number}" for number in range(1, COLUMN_COUNT + 1))
LABELS = ("foundation", "reserve", "tableau", *COLUMN_LABELS, "stock", "waste")

DEAL_FORMAT = """\
foundation: the base card
reserve: 13 cards, the last one on top
tableau: 4 cards, the columns from left to right
stock: 34 cards, the one turned first comes first
In the middle of a game piles are shorter, -- stands for an empty one, and there are
foundation: every card that is up, in each suit the base card first
column 1: to column 4: in place of the tableau, the last card at the end
waste: the last one on top
Or a deal as JSON for Solvitaire; what Solvitaire prints can't be read."""

_EMPTY_COLUMN_HINT = "; an empty column needs lines 'column 1: …' to 'column 4: …'"


def parse_deals(text: str) -> list[State]:
    """The deals of a text; see `DEAL_FORMAT`.

    Raises
    ------
    InputError
        With what is wrong, in which deal or line, and what would be right.
    """
    if solvitaire_json.is_json(text):
        deals = solvitaire_json.read_deals(text)
        return [
            _from_solvitaire(deal, f"JSON deal {number}")
            for number, deal in enumerate(deals, start=1)
        ]
    solvitaire_json.refuse_printed(text)
    blocks = parse_blocks(text, LABELS)
    if not blocks:
        raise InputError(
            "There is no deal in this text: lines 'foundation: …', 'reserve: …', 'tableau: …' and "
            "'stock: …' are needed, or a deal as JSON for Solvitaire."
        )
    return [_labelled(block, f"Deal in line {block.line}") for block in blocks]


def _labelled(block: Block, where: str) -> State:
    if block.rows:
        raise InputError(
            f"{where}: a line of cards stands before the first label: write 'foundation: …', "
            "'reserve: …', 'tableau: …' and 'stock: …'."
        )
    piles = {
        label: present_cards(cards, label, where, _EMPTY_COLUMN_HINT)
        for label, cards in block.piles.items()
    }
    for label in ("foundation", "reserve", "stock"):
        if label not in piles:
            raise InputError(f"{where}: the line '{label}: …' is missing.")
    columns = _columns(piles, where)
    return _checked(
        piles["foundation"],
        piles["reserve"],
        columns,
        piles["stock"],
        piles.get("waste", []),
        where,
    )


def _columns(piles: dict[str, list[Card]], where: str) -> list[list[Card]]:
    given = [label for label in COLUMN_LABELS if label in piles]
    if "tableau" in piles:
        if given:
            raise InputError(f"{where}: there is a line 'tableau: …' and also '{given[0]}: …'.")
        if len(piles["tableau"]) != COLUMN_COUNT:
            raise InputError(
                f"{where}: the tableau has {_count(len(piles['tableau']))}; it should have "
                f"{COLUMN_COUNT}. Longer columns need lines 'column 1: …' to 'column 4: …'."
            )
        return [[card] for card in piles["tableau"]]
    if not given:
        raise InputError(f"{where}: the line 'tableau: …' is missing.")
    for label in COLUMN_LABELS:
        if label not in piles:
            raise InputError(f"{where}: the line '{label}: …' is missing.")
    return [piles[label] for label in COLUMN_LABELS]


def _from_solvitaire(deal: SolvitaireDeal, where: str) -> State:
    if len(deal.tableau) != COLUMN_COUNT:
        raise InputError(
            f"{where}: there are {len(deal.tableau)} tableau piles; Canfield has {COLUMN_COUNT}, "
            "so that this is a deal of another game."
        )
    if not deal.foundations:
        raise InputError(
            f"{where}: 'foundations' is missing, which in Canfield holds the base card; this may "
            "be a deal of another game."
        )
    columns = [list(column) for column in deal.tableau]
    return _checked(
        list(deal.foundations),
        list(deal.reserve),
        columns,
        list(reversed(deal.stock)),
        list(deal.waste),
        where,
    )


def _checked(
    foundation: list[Card],
    reserve: list[Card],
    columns: list[list[Card]],
    stock: list[Card],
    waste: list[Card],
    where: str,
) -> State:
    """The position of these piles, if a game of Canfield can come to it."""
    is_fresh = len(foundation) == 1 and not waste and all(len(column) == 1 for column in columns)
    _check_lengths(len(reserve), len(stock), len(waste), is_fresh, where)
    in_columns = [card for column in columns for card in column]
    _check_cards([*foundation, *reserve, *in_columns, *stock, *waste], where)
    base, counts = _foundations(foundation, where)
    for number, column in enumerate(columns, start=1):
        _check_run(column, number, where)
        if not column and reserve:
            raise InputError(
                f"{where}: column {number} is empty, although the reserve has cards: it would "
                f"have been filled with {card_name(reserve[-1])}."
            )
    return State(
        base, counts, tuple(reserve), tuple(map(tuple, columns)), tuple(stock), tuple(waste)
    )


def _check_lengths(reserve: int, stock: int, waste: int, is_fresh: bool, where: str) -> None:
    if is_fresh:
        for pile, found, wanted in (
            ("reserve", reserve, RESERVE_SIZE),
            ("stock", stock, STOCK_SIZE),
        ):
            if found != wanted:
                raise InputError(
                    f"{where}: the {pile} has {_count(found)}; in a fresh deal it should have "
                    f"{wanted}."
                )
    if reserve > RESERVE_SIZE:
        raise InputError(
            f"{where}: the reserve has {reserve} cards; it never has more than {RESERVE_SIZE}."
        )
    if stock + waste > STOCK_SIZE:
        raise InputError(
            f"{where}: stock and waste have {stock + waste} cards together; they never have more "
            f"than {STOCK_SIZE}."
        )


def _count(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"


def _check_cards(cards: list[Card], where: str) -> None:
    """That these are the 52 cards of a pack."""
    missing, doubled = missing_and_doubled(cards)
    problems = []
    if len(cards) != PACK_SIZE:
        problems.append(f"{len(cards)} cards instead of {PACK_SIZE}")
    if doubled:
        problems.append(f"{', '.join(map(card_name, doubled))} more than once")
    if missing:
        shown = ", ".join(map(card_name, missing[:6])) + (", …" if len(missing) > 6 else "")
        problems.append(f"{shown} missing")
    if problems:
        raise InputError(f"{where}: {'; '.join(problems)}.")


def _foundations(cards: list[Card], where: str) -> tuple[Rank, tuple[int, ...]]:
    """The base rank and each suit's count; a suit's cards are listed from its base card on."""
    if not cards:
        raise InputError(f"{where}: the foundation is empty; at least the base card lies there.")
    base = rank_of(cards[0])
    counts = [0] * SUIT_COUNT
    for card in cards:
        wanted = (base + counts[suit_of(card)]) % RANK_COUNT
        if rank_of(card) != wanted:
            suit = SYMBOLS[suit_of(card)]
            raise InputError(
                f"{where}: {card_name(card)} does not fit the foundations, which build up from "
                f"{RANKS[base]}, the rank of the first card listed: the next {suit} is "
                f"{RANKS[wanted]}."
            )
        counts[suit_of(card)] += 1
    return base, tuple(counts)


def _check_run(column: list[Card], number: int, where: str) -> None:
    """That a column builds down in alternating colours, a king on an ace allowed."""
    for lower, upper in zip(column, column[1:], strict=False):
        descends = (rank_of(upper) + 1) % RANK_COUNT == rank_of(lower)
        if not descends or is_red(lower) == is_red(upper):
            raise InputError(
                f"{where}: column {number} has {card_name(upper)} on {card_name(lower)}, but "
                "columns build down in alternating colours."
            )


def format_deal(state: State) -> str:
    """The labelled lines that `parse_deals` reads."""
    lines = [_line("foundation", _all_up(state)), _line("reserve", state.reserve)]
    if all(len(column) == 1 for column in state.columns):
        lines.append(_line("tableau", [column[0] for column in state.columns]))
    else:
        lines += map(_line, COLUMN_LABELS, state.columns)
    lines.append(_line("stock", state.stock))
    if not is_untouched(state):
        lines.append(_line("waste", state.waste))
    return "\n".join(lines)


def _line(label: str, cards: tuple[Card, ...] | list[Card]) -> str:
    return f"{label}: {' '.join(map(card_name, cards)) or EMPTY_PLACE}"


def _all_up(state: State) -> list[Card]:
    """The cards on the foundations, suit by suit, each from its base card on."""
    return [card for suit in range(SUIT_COUNT) for card in foundation_cards(state, suit)]


def deal_to_json(state: State) -> dict[str, list[str | None]]:
    """The piles as lists of card names."""
    piles = {"foundation": _all_up(state), "reserve": list(state.reserve)}
    piles |= {
        label: list(column) for label, column in zip(COLUMN_LABELS, state.columns, strict=True)
    }
    piles |= {"stock": list(state.stock), "waste": list(state.waste)}
    return {label: [card_name(card) for card in cards] for label, cards in piles.items()}


def to_solvitaire(state: State) -> str:
    """A deal or position as the JSON that Solvitaire reads, and `parse_deals` too."""
    return solvitaire_json.write_deal(
        SolvitaireDeal(state.columns, _all_up(state), state.reserve, state.stock[::-1], state.waste)
    )


def draw(state: State) -> str:
    """The table: foundations, reserve, columns downwards, waste and stock."""
    tops = [foundation_cards(state, suit)[-1:] for suit in range(SUIT_COUNT)]
    shown = [
        card_symbol(top[0]) if top else f"{EMPTY_PLACE}{SYMBOLS[suit]}"
        for suit, top in enumerate(tops)
    ]
    lines = [
        f"foundations from {RANKS[state.base].replace('T', '10')} ({cards_up(state)}): "
        + " ".join(shown),
        f"reserve ({len(state.reserve)}): {_symbols(state.reserve)}",
        "columns:",
    ]
    for row in zip_longest(*state.columns):
        places = ["" if card is None else card_symbol(card) for card in row]
        lines.append("".join(place.rjust(5) for place in places).rstrip())
    lines.append(f"waste ({len(state.waste)}): {_symbols(state.waste)}")
    lines.append(f"stock ({len(state.stock)}): {_symbols(state.stock)}")
    return "\n".join(lines)


def _symbols(cards: tuple[Card, ...]) -> str:
    return " ".join(map(card_symbol, cards)) or "empty"
