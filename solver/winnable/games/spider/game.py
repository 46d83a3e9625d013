"""Spider as the rest of the project sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from winnable.cards import Card, Suit, card_name
from winnable.deals import Numbering, shuffled_double_pack
from winnable.games.base import Batch, Game, Limits, Replay, Solution
from winnable.games.replaying import Play
from winnable.games.ruleset import Rules
from winnable.games.spider import rules as plain
from winnable.games.spider import text
from winnable.games.spider.ladder import EFFORTS
from winnable.games.spider.layout import laid_out

SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")


class Spider(Game[plain.State]):
    """The game's tables and words; the compiled solver is imported when something is solved."""

    name = "spider"
    title = "Spider"
    summary = "two packs on ten columns, from which eight runs of one suit have to leave"
    rules = plain.RULES
    rules_text = plain.RULES_TEXT
    numberings = ("winnable", "pysol", "ms", "kpat", "aisleriot")
    deal_format = text.DEAL_FORMAT
    move_format = """\
deal: a row of the stock, one card to each column
move N from COLUMN to COLUMN: the last N cards of a column to another one; columns are 1 to 10"""
    score_columns: Mapping[str, str] = {}
    # A few seconds' work with four suits.
    chunk_size = 8
    keeps_solutions = True
    efforts = EFFORTS
    aims = frozenset(["shortest"])
    # To be raised whenever the verdict or node count of any deal changes.
    solver_version = 3

    def deal(self, numbering: Numbering, number: int, rules: Rules) -> plain.State:
        """The deal of a number, with as many suits as the rules have."""
        cards = shuffled_double_pack(numbering, number, self.name)
        return laid_out(cards, numbering.name, rules.settings["suits"])

    def parse_deals(self, source: str) -> list[plain.State]:
        """The deals and positions of a text, of KPat's saves and Solvitaire's JSON too."""
        return text.parse_deals(source)

    def format_deal(self, deal: plain.State) -> str:
        """A deal as labelled lines."""
        return text.format_deal(deal)

    def deal_to_json(self, deal: plain.State) -> dict[str, list[str | int]]:
        """A deal's piles as lists of card names, and how many cards of each column are hidden."""
        return text.deal_to_json(deal)

    def draw(self, deal: plain.State, rules: Rules) -> str:
        """The table at the start of play."""
        return text.draw(plain.start(deal, rules))

    def solve(self, deal: plain.State, rules: Rules, limits: Limits) -> Solution:
        """Decide one deal or position."""
        from winnable.games.spider.solver import solve

        return solve(deal, rules, limits)

    def with_shortest(
        self, deal: plain.State, rules: Rules, limits: Limits, solution: Solution
    ) -> Solution:
        """The answer for a deal that is won, with the shortest line that the limits allow for."""
        from winnable.games.spider.shortest import with_fewer_moves

        return with_fewer_moves(deal, rules, limits, solution)

    def batch(self, rules: Rules, numbering: Numbering, limits: Limits, best: bool) -> Batch:
        """A solver of consecutive numbers, each win replayed; there is no score column."""
        from winnable.games.one_by_one import OneByOne

        return OneByOne(self, rules, numbering, limits, [])

    def highest_scores(self, rules: Rules) -> dict[str, int]:
        """There is no score besides winning."""
        return {}

    def describe_score(self, score: Mapping[str, int | None]) -> str:
        """That a win clears the table."""
        return "All eight runs leave the table."

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


def in_words(move: plain.Move, before: plain.State, after: plain.State) -> str:
    """What a person does at the table, and what then happens by itself."""
    if move.kind == plain.DEAL:
        row = before.stock[: plain.COLUMN_COUNT]
        words = f"deal a row: {_names(row)} ({len(after.stock)} cards left in the stock)"
    else:
        cards = before.columns[move.source][-move.size :]
        target = before.columns[move.target]
        place = f"on {card_name(target[-1])}" if target else "which is empty"
        words = (
            f"move {_names(cards)} from column {move.source + 1} to column {move.target + 1}, "
            f"{place}"
        )
    for suit in _completed(before, after):
        words += f"; a run of {SUIT_WORDS[suit]} is complete and leaves"
    for number, card in _turned_up(before, after):
        words += f"; turns up {card_name(card)} in column {number + 1}"
    return words


def _completed(before: plain.State, after: plain.State) -> list[Suit]:
    """The suits of the runs that leave, as often as runs do."""
    pairs = zip(before.finished, after.finished, strict=True)
    return [suit for suit, (old, new) in enumerate(pairs) for _ in range(old, new)]


def _turned_up(before: plain.State, after: plain.State) -> list[tuple[int, Card]]:
    """The columns in which a card is turned up, and the cards."""
    pairs = zip(before.hidden, after.hidden, strict=True)
    return [(i, after.columns[i][-1]) for i, (old, new) in enumerate(pairs) if new < old]


def _names(cards: Sequence[Card]) -> str:
    return " ".join(map(card_name, cards))


GAME = Spider()
