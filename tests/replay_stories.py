"""Stories for pages: solutions of golden deals, and two-player games played at random."""

import json
import random
import re
from functools import cache
from pathlib import Path

from winnable.deals import get_numbering
from winnable.duel.game import numbered_deal
from winnable.duel.rules import apply, legal_moves
from winnable.duel.tables import variant_of
from winnable.games import get_game
from winnable.games.base import Solution, Verdict
from winnable.pages.stories import duel_story, solution_story

GOLDEN = Path(__file__).parent / "data" / "golden"
ONE_PLAYER = ("tripeaks", "canfield", "spider")
TWO_PLAYERS = ("russian-bank", "zank")
GAMES = (*ONE_PLAYER, *TWO_PLAYERS)


@cache
def golden_deals(game):
    """For each rule set its golden deals."""
    return json.loads((GOLDEN / f"{game}.json").read_text(encoding="utf-8"))


def golden_story(game, rules, verdict="winnable"):
    """The story of a golden deal that is winnable, or not."""
    played = get_game(game)
    golden = next(each for each in golden_deals(game)[rules] if each["verdict"] == verdict)
    (deal,) = played.parse_deals(golden["deal"])
    moves = tuple(golden["moves"]) if golden["moves"] else None
    solution = Solution(Verdict(verdict), moves, 7, 0.0)
    title = f"{played.title} {golden['number']}, rules {rules}"
    return solution_story(played, played.rules.resolve(rules), deal, title, solution)


@cache
def random_game(game, number, *changes):
    """A deal of two players, its rules, and random moves to the end of the game."""
    variant = variant_of(game, changes=changes)
    start = state = numbered_deal(get_numbering("winnable"), number, variant)
    chooser = random.Random(number)
    moves = []
    while state.outcome is None:
        moves.append(chooser.choice(legal_moves(state, variant)))
        state = apply(state, moves[-1], variant)
    return start, variant, moves, state


def random_story(game, number, *changes):
    """The story of a random game."""
    start, variant, moves, _ = random_game(game, number, *changes)
    return duel_story(start, variant, f"{game} {number}", ["a random game"], moves)


def story_of(game):
    """A story of the game that ends with a win."""
    if game in ONE_PLAYER:
        return golden_story(game, next(iter(golden_deals(game))))
    assert random_game(game, 1)[3].outcome.winner is not None
    return random_story(game, 1)


def data_of(page):
    """What a page hands to its script."""
    return json.loads(re.search(r"const REPLAY = (.*);\n", page)[1])
