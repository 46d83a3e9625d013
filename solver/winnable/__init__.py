"""Decides whether a deal of a patience game can be won, and proves it.

>>> import winnable
>>> winnable.solve("tripeaks", 1).verdict
<Verdict.WINNABLE: 'winnable'>
"""

from __future__ import annotations

import operator
from collections.abc import Iterable

from winnable.deals import check_number
from winnable.errors import InputError, StoreError
from winnable.games import REGISTRY, get_game
from winnable.games.base import Limits, Replay, Solution, Verdict
from winnable.version import __version__

__all__ = [
    "REGISTRY",
    "InputError",
    "Limits",
    "Replay",
    "Solution",
    "StoreError",
    "Verdict",
    "__version__",
    "get_game",
    "solve",
]


def solve(
    game: str,
    deal: int | str,
    *,
    rules: str | None = None,
    changes: Iterable[str] = (),
    numbering: str = "winnable",
    max_nodes: int | None = None,
    max_seconds: float | None = None,
    effort: int | None = None,
    best: bool = False,
    shortest: bool = False,
) -> Solution:
    """Decide one deal.

    Parameters
    ----------
    game:
        The game's name, for example ``"tripeaks"``.
    deal:
        A number of the numbering, or the deal itself as text (see ``winnable games GAME``).
    rules:
        A rule set, the game's default when None.
    changes:
        Single rules as ``key=value``, on top of the rule set.
    numbering:
        How the number is turned into cards.
    max_nodes, max_seconds:
        Where to give up with ``Verdict.UNKNOWN``.
    effort:
        How much is tried, for games with levels of it: see ``Game.efforts``.
    best:
        Of a deal that is not won, also find the best score: ``Solution.best_moves``, ``score``.
    shortest:
        Of a deal that is won, look for the fewest moves: ``Solution.moves_bound``.

    Raises
    ------
    InputError
        When the deal, the rules or a name can't be used; its text says why.
    """
    played = get_game(game)
    chosen = played.rules.resolve(rules, changes)
    limits = played.limits(max_nodes, max_seconds, effort)
    if not isinstance(deal, str):
        source, number = played.numbering(numbering), operator.index(deal)
        check_number(source, number)
        source_deal = played.deal(source, number, chosen)
        return played.answer(source_deal, chosen, limits, best, shortest)
    deals = played.parse_deals(deal)
    if len(deals) != 1:
        raise InputError(f"The text holds {len(deals)} deals; one is wanted.")
    return played.answer(deals[0], chosen, limits, best, shortest)
