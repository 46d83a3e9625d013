"""``winnable verify``."""

from __future__ import annotations

import json

import click

from winnable.errors import InputError
from winnable_cli import completing, exit_codes
from winnable_cli.asked import game_and_rules, read_text, sources
from winnable_cli.options import (
    deal_option,
    game_argument,
    json_option,
    numbering_option,
    rules_options,
)
from winnable_cli.output import note, say, say_json
from winnable_cli.rows import rules_as_json


@click.command()
@game_argument
@click.argument(
    "words",
    metavar="[NUMBER] SOLUTION",
    nargs=-1,
    required=True,
    shell_complete=completing.files,
)
@deal_option
@numbering_option
@rules_options
@json_option
def verify(
    game: str,
    words: tuple[str, ...],
    deal_file: str | None,
    numbering: str,
    rules: str | None,
    changes: tuple[str, ...],
    as_json: bool,
) -> int:
    """Replay the moves in the file SOLUTION by the plain rules: are they legal, do they win?

    SOLUTION holds one move a line, or what 'winnable solve --json' printed; - is standard input.
    Exit status: 0 legal and won, 1 not, 2 bad input.
    """
    played, chosen = game_and_rules(game, rules, changes)
    if deal_file == "-" and words[-1] == "-":
        raise InputError("The deal and the solution can't both come from standard input.")
    if len(words) != (1 if deal_file is not None else 2):
        raise InputError("Give a deal number (or --deal FILE) and then the file of the solution.")
    found = list(sources(played, chosen, words[:-1], numbering, deal_file))
    if len(found) != 1:
        raise InputError(f"There are {len(found)} deals; a solution belongs to one.")
    source = found[0]
    moves = parse_solution(read_text(words[-1]))
    replay = played.replay(source.deal, chosen, moves)
    legal = len(replay.steps)
    if as_json:
        row = rules_as_json(played, chosen) | source.as_json()
        row |= {"legal": replay.problem is None, "won": replay.won, "legal_moves": legal}
        say_json(row | {"problem": replay.problem})
    elif replay.problem is None:
        count = "1 legal move" if legal == 1 else f"{legal} legal moves"
        say(f"{played.title} {source}: {count}, {'won' if replay.won else 'not won'}")
    if replay.problem is not None:
        note(f"winnable: Move {legal + 1} ({moves[legal]}) is illegal: {replay.problem}")
    return exit_codes.OK if replay.problem is None and replay.won else exit_codes.NO


def parse_solution(text: str) -> list[str]:
    """The moves of a solution file, or of the JSON object that `solve` prints."""
    if text.lstrip().startswith("{"):
        try:
            moves = json.loads(text)["moves"]
        except (ValueError, KeyError, RecursionError):
            moves = None
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            raise InputError("The solution is JSON, but not one object with a list of 'moves'.")
        return moves
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [line for line in lines if line]
