"""The touch of a path and a surface while one coordinate moves, and the path's mass points on the way through it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..._core.arrays import Array
from ..._core.checks import check_names
from ..._core.choices import WrappingKind
from ..._core.errors import InertiaError, UnknownNameError
from ..._core.opensim import osim
from ...opensim_model.reading import follow_couplers, model_muscles, random_poses
from ...opensim_model.reading.poses import WIDEST
from ...options import Wrapping
from ...paths.comparison import PathComparison, Way
from ...paths.comparison.path_comparison import STEP
from ...paths.wrapping import OpenSimPaths
from .preparing import prepare_comparison

#: Mass points that are followed: fractions of the path.
SHOWN: Array = np.array([0.1, 0.3, 0.5, 0.7, 0.9])

#: Values of the coordinate, of the sweep through touch.
VALUES = 241

#: Smoothing acts where it changes a path's length by more than this [m].
SMOOTHED = 1e-11


@dataclass(frozen=True)
class Touch:
    """The touch: the place where a sweep of a coordinate meets or leaves a surface.

    Attributes:
        coordinate: the coordinate that is swept.
        base: the other coordinates' values, (nu,).
        surface: name of the surface.
        approach: by how much the sweep changes the distance of the chord from it [m].
        value: of the coordinate at touch; None: there is none.
    """

    coordinate: str
    base: Array
    surface: str
    approach: float
    value: float | None


@dataclass(frozen=True)
class Sweep:
    """Mass points through a touch, in the frame of the body that carries the surface; axes pose, point, direction.

    Attributes:
        values: of the coordinate.
        band: of its values, where smoothing acts; NaN if nowhere.
        places: by path [m].
        derivatives: those of the places with respect to the coordinate.
    """

    values: Array
    band: tuple[float, float]
    places: dict[str, Array]
    derivatives: dict[str, Array]


@dataclass(frozen=True)
class TouchView:
    """All that a picture of a touch shows.

    Attributes:
        touch, sweep: the touch, and the mass points through it.
        kind, body: of the surface.
        by_opensim: why OpenSim's own path is taken; empty where it is not.
        rotational: whether the coordinate turns.
        outline: of the surface as seen along its axis, (n, 2) [mm]: across, and outwards at the touch.
        courses: values of the coordinate before, at and after the touch, with the path by way, (n, 2) [mm].
        contact: where the path is nearest to the surface, (2,) [mm].
        reach: half the size of the surface [mm].
    """

    touch: Touch
    sweep: Sweep
    kind: str
    body: str
    by_opensim: str
    rotational: bool
    outline: Array
    courses: list[tuple[float, dict[str, Array]]]
    contact: Array
    reach: float


def touch_view(
    model: osim.Model | str | os.PathLike[str], muscle: str, coordinate: str | None, wrapping: WrappingKind | Wrapping
) -> TouchView:
    """Return a muscle's touch; arguments and errors are those of :func:`~opensim_inertia.plotting.plot_touch`."""
    prepared = prepare_comparison(model, muscle, wrapping)
    paths = prepared.paths
    check_names("muscle", [muscle], model_muscles(paths.model))  # a pattern is none
    if muscle in prepared.unsupported:
        raise InertiaError(prepared.unsupported[muscle])
    if muscle not in paths.live:
        raise InertiaError(f"muscle '{muscle}' has no wrap objects")
    touch = find_touch(paths, muscle, swept(paths, muscle, coordinate))
    sweep, surface = sweep_through(paths, muscle, touch), paths.live[muscle].surfaces[touch.surface]
    middle = touch.value if touch.value is not None else sweep.values[len(sweep.values) // 2]
    values = np.array([sweep.values[0], middle, sweep.values[-1]])
    fractions = np.linspace(0.0, 1.0, 1501)
    polylines: list[dict[str, Array]] = []
    ways: tuple[Way, ...] = ("opensim", "ours")
    for q in along(paths, touch.base, touch.coordinate, values):
        paths.set_pose(q, [muscle])
        polylines.append({way: paths.local(surface, paths.positions(muscle, way, fractions)) for way in ways})
    at = polylines[1]["opensim"]
    nearest = int(np.argmin(surface.gap(at)))
    view, outline, reach = surface.section(at, nearest)
    # up is outwards, and the muscle runs from left to right
    contact = view(at[nearest : nearest + 1])[0]
    up = contact / max(float(np.linalg.norm(contact)), 1e-12)
    onward = view(at[min(nearest + 5, len(at) - 1)][None])[0] - view(at[max(nearest - 5, 0)][None])[0]
    right = np.array([up[1], -up[0]])
    turn = 1e3 * np.stack([right if right @ onward >= 0 else -right, up], axis=1)
    courses = [
        (value, {way: view(line) @ turn for way, line in lines.items()})
        for value, lines in zip(values.tolist(), polylines, strict=True)
    ]
    rotational = bool(paths.coordinates.rotational[paths.coordinates.index(touch.coordinate)])
    why = paths.plan.opensim.get(muscle, "")
    seen = (outline @ turn, courses, contact @ turn, 1e3 * reach)
    return TouchView(touch, sweep, surface.kind, surface.body, why, rotational, *seen)


def swept(paths: PathComparison, muscle: str, coordinate: str | None) -> list[str]:
    """Return the coordinates that may be swept: the one asked for, or all that move the muscle."""
    if coordinate is None:
        free = paths.moved_by(muscle)
        if not free:
            raise InertiaError(f"no coordinate moves muscle '{muscle}'")
        return free
    if coordinate not in paths.coordinates.names:
        raise UnknownNameError("coordinate", coordinate, paths.coordinates.names)
    moving_names = paths.moved_by(muscle, locked=True)
    if coordinate not in moving_names:
        names = ", ".join(moving_names)
        raise InertiaError(f"coordinate '{coordinate}' does not move muscle '{muscle}'; these do: {names}")
    return [coordinate]


def along(paths: PathComparison, base: Array, coordinate: str, values: Array | Sequence[float]) -> Array:
    """Return poses (n, nu) with a coordinate at these values, and those that follow it in their place."""
    q = np.tile(base, (len(values), 1))
    q[:, paths.coordinates.index(coordinate)] = values
    return follow_couplers(paths.model, paths.coordinates, q)


def find_touch(paths: PathComparison, muscle: str, coordinates: Sequence[str]) -> Touch:
    """Return the touch nearest to the default pose, or one met from a random pose if none is met from there."""
    if not paths.surfaces(muscle):
        raise InertiaError(f"none of the wrap objects of muscle '{muscle}' is active")
    default = paths.coordinates.defaults
    random_starts = paths.possible(random_poses(paths.model, paths.coordinates, 20))
    width = np.maximum(np.ptp(paths.coordinates.ranges, axis=1), 1e-6)
    moving = [paths.coordinates.index(c) for c in paths.moved_by(muscle, locked=True)]
    untouched: list[Touch] = []
    for start in (default, *random_starts[np.argsort(np.linalg.norm((random_starts - default) / width, axis=1))]):
        base = default.copy()
        base[moving] = start[moving]
        touches = [_first_touch(paths, muscle, base, coordinate) for coordinate in coordinates]
        met = [touch for touch in touches if touch.value is not None]
        if met:
            return max(met, key=lambda touch: touch.approach)
        untouched = untouched or touches
    return max(untouched, key=lambda touch: touch.approach)


def _first_touch(paths: PathComparison, muscle: str, base: Array, coordinate: str) -> Touch:
    """Return the touch nearest to a pose along one coordinate."""
    values = np.linspace(*_range(paths, coordinate), 61)
    surfaces = paths.surfaces(muscle)
    touched_surfaces: list[frozenset[str]] = []
    gaps = []
    for q in along(paths, base, coordinate, values):
        paths.set_pose(q, [muscle])
        touched_surfaces.append(frozenset(paths.shapes[muscle].surfaces))
        gaps.append([paths.chord_gap(muscle, s) for s in surfaces])
    approach = dict(zip([s.name for s in surfaces], np.ptp(gaps, axis=0).tolist(), strict=True))
    changes = [k for k in range(len(values) - 1) if touched_surfaces[k] != touched_surfaces[k + 1]]
    if not changes:
        name = max(approach, key=lambda s: approach[s])
        return Touch(coordinate, base, name, approach[name], None)
    base_value = base[paths.coordinates.index(coordinate)]
    k = min(changes, key=lambda k: abs(values[k : k + 2].mean() - base_value))
    name = min(touched_surfaces[k] ^ touched_surfaces[k + 1])

    def on(value: float) -> bool:
        paths.set_pose(along(paths, base, coordinate, [value])[0], [muscle])
        return name in paths.shapes[muscle].surfaces

    a, b = values[k : k + 2]
    for _ in range(24):
        middle = 0.5 * (a + b)
        a, b = (middle, b) if on(middle) == (name in touched_surfaces[k]) else (a, middle)
    return Touch(coordinate, base, name, approach[name], float(0.5 * (a + b)))


def sweep_through(paths: PathComparison, muscle: str, touch: Touch) -> Sweep:
    """Return the mass points around a touch, zoomed so that the transition fills a third of the picture."""
    low, high = _range(paths, touch.coordinate)
    band = (np.nan, np.nan)
    if touch.value is not None:
        most = (high - low) / 4
        if paths.way(muscle) == "analytic":
            near = np.linspace(max(low, touch.value - most), min(high, touch.value + most), VALUES)
            band = _band(paths, muscle, touch, near, int(np.argmin(np.abs(near - touch.value))))
        half = min(np.nanmax([0.12 * most, 1.5 * (band[1] - band[0])]), most)
        low, high = max(low, touch.value - half), min(high, touch.value + half)
    values = np.linspace(low, high, VALUES)
    poses, ahead, behind = (along(paths, touch.base, touch.coordinate, values + k * STEP) for k in (0, 1, -1))
    directions = (ahead - behind) / (2 * STEP)  # those that follow the coordinate move with it
    places: dict[Way, list[Array]] = {"opensim": [], "ours": []}
    derivatives: dict[Way, list[Array]] = {"opensim": [], "ours": []}
    path = paths.live[muscle].path
    opensim = None if path.is_cable else OpenSimPaths(paths.model, paths.coordinates, [path])
    b = paths.bodies.index(paths.live[muscle].surfaces[touch.surface].body)
    for q, direction in zip(poses, directions, strict=True):
        paths.set_pose(q, [muscle])
        if opensim is not None:
            paths.set_derivatives(muscle, opensim)
        rotation = paths.kinematics.rotation[b]
        omega, v = (paths.kinematics.jacobian[6 * b : 6 * b + 6] @ direction).reshape(2, 3)
        for way in places:
            x = paths.positions(muscle, way, SHOWN) - paths.kinematics.position[b]
            places[way].append(x @ rotation)
            velocity = paths.jacobians(muscle, way, SHOWN) @ direction - v - np.cross(omega, x)
            derivatives[way].append(velocity @ rotation)
    if opensim is None:  # of what OpenSim draws of a cable no finer differences can be taken
        derivatives["opensim"] = list(np.gradient(np.array(places["opensim"]), values, axis=0))
    arrays: list[dict[str, Array]] = [{way: np.array(x) for way, x in each.items()} for each in (places, derivatives)]
    return Sweep(values, band, *arrays)


def _band(paths: PathComparison, muscle: str, touch: Touch, values: Array, at: int) -> tuple[float, float]:
    """Return the values of the coordinate between which smoothing acts around one of them; NaN if it does not act."""
    inside = np.zeros(len(values) + 2, dtype=bool)  # one more at each end, outside
    for k, q in enumerate(along(paths, touch.base, touch.coordinate, values), 1):
        paths.set_pose(q, [muscle])
        inside[k] = abs(paths.length(muscle, "ours") - paths.length(muscle, "exact")) > SMOOTHED
    if not inside[at + 1]:
        return np.nan, np.nan
    outside = np.flatnonzero(~inside) - 1
    return float(values[outside[outside < at].max() + 1]), float(values[outside[outside > at].min() - 1])


def _range(paths: PathComparison, coordinate: str) -> tuple[float, float]:
    i = paths.coordinates.index(coordinate)
    default, (low, high) = paths.coordinates.defaults[i], paths.coordinates.ranges[i]
    return float(max(low, default - WIDEST)), float(min(high, default + WIDEST))
