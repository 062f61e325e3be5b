"""The directions in which the states of a model can move while its constraints are met.

Of coordinates and speeds that constraints bind to each other, some are independent and the others follow. The tangent
is parametrised by the independent ones, so that its coordinates are state variables and keep their names.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr

from ...._core.arrays import Array
from ....dynamics.equations.differences import PROJECTION_STEP, central
from ....dynamics.equations.system import System
from ....model import InertialModel
from ....model.constraints import DEPENDENT, constraint_jacobian
from ....opensim_model.reading.coordinates import couplings

__all__ = ["Tangent", "followers", "readiness", "tangent_at"]

Places = NDArray[np.intp]

#: How much more readily coordinates follow that couplers call dependent.
READY = 1e3


class Tangent(NamedTuple):
    """The tangent of the constraints at one state.

    Attributes:
        independent: the entries of y that are independent, (n,), in ascending order.
        basis: how y changes with them (ny, n); its rows at ``independent`` are the identity.
    """

    independent: NDArray[np.intp]
    basis: Array


def tangent_at(system: System, t: float, y: Array) -> Tangent:
    """Return the tangent at t [s] and y (ny,), which meets the constraints."""
    nq, nu, ny = system.nq, system.nu, len(y)
    state = system.set_state(t, y)
    system.model.realizeVelocity(state)
    to_rates, to_speeds = system.coordinate_maps(state)
    slots, speeds = system.layout.coordinates.slots, np.arange(nq, nq + nu)
    rows = constraint_jacobian(system.model, state)
    of_coordinates = rows[: state.getNQErr()] @ to_speeds[:, slots]
    of_speeds = rows[: state.getNUErr()]  # those on coordinates among them
    weights = readiness(system.inertial)
    follow = followers(of_coordinates, weights)
    same = len(of_coordinates) == len(of_speeds) and nq == nu
    follow_speeds = follow if same else followers(of_speeds, weights)
    free, gain = _gain(of_coordinates, follow)
    free_speeds, speed_gain = _gain(of_speeds, follow_speeds)

    independent = np.concatenate([slots[free], speeds[free_speeds], np.arange(nq + nu, ny)])
    n, split = len(independent), len(free)
    basis = np.zeros((ny, n))
    basis[independent, np.arange(n)] = 1.0
    basis[slots[follow], :split] = gain
    basis[speeds[follow_speeds], split : split + len(free_speeds)] = speed_gain
    if len(of_speeds) and y[speeds].any():
        turning = _speed_errors_over_coordinates(system, t, y) @ basis[:nq]
        basis[speeds[follow_speeds]] -= np.linalg.pinv(of_speeds[:, follow_speeds], rcond=DEPENDENT) @ turning
    order = np.argsort(independent)
    return Tangent(independent[order], basis[:, order])


def followers(rows: Array, weights: Array) -> Places:
    """Return which variables of ``rows @ x = 0`` follow the others, in ascending order.

    Args:
        rows: (m, n), which may depend on each other.
        weights: how readily each variable follows (n,).
    """
    if not rows.any():
        return np.zeros(0, dtype=np.intp)
    rank = np.linalg.matrix_rank(rows, rtol=DEPENDENT)
    pivots = qr(rows * weights, mode="r", pivoting=True)[1]
    return np.sort(pivots[:rank]).astype(np.intp)


def readiness(inertial: InertialModel) -> Array:
    """Return how readily each coordinate follows others (nu,): those that couplers say depend on others, first."""
    weights = np.ones(len(inertial.coordinate_names))
    for coupling in couplings(inertial.model, inertial.coordinates, inertial.reference[None]):
        weights[coupling.dependent] = READY
    return weights


def _gain(rows: Array, follow: Places) -> tuple[Places, Array]:
    """Return which variables of ``rows @ x = 0`` are free, and how the others follow them (followers, free)."""
    free = np.setdiff1d(np.arange(rows.shape[1]), follow)
    if not len(follow):
        return free, np.zeros((0, len(free)))
    return free, -np.asarray(np.linalg.lstsq(rows[:, follow], rows[:, free], rcond=DEPENDENT)[0])


def _speed_errors_over_coordinates(system: System, t: float, y: Array) -> Array:
    """Return the derivatives (m, nq) of the errors of the constraints on speeds."""

    def errors(q: Array) -> Array:
        state = system.set_state(t, np.r_[q, y[system.nq :]])
        system.model.realizeVelocity(state)
        return np.array(state.getUErr().to_numpy())

    q = np.asarray(y[: system.nq])
    columns = [central(errors, q, i, PROJECTION_STEP * (1 + abs(q[i]))) for i in range(system.nq)]
    return np.column_stack(columns)
