"""Data for fits of length polynomials: poses, path lengths with derivatives, and variables."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation
from tqdm import tqdm

from ..._core.arrays import Array
from ..._core.checks import shows_bar
from ..._core.choices import MOST_POSES
from ..._core.errors import MotionError, OtherModelError, UnsupportedPathError
from ..._core.opensim import osim
from ..._core.options import whole
from ..._core.rotations import quaternion_map
from ...model.assembly import assemble
from ...muscles.material import MIDDLE, WHOLE
from ...opensim_model.reading.components import model_muscles
from ...opensim_model.reading.coordinates import CoordinateTable, couplings, follow_couplers, random_poses
from ...opensim_model.reading.kinematics import Kinematics, MomentArms
from ...opensim_model.reading.loading import InitialisedModel
from ...opensim_model.reading.motion import load_poses
from ...opensim_model.reading.paths import defined_points, read_path
from ...opensim_model.reading.recorded_table import motion_name
from ...options.modelling import ModelOptions
from ...paths.kernel.description import KernelMuscle
from ...paths.wrapping.current_path import shown_length
from ...paths.wrapping.path_samples import read_body_poses
from ...paths.wrapping.surfaces import read_surfaces, wrap_bodies

#: Poses: a number of random poses, a motion, or values (P, nu) of all coordinates.
PoseSource: TypeAlias = int | str | os.PathLike[str] | pd.DataFrame | Array
#: A function of muscle names and poses (P, nu) that returns path lengths (P,) [m] by muscle.
Measure: TypeAlias = Callable[[Sequence[str], Array], Mapping[str, Array]]
#: Number of random poses in a fingerprint besides the default pose, and largest difference of equal lengths [m].
FINGERPRINT_POSES, SAME = 3, 1e-6


@dataclass(frozen=True, eq=False)
class PoseSet:
    """Coordinate values at P poses, times (P,) of poses from a motion, and a text on the source of the poses."""

    q: Array  # values (P, nu) of coordinates [rad or m], which fulfil couplers
    times: Array | None  # of a motion, (P,) [s]
    origin: str

    def only(self, kept: NDArray[np.bool_]) -> PoseSet:
        """Return the poses with ``kept`` (P,) true."""
        times = None if self.times is None else self.times[kept]
        return PoseSet(self.q[kept], times, f"{kept.sum()} of {self.origin}")


def read_poses(model: osim.Model, coordinates: CoordinateTable, poses: PoseSource, seed: int = 0) -> PoseSet:
    """Return poses from an array, a motion, or a number of random poses, which depend on ``seed``."""
    if isinstance(poses, np.ndarray):
        q = np.array(poses, dtype=float)
        if q.ndim != 2 or q.shape[1] != len(coordinates.names):
            raise MotionError(f"poses have shape {q.shape}; expected (P, {len(coordinates.names)}), all coordinates")
        wrong = np.argwhere(~np.isfinite(q))
        if len(wrong):
            pose, place = wrong[0].tolist()
            raise MotionError(
                f"pose {pose} (counted from 0): '{coordinates.names[place]}' is {q[pose, place]}; expected a finite "
                "number [rad or m]"
            )
        return PoseSet(follow_couplers(model, coordinates, q), None, f"{len(q)} poses")
    if isinstance(poses, str | os.PathLike | pd.DataFrame):
        times, values = load_poses(poses, model, coordinates.names)
        q = follow_couplers(model, coordinates, values)
        return PoseSet(q, times, f"{len(q)} poses of {os.path.basename(motion_name(poses))}")
    count = whole(1, MOST_POSES)("poses", poses)
    return PoseSet(random_poses(model, coordinates, count, seed), None, f"{count} random poses, seed {seed}")


class PathLengths:
    """Lengths of muscle paths in an initialised model: the package's smooth paths where possible, else OpenSim's paths.

    Derivatives of OpenSim's paths are those of its applied forces.
    """

    def __init__(
        self, model: osim.Model, coordinates: CoordinateTable, names: Sequence[str], options: ModelOptions | None = None
    ) -> None:
        muscles = model_muscles(model)
        self._model, self._coordinates = model, coordinates
        self._state = osim.State(model.getWorkingState())
        self._smooth: list[int] = []
        if options is not None:
            paths = [read_path(muscles[name], coordinates) for name in names]
            surfaces = {name: read_surfaces(muscles[name]) for name in names}
            carriers = [surface.body for by_name in surfaces.values() for surface in by_name.values()]
            bodies = tuple(dict.fromkeys([*(body for path in paths for body in path.bodies), *carriers]))
            placed = [KernelMuscle(path, WHOLE, 1.0, MIDDLE) for path in paths]
            ready = InitialisedModel(model)
            assembly = assemble(ready, ready.coordinates, bodies, surfaces, placed, np.zeros(3), options)
            self._smooth = [i for i, name in enumerate(names) if name not in assembly.plan.opensim]
            self._evaluation = replace(assembly, muscles=tuple(placed[i] for i in self._smooth)).evaluation
            self._kinematics = Kinematics(model, coordinates, bodies)
        self._paths = {i: muscles[name].getPath() for i, name in enumerate(names) if i not in self._smooth}
        self._many_wraps = {i: _with_many_wraps(path) for i, path in self._paths.items()}
        self._arms = MomentArms(model, [*self._paths.values()])

    def lengths(self, q: Array, indices: Sequence[int] | None = None) -> Array:
        """Return path lengths (P, muscles) [m] at poses (P, nu); NaN where a muscle has no smooth path."""
        chosen = range(len(self._smooth) + len(self._paths)) if indices is None else indices
        lengths = np.full((len(q), len(chosen)), np.nan)
        smooth, by_opensim = ([k for k, i in enumerate(chosen) if i in group] for group in (self._smooth, self._paths))
        if smooth:
            evaluated = [self._smooth.index(chosen[k]) for k in smooth]
            looks = read_body_poses(self._model, self._coordinates, self._kinematics, q)
            for pose in range(len(q)):
                lengths[pose, smooth] = self._evaluation.path_lengths(looks.kinematics(pose), evaluated)
        for pose in range(len(q)) if by_opensim else ():
            lengths[pose, by_opensim] = self._opensim_lengths(q[pose], [chosen[k] for k in by_opensim])
        return lengths

    def measure(self, q: Array, drives: Array, progress: bool | None) -> tuple[Array, Array]:
        """Return path lengths (P, M) [m], and derivatives (P, M, F) by free coordinates; NaN without a smooth path.

        ``drives`` (P, nu, F) are the speeds of all coordinates per speed of free ones.
        """
        lengths = np.full((len(q), len(self._smooth) + len(self._paths)), np.nan)
        slopes = np.full((*lengths.shape, drives.shape[2]), np.nan)
        by_opensim = list(self._paths)
        for pose in tqdm(range(len(q)), disable=not shows_bar(progress), unit="pose", desc="paths"):
            if self._smooth:
                self._coordinates.set_values(self._state, q[pose])
                kinematics = self._kinematics.read(self._state)
                lengths[pose, self._smooth] = smooth_lengths = self._evaluation.path_lengths(kinematics)
                if np.isfinite(smooth_lengths).all():
                    by_twist, by_speed = self._evaluation.length_gradients(kinematics)
                    twists = by_twist.reshape(len(smooth_lengths), len(kinematics.jacobian))
                    slopes[pose, self._smooth] = (by_speed + twists @ kinematics.jacobian) @ drives[pose]
            if by_opensim:
                lengths[pose, by_opensim] = self._opensim_lengths(q[pose], by_opensim)
                slopes[pose, by_opensim] = -self._arms.at(self._state) @ drives[pose]
        return lengths, slopes

    def _opensim_lengths(self, values: Array, indices: Sequence[int]) -> list[float]:
        self._coordinates.set_values(self._state, values)
        self._model.realizePosition(self._state)
        paths = ((self._paths[i], self._many_wraps[i]) for i in indices)
        return [p.getLength(self._state) if many is None else shown_length(many, self._state) for p, many in paths]


def opensim_lengths(model: osim.Model, coordinates: CoordinateTable) -> Measure:
    """Return a function for OpenSim's path lengths in an initialised model, see :data:`Measure`."""

    def measure(muscles: Sequence[str], q: Array) -> dict[str, Array]:
        lengths = PathLengths(model, coordinates, muscles).lengths(q)
        return dict(zip(muscles, lengths.T, strict=True))

    return measure


