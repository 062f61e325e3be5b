"""Smooth paths compared with OpenSim's at the survey's poses, and jumps of paths on ways between poses.

Jumps are found by bisection: smooth changes shrink with a way, jumps do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.opensim import osim
from ..muscles.material import MIDDLE, POINTS, WHOLE
from ..opensim_model.reading.coordinates import CoordinateTable
from ..opensim_model.reading.kinematics import Kinematics, StateKinematics
from .kernel.description import KernelMuscle, build_kernel
from .kernel.evaluation import Evaluation
from .wrapping.current_path import FAR, polyline_length
from .wrapping.path_samples import OpenSimPathSamples, can_be_laid, read_body_poses
from .wrapping.plan import DIFFERENT, PathDifference, WrapPlan
from .wrapping.survey import WrapSite

#: Places are compared where lengths differ by more than this [m].
SAME = 4e-6

#: Places are compared at so many poses of each muscle: those at which lengths differ most.
MOST_POSES = 6

#: A path that is longer than the straight lines between its points by more than this [m] touches a surface.
BENT = 1e-10


def places_on_path(evaluation: Evaluation, kinematics: StateKinematics, muscle: int, shares: Array) -> Array:
    """Return places (n, 3) [m] in ground at shares (n,) of a path from its origin; ModelError: there is no path."""
    pairs = [(share, share) for share in shares.tolist()]
    return evaluation.material_points(kinematics, muscle, pairs, False)[0]


def _evaluation(
    samples: Mapping[str, OpenSimPathSamples], names: Sequence[str], plan: WrapPlan, coordinate_names: Sequence[str]
) -> Evaluation:
    """Return the evaluation of muscles whose paths are led as planned."""
    poses = samples[names[0]].poses
    muscles = [KernelMuscle(samples[name].path, WHOLE, 1.0, MIDDLE) for name in names]
    return Evaluation(build_kernel(poses.bodies, coordinate_names, np.zeros(3), muscles, plan), names, poses.bodies)


def compare_paths(
    samples: Mapping[str, OpenSimPathSamples], plan: WrapPlan, coordinate_names: Sequence[str]
) -> dict[str, PathDifference]:
    """Return the differences, by muscle, between a plan's exact paths and OpenSim's at sampled poses."""
    names = [name for name in plan.sites if name in samples]
    if not names:
        return {}
    poses = samples[names[0]].poses
    states = [poses.kinematics(pose) for pose in range(len(poses))]
    smooth, exact = (
        _evaluation(samples, names, way, coordinate_names) for way in (plan, plan.exact(keep_networks=True))
    )
    smooth_lengths, exact_lengths = (np.array([way.path_lengths(at) for at in states]) for way in (smooth, exact))
    differences = {}
    for number, name in enumerate(names):
        is_there = np.isfinite(smooth_lengths[:, number])
        # where several surfaces have an exact path in common nowhere, the smooth one is compared
        is_smooth = not np.isfinite(exact_lengths[is_there, number]).all()
        lengths = np.where(is_there, (smooth_lengths if is_smooth else exact_lengths)[:, number], np.nan)
        surfaces = [site.surface.name for site in plan.sites[name]]
        difference = _difference(
            smooth if is_smooth else exact, number, samples[name], surfaces, lengths, coordinate_names
        )
        if difference is not None:
            differences[name] = difference
    return differences


def _difference(
    evaluation: Evaluation,
    number: int,
    samples: OpenSimPathSamples,
    surfaces: Sequence[str],
    lengths: Array,
    coordinate_names: Sequence[str],
) -> PathDifference | None:
    """Return a muscle's difference from OpenSim's path, given our lengths (poses,) at all poses (NaN: no path)."""
    differences = np.abs(lengths - samples.lengths)
    differences[samples.unconverged] = 0.0  # there OpenSim's is no path to be compared with
    thick = [[samples.surfaces[name].thickness for name in samples.wrapped(pose)] for pose in range(len(lengths))]
    half_girths = np.pi * np.array([max(of_pose, default=np.inf) for of_pose in thick])
    is_winding = samples.lengths - np.nan_to_num(lengths, nan=np.inf) > half_girths  # the long way round a surface
    differences[is_winding] = 0.0
    share, winding = float(np.mean(~(differences < DIFFERENT))), float(np.mean(is_winding))
    inside, reported = {name: samples.inside(name) for name in surfaces}, 0.0
    if not samples.path.is_cable:
        is_inside = np.any([*inside.values()], axis=0)
        reported = float(np.nanmax(np.where(is_inside, 0.0, np.abs(lengths - samples.reported)), initial=0.0))
    differences = np.nan_to_num(differences)  # where there is no smooth path OpenSim's is taken
    worst_poses = [int(pose) for pose in np.argsort(-differences)[:MOST_POSES] if differences[pose] > SAME]
    if not worst_poses and not share and not winding and reported <= FAR:
        return None

    def places(pose: int, by_opensim: bool = False) -> Array:
        paths = {samples.path.muscle: samples.wrapped_path(pose)} if by_opensim else {}
        return places_on_path(evaluation, samples.poses.kinematics(pose, paths), number, POINTS)

    distances = [float(np.linalg.norm(places(at) - places(at, True), axis=1).max()) for at in worst_poses]
    is_odd = is_winding if winding and not share else np.isnan(lengths)
    worst = worst_poses[int(np.argmax(distances))] if worst_poses else int(np.argmax(is_odd))
    pose = dict(zip(coordinate_names, samples.poses.q[worst].tolist(), strict=True))
    reason, longer = _explain(samples, inside, worst, lengths[worst], places)
    furthest = max(distances, default=0.0)
    return PathDifference(furthest, float(differences.max()), share, reason, pose, winding, reported, longer)


def _explain(
    samples: OpenSimPathSamples, inside: Mapping[str, Array], pose: int, length: float, places: Callable[[int], Array]
) -> tuple[str, bool]:
    """Return a sentence about the difference at a pose, and whether OpenSim's path is a little longer alone."""
    ends_inside = [name for name, is_inside in inside.items() if is_inside[pose]]
    if ends_inside:
        share = 100 * float(np.mean(np.any([inside[name] for name in ends_inside], axis=0)))
        where = f"inside {_quoted(ends_inside)} at {share:.0f} % of the poses"
        return f"an end lies {where}, and OpenSim goes straight there", False
    wrapped = samples.wrapped(pose)
    if not wrapped:
        return f"the smooth path wraps {_quoted(inside)}, OpenSim goes straight", False
    if not length > polyline_length(samples.places[pose, samples.active[pose]]) + BENT:
        return f"OpenSim wraps {_quoted(wrapped)}, the smooth path passes clear of it", False
    shorter = float(samples.lengths[pose]) - length
    if shorter > 0 and not _passes_otherwise(samples, pose, places(pose)):
        text = f"over {_quoted(wrapped)} OpenSim's path is {1e3 * shorter:.2f} mm longer than the shortest one"
        return text, bool(shorter < DIFFERENT)
    return f"OpenSim passes {_quoted(wrapped)} on another side or in another order", False


