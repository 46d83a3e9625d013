"""The tables of who wins how often, and of how hard deals are, are made from the files."""

import runpy
from pathlib import Path

import pytest

from winnable.players.kinds import get_player

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("script", "function", "page"),
    [
        ("play_rate.py", "gap_table", "results/README.md"),
        ("play_rate.py", "score_table", "results/README.md"),
        ("difficulty.py", "recorded_table", "docs/difficulty.md"),
    ],
)
def test_a_table_is_what_the_files_say(script, function, page):
    table = runpy.run_path(str(ROOT / "benchmarks" / script))[function]()
    assert len(table.splitlines()) > 4
    assert table in (ROOT / page).read_text(encoding="utf-8")


def test_every_file_is_of_a_range_that_the_script_names():
    script = runpy.run_path(str(ROOT / "benchmarks" / "play_rate.py"))
    players = {
        (game, player.partition(":")[0]): (player, deals)
        for game, of_game in script["DEALS"].items()
        for player, deals in of_game.items()
    }
    for (game, _), rows in script["played"]().items():
        for name, row in rows.items():
            player, deals = players[game, name]
            assert row["numbers"] == [[0, deals - 1]]
            assert row["player"] == str(get_player(player))