def _with_many_wraps(path: osim.AbstractGeometryPath) -> osim.GeometryPath | None:
    """Return a path as GeometryPath if it has several wraps, which can leave ``getLength`` outdated; else None."""
    geometry_path = osim.GeometryPath.safeDownCast(path)
    return geometry_path if geometry_path is not None and geometry_path.getWrapSet().getSize() > 1 else None


#: A coordinate rotates a body if the angular velocity per unit of speed is above this.
TURNS = 1e-9
#: Smallest volume of three unit axes, as a median over poses, for a joint with free rotation.
SPANS = 0.05
#: Axes intersect if a point fixed in one body moves by at most this in the other [m].
MEET = 0.002
#: Nearly intersecting axes, up to this distance [m], are named in the warning.
NEAR = 0.03


@dataclass(frozen=True, eq=False)
class Turn:
    """Rotation of a joint, or of consecutive joints with intersecting axes, that a quaternion describes."""

    joint: str  # the joint's name, or several names with ``+`` between them
    parent: str  # (with child) the connected bodies
    child: str
    coordinates: tuple[str, ...]  # coordinates that the quaternion replaces
    turning: tuple[str, ...]  # all coordinates that rotate the child in the parent
    reference: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)


class FreeCoordinates:
    """Names and indices (F,) of the coordinates that are neither locked nor coupled."""

    def __init__(self, model: osim.Model, coordinates: CoordinateTable) -> None:
        self._model, self._all = model, coordinates
        followers = {c.dependent for c in couplings(model, coordinates, coordinates.defaults[None])}
        locked = [model.getCoordinateSet().get(name).get_locked() for name in coordinates.names]
        free = [i for i in range(len(coordinates.names)) if i not in followers and not locked[i]]
        self.places = np.array(free, dtype=np.intp)
        self.names = tuple(coordinates.names[i] for i in free)

    def drives(self, q: Array) -> Array:
        """Return rates (P poses, nu, F) of all coordinates per unit rate of each of F free coordinates."""
        drives = np.zeros((len(q), q.shape[1], len(self.places)))
        drives[:, self.places, np.arange(len(self.places))] = 1.0
        column = {place: k for k, place in enumerate(self.places.tolist())}
        for c in couplings(self._model, self._all, q):
            if c.independent in column:
                drives[:, c.dependent, column[c.independent]] = c.slopes
        return drives


