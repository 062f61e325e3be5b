"""OpenSim's path over one wrap site, segment by segment, at random poses."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import BarycentricInterpolator
from tqdm import tqdm

from .._opensim import osim, quiet
from ..arrays import Array
from ..reading import CoordinateTable, MusclePath, random_poses
from .arcs import CONTROLS, FRACTIONS
from .current_path import LivePath
from .surfaces import Surface
from .survey import WrapSite

__all__ = ["LiveSegments", "Segment"]


class LiveSegments:
    """The segments that may wrap a site's surface, as they are at random poses.

    Args:
        model: an initialised model; coordinates: its coordinates.
        path: the muscle's; site: where it wraps.
        progress: show a bar; None: on a terminal.

    Attributes:
        shared: whether the muscle wraps other surfaces as well.
    """

    def __init__(
        self, model: osim.Model, coordinates: CoordinateTable, path: MusclePath, site: WrapSite, progress: bool | None
    ) -> None:
        self._model, self._coordinates, self._site = model, coordinates, site
        self._live = LivePath(model, path)
        self._state = osim.State(model.getWorkingState())
        self._show = sys.stderr.isatty() if progress is None else progress
        self.shared = sum(surface.active for surface in self._live.surfaces.values()) > 1

    def draw(self, poses: int, rng: np.random.Generator, look: bool) -> list[Segment]:
        """Every segment of the site at random poses; ``look`` at OpenSim's path, else only at its points."""
        seed = int(rng.integers(2**31))
        found: list[Segment] = []
        with quiet():
            drawn = random_poses(self._model, self._coordinates, poses, seed)
            for q in tqdm(drawn, desc="poses", unit="pose", disable=not self._show, leave=False):
                self._coordinates.set_values(self._state, q)
                self._model.realizePosition(self._state)
                found += self.at(self._state, look)
        return found

    def at(self, state: osim.State, look: bool) -> list[Segment]:
        """Those at a state realized to position."""
        site, live = self._site, self._live
        points = {
            i: live.in_surface(site.surface, x, state)
            for i, x in live.active_points(state).items()
            if site.first <= i <= site.last
        }
        arcs = self._arcs(state) if look else {}
        indices = list(points)
        return [
            Segment.between(site.surface, points[i], points[j], arcs.get((i, j), []))
            for i, j in zip(indices[:-1], indices[1:], strict=True)
        ]

    def _arcs(self, state: osim.State) -> dict[tuple[int, int], list[tuple[str, Array]]]:
        """Arcs by the path points between which they are: surface, and control points in this site's frame."""
        result: dict[tuple[int, int], list[tuple[str, Array]]] = {}
        for arc in self._live.shape(state).arcs():
            ground = self._live.in_ground(arc, state)
            here = np.array([self._live.in_surface(self._site.surface, x, state) for x in ground])
            result.setdefault(arc.segment, []).append((arc.surface, here))
        return result


@dataclass(frozen=True)
class Segment:
    """OpenSim's path between two ends at a pose, in the surface's frame.

    Attributes:
        p, q: the ends (3,).
        line: the path, as the corners of a fine polyline (n, 3).
        on_surface: share of its length that lies on the surface.
        inside: whether an end is inside.
    """

    p: Array
    q: Array
    line: Array
    on_surface: float
    inside: bool

    @classmethod
    def between(cls, surface: Surface, p: Array, q: Array, arcs: list[tuple[str, Array]]) -> Segment:
        """Cut, where other surfaces are wrapped too, in the middle of the straight run to the neighbour."""
        own = next((k for k, (name, _) in enumerate(arcs) if name == surface.name), None)
        if own is not None:
            controls = arcs[own][1]
            before, after = [arc for _, arc in arcs[:own]], [arc for _, arc in arcs[own + 1 :]]
        else:
            # OpenSim passes it by: the straight run that does so the most closely
            corners = [p, *(x for _, arc in arcs for x in (arc[0], arc[-1])), q]
            nearest = [_nearest(surface, a, b) for a, b in zip(corners[::2], corners[1::2], strict=True)]
            k = int(np.argmin([np.linalg.norm(x / _scale(surface)) for x in nearest]))
            controls = nearest[k][None]
            before, after = [arc for _, arc in arcs[:k]], [arc for _, arc in arcs[k:]]
        if before:
            p = 0.5 * (before[-1][-1] + controls[0])
        if after:
            q = 0.5 * (controls[-1] + after[0][0])
        arc = _fine(controls) if own is not None else controls
        line = np.concatenate([p[None], arc, q[None]])
        steps = np.linalg.norm(np.diff(line, axis=0), axis=1)
        inside = surface.kind == "ellipsoid" and any(float(np.linalg.norm(end / surface.size)) < 1 for end in (p, q))
        return cls(p, q, line, float(steps[1:-1].sum() / steps.sum()), inside)

    @property
    def length(self) -> float:
        """Of the whole segment [m]."""
        return float(np.linalg.norm(np.diff(self.line, axis=0), axis=1).sum())

    def at(self, fraction: Array) -> Array:
        """Points at fractions of the length (n, 3)."""
        s = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(self.line, axis=0), axis=1))])
        return np.stack([np.interp(fraction * s[-1], s, column) for column in self.line.T], axis=1)


def _nearest(surface: Surface, a: Array, b: Array) -> Array:
    """The point between a and b nearest to the surface's centre, an ellipsoid's in units of its semi-axes."""
    scale = _scale(surface)
    u, v = a / scale, (b - a) / scale
    share = min(max(-float(u @ v) / max(float(v @ v), 1e-300), 0.0), 1.0)
    return np.asarray(a + share * (b - a))


def _scale(surface: Surface) -> Array:
    return surface.size if surface.kind == "ellipsoid" else np.ones(3)


#: Takes an arc's control points to points at even fractions of its length.
_EVEN: Array = BarycentricInterpolator(FRACTIONS, np.eye(CONTROLS))(np.linspace(0, 1, 201))


def _fine(controls: Array) -> Array:
    return np.asarray(_EVEN @ controls)
