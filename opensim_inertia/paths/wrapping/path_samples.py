"""OpenSim's paths of muscles over wrap objects, sampled at many poses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.errors import OPENSIM_ERRORS, UnsupportedPathError
from ..._core.opensim import osim
from ...opensim_model.reading.components import model_muscles
from ...opensim_model.reading.coordinates import CoordinateTable
from ...opensim_model.reading.kinematics import Arc, Kinematics, StateKinematics, WrappedPath
from ...opensim_model.reading.paths import CABLE, MusclePath, point_places
from .current_path import CORNER, CurrentCable, SampledArc, current_path
from .surfaces import CONTROLS, Surface

Numbers = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Poses:
    """Poses of a model at zero speed, with transforms of bodies to ground."""

    bodies: tuple[str, ...]  # names along the body axis
    q: Array  # (poses, nu), coordinate values [rad or m]
    rotation: Array  # (poses, bodies, 3, 3), body to ground; ``position`` (poses, bodies, 3) [m]
    position: Array

    def __len__(self) -> int:
        return len(self.q)

    def first(self, count: int) -> Poses:
        """Return the first ``count`` poses."""
        return Poses(self.bodies, self.q[:count], self.rotation[:count], self.position[:count])

    def in_ground(self, surface: Surface, points: Array, poses: Numbers) -> Array:
        """Return points (n, 3) [m] transformed from a surface's frame to ground; ``poses`` has one index per point."""
        b = self.bodies.index(surface.body)
        return np.asarray(
            self.position[poses, b] + np.einsum("nij,nj->ni", self.rotation[poses, b], surface.to_body(points))
        )

    def in_surface(self, surface: Surface, points: Array, poses: Numbers | slice = slice(None)) -> Array:
        """Return points (poses, n, 3) [m] transformed from ground to a surface's frame."""
        b = self.bodies.index(surface.body)
        return surface.from_body((points - self.position[poses, None, b]) @ self.rotation[poses, b])

    def kinematics(self, pose: int, path: dict[str, WrappedPath] | None = None) -> StateKinematics:
        """Return the kinematics of a pose at rest, with a zero Jacobian."""
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
    """Return transforms of bodies at poses q (poses, nu); the function ``visit`` gets each pose's index and state."""
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
    """Return, for each of the poses q (poses, nu), whether OpenSim can compute the paths of all cables."""
    is_possible = np.ones(len(q), dtype=bool)
    for pose, values in enumerate(q):
        state = osim.State(model.getWorkingState())
        coordinates.set_values(state, values)
        try:
            model.realizePosition(state)
        except OPENSIM_ERRORS:
            is_possible[pose] = False
    return is_possible


#: Smallest share of poses at which OpenSim must realize cables.
LEAST_POSES = 0.3


class Chords(NamedTuple):
    """Straight lines between successive path points in a wrap's range, and their position relative to the surface."""

    pose: Array  # (n,), index of the pose; ``start``, ``end``: of path points
    start: Array
    end: Array
    distance: Array  # (n,), signed distance from axis or centre, scaled so that the surface is at 1
    foot: Array  # (n,), nearest point along the chord, 0 to 1 between its ends
    inside: Array  # (n,), whether an end lies inside the surface


