"""Everything that a person can get wrong: one sentence on stderr, exit status 2, no traceback."""

import sqlite3

import pytest

TOO_BIG = str(2**64)


@pytest.fixture
def store(winnable, tmp_path):
    """A finished store of standard rules."""
    path = tmp_path / "s.sqlite"
    assert winnable("study", "tripeaks", "0:3", "--store", path, "--quiet").code == 0
    return path


@pytest.fixture
def refuses(winnable):
    def check(*args, mention=(), stdin=b""):
        result = winnable(*args, stdin=stdin)
        assert result.code == 2
        assert result.out == ""
        lines = result.err.strip().splitlines()
        assert 1 <= len(lines) <= 4
        assert lines[0].startswith("winnable: ")
        assert len(lines[0]) > len("winnable: ") + 10
        assert "Traceback" not in result.err
        for words in mention:
            assert words in result.err
        return result

    return check


ONE_OF_EACH = {
    "solve": ("solve", "tripeaks", 1),
    "deal": ("deal", "tripeaks", 1),
    "verify": ("verify", "tripeaks", 1, "-"),
    "study": ("study", "tripeaks", "0:9"),
    "find": ("find", "tripeaks"),
}
each_command = pytest.mark.parametrize("command", ONE_OF_EACH.values(), ids=ONE_OF_EACH)


