"""Checks of the arguments of an inertial model."""

from __future__ import annotations

import numpy as np

from .._core.errors import ModelError, OptionError
from .._core.opensim import osim


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


def check_moves(model: osim.Model) -> None:
    """Raise :class:`ModelError` for a model that has no coordinates."""
    if not model.getNumCoordinates():
        raise ModelError(f"model '{model.getName()}' has no coordinates: nothing in it can move")


def check_half_thickness(muscle: str, half: float) -> None:
    """Raise :class:`OptionError` unless the half thickness of a muscle's belly [m] is one.

    Raises:
        OptionError: it is no length, or that of no muscle.
    """
    if isinstance(half, bool) or not isinstance(half, int | float | np.number) or not 0 <= half < 1:
        raise OptionError("half_thickness", {muscle: half}, "lengths in metres by muscle, at least 0 and below 1")
