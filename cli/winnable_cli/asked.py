"""What a command line asks for, as objects: game and rules, deals, ranges of numbers."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from winnable.deals import Numbering, get_numbering, parse_number
from winnable.duel.game import DUELS, Duel, State, get_duel, numbered_deal, parse_positions
from winnable.duel.session import Session, read_session
from winnable.duel.tables import Variant
from winnable.errors import InputError, unknown_name
from winnable.games import REGISTRY, get_game
from winnable.games.base import Game
from winnable.games.ruleset import Rules
from winnable.study.plan import Span


def parse_span(numbering: Numbering, text: str) -> tuple[Numbering, Span]:
    """The numbers that FIRST:LAST (or a single number) means; raises InputError."""
    first_text, colon, last_text = text.partition(":")
    found, first = parse_number(numbering, first_text)
    if not colon:
        return found, Span(first, first)
    found_last, last = parse_number(numbering, last_text)
    if found != found_last:
        raise InputError(f"'{text}' begins in one numbering and ends in another.")
    if last < first:
        raise InputError(f"'{text}' is an empty range: write FIRST:LAST with FIRST at most LAST.")
    return found, Span(first, last)


def read_text(path: str) -> str:
    """The text of a file, or of standard input for ``-``; raises InputError."""
    name = "standard input" if path == "-" else path
    try:
        if path != "-":
            data = Path(path).read_bytes()
        elif sys.stdin is not None:
            data = sys.stdin.buffer.read()
        else:
            raise InputError("Standard input is closed; name a file in place of -.")
        return data.decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{name} can't be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise InputError(f"{name} is not text in UTF-8.") from None


@dataclass(frozen=True)
class Source:
    """A deal and where it comes from: a number of a numbering, or a text (then both are None)."""

    deal: Any
    numbering: Numbering | None = None
    number: int | None = None
    # Which of several typed deals, from 1.
    place: int | None = None

    def __str__(self) -> str:
        if self.numbering is None:
            return "typed deal" if self.place is None else f"typed deal {self.place}"
        return f"{self.number} (numbering {self.numbering.name})"

    def as_json(self) -> dict[str, Any]:
        """The keys that say where a deal comes from."""
        name = None if self.numbering is None else self.numbering.name
        return {"numbering": name, "number": self.number}


def sources(
    game: Game[Any],
    rules: Rules,
    numbers: Sequence[str],
    numbering: str,
    deal_file: str | None,
) -> Iterator[Source]:
    """The deals that numbers (or ranges of them), or else a text, ask for; raises InputError."""
    if bool(numbers) == (deal_file is not None):
        raise InputError("Give either deal numbers or --deal FILE.")
    base = game.numbering(numbering)
    if deal_file is not None:
        deals = game.parse_deals(read_text(deal_file))
        several = len(deals) > 1
        return iter([Source(d, place=i if several else None) for i, d in enumerate(deals, 1)])
    # All are parsed before the first is solved, so that a slip in the last one costs nothing.
    spans = [parse_span(base, text) for text in numbers]
    return _numbered(game, rules, spans)


def _numbered(
    game: Game[Any], rules: Rules, spans: Iterable[tuple[Numbering, Span]]
) -> Iterator[Source]:
    for numbering, span in spans:
        for number in range(span.first, span.last + 1):
            yield Source(game.deal(numbering, number, rules), numbering, number)


def game_and_rules(name: str, rules: str | None, changes: Sequence[str]) -> tuple[Game[Any], Rules]:
    """The game and the rules that a command line asks for; raises InputError."""
    if name in DUELS:
        raise InputError(f"{name} is a game of two players: see 'winnable duel --help'.")
    game = get_game(name)
    return game, game.rules.resolve(rules, changes)


# Games of two players


def check_game(name: str) -> None:
    """Refuse the name of no game of either kind; raises InputError."""
    if name not in DUELS and name not in REGISTRY:
        raise unknown_name("game", name, [*REGISTRY, *DUELS])


def duel_and_variant(name: str, rules: str | None, changes: Sequence[str]) -> tuple[Duel, Variant]:
    """The two-player game and the rules that a command line asks for; raises InputError."""
    duel = get_duel(name)
    return duel, Variant(duel.name, duel.rules.resolve(rules, changes))


def duel_numbering(duel: Duel, name: str) -> Numbering:
    """The numbering of this name; raises InputError when it deals no two packs."""
    numbering = get_numbering(name)
    if name not in duel.numberings:
        raise InputError(
            f"The numbering '{name}' deals one pack; {duel.title} needs two. Known: "
            f"{', '.join(duel.numberings)}."
        )
    return numbering


def duel_sources(
    duel: Duel, variant: Variant, numbers: Sequence[str], numbering: str, deal_file: str | None
) -> Iterator[Source]:
    """The positions that numbers (or ranges of them), or else a text, ask for."""
    if bool(numbers) == (deal_file is not None):
        raise InputError("Give either deal numbers or --deal FILE.")
    base = duel_numbering(duel, numbering)
    if deal_file is not None:
        states = parse_positions(read_text(deal_file), variant)
        several = len(states) > 1
        return iter([Source(s, place=i if several else None) for i, s in enumerate(states, 1)])
    spans = [parse_span(base, text) for text in numbers]
    return _numbered_duels(variant, spans)


def _numbered_duels(variant: Variant, spans: Iterable[tuple[Numbering, Span]]) -> Iterator[Source]:
    for numbering, span in spans:
        for number in range(span.first, span.last + 1):
            state: State = numbered_deal(numbering, number, variant)
            yield Source(state, numbering, number)


def duel_session(
    duel: Duel, variant: Variant, number: str | None, numbering: str, deal_file: str | None
) -> Session:
    """The game that one number, or else a text, asks for."""
    if (number is None) == (deal_file is None):
        raise InputError("Give either a deal number or --deal FILE.")
    base = duel_numbering(duel, numbering)
    if deal_file is not None:
        return read_session(read_text(deal_file), variant)
    found, value = parse_number(base, number or "")
    return Session(numbered_deal(found, value, variant), variant)
