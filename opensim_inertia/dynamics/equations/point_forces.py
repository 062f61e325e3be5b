"""Constant forces at points of bodies, as generalized forces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import OptionError, UnknownNameError
from ..._core.opensim import osim

#: A point in a body's frame [m] and a force in ground [N].
PointForce = tuple[Sequence[float], Sequence[float]]


class PointForces:
    """Forces in ground [N] that keep their size and direction, at points in bodies' frames [m]."""

    def __init__(self, model: osim.Model, by_body: Mapping[str, PointForce | Sequence[PointForce]] | None) -> None:
        self._model = model
        self._matter = model.getMatterSubsystem()
        bodies = model.getBodySet()
        names = [body.getName() for body in bodies]
        self._forces: list[tuple[Any, osim.Vec3, osim.Vec3]] = []
        for name, pairs in (by_body or {}).items():
            if name not in names:
                raise UnknownNameError("body", name, names, "point_forces")
            for point, force in _pairs(name, pairs):
                index = bodies.get(name).getMobilizedBodyIndex()
                self._forces.append((index, osim.Vec3(*point), osim.Vec3(*force)))

    def __len__(self) -> int:
        return len(self._forces)

    def at(self, state: osim.State) -> Array:
        """Return the generalized forces J^T W (nu,) [N m or N] at a state."""
        self._model.realizePosition(state)
        total = np.zeros(state.getNU())
        for index, point, force in self._forces:
            out = osim.Vector()
            self._matter.multiplyByStationJacobianTranspose(state, index, point, force, out)
            total += out.to_numpy()
        return total


def _pairs(name: str, pairs: Any) -> list[tuple[list[float], list[float]]]:
    """Return pairs of a point and a force."""
    try:
        array = np.asarray(pairs, dtype=float)
    except (TypeError, ValueError):
        array = np.empty(0)
    if array.shape == (2, 3):
        array = array[None]
    if array.ndim != 3 or array.shape[1:] != (2, 3) or not np.isfinite(array).all():
        expected = "a point (3,) in the body's frame [m] and a force (3,) in ground [N], or a list of such pairs"
        raise OptionError(f"point_forces['{name}']", pairs, expected)
    return [(point.tolist(), force.tolist()) for point, force in array]
