"""What every game offers to the rest of the project, and the words used for its answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from winnable.deals import Numbering, get_numbering
from winnable.errors import InputError, unknown_name
from winnable.games.ruleset import Rules, RuleTable

if TYPE_CHECKING:
    import numpy as np

Deal = TypeVar("Deal")


class Verdict(str, Enum):
    """The answer about a deal. The three are never mixed.

    winnable: a move list was replayed by the plain rules to a won position (in a batch: found by
        the kernels, which the tests and ``winnable report --check`` replay).
    unwinnable: an exhaustive search came to its end.
    unknown: a limit was hit first.
    """

    WINNABLE = "winnable"
    UNWINNABLE = "unwinnable"
    UNKNOWN = "unknown"


# Verdicts as kernels and stores write them, one byte a deal.
VERDICT_CODES = (Verdict.UNWINNABLE, Verdict.WINNABLE, Verdict.UNKNOWN)
UNWINNABLE_CODE, WINNABLE_CODE, UNKNOWN_CODE = range(3)
# More nodes than any search opens.
NO_LIMIT = 1 << 60
# In a score column, the byte of a deal that has no score because it was not won.
NO_SCORE = 255
# The columns of a game that keeps its solutions: how many moves each has, and the moves, one a
# line. A deal that is not won has `NO_LENGTH` moves, and None for a line.
LENGTH, SOLUTION = "moves", "solution"
NO_LENGTH = 65535


@dataclass(frozen=True)
class Limits:
    """Where a search gives up, for each deal: nodes and seconds, None for no limit.

    `effort` is how much is tried within them, for games that have levels of it: see `Game.efforts`.
    None for the game's usual one.

    `stop`, int64 of shape (1,), is set to 1 by another thread to have a search given up at once;
    how far that one came says nothing about the deal.

    Raises InputError for a limit that is not above 0.
    """

    max_nodes: int | None = None
    max_seconds: float | None = None
    effort: int | None = None
    stop: np.ndarray[Any, np.dtype[np.int64]] | None = field(
        default=None, compare=False, repr=False
    )

    def __post_init__(self) -> None:
        for limit in (self.max_nodes, self.max_seconds, self.effort):
            if limit is not None and not limit > 0:
                raise InputError(f"A limit of {limit} is none: it has to be above 0.")

    def nodes_or(self, default: int) -> int:
        """The most nodes: `default` only where no limit at all was set, as seconds limit too."""
        if self.max_nodes is not None:
            return self.max_nodes
        return default if self.max_seconds is None else NO_LIMIT

    def reach(self, other: Limits) -> bool:
        """Whether a search under these limits goes as far as one under the others.

        How an effort that is not set compares to one that is depends on the game: neither is taken
        to go as far as the other.
        """
        if self.effort is None or other.effort is None:
            is_as_much = self.effort == other.effort
        else:
            is_as_much = self.effort >= other.effort
        return is_as_much and all(
            most is None or (least is not None and most >= least)
            for most, least in (
                (self.max_nodes, other.max_nodes),
                (self.max_seconds, other.max_seconds),
            )
        )


@dataclass(frozen=True)
class Solution:
    """The answer about one deal.

    Attributes
    ----------
    moves: the winning line in the game's notation, None unless winnable.
    nodes: positions looked at.
    seconds: wall time.
    limit: which limit was hit, None when decided: "nodes" or "seconds", or one of the solver's
        own, such as "memory".
    score: what the game counts besides winning, such as stock cards left; None where unknown.
    best_moves: a line to the best score of a deal that is not won, where it was asked for.
    moves_bound: no winning line has fewer moves, where the fewest were asked for: proved when that
        is what `moves` has.
    moves_before: how many moves the line had from which fewer were looked for.
    """

    verdict: Verdict
    moves: tuple[str, ...] | None
    nodes: int
    seconds: float
    limit: str | None = None
    score: Mapping[str, int | None] = field(default_factory=dict)
    best_moves: tuple[str, ...] | None = None
    moves_bound: int | None = None
    moves_before: int | None = None


@dataclass(frozen=True)
class Step:
    """One move of a replay: the move, what it does in words, and the table before it, drawn."""

    move: str
    words: str
    before: str


@dataclass(frozen=True)
class Replay:
    """What became of a move list under the plain rules.

    Attributes
    ----------
    steps: the legal moves, in order.
    won: whether the position after them is won.
    problem: why the first illegal move is one, None when all are legal.
    after: the table after the last legal move, drawn.
    states: the positions, in the game's own form: before each legal move, and after the last.
    """

    steps: tuple[Step, ...]
    won: bool
    problem: str | None
    after: str
    states: tuple[Any, ...] = field(repr=False)


@dataclass(frozen=True)
class Answers:
    """The answers for consecutive numbers.

    Attributes
    ----------
    columns: name to array, shape (n,). Always has "verdict" (see `VERDICT_CODES`), uint8 as are
        scores; where the game keeps its solutions, `LENGTH` too, uint16, and `SOLUTION`, objects.
    nodes: positions looked at, all deals together.
    """

    columns: Mapping[str, np.ndarray[Any, np.dtype[Any]]]
    nodes: int


class CancelledError(Exception):
    """What was in work was given up, as asked for."""


class Batch(ABC):
    """Solves many numbered deals with tables of its own: one object a thread."""

    # Numbers to hand over at a time: enough to fill the lanes, done in a fraction of a second.
    block: int

    @abstractmethod
    def solve(self, first: int, count: int) -> Answers:
        """The answers for the numbers `first` to `first + count - 1`.

        Raises CancelledError when another thread called `cancel`.
        """

    @abstractmethod
    def cancel(self) -> None:
        """Called from another thread: give up what is in work, if it may take long."""


class Game(ABC, Generic[Deal]):
    """One game: its rules in words and tables, its deals, its solvers.

    Attributes
    ----------
    name: as typed on the command line.
    title: as people write it.
    rules: parameters and named rule sets.
    rules_text: the rules in words.
    numberings: the names of the numberings that deal it.
    deal_format, move_format: how a person writes a deal and a move.
    score_columns: columns of a study that cost extra (`best`), name to meaning.
    chunk_size: deals in a full chunk of a study, which is committed at once; worth about a second.
    keeps_solutions: whether a study keeps each win's moves, which is worth it where finding them
        again takes long.
    efforts: what each level of `Limits.effort` does; none where the game has no levels.
    aims: what `answer` can be asked for besides the verdict: "best", "shortest".
    solver_version: of the solver for most rules; see `version_for`.
    """

    name: str
    title: str
    summary: str
    rules: RuleTable
    rules_text: str
    numberings: tuple[str, ...]
    deal_format: str
    move_format: str
    score_columns: Mapping[str, str]
    chunk_size: int
    keeps_solutions: bool = False
    efforts: Mapping[int, str] = MappingProxyType({})
    aims: frozenset[str] = frozenset()
    solver_version: int

    def version_for(self, rules: Rules) -> int:
        """The solver's version: in a study's key, so that a store never mixes two solvers' answers.

        It is raised whenever the verdict, score or node count of any deal by these rules changes.
        """
        return self.solver_version

    def numbering(self, name: str) -> Numbering:
        """The numbering of this name; raises InputError when there is none that deals the game."""
        numbering = get_numbering(name)
        if name not in self.numberings:
            raise unknown_name(f"numbering of {self.title}", name, self.numberings)
        return numbering

    def limits(
        self,
        max_nodes: int | None = None,
        max_seconds: float | None = None,
        effort: int | None = None,
    ) -> Limits:
        """The limits for a search; raises InputError for an effort that the game does not have."""
        if effort is not None and not self.efforts:
            raise InputError(f"There is no --effort for {self.title}.")
        if effort is not None and effort not in self.efforts:
            most = len(self.efforts)
            raise InputError(f"--effort {effort} is too much: {self.title} has 1 to {most}.")
        return Limits(max_nodes, max_seconds, effort)

    @abstractmethod
    def deal(self, numbering: Numbering, number: int, rules: Rules) -> Deal:
        """The deal of a number; by the rules, because they may say which cards there are."""

    @abstractmethod
    def parse_deals(self, text: str) -> list[Deal]:
        """The deals and positions that a person typed; raises InputError."""

    @abstractmethod
    def format_deal(self, deal: Deal) -> str:
        """A deal as the text that `parse_deals` reads."""

    def foreign_text(self, deal: Deal, program: str) -> str:
        """A deal as the text that another program reads; raises InputError when there is none."""
        raise InputError(f"There is no way to write a deal of {self.title} for {program}.")

    @abstractmethod
    def deal_to_json(self, deal: Deal) -> Mapping[str, Sequence[str | int | None]]:
        """A deal's piles as lists of card names, and numbers where those don't say everything."""

    @abstractmethod
    def draw(self, deal: Deal, rules: Rules) -> str:
        """The table at the start of play, drawn for people."""

    @abstractmethod
    def solve(self, deal: Deal, rules: Rules, limits: Limits) -> Solution:
        """Decide one deal or position; a win has been replayed by the plain rules."""

    def answer(
        self, deal: Deal, rules: Rules, limits: Limits, best: bool = False, shortest: bool = False
    ) -> Solution:
        """Decide a deal and, where asked for, look further; the limits hold for each part.

        Parameters
        ----------
        best: also look for the best score.
        shortest: of a deal that is won, also look for the fewest moves.

        Raises
        ------
        InputError
            When the game has no such thing.
        """
        for aim, is_wanted in (("best", best), ("shortest", shortest)):
            if is_wanted and aim not in self.aims:
                raise InputError(f"There is no --{aim} for {self.title}.")
        solution = self.solve(deal, rules, limits)
        if best:
            solution = self.with_best(deal, rules, limits, solution)
        if shortest and solution.verdict is Verdict.WINNABLE:
            first = len(solution.moves or ())
            solution = self.with_shortest(deal, rules, limits, solution)
            solution = replace(solution, moves_before=first)
        return solution

    def with_best(self, deal: Deal, rules: Rules, limits: Limits, solution: Solution) -> Solution:
        """The answer with the best score, by a line of its own where the deal is not won."""
        return solution

    def with_shortest(
        self, deal: Deal, rules: Rules, limits: Limits, solution: Solution
    ) -> Solution:
        """The answer for a deal that is won, with as few moves as can be found."""
        return solution

    @abstractmethod
    def highest_scores(self, rules: Rules) -> Mapping[str, int]:
        """For each score column, the most that it can hold under these rules."""

    @abstractmethod
    def describe_score(self, score: Mapping[str, int | None]) -> str:
        """What the score of a winnable deal's solution says, as a sentence."""

    def describe_best(self, score: Mapping[str, int | None]) -> str:
        """What the best score of a deal that is not won says, as a sentence; may be empty."""
        return ""

    @abstractmethod
    def replay(self, deal: Deal, rules: Rules, moves: Sequence[str]) -> Replay:
        """Play a move list by the plain rules; raises InputError for a move that can't be read."""

    @abstractmethod
    def batch(self, rules: Rules, numbering: Numbering, limits: Limits, best: bool) -> Batch:
        """A solver of consecutive numbers; with `best` it fills the score columns too."""
