"""The search in classes: against a plain search, against itself without a reduction, and its parts.

Whatever is called `winnable` here has been replayed by the plain rules.
"""

import csv
from pathlib import Path
from random import Random

import numpy as np
import pytest
from plain_canfield import late_position
from plain_canfield import search as plain_search

from winnable.deals import get_numbering, shuffled_pack
from winnable.games.base import Limits, Verdict
from winnable.games.canfield import classes
from winnable.games.canfield.classes import ClassSolver, Effort, can_solve, solve_classes
from winnable.games.canfield.classes_bits import deposit, extract, plain_deposit, plain_extract
from winnable.games.canfield.classes_free import REFUTED, try_to_refute
from winnable.games.canfield.classes_relaxed import (
    FREE_STOCK,
    REAL_STOCK,
    SEMI_FREE_STOCK,
    can_still_win,
)
from winnable.games.canfield.classes_search import (
    ALREADY_LOST,
    COUNTERS,
    enter,
    fill_line,
    is_lost,
    shuffle_a_little,
)
from winnable.games.canfield.classes_state import (
    ALL_REDUCTIONS,
    apply_move,
    columns_needed,
    fitting,
    free_hosts,
)
from winnable.games.canfield.classes_table import (
    ROOTS,
    clear,
    copy_entries,
    find,
    grow_in_place,
    is_empty,
    put,
)
from winnable.games.canfield.layout import laid_out
from winnable.games.canfield.rules import RULES
from winnable.jit import kernel

NAMES = ("thoughtful", "full-wrap")
RULE_SETS = [
    *(RULES.resolve(name) for name in (*NAMES, "casino")),
    RULES.resolve("casino", ["draw=3"]),
    RULES.resolve("casino", ["wrap=base", "draw=3"]),
    RULES.resolve("thoughtful", ["draw=1"]),
]
# Every step of the search comes in, even for a small position.
IMPATIENT = Effort(first=3, easier=1000, rounds=5, round_nodes=3)
# Solvitaire's verdicts under `thoughtful`; it leaves three deals open.
SOLVITAIRE = Path(__file__).resolve().parents[2] / "data" / "canfield_solvitaire_1_100.csv"


@pytest.fixture(params=RULE_SETS, ids=lambda rules: rules.name)
def rules(request):
    return request.param


def whole_deal(seed):
    return laid_out(shuffled_pack(get_numbering("solvitaire"), seed, "canfield"), "solvitaire")


def verdict(winnable):
    return Verdict.WINNABLE if winnable else Verdict.UNWINNABLE


def test_the_rules_it_is_for():
    assert [name for name in RULES.names if can_solve(RULES.resolve(name))] == [*NAMES, "casino"]


def test_late_positions_as_by_plain_search(rules, compiled_or):
    usual, impatient = ClassSolver(), ClassSolver(effort=IMPATIENT)
    losses = 0
    for seed in range(compiled_or(50, 8)):
        state = late_position(seed)
        expected = plain_search(state, rules, 20_000).winnable
        if expected is not None:
            assert usual.solve(state, rules, Limits()).verdict == verdict(expected)
            assert impatient.solve(state, rules, Limits()).verdict == verdict(expected)
            losses += not expected
    assert losses > 0


@pytest.mark.parametrize("bit", range(ALL_REDUCTIONS.bit_length()))
def test_late_positions_without_one_reduction(rules, bit, compiled_or):
    usual, without = ClassSolver(), ClassSolver(ALL_REDUCTIONS & ~(1 << bit), IMPATIENT)
    for seed in range(compiled_or(60, 5)):
        state = late_position(seed)
        found = usual.solve(state, rules, Limits()).verdict
        assert without.solve(state, rules, Limits()).verdict == found


@pytest.mark.compiled_only
@pytest.mark.parametrize("reductions", [0, *(ALL_REDUCTIONS & ~(1 << bit) for bit in range(8))])
def test_whole_deals_without_one_reduction(rules, reductions):
    usual, without = ClassSolver(), ClassSolver(reductions)
    decided = 0
    for seed in range(1, 25):
        answer = without.solve(whole_deal(seed), rules, Limits(max_nodes=30_000))
        if answer.verdict != Verdict.UNKNOWN:
            assert usual.solve(whole_deal(seed), rules, Limits()).verdict == answer.verdict
            decided += 1
    assert decided >= 12


@pytest.mark.compiled_only
def test_verdicts_of_solvitaire():
    solver = ClassSolver()
    with SOLVITAIRE.open(encoding="utf-8", newline="") as file:
        expected = {int(row["seed"]): row["verdict"] for row in csv.DictReader(file)}
    for seed, said in expected.items():
        answer = solver.solve(whole_deal(seed), RULES.resolve("thoughtful"), Limits())
        assert answer.verdict != Verdict.UNKNOWN
        assert said in (answer.verdict, "unknown")


