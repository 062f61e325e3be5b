"""Driven linear oscillators along the rows of a motion, each stepped as finely as it needs.

Their coefficients are splines of the fifth degree through the rows. Steps solve stiffness and damping exactly, and what
drives an oscillator to the sixth order; they are cut in parts until the answer does not change: see
:func:`~opensim_inertia._kernel.oscillate`.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.errors import MotionError
from ..._kernel import oscillate

__all__ = ["Oscillators"]

#: The error falls with this power of the number of parts of a step.
ORDER = 6
#: Parts of a step, at most.
MOST_PARTS = 64
#: Where the three Gauss points are, as shares of a step.
GAUSS = 0.5 + np.sqrt(0.15) * np.array([-1.0, 0.0, 1.0])


class Oscillators:
    """Oscillators whose K, C and b are splines over the rows of a motion, and that start where their forces balance.

    Args:
        times: (T,) [s].
        coefficients: K, C and b (T, S, 2 n + 1, n).
    """

    def __init__(self, times: Array, coefficients: Array) -> None:
        T, S, _, n = coefficients.shape
        self._first, self._n, self._times, self._steps = coefficients[0], n, times, np.diff(times)
        if T == 1:
            return
        self._degree = max(k for k in (1, 3, 5) if k < T or k == 1)
        from scipy.interpolate import make_interp_spline  # only now: most bellies do not swing

        spline = make_interp_spline(times, coefficients.reshape(T, -1), k=self._degree)
        self._knots, self._control = spline.t, np.ascontiguousarray(spline.c.reshape(T, S, 2 * n + 1, n))

    def move(self, stiffness: Array, damping: Array, errors: Array) -> Array:
        """Return z and its rate, (sets, T, S, 2 n).

        Args:
            stiffness, damping: k and c (sets, T, S).
            errors: of z, as shares of the largest, (sets,); the first is the least.

        Raises:
            MotionError: the rows are too far apart for the answer to converge.
        """
        n, pull = self._n, self._first[:, 2 * self._n, :, None]
        stiffness, damping = np.ascontiguousarray(stiffness), np.ascontiguousarray(damping)
        out = np.empty((*stiffness.shape, 2 * n))
        start = np.zeros((len(out), *out.shape[2:]))
        held = self._first[:, :n] + stiffness[:, 0, :, None, None] * np.eye(n)
        start[..., :n] = np.linalg.solve(held, np.broadcast_to(pull, (*held.shape[:-1], 1)))[..., 0]
        if len(self._times) == 1:
            out[:, 0] = start
            return out
        nodes = cache(self._nodes)

        def step(sets: NDArray[np.intp], which: NDArray[np.intp], parts: int) -> Array:
            """Move some sets of some oscillators by steps cut in parts, and return how that changes z, at most."""
            oscillators = (stiffness, damping, self._control, start)
            return oscillate(self._steps, *oscillators, nodes(parts), sets.tolist(), which.tolist(), out)

        stiffest = np.lexsort((damping.max(axis=(1, 2)), stiffness.max(axis=(1, 2))))[-1]
        judged = np.unique([0, stiffest])  # what converges last
        others = np.setdiff1d(np.arange(len(out)), judged)
        which = np.arange(out.shape[2])  # oscillators that have not converged
        before, parts = 1, 2
        step(judged, which, before)
        change = step(judged, which, parts)  # (judged, which)
        allowed = np.array([[errors[v] * np.abs(out[v, ..., :n]).max()] for v in judged])
        while True:
            left = change / ((parts / before) ** ORDER - 1.0)
            converged = (left <= allowed).all(axis=0)
            enough = (change <= allowed).all(axis=0)  # the former answer was one already
            for in_parts, done in ((before, enough), (parts, converged & ~enough)):
                if len(others) and done.any():
                    step(others, which[done], in_parts)
            if converged.all():
                return out
            which, left = which[~converged], left[:, ~converged]
            needed = math.ceil((left / allowed).max() ** (1.0 / ORDER) * parts)
            before, parts = parts, min(needed, 2 * parts)
            if parts > MOST_PARTS:
                raise MotionError(
                    f"the wobble does not converge between rows {self._steps.max():.3g} s apart; record the motion "
                    "more densely, or lower the stiffness of the swinging masses"
                )
            change = step(judged, which, parts)

    def _nodes(self, parts: int) -> tuple[list[int], Array]:
        """Return which coefficients count at the Gauss points of steps cut in parts, and their weights."""
        shares = ((np.arange(parts)[:, None] + GAUSS) / parts).ravel()
        nodes = (self._times[:-1, None] + self._steps[:, None] * shares).ravel()
        from scipy.interpolate import BSpline

        basis = BSpline.design_matrix(nodes, self._knots, self._degree)
        return basis.indices[:: self._degree + 1].tolist(), basis.data.reshape(len(nodes), self._degree + 1)
