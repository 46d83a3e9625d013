"""The compiled exact pass against the plain rules and an exhaustive search in plain Python."""

import json
from pathlib import Path

import numpy as np
import pytest
from plain_search import (
    fewest_turned,
    mask_of,
    playable,
    positions_after,
    random_play,
)

from winnable.cards import parse_card, rank_of
from winnable.deals import NUMBERINGS
from winnable.errors import InputError
from winnable.games.base import Limits, Verdict
from winnable.games.tripeaks import GAME, exact
from winnable.games.tripeaks import rules as plain
from winnable.games.tripeaks.graph import tripeaks_graph
from winnable.games.tripeaks.text import format_deal, parse_deals

# A registered game must run these tests for each of its rule sets; tests/games looks here.
RULE_SETS = plain.RULES.names

DATA = Path(__file__).resolve().parents[2] / "data"
NO_LIMITS = Limits()
# Numbers of the numbering `winnable`. Each rule set's lost ones were found by the solver; the
# plain search says below whether that is right.
SAMPLE = {
    "standard": (391, 489, 101, 0, 7, 8, 9),
    "no-wrap": (68, 93, 132, 146, 101, 52, 0, 2, 7, 9),
    "open": (489, 59, 1, 2, 7, 8),
    "open-no-wrap": (58, 139, 69, 10, 11, 12),
}
LOST = {
    "standard": (391, 489, 101),
    "no-wrap": (68, 93, 132, 146, 101, 52),
    "open": (489, 59),
    "open-no-wrap": (58, 139, 69),
}
PERFT = json.loads((DATA / "tripeaks_perft.json").read_text())


def deal(number):
    return GAME.deal(NUMBERINGS["winnable"], number, plain.RULES.resolve())


def solve(state, rules):
    return GAME.solve(state, rules, NO_LIMITS)


def check_line(state, rules, solution):
    """That the moves are legal, end with an empty tableau and cost what the score says."""
    state = plain.start(state, rules)
    moves = solution.moves
    cards_left = sum(card is not None for card in state.tableau)
    assert sum(move.startswith("play ") for move in moves) == cards_left
    end = state
    for written in moves:
        move = plain.parse_move(written, end)
        assert move in plain.legal_moves(end, rules)
        end = plain.apply(end, move, rules)
    assert plain.is_won(end)
    assert solution.score == {"stock_turned": end.stock_turned, "stock_left": len(end.stock)}
    # The last move plays a card: nothing is turned after the win.
    assert not moves or moves[-1].startswith("play ")


def check(state, rules):
    """That the solver says what the plain search says; returns the fewest stock cards."""
    solution, fewest = solve(state, rules), fewest_turned(state, rules)
    assert solution.score["stock_turned"] == fewest, (rules.name, format_deal(state))
    assert solution.limit is None
    if fewest is None:
        assert (solution.verdict, solution.moves) == (Verdict.UNWINNABLE, None)
        assert solution.score["stock_left"] is None
    else:
        assert solution.verdict is Verdict.WINNABLE
        check_line(state, rules, solution)
    return fewest


def test_verdict_and_fewest_stock_cards_of_whole_deals(rules, compiled_or):
    numbers = SAMPLE[rules.name]
    lost = [n for n in numbers[: compiled_or(99, 1)] if check(deal(n), rules) is None]
    assert lost == [*LOST[rules.name]][: compiled_or(99, 1)]


