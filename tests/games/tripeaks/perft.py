"""Counts of Tri-Peaks positions from the plain rules and the plain search, kept as data.

``python tests/games/tripeaks/perft.py --write`` writes tests/data/tripeaks_perft.json anew: about
10 seconds. The file depends on the rules and the numbering `winnable` only, so that it should
never change.
"""

import json
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2]
DATA = TESTS / "data" / "tripeaks_perft.json"
NUMBERS = (2, 68, 489)
DEPTH = 8


def measure(name, number):
    """The counts of one deal, by plain Python alone.

    positions: different positions after 1, 2, ... moves, turns counted.
    plays: for 28, 27, ... cards on the tableau, how many (mask, place) can be played some time.
    fewest_turned: stock cards turned in the shortest win, null when lost.
    """
    from plain_search import fewest_turned, playable, positions_after

    from winnable.deals import get_numbering, shuffled_pack
    from winnable.games.tripeaks.rules import RULES, TABLEAU_SIZE, dealt

    rules = RULES.resolve(name)
    deal = dealt(shuffled_pack(get_numbering("winnable"), number, "tripeaks"))
    sizes = [mask.bit_count() for mask, _ in playable(deal, rules)]
    return {
        "rules": name,
        "number": number,
        "positions": positions_after(deal, rules, DEPTH),
        "plays": [sizes.count(size) for size in range(TABLEAU_SIZE, 0, -1)],
        "fewest_turned": fewest_turned(deal, rules),
    }


def write():
    from winnable.games.tripeaks.rules import RULES

    rows = [measure(name, number) for name in RULES.names for number in NUMBERS]
    lines = ",\n".join(json.dumps(row) for row in rows)
    DATA.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    sys.path.insert(0, str(TESTS))
    write()