def _passes_otherwise(samples: OpenSimPathSamples, pose: int, places: Array) -> bool:
    """Return whether a path through places (n, 3) and OpenSim's pass a surface on opposite sides of its axis."""
    for arc, name in zip(samples.wrapped_path(pose).arcs, samples.wrapped(pose), strict=True):
        surface = samples.surfaces[name]
        middle = surface.from_body(arc.points[len(arc.points) // 2])
        local_places = samples.poses.in_surface(surface, places[None], slice(pose, pose + 1))[0]
        nearest = local_places[int(np.argmin(np.linalg.norm(local_places - middle, axis=1)))]
        if surface.outward(middle) @ surface.outward(nearest) < 0:
            return True
    return False


def _quoted(names: Iterable[str]) -> str:
    return " and ".join(f"'{name}'" for name in dict.fromkeys(names))


#: What still changes by more than this [m] over what remains of a way jumps.
JUMP = 1e-3

#: Each pose is compared with this many of its nearest.
NEAREST = 3
#: So many pairs of a muscle are looked at closely: those whose lengths fit their derivatives worst.
MOST_PAIRS = 12
#: Halvings of the way between them: 0.3 m of moment arm times 4 rad are 0.1 mm over what remains.
HALVINGS = 14


@dataclass(frozen=True)
class PathJump:
    """A jump of a path between two poses that lie next to each other."""

    size: float  # how far a place on the path jumps, or by how much its length does [m]
    pose: Mapping[str, float]  # values there of coordinates that move the path [rad or m], by name


def bisect_jumps(
    values_at: Callable[[Array], Array], low: Array, high: Array, first: Array, last: Array, halvings: int
) -> tuple[Array, Array]:
    """Return jumps (ways,) [m], 0 for none, and poses there (ways, nu): ways are halved where a path changes more.

    ``values_at`` gives lengths (ways,) or places (ways, points, 3) [m] at poses; ``first``, ``last`` are at the ends.
    """
    for _ in range(halvings):
        middle = 0.5 * (low + high)
        between = values_at(middle)
        lower = _distances(between, first) > _distances(last, between)
        low, high = np.where(lower[:, None], low, middle), np.where(lower[:, None], middle, high)
        mask = lower.reshape(-1, *[1] * (first.ndim - 1))
        first, last = (np.where(mask, first, between), np.where(mask, between, last))
    changes = np.nan_to_num(_distances(last, first))
    return np.where(changes > JUMP, changes, 0.0), low


def _distances(a: Array, b: Array) -> Array:
    """Return how far lengths (ways,), or the places (ways, points, 3) that are furthest apart, differ, (ways,)."""
    if a.ndim == 1:
        return np.abs(a - b)
    return np.asarray(np.linalg.norm(a - b, axis=2).max(axis=1))


def find_jump(
    lengths_at: Callable[[Array], Array],
    coordinate_names: Sequence[str],
    q: Array,
    x: Array,
    lengths: Array,
    slopes: Array,
) -> PathJump | None:
    """Return the largest jump of lengths (P,) [m] among poses q (P, nu), given slopes by x (P, n), or None."""
    half = (x.max(axis=0) - x.min(axis=0)) / 2
    scaled = x / np.where(half > 0, half, 1.0)
    first, second = _neighbours(scaled).T
    expected = np.einsum("pn,pn->p", (slopes[first] + slopes[second]) / 2, x[second] - x[first])
    misses = np.abs(lengths[second] - lengths[first] - expected)
    suspicious = np.argsort(-misses)[:MOST_PAIRS]
    suspicious = suspicious[misses[suspicious] > JUMP]
    if not len(suspicious):
        return None
    a, b = first[suspicious], second[suspicious]
    sizes, poses = bisect_jumps(lengths_at, q[a], q[b], lengths[a], lengths[b], HALVINGS)
    largest = int(np.argmax(sizes))
    pose = dict(zip(coordinate_names, poses[largest].tolist(), strict=True))
    return PathJump(float(sizes[largest]), pose) if sizes[largest] else None


def _neighbours(z: Array) -> NDArray[np.intp]:
    """Return the pairs of rows of z (poses, n), sorted, of which one is among the nearest of the other."""
    from scipy.spatial import KDTree  # only now: few models ask for jumps

    _, near = KDTree(z).query(z, k=min(1 + NEAREST, len(z)))
    near = np.reshape(near, (len(z), -1))
    pairs = np.stack([np.repeat(np.arange(len(z)), near.shape[1]), near.ravel()], axis=1)
    pairs = np.unique(np.sort(pairs, axis=1), axis=0)
    return np.asarray(pairs[pairs[:, 0] != pairs[:, 1]])


#: Lines between two of the survey's poses, where a path has several surfaces and elsewhere, and steps along each.
MANY_LINES, LINES, STEPS = 20, 10, 20

#: A step is looked at more closely where the length's second difference is above this [m].
SUSPICIOUS = 1.5e-3

#: Halvings of such a step: after these a smooth length changes by a tenth of a jump.
LINE_HALVINGS = 8


def find_jumps(
    model: osim.Model,
    coordinates: CoordinateTable,
    kinematics: Kinematics,
    samples: Mapping[str, OpenSimPathSamples],
    plan: WrapPlan,
) -> dict[str, float]:
    """Return the largest jump of the length of each smooth path of a plan that was found to jump [m], by muscle."""
    names = [name for name, sites in plan.sites.items() if name in samples and _may_jump(samples[name], sites)]
    if not names:
        return {}
    poses = samples[names[0]].poses
    lines_wanted = MANY_LINES if any(_joins_surfaces(plan.sites[name]) for name in names) else LINES
    ends = poses.q[: 2 * lines_wanted].reshape(-1, 2, poses.q.shape[1])
    shares = np.linspace(0, 1, STEPS + 1)[:, None]
    lines = np.stack([start + shares * (end - start) for start, end in ends])
    evaluation = _evaluation(samples, names, plan, coordinates.names)

    def all_lengths(q: Array, which: Sequence[int] | None = None) -> Array:
        read_poses = read_body_poses(model, coordinates, kinematics, q)
        return np.array([evaluation.path_lengths(read_poses.kinematics(pose), which) for pose in range(len(q))])

    def lengths_of(number: int, q: Array) -> Array:
        return all_lengths(q, [number])[:, 0]

    if any(samples[name].path.is_cable for name in names):
        is_possible = can_be_laid(model, coordinates, lines.reshape(-1, lines.shape[2])).reshape(lines.shape[:2])
        lines = lines[is_possible.all(axis=1)]
    line_lengths = all_lengths(lines.reshape(-1, lines.shape[2])).reshape(*lines.shape[:2], -1)
    jumps = {}
    for number, name in enumerate(names):
        largest = _largest_jump(lines, partial(lengths_of, number), line_lengths[:, :, number])
        if largest:
            jumps[name] = largest
    return jumps


def _largest_jump(lines: Array, lengths_at: Callable[[Array], Array], lengths: Array) -> float:
    """Return the largest jump of lengths (lines, poses) [m] along lines (lines, poses, nu), 0 if there is none."""
    steps = [(line, step) for line, line_lengths in enumerate(lengths) for step in _suspicious(line_lengths)]
    if not steps:
        return 0.0
    line, step = np.array(steps).T
    ends = lines[line, step], lines[line, step + 1], lengths[line, step], lengths[line, step + 1]
    return float(bisect_jumps(lengths_at, *ends, LINE_HALVINGS)[0].max())


def _may_jump(samples: OpenSimPathSamples, sites: Sequence[WrapSite]) -> bool:
    """Return whether a path may change between ways over several surfaces, or leave a side at a seam."""
    if _joins_surfaces(sites) or any(samples.path.is_cable and not site.surface.has_turn for site in sites):
        return True
    for site in sites:
        if not site.surface.has_turn or site.surface.quadrant.any():
            continue
        chords = samples.chords(site.surface.name)  # beyond an axis, with their foot between their ends or not
        is_beyond = (site.turn * chords.distance < 0) & (chords.start >= site.first) & (chords.end <= site.last)
        is_between = (chords.foot > 0) & (chords.foot < 1)
        if (is_beyond & is_between).any() and (is_beyond & ~is_between).any():
            return True
    return False


def _joins_surfaces(sites: Sequence[WrapSite]) -> bool:
    """Return whether a path wraps several surfaces on one span, and at least one of them on either side."""
    return any(
        max(a.first, b.first) < min(a.last, b.last) and not (a.surface.has_turn and b.surface.has_turn)
        for a, b in combinations(sites, 2)
    )


def _suspicious(lengths: Array) -> list[int]:
    """Return the steps, by number, next to which the second difference of the length is large."""
    bent = np.abs(np.diff(lengths, 2)) > SUSPICIOUS
    steps = np.abs(np.diff(lengths))
    return sorted({int(k + (steps[k + 1] > steps[k])) for k in np.flatnonzero(bent)})
