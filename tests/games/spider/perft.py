"""Counts of Spider positions from the plain rules, kept as data.

``python tests/games/spider/perft.py --write`` writes tests/data/spider_perft.json anew: about half
a minute. The positions are in the file, so that it changes only with the rules.
"""

import json
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2]
DATA = TESTS / "data" / "spider_perft.json"
# Deals, with their depth; seeds of games in the middle, near the end, and before a run leaves.
NUMBERS, DEAL_DEPTH = (1, 2), 4
MIDDLE, LATE, DEPTH = (5, 8), (7, 29), 3
LEAVING, LEAVING_DEPTH = (21, 43), 2


def load():
    """[{"rules", "position", "lines", "positions"}]; see `counts` for the last two."""
    return json.loads(DATA.read_text(encoding="utf-8"))


def counts(state, rules, depth):
    """How many lines of play, and how many different positions, there are at depths 1, 2, ....

    Lines are counted move by move, a move to each of several empty columns on its own. Positions
    differ in the order of their columns too.
    """
    from collections import Counter

    from winnable.games.spider.rules import apply, legal_moves

    # Position -> by how many lines it is reached.
    layer, lines, positions = Counter([state]), [], []
    for _ in range(depth):
        following = Counter()
        for before, ways in layer.items():
            for move in legal_moves(before, rules):
                following[apply(before, move, rules)] += ways
        layer = following
        lines.append(sum(layer.values()))
        positions.append(len(layer))
    return lines, positions


def starts():
    """(rules, position, depth) of every row."""
    from plain_spider import late_position, random_deal, random_play

    from winnable.deals import get_numbering
    from winnable.games.spider import GAME

    for name in GAME.rules.names:
        rules = GAME.rules.resolve(name)
        suits = rules.settings["suits"]
        for number in NUMBERS:
            yield rules, GAME.deal(get_numbering("winnable"), number, rules), DEAL_DEPTH
        for seed in MIDDLE:
            yield (
                rules,
                random_play(random_deal(seed, suits), rules, seed, longest=30)[-1][0],
                DEPTH,
            )
        for seed in LATE:
            yield rules, late_position(seed, suits), DEPTH
        for seed in LEAVING:
            yield rules, before_a_run_leaves(late_position(seed, suits), rules, seed), LEAVING_DEPTH


def before_a_run_leaves(state, rules, seed):
    """The position two moves before the first run leaves in a random game."""
    from plain_spider import random_play

    history = [position for position, _ in random_play(state, rules, seed, longest=200)]
    gone = [sum(position.finished) for position in history]
    first = next(i for i, count in enumerate(gone) if count > gone[0])
    return history[max(first - 2, 0)]


def write():
    from winnable.games.spider.text import format_deal

    rows = []
    for rules, state, depth in starts():
        lines, positions = counts(state, rules, depth)
        row = {"rules": rules.name, "position": format_deal(state)}
        rows.append(row | {"lines": lines, "positions": positions})
    text = ",\n".join(json.dumps(row) for row in rows)
    DATA.write_text(f"[\n{text}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    sys.path.insert(0, str(TESTS))
    write()
