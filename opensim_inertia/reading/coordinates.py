"""Coordinates in speed order: the axis labels of every array in this package."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._opensim import osim
from ..errors import ModelError


@dataclass(frozen=True)
class CoordinateTable:
    """The model's coordinates in Simbody's mobility order, which is not CoordinateSet order.

    Attributes:
        names: coordinate names, one per speed.
        rotational: whether the coordinate's motion type is rotational.
        translational: whether it is translational (a coupled coordinate is neither).
        defaults: default values [rad or m], shape (nu,).
        ranges: allowed ranges [rad or m], shape (nu, 2).
    """

    names: tuple[str, ...]
    rotational: tuple[bool, ...]
    translational: tuple[bool, ...]
    defaults: NDArray[np.float64]
    ranges: NDArray[np.float64]

    def index(self, name: str) -> int:
        """Position of a coordinate in every array."""
        return self.names.index(name)


def read_coordinates(model: osim.Model, state: osim.State) -> CoordinateTable:
    """Read the coordinates of an initialised model.

    Raises:
        ModelError: if there is not one coordinate per generalized speed.
    """
    coordinates = list(model.getCoordinateSet())
    coordinates.sort(key=lambda c: (int(c.getBodyIndex()), int(c.getMobilizerQIndex())))
    if not len(coordinates) == state.getNU() == state.getNQ():
        raise ModelError(
            f"model '{model.getName()}' has {len(coordinates)} coordinates but {state.getNU()} speeds and "
            f"{state.getNQ()} generalized coordinates; one of each per coordinate is expected"
        )
    rotational = osim.Coordinate.Rotational
    translational = osim.Coordinate.Translational
    return CoordinateTable(
        names=tuple(c.getName() for c in coordinates),
        rotational=tuple(c.getMotionType() == rotational for c in coordinates),
        translational=tuple(c.getMotionType() == translational for c in coordinates),
        defaults=np.array([c.getDefaultValue() for c in coordinates], dtype=float).reshape(-1),
        ranges=np.array([(c.getRangeMin(), c.getRangeMax()) for c in coordinates], dtype=float).reshape(-1, 2),
    )
