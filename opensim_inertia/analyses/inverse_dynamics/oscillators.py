"""Driven linear oscillators along the rows of a motion, each stepped as finely as it needs.

Their coefficients are splines of the fifth degree through the rows. Steps solve stiffness and damping exactly, and what
drives an oscillator to the sixth order; they are cut in parts until the answer does not change: see
:func:`~opensim_inertia._kernel.oscillate`.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BSpline, make_interp_spline

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
        spline = make_interp_spline(times, coefficients.reshape(T, -1), k=self._degree)
        self._knots, self._control = spline.t, np.ascontiguousarray(spline.c.reshape(T, S, 2 * n + 1, n))

    def move(self, stiffness: Array, damping: Array, errors: Array, out: Array) -> None:
        """Write z and its rate, (sets, T, S, 2 n), to ``out``.

        Args:
            stiffness, damping: k and c (sets, T, S).
            errors: of z, as shares of the largest, (sets,); the first is the least.
            out: is written.

        Raises:
            MotionError: the rows are too far apart for the answer to converge.
        """
        n, pull = self._n, self._first[:, 2 * self._n, :, None]
        start = np.zeros((len(out), *out.shape[2:]))
        held = self._first[:, :n] + stiffness[:, 0, :, None, None] * np.eye(n)
        start[..., :n] = np.linalg.solve(held, np.broadcast_to(pull, (*held.shape[:-1], 1)))[..., 0]
        if len(self._times) == 1:
            out[:, 0] = start
            return
        step = partial(self._step, stiffness, damping, start)
        stiffest = np.lexsort((damping.max(axis=(1, 2)), stiffness.max(axis=(1, 2))))[-1]
        judged = np.unique([0, stiffest])  # what converges last
        others, every_row = np.setdiff1d(np.arange(len(out)), judged), np.arange(len(self._times))
        which = np.arange(out.shape[2])  # oscillators that have not converged
        former, latest, before, parts = step(judged, which, 1), step(judged, which, 2), 1, 2
        allowed = (errors[judged] * np.abs(latest[..., :n]).max(axis=(1, 2, 3)))[:, None]
        while True:
            out[np.ix_(judged, every_row, which)] = latest
            change = np.abs((latest - former)[..., :n]).max(axis=(1, 3))  # (judged, which)
            left = change / ((parts / before) ** ORDER - 1.0)
            converged = (left <= allowed).all(axis=0)
            enough = (change <= allowed).all(axis=0)  # the former answer was one already
            for in_parts, done in ((before, enough), (parts, converged & ~enough)):
                if len(others) and done.any():
                    out[np.ix_(others, every_row, which[done])] = step(others, which[done], in_parts)
            if converged.all():
                return
            which, left = which[~converged], left[:, ~converged]
            needed = math.ceil((left / allowed).max() ** (1.0 / ORDER) * parts)
            former, before, parts = latest[:, :, ~converged], parts, min(needed, 2 * parts)
            if parts > MOST_PARTS:
                raise MotionError(
                    f"the wobble does not converge between rows {self._steps.max():.3g} s apart; record the motion "
                    "more densely, or make what swings less stiff"
                )
            latest = step(judged, which, parts)

    def _step(
        self,
        stiffness: Array,
        damping: Array,
        start: Array,
        sets: NDArray[np.intp],
        which: NDArray[np.intp],
        parts: int,
    ) -> Array:
        """Return z and its rate of some sets of some oscillators by steps from row to row, each cut in parts."""
        shares = ((np.arange(parts)[:, None] + GAUSS) / parts).ravel()
        nodes = (self._times[:-1, None] + self._steps[:, None] * shares).ravel()
        basis = BSpline.design_matrix(nodes, self._knots, self._degree)
        first, weights = basis.indices[:: self._degree + 1], basis.data.reshape(len(nodes), self._degree + 1)
        of_which = slice(None) if len(which) == start.shape[1] else which
        k, c = (np.ascontiguousarray(x[sets][:, :, of_which]) for x in (stiffness, damping))
        begin, control = np.ascontiguousarray(start[sets][:, of_which]), self._control[:, of_which]
        return oscillate(self._steps, k, c, np.ascontiguousarray(control), begin, first.tolist(), weights)