#: Motion of a child in its parent at P poses: the rotation from child to parent; the angular velocity (P, 3, nu) per
#: speed;
#: the child's origin (P, 3) [m].
_RelativeMotion = tuple[Rotation, Array, Array]


def find_turns(model: osim.Model, coordinates: CoordinateTable) -> tuple[list[Turn], list[tuple[tuple[str, ...], str]]]:
    """Return the rotations that quaternions can describe, and rejected coordinates with reasons.

    A joint may have more than three rotational coordinates, like a scapula. The quaternion replaces the three with the
    least dependent axes.
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
        turning, chosen = _directions(free, motion[1] @ drives)
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
) -> list[_RelativeMotion]:
    """Return rotation, angular velocity and origin of each rotating child body in its parent at poses (P, nu)."""
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
        motions.append((Rotation.from_matrix(inward @ ground[:, b]), inward @ (spins[:, b] - spins[:, a]), place))
    return motions


class _Joint(NamedTuple):
    """A joint: name, bodies, coordinates, and number of free coordinates."""

    name: str
    parent: str
    child: str
    coordinates: tuple[str, ...]
    free: int


def _rows_of_joints(model: osim.Model, free: set[str]) -> list[tuple[_Joint, ...]]:
    """Return joints with 3 or more free coordinates, then outward chains of joints that together have 3 or more."""
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
    """Return joints sorted outwards from the base."""
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
    """Return coordinates with angular velocity omega (poses, 3, coordinates), and three with least dependent axes."""
    places = [k for k in range(len(free.names)) if np.abs(omega[:, :, k]).max() > TURNS]
    turning = tuple(free.names[k] for k in places)
    volumes = {
        chosen: float(np.median(np.abs(np.linalg.det(omega[:, :, list(chosen)])))) for chosen in combinations(places, 3)
    }
    best = max(volumes, key=lambda chosen: volumes[chosen], default=())
    return turning, tuple(free.names[k] for k in best) if best and volumes[best] > SPANS else ()


def _apart(rotation: Rotation, _: Array, place: Array) -> float:
    """Fit fixed points of child and parent to coincide at all poses; return the points' largest distance [m]."""
    rotations = rotation.as_matrix()
    system = np.concatenate([rotations, np.broadcast_to(-np.eye(3), rotations.shape)], axis=2).reshape(-1, 6)
    point = np.linalg.lstsq(system, -place.ravel(), rcond=None)[0]
    return float(np.linalg.norm((system @ point + place.ravel()).reshape(-1, 3), axis=1).max())


def _reason_against(row: Sequence[_Joint], motion: _RelativeMotion, carrying: set[str]) -> str | None:
    """Return why joints do not form one rotation; "" if their axes are far apart, None if they do form a rotation."""
    if len(row) == 1:
        return None
    distance = _apart(*motion)
    if distance > MEET:
        return f"their axes pass each other by up to {1e3 * distance:.2g} mm" if distance <= NEAR else ""
    carriers = [joint.child for joint in row[:-1] if joint.child in carrying]
    return f"muscles act on '{carriers[0]}'" if carriers else None


def _carrying(model: osim.Model) -> set[str]:
    """Return the names of bodies with path points or wrap surfaces of muscles."""
    bodies: set[str] = set()
    for muscle in model_muscles(model).values():
        try:
            bodies |= {point.getParentFrame().findBaseFrame().getName() for point in defined_points(muscle)}
            bodies |= set(wrap_bodies(muscle))
        except UnsupportedPathError:
            continue
    return bodies


