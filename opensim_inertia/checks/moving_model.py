"""A model at some rows of a motion, and the external loads there: what loads are held against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.opensim import osim
from .._core.rotations import cross_matrices
from ..muscles.masses.rigid import body_mass_properties
from ..opensim_model.reading.coordinates import read_coordinates
from ..opensim_model.reading.kinematics import Kinematics
from ..opensim_model.reading.motion import Motion
from ..opensim_model.setups.loads import GROUND, Loads

#: A joint lets a body move in a direction if unit speeds make it, but for this.
FREE = 1e-6


@dataclass(frozen=True, eq=False)
class PointLoad:
    """A load at the R rows at which a model is looked at, in ground."""

    body: str  # the body it acts on
    force: Array  # (R, 3) [N]
    point: Array  # (R, 3), where it acts [m]; the body's origin where the load names no point
    torque: Array  # (R, 3) [N m]
    in_ground: bool  # whether the table gives force and point in ground
    station: Array  # (R, 3), the point in the frame of the body [m]
    slip: Array  # (R, 3), velocity in ground of what of the body is at the point [m/s]
    spin: Array  # (R, 3), angular velocity of the body in ground [rad/s]
    jacobian: Array  # (R, 6, nu), derivatives of spin and slip with respect to the speeds


@dataclass(frozen=True, eq=False)
class MovingModel:
    """A model at R rows of a motion for which there are external loads."""

    rows: NDArray[np.intp]  # (R,), indices of the motion's rows
    times: Array  # (R,) [s]
    weight: float  # the model's weight [N]
    mass: float  # the model's mass [kg]
    up: Array  # (3,), away from gravity; zero without gravity
    centre: Array  # (R, 3), centre of mass in ground [m]
    momentum: Array  # (R, 6), angular momentum about the centre of mass [N m s], and linear momentum [N s]
    momentum_matrix: Array  # (R, 6, nu), derivatives of the momentum with respect to the speeds
    free: NDArray[np.bool_]  # (6,), along which axes of ground the whole model turns and moves freely
    origins: Mapping[str, Array]  # (R, 3) by body, in ground [m]
    loads: Mapping[str, PointLoad]  # by name

    @property
    def moves_freely(self) -> bool:
        """Whether the whole model has weight and moves freely in ground along some axis."""
        return bool(self.free[3:].any()) and self.weight > 0


class LoadedModel:
    """An initialised model and its loads, to be evaluated along motions; ``up`` (3,) is zero without gravity."""

    def __init__(self, model: osim.Model, loads: Loads, like: Kinematics | None = None) -> None:
        """Read what does not change from row to row; checks of kinematics ``like`` these are not repeated."""
        self.model, self.loads = model, loads
        names = [body.getName() for body in model.getBodySet()]
        self.coordinates = read_coordinates(model, model.getWorkingState()) if like is None else like.coordinates
        self._kinematics = Kinematics(model, self.coordinates, [*names, GROUND], like)
        inertias = [body_mass_properties(model, name).pseudo_inertia for name in names]
        self._inertias = np.array(inertias).reshape(-1, 4, 4)
        gravity = np.array(model.getGravity().to_numpy())
        size = float(np.linalg.norm(gravity))
        self.mass = float(self._inertias[:, 3, 3].sum())
        self.weight, self.up = self.mass * size, -gravity / size if size else gravity
        self._state = osim.State(model.getWorkingState())  # which is given other poses
        model.realizePosition(self._state)
        self._free = _free_directions(model, self._kinematics, self._state)

    def along(self, motion: Motion, rows: NDArray[np.intp]) -> MovingModel | None:
        """Evaluate the model at rows of a motion of all its coordinates with loads; None for no rows."""
        if not len(rows):
            return None
        kinematics, names, state = self._kinematics, self._kinematics.bodies, self._state
        order = np.array([motion.coordinate_names.index(name) for name in self.coordinates.names], dtype=np.intp)
        times, q, u = motion.times[rows], motion.q[rows][:, order], motion.u[rows][:, order]
        poses = []
        for time, pose in zip(times.tolist(), q, strict=True):
            state.setTime(time)
            self.coordinates.set_values(state, pose)
            self.model.realizePosition(state)
            poses.append((*kinematics.transforms(state), kinematics.jacobian(state).reshape(len(names), 6, -1)))
        rotation, position, jacobian = (np.stack(each) for each in zip(*poses, strict=True))
        centre, matrix = _momentum_matrix(self._inertias, rotation[:, :-1], position[:, :-1], jacobian[:, :-1])
        bodies = {name: _Body(rotation[:, i], position[:, i], jacobian[:, i], u) for i, name in enumerate(names)}
        origins = {name: body.origin for name, body in bodies.items()}
        loads = {name: _in_ground(name, self.loads, times, bodies) for name in self.loads.columns}
        of_model, of_motion = (self.weight, self.mass, self.up), (centre, _product(matrix, u), matrix)
        return MovingModel(rows, times, *of_model, *of_motion, self._free, origins, loads)


class _Body(NamedTuple):
    """A body at R rows: rotation to ground (R, 3, 3), origin (R, 3) [m], Jacobian (R, 6, nu), all speeds (R, nu)."""

    rotation: Array
    origin: Array
    jacobian: Array
    u: Array


def covered_rows(motion: Motion, loads: Loads) -> NDArray[np.intp]:
    """Return the rows of a motion within the times of external loads."""
    return np.flatnonzero((motion.times >= loads.times[0]) & (motion.times <= loads.times[-1]))


def spread(rows: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """Return at most so many of some rows, spread evenly among them."""
    if not len(rows):
        return rows
    return rows[np.unique(np.linspace(0, len(rows) - 1, min(len(rows), most)).round().astype(int))]


def at_times(times: Array, rows: Array, values: Array) -> Array:
    """Return values (rows, n) interpolated at times (...), (..., n)."""
    return np.stack([np.interp(times, rows, column) for column in values.T], axis=-1)


def _product(matrices: Array, u: Array) -> Array:
    """Return products (R, n) of matrices (R, n, nu) and speeds (R, nu)."""
    return np.asarray((matrices @ u[:, :, None])[:, :, 0])


def _momentum_matrix(inertias: Array, rotation: Array, origin: Array, jacobian: Array) -> tuple[Array, Array]:
    """Return centre of mass (R, 3) [m] and centroidal momentum matrix (R, 6, nu), angular first (Orin et al. 2013).

    Given: pseudo-inertias (nb, 4, 4); bodies' rotations (R, nb, 3, 3), origins (R, nb, 3), Jacobians (R, nb, 6, nu).
    """
    frames = np.concatenate([rotation, origin[..., None]], axis=-1)
    first, second = (frames @ inertias)[..., 3], frames @ inertias @ np.swapaxes(frames, -1, -2)
    masses, unit = inertias[:, 3, 3, None, None], np.eye(3)
    turn, place = cross_matrices(first), cross_matrices(origin)
    spatial = np.empty((*origin.shape[:2], 6, 6))
    spatial[..., :3, :3] = np.trace(second, axis1=-2, axis2=-1)[..., None, None] * unit - second + turn @ place
    spatial[..., :3, 3:] = turn
    spatial[..., 3:, :3] = masses * place - turn
    spatial[..., 3:, 3:] = masses * unit
    matrix = (spatial @ jacobian).sum(axis=1)
    mass = float(inertias[:, 3, 3].sum())
    centre = first.sum(axis=1) / mass if mass > 0 else np.zeros_like(first[:, 0])
    matrix[:, :3] -= cross_matrices(centre) @ matrix[:, 3:]
    return centre, matrix


def _in_ground(name: str, loads: Loads, times: Array, bodies: Mapping[str, _Body]) -> PointLoad:
    """Return a load at some times, interpolated between the rows of its table."""
    force, point, torque = np.hsplit(at_times(times, loads.times, loads.values(name)), 3)
    body, force_frame, point_frame = loads.bodies[name]
    rotation, origin, jacobian, u = bodies[body]
    if force_frame != GROUND:
        force, torque = (np.einsum("rij,rj->ri", bodies[force_frame].rotation, vector) for vector in (force, torque))
    if point_frame is None:
        point = origin
    elif point_frame != GROUND:
        point = bodies[point_frame].origin + np.einsum("rij,rj->ri", bodies[point_frame].rotation, point)
    arm = point - origin
    turning = jacobian[:, :3]
    at_point = np.concatenate([turning, jacobian[:, 3:] - cross_matrices(arm) @ turning], axis=1)
    spin, slip = np.hsplit(_product(at_point, u), 2)
    station = np.einsum("rji,rj->ri", rotation, arm)
    in_ground = force_frame == GROUND and point_frame in (None, GROUND)
    return PointLoad(body, force, point, torque, in_ground, station, slip, spin, at_point)


def _free_directions(model: osim.Model, kinematics: Kinematics, state: osim.State) -> NDArray[np.bool_]:
    """Return along which axes of ground (3 rotations, 3 translations) every joint to ground lets its body move."""
    free = np.ones(6, dtype=bool)
    jacobian = kinematics.jacobian(state).reshape(len(kinematics.bodies), 6, -1)
    for joint in model.getJointSet():
        if joint.getParentFrame().findBaseFrame().getName() != GROUND:
            continue
        names = [joint.get_coordinates(i).getName() for i in range(joint.numCoordinates())]
        columns = [kinematics.coordinates.index(name) for name in names]
        span = jacobian[kinematics.bodies.index(joint.getChildFrame().findBaseFrame().getName())][:, columns]
        reached = span @ np.linalg.pinv(span) if columns else np.zeros((6, 6))
        free &= np.abs(reached - np.eye(6)).max(axis=0) < FREE
    return free