@pytest.mark.compiled_only
def test_wins_on_columns_of_26_cards():
    """Deals whose first lines in classes need a run moved that carries its own host."""
    solver = ClassSolver()
    for seed in (46, 114, 333, 356, 388, 495, 518, 767):
        assert solver.solve(whole_deal(seed), RULES.resolve("full-wrap"), Limits()).moves


@pytest.mark.compiled_only
def test_winning_lines_are_never_refuted(rules):
    """Each position of a won game passes the relaxed test, and neither easier game is lost."""
    solver = ClassSolver()
    for seed in range(1, 26):
        if solver.solve(whole_deal(seed), rules, Limits()).verdict == Verdict.WINNABLE:
            for at in line_of(solver):
                assert_not_refuted(solver, at)


def line_of(solver):
    """The positions of the line that a solver has just found."""
    at, line = solver._at, solver._line
    count = fill_line(solver._deal, at, solver._stack, solver._counters, line)
    yield at
    for move in line[:count].tolist():
        at = apply_move(solver._deal, at, move)
        yield at


def assert_not_refuted(solver, at):
    deal = solver._deal
    for game in (REAL_STOCK, FREE_STOCK, SEMI_FREE_STOCK):
        assert can_still_win(deal, at, game)
    for game in (FREE_STOCK, SEMI_FREE_STOCK):
        table = classes._new_table(1 << 12)
        outcome, _ = try_to_refute(deal, at, game, 1000, table, classes._new_stack())
        assert outcome != REFUTED


def test_limits(rules):
    state = whole_deal(4)
    by_nodes = solve_classes(state, rules, Limits(max_nodes=1))
    assert (by_nodes.verdict, by_nodes.limit, by_nodes.moves) == (Verdict.UNKNOWN, "nodes", None)
    by_time = solve_classes(state, rules, Limits(max_seconds=1e-9))
    assert (by_time.verdict, by_time.limit) == (Verdict.UNKNOWN, "seconds")


@pytest.mark.compiled_only
def test_more_nodes_may_take_more_memory(monkeypatch):
    deal, rules = whole_deal(112), RULES.resolve("thoughtful")
    monkeypatch.setattr(classes, "MOST_SLOTS", classes.FIRST_SLOTS)
    answer = ClassSolver().solve(deal, rules, Limits())
    assert (answer.verdict, answer.limit) == (Verdict.UNKNOWN, "memory")
    answer = ClassSolver().solve(deal, rules, Limits(10_000_000))
    assert answer.verdict != Verdict.UNKNOWN


def test_a_table_never_grows_beyond_what_nodes_need():
    assert classes.most_slots(None) == classes.most_slots(1000) == classes.MOST_SLOTS
    assert classes.most_slots(classes.MOST_SLOTS) == 2 * classes.MOST_SLOTS
    assert classes.most_slots(10**12) == classes.MOST_SLOTS_ASKED


@pytest.mark.parametrize("most", [0, 1 << 60])
def test_a_win_that_columns_refuse_is_no_verdict(rules, monkeypatch, most, compiled_or):
    """Neither the win in classes nor the loss that is left when it is taken away counts."""
    solver = ClassSolver()
    seeds = range(compiled_or(30, 15))
    wins = [
        seed
        for seed in seeds
        if solver.solve(late_position(seed), rules, Limits()).verdict == Verdict.WINNABLE
    ]
    monkeypatch.setattr(classes.columns, "play_line", lambda board, line, count: -1)
    monkeypatch.setattr(classes, "MOST_FAILED_REPLAYS", most)
    assert wins
    for seed in wins:
        answer = solver.solve(late_position(seed), rules, Limits(max_nodes=5000))
        assert answer.verdict == Verdict.UNKNOWN
        assert answer.limit in ("replays", "nodes")


def test_one_solver_answers_as_many_do(rules, compiled_or):
    solver = ClassSolver()
    for seed in range(compiled_or(40, 4)):
        state = late_position(seed)
        mine, fresh = (s.solve(state, rules, Limits()) for s in (solver, ClassSolver()))
        assert (mine.verdict, mine.moves, mine.nodes) == (fresh.verdict, fresh.moves, fresh.nodes)


@kernel
def extracted_and_deposited(bits, mask):
    packed = extract(bits, mask)
    return packed, deposit(packed, mask)


def test_extract_and_deposit():
    random = Random(0)
    for _ in range(200):
        bits, mask = random.getrandbits(34), random.getrandbits(34)
        packed, spread = extracted_and_deposited(bits, mask)
        wanted = [bits >> i & 1 for i in range(34) if mask >> i & 1]
        assert packed == sum(bit << i for i, bit in enumerate(wanted))
        assert spread == bits & mask
        assert (plain_extract(bits, mask), plain_deposit(packed, mask)) == (packed, spread)


