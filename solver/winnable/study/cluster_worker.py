"""What a worker of a cluster does for a study, and what is sent to it and comes back.

The scheduler takes apart what it passes on. So that it needs no winnable, a call travels as bytes,
and to unpickle them is to make the call: all that the scheduler sees is `pickle.loads`.
"""

from __future__ import annotations

import pickle
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from winnable.deals import get_numbering
from winnable.games import get_game
from winnable.games.base import Limits
from winnable.games.ruleset import Rules
from winnable.study.plan import Study
from winnable.study.run import Action, Batches, Task, machine_name
from winnable.version import __version__, kernels_digest

# How many sessions' solvers a worker keeps: those of clients that were killed are never closed.
DESKS_KEPT = 4


@dataclass(frozen=True)
class Stamp:
    """What has to be the same here and there for answers to be the same."""

    version: str
    kernels: str

    def __str__(self) -> str:
        return f"winnable {self.version} (kernels {self.kernels})"


@dataclass(frozen=True)
class Introduction:
    """What a worker says of itself."""

    stamp: Stamp
    machine: str


@dataclass(frozen=True)
class Order:
    """A study by its names, for a worker to make its own of; `session` tells clients apart."""

    session: str
    stamp: Stamp
    game: str
    rules: Rules
    numbering: str
    limits: Limits
    best: bool
    difficulty: bool

    @classmethod
    def of(cls, session: str, study: Study) -> Order:
        """The order to do what a study of this process asks for."""
        return cls(
            session=session,
            stamp=own_stamp(),
            game=study.game.name,
            rules=study.rules,
            numbering=study.numbering.name,
            limits=study.limits,
            best=study.best,
            difficulty=study.difficulty,
        )

    def study(self) -> Study:
        """The study, of the games and numberings of this process."""
        game, numbering = get_game(self.game), get_numbering(self.numbering)
        return Study(game, self.rules, numbering, self.limits, self.best, self.difficulty)


@dataclass(frozen=True)
class Delivery:
    """A task's result under the stamp of who found it; None where the order has another stamp."""

    stamp: Stamp
    result: Any = None


class _Call:
    """A call, made where it is unpickled."""

    def __init__(self, function: Callable[..., Any], *args: Any) -> None:
        self._function, self._args = function, args

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self._function, self._args


def packed_call(function: Callable[..., Any], *args: Any) -> bytes:
    """A call of a module's function as bytes: `pickle.loads` makes it, and gives its result."""
    return pickle.dumps(_Call(function, *args))


def own_stamp() -> Stamp:
    """The stamp of this process."""
    return Stamp(__version__, kernels_digest())


class _Desk:
    """What a worker keeps for one session: solvers with their tables."""

    def __init__(self, order: Order) -> None:
        self.batches, self.stop = Batches(order.study()), threading.Event()

    def close(self) -> None:
        """Have what is in work given up; nothing is begun any more."""
        self.stop.set()
        self.batches.cancel()


_desks: OrderedDict[str, _Desk] = OrderedDict()
_desks_lock = threading.Lock()


def introduce() -> Introduction:
    """Say who this worker is."""
    return Introduction(own_stamp(), machine_name())


def deliver(order: Order, action: Action[Task, Any], task: Task) -> bytes:
    """Do one task, unless the order is another version's; a pickled `Delivery`.

    Pickled here, so that no error on the way back is taken for one of the cluster.
    """
    stamp = own_stamp()
    if stamp != order.stamp:
        return pickle.dumps(Delivery(stamp))
    desk = _desk(order)
    return pickle.dumps(Delivery(stamp, action(desk.batches, desk.stop, task)))


def _desk(order: Order) -> _Desk:
    with _desks_lock:
        desk = _desks.get(order.session) or _Desk(order)
        _desks[order.session] = desk
        _desks.move_to_end(order.session)
        while len(_desks) > DESKS_KEPT:
            _desks.popitem(last=False)[1].close()
    return desk


def give_up(session: str) -> None:
    """End what is in work for a session: what was decided is delivered."""
    with _desks_lock:
        desk = _desks.get(session)
    if desk is not None:
        desk.close()


def forget(session: str) -> None:
    """The session is over: end what is in work, and free its solvers."""
    give_up(session)
    with _desks_lock:
        _desks.pop(session, None)
