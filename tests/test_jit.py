"""Where compiled code is kept, and that an edited kernel is never run in its old form."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest
from duel_agreement import play_one
from numba import config
from numba.core.registry import CPUDispatcher

import winnable
from winnable import jit
from winnable.deals import NUMBERINGS
from winnable.duel.tables import RULE_TABLES, variant_of
from winnable.games import REGISTRY, get_game
from winnable.games.base import Limits
from winnable.players.kinds import get_player
from winnable.players.seats import PlayBatch

PACKAGE = Path(winnable.__file__).parent
# So that no deal takes long; more than a game's first steps need.
FEW_NODES = Limits(max_nodes=20_000)


@pytest.fixture
def copied_package(tmp_path):
    """The package in a folder of its own, to be edited."""
    copy = tmp_path / "source" / "winnable"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def append_comment(file):
    file.write_text(file.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")


def modules_with_kernels():
    """The source files that define kernels, or constants and helpers for them."""
    sources = [file for file in PACKAGE.rglob("*.py") if "jit import" in file.read_text("utf-8")]
    return sorted(file.relative_to(PACKAGE) for file in sources if "cli" not in file.parts)


def test_there_are_kernels_in_all_known_places():
    names = {file.as_posix() for file in modules_with_kernels()}
    assert {"games/tripeaks/exact.py", "deals/kernels/native.py"} <= names


def test_the_digest_is_stable_and_short(copied_package):
    assert jit.kernel_digest(copied_package) == jit.kernel_digest() == jit.kernel_digest(PACKAGE)
    assert len(jit.kernel_digest()) == 16


def test_the_digest_changes_with_every_kernel_source(copied_package):
    seen = {jit.kernel_digest(copied_package)}
    for file in ("cards.py", "jit.py", *modules_with_kernels()):
        append_comment(copied_package / file)
        digest = jit.kernel_digest(copied_package)
        assert digest not in seen, f"an edit of {file} went unnoticed"
        seen.add(digest)


def test_the_digest_notices_new_renamed_and_removed_files(copied_package):
    digests = [jit.kernel_digest(copied_package)]
    new = copied_package / "search" / "new.py"
    new.write_text("A = 1\n", encoding="utf-8")
    digests.append(jit.kernel_digest(copied_package))
    renamed = new.rename(new.with_name("newer.py"))
    digests.append(jit.kernel_digest(copied_package))
    assert len(set(digests)) == 3
    renamed.unlink()
    assert jit.kernel_digest(copied_package) == digests[0]


def test_the_digest_leaves_other_files_out(copied_package):
    before = jit.kernel_digest(copied_package)
    for file in ("__init__.py", "errors.py", "version.py", "study/run.py"):
        append_comment(copied_package / file)
    (copied_package / "games" / "notes.txt").write_text("nothing", encoding="utf-8")
    assert jit.kernel_digest(copied_package) == before


@pytest.fixture
def cache_dir(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv(jit.CACHE_VARIABLE, str(folder))
    return folder


def test_the_chosen_folder_is_made_and_named_after_the_digest(cache_dir):
    folder, _ = jit._prepare_cache()
    assert folder == cache_dir / f"kernels-{jit.kernel_digest()}"
    assert list(folder.iterdir()) == []
    assert jit._prepare_cache() == (folder, True)


def test_the_usual_folder_is_the_users_cache(tmp_path, monkeypatch):
    monkeypatch.delenv(jit.CACHE_VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    assert jit.cache_root() == tmp_path / "winnable"
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert jit.cache_root() == tmp_path / ".cache" / "winnable"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert jit.cache_root() == tmp_path / "Library" / "Caches" / "winnable"


def check_fallback():
    folder, is_kept = jit._prepare_cache()
    try:
        assert not is_kept
        assert folder.is_dir()
        assert folder.name.startswith("winnable-kernels-")
    finally:
        shutil.rmtree(folder)


def test_a_folder_that_is_a_file_leads_to_a_temporary_one(cache_dir):
    cache_dir.write_text("in the way", encoding="utf-8")
    check_fallback()


def test_a_folder_without_write_permission_leads_to_a_temporary_one(cache_dir, monkeypatch):
    def refused(**_):
        raise PermissionError(13, "Permission denied")

    # Tests may run as root, who may write anywhere; so the refusal is made up.
    monkeypatch.setattr(tempfile, "TemporaryFile", refused)
    check_fallback()


def test_no_home_folder_leads_to_a_temporary_one(monkeypatch):
    def no_home():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv(jit.CACHE_VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setattr(Path, "home", no_home)
    check_fallback()


def test_code_of_other_versions_goes_once_it_is_old(cache_dir):
    names = ("kernels-old", "kernels-young", "something-else")
    for name in names:
        (cache_dir / name).mkdir(parents=True)
        (cache_dir / name / "code.nbi").write_text("", encoding="utf-8")
    long_ago = time.time() - jit.STALE_AFTER_SECONDS - 60
    for name in ("kernels-old", "something-else"):
        os.utime(cache_dir / name, (long_ago, long_ago))
    folder, _ = jit._prepare_cache()
    left = {path.name for path in cache_dir.iterdir()}
    assert left == {"kernels-young", "something-else", folder.name}


def test_decorating_leaves_the_configuration_of_others_alone(monkeypatch):
    monkeypatch.setattr(config, "CACHE_DIR", "/somebody/else")

    @jit.kernel
    def nothing(x: int) -> int:
        return x

    assert config.CACHE_DIR == "/somebody/else"
    assert nothing.__name__ == "nothing"


HELPER = """
from winnable.jit import kernel

