"""Central differences of fourth order, and the Lagrangian identities that tests check with them."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

FIRST = ((-2, 1 / 12), (-1, -8 / 12), (1, 8 / 12), (2, -1 / 12))
SECOND = ((-2, -1 / 12), (-1, 16 / 12), (0, -30 / 12), (1, 16 / 12), (2, -1 / 12))


def derivative(function: Callable[[float], Array], step: float) -> Array:
    """First derivative of ``function(t)`` at t = 0; truncation error is step^4 / 30 times the fifth derivative."""
    return sum(c * np.asarray(function(k * step)) for k, c in FIRST) / step


def second_derivative(function: Callable[[float], Array], step: float) -> Array:
    """Second derivative of ``function(t)`` at t = 0; truncation error is step^4 / 90 times the sixth derivative."""
    return sum(c * np.asarray(function(k * step)) for k, c in SECOND) / step**2


def gradient(function: Callable[[Array], Array], q: Array, step: float = 1e-3) -> Array:
    """Derivative of ``function(q)`` by every entry of q, on a new last axis."""
    q = np.asarray(q, float)
    eye = np.eye(q.size)
    return np.stack([derivative(lambda t, e=e: function(q + t * e), step) for e in eye], axis=-1)


def along_flow(function: Callable[[Array], Array], q: Array, u: Array, step: float = 1e-3) -> Array:
    """Second derivative of ``function(q)`` along q(t) = q + u t, so at udot = 0: positions x(q) give Jdot u."""
    u = np.asarray(u, float)
    scale = float(np.max(np.abs(u)))
    if scale == 0.0:
        return np.zeros_like(np.asarray(function(q)))
    return second_derivative(lambda t: function(q + t * u / scale), step) * scale**2


def christoffel_bias(mass_matrix: Callable[[Array], Array], q: Array, u: Array, step: float = 1e-3) -> Array:
    """Quadratic velocity vector h = -(Mdot u - 1/2 d(u^T M u)/dq) of a mass matrix M(q) [N m or N]."""
    u = np.asarray(u, float)
    by_q = gradient(mass_matrix, q, step)  # (nu, nu, nq)
    return -np.einsum("ijk,j,k->i", by_q, u, u) + 0.5 * np.einsum("jki,j,k->i", by_q, u, u)
