"""The survey of a model's wraps, which watches OpenSim over the range of motion and finds the sites where paths wrap.

OpenSim decides anew at every pose which span of a path wraps and on which side. A smooth path must hold both, so they
are taken from what OpenSim does at random poses. What cannot be held is left to OpenSim's own path.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from .._opensim import osim
from ..arrays import Array
from ..neural import NeuralWeights
from ..reading import CoordinateTable, MusclePath, random_poses
from .current_path import CurrentPath
from .surfaces import Surface

#: Half width of the transition at touch, as a share of the surface's smallest radius.
SMOOTHING = 0.1

#: Random poses at which OpenSim is watched.
POSES = 60

#: No side is held if OpenSim passes a surface on the other in more than this share of the poses in which it wraps.
OTHER_SIDE = 0.25


@dataclass(frozen=True)
class WrapSite:
    """A surface that a muscle's path may wrap, the spans that may do so, and the side on which they do.

    Attributes:
        surface: the wrap object.
        first, last: indices of path points; every span between them may wrap.
        turn: sense in which the path turns about the surface's axis, +1 or -1; without an axis it has no meaning.
        long_way: whether the path stays on its side when its chord passes clear of the other side.
        smoothing: half width of the transition at touch [m].
        network: the networks that lead the path over it instead of the formula; None: the formula does.
    """

    surface: Surface
    first: int
    last: int
    turn: float
    long_way: bool
    smoothing: float
    network: NeuralWeights | None = None


@dataclass
class Sighting:
    """A record of what OpenSim did with one surface of a muscle over the poses.

    Attributes:
        spans: how often each span, given by the indices of its path points, wrapped the surface.
        turns: the sense of turn of each arc that was seen.
        poses: the number of the pose of each arc.
        inside: how many poses have an end of a span in the surface's range inside the surface.
    """

    spans: Counter[tuple[int, int]] = field(default_factory=Counter)
    turns: list[float] = field(default_factory=list)
    poses: list[int] = field(default_factory=list)
    inside: int = 0

    @property
    def turn(self) -> float:
        """Sense of turn, +1 or -1, that was seen most often."""
        return 1.0 if sum(self.turns) >= 0 else -1.0

    @property
    def other_side(self) -> float:
        """Share of the poses in which the path turned the other way."""
        return sum(t != self.turn for t in self.turns) / max(len(self.turns), 1)


@dataclass(frozen=True)
class Survey:
    """The result of the survey for one muscle.

    Attributes:
        sites: its wrap sites in their order along the path; empty if no surface is ever active.
        reason: why it cannot be wrapped smoothly; empty if it can.
        notes: remarks for the user.
        lengths: lengths of OpenSim's path at the poses, (poses,) [m]; nan where an end lies inside a surface.
    """

    sites: tuple[WrapSite, ...]
    reason: str = ""
    notes: tuple[str, ...] = ()
    lengths: Array = field(default_factory=lambda: np.empty(0))


def survey(
    model: osim.Model,
    coordinates: CoordinateTable,
    muscles: Sequence[MusclePath],
    smoothing: float | None = None,
    poses: int = POSES,
) -> dict[str, Survey]:
    """Find every muscle's wrap sites.

    Args:
        model: an initialised model.
        coordinates: its coordinates.
        muscles: paths of the muscles that wrap.
        smoothing: half width of the transition at touch [m]; None: ``SMOOTHING`` times the surface's smallest radius.
        poses: number of random poses.

    Returns:
        the result for each muscle, by its name.

    Raises:
        UnsupportedPathError: a wrap object cannot be wrapped.
    """
    watched = [_Watched(CurrentPath(model, path)) for path in muscles]
    state = osim.State(model.getWorkingState())
    for number, q in enumerate(survey_poses(model, coordinates, poses)):
        coordinates.set_values(state, q)
        model.realizePosition(state)
        for one in watched:
            one.look(state, number)
    return {one.path.path.muscle: one.conclude(smoothing, poses) for one in watched}


def survey_poses(model: osim.Model, coordinates: CoordinateTable, poses: int = POSES) -> Array:
    """Return the coordinate values at which OpenSim is watched, (poses, nu) [rad or m]; the same at every call."""
    return random_poses(model, coordinates, poses)


class _Watched:
    """One muscle while it is watched."""

    def __init__(self, path: CurrentPath) -> None:
        self.path = path
        self.surfaces = {name: s for name, s in path.surfaces.items() if s.active}
        self.ranges = path.wrap_ranges()
        self.sightings = {name: Sighting() for name in self.surfaces}
        self.before: Counter[tuple[str, str]] = Counter()  # pairs on one span, in the order seen
        self.lengths: list[float] = []
        self.chords: dict[str, list[tuple[tuple[int, int], float, float]]] = {name: [] for name in self.surfaces}

    def look(self, state: osim.State, number: int) -> None:
        """Note what OpenSim does at a state realized to position."""
        arcs = self.path.shape(state).arcs()
        points = self.path.active_points(state)
        inside = [self._note_chords(name, surface, points, state) for name, surface in self.surfaces.items()]
        self.lengths.append(np.nan if any(inside) else self.path.length(state))
        for arc in arcs:
            sighting = self.sightings[arc.surface]
            sighting.spans[arc.span] += 1
            sighting.poses.append(number)
            surface = self.surfaces[arc.surface]
            sighting.turns.append(surface.turn(*surface.from_body(arc.controls[[0, 1]])))
        for one, later in combinations(arcs, 2):
            if one.span == later.span:
                self.before[one.surface, later.surface] += 1

    def _note_chords(self, name: str, surface: Surface, points: dict[int, Array], state: osim.State) -> bool:
        """Note the signed distance and the foot of each chord from the surface's axis or centre.

        Returns:
            whether an end of a chord lies inside the surface.
        """
        first, last = self.ranges[name]
        inside = False
        local = {i: self.path.in_surface(surface, x, state) for i, x in points.items() if first <= i <= last}
        for (i, p), (j, q) in zip(list(local.items())[:-1], list(local.items())[1:], strict=True):
            a, b = surface.scaled(p), surface.scaled(q)
            chord = b - a
            size = max(float(np.linalg.norm(chord)), 1e-150)
            self.chords[name].append(((i, j), float(np.cross(a, chord)[2]) / size, -float(a @ chord) / size**2))
            inside = inside or surface.contains(p) or surface.contains(q)
        self.sightings[name].inside += inside
        return inside

    def conclude(self, smoothing: float | None, poses: int) -> Survey:
        """Return what follows from what was seen at so many poses."""
        notes, sites = [], []
        for name, surface in self.surfaces.items():
            seen = self.sightings[name]
            if not seen.poses:
                notes.append(f"'{name}' was never touched at {poses} poses")
            if surface.has_turn and seen.other_side > OTHER_SIDE:
                share = f"{100 * seen.other_side:.0f} %"
                return Survey((), f"OpenSim passes '{name}' on one side or the other ({share} of the poses)")
            if surface.has_turn and seen.other_side > 0:
                notes.append(f"OpenSim changes to the other side of '{name}' at {100 * seen.other_side:.0f} % of poses")
            if seen.inside:
                notes.append(f"an end lies inside '{name}' at {100 * seen.inside / poses:.0f} % of the poses")
            first, last = self._range(name)
            width = SMOOTHING * surface.thickness if smoothing is None else smoothing
            sites.append(WrapSite(surface, first, last, self._turn(name), self._long_way(name), width))
        for (a, b), count in self.before.items():
            if self.before[b, a] > 0 and count > 0:
                return Survey((), f"OpenSim wraps '{a}' and '{b}' in either order")
        return Survey(tuple(self._ordered(sites)), notes=tuple(notes), lengths=np.array(self.lengths))

    def _range(self, name: str) -> tuple[int, int]:
        spans = self.sightings[name].spans
        if not spans:
            return self.ranges[name]
        return min(i for i, _ in spans), max(j for _, j in spans)

    def _turn(self, name: str) -> float:
        if self.sightings[name].turns:
            return self.sightings[name].turn
        # of a surface that was never touched: the side on which its chords pass
        return 1.0 if sum(np.sign(d) for _, d, foot in self.chords[name] if 0 < foot < 1) >= 0 else -1.0

    def _long_way(self, name: str) -> bool:
        """Tell whether OpenSim never leaves the path straight where its chord passes clear of the other side."""
        turn, (first, last) = self._turn(name), self._range(name)
        clear = [
            1 for (i, j), d, foot in self.chords[name] if first <= i and j <= last and turn * d < -1 and 0 < foot < 1
        ]
        return not clear or bool(self.surfaces[name].quadrant.any())

    def _ordered(self, sites: list[WrapSite]) -> list[WrapSite]:
        """Return sites in their order along the path: the order seen, else that in which their chords pass them."""
        feet = {
            s.surface.name: np.mean([i + foot for (i, _), _, foot in self.chords[s.surface.name]] or [0.0])
            for s in sites
        }

        def place(site: WrapSite) -> tuple[int, float]:
            name = site.surface.name
            earlier = sum(1 for (a, b), n in self.before.items() if n and b == name and a != name)
            return earlier, float(feet[name])

        return sorted(sites, key=place)
