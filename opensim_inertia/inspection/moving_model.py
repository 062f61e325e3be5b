"""A model at some rows of a motion, and the external loads there: what loads are held against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._opensim import osim
from ..arrays import Array
from ..reading import Kinematics, Motion, read_coordinates
from ..setups.loads import Loads

__all__ = ["MovingModel", "PointLoad"]

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
    """

    body: str
    force: Array
    point: Array
    torque: Array
    in_ground: bool


@dataclass(frozen=True, eq=False)
class MovingModel:
    """A model at R rows of a motion for which there are external loads.

    Attributes:
        times: (R,) [s].
        weight: the model's weight [N].
        up: (3,), away from gravity; zero without gravity.
        centre: (R, 3), centre of mass in ground [m].
        momentum: (R, 6), angular momentum about the centre of mass [N m s], and linear momentum [N s].
        free: (6,), along which axes of ground the whole model turns and moves freely.
        origins: (R, 3) by body, in ground [m].
        loads: by name.
    """

    times: Array
    weight: float
    up: Array
    centre: Array
    momentum: Array
    free: NDArray[np.bool_]
    origins: Mapping[str, Array]
    loads: Mapping[str, PointLoad]

    @classmethod
    def of(
        cls, model: osim.Model, loads: Loads, motion: Motion, more: Mapping[str, Array] | None = None
    ) -> MovingModel | None:
        """Look at a model along a motion; None if the loads have data for none of its rows.

        Args:
            model: initialised.
            loads: their bodies are in the model.
            motion: of all coordinates of the model.
            more: pseudo-inertias (4, 4) of what is fixed to bodies besides their own mass, by body.
        """
        covered = np.flatnonzero((motion.times >= loads.times[0]) & (motion.times <= loads.times[-1]))
        if not len(covered):
            return None
        rows = covered[np.unique(np.linspace(0, len(covered) - 1, min(len(covered), MOST_ROWS)).round().astype(int))]
        state = osim.State(model.getWorkingState())
        coordinates = read_coordinates(model, state)
        order = [motion.coordinate_names.index(name) for name in coordinates.names]
        names = [*(body.getName() for body in model.getBodySet()), GROUND]
        kinematics = Kinematics(model, coordinates, names)
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
        for name, inertia in (more or {}).items():
            mass, centre = _with_mass(mass, centre, momentum, inertia, rotations[name], origins[name], velocities[name])
        gravity = np.array(model.getGravity().to_numpy())
        size = float(np.linalg.norm(gravity))
        return cls(
            motion.times[rows],
            mass * size,
            -gravity / size if size else gravity,
            centre,
            momentum,
            _free_directions(model, kinematics, state),
            origins,
            {name: _in_ground(name, loads, motion.times[rows], origins, rotations) for name in loads.columns},
        )


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
    whole = mass + float(inertia[3, 3])
    both = (mass * centre + place) / whole
    momentum[:, :3] += np.cross(centre, momentum[:, 3:]) + about_ground
    momentum[:, 3:] += linear
    momentum[:, :3] -= np.cross(both, momentum[:, 3:])
    return whole, both


def _in_ground(
    name: str, loads: Loads, times: Array, origins: Mapping[str, Array], turned: Mapping[str, Array]
) -> PointLoad:
    """Return a load at some times, interpolated between the rows of its table."""
    values = np.column_stack([np.interp(times, loads.times, column) for column in loads.values(name).T])
    force, point, torque = values[:, :3], values[:, 3:6], values[:, 6:]
    body, force_frame, point_frame = loads.bodies[name]
    if force_frame != GROUND:
        force, torque = (np.einsum("rij,rj->ri", turned[force_frame], vector) for vector in (force, torque))
    if point_frame is None:
        point = origins[body]
    elif point_frame != GROUND:
        point = origins[point_frame] + np.einsum("rij,rj->ri", turned[point_frame], point)
    return PointLoad(body, force, point, torque, force_frame == GROUND and point_frame in (None, GROUND))


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
