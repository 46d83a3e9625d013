"""Spans of numbers against sets of integers, and the key of a study."""

from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from study.fake_study import CHUNK_SIZE, FakeGame, fake_study

from winnable.deals import NUMBERINGS
from winnable.games.base import Limits
from winnable.study.plan import IDENTITY_KEYS, Span, chunks, limits_of, merged, missing

SPANS = st.builds(
    lambda first, length: Span(first, first + length), st.integers(0, 60), st.integers(0, 12)
)
LISTS = st.lists(SPANS, max_size=8)


def numbers(spans):
    return {number for span in spans for number in range(span.first, span.last + 1)}


def is_rising_and_apart(spans):
    """Whether at least one number lies between any two neighbours."""
    return all(
        one.last + 1 < other.first for one, other in zip(spans, spans[1:], strict=False)
    ) and all(span.first <= span.last for span in spans)


@given(LISTS)
def test_merged_keeps_the_numbers_in_the_fewest_spans(spans):
    out = merged(spans)
    assert numbers(out) == numbers(spans)
    assert is_rising_and_apart(out)


@given(SPANS, LISTS)
def test_missing_is_the_difference_of_the_sets(wanted, covered):
    gaps = missing(wanted, covered)
    assert numbers(gaps) == numbers([wanted]) - numbers(covered)
    assert is_rising_and_apart(gaps)


@given(LISTS, st.integers(1, 9))
def test_chunks_cut_at_multiples(spans, size):
    spans = merged(spans)
    cut = list(chunks(spans, size))
    assert [n for span in cut for n in range(span.first, span.last + 1)] == sorted(numbers(spans))
    assert all(span.first // size == span.last // size for span in cut)
    # As few as the cuts allow.
    assert len(cut) == sum(span.last // size - span.first // size + 1 for span in spans)


def test_count():
    assert Span(5, 5).count == 1
    assert Span(0, 2**64 - 1).count == 2**64


def test_a_huge_range_is_cut_lazily():
    last = 2**64 - 1
    gaps = missing(Span(0, last), [Span(100, 200), Span(10**19, 10**19)])
    assert gaps == [Span(0, 99), Span(201, 10**19 - 1), Span(10**19 + 1, last)]
    assert list(islice(chunks(gaps, CHUNK_SIZE), 3)) == [
        Span(0, 99),
        Span(201, CHUNK_SIZE - 1),
        Span(CHUNK_SIZE, 2 * CHUNK_SIZE - 1),
    ]


def test_numbers_beyond_64_bits():
    first = 10**20 - 5
    assert list(chunks([Span(first, 10**20)], 4)) == [
        Span(first, 10**20 - 5),
        Span(10**20 - 4, 10**20 - 1),
        Span(10**20, 10**20),
    ]


def other_solver():
    game = FakeGame()
    game.solver_version += 1
    return game


def other_game():
    game = FakeGame()
    game.name = "quadpeaks"
    return game


OTHERS = {
    "game": {"game": other_game()},
    "solver": {"game": other_solver()},
    "rules and settings": {"rules": FakeGame().rules.resolve("open")},
    "settings": {"rules": replace(FakeGame().rules.resolve(), settings={"wrap": "no"})},
    "numbering": {"numbering": NUMBERINGS["pysol"]},
    "max_nodes": {"limits": Limits(max_nodes=7)},
    "max_seconds": {"limits": Limits(max_seconds=7)},
    "effort": {"limits": Limits(effort=7)},
    "best": {"best": True},
}


@pytest.mark.parametrize("field", OTHERS)
def test_the_digest_tells_every_field(field):
    study = fake_study()
    assert replace(study, **OTHERS[field]).digest() != study.digest()


def test_an_effort_that_is_not_set_is_no_part_of_the_identity():
    """So that stores from before there were efforts belong to the same studies."""
    assert fake_study().identity().keys() == IDENTITY_KEYS
    limits = Limits(5, 0.5, 3)
    asked = fake_study(limits=limits)
    assert asked.identity().keys() == {*IDENTITY_KEYS, "effort"}
    assert limits_of(asked.identity()) == limits
    assert limits_of(fake_study().identity()) == Limits()


def test_the_digests_of_all_are_different_and_those_of_equals_equal():
    study = fake_study()
    digests = {replace(study, **fields).digest() for fields in OTHERS.values()}
    assert len(digests) == len(OTHERS)
    assert fake_study().digest() == study.digest()
