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
from winnable.duel import match
from winnable.duel import moves as coded
from winnable.duel import state as cells
from winnable.duel.agents import AGENTS, ALL, OWN, Agent
from winnable.duel.convert import codes_of, empty_table, move_of, table_of
from winnable.duel.deal import shuffle_name
from winnable.duel.match import Chooser, Room
from winnable.duel.montecarlo import Trial
from winnable.duel.moves import Table
from winnable.duel.planner import WEIGHTS, Space
from winnable.duel.position import Move, State
from winnable.duel.state import Codes
from winnable.duel.tables import Variant

_KINDS = list(AGENTS)


def chooser_of(agent: Agent, sight: str = OWN) -> Chooser:
    """An agent as kernels read it, with `OWN` or `ALL` cards to see."""
    return Chooser(
        _KINDS.index(agent.name),
        agent.nodes,
        agent.candidates,
        agent.playouts,
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
        np.zeros(slots, np.int64),
        np.zeros(1, np.int64),
        np.zeros(coded.MAX_MOVES, np.int64),
        np.array(WEIGHTS, np.int64),
    )
    trial = Trial(
        np.zeros((2, cells.CELL_COUNT), np.uint8),
        np.zeros((2, cells.WORD_COUNT), np.uint64),
        np.zeros(cells.CARD_COUNT, np.int64),
        np.zeros((candidates, nodes), np.int64),
        np.zeros(candidates, np.int64),
        np.zeros(candidates, np.int64),
        np.zeros(candidates, np.int64),
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

    def play(self, first: int, count: int) -> Games:
        """The games of the numbers from `first` on."""
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
        return games


def obedient(rules: Codes) -> Codes:
    """The rules as agents keep them: nothing compulsory is missed, even where it could be."""
    return rules._replace(called=0)


def table_in_turn(positions: Sequence[State], variant: Variant) -> Table:
    """The last of these positions as arrays; the ones before are those of its turn, in order."""
    table = table_of(positions[-1], variant)
    if table.cells[cells.OUTCOME] != cells.GOING_ON:
        return table
    for earlier in positions[-coded.TURN_ROOM : -1]:
        words = table_of(earlier, variant).words
        table.turn_keys[table.lengths[coded.TURN_LENGTH]] = words[[cells.KEY_LOW, cells.KEY_HIGH]]
        table.lengths[coded.TURN_LENGTH] += 1
    # The present one comes last.
    last = table.lengths[coded.TURN_LENGTH] - 1
    table.turn_keys[last] = table.words[[cells.KEY_LOW, cells.KEY_HIGH]]
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
