"""A planar double pendulum of rods with one straight muscle whose belly swings: Lagrange's equations by SymPy, and the
same machine in OpenSim."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import sympy as sp

from opensim_inertia._core.opensim import osim

from .finite_differences import Array

LENGTH, ROD, MUSCLE, GRAVITY = 0.5, 1.0, 0.6, 9.81
#: Stations of the muscle's ends on the first and the second rod, seen from their joints [m]: along it and beside it.
FIRST, SECOND = (-0.2, 0.06), (-0.35, 0.05)


def equations(stiffness: float, damping: float = 0.0) -> tuple[Callable[[Array], Array], Callable[[Array], float]]:
    """Return the rates of (q1, q2, d, and theirs), and the energy [J] as functions of these six numbers."""
    compute = _derived()

    def rates(y: Array) -> Array:
        mass, on, _ = compute(y[:3], y[3:], stiffness, damping)
        return np.concatenate([y[3:], np.linalg.solve(mass, on.ravel())])

    return rates, lambda y: float(compute(y[:3], y[3:], stiffness, damping)[2])


@cache
def _derived() -> Callable[..., tuple[Array, Array, float]]:
    """Return the mass matrix, the forces and the energy as a function of coordinates, speeds, stiffness and damping."""
    t, stiffness, damping = sp.symbols("t k c")
    q = [sp.Function(name)(t) for name in ("q1", "q2", "d")]
    along = [sp.Matrix([sp.sin(a), -sp.cos(a)]) for a in (q[0], q[0] + q[1])]
    beside = [sp.Matrix([sp.cos(a), sp.sin(a)]) for a in (q[0], q[0] + q[1])]
    knee = LENGTH * along[0]
    ends = [-FIRST[0] * along[0] + FIRST[1] * beside[0], knee - SECOND[0] * along[1] + SECOND[1] * beside[1]]
    c = sp.Symbol("c")
    chord = ends[1] - ends[0]
    sideways = sp.Matrix([-chord[1], chord[0]]) / sp.sqrt(chord.dot(chord))
    place = ends[0] + c * chord + sp.sin(sp.pi * c) * q[2] * sideways
    velocity = place.diff(t)
    # the integral over c of a quadratic in (1, c, sin): by its coefficients, whose integrals are known
    one, lin, wave = (velocity.subs(sp.sin(sp.pi * c), 0).subs(c, 0), chord.diff(t), (q[2] * sideways).diff(t))
    pairs = [(one, one, 1), (lin, lin, sp.Rational(1, 3)), (wave, wave, sp.Rational(1, 2))]
    mixed = [(one, lin, sp.Rational(1, 2)), (one, wave, 2 / sp.pi), (lin, wave, 1 / sp.pi)]
    squared = sum(a.dot(b) * w for a, b, w in pairs) + 2 * sum(a.dot(b) * w for a, b, w in mixed)
    centres = [LENGTH / 2 * along[0], knee + LENGTH / 2 * along[1]]
    kinetic = MUSCLE / 2 * squared
    for centre, angle in zip(centres, (q[0], q[0] + q[1]), strict=True):
        turning = ROD * LENGTH**2 / 12
        kinetic += ROD / 2 * centre.diff(t).dot(centre.diff(t)) + turning / 2 * angle.diff(t) ** 2
    height = ROD * (centres[0][1] + centres[1][1])
    height += MUSCLE * ((ends[0][1] + ends[1][1]) / 2 + 2 / sp.pi * q[2] * sideways[1])
    potential = GRAVITY * height + stiffness / 2 * q[2] ** 2
    x, v = sp.symbols("x0:3"), sp.symbols("v0:3")
    plain = dict(zip([*(f.diff(t) for f in q), *q], [*v, *x], strict=True))
    T, V = (e.subs({k: plain[k] for k in list(plain)[:3]}).subs({k: plain[k] for k in q}) for e in (kinetic, potential))
    M = sp.Matrix([[T.diff(a, b) for a in v] for b in v])
    momentum = sp.Matrix([T.diff(a) for a in v])
    force = sp.Matrix([(T - V).diff(a) for a in x]) - momentum.jacobian(x) * sp.Matrix(v)
    force[2] -= damping * v[2]
    return sp.lambdify((x, v, stiffness, damping), (M, force, T + V), cse=True)


def model() -> osim.Model:
    """The machine, whose second rod as published has the muscle's mass, lying as both rods hang straight."""
    made = osim.Model()
    made.setName("swinging_pendulum")
    made.setGravity(osim.Vec3(0, -GRAVITY, 0))
    start, end = np.array([FIRST[1], LENGTH + FIRST[0], 0.0]), np.array([SECOND[1], SECOND[0], 0.0])
    frames = [made.getGround()]
    for i in range(2):
        body = osim.Body(f"rod{i + 1}", *_rod(start, end) if i else _rod())
        made.addBody(body)
        at = osim.Vec3(0, -LENGTH * i, 0)
        made.addJoint(osim.PinJoint(f"pin{i + 1}", frames[-1], at, osim.Vec3(0), body, osim.Vec3(0), osim.Vec3(0)))
        frames.append(body)
    muscle = osim.Thelen2003Muscle("mus", 100.0, 0.2, 0.1, 0.0)
    muscle.addNewPathPoint("P1", frames[1], osim.Vec3(FIRST[1], FIRST[0], 0))
    muscle.addNewPathPoint("P2", frames[2], osim.Vec3(SECOND[1], SECOND[0], 0))
    muscle.set_appliesForce(False)
    made.addForce(muscle)
    made.finalizeConnections()
    return made


def _rod(start: Array | None = None, end: Array | None = None) -> tuple[float, osim.Vec3, osim.Inertia]:
    """Mass, centre and inertia about it of a rod, with a line of the muscle's mass if its ends are given.

    Only the second moment along the rod turns it; others are there so that what is left is a body.
    """
    thin = 1e-3  # kg m^2
    parts = [(ROD, np.array([0.0, -LENGTH / 2, 0.0]), np.diag([thin, ROD * LENGTH**2 / 12 - thin, thin]))]
    if start is not None and end is not None:
        parts.append((MUSCLE, (start + end) / 2, MUSCLE / 12 * np.outer(end - start, end - start)))
    mass = sum(m for m, _, _ in parts)
    centre = sum((m * c for m, c, _ in parts), np.zeros(3)) / mass
    spread = sum((s + m * np.outer(c - centre, c - centre) for m, c, s in parts), np.zeros((3, 3)))
    inertia = np.trace(spread) * np.eye(3) - spread
    products = osim.Vec3(inertia[0, 1], inertia[0, 2], inertia[1, 2])
    return mass, osim.Vec3(*map(float, centre)), osim.Inertia(osim.Vec3(*map(float, np.diag(inertia))), products)
