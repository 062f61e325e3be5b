"""Rightmost roots of linear equations with delays.

    dx/dt = A x(t) + sum_k A_k x(t - tau_k)

has infinitely many roots s, for which the characteristic matrix D(s) = s - A - sum_k A_k exp(-s tau_k) is singular;
those to the right of any vertical line are finitely many. The states of the last max(tau) seconds are represented by
values at Chebyshev points (Breda D, Maset S, Vermiglio R (2005), SIAM J Sci Comput 27:482-495), and the
eigenvalues of the operator that moves these in time are polished by Newton's method on D.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.polynomial import chebyshev

from ...._core.arrays import Array

__all__ = ["characteristic_matrix", "rightmost_roots", "stability_map"]

#: Chebyshev points to begin with, and at most; they are doubled until the roots asked for no longer change.
POINTS, MOST_POINTS = 16, 256
#: Largest size of the eigenvalue problem.
LARGEST = 1500
#: Combinations of states come back with a delay if their singular value is above this share of the largest.
RANK = 1e-13
#: Roots agree if they differ by less than this, relative to 1 + size.
AGREEMENT = 1e-6
#: A root that Newton's method moves by more than this, relative to 1 + size, was none or is multiple; it is none if the
#: smallest singular value of D there is above this share of the largest.
STRAYED, SINGULAR = 1e-2, 1e-6
#: Newton steps that polish a root, and the change, relative to 1 + size, at which it is found.
POLISHING, POLISHED = 20, 1e-15


def characteristic_matrix(s: complex, A: Array, delayed: Sequence[Array], delays: Sequence[float]) -> Array:
    """Return D(s) = s - A - sum_k A_k exp(-s tau_k), complex (n, n)."""
    D = s * np.eye(len(A)) - A
    for Ak, tau in zip(delayed, delays, strict=True):
        D = D - Ak * np.exp(-s * tau)
    return np.asarray(D)


def rightmost_roots(A: Array, delayed: Sequence[Array], delays: Sequence[float], count: int = 10) -> Array:
    """Return the rightmost roots, complex, the rightmost first; both of a conjugate pair.

    Args:
        A: (n, n).
        delayed: the matrices A_k, each (n, n).
        delays: the delays tau_k [s], positive.
        count: how many roots to return at least, but not more than have been found reliably.
    """
    if not len(A):
        return np.zeros(0, dtype=complex)
    if not len(delays):
        return _sorted(np.asarray(np.linalg.eigvals(A), dtype=complex))
    points, before = POINTS, np.zeros(0, dtype=complex)
    while True:
        guesses = _sorted(np.linalg.eigvals(_generator(A, delayed, delays, points)))[: count + 1]
        roots = [_polished(s, A, delayed, delays) for s in guesses.tolist()]
        ordered = _sorted(_in_pairs(np.array([root for root in roots if root is not None], dtype=complex)))
        agree = 0 < len(ordered) == len(before) and bool((_distances(ordered, before) < AGREEMENT).all())
        if agree or 2 * points > MOST_POINTS or 2 * points * len(A) > LARGEST:
            return ordered
        points, before = 2 * points, ordered


def stability_map(A: Array, delayed: Array, gains: Sequence[float] | Array, delays: Sequence[float] | Array) -> Array:
    """Return how fast the fastest change grows [1/s], negative where all die away, over gain and delay.

    Args:
        A: the matrix (n, n) without the feedback.
        delayed: the matrix (n, n) of the feedback at gain 1.
        gains: G factors of the feedback.
        delays: D delays of the feedback [s]; zero is allowed.

    Returns:
        (D, G).
    """
    result = np.empty((len(delays), len(gains)))
    for i, tau in enumerate(delays):
        for j, gain in enumerate(gains):
            roots = (
                rightmost_roots(A, [gain * delayed], [tau], 1) if tau else rightmost_roots(A + gain * delayed, [], [])
            )
            result[i, j] = roots[0].real
    return result


def _generator(A: Array, delayed: Sequence[Array], delays: Sequence[float], points: int) -> Array:
    """Return the matrix that moves the state and its past in time.

    The past is held of the combinations V x of states that come back only, r of them, at Chebyshev points of the last
    max(tau) seconds: the matrix is (n + r points) square.
    """
    n, longest = len(A), max(delays)
    _, sizes, right = np.linalg.svd(np.vstack(delayed))
    V = right[: int((sizes > RANK * max(sizes[0], np.finfo(float).tiny)).sum())]
    x = np.cos(np.pi * np.arange(points + 1) / points)  # 1 is now, -1 is max(tau) ago
    to_coefficients = np.linalg.inv(chebyshev.chebvander(x, points))
    slopes = np.column_stack([chebyshev.chebval(x, chebyshev.chebder(unit)) for unit in np.eye(points + 1)])
    moving: Any = (slopes @ to_coefficients * (2 / longest))[1:]
    now = np.kron(moving[:, :1], V)
    big: Array = np.block([[A, np.zeros((n, len(V) * points))], [now, np.kron(moving[:, 1:], np.eye(len(V)))]])
    for Ak, tau in zip(delayed, delays, strict=True):
        at = chebyshev.chebvander(np.array([1 - 2 * tau / longest]), points) @ to_coefficients
        big[:n, :n] += at[0, 0] * Ak
        big[:n, n:] += np.kron(at[:, 1:], Ak @ V.T)
    return big


def _polished(s: complex, A: Array, delayed: Sequence[Array], delays: Sequence[float]) -> complex | None:
    """Return a root of D near s by Newton's method on its smallest singular pair; s itself where the method leaves it,
    as a multiple root, but None if that is no root.
    """
    start = s
    for _ in range(POLISHING):
        D = characteristic_matrix(s, A, delayed, delays)
        left, _, right = np.linalg.svd(D)
        u, v = left[:, -1].conj(), right[-1].conj()
        slope = np.eye(len(A), dtype=complex)
        for Ak, tau in zip(delayed, delays, strict=True):
            slope += tau * Ak * np.exp(-s * tau)
        turn = u @ slope @ v
        change = (u @ D @ v) / turn if turn else np.inf
        if not abs(s - change - start) < STRAYED * (1 + abs(start)):
            D = characteristic_matrix(start, A, delayed, delays)
            sizes = np.linalg.svd(D, compute_uv=False)
            return start if sizes[-1] <= SINGULAR * max(sizes[0], 1 + abs(start)) else None
        s = s - change
        if abs(change) <= POLISHED * (1 + abs(s)):
            break
    return complex(s)


def _distances(roots: Array, others: Array) -> Array:
    """Return how far each root is from the nearest of others, relative to 1 + its size."""
    return np.asarray(np.abs(roots[:, None] - others).min(axis=1) / (1 + np.abs(roots)))


def _in_pairs(roots: Any) -> Array:
    """Return roots of a real problem with tiny imaginary parts removed, and no lone one of a conjugate pair."""
    real = np.abs(roots.imag) <= 1e-12 * (1 + np.abs(roots))
    roots = np.where(real, roots.real + 0j, roots)
    lone = [z for z in roots if z.imag and np.abs(roots - z.conjugate()).min() > 1e-9 * (1 + abs(z))]
    return np.concatenate([roots, np.conj(lone)]) if lone else roots


def _sorted(values: Any) -> Array:
    return np.asarray(values[np.lexsort((-values.imag, -values.real))])
