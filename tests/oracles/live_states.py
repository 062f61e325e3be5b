"""Inertial models at states given as arrays, and what mechanics asks of their terms and mass points there."""

from collections.abc import Iterable

import numpy as np
import pytest

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim
from opensim_inertia.paths.kernel.evaluation import InertialTerms, MassPointKinematics

from .finite_differences import Array, along_flow, christoffel_bias, gradient

REORDERED = 1e-12  # Relative: the same sum in another order
FIRST = 1e-8  # m per rad or m: fourth-order stencils with steps of 2e-5, rounding 1e-16 / 2e-5
SECOND = 1e-6  # Relative: second differences over 5e-5 s in a transition 2 mm wide, rounding 1e-16 / 2.5e-9


def state_at(inertial: oi.InertialModel, q: Array, u: Array | None = None) -> osim.State:
    """A new state; at rest without ``u``."""
    state = inertial.initial_state()
    state.setQ(osim.Vector.createFromMat(np.asarray(q, float)))
    state.setU(osim.Vector.createFromMat(np.zeros(len(q)) if u is None else np.asarray(u, float)))
    return state


def pseudo_inertia(body: osim.Body) -> Array:
    """``[[S, m c], [m c^T, m]]`` of a body about its origin, with S its second moments."""
    m, c, i = body.getMass(), body.getMassCenter().to_numpy(), body.get_inertia()
    xx, yy, zz, xy, xz, yz = (i.get(k) for k in range(6))
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    second = 0.5 * np.trace(inertia) * np.eye(3) - inertia + m * np.outer(c, c)
    return np.block([[second, m * c[:, None]], [m * c[None], np.array([[m]])]])


def positions(inertial: oi.InertialModel, q: Array) -> Array:
    """Places (n, 3) of the mass points of muscle "muscle"."""
    return inertial.mass_points(state_at(inertial, q), jacobians=False)["muscle"].positions


def answers(inertial: oi.InertialModel, q: Array, u: Array) -> list[Array]:
    """Numbers of every kind that a model gives at a state."""
    state = state_at(inertial, q, u)
    terms = inertial.evaluate(state)
    points = [
        x for p in inertial.mass_points(state).values() for x in (p.positions, p.velocities, p.jacobians, p.jdot_u)
    ]
    lengths = inertial.path_lengths(state).to_numpy(float)
    segments = inertial.segments.to_numpy()
    energies = np.array([terms.kinetic_energy, terms.potential_energy])
    return [terms.mass_matrix, terms.bias, terms.gravity, energies, *points, lengths, segments, inertial.udot(state)]


def close(value: Array, expected: Array, tolerance: float) -> None:
    """Equal relative to the largest entry, which is not zero."""
    scale = np.abs(expected).max()
    assert scale > 1e-6
    np.testing.assert_allclose(value, expected, rtol=0, atol=tolerance * scale)


def check_lagrangian(inertial: oi.InertialModel, q: Array, u: Array, tolerance: float, step: float) -> None:
    """Of muscles, h is dM's Christoffel form, g_m the slope of potential energy; dM is that of kinetic energy."""

    def muscles(q: Array, u: Array | None = None) -> InertialTerms:
        return inertial.evaluate(state_at(inertial, q, u), subtract_frozen=False)

    terms = muscles(q, u)
    close(terms.bias, christoffel_bias(lambda at: muscles(at).mass_matrix, q, u, step), tolerance)
    slope = gradient(lambda at: muscles(at).potential_energy, q, step)
    close(terms.gravity, -slope, tolerance)
    assert terms.kinetic_energy == pytest.approx(0.5 * u @ terms.mass_matrix @ u, rel=1e-11)
    assert np.linalg.eigvalsh(terms.mass_matrix).min() > -1e-12 * np.abs(terms.mass_matrix).max()


def check_derivatives(inertial: oi.InertialModel, q: Array, u: Array, step: float, least: int) -> None:
    """Of the places of muscle "muscle", against differences; of at least so many points the accelerations too."""
    points = inertial.mass_points(state_at(inertial, q, u))["muscle"]
    slope = gradient(lambda at: positions(inertial, at), q, 2e-5)
    np.testing.assert_allclose(points.jacobians, slope, rtol=0, atol=FIRST)
    np.testing.assert_allclose(points.velocities, points.jacobians @ u, rtol=0, atol=1e-10)
    fine, coarse = (along_flow(lambda at: positions(inertial, at), q, u, h) for h in (step, 2 * step))
    # J is continuous but Jdot u jumps by (speed)^2 / radius where a point slides over a tangent point
    smooth = np.abs(fine - coarse).max(axis=1) < SECOND * np.abs(fine).max()
    assert smooth.sum() >= least
    np.testing.assert_allclose(points.jdot_u[smooth], fine[smooth], rtol=0, atol=SECOND * np.abs(fine).max())


def check_sums(terms: InertialTerms, points: Iterable[MassPointKinematics], g: Array) -> None:
    """dM, h and g_m of muscles are the sums over the mass points, in gravity ``g`` (3,)."""
    points = list(points)
    close(terms.mass_matrix, sum(np.einsum("k,kci,kcj->ij", p.masses, p.jacobians, p.jacobians) for p in points), 1e-11)
    close(terms.bias, -sum(np.einsum("k,kci,kc->i", p.masses, p.jacobians, p.jdot_u) for p in points), 1e-11)
    close(terms.gravity, sum(np.einsum("k,kci,c->i", p.masses, p.jacobians, g) for p in points), 1e-11)
