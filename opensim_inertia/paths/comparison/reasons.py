"""Reasons why a path differs from OpenSim's, in words and numbers, from the geometry of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..._core.arrays import Array
from ..wrapping import CORNER as CABLE_CORNER
from ..wrapping import DIFFERENT, Surface
from ..wrapping.arcs import CONTROLS, FRACTIONS
from .path_comparison import PathComparison, PosedComparison, Way, on_opposite_sides

#: Differences above this [m] get a reason.
LIMIT = 0.5e-3

#: Points by which a path is searched for the surfaces that it lies on, and how near to one of them is on it [m].
SAMPLES = 400
ON_SURFACE = 1e-6

#: Kinds of causes where both paths wrap alike and OpenSim's is not taut.
GEODESIC = ("plane", "not taut", "not geodesic", "not converged")

#: Corners below this [deg] are not worth a word.
CORNER = 0.1


@dataclass(frozen=True)
class _Cause:
    """A cause that separates two paths at a pose; those of one kind at one surface are counted together."""

    kind: str
    surface: str
    text: str


@dataclass(frozen=True)
class _SurfacePart:
    """The part of a path on one surface: its span; its first, middle and last point in the surface's frame."""

    span: tuple[int, int]
    points: Array

    @property
    def middle(self) -> Array:
        """The middle point, (3,) [m]."""
        return self.points[1]


@dataclass(frozen=True)
class Reason:
    """Reasons for a muscle's distance from OpenSim's path at some poses."""

    share: float  # share of the poses
    size: float  # how far it separates them at most [m]
    text: str  # the cause in words, at the pose where it separates them most
    is_geodesic: bool  # whether both paths wrap alike, and ours is the shortest one, OpenSim's nearly so

    def __str__(self) -> str:
        share = 100 * self.share
        return f"{share:.{0 if share >= 1 else 1}f} % of poses, up to {1e3 * self.size:.1f} mm: {self.text}"


def find_reasons(
    paths: PathComparison, name: str, poses: Array, comparisons: Sequence[PosedComparison]
) -> list[Reason]:
    """Return the reasons, most frequent first, why a muscle's path is beyond ``LIMIT`` from OpenSim's at poses."""
    causes: dict[tuple[str, str], list[tuple[float, str]]] = {}
    for q, comparison in zip(poses, comparisons, strict=True):
        if comparison.apart.size > LIMIT:
            paths.set_pose(q, [name])
            cause = _cause(paths, name, comparison)
            causes.setdefault((cause.kind, cause.surface), []).append((comparison.apart.size, cause.text))
    ordered = sorted(causes.items(), key=lambda item: (-len(item[1]), -max(item[1])[0]))
    return [Reason(len(findings) / len(poses), *max(findings), kind in GEODESIC) for (kind, _), findings in ordered]


def _cause(paths: PathComparison, name: str, comparison: PosedComparison) -> _Cause:
    """Return the cause that separates a muscle's path from OpenSim's at the current pose."""
    remaining = comparison.exact.size
    if paths.way(name) == "neural" and comparison.smoothing.size > remaining:
        text = f"the networks and the smooth touch, without them {1e3 * remaining:.2f} mm would remain"
        return _Cause("smoothing", "", text)
    opensim, exact = _parts_by_opensim(paths, name), _parts(paths, name, "exact")
    for surface in paths.surfaces(name):
        cause = _other_structure(paths, name, surface, opensim.get(surface.name), exact.get(surface.name))
        if cause is not None:
            return cause
    distances = {s: float(np.linalg.norm(opensim[s].middle - exact[s].middle)) for s in opensim if s in exact}
    if not distances:
        return _Cause("unknown", "", "both paths are straight")
    worst = max(distances, key=lambda s: distances[s])
    return _same_structure(paths, name, paths.live[name].surfaces[worst], distances[worst], comparison.exact.length)


