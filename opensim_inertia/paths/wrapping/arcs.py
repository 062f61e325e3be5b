"""Arcs on wrap surfaces, from tangent points of OpenSim's current path, at Chebyshev-Lobatto fractions of length.

Control points are in the wrap object's frame [m]. OpenSim's ``getWrapPath``, a drawing aid, only tells in which plane
an ellipsoid's arc lies.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.polynomial.legendre import leggauss

from ..._core.arrays import Array

#: Control points per arc. A helix that turns by pi is exact to 1e-11 of its radius, one that turns by 3/2 pi to 2e-9.
CONTROLS = 13

#: Fractions of arc length at which control points stand.
FRACTIONS: Array = 0.5 * (1 - np.cos(np.pi * np.arange(CONTROLS) / (CONTROLS - 1)))


@cache
def at_even_fractions(count: int) -> Array:
    """Return the matrix (count, CONTROLS) that takes control points to places at even fractions of the arc's length."""
    from scipy.interpolate import BarycentricInterpolator  # only now: models without wraps do without it

    return np.asarray(BarycentricInterpolator(FRACTIONS, np.eye(CONTROLS))(np.linspace(0, 1, count)))


#: Angles [rad] this close to a full turn are a touch seen from the other side.
NEARLY_FULL = 1e-5


def _turn(start: float, end: float, sense: float) -> float:
    """Return the angle from start to end in the given sense, in (-2 pi, 2 pi); 0 for a touch."""
    angle = (sense * (end - start)) % (2 * np.pi)
    return 0.0 if angle > 2 * np.pi - NEARLY_FULL else sense * angle


def _cross(a: Array, b: Array) -> Array:
    """Return the cross product of two vectors (3,); ``np.cross`` takes ten times as long."""
    (a0, a1, a2), (b0, b1, b2) = a.tolist(), b.tolist()
    return np.array([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0])


def cylinder_arc(first: Array, last: Array, before: Array) -> Array:
    """Return a helix about z between two tangent points; it turns the way in which the path arrives from ``before``."""
    sense = 1.0 if first[0] * (first[1] - before[1]) - first[1] * (first[0] - before[0]) >= 0 else -1.0
    start = np.arctan2(first[1], first[0])
    turn = _turn(start, np.arctan2(last[1], last[0]), sense)
    angle = start + turn * FRACTIONS
    r0, r1 = np.hypot(first[0], first[1]), np.hypot(last[0], last[1])
    radius = r0 + (r1 - r0) * FRACTIONS
    arc = np.empty((CONTROLS, 3))
    arc[:, 0], arc[:, 1] = radius * np.cos(angle), radius * np.sin(angle)
    arc[:, 2] = first[2] + (last[2] - first[2]) * FRACTIONS
    return arc


def sphere_arc(first: Array, last: Array, before: Array) -> Array:
    """Return a great circle about the origin between two tangent points; the path arrives from ``before``."""
    normal = _cross(first, last)
    size = np.linalg.norm(normal)
    arriving = _cross(first, first - before)
    if size < 1e-12 * np.linalg.norm(first) ** 2:
        normal, size = arriving, np.linalg.norm(arriving)
    axis = normal / size * (1.0 if normal @ arriving >= 0 else -1.0)
    e1 = first / np.linalg.norm(first)
    e2 = _cross(axis, e1)
    turn = _turn(0.0, float(np.arctan2(last @ e2, last @ e1)), 1.0)
    angle = turn * FRACTIONS
    r0, r1 = np.linalg.norm(first), np.linalg.norm(last)
    radius = r0 + (r1 - r0) * FRACTIONS
    return radius[:, None] * (np.cos(angle)[:, None] * e1 + np.sin(angle)[:, None] * e2)


