"""One muscle of :func:`limbs.limbs` as points: forces by Lagrange's equations, sliding or frozen to segments."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from .finite_differences import Array, derivative, gradient
from .limbs import GRAVITY, SEGMENTS

#: The pins' places in the parent and in the child, and the body-fixed angles that turn their axes.
PINS = (
    ((0.02, -0.15, 0.05), (0.5, -0.2, 0.1)),
    ((0.0, -0.35, 0.01), (0.2, 0.15, 0.1)),
    ((0.0, -0.3, 0.01), (-0.1, 0.5, 0.1)),
)
#: The path of muscle "long".
PATH = (
    ("trunk", (0.06, 0.0, 0.02)),
    ("thigh", (0.05, -0.1, 0.03)),
    ("shank", (0.04, -0.05, -0.02)),
    ("foot", (0.05, -0.04, 0.02)),
)
GAUSS = 0.5 + np.array([-0.5, 0.5]) / np.sqrt(3)  # exact for squares of places and of velocities

#: Bodies, and shares of the mass from the origin between which it is frozen to each.
Windows = Sequence[tuple[str, tuple[float, float]]]
Lagrangian = Callable[[Array, Array], float]


@dataclass(frozen=True)
class Muscle:
    """Material at ``s = offset + stretch L + share (length + growth L)`` of a path of length L.

    Attributes:
        offset, stretch, length, growth: numbers, ``offset`` perhaps one for each point.
        masses: of points [kg]; one number: that of continuous mass.
        shares: of the points; None: the mass is continuous.
    """

    offset: Array | float
    stretch: float
    length: float
    growth: float
    masses: Array | float
    shares: Array | None = None

    def arcs(self, shares: Array, L: float) -> Array:
        """Distances along the path from its origin (n,) [m]."""
        return self.offset + self.stretch * L + shares * (self.length + self.growth * L)

    def points(self, q: Array, cuts: Sequence[float] = ()) -> tuple[Array, Array]:
        """Shares and masses of points with the same integrals; continuous mass is cut at corners and at ``cuts``."""
        if self.shares is not None:
            return self.shares, np.asarray(self.masses)
        stations = _path(q, np.zeros(len(q)))[0]
        along = np.cumsum(np.linalg.norm(np.diff(stations, axis=0), axis=1))
        first, last = self.arcs(np.array([0.0, 1.0]), along[-1])
        edges = np.unique(np.clip([0.0, *(along - first) / (last - first), *cuts, 1.0], 0.0, 1.0))
        sizes = np.diff(edges)
        return (edges[:-1, None] + sizes[:, None] * GAUSS).ravel(), np.repeat(self.masses * sizes / 2, 2)

    def sliding(self) -> Lagrangian:
        def at(q: Array, u: Array) -> float:
            shares, masses = self.points(q)
            return _energy(masses, *self.along(shares, q, u))

        return at

    def frozen(self, q: Array, windows: Windows) -> Lagrangian:
        """T - V of the muscle with shares of its mass frozen to bodies as it lies at a pose."""
        shares, masses = self.points(q, [end for _, window in windows for end in window])
        places, _ = self.along(shares, q, np.zeros(len(q)))
        order = np.argsort(self.arcs(shares, self.length_at(q)), kind="stable")
        after = np.empty(len(masses))
        after[order] = np.cumsum(masses[order]) / masses.sum()
        before = after - masses / masses.sum()
        held = []
        for body, (first, last) in windows:
            inside = np.clip(np.minimum(after, last) - np.maximum(before, first), 0.0, None) * masses.sum()
            R, p, _, _ = _frames(q, np.zeros(len(q)))[body]
            held.append((body, inside, (places - p) @ R))

        def at(q: Array, u: Array) -> float:
            frames = _frames(q, u)
            return sum(_energy(inside, *_moved(frames[body], stations)) for body, inside, stations in held)

        return at

    def length_at(self, q: Array) -> float:
        """Length of the path [m]."""
        stations, _ = _path(q, np.zeros(len(q)))
        return float(np.linalg.norm(np.diff(stations, axis=0), axis=1).sum())

    def along(self, shares: Array, q: Array, u: Array) -> tuple[Array, Array]:
        """Places and velocities (n, 3) of material points."""
        stations, speeds = _path(q, u)
        edges, rates = np.diff(stations, axis=0), np.diff(speeds, axis=0)
        lengths = np.linalg.norm(edges, axis=1)
        units = edges / lengths[:, None]
        growth = (units * rates).sum(axis=1)
        turning = (rates - growth[:, None] * units) / lengths[:, None]
        starts, starts_rate = (np.concatenate([[0.0], np.cumsum(x)]) for x in (lengths, growth))
        s = self.arcs(shares, starts[-1])
        rate = (self.stretch + shares * self.growth) * starts_rate[-1]
        k = np.clip(np.searchsorted(starts, s) - 1, 0, len(lengths) - 1)
        ahead = (s - starts[k])[:, None]
        x = stations[k] + ahead * units[k]
        return x, speeds[k] + (rate - starts_rate[k])[:, None] * units[k] + ahead * turning[k]


def forces(lagrangian: Lagrangian, q: Array, u: Array, udot: Array) -> Array:
    """d/dt dL/dqdot - dL/dq at accelerations ``udot``, by differences of fourth order."""

    def momentum(t: float) -> Array:
        at = q + t * u + t**2 / 2 * udot
        return gradient(lambda v: lagrangian(at, v), u + t * udot, 1.0)  # exact: L is quadratic in speeds

    return derivative(momentum, 1e-3) - gradient(lambda x: lagrangian(x, u), q)


def _energy(masses: Array, x: Array, v: Array) -> float:
    return float(masses @ (0.5 * (v**2).sum(axis=1) - GRAVITY * x[:, 1]))


def _moved(frame: tuple[Array, Array, Array, Array], stations: Array) -> tuple[Array, Array]:
    R, p, w, v = frame
    arms = stations @ R.T
    return p + arms, v + np.cross(w, arms)


def _path(q: Array, u: Array) -> tuple[Array, Array]:
    """Places and velocities (n, 3) of the path points."""
    frames = _frames(q, u)
    each = [_moved(frames[body], np.array(station)) for body, station in PATH]
    return np.array([x for x, _ in each]), np.array([v for _, v in each])


def _frames(q: Array, u: Array) -> dict[str, tuple[Array, Array, Array, Array]]:
    """Rotation, place, angular velocity and velocity of the bodies; speeds are rx, ry, rz, x, y, z and the hinges'."""
    R, p, w, v = np.eye(3), q[3:6], np.zeros(3), u[3:6]
    frames = {"ground": (np.eye(3), np.zeros(3), np.zeros(3), np.zeros(3))}
    for axis in range(3):
        w = w + u[axis] * R[:, axis]
        R = R @ _turn(axis, q[axis])
    frames["trunk"] = (R, p, w, v)
    for body, (place, angles), x, rate in zip(SEGMENTS[1:], PINS, q[6:], u[6:], strict=True):
        tilt = _turn(0, angles[0]) @ _turn(1, angles[1]) @ _turn(2, angles[2])
        p, v = p + R @ place, v + np.cross(w, R @ place)
        w = w + rate * (R @ tilt)[:, 2]
        R = R @ tilt @ _turn(2, x) @ tilt.T
        frames[body] = (R, p, w, v)
    return frames


def _turn(axis: int, angle: float) -> Array:
    R, (i, j) = np.eye(3), ((axis + 1) % 3, (axis + 2) % 3)
    R[i, i] = R[j, j] = np.cos(angle)
    R[j, i] = np.sin(angle)
    R[i, j] = -R[j, i]
    return R
