"""The muscle terms of a polyline, once more, slowly: explicit arc-length kinematics instead of automatic derivatives.

Path point i is P_i, segment k runs along the unit vector e from P_k with length l, the path before it is S_k long. A
material point at arc length s stands at x = P_k + (s - S_k) e; its Jacobian, velocity and acceleration at udot = 0 are
that product differentiated by hand.

Mass lies along a line, beta in [0, 1], or fills a square, (chi, xi) in [0, 1]^2: fibres that begin along one
aponeurosis and end along another. Sums over the square are double integrals by Gauss points, cut wherever the line of
material that is at a corner bends or ends. What that line owes to h is told where it is added.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from .chain import Body
from .finite_differences import Array


def smooth_ramp(x: float) -> tuple[float, float, float]:
    """P(x), P'(x), P''(x): 0 for x < -1, x for x > 1, and in between twice the integral of 15/16 (1 - x^2)^2."""
    if x <= -1.0:
        return 0.0, 0.0, 0.0
    if x >= 1.0:
        return float(x), 1.0, 0.0
    value = 5 / 32 + x / 2 + (15 / 16) * (x**2 / 2 - x**4 / 6 + x**6 / 30)
    slope = 1 / 2 + (15 / 16) * (x - 2 * x**3 / 3 + x**5 / 5)
    return value, slope, (15 / 16) * (1 - x**2) ** 2


#: A material point: beta, which is xi of the fibre that begins first, or (chi, xi).
Material = float | tuple[float, float]


@dataclass(frozen=True)
class MaterialMap:
    """Where the fibres are: at path length L they are B = hold(phi L - slack) long; the first starts at A = f (L - B).

    Between aponeuroses the fibre chi starts at A + chi P with P = aponeurosis (L - B). A belly with an aponeurosis is
    thus many without, side by side, each with an f of its own: see ``fibre``.

    Attributes:
        phi: share of the path's length that the belly takes, before the slack is subtracted.
        slack: length of the rigid tendons [m].
        f: share of what the belly leaves that lies proximal of it.
        bmin, w: shortest belly and half width of the zone in which it is approached [m]; w = 0 switches this off.
        aponeurosis: share of what the belly leaves along which fibres begin; at most 1 - f.
    """

    phi: float = 1.0
    slack: float = 0.0
    f: float = 0.0
    bmin: float = 0.0
    w: float = 0.0
    aponeurosis: float = 0.0

    def fibre(self, chi: float) -> MaterialMap:
        """The map of the fibre that starts at the share chi along the aponeurosis."""
        return replace(self, f=self.f + chi * self.aponeurosis, aponeurosis=0.0)

    def fibres(self, corners: Array, nodes: int) -> list[tuple[MaterialMap, float]]:
        """Fibres that stand for all, and their weights: Gauss points between those that begin or end at a corner."""
        length = float(corners[-1])
        b = self.belly(length)[0]
        if self.aponeurosis == 0.0:
            return [(self, 1.0)]
        starts = np.concatenate([corners, corners - b]) - self.f * (length - b)
        cuts = np.unique(np.concatenate([[0.0, 1.0], np.clip(starts / (self.aponeurosis * (length - b)), 0.0, 1.0)]))
        x, w = np.polynomial.legendre.leggauss(nodes)
        pieces = [(lo, hi) for lo, hi in zip(cuts[:-1], cuts[1:], strict=True) if hi - lo > 1e-9]
        return [
            (self.fibre(float(lo + (hi - lo) * 0.5 * (at + 1))), float(0.5 * weight * (hi - lo)))
            for lo, hi in pieces
            for at, weight in zip(x, w, strict=True)
        ]

    def belly(self, length: float) -> tuple[float, float, float]:
        """B, dB/dL and d2B/dL2."""
        free = self.phi * length - self.slack
        if self.w == 0.0:
            return free, self.phi, 0.0
        p, dp, ddp = smooth_ramp((free - self.bmin) / self.w)
        return self.bmin + self.w * p, self.phi * dp, self.phi**2 * ddp / self.w

    def arc_length(self, at: Material, length: float) -> tuple[float, float, float]:
        """s, ds/dL and d2s/dL2 of the material point ``at``: beta in [0, 1], or (chi, xi) in [0, 1]^2."""
        chi, xi = at if isinstance(at, tuple) else (0.0, at)
        share = self.f + chi * self.aponeurosis
        b, db, ddb = self.belly(length)
        return share * (length - b) + xi * b, share * (1 - db) + xi * db, (xi - share) * ddb


@dataclass(frozen=True)
class Points:
    """Point masses [kg] at fractions beta of the belly, or at pairs (chi, xi)."""

    fractions: Sequence[Material]
    masses: Sequence[float]