class OpenSimPathSamples:
    """One muscle's OpenSim path at all sampled poses.

    Args:
        ranges: first and last path point of the wrap's range, by surface.
        places, active: positions of path points in ground (poses, points, 3) [m], and whether they are active.
        arcs: all arcs, ordered by pose and along the path.
        reported: ``getLength`` (poses,) [m].
        corners: largest angle of a cable at obstacles' edges (poses,) [rad]; else None.
    """

    def __init__(
        self,
        path: MusclePath,
        surfaces: Mapping[str, Surface],
        ranges: Mapping[str, tuple[int, int]],
        poses: Poses,
        places: Array,
        active: Array,
        arcs: Sequence[SampledArc],
        reported: Array,
        corners: Array | None = None,
    ) -> None:
        self.path, self.surfaces, self.ranges, self.corners = path, surfaces, ranges, corners
        self.poses, self.places, self.active, self.arcs = poses, places, active, tuple(arcs)
        self.reported = reported
        self._local: dict[str, Array] = {}
        self._chords: dict[str, Chords] = {}

    def first(self, count: int) -> OpenSimPathSamples:
        """Return the samples at the first ``count`` poses."""
        arcs = [arc for arc in self.arcs if arc.pose < count]
        poses, places, active = self.poses.first(count), self.places[:count], self.active[:count]
        reported, corners = self.reported[:count], None if self.corners is None else self.corners[:count]
        return OpenSimPathSamples(self.path, self.surfaces, self.ranges, poses, places, active, arcs, reported, corners)

    @property
    def unconverged(self) -> NDArray[np.bool_]:
        """Whether, at each pose (poses,), the cable has corners because OpenSim's search for it did not converge."""
        return np.zeros(len(self.poses), dtype=bool) if self.corners is None else self.corners > CORNER

    # -- what OpenSim did ----------------------------------------------------------------------------------------

    def spans(self, surface: str) -> Counter[tuple[int, int]]:
        """Return, by pair of path points, the number of poses where the path wraps a surface between both."""
        return Counter(arc.span for arc in self.arcs if arc.surface == surface)

    def turns(self, surface: str) -> list[float]:
        """Return the sense of turn, +1 or -1, of each path arc over a surface."""
        numbers = [k for k, arc in enumerate(self.arcs) if arc.surface == surface]
        if not numbers:
            return []
        shape = self.surfaces[surface]
        if shape.is_cylindrical:
            before = self.poses.in_surface(shape, self._before[numbers, None], self._pose[numbers])[:, 0]
            return [shape.turn(x, self.arcs[k].first) for x, k in zip(before, numbers, strict=True)]
        return [shape.turn(*shape.arc(*self._arc_arguments(k))[:2]) for k in numbers]

    @cached_property
    def before(self) -> Counter[tuple[str, str]]:
        """Number of poses where a path wraps two surfaces between the same path points, by (earlier, later) surface."""
        counts: Counter[tuple[str, str]] = Counter()
        for pose in sorted(self._by_pose):
            arcs = [self.arcs[k] for k in self._by_pose[pose]]
            for i, arc in enumerate(arcs):
                counts.update((arc.surface, other.surface) for other in arcs[i + 1 :] if other.span == arc.span)
        return counts

    def wrapped(self, pose: int) -> list[str]:
        """Return the surfaces that the path wraps at a pose, in path order."""
        return [self.arcs[k].surface for k in self._by_pose.get(pose, [])]

    @cached_property
    def lengths(self) -> Array:
        """Lengths (poses,) [m] of the paths that OpenSim displays."""
        if self.path.is_cable:
            return self.reported
        total = np.zeros(len(self.poses))
        for rows, points in self._patterns(0, len(self.path.points) - 1):
            steps = np.linalg.norm(np.diff(self.places[np.ix_(rows, points)], axis=1), axis=2)
            total[rows] = steps.sum(axis=1)
        if self.arcs:
            lengths = np.array([arc.length for arc in self.arcs])
            is_first = ~self._follows
            is_last = np.append(is_first[1:], True)  # of its span
            p, q = self._span_ends[:, 0], self._span_ends[:, 1]
            lead, tail, chord = (
                np.linalg.norm(x, axis=1) for x in (self._ends[:, 0] - self._before, q - self._ends[:, 1], q - p)
            )
            np.add.at(total, self._pose, lead + lengths + tail * is_last - chord * is_first)
        return total

    def chords(self, surface: str) -> Chords:
        """Return, for all poses, straight lines between active path points in the range of a surface's wrap."""
        if surface in self._chords:
            return self._chords[surface]
        shape, local = self.surfaces[surface], self.local(surface)
        parts = []
        for rows, points in self._patterns(*self.ranges[surface]):
            for i, j in pairwise(points):
                p, q = local[rows, i], local[rows, j]
                a, b = shape.scaled(p), shape.scaled(q)
                chord = b - a
                size = np.maximum(np.linalg.norm(chord, axis=1), 1e-150)
                distance = (a[:, 0] * chord[:, 1] - a[:, 1] * chord[:, 0]) / size
                foot = -np.einsum("ni,ni->n", a, chord) / size**2
                inside = np.logical_or(shape.contains(p), shape.contains(q))
                parts.append((rows, np.full_like(rows, i), np.full_like(rows, j), distance, foot, inside))
        columns = [np.concatenate(column) for column in zip(*parts, strict=True)] or [np.empty(0)] * len(Chords._fields)
        self._chords[surface] = Chords(*columns)
        return self._chords[surface]

    def inside(self, surface: str) -> Array:
        """Return, per pose (poses,), whether an active path point in the wrap's range lies inside the surface."""
        chords = self.chords(surface)
        result = np.zeros(len(self.poses), dtype=bool)
        result[chords.pose[chords.inside.astype(bool)].astype(int)] = True
        return result

    # -- geometry ------------------------------------------------------------------------------------------------

    def local(self, surface: str) -> Array:
        """Return path points (poses, points, 3) [m] in a surface's frame."""
        if surface not in self._local:
            self._local[surface] = self.poses.in_surface(self.surfaces[surface], self.places)
        return self._local[surface]

    def wrapped_path(self, pose: int) -> WrappedPath:
        """Return OpenSim's path at a pose as input of the kernel, with zero derivatives."""
        nu = self.poses.q.shape[1]
        still = np.zeros((CONTROLS, 3, nu)), np.zeros((CONTROLS, 3))
        sequence = [int(i) for i in np.flatnonzero(self.active[pose])]
        arcs: list[Arc] = []
        for k in self._by_pose.get(pose, []):
            arc, surface = self.arcs[k], self.surfaces[self.arcs[k].surface]
            controls = surface.arc(*self._arc_arguments(k)) if arc.controls is None else arc.controls
            sequence.insert(sequence.index(arc.span[1]), -1 - len(arcs))
            arcs.append(Arc(surface.body, surface.to_body(controls), *still))
        return WrappedPath(tuple(sequence), tuple(arcs))

    @cached_property
    def _by_pose(self) -> dict[int, list[int]]:
        """Indices of arcs over surfaces, by pose."""
        numbers: dict[int, list[int]] = {}
        for k, arc in enumerate(self.arcs):
            numbers.setdefault(arc.pose, []).append(k)
        return numbers

    @cached_property
    def _pose(self) -> Numbers:
        """Index of the pose of each arc (arcs,)."""
        return np.array([arc.pose for arc in self.arcs], dtype=np.intp)

    @cached_property
    def _follows(self) -> NDArray[np.bool_]:
        """Whether another arc precedes each arc (arcs,) between the same two path points."""
        keys = [(arc.pose, arc.span) for arc in self.arcs]
        return np.array([k > 0 and keys[k - 1] == key for k, key in enumerate(keys)], dtype=bool)

    @cached_property
    def _span_ends(self) -> Array:
        """Path points before and after each arc in ground (arcs, 2, 3) [m]."""
        spans = np.array([arc.span for arc in self.arcs], dtype=np.intp)
        return self.places[self._pose[:, None], spans]

    @cached_property
    def _ends(self) -> Array:
        """Tangent points of each arc in ground (arcs, 2, 3) [m]."""
        ends = np.empty((len(self.arcs), 2, 3))
        for name, surface in self.surfaces.items():
            numbers = [k for k, arc in enumerate(self.arcs) if arc.surface == name]
            if numbers:
                first, last = (
                    np.array(x) for x in zip(*((self.arcs[k].first, self.arcs[k].last) for k in numbers), strict=True)
                )
                for side, points in enumerate((first, last)):
                    ends[numbers, side] = self.poses.in_ground(surface, points, self._pose[numbers])
        return ends

    @cached_property
    def _before(self) -> Array:
        """Point of the path before each arc, in ground (arcs, 3) [m]: a path point or the end of another arc."""
        before = self._span_ends[:, 0].copy()
        follows = np.flatnonzero(self._follows)
        before[follows] = self._ends[follows - 1, 1]
        return before

    @cached_property
    def _after(self) -> Array:
        """Point of the path after each arc, in ground (arcs, 3) [m]: a path point or the start of another arc."""
        after = self._span_ends[:, 1].copy()
        follows = np.flatnonzero(self._follows)
        after[follows - 1] = self._ends[follows, 0]
        return after

    def _arc_arguments(self, k: int) -> tuple[Array, Array, Array, Array, Array | None]:
        arc = self.arcs[k]
        surface, b = self.surfaces[arc.surface], self.poses.bodies.index(self.surfaces[arc.surface].body)
        origin, rotation = self.poses.position[arc.pose, b], self.poses.rotation[arc.pose, b]
        before, after = (surface.from_body((x[k] - origin) @ rotation) for x in (self._before, self._after))
        return arc.first, arc.last, before, after, arc.drawn_middle

    def _patterns(self, first: int, last: int) -> list[tuple[Numbers, Numbers]]:
        """Group poses with the same active path points; return, per group, indices of poses and of active points."""
        active = self.active[:, first : last + 1]
        if active.all():
            return [(np.arange(len(active)), np.arange(first, last + 1))]
        patterns, which = np.unique(active, axis=0, return_inverse=True)
        which = which.reshape(-1)
        return [
            (np.flatnonzero(which == k), first + np.flatnonzero(pattern))
            for k, pattern in enumerate(patterns)
            if pattern.any()
        ]


