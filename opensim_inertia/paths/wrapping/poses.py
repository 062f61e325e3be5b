"""Poses of a model as arrays: where its bodies are, and how they see points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.errors import OPENSIM_ERRORS
from ..._core.opensim import osim
from ...opensim_model.reading.coordinates import CoordinateTable
from ...opensim_model.reading.kinematics import Kinematics, StateKinematics, WrappedPath
from .surfaces import Surface

Numbers = NDArray[np.intp]
EVERY = slice(None)


@dataclass(frozen=True)
class Poses:
    """Poses of a model, at rest."""

    bodies: tuple[str, ...]  # names along the body axis
    q: Array  # coordinate values, (poses, nu) [rad or m]
    rotation: Array  # (with position) of the bodies in ground, (poses, bodies, 3, 3) and (poses, bodies, 3) [m]
    position: Array

    def __len__(self) -> int:
        return len(self.q)

    def first(self, count: int) -> Poses:
        """Return the first of them."""
        return Poses(self.bodies, self.q[:count], self.rotation[:count], self.position[:count])

    def in_ground(self, surface: Surface, points: Array, poses: Numbers) -> Array:
        """Return points (n, 3) of a surface's frame, each at the pose of that number, in ground [m]."""
        b = self.bodies.index(surface.body)
        return np.asarray(
            self.position[poses, b] + np.einsum("nij,nj->ni", self.rotation[poses, b], surface.to_body(points))
        )

    def in_surface(self, surface: Surface, points: Array, poses: Numbers | slice = EVERY) -> Array:
        """Return points (poses, n, 3) in ground, at these poses, as they are seen from a surface's frame [m]."""
        b = self.bodies.index(surface.body)
        return surface.from_body((points - self.position[poses, None, b]) @ self.rotation[poses, b])

    def kinematics(self, pose: int, path: dict[str, WrappedPath] | None = None) -> StateKinematics:
        """Return a pose as the kernel takes it. Nothing moves there: the system Jacobian is left out."""
        nb, nu = len(self.bodies), self.q.shape[1]
        still = np.zeros((nb, 6))
        rotation, position = (np.ascontiguousarray(x[pose]) for x in (self.rotation, self.position))
        jacobian = np.zeros((6 * nb, nu))
        return StateKinematics(self.q[pose], np.zeros(nu), rotation, position, jacobian, still, still, path or {})


def read_body_poses(
    model: osim.Model,
    coordinates: CoordinateTable,
    kinematics: Kinematics,
    q: Array,
    visit: Callable[[int, osim.State], None] | None = None,
    fresh: bool = False,
) -> Poses:
    """Return the bodies' transforms at poses q (poses, nu); ``visit`` gets numbers and (``fresh``: new) states."""
    state = osim.State(model.getWorkingState())
    rotation = np.empty((len(q), len(kinematics.bodies), 3, 3))
    position = np.empty(rotation.shape[:3])
    for pose, values in enumerate(q):
        state = osim.State(model.getWorkingState()) if fresh else state
        coordinates.set_values(state, values)
        model.realizePosition(state)
        rotation[pose], position[pose] = kinematics.transforms(state)
        if visit is not None:
            visit(pose, state)
    return Poses(kinematics.bodies, q, rotation, position)


def can_be_laid(model: osim.Model, coordinates: CoordinateTable, q: Array) -> NDArray[np.bool_]:
    """Return at which poses q (poses, nu) OpenSim can realize all cables, (poses,): no end lies inside an obstacle."""
    is_possible = np.ones(len(q), dtype=bool)
    for pose, values in enumerate(q):
        state = osim.State(model.getWorkingState())
        coordinates.set_values(state, values)
        try:
            model.realizePosition(state)
        except OPENSIM_ERRORS:
            is_possible[pose] = False
    return is_possible
