"""Checks of the arguments of an inertial model."""

from __future__ import annotations

from .._core.errors import ModelError
from .._core.opensim import osim


def check_moves(model: osim.Model) -> None:
    """Raise :class:`ModelError` for a model that has no coordinates."""
    if not model.getNumCoordinates():
        raise ModelError(f"model '{model.getName()}' has no coordinates: nothing in it can move")
