"""Variables of polynomials: coordinates, or components of the quaternions of joints that turn in three directions.

Pins in a row whose axes meet are one joint (docs/length_polynomials.md). A moment arm is the polynomial's Jacobian
times the variables' derivatives by the coordinate: quaternions need no mapping that is singular where Euler angles are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from ..._core.arrays import Array
from ..._core.errors import MotionError, UnsupportedPathError
from ..._core.opensim import osim
from ..._core.rotations import quaternion_map
from ...opensim_model.reading.components import model_muscles
from ...opensim_model.reading.coordinates import CoordinateTable, couplings, follow_couplers, random_poses
from ...opensim_model.reading.kinematics import Kinematics
from ...opensim_model.reading.paths import defined_points
from ...paths.wrapping.surfaces import wrap_bodies

#: A coordinate turns a body if the angular velocity per unit of its speed is above this [rad/rad].
TURNS = 1e-9
#: The least volume that three axes of unit length span, at the median of some poses, for a joint to turn freely.
SPANS = 0.05
#: Axes meet if a point that stays in one body moves by at most this in the other [m].
MEET = 0.002
#: Up to this distance [m] axes that do not meet are named; farther ones are of different joints.
NEAR = 0.03


@dataclass(frozen=True, eq=False)
class Turn:
    """A rotation that is described by a quaternion: that of a joint, or of several in a row whose axes meet."""

    joint: str  # the joint's name, or those of several with ``+`` between them
    parent: str  # (with child) the bodies that are joined
    child: str
    coordinates: tuple[str, ...]  # names of the coordinates that the quaternion stands for
    turning: tuple[str, ...]  # names of all coordinates that turn the child on the parent
    reference: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)


class FreeCoordinates:
    """Coordinates that are neither locked nor coupled: names, and places (F,) among all coordinates."""

    def __init__(self, model: osim.Model, coordinates: CoordinateTable) -> None:
        self._model, self._all = model, coordinates
        followers = {c.dependent for c in couplings(model, coordinates, coordinates.defaults[None])}
        model_coordinates = model.getCoordinateSet()
        free = [
            i
            for i, name in enumerate(coordinates.names)
            if i not in followers and not model_coordinates.get(name).get_locked()
        ]
        self.places = np.array(free, dtype=np.intp)
        self.names = tuple(coordinates.names[i] for i in free)

    def drives(self, q: Array) -> Array:
        """Return the speeds (P, nu, F) of all coordinates per speed of each free one, at poses q (P, nu)."""
        drives = np.zeros((len(q), q.shape[1], len(self.places)))
        drives[:, self.places, np.arange(len(self.places))] = 1.0
        column = {place: k for k, place in enumerate(self.places.tolist())}
        for c in couplings(self._model, self._all, q):
            if c.independent in column:
                drives[:, c.dependent, column[c.independent]] = c.slopes
        return drives


class RelativeMotion(NamedTuple):
    """How a child moves in its parent, at P poses."""

    rotation: Rotation  # child to parent
    spin: Array  # the angular velocity (P, 3, nu) per speed, in the parent
    place: Array  # the child's origin in the parent, (P, 3) [m]

    @property
    def apart(self) -> float:
        """How far [m] that point of the child at most moves in the parent which moves least."""
        rotations = self.rotation.as_matrix()
        system = np.concatenate([rotations, np.broadcast_to(-np.eye(3), rotations.shape)], axis=2).reshape(-1, 6)
        point = np.linalg.lstsq(system, -self.place.ravel(), rcond=None)[0]
        displacements = (system @ point + self.place.ravel()).reshape(-1, 3)
        return float(np.linalg.norm(displacements, axis=1).max())


def find_turns(model: osim.Model, coordinates: CoordinateTable) -> tuple[list[Turn], list[tuple[tuple[str, ...], str]]]:
    """Return the rotations in three directions by coordinates of their own: joints, and pins in a row whose axes meet;
    and coordinates of others, with the reason why they are none.

    Of a joint that more than three coordinates turn, as a scapula on the thorax, those three whose axes are the least
    dependent at the median of some poses give way to the quaternion; the others remain variables.
    """
    free = FreeCoordinates(model, coordinates)
    rows = _rows_of_joints(model, set(free.names))
    candidates = [_turn_of(row) for row in rows]
    if not candidates:
        return [], []
    bodies = tuple(dict.fromkeys(body for turn in candidates for body in (turn.parent, turn.child)))
    q = random_poses(model, coordinates, 15, margin=0.1)
    drives = free.drives(q)
    motions = relative_motions(model, coordinates, Kinematics(model, coordinates, bodies), candidates, q)
    carrying = _carrying(model)
    turns: list[Turn] = []
    rejected = []
    claimed: set[str] = set()
    for row, turn, motion in zip(rows, candidates, motions, strict=True):
        turning, chosen = _directions(free, motion.spin @ drives)
        if not set(turning) <= set(turn.coordinates) or not chosen or claimed & set(turning):
            continue
        reason = _reason_against(row, motion, carrying)
        if reason is None:
            turns.append(replace(turn, coordinates=chosen, turning=turning))
            claimed |= set(turning)
        elif reason:
            rejected.append((turning, f"{reason} between '{turn.parent}' and '{turn.child}'"))
    return turns, [entry for entry in rejected if not claimed & set(entry[0])]


def relative_motions(
    model: osim.Model, coordinates: CoordinateTable, kinematics: Kinematics, turns: Iterable[Turn], q: Array
) -> list[RelativeMotion]:
    """Return how the child of each turn moves in its parent at poses q (P, nu)."""
    state = osim.State(model.getWorkingState())
    count = len(kinematics.bodies)
    ground = np.empty((len(q), count, 3, 3))
    places = np.empty((len(q), count, 3))
    spins = np.empty((len(q), count, 3, q.shape[1]))
    for pose, values in enumerate(q):
        coordinates.set_values(state, values)
        model.realizePosition(state)
        ground[pose], places[pose] = kinematics.transforms(state)
        spins[pose] = kinematics.jacobian(state).reshape(count, 6, -1)[:, :3]
    motions = []
    for turn in turns:
        a, b = kinematics.bodies.index(turn.parent), kinematics.bodies.index(turn.child)
        inward = ground[:, a].transpose(0, 2, 1)
        place = (inward @ (places[:, b] - places[:, a])[:, :, None])[:, :, 0]
        motions.append(
            RelativeMotion(Rotation.from_matrix(inward @ ground[:, b]), inward @ (spins[:, b] - spins[:, a]), place)
        )
    return motions


class _Joint(NamedTuple):
    """A joint: its name, the bodies that it joins, its coordinates, and how many of these are free."""

    name: str
    parent: str
    child: str
    coordinates: tuple[str, ...]
    free: int


def _rows_of_joints(model: osim.Model, free: set[str]) -> list[tuple[_Joint, ...]]:
    """Return single joints and rows of them, outwards, that have three free coordinates or more, the former first."""
    joints = []
    for joint in model.getJointSet():
        names = tuple(joint.get_coordinates(i).getName() for i in range(joint.numCoordinates()))
        parent, child = (f.findBaseFrame().getName() for f in (joint.getParentFrame(), joint.getChildFrame()))
        joints.append(_Joint(joint.getName(), parent, child, names, sum(name in free for name in names)))
    rows: list[tuple[_Joint, ...]] = [(joint,) for joint in joints if joint.free >= 3]
    outward: dict[str, list[_Joint]] = {}
    for joint in joints:
        outward.setdefault(joint.parent, []).append(joint)
    for first in _from_the_base(joints):
        row = [first]
        while 0 < first.free and sum(joint.free for joint in row) < 3:
            after = [joint for joint in outward.get(row[-1].child, []) if joint.free < 3]
            if len(after) != 1:
                break
            row += after
        if len(row) > 1 and sum(joint.free for joint in row) >= 3:
            rows.append(tuple(row))
    return rows


def _from_the_base(joints: Sequence[_Joint]) -> list[_Joint]:
    """Return joints so that each comes after the one that carries its parent."""
    inward = {joint.child: joint.parent for joint in joints}

    def depth(joint: _Joint) -> int:
        body, count = joint.parent, 0
        while body in inward and count < len(joints):
            body, count = inward[body], count + 1
        return count

    return sorted(joints, key=depth)


def _turn_of(row: Sequence[_Joint]) -> Turn:
    names = tuple(name for joint in row for name in joint.coordinates)
    return Turn("+".join(j.name for j in row if j.coordinates), row[0].parent, row[-1].child, names, names)


def _directions(free: FreeCoordinates, omega: Array) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the free coordinates that turn a child, and the three least dependent; omega is (P, 3, F) per speed."""
    places = [k for k in range(len(free.names)) if np.abs(omega[:, :, k]).max() > TURNS]
    turning = tuple(free.names[k] for k in places)
    volumes = {
        chosen: float(np.median(np.abs(np.linalg.det(omega[:, :, list(chosen)])))) for chosen in combinations(places, 3)
    }
    best = max(volumes, key=lambda chosen: volumes[chosen], default=())
    return turning, tuple(free.names[k] for k in best) if best and volumes[best] > SPANS else ()