@dataclass(frozen=True)
class Continuous:
    """A mass [kg] spread evenly over beta in [0, 1]; over the square if the map has an aponeurosis."""

    mass: float


@dataclass(frozen=True)
class Fibres:
    """A mass [kg] spread evenly over (chi, xi) in [0, 1]^2."""

    mass: float


@dataclass(frozen=True)
class PointMotion:
    """Position (3,), Jacobian (3, nu), velocity (3,) and Jdot u (3,) of one material point, in ground."""

    position: Array
    jacobian: Array
    velocity: Array
    jdot_u: Array


@dataclass(frozen=True)
class Terms:
    """The muscle's terms in (M + dM) udot = ... + h + g_m, and its energies [J]."""

    mass_matrix: Array
    bias: Array
    gravity: Array
    kinetic_energy: float
    potential_energy: float


@dataclass
class Path:
    """A polyline through body-fixed points at one state."""

    bodies: Sequence[Body]
    stations: Sequence[tuple[int, Sequence[float]]]
    points: list[PointMotion] = field(init=False)

    def __post_init__(self) -> None:
        self.points = [_station_motion(self.bodies[b], np.asarray(x, float)) for b, x in self.stations]
        self.elements = [_segment(a, b) for a, b in zip(self.points[:-1], self.points[1:], strict=True)]
        nu = self.points[0].jacobian.shape[1]
        start = (0.0, np.zeros(nu), 0.0, 0.0)
        self.before = [start]  # length, gradient, rate and acceleration of the path up to every corner
        for s in self.elements:
            start = tuple(a + b for a, b in zip(start, (s.length, s.gradient, s.rate, s.acceleration), strict=True))
            self.before.append(start)

    @property
    def length(self) -> float:
        """Length of the whole path [m]."""
        return float(self.before[-1][0])

    @property
    def corner_lengths(self) -> Array:
        """Arc length at every path point, both ends included (n,) [m]."""
        return np.array([b[0] for b in self.before])

    def segment_at(self, s: float) -> int:
        """Index of the segment that holds arc length ``s``; the ends extend their segments."""
        return int(np.clip(np.searchsorted(self.corner_lengths, s, side="right") - 1, 0, len(self.elements) - 1))

    def material_point(self, at: Material, material: MaterialMap, segment: int | None = None) -> PointMotion:
        """Motion of the material point ``at``; ``segment`` forces the side to take at a corner."""
        total, gradient, rate, acceleration = self.before[-1]
        s, s_l, s_ll = material.arc_length(at, total)
        k = self.segment_at(s) if segment is None else segment
        seg, first = self.elements[k], self.points[k]
        length0, gradient0, rate0, acceleration0 = self.before[k]
        sigma = s - length0
        sigma_gradient = s_l * gradient - gradient0
        sigma_rate = s_l * rate - rate0
        sigma_acceleration = s_l * acceleration + s_ll * rate**2 - acceleration0
        return PointMotion(
            first.position + sigma * seg.direction,
            first.jacobian + sigma * seg.direction_jacobian + np.outer(seg.direction, sigma_gradient),
            first.velocity + sigma * seg.direction_rate + sigma_rate * seg.direction,
            first.jdot_u
            + sigma * seg.direction_acceleration
            + 2 * sigma_rate * seg.direction_rate
            + sigma_acceleration * seg.direction,
        )

    def corner_fraction(self, corner: int, material: MaterialMap, chi: float = 0.0) -> tuple[float, float, Array]:
        """Material coordinate beta (xi of the fibre ``chi``) of a corner, its rate and its gradient."""
        total, gradient, rate, _ = self.before[-1]
        here, here_gradient, here_rate, _ = self.before[corner]
        b = material.belly(total)[0]
        xi = (here - material.arc_length((chi, 0.0), total)[0]) / b
        s_l = material.arc_length((chi, xi), total)[1]
        return float(xi), float((here_rate - s_l * rate) / b), (here_gradient - s_l * gradient) / b

    def bends(self, material: MaterialMap) -> Array:
        """chi in [0, 1], ends included, between which no corner comes to or leaves a fibre's end."""
        total, at = self.length, [0.0, 1.0]
        length = material.arc_length((1.0, 0.0), total)[0] - material.arc_length((0.0, 0.0), total)[0]
        for corner in self.corner_lengths[1:-1] if length > 0 else ():
            at += [(corner - material.arc_length((0.0, xi), total)[0]) / length for xi in (0.0, 1.0)]
        return np.unique(np.clip(at, 0.0, 1.0))


