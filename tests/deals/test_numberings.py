"""The table of numberings and what is true of every one of them."""

import json
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import config

from winnable.deals import (
    NUMBERINGS,
    Numbering,
    check_number,
    fill_packs,
    get_numbering,
    parse_number,
    shuffled_double_pack,
    shuffled_pack,
)
from winnable.deals.kernels import aisleriot, microsoft, native, pysol, solvitaire
from winnable.errors import InputError

WINNABLE, PYSOL, MS, KPAT, AISLERIOT, SOLVITAIRE = NUMBERINGS.values()
BOUNDARIES = (32000, 2**31, 2**32, 2**64)
KERNELS = {
    "winnable": native.fill_packs,
    "pysol": pysol.fill_packs,
    "ms": microsoft.fill_packs,
    "kpat": microsoft.fill_packs,
    "aisleriot": aisleriot.fill_packs,
    "solvitaire": solvitaire.fill_packs,
}
TWO_PACKS = [row for row in NUMBERINGS.values() if row is not SOLVITAIRE]
every_numbering = pytest.mark.parametrize("numbering", NUMBERINGS.values(), ids=list(NUMBERINGS))


def compiled(numbering: Numbering, first: int, count: int, game: str = "tripeaks"):
    packs = np.full((count, 52), 255, np.uint8)
    fill_packs(numbering, first, game, packs)
    return packs.tolist()


def plain(numbering: Numbering, first: int, count: int, game: str = "tripeaks"):
    return [shuffled_pack(numbering, first + i, game) for i in range(count)]


def test_the_table():
    assert list(NUMBERINGS) == ["winnable", "pysol", "ms", "kpat", "aisleriot", "solvitaire"]
    assert [row.name for row in NUMBERINGS.values()] == list(NUMBERINGS)
    assert [(row.first, row.last) for row in NUMBERINGS.values()] == [
        (0, 18446744073709551615),
        (1, 100000000000000000000),
        (1, 8589934591),
        (1, 2147483647),
        (0, 4294967295),
        (0, 4294967295),
    ]
    assert get_numbering("ms") is MS


def test_an_unknown_numbering_is_answered_with_the_known_ones():
    with pytest.raises(InputError) as caught:
        get_numbering("pysolfc")
    assert str(caught.value) == (
        "There is no numbering 'pysolfc'. Did you mean pysol? "
        "Known: winnable, pysol, ms, kpat, aisleriot, solvitaire."
    )


@every_numbering
def test_compiled_is_plain_at_both_ends(numbering):
    assert compiled(numbering, numbering.first, 4) == plain(numbering, numbering.first, 4)
    assert compiled(numbering, numbering.last - 3, 4) == plain(numbering, numbering.last - 3, 4)


@pytest.mark.parametrize(
    ("numbering", "boundary"),
    [(row, at) for row in NUMBERINGS.values() for at in BOUNDARIES if at < row.last],
    ids=lambda value: getattr(value, "name", value),
)
def test_compiled_is_plain_across_each_boundary(numbering, boundary):
    for first in (boundary - 2, boundary - 4, boundary):
        assert compiled(numbering, first, 4) == plain(numbering, first, 4)


@every_numbering
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_compiled_is_plain_and_a_permutation(numbering, data):
    number = data.draw(st.integers(numbering.first, numbering.last))
    game = data.draw(st.sampled_from(["tripeaks", "canfield", "spider"]))
    pack = shuffled_pack(numbering, number, game)
    assert sorted(pack) == list(range(52))
    assert compiled(numbering, number, 1, game) == [pack]


@every_numbering
def test_one_compiled_signature_a_kernel(numbering):
    compiled(numbering, numbering.last, 1)
    fill_packs(numbering, numbering.last - 1, "canfield", np.zeros((4, 52), np.uint8)[1:3])
    if config.DISABLE_JIT:
        pytest.skip("nothing is compiled")
    assert len(KERNELS[numbering.name].signatures) == 1


@every_numbering
def test_only_this_projects_numbers_depend_on_the_game(numbering):
    tripeaks, canfield = (shuffled_pack(numbering, 5, game) for game in ("tripeaks", "canfield"))
    assert (tripeaks == canfield) == (numbering is not WINNABLE)


@pytest.mark.parametrize("numbering", TWO_PACKS, ids=lambda row: row.name)
@pytest.mark.parametrize("end", ["first", "last"])
def test_a_double_pack_has_every_card_twice(numbering, end):
    cards = shuffled_double_pack(numbering, getattr(numbering, end), "spider")
    assert sorted(cards) == sorted(2 * list(range(52)))
    # Not one shuffle of a single pack after the other.
    assert sorted(cards[:52]) != list(range(52))
    beyond = numbering.first - 1 if end == "first" else numbering.last + 1
    with pytest.raises(InputError, match=f"There is no deal {beyond} "):
        shuffled_double_pack(numbering, beyond, "spider")


