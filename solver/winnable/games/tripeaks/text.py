"""Tri-Peaks deals and positions as text, read and written, and the peaks drawn."""

from __future__ import annotations

from winnable.cards import PACK_SIZE, Card, card_name, card_symbol, missing_and_doubled
from winnable.deals.text import EMPTY_PLACE, Block, parse_blocks
from winnable.errors import InputError
from winnable.games.tripeaks.rules import (
    COVERED_BY,
    ROW_SIZES,
    STOCK_SIZE,
    TABLEAU_SIZE,
    State,
    dealt,
    is_untouched,
)

LABELS = ("tableau", "stock", "waste")

DEAL_FORMAT = """\
tableau: 28 cards, top row first, left to right; -- where a card is gone
stock: 24 cards, the one turned first comes first
waste: only in the middle of a game: every card on it, or just its top card
Or simply 52 cards: the tableau, then the stock."""

# A card of the last row takes four characters; the rows above are set in by half cards.
_HALF = 2
_INDENT = (
    [6 * i + 3 for i in range(3)],
    [2 * (j + j // 2) + 2 for j in range(6)],
    [2 * k + 1 for k in range(9)],
    [2 * k for k in range(10)],
)


def parse_deals(text: str) -> list[State]:
    """The deals of a text; see `DEAL_FORMAT`.

    Raises
    ------
    InputError
        With what is wrong, in which line, and what would be right.
    """
    blocks = parse_blocks(text, LABELS)
    if not blocks:
        raise InputError(
            "There is no deal in this text: 52 cards are needed, or lines 'tableau: …' "
            "and 'stock: …'."
        )
    return [state for block in blocks for state in _states(block)]


def _states(block: Block) -> list[State]:
    if not block.rows:
        return [_labelled(block, f"Deal in line {block.line}")]
    if block.piles:
        raise InputError(f"Deal in line {block.line}: cards stand before the first label.")
    # One line of 52 cards makes it a list of deals, in which another length is a slip.
    if any(len(cards) == PACK_SIZE for _, cards in block.rows):
        return [_full_deal(cards, f"Deal in line {line}") for line, cards in block.rows]
    cards = [card for _, row in block.rows for card in row]
    return [_full_deal(cards, f"Deal in line {block.line}")]


def _full_deal(cards: list[Card | None], where: str) -> State:
    present = _all_present(cards, "a deal of 52 cards", where)
    _check_cards(present, PACK_SIZE, where)
    return dealt(present)


def _labelled(block: Block, where: str) -> State:
    for label in ("tableau", "stock"):
        if label not in block.piles:
            raise InputError(f"{where}: the line '{label}: …' is missing.")
    tableau = block.piles["tableau"]
    stock = _all_present(block.piles["stock"], "the stock", where)
    waste = _all_present(block.piles.get("waste", []), "the waste", where)
    _check_length("tableau", len(tableau), TABLEAU_SIZE, where)
    present = [card for card in tableau if card is not None]
    state = State(tuple(tableau), tuple(stock), tuple(waste))
    if waste:
        _check_position(state, where)
    elif len(present) == TABLEAU_SIZE:
        _check_cards([*present, *stock], PACK_SIZE, where)
    else:
        raise InputError(
            f"{where}: cards are gone from the tableau, so that a line 'waste: …' is needed with "
            "all that left, or with the waste's top card."
        )
    return state


def _all_present(cards: list[Card | None], what: str, where: str) -> list[Card]:
    present = [card for card in cards if card is not None]
    if len(present) < len(cards):
        raise InputError(f"{where}: {what} has an empty place; only the tableau can have one.")
    return present


def _check_length(pile: str, found: int, wanted: int, where: str) -> None:
    if found != wanted:
        raise InputError(f"{where}: the {pile} has {found} cards; it should have {wanted}.")


def _check_cards(cards: list[Card], wanted: int, where: str) -> None:
    """That these are as many different cards as wanted (52: the whole pack)."""
    missing, doubled = missing_and_doubled(cards)
    problems = []
    if len(cards) != wanted:
        problems.append(f"{len(cards)} cards instead of {wanted}")
    if doubled:
        problems.append(f"{', '.join(map(card_name, doubled))} more than once")
    if missing and wanted == PACK_SIZE:
        shown = ", ".join(map(card_name, missing[:6])) + (", …" if len(missing) > 6 else "")
        problems.append(f"{shown} missing")
    if problems:
        raise InputError(f"{where}: {'; '.join(problems)}.")


def _check_position(state: State, where: str) -> None:
    if len(state.stock) > STOCK_SIZE:
        raise InputError(f"{where}: the stock has more than {STOCK_SIZE} cards.")
    gone = state.tableau.count(None) + state.stock_turned
    if gone == 0:
        raise InputError(
            f"{where}: all cards are still in the tableau and the stock, so that there can be no "
            "waste; leave its line out."
        )
    if len(state.waste) not in (1, gone):
        raise InputError(
            f"{where}: {gone} cards have left the tableau and the stock, but the waste has "
            f"{len(state.waste)}; write all of them, or only the top one."
        )
    known = [card for card in state.tableau if card is not None]
    known += [*state.stock, *state.waste]
    _check_cards(known, PACK_SIZE - gone + len(state.waste), where)
    for place, covering in enumerate(COVERED_BY):
        for above in covering:
            card = state.tableau[above]
            if state.tableau[place] is None and card is not None:
                raise InputError(
                    f"{where}: place {place + 1} of the tableau is empty, although "
                    f"{card_name(card)} at place {above + 1} lies on it."
                )


def format_deal(state: State) -> str:
    """The labelled lines that `parse_deals` reads."""
    tableau = [EMPTY_PLACE if card is None else card_name(card) for card in state.tableau]
    lines = ["tableau: " + " ".join(tableau), "stock: " + " ".join(map(card_name, state.stock))]
    if not is_untouched(state):
        lines.append("waste: " + " ".join(map(card_name, state.waste)))
    return "\n".join(lines)


def deal_to_json(state: State) -> dict[str, list[str | None]]:
    """The piles as lists of card names, null where a card is gone."""
    return {
        "tableau": [None if card is None else card_name(card) for card in state.tableau],
        "stock": [card_name(card) for card in state.stock],
        "waste": [card_name(card) for card in state.waste],
    }


def row_and_place(index: int) -> tuple[int, int]:
    """The row (1-4 from the top) and the place in it (1-10 from the left) of a tableau place."""
    for row, size in enumerate(ROW_SIZES, start=1):
        if index < size:
            return row, index + 1
        index -= size
    raise IndexError(index)


def draw(state: State) -> str:
    """The peaks, the stock and the top of the waste."""
    lines = []
    first = 0
    for indents in _INDENT:
        line = ""
        for offset, indent in enumerate(indents):
            card = state.tableau[first + offset]
            shown = "" if card is None else card_symbol(card).rjust(3)
            line = line.ljust(_HALF * indent) + shown
        lines.append(line.rstrip())
        first += len(indents)
    top = card_symbol(state.waste[-1]) if state.waste else "empty"
    lines.append(f"waste: {top}")
    upcoming = " ".join(map(card_symbol, state.stock)) if state.stock else "empty"
    lines.append(f"stock ({len(state.stock)}): {upcoming}")
    return "\n".join(lines)
