"""The published games between agents: tables, commands and figures are those of the files."""

import json
import re
import shlex
from pathlib import Path

import pytest

from winnable.duel.agents import get_agent
from winnable.duel.tables import RULE_TABLES
from winnable.study.match_tables import markdown_table
from winnable.study.repeat import match_commands
from winnable.study.sources import load_any

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "results" / "duel"
TEXT = (RESULTS / "README.md").read_text(encoding="utf-8")
FOLDERS = sorted(path.name for path in RESULTS.iterdir() if path.is_dir())
SUMMARIES = {
    file: load_any(file)[0] for file in sorted(RESULTS.glob("*/*.json"), key=lambda x: x.parts)
}


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_table_is_made_from_its_files(folder):
    rows = [summary for file, summary in SUMMARIES.items() if file.parent.name == folder]
    assert markdown_table(rows) in TEXT
    assert f"results/duel/{folder}/*.json" in TEXT


@pytest.mark.parametrize("file", SUMMARIES, ids=lambda file: f"{file.parent.name} {file.stem}")
def test_the_command_that_repeats_it_stands_there(file):
    summary = SUMMARIES[file]
    (command,) = match_commands(summary)
    assert f"| `{file.parent.name}/{file.name}` | `{command}` | " in TEXT
    # It is typed as it can be read again.
    words = shlex.split(command)
    agents = [str(get_agent(words[words.index(side) + 1])) for side in ("--first", "--second")]
    assert agents == [summary["first"], summary["second"]]
    changes = [words[i + 1] for i, word in enumerate(words) if word == "--set"]
    rules = RULE_TABLES[words[3]].resolve(words[words.index("--rules") + 1], changes)
    assert rules.settings == summary["settings"]


def test_there_are_enough_games_of_every_option():
    """Ten thousand games at least, greedy and planned, of all that is not played out at once."""
    for game, table in RULE_TABLES.items():
        for agent, least in (("greedy", 100_000), ("planner", 10_000)):
            played = [
                summary
                for file, summary in SUMMARIES.items()
                if file.parent.name == f"{game}-{agent}" and summary["games"] >= least
            ]
            values = {item for summary in played for item in summary["settings"].items()}
            for parameter in table.parameters:
                # Agents never miss what they could be called on for.
                if parameter.name != "stop":
                    assert {(parameter.name, value) for value in parameter.values} <= values


def test_the_readme_quotes_the_tables_and_the_benchmark():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?:Russian Bank|Zank-Patience) \|.*$", readme, re.MULTILINE)
    assert len(rows) >= 4
    assert all(row in TEXT for row in rows)
    record = json.loads((ROOT / "benchmarks" / "duel.json").read_text(encoding="utf-8"))
    assert all(figure["reached"] for figure in record["figures"])
    for figure in record["figures"]:
        if figure["unit"] == "%":
            assert f"{figure['value']:.1f} %" in readme
        elif figure["unit"] == "games/CPU-second":
            assert f"{figure['value']:,}" in readme
