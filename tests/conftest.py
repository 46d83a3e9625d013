"""What several tests share: two marks, and the rule sets of Tri-Peaks.

Marks: `compiled_only` for tests that are too slow, or mean nothing, where numba is told not to
compile (NUMBA_DISABLE_JIT=1); `runs_last` for a test that looks at what all the others did.
"""

import pytest
from numba import config

from winnable.games.tripeaks.rules import RULES


def pytest_configure(config):
    config.addinivalue_line("markers", "compiled_only: skipped with NUMBA_DISABLE_JIT=1")
    config.addinivalue_line("markers", "runs_last: moved behind all other tests")


def pytest_collection_modifyitems(items):
    if config.DISABLE_JIT:
        for item in items:
            if item.get_closest_marker("compiled_only"):
                item.add_marker(pytest.mark.skip(reason="numba is told not to compile"))
    items.sort(key=lambda item: item.get_closest_marker("runs_last") is not None)


@pytest.fixture
def compiled_or():
    """`compiled_or(many, few)`: how many cases to try, `few` where kernels run as plain Python."""
    return lambda many, few: few if config.DISABLE_JIT else many


@pytest.fixture(params=RULES.names)
def rules(request):
    """Each rule set of Tri-Peaks in turn."""
    return RULES.resolve(request.param)
