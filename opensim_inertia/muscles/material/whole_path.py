"""Mass along a whole path, by which paths are compared."""

from __future__ import annotations

import numpy as np

from ..._core.arrays import Array
from .point_masses import MaterialPoints
from .strain import MaterialMap

#: The whole path is belly, and a point in its middle has the mass.
WHOLE = MaterialMap(1.0, 0.0, 0.0, 0.0, 0.0)
MIDDLE = MaterialPoints(np.array([0.0]), np.array([0.5]), np.array([1.0]))

#: Mass points that are compared: equal masses, uniform strain of the whole path.
POINTS: Array = (np.arange(20) + 0.5) / 20
