"""Smooth criteria of any power, by sequential quadratic programming.

An activation that is no muscle's has no saturation: under soft saturation it counts as |a|^p / p, which is what the
criterion is where activations are small.

A criterion is a sum of convex terms, one for each activation. Each step makes its quadratic model least within the
bounds, and then the criterion along the way there; activations meet equations and bounds throughout. High powers are
reached by way of lower ones, whose activations are good places to start.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ...options import Polynomial, SoftSaturation
from .programs import Program, least_quadratic


@dataclass(frozen=True)
class SmoothTerms:
    """Sum of |a|^p, or of -(1 - |a|^p)^(1/p).

    Attributes:
        power: p.
        saturating: (n,), the terms that are of the second kind; the others have a ``weight`` (n,).
        weight: (n,).
    """

    power: float
    saturating: NDArray[np.bool_]
    weight: Array

    @classmethod
    def of(cls, criterion: Polynomial | SoftSaturation, counted: NDArray[np.bool_]) -> SmoothTerms:
        """Return the terms of a criterion; (n,) says which activations are muscles'."""
        power = criterion.power
        if isinstance(criterion, Polynomial):
            return cls(power, np.zeros_like(counted), np.ones(len(counted)))
        return cls(power, counted, np.where(counted, 1.0, 1.0 / power))

    def without(self, left_out: NDArray[np.bool_]) -> SmoothTerms:
        """Return the criterion without the terms of some activations."""
        return SmoothTerms(self.power, self.saturating & ~left_out, np.where(left_out, 0.0, self.weight))

    @property
    def counts(self) -> NDArray[np.bool_]:
        """Whether there is a term of an activation, (n,)."""
        return self.saturating | (self.weight > 0)

    def value(self, a: Array) -> float:
        """Return the criterion; a saturating activation above one counts as one."""
        powers = np.abs(a) ** self.power
        saturated = -(np.maximum(0.0, 1.0 - powers) ** (1.0 / self.power))
        return float(np.where(self.saturating, saturated, self.weight * powers).sum())

    def gradient(self, a: Array) -> Array:
        """Return its derivatives (n,), at saturating activations below one."""
        p, size = self.power, np.abs(a)
        remainder = np.where(self.saturating, 1.0 - size**p, 1.0)
        steepness = np.where(self.saturating, remainder ** (1.0 / p - 1.0), p * self.weight)
        return np.asarray(np.sign(a) * size ** (p - 1.0) * steepness)

    def curvature(self, a: Array) -> Array:
        """Return its second derivatives (n,), at saturating activations below one; for p below two, above zero."""
        p, size = self.power, np.abs(a)
        remainder = np.where(self.saturating, 1.0 - size**p, 1.0)
        steepness = np.where(self.saturating, remainder ** (1.0 / p - 2.0), p * self.weight)
        return np.asarray((p - 1.0) * size ** (p - 2.0) * steepness)


#: The last step changes no derivative by more than this share of the largest.
TOLERANCE = 1e-12
#: The same for powers on the way.
ON_THE_WAY = 1e-3
MOST_STEPS = 100
#: Curvatures below this share of the largest are taken for it: a power above two has none at zero.
LEAST_CURVATURE = 1e-8
#: They are taken at activations of at least this share of the largest: a power below two has no bound there.
LEAST_ACTIVATION = 1e-4
#: Where saturating muscles begin, and the part of the way to saturation that a step may go.
BEGIN, PART = 0.999, 0.99


def least(program: Program, criterion: SmoothTerms, start: Array) -> Array | None:
    """Return the activations (n,) that make a criterion least; None where no steps lead there."""
    a, power = _unsaturated(program, criterion, start), 4.0
    if a is None:
        return None
    while power < criterion.power:
        a, _ = _stepped(program, replace(criterion, power=power), a, ON_THE_WAY)
        power *= 2.0
    a, change = _stepped(program, criterion, a, TOLERANCE)
    return _met(program, a) if change <= ON_THE_WAY else None


def _met(program: Program, a: Array) -> Array:
    """Return the activations (n,) nearest to ``a`` (n,) that meet the equations as well as rounding allows.

    Curvatures of high powers differ by many orders, and so do the errors with which a step meets the equations.
    """
    shifted_program = Program(program.rows, program.right - program.rows @ a, program.lower - a, program.upper - a)
    n = len(a)
    step = least_quadratic(np.ones(n), np.zeros(n), shifted_program)
    return a if step is None else np.clip(a + step, program.lower, program.upper)


def _unsaturated(program: Program, criterion: SmoothTerms, start: Array) -> Array | None:
    """Return activations (n,) at which a criterion's derivatives are finite: no muscle is saturated. None: none are."""
    if not (np.abs(start[criterion.saturating]) > BEGIN).any():
        return start
    limit = np.where(criterion.saturating, BEGIN, np.inf)
    lower, upper = np.maximum(program.lower, -limit), np.minimum(program.upper, limit)
    if (lower > upper).any():
        return None
    n = len(start)
    return least_quadratic(np.ones(n), np.zeros(n), program.bounded(lower, upper))


def _stepped(program: Program, criterion: SmoothTerms, a: Array, tolerance: float) -> tuple[Array, float]:
    """Return activations after steps of sequential quadratic programming, and the size of the last step.

    That size is the largest change of a derivative of the quadratic model by the step, as a share of the criterion's
    largest derivative.
    """
    change = np.inf
    for _ in range(MOST_STEPS):
        gradient = criterion.gradient(a)
        size = float(np.abs(gradient).max(initial=0.0))
        if size == 0.0:
            return a, 0.0
        floor = LEAST_ACTIVATION * float(np.abs(a[criterion.counts]).max())
        curvature = criterion.curvature(np.maximum(np.abs(a), floor)) / size
        curvature = np.maximum(curvature, LEAST_CURVATURE * curvature.max())
        equation_error = program.right - program.rows @ a  # rounding errors would add up
        model = Program(program.rows, equation_error, program.lower - a, program.upper - a)
        step = least_quadratic(curvature, gradient / size, model)
        if step is None:
            return a, change
        change = float(np.abs(curvature * step).max())
        next_a = _searched(program, criterion, a, step)
        if next_a is None:
            return a, change
        a = next_a
        if change <= tolerance:
            break
    return a, change


def _searched(program: Program, criterion: SmoothTerms, a: Array, step: Array) -> Array | None:
    """Return the activations (n,) along a step (n,) at which a criterion is least; None where it does not decrease."""

    def at(length: float) -> Array:
        return np.clip(a + length * step, program.lower, program.upper)

    def slope(length: float) -> float:
        return float(criterion.gradient(at(length)) @ step)

    moving = criterion.saturating & (step != 0)
    room = (np.sign(step[moving]) - a[moving]) / step[moving]
    length = min(1.0, PART * float(room.min(initial=np.inf)))
    if slope(0.0) >= 0:
        return None
    if slope(length) > 0:
        from scipy.optimize import brentq  # only now: other criteria do without it

        length = brentq(slope, 0.0, length, xtol=1e-12, rtol=1e-3)
    return at(length)
