"""OpenSim's paths at many poses as curves: places at given shares of a part of the path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..._core.arrays import Array
from ..._core.opensim import osim
from ..._kernel import Kernel
from ...muscles.material.whole_path import MIDDLE, WHOLE
from ...opensim_model.reading import (
    CoordinateTable,
    Kinematics,
    MusclePath,
    StateKinematics,
    WrappedPath,
    corner_poses,
    couplings,
    follow_couplers,
    random_poses,
)
from ..kernel import KernelMuscle, build_kernel, kernel_path, kernel_state
from ..wrapping import OpenSimPathSamples, WrapPlan, all_by_opensim, sample_opensim_paths

#: Random poses within the ranges, and poses besides at the ends of the ranges.
POSES, CORNERS = 2000, 200
#: Coordinates that follow others by a coupler are spread about where they follow, by this share of how far they move:
#: else what a path does along each of them alone would not be seen.
SPREAD = 0.05
#: Step away from a pose by which derivatives are seen, as a share of each coordinate's range.
STEP = 1e-3
#: A motion's ranges are widened by this share, and by this [rad or m], within the coordinates' own.
SHARE_BEYOND, BEYOND = 0.05, 0.02


def poses_to_fit(model: osim.Model, coordinates: CoordinateTable, over: Array | None, seed: int = 0) -> Array:
    """Return the poses (n, nu) [rad or m] at which OpenSim's paths are sampled.

    Args:
        model: an initialised model.
        coordinates: its coordinates.
        over: poses (T, nu) whose ranges are sampled; None: the coordinates' own ranges.
        seed: of the random numbers.
    """
    q = np.concatenate([random_poses(model, coordinates, POSES, seed), corner_poses(model, coordinates, CORNERS, seed)])
    if over is not None:
        first, last = over.min(axis=0), over.max(axis=0)
        beyond = SHARE_BEYOND * (last - first) + BEYOND
        low = np.maximum(first - beyond, np.minimum(first, coordinates.ranges[:, 0]))
        high = np.minimum(last + beyond, np.maximum(last, coordinates.ranges[:, 1]))
        widths = np.ptp(q, axis=0)
        share = np.divide(q - q.min(axis=0), widths, out=np.full_like(q, 0.5), where=widths > 0)
        within_ranges = low + (high - low) * share
        q = np.where(widths > 0, within_ranges, q)
    followers = sorted({c.dependent for c in couplings(model, coordinates, q[:1])})
    if followers:
        q = follow_couplers(model, coordinates, q)
        rng = np.random.default_rng(seed + 1)
        q[:, followers] += SPREAD * np.ptp(q[:, followers], axis=0) * rng.uniform(-1, 1, (len(q), len(followers)))
    return q


class PathSampler:
    """Samples OpenSim's paths of muscles at poses.

    Args:
        model: an initialised model.
        coordinates: its coordinates.
        bodies: names of all bodies that carry path points and wrap objects.
    """

    def __init__(self, model: osim.Model, coordinates: CoordinateTable, bodies: Sequence[str]) -> None:
        self.model, self.coordinates = model, coordinates
        self.kinematics = Kinematics(model, coordinates, bodies)

    def sample(self, muscles: Sequence[MusclePath], q: Array) -> dict[str, SampledPath]:
        """Return muscles' paths at poses q (n, nu), by muscle."""
        samples = sample_opensim_paths(self.model, self.coordinates, muscles, self.kinematics, q)
        return {name: SampledPath(sample, self.coordinates.names) for name, sample in samples.items()}

    def sample_with_steps(self, muscles: Sequence[MusclePath], q: Array, seed: int = 0) -> dict[str, SampledPath]:
        """Return the same with samples a small random step away from each pose (``SampledPath.stepped``)."""
        directions = np.random.default_rng(seed + 2).normal(size=q.shape)
        stepped = self.sample(muscles, q + STEP * np.ptp(q, axis=0) * directions)
        return {name: replace(sample, stepped=stepped[name]) for name, sample in self.sample(muscles, q).items()}

    def read(self, q: Array) -> list[StateKinematics]:
        """Return poses q (n, nu) with their system Jacobians, at rest."""
        state, states = osim.State(self.model.getWorkingState()), []
        for values in q:
            self.coordinates.set_values(state, values)
            states.append(self.kinematics.read(state))
        return states


