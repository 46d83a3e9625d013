"""Keys wrap around: where kernels run uncompiled, numpy would warn of it."""

import numpy as np
import pytest


@pytest.fixture(autouse=True)
def _keys_wrap():
    with np.errstate(over="ignore"):
        yield
