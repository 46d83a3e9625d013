"""Games in progress as JSON: a save belongs to the rules that it was made under."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from winnable.duel.position import (
    Move,
    State,
    parse_move,
)
from winnable.duel.rules import (
    apply,
)
from winnable.duel.tables import Variant
from winnable.duel.text import format_position, located, parse_positions
from winnable.errors import InputError


def write_save(start: State, moves: Iterable[Move], variant: Variant) -> str:
    """A game as JSON: the rules, the position in which it begins, and the moves since."""
    return json.dumps(
        {
            "game": variant.game,
            "rules": variant.rules.name,
            "settings": dict(variant.rules.settings),
            "size": asdict(variant.size),
            "position": format_position(start, variant).splitlines(),
            "moves": [str(move) for move in moves],
        },
        indent=1,
    )


def read_save(text: str, variant: Variant) -> tuple[State, list[Move], State]:
    """The position in which a saved game begins, its moves, and the position after them.

    Raises
    ------
    InputError
        When the text is no such save, when it was made by other rules, with the differences
        named, or when a move in it is not legal.
    """
    save = _parse_json(text)
    _check_same_rules(save, variant)
    starts = parse_positions("\n".join(save["position"]), variant)
    if len(starts) != 1:
        raise InputError(f"A save has one position; here are {len(starts)}.")
    moves: list[Move] = []
    state = starts[0]
    for number, written in enumerate(save["moves"], start=1):
        with located(f"Move {number} ({written})"):
            move = parse_move(written)
            state = apply(state, move, variant)
        moves.append(move)
    return starts[0], moves, state


def _parse_json(text: str) -> dict[str, Any]:
    try:
        save = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"This is no saved game: line {error.lineno}: {error.msg}.") from None
    kinds: dict[str, type] = {
        "game": str,
        "settings": dict,
        "size": dict,
        "position": list,
        "moves": list,
    }
    for key, kind in kinds.items():
        if not isinstance(save, dict) or not isinstance(save.get(key), kind):
            raise InputError(f"This is no saved game: '{key}' is missing or of another kind.")
    for key in ("position", "moves"):
        if not all(isinstance(item, str) for item in save[key]):
            raise InputError(f"This is no saved game: '{key}' is not a list of texts.")
    found: dict[str, Any] = save
    return found


def _check_same_rules(save: dict[str, Any], variant: Variant) -> None:
    if save["game"] != variant.game:
        raise InputError(f"This is a saved game of {save['game']}, not of {variant.game}.")
    ours = {**variant.rules.settings, **asdict(variant.size)}
    theirs = {**save["settings"], **save["size"]}
    different = [
        f"{key}={theirs.get(key)} there, {key}={ours.get(key)} here"
        for key in [*ours, *(key for key in theirs if key not in ours)]
        if theirs.get(key) != ours.get(key)
    ]
    if different:
        raise InputError(f"This game was saved under other rules: {'; '.join(different)}.")
