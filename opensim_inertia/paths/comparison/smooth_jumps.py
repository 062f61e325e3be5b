"""Jumps of smooth paths at seams of a side, or where several surfaces join, along lines through the ranges."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations

import numpy as np

from ..._core.arrays import Array
from ..._core.opensim import osim
from ...muscles.material import MIDDLE, WHOLE
from ...opensim_model.reading.coordinates import CoordinateTable
from ...opensim_model.reading.kinematics import Kinematics
from ..kernel.description import KernelMuscle, build_kernel
from ..kernel.evaluation import Evaluation
from ..wrapping.path_jumps import bisect_jumps
from ..wrapping.path_samples import OpenSimPathSamples
from ..wrapping.plan import WrapPlan
from ..wrapping.poses import can_be_laid, read_body_poses
from ..wrapping.survey import WrapSite

#: Lines between two of the survey's poses, where a path has several surfaces and elsewhere, and steps along each.
MANY_LINES, LINES, STEPS = 20, 10, 20

#: A step is looked at more closely where the length's second difference is above this [m].
SUSPICIOUS = 1.5e-3

#: Halvings of such a step: after these a smooth length changes by a tenth of a jump.
HALVINGS = 8


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
    muscles = [KernelMuscle(samples[name].path, WHOLE, 1.0, MIDDLE) for name in names]
    kernel = build_kernel(poses.bodies, coordinates.names, np.zeros(3), muscles, plan)
    evaluation = Evaluation(kernel, names, poses.bodies)

    def all_lengths(q: Array, which: Sequence[int] | None = None) -> Array:
        read_poses = read_body_poses(model, coordinates, kinematics, q)
        return np.array([evaluation.path_lengths(read_poses.kinematics(pose), which) for pose in range(len(q))])

    def lengths_of(number: int, q: Array) -> Array:
        return all_lengths(q, [number])[:, 0]

    if any(samples[name].cable is not None for name in names):
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
    ways = bisect_jumps(lengths_at, ends[0], ends[1], ends[2], ends[3], HALVINGS)
    return float(ways.changes[ways.jumps].max(initial=0.0))


def _may_jump(samples: OpenSimPathSamples, sites: Sequence[WrapSite]) -> bool:
    """Return whether a path may change between ways over several surfaces, or give up a side at a seam."""
    sides = [site for site in sites if samples.cable is not None and not site.surface.has_turn]  # may be given up
    return bool(sides) or _joins_surfaces(sites) or any(_has_seam(samples, site) for site in sites)


def _joins_surfaces(sites: Sequence[WrapSite]) -> bool:
    """Return whether a path has several surfaces on one span, of which one holds no side."""
    return any(
        max(a.first, b.first) < min(a.last, b.last) and not (a.surface.has_turn and b.surface.has_turn)
        for a, b in combinations(sites, 2)
    )


def _has_seam(samples: OpenSimPathSamples, site: WrapSite) -> bool:
    """Return whether chords beyond an axis have their foot between their ends at some poses, not at others."""
    if not site.surface.has_turn or site.surface.quadrant.any():
        return False
    chords = samples.chords(site.surface.name)
    is_beyond = (site.turn * chords.distance < 0) & (chords.start >= site.first) & (chords.end <= site.last)
    is_between = (chords.foot > 0) & (chords.foot < 1)
    return bool((is_beyond & is_between).any() and (is_beyond & ~is_between).any())


def _suspicious(lengths: Array) -> list[int]:
    """Return the steps, by number, next to which the second difference of the length is large."""
    bent = np.abs(np.diff(lengths, 2)) > SUSPICIOUS
    steps = np.abs(np.diff(lengths))
    return sorted({int(k + (steps[k + 1] > steps[k])) for k in np.flatnonzero(bent)})
