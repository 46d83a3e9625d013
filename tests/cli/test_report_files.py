"""Files that ``winnable report`` writes: whole or not at all, and never over a store."""

import os
import sys
import threading
import xml.etree.ElementTree as ET

import pytest
from pyarrow import parquet
from report_pages import checked_page


@pytest.fixture
def store(winnable, tmp_path):
    path = tmp_path / "s.sqlite"
    assert winnable("study", "tripeaks", "0:99", "--best", "--store", path, "--quiet").code == 0
    return path


@pytest.fixture
def refuses(winnable):
    def check(*args, mention=()):
        result = winnable(*args)
        assert (result.code, result.out) == (2, "")
        assert result.err.startswith("winnable: ")
        assert len(result.err.splitlines()) == 1
        for words in mention:
            assert words in result.err

    return check


OUTPUTS = [("--html", "o.html"), ("--plot", "o.svg"), ("--plot", "o.png"), ("--parquet", "o.pq")]
each_output = pytest.mark.parametrize(("option", "name"), OUTPUTS)


@each_output
def test_a_file_is_written_and_replaced(winnable, store, option, name):
    path = store.parent / name
    path.write_text("before")
    path.chmod(0o640)
    result = winnable("report", store, option, path)
    assert (result.code, result.out) == (0, "")
    assert result.err == f"Written to {path}.\n"
    assert path.stat().st_size > 1000
    assert path.stat().st_mode & 0o777 == 0o640
    before = path.read_bytes()
    assert winnable("report", store, option, path, "--quiet").err == ""
    assert path.read_bytes() == before
    assert {each.name for each in store.parent.iterdir()} == {"s.sqlite", "s.sqlite.lock", name}


def test_a_new_file_has_the_usual_permissions(winnable, store):
    path, usual = store.parent / "o.html", store.parent / "usual"
    usual.touch()
    assert winnable("report", store, "--html", path).code == 0
    assert path.stat().st_mode == usual.stat().st_mode


def test_what_is_in_the_files(winnable, store):
    folder = store.parent
    for option, name in OUTPUTS:
        assert winnable("report", store, option, folder / name).code == 0
    rate = winnable("report", store, "--json").row["win_rate_percent"]
    shown = f"{rate['center']:.3f} ± {rate['half']:.3f}"
    assert shown in checked_page((folder / "o.html").read_text()).text
    assert ET.parse(folder / "o.svg").getroot().tag.endswith("svg")
    assert (folder / "o.png").read_bytes().startswith(b"\x89PNG")
    lines = winnable("report", store, "--csv").out.splitlines()[1:]
    table = parquet.read_table(folder / "o.pq").to_pydict()
    for line, *values in zip(lines, *table.values(), strict=True):
        assert line == ",".join("" if value is None else str(value) for value in values)


def test_a_folder_of_reports(winnable, store, tmp_path):
    (tmp_path / "summary.json").write_text(winnable("report", store, "--json").out)
    assert len(winnable("report", tmp_path, "--json").rows) == 2
    assert winnable("report", tmp_path, "--html", tmp_path / "o.html").code == 0
    # Of the store and the summary of it one is shown.
    assert "Report of" not in (tmp_path / "o.html").read_text()


@pytest.mark.parametrize("figure", ["rates", "settling", "stock_left"])
def test_a_figure_is_chosen(winnable, store, figure):
    path = store.parent / "o.svg"
    assert winnable("report", store, "--plot", path, "--figure", figure).code == 0
    assert path.stat().st_size > 1000


def test_what_can_not_be_written(refuses, store, tmp_path):
    before = store.read_bytes()
    for option, name in OUTPUTS:
        refuses("report", store, option, tmp_path / "no" / name, mention=["no folder", name])
    refuses("report", store, "--html", tmp_path, mention=[str(tmp_path), "folder"])
    refuses("report", store, "--html", "x" * 300, mention=["can't be written"])
    refuses("report", store, "--html", store, mention=["is to be read"])
    refuses("report", store, "--parquet", store, mention=["is to be read"])
    assert store.read_bytes() == before


