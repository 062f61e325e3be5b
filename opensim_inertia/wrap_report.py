"""How far paths over wrap objects are from OpenSim's own, over the range of motion, and why; a picture of a touch.

Three paths of a muscle are compared at a pose: the one that OpenSim shows, ours, and ours without smoothing (the exact
geodesic). What separates the first from the last is looked up in the paths: which surfaces each lies on and where.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from tqdm import tqdm

from . import _kernel
from ._opensim import osim
from .errors import InertiaError, OptionError, UnknownNameError, UnsupportedPathError, check_choice
from .files import writing
from .kernel_input import kernel_point, kernel_surface
from .masses.estimate import select_muscles
from .reading import (
    Frame,
    Kinematics,
    MusclePath,
    geometry_path,
    initialise,
    own_copy,
    random_poses,
    read_coordinates,
    read_path,
)
from .reading.poses import WIDEST
from .terms import Array
from .wrapping import WRAPPINGS, LibraryWrapping, Surface, WrappingFallbackWarning, check_wraps, plan_wraps, wrap_bodies
from .wrapping.arcs import CONTROLS, FRACTIONS
from .wrapping.live_path import LivePath, PathShape

__all__ = ["COLUMNS", "LIMIT", "compare_wraps", "plot_touch", "shown_length"]

#: Differences above this [m] get a reason.
LIMIT = 0.5e-3

#: Mass points that are compared: equal masses, uniform strain of the whole path.
POINTS: Array = (np.arange(20) + 0.5) / 20

#: Points by which a path is searched for the surfaces that it lies on, and how near to one of them is on it [m].
SAMPLES = 400
ON_SURFACE = 1e-6

#: A path that is longer than the straight lines between its points by more than this [m] touches a surface.
BENT = 1e-10

#: Smoothing acts where it changes a path's length by more than this [m].
SMOOTHED = 1e-11

#: Corners below this [deg] are not worth a word.
CORNER = 0.1

#: Columns of the table; lengths in mm, angles in rad, shares in %.
COLUMNS = (
    "wraps",
    "way",
    "why",
    "touched OpenSim [%]",
    "touched ours [%]",
    "length median [mm]",
    "length 95 % [mm]",
    "length max [mm]",
    "points median [mm]",
    "points 95 % [mm]",
    "points max [mm]",
    "smoothing max [mm]",
    "getLength stale max [mm]",
    "no path [%]",
    "worst pose",
    "reason",
    "notes",
)

Way = Literal["opensim", "ours", "exact"]
WAYS: tuple[Way, ...] = ("opensim", "ours", "exact")


def compare_wraps(
    model: osim.Model | str | os.PathLike[str],
    poses: int = 100,
    seed: int = 1,
    muscles: str | Iterable[str] | None = None,
    wrapping: str = "analytic",
    smoothing: float | None = None,
    *,
    strict: bool = False,
    progress: bool | None = None,
) -> pd.DataFrame:
    """Compare the path of every wrapping muscle with OpenSim's at random poses over the range of motion.

    OpenSim's length is that of the path that it shows: ``getLength`` is stale on paths over several wraps, which has a
    column of its own. The model is not modified.

    Args:
        model: an ``osim.Model``, or the path of an ``.osim`` file.
        poses: number of random poses.
        seed: of the poses. 0 are those at which the way of a path was chosen.
        muscles: names or shell patterns; None: all.
        wrapping, smoothing, strict: as :class:`~opensim_inertia.InertialModel` takes them.
        progress: show a bar; None: on a terminal.

    Returns:
        One row per wrapping muscle, index ``muscle``, columns ``COLUMNS``. *length*: |path length - OpenSim's|;
        *points*: largest distance of 20 equal mass points under uniform strain; *reason*: what was found at the poses
        at which one of the two exceeds ``LIMIT``. Empty if nothing wraps.

    Raises:
        ModelError: the model is missing or malformed.
        UnknownNameError: a muscle is not in the model.
        UnsupportedPathError: ``strict``, and a muscle's wraps cannot be led smoothly.
        OptionError: an option has a value that is not allowed.
    """
    if isinstance(poses, bool) or not isinstance(poses, int | np.integer) or poses < 1:
        raise OptionError("poses", poses, "a whole number of at least 1")
    bench = _Bench(model, muscles, wrapping, smoothing, strict)
    every = random_poses(bench.model, bench.coordinates, int(poses), seed)
    found: dict[str, list[_Difference]] = {name: [] for name in bench.paths}
    show = progress if progress is not None else sys.stderr.isatty()
    with tqdm(total=len(every), disable=not show or not found, unit="pose", desc="wraps") as bar:
        for q in every if found else ():
            bench.place(q)
            for name, differences in found.items():
                differences.append(bench.difference(name))
            bar.update()
    rows = {
        name: bench.row(name, every, found[name]) if name in found else bench.unsupported[name] for name in bench.names
    }
    table = pd.DataFrame.from_dict({n: rows[n] for n in bench.names}, orient="index", columns=list(COLUMNS))
    table.index.name = "muscle"
    return table


def shown_length(path: osim.GeometryPath, state: osim.State) -> float:
    """Length [m] of the path that OpenSim shows, at a state realized to position.

    The straight pieces between the points' own places, and ``getWrapLength`` over the surfaces;
    ``getLength`` differs from it on paths over several wraps (docs/opensim-multi-wrap.md).
    """
    points, total, here, wrap = path.getCurrentPath(state), 0.0, np.zeros(3), ""
    for i in range(points.getSize()):
        point = points.get(i)
        place = point.getParentFrame().findStationLocationInGround(state, point.getLocation(state)).to_numpy().copy()
        on = osim.PathWrapPoint.safeDownCast(point)
        name = on.getWrapObject().getName() if on else ""
        if i:
            total += on.getWrapLength(state) if on and name == wrap else float(np.linalg.norm(place - here))
        here, wrap = place, name
    return float(total)


# -- measuring ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Difference:
    """A muscle's paths at one pose; differences are ours less OpenSim's, exact less OpenSim's, ours less exact [m]."""

    length: float
    points: float
    exact_length: float
    exact_points: float
    smooth_length: float
    smooth_points: float
    stale: float
    touched: tuple[bool, bool]  # by OpenSim's path, by ours

    @property
    def size(self) -> float:
        """The larger of both differences."""
        return max(abs(self.length), self.points)

    @property
    def smoothing(self) -> float:
        """What smoothing alone does."""
        return max(abs(self.smooth_length), self.smooth_points)