STEP = 10

@kernel
def step(x):
    return x + STEP
"""
CALLER = """
from winnable.jit import kernel
from winnable.search.helper import step

@kernel
def twice(x):
    return step(step(x))
"""
RUN = """
from winnable.jit import on_first_compilation
told = []
on_first_compilation(told.append)
from winnable.search.caller import twice
print(twice(1), len(told))
"""


@pytest.mark.compiled_only
def test_an_edited_kernel_compiles_again_and_an_unedited_one_does_not(copied_package, tmp_path):
    helper = copied_package / "search" / "helper.py"
    helper.write_text(HELPER, encoding="utf-8")
    (copied_package / "search" / "caller.py").write_text(CALLER, encoding="utf-8")
    environment = {
        **os.environ,
        "PYTHONPATH": str(copied_package.parent),
        jit.CACHE_VARIABLE: str(tmp_path / "cache"),
    }

    def run():
        command = [sys.executable, "-c", RUN]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True, timeout=120
        )
        return done.stdout.split()

    assert run() == ["21", "1"]
    assert run() == ["21", "0"]
    # The caller's own file stays as it is: numba alone would run the old sum on.
    helper.write_text(HELPER.replace("STEP = 10", "STEP = 20"), encoding="utf-8")
    assert run() == ["41", "1"]
    assert run() == ["41", "0"]
    assert len(list((tmp_path / "cache").glob("kernels-*"))) == 2


def test_the_first_compilation_is_announced_once():
    told = []
    listener = jit._FirstCompilation(told.append)
    for _ in range(3):
        listener.on_start(None)
        listener.on_end(None)
    assert told == [jit.CACHE_FOLDER]


def kernels():
    """Every kernel of the package by its dotted name; helpers that are inlined are left out."""
    found = {}
    for module in walk_packages([str(PACKAGE)], "winnable."):
        names = ("deals", "duel", "games", "players", "search")
        rooms = tuple(f"winnable.{name}" for name in names)
        if module.name.startswith(rooms):
            for value in vars(import_module(module.name)).values():
                if isinstance(value, CPUDispatcher) and value.py_func.__module__ == module.name:
                    found[f"{module.name}.{value.__name__}"] = value
    return {
        name: dispatcher
        for name, dispatcher in found.items()
        if dispatcher.targetoptions.get("inline") != "always"
    }


def play_every_game():
    """Call what calls kernels, in every way there is."""
    for name in REGISTRY:
        game = get_game(name)
        for rule_set in game.rules.names:
            rules = game.rules.resolve(rule_set)
            for numbering in map(NUMBERINGS.get, game.numberings):
                for best in (False, True):
                    batch = game.batch(rules, numbering, Limits(), best)
                    if batch.block == 1:
                        batch = game.batch(rules, numbering, FEW_NODES, best)
                    batch.solve(numbering.first, 1)
                    # More deals than lanes, where deals share them.
                    count = 71 if batch.block > 1 else 2
                    batch.solve(numbering.last - count + 1, count)
            for player in ("random", "casual", "greedy", "look-ahead:playouts=2"):
                PlayBatch(name, rules, NUMBERINGS["winnable"], get_player(player)).solve(1, 2)
            deal = game.deal(NUMBERINGS["winnable"], 1, rules)
            game.answer(deal, rules, FEW_NODES, "best" in game.aims, "shortest" in game.aims)
            game.solve(deal, rules, Limits(max_nodes=10**9, max_seconds=1))


@pytest.mark.compiled_only
@pytest.mark.runs_last
def test_no_kernel_is_compiled_for_a_second_set_of_types():
    """A second signature means seconds of compiling more: a Python int here, an int32 there."""
    play_every_game()
    for game in RULE_TABLES:
        play_one(variant_of(game), 1, 20)
    found = kernels()
    twice = {
        name: kernel.signatures for name, kernel in found.items() if len(kernel.signatures) > 1
    }
    assert twice == {}
    # Kernels that only other kernels call have none when their caller came from the disk.
    called = {name for name, kernel in found.items() if kernel.signatures}
    assert "winnable.games.tripeaks.exact.fill_reach" in called
    assert "winnable.duel.engine.play" in called
    assert {f"winnable.players.kernels.{name}.play_deals" for name in REGISTRY} <= called
    assert {f"winnable.deals.kernels.{name}.fill_packs" for name in ("native", "pysol")} <= called
