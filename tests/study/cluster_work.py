"""What a worker of a cluster is made to do in tests: each is a `winnable.study.run.Work`."""

import os


def double(batches, stop, task):
    return 2 * task


def fail(batches, stop, task):
    raise ZeroDivisionError(f"at {task}")


def die(batches, stop, task):
    os._exit(1)


def wait(batches, stop, task):
    """Until told to stop; then what was decided by then."""
    assert stop.wait(30)
    return f"half of {task}"
