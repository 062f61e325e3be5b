"""A planar double pendulum whose muscle's belly swings: Lagrange's equations by SymPy, and the machine in OpenSim."""

from collections.abc import Callable
from functools import cache

import numpy as np

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
        return np.concatenate([y[3:], np.linalg.solve(mass, on)])

    return rates, lambda y: compute(y[:3], y[3:], stiffness, damping)[2]


@cache
def _derived() -> Callable[..., tuple[Array, Array, float]]:
    """Return the mass matrix, the forces and the energy as a function of coordinates, speeds, stiffness and damping."""
    import sympy as sp  # which each process of tests would import otherwise, and few need

    x, v, stiffness = sp.symbols("x0:3"), sp.Matrix(sp.symbols("v0:3")), sp.Symbol("k")
    along = [sp.Matrix([sp.sin(a), -sp.cos(a)]) for a in (x[0], x[0] + x[1])]
    beside = [sp.Matrix([sp.cos(a), sp.sin(a)]) for a in (x[0], x[0] + x[1])]
    knee = LENGTH * along[0]
    ends = [-FIRST[0] * along[0] + FIRST[1] * beside[0], knee - SECOND[0] * along[1] + SECOND[1] * beside[1]]
    chord = ends[1] - ends[0]
    sideways = sp.Matrix([-chord[1], chord[0]]) / sp.sqrt(chord.dot(chord))
    centres = [LENGTH / 2 * along[0], knee + LENGTH / 2 * along[1]]
    height = ROD * (centres[0][1] + centres[1][1])
    height += MUSCLE * ((ends[0][1] + ends[1][1]) / 2 + 2 / sp.pi * x[2] * sideways[1])
    potential = GRAVITY * height + stiffness / 2 * x[2] ** 2
    places = sp.Matrix.vstack(ends[0], chord, x[2] * sideways, *centres)
    J = places.jacobian(x)
    terms = (J, (J * v).jacobian(x) * v, sp.Matrix([potential]).jacobian(x), potential)
    compute = sp.lambdify((x, tuple(v), stiffness), terms, cse=True)

    # the muscle is at ends[0] + c chord + sin(pi c) x[2] sideways: integrals over c of products of 1, c and sin
    W = np.diag([0.0] * 3 + [ROD] * 2)
    W[:3, :3] = MUSCLE * np.array([[1, 1 / 2, 2 / np.pi], [1 / 2, 1 / 3, 1 / np.pi], [2 / np.pi, 1 / np.pi, 1 / 2]])
    W = np.kron(W, np.eye(2))
    turns = np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]])
    turning = ROD * LENGTH**2 / 12 * turns.T @ turns

    def of(x: Array, v: Array, stiffness: float, damping: float) -> tuple[Array, Array, float]:
        J, drift, slope, potential = compute(x, v, stiffness)
        mass = J.T @ W @ J + turning
        force = -J.T @ W @ drift.ravel() - slope.ravel() - [0.0, 0.0, damping * v[2]]
        return mass, force, float(v @ mass @ v / 2 + potential)

    return of


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
    """Mass, centre and inertia about it of a rod, with a line of the muscle's mass if its ends are given."""
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
