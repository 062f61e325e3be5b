"""A pendulum with a muscle over a cylinder: its measures, the planar places of its parts, and random ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..finite_differences import Array, gradient

BODIES = ("ground", "rod1", "rod2")

#: Index of the body in ``BODIES``, and station [m].
Place = tuple[int, tuple[float, float, float]]


@dataclass(frozen=True)
class Geometry:
    """A pendulum and its muscle; lengths [m], stations (x, y, z) in their bodies.

    Attributes:
        lengths: of the rods, the first one from pin to pin.
        masses, centres, inertias: of the rods without the muscle: mass [kg], centre of mass, inertia about it [kg m^2].
        muscle: the muscle's mass [kg].
        origin, insertion: bodies (indices of ``BODIES``) and stations of its ends.
        cylinder, centre, radius: body, centre and radius of the cylinder, whose axis is along z.
        turn: sense in which the muscle passes it.
        start: q and u at which the motion begins.
        ranges: of the coordinates in the OpenSim model, over which it is watched to learn how the muscle wraps.
    """

    lengths: tuple[float, float] = (0.4, 0.4)
    masses: tuple[float, float] = (1.0, 1.0)
    centres: tuple[tuple[float, float], tuple[float, float]] = ((0.0, -0.2), (0.0, -0.2))
    inertias: tuple[float, float] = (0.0133, 0.0133)
    muscle: float = 0.8
    origin: Place = (0, (0.05, 0.06, 0.01))
    insertion: Place = (2, (0.03, -0.12, -0.02))
    cylinder: int = 1
    centre: tuple[float, float] = (0.0, -0.4)
    radius: float = 0.04
    turn: float = -1.0
    start: tuple[float, float, float, float] = (0.3, -0.6, 0.0, 0.0)
    ranges: tuple[tuple[float, float], tuple[float, float]] = ((-0.6, 0.6), (-1.2, 0.9))


def place(g: Geometry, q: Array, body: int, station: Sequence[float]) -> Array:
    """Place (..., 2) of a station in ground's plane at q (..., 2)."""
    x, y = station[:2]
    angle = (0 * q[..., 0], q[..., 0], q[..., 0] + q[..., 1])[body]
    position = np.stack([np.cos(angle) * x - np.sin(angle) * y, np.sin(angle) * x + np.cos(angle) * y], axis=-1)
    if body == 2:
        position += g.lengths[0] * np.stack([np.sin(q[..., 0]), -np.cos(q[..., 0])], axis=-1)
    return position


def ends(g: Geometry, q: Array) -> tuple[Array, Array]:
    """Origin and insertion (..., 2) as seen from the cylinder's axis, in ground's plane."""
    q = np.asarray(q, float)
    centre = place(g, q, g.cylinder, g.centre)
    return place(g, q, *g.origin) - centre, place(g, q, *g.insertion) - centre


def chord_distance(g: Geometry, q: Array) -> Array:
    """Signed distance d (...,) of the chord from the cylinder's axis [m]: the string is straight where d > radius."""
    a, b = ends(g, q)
    chord = b - a
    return g.turn * (a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]) / np.hypot(chord[..., 0], chord[..., 1])


def distance_gradient(g: Geometry, q: Array) -> Array:
    """grad d (2,) [m/rad]."""
    return gradient(lambda x: chord_distance(g, x), q)


def keeps_its_side(g: Geometry, q: Array, margin: float = 0.01) -> bool:
    """Whether, along a motion q (T, 2), both ends keep ``margin`` [m] off the surface, and the chord passes the axis
    between its ends: beyond them a string that is held on one side meets its seam."""
    a, b = ends(g, q)
    off = min(np.hypot(*a.T).min(), np.hypot(*b.T).min()) - g.radius
    chord = b - a
    foot = -np.sum(a * chord, axis=1) / np.sum(chord * chord, axis=1)
    beside = (chord_distance(g, q) < g.radius + margin) & ((foot < 0.02) | (foot > 0.98))
    return bool(off > margin and not beside.any())


def random_geometry(rng: np.random.Generator) -> Geometry:
    """A pendulum whose muscle passes the elbow, from ground or from the first rod, or the shoulder; on either side."""
    lengths = rng.uniform(0.3, 0.5, 2)
    masses = rng.uniform(0.7, 1.5, 2)
    radius = rng.uniform(0.025, 0.05)
    kind = rng.integers(3)
    side = rng.choice([-1.0, 1.0])
    # ends beside the cylinder, so that the string touches near the straight pose
    front = side * radius * rng.uniform(0.7, 1.2, 2)
    depth = rng.uniform(-0.03, 0.03, 2)
    above, below = rng.uniform(0.08, 0.16), -rng.uniform(0.09, 0.16)
    body, pin = (0, 0.0) if kind == 2 else (1, -lengths[0])
    if kind == 1:
        origin = (1, (front[0], pin + above, depth[0]))
    else:
        origin = (0, (front[0], above, depth[0]))
    off = rng.uniform(-0.01, 0.01, 2)
    return Geometry(
        lengths=tuple(lengths),
        masses=tuple(masses),
        centres=tuple((rng.uniform(-0.02, 0.02), -x * rng.uniform(0.4, 0.6)) for x in lengths),
        inertias=tuple(masses * lengths**2 / 12 * rng.uniform(0.8, 1.2, 2)),
        muscle=rng.uniform(0.5, 1.0),
        origin=origin,
        insertion=(2, (front[1], below, depth[1])),
        cylinder=body,
        centre=(off[0], pin + off[1]),
        radius=radius,
        turn=-side,
        start=(*rng.uniform(-0.6, 0.6, 2), *rng.uniform(-1.0, 1.0, 2)),
    )
