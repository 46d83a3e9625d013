"""Many numbered deals at once: the same answers as one by one, however they are split."""

import json
import runpy
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from winnable.deals import NUMBERINGS
from winnable.errors import InputError
from winnable.games.base import (
    UNKNOWN_CODE,
    UNWINNABLE_CODE,
    VERDICT_CODES,
    WINNABLE_CODE,
    Limits,
    Verdict,
)
from winnable.games.tripeaks import GAME
from winnable.games.tripeaks.rules import RULES

WINNABLE = NUMBERINGS["winnable"]
NO_LIMITS = Limits()
SIGNATURE = runpy.run_path(str(Path(__file__).with_name("signature.py")))


def batch(rules, numbering=WINNABLE, limits=NO_LIMITS, best=False):
    return GAME.batch(rules, numbering, limits, best)


@cache
def one_by_one(name, numbering, number):
    """(verdict code, stock cards left or None) of a deal solved alone."""
    rules = RULES.resolve(name)
    solution = GAME.solve(GAME.deal(NUMBERINGS[numbering], number, rules), rules, NO_LIMITS)
    return VERDICT_CODES.index(solution.verdict), solution.score["stock_left"]


def expected(rules, numbering, first, count):
    numbers = range(first, first + count)
    return [one_by_one(rules.name, numbering.name, number) for number in numbers]


def test_the_codes_of_verdicts():
    assert VERDICT_CODES == (Verdict.UNWINNABLE, Verdict.WINNABLE, Verdict.UNKNOWN)
    assert VERDICT_CODES[WINNABLE_CODE] is Verdict.WINNABLE
    assert VERDICT_CODES[UNWINNABLE_CODE] is Verdict.UNWINNABLE
    assert VERDICT_CODES[UNKNOWN_CODE] is Verdict.UNKNOWN


def check(rules, numbering, first, count):
    want = expected(rules, numbering, first, count)
    answers = batch(rules, numbering).solve(first, count)
    assert answers.columns["verdict"].dtype == np.uint8
    assert answers.columns["verdict"].tolist() == [code for code, _ in want]
    assert "stock_left" not in answers.columns
    assert answers.nodes > 0
    best = batch(rules, numbering, best=True).solve(first, count).columns
    assert best["verdict"].tolist() == [code for code, _ in want]
    assert best["stock_left"].dtype == np.uint8
    # What stands there for a deal that can't be won is nobody's business.
    left = best["stock_left"].tolist()
    shown = [left[i] if code == WINNABLE_CODE else None for i, (code, _) in enumerate(want)]
    assert shown == [stock for _, stock in want]
    return [code for code, _ in want]


def test_consecutive_numbers_are_answered_as_one_by_one(rules, compiled_or):
    codes = check(rules, WINNABLE, 1, compiled_or(200, 2))
    if len(codes) > 100:
        assert set(codes) == {WINNABLE_CODE, UNWINNABLE_CODE}


@pytest.mark.compiled_only
@pytest.mark.parametrize("numbering", NUMBERINGS.values(), ids=list(NUMBERINGS))
def test_every_numbering(rules, numbering):
    check(rules, numbering, 31_991, 19)


@pytest.mark.compiled_only
@pytest.mark.parametrize("numbering", NUMBERINGS.values(), ids=list(NUMBERINGS))
def test_the_first_and_the_last_number(numbering):
    rules = RULES.resolve("no-wrap")
    check(rules, numbering, numbering.first, 1)
    check(rules, numbering, numbering.last, 1)


@pytest.mark.compiled_only
@pytest.mark.parametrize(("first", "count"), [(7, 1), (33, 3), (5, 31), (64, 33), (17, 65)])
def test_odd_offsets_and_counts(first, count):
    for name in ("standard", "no-wrap"):
        check(RULES.resolve(name), WINNABLE, first, count)


@pytest.mark.compiled_only
def test_one_object_solves_block_after_block(rules):
    solver = batch(rules, best=True)
    count = 20
    for first in (100, 40, 100):
        columns = solver.solve(first, count).columns
        fresh = batch(rules, best=True).solve(first, count).columns
        assert {name: column.tolist() for name, column in columns.items()} == {
            name: column.tolist() for name, column in fresh.items()
        }


@pytest.mark.compiled_only
def test_an_earlier_answer_is_not_overwritten_by_the_next():
    solver = batch(RULES.resolve("no-wrap"), best=True)
    count = 20
    answers = solver.solve(0, count)
    kept = {name: column.tolist() for name, column in answers.columns.items()}
    solver.solve(1000, count)
    assert {name: column.tolist() for name, column in answers.columns.items()} == kept


@pytest.mark.compiled_only
@pytest.mark.parametrize("best", [False, True])
def test_nodes_and_answers_do_not_depend_on_the_split(rules, best):
    first, count = 3, 101
    whole = batch(rules, best=best).solve(first, count)
    for size in (1, 7, 32, 50):
        solver = batch(rules, best=best)
        nodes, verdicts = 0, []
        for at in range(0, count, size):
            answers = solver.solve(first + at, min(size, count - at))
            nodes += answers.nodes
            verdicts += answers.columns["verdict"].tolist()
        assert nodes == whole.nodes
        assert verdicts == whole.columns["verdict"].tolist()


def test_the_block_size_is_useful():
    assert 1 <= batch(RULES.resolve()).block <= 1_000_000


@pytest.mark.compiled_only
def test_unknown_comes_only_from_a_limit_and_never_contradicts(rules):
    first, count = 0, 60
    want = [code for code, _ in expected(rules, WINNABLE, first, count)]
    for max_nodes in (1, 100, 10_000, 150_000):
        limits = Limits(max_nodes=max_nodes)
        found = batch(rules, limits=limits).solve(first, count).columns["verdict"].tolist()
        for code, truth in zip(found, want, strict=True):
            assert code in (truth, UNKNOWN_CODE)
        # Nothing is proved lost by looking at one position.
        if max_nodes == 1:
            assert set(found) == {UNKNOWN_CODE}
        # The same limit means the same for one deal.
        deals = [GAME.deal(WINNABLE, number, rules) for number in range(first, count)]
        alone = [GAME.solve(deal, rules, limits) for deal in deals]
        assert found == [VERDICT_CODES.index(solution.verdict) for solution in alone]
    enough = Limits(max_nodes=10**9)
    assert batch(rules, limits=enough).solve(first, count).columns["verdict"].tolist() == want


def test_numbers_beyond_the_last_are_refused():
    solver = batch(RULES.resolve(), NUMBERINGS["ms"])
    with pytest.raises(InputError, match="There is no deal"):
        solver.solve(NUMBERINGS["ms"].last, 2)
    with pytest.raises(InputError, match="There is no deal 0"):
        solver.solve(0, 1)


@pytest.mark.compiled_only
def test_the_signature_is_the_one_on_record():
    record = json.loads(SIGNATURE["DATA"].read_text(encoding="utf-8"))
    assert SIGNATURE["measure_all"]() == record


def test_the_signature_counts_every_deal():
    record = json.loads(SIGNATURE["DATA"].read_text(encoding="utf-8"))
    assert list(record["rule_sets"]) == RULES.names
    for row in record["rule_sets"].values():
        assert row["winnable"] + row["unwinnable"] == SIGNATURE["COUNT"]
