"""What is studied, and how a range of numbers is cut into chunks."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from winnable.deals import Numbering
from winnable.games.base import Batch, Game, Limits
from winnable.games.ruleset import Rules
from winnable.players.levels import DIFFICULTY, DIFFICULTY_VERSION

IDENTITY_KEYS = frozenset(
    ["game", "rules", "settings", "numbering", "max_nodes", "max_seconds", "best", "solver"]
)

# The numbering of a study that names none.
USUAL_NUMBERING = "winnable"

# Part of the identity only where it is set: most games have none.
EFFORT = "effort"
# Deals of a chunk whose difficulties are measured, at most: about a second's work.
_DIFFICULT_CHUNK = 512


class Work(Protocol):
    """What runs over a range of numbers, chunk by chunk: a study, or the games of a player."""

    @property
    def numbering(self) -> Numbering:
        """What the numbers are numbers of."""
        ...

    @property
    def chunk_size(self) -> int:
        """Deals in a full chunk, which is committed at once."""
        ...

    def batch(self) -> Batch:
        """What answers numbers; one for each thread."""
        ...


@dataclass(frozen=True)
class Study:
    """Everything that the answer for a number depends on; the range is not part of it.

    best, difficulty: whether the best score is found too, and how hard each deal is.
    """

    game: Game[Any]
    rules: Rules
    numbering: Numbering
    limits: Limits = Limits()
    best: bool = False
    difficulty: bool = False

    def identity(self) -> dict[str, Any]:
        """The study as plain values: what a store keeps, and what two stores are compared by."""
        identity = {
            "game": self.game.name,
            "rules": self.rules.name,
            "settings": dict(self.rules.settings),
            "numbering": self.numbering.name,
            "max_nodes": self.limits.max_nodes,
            "max_seconds": self.limits.max_seconds,
            "best": self.best,
            "solver": self.game.version_for(self.rules),
        }
        if self.limits.effort is not None:
            identity[EFFORT] = self.limits.effort
        if self.difficulty:
            identity[DIFFICULTY] = DIFFICULTY_VERSION
        return identity

    def digest(self) -> str:
        """A key of the identity: equal studies, and only these, have equal keys."""
        text = json.dumps(self.identity(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def chunk_size(self) -> int:
        """Deals in a full chunk, which is committed at once."""
        size = self.game.chunk_size
        return min(size, _DIFFICULT_CHUNK) if self.difficulty else size

    def batch(self) -> Batch:
        """A solver of consecutive numbers, one for each thread."""
        solver = self.game.batch(self.rules, self.numbering, self.limits, self.best)
        if not self.difficulty:
            return solver
        from winnable.players.seats import WithDifficulty

        return WithDifficulty(solver, self.game.name, self.rules, self.numbering)


def limits_of(identity: Mapping[str, Any]) -> Limits:
    """The limits of the study that has this identity."""
    return Limits(identity["max_nodes"], identity["max_seconds"], identity.get(EFFORT))


@dataclass(frozen=True)
class Span:
    """Consecutive numbers, `first` to `last`, both included."""

    first: int
    last: int

    @property
    def count(self) -> int:
        """How many numbers these are."""
        return self.last - self.first + 1


def merged(spans: Iterable[Span]) -> list[Span]:
    """The same numbers as few spans in rising order."""
    out: list[Span] = []
    for span in sorted(spans, key=lambda span: span.first):
        if out and span.first <= out[-1].last + 1:
            out[-1] = Span(out[-1].first, max(out[-1].last, span.last))
        else:
            out.append(span)
    return out


def missing(wanted: Span, covered: Iterable[Span]) -> list[Span]:
    """The parts of `wanted` that no covered span holds."""
    gaps = []
    first = wanted.first
    for span in merged(covered):
        if span.last < first:
            continue
        if span.first > wanted.last:
            break
        if span.first > first:
            gaps.append(Span(first, span.first - 1))
        first = span.last + 1
    if first <= wanted.last:
        gaps.append(Span(first, wanted.last))
    return gaps


def chunks(spans: Iterable[Span], size: int) -> Iterator[Span]:
    """Cut spans at the multiples of `size`, lazily: a range may hold 2^64 numbers."""
    for span in spans:
        first = span.first
        while first <= span.last:
            last = min(span.last, (first // size + 1) * size - 1)
            yield Span(first, last)
            first = last + 1
