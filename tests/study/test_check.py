"""The audit of a store: it agrees with what the solver says, and finds what was changed."""

import sqlite3

import numpy as np
import pytest

from winnable.deals import NUMBERINGS
from winnable.errors import StoreError
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


def test_a_store_agrees_with_the_solver(path):
    seen = []
    with Store.open_to_read(path) as store:
        found = check_store(store, 40, seen.append)
        assert (found.deals, sum(seen)) == (40, 40)
        assert 0 < found.replayed < 40
        everything = check_store(store, 10**9)
        assert (everything.deals, everything.replayed) == (100, store.totals().winnable)


@pytest.mark.parametrize(
    ("path", "name"),
    [(False, "verdict"), (True, "verdict"), (True, "stock_left")],
    indirect=["path"],
)
def test_a_changed_answer_is_found(path, name):
    with Store.open_to_read(path) as store:
        first, values = next(store.column(name))
    changed = np.where(values == 0, 1, 0).astype(np.uint8)
    connection = sqlite3.connect(path)
    connection.execute(
        "UPDATE chunk_column SET data = ? WHERE name = ? AND first LIKE ?",
        (pack_column(name, changed), name, f"%{first}"),
    )
    connection.commit()
    connection.close()
    with Store.open_to_read(path) as store, pytest.raises(StoreError, match="deal 5, but it is"):
        check_store(store, 100)
