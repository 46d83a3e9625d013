"""The commands that repeat what a summary tells of."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from winnable.players.levels import DIFFICULTY
from winnable.study.plan import EFFORT

_LIMITS = ("max_nodes", "max_seconds", EFFORT)


def study_commands(summary: Mapping[str, Any]) -> list[str]:
    """The commands that repeat a study: one for each span of numbers, and its retries."""
    common = ["winnable", "study", summary["game"]]
    rules = rules_options(summary)
    extra = ["--best"] if summary["best"] else []
    extra += ["--difficulty"] if DIFFICULTY in summary else []
    spans = [f"{first}:{last}" for first, last in summary["numbers"]]
    limits = list(_limit_options(summary))
    commands = [shlex.join([*common, span, *rules, *limits, *extra]) for span in spans]
    if summary["retried"] is not None:
        again = ["--retry-unknown", *_limit_options(summary["retried"])]
        commands += [shlex.join([*common, span, *rules, *extra, *again]) for span in spans]
    return commands


def match_commands(summary: Mapping[str, Any]) -> list[str]:
    """The commands that repeat games between two agents, one for each span of numbers."""
    common = ["winnable", "duel", "simulate", summary["game"]]
    agents = ["--first", _typed(summary["first"]), "--second", _typed(summary["second"])]
    swap = ["--swap"] if summary["swap"] else []
    # Of the agents' sight only the usual one needs no word.
    sight = ["--players-see", summary["players_see"]] if summary["players_see"] != "own" else []
    return [
        shlex.join([*common, f"{first}:{last}", *agents, *swap, *sight, *rules_options(summary)])
        for first, last in summary["numbers"]
    ]


def _typed(agent: str) -> str:
    """An agent as it is typed: its parameters are kept after spaces."""
    name, *parameters = agent.split(" ")
    return f"{name}:{','.join(parameters)}" if parameters else name


def rules_options(summary: Mapping[str, Any]) -> list[str]:
    """The options that name a summary's rules and numbering."""
    # Rules that no set has are named after the nearest one and the changes.
    name, *changes = summary["rules"].split(" ")
    sets = [word for change in changes for word in ("--set", change)]
    numbering = summary["numbering"]
    return [
        "--rules",
        name,
        *sets,
        *(["--numbering", numbering] if numbering != "winnable" else []),
    ]


def _limit_options(limits: Mapping[str, Any]) -> Iterator[str]:
    for key in _LIMITS:
        if limits.get(key) is not None:
            yield "--" + key.replace("_", "-")
            yield str(limits[key])