def _reason_against(row: Sequence[_Joint], motion: RelativeMotion, carrying: set[str]) -> str | None:
    """Return why a row of joints is no single rotation; nothing to be said of joints apart, None if it is one."""
    if len(row) == 1:
        return None
    distance = motion.apart
    if distance > MEET:
        return f"their axes pass each other by up to {1e3 * distance:.2g} mm" if distance <= NEAR else ""
    carriers = [joint.child for joint in row[:-1] if joint.child in carrying]
    return f"muscles act on '{carriers[0]}'" if carriers else None


def _carrying(model: osim.Model) -> set[str]:
    """Return the names of the bodies that carry path points or surfaces of muscles."""
    bodies: set[str] = set()
    for muscle in model_muscles(model).values():
        try:
            bodies |= {point.getParentFrame().findBaseFrame().getName() for point in defined_points(muscle)}
            bodies |= set(wrap_bodies(muscle))
        except UnsupportedPathError:
            continue
    return bodies


#: The least scalar component of a quaternion: its vector part says little of rotations near 180 degrees.
LEAST_SCALAR = 0.05


@dataclass(frozen=True)
class Group:
    """Variables that belong together: a muscle's polynomial has all of them or none."""

    columns: tuple[int, ...]  # the variables, as places in `names`
    speeds: tuple[int, ...]  # the free coordinates that move them, as places in `names`


