"""Games between agents, deal after deal, and decisions in single positions.

Importing this module imports numba.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from winnable.arrays import ByteArray
from winnable.cards import PACK_SIZE
from winnable.deals import Numbering, fill_packs
from winnable.duel import match, montecarlo, planner
from winnable.duel import moves as coded
from winnable.duel import state as cells
from winnable.duel.agents import AGENTS, ALL, OWN, Agent
from winnable.duel.convert import codes_of, empty_table, move_of, table_of
from winnable.duel.deal import shuffle_name
from winnable.duel.match import Chooser, Room
from winnable.duel.montecarlo import Trial
from winnable.duel.moves import Table
from winnable.duel.planner import WEIGHTS, Space
from winnable.duel.position import Ending, Move, State
from winnable.duel.state import Codes
from winnable.duel.tables import Variant

_KINDS = list(AGENTS)


def chooser_of(agent: Agent, sight: str = OWN) -> Chooser:
    """An agent as kernels read it, with `OWN` or `ALL` cards to see."""
    return Chooser(
        _KINDS.index(agent.name),
        agent.nodes,
        agent.patience,
        agent.candidates,
        agent.playouts,
        agent.turns,
        agent.trust,
        int(sight == ALL),
    )


def room_for(agents: Sequence[Agent], seed: int = 0) -> Room:
    """Arrays in which these agents decide; the generator begins with `seed`."""
    nodes = max(2, *(agent.nodes for agent in agents))
    candidates = max(1, *(agent.candidates for agent in agents))
    slots = 1 << (4 * nodes - 1).bit_length()
    space = Space(
        np.zeros((nodes, cells.CELL_COUNT), np.uint8),
        np.zeros((nodes, cells.WORD_COUNT), np.uint64),
        np.zeros(nodes, np.int64),
        np.zeros(nodes, np.int64),
        np.zeros(nodes, np.int64),
        np.zeros(nodes, np.int64),
        np.zeros(nodes, np.int64),
        np.zeros(nodes, np.int64),
        np.zeros(slots, np.int64),
        np.zeros(1, np.int64),
        np.zeros(coded.MAX_MOVES, np.int64),
        np.array(WEIGHTS, np.int64),
    )
    trial = Trial(
        np.zeros((3, cells.CELL_COUNT), np.uint8),
        np.zeros((2, cells.WORD_COUNT), np.uint64),
        np.zeros(cells.CARD_COUNT, np.int64),
        np.zeros((candidates, nodes), np.int64),
        np.zeros(candidates, np.int64),
        np.zeros(candidates, np.int64),
        np.zeros(candidates, np.int64),
        np.zeros(1, np.uint8),
    )
    return Room(space, trial, np.zeros(nodes, np.int64), np.array([seed], np.uint64))


@dataclass(frozen=True)
class Games:
    """How games ended, arrays of shape (n,).

    outcomes: uint8, see `winnable.duel.state`; `FIRST_WON` says that the agent won that began.
    turns: uint16. moves: uint32.
    """

    outcomes: ByteArray
    turns: NDArray[np.uint16]
    moves: NDArray[np.uint32]


class Simulator:
    """Plays numbered deals; one for each thread.

    variant, numbering: what is dealt and played.
    begins, follows: the agent that has the first turn, and the other one.
    sight: `OWN` or `ALL`.
    """

    def __init__(
        self,
        variant: Variant,
        numbering: Numbering,
        begins: Agent,
        follows: Agent,
        sight: str = OWN,
    ) -> None:
        self._variant = variant
        self._numbering = numbering
        self._choosers = (chooser_of(begins, sight), chooser_of(follows, sight))
        self._rules = codes_of(variant)
        self._table = empty_table()
        self._room = room_for((begins, follows))

    def cancel(self) -> None:
        """Have games that go on given up soon; to be called from another thread."""
        self._room.trial.stop[0] = 1

    def play(self, first: int, count: int) -> Games | None:
        """The games of the numbers from `first` on; None when they were cancelled."""
        packs = np.empty((count, 2, PACK_SIZE), np.uint8)
        pack = np.empty((count, PACK_SIZE), np.uint8)
        for player in range(2):
            fill_packs(self._numbering, first, shuffle_name(self._variant.game, player), pack)
            packs[:, player] = pack
        games = Games(
            np.zeros(count, np.uint8), np.zeros(count, np.uint16), np.zeros(count, np.uint32)
        )
        with np.errstate(over="ignore"):
            match.play_games(
                self._table,
                self._rules,
                obedient(self._rules),
                np.uint64(first),
                packs,
                *self._choosers,
                self._room,
                games.outcomes,
                games.turns,
                games.moves,
            )
        return None if self._room.trial.stop[0] else games


def play_on(
    state: State, variant: Variant, agent: Agent, count: int, sight: str = OWN, first_seed: int = 0
) -> Games:
    """Play a position to the end again and again, an agent in both chairs.

    The cards stay where they are: only the numbers that the agent draws differ from game to game.

    Parameters
    ----------
    state:
        No fault is there to be called on, and the game is not over. What was before it does not
        count for repetition.
    count, first_seed:
        The games, and the seed of the first one's numbers; each has the next seed.

    Returns
    -------
    In `outcomes`, `FIRST_WON` says that the player won who has the first turn of the game; turns
    and moves are those from this position on.
    """
    rules, chooser, room = codes_of(variant), chooser_of(agent, sight), room_for([agent])
    games = Games(np.zeros(count, np.uint8), np.zeros(count, np.uint16), np.zeros(count, np.uint32))
    with np.errstate(over="ignore"):
        for i in range(count):
            table = table_of(state, variant)
            before = int(table.words[cells.TURN_COUNT])
            room.random[0] = first_seed + i
            choosers = (chooser, chooser)
            games.moves[i] = match.play_game(table, rules, obedient(rules), choosers, room)
            games.turns[i] = int(table.words[cells.TURN_COUNT]) - before
            outcome = int(table.cells[cells.OUTCOME])
            if outcome in (cells.FIRST_WON, cells.SECOND_WON) and state.starter == 1:
                outcome = cells.FIRST_WON + cells.SECOND_WON - outcome
            games.outcomes[i] = outcome
    return games


def outcome_words() -> dict[int, str]:
    """What the outcomes that are draws mean, by code."""
    return {
        cells.REPETITION: Ending.REPETITION.value,
        cells.QUIET_DRAW: Ending.QUIET.value,
    }


def obedient(rules: Codes) -> Codes:
    """The rules as agents keep them: nothing compulsory is missed, even where it could be."""
    return rules._replace(called=0)


def table_in_turn(positions: Sequence[State], variant: Variant) -> Table:
    """The last of these positions as arrays; the ones before are those of its turn, in order."""
    table = table_of(positions[-1], variant)
    if table.cells[cells.OUTCOME] != cells.GOING_ON:
        return table
    # Only moves between houses can lead back: see the plain rules.
    piles = (positions[-1].sides, positions[-1].foundations, positions[-1].turned)
    near = [each for each in positions if (each.sides, each.foundations, each.turned) == piles]
    for number, state in enumerate(near[-coded.TURN_ROOM :]):
        words = table_of(state, variant).words
        table.turn_keys[number] = words[[cells.KEY_LOW, cells.KEY_HIGH]]
        table.lengths[coded.TURN_LENGTH] = number + 1
    return table


def choose(
    agent: Agent, positions: Sequence[State], variant: Variant, sight: str = OWN, seed: int = 0
) -> list[Move]:
    """The moves that an agent makes next, up to the end of its turn or an unknown card.

    positions: those of this turn, the present one last; the game is not over, and no fault is there
        to be called on.
    seed: the same one leads to the same decision.
    """
    room = room_for([agent], seed)
    codes = obedient(codes_of(variant))
    with np.errstate(over="ignore"):
        length = match.decide(
            table_in_turn(positions, variant), codes, chooser_of(agent, sight), room
        )
    return [move_of(code) for code in room.path[:length].tolist()]


@dataclass(frozen=True)
class Estimate:
    """An end of a turn, and how playouts from there went.

    moves: what leads there.
    points: `WIN` for each playout that the mover won, `DRAW` for a draw.
    """

    moves: list[Move]
    points: int
    playouts: int


class Estimator:
    """Compares the ends of a turn by playouts, as many as there is time for.

    playouts: how many were played from each so far.

    agent: whose nodes and candidates count; `positions`, `sight`, `seed`: see `choose`.
    """

    def __init__(
        self,
        agent: Agent,
        positions: Sequence[State],
        variant: Variant,
        sight: str = OWN,
        seed: int = 0,
    ) -> None:
        self._codes = obedient(codes_of(variant))
        self._room = room_for([agent], seed)
        self._table = table_in_turn(positions, variant)
        self._sees_all = int(sight == ALL)
        with np.errstate(over="ignore"):
            nodes = planner.plan(
                self._table,
                self._codes,
                agent.nodes,
                agent.patience,
                self._sees_all,
                self._room.space,
            )
        self._count = montecarlo.list_candidates(
            self._room.space, nodes, agent.candidates, self._room.trial
        )
        self._points = np.zeros(self._count, np.int64)
        self.playouts = 0

    @property
    def is_open(self) -> bool:
        """Whether the search of the turn found ends to compare."""
        return self._count > 0

    def add(self, playouts: int) -> None:
        """Play from each candidate once more as often as this."""
        with np.errstate(over="ignore"):
            montecarlo.try_candidates(
                self._table,
                self._codes,
                self._count,
                playouts,
                0,
                self._sees_all,
                self._room.random,
                self._room.space.weights,
                self._room.trial,
            )
        self._points += self._room.trial.scores[: self._count]
        self.playouts += playouts

    def estimates(self) -> list[Estimate]:
        """The candidates, the best one first, of equal ones the planner's."""
        trial = self._room.trial
        found = []
        for i, points in enumerate(self._points.tolist()):
            path = trial.paths[i, : trial.lengths[i]].tolist()
            found.append(Estimate([move_of(code) for code in path], points, self.playouts))
        return sorted(found, key=lambda estimate: -estimate.points)
