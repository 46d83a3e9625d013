"""Files and folders that can't be written, whoever runs the tests."""

import os
import shutil
import subprocess

import pytest


@pytest.fixture
def frozen():
    """A function that makes a file or folder unwritable, for root too, until the test ends."""
    undo = []

    def freeze(path):
        if os.geteuid() != 0:
            mode = path.stat().st_mode
            path.chmod(0o555 if path.is_dir() else 0o444)
            undo.append(lambda: path.chmod(mode))
            return
        chattr = shutil.which("chattr")
        if not chattr or subprocess.run([chattr, "+i", path], capture_output=True).returncode:
            pytest.skip("root can write everything here: this file system has no chattr +i")
        undo.append(lambda: subprocess.run([chattr, "-i", path], check=True))

    yield freeze
    for action in reversed(undo):
        action()