@dataclass(frozen=True)
class Pose:
    """Variables at P poses."""

    x: Array  # their values (P, n)
    motions: Array  # their derivatives (P, n, F) with respect to the free coordinates' speeds


class Variables:
    """The variables of all polynomials of an initialised model, some joints described by quaternions."""

    def __init__(self, model: osim.Model, coordinates: CoordinateTable, turns: Sequence[Turn] = ()) -> None:
        """Number the variables, coordinates first and then quaternions, and group those that belong together."""
        self._model, self._coordinates, self.turns = model, coordinates, tuple(turns)
        self.free = free = FreeCoordinates(model, coordinates)
        quaternion_coordinates = {name for turn in turns for name in turn.coordinates}
        euler_columns = [k for k, name in enumerate(free.names) if name not in quaternion_coordinates]
        self._euler_columns = np.array(euler_columns, dtype=np.intp)
        euler_names = [free.names[k] for k in euler_columns]
        self.names = (*euler_names, *(f"{turn.joint}.Q{i}" for turn in turns for i in (1, 2, 3)))
        first = len(euler_names)
        self.angular = self._find_angular()
        columns_by_joint: dict[object, list[int]] = {}
        for column, k in enumerate(euler_columns):
            columns_by_joint.setdefault(self.angular.get(free.names[k], k), []).append(column)
        groups = [
            Group(tuple(columns), tuple(euler_columns[c] for c in columns)) for columns in columns_by_joint.values()
        ]
        for t, turn in enumerate(turns):
            speeds = tuple(free.names.index(name) for name in turn.turning if name in free.names)
            groups.append(Group(tuple(range(first + 3 * t, first + 3 * t + 3)), speeds))
        self.groups = tuple(groups)
        bodies = tuple(dict.fromkeys(body for turn in turns for body in (turn.parent, turn.child)))
        self._kinematics = Kinematics(model, coordinates, bodies) if turns else None

    def at(self, q: Array, drives: Array) -> Pose:
        """Return the variables at poses q (P, nu), and their derivatives by the free coordinates' speeds."""
        places = self.free.places[self._euler_columns]
        xs, motions = [q[:, places]], [self._rates(q)[:, places] @ drives]
        for turn, (rotation, spin) in zip(self.turns, self._rotations(q), strict=True):
            relative = Rotation.from_quat(turn.reference).inv() * rotation
            quaternion = relative.as_quat(canonical=True, scalar_first=True)
            far = quaternion[:, 0] < LEAST_SCALAR
            if far.any():
                raise MotionError(
                    f"pose {int(far.argmax())} (counted from 0): joint '{turn.joint}' is turned by nearly 180 degrees "
                    "from the mean of the fitted poses, where the vector part of a quaternion cannot tell poses apart; "
                    "expected poses closer to it, or Euler angles"
                )
            omega = Rotation.from_quat(turn.reference).as_matrix().T @ (spin @ drives)
            xs.append(quaternion[:, 1:])
            rates = np.array([quaternion_map(each, "parent")[:, 1:] for each in quaternion]) / 2
            motions.append(rates.transpose(0, 2, 1) @ omega)
        return Pose(np.concatenate(xs, axis=1), np.concatenate(motions, axis=1))

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of all coordinates of the model, along the axis of poses (P, nu)."""
        return self._coordinates.names

    def followed(self, q: Array) -> Array:
        """Return poses (P, nu) with the coordinates that follow others in their places."""
        return follow_couplers(self._model, self._coordinates, q)

    def with_mean_references(self, q: Array) -> Variables:
        """Return the same variables, each quaternion with the mean of the rotations at poses q as its reference."""
        turns = []
        for turn, (rotation, _) in zip(self.turns, self._rotations(q), strict=True):
            x, y, z, w = rotation.mean().as_quat(canonical=True).tolist()
            turns.append(replace(turn, reference=(x, y, z, w)))
        return Variables(self._model, self._coordinates, turns)

    def _find_angular(self) -> dict[str, str]:
        """Return the joint of each coordinate of a joint whose speeds are not the rates of its coordinates."""
        if self._coordinates.nq == len(self._coordinates.names):
            return {}
        rates = self._rates(random_poses(self._model, self._coordinates, 3, margin=0.1))
        differs = np.abs(rates - np.eye(rates.shape[1])).max(axis=0) > TURNS
        coordinate_set = self._model.getCoordinateSet()
        joints = {name: coordinate_set.get(name).getJoint().getName() for name in self._coordinates.names}
        angular_joints = {
            joints[self._coordinates.names[i]] for i in np.flatnonzero(differs.any(axis=0) | differs.any(axis=1))
        }
        return {name: joint for name, joint in joints.items() if joint in angular_joints}

    def _rates(self, q: Array) -> Array:
        """Return the rates (P, nu, nu) of the coordinates per speed."""
        count = q.shape[1]
        if self._coordinates.nq == len(self._coordinates.names):
            return np.broadcast_to(np.eye(count), (len(q), count, count))
        rates = np.empty((len(q), count, count))
        state = osim.State(self._model.getWorkingState())
        units = [osim.Vector.createFromMat(row) for row in np.eye(count)]
        for pose, values in enumerate(q):
            self._coordinates.set_values(state, values)
            for k, unit in enumerate(units):
                state.setU(unit)
                self._model.realizeVelocity(state)
                rates[pose, :, k] = state.getQDot().to_numpy()[self._coordinates.slots]
        return rates

    def _rotations(self, q: Array) -> list[tuple[Rotation, Array]]:
        """Return each turn's rotations at poses, and the angular velocity (P, 3, nu) per speed in the parent."""
        if self._kinematics is None:
            return []
        motions = relative_motions(self._model, self._coordinates, self._kinematics, self.turns, q)
        return [(motion.rotation, motion.spin) for motion in motions]