def sample_opensim_paths(
    model: osim.Model, coordinates: CoordinateTable, muscles: Sequence[MusclePath], kinematics: Kinematics, q: Array
) -> dict[str, OpenSimPathSamples]:
    """Return OpenSim's paths at poses q, by muscle; raise UnsupportedPathError if cables fail at too many poses."""
    cables = [path.muscle for path in muscles if path.is_cable]
    if cables:
        possible = can_be_laid(model, coordinates, q)
        if possible.mean() < LEAST_POSES:
            share = 100 * (1 - possible.mean())
            problem = f"cannot be laid by OpenSim at {share:.0f} % of the poses: ends lie inside obstacles"
            raise UnsupportedPathError(cables[0], f"its {CABLE}, or another muscle's,", problem)
        q = q[possible]
    of_model = model_muscles(model)
    current_paths = {path.muscle: current_path(model, path, of_model) for path in muscles}
    corners = {name: np.empty(len(q)) for name in cables}
    arcs: dict[str, list[SampledArc]] = {name: [] for name in current_paths}
    reported = {name: np.empty(len(q)) for name in current_paths}
    is_active = {
        path.muscle: np.stack([point.is_active(coordinates.names, q) for point in path.points], axis=1)
        for path in muscles
    }

    def visit(pose: int, state: osim.State) -> None:
        for name, path in current_paths.items():
            reported[name][pose] = path.reported_length(state)
            if isinstance(path, CurrentCable):
                found, corners[name][pose] = path.sampled_with_corner(pose, state)
                arcs[name] += found
            else:
                arcs[name] += path.sampled(pose, state, np.flatnonzero(is_active[name][pose]).tolist())

    poses = read_body_poses(model, coordinates, kinematics, q, visit, fresh=bool(cables))
    samples = {}
    for name, current in current_paths.items():
        places = point_places(current.path, coordinates.names, poses.bodies, q, poses.rotation, poses.position)
        surfaces = {surface.name: surface for surface in current.surfaces.values() if surface.active}
        samples[name] = OpenSimPathSamples(
            current.path,
            surfaces,
            current.wrap_ranges(),
            poses,
            places,
            is_active[name],
            arcs[name],
            reported[name],
            corners.get(name),
        )
    return samples
