"""Accelerations under constraints and projections of poses, by a bordered linear system.

    [ A  G^T ] [ x  ]   [ f ]
    [ G   0  ] [ mu ] = [ b ]

With A = M + dM, x are accelerations; with A = M, x is the smallest correction. Rows of G may be dependent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.errors import MissingInertiaError, SimulationError
from .._core.opensim import osim
from ..opensim_model.reading.kinematics import Kinematics

#: Rows of G are dependent below this share of the largest singular value (in the metric of A or its diagonal).
DEPENDENT = 1e-9
#: Tolerance of position and velocity constraints [m, rad and rates].
CONSTRAINT_TOLERANCE = 1e-10
#: Largest number of Newton steps of a projection.
PROJECTIONS = 20


def solve_accelerations(model: osim.Model, state: osim.State, A: Array, force: Array, udot0: Array) -> Array:
    """Return accelerations (nu,) under constraints, from mass matrix A and ``force`` (nu,), both with muscle mass.

    A = M + dM, ``force`` = M udot0 + h + g_m; OpenSim's udot0 satisfies M udot0 = f - G^T lambda0 and G udot0 = b.
    """
    if not len(force):
        return np.zeros(0)
    rows = constraint_jacobian(model, state)
    return bordered_solve(A, rows, force, rows @ udot0)


def constraint_jacobian(model: osim.Model, state: osim.State) -> Array:
    """Return Simbody's Jacobian G (m, nu) of all enforced constraints on positions, speeds and accelerations."""
    if state.getNUDotErr() == 0:
        return np.zeros((0, state.getNU()))
    matrix = osim.Matrix()
    model.getMatterSubsystem().calcG(state, matrix)
    return np.asarray(matrix.to_numpy())


def bordered_solve(A: Array, G: Array, f: Array, b: Array) -> Array:
    """Solve A x + G^T mu = f and G x = b for x (n,); MissingInertiaError: A is not positive definite where G x = 0."""
    from scipy.linalg import blas, lapack  # only models with constraints need it

    factor, failed = lapack.dpotrf(A, lower=1)
    if failed and not np.isfinite(A).all():
        return np.full(len(f), np.nan)
    if failed:
        inverse = ConstrainedInverse(A, G)
        return inverse.forces @ f + inverse.constraints @ b
    free, _ = lapack.dpotrs(factor, f, lower=1)
    if len(G) == 0:
        return np.asarray(free)
    # in coordinates L^T x the metric is the identity, so the smallest correction is a least-squares solution
    scaled = blas.dtrsm(1.0, factor, G.T, lower=1)  # unlike LAPACK's dtrtrs, runs on one thread
    missing = b - G @ free
    if not np.isfinite(missing).all():
        return np.full(len(f), np.nan)
    (m, n), x = G.shape, np.zeros((max(G.shape), 1))
    x[:m, 0] = missing
    free_columns, workspace = np.zeros((n, 1), dtype=np.int32), 4 * (m + n) + 1
    correction = lapack.dgelsy(scaled.T, x, free_columns, DEPENDENT, workspace)[1][:n, 0]
    return np.asarray(free + blas.dtrsv(factor, correction, lower=1, trans=1))


def followers(rows: Array, weights: Array) -> NDArray[np.intp]:
    """Return indices of entries of x (n,) to eliminate by ``rows @ x = 0``, preferably with large ``weights`` (n,)."""
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
    """Project a state's pose onto the constraints by Newton steps (metric: mass matrix); return all poses (nq,).

    Coordinates ``keep`` are fixed. ``moved`` maps a pose, speeds (nu,) and qdot (nq,) to the next pose; default: the
    sum. SimulationError: constraints cannot be met.
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
    """Solution x = ``forces`` (n, n) @ f + ``constraints`` (n, m) @ b of A x + G^T mu = f, G x = b; mass matrix A."""

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
        """Return multipliers lambda (m,) that solve G^T lambda = ``force`` (n,) by least squares."""
        return np.asarray(self._least_squares.T @ (self._scale * force))
