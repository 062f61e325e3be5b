"""Jumps of smooth paths over wrap objects, found along lines through the coordinates' ranges.

Over one surface a path is continuous but at a seam that its side has; over several it may jump where one of them comes
on or lets go. Only such muscles are looked at, and OpenSim is not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations

import numpy as np

from .._opensim import osim
from ..arrays import Array
from ..kernel import KernelMuscle, build_kernel
from ..material.whole_path import MIDDLE, WHOLE
from ..reading import CoordinateTable, Kinematics
from ..wrapping import SeenPaths, WrapPlan, WrapSite, can_be_laid, halved, look_at_poses
from .evaluation import Evaluation

#: Lines between two of the survey's poses, where a path has several surfaces and elsewhere, and steps along each.
MANY_LINES, LINES, STEPS = 20, 10, 20

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
) -> dict[str, float]:
    """Return the largest jump of the length of each smooth path that was found to jump [m], by muscle.

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
    lines_wanted = MANY_LINES if any(_joins_surfaces(plan.sites[name]) for name in names) else LINES
    ends = poses.q[: 2 * lines_wanted].reshape(-1, 2, poses.q.shape[1])
    shares = np.linspace(0, 1, STEPS + 1)[:, None]
    lines = np.stack([start + shares * (end - start) for start, end in ends])
    muscles = [KernelMuscle(seen[name].path, WHOLE, 1.0, MIDDLE) for name in names]
    kernel = build_kernel(poses.bodies, coordinates.names, np.zeros(3), muscles, plan)
    evaluation = Evaluation(kernel, names, poses.bodies)

    def ours(q: Array, which: Sequence[int] | None = None) -> Array:
        there = look_at_poses(model, coordinates, kinematics, q)
        return np.array([evaluation.path_lengths(there.kinematics(pose), which) for pose in range(len(q))])

    if any(seen[name].cable is not None for name in names):
        laid = can_be_laid(model, coordinates, lines.reshape(-1, lines.shape[2])).reshape(lines.shape[:2])
        lines = lines[laid.all(axis=1)]
    along = ours(lines.reshape(-1, lines.shape[2])).reshape(*lines.shape[:2], -1)
    found = {}
    for number, name in enumerate(names):
        own = _jumps(lines, partial(ours, which=[number]), along[:, :, number])
        if own:
            found[name] = max(own)
    return found


def _jumps(lines: Array, lengths_at: Callable[[Array], Array], lengths: Array) -> tuple[float, ...]:
    """Return the jumps of a length [m] along lines (lines, poses, nu), given what it is there and how to find it."""
    steps = [(line, step) for line, along in enumerate(lengths) for step in _suspicious(along)]
    if not steps:
        return ()
    line, step = np.array(steps).T
    sizes, _ = jump_sizes(
        lambda q: lengths_at(q)[:, 0],
        lines[line, step],
        lines[line, step + 1],
        lengths[line, step],
        lengths[line, step + 1],
    )
    return tuple(sizes[sizes > JUMP].tolist())


def jump_sizes(
    lengths_at: Callable[[Array], Array],
    low: Array,
    high: Array,
    first: Array,
    last: Array,
    halvings: int = HALVINGS,
) -> tuple[Array, Array]:
    """Narrow steps between poses down, and return by how much a length changes over what remains of each.

    Args:
        lengths_at: returns the length (steps,) [m] at poses (steps, nu).
        low, high: the ends of the steps, (steps, nu) [rad or m].
        first, last: the length there, (steps,) [m].
        halvings: how often each step is halved.

    Returns:
        the changes (steps,) [m], 0 where there is no length, and one end of what remains (steps, nu). A change above
        :data:`JUMP` is a jump.
    """
    changes, ends = halved(lengths_at, lambda one, other: np.abs(one - other), low, high, first, last, halvings)
    return np.nan_to_num(changes), ends


def _may_jump(seen: SeenPaths, sites: Sequence[WrapSite]) -> bool:
    """Tell whether a path may change between ways over several surfaces, or give up a side at a seam."""
    sides = [site for site in sites if seen.cable is not None and not site.surface.has_turn]  # may be given up
    return bool(sides) or _joins_surfaces(sites) or any(_has_seam(seen, site) for site in sites)


def _joins_surfaces(sites: Sequence[WrapSite]) -> bool:
    """Tell whether a path has several surfaces on one span, of which one holds no side."""
    return any(
        max(a.first, b.first) < min(a.last, b.last) and not (a.surface.has_turn and b.surface.has_turn)
        for a, b in combinations(sites, 2)
    )


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
