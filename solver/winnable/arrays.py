"""Names for the kinds of arrays that kernels take, by the width of their numbers."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

ByteArray: TypeAlias = NDArray[np.uint8]
IntArray: TypeAlias = NDArray[np.int32]
LongArray: TypeAlias = NDArray[np.int64]
WordArray: TypeAlias = NDArray[np.uint32]
BoolArray: TypeAlias = NDArray[np.bool_]
