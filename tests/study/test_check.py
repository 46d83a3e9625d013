"""The audit of a store: it agrees with what the solver says, and finds what was changed."""

import shutil
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from winnable.deals import NUMBERINGS, get_numbering
from winnable.errors import StoreError
from winnable.games import get_game
from winnable.games.tripeaks import GAME
from winnable.study.check import check_store
from winnable.study.columns import pack_column
from winnable.study.plan import Span, Study
from winnable.study.run import run_study
from winnable.study.store import Store

pytestmark = pytest.mark.compiled_only


@pytest.fixture(params=[False, True], ids=["verdicts", "best"])
def path(request, tmp_path):
    study = Study(GAME, GAME.rules.resolve("no-wrap"), NUMBERINGS["winnable"], best=request.param)
    with Store.create_or_open(tmp_path / "s.sqlite", study) as store:
        for span in (Span(5, 64), Span(1000, 1039)):
            run_study(store, study, span, 1)
    return tmp_path / "s.sqlite"


def change_column(path, first, name, values):
    connection = sqlite3.connect(path)
    connection.execute(
        "UPDATE chunk_column SET data = ? WHERE name = ? AND first LIKE ?",
        (pack_column(name, values), name, f"%{first}"),
    )
    connection.commit()
    connection.close()


def test_a_store_agrees_with_the_solver(path):
    seen = []
    with Store.open_to_read(path) as store:
        found = check_store(store, 40, seen.append)
        assert (found.deals, sum(seen)) == (40, 40)
        assert 0 < found.replayed < 40
        everything = check_store(store, 10**9)
        assert (everything.deals, everything.replayed) == (100, store.totals().winnable)


SPIDER = get_game("spider")
KPAT = get_numbering("kpat")
ONE_SUIT = SPIDER.rules.resolve("one-suit")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A store that keeps solutions."""
    path = tmp_path_factory.mktemp("kept") / "s.sqlite"
    study = Study(SPIDER, ONE_SUIT, KPAT)
    with Store.create_or_open(path, study) as store:
        run_study(store, study, Span(1, 4), 1)
        assert store.totals().winnable >= 3
    return path


def test_solutions_that_are_kept_are_replayed(kept, monkeypatch):
    solved = []
    solve = SPIDER.solve
    monkeypatch.setattr(SPIDER, "solve", lambda *asked: solved.append(1) or solve(*asked))
    with Store.open_to_read(kept) as store:
        found = check_store(store, 10)
        winnable = store.totals().winnable
    assert (found.deals, found.replayed, found.kept) == (4, winnable, winnable)
    assert found.solved == len(solved) == 4 - winnable


def without_last(values):
    return [None if text is None else text.rpartition("\n")[0] for text in values]


def only_deals(values):
    return [text and "deal\n" * text.count("\n") + "deal" for text in values]


@pytest.mark.parametrize(
    ("name", "change", "problem"),
    [
        ("solution", without_last, "moves, and is said to have"),
        ("solution", only_deals, "move 6: The stock is empty"),
        ("solution", lambda values: [text and f"fly{text}" for text in values], "be read"),
        ("verdict", lambda values: np.zeros(len(values)), "is called unwinnable"),
    ],
    ids=["cut", "illegal", "unreadable", "lost"],
)
def test_a_changed_solution_is_found(kept, tmp_path, name, change, problem):
    path = Path(shutil.copy(kept, tmp_path))
    with Store.open_to_read(path) as store:
        ((first, values),) = list(store.column(name))[:1]
    change_column(path, first, name, np.array(change(values), values.dtype))
    with (
        Store.open_to_read(path) as store,
        pytest.raises(StoreError, match=f"solution of deal {first} that can't be right.*{problem}"),
    ):
        check_store(store, 10)


def test_a_solution_that_ends_too_early_is_found(kept, tmp_path):
    path = Path(shutil.copy(kept, tmp_path))
    with Store.open_to_read(path) as store:
        (first, lines), (_, lengths) = (next(store.column(name)) for name in ("solution", "moves"))
    change_column(path, first, "solution", np.array(without_last(lines), object))
    change_column(path, first, "moves", lengths - 1)
    with Store.open_to_read(path) as store, pytest.raises(StoreError, match="is not won"):
        check_store(store, 10)


@pytest.mark.parametrize(
    ("path", "name"),
    [(False, "verdict"), (True, "verdict"), (True, "stock_left")],
    indirect=["path"],
)
def test_a_changed_answer_is_found(path, name):
    with Store.open_to_read(path) as store:
        first, values = next(store.column(name))
    changed = np.where(values == 0, 1, 0).astype(np.uint8)
    change_column(path, first, name, changed)
    with Store.open_to_read(path) as store, pytest.raises(StoreError, match="deal 5, but it is"):
        check_store(store, 100)
