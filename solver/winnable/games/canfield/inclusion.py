"""Decides Canfield deals whose rules differ from those of a search in classes by moves alone.

What rules with more moves lose is lost by rules with fewer; what rules with fewer win is won by
rules with more. A search in classes is much the faster one, but needs any run to move to any
column, and no returns from the foundations. So where rules forbid some of these moves, it is asked
whether the deal is lost even with them; where they allow returns, whether it is won without.
"""

from __future__ import annotations

import threading
import time
from dataclasses import replace

from winnable.games.base import NO_LIMIT, Limits, Solution, Verdict
from winnable.games.canfield import rules as plain
from winnable.games.canfield import solver, state
from winnable.games.canfield.classes import NEEDED_RULES, ClassSolver
from winnable.games.ruleset import Rules

# By trial on deals of the numbering `winnable`. Nodes of the search by the rules themselves before
# easier ones are asked; it decides most deals before that. Nodes of the search by easier rules, and
# of the one without returns.
ALONE_NODES = 30_000
EASIER_NODES = 1_500_000
WITHOUT_RETURNS_NODES = 300_000

# The class solver of each thread, kept from deal to deal.
_KEPT = threading.local()


class _Budget:
    """What several searches for one deal share."""

    def __init__(self, rules: Rules, limits: Limits) -> None:
        self._before = time.perf_counter()
        self._limits = limits
        self._left = limits.nodes_or(solver.default_nodes(rules))
        self._nodes = 0

    def part(self, nodes: int) -> Limits:
        """What is left, at most so many nodes of it."""
        seconds = self._limits.max_seconds
        if seconds is not None:
            # A search that may take no time at all says itself that its seconds are over.
            seconds = max(seconds - (time.perf_counter() - self._before), 1e-9)
        most: int | None = min(nodes, self._left)
        if nodes == NO_LIMIT and self._limits.max_nodes is None and seconds is not None:
            # Nodes are not limited, which is not the same as asking for many: these get memory.
            most = None
        return Limits(most, seconds, stop=self._limits.stop)

    def allows_more_than(self, found: Solution) -> bool:
        """Count a search's nodes; whether it was broken off only for others to be made."""
        self._nodes += found.nodes
        self._left -= found.nodes
        return self._left > 0 and found.limit not in ("seconds", "stopped")

    def whole(self, found: Solution) -> Solution:
        """An answer with the nodes and seconds of all searches."""
        return replace(found, nodes=self._nodes, seconds=time.perf_counter() - self._before)


def solve_by_inclusion(deal: plain.State, rules: Rules, limits: Limits) -> Solution:
    """Decide a deal or a position, with the answer of `solver.solve`; searches share the limits."""
    at = plain.start(deal, rules)
    budget = _Budget(rules, limits)
    if rules.settings["return"] == "no":
        return _solve_stricter(at, rules, budget)
    if all(rules.settings[name] == NEEDED_RULES[name] for name in ("moves", "fill")):
        return _solve_with_returns(at, rules, budget)
    return solver.solve(at, rules, limits)


def _solve_in_classes(at: plain.State, rules: Rules, limits: Limits) -> Solution:
    """The answer by the rules with any run moved to any column, and without returns."""
    if not hasattr(_KEPT, "solver"):
        _KEPT.solver = ClassSolver()
    classes: ClassSolver = _KEPT.solver
    return classes.solve(at, Rules("in classes", {**rules.settings, **NEEDED_RULES}), limits)


def _solve_alone(
    at: plain.State, rules: Rules, budget: _Budget, reductions: int = state.ALL_REDUCTIONS
) -> Solution:
    """The answer of the search by the rules themselves, with all that is left of the limits."""
    # The class solver's tables have grown by now, and this search's will: not both at a time.
    _KEPT.__dict__.pop("solver", None)
    return solver.solve(at, rules, budget.part(NO_LIMIT), reductions)


def _solve_stricter(at: plain.State, rules: Rules, budget: _Budget) -> Solution:
    """Fewer moves than in classes: what is lost there is lost here."""
    found = solver.solve(at, rules, budget.part(ALONE_NODES))
    if not budget.allows_more_than(found) or found.verdict is not Verdict.UNKNOWN:
        return budget.whole(found)
    easier = _solve_in_classes(at, rules, budget.part(EASIER_NODES))
    goes_on = budget.allows_more_than(easier)
    if easier.verdict is Verdict.UNWINNABLE:
        return budget.whole(replace(easier, score=found.score))
    if not goes_on:
        limit = "nodes" if easier.limit is None else easier.limit
        return budget.whole(replace(found, limit=limit))
    found = _solve_alone(at, rules, budget)
    budget.allows_more_than(found)
    return budget.whole(found)


def _solve_with_returns(at: plain.State, rules: Rules, budget: _Budget) -> Solution:
    """More moves than in classes: what is won there is won here, by the same line."""
    without = _solve_in_classes(at, rules, budget.part(WITHOUT_RETURNS_NODES))
    goes_on = budget.allows_more_than(without)
    if without.verdict is Verdict.WINNABLE:
        return budget.whole(without)
    if not goes_on:
        score = {"foundation_found": plain.cards_up(at)}
        limit = "nodes" if without.limit is None else without.limit
        return budget.whole(replace(without, verdict=Verdict.UNKNOWN, limit=limit, score=score))
    reductions = state.ALL_REDUCTIONS & ~state.NO_RETURNS_FIRST
    found = _solve_alone(at, rules, budget, reductions)
    budget.allows_more_than(found)
    return budget.whole(found)
