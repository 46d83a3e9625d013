"""The command as a process of its own: signals, pipes, terminals and poor encodings."""

import contextlib
import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from winnable.duel.game import DUELS
from winnable.games import REGISTRY
from winnable.study.report import summarize
from winnable.study.store import Store

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "winnable_cli"]


def heed_interrupts():
    """Have a new process heed Ctrl-C, which shells turn off for what runs in their background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def environment(**more):
    paths = [str(ROOT / folder) for folder in ("solver", "cli")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **more}


def run(*args, **options):
    options = {"capture_output": True, "env": environment(), "timeout": 60, **options}
    return subprocess.run([*COMMAND, *map(str, args)], **options)


@pytest.fixture(scope="module", autouse=True)
def compiled(tmp_path_factory):
    """Have the kernels compiled before anything is timed."""
    path = tmp_path_factory.mktemp("compiled") / "s.sqlite"
    for args in (("study", "tripeaks", "0:99", "--store", path), ("find", "tripeaks")):
        result = run(*args, timeout=300)
        assert result.returncode == 0, result.stderr


@pytest.fixture
def store(winnable, tmp_path):
    path = tmp_path / "s.sqlite"
    assert winnable("study", "tripeaks", "0:49", "--store", path, "--quiet").code == 0
    return path


# --- signals ---


def interrupted_study(path, number, wait):
    """Let a study of far too many deals run for some seconds; how it ended after a signal."""
    args = ["study", "tripeaks", f"0:{10**12}", "--store", path, "--workers", "1"]
    process = subprocess.Popen(
        [*COMMAND, *map(str, args)],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        assert process.stderr.readline().startswith(b"Results are kept in ")
        time.sleep(wait)
        assert process.poll() is None
        before = time.monotonic()
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
        seconds = time.monotonic() - before
    finally:
        process.kill()
        process.wait()
    return process.returncode, out.decode(), err.decode(), seconds


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_study_keeps_what_was_decided_and_goes_on(tmp_path, number):
    path = tmp_path / "s.sqlite"
    deals = [0]
    # On a busy machine the first tries may end before the first block.
    for wait in (1, 1, 2, 4, 8):
        code, out, err, seconds = interrupted_study(path, number, wait)
        assert code == 130
        assert seconds < 2
        assert "Traceback" not in err
        if "winnable: interrupted" in err:  # it was still loading
            continue
        assert "The same command goes on" in err
        with Store.open_to_read(path) as opened:
            covered = opened.covered()
            held = sum(span.count for span in covered)
            if not held:
                continue
            assert summarize(opened)["deals"] == held
        assert f"{held:,}" in out
        assert [span.first for span in covered] == [0]
        deals.append(held)
        if len(set(deals)) == 3:
            break
    assert deals == sorted(set(deals))
    assert len(deals) == 3
    assert not path.with_name("s.sqlite-wal").exists()


def test_ctrl_c_in_another_command(tmp_path):
    # This search does not end: no deal nearby can be won on the opening card alone.
    args = [*COMMAND, "find", "tripeaks", "--min-stock-left", "23", "--from", "1"]
    process = subprocess.Popen(
        args, env=environment(), stderr=subprocess.PIPE, preexec_fn=heed_interrupts
    )
    try:
        time.sleep(2)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=10)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    assert b"Traceback" not in err
    assert err.strip().endswith(b"winnable: interrupted")


# --- where output goes ---


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437"])
def test_a_poor_encoding_is_enough(store, encoding):
    env = environment(PYTHONIOENCODING=encoding, LANG="C", LC_ALL="C")
    deal = run("deal", "tripeaks", 7, env=env)
    assert deal.returncode == 0
    assert deal.stdout.count(b"10") == 4
    if encoding != "cp437":
        assert all(deal.stdout.count(suit) >= 13 for suit in (b"C", b"D", b"H", b"S"))
    for args in (
        ("games",),
        ("games", "tripeaks"),
        ("solve", "tripeaks", 7, "--show"),
        ("report", store),
        ("report", store, "--markdown"),
        ("report", store, "--csv"),
    ):
        result = run(*args, env=env)
        assert result.returncode == 0, result.stderr
        assert result.stderr == b""
        assert result.stdout


# What Python makes of them: ASCII, with no way out.
OLD_LOCALE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
ODD_TERMINALS = [
    OLD_LOCALE,
    {"LC_ALL": "xx_YY.nonsense"},
    {"TERM": "dumb", "COLUMNS": "1", "LINES": "1"},
    {"TERM": "", "COLUMNS": "0", "LINES": "0"},
    {"COLUMNS": "wide"},
]


@pytest.mark.parametrize("settings", ODD_TERMINALS, ids=str)
def test_any_terminal_will_do_for_every_game(settings):
    for name in (*REGISTRY, *DUELS):
        result = run("deal", name, 3, env=environment(**settings))
        assert (result.returncode, result.stderr) == (0, b""), name
        assert result.stdout
    helped = run("solve", "--help", env=environment(**settings))
    assert (helped.returncode, helped.stderr) == (0, b"")
    assert b"--rules" in helped.stdout


def test_suit_symbols_are_read_and_letters_printed_where_there_is_only_ascii():
    env = environment(**OLD_LOCALE)
    text = run("deal", "tripeaks", 7, "--format", "text").stdout.decode()
    with_symbols = text.translate(str.maketrans("CDHS", "♣♦♥♠"))
    assert with_symbols.count("♠") == 13
    result = run("solve", "tripeaks", "--deal", "-", input=with_symbols.encode(), env=env)
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.isascii()
    drawn = [
        run("deal", "tripeaks", *words, input=with_symbols.encode(), env=env).stdout.splitlines()
        for words in (["--deal", "-"], [7])
    ]
    assert drawn[0][1:] == drawn[1][1:]


def test_every_text_about_games_is_printed_where_there_is_only_ascii():
    for name in (*REGISTRY, *DUELS):
        result = run("games", name, env=environment(**OLD_LOCALE))
        assert (result.returncode, result.stderr) == (0, b""), name
        assert result.stdout.isascii()


def test_names_beyond_ascii_in_messages():
    env = environment(PYTHONIOENCODING="ascii", LANG="C", LC_ALL="C")
    for name in ("♠.txt", b"\xff.txt"):
        for args in (["solve", "tripeaks", "--deal"], ["report"], ["games"]):
            result = subprocess.run([*COMMAND, *args, name], env=env, capture_output=True)
            assert result.returncode == 2
            assert b"Traceback" not in result.stderr
            assert len(result.stderr.splitlines()) == 1


def into_closed_pipe(*args):
    reading, writing = os.pipe()
    os.close(reading)
    try:
        return run(*args, capture_output=False, stdout=writing, stderr=subprocess.PIPE)
    finally:
        os.close(writing)


def test_a_reader_that_goes_away_is_no_error(store):
    for args in (
        ("games",),
        ("solve", "tripeaks", "0:1"),
        ("report", store),
        ("report", store, "--csv"),
    ):
        result = into_closed_pipe(*args)
        assert result.stderr == b"", args


def test_a_reader_that_goes_away_does_not_make_a_deal_unwinnable():
    assert into_closed_pipe("solve", "tripeaks", "0:1").returncode not in (1, 2, 3)


def test_head():
    command = f"{sys.executable} -m winnable_cli solve tripeaks 0:20 | head -1"
    result = subprocess.run(command, shell=True, env=environment(), capture_output=True)
    assert result.stdout.count(b"\n") == 1
    assert result.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_behind_stdout_is_told_in_a_sentence():
    with open("/dev/full", "wb") as full:
        result = run("games", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert result.returncode == 2
    assert b"Traceback" not in result.stderr
    assert b"space" in result.stderr


@pytest.mark.parametrize("args", ["solve tripeaks --deal - <&-", "games >&-"])
def test_closed_streams_end_in_a_sentence(args):
    command = f"{sys.executable} -m winnable_cli {args}"
    result = subprocess.run(command, shell=True, env=environment(), capture_output=True, input=b"")
    assert result.returncode == 2
    assert b"Traceback" not in result.stderr


def test_a_bar_on_a_terminal_only(tmp_path):
    main, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
    args = ("study", "tripeaks", "0:9", "--store")
    try:
        on_terminal = run(
            *args,
            tmp_path / "a.sqlite",
            capture_output=False,
            stdout=subprocess.PIPE,
            stderr=terminal,
        )
        quiet = run(
            *args,
            tmp_path / "b.sqlite",
            "--quiet",
            capture_output=False,
            stdout=subprocess.PIPE,
            stderr=terminal,
        )
    finally:
        os.close(terminal)
    shown = os.read(main, 100_000)
    os.close(main)
    assert b"10.0/10.0" in shown
    assert b"b.sqlite" not in shown
    piped = run(*args, tmp_path / "c.sqlite")
    assert b"/10.0" not in piped.stderr
    for result in (on_terminal, quiet, piped):
        assert result.returncode == 0
        assert b"win rate" in result.stdout


# --- start-up ---


@pytest.mark.parametrize("args", [["--help"], ["--version"], ["games"], ["deal", "tripeaks", "7"]])
def test_what_needs_no_solver_loads_none(args):
    code = (
        "import sys; from winnable_cli.main import run\n"
        f"assert run({args!r}) == 0\n"
        "assert 'numba' not in sys.modules, 'numba'\n"
    )
    result = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True)
    assert result.returncode == 0, result.stderr


# --- two at once ---


def test_a_second_study_of_the_same_store_is_refused(tmp_path):
    path = tmp_path / "s.sqlite"
    args = ["study", "tripeaks", f"0:{10**12}", "--store", path, "--workers", "1"]
    first = subprocess.Popen(
        [*COMMAND, *map(str, args)],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        first.stderr.readline()
        second = run(*args)
        assert second.returncode == 2
        assert second.stdout == b""
        assert b"Another process is writing" in second.stderr
    finally:
        first.kill()
        first.communicate()


# --- a small disk, a read-only folder ---


def test_a_read_only_file_system(tmp_path, winnable):
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("no right to mount a disk")
    try:
        store = folder / "s.sqlite"
        study = ("study", "tripeaks", "0:9", "--quiet", "--store")
        assert run(*study, store).returncode == 0
        before = store.read_bytes()
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
        reported = run("report", store)
        assert (reported.returncode, reported.stderr) == (0, b"")
        for path in (store, folder / "new.sqlite"):
            refused = run(*study, path)
            assert refused.returncode == 2
            assert refused.stdout == b""
            assert str(path).encode() in refused.stderr
            assert b"ead-only" in refused.stderr or b"readonly" in refused.stderr
            assert len(refused.stderr.splitlines()) == 1
        assert store.read_bytes() == before
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


# --- interrupted while it compiles ---


@pytest.mark.parametrize("args", [["solve", "tripeaks", "1"], ["study", "tripeaks", "0:9"]])
def test_ctrl_c_while_compiling(tmp_path, args):
    cold = {**environment(), "WINNABLE_CACHE_DIR": str(tmp_path / "cache")}
    process = subprocess.Popen(
        [*COMMAND, *args],
        cwd=tmp_path,
        env=cold,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=heed_interrupts,
    )
    try:
        # The announcement is printed as the compiler starts.
        while b"Compiling" not in process.stderr.readline():
            assert process.poll() is None
        time.sleep(0.7)
        process.send_signal(signal.SIGINT)
        before = time.monotonic()
        out, err = process.communicate(timeout=30)
        assert time.monotonic() - before < 2
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    assert (out, err) == (b"", b"winnable: interrupted\n")


def test_the_bar_is_drawn_on_a_terminal_without_columns(tmp_path):
    args = ["study", "tripeaks", "0:99999", "--store", str(tmp_path / "s.sqlite")]
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *args], env=environment(), stdout=subprocess.DEVNULL, stderr=slave
    )
    os.close(slave)
    shown = b""
    with contextlib.suppress(OSError):  # what reading gives once the other end is closed
        while part := os.read(master, 1000):
            shown += part
    os.close(master)
    assert process.wait() == 0
    assert b"100%" in shown
    assert b" deals/s" in shown
