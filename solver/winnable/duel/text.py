"""Deals and positions as text and JSON, and the table drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from winnable.cards import (
    SUIT_COUNT,
    SYMBOLS,
    Card,
    card_name,
    card_symbol,
    make_card,
    parse_card,
)
from winnable.deals.text import split_blocks
from winnable.duel.check import check_cards, check_position, heights_of, is_fresh
from winnable.duel.position import (
    Ending,
    House,
    Side,
    State,
    house_name,
)
from winnable.duel.rules import (
    begun,
    first_player,
)
from winnable.duel.tables import Variant
from winnable.errors import InputError

DEAL_FORMAT = """\
player 0: reserve: 13 cards, the last one on top
player 0: houses: 4 cards
player 0: stock: 35 cards, the one turned first comes first
and the same for player 1. In the middle of a game, or with face-down cards in the houses:
house 1: to house 8: in place of the players' houses, the last card at the end
foundations: every card that is up, in any order
player 0: waste: the last one on top, for each player who has one
to move: player 0 or 1; without this line the rules say who begins
stock card: open, when the mover has turned it
turn: how many turns have ended; quiet: how many since one with a foundation card
A bar | stands between covered and open cards of a house, and in a reserve between those that
nobody has seen and the others; without it only the last card of a reserve is open. A stock that
is a waste turned over is written 'seen stock', and chance: begins the shuffles of wastes. -- is an
empty pile. Blank lines part positions. A position has no past: earlier positions don't count for
repetition, and no fault can be called on."""

COVERED = "|"
EMPTY = "--"
_PILES = ("reserve", "houses", "stock", "seen stock", "waste")
_NUMBERS = ("turn", "quiet", "chance")
_LABEL = re.compile(r"\s*player\s+([01])\s*:?\s*([a-z ]+?)\s*:(.*)", re.IGNORECASE)


# Reading text


@dataclass
class _Block:
    """The lines of one position: under each label the number of its line, and its words."""

    line: int
    lines: dict[str, tuple[int, list[str]]] = field(default_factory=dict)


def parse_positions(text: str, variant: Variant) -> list[State]:
    """The deals and positions of a text, ready for play; see `DEAL_FORMAT`.

    Raises
    ------
    InputError
        With what is wrong, in which position or line, and what would be right.
    """
    blocks = [_block(lines, _labels(variant)) for lines in split_blocks(text)]
    if not blocks:
        raise InputError(
            "There is no deal in this text: lines 'player 0: reserve: …', 'player 0: houses: …', "
            "'player 0: stock: …' and the same for player 1 are needed."
        )
    positions = []
    for block in blocks:
        with located(f"Deal in line {block.line}"):
            positions.append(_position(block, variant))
    return positions


@contextmanager
def located(where: str) -> Iterator[None]:
    """Have errors that are raised inside begin with where they are."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _labels(variant: Variant) -> list[str]:
    houses = [f"house {number + 1}" for number in range(variant.size.houses)]
    piles = [f"player {player}: {pile}" for player in range(2) for pile in _PILES]
    return [*piles, *houses, "foundations", "to move", "stock card", *_NUMBERS]


def _block(lines: Sequence[tuple[int, str]], labels: Sequence[str]) -> _Block:
    block, label = _Block(lines[0][0]), ""
    for number, content in lines:
        head, words = _split(content)
        if head:
            label = _checked_label(head, labels, block, number)
            block.lines[label] = (number, [])
        elif not label:
            raise InputError(
                f"Line {number}: cards stand before the first label: write "
                "'player 0: reserve: …' and so on."
            )
        block.lines[label][1].extend(words)
    return block


def _split(content: str) -> tuple[str, list[str]]:
    """A line's label, in lower case, and its words."""
    of_player = _LABEL.fullmatch(content)
    if of_player:
        player, pile, tail = of_player.groups()
        head = f"player {player}: {' '.join(pile.lower().split())}"
    else:
        head, colon, tail = content.partition(":")
        if not colon:
            head, tail = "", content
    return " ".join(head.lower().split()), tail.replace(",", " ").split()


def _checked_label(label: str, labels: Sequence[str], block: _Block, line: int) -> str:
    if label not in labels:
        raise InputError(
            f"Line {line}: '{label}' is not the name of a line here; known: {', '.join(labels)}."
        )
    if label in block.lines:
        raise InputError(
            f"Line {line}: '{label}' comes twice in one position; put a blank line between two."
        )
    return label