@each_command
@pytest.mark.parametrize(
    ("options", "mention"),
    [
        (["--rules", "standart"], ["'standart'", "mean standard?", "no-wrap", "open-no-wrap"]),
        (["--rules", "zzz"], ["'zzz'", "standard", "open"]),
        (["--set", "wrapp=no"], ["'wrapp'", "mean wrap?", "waste"]),
        (["--set", "wrap=nope"], ["'nope'", "wrap", "mean no?", "yes"]),
        (["--set", "wrap"], ["'wrap'", "KEY=VALUE"]),
        (["--set", "=no"], ["''", "wrap"]),
        (["--numbering", "pysoll"], ["'pysoll'", "mean pysol?", "winnable", "aisleriot"]),
        (["--nonsense"], ["--nonsense"]),
    ],
)
def test_unknown_names(refuses, command, options, mention, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    refuses(*command, *options, mention=mention)
    assert list(tmp_path.iterdir()) == []


@each_command
def test_an_unknown_game(refuses, command):
    name, _, *rest = command
    refuses(name, "tripeeks", *rest, mention=["'tripeeks'", "mean tripeaks?", "Known: tripeaks"])


def test_unknown_games_and_commands(refuses):
    refuses("games", "tripeeks", mention=["'tripeeks'", "tripeaks"])
    refuses("sovle", mention=["'sovle'", "mean solve?", "games", "report"])


@pytest.mark.parametrize("command", ["solve", "deal", "find", "study"])
@pytest.mark.parametrize(
    ("number", "numbering", "mention"),
    [
        ("abc", "winnable", ["'abc'", "0", str(2**64 - 1)]),
        ("-1", "winnable", ["-1"]),
        ("1.5", "winnable", ["1.5"]),
        ("1e3", "winnable", ["1e3"]),
        ("+1", "winnable", ["+1"]),
        ("1_000", "winnable", ["1_000"]),
        ("١", "winnable", ["whole number"]),
        (TOO_BIG, "winnable", [TOO_BIG, "0 to", str(2**64 - 1)]),
        ("9" * 5000, "winnable", ["0 to"]),
        ("0", "ms", ["0", "'ms'", "1 to", str(2**33 - 1)]),
        (str(2**33), "ms", [str(2**33), "1 to"]),
        (str(2**32), "aisleriot", [str(2**32)]),
        ("0", "pysol", ["'pysol'", "1 to"]),
        (str(10**20 + 1), "pysol", [str(10**20)]),
        ("ms0", "pysol", ["'ms'"]),
        ("msx", "pysol", ["msx"]),
        ("ms5", "winnable", ["ms5"]),
    ],
)
def test_numbers_that_are_none(refuses, command, number, numbering, mention, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = {
        "find": ("find", "tripeaks", f"--from={number}", "--numbering", numbering),
        "study": ("study", "--numbering", numbering, "tripeaks", "--", f"{number}:{number}"),
    }.get(command, (command, "--numbering", numbering, "tripeaks", "--", number))
    refuses(*words, mention=mention)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["solve", "deal", "study"])
@pytest.mark.parametrize(
    ("text", "mention"),
    [
        ("9:1", ["9:1", "FIRST"]),
        ("5:", ["whole number"]),
        (":5", ["whole number"]),
        (":", ["whole number"]),
        ("", ["whole number"]),
        ("1:2:3", ["2:3"]),
        (f"0:{TOO_BIG}", [TOO_BIG]),
    ],
)
def test_ranges_that_are_none(refuses, command, text, mention, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    refuses(command, "tripeaks", text, mention=mention)
    assert list(tmp_path.iterdir()) == []


def test_a_range_over_two_numberings(refuses):
    refuses("solve", "tripeaks", "ms1:5", "--numbering", "pysol", mention=["ms1:5"])


def test_a_slip_in_the_last_number_costs_nothing(refuses):
    refuses("solve", "tripeaks", 0, 1, "x", mention=["'x'"])


# --- deals ---


@pytest.fixture
def text(winnable):
    return winnable("deal", "tripeaks", 7, "--format", "text").out


BROKEN = {
    "51 cards": (lambda text: text.rstrip()[:-3], ["51 cards", "9H missing"]),
    "53 cards": (lambda text: text.rstrip() + " 9H", ["53 cards", "9H"]),
    "a doubled card": (lambda text: text.replace("9H", "4H"), ["4H more than once", "9H missing"]),
    "an unreadable card": (lambda text: text.replace("9H", "1Z"), ["Line 2", "'1Z'"]),
    "a card of three letters": (lambda text: text.replace("9H", "9HH"), ["Line 2", "'9HH'"]),
    "a wrong label": (lambda text: text.replace("stock", "stok"), ["Line 2", "'stok'", "stock"]),
    "a label twice": (lambda text: text.replace("stock", "tableau"), ["Line 2", "'tableau'"]),
    "no stock": (lambda text: text.splitlines()[0], ["stock", "missing"]),
    "no tableau": (lambda text: text.splitlines()[1], ["tableau", "missing"]),
    "27 in the tableau": (lambda text: text.replace(" 6C\n", "\n"), ["27", "28"]),
    "a joker's place in the stock": (lambda text: text.replace("9H", "--"), ["stock", "empty"]),
    "nothing": (lambda text: "", ["52 cards"]),
    "comments only": (lambda text: "# nothing\n\n# at all\n", ["52 cards"]),
    "prose": (lambda text: "hello: world\n", ["Line 1", "'hello'"]),
    "one card": (lambda text: "AS", ["1 cards", "52"]),
}


@pytest.mark.parametrize("command", ["solve", "deal", "verify"])
@pytest.mark.parametrize("name", BROKEN)
def test_broken_deals(refuses, text, tmp_path, command, name):
    change, mention = BROKEN[name]
    file = tmp_path / "deal.txt"
    file.write_text(change(text))
    moves = tmp_path / "moves.txt"
    moves.write_text("turn\n")
    refuses(command, "tripeaks", "--deal", file, *[moves] * (command == "verify"), mention=mention)


def test_the_second_deal_is_the_broken_one(refuses, text):
    broken = text.rstrip()[:-3]
    result = refuses("solve", "tripeaks", "--deal", "-", stdin=f"{text}\n{broken}\n")
    assert "line 4" in result.err


def test_files_that_cannot_be_read(refuses, tmp_path):
    for command in (
        ("solve", "tripeaks", "--deal"),
        ("deal", "tripeaks", "--deal"),
        ("verify", "tripeaks", "1"),
        ("report",),
    ):
        refuses(*command, "no-such-file.txt", mention=["no-such-file.txt"])
        refuses(*command, tmp_path, mention=[str(tmp_path)])
        refuses(*command, "x" * 300)
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    refuses("solve", "tripeaks", "--deal", binary, mention=[str(binary), "UTF-8"])
    result = refuses("solve", "tripeaks", "--deal", "-", stdin=b"\xff\xfe")
    assert "input" in result.err


# --- usage ---


@pytest.mark.parametrize(
    ("args", "mention"),
    [
        (["solve"], ["GAME"]),
        *(
            ([command, game, *words, "--effort", effort], mention)
            for command, *words in (["solve", "1"], ["study", "1:2"], ["find"])
            for game, effort, mention in (
                ("tripeaks", "3", ["no --effort for Tri-Peaks"]),
                ("spider", "11", ["--effort 11 is too much", "Spider has 1 to 10"]),
                ("spider", "0", ["--effort"]),
            )
        ),
        (["solve", "tripeaks"], ["numbers", "--deal"]),
        (["solve", "tripeaks", "1", "--deal", "-"], ["numbers", "--deal"]),
        (["deal", "tripeaks", "1", "--format", "jsn"], ["jsn", "json"]),
        (["deal", "tripeaks"], ["--deal"]),
        (["verify", "tripeaks"], ["SOLUTION"]),
        (["verify", "tripeaks", "1"], ["number", "solution"]),
        (["verify", "tripeaks", "1", "2", "3"], ["number", "solution"]),
        (["verify", "tripeaks", "1:2", "-"], ["2 deals"]),
        (["verify", "tripeaks", "--deal", "-", "-"], ["standard input"]),
        (["study", "tripeaks"], ["FIRST:LAST"]),
        (["study", "tripeaks", "1", "2"], ["2"]),
        (["study", "tripeaks", "0:9", "--workers", "0"], ["--workers"]),
        (["solve", "tripeaks", "1", "--max-nodes", "0"], ["--max-nodes"]),
        (["solve", "tripeaks", "1", "--max-nodes", "x"], ["--max-nodes"]),
        (["solve", "tripeaks", "1", "--max-seconds", "0"], ["--max-seconds"]),
        (["solve", "tripeaks", "1", "--max-seconds", "-1"], ["--max-seconds"]),
        (["study", "tripeaks", "0:1", "--max-seconds", "nan"], ["nan"]),
        (["study", "tripeaks", "0:1", "--max-seconds", "inf"], ["inf"]),
        (["find", "tripeaks", "--count", "0"], ["--count"]),
        (["find", "tripeaks", "--min-stock-left", "25"], ["--min-stock-left"]),
        (["find", "tripeaks", "--min-stock-left", "2", "--unwinnable"], ["--unwinnable"]),
        (["find", "tripeaks", "--from", ""], ["''"]),
        (["find", "tripeaks", "--from", "5:9"], ["5:9"]),
        (["report"], ["STORE"]),
        (["report", "a", "b", "--csv"], ["one store"]),
        (["report", "a", "--csv", "--json"], ["--csv", "--json"]),
        (["--nonsense"], ["--nonsense"]),
    ],
    ids=lambda value: " ".join(value)[:60],
)
def test_wrong_usage(refuses, args, mention, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    refuses(*args, mention=mention)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text",
    ["{}", '{"moves": null}', '{"moves": 3}', "{", '{"moves": []} {}', '{"moves": "turn"}'],
)
def test_json_that_is_no_solution(refuses, text):
    refuses("verify", "tripeaks", 1, "-", stdin=text, mention=["JSON", "moves"])


def test_json_that_is_nested_too_deep(refuses):
    refuses("verify", "tripeaks", 1, "-", stdin='{"a":' * 100_000)


# --- stores ---


def test_a_store_of_other_settings(refuses, store):
    before = store.read_bytes()
    study = ("study", "tripeaks", "0:9", "--store", store)
    there = [str(store), "--store"]
    refuses(*study, "--rules", "open", mention=[*there, "standard there, open here"])
    refuses(*study, "--numbering", "aisleriot", mention=[*there, "winnable there"])
    refuses(*study, "--max-nodes", 8, mention=[*there, "max_nodes"])
    refuses(*study, "--best", mention=[*there, "best"])
    refuses(*study, "--set", "nonsense=1", mention=["nonsense"])
    refuses("study", "tripeaks", "9:1", "--store", store, mention=["9:1"])
    assert store.read_bytes() == before


def test_files_that_are_no_stores(refuses, tmp_path):
    text = tmp_path / "junk.sqlite"
    text.write_text("this is not a database\n" * 100)
    database = tmp_path / "other.sqlite"
    connection = sqlite3.connect(database)
    connection.execute("CREATE TABLE t (a)")
    connection.close()
    for path in (text, database):
        before = path.read_bytes()
        mention = [str(path), "not a store"]
        refuses("study", "tripeaks", "0:9", "--store", path, "--quiet", mention=mention)
        refuses("report", path, mention=mention)
        refuses("report", path, "--csv", mention=mention)
        assert path.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {"junk.sqlite", "other.sqlite"}


def test_a_retry_needs_a_limit_and_a_store(refuses, tmp_path):
    path = tmp_path / "s.sqlite"
    retry = ("study", "tripeaks", "0:9", "--store", path, "--retry-unknown")
    refuses(*retry, mention=["--max-nodes"])
    refuses(*retry, "--max-nodes", 10, mention=["no store", str(path)])
    assert list(tmp_path.iterdir()) == []


def test_an_empty_store_has_nothing_to_report(refuses, winnable, tmp_path):
    empty = tmp_path / "empty.sqlite"
    empty.touch()
    refuses("report", empty, mention=[str(empty)])


def test_a_folder_as_store(refuses, tmp_path):
    result = refuses("study", "tripeaks", "0:9", "--store", tmp_path, mention=[str(tmp_path)])
    assert "There is no store" not in result.err


def test_a_store_in_a_folder_that_does_not_exist(refuses, tmp_path):
    path = tmp_path / "no" / "such" / "s.sqlite"
    refuses("study", "tripeaks", "0:9", "--store", path, mention=[str(path)])
    assert list(tmp_path.iterdir()) == []


def test_summary_files_that_are_none(refuses, tmp_path):
    path = tmp_path / "s.json"
    path.write_text('{"game": "tripeaks", "rules": "standard", "deals": 1, "win_rate_percent": {}}')
    refuses("report", path, mention=[str(path)])
    path.write_text("{}")
    refuses("report", path, mention=[str(path)])
