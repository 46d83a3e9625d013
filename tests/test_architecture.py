"""Which way the imports point, and what the command line must not load."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import winnable
import winnable_cli

LIBRARY = Path(winnable.__file__).parent
COMMAND_LINE = Path(winnable_cli.__file__).parent

# Room -> the rooms it may import. A room is a folder or a module directly under `winnable`.
MAY_IMPORT = {
    "errors": set(),
    "version": set(),
    "arrays": set(),
    "cards": {"errors"},
    "jit": {"version"},
    "deals": {"arrays", "cards", "errors", "jit"},
    "search": {"arrays", "cards", "errors", "jit"},
    "games": {"arrays", "cards", "deals", "errors", "jit", "search"},
    "duel": {"arrays", "cards", "deals", "errors", "games", "jit", "search"},
    "players": {"arrays", "cards", "deals", "errors", "games", "jit"},
    "study": {"arrays", "cards", "deals", "duel", "errors", "games", "players", "version"},
    "pages": {"cards", "deals", "duel", "errors", "games", "players", "study", "version"},
}
# The front door: it may show what any room but the study offers.
FRONT_DOOR = {"cards", "deals", "errors", "games", "version"}


# The compiled modules of the two-player games.
DUEL_KERNELS = (
    "state",
    "moves",
    "engine",
    "hidden",
    "policy",
    "planner",
    "montecarlo",
    "match",
    "position_graph",
    "judge_search",
    "judge_values",
    "solvable_search",
)


def sources(package):
    files = sorted(package.rglob("*.py"))
    assert files
    return files


def module_name(file, package):
    parts = (package.name, *file.relative_to(package).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(file, package):
    """Every module and name that a file imports anywhere, as dotted names."""
    found = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            origin = node.module or ""
            if node.level:
                here = module_name(file, package).split(".")
                up = node.level - (file.name == "__init__.py")
                origin = ".".join([*here[: len(here) - up], *filter(None, [origin])])
            found += [f"{origin}.{alias.name}" for alias in node.names]
    return found


def room_of(dotted):
    """The room under `winnable` that a dotted name leads to, None outside the library."""
    parts = dotted.split(".")
    return parts[1] if parts[0] == "winnable" and len(parts) > 1 else None


def is_within(dotted, package):
    return dotted == package or dotted.startswith(package + ".")


def rooms_imported(file):
    return {room for room in map(room_of, imports(file, LIBRARY)) if room is not None}


def test_every_room_has_its_place_in_the_order():
    found = {path.stem for path in LIBRARY.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert found - {"__init__", "__pycache__"} <= set(MAY_IMPORT)


@pytest.mark.parametrize("file", sources(LIBRARY), ids=lambda f: f.relative_to(LIBRARY).as_posix())
def test_imports_point_one_way(file):
    relative = file.relative_to(LIBRARY)
    room = relative.parts[0].removesuffix(".py")
    if room == "__init__":
        assert rooms_imported(file) <= FRONT_DOOR
        return
    assert rooms_imported(file) <= MAY_IMPORT[room] | {room}
    assert "winnable" not in imports(file, LIBRARY), "import the room, not the front door"


def test_the_order_has_no_cycle():
    order = list(MAY_IMPORT)
    for room, below in MAY_IMPORT.items():
        assert all(order.index(other) < order.index(room) for other in below)


def test_a_game_never_imports_another_game():
    games = [path.name for path in (LIBRARY / "games").iterdir() if (path / "__init__.py").exists()]
    assert "tripeaks" in games
    for game in games:
        others = [f"winnable.games.{other}" for other in games if other != game]
        for file in sources(LIBRARY / "games" / game):
            for dotted in imports(file, LIBRARY):
                assert not any(is_within(dotted, other) for other in others), file


def test_two_player_games_share_only_rule_tables_and_answers_with_the_others():
    shared = ("winnable.games.ruleset", "winnable.games.base")
    for file in sources(LIBRARY / "duel"):
        for dotted in imports(file, LIBRARY):
            if is_within(dotted, "winnable.games"):
                assert any(is_within(dotted, other) for other in shared), file


def test_what_games_share_knows_no_game():
    """The registry names games as text, so that each is loaded when it is asked for."""
    games = {path.name for path in (LIBRARY / "games").iterdir() if path.is_dir()}
    for file in (LIBRARY / "games").glob("*.py"):
        for dotted in imports(file, LIBRARY):
            assert not any(is_within(dotted, f"winnable.games.{game}") for game in games), file


def test_the_library_knows_neither_click_nor_the_command_line():
    for file in sources(LIBRARY):
        for dotted in imports(file, LIBRARY):
            for package in ("click", "tqdm", "winnable_cli"):
                assert not is_within(dotted, package), f"{file} imports {package}"


def test_the_library_prints_nothing():
    for file in sources(LIBRARY):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        assert "print" not in names, file
        attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert not attributes & {"stdout", "stderr"}, file


KERNELS = {"kernel", "lean_kernel", "inlined"}


def kernel_functions(tree, names=KERNELS):
    for node in ast.walk(tree):
        decorators = getattr(node, "decorator_list", [])
        if any(isinstance(d, ast.Name) and d.id in names for d in decorators):
            yield node


def names_from(tree, module_end):
    """The names that a file imports from modules with this last part, or those modules."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            from_there = (node.module or "").endswith("." + module_end)
            for alias in node.names:
                if from_there or alias.name == module_end:
                    yield alias.asname or alias.name


