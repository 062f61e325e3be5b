"""The directions in which the states of a model can move while its constraints are met.

Of coordinates and speeds that constraints bind to each other, some are independent and the others follow. The tangent
is parametrised by the independent ones, so that its coordinates are state variables and keep their names.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr

from ..arrays import Array
from ..equations.differences import PROJECTION_STEP, central
from ..equations.system import System
from ..inertial.constraints import DEPENDENT, constraint_jacobian

__all__ = ["Tangent", "tangent_at"]

Places = NDArray[np.intp]


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
    state = system.place(t, y)
    system.model.realizeVelocity(state)
    to_rates, to_speeds = system.coordinate_maps(state)
    slots, speeds = system.layout.coordinates.slots, np.arange(nq, nq + nu)
    rows = constraint_jacobian(system.model, state)
    of_coordinates = rows[: state.getNQErr()] @ to_speeds[:, slots]
    of_speeds = rows[: state.getNUErr()]  # those on coordinates among them
    free, follow, gain = _split(of_coordinates)
    same = None if len(of_coordinates) < len(of_speeds) or nq != nu else (free, follow)
    free_speeds, follow_speeds, speed_gain = _split(of_speeds, same)

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


def _split(rows: Array, given: tuple[Places, Places] | None = None) -> tuple[Places, Places, Array]:
    """Return which variables of ``rows @ x = 0`` are free, which follow them, and how (followers, free).

    Args:
        rows: (m, n), which may depend on each other.
        given: which are free and which follow, if that is known.
    """
    n = rows.shape[1]
    if not len(rows):
        return np.arange(n), np.zeros(0, dtype=int), np.zeros((0, n))
    if given is None:
        _, R, pivots = qr(rows, mode="economic", pivoting=True)
        sizes = np.abs(np.diag(R))
        rank = int((sizes > DEPENDENT * max(float(sizes[0]), np.finfo(float).tiny)).sum())
        given = np.sort(pivots[rank:]), np.sort(pivots[:rank])
    free, follow = given
    gain = -np.linalg.lstsq(rows[:, follow], rows[:, free], rcond=DEPENDENT)[0]
    return free, follow, np.asarray(gain)


def _speed_errors_over_coordinates(system: System, t: float, y: Array) -> Array:
    """Return the derivatives (m, nq) of the errors of the constraints on speeds."""

    def errors(q: Array) -> Array:
        state = system.place(t, np.r_[q, y[system.nq :]])
        system.model.realizeVelocity(state)
        return np.array(state.getUErr().to_numpy())

    q = np.asarray(y[: system.nq])
    columns = [central(errors, q, i, PROJECTION_STEP * (1 + abs(q[i]))) for i in range(system.nq)]
    return np.column_stack(columns)
