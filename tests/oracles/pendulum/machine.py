"""Dynamics of the pendulum in plain numbers: rods by closed forms, the muscle's terms from the kernel given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import cos, sin
from typing import Any

import numpy as np

from ..finite_differences import Array
from ..kernel_records import fixed, muscle, site, surface
from .geometry import Geometry

GRAVITY = 9.80665  # m/s^2

#: dM (2, 2), h + g_m (2,), kinetic and potential energy of the muscle at q, u.
Terms = tuple[Array, Array, float, float]


@dataclass
class Frames:
    """Arrays of one state as the kernel takes them; written in place."""

    q: Array = field(default_factory=lambda: np.zeros(2))
    u: Array = field(default_factory=lambda: np.zeros(2))
    rotation: Array = field(default_factory=lambda: np.stack([np.eye(3)] * 3))
    position: Array = field(default_factory=lambda: np.zeros((3, 3)))
    jacobian: Array = field(default_factory=lambda: np.zeros((18, 2)))
    bias: Array = field(default_factory=lambda: np.zeros((3, 6)))

    def put(self, length: float, q1: float, q2: float, u1: float, u2: float) -> tuple[Array, ...]:
        """The arrays at a state."""
        for b, angle in ((1, q1), (2, q1 + q2)):
            c, s = cos(angle), sin(angle)
            R = self.rotation[b]
            R[0, 0] = R[1, 1] = c
            R[0, 1], R[1, 0] = -s, s
        x, y = length * sin(q1), -length * cos(q1)  # the second pin
        J = self.jacobian
        J[8, 0] = J[14, 0] = J[14, 1] = 1.0
        J[15, 0], J[16, 0] = -y, x
        self.q[0], self.q[1], self.u[0], self.u[1] = q1, q2, u1, u2
        self.position[2, 0], self.position[2, 1] = x, y
        self.bias[2, 3], self.bias[2, 4] = -u1 * u1 * x, -u1 * u1 * y
        return self.q, self.u, self.rotation, self.position, self.jacobian, self.bias, self.bias


def rigid_terms(g: Geometry, q1: float, q2: float, u1: float, u2: float) -> tuple[float, ...]:
    """M11, M12, M22, all forces f1, f2 at udot = 0, kinetic and potential energy of the rods."""
    c1, s1, c2, s2 = cos(q1), sin(q1), cos(q1 + q2), sin(q1 + q2)
    (m1, m2), (i1, i2) = g.masses, g.inertias
    (ax, ay), (bx, by) = g.centres
    x1, y1 = c1 * ax - s1 * ay, s1 * ax + c1 * ay
    rx, ry = c2 * bx - s2 * by, s2 * bx + c2 * by  # from the second pin
    px, py = g.lengths[0] * s1, -g.lengths[0] * c1
    x2, y2 = px + rx, py + ry
    m11 = i1 + m1 * (x1 * x1 + y1 * y1) + i2 + m2 * (x2 * x2 + y2 * y2)
    m12 = i2 + m2 * (x2 * rx + y2 * ry)
    m22 = i2 + m2 * (rx * rx + ry * ry)
    # acceleration of the second centre at udot = 0; the first's is along its arm
    ax2, ay2 = -u1 * u1 * px - (u1 + u2) ** 2 * rx, -u1 * u1 * py - (u1 + u2) ** 2 * ry
    f1 = -m1 * GRAVITY * x1 - m2 * (GRAVITY * x2 + x2 * ay2 - y2 * ax2)
    f2 = -m2 * (GRAVITY * rx + rx * ay2 - ry * ax2)
    kinetic = 0.5 * (m11 * u1 * u1 + 2 * m12 * u1 * u2 + m22 * u2 * u2)
    return m11, m12, m22, f1, f2, kinetic, GRAVITY * (m1 * y1 + m2 * y2)


def kernel_terms(
    kernel: Any, g: Geometry, smoothing: float, wraps: bool = True, network: Any = None, rotation: Array | None = None
) -> Callable[..., Terms]:
    """The muscle's terms from the kernel module given: continuous mass, uniform strain over the whole path.

    Args:
        smoothing: half width h of the transition at touch [m]; 0: the exact path, with its kink.
        wraps: False: the straight chord, wherever the cylinder is.
        network: leads the path over the cylinder in place of the formula.
        rotation: of the cylinder's frame in its body.
    """
    cylinder = surface("cylinder", (g.radius, 1.0), smoothing, g.turn, network=network)
    sites = [site(cylinder, g.cylinder, rotation, [*g.centre, 0.0])] if wraps else []
    points = [fixed(b, x) for b, x in (g.origin, g.insertion)]
    record = muscle("muscle", points, (1.0, 0.0, 0.0, 0.0, 0.0), g.muscle, sites=sites)
    muscle_kernel = kernel.Kernel(3, 2, np.array([0.0, -GRAVITY, 0.0]), [record])
    frames = Frames()

    def terms(q1: float, q2: float, u1: float, u2: float) -> Terms:
        evaluated = muscle_kernel.evaluate(kernel.State(*frames.put(g.lengths[0], q1, q2, u1, u2)))
        return evaluated.mass_matrix, evaluated.bias + evaluated.gravity, evaluated.kinetic, evaluated.potential

    return terms


@dataclass
class Machine:
    """Rods and muscle together; a state ``y`` is (q1, q2, u1, u2)."""

    geometry: Geometry
    muscle: Callable[..., Terms]

    def mass_matrix(self, q: Array) -> Array:
        """M + dM (2, 2)."""
        a, b, c = rigid_terms(self.geometry, *q, 0.0, 0.0)[:3]
        return np.array([[a, b], [b, c]]) + self.muscle(*q, 0.0, 0.0)[0]

    def __call__(self, t: float, y: Array) -> Array:
        """dy/dt: (M + dM) udot = f + h + g_m."""
        state = y.tolist()
        a, b, c, f1, f2, _, _ = rigid_terms(self.geometry, *state)
        dM, bias, _, _ = self.muscle(*state)
        (da, db), (_, dc) = dM.tolist()
        h1, h2 = bias.tolist()
        a, b, c, f1, f2 = a + da, b + db, c + dc, f1 + h1, f2 + h2
        det = a * c - b * b
        return np.array([state[2], state[3], (c * f1 - b * f2) / det, (a * f2 - b * f1) / det])

    def energies(self, states: Array) -> tuple[Array, Array]:
        """Kinetic and potential energy (T,) of states (T, 4)."""
        rods = np.array([rigid_terms(self.geometry, *y)[5:] for y in states.tolist()])
        muscle = np.array([self.muscle(*y)[2:] for y in states.tolist()])
        return tuple((rods + muscle).T)
