"""The page of all commands is what their help says now."""

import importlib.util
from pathlib import Path

import pytest

from winnable_cli.main import COMMANDS

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def script():
    path = ROOT / "docs" / "build_reference.py"
    spec = importlib.util.spec_from_file_location("build_reference", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_up_to_date(script):
    made, kept = script.page().splitlines(), script.PAGE.read_text(encoding="utf-8").splitlines()
    differences = [line for line in made if line not in kept] + [
        f"gone: {line}" for line in kept if line not in made
    ]
    assert made == kept, f"run 'make reference', and commit docs/commands.md: {differences[:5]}"


def test_every_command_and_option_is_on_the_page(script):
    page = script.page()
    for name in COMMANDS:
        assert f"\n## winnable {name}\n" in page
    assert "\n## winnable duel simulate\n" in page
    assert "- `--retry-unknown`: " in page
    assert "- `-h, --help`: " in page


def test_help_texts_become_markdown(script):
    words = "One *two*\nthree <four>, 1 < 2.\n\n\b\n  a  b\n  c\n\fnot shown"
    assert list(script._words(words)) == [
        "One \\*two\\* three \\<four>, 1 < 2.",
        "```\na  b\nc\n```",
    ]
