"""Golden deals: for each rule set of each game, deals with their verdict and a winning line.

``python tests/games/golden.py --write`` adds to tests/data/golden/<game>.json what is missing:
the first winnable and the first unwinnable number of each rule set. Entries that are there stay
as they are, so that a line found by an old solver keeps being replayed.
"""

import json
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "data" / "golden"
NUMBERING = "winnable"


def golden_file(game):
    return FOLDER / f"{game}.json"


def load(game):
    """Rule set -> [{"number", "deal", "verdict", "moves"}]."""
    file = golden_file(game)
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def find(game, name, tries=300):
    """The first winnable and the first unwinnable deal of a rule set, as far as there are any."""
    from winnable.deals import get_numbering
    from winnable.games import get_game
    from winnable.games.base import Limits, Verdict

    played = get_game(game)
    rules = played.rules.resolve(name)
    found = {}
    for number in range(1, tries):
        deal = played.deal(get_numbering(NUMBERING), number, rules)
        solution = played.solve(deal, rules, Limits(max_seconds=10))
        if solution.verdict is not Verdict.UNKNOWN:
            found.setdefault(
                solution.verdict.value,
                {
                    "number": number,
                    "verdict": solution.verdict.value,
                    "deal": played.format_deal(deal),
                    "moves": solution.moves,
                },
            )
        if len(found) == 2:
            break
    return list(found.values())


def write():
    from winnable.games import REGISTRY, get_game

    for game in REGISTRY:
        kept = load(game)
        for name in get_game(game).rules.names:
            if name not in kept:
                kept[name] = find(game, name)
        text = json.dumps(kept, indent=1, ensure_ascii=False)
        golden_file(game).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    write()
