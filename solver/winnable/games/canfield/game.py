"""Canfield as the rest of the project sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from winnable.cards import Card, card_name
from winnable.deals import Numbering, shuffled_pack
from winnable.errors import InputError
from winnable.games.base import Batch, Game, Limits, Replay, Solution, Step
from winnable.games.canfield import rules as plain
from winnable.games.canfield import text
from winnable.games.canfield.layout import laid_out
from winnable.games.ruleset import Rules


class Canfield(Game[plain.State]):
    """The game's tables and words; the compiled solver is imported when something is solved."""

    name = "canfield"
    title = "Canfield"
    summary = "four foundations from a base card, fed by a reserve and a stock turned by threes"
    rules = plain.RULES
    rules_text = plain.RULES_TEXT
    numberings = ("winnable", "pysol", "ms", "aisleriot", "solvitaire")
    deal_format = text.DEAL_FORMAT
    move_format = """\
turn: the next packet of the stock comes to the waste
redeal: the waste is turned over
up CARD: from the waste, the reserve or a column to its foundation
move CARD to CARD: from there to a column; of a column, with the run that lies on it
down CARD to CARD: from its foundation back to a column
In place of the second card, empty: an empty column."""
    score_columns: Mapping[str, str] = {}
    # Half a second's to four seconds' work, by rule set.
    chunk_size = 64
    # To be raised whenever the verdict, score or node count of any deal changes.
    solver_version = 1

    def deal(self, numbering: Numbering, number: int, rules: Rules) -> plain.State:
        """The deal of a number, the same by all rules."""
        return laid_out(shuffled_pack(numbering, number, self.name), numbering.name)

    def parse_deals(self, source: str) -> list[plain.State]:
        """The deals and positions of a text, also of Solvitaire's JSON; raises InputError."""
        return text.parse_deals(source)

    def format_deal(self, deal: plain.State) -> str:
        """A deal as labelled lines."""
        return text.format_deal(deal)

    def foreign_text(self, deal: plain.State, program: str) -> str:
        """A deal as Solvitaire's JSON."""
        if program == "solvitaire":
            return text.to_solvitaire(deal)
        return super().foreign_text(deal, program)

    def deal_to_json(self, deal: plain.State) -> dict[str, list[str | None]]:
        """A deal's piles as lists of card names."""
        return text.deal_to_json(deal)

    def draw(self, deal: plain.State, rules: Rules) -> str:
        """The table at the start of play."""
        return text.draw(plain.start(deal, rules))

    def solve(self, deal: plain.State, rules: Rules, limits: Limits) -> Solution:
        """Decide one deal or position: in classes where that is exact, else in full."""
        from winnable.games.canfield.classes import can_solve, solve_classes
        from winnable.games.canfield.solver import solve

        return (solve_classes if can_solve(rules) else solve)(deal, rules, limits)

    def batch(self, rules: Rules, numbering: Numbering, limits: Limits, best: bool) -> Batch:
        """A solver of consecutive numbers, each win replayed; there is no score column."""
        from winnable.games.one_by_one import OneByOne

        return OneByOne(self, rules, numbering, limits, [])

    def highest_scores(self, rules: Rules) -> dict[str, int]:
        """No score is found exactly."""
        return {}

    def describe_score(self, score: Mapping[str, int | None]) -> str:
        """That a win brings up the whole pack."""
        return "All 52 cards come to the foundations."

    def replay(self, deal: plain.State, rules: Rules, moves: Sequence[str]) -> Replay:
        """Play a move list by the plain rules."""
        state = plain.start(deal, rules)
        steps: list[Step] = []
        problem = None
        for number, written in enumerate(moves, start=1):
            try:
                move = plain.parse_move(written)
            except InputError as error:
                raise InputError(f"Move {number} ({written}) can't be read: {error}") from None
            problem = plain.why_illegal(state, move, rules)
            if problem is not None:
                break
            after = plain.apply(state, move, rules)
            steps.append(Step(str(move), in_words(move, state, after), text.draw(state)))
            state = after
        return Replay(tuple(steps), plain.is_won(state), problem, text.draw(state))


def in_words(move: plain.Move, before: plain.State, after: plain.State) -> str:
    """What a person does at the table, and what the reserve then fills by itself."""
    if move.kind == plain.TURN:
        turned = before.stock[: len(before.stock) - len(after.stock)]
        return f"turn {_names(turned)} from the stock ({len(after.stock)} left)"
    if move.kind == plain.REDEAL:
        return f"turn the waste over: its {len(after.stock)} cards are the stock again"
    card = move.card
    assert card is not None
    place = plain.find(before, card)
    whence = _whence(place)
    if move.kind == plain.UP:
        words = f"put {card_name(card)} from {whence} on its foundation"
    else:
        moved: tuple[Card, ...] = (card,)
        if place.pile == plain.Pile.COLUMN:
            moved = before.columns[place.number][-1 - place.above :]
        there = plain.find(after, card).number
        on = f" on {card_name(move.target)}" if move.target is not None else ", which is empty"
        words = f"move {_names(moved)} from {whence} to column {there + 1}{on}"
    if place.pile == plain.Pile.COLUMN and len(after.reserve) < len(before.reserve):
        filling = card_name(before.reserve[-1])
        words += f"; {filling} from the reserve fills column {place.number + 1}"
    return words


def _whence(place: plain.Place) -> str:
    if place.pile == plain.Pile.COLUMN:
        return f"column {place.number + 1}"
    return "its foundation" if place.pile == plain.Pile.FOUNDATION else f"the {place.pile.value}"


def _names(cards: Sequence[Card]) -> str:
    return " ".join(map(card_name, cards))


GAME = Canfield()
