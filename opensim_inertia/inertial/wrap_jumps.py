"""Jumps of smooth paths over wrap objects, found along lines through the coordinates' ranges, beside OpenSim's.

Over one surface a path is continuous but at a seam that its side has; over several it may jump where one of them comes
on or lets go. Only such muscles are looked at, and OpenSim is asked only about those that jump.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations

import numpy as np

from .._opensim import osim
from ..arrays import Array
from ..kernel import KernelMuscle, build_kernel
from ..reading import CoordinateTable, Kinematics, MusclePath
from ..wrapping import Jumps, SeenPaths, WrapPlan, WrapSite, look_at_poses, observe
from .evaluation import Evaluation
from .wrap_comparison import MIDDLE, WHOLE

#: Lines between two of the survey's poses, and steps along each.
LINES, STEPS = 10, 20

#: A step is looked at more closely where the length's second difference is above this [m].
SUSPICIOUS = 1.5e-3

#: Halvings of such a step; over what remains a length that changes by more than this [m] jumps.
HALVINGS, JUMP = 8, 1e-3


def find_jumps(
    model: osim.Model,
    coordinates: CoordinateTable,
    kinematics: Kinematics,
    seen: Mapping[str, SeenPaths],
    plan: WrapPlan,
) -> dict[str, Jumps]:
    """Return the jumps of each smooth path that was found to jump, by muscle.

    Args:
        model: an initialised model.
        coordinates: its coordinates.
        kinematics: reads its states, with all bodies that carry path points and surfaces.
        seen: OpenSim's paths at the survey's poses, by muscle.
        plan: which of them shall be smooth, and how.
    """
    names = [name for name, sites in plan.sites.items() if name in seen and _may_jump(seen[name], sites)]
    if not names:
        return {}
    poses = seen[names[0]].poses
    ends = poses.q[: 2 * LINES].reshape(-1, 2, poses.q.shape[1])
    shares = np.linspace(0, 1, STEPS + 1)[:, None]
    lines = np.stack([start + shares * (end - start) for start, end in ends])
    muscles = [KernelMuscle(seen[name].path, WHOLE, 1.0, MIDDLE) for name in names]
    kernel = build_kernel(poses.bodies, coordinates.names, np.zeros(3), muscles, plan)
    evaluation = Evaluation(kernel, names, poses.bodies)

    def ours(q: Array, which: Sequence[int] | None = None) -> Array:
        there = look_at_poses(model, coordinates, kinematics, q)
        return np.array([evaluation.path_lengths(there.kinematics(pose), which) for pose in range(len(q))])

    def theirs(q: Array, path: MusclePath) -> Array:
        return observe(model, coordinates, [path], kinematics, q)[path.muscle].lengths[:, None]

    along = ours(lines.reshape(-1, lines.shape[2])).reshape(*lines.shape[:2], -1)
    found = {}
    for number, name in enumerate(names):
        own = _jumps(lines, partial(ours, which=[number]), along[:, :, number])
        if own:
            found[name] = Jumps(own, _jumps(lines, partial(theirs, path=seen[name].path)))
    return found


def _jumps(lines: Array, lengths_at: Callable[[Array], Array], lengths: Array | None = None) -> tuple[float, ...]:
    """Return the jumps of a length [m] along lines (lines, poses, nu), given what it is there or how to find it."""
    if lengths is None:
        lengths = lengths_at(lines.reshape(-1, lines.shape[2])).reshape(lines.shape[:2])
    sizes = [
        _jump(line[step], line[step + 1], along[step : step + 2], lengths_at)
        for line, along in zip(lines, lengths, strict=True)
        for step in _suspicious(along)
    ]
    return tuple(size for size in sizes if size > JUMP)


def _may_jump(seen: SeenPaths, sites: Sequence[WrapSite]) -> bool:
    """Tell whether a path has several surfaces on one span, or a side that it may have to give up at a seam."""
    together = any(max(a.first, b.first) < min(a.last, b.last) for a, b in combinations(sites, 2))
    return together or any(_has_seam(seen, site) for site in sites)


def _has_seam(seen: SeenPaths, site: WrapSite) -> bool:
    """Tell whether chords beyond an axis have their foot between their ends at some poses, not at others."""
    if not site.surface.has_turn or site.surface.quadrant.any():
        return False
    chords = seen.chords(site.surface.name)
    far = (site.turn * chords.distance < 0) & (chords.start >= site.first) & (chords.end <= site.last)
    between = (chords.foot > 0) & (chords.foot < 1)
    return bool((far & between).any() and (far & ~between).any())


def _suspicious(lengths: Array) -> list[int]:
    """Return the steps, by number, next to which the second difference of the length is large."""
    bent = np.abs(np.diff(lengths, 2)) > SUSPICIOUS
    steps = np.abs(np.diff(lengths))
    return sorted({int(k + (steps[k + 1] > steps[k])) for k in np.flatnonzero(bent)})


def _jump(low: Array, high: Array, lengths: Array, lengths_at: Callable[[Array], Array]) -> float:
    """Return the change of length [m] that is left where it changes most, after halving the step many times."""
    first, last = lengths
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        between = float(lengths_at(middle[None])[0, 0])
        if abs(between - first) > abs(last - between):
            high, last = middle, between
        else:
            low, first = middle, between
    return float(np.nan_to_num(abs(last - first)))
