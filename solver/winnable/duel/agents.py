"""The agents that play the two-player games, one row each.

What an agent does is compiled: see `policy`, `planner`, `montecarlo` and `match`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from winnable.errors import InputError, unknown_name

RANDOM, GREEDY, PLANNER, MONTECARLO = "random", "greedy", "planner", "montecarlo"
# What players see: what a person in their chair does, or every card that lies on the table.
OWN, ALL = "own", "all"
SIGHTS = (OWN, ALL)
# Raised when an agent decides otherwise than before, so that no store mixes two of them.
AGENTS_VERSION = 1


@dataclass(frozen=True)
class Agent:
    """An agent and its parameters; one that it has no use for is 0.

    name: as typed on the command line.
    summary: one line.
    nodes: positions that the search of a turn looks at, at most.
    patience: the search ends when that many of them have brought nothing better.
    candidates: ends of its turn that are tried by playouts.
    playouts: games that are played on from each of them, greedily.
    turns: the length of such a game; what it comes to is the value of its last position.
    trust: how much the planner's value counts beside these, in per cent.
    """

    name: str
    summary: str
    nodes: int = 0
    patience: int = 0
    candidates: int = 0
    playouts: int = 0
    turns: int = 0
    trust: int = 0

    @property
    def settings(self) -> dict[str, int]:
        """The parameters that the agent uses."""
        values = {
            "nodes": self.nodes,
            "patience": self.patience,
            "candidates": self.candidates,
            "playouts": self.playouts,
            "turns": self.turns,
            "trust": self.trust,
        }
        return {key: value for key, value in values.items() if value}

    def varies(self, sight: str) -> bool:
        """Whether it may decide otherwise when it meets the same position again.

        Monte Carlo draws where unknown cards might lie; one that sees them all draws nothing, but
        for the wastes to be shuffled.
        """
        return self.name == RANDOM or (self.name == MONTECARLO and sight == OWN)

    def __str__(self) -> str:
        return " ".join([self.name, *(f"{key}={value}" for key, value in self.settings.items())])


_ROWS = (
    Agent(RANDOM, "any legal move"),
    Agent(GREEDY, "foundations first, then loads, then reserve and stock on houses"),
    Agent(PLANNER, "searches its turn up to the next unknown card, best positions first", 600, 100),
    Agent(
        MONTECARLO,
        "tries the planner's best turns in games with the unknown cards shuffled",
        600,
        100,
        6,
        10,
        3,
        50,
    ),
)
AGENTS = {row.name: row for row in _ROWS}

# The bounds of parameters: beyond them a decision takes minutes.
_MOST = {
    "nodes": 100_000,
    "patience": 100_000,
    "candidates": 100,
    "playouts": 100_000,
    "turns": 1000,
    "trust": 10_000,
}


def get_agent(text: str) -> Agent:
    """The agent of a name, or with parameters of one's own: ``montecarlo:playouts=40,nodes=500``.

    Raises
    ------
    InputError
        For an agent or parameter that does not exist, and for a value out of bounds.
    """
    name, _, changes = text.partition(":")
    if name not in AGENTS:
        raise unknown_name("agent", name, AGENTS)
    agent = AGENTS[name]
    chosen: dict[str, Any] = {}
    for change in filter(None, changes.split(",")):
        key, _, value = (part.strip() for part in change.partition("="))
        if key not in agent.settings:
            if not agent.settings:
                raise InputError(f"The agent '{name}' has no parameters: '{change}' can't be set.")
            raise unknown_name(f"parameter of {name}", key, agent.settings)
        if not (value.isascii() and value.isdigit() and 1 <= len(value) <= 9):
            raise InputError(f"'{change}' is no whole number: write for example {key}=10.")
        if not 1 <= int(value) <= _MOST[key]:
            raise InputError(f"{change} can't be set: {key} goes from 1 to {_MOST[key]}.")
        chosen[key] = int(value)
    return replace(agent, **chosen)


def get_sight(name: str) -> str:
    """`OWN` or `ALL`; raises InputError for anything else."""
    if name not in SIGHTS:
        raise unknown_name("kind of sight", name, SIGHTS)
    return name
