"""OpenSim's current path over one wrap site, span by span, at random poses: what networks of form "segment" learn.

A span is what lies between two neighbouring path points of a muscle, straight or led over surfaces.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from tqdm import tqdm

from ..._core.arrays import Array
from ..._core.checks import shows_bar
from ..._core.opensim import osim, quiet
from ...opensim_model.reading import CoordinateTable, MusclePath, random_poses
from .arcs import at_even_fractions
from .current_path import CurrentPath
from .surfaces import Surface
from .survey import WrapSite

__all__ = ["CurrentSpans", "Span"]


class CurrentSpans:
    """The spans that may wrap a site's surface, as they are at random poses.

    Args:
        model: an initialised model.
        coordinates: the model's coordinates.
        path: the muscle's path.
        site: where it wraps.
        progress: whether to show a bar; None: on a terminal.

    Attributes:
        shared: whether the muscle wraps other surfaces as well.
    """

    def __init__(
        self, model: osim.Model, coordinates: CoordinateTable, path: MusclePath, site: WrapSite, progress: bool | None
    ) -> None:
        self._model, self._coordinates, self._site = model, coordinates, site
        self._current = CurrentPath(model, path)
        self._state = osim.State(model.getWorkingState())
        self._show = shows_bar(progress)
        self.shared = sum(surface.active for surface in self._current.surfaces.values()) > 1

    def draw(self, poses: int, rng: np.random.Generator, look: bool) -> list[Span]:
        """Return every span of the site at random poses.

        Args:
            poses: how many poses.
            rng: draws them.
            look: whether to ask OpenSim for its path; otherwise spans are straight between the path points.
        """
        seed = int(rng.integers(2**31))
        spans: list[Span] = []
        with quiet():
            poses_drawn = random_poses(self._model, self._coordinates, poses, seed)
            for q in tqdm(poses_drawn, desc="poses", unit="pose", disable=not self._show, leave=False):
                self._coordinates.set_values(self._state, q)
                self._model.realizePosition(self._state)
                spans += self.at(self._state, look)
        return spans

    def at(self, state: osim.State, look: bool) -> list[Span]:
        """Return the spans of the site at a state realized to position; ``look`` as in :meth:`draw`."""
        site, current = self._site, self._current
        points = {
            i: current.in_surface(site.surface, x, state)
            for i, x in current.active_points(state).items()
            if site.first <= i <= site.last
        }
        arcs = self._arcs(state) if look else {}
        indices = list(points)
        return [
            Span.between(site.surface, points[i], points[j], arcs.get((i, j), []))
            for i, j in zip(indices[:-1], indices[1:], strict=True)
        ]

    def _arcs(self, state: osim.State) -> dict[tuple[int, int], list[tuple[str, Array]]]:
        """Return the arcs between pairs of path points: surface, and control points in this site's frame."""
        result: dict[tuple[int, int], list[tuple[str, Array]]] = {}
        for arc in self._current.shape(state).arcs():
            ground = self._current.in_ground(arc, state)
            local = np.array([self._current.in_surface(self._site.surface, x, state) for x in ground])
            result.setdefault(arc.span, []).append((arc.surface, local))
        return result


@dataclass(frozen=True)
class Span:
    """OpenSim's path between two ends at a pose, in the surface's frame.

    Attributes:
        p, q: the ends, (3,) [m].
        line: the path, as the corners of a fine polyline, (n, 3) [m].
        on_surface: share of its length that lies on the surface.
        inside: whether an end lies inside the surface.
    """

    p: Array
    q: Array
    line: Array
    on_surface: float
    inside: bool

    @classmethod
    def between(cls, surface: Surface, p: Array, q: Array, arcs: list[tuple[str, Array]]) -> Span:
        """Make the span between two path points; it is cut where other surfaces are wrapped between them too.

        The cut is in the middle of the straight run to the neighbouring surface.

        Args:
            surface: the surface that the span is of.
            p, q: the path points, (3,), in the surface's frame [m].
            arcs: all arcs between them in their order: name of the surface, and control points (n, 3) in this frame.
        """
        number = next((k for k, (name, _) in enumerate(arcs) if name == surface.name), None)
        if number is not None:
            controls = arcs[number][1]
            before, after = [arc for _, arc in arcs[:number]], [arc for _, arc in arcs[number + 1 :]]
        else:
            # OpenSim passes it by: the straight run that does so the most closely
            corners = [p, *(x for _, arc in arcs for x in (arc[0], arc[-1])), q]
            nearest = [_nearest(surface, a, b) for a, b in zip(corners[::2], corners[1::2], strict=True)]
            k = int(np.argmin([np.linalg.norm(x / surface.stretch) for x in nearest]))
            controls = nearest[k][None]
            before, after = [arc for _, arc in arcs[:k]], [arc for _, arc in arcs[k:]]
        if before:
            p = 0.5 * (before[-1][-1] + controls[0])
        if after:
            q = 0.5 * (controls[-1] + after[0][0])
        arc = _fine(controls) if number is not None else controls
        line = np.concatenate([p[None], arc, q[None]])
        steps = np.linalg.norm(np.diff(line, axis=0), axis=1)
        inside = any(surface.contains(end) for end in (p, q))
        return cls(p, q, line, float(steps[1:-1].sum() / steps.sum()), inside)

    @property
    def length(self) -> float:
        """Length of the whole span [m]."""
        return float(np.linalg.norm(np.diff(self.line, axis=0), axis=1).sum())

    def at(self, fraction: Array) -> Array:
        """Return the points at fractions (n,) of the length, (n, 3)."""
        s = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(self.line, axis=0), axis=1))])
        return np.stack([np.interp(fraction * s[-1], s, column) for column in self.line.T], axis=1)


def _nearest(surface: Surface, a: Array, b: Array) -> Array:
    """Return the point between a and b nearest to the centre, in the measure in which the surface is round."""
    u, v = a / surface.stretch, (b - a) / surface.stretch
    share = min(max(-float(u @ v) / max(float(v @ v), 1e-300), 0.0), 1.0)
    return np.asarray(a + share * (b - a))


def _fine(controls: Array) -> Array:
    return np.asarray(at_even_fractions(201) @ controls)
