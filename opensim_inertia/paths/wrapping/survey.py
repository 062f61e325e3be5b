"""The sites where a muscle's path wraps, by spans and sides that OpenSim takes over the range of motion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ..._core.arrays import Array
from ..._core.opensim import osim
from ...opensim_model.reading.coordinates import CoordinateTable, follow_couplers, random_poses
from .path_samples import Chords, OpenSimPathSamples
from .surfaces import Surface

#: Random poses at which OpenSim is watched: they decide how a path is led.
POSES = 60

#: Poses besides at the ends of the coordinates' ranges, where smooth paths differ most from OpenSim's.
CORNERS = 32

#: A span counts where OpenSim wraps it in more than this share of the poses in which it wraps the surface.
RARE = 0.05

#: No side is held if OpenSim passes a surface on the other in more than this share of the poses in which it wraps.
OTHER_SIDE = 0.25


#: Least half width of the transition at touch, as a share of the surface's smallest radius.
SMOOTHING = 0.1


@dataclass(frozen=True)
class TouchWidths:
    """Half widths of the transition at touch: bellies' ``half_thickness`` [m], within what the surface allows."""

    fixed: float | None = None  # one half width for all of them [m]; None: each muscle's half thickness
    half_thickness: Mapping[str, float] = field(default_factory=dict)

    def at(self, muscle: str, surface: Surface) -> float:
        """Return the half width with which a muscle touches a surface [m]."""
        if self.fixed is not None:
            return self.fixed
        return max(SMOOTHING * surface.thickness, min(self.half_thickness.get(muscle, 0.0), surface.widest_touch))


@dataclass(frozen=True)
class WrapSite:
    """A surface that a muscle's path may wrap, the spans that may do so, and the side on which they do."""

    surface: Surface  # the wrap object
    first: int  # (with last) indices of path points; every span between them may wrap
    last: int
    turn: float  # sense in which the path turns about the surface's axis, +1 or -1; without an axis it has no meaning
    long_way: bool  # whether the path stays on its side when its chord passes clear of the other side
    smoothing: float  # half width of the transition at touch [m]
    network: bool = False  # whether the shipped network leads the path over it instead of the formula


@dataclass(frozen=True)
class Survey:
    """The result of the survey for one muscle."""

    sites: tuple[WrapSite, ...]  # its wrap sites in their order along the path; empty if no surface is ever active
    reason: str = ""  # why it cannot be wrapped smoothly; empty if it can
    notes: tuple[str, ...] = ()  # remarks for the user


def survey(samples: OpenSimPathSamples, widths: TouchWidths | None = None) -> Survey:
    """Find a muscle's wrap sites from OpenSim's paths at the survey's poses."""
    return _Conclusion(samples).draw(widths or TouchWidths())


def survey_poses(model: osim.Model, coordinates: CoordinateTable) -> Array:
    """Return poses (poses, nu) [rad or m], always the same, alike on both sides: random ones, then ends of ranges."""
    q = np.concatenate([random_poses(model, coordinates, POSES), random_poses(model, coordinates, CORNERS, ends=True)])
    for left, name in enumerate(coordinates.names):
        partner = f"{name.removesuffix('_l')}_r"
        if not name.endswith("_l") or partner not in coordinates.names:
            continue
        right = coordinates.index(partner)
        if np.array_equal(coordinates.ranges[left], coordinates.ranges[right]):
            q[:, left] = q[:, right]
    return follow_couplers(model, coordinates, q)