def test_kernels_use_nothing_of_the_plain_rules():
    checked = 0
    for file in [file for room in ("games", "duel", "players") for file in sources(LIBRARY / room)]:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        from_rules = set(names_from(tree, "rules"))
        for function in kernel_functions(tree):
            checked += 1
            used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
            assert not used & from_rules, f"{file}: {function.name} uses the plain rules"
    assert checked > 0


def test_lean_kernels_return_no_arrays():
    """Nobody would own them: the one who calls counts references, the lean kernel doesn't."""
    returned = set()
    for file in sources(LIBRARY):
        for function in kernel_functions(ast.parse(file.read_text("utf-8")), {"lean_kernel"}):
            returned.add(ast.unparse(function.returns))
    numbers = {"int", "bool", "None", "np.uint64", "tuple[int, int]"}
    # Each is a tuple of integers.
    tuples = {"Targets", "Sum", "Facts", "Position"}
    assert {"int", "None"} < returned <= numbers | tuples


def test_plain_rules_know_no_kernel():
    for file in (LIBRARY / "games").glob("*/rules.py"):
        own = f"winnable.games.{file.parent.name}"
        forbidden = ("winnable.jit", "winnable.search", "numpy", "numba", own)
        for dotted in imports(file, LIBRARY):
            assert not any(is_within(dotted, other) for other in forbidden), file


def test_plain_rules_of_two_players_know_no_kernel():
    compiled = (*DUEL_KERNELS, "convert", "simulate", "graph_line", "judge", "solvable")
    forbidden = ["winnable.jit", "winnable.search", "numpy", "numba"]
    forbidden += [f"winnable.duel.{name}" for name in compiled]
    for file in sources(LIBRARY / "duel"):
        if file.stem not in compiled:
            for dotted in imports(file, LIBRARY):
                assert not any(is_within(dotted, other) for other in forbidden), file


def test_kernels_of_two_players_know_no_plain_rules():
    for name in DUEL_KERNELS:
        for dotted in imports(LIBRARY / "duel" / f"{name}.py", LIBRARY):
            for plain in ("rules", "position", "tables"):
                assert not is_within(dotted, f"winnable.duel.{plain}"), name


def test_only_one_module_compiles():
    for file in sources(LIBRARY):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        if file.name == "jit.py":
            continue
        names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        names |= {dotted.rpartition(".")[2] for dotted in imports(file, LIBRARY)}
        assert not names & {"njit", "jit_module", "vectorize", "guvectorize"}, file


def test_the_command_line_never_imports_numba():
    for file in sources(COMMAND_LINE):
        for dotted in imports(file, COMMAND_LINE):
            assert not is_within(dotted, "numba"), file


LOADED = """
import json, sys
import winnable_cli.main
status = winnable_cli.main.run(sys.argv[1:]) if sys.argv[1:] else 0
print()
print(json.dumps([status, sorted(name for name in sys.modules if "." not in name)]))
"""


def test_the_words_of_two_player_games_load_neither_numba_nor_numpy():
    program = "import sys, winnable.duel.game; sys.exit('numpy' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


@pytest.mark.parametrize(
    "arguments", [[], ["--help"], ["--version"], ["games"], ["games", "tripeaks"]], ids=str
)
def test_a_glance_loads_neither_numba_nor_numpy(arguments):
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *arguments],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    status, modules = json.loads(done.stdout.splitlines()[-1])
    assert status == 0
    assert not {"numba", "numpy", "llvmlite", "tqdm", "sqlite3"} & set(modules)


def test_a_page_loads_neither_compiler_nor_what_other_forms_of_reports_need(tmp_path):
    summary = Path(__file__).parents[1] / "results" / "tripeaks-open.json"
    arguments = ["report", str(summary), "--html", str(tmp_path / "o.html")]
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *arguments],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    status, modules = json.loads(done.stdout.splitlines()[-1])
    assert status == 0
    assert not {"numba", "matplotlib", "pyarrow"} & set(modules)