@dataclass(frozen=True)
class _Held:
    """The stretch of a path on one surface: its segment; its first, middle and last point in the surface's frame."""

    segment: tuple[int, int]
    points: Array


@dataclass
class _Cause:
    """What was found at some poses about one surface: how often, and at the worst of them."""

    poses: int = 0
    size: float = 0.0
    text: str = ""


@dataclass
class _Pose:
    """Where the model is."""

    state: osim.State
    frame: Frame
    shapes: dict[str, PathShape] = field(default_factory=dict)


class _Bench:
    """A model's wrapping muscles, each with OpenSim's path, ours and the exact one at a pose."""

    def __init__(
        self,
        model: osim.Model | str | os.PathLike[str],
        muscles: str | Iterable[str] | None,
        wrapping: str,
        smoothing: float | None,
        strict: bool,
    ) -> None:
        self.wrapping = check_choice("wrapping", wrapping, WRAPPINGS)
        if smoothing is not None and not 0 <= smoothing < 1:
            raise OptionError("smoothing", smoothing, "a length in metres, at least 0 and below 1, or None")
        self.model = own_copy(model)
        state = initialise(self.model)
        self.coordinates = read_coordinates(self.model, state)
        self.names: list[str] = []
        self.paths: dict[str, MusclePath] = {}
        self.unsupported: dict[str, dict[str, Any]] = {}
        owned = self.model.getMuscles()
        for name in select_muscles([owned.get(i).getName() for i in range(owned.getSize())], muscles):
            self._read(name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", WrappingFallbackWarning)  # the table tells
            wrapped = list(self.paths.values())
            self.plan = plan_wraps(wrapping, self.model, self.coordinates, wrapped, smoothing, strict)
        self.live = {name: LivePath(self.model, path) for name, path in self.paths.items()}
        carriers = [s.body for live in self.live.values() for s in live.surfaces.values()]
        self.bodies = tuple(dict.fromkeys([*(b for p in self.paths.values() for b in p.bodies), *carriers]))
        self.kinematics = Kinematics(self.model, self.coordinates, self.bodies)
        self.kernels: dict[Way, Any] = {way: self._kernel(way) for way in WAYS}
        self.at = _Pose(osim.State(self.model.getWorkingState()), self.kinematics.read(state))

    def _read(self, name: str) -> None:
        muscle = self.model.getMuscles().get(name)
        try:
            path = geometry_path(muscle)
        except UnsupportedPathError:
            return  # of a class without wraps
        if path.getWrapSet().getSize() == 0:
            return
        self.names.append(name)
        try:
            check_wraps(muscle)
            wrap_bodies(muscle)
            self.paths[name] = read_path(muscle, self.coordinates)
        except UnsupportedPathError as error:
            nothing = dict.fromkeys(COLUMNS, np.nan)
            text = {"wraps": "", "way": "none", "why": str(error), "worst pose": "", "reason": "", "notes": ""}
            self.unsupported[name] = nothing | text

    def _kernel(self, way: Way) -> Any:
        body = {name: i for i, name in enumerate(self.bodies)}
        coordinate = {name: i for i, name in enumerate(self.coordinates.names)}
        kernel = _kernel.Kernel(len(self.bodies), len(coordinate), np.zeros(3))
        whole = _kernel.MaterialMap(1.0, 0.0, 0.0, 0.0, 0.0)
        for name, path in self.paths.items():
            points = [kernel_point(p, body, coordinate) for p in path.points]
            kernel.add_muscle(name, points, whole, 1.0, [0.5], [1.0], self._is_live(name, way))
            if self._is_live(name, way):
                continue
            for site in self.plan.sites.get(name, ()):
                led = replace(site, smoothing=0.0) if way == "exact" else site
                kernel.add_wrap(kernel.size - 1, kernel_surface(led, body), led.first, led.last)
        return kernel

    def _is_live(self, name: str, way: Way) -> bool:
        return way == "opensim" or name in self.plan.library

    def place(self, q: Array, muscles: Iterable[str] | None = None) -> None:
        """Go to a pose, at rest, and look at the paths of these muscles (None: all)."""
        state = self.at.state
        state.setQ(osim.Vector.createFromMat(np.ascontiguousarray(q)))
        self.at = _Pose(state, self.kinematics.read(state))
        still = np.zeros((CONTROLS, 3, len(self.coordinates.names))), np.zeros((CONTROLS, 3))
        for name in self.live if muscles is None else muscles:
            live = self.live[name]
            shape = self.at.shapes[name] = live.shape(state)
            arcs = [
                (self.bodies.index(live.surfaces[s].body), np.ascontiguousarray(c), *still)
                for s, c in zip(shape.surfaces, shape.controls, strict=True)
            ]
            self._set_path(name, shape.sequence, arcs)

    def set_derivatives(self, name: str, library: LibraryWrapping) -> None:
        """Give OpenSim's arcs at the present pose their derivatives."""
        path = library.paths(self.at.state)[name]
        arcs = [
            (
                self.bodies.index(a.body),
                np.ascontiguousarray(a.points),
                np.ascontiguousarray(a.jacobian),
                np.ascontiguousarray(a.bias),
            )
            for a in path.arcs
        ]
        self._set_path(name, path.sequence, arcs)

    def _set_path(self, name: str, sequence: tuple[int, ...], arcs: list[tuple[int, Array, Array, Array]]) -> None:
        for way, kernel in self.kernels.items():
            if self._is_live(name, way):
                kernel.set_path(self._number(name), list(sequence), arcs)

    def positions(self, name: str, way: Way, fractions: Array) -> Array:
        """Places (n, 3) [m] in ground at these fractions of a path; NaN where there is no path."""
        try:
            return self.kernels[way].mass_points(
                *self.at.frame.kernel_arguments(), self._number(name), fractions.tolist(), False
            )[0]
        except RuntimeError:
            return np.full((len(fractions), 3), np.nan)

    def jacobians(self, name: str, way: Way, fractions: Array) -> Array:
        """Derivatives (n, 3, nu) of these places; OpenSim's only after its arcs' own have been set."""
        return self.kernels[way].mass_points(
            *self.at.frame.kernel_arguments(), self._number(name), fractions.tolist(), True
        )[2]

    def length(self, name: str, way: Way) -> float:
        """Length of a path [m]; NaN where there is none."""
        try:
            return float(self.kernels[way].lengths(*self.at.frame.kernel_arguments(), [self._number(name)])[0, 0])
        except RuntimeError:
            return float("nan")

    def _number(self, name: str) -> int:
        return list(self.paths).index(name)

    def difference(self, name: str) -> _Difference:
        """Compare a muscle's paths at the present pose."""
        live = geometry_path(self.model.getMuscles().get(name))
        shown = shown_length(live, self.at.state)
        lengths = {way: self.length(name, way) for way in ("ours", "exact")}
        places = {way: self.positions(name, way, POINTS) for way in WAYS}

        def apart(a: Way, b: Way) -> float:
            return float(np.linalg.norm(places[a] - places[b], axis=1).max())

        points = np.array([x for _, x in sorted(self.live[name].active_points(self.at.state).items())])
        straight = float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
        return _Difference(
            length=lengths["ours"] - shown,
            points=apart("ours", "opensim"),
            exact_length=lengths["exact"] - shown,
            exact_points=apart("exact", "opensim"),
            smooth_length=lengths["ours"] - lengths["exact"],
            smooth_points=apart("ours", "exact"),
            stale=live.getLength(self.at.state) - shown,
            touched=(bool(self.at.shapes[name].surfaces), lengths["exact"] - straight > BENT),
        )

    def held(self, name: str, way: Way) -> dict[str, _Held]:
        """The surfaces on which a path lies at the present pose, found by looking."""
        live, state = self.live[name], self.at.state
        own = live.active_points(state)
        numbers = sorted(own)
        coarse = np.linspace(0.0, 1.0, SAMPLES)
        x = self.positions(name, way, coarse)
        at = [coarse[np.argmin(np.linalg.norm(x - own[i], axis=1))] for i in numbers]
        result = {}
        for surface in self.surfaces(name):
            # closer where the path is nearest: an arc may be short
            k = int(np.argmin(np.abs(surface_gap(surface, self.local(surface, x)))))
            near = np.linspace(coarse[max(k - 1, 0)], coarse[min(k + 1, SAMPLES - 1)], SAMPLES)
            fractions = np.unique(np.concatenate([coarse, near]))[1:-1]
            local = self.local(surface, self.positions(name, way, fractions))
            on = np.flatnonzero(np.abs(surface_gap(surface, local)) < ON_SURFACE)
            if len(on) < 2:
                continue
            middle = 0.5 * (fractions[on[0]] + fractions[on[-1]])
            n = int(np.clip(np.searchsorted(at, middle, side="right"), 1, len(numbers) - 1))
            k = int(np.argmin(np.abs(fractions - middle)))
            result[surface.name] = _Held((numbers[n - 1], numbers[n]), local[[on[0], k, on[-1]]])
        return result

    def surfaces(self, name: str) -> list[Surface]:
        """A muscle's active surfaces."""
        return [s for s in self.live[name].surfaces.values() if s.active]

    def local(self, surface: Surface, x: Array) -> Array:
        """Points (n, 3) in ground, seen from a surface's frame."""
        b = self.bodies.index(surface.body)
        rotation, origin = surface.in_body
        in_body = (x - self.at.frame.position[b]) @ self.at.frame.rotation[b]
        return (in_body - origin) @ rotation

    # -- one muscle's row ------------------------------------------------------------------------------------------

    def row(self, name: str, poses: Array, found: list[_Difference]) -> dict[str, Any]:
        """What all poses say about a muscle."""
        lengths = 1e3 * np.abs([d.length for d in found])
        points = 1e3 * np.array([d.points for d in found])
        sizes = np.nan_to_num([d.size for d in found], nan=-1.0)
        path = [f"{s.name} ({s.kind}{'' if s.active else ', not active'})" for s in self.live[name].surfaces.values()]
        touched = 100 * np.mean([d.touched for d in found], axis=0)
        row: dict[str, Any] = {
            "wraps": ", ".join(path),
            "way": "library" if name in self.plan.library else "analytic",
            "why": self.plan.library.get(name, ""),
            "touched OpenSim [%]": touched[0],
            "touched ours [%]": touched[1],
            "smoothing max [mm]": 1e3 * _largest([d.smoothing for d in found]),
            "getLength stale max [mm]": 1e3 * _largest([abs(d.stale) for d in found]),
            "no path [%]": 100 * float(np.mean(np.isnan(lengths))),
            "worst pose": self.describe_pose(name, poses[int(np.argmax(sizes))]),
            "reason": self._reasons(name, poses, found),
            "notes": "; ".join(self.plan.notes.get(name, ())),
        }
        for what, values in (("length", lengths), ("points", points)):
            good = values[np.isfinite(values)]
            for label, share in (("median", 50), ("95 %", 95), ("max", 100)):
                row[f"{what} {label} [mm]"] = float(np.percentile(good, share)) if len(good) else np.nan
        return row

    def _reasons(self, name: str, poses: Array, found: list[_Difference]) -> str:
        """What was found at the poses that exceed the limit, the most frequent first."""
        causes: dict[tuple[str, str], _Cause] = {}
        over = [i for i, d in enumerate(found) if d.size > LIMIT]
        for i in over:
            self.place(poses[i], [name])
            kind, surface, text = self._cause(name, found[i])
            cause = causes.setdefault((kind, surface), _Cause())
            cause.poses += 1
            if found[i].size > cause.size:
                cause.size, cause.text = found[i].size, text
        ordered = sorted(causes.values(), key=lambda c: (-c.poses, -c.size))
        return "; ".join(
            f"{_percent(c.poses, len(poses))} of poses, up to {1e3 * c.size:.1f} mm: {c.text}" for c in ordered
        )

    def _cause(self, name: str, d: _Difference) -> tuple[str, str, str]:
        """Kind, surface and words for what separates the paths at the present pose."""
        if d.smoothing > max(abs(d.exact_length), d.exact_points):
            rest = max(abs(d.exact_length), d.exact_points)
            return "smoothing", "", f"the smooth touch, without it {1e3 * rest:.2f} mm would remain"
        opensim, exact = self._held_by_opensim(name), self.held(name, "exact")
        for surface in self.surfaces(name):
            theirs, ours = opensim.get(surface.name), exact.get(surface.name)
            what = self._other_structure(name, surface, theirs, ours)
            if what is not None:
                return what
        return self._same_structure(name, opensim, exact, d)

    def _held_by_opensim(self, name: str) -> dict[str, _Held]:
        """The surfaces that OpenSim's path wraps, as it says itself."""
        shape = self.at.shapes[name]
        result = {}
        for place, code in enumerate(shape.sequence):
            if code >= 0:
                continue
            surface = self.live[name].surfaces[shape.surfaces[-1 - code]]
            start = next(i for i in shape.sequence[place::-1] if i >= 0)
            end = next(i for i in shape.sequence[place:] if i >= 0)
            rotation, origin = surface.in_body
            ends_and_middle = shape.controls[-1 - code][[0, CONTROLS // 2, -1]]
            result[surface.name] = _Held((start, end), (ends_and_middle - origin) @ rotation)
        return result

    def _other_structure(
        self, name: str, surface: Surface, theirs: _Held | None, ours: _Held | None
    ) -> tuple[str, str, str] | None:
        """Whether the two paths pass a surface in different ways, in words."""
        s = f"'{surface.name}'"
        depth = self._depth(name, surface)
        if depth > 0 and (theirs is None or ours is None or _opposite(surface, theirs, ours)):
            way = "goes straight" if theirs is None else "wraps it all the same"
            text = f"an end of the segment lies {1e3 * depth:.1f} mm inside {s}, OpenSim {way}"
            return "inside", surface.name, text + ", ours passes as if the surface ended there"
        if theirs is None and ours is None:
            return None
        if theirs is None and ours is not None:
            if surface.kind == "cylinder" and np.abs(ours.points[:, 2]).max() > surface.size[1] / 2:
                beyond = np.abs(ours.points[:, 2]).max() - surface.size[1] / 2
                text = f"OpenSim leaves the path straight past the end of {s}, ours wraps {1e3 * beyond:.1f} mm past it"
                return "past the end", surface.name, text
            clear = self._clearance(name, "opensim", surface)
            if clear < 0:
                text = f"OpenSim lets its path go straight through {s}, {-1e3 * clear:.1f} mm deep, ours wraps it"
                return "straight through", surface.name, text
            text = f"OpenSim lets go of {s} and passes {1e3 * clear:.1f} mm clear of it, ours holds its side"
            return "lets go", surface.name, text
        if ours is None:
            clear = self._clearance(name, "exact", surface)
            where = f"{-1e3 * clear:.1f} mm inside it" if clear < 0 else f"{1e3 * clear:.1f} mm clear of it"
            return "only OpenSim", surface.name, f"only OpenSim wraps {s}, ours passes {where}"
        assert theirs is not None
        if _opposite(surface, theirs, ours):
            return "other side", surface.name, f"OpenSim passes {s} on the other side"
        if theirs.segment != ours.segment:
            a, b = (f"{i + 1}-{j + 1}" for i, j in (theirs.segment, ours.segment))
            return "other segment", surface.name, f"OpenSim wraps {s} between path points {a}, ours between {b}"
        return None

    def _same_structure(
        self, name: str, opensim: Mapping[str, _Held], exact: Mapping[str, _Held], d: _Difference
    ) -> tuple[str, str, str]:
        """Both lie on the same surfaces: how OpenSim's fails to be taut."""
        apart = {s: float(np.linalg.norm(opensim[s].points[1] - exact[s].points[1])) for s in opensim if s in exact}
        if not apart:
            return "unknown", "", "both paths are straight"
        worst = max(apart, key=lambda s: apart[s])
        kind = self.live[name].surfaces[worst].kind
        along, across = self._corners(name).get(worst, (0.0, 0.0))
        corner = np.degrees(np.hypot(along, across))
        found = f"ours is {1e3 * abs(d.exact_length):.2f} mm {'shorter' if d.exact_length < 0 else 'longer'}"
        found += f", the middles of the arcs lie {1e3 * apart[worst]:.1f} mm apart"
        if corner > CORNER:
            found += f", OpenSim's path has a corner of {corner:.1f} deg where it touches"
        if kind == "ellipsoid":
            return "plane", worst, f"OpenSim's arc over '{worst}' lies in a plane and is no geodesic: {found}"
        if across > along and corner > CORNER:
            return "not taut", worst, f"OpenSim stops before its path over '{worst}' is taut: {found}"
        return "not geodesic", worst, f"OpenSim's path over '{worst}' is not the geodesic: {found}"

    def _depth(self, name: str, surface: Surface) -> float:
        """How deep [m] an end of a segment in a surface's range lies inside it; negative: how far outside."""
        first, last = self.live[name].wrap_ranges()[surface.name]
        own = self.live[name].active_points(self.at.state)
        ends = [x for i, x in own.items() if first <= i <= last]
        if not ends or surface.kind == "torus":
            return -np.inf
        return float(-surface_gap(surface, self.local(surface, np.array(ends))).min())

    def chord_gap(self, name: str, surface: Surface) -> float:
        """How far [m] the straight lines between path points in a surface's range pass outside it."""
        first, last = self.live[name].wrap_ranges()[surface.name]
        own = self.live[name].active_points(self.at.state)
        points = self.local(surface, np.array([x for i, x in sorted(own.items()) if first <= i <= last]).reshape(-1, 3))
        t = np.linspace(0.0, 1.0, 101)[:, None]
        chords = [a + t * (b - a) for a, b in zip(points[:-1], points[1:], strict=True)]
        return min((float(surface_gap(surface, chord).min()) for chord in chords), default=0.0)

    def _clearance(self, name: str, way: Way, surface: Surface) -> float:
        """How far [m] a path passes outside a surface; negative: how deep inside."""
        places = self.local(surface, self.positions(name, way, np.linspace(0.0, 1.0, 4 * SAMPLES)))
        return float(surface_gap(surface, places).min())

    def _corners(self, name: str) -> dict[str, tuple[float, float]]:
        """Angles [rad] of OpenSim's path at the worse end of each arc: along the surface's axis, and across it."""
        shape, live = self.at.shapes[name], self.live[name]
        own = live.active_points(self.at.state)
        ends: list[tuple[Array, Array]] = []  # first and last place of every element of the path, in ground
        for code in shape.sequence:
            if code >= 0:
                ends.append((own[code], own[code]))
            else:
                b = self.bodies.index(live.surfaces[shape.surfaces[-1 - code]].body)
                controls = self.at.frame.position[b] + shape.controls[-1 - code] @ self.at.frame.rotation[b].T
                ends.append((controls[0], controls[-1]))
        result: dict[str, tuple[float, float]] = {}
        for place, code in enumerate(shape.sequence):
            if code >= 0:
                continue
            surface = live.surfaces[shape.surfaces[-1 - code]]
            rotation, origin = surface.in_body
            arc = (shape.controls[-1 - code] - origin) @ rotation
            if np.linalg.norm(arc[-1] - arc[0]) < ON_SURFACE:
                continue
            series = np.polynomial.chebyshev.chebfit(2 * FRACTIONS - 1, arc, CONTROLS - 1)
            slope = np.polynomial.chebyshev.chebval([-1.0, 1.0], np.polynomial.chebyshev.chebder(series)).T
            before, after = self.local(surface, np.array([ends[place - 1][1], ends[place + 1][0]]))
            for straight, tangent in ((arc[0] - before, slope[0]), (after - arc[-1], slope[1])):
                if np.linalg.norm(straight) < ON_SURFACE:
                    continue
                u, t = straight / np.linalg.norm(straight), tangent / np.linalg.norm(tangent)
                along = abs(float(np.arcsin(np.clip(u[2], -1, 1)) - np.arcsin(np.clip(t[2], -1, 1))))
                total = 2 * float(np.arcsin(min(1.0, float(np.linalg.norm(u - t)) / 2)))
                if surface.kind != "cylinder":
                    along = total
                across = float(np.sqrt(max(total**2 - along**2, 0.0)))
                if surface.name not in result or total > float(np.hypot(*result[surface.name])):
                    result[surface.name] = along, across
        return result

    def moved_by(self, name: str) -> list[str]:
        """Coordinates that move a muscle's bodies against each other, without those that follow others."""
        moved: set[int] = set()
        bodies = [
            self.bodies.index(b)
            for b in dict.fromkeys([*self.paths[name].bodies, *(s.body for s in self.surfaces(name))])
        ]
        for q in random_poses(self.model, self.coordinates, 3, margin=0.1):
            self.place(q, ())
            frame = self.at.frame
            twists = []
            for b in bodies:
                omega, v = frame.jacobian[6 * b : 6 * b + 3], frame.jacobian[6 * b + 3 : 6 * b + 6]
                twists.append(np.concatenate([omega, v - np.cross(omega.T, frame.position[b]).T]))
            spread = np.max([np.abs(t - twists[0]).max(axis=0) for t in twists], axis=0)
            moved |= set(np.flatnonzero(spread > 1e-10).tolist())
        followed = _couplers(self.model)
        names = {self.coordinates.names[i] for i in moved}
        names |= {leader for follower in names & set(followed) for leader in followed[follower]}
        return [n for n in self.coordinates.names if n in names - set(followed)]

    def describe_pose(self, name: str, q: Array) -> str:
        """Values of the coordinates that move a muscle."""
        values = []
        for coordinate in self.moved_by(name):
            i = self.coordinates.index(coordinate)
            if not self.model.getCoordinateSet().get(coordinate).get_locked():
                values.append(f"{coordinate} {q[i]:.2f}")
        return ", ".join(values)


def surface_gap(surface: Surface, x: Array) -> Array:
    """How far points (n, 3) of its frame are outside a surface [m]; an ellipsoid's in a scaled measure."""
    across = np.hypot(x[:, 0], x[:, 1])
    if surface.kind == "cylinder":
        return np.asarray(across - surface.size[0])
    if surface.kind == "torus":
        return np.asarray(np.hypot(across - surface.size[0], x[:, 2]) - surface.size[1])
    if surface.kind == "sphere":
        return np.asarray(np.linalg.norm(x, axis=1) - surface.size[0])
    return np.asarray((np.linalg.norm(x / surface.size, axis=1) - 1) * surface.size.min())


def _opposite(surface: Surface, a: _Held, b: _Held) -> bool:
    """Whether two arcs lie on opposite sides of a surface."""
    u, v = (_outward(surface, held.points[1]) for held in (a, b))
    return bool(u @ v < 0)


def _outward(surface: Surface, x: Array) -> Array:
    """From the axis or centre to a point (3,) of a surface."""
    if surface.kind == "cylinder":
        return x * np.array([1.0, 1.0, 0.0])
    if surface.kind == "torus":
        return np.array([np.hypot(x[0], x[1]) - surface.size[0], x[2]])
    return x


def _couplers(model: osim.Model) -> dict[str, list[str]]:
    """Coordinates that follow others, with those."""
    result = {}
    constraints = model.getConstraintSet()
    for i in range(constraints.getSize()):
        coupler = osim.CoordinateCouplerConstraint.safeDownCast(constraints.get(i))
        if coupler is not None and constraints.get(i).get_isEnforced():
            names = coupler.getIndependentCoordinateNames()
            result[str(coupler.getDependentCoordinateName())] = [str(names.get(k)) for k in range(names.getSize())]
    return result


def _percent(part: int, whole: int) -> str:
    share = 100 * part / whole
    return f"{share:.0f} %" if share >= 1 else f"{share:.1f} %"


def _largest(values: list[float]) -> float:
    good = [v for v in values if np.isfinite(v)]
    return max(good, default=float("nan"))


# -- picture -----------------------------------------------------------------------------------------------------------

#: Mass points that are drawn, and colours that stay apart for the colour-blind.
SHOWN: Array = np.array([0.1, 0.3, 0.5, 0.7, 0.9])
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00")


#: Paths that are drawn, and how.
DRAWN: dict[Way, dict[str, Any]] = {
    "opensim": {"lw": 1.3, "alpha": 0.75},
    "ours": {"lw": 2.2, "ls": (0, (1, 1.2))},
}


@dataclass(frozen=True)
class _Touch:
    """Where a sweep of a coordinate meets or leaves a surface; a sweep without a touch has ``value`` None."""

    coordinate: str
    base: Array
    value: float | None
    surface: str


@dataclass(frozen=True)
class _Sweep:
    """Mass points through a touch, in the frame of the body that carries the surface; axes pose, point, direction."""

    values: Array
    band: tuple[float, float]  # where smoothing acts
    places: dict[Way, Array]  # [m]
    slopes: dict[Way, Array]  # per unit of the coordinate


def plot_touch(
    model: osim.Model | str | os.PathLike[str],
    muscle: str,
    coordinate: str | None = None,
    path: str | os.PathLike[str] | None = None,
    *,
    wrapping: str = "analytic",
    smoothing: float | None = None,
) -> Figure:
    """Draw five mass points and their Jacobian through a touch (Wang et al. 2022, figure 4 d, e), and a side view.

    Args:
        model: an ``osim.Model``, or the path of an ``.osim`` file; not modified.
        muscle: a wrapping muscle.
        coordinate: to sweep, the others at their defaults; None: the one that moves the muscle most against a wrap
            object that it meets. The touch nearest to the default pose is drawn.
        path: where to write the picture; None: nowhere.
        wrapping, smoothing: as :class:`~opensim_inertia.InertialModel` takes them.

    Raises:
        UnknownNameError: the muscle or coordinate is not in the model.
        InertiaError: the muscle has no wrap objects, or the coordinate does not move it.
        OptionError: ``path`` does not end as a picture does, or another option has a value that is not allowed.
        OutputError: the picture cannot be written.
    """
    if path is not None:
        kinds = sorted(Figure().canvas.get_supported_filetypes())
        if Path(path).suffix.lower().lstrip(".") not in kinds:
            raise OptionError("path", str(path), f"a name that ends in one of .{', .'.join(kinds)}")
    own = own_copy(model)
    initialise(own)
    names = [m.getName() for m in own.getMuscles()]
    if muscle not in names:
        raise UnknownNameError("muscle", muscle, names)
    bench = _Bench(own, muscle, wrapping, smoothing, strict=False)
    if muscle in bench.unsupported:
        raise InertiaError(bench.unsupported[muscle]["why"])
    if muscle not in bench.paths:
        raise InertiaError(f"muscle '{muscle}' has no wrap objects")
    touch = _find_touch(bench, muscle, _swept(bench, muscle, coordinate))
    sweep = _sweep(bench, muscle, touch)
    figure = Figure(figsize=(13, 4.6), layout="constrained")
    side, places, slopes = figure.subplots(1, 3, width_ratios=(1, 1.15, 1.15))
    _draw_side(side, bench, muscle, touch, sweep)
    _draw_curves(places, slopes, bench, touch, sweep)
    surface = bench.live[muscle].surfaces[touch.surface]
    way = f"OpenSim's own path: {bench.plan.library[muscle]}" if muscle in bench.plan.library else ""
    never = "" if touch.value is not None else "; it neither meets nor leaves it in this range"
    title = f"{muscle} over the {surface.kind} {surface.name}, moving {touch.coordinate}{never}"
    figure.suptitle(title + (f"\n{way}" if way else ""), fontsize=11)
    handles: list[Artist] = [
        Line2D([], [], color=c, lw=3, label=f"mass at {100 * f:.0f} %") for c, f in zip(COLORS, SHOWN, strict=True)
    ]
    handles += [
        Line2D([], [], color="0.3", label="OpenSim", **DRAWN["opensim"]),
        Line2D([], [], color="0.3", label="ours", **DRAWN["ours"]),
    ]
    if touch.value is not None:
        handles.append(Line2D([], [], color="0.6", lw=0.8, label="OpenSim's touch"))
    if np.isfinite(sweep.band[0]):
        handles.append(Patch(color="0.92", label="our smooth touch"))
    figure.legend(
        handles=handles,
        loc="outside lower center",
        ncols=len(handles),
        frameon=False,
        fontsize=9,
        handlelength=1.6,
        columnspacing=1.4,
    )
    if path is not None:
        with writing(path) as temporary:
            figure.savefig(temporary, dpi=150)
    return figure


def _swept(bench: _Bench, muscle: str, coordinate: str | None) -> list[str]:
    """Coordinates that may be swept."""
    moved = bench.moved_by(muscle)
    if coordinate is None:
        free = [c for c in moved if not bench.model.getCoordinateSet().get(c).get_locked()]
        if not free:
            raise InertiaError(f"no coordinate moves muscle '{muscle}'")
        return free
    if coordinate not in bench.coordinates.names:
        raise UnknownNameError("coordinate", coordinate, bench.coordinates.names)
    if coordinate not in moved:
        raise InertiaError(f"coordinate '{coordinate}' does not move muscle '{muscle}'; these do: {', '.join(moved)}")
    return [coordinate]


def _range(bench: _Bench, coordinate: str) -> tuple[float, float]:
    i = bench.coordinates.index(coordinate)
    default = bench.coordinates.defaults[i]
    low, high = bench.coordinates.ranges[i]
    return float(max(low, default - WIDEST)), float(min(high, default + WIDEST))


def _along(bench: _Bench, base: Array, coordinate: str, values: Array) -> Array:
    """Poses (n, nu) with a coordinate at these values, and those that follow it in their place."""
    q = np.tile(base, (len(values), 1))
    q[:, bench.coordinates.index(coordinate)] = values
    constraints = bench.model.getConstraintSet()
    for i in range(constraints.getSize()):
        coupler = osim.CoordinateCouplerConstraint.safeDownCast(constraints.get(i))
        if coupler is None or not constraints.get(i).get_isEnforced():
            continue
        names, function = coupler.getIndependentCoordinateNames(), coupler.getFunction()
        columns = [bench.coordinates.index(names.get(k)) for k in range(names.getSize())]
        dependent = bench.coordinates.index(coupler.getDependentCoordinateName())
        scale = osim.PropertyHelper.getValueDouble(coupler.getPropertyByName("scale_factor"))
        for pose in q:
            pose[dependent] = scale * function.calcValue(osim.Vector.createFromMat(pose[columns]))
    return q


def _find_touch(bench: _Bench, muscle: str, coordinates: list[str]) -> _Touch:
    """The touch nearest to the default pose; from random poses if none is met from there."""
    names, default = bench.coordinates.names, bench.coordinates.defaults
    others = random_poses(bench.model, bench.coordinates, 20)
    width = np.maximum(np.ptp(bench.coordinates.ranges, axis=1), 1e-6)
    order = np.argsort(np.linalg.norm((others - default) / width, axis=1))
    moved = [names.index(c) for c in bench.moved_by(muscle)]
    surfaces = bench.surfaces(muscle)
    if not surfaces:
        raise InertiaError(f"none of the wrap objects of muscle '{muscle}' is active")
    untouched: list[tuple[float, _Touch]] = []
    for start in (None, *order):
        base = default.copy()
        if start is not None:
            base[moved] = others[start][moved]
        met: list[tuple[float, _Touch]] = []
        for coordinate in coordinates:
            low, high = _range(bench, coordinate)
            values = np.linspace(low, high, 61)
            seen: list[frozenset[str]] = []
            gaps = np.empty((len(values), len(surfaces)))
            for k, q in enumerate(_along(bench, base, coordinate, values)):
                bench.place(q, [muscle])
                seen.append(frozenset(bench.at.shapes[muscle].surfaces))
                gaps[k] = [bench.chord_gap(muscle, s) for s in surfaces]
            spread = dict(zip([s.name for s in surfaces], np.ptp(gaps, axis=0), strict=True))
            if start is None:
                name = max(spread, key=lambda s: spread[s])
                untouched.append((spread[name], _Touch(coordinate, base, None, name)))
            changes = [k for k in range(len(values) - 1) if seen[k] != seen[k + 1]]
            if not changes:
                continue
            here = base[names.index(coordinate)]
            k = min(changes, key=lambda k: abs(values[k : k + 2].mean() - here))
            name = sorted(seen[k] ^ seen[k + 1])[0]
            value = _bisect(bench, muscle, base, coordinate, name, values[k], values[k + 1])
            met.append((spread[name], _Touch(coordinate, base, value, name)))
        if met:
            return max(met, key=lambda one: one[0])[1]
    return max(untouched, key=lambda one: one[0])[1]


def _bisect(bench: _Bench, muscle: str, base: Array, coordinate: str, surface: str, a: float, b: float) -> float:
    """Where, between two values of a coordinate, OpenSim's path changes between on and off a surface."""

    def on(value: float) -> bool:
        bench.place(_along(bench, base, coordinate, np.array([value]))[0], [muscle])
        return surface in bench.at.shapes[muscle].surfaces

    first = on(a)
    for _ in range(24):
        middle = 0.5 * (a + b)
        a, b = (middle, b) if on(middle) == first else (a, middle)
    return 0.5 * (a + b)


def _sweep(bench: _Bench, muscle: str, touch: _Touch) -> _Sweep:
    """Mass points around a touch, zoomed so that the transition fills a third of the picture."""
    low, high = _range(bench, touch.coordinate)
    span = high - low
    band = (np.nan, np.nan)
    if touch.value is not None:
        coarse = np.linspace(max(low, touch.value - span / 4), min(high, touch.value + span / 4), 241)
        smoothed = np.empty(len(coarse))
        for k, q in enumerate(_along(bench, touch.base, touch.coordinate, coarse)):
            bench.place(q, [muscle])
            smoothed[k] = abs(bench.length(muscle, "ours") - bench.length(muscle, "exact"))
        at = int(np.argmin(np.abs(coarse - touch.value)))
        inside = smoothed > SMOOTHED
        if inside[at]:
            before = at - int(np.argmin(np.append(inside[at::-1], False))) + 1
            after = at + int(np.argmin(np.append(inside[at:], False))) - 1
            band = float(coarse[before]), float(coarse[after])
        half = np.nanmax([0.03 * span, 1.5 * (band[1] - band[0])])
        low, high = max(low, touch.value - min(half, span / 4)), min(high, touch.value + min(half, span / 4))
    values = np.linspace(low, high, 241)
    places: dict[Way, Array] = {way: np.empty((len(values), len(SHOWN), 3)) for way in DRAWN}
    slopes: dict[Way, Array] = {way: np.empty((len(values), len(SHOWN), 3)) for way in DRAWN}
    library = LibraryWrapping(bench.model, bench.coordinates, [bench.paths[muscle]])
    b = bench.bodies.index(bench.live[muscle].surfaces[touch.surface].body)
    step = 1e-5
    ahead, behind = (_along(bench, touch.base, touch.coordinate, values + s * step) for s in (1, -1))
    directions = (ahead - behind) / (2 * step)  # those that follow the coordinate move with it
    for k, q in enumerate(_along(bench, touch.base, touch.coordinate, values)):
        bench.place(q, [muscle])
        bench.set_derivatives(muscle, library)
        frame = bench.at.frame
        R: Array = frame.rotation[b]
        omega, v = (frame.jacobian[6 * b : 6 * b + 6] @ directions[k]).reshape(2, 3)
        for way in places:
            x = bench.positions(muscle, way, SHOWN) - frame.position[b]
            places[way][k] = x @ R
            slopes[way][k] = (bench.jacobians(muscle, way, SHOWN) @ directions[k] - v - np.cross(omega, x)) @ R
    return _Sweep(values, band, places, slopes)


def _draw_curves(places: Axes, slopes: Axes, bench: _Bench, touch: _Touch, sweep: _Sweep) -> None:
    """Figures 4 d and e, of the direction in which the mass points' velocities jump most."""
    i = bench.coordinates.index(touch.coordinate)
    turning = bench.coordinates.rotational[i]
    scale = np.degrees(1.0) if turning else 1e3
    surface = bench.live[next(iter(bench.live))].surfaces[touch.surface]
    axis = int(np.argmax(np.abs(np.diff(sweep.slopes["opensim"], 2, axis=0)).max(axis=0).sum(axis=0)))
    start = touch.value if touch.value is not None else sweep.values[0]
    origin = sweep.places["opensim"][int(np.argmin(np.abs(sweep.values - start)))][:, axis]
    for way, line in DRAWN.items():
        for n, color in enumerate(COLORS):
            x = scale * sweep.values
            places.plot(x, 1e3 * (sweep.places[way][:, n, axis] - origin[n]), color=color, **line)
            slopes.plot(x, 1e3 * sweep.slopes[way][:, n, axis], color=color, **line)
    unit, per = ("deg", "mm/rad") if turning else ("mm", "mm/m")
    where = "touch" if touch.value is not None else "the start"
    places.set_ylabel(f"{'xyz'[axis]} in {surface.body}, from its place at {where} [mm]")
    slopes.set_ylabel(f"its derivative [{per}]")
    places.set_title("place of the mass points", fontsize=10)
    slopes.set_title("Jacobian", fontsize=10)
    for axes in (places, slopes):
        axes.set_xlabel(f"{touch.coordinate} [{unit}]")
        axes.spines[["top", "right"]].set_visible(False)
        axes.margins(x=0)
        if np.isfinite(sweep.band[0]):
            axes.axvspan(*(scale * np.array(sweep.band)), color="0.92", lw=0, zorder=0)
        if touch.value is not None:
            axes.axvline(scale * touch.value, color="0.6", lw=0.8, zorder=0)
    for axes, drawn in ((places, sweep.places), (slopes, sweep.slopes)):
        shift = origin if axes is places else 0.0
        _cut_spikes(axes, *(1e3 * (drawn[way][:, :, axis] - shift) for way in DRAWN))


def _cut_spikes(axes: Axes, opensim: Array, ours: Array) -> None:
    """Leave the poses out of sight at which OpenSim's path jumps far away and back."""
    most = np.percentile(opensim, [2, 98], axis=0)
    low, high = min(most[0].min(), ours.min()), max(most[1].max(), ours.max())
    margin = 0.06 * (high - low) + 1e-9
    if opensim.min() < low - 5 * margin or opensim.max() > high + 5 * margin:
        axes.set_ylim(low - margin, high + margin)
        axes.set_title(axes.get_title() + " (OpenSim's jumps cut off)", fontsize=10)


def _draw_side(axes: Axes, bench: _Bench, muscle: str, touch: _Touch, sweep: _Sweep) -> None:
    """The surface seen along its axis, and the path before, at and after touch."""
    surface = bench.live[muscle].surfaces[touch.surface]
    middle = touch.value if touch.value is not None else sweep.values[len(sweep.values) // 2]
    values = np.array([sweep.values[0], middle, sweep.values[-1]])
    fractions = np.linspace(0.0, 1.0, 1501)
    drawn: list[dict[Way, Array]] = []
    for q in _along(bench, touch.base, touch.coordinate, values):
        bench.place(q, [muscle])
        drawn.append({way: bench.local(surface, bench.positions(muscle, way, fractions)) for way in DRAWN})
    at = drawn[1]["opensim"]
    nearest = int(np.argmin(surface_gap(surface, at)))
    view, outline, reach = _view(surface, at, nearest)
    # up is outwards, and the muscle runs from left to right
    contact = view(at[nearest : nearest + 1])[0]
    up = contact / max(float(np.linalg.norm(contact)), 1e-12)
    onward = view(at[min(nearest + 5, len(at) - 1)][None])[0] - view(at[max(nearest - 5, 0)][None])[0]
    right = np.array([up[1], -up[0]])
    turn = np.stack([right if right @ onward >= 0 else -right, up], axis=1)
    closed = 1e3 * outline @ turn
    axes.fill(closed[:, 0], closed[:, 1], facecolor="0.93", edgecolor="0.6", lw=1, zorder=0)
    turning = bench.coordinates.rotational[bench.coordinates.index(touch.coordinate)]
    for shade, value, paths in zip(("0.65", "0.4", "0.0"), values, drawn, strict=True):
        label = f"{np.degrees(value):.1f} deg" if turning else f"{1e3 * value:.1f} mm"
        for way, line in DRAWN.items():
            x = 1e3 * view(paths[way]) @ turn
            axes.plot(x[:, 0], x[:, 1], color=shade, label=label if way == "opensim" else None, **line)
    box = 1e3 * 1.7 * reach
    centre = 1e3 * contact @ turn
    axes.set_xlim(centre[0] - box, centre[0] + box)
    axes.set_ylim(centre[1] - 1.35 * box, centre[1] + 0.65 * box)
    axes.set_aspect("equal")
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title("side view", fontsize=10)
    axes.set_xlabel("across the axis [mm]")
    axes.set_ylabel("outwards at touch [mm]")
    inside = 1e3 * np.array([0.0, -0.25 * reach])
    axes.legend(title=touch.coordinate, fontsize=8, title_fontsize=8, loc="center", frameon=False,
                bbox_to_anchor=tuple(inside), bbox_transform=axes.transData)  # fmt: skip


def _view(surface: Surface, x: Array, nearest: int) -> tuple[Callable[[Array], Array], Array, float]:
    """Onto a plane across a surface: the projection, the outline (n, 2) about its centre, and its size [m]."""
    angle = np.linspace(0, 2 * np.pi, 181)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    if surface.kind == "cylinder":
        return lambda p: p[:, :2], surface.size[0] * circle, float(surface.size[0])
    if surface.kind == "torus":  # along the ring, at the place of touch
        azimuth = np.arctan2(x[nearest, 1], x[nearest, 0])
        radial = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
        plane = np.stack([radial, [0.0, 0.0, 1.0]], axis=1)
        ring = np.array([surface.size[0], 0.0])
        return lambda p: p @ plane - ring, surface.size[1] * circle, float(surface.size[1])
    near = x[max(nearest - 200, 0) : nearest + 200]
    normal = np.linalg.svd(near - near.mean(axis=0))[2][2]
    if surface.kind == "sphere":
        plane = np.linalg.svd(normal[None])[2][1:].T
        return lambda p: p @ plane, surface.size[0] * circle, float(surface.size[0])
    a, b = (k for k in range(3) if k != int(np.argmax(np.abs(normal))))
    return lambda p: p[:, [a, b]], surface.size[[a, b]] * circle, float(surface.size[[a, b]].max())
