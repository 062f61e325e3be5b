"""Motions that a model's constraints leave free, as derivatives of all coordinates by independent ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr

from ..._core.arrays import Array
from ..._core.errors import ModelError

__all__ = ["Projection"]

#: Rows of G count as dependent below this share of the largest.
DEPENDENT = 1e-9
#: Motions break constraints by no more than this share of the largest entry of G.
BROKEN = 1e-7
#: How readily a coordinate is made dependent: followers and locked ones first, those of the base last.
EAGER, RELUCTANT = 1e3, 1e-3


class Projection:
    """The null space N of constraints G, with an identity in the rows of the independent coordinates.

    So each equation ``N^T tau`` belongs to one coordinate, with what acts on its followers folded in.

    Args:
        G: constraint Jacobian (rows, nu) at some pose of the motion.
        names: of the coordinates.
        eager: numbers of coordinates that are made dependent where one of several must be.
        reluctant: numbers of coordinates that are made dependent only where no other can be.

    Attributes:
        independent: numbers of the k independent coordinates.
    """

    def __init__(self, G: Array, names: Sequence[str], eager: Sequence[int], reluctant: Sequence[int]) -> None:
        self._names = names
        nu = G.shape[1]
        weight = np.ones(nu)
        weight[list(reluctant)] = RELUCTANT
        weight[list(eager)] = EAGER
        dependent = np.zeros(nu, dtype=bool)
        if len(G):
            _, R, order = qr(G * weight, mode="economic", pivoting=True)
            sizes = np.abs(np.diag(R))
            rank = int((sizes > DEPENDENT * sizes.max(initial=0.0)).sum())
            dependent[order[:rank]] = True
        self._dependent = dependent
        self.independent: NDArray[np.intp] = np.flatnonzero(~dependent)

    def at(self, G: Array, time: float) -> Array:
        """Return N (nu, k) at a pose with constraints G.

        Raises:
            ModelError: other coordinates depend on each other there.
        """
        nu = len(self._dependent)
        N = np.zeros((nu, len(self.independent)))
        N[self.independent, np.arange(len(self.independent))] = 1.0
        if len(G) and self._dependent.any():
            N[self._dependent] = -_solved(G[:, self._dependent], G[:, self.independent])
            broken = np.abs(self.folded(G, N)).max(axis=0, initial=0.0)
            if broken.max(initial=0.0) > BROKEN * np.abs(G).max(initial=0.0) * max(1.0, float(np.abs(N).max())):
                name = self._names[self.independent[int(broken.argmax())]]
                raise ModelError(
                    f"the constraints leave '{name}' no freedom at time {time:.6g} s, as they do elsewhere"
                )
        return N

    def folded(self, forces: Array, N: Array) -> Array:
        """Return generalized forces (..., nu) times N (nu, k): the forces (..., k) on the independent coordinates.

        Most of N is an identity; a product of whole matrices would start threads, which cost more than they bring.
        """
        d = self._dependent
        return np.asarray(forces[..., self.independent] + np.einsum("...d,dk->...k", forces[..., d], N[d]))


def _solved(A: Array, B: Array) -> Array:
    """Return X with ``A X = B`` for A (m, r) of rank r, by elimination; rows of A may depend on each other.

    LAPACK would start threads, which for matrices of this size cost more than they bring.
    """
    rank = A.shape[1]
    augmented = np.hstack([A, B])
    for k in range(rank):
        pivot = k + int(np.abs(augmented[k:, k]).argmax())
        if augmented[pivot, k] == 0.0:
            continue  # what depends on it is found to be broken
        augmented[[k, pivot]] = augmented[[pivot, k]]
        augmented[k] /= augmented[k, k]
        shares = augmented[:, k].copy()
        shares[k] = 0.0
        acting = np.flatnonzero(shares)
        augmented[acting] -= shares[acting, None] * augmented[k]
    return augmented[:rank, rank:]
