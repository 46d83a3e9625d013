"""Difficulties in a study's page, its rows, the command that repeats it, and on a cluster."""

import csv
import io

import pytest

from winnable.deals import get_numbering
from winnable.games import get_game
from winnable.pages.report_data import figures_of, read_study
from winnable.study.cluster_worker import Order
from winnable.study.parquet import write_parquet
from winnable.study.plan import Span, Study
from winnable.study.repeat import study_commands
from winnable.study.rows import write_csv
from winnable.study.run import run_study
from winnable.study.store import Store

pytestmark = pytest.mark.compiled_only

GAME = get_game("tripeaks")
STUDY = Study(GAME, GAME.rules.resolve("standard"), get_numbering("winnable"), difficulty=True)


@pytest.fixture(scope="module")
def store_path(tmp_path_factory):
    path = tmp_path_factory.mktemp("difficulty") / "study.sqlite"
    with Store.create_or_open(path, STUDY) as store:
        run_study(store, STUDY, Span(0, 99), 1)
    return path


def test_they_are_drawn_as_shares(store_path):
    data = read_study(store_path)
    figure = figures_of(data)["difficulty"]
    assert figure.counts.sum() == 100
    assert 0 <= figure.edges[0] < figure.edges[-1] <= 1.05
    assert 0 < figure.facts["mean"] < figure.facts["most"] <= 1
    assert "difficulty" not in data.lowest


def test_the_command_that_repeats_it_asks_for_them(store_path):
    (command,) = study_commands(read_study(store_path).summary)
    assert command.split()[-1] == "--difficulty"


def test_rows_have_them_as_shares(store_path, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    out = io.StringIO()
    with Store.open_to_read(store_path) as store:
        write_csv(store, out)
        write_parquet(store, tmp_path / "rows.parquet")
    rows = list(csv.DictReader(io.StringIO(out.getvalue())))
    shares = [float(row["difficulty"]) for row in rows]
    assert len(set(shares)) > 10
    assert max(shares) <= 1
    assert parquet.read_table(tmp_path / "rows.parquet")["difficulty"].to_pylist() == shares


def test_workers_of_a_cluster_are_asked_for_them():
    assert Order.of("session", STUDY).study().identity() == STUDY.identity()
