"""Checks of the arguments of an inertial model."""

from __future__ import annotations

import numpy as np

from ..errors import OptionError


def check_smoothing(smoothing: float | None) -> float | None:
    """Return the half width of the transition at touch [m], or None.

    Raises:
        OptionError: it is no length from 0 to below 1.
    """
    if smoothing is None:
        return None
    if isinstance(smoothing, bool) or not isinstance(smoothing, int | float | np.number) or not 0 <= smoothing < 1:
        raise OptionError("smoothing", smoothing, "a length in metres, at least 0 and below 1, or None")
    return float(smoothing)


def check_points(points: int) -> int:
    """Return a number of mass points.

    Raises:
        OptionError: it is no whole number of at least 1.
    """
    if isinstance(points, bool) or not isinstance(points, int | np.integer) or points < 1:
        raise OptionError("points", points, "a whole number of at least 1")
    return int(points)
