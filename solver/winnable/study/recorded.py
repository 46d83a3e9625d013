"""One game of a match again, move by move.

Importing this module imports numba.
"""

from __future__ import annotations

import numpy as np

from winnable.cards import PACK_SIZE
from winnable.deals import fill_packs
from winnable.deals.kernels.native import mix
from winnable.duel import engine
from winnable.duel import match as kernels
from winnable.duel import state as cells
from winnable.duel.convert import codes_of, empty_table, move_of
from winnable.duel.deal import numbered_deal, shuffle_name
from winnable.duel.position import Move, State
from winnable.duel.simulate import chooser_of, obedient, room_for
from winnable.study.matches import Match


def recorded_game(match: Match, number: int) -> tuple[State, list[Move]]:
    """The deal of a number, and the moves of the game in which the first agent begins.

    It is the game that a simulation of the match counts: the agents draw the same numbers.
    """
    rules = codes_of(match.variant)
    codes = obedient(rules)
    room = room_for((match.first, match.second))
    table = empty_table()
    packs = np.empty((2, PACK_SIZE), np.uint8)
    pack = np.empty((1, PACK_SIZE), np.uint8)
    for player in range(2):
        fill_packs(match.numbering, number, shuffle_name(match.variant.game, player), pack)
        packs[player] = pack
    moves: list[Move] = []
    with np.errstate(over="ignore"):
        engine.lay_out(table, rules, packs, np.uint64(number * rules.shuffles))
        room.random[0] = mix(np.uint64(number))
        starter = int(table.cells[cells.MOVER])
        agents = (match.first, match.second) if starter == 0 else (match.second, match.first)
        choosers = [chooser_of(agent, match.sight) for agent in agents]
        while table.cells[cells.OUTCOME] == cells.GOING_ON:
            chooser = choosers[table.cells[cells.MOVER]]
            length = kernels.decide(table, codes, chooser, room)
            for code in room.path[:length].tolist():
                engine.play(table, rules, code)
                moves.append(move_of(code))
    return numbered_deal(match.numbering, number, match.variant), moves