def test_verdict_and_fewest_stock_cards_in_the_middle_of_games(rules, compiled_or):
    found = []
    for number in range(1000, compiled_or(1040, 1003)):
        history = random_play(deal(number), rules, seed=number)
        # From a third of the game on: earlier ones take the plain search as long as a whole deal.
        for i in (len(history) // 3, len(history) // 2, 3 * len(history) // 4):
            found.append(check(history[i][0], rules))
    if len(found) > 100:
        assert 5 < found.count(None) < len(found) - 5
        assert len(set(found)) > 5


def test_positions_with_an_empty_waste(compiled_or):
    """Under `open` the first card is free only while the waste is empty."""
    rules = plain.RULES.resolve("open-no-wrap")
    for number in range(compiled_or(30, 3)):
        state, _ = random_play(deal(number), rules, seed=number)[-1]
        check(plain.State(state.tableau, state.stock), rules)


def test_a_won_position_needs_no_move(rules):
    won = plain.State((None,) * 28, (1, 2, 3), (0,))
    solution = solve(won, rules)
    assert (solution.verdict, solution.moves) == (Verdict.WINNABLE, ())
    assert solution.score == {"stock_turned": 21, "stock_left": 3}


@pytest.mark.parametrize(
    ("top", "standard", "no_wrap"),
    [("6S", 22, 22), ("AS", 22, None), ("JS", 23, None)],
)
def test_endings_checked_by_hand(top, standard, no_wrap):
    # One card that fits at once; or a king and an ace, which are neighbours only with wrap.
    tableau = [None] * 28
    if top == "6S":
        tableau[0] = parse_card("5C")
        stock = ("2H", "3H")
    else:
        tableau[0], tableau[1] = parse_card("KC"), parse_card("AC")
        stock = ("9D", "2D") if top == "AS" else ("QD", "9D")
    state = plain.State(tuple(tableau), tuple(map(parse_card, stock)), (parse_card(top),))
    for name, fewest in (("standard", standard), ("no-wrap", no_wrap)):
        solution = solve(state, plain.RULES.resolve(name))
        assert solution.score["stock_turned"] == fewest


def named_deals():
    text = (DATA / "tripeaks_named_deals.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    for head, cards in zip(lines[::2], lines[1::2], strict=True):
        name, standard, no_wrap, _ = (part.strip() for part in head.split("|"))
        yield pytest.param(cards, standard, no_wrap, id=name)


@pytest.mark.parametrize(("cards", "standard", "no_wrap"), [*named_deals()])
def test_named_deals_of_other_programs(cards, standard, no_wrap):
    [state] = parse_deals(cards)
    for name, verdict in (("standard", standard), ("no-wrap", no_wrap)):
        rules = plain.RULES.resolve(name)
        solution = solve(state, rules)
        assert solution.verdict.value == verdict
        if solution.moves:
            check_line(state, rules, solution)


def test_the_opening_decides_a_named_deal():
    [cards] = [p.values[0] for p in named_deals() if p.id == "opening-decides"]
    [state] = parse_deals(cards)
    assert solve(state, plain.RULES.resolve("standard")).verdict is Verdict.UNWINNABLE
    free = solve(state, plain.RULES.resolve("open"))
    assert free.verdict is Verdict.WINNABLE
    assert free.moves[0].startswith("play ")
    check(state, plain.RULES.resolve("open"))


def kernel_plays(state, rules):
    """Each (mask, place) of finite reach, with the reach, from the kernels alone."""
    graph = tripeaks_graph()
    state = plain.start(state, rules)
    wrap = int(rules.settings["wrap"] == "yes")
    tableau = np.array([0 if card is None else rank_of(card) for card in state.tableau], np.int64)
    stock = np.zeros(24, np.int64)
    stock[state.stock_turned :] = [rank_of(card) for card in state.stock]
    neighbours = np.empty((28, 28), np.uint8)
    exact.fill_neighbours(tableau, wrap, neighbours)
    next_fit = np.full((28, 25), exact.NEVER, np.uint8)
    exact.fill_next_fit(tableau, stock, state.stock_turned, wrap, next_fit)
    reach = np.empty(len(graph.place), np.uint8)
    nodes = exact.fill_reach(
        *(graph, tableau, neighbours, next_fit, graph.masks.tolist().index(mask_of(state))),
        rank_of(state.waste[-1]) if state.waste else exact.ANY_CARD,
        *(state.stock_turned, wrap, len(graph.place), reach),
    )
    edges = np.flatnonzero(reach != exact.NEVER)
    assert len(edges) <= nodes <= len(graph.place)
    masks = graph.masks[graph.source[edges]].tolist()
    plays = zip(masks, graph.place[edges].tolist(), strict=True)
    return dict(zip(plays, reach[edges].tolist(), strict=True))


def test_reach_is_what_forward_enumeration_finds(rules, compiled_or):
    number = SAMPLE[rules.name][0]
    assert kernel_plays(deal(number), rules) == playable(deal(number), rules)
    for seed in range(compiled_or(10, 2)):
        history = random_play(deal(seed), rules, seed)
        state, _ = history[len(history) // 2]
        assert kernel_plays(state, rules) == playable(state, rules)


@pytest.mark.parametrize("row", PERFT, ids=lambda row: f"{row['rules']}-{row['number']}")
def test_plays_at_each_depth_are_those_on_record(row):
    rules = plain.RULES.resolve(row["rules"])
    sizes = [mask.bit_count() for mask, _ in kernel_plays(deal(row["number"]), rules)]
    counts = [sizes.count(size) for size in range(28, 0, -1)]
    assert counts == row["plays"]
    assert solve(deal(row["number"]), rules).score["stock_turned"] == row["fewest_turned"]


@pytest.mark.parametrize("row", PERFT, ids=lambda row: f"{row['rules']}-{row['number']}")
def test_positions_after_each_number_of_moves_are_those_on_record(row):
    rules = plain.RULES.resolve(row["rules"])
    counts = positions_after(deal(row["number"]), rules, 6)
    assert counts == row["positions"][:6]


def test_the_record_covers_every_rule_set_and_both_verdicts():
    assert [*dict.fromkeys(row["rules"] for row in PERFT)] == RULE_SETS
    assert len({row["fewest_turned"] is None for row in PERFT}) == 2


def test_a_winning_line_stays_winnable_at_every_step(rules, compiled_or):
    won = [n for n in SAMPLE[rules.name] if n not in LOST[rules.name]][: compiled_or(3, 0)]
    for number in won:
        solution = solve(deal(number), rules)
        state = plain.start(deal(number), rules)
        for written in solution.moves:
            state = plain.apply(state, plain.parse_move(written, state), rules)
            rest = solve(state, rules)
            # The best line stays the best.
            assert rest.score == solution.score


def test_along_random_play_lost_stays_lost_and_nothing_gets_better(rules, compiled_or):
    for number in range(compiled_or(12, 1)):
        best = 0
        history = random_play(deal(number), rules, seed=number)
        for i, (state, _) in enumerate(history[:: compiled_or(1, 6)]):
            solution = solve(state, rules)
            turned = solution.score["stock_turned"]
            now = 99 if turned is None else turned
            assert now >= best, (rules.name, number, i)
            best = now
            [same] = parse_deals(format_deal(state))
            again = solve(same, rules)
            assert (again.verdict, again.moves) == (solution.verdict, solution.moves)
            assert (again.nodes, again.score) == (solution.nodes, solution.score)


def test_the_top_card_of_the_waste_is_all_that_matters(rules, compiled_or):
    for number in range(compiled_or(10, 2)):
        history = random_play(deal(number), rules, seed=number)
        state, _ = history[len(history) // 2]
        short = plain.State(state.tableau, state.stock, state.waste[-1:])
        assert solve(short, rules).moves == solve(state, rules).moves


def test_a_limit_on_nodes_gives_unknown_and_says_why(rules):
    limited = GAME.solve(deal(0), rules, Limits(max_nodes=1))
    assert (limited.verdict, limited.moves, limited.limit) == (Verdict.UNKNOWN, None, "nodes")
    assert set(limited.score.values()) == {None}
    generous = GAME.solve(deal(0), rules, Limits(max_nodes=10**9, max_seconds=60))
    assert generous.verdict is not Verdict.UNKNOWN


def test_replay_of_the_game_object(compiled_or):
    rules = plain.RULES.resolve("standard")
    solution = solve(deal(0), rules)
    replay = GAME.replay(deal(0), rules, solution.moves)
    assert (replay.won, replay.problem) == (True, None)
    assert [step.move for step in replay.steps] == [*solution.moves]
    short = GAME.replay(deal(0), rules, solution.moves[:-1])
    assert (short.won, short.problem, len(short.steps)) == (False, None, len(solution.moves) - 1)
    wrong = GAME.replay(deal(0), rules, [*solution.moves[:3], solution.moves[0], "turn"])
    assert (wrong.won, len(wrong.steps)) == (False, 3)
    assert wrong.problem is not None
    with pytest.raises(InputError, match=r"Move 4 \(play KS of\) can't be read: 'play KS of' is"):
        GAME.replay(deal(0), rules, [*solution.moves[:3], "play KS of", "turn"])
