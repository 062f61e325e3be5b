"""The constraints of a recruitment problem as solvers take them: independent equations with orthonormal rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array

__all__ = ["Program", "program_of", "scaled"]

#: Equations count as dependent below this share of the largest.
DEPENDENT = 1e-10
#: Equations without unknowns are met where this share of the largest right-hand side is missing.
UNMET = 1e-9
#: An activation is determined by the equations alone where all but this much of it lies in their span.
FORCED = 1e-10


@dataclass(frozen=True)
class Program:
    """Bounds and equations of n activations.

    Attributes:
        rows: (r, n), orthonormal unless something else is said.
        right: (r,): ``rows @ a = right``.
        lower, upper: (n,), which may be infinite.
    """

    rows: Array
    right: Array
    lower: Array
    upper: Array

    def residual(self, a: Array) -> float:
        """Return by how much activations miss the equations, at most."""
        return float(np.abs(self.rows @ a - self.right).max(initial=0.0))

    @property
    def forced(self) -> NDArray[np.bool_]:
        """Whether the equations alone determine an activation, (n,), as they do residual forces on a free pelvis."""
        return np.asarray((self.rows**2).sum(axis=0) >= 1.0 - FORCED)

    def bounded(self, lower: Array, upper: Array) -> Program:
        """Return the program with other bounds."""
        return replace(self, lower=lower, upper=upper)


def program_of(A: Array, b: Array, lower: Array, upper: Array) -> Program | None:
    """Return the program of equations ``A a = b``, whose rows may depend on each other.

    None: they contradict each other, or ask for what nothing acts on.
    """
    plain = scaled(A, b, lower, upper)
    if plain is None:
        return None
    rows, right = orthonormal(plain.rows, plain.right)
    if (np.abs(right[len(rows) :]) > UNMET * max(1.0, float(np.abs(right).max(initial=0.0)))).any():
        return None
    return Program(rows, right[: len(rows)], lower, upper)


def scaled(A: Array, b: Array, lower: Array, upper: Array) -> Program | None:
    """Return the program with each equation divided by the size of its row; the rows are not made orthonormal.

    Equations whose row is zero are left out; None where the right-hand side of one of them is not zero.
    """
    sizes = np.sqrt((A**2).sum(axis=1))
    acting = sizes > DEPENDENT * sizes.max(initial=0.0)
    if (np.abs(b[~acting]) > UNMET * np.abs(b).max(initial=0.0)).any():
        return None
    return Program(A[acting] / sizes[acting, None], b[acting] / sizes[acting], lower, upper)


def orthonormal(rows: Array, right: Array) -> tuple[Array, Array]:
    """Return equations with orthonormal rows (r, n) that span the same space, and their right-hand sides (m,).

    Right-hand sides beyond the r-th belong to rows that depend on others; in equations without contradiction they are
    zero. The method is modified Gram-Schmidt with pivoting and reorthogonalization: LAPACK's QR would start threads,
    which for matrices of this size cost more than they bring.
    """
    rows, right = rows.copy(), right.copy()
    for k in range(len(rows)):
        squared_norms = np.einsum("ij,ij->i", rows[k:], rows[k:])
        pivot = k + int(squared_norms.argmax())
        if squared_norms[pivot - k] < DEPENDENT**2:
            return rows[:k].copy(), right
        rows[[k, pivot]], right[[k, pivot]] = rows[[pivot, k]], right[[pivot, k]]
        again = np.einsum("ij,j->i", rows[:k], rows[k])
        rows[k] -= np.einsum("i,ij->j", again, rows[:k])
        right[k] -= again @ right[:k]
        size = np.sqrt(np.einsum("j,j->", rows[k], rows[k]))
        rows[k] /= size
        right[k] /= size
        shares = np.einsum("ij,j->i", rows[k + 1 :], rows[k])
        rows[k + 1 :] -= shares[:, None] * rows[k]
        right[k + 1 :] -= shares * right[k]
    return rows, right
