"""Running the command in this process, through the very function that the console script calls."""

import io
import json
import sys
from dataclasses import dataclass

import pytest

from winnable_cli import main


@dataclass
class Result:
    """What a command left: its exit status and what it printed."""

    code: int
    out: str
    err: str

    @property
    def rows(self):
        """The JSON objects, one a line."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def row(self):
        (row,) = self.rows
        return row


@pytest.fixture
def winnable(capsys, monkeypatch):
    """A function that runs a command line; `stdin` is text or bytes."""

    # The listener stays for the life of the process, so that one test's would speak in the next.
    monkeypatch.setattr("winnable.jit.on_first_compilation", lambda callback: None)

    def run(*args, stdin=b""):
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        code = main.run([str(arg) for arg in args])
        out, err = capsys.readouterr()
        return Result(code, out, err)

    return run
