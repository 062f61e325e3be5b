"""Smooth paths over wrap objects compared with OpenSim's at the survey's poses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from ..muscles.material import MIDDLE, POINTS, WHOLE
from ..opensim_model.reading.kinematics import StateKinematics
from .kernel.description import KernelMuscle, build_kernel
from .kernel.evaluation import Evaluation
from .path_comparison import BENT, largest_distance, places_on_path
from .wrapping.current_path import FAR, polyline_length
from .wrapping.path_samples import OpenSimPathSamples
from .wrapping.plan import DIFFERENT, PathDifference, WrapPlan
from .wrapping.survey import WrapSite

#: Places are compared where lengths differ by more than this [m].
SAME = 4e-6

#: Places are compared at so many poses of each muscle: those at which lengths differ most.
MOST_POSES = 6


def compare_paths(
    samples: Mapping[str, OpenSimPathSamples], plan: WrapPlan, coordinate_names: Sequence[str]
) -> dict[str, PathDifference]:
    """Return the differences, by muscle, between a plan's exact paths and OpenSim's at sampled poses."""
    names = [name for name in plan.sites if name in samples]
    if not names:
        return {}
    poses = samples[names[0]].poses
    muscles = [KernelMuscle(samples[name].path, WHOLE, 1.0, MIDDLE) for name in names]
    states = [poses.kinematics(pose) for pose in range(len(poses))]

    def evaluation_of(way: WrapPlan) -> Evaluation:
        kernel = build_kernel(poses.bodies, coordinate_names, np.zeros(3), muscles, way)
        return Evaluation(kernel, names, poses.bodies)

    smooth, exact = (evaluation_of(way) for way in (plan, plan.exact(keep_networks=True)))
    smooth_lengths, exact_lengths = (np.array([way.path_lengths(at) for at in states]) for way in (smooth, exact))
    differences = {}
    for number, name in enumerate(names):
        is_there = np.isfinite(smooth_lengths[:, number])
        # where several surfaces have an exact path in common nowhere, the smooth one is compared
        is_smooth = not np.isfinite(exact_lengths[is_there, number]).all()
        lengths = (smooth_lengths if is_smooth else exact_lengths)[:, number]
        muscle = _Muscle(smooth if is_smooth else exact, number, samples[name], plan.sites[name], states)
        difference = muscle.compare(np.where(is_there, lengths, np.nan), coordinate_names)
        if difference is not None:
            differences[name] = difference
    return differences


class _Muscle:
    """One muscle while its paths are compared."""

    def __init__(
        self,
        evaluation: Evaluation,
        number: int,
        samples: OpenSimPathSamples,
        sites: tuple[WrapSite, ...],
        states: list[StateKinematics],
    ) -> None:
        self.evaluation, self.number, self.samples, self.sites, self.states = evaluation, number, samples, sites, states

    def compare(self, lengths: Array, coordinate_names: Sequence[str]) -> PathDifference | None:
        """Return the difference from OpenSim's path, given our lengths at all poses (NaN: no path)."""
        differences = np.abs(lengths - self.samples.lengths)
        differences[self.samples.unconverged] = 0.0  # there OpenSim's is no path to be compared with
        is_winding = self._is_winding(lengths)
        differences[is_winding] = 0.0
        share, winding = float(np.mean(~(differences < DIFFERENT))), float(np.mean(is_winding))
        reported = self._off_reported(lengths)
        differences = np.nan_to_num(differences)  # where there is no smooth path OpenSim's is taken
        worst_poses = [int(pose) for pose in np.argsort(-differences)[:MOST_POSES] if differences[pose] > SAME]
        if not worst_poses and not share and not winding and reported <= FAR:
            return None
        distances = [largest_distance(self._places(pose, False), self._places(pose, True)) for pose in worst_poses]
        is_odd = is_winding if winding and not share else np.isnan(lengths)
        worst = worst_poses[int(np.argmax(distances))] if worst_poses else int(np.argmax(is_odd))
        pose = dict(zip(coordinate_names, self.samples.poses.q[worst].tolist(), strict=True))
        reason, longer = self._explain(worst, lengths[worst])
        furthest = max(distances, default=0.0)
        return PathDifference(furthest, float(differences.max()), share, reason, pose, winding, reported, longer)

    def _off_reported(self, lengths: Array) -> float:
        """Return the largest difference of our lengths from ``getLength`` where no end lies inside a surface [m]."""
        if self.samples.path.is_cable:
            return 0.0
        is_inside = np.any([self.samples.inside(name) for name in self._surfaces], axis=0)
        return float(np.nanmax(np.where(is_inside, 0.0, np.abs(lengths - self.samples.reported)), initial=0.0))

    def _is_winding(self, lengths: Array) -> NDArray[np.bool_]:
        """Return at which poses OpenSim's path winds the long way round one of the surfaces that it wraps, (poses,)."""
        girths = np.full(len(lengths), np.inf)
        for pose in range(len(lengths)):
            wrapped = [self.samples.surfaces[name].thickness for name in self.samples.wrapped(pose)]
            if wrapped:
                girths[pose] = 2 * np.pi * max(wrapped)
        return self.samples.lengths - np.nan_to_num(lengths, nan=np.inf) > 0.5 * girths

    def _places(self, pose: int, by_opensim: bool) -> Array:
        """Return the places of mass points on our or on OpenSim's path, (n, 3) in ground [m]."""
        state = self.states[pose]
        if by_opensim:
            state = state._replace(paths={self.samples.path.muscle: self.samples.wrapped_path(pose)})
        return places_on_path(self.evaluation, state, self.number, POINTS)

    def _explain(self, pose: int, length: float) -> tuple[str, bool]:
        """Return a sentence about the difference at a pose, and whether OpenSim's path is a little longer alone."""
        inside = [name for name in self._surfaces if self.samples.inside(name)[pose]]
        if inside:
            share = 100 * float(np.mean(np.any([self.samples.inside(name) for name in inside], axis=0)))
            text = (
                f"an end lies inside {_quoted(inside)} at {share:.0f} % of the poses, and OpenSim goes straight there"
            )
            return text, False
        wrapped = list(dict.fromkeys(self.samples.wrapped(pose)))
        touches = length > polyline_length(self.samples.places[pose, self.samples.active[pose]]) + BENT
        if not wrapped:
            return f"the smooth path wraps {_quoted(self._surfaces)}, OpenSim goes straight", False
        if not touches:
            return f"OpenSim wraps {_quoted(wrapped)}, the smooth path passes clear of it", False
        shorter = float(self.samples.lengths[pose]) - length
        if shorter > 0 and not self._passes_otherwise(pose):
            text = f"over {_quoted(wrapped)} OpenSim's path is {1e3 * shorter:.2f} mm longer than the shortest one"
            return text, bool(shorter < DIFFERENT)
        return f"OpenSim passes {_quoted(wrapped)} on another side or in another order", False

    def _passes_otherwise(self, pose: int) -> bool:
        """Return whether both paths pass a surface on opposite sides of its axis or centre."""
        path, places = self.samples.wrapped_path(pose), self._places(pose, False)
        state, bodies = self.states[pose], self.evaluation.bodies
        for arc, name in zip(path.arcs, self.samples.wrapped(pose), strict=True):
            surface, b = self.samples.surfaces[name], bodies.index(arc.body)
            middle = surface.from_body(arc.points[len(arc.points) // 2])
            local_places = surface.from_body((places - state.position[b]) @ state.rotation[b])
            nearest = local_places[int(np.argmin(np.linalg.norm(local_places - middle, axis=1)))]
            if surface.outward(middle) @ surface.outward(nearest) < 0:
                return True
        return False

    @property
    def _surfaces(self) -> list[str]:
        return [site.surface.name for site in self.sites]


def _quoted(names: Sequence[str]) -> str:
    return " and ".join(f"'{name}'" for name in names)
