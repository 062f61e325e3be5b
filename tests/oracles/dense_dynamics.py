"""Constrained accelerations by plain dense algebra: null space, forces and masses column by column."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from opensim_inertia._core.opensim import osim

from .finite_differences import Array
from .numpy_kernel import MaterialMap


def dense_accelerations(inertial: Any, state: osim.State, forces: Array | None = None) -> Array:
    """Accelerations (nu,) of an InertialModel whose muscles' mass is that of its ``mass_points``."""
    mass, force = rigid_terms(inertial.model, state)
    if forces is not None:
        force = force + forces
    added, bias, weight = point_terms(inertial, state)
    rows, wanted = constraint_rows(inertial.model, state)
    free = null_space(rows)
    start = np.linalg.pinv(rows, rcond=1e-9) @ wanted if len(rows) else np.zeros(len(force))
    total = mass + added
    reduced = np.linalg.solve(free.T @ total @ free, free.T @ (force + bias + weight - total @ start))
    return start + free @ reduced


def rigid_terms(model: osim.Model, state: osim.State) -> tuple[Array, Array]:
    """M (nu, nu) and all generalized forces (nu,), those of inertia included, by OpenSim's inverse dynamics."""
    model.realizeDynamics(state)
    solver = osim.InverseDynamicsSolver(model)
    n = state.getNU()

    def needed(udot: Array) -> Array:
        return solver.solve(state, osim.Vector.createFromMat(udot)).to_numpy().copy()

    force = -needed(np.zeros(n))
    return np.stack([needed(one) + force for one in np.eye(n)], axis=1), force


def point_terms(inertial: Any, state: osim.State) -> tuple[Array, Array, Array]:
    """dM, h and g_m summed over mass points."""
    n = state.getNU()
    mass, bias, weight = np.zeros((n, n)), np.zeros(n), np.zeros(n)
    gravity = inertial.model.getGravity().to_numpy()
    for m, _, J, a in sliding_points(inertial, state):
        mass += m * J.T @ J
        bias -= m * J.T @ a
        weight += m * J.T @ gravity
    return mass, bias, weight


def sliding_points(inertial: Any, state: osim.State) -> Iterator[tuple[float, Array, Array, Array]]:
    """Mass, place, Jacobian and Jdot u of mass points; points frozen to segments have negative masses."""
    for points in inertial.mass_points(state).values():
        yield from zip(points.masses, points.positions, points.jacobians, points.jdot_u, strict=True)
    reference, bodies = inertial.reference_state(), inertial.kinematics.bodies
    then, now = inertial.dynamics.read(reference), inertial.dynamics.read(state)
    points_then, lengths = inertial.mass_points(reference), inertial.path_lengths(reference)["path"]
    for muscle, (first, last), donor in zip(*inertial.frozen.parts, inertial.frozen.donors, strict=True):
        name, b = inertial.muscle_names[muscle], bodies.index(donor)
        points, m = points_then[name], inertial.material_map(name)
        material = MaterialMap(m.phi, m.slack, m.proximal, m.shortest, m.hold_width, m.aponeurosis)
        pairs = zip(points.starts, points.fractions, strict=True)
        order = np.argsort([material.fibre(chi).arc_length(xi, lengths[name])[0] for chi, xi in pairs], kind="stable")
        ends = np.cumsum(points.masses[order]) / points.masses.sum()
        shares = np.empty(len(ends))
        shares[order] = np.clip(np.minimum(last, ends) - np.maximum(first, np.r_[0.0, ends[:-1]]), 0.0, None)
        stations = (points.positions - then.position[b]) @ then.rotation[b]
        angular, linear = now.jacobian[6 * b : 6 * b + 3], now.jacobian[6 * b + 3 : 6 * b + 6]
        spin, bias = angular @ now.u, now.simbody_bias[b]
        for mass, r in zip(shares * points.masses.sum(), stations @ now.rotation[b].T, strict=True):
            J = linear + np.cross(angular, r, axisa=0, axisc=0)
            yield -mass, now.position[b] + r, J, bias[3:] + np.cross(bias[:3], r) + np.cross(spin, np.cross(spin, r))


def constraint_rows(model: osim.Model, state: osim.State) -> tuple[Array, Array]:
    """G (m, nu) and what G udot must be (m,)."""
    model.realizeVelocity(state)
    if state.getNUDotErr() == 0:
        return np.zeros((0, state.getNU())), np.zeros(0)
    matrix, bias = osim.Matrix(), osim.Vector()
    matter = model.getMatterSubsystem()
    matter.calcG(state, matrix)
    matter.calcBiasForAccelerationConstraints(state, bias)
    return matrix.to_numpy().copy(), -bias.to_numpy().copy()


def null_space(rows: Array) -> Array:
    """Orthonormal motions (nu, n) that the rows allow."""
    if len(rows) == 0:
        return np.eye(rows.shape[1])
    _, sizes, basis = np.linalg.svd(rows)
    rank = int((sizes > 1e-9 * sizes.max()).sum())
    return basis[rank:].T


def momentum(inertial: Any, state: osim.State) -> Array:
    """Angular momentum about ground's origin and linear momentum (6,), of segments and mass points."""
    inertial.model.realizeVelocity(state)
    bones = inertial.model.getMatterSubsystem().calcSystemMomentumAboutGroundOrigin(state)
    angular, linear = (bones.get(i).to_numpy().copy() for i in (0, 1))
    u = state.getU().to_numpy()
    for m, x, J, _ in sliding_points(inertial, state):
        linear = linear + m * J @ u
        angular = angular + np.cross(x, m * J @ u)
    return np.concatenate([angular, linear])
