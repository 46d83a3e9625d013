"""What every game offers to the rest of the project, and the words used for its answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from winnable.deals import Numbering
from winnable.errors import InputError
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
# In a score column, the byte of a deal that has no score because it was not won.
NO_SCORE = 255


@dataclass(frozen=True)
class Limits:
    """Where a search gives up, for each deal: nodes and seconds, None for no limit.

    Raises InputError for a limit that is not above 0.
    """

    max_nodes: int | None = None
    max_seconds: float | None = None

    def __post_init__(self) -> None:
        for limit in (self.max_nodes, self.max_seconds):
            if limit is not None and not limit > 0:
                raise InputError(f"A limit of {limit} is none: it has to be above 0.")


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
    """

    verdict: Verdict
    moves: tuple[str, ...] | None
    nodes: int
    seconds: float
    limit: str | None = None
    score: Mapping[str, int | None] = field(default_factory=dict)


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
    """

    steps: tuple[Step, ...]
    won: bool
    problem: str | None
    after: str


@dataclass(frozen=True)
class Answers:
    """The answers for consecutive numbers, one byte a deal.

    Attributes
    ----------
    columns: name to uint8 array, shape (n,). Always has "verdict" (see `VERDICT_CODES`).
    nodes: positions looked at, all deals together.
    """

    columns: Mapping[str, np.ndarray[Any, np.dtype[np.uint8]]]
    nodes: int


class Batch(ABC):
    """Solves many numbered deals with tables of its own: one object a thread."""

    # Numbers to hand over at a time: enough to fill the lanes, done in a fraction of a second.
    block: int

    @abstractmethod
    def solve(self, first: int, count: int) -> Answers:
        """The answers for the numbers `first` to `first + count - 1`."""


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
    solver_version: part of a study's key, so that a store never mixes two solvers' answers.
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
    solver_version: int

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

    @abstractmethod
    def highest_scores(self, rules: Rules) -> Mapping[str, int]:
        """For each score column, the most that it can hold under these rules."""

    @abstractmethod
    def describe_score(self, score: Mapping[str, int | None]) -> str:
        """What the score of a winnable deal's solution says, as a sentence."""

    @abstractmethod
    def replay(self, deal: Deal, rules: Rules, moves: Sequence[str]) -> Replay:
        """Play a move list by the plain rules; raises InputError for a move that can't be read."""

    @abstractmethod
    def batch(self, rules: Rules, numbering: Numbering, limits: Limits, best: bool) -> Batch:
        """A solver of consecutive numbers; with `best` it fills the score columns too."""
