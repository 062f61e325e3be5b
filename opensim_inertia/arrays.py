"""The array type of the package: NumPy arrays of doubles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: An array of doubles; docstrings say its shape and units.
Array = NDArray[np.float64]