def evaluate(
    path: Path,
    material: MaterialMap,
    distribution: Points | Continuous | Fibres,
    gravity: Sequence[float] = (0.0, -9.80665, 0.0),
) -> Terms:
    """The muscle terms."""
    g = np.asarray(gravity, float)
    nu = path.points[0].jacobian.shape[1]
    mass_matrix, bias, g_m = np.zeros((nu, nu)), np.zeros(nu), np.zeros(nu)
    kinetic = potential = 0.0

    def add(point: PointMotion, mass: float) -> None:
        nonlocal mass_matrix, bias, g_m, kinetic, potential
        mass_matrix = mass_matrix + mass * point.jacobian.T @ point.jacobian
        bias = bias - mass * point.jacobian.T @ point.jdot_u
        g_m = g_m + mass * point.jacobian.T @ g
        kinetic += 0.5 * mass * point.velocity @ point.velocity
        potential -= mass * g @ point.position

    if isinstance(distribution, Points):
        for beta, mass in zip(distribution.fractions, distribution.masses, strict=True):
            add(path.material_point(beta, material), mass)
        return Terms(mass_matrix, bias, g_m, float(kinetic), float(potential))

    def add_fibre(chi: float, mu: float) -> None:
        """One fibre, of mass ``mu`` per unit of xi.

        A corner moves along it at the rate adot, so that of its momentum d/dt integral mu J^T v dxi passes through the
        corner - mu adot [J^T v], and of dT/dq = d/dq integral mu/2 v.v dxi just so - mu/2 [v.v] a_q; [] is after minus
        before. h takes the first with minus and the second with plus.
        """
        nonlocal bias
        corners = [path.corner_fraction(i, material, chi) for i in range(1, len(path.points) - 1)]
        cuts = [0.0, *(float(np.clip(c[0], 0.0, 1.0)) for c in corners), 1.0]
        for k, (lo, hi) in enumerate(zip(cuts[:-1], cuts[1:], strict=True)):
            if hi > lo:  # every integrand is quadratic in xi here, so Simpson's rule is exact
                for xi, weight in ((lo, 1 / 6), ((lo + hi) / 2, 4 / 6), (hi, 1 / 6)):
                    add(path.material_point((chi, xi), material, segment=k), mu * weight * (hi - lo))
        for i, (xi, rate, gradient) in enumerate(corners):
            if 0.0 < xi < 1.0:
                before = path.material_point((chi, xi), material, segment=i)
                after = path.material_point((chi, xi), material, segment=i + 1)
                jump = after.jacobian.T @ after.velocity - before.jacobian.T @ before.velocity
                square = after.velocity @ after.velocity - before.velocity @ before.velocity
                bias = bias + mu * (rate * jump - 0.5 * square * gradient)

    if isinstance(distribution, Continuous) and material.aponeurosis == 0.0:
        add_fibre(0.0, distribution.mass)
        return Terms(mass_matrix, bias, g_m, float(kinetic), float(potential))
    nodes, weights = np.polynomial.legendre.leggauss(4)  # a fibre's sums are cubic in chi between two bends; exact
    bends = path.bends(material)
    for lo, hi in zip(bends[:-1], bends[1:], strict=True):
        for x, weight in zip(nodes, weights, strict=True):
            add_fibre(float((lo + hi + x * (hi - lo)) / 2), distribution.mass * weight * (hi - lo) / 2)
    return Terms(mass_matrix, bias, g_m, float(kinetic), float(potential))


@dataclass(frozen=True)
class _Segment:
    length: float
    gradient: Array
    rate: float
    acceleration: float
    direction: Array
    direction_jacobian: Array
    direction_rate: Array
    direction_acceleration: Array


def _segment(a: PointMotion, b: PointMotion) -> _Segment:
    """Return length and direction of the straight line from one moving point to another, and their derivatives."""
    d = b.position - a.position
    d_jacobian, d_rate, d_acceleration = b.jacobian - a.jacobian, b.velocity - a.velocity, b.jdot_u - a.jdot_u
    length = float(np.sqrt(d @ d))
    e = d / length
    gradient, rate = e @ d_jacobian, float(e @ d_rate)
    acceleration = float(e @ d_acceleration + (d_rate @ d_rate - rate**2) / length)
    e_rate = (d_rate - e * rate) / length
    return _Segment(
        length,
        gradient,
        rate,
        acceleration,
        e,
        (d_jacobian - np.outer(e, gradient)) / length,
        e_rate,
        (d_acceleration - e * acceleration - 2 * rate * e_rate) / length,
    )


def _station_motion(body: Body, station: Array) -> PointMotion:
    r = body.rotation @ station
    jacobian = body.jacobian[3:] + np.cross(body.jacobian[:3].T, r).T
    velocity = body.velocity + np.cross(body.omega, r)
    jdot_u = body.acceleration + np.cross(body.alpha, r) + np.cross(body.omega, np.cross(body.omega, r))
    return PointMotion(body.position + r, jacobian, velocity, jdot_u)
