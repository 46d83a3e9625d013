"""Canfield as the rest of the project sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from winnable.cards import PACK_SIZE, Card, card_name
from winnable.deals import Numbering, shuffled_pack
from winnable.games.base import Batch, Game, Limits, Replay, Solution, Verdict
from winnable.games.canfield import rules as plain
from winnable.games.canfield import text
from winnable.games.canfield.layout import laid_out
from winnable.games.replaying import Play
from winnable.games.ruleset import Rules

# Of the betting game: a player buys the pack, and gets so much for each card on a foundation.
STAKE, PAID_A_CARD = 50, 5


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
    aims = frozenset(["best", "shortest"])
    solver_version = 2

    def version_for(self, rules: Rules) -> int:
        """The version of the solver for these rules; beams came with 3."""
        return 3 if rules.settings["moves"] == "whole-or-top" else self.solver_version

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
        """Decide one deal or position: in classes where that is exact, else with their help."""
        from winnable.games.canfield.classes import can_solve, solve_classes
        from winnable.games.canfield.inclusion import solve_by_inclusion

        return (solve_classes if can_solve(rules) else solve_by_inclusion)(deal, rules, limits)

    def with_best(
        self, deal: plain.State, rules: Rules, limits: Limits, solution: Solution
    ) -> Solution:
        """The most cards that can lie on the foundations, and in casino play what they pay."""
        if solution.verdict is Verdict.WINNABLE:
            score = {"foundation_found": PACK_SIZE, "foundation_bound": PACK_SIZE}
            return replace(solution, score=score | _money(rules, PACK_SIZE))
        from winnable.games.canfield.best import most_cards

        best = most_cards(deal, rules, limits)
        bound = best.bound
        if solution.verdict is Verdict.UNWINNABLE:
            bound = min(bound, PACK_SIZE - 1)
        score = {"foundation_found": best.found, "foundation_bound": bound}
        return replace(
            solution,
            nodes=solution.nodes + best.nodes,
            seconds=solution.seconds + best.seconds,
            limit=solution.limit or best.limit,
            score=score | _money(rules, best.found),
            best_moves=best.moves,
        )

    def with_shortest(
        self, deal: plain.State, rules: Rules, limits: Limits, solution: Solution
    ) -> Solution:
        """The fewest moves found, and how few were proved to be too few."""
        from winnable.games.canfield.shortest import shortest

        found = shortest(deal, rules, solution.moves or (), limits)
        return replace(
            solution,
            moves=found.moves,
            nodes=solution.nodes + found.nodes,
            seconds=solution.seconds + found.seconds,
            limit=found.limit,
            moves_bound=found.bound,
        )

    def batch(self, rules: Rules, numbering: Numbering, limits: Limits, best: bool) -> Batch:
        """A solver of consecutive numbers, each win replayed; there is no score column."""
        from winnable.games.one_by_one import OneByOne

        return OneByOne(self, rules, numbering, limits, [])

    def highest_scores(self, rules: Rules) -> dict[str, int]:
        """No score is found exactly."""
        return {}

    def describe_score(self, score: Mapping[str, int | None]) -> str:
        """That a win brings up the whole pack."""
        return f"All 52 cards come to the foundations{_paid(score)}."

    def describe_best(self, score: Mapping[str, int | None]) -> str:
        """How many cards can come up, and what that pays."""
        found, bound = score["foundation_found"], score["foundation_bound"]
        if found == bound:
            words = f"At most {found} cards can lie on the foundations"
        else:
            words = f"The best line found brings {found} cards to the foundations, none can more"
            words += f" than {bound}"
        return f"{words}{_paid(score)}."

    def replay(self, deal: plain.State, rules: Rules, moves: Sequence[str]) -> Replay:
        """Play a move list by the plain rules."""
        play = Play(
            read=lambda written, state: plain.parse_move(written),
            why_illegal=lambda state, move: plain.why_illegal(state, move, rules),
            apply=lambda state, move: plain.apply(state, move, rules),
            is_won=plain.is_won,
            draw=text.draw,
            words=in_words,
        )
        return play.replay(plain.start(deal, rules), moves)


def _money(rules: Rules, cards: int) -> dict[str, int]:
    """What the bank pays in casino play, less the stake; nothing where there are redeals."""
    if rules.settings["redeals"] != "0":
        return {}
    return {"money": PAID_A_CARD * cards - STAKE}


def _paid(score: Mapping[str, int | None]) -> str:
    money = score.get("money")
    return "" if money is None else f": {money + STAKE} paid for a stake of {STAKE}"


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