def _position(block: _Block, variant: Variant) -> State:
    sides = (_side(block, 0), _side(block, 1))
    up, _ = _cards(block, "foundations")
    state = State(
        houses=_houses(block, variant),
        sides=sides,
        foundations=heights_of(up),
        turned=_is_stock_open(block),
        turn=_number(block, "turn"),
        quiet=_number(block, "quiet"),
        chance=_number(block, "chance"),
    )
    mover = _mover(block)
    fresh = is_fresh(state, variant)
    if "turn" not in block.lines and not fresh:
        # The first turn, which has a rule of its own, is over.
        state = replace(state, turn=2)
    if mover is None and not fresh:
        # With a card too many a whole deal looks like a position: that is told first.
        check_cards(state, variant)
        raise InputError("The line 'to move: player 0' or 'to move: player 1' is missing.")
    state = replace(state, mover=first_player(state, variant) if mover is None else mover)
    check_position(state, variant)
    return begun(state, variant, state.mover)


def _cards(block: _Block, label: str) -> tuple[list[Card], int | None]:
    """The cards of a line, none when it is missing, and the place of the bar among them."""
    line, words = block.lines.get(label, (0, []))
    cards: list[Card] = []
    bar = None
    for word in words:
        if word == COVERED:
            if bar is not None:
                raise InputError(f"there are two bars in the line '{label}: …'.")
            bar = len(cards)
        elif word != EMPTY:
            with located(f"line {line}"):
                cards.append(parse_card(word))
    if EMPTY in words and len(words) > 1:
        raise InputError(f"'{EMPTY}' in the line '{label}: …' stands for an empty pile, alone.")
    return cards, bar


def _needed(block: _Block, label: str) -> tuple[list[Card], int | None]:
    if label not in block.lines:
        raise InputError(f"the line '{label}: …' is missing.")
    return _cards(block, label)


def _without_bar(label: str, cards: list[Card], bar: int | None) -> tuple[Card, ...]:
    if bar is not None:
        raise InputError(f"there is a bar in the line '{label}: …', where it means nothing.")
    return tuple(cards)


def _side(block: _Block, player: int) -> Side:
    name = f"player {player}:"
    reserve, bar = _needed(block, f"{name} reserve")
    if bar is not None and bar >= len(reserve):
        raise InputError(f"the last card in the line '{name} reserve: …' is open.")
    still_open = min(1, len(reserve)) if bar is None else len(reserve) - bar
    is_seen = f"{name} seen stock" in block.lines
    if is_seen and f"{name} stock" in block.lines:
        raise InputError(f"there is a line '{name} stock: …' and also '{name} seen stock: …'.")
    label = f"{name} {'seen stock' if is_seen else 'stock'}"
    stock = _without_bar(label, *_needed(block, label))
    waste = _without_bar(f"{name} waste", *_cards(block, f"{name} waste"))
    return Side(tuple(reserve), stock, waste, still_open, is_seen)


def _houses(block: _Block, variant: Variant) -> tuple[House, ...]:
    labels = [f"house {number + 1}" for number in range(variant.size.houses)]
    given = [label for label in labels if label in block.lines]
    if given:
        for player in range(2):
            if f"player {player}: houses" in block.lines:
                raise InputError(
                    f"there is a line 'player {player}: houses: …' and also '{given[0]}: …'."
                )
        return tuple(
            House(tuple(cards), bar or 0) for cards, bar in (_needed(block, x) for x in labels)
        )
    if variant.face_down_rows:
        raise InputError(
            f"with face-down-rows={variant.face_down_rows} lines 'house 1: …' to "
            f"'house {len(labels)}: …' are needed, a bar between covered and open cards."
        )
    ends: list[Card] = []
    share = len(labels) // 2
    for player in range(2):
        label = f"player {player}: houses"
        cards = _without_bar(label, *_needed(block, label))
        if len(cards) != share:
            raise InputError(
                f"the line '{label}: …' has {len(cards)} cards; it should have {share}. Longer "
                f"houses need lines 'house 1: …' to 'house {len(labels)}: …'."
            )
        ends += cards
    return tuple(House((card,)) for card in ends)


def _mover(block: _Block) -> int | None:
    words = block.lines.get("to move", (0, None))[1]
    if words is None:
        return None
    if [word.lower() for word in words] not in (["player", "0"], ["player", "1"], ["0"], ["1"]):
        raise InputError(f"'to move: {' '.join(words)}' names no player: write player 0 or 1.")
    return int(words[-1])


def _is_stock_open(block: _Block) -> bool:
    words = block.lines.get("stock card", (0, ["covered"]))[1]
    if words not in (["open"], ["covered"]):
        raise InputError(f"'stock card: {' '.join(words)}' should be 'open' or 'covered'.")
    return words == ["open"]


def _number(block: _Block, label: str) -> int:
    """The number of a line, 0 when it is missing."""
    words = block.lines.get(label, (0, ["0"]))[1]
    if len(words) != 1 or not re.fullmatch("-1|[0-9]{1,20}", words[0]):
        raise InputError(f"'{label}: {' '.join(words)}' is not a number.")
    return int(words[0])


# Writing text


