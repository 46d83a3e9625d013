"""Tri-Peaks as the rest of the project sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from winnable.cards import card_name
from winnable.deals import Numbering, shuffled_pack
from winnable.games.base import Batch, Game, Limits, Replay, Solution
from winnable.games.replaying import Play
from winnable.games.ruleset import Rules
from winnable.games.tripeaks import rules as plain
from winnable.games.tripeaks import text


class TriPeaks(Game[plain.State]):
    """The game's tables and words; the compiled solver is imported when something is solved."""

    name = "tripeaks"
    title = "Tri-Peaks"
    summary = "28 cards in three peaks, cleared by cards next in rank to the last one"
    rules = plain.RULES
    rules_text = plain.RULES_TEXT
    numberings = ("winnable", "pysol", "ms", "aisleriot")
    deal_format = text.DEAL_FORMAT
    move_format = "turn, or turn CARD: the next stock card; play CARD: a tableau card to the waste"
    score_columns = {"stock_left": "stock cards left over by the best play of a winnable deal"}
    # Half a second's work; a hundred million deals are 1,526 rows of a store.
    chunk_size = 1 << 16
    # A solution leaves the most stock cards, and so it has the fewest moves.
    aims = frozenset(["best", "shortest"])
    # To be raised whenever the verdict, score or node count of any deal changes.
    solver_version = 1

    def deal(self, numbering: Numbering, number: int, rules: Rules) -> plain.State:
        """The deal of a number, the same by all rules."""
        return plain.dealt(shuffled_pack(numbering, number, self.name))

    def parse_deals(self, source: str) -> list[plain.State]:
        """The deals and positions of a text; raises InputError."""
        return text.parse_deals(source)

    def format_deal(self, deal: plain.State) -> str:
        """A deal as labelled lines."""
        return text.format_deal(deal)

    def deal_to_json(self, deal: plain.State) -> dict[str, list[str | None]]:
        """A deal's piles as lists of card names."""
        return text.deal_to_json(deal)

    def draw(self, deal: plain.State, rules: Rules) -> str:
        """The peaks at the start of play."""
        return text.draw(plain.start(deal, rules))

    def solve(self, deal: plain.State, rules: Rules, limits: Limits) -> Solution:
        """Decide one deal or position, with the fewest stock cards."""
        from winnable.games.tripeaks.solver import solve

        return solve(deal, rules, limits)

    def batch(self, rules: Rules, numbering: Numbering, limits: Limits, best: bool) -> Batch:
        """A solver of consecutive numbers; `best` adds the column stock_left."""
        if limits.max_nodes is not None:
            # The fast batch has no use for a limit, and its nodes are not those of `solve`.
            from winnable.games.one_by_one import OneByOne

            return OneByOne(self, rules, numbering, limits, [*self.score_columns] if best else [])
        from winnable.games.tripeaks.batch import TriPeaksBatch

        return TriPeaksBatch(rules, numbering, best)

    def with_shortest(
        self, deal: plain.State, rules: Rules, limits: Limits, solution: Solution
    ) -> Solution:
        """The same: a move plays one of the tableau's cards or turns one of the stock."""
        return replace(solution, moves_bound=len(solution.moves or ()))

    def highest_scores(self, rules: Rules) -> dict[str, int]:
        """All of the stock but an opening card."""
        return {"stock_left": plain.STOCK_SIZE - (rules.settings["waste"] == "turned")}

    def describe_score(self, score: Mapping[str, int | None]) -> str:
        """The fewest stock cards, and those left over."""
        turned, left = score["stock_turned"], score["stock_left"]
        return f"No win turns fewer stock cards than this one: {turned} of 24, {left} left over."

    def replay(self, deal: plain.State, rules: Rules, moves: Sequence[str]) -> Replay:
        """Play a move list by the plain rules."""
        play = Play(
            read=plain.parse_move,
            why_illegal=lambda state, move: plain.why_illegal(state, move, rules),
            apply=lambda state, move: plain.apply(state, move, rules),
            is_won=plain.is_won,
            draw=text.draw,
            words=lambda move, before, after: _in_words(move, before),
        )
        return play.replay(plain.start(deal, rules), moves)


def _in_words(move: plain.Move, state: plain.State) -> str:
    if move.kind == plain.TURN:
        left = len(state.stock) - 1
        return f"turn the stock: {card_name(move.card)} ({left} left)"
    row, place = text.row_and_place(state.tableau.index(move.card))
    on = f" on {card_name(state.waste[-1])}" if state.waste else ""
    return f"play {card_name(move.card)} from row {row}, place {place}{on}"


GAME = TriPeaks()
