"""The linear system of constrained motion: a mass matrix bordered by the constraints' Jacobian.

    [ A  G^T ] [ x  ]   [ f ]
    [ G   0  ] [ mu ] = [ b ]

With A = M + dM x are accelerations, with A = M the smallest change that meets a constraint. Rows of G may be dependent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.errors import MissingInertiaError, SimulationError
from .._core.opensim import osim
from ..opensim_model.reading.kinematics import Kinematics

#: Rows of G count as dependent below this share of the largest singular value (in the metric of A or its diagonal).
DEPENDENT = 1e-9
#: Position and velocity constraints are met to this [m, rad and their rates].
CONSTRAINT_TOLERANCE = 1e-10
#: Newton steps within which a pose must meet the constraints. A step in time leaves little to correct.
PROJECTIONS = 20


def solve_accelerations(model: osim.Model, state: osim.State, A: Array, force: Array, udot0: Array) -> Array:
    """Return generalized accelerations (nu,) with A = M + dM and ``force`` = M udot0 + h + g_m at an accelerated state.

    OpenSim's own udot0 hold all of its forces, M udot0 = f - G^T lambda0, and meet its constraints, G udot0 = b.
    """
    if not len(force):
        return np.zeros(0)
    rows = constraint_jacobian(model, state)
    return bordered_solve(A, rows, force, rows @ udot0)


def constraint_jacobian(model: osim.Model, state: osim.State) -> Array:
    """Return Simbody's G (m, nu), whose rows are of constraints on positions, then on speeds, then on accelerations."""
    if state.getNUDotErr() == 0:
        return np.zeros((0, state.getNU()))
    matrix = osim.Matrix()
    model.getMatterSubsystem().calcG(state, matrix)
    return np.asarray(matrix.to_numpy())


def bordered_solve(A: Array, G: Array, f: Array, b: Array) -> Array:
    """Return x (n,) of the bordered system; MissingInertiaError: A is not positive definite where G leaves it free."""
    from scipy.linalg import blas, lapack  # only now: models without constraints do without it

    factor, failed = lapack.dpotrf(A, lower=1)
    if failed and not np.isfinite(A).all():
        return np.full(len(f), np.nan)
    if failed:
        inverse = ConstrainedInverse(A, G)
        return inverse.forces @ f + inverse.constraints @ b
    free, _ = lapack.dpotrs(factor, f, lower=1)
    if len(G) == 0:
        return np.asarray(free)
    # in coordinates L^T x the metric is the identity, and the smallest correction is the least squares one
    scaled = blas.dtrsm(1.0, factor, G.T, lower=1)  # LAPACK's dtrtrs would start threads, for milliseconds
    missing = b - G @ free
    if not np.isfinite(missing).all():
        return np.full(len(f), np.nan)
    (m, n), x = G.shape, np.zeros((max(G.shape), 1))
    x[:m, 0] = missing
    free_columns, workspace = np.zeros((n, 1), dtype=np.int32), 4 * (m + n) + 1
    correction = lapack.dgelsy(scaled.T, x, free_columns, DEPENDENT, workspace)[1][:n, 0]
    return np.asarray(free + blas.dtrsv(factor, correction, lower=1, trans=1))


def followers(rows: Array, weights: Array) -> NDArray[np.intp]:
    """Return which variables of ``rows @ x = 0`` follow the others; ``weights`` (n,) say how readily each follows."""
    rest, chosen = rows * weights, []
    for _ in range(int(np.linalg.matrix_rank(rows, rtol=DEPENDENT)) if rows.any() else 0):
        chosen.append(int((rest**2).sum(axis=0).argmax()))
        along = rest[:, chosen[-1]] / np.linalg.norm(rest[:, chosen[-1]])
        rest = rest - np.outer(along, along @ rest)
    return np.sort(np.array(chosen, dtype=np.intp))


def poses_on_the_way(
    kinematics: Kinematics,
    state: osim.State,
    moved: Callable[[Array, Array, Array], Array] | None = None,
    keep: Sequence[int] = (),
) -> list[Array]:
    """Return poses (nq,) from a state's to one that meets the constraints, by smallest Newton steps in the metric M.

    Coordinates ``keep`` keep their values. ``moved`` returns the next pose of a pose, speeds (nu,), and the change
    (nq,) by their rates; default: the sum. SimulationError: constraints cannot be met.
    """
    model = kinematics.model
    poses = [state.getQ().to_numpy().copy()]
    rows, error, change = None, np.zeros(0), osim.Vector()
    for _ in range(PROJECTIONS):
        model.realizePosition(state)
        error = state.getQErr().to_numpy()
        if np.abs(error).max(initial=0.0) <= CONSTRAINT_TOLERANCE:
            return poses
        rows, M = constraint_jacobian(model, state), kinematics.mass_matrix(state)
        bound = np.vstack([rows[: len(error)], np.eye(len(M))[list(keep)]])
        speeds = bordered_solve(M, bound, np.zeros(len(M)), np.append(-error, np.zeros(len(keep))))
        model.getMatterSubsystem().multiplyByN(state, False, osim.Vector.createFromMat(speeds), change)
        by_rates = change.to_numpy()
        poses.append(poses[-1] + by_rates if moved is None else moved(poses[-1], speeds, by_rates))
        state.setQ(osim.Vector.createFromMat(poses[-1]))
    off = np.abs(error)
    worst, names = int(np.argmax(np.where(np.isfinite(off), off, np.inf))), kinematics.coordinates.names
    if rows is None or not np.isfinite(rows[worst]).all():
        raise SimulationError("constraints cannot be met: the pose cannot be evaluated", state.getTime())
    coordinates = [f"'{names[i]}'" for i in np.argsort(-np.abs(rows[worst]))[:4] if abs(rows[worst, i]) > 1e-6]
    which = " and ".join(coordinates) or "no coordinate that can move"
    raise SimulationError(f"constraints cannot be met: one on {which} stays off by {off[worst]:.3g}", state.getTime())


class ConstrainedInverse:
    """Matrices of the solution x = ``forces`` (n, n) f + ``constraints`` (n, m) b; errors of :func:`bordered_solve`."""

    def __init__(self, A: Array, G: Array) -> None:
        diagonal = np.diag(A)
        self._scale = 1 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
        scaled = self._scale[:, None] * A * self._scale
        left, sizes, right = np.linalg.svd(G * self._scale)
        rank = int((sizes > DEPENDENT * sizes.max(initial=0.0)).sum())
        free = right[rank:].T
        inertia = free.T @ scaled @ free
        try:
            root = np.linalg.inv(np.linalg.cholesky(inertia)) @ free.T
        except np.linalg.LinAlgError:
            problem = "the mass matrix is not positive definite: a body that can move has no mass or inertia"
            error = MissingInertiaError(problem)
            error.motion = self._scale * (free @ np.linalg.eigh(inertia)[1][:, 0])
            raise error from None
        self._least_squares = right[:rank].T / sizes[:rank] @ left[:, :rank].T
        forces = root.T @ root
        self.forces = self._scale[:, None] * forces * self._scale
        self.constraints = self._scale[:, None] * (self._least_squares - forces @ (scaled @ self._least_squares))

    def multipliers(self, force: Array) -> Array:
        """Return the multipliers (m,) with which G^T lambda comes nearest to a force (n,)."""
        return np.asarray(self._least_squares.T @ (self._scale * force))
