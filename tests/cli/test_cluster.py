"""``winnable study --cluster`` as a process: signals, noise, what is loaded."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from winnable.study.store import Store

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "winnable_cli"]

pytestmark = pytest.mark.compiled_only


def environment():
    paths = [str(ROOT / folder) for folder in ("solver", "cli")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def run(*args, **options):
    command = [*COMMAND, *map(str, args)]
    return subprocess.run(
        command, env=environment(), capture_output=True, text=True, timeout=300, **options
    )


def held(path):
    with Store.open_to_read(path) as store:
        return sum(span.count for span in store.covered())


def test_a_cluster_on_this_machine_says_no_more_than_threads_do(tmp_path):
    study = ("study", "tripeaks", "0:99999", "--workers", 1, "--store")
    by_threads = run(*study, "threads.sqlite", cwd=tmp_path)
    by_cluster = run(*study, "cluster.sqlite", "--cluster", "local", cwd=tmp_path)
    assert by_threads.returncode == by_cluster.returncode == 0

    def without_times(text):
        return [line for line in text.splitlines() if " time " not in line]

    assert without_times(by_cluster.stdout) == without_times(by_threads.stdout)
    assert by_cluster.stderr == "Results are kept in cluster.sqlite.\n"
    assert {path.name for path in tmp_path.glob("*") if path.suffix != ".lock"} == {
        "threads.sqlite",
        "cluster.sqlite",
    }


def test_ctrl_c_on_a_terminal_keeps_what_has_come(tmp_path):
    path = tmp_path / "s.sqlite"
    args = ["study", "tripeaks", f"0:{10**12}", "--store", path, "--workers", "1"]
    process = subprocess.Popen(
        [*COMMAND, *map(str, args), "--cluster", "local"],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        assert process.stderr.readline().startswith(b"Results are kept in ")
        end = time.monotonic() + 180
        while not path.exists() or not held(path):
            assert time.monotonic() < end
            assert process.poll() is None
            time.sleep(0.1)
        # A terminal sends it to every process of the group.
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=120)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    deals = held(path)
    assert f"  deals       {deals:,}\n" in out.decode()
    assert (
        err.decode()
        == f"Stopped; {deals:,} deals were added. The same command goes on from here.\n"
    )
    more = run("study", "tripeaks", f"0:{deals + 9}", "--store", path, "--quiet", "--json")
    assert f'"deals": {deals + 10}' in more.stdout


@pytest.mark.parametrize(
    ("options", "mention"),
    [
        (
            ["--cluster", "here"],
            "'here' is no cluster: write the scheduler's address, such as tcp:",
        ),
        (["--cluster", "tcp://127.0.0.1:9", "--workers", "2"], "--workers is for this machine"),
    ],
)
def test_a_slip_makes_no_store(winnable, tmp_path, monkeypatch, options, mention):
    monkeypatch.chdir(tmp_path)
    result = winnable("study", "tripeaks", "0:9", *options)
    assert (result.code, result.out) == (2, "")
    assert mention in result.err
    assert list(tmp_path.iterdir()) == []


def test_dask_is_loaded_for_a_cluster_only(tmp_path):
    code = (
        "import sys; from winnable_cli.main import run\n"
        "assert run(['study', 'tripeaks', '0:9', '--quiet', '--store', 's.sqlite']) == 0\n"
        "assert 'winnable.study.run' in sys.modules\n"
        "print({'dask', 'distributed', 'tornado', 'winnable.study.cluster'} & set(sys.modules))\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.endswith("set()\n")
