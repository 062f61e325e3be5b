"""A model at some rows of a motion, and the external loads there: what loads are held against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.opensim import osim
from ..opensim_model.reading import Kinematics, Motion, read_coordinates
from ..opensim_model.setups.loads import Loads

__all__ = ["GROUND", "MovingModel", "PointLoad", "covered_rows", "spread", "whole_kinematics"]

MOST_ROWS = 60
"""Rows at which the model is looked at, at most."""
FREE = 1e-6
"""A joint lets a body move in a direction if unit speeds make it, but for this."""
GROUND = "ground"


@dataclass(frozen=True, eq=False)
class PointLoad:
    """A load at the R rows at which a model is looked at, in ground.

    Attributes:
        body: the body it acts on.
        force: (R, 3) [N].
        point: (R, 3), where it acts [m]; the body's origin where the load names no point.
        torque: (R, 3) [N m].
        in_ground: whether the table gives force and point in ground.
        station: (R, 3), the point in the frame of the body [m].
        slip: (R, 3), velocity in ground of what of the body is at the point [m/s].
        spin: (R, 3), angular velocity of the body in ground [rad/s].
    """

    body: str
    force: Array
    point: Array
    torque: Array
    in_ground: bool
    station: Array
    slip: Array
    spin: Array


@dataclass(frozen=True, eq=False)
class MovingModel:
    """A model at R rows of a motion for which there are external loads.

    Attributes:
        times: (R,) [s].
        weight: the model's weight [N].
        mass: the model's mass [kg].
        up: (3,), away from gravity; zero without gravity.
        centre: (R, 3), centre of mass in ground [m].
        momentum: (R, 6), angular momentum about the centre of mass [N m s], and linear momentum [N s].
        free: (6,), along which axes of ground the whole model turns and moves freely.
        origins: (R, 3) by body, in ground [m].
        loads: by name.
    """

    times: Array
    weight: float
    mass: float
    up: Array
    centre: Array
    momentum: Array
    free: NDArray[np.bool_]
    origins: Mapping[str, Array]
    loads: Mapping[str, PointLoad]

    @property
    def moves_freely(self) -> bool:
        """Whether the whole model has weight and moves freely in ground along some axis."""
        return bool(self.free[3:].any()) and self.weight > 0

    @classmethod
    def of(
        cls,
        model: osim.Model,
        loads: Loads,
        motion: Motion,
        extra_inertias: Mapping[str, Array] | None = None,
        rows: NDArray[np.intp] | None = None,
        kinematics: Kinematics | None = None,
    ) -> MovingModel | None:
        """Evaluate a model at rows of a motion; None if the loads have data for none of these rows.

        Args:
            model: initialised.
            loads: their bodies are in the model.
            motion: of all coordinates of the model.
            extra_inertias: by body, the pseudo-inertia (4, 4) of mass fixed to it besides its own.
            rows: the rows of the motion to look at, for which there are loads; default: some of all.
            kinematics: what :func:`whole_kinematics` makes of the model, so as not to make it anew.
        """
        if rows is None:
            rows = spread(covered_rows(motion, loads))
        if not len(rows):
            return None
        state = osim.State(model.getWorkingState())
        kinematics = whole_kinematics(model) if kinematics is None else kinematics
        coordinates, names = kinematics.coordinates, kinematics.bodies
        order = [motion.coordinate_names.index(name) for name in coordinates.names]
        centre, momentum = np.empty((len(rows), 3)), np.empty((len(rows), 6))
        rotation, position = np.empty((len(rows), len(names), 3, 3)), np.empty((len(rows), len(names), 3))
        velocity = np.empty((len(rows), len(names), 6))
        matter = model.getMatterSubsystem()
        for i, row in enumerate(rows.tolist()):
            state.setTime(float(motion.times[row]))
            u = motion.u[row, order]
            coordinates.set_values(state, motion.q[row, order])
            state.setU(osim.Vector.createFromMat(u))
            model.realizeVelocity(state)
            rotation[i], position[i] = kinematics.transforms(state)
            velocity[i] = (kinematics.jacobian(state) @ u).reshape(-1, 6)
            centre[i] = model.calcMassCenterPosition(state).to_numpy()
            central = matter.calcSystemCentralMomentum(state)
            momentum[i] = [*central.get(0).to_numpy(), *central.get(1).to_numpy()]
        origins = dict(zip(names, position.swapaxes(0, 1), strict=True))
        rotations = dict(zip(names, rotation.swapaxes(0, 1), strict=True))
        velocities = dict(zip(names, velocity.swapaxes(0, 1), strict=True))
        mass = float(model.getTotalMass(state))
        for name, inertia in (extra_inertias or {}).items():
            mass, centre = _with_mass(mass, centre, momentum, inertia, rotations[name], origins[name], velocities[name])
        gravity = np.array(model.getGravity().to_numpy())
        size = float(np.linalg.norm(gravity))
        return cls(
            motion.times[rows],
            mass * size,
            mass,
            -gravity / size if size else gravity,
            centre,
            momentum,
            _free_directions(model, kinematics, state),
            origins,
            {
                name: _in_ground(name, loads, motion.times[rows], origins, rotations, velocities)
                for name in loads.columns
            },
        )


def whole_kinematics(model: osim.Model, like: Kinematics | None = None) -> Kinematics:
    """Return what reads all bodies of an initialised model, and ground as the last one.

    Args:
        model: initialised.
        like: kinematics of some of the model's bodies, if there are, whose checks hold for all of them.
    """
    names = [*(body.getName() for body in model.getBodySet()), GROUND]
    coordinates = read_coordinates(model, model.getWorkingState()) if like is None else like.coordinates
    return Kinematics(model, coordinates, names, like)


def covered_rows(motion: Motion, loads: Loads) -> NDArray[np.intp]:
    """Return the rows of a motion within the times of external loads."""
    return np.flatnonzero((motion.times >= loads.times[0]) & (motion.times <= loads.times[-1]))


def spread(rows: NDArray[np.intp], most: int = MOST_ROWS) -> NDArray[np.intp]:
    """Return at most so many of some rows, spread evenly among them."""
    if not len(rows):
        return rows
    return rows[np.unique(np.linspace(0, len(rows) - 1, min(len(rows), most)).round().astype(int))]


def _with_mass(
    mass: float, centre: Array, momentum: Array, inertia: Array, rotation: Array, origin: Array, velocity: Array
) -> tuple[float, Array]:
    """Return mass and centre (R, 3) of a model with more mass on a body, and change its momentum (R, 6) in place.

    Args:
        mass, centre, momentum: of the model without, [kg, m], and about its centre [N m s, N s].
        inertia: pseudo-inertia (4, 4) of what is added, in the body's frame.
        rotation, origin: of the body in ground, (R, 3, 3) and (R, 3).
        velocity: of the body, angular and of its origin, (R, 6).
    """
    frames = np.concatenate([rotation, origin[:, :, None]], axis=2)  # (R, 3, 4)
    spins = np.cross(velocity[:, None, :3], rotation.swapaxes(1, 2)).swapaxes(1, 2)
    rates = np.concatenate([spins, velocity[:, 3:, None]], axis=2)
    flow = rates @ inertia @ frames.swapaxes(1, 2)  # of v by r, summed over the mass
    linear, place = (rates @ inertia)[:, :, 3], (frames @ inertia)[:, :, 3]
    about_ground = np.stack(
        [flow[:, 2, 1] - flow[:, 1, 2], flow[:, 0, 2] - flow[:, 2, 0], flow[:, 1, 0] - flow[:, 0, 1]], 1
    )
    total_mass = mass + float(inertia[3, 3])
    new_centre = (mass * centre + place) / total_mass
    momentum[:, :3] += np.cross(centre, momentum[:, 3:]) + about_ground
    momentum[:, 3:] += linear
    momentum[:, :3] -= np.cross(new_centre, momentum[:, 3:])
    return total_mass, new_centre


def _in_ground(
    name: str,
    loads: Loads,
    times: Array,
    origins: Mapping[str, Array],
    rotations: Mapping[str, Array],
    velocities: Mapping[str, Array],
) -> PointLoad:
    """Return a load at some times, interpolated between the rows of its table."""
    values = np.column_stack([np.interp(times, loads.times, column) for column in loads.values(name).T])
    force, point, torque = values[:, :3], values[:, 3:6], values[:, 6:]
    body, force_frame, point_frame = loads.bodies[name]
    if force_frame != GROUND:
        force, torque = (np.einsum("rij,rj->ri", rotations[force_frame], vector) for vector in (force, torque))
    if point_frame is None:
        point = origins[body]
    elif point_frame != GROUND:
        point = origins[point_frame] + np.einsum("rij,rj->ri", rotations[point_frame], point)
    arm, spin = point - origins[body], velocities[body][:, :3]
    slip = velocities[body][:, 3:] + np.cross(spin, arm)
    station = np.einsum("rji,rj->ri", rotations[body], arm)
    in_ground = force_frame == GROUND and point_frame in (None, GROUND)
    return PointLoad(body, force, point, torque, in_ground, station, slip, spin)


def _free_directions(model: osim.Model, kinematics: Kinematics, state: osim.State) -> NDArray[np.bool_]:
    """Return along which axes of ground (3 rotations, 3 translations) every joint to ground lets its body move."""
    free = np.ones(6, dtype=bool)
    jacobian = kinematics.jacobian(state).reshape(len(kinematics.bodies), 6, -1)
    for joint in model.getJointSet():
        if joint.getParentFrame().findBaseFrame().getName() != GROUND:
            continue
        columns = [
            kinematics.coordinates.index(joint.get_coordinates(i).getName()) for i in range(joint.numCoordinates())
        ]
        span = jacobian[kinematics.bodies.index(joint.getChildFrame().findBaseFrame().getName())][:, columns]
        reached = span @ np.linalg.pinv(span) if columns else np.zeros((6, 6))
        free &= np.abs(reached - np.eye(6)).max(axis=0) < FREE
    return free
