"""Survey of OpenSim's paths: surfaces that muscles wrap, with the first and last path point and the side."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from ..._core.arrays import Array
from ..._core.opensim import osim
from ...opensim_model.reading.coordinates import CoordinateTable, follow_couplers, random_poses
from .path_samples import OpenSimPathSamples
from .surfaces import Surface

#: Number of random poses, which determine the paths.
POSES = 60

#: Number of poses at the ends of ranges, for comparison.
CORNERS = 32

#: Smallest share of wrapping poses for a span to count.
RARE = 0.05

#: Largest share of wrapping poses on the other side for a smooth path.
OTHER_SIDE = 0.25


@dataclass(frozen=True)
class WrapSite:
    """A surface that a path may wrap, the first and last path point of the wrap, and the path's side of the surface."""

    surface: Surface  # wrap object
    first: int  # index of the first path point; ``last``: of the last; all spans between may wrap
    last: int
    turn: float  # sense of turn about the axis, +1 or -1; undefined without an axis
    long_way: bool  # whether the path stays on its side if its chord clears the other side
    smoothing: float = 0.0  # half width of smoothing [m]
    network: bool = False  # whether the neural network replaces the formula


#: Wrap sites in path order (empty without active surfaces); reason against a smooth path, or ""; remarks for users.
Survey = tuple[tuple[WrapSite, ...], str, tuple[str, ...]]


def survey_poses(model: osim.Model, coordinates: CoordinateTable) -> Array:
    """Return reproducible, left-right symmetric poses (poses, nu) [rad or m]: random ones, then range ends."""
    q = np.concatenate([random_poses(model, coordinates, POSES), random_poses(model, coordinates, CORNERS, ends=True)])
    for left, name in enumerate(coordinates.names):
        partner = f"{name.removesuffix('_l')}_r"
        if not name.endswith("_l") or partner not in coordinates.names:
            continue
        right = coordinates.index(partner)
        if np.array_equal(coordinates.ranges[left], coordinates.ranges[right]):
            q[:, left] = q[:, right]
    return follow_couplers(model, coordinates, q)


def survey(everywhere: OpenSimPathSamples) -> Survey:
    """Return a muscle's wrap sites, any reason against a smooth path, and remarks, from OpenSim's sampled paths."""
    samples = everywhere.first(POSES)
    notes, sites = [], []
    for name, surface in samples.surfaces.items():
        inside, inside_anywhere = samples.inside(name), everywhere.inside(name)
        if inside_anywhere.any() and not everywhere.spans(name):
            where = "every pose" if inside_anywhere.all() else f"{100 * inside_anywhere.mean():.0f} % of the poses"
            notes.append(f"'{name}' is left out: OpenSim never wraps it, and an end lies inside it at {where}")
            continue
        wrapped = [arc.span for arc in samples.arcs if arc.surface == name]
        if not wrapped:
            notes.append(f"'{name}' was never touched at {len(samples.poses)} poses")
        chords, turns = samples.chords(name), samples.turns(name) if surface.has_turn else []
        is_beside = (chords.foot > 0) & (chords.foot < 1)
        # untouched surface: side of the chords
        turn = 1.0 if sum(turns or np.sign(chords.distance[is_beside])) >= 0 else -1.0
        other_share = sum(each != turn for each in turns) / max(len(turns), 1)
        if other_share > OTHER_SIDE:
            return (), f"OpenSim passes '{name}' on one side or the other ({100 * other_share:.0f} % of the poses)", ()
        if other_share > 0:
            notes.append(f"OpenSim changes to the other side of '{name}' at {100 * other_share:.0f} % of poses")
        if inside.any():
            notes.append(f"an end lies inside '{name}' at {100 * inside.mean():.0f} % of the poses")
        sides = zip(wrapped, turns or [turn] * len(wrapped), strict=True)
        on_side = Counter(span for span, side in sides if side == turn)
        spans = [span for span, n in on_side.items() if n > RARE * len(wrapped)] or [samples.ranges[name]]
        first, last = min(i for i, _ in spans), max(j for _, j in spans)
        is_clear = is_beside & (chords.start >= first) & (chords.end <= last) & (turn * chords.distance < -1)
        long_way = surface.has_turn and (not is_clear.any() or bool(surface.quadrant.any()))
        sites.append(WrapSite(surface, first, last, turn, long_way))
    for (a, b), count in samples.before.items():
        if samples.before[b, a] > 0 and count > 0:
            return (), f"OpenSim wraps '{a}' and '{b}' in either order", ()

    def place(site: WrapSite) -> tuple[int, float]:
        """Return a surface's sort key: number of surfaces before it on the path, then mean position."""
        name, chords = site.surface.name, samples.chords(site.surface.name)
        earlier = sum(1 for (a, b), n in samples.before.items() if n and b == name and a != name)
        return earlier, float(np.mean(chords.start + chords.foot)) if len(chords.foot) else 0.0

    return tuple(sorted(sites, key=place)), "", tuple(notes)


def survey_cable(samples: OpenSimPathSamples) -> Survey:
    """Return a cable's obstacles, each with path points and side, from OpenSim's paths and ``contact_hint`` values."""
    notes, sites = [], []
    for name, surface in samples.surfaces.items():
        turn = 1.0
        if surface.has_turn:
            turns = np.array(samples.turns(name))
            if not len(turns) and surface.hint is not None and surface.hint.any():  # senses at the hint
                local = samples.local(name)
                chord = local[:, samples.ranges[name][1]] - local[:, samples.ranges[name][0]]
                turns = np.where(surface.hint[0] * chord[:, 1] - surface.hint[1] * chord[:, 0] >= 0, 1.0, -1.0)
            turn = 1.0 if turns.sum() >= 0 else -1.0
            other_share = float(np.mean(turns != turn)) if len(turns) else 0.0
            if other_share > 0:
                notes.append(f"OpenSim changes to the other side of '{name}' at {100 * other_share:.0f} % of poses")
        has_hint = bool(np.any(surface.hint))
        if not has_hint:
            notes.append(f"'{name}' has no contact hint: OpenSim lays the path the short way")
        first, last = samples.ranges[name]
        sites.append(WrapSite(surface, first, last, turn, has_hint))
    unconverged = samples.unconverged
    if samples.corners is not None and unconverged.any():
        worst = np.degrees(samples.corners.max())
        notes.append(f"OpenSim's path has corners, up to {worst:.2g} deg, at {100 * unconverged.mean():.0f} % of poses")
    return tuple(sites), "", tuple(notes)