def test_a_store_is_never_overwritten(refuses, winnable, store, tmp_path):
    other = tmp_path / "other.sqlite"
    assert winnable("study", "tripeaks", "0:9", "--store", other, "--quiet").code == 0
    before = other.read_bytes()
    link = tmp_path / "link.html"
    link.symlink_to(other)
    for path in (other, link):
        refuses("report", store, "--html", path, mention=["is a store, which is not overwritten"])
    assert other.read_bytes() == before


def test_through_a_link_the_file_behind_it_is_written(winnable, store, tmp_path):
    link, file = tmp_path / "link.html", tmp_path / "file.html"
    file.write_text("before")
    link.symlink_to(file)
    assert winnable("report", store, "--html", link).code == 0
    assert link.is_symlink()
    assert file.read_text().startswith("<!doctype html>")


def test_what_was_there_stays_when_the_report_fails(refuses, store, tmp_path):
    path = tmp_path / "o.svg"
    path.write_text("before")
    refuses("report", store, "--plot", path, "--figure", "nodes", mention=["no figure 'nodes'"])
    junk = tmp_path / "junk.json"
    junk.write_text("{}")
    refuses("report", junk, "--html", path, mention=[str(junk)])
    assert path.read_text() == "before"
    assert not list(tmp_path.glob(".winnable*"))


def test_a_pipe_is_written_as_it_is(winnable, store, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    assert winnable("report", store, "--html", pipe).code == 0
    reader.join(timeout=30)
    assert read[0].startswith("<!doctype html>")
    assert pipe.is_fifo()


def test_a_pipe_without_a_name(winnable, store):
    read_end, write_end = os.pipe()
    with os.fdopen(read_end) as pipe:
        read = []
        reader = threading.Thread(target=lambda: read.append(pipe.read()))
        reader.start()
        assert winnable("report", store, "--html", f"/dev/fd/{write_end}").code == 0
        os.close(write_end)
        reader.join(timeout=30)
    assert read[0].startswith("<!doctype html>")


def test_options_that_do_not_go_together(refuses, store):
    refuses("report", store, "--html", "o.html", "--csv", mention=["Choose one of", "--html"])
    refuses("report", store, "--figure", "rates", mention=["--plot"])
    refuses("report", store, store, "--parquet", "o.pq", mention=["--parquet takes one store"])
    refuses("report", store, "--plot", "o.pdf", mention=[".svg or .png", "o.pdf"])


@pytest.mark.parametrize(
    ("option", "name", "package", "extra"),
    [
        ("--plot", "o.svg", "matplotlib", "winnable[plot]"),
        ("--parquet", "o.pq", "pyarrow", "winnable[parquet]"),
    ],
)
def test_an_extra_that_is_not_installed(refuses, store, monkeypatch, option, name, package, extra):
    monkeypatch.setitem(sys.modules, package, None)
    path = store.parent / name
    refuses("report", store, option, path, mention=[package, f"pip install '{extra}'"])
    assert not path.exists()


@pytest.mark.compiled_only
def test_reports_of_matches(winnable, refuses, tmp_path):
    store = tmp_path / "m.sqlite"
    match = ("duel", "simulate", "zank", "0:3", "--first", "random", "--second", "random")
    simulated = winnable(*match, "--store", store, "--quiet")
    assert simulated.code == 0
    assert winnable("report", store).out == simulated.out
    row = winnable("report", store, "--json").row
    assert row["games"] == 4
    assert winnable("report", store, "--html", tmp_path / "o.html").code == 0
    page = checked_page((tmp_path / "o.html").read_text())
    assert "random against random" in page.text
    assert winnable("report", store, "--plot", tmp_path / "o.svg", "--figure", "turns").code == 0
    refuses("report", store, "--check", 2, mention=["'winnable duel simulate'"])
    refuses("study", "tripeaks", "0:9", "--store", store, "--quiet", mention=["duel simulate"])
