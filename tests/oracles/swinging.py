"""The equations of motion of a model in which mass swings, as one system of q, u and the displacements' coordinates."""

from collections.abc import Sequence

import numpy as np

import opensim_inertia as oi
from opensim_inertia.dynamics.equations.swinging import swing_terms
from opensim_inertia.model.swings import Swings

from .finite_differences import Array
from .live_states import state_at


def sizes(inertial: oi.InertialModel, groups: Sequence[Swings]) -> tuple[int, list[tuple[int, int]]]:
    """The number of speeds, and of masses and their coordinates in each group."""
    return len(inertial.coordinate_names), [(len(g.names), g.coordinates) for g in groups]


def split(values: Array, shapes: Sequence[tuple[int, int]]) -> list[Array]:
    """Displacements' coordinates by group."""
    ends = np.cumsum([0, *(s * n for s, n in shapes)])
    return [values[a:b].reshape(shape) for a, b, shape in zip(ends[:-1], ends[1:], shapes, strict=True)]


def extended(
    inertial: oi.InertialModel, groups: Sequence[Swings], q: Array, z: Array, u: Array, rate: Array
) -> tuple[Array, Array, list[float]]:
    nu, shapes = sizes(inertial, groups)
    state = state_at(inertial, q, u)
    kinematics = inertial.dynamics.read(state)
    own = inertial.evaluate(state)
    n = nu + len(z)
    mass, force = np.zeros((n, n)), np.zeros(n)
    mass[:nu, :nu] = own.mass_matrix
    force[:nu] = own.bias + own.gravity
    energies = [own.kinetic_energy, own.potential_energy, 0.0]
    at = nu
    for group, its, its_rate in zip(groups, split(z, shapes), split(rate, shapes), strict=True):
        terms = swing_terms(group, kinematics, its, its_rate)
        k = slice(at, at + its.size)
        mass[:nu, :nu] += terms.mass_matrix
        mass[:nu, k] = terms.coupling.reshape(nu, -1)
        mass[k, :nu] = mass[:nu, k].T
        mass[k, k] = np.diag(np.repeat(terms.modal_mass, its.shape[1]))
        force[:nu] += terms.force
        force[k] = terms.own_force.ravel()
        for i, energy in enumerate((terms.kinetic, terms.gravity, terms.elastic)):
            energies[i] += energy
        at = k.stop
    return mass, force, energies


def rates(inertial: oi.InertialModel, groups: Sequence[Swings], y: Array, tension: float = 0.0) -> Array:
    """Rates of (q, z, u, rates of z) for models whose qdot is not u either; z is eliminated first, as it is in use."""
    nu, shapes = sizes(inertial, groups)
    count = sum(s * n for s, n in shapes)
    q, z, u, rate = np.split(y, np.cumsum([nu, count, nu]))
    state = state_at(inertial, q, u)
    inertial.model.realizeAcceleration(state)
    kinematics = inertial.dynamics.read(state, realized=True)
    mass, force = inertial.dynamics.added_terms(state)
    terms = [
        swing_terms(g, kinematics, its, its_rate, tension)
        for g, its, its_rate in zip(groups, split(z, shapes), split(rate, shapes), strict=True)
    ]
    following = [t.following() for t in terms]
    for reduced in (t.reduced() for t in terms):
        mass, force = mass + reduced[0], force + reduced[1]
    udot = inertial.dynamics.accelerations(state, state.getUDot().to_numpy(), added=(mass, force))
    zddot = [at_rest - gain @ udot for at_rest, gain in following]
    return np.concatenate([state.getQDot().to_numpy(), rate, udot, *zddot])