class _Conclusion:
    """The wrap sites that follow from OpenSim's paths of one muscle: the first ``POSES``, which are random, decide."""

    def __init__(self, everywhere: OpenSimPathSamples) -> None:
        self.everywhere, self.samples = everywhere, everywhere.first(POSES)
        samples = self.samples
        self.spans = {name: samples.spans(name) for name in samples.surfaces}
        self.turns = {name: samples.turns(name) for name, surface in samples.surfaces.items() if surface.has_turn}
        self.chords = {name: samples.chords(name) for name in samples.surfaces}

    def draw(self, widths: TouchWidths) -> Survey:
        """Return the muscle's wrap sites, or the reason why no smooth path can wrap its surfaces."""
        poses = len(self.samples.poses)
        notes, sites = [], []
        for name, surface in self.samples.surfaces.items():
            is_touched, inside = bool(self.spans[name]), self.samples.inside(name)
            inside_anywhere = self.everywhere.inside(name)
            if inside_anywhere.any() and not self.everywhere.spans(name):
                where = "every pose" if inside_anywhere.all() else f"{100 * inside_anywhere.mean():.0f} % of the poses"
                notes.append(f"'{name}' is left out: OpenSim never wraps it, and an end lies inside it at {where}")
                continue
            if not is_touched:
                notes.append(f"'{name}' was never touched at {poses} poses")
            turns = self.turns.get(name, [])
            other_share = sum(turn != self._turn(name) for turn in turns) / max(len(turns), 1)
            if other_share > OTHER_SIDE:
                return Survey(
                    (), f"OpenSim passes '{name}' on one side or the other ({100 * other_share:.0f} % of the poses)"
                )
            if other_share > 0:
                notes.append(f"OpenSim changes to the other side of '{name}' at {100 * other_share:.0f} % of poses")
            if inside.any():
                notes.append(f"an end lies inside '{name}' at {100 * inside.mean():.0f} % of the poses")
            first, last = self._range(name)
            width = widths.at(self.samples.path.muscle, surface)
            sites.append(WrapSite(surface, first, last, self._turn(name), self._long_way(name), width))
        for (a, b), count in self.samples.before.items():
            if self.samples.before[b, a] > 0 and count > 0:
                return Survey((), f"OpenSim wraps '{a}' and '{b}' in either order")
        return Survey(tuple(self._ordered(sites)), notes=tuple(notes))

    def _range(self, name: str) -> tuple[int, int]:
        """Return the path points between which a surface is wrapped, but for what OpenSim does at single poses."""
        wrapped = [arc.span for arc in self.samples.arcs if arc.surface == name]
        if not wrapped:
            return self.samples.ranges[name]
        turns = self.turns.get(name, [])
        on_side = (
            [span for span, turn in zip(wrapped, turns, strict=True) if turn == self._turn(name)] if turns else wrapped
        )
        spans = {span for span in on_side if on_side.count(span) > RARE * len(wrapped)}
        return min(i for i, _ in spans), max(j for _, j in spans)

    def _turn(self, name: str) -> float:
        if self.turns.get(name):
            return 1.0 if sum(self.turns[name]) >= 0 else -1.0
        # of a surface that was never touched: the side on which its chords pass
        return 1.0 if np.sign(self._beside(name).distance).sum() >= 0 else -1.0

    def _beside(self, name: str) -> Chords:
        """Return the chords whose nearest point to the axis or centre lies between their ends."""
        chords = self.chords[name]
        return Chords(*(column[(chords.foot > 0) & (chords.foot < 1)] for column in chords))

    def _long_way(self, name: str) -> bool:
        """Return whether OpenSim never leaves the path straight where its chord is clear of the other side."""
        if not self.samples.surfaces[name].has_turn:
            return False
        (first, last), chords = self._range(name), self._beside(name)
        clear = (chords.start >= first) & (chords.end <= last) & (self._turn(name) * chords.distance < -1)
        return not clear.any() or bool(self.samples.surfaces[name].quadrant.any())

    def _ordered(self, sites: list[WrapSite]) -> list[WrapSite]:
        """Return sites in their order along the path: the order seen, else that in which their chords pass them."""

        def place(site: WrapSite) -> tuple[int, float]:
            name, chords = site.surface.name, self.chords[site.surface.name]
            earlier = sum(1 for (a, b), n in self.samples.before.items() if n and b == name and a != name)
            return earlier, float(np.mean(chords.start + chords.foot)) if len(chords.foot) else 0.0

        return sorted(sites, key=place)


def survey_cable(samples: OpenSimPathSamples, widths: TouchWidths) -> Survey:
    """Find a cable's wrap sites: spans and order from the model, sides from the hints where OpenSim's search starts."""
    notes, sites = [], []
    for name, surface in samples.surfaces.items():
        width = widths.at(samples.path.muscle, surface)
        turn = 1.0
        if surface.has_turn:
            turns = np.array(samples.turns(name) or [*_turns_at_hint(samples, name)])
            turn = 1.0 if turns.sum() >= 0 else -1.0
            other_share = float(np.mean(turns != turn)) if len(turns) else 0.0
            if other_share > 0:
                notes.append(f"OpenSim changes to the other side of '{name}' at {100 * other_share:.0f} % of poses")
        has_hint = bool(np.any(surface.hint))
        if not has_hint:
            notes.append(f"'{name}' has no contact hint: OpenSim lays the path the short way")
        first, last = samples.ranges[name]
        sites.append(WrapSite(surface, first, last, turn, has_hint, width))
    unconverged = samples.unconverged
    if samples.corners is not None and unconverged.any():
        worst = np.degrees(samples.corners.max())
        notes.append(f"OpenSim's path has corners, up to {worst:.2g} deg, at {100 * unconverged.mean():.0f} % of poses")
    return Survey(tuple(sites), notes=tuple(notes))


def _turns_at_hint(samples: OpenSimPathSamples, name: str) -> Array:
    """Return the senses, +1 or -1, in which a path over a cylinder turns at its hint at all poses, (poses,)."""
    surface, (first, last) = samples.surfaces[name], samples.ranges[name]
    if surface.hint is None or not surface.hint.any():
        return np.empty(0)
    local = samples.local(name)
    chord = local[:, last] - local[:, first]
    return np.where(surface.hint[0] * chord[:, 1] - surface.hint[1] * chord[:, 0] >= 0, 1.0, -1.0)
