"""Games of players who see what a person sees, over a range of deals: what is kept and counted."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from winnable.deals import Numbering
from winnable.errors import StoreError
from winnable.games import get_game
from winnable.games.base import LENGTH, Batch, Game
from winnable.games.canfield.game import PAID_A_CARD, STAKE
from winnable.games.ruleset import Rules
from winnable.players.kinds import LOOK_AHEAD, PLAYERS_VERSION, SCORES, Player
from winnable.study.statistics import Interval, win_rate
from winnable.study.store import Store
from winnable.study.store_file import PLAY_APPLICATION_ID

# Deals of a chunk, which is committed at once.
_CHUNK, _SLOW_CHUNK = 4096, 4


@dataclass(frozen=True)
class Plays:
    """Everything that the game of a number depends on; the range is not part of it."""

    game: Game[Any]
    rules: Rules
    numbering: Numbering
    player: Player

    def identity(self) -> dict[str, Any]:
        """The plays as plain values: what a store keeps, and what two are compared by."""
        return {
            "game": self.game.name,
            "rules": self.rules.name,
            "settings": dict(self.rules.settings),
            "numbering": self.numbering.name,
            "player": str(self.player),
            "players": PLAYERS_VERSION,
        }

    def digest(self) -> str:
        """A key of the identity: equal plays, and only these, have equal keys."""
        text = json.dumps(self.identity(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def chunk_size(self) -> int:
        """Deals that are played and committed together."""
        return _SLOW_CHUNK if self.player.name == LOOK_AHEAD else _CHUNK

    def batch(self) -> Batch:
        """A player at the table, one for each thread."""
        from winnable.players.seats import PlayBatch

        return PlayBatch(self.game.name, self.rules, self.numbering, self.player)


class PlayStore(Store):
    """The store of plays: see `Store`; a game that was won has the verdict winnable there."""

    application_id: ClassVar[int] = PLAY_APPLICATION_ID
    identity_keys: ClassVar[frozenset[str]] = frozenset(
        ["game", "rules", "settings", "numbering", "player", "players"]
    )


def summarize(store: PlayStore) -> dict[str, Any]:
    """What a store holds, as plain values; what differs from run to run is under `machine`."""
    with store.one_moment():
        totals, covered = store.totals(), store.covered()
        identity, sessions = store.identity(), store.sessions()
        name = SCORES[identity["game"]][0]
        scores = _joined(store, name)
        moves = _joined(store, LENGTH)
    deals = totals.winnable + totals.unwinnable
    if deals == 0:
        raise StoreError(f"{store.path} holds no games yet.")
    return {
        **identity,
        "numbers": [[span.first, span.last] for span in covered],
        "deals": deals,
        "won": totals.winnable,
        "win_rate_percent": asdict(win_rate(totals.winnable, totals.unwinnable, 0)),
        "score": {"name": name, **_mean(scores), "most": int(scores.max())},
        "moves": _mean(moves),
        **_money(identity, scores),
        "version": sessions[-1]["version"],
        "machine": {
            "name": sessions[-1]["machine"],
            "cpu_seconds": round(totals.cpu_seconds, 3),
            "games_per_cpu_second": round(deals / max(totals.cpu_seconds, 1e-9)),
        },
    }


def _joined(store: PlayStore, name: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.concatenate([values for _, values in store.column(name)] or [np.zeros(0)]).astype(
        np.float64
    )


def _mean(values: np.ndarray[Any, np.dtype[np.float64]]) -> dict[str, float]:
    """The mean and the half range of its 95 % interval."""
    half = 1.96 * float(values.std()) / float(np.sqrt(len(values)))
    return {"mean": round(float(values.mean()), 4), "half": round(half, 4)}


def _money(
    identity: Mapping[str, Any], scores: np.ndarray[Any, np.dtype[np.float64]]
) -> dict[str, Any]:
    """In casino play: what a game pays, less the stake, and how many games pay more than that."""
    if identity["game"] != "canfield" or identity["settings"]["redeals"] != "0":
        return {}
    paid = PAID_A_CARD * scores - STAKE
    ahead = float(np.mean(paid > 0))
    return {"money": {"stake": STAKE, **_mean(paid), "games_ahead_percent": round(100 * ahead, 3)}}


def rate_of(summary: Mapping[str, Any]) -> Interval:
    """The share of games won, in per cent."""
    return Interval(**summary["win_rate_percent"])


def plain_report(summary: Mapping[str, Any]) -> str:
    """A summary for people."""
    return "\n".join(_report_lines(summary))


def _report_lines(summary: Mapping[str, Any]) -> Iterator[str]:
    score, moves, machine = summary["score"], summary["moves"], summary["machine"]
    numbers = ", ".join(f"{first:,} to {last:,}" for first, last in summary["numbers"])
    words = SCORES[summary["game"]][1]
    yield get_game(summary["game"]).title
    yield f"  player      {summary['player']}, who sees what a person sees"
    yield f"  rules       {summary['rules']}"
    yield f"  numbers     {numbers} of numbering {summary['numbering']}"
    yield f"  deals       {summary['deals']:,}"
    yield f"  won         {summary['won']:,}"
    yield f"  win rate    {rate_of(summary)} %   (95 %, Wilson)"
    spread = f"{score['mean']:.2f} ± {score['half']:.2f}, most {score['most']}"
    yield f"  mean score  {spread}   ({words})"
    if "money" in summary:
        money = summary["money"]
        yield (
            f"  money       {money['mean']:+.2f} ± {money['half']:.2f} a game of stake "
            f"{money['stake']}; ahead in {money['games_ahead_percent']:.2f} % of games"
        )
    yield f"  mean moves  {moves['mean']:.1f}"
    rate = f"{machine['games_per_cpu_second']:,} games/s"
    yield f"  CPU time    {machine['cpu_seconds']:.1f} s, {rate}"