def ellipsoid_arc(first: Array, last: Array, middle: Array, axes: Array) -> Array:
    """Return an ellipsoid's plane section through tangent points (3,) and the ``middle`` of OpenSim's arc."""
    normal = _cross(middle - first, last - first)
    size = np.linalg.norm(normal)
    if size < 1e-14:
        return first + FRACTIONS[:, None] * (last - first)
    normal /= size
    # in the space where the ellipsoid is a unit sphere the section is a circle
    m = normal * axes
    center = (normal @ first) * m / (m @ m)
    p, q, w = first / axes - center, last / axes - center, middle / axes - center
    radius = np.linalg.norm(p)
    e1, end_radius = p / radius, np.linalg.norm(q)
    e2 = _cross(m / np.linalg.norm(m), e1)
    end, way = float(np.arctan2(q @ e2, q @ e1)), float(np.arctan2(w @ e2, w @ e1))
    turn = end % (2 * np.pi)
    if way % (2 * np.pi) > turn:
        turn -= 2 * np.pi

    # OpenSim's tangent points are on the surface to 1e-7 m only
    growth = (end_radius - radius) / turn if turn else 0.0

    def place(angle: Array) -> Array:
        r = (radius + growth * angle)[:, None]
        return axes * (center + r * (np.cos(angle)[:, None] * e1 + np.sin(angle)[:, None] * e2))

    # the place's derivative over the angle is x * u + y * v
    u, v = axes * e1, axes * e2
    uu, uv, vv = u @ u, u @ v, v @ v

    def speed(angle: Array) -> Array:
        c, s, r = np.cos(angle), np.sin(angle), radius + growth * angle
        x, y = growth * c - r * s, growth * s + r * c
        return np.asarray(np.sqrt(x * x * uu + 2 * x * y * uv + y * y * vv))

    return place(_equal_length_angles(turn, speed))


#: Gauss points in [0, 1] and weights by which an arc's length is summed.
_GAUSS_POINTS, _GAUSS_WEIGHTS = 0.5 * (np.asarray(leggauss(24)) + np.array([[1.0], [0.0]]))


def _equal_length_angles(turn: float, speed: Callable[[Array], Array]) -> Array:
    """Return the angles in [0, turn] that stand at FRACTIONS of an arc's length; ``speed`` is that length per angle."""

    def length(angle: Array) -> Array:
        return np.asarray(speed(angle[:, None] * _GAUSS_POINTS) @ _GAUSS_WEIGHTS * angle)

    angle = turn * FRACTIONS
    total = float(length(angle[-1:])[0])
    for _ in range(8):
        step = (length(angle) - FRACTIONS * total) / speed(angle)
        angle = angle - step
        if np.abs(step).max() < 1e-14:
            break
    angle[0], angle[-1] = 0.0, turn
    return angle


def torus_arc(first: Array, last: Array, before: Array, radius: float, tube: float) -> Array:
    """Return a helix: OpenSim wraps a torus as the cylinder along its ring where the path is nearest."""
    azimuth = np.arctan2(first[1] + last[1], first[0] + last[0])

    def miss(a: float) -> Array:
        c, axis = radius * np.array([np.cos(a), np.sin(a), 0.0]), np.array([-np.sin(a), np.cos(a), 0.0])
        return np.array([np.linalg.norm(_cross(p - c, axis)) - tube for p in (first, last)])

    h = 1e-6
    for _ in range(30):
        value, slope = miss(azimuth), (miss(azimuth + h) - miss(azimuth - h)) / (2 * h)
        if slope @ slope < 1e-20:
            break
        step = (slope @ value) / (slope @ slope)
        azimuth -= step
        if abs(step) < 1e-14:
            break
    center = radius * np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
    axes = np.array(
        [[np.cos(azimuth), np.sin(azimuth), 0.0], [0.0, 0.0, 1.0], [np.sin(azimuth), -np.cos(azimuth), 0.0]]
    )
    local = cylinder_arc(axes @ (first - center), axes @ (last - center), axes @ (before - center))
    return center + local @ axes
