"""Comparison of the kernel's smooth paths with OpenSim's paths at many poses, and search for jumps."""

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

#: Points are compared if lengths differ by more than this [m].
SAME = 4e-6

#: Number of poses at which points are compared, by largest length difference.
MOST_POSES = 6

#: A path longer than its chords by more than this [m] touches a surface.
BENT = 1e-10


def places_on_path(evaluation: Evaluation, kinematics: StateKinematics, muscle: int, shares: Array) -> Array:
    """Return points (n, 3) [m] in ground on a muscle's path, at fractions ``shares`` (n,) of the path length."""
    pairs = [(share, share) for share in shares.tolist()]
    return evaluation.material_points(kinematics, muscle, pairs, False)[0]


def _evaluation(
    samples: Mapping[str, OpenSimPathSamples], names: Sequence[str], plan: WrapPlan, coordinate_names: Sequence[str]
) -> Evaluation:
    poses = samples[names[0]].poses
    muscles = [KernelMuscle(samples[name].path, WHOLE, 1.0, MIDDLE) for name in names]
    return Evaluation(build_kernel(poses.bodies, coordinate_names, np.zeros(3), muscles, plan), names, poses.bodies)


def compare_paths(
    samples: Mapping[str, OpenSimPathSamples], plan: WrapPlan, coordinate_names: Sequence[str]
) -> dict[str, PathDifference]:
    """Return differences of unsmoothed kernel paths from OpenSim's, by muscle; muscles without any are left out."""
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
        # if several surfaces have no exact path at some poses, compare the smooth path
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
    """Return differences of a kernel path, with ``lengths`` (poses,) [m], from OpenSim's path; None if both agree."""
    differences = np.abs(lengths - samples.lengths)
    differences[samples.unconverged] = 0.0  # OpenSim's path is invalid there
    thick = [[samples.surfaces[name].thickness for name in samples.wrapped(pose)] for pose in range(len(lengths))]
    half_girths = np.pi * np.array([max(of_pose, default=np.inf) for of_pose in thick])
    is_winding = samples.lengths - np.nan_to_num(lengths, nan=np.inf) > half_girths  # long way round a surface
    differences[is_winding] = 0.0
    share, winding = float(np.mean(~(differences < DIFFERENT))), float(np.mean(is_winding))
    inside, reported = {name: samples.inside(name) for name in surfaces}, 0.0
    if not samples.path.is_cable:
        is_inside = np.any([*inside.values()], axis=0)
        reported = float(np.nanmax(np.where(is_inside, 0.0, np.abs(lengths - samples.reported)), initial=0.0))
    differences = np.nan_to_num(differences)  # OpenSim's path is used without a smooth one
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
    """Return why OpenSim's and the smooth path differ at a pose, and whether OpenSim's is only slightly longer."""
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
    """Return whether OpenSim's path and the smooth path (points ``places``) pass a surface on opposite sides."""
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


#: Length change over a bisected interval that counts as a jump [m].
JUMP = 1e-3

#: Number of neighbours compared with each pose.
NEAREST = 3
#: Number of bisected pairs per muscle, by largest error of the linear prediction.
MOST_PAIRS = 12
#: Number of bisections: 0.3 m moment arm times 4 rad leave 0.1 mm.
HALVINGS = 14


@dataclass(frozen=True)
class PathJump:
    """A jump of a muscle's path between adjacent poses."""

    size: float  # jump of a point or of the length [m]
    pose: Mapping[str, float]  # coordinates that move the path [rad or m], by name


def bisect_jumps(
    values_at: Callable[[Array], Array], low: Array, high: Array, first: Array, last: Array, halvings: int
) -> tuple[Array, Array]:
    """Bisect intervals of poses; return each interval's jump [m] (0: none) and the pose of the jump (intervals, nu).

    ``values_at`` maps poses to lengths (intervals,) or points (intervals, points, 3) [m]; ``first`` and ``last`` are
    values at the ends. Smooth changes shrink with the interval, jumps do not.
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
    """Return distances (intervals,) [m] of a and b: absolute differences of lengths, or largest distances of points."""
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
    """Return the largest jump of ``lengths`` (P,) [m] between poses q adjacent in variables x (P, n); None: no jump."""
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
    """Return sorted index pairs (pairs, 2) of neighbouring poses; z (poses, n): scaled coordinates of the poses."""
    from scipy.spatial import KDTree  # rarely needed

    _, near = KDTree(z).query(z, k=min(1 + NEAREST, len(z)))
    near = np.reshape(near, (len(z), -1))
    pairs = np.stack([np.repeat(np.arange(len(z)), near.shape[1]), near.ravel()], axis=1)
    pairs = np.unique(np.sort(pairs, axis=1), axis=0)
    return np.asarray(pairs[pairs[:, 0] != pairs[:, 1]])


#: Number of lines between survey poses, for paths over several surfaces and others, and steps per line.
MANY_LINES, LINES, STEPS = 20, 10, 20

#: Second difference of length that requires a closer look [m].
SUSPICIOUS = 1.5e-3

#: Number of bisections of a step; then smooth changes are a tenth of a jump.
LINE_HALVINGS = 8


def find_jumps(
    model: osim.Model,
    coordinates: CoordinateTable,
    kinematics: Kinematics,
    samples: Mapping[str, OpenSimPathSamples],
    plan: WrapPlan,
) -> dict[str, float]:
    """Return, by muscle, the largest jump [m] in the length of the smooth path; muscles without jumps are left out."""
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
    """Return the largest jump [m] of path lengths (lines, poses) [m] along lines of poses, 0 if no length jumps."""
    steps = [(line, step) for line, line_lengths in enumerate(lengths) for step in _suspicious(line_lengths)]
    if not steps:
        return 0.0
    line, step = np.array(steps).T
    ends = lines[line, step], lines[line, step + 1], lengths[line, step], lengths[line, step + 1]
    return float(bisect_jumps(lengths_at, *ends, LINE_HALVINGS)[0].max())


def _may_jump(samples: OpenSimPathSamples, sites: Sequence[WrapSite]) -> bool:
    """Return whether a path may jump between routes over the surfaces or between sides of a surface."""
    if _joins_surfaces(sites) or any(samples.path.is_cable and not site.surface.has_turn for site in sites):
        return True
    for site in sites:
        if not site.surface.has_turn or site.surface.quadrant.any():
            continue
        chords = samples.chords(site.surface.name)  # beyond an axis, with nearest points between the ends or not
        is_beyond = (site.turn * chords.distance < 0) & (chords.start >= site.first) & (chords.end <= site.last)
        is_between = (chords.foot > 0) & (chords.foot < 1)
        if (is_beyond & is_between).any() and (is_beyond & ~is_between).any():
            return True
    return False


def _joins_surfaces(sites: Sequence[WrapSite]) -> bool:
    """Return whether any two wraps overlap along the path, and not both have sides defined by a sense of turn."""
    return any(
        max(a.first, b.first) < min(a.last, b.last) and not (a.surface.has_turn and b.surface.has_turn)
        for a, b in combinations(sites, 2)
    )


def _suspicious(lengths: Array) -> list[int]:
    """Return indices of steps between poses that may be jumps: second differences of ``lengths`` (poses,) are large."""
    bent = np.abs(np.diff(lengths, 2)) > SUSPICIOUS
    steps = np.abs(np.diff(lengths))
    return sorted({int(k + (steps[k + 1] > steps[k])) for k in np.flatnonzero(bent)})
