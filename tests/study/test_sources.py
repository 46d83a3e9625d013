"""What a report is made of, by what the files say they are."""

import json
from pathlib import Path

import pytest

from winnable.errors import StoreError
from winnable.study.report import load_summaries, plain_report
from winnable.study.sources import files_in, is_match, is_store_of_matches, load_any, text_of

RESULTS = Path(__file__).parents[2] / "results"
STORE = RESULTS / "canfield" / "thoughtful.sqlite"
SUMMARY = RESULTS / "tripeaks-standard.json"


def test_a_folder_stands_for_the_files_in_it(tmp_path):
    for name in ("b.sqlite", "a.json", "b.sqlite.lock", "notes.txt", "below/c.json"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    named = tmp_path / "notes.txt"
    assert files_in([named, tmp_path]) == [
        named,
        tmp_path / "a.json",
        tmp_path / "b.sqlite",
        tmp_path / "below" / "c.json",
    ]


def test_a_folder_of_all_results_is_read():
    files = files_in([RESULTS])
    assert {STORE, SUMMARY} <= set(files)
    assert not {"play-rate", "difficulty"} & {file.parent.name for file in files}
    assert all(load_any(file) for file in files if file.suffix == ".json")


def test_a_folder_without_any(tmp_path):
    with pytest.raises(StoreError, match=r"no file that ends in \.json or \.sqlite"):
        files_in([tmp_path])


def test_studies_are_told_by_store_and_summary():
    assert not is_store_of_matches(STORE)
    assert not is_store_of_matches(SUMMARY)
    (held,), (kept,) = load_any(STORE), load_summaries(STORE.with_suffix(".json"))
    assert held["verdict_sha256"] == kept["verdict_sha256"]
    assert not is_match(held)
    assert load_any(SUMMARY) == load_summaries(SUMMARY)
    assert text_of(held) == plain_report(held)


def test_what_is_neither(tmp_path):
    path = tmp_path / "s.json"
    for content in ('{"first_wins": 3}', "[]", '"first_wins"', "5"):
        path.write_text(content)
        with pytest.raises(StoreError, match="does not hold"):
            load_any(path)
    with pytest.raises(StoreError, match="There is no store"):
        load_any(tmp_path / "none.sqlite")
    junk = tmp_path / "junk.sqlite"
    junk.write_text(json.dumps("junk") * 100)
    with pytest.raises(StoreError, match="not a store"):
        load_any(junk)
