"""The README says what the program prints, and quotes only figures that are in files."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from winnable.study.report import load_summaries, markdown_table

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
RESULTS = sorted((ROOT / "results").glob("*.json"))
SESSIONS = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def parts(session):
    """The commands of a session, each with the lines that it should print."""
    pieces = re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]
    return [(piece.splitlines()[0], piece.splitlines()[1:]) for piece in pieces]


def matches(lines, expected):
    """Whether lines are those expected, where ``...`` stands for any number of lines."""
    pattern = "".join(r"(.*\n)*" if line == "..." else re.escape(line) + "\n" for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in lines)) is not None


@pytest.mark.compiled_only
@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.splitlines()[0][2:40])
def test_the_tour_shows_what_is_printed(session, tmp_path):
    # The command as installed, or else as a function of the shell.
    define = f'winnable() {{ "{sys.executable}" -m winnable_cli "$@"; }}\n'
    paths = os.pathsep.join([str(ROOT / "solver"), str(ROOT / "cli")])
    environment = {**os.environ, "PYTHONPATH": paths}
    for command, expected in parts(session):
        result = subprocess.run(
            ["bash", "-c", define + command],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        lines = [line for line in result.stdout.splitlines() if not line.startswith("Compiling ")]
        assert not expected or matches(lines, expected), result.stdout


def test_the_python_example_runs(capsys):
    (example,) = PYTHON
    exec(example, {})
    assert capsys.readouterr().out == "winnable 5 ('play 7S', 'play 6C')\n"


def test_the_tables_are_made_from_the_files():
    table = markdown_table(summary for path in RESULTS for summary in load_summaries(path))
    assert table in (ROOT / "results" / "README.md").read_text(encoding="utf-8")
    rows = table.splitlines()
    in_readme = [row for row in README.splitlines() if row in rows]
    assert len(in_readme) >= 6


def test_every_figure_of_the_readme_is_in_the_results():
    results = (ROOT / "results" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?:Tri-Peaks|Canfield|Spider) \|.*$", README, re.MULTILINE)
    assert len(rows) >= 9
    assert all(row in results for row in rows)


@pytest.mark.parametrize("folder", ["best", "canfield", "spider", "canfield/rules"])
def test_the_tables_of_further_studies(folder):
    files = sorted((ROOT / "results" / folder).glob("*.json"))
    table = markdown_table(summary for path in files for summary in load_summaries(path))
    assert table in (ROOT / "results" / "README.md").read_text(encoding="utf-8")


def test_the_speeds_are_those_on_record():
    record = json.loads((ROOT / "benchmarks" / "tripeaks.json").read_text(encoding="utf-8"))
    rates = [each for each in record["figures"] if each["unit"] == "deals/CPU-second"]
    assert len(rates) == 8
    assert all(each["reached"] for each in record["figures"])
    for rate in rates:
        assert f"{rate['value']:,}" in README


def test_the_times_of_canfield_are_those_on_record():
    record = json.loads((ROOT / "benchmarks" / "canfield.json").read_text(encoding="utf-8"))
    for row in record["rows"]:
        times = row["milliseconds"]
        shown = f"{times['mean']:.1f} | {times['median']:.2f} | {times['p99']:.0f}"
        line = f"| `{row['rules']}` | {shown} | {times['worst']:.0f} | {row['unknown']} |"
        assert line in README
        if "solvitaire" in row:
            assert f"{row['solvitaire']['ratio']:.0f} times" in README


def test_the_times_of_spider_are_those_on_record():
    record = json.loads((ROOT / "benchmarks" / "spider.json").read_text(encoding="utf-8"))
    for row, suits in zip(record["rows"], (4, 2, 1), strict=True):
        times = [f"{row['seconds'][key]:.3f}" for key in ("median", "mean", "worst")]
        counts = f"{row['deals']:,} | {row['won']:,}"
        assert f"| {suits} | {counts} | {' | '.join(times)} |" in README
