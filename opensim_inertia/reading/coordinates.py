"""Coordinates in speed order: the axis labels of every array in this package."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._opensim import osim
from ..arrays import Array
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
        slots: where each coordinate's value stands among the state's generalized coordinates, shape (nu,).
        nq: how many of those there are: ball and free joints have one that is not used.
    """

    names: tuple[str, ...]
    rotational: tuple[bool, ...]
    translational: tuple[bool, ...]
    defaults: Array
    ranges: Array
    slots: NDArray[np.intp]
    nq: int

    @property
    def rates_are_speeds(self) -> bool:
        """Whether qdot = u: not so in models with ball and free joints, whose speeds are angular velocities."""
        return self.nq == len(self.names)

    def values(self, state: osim.State) -> Array:
        """Return the coordinates' values in a state, (nu,) [rad or m]."""
        return np.asarray(state.getQ().to_numpy()[self.slots])

    def set_values(self, state: osim.State, values: Array) -> None:
        """Give the coordinates values (nu,) in a state, without regard to locks and constraints."""
        q = np.zeros(self.nq)
        q[self.slots] = values
        state.setQ(osim.Vector.createFromMat(q))

    def index(self, name: str) -> int:
        """Return the place of a coordinate in every array."""
        return self.names.index(name)


def coordinate_of_path(path: str) -> str | None:
    """Return the coordinate whose value a state path is, as ``/jointset/knee_r/knee_angle_r/value``; else None."""
    parts = path.split("/")
    return parts[-2] if len(parts) > 2 and parts[-1] == "value" else None


def read_coordinates(model: osim.Model, state: osim.State) -> CoordinateTable:
    """Read the coordinates of an initialised model.

    Args:
        model: the model.
        state: one of its states, left as it is.

    Raises:
        ModelError: if there is not one coordinate per generalized speed, or two coordinates have the same name.
    """
    coordinates = list(model.getCoordinateSet())
    coordinates.sort(key=lambda c: (int(c.getBodyIndex()), int(c.getMobilizerQIndex())))
    if len(coordinates) != state.getNU():
        raise ModelError(
            f"model '{model.getName()}' has {len(coordinates)} coordinates but {state.getNU()} speeds; one per "
            "coordinate is expected"
        )
    for name, count in Counter(c.getName() for c in coordinates).items():
        if count > 1:
            raise ModelError(
                f"model '{model.getName()}' has {count} coordinates named '{name}', which motions and results cannot "
                "tell apart; give each coordinate a name of its own"
            )
    numbered = osim.State(state)
    numbered.setQ(osim.Vector.createFromMat(np.arange(float(state.getNQ()))))
    rotational = osim.Coordinate.Rotational
    translational = osim.Coordinate.Translational
    return CoordinateTable(
        names=tuple(c.getName() for c in coordinates),
        rotational=tuple(c.getMotionType() == rotational for c in coordinates),
        translational=tuple(c.getMotionType() == translational for c in coordinates),
        defaults=np.array([c.getDefaultValue() for c in coordinates], dtype=float).reshape(-1),
        ranges=np.array([(c.getRangeMin(), c.getRangeMax()) for c in coordinates], dtype=float).reshape(-1, 2),
        slots=np.array([c.getValue(numbered) for c in coordinates]).round().astype(np.intp),
        nq=state.getNQ(),
    )


def base_coordinates(model: osim.Model, coordinates: CoordinateTable) -> tuple[bool, ...]:
    """Tell whether each coordinate moves the whole model in ground, as a pelvis's six do, (nu,).

    They are the coordinates of joints to ground that translate and have at least three.
    """
    base = set()
    for joint in model.getJointSet():
        names = [joint.get_coordinates(i).getName() for i in range(joint.numCoordinates())]
        moves = any(coordinates.translational[coordinates.index(name)] for name in names)
        if joint.getParentFrame().findBaseFrame().getName() == "ground" and len(names) >= 3 and moves:
            base.update(names)
    return tuple(name in base for name in coordinates.names)