@every_numbering
def test_numbers_outside_the_range(numbering):
    sentence = (
        f"There is no deal {{}} in the numbering '{numbering.name}': "
        f"its numbers go from {numbering.first} to {numbering.last}."
    )
    below, above = numbering.first - 1, numbering.last + 1
    check_number(numbering, numbering.first)
    check_number(numbering, numbering.last)
    for number in (below, above):
        with pytest.raises(InputError) as caught:
            check_number(numbering, number)
        assert str(caught.value) == sentence.format(number)
        with pytest.raises(InputError):
            shuffled_pack(numbering, number, "tripeaks")
    packs = np.full((2, 52), 255, np.uint8)
    for first, wrong in ((below, below), (numbering.last, above)):
        with pytest.raises(InputError) as caught:
            fill_packs(numbering, first, "tripeaks", packs)
        assert str(caught.value) == sentence.format(wrong)
    assert (packs == 255).all()


@every_numbering
def test_no_packs_are_no_error(numbering):
    assert compiled(numbering, numbering.last, 0) == []


@pytest.mark.parametrize(
    "packs",
    [
        np.zeros((2, 52), np.int64),
        np.zeros((2, 51), np.uint8),
        np.zeros(52, np.uint8),
        np.zeros((2, 104), np.uint8)[:, ::2],
        np.broadcast_to(np.uint8(0), (2, 52)),
    ],
)
def test_other_arrays_are_refused(packs):
    with pytest.raises(ValueError, match=r"writable uint8 array of shape \(n, 52\)"):
        fill_packs(WINNABLE, 0, "tripeaks", packs)


@pytest.mark.parametrize(
    ("numbering", "text", "owner", "number"),
    [
        (WINNABLE, "0", WINNABLE, 0),
        (WINNABLE, "18446744073709551615", WINNABLE, 2**64 - 1),
        (WINNABLE, "  17\n", WINNABLE, 17),
        (PYSOL, "00000000000000000017", PYSOL, 17),
        (PYSOL, "0" * 5000 + "17", PYSOL, 17),
        (PYSOL, "100000000000000000000", PYSOL, 10**20),
        (PYSOL, "ms17", MS, 17),
        (PYSOL, " MS8589934591 ", MS, 2**33 - 1),
        (MS, "17", MS, 17),
        (AISLERIOT, "4294967295", AISLERIOT, 2**32 - 1),
        (SOLVITAIRE, "0", SOLVITAIRE, 0),
    ],
)
def test_parse_number(numbering, text, owner, number):
    assert parse_number(numbering, text) == (owner, number)


@pytest.mark.parametrize(
    "text",
    [
        "abc",
        "",
        " ",
        "-1",
        "+1",
        "1_000",
        "1 000",
        "1.0",
        "1e3",
        "0x10",
        "٣",
        "²",
        "ms1",
        "ms",
        "1ms",
    ],
)
def test_text_that_is_no_number(text):
    with pytest.raises(InputError) as caught:
        parse_number(AISLERIOT, text)
    assert str(caught.value) == (
        f"'{text}' is not a deal number: write a whole number from 0 to 4294967295."
    )


@pytest.mark.parametrize("text", ["ms", "ms 1", "ms-1", "msms1", "m1"])
def test_text_that_is_no_number_of_pysol(text):
    with pytest.raises(InputError) as caught:
        parse_number(PYSOL, text)
    assert str(caught.value) == (
        f"'{text}' is not a deal number: write a whole number "
        "from 1 to 100000000000000000000, or ms and a number."
    )


@pytest.mark.parametrize(
    ("numbering", "text", "owner", "number"),
    [
        (WINNABLE, "18446744073709551616", "winnable", "18446744073709551616"),
        (WINNABLE, "9" * 5000, "winnable", "9" * 5000),
        (PYSOL, "0", "pysol", "0"),
        (PYSOL, "ms0", "ms", "0"),
        (PYSOL, "ms8589934592", "ms", "8589934592"),
        (MS, "000", "ms", "0"),
    ],
)
def test_numbers_in_text_that_are_outside_the_range(numbering, text, owner, number):
    with pytest.raises(InputError) as caught:
        parse_number(numbering, text)
    last = NUMBERINGS[owner].last
    assert str(caught.value).startswith(f"There is no deal {number} in the numbering '{owner}':")
    assert str(caught.value).endswith(f"to {last}.")


def test_the_plain_path_loads_neither_numpy_nor_numba():
    program = """
import json, sys
from winnable.deals import NUMBERINGS, shuffled_pack
for numbering in NUMBERINGS.values():
    shuffled_pack(numbering, numbering.last, "tripeaks")
print(json.dumps([name for name in ("numpy", "numba") if name in sys.modules]))
"""
    paths = f"import sys; sys.path[:0] = {sys.path!r}\n"
    done = subprocess.run(
        [sys.executable, "-c", paths + program], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == []
