"""Games between two agents over a range of deals: what is played, run, kept and counted."""

from __future__ import annotations

import hashlib
import json
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from functools import partial
from itertools import chain
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from winnable.deals import Numbering
from winnable.duel.agents import AGENTS_VERSION, GREEDY, MONTECARLO, OWN, PLANNER, RANDOM, Agent
from winnable.duel.simulate import Games, Simulator, outcome_words
from winnable.duel.tables import Variant
from winnable.errors import StoreError
from winnable.study.plan import Span, chunks, missing
from winnable.study.run import machine_name
from winnable.study.statistics import lead, share
from winnable.study.store import SHARED_TABLES, SessionFigures, Store
from winnable.study.store_file import MATCH_APPLICATION_ID
from winnable.study.threads import in_threads
from winnable.version import __version__

Progress = Callable[[int], None]

# Deals in a chunk, which is committed at once: worth about a second.
_CHUNK_SIZES = {RANDOM: 512, GREEDY: 2048, PLANNER: 128, MONTECARLO: 1}
# The columns of a game, and how their numbers are written: the lower byte first on every machine.
_COLUMNS = {"outcome": "<u1", "turns": "<u2", "moves": "<u4"}
# Before the names of the columns of the second game of a deal, in which the chairs are swapped.
_SWAPPED = "swapped_"
# What the names of a game's columns begin with, by who begins: the first agent, the second.
SEAT_PREFIXES = ("", _SWAPPED)

_TABLES = f"""{SHARED_TABLES}
CREATE TABLE IF NOT EXISTS chunk (
    first TEXT PRIMARY KEY, count INTEGER NOT NULL, cpu_seconds REAL NOT NULL
) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class Match:
    """Everything that the games of a number depend on; the range is not part of it.

    first, second: the agents; the first one begins.
    swap: whether each deal is played once more, the second agent beginning.
    sight: what the agents see, see `winnable.duel.agents`.
    """

    variant: Variant
    numbering: Numbering
    first: Agent
    second: Agent
    swap: bool = False
    sight: str = OWN

    def identity(self) -> dict[str, Any]:
        """The match as plain values: what a store keeps, and what two stores are compared by."""
        return {
            "game": self.variant.game,
            "rules": self.variant.rules.name,
            "settings": dict(self.variant.rules.settings),
            "numbering": self.numbering.name,
            "first": str(self.first),
            "second": str(self.second),
            "swap": self.swap,
            "players_see": self.sight,
            "agents": AGENTS_VERSION,
        }

    def digest(self) -> str:
        """A key of the identity: equal matches, and only these, have equal keys."""
        text = json.dumps(self.identity(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def chunk_size(self) -> int:
        """Deals that are played and committed together."""
        return min(_CHUNK_SIZES[self.first.name], _CHUNK_SIZES[self.second.name])


@dataclass(frozen=True)
class GamesChunk:
    """The games of consecutive numbers; `columns` by name, arrays of shape (n,)."""

    first: int
    columns: Mapping[str, NDArray[Any]]
    cpu_seconds: float

    @property
    def count(self) -> int:
        """How many numbers were played."""
        return len(self.columns["outcome"])


class MatchStore(Store):
    """The store of a match: see `Store`, whose way of keeping chunks it has."""

    application_id: ClassVar[int] = MATCH_APPLICATION_ID
    tables: ClassVar[str] = _TABLES
    identity_keys: ClassVar[frozenset[str]] = frozenset(
        ["game", "rules", "settings", "numbering", "first", "second", "swap", "players_see"]
    )

    def add_games(self, chunk: GamesChunk, session: SessionFigures) -> None:
        """Commit one chunk together with its session's figures.

        Raises
        ------
        StoreError
            When it can't be written; nothing of it is kept then, and all before it is.
        """
        key = self._key(chunk.first)
        columns = [
            (key, name, zlib.compress(values.astype(_type_of(name)).tobytes()))
            for name, values in chunk.columns.items()
        ]
        with self._guarded(), self._transaction():
            self._connection.execute(
                "INSERT INTO chunk VALUES (?, ?, ?)", (key, chunk.count, chunk.cpu_seconds)
            )
            self._connection.executemany("INSERT INTO chunk_column VALUES (?, ?, ?)", columns)
            self._connection.execute(
                "UPDATE session SET wall_seconds = ?, cpu_seconds = ?, deals = ? WHERE id = ?",
                (session.wall_seconds, session.cpu_seconds, session.deals, session.id),
            )

    def games_column(self, name: str) -> NDArray[Any]:
        """One column of all deals in number order."""
        parts = []
        with self._guarded():
            rows = self._connection.execute(
                "SELECT count, data FROM chunk JOIN chunk_column USING (first)"
                " WHERE name = ? ORDER BY chunk.first",
                (name,),
            )
            for count, data in rows:
                parts.append(_unpacked(name, data, count))
        return np.concatenate(parts) if parts else np.zeros(0, _type_of(name))

    def games_of_all_seats(self, name: str) -> NDArray[Any]:
        """One column of all games: those of the swapped chairs after all others."""
        prefixes = SEAT_PREFIXES[: 1 + self.identity()["swap"]]
        return np.concatenate([self.games_column(prefix + name) for prefix in prefixes])

    def cpu_seconds(self) -> float:
        """The CPU time of all chunks."""
        with self._guarded():
            row = self._connection.execute("SELECT total(cpu_seconds) FROM chunk").fetchone()
        return float(row[0])


def _type_of(name: str) -> np.dtype[Any]:
    return np.dtype(_COLUMNS[name.removeprefix(_SWAPPED)])


def _unpacked(name: str, data: bytes, count: int) -> NDArray[Any]:
    """A chunk's column; raises ValueError for damaged data."""
    try:
        values = np.frombuffer(zlib.decompress(data), _type_of(name))
    except zlib.error as error:
        raise ValueError(f"column {name}: {error}") from None
    if len(values) != count:
        raise ValueError(f"column {name} has {len(values)} numbers in place of {count}")
    return values


