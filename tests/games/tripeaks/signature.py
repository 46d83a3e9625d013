"""The signature of the Tri-Peaks solver: what it says about 2,000 deals, and in how many nodes.

A change that alters a number here alters the behaviour of the solver: the verdicts may never
change; the nodes may, together with `solver_version`, and then
``python tests/games/tripeaks/signature.py --write`` writes them anew.
"""

import json
import sys
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "data" / "tripeaks_signature.json"
FIRST, COUNT = 0, 2000


def measure(name):
    """Verdict counts and nodes of one rule set, by the batch solver without best lines."""
    from winnable.deals import get_numbering
    from winnable.games.base import UNWINNABLE_CODE, WINNABLE_CODE, Limits
    from winnable.games.tripeaks import GAME

    rules = GAME.rules.resolve(name)
    batch = GAME.batch(rules, get_numbering("winnable"), Limits(), best=False)
    answers = batch.solve(FIRST, COUNT)
    verdicts = answers.columns["verdict"].tolist()
    return {
        "winnable": verdicts.count(WINNABLE_CODE),
        "unwinnable": verdicts.count(UNWINNABLE_CODE),
        "nodes": int(answers.nodes),
    }


def measure_all():
    from winnable.games.tripeaks import GAME

    return {
        "numbers": f"{FIRST}:{FIRST + COUNT - 1}",
        "solver_version": GAME.solver_version,
        "rule_sets": {name: measure(name) for name in GAME.rules.names},
    }


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    DATA.write_text(json.dumps(measure_all(), indent=2) + "\n", encoding="utf-8")
