"""OpenSim's current path of a muscle whose path is a cable over obstacles, read at a state from what OpenSim draws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..._core.arrays import Array
from ..._core.opensim import osim
from ...opensim_model.reading.paths import MusclePath, cable_line, read_obstacles
from .arcs import FRACTIONS
from .current_path import CurrentPath, PathShape, SampledArc
from .surfaces import Surface

if TYPE_CHECKING:
    from scipy.interpolate import CubicSpline

#: A point this near to an obstacle's surface [m] lies on it: OpenSim projects points onto it to 1e-9 m.
ON_SURFACE = 1e-7

#: Two places this near [m] are one.
SAME_POINT = 1e-9

#: A path that turns by more than this [rad] at an obstacle's edge has corners: OpenSim's search did not end there.
CORNER = 2e-3


class _Bend(NamedTuple):
    """The part of a cable on one obstacle: points before and after it, and its knots, in the obstacle's frame [m]."""

    surface: Surface
    span: tuple[int, int]
    before: Array
    knots: Array
    after: Array


class CurrentCable(CurrentPath):
    """One muscle's cable as OpenSim computes it at new states only: it goes on from a state's former path."""

    def _find(self, muscle: osim.Muscle) -> None:
        self._cable = osim.Scholz2015GeometryPath.safeDownCast(muscle.getPath())
        obstacles = read_obstacles(muscle.getName(), self._cable)
        self._after = {obstacle.name: obstacle.after for obstacle in obstacles}

    def length(self, state: osim.State) -> float:
        """Return the length [m] that OpenSim tells at a state realized to position."""
        return float(self._cable.getLength(state))

    reported_length = length

    def wrap_ranges(self) -> dict[str, tuple[int, int]]:
        """Return, by obstacle, the indices of the path points between which it lies."""
        return {name: (after, after + 1) for name, after in self._after.items()}

    def sampled_with_corner(self, pose: int, state: osim.State) -> tuple[list[SampledArc], float]:
        """Return the arcs at a state realized to position, and the largest turn [rad]; half a turn off obstacles."""
        parts, strays = self._parts(state)
        arcs = []
        for bend in (bend for bend in parts if len(bend.knots) > 1):
            length = float(np.linalg.norm(np.diff(bend.knots, axis=0), axis=1).sum())
            first, last = bend.knots[[0, -1]]
            arcs.append(SampledArc(pose, bend.surface.name, bend.span, first, last, length, None, _controls(bend)))
        return arcs, np.pi if strays else max((_corner(bend) for bend in parts), default=0.0)

    def _in_surface_frame(self, surface: Surface, points: Array, state: osim.State) -> Array:
        """Return points (n, 3) in ground, as they are seen from a surface's own frame."""
        origin, *ends = (self.in_surface(surface, x, state) for x in np.vstack([np.zeros(3), np.eye(3)]))
        return np.asarray(origin + points @ (np.array(ends) - origin))

    def shape(self, state: osim.State) -> PathShape:
        """Return the structure and the arcs of the path at a state realized to position."""
        sequence = list(range(len(self.path.points)))
        bends = [bend for bend in self._parts(state)[0] if len(bend.knots) > 1]
        for k, bend in enumerate(bends):
            sequence.insert(sequence.index(bend.span[1]), -1 - k)
        controls = tuple(bend.surface.to_body(_controls(bend)) for bend in bends)
        return PathShape(tuple(sequence), tuple(bend.surface.name for bend in bends), controls)

    def _parts(self, state: osim.State) -> tuple[list[_Bend], int]:
        """Return the parts of the path on obstacles, and the number of points that lie on none, if it has run away."""
        points, path_points = cable_line(self._cable, state), self.active_points(state)
        bends, strays, start = [], 0, 0
        for via in range(len(path_points) - 1):
            is_end = np.linalg.norm(points[start + 1 :] - path_points[via + 1], axis=1) < SAME_POINT
            end = start + 1 + int(np.argmax(is_end))
            at = start + 1
            for name in [name for name, after in self._after.items() if after == via]:
                surface = self.surfaces[name]
                local = self._in_surface_frame(surface, points[at - 1 : end + 1], state)
                is_off = np.abs(surface.gap(local[1:-1])) > ON_SURFACE
                count = int(np.argmax(is_off)) if is_off.any() else len(is_off)
                if count:
                    bends.append(_Bend(surface, (via, via + 1), local[0], local[1 : 1 + count], local[1 + count]))
                at += count
            strays += end - at
            start = end
        return bends, strays


def current_path(model: osim.Model, path: MusclePath, muscles: Mapping[str, osim.Muscle] | None = None) -> CurrentPath:
    """Return a muscle's path as OpenSim computes it; see :class:`CurrentPath`."""
    return (CurrentCable if path.is_cable else CurrentPath)(model, path, muscles)


def _controls(bend: _Bend) -> Array:
    """Return control points (n, 3) of a geodesic through its knots, in the obstacle's frame [m]."""
    if bend.surface.has_geodesic_arc:
        return bend.surface.arc(bend.knots[0], bend.knots[-1], bend.before, bend.after, lambda: None)
    steps = np.linalg.norm(np.diff(bend.knots, axis=0), axis=1)
    is_distinct = np.append(True, steps > 1e-9)
    s = np.concatenate([[0.0], np.cumsum(steps)])[is_distinct]
    if len(s) < 3:
        return bend.knots[0] + FRACTIONS[:, None] * (bend.knots[-1] - bend.knots[0])
    return np.asarray(_cubic_spline(s, bend.knots[is_distinct])(FRACTIONS * s[-1]))


def _corner(bend: _Bend) -> float:
    """Return the larger of the angles [rad] at both ends of an arc."""
    arriving, leaving = bend.knots[0] - bend.before, bend.after - bend.knots[-1]
    straight = np.stack([arriving, leaving])
    if np.linalg.norm(np.diff(bend.knots, axis=0), axis=1).sum() < ON_SURFACE:  # a point
        directions = straight[::-1]
    else:
        directions = _cubic_spline(FRACTIONS, _controls(bend)).derivative()(np.array([0.0, 1.0]))
    u, t = (x / np.linalg.norm(x, axis=1)[:, None] for x in (straight, directions))
    return float(2 * np.arcsin(np.minimum(np.linalg.norm(u - t, axis=1) / 2, 1.0)).max())


def _cubic_spline(at: Array, values: Array) -> CubicSpline:
    from scipy.interpolate import CubicSpline  # only now: models without cables do without it

    return CubicSpline(at, values)