def format_position(state: State, variant: Variant) -> str:
    """The lines that `parse_positions` reads; what the position has of a past is left out."""
    fresh = is_fresh(state, variant)
    share = len(state.houses) // 2
    own_houses = fresh and not variant.face_down_rows
    lines = []
    if not own_houses:
        lines += [_house_line(number, house) for number, house in enumerate(state.houses)]
    if not fresh:
        lines.append(_line("foundations", _cards_up(state)))
    for player, side in enumerate(state.sides):
        name = f"player {player}:"
        lines.append(f"{name} reserve: {_reserve(side)}")
        if own_houses:
            dealt = state.houses[share * player : share * (player + 1)]
            lines.append(_line(f"{name} houses", [house.cards[0] for house in dealt]))
        lines.append(_line(f"{name} {'seen stock' if side.turned_over else 'stock'}", side.stock))
        if not fresh:
            lines.append(_line(f"{name} waste", side.waste))
    if not fresh or state.mover != first_player(state, variant):
        lines.append(f"to move: player {state.mover}")
    if state.turned and not variant.is_stock_open:
        lines.append("stock card: open")
    if not fresh:
        lines += [f"turn: {state.turn}", f"quiet: {state.quiet}"]
    if variant.says("redeal") == "shuffle":
        lines.append(f"chance: {state.chance}")
    return "\n".join(lines)


def _line(label: str, cards: Iterable[Card]) -> str:
    return f"{label}: {' '.join(map(card_name, cards)) or EMPTY}"


def _house_line(number: int, house: House) -> str:
    names = list(map(card_name, house.cards))
    if house.hidden:
        names.insert(house.hidden, COVERED)
    return f"house {number + 1}: {' '.join(names) or EMPTY}"


def _reserve(side: Side) -> str:
    names = list(map(card_name, side.reserve))
    if side.open_reserve != min(1, len(side.reserve)):
        names.insert(len(names) - side.open_reserve, COVERED)
    return " ".join(names) or EMPTY


def _cards_up(state: State) -> list[Card]:
    """The cards on the foundations, foundation by foundation."""
    return [
        make_card(rank, suit)
        for suit in range(SUIT_COUNT)
        for height in state.foundations[suit]
        for rank in range(height)
    ]


def position_to_json(state: State) -> dict[str, Any]:
    """A position's piles and counts as lists of card names, numbers and flags."""
    return {
        "foundations": _names(_cards_up(state)),
        "houses": [{"cards": _names(h.cards), "face_down": h.hidden} for h in state.houses],
        "players": [
            {
                "reserve": _names(side.reserve),
                "reserve_open": side.open_reserve,
                "stock": _names(side.stock),
                "stock_turned_over": side.turned_over,
                "waste": _names(side.waste),
            }
            for side in state.sides
        ],
        "to_move": state.mover,
        "stock_card_open": state.turned,
        "turn": state.turn,
        "quiet": state.quiet,
        "outcome": None
        if state.outcome is None
        else {"winner": state.outcome.winner, "ending": state.outcome.ending.value},
    }


def _names(cards: Iterable[Card]) -> list[str]:
    return [card_name(card) for card in cards]


# Drawing


def draw(state: State) -> str:
    """The table as it looks to both players: covered cards are only counted."""
    lines = [_headline(state), _drawn_side(state, 1)]
    tops = [
        card_symbol(make_card(height - 1, suit)) if height else f"{EMPTY}{SYMBOLS[suit]}"
        for suit, pair in enumerate(state.foundations)
        for height in pair
    ]
    lines.append(f"foundations ({len(_cards_up(state))}): {' '.join(tops)}")
    for number, house in enumerate(state.houses):
        places = ["##"] * house.hidden + [card_symbol(card) for card in house.cards[house.hidden :]]
        lines.append(f"{house_name(number)}: {' '.join(places) or EMPTY}")
    return "\n".join([*lines, _drawn_side(state, 0)])


def _headline(state: State) -> str:
    if state.outcome is None:
        called = ", the last move can be stopped" if state.fault is not None else ""
        return f"turn {state.turn + 1}: player {state.mover} to move{called}"
    if state.outcome.ending is Ending.WON:
        return f"turn {state.turn + 1}: player {state.outcome.winner} has won"
    return f"a draw after {state.turn} turns: {state.outcome.ending.value}"


def _drawn_side(state: State, player: int) -> str:
    side = state.sides[player]
    seen = [card_symbol(card) for card in side.reserve[len(side.reserve) - side.open_reserve :]]
    turned = ""
    if state.turned and player == state.mover:
        turned = f" {card_symbol(side.stock[0])}"
    waste = " ".join(map(card_symbol, side.waste[-1:]))
    return (
        f"player {player}: reserve ({len(side.reserve)}) {' '.join(seen) or EMPTY}, "
        f"stock ({len(side.stock)}){turned}, waste ({len(side.waste)}) {waste or EMPTY}"
    )