#: Smallest scalar component of a quaternion: near 180 degrees the vector part determines the rotation poorly.
LEAST_SCALAR = 0.05


@dataclass(frozen=True)
class Group:
    """Variables that belong together: a polynomial contains either all of these variables or none."""

    columns: tuple[int, ...]  # indices of the variables in `names`
    speeds: tuple[int, ...]  # indices of the free coordinates that move them


class Variables:
    """Variables of a model's polynomials: coordinates, and quaternions for the rotations ``turns``."""

    def __init__(self, model: osim.Model, coordinates: CoordinateTable, turns: Sequence[Turn] = ()) -> None:
        """Number the variables (coordinates, then quaternions), and group the variables of each joint."""
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

    def at(self, q: Array, drives: Array) -> tuple[Array, Array]:
        """Return the variables (P, n) at poses (P, nu), and their derivatives (P, n, F) by free coordinates."""
        places = self.free.places[self._euler_columns]
        xs, motions = [q[:, places]], [self._rates(q)[:, places] @ drives]
        for turn, (rotation, spin, _) in zip(self.turns, self._motions(q), strict=True):
            relative = Rotation.from_quat(turn.reference).inv() * rotation
            quaternion = relative.as_quat(canonical=True, scalar_first=True)
            far = quaternion[:, 0] < LEAST_SCALAR
            if far.any():
                raise MotionError(
                    f"pose {int(far.argmax())} (counted from 0): joint '{turn.joint}' is turned by nearly 180 degrees "
                    "from the mean of the fitted poses; leave such poses out, or use Euler angles"
                )
            omega = Rotation.from_quat(turn.reference).as_matrix().T @ (spin @ drives)
            xs.append(quaternion[:, 1:])
            rates = np.array([quaternion_map(each, "parent")[:, 1:] for each in quaternion]) / 2
            motions.append(rates.transpose(0, 2, 1) @ omega)
        return np.concatenate(xs, axis=1), np.concatenate(motions, axis=1)

    def with_mean_references(self, q: Array) -> Variables:
        """Return variables with quaternions relative to the mean rotations at poses q."""
        turns = []
        for turn, (rotation, *_) in zip(self.turns, self._motions(q), strict=True):
            x, y, z, w = rotation.mean().as_quat(canonical=True).tolist()
            turns.append(replace(turn, reference=(x, y, z, w)))
        return Variables(self._model, self._coordinates, turns)

    def _find_angular(self) -> dict[str, str]:
        """Return the joint's name by coordinate, for joints with generalized speeds other than coordinate rates."""
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
        """Return the rates (P, nu, nu) of coordinates per unit of each generalized speed, at poses q."""
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

    def _motions(self, q: Array) -> list[_RelativeMotion]:
        if self._kinematics is None:
            return []
        return relative_motions(self._model, self._coordinates, self._kinematics, self.turns, q)


def fingerprint(
    model: osim.Model, coordinates: CoordinateTable, muscles: Sequence[str], measure: Measure
) -> dict[str, Any]:
    """Return path lengths of a model at a few poses as JSON types."""
    poses = np.vstack([coordinates.defaults, random_poses(model, coordinates, FINGERPRINT_POSES, margin=0.1)])
    paths = {name: lengths.tolist() for name, lengths in measure(muscles, poses).items()}
    of_model = {"name": model.getName(), "coordinates": list(coordinates.names)}
    return of_model | {"poses": poses.tolist(), "paths": paths}


def check_fingerprint(
    stored: Mapping[str, Any], model: osim.Model, coordinates: CoordinateTable, measure: Measure, where: str
) -> None:
    """Raise :class:`OtherModelError` (text starts with ``where``) unless a model's paths have the stored lengths."""
    start = f"{where} of model '{stored['name']}', not of this '{model.getName()}': "
    own, poses, names = list(stored["coordinates"]), np.array(stored["poses"], dtype=float), list(stored["paths"])
    for kind, ours, theirs in (("coordinate", own, coordinates.names), ("muscle", names, model_muscles(model))):
        if missing := [name for name in ours if name not in theirs]:
            raise OtherModelError(f"{start}it has no {kind} '{missing[0]}'")
    if extra := sorted(set(coordinates.names).difference(own)):
        raise OtherModelError(f"{start}it has a coordinate '{extra[0]}' besides")
    measured = measure(names, poses[:, [own.index(name) for name in coordinates.names]])
    errors = {name: np.abs(measured[name] - np.array(stored["paths"][name], dtype=float)) for name in names}
    worst = max(errors, key=lambda name: errors[name].max(), default=None)
    if worst is not None and not errors[worst].max() <= SAME:
        off, pose = 1e3 * errors[worst].max(), "a pose" if errors[worst].argmax() else "the default pose"
        raise OtherModelError(f"{start}the path of muscle '{worst}' is {off:.3g} mm off at {pose}")