@dataclass(frozen=True)
class SampledPath:
    """OpenSim's path of one muscle at many poses.

    Attributes:
        samples: OpenSim's path at the poses, as arrays.
        coordinate_names: names along the axis of coordinates.
        stepped: the same path a small step away from each pose; None: it was not sampled there.
    """

    samples: OpenSimPathSamples
    coordinate_names: tuple[str, ...]
    stepped: SampledPath | None = None

    @property
    def q(self) -> Array:
        """Coordinate values, (poses, nu) [rad or m]."""
        return self.samples.poses.q

    @cached_property
    def _body(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.samples.poses.bodies)}

    def places(
        self, shares: Array, first: int = 0, last: int | None = None, poses: Sequence[int] | None = None
    ) -> tuple[Array, Array]:
        """Return places (poses, shares, 3) in ground on OpenSim's path, and the lengths (poses,) [m].

        Args:
            shares: of the length of the part.
            first, last: indices of the path points between which the part lies; default: all of it.
            poses: numbers of the poses; default: all.
        """
        path = self.samples.path
        last = len(path.points) - 1 if last is None else last
        part = replace(path, points=path.points[first : last + 1])
        kernel = self._kernel(part, all_by_opensim([path.muscle]))
        numbers = range(len(self.q)) if poses is None else poses
        opensim_paths = {pose: _part(self.samples.wrapped_path(pose), first, last) for pose in numbers}
        return self._places(kernel, shares, opensim_paths)

    def places_on(self, other: MusclePath, shares: Array, poses: Sequence[int]) -> tuple[Array, Array]:
        """Return the same at shares of another path, which no wrap object leads."""
        kernel = self._kernel(other, WrapPlan({}, {}, {}))
        return self._places(kernel, shares, dict.fromkeys(poses))

    def in_body(self, places: Array, body: str, poses: Sequence[int] | slice = slice(None)) -> Array:
        """Return places (poses, n, 3) in ground as a body sees them."""
        b = self._body[body]
        rotation, position = self.samples.poses.rotation[poses, b], self.samples.poses.position[poses, b]
        return np.asarray((places - position[:, None]) @ rotation)

    def _kernel(self, path: MusclePath, plan: WrapPlan) -> Kernel:
        muscle = KernelMuscle(path, WHOLE, 1.0, MIDDLE)
        return build_kernel(self.samples.poses.bodies, self.coordinate_names, np.zeros(3), [muscle], plan)

    def _places(
        self, kernel: Kernel, shares: Array, opensim_paths: Mapping[int, WrappedPath | None]
    ) -> tuple[Array, Array]:
        pairs = [(share, share) for share in shares.tolist()]
        places, lengths = np.empty((len(opensim_paths), len(pairs), 3)), np.empty(len(opensim_paths))
        for row, (pose, path) in enumerate(opensim_paths.items()):
            paths = None if path is None else {0: kernel_path(path, self._body)}
            state = kernel_state(self.samples.poses.kinematics(pose), paths)
            places[row] = kernel.mass_points(state, 0, pairs, False)[0]
            lengths[row] = kernel.lengths(state)[0, 0]
        return places, lengths


def _part(path: WrappedPath, first: int, last: int) -> WrappedPath:
    """Return the part of a path between two of its points, which are numbered anew."""
    begin, end = path.sequence.index(first), path.sequence.index(last)
    return replace(path, sequence=tuple(i - first if i >= 0 else i for i in path.sequence[begin : end + 1]))