# Playing


class _Simulators:
    """A simulator for each seat in each thread that asks, with tables of its own."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._local = threading.local()
        self._all: list[Simulator] = []

    def of_this_thread(self) -> list[Simulator]:
        if not hasattr(self._local, "simulators"):
            match = self._match
            seats = [(match.first, match.second), (match.second, match.first)]
            self._local.simulators = [
                Simulator(match.variant, match.numbering, *seat, match.sight)
                for seat in seats[: 1 + match.swap]
            ]
            self._all += self._local.simulators
        kept: list[Simulator] = self._local.simulators
        return kept

    def cancel(self) -> None:
        for simulator in self._all:
            simulator.cancel()


def _columns_of(games: Games, prefix: str) -> dict[str, NDArray[Any]]:
    return {
        f"{prefix}outcome": games.outcomes,
        f"{prefix}turns": games.turns,
        f"{prefix}moves": games.moves,
    }


def _play_chunk(simulators: _Simulators, stop: threading.Event, span: Span) -> GamesChunk | None:
    """The games of a span, None when told to stop before they were over."""
    before = time.thread_time()
    columns: dict[str, NDArray[Any]] = {}
    for prefix, simulator in zip(SEAT_PREFIXES, simulators.of_this_thread(), strict=False):
        games = None if stop.is_set() else simulator.play(span.first, span.count)
        if games is None:
            return None
        columns |= _columns_of(games, prefix)
    return GamesChunk(span.first, columns, time.thread_time() - before)


def warm_up(match: Match, number: int) -> None:
    """Have the kernels compiled that the match needs, by playing a game."""
    Simulator(match.variant, match.numbering, match.first, match.second, match.sight).play(
        number, 1
    )


def run_match(
    store: MatchStore,
    match: Match,
    wanted: Span,
    workers: int,
    on_progress: Progress = lambda deals: None,
    stop: threading.Event | None = None,
) -> int:
    """Play every number of `wanted` that the store does not hold yet.

    Parameters
    ----------
    store:
        Open for writing.
    wanted:
        The numbers to play; those already in the store are left alone.
    workers:
        Threads.
    on_progress:
        Called with the number of deals of each chunk, once it is committed.
    stop:
        Set it to end early: games that go on are given up, and all before are kept.

    Returns
    -------
    How many deals were played now.

    Raises
    ------
    StoreError
        When a chunk can't be written; those before it are kept.
    """
    todo = chunks(missing(wanted, store.covered()), match.chunk_size)
    head = next(todo, None)
    if head is None:
        return 0
    stop = stop or threading.Event()
    simulators = _Simulators(match)
    started = datetime.now(timezone.utc).isoformat(timespec="seconds")
    session = store.begin_session(started, workers, machine_name(), __version__)
    wall, cpu, deals = time.perf_counter(), time.process_time(), 0
    work = partial(_play_chunk, simulators, stop)
    for chunk in in_threads(work, chain([head], todo), workers, stop, simulators.cancel):
        if chunk is None:
            continue
        deals += chunk.count
        wall_seconds, cpu_seconds = time.perf_counter() - wall, time.process_time() - cpu
        store.add_games(chunk, SessionFigures(session, wall_seconds, cpu_seconds, deals))
        on_progress(chunk.count)
    return deals


# Counting


def spread(values: NDArray[Any]) -> dict[str, float]:
    """Mean, median, 95 % quantile and the most."""
    return {
        "mean": round(float(np.mean(values)), 2),
        "median": float(np.median(values)),
        "p95": round(float(np.percentile(values, 95)), 1),
        "most": int(np.max(values)),
    }


def summarize(store: MatchStore) -> dict[str, Any]:
    """What a store holds, as plain values; wins are told by agent, by who begins, and by seat.

    `games_sha256` runs over the outcomes, turns and moves of all games as they are kept: it and all
    else but `cpu_seconds` and `sessions` depends on the match and the numbers alone.

    Raises
    ------
    StoreError
        When the store holds no games yet.
    """
    with store.one_moment():
        identity = store.identity()
        covered = store.covered()
        prefixes = SEAT_PREFIXES[: 1 + identity["swap"]]
        seats = [
            {name: store.games_column(prefix + name) for name in _COLUMNS} for prefix in prefixes
        ]
        sessions, cpu_seconds = store.sessions(), store.cpu_seconds()
    wins = [_wins(seat["outcome"]) for seat in seats]
    deals = len(seats[0]["outcome"])
    if deals == 0:
        raise StoreError(f"{store.path} holds no games yet; run its match first.")
    games = deals * len(seats)
    of_first = wins[0][0] + sum(seat[1] for seat in wins[1:])
    of_second = wins[0][1] + sum(seat[0] for seat in wins[1:])
    outcomes = _joined(seats, "outcome")
    draws = {
        words: int(np.count_nonzero(outcomes == code)) for code, words in outcome_words().items()
    }
    return {
        **identity,
        "numbers": [[span.first, span.last] for span in covered],
        "deals": deals,
        "games": games,
        "first_wins": share(of_first, games),
        "second_wins": share(of_second, games),
        "beginner_wins": share(sum(seat[0] for seat in wins), games),
        "beginner_leads": lead(sum(seat[0] for seat in wins), sum(seat[1] for seat in wins), games),
        "seats": [
            {"begins": identity["first"], "beginner_wins": share(wins[0][0], deals)},
            *(
                {"begins": identity["second"], "beginner_wins": share(seat[0], deals)}
                for seat in wins[1:]
            ),
        ],
        "draws": {"count": sum(draws.values()), **draws},
        "drawn": share(sum(draws.values()), games),
        "turns": spread(_joined(seats, "turns")),
        "moves": spread(_joined(seats, "moves")),
        "games_sha256": _digest(seats),
        "cpu_seconds": round(cpu_seconds, 3),
        "sessions": sessions,
    }


def checked_summary(summary: dict[str, Any]) -> dict[str, Any]:
    """The same summary, once everything that reports are made of was seen to be there.

    Raises
    ------
    ValueError, TypeError, KeyError or AttributeError
        For anything else.
    """
    plain_report(summary)
    _ = summary["games_sha256"], summary["numbers"]
    seats = [seat["beginner_wins"] for seat in summary["seats"]]
    for value in (*seats, *(summary[f"{who}_wins"] for who in ("first", "second", "beginner"))):
        low, high = value["interval"]
        if not low <= value["percent"] <= high:
            raise ValueError("a share is not within its interval")
    return summary


def _wins(outcomes: NDArray[Any]) -> tuple[int, int]:
    """How many games the agent won that began, and how many the other one."""
    return int(np.count_nonzero(outcomes == 1)), int(np.count_nonzero(outcomes == 2))


def _joined(seats: Iterable[Mapping[str, NDArray[Any]]], name: str) -> NDArray[Any]:
    return np.concatenate([seat[name] for seat in seats])


def _digest(seats: Iterable[Mapping[str, NDArray[Any]]]) -> str:
    digest = hashlib.sha256()
    for seat in seats:
        for name, values in seat.items():
            digest.update(values.astype(_type_of(name)).tobytes())
    return digest.hexdigest()


def plain_report(summary: Mapping[str, Any]) -> str:
    """A summary for people."""
    return "\n".join(_report_lines(summary))


def _report_lines(summary: Mapping[str, Any]) -> Iterator[str]:
    chairs = ", each deal from both chairs" if summary["swap"] else f", {summary['first']} begins"
    yield f"{summary['game']}, rules {summary['rules']}, numbering {summary['numbering']}"
    yield f"  {summary['first']} against {summary['second']}{chairs}"
    if summary["players_see"] != OWN:
        yield "  the agents see every card"
    yield f"  numbers        {', '.join(f'{first}:{last}' for first, last in summary['numbers'])}"
    yield f"  games          {summary['games']:,}"
    yield f"  first wins     {_shown(summary['first_wins'])}   {summary['first']}"
    yield f"  second wins    {_shown(summary['second_wins'])}   {summary['second']}"
    if summary["swap"]:
        yield f"  beginner wins  {_shown(summary['beginner_wins'])}"
        for seat in summary["seats"]:
            yield f"    when {seat['begins']} begins: {_shown(seat['beginner_wins'])}"
    reasons = [
        f"{words} {count:,}" for words, count in summary["draws"].items() if words != "count"
    ]
    points = summary["beginner_leads"]
    low, high = points["interval"]
    yield f"  who begins     leads by {points['points']:.2f} points  [{low:.2f}, {high:.2f}]"
    yield f"  draws          {_shown(summary['drawn'])}   ({', '.join(reasons)})"
    for name in ("turns", "moves"):
        values = summary[name]
        yield (
            f"  {name:14} mean {values['mean']:.1f}, median {values['median']:.0f}, "
            f"95 % up to {values['p95']:.0f}, most {values['most']:,}"
        )


def _shown(value: Mapping[str, Any]) -> str:
    low, high = value["interval"]
    return f"{value['count']:,}  {value['percent']:.2f} %  [{low:.2f}, {high:.2f}]"