def _parts_by_opensim(paths: PathComparison, name: str) -> dict[str, _SurfacePart]:
    """Return the parts of OpenSim's path that lie on surfaces, by surface, as OpenSim reports them."""
    parts = {}
    for arc in paths.shapes[name].arcs():
        surface = paths.live[name].surfaces[arc.surface]
        parts[arc.surface] = _SurfacePart(arc.span, surface.from_body(arc.controls[[0, CONTROLS // 2, -1]]))
    return parts


def _parts(paths: PathComparison, name: str, way: Way) -> dict[str, _SurfacePart]:
    """Return the parts of a path that lie on surfaces, by surface, found by sampling the path."""
    points = paths.points(name)
    numbers = list(points)
    coarse = np.linspace(0.0, 1.0, SAMPLES)
    x = paths.positions(name, way, coarse)
    at = [coarse[np.argmin(np.linalg.norm(x - point, axis=1))] for point in points.values()]
    parts = {}
    for surface in paths.surfaces(name):
        # closer where the path is nearest: an arc may be short
        k = int(np.argmin(np.abs(surface.gap(paths.local(surface, x)))))
        fine_fractions = np.linspace(coarse[max(k - 1, 0)], coarse[min(k + 1, SAMPLES - 1)], SAMPLES)
        fractions = np.unique(np.concatenate([coarse, fine_fractions]))[1:-1]
        local = paths.local(surface, paths.positions(name, way, fractions))
        rows = np.flatnonzero(np.abs(surface.gap(local)) < ON_SURFACE)
        if len(rows) < 2:
            continue
        middle = 0.5 * (fractions[rows[0]] + fractions[rows[-1]])
        n = int(np.clip(np.searchsorted(at, middle, side="right"), 1, len(numbers) - 1))
        k = int(np.argmin(np.abs(fractions - middle)))
        parts[surface.name] = _SurfacePart((numbers[n - 1], numbers[n]), local[[rows[0], k, rows[-1]]])
    return parts


def _other_structure(
    paths: PathComparison, name: str, surface: Surface, opensim: _SurfacePart | None, smooth: _SurfacePart | None
) -> _Cause | None:
    """Return the cause if OpenSim's path and the smooth one pass a surface in different ways; None if they do not."""
    s = f"'{surface.name}'"
    depth = _depth(paths, name, surface)
    if depth > 0 and (opensim is None or smooth is None or on_opposite_sides(surface, opensim.middle, smooth.middle)):
        way = "goes straight" if opensim is None else "wraps it all the same"
        text = f"an end of the span lies {1e3 * depth:.1f} mm inside {s}, OpenSim {way}"
        return _Cause("inside", surface.name, f"{text}, ours passes as if the surface ended there")
    if opensim is None and smooth is None:
        return None
    if opensim is None and smooth is not None:
        beyond = np.abs(smooth.points[:, 2]).max() - surface.size[-1] / 2
        if surface.is_cylindrical and surface.size[-1] > 0 and beyond > 0:
            text = f"OpenSim leaves the path straight past the end of {s}, ours wraps {1e3 * beyond:.1f} mm past it"
            return _Cause("past the end", surface.name, text)
        clear = 1e3 * paths.clearance(name, "opensim", surface)
        if clear < 0:
            text = f"OpenSim lets its path go straight through {s}, {-clear:.1f} mm deep, ours wraps it"
            return _Cause("straight through", surface.name, text)
        text = f"OpenSim lets go of {s} and passes {clear:.1f} mm clear of it, ours holds its side"
        return _Cause("lets go", surface.name, text)
    if opensim is not None and smooth is not None:
        if on_opposite_sides(surface, opensim.middle, smooth.middle):
            return _Cause("other side", surface.name, f"OpenSim passes {s} on the other side")
        if opensim.span != smooth.span:
            a, b = (f"{i + 1}-{j + 1}" for i, j in (opensim.span, smooth.span))
            text = f"OpenSim wraps {s} between path points {a}, ours between {b}"
            return _Cause("other span", surface.name, text)
        return None
    clear = 1e3 * paths.clearance(name, "exact", surface)
    where = f"{-clear:.1f} mm inside it" if clear < 0 else f"{clear:.1f} mm clear of it"
    return _Cause("only OpenSim", surface.name, f"only OpenSim wraps {s}, ours passes {where}")


def _same_structure(paths: PathComparison, name: str, surface: Surface, distance: float, length: float) -> _Cause:
    """Return the cause where both lie on a surface: how the arcs differ, and whether OpenSim's path is taut there."""
    corner, along = np.degrees(_corner(paths, name, surface))
    across = np.sqrt(max(corner**2 - along**2, 0.0))
    text = f"ours is {1e3 * abs(length):.2f} mm {'shorter' if length < 0 else 'longer'}"
    text += f", the middles of the arcs lie {1e3 * distance:.1f} mm apart"
    if corner > CORNER:
        text += f", OpenSim's path has a corner of {corner:.1f} deg where it touches"
    if paths.live[name].path.is_cable and corner > np.degrees(CABLE_CORNER):
        text = f"OpenSim's path over '{surface.name}' is not taut, and OpenSim does not say so: {text}"
        return _Cause("not converged", surface.name, text)
    if abs(length) > DIFFERENT:
        return _Cause("far", surface.name, f"OpenSim's path over '{surface.name}' is far from the shortest one: {text}")
    if not surface.has_geodesic_arc:
        return _Cause("plane", surface.name, f"both paths lie on the {surface.kind} '{surface.name}': {text}")
    if surface.is_cylindrical and across > max(along, CORNER):
        return _Cause("not taut", surface.name, f"OpenSim's path over '{surface.name}' is not taut: {text}")
    return _Cause("not geodesic", surface.name, f"OpenSim's path over '{surface.name}' is not the geodesic: {text}")


def _corner(paths: PathComparison, name: str, surface: Surface) -> tuple[float, float]:
    """Return the angle [rad] by which OpenSim's path turns at the worse end of an arc, and its part along the axis."""
    shape, live, points = paths.shapes[name], paths.live[name], paths.points(name)

    def ends(code: int) -> Array:
        """Return the first and last place of an element of the path, in the surface's frame."""
        if code >= 0:
            return paths.local(surface, np.stack([points[code], points[code]]))
        b = paths.bodies.index(live.surfaces[shape.surfaces[-1 - code]].body)
        controls = shape.controls[-1 - code][[0, -1]]
        return paths.local(surface, paths.kinematics.position[b] + controls @ paths.kinematics.rotation[b].T)

    arc = shape.surfaces.index(surface.name)
    place = shape.sequence.index(-1 - arc)
    x = surface.from_body(shape.controls[arc])
    if np.linalg.norm(x[-1] - x[0]) < ON_SURFACE:
        return 0.0, 0.0
    series = np.polynomial.chebyshev.chebfit(2 * FRACTIONS - 1, x, CONTROLS - 1)
    derivatives = np.polynomial.chebyshev.chebval([-1.0, 1.0], np.polynomial.chebyshev.chebder(series)).T
    straight = np.stack([x[0] - ends(shape.sequence[place - 1])[1], ends(shape.sequence[place + 1])[0] - x[-1]])
    worst = 0.0, 0.0
    for a, b in zip(straight, derivatives, strict=True):
        if np.linalg.norm(a) < ON_SURFACE:
            continue
        u, t = a / np.linalg.norm(a), b / np.linalg.norm(b)
        along = abs(float(np.arcsin(np.clip(u[2], -1, 1)) - np.arcsin(np.clip(t[2], -1, 1))))
        worst = max(worst, (2 * float(np.arcsin(min(1.0, float(np.linalg.norm(u - t)) / 2))), along))
    return worst


def _depth(paths: PathComparison, name: str, surface: Surface) -> float:
    """Return how deep [m] an end of a span in a surface's range lies inside it; negative if it lies outside."""
    ends = paths.points_beside(name, surface)
    return float(-surface.gap(ends).min()) if len(ends) and surface.has_inside else -np.inf