def class_members(cards, rank, colour):
    return sum(cards >> (4 * rank + colour + twin) & 1 for twin in (0, 2))


@pytest.mark.parametrize("wrap", [0, 15])
def test_free_hosts_and_columns_by_counting(wrap):
    """Masks against a count of members and guests in every class."""
    random = Random(1)
    for _ in range(200):
        tableau = random.getrandbits(52) & random.getrandbits(52)
        hosted, hosts, needed = 0, 0, 0
        for rank in range(13):
            for colour in (0, 1):
                members = class_members(tableau, (rank + 1) % 13, 1 - colour)
                above = 0 if rank == 12 and not wrap else members
                mine = [4 * rank + colour + twin for twin in (0, 2)]
                mine = [card for card in mine if tableau >> card & 1]
                lying = random.sample(mine, min(len(mine), random.randint(0, above)))
                hosted |= sum(1 << card for card in lying)
                needed += max(0, len(mine) - above)
                if members > len(lying):
                    hosts |= 5 << (4 * ((rank + 1) % 13) + 1 - colour)
        at = classes.Position(0, tableau, tableau & ~hosted, 0, 0, 0)
        assert free_hosts(at, wrap) == hosts
        assert columns_needed(tableau, wrap) == needed
        for card in range(52):
            rank, colour = card >> 2, card & 1
            has_host = hosts >> (4 * ((rank + 1) % 13) + 1 - colour) & 1 and (rank < 12 or wrap)
            assert fitting(hosts, wrap) >> card & 1 == bool(has_host)


def test_tables_keep_their_entries_while_they_grow():
    random = Random(2)
    small = classes._new_table(64)
    roomy = classes.Table(np.zeros(256, np.int64), np.zeros(3, np.int64))
    for table in (small, roomy):
        clear(table.head, 64)
        entries = {
            (random.getrandbits(54), random.getrandbits(24)): random.getrandbits(8)
            for _ in range(31)
        }
        for (first, second), note in entries.items():
            cell = find(table.cells, table.head, first, second)
            assert is_empty(table.cells, table.head, cell)
            put(table.cells, table.head, cell, first, second, note)
        grown = table
        if table is roomy:
            grow_in_place(table)
        else:
            grown = classes._new_table(128)
            copy_entries(table, grown)
        assert grown.head[0] == 128
        assert grown.head[2] == 31
        for (first, second), note in entries.items():
            cell = find(grown.cells, grown.head, first, second)
            assert grown.cells[cell] == first
            assert grown.cells[cell + 1] & ROOTS == second
            assert grown.cells[cell + 1] >> 24 & 0xFF == note
        clear(grown.head, 64)
        assert all(
            is_empty(grown.cells, grown.head, find(grown.cells, grown.head, *keys))
            for keys in entries
        )


def test_children_are_dropped_as_lost_when_entering_would_say_so():
    random = Random(3)
    table = classes._new_table(256)
    clear(table.head, 256)
    answers = set()
    for _ in range(100):
        waste = random.choice([0, 1, 2, 4, 5, 7, 8])
        keys = (random.randrange(4), random.randrange(4), waste)
        said = is_lost(table.cells, table.head, *keys)
        assert said == (enter(table.cells, table.head, *keys) == ALREADY_LOST)
        answers.add(bool(said))
    assert answers == {False, True}


def test_order_of_moves_is_by_weight_then_place():
    order = np.array([1, 50, 0, 0, 30, 0, 0], np.int64)
    kinds = [0, 0, 1, 2, 3, 5]
    moves = np.array([64 * kind + i for i, kind in enumerate(kinds)], np.int64)
    shuffle_a_little(moves, len(moves), order, np.zeros(COUNTERS, np.int64))
    assert [move % 64 for move in moves.tolist()] == [2, 3, 5, 4, 0, 1]


def test_noise_keeps_all_moves():
    order = np.array([1000, 480, 480, 480, 0, 0, 0], np.int64)
    moves = np.arange(0, 384, 7, dtype=np.int64)
    counters = np.ones(COUNTERS, np.int64)
    shuffle_a_little(moves, len(moves), order, counters)
    assert moves.tolist() != list(range(0, 384, 7))
    assert sorted(moves.tolist()) == list(range(0, 384, 7))


def test_looks_at_the_limits_change_nothing(rules, monkeypatch, compiled_or):
    seeds = range(compiled_or(40, 4))
    solver = ClassSolver(effort=IMPATIENT)
    usual = [solver.solve(late_position(seed), rules, Limits()) for seed in seeds]
    monkeypatch.setattr(classes, "PAUSE_NODES", 1)
    for seed, before in zip(seeds, usual, strict=True):
        after = solver.solve(late_position(seed), rules, Limits())
        assert (after.verdict, after.moves, after.nodes) == (
            before.verdict,
            before.moves,
            before.nodes,
        )
