"""Monomials of several variables, and their derivatives."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from ...arrays import Array

__all__ = ["Exponents", "all_terms", "monomials", "monomials_and_slopes"]

#: Exponents (T, n) of T monomials in n variables.
Exponents = NDArray[np.int64]


def all_terms(variables: int, degree: int) -> Exponents:
    """Return the exponents (T, variables) of all monomials up to a total degree, by degree; the constant is first."""
    found = [
        np.bincount(chosen, minlength=variables)
        for total in range(1, degree + 1)
        for chosen in combinations_with_replacement(range(variables), total)
    ]
    return np.array([np.zeros(variables, dtype=np.int64), *found], dtype=np.int64).reshape(-1, variables)


def monomials(z: Array, exponents: Exponents) -> Array:
    """Return the monomials (P, T) at points z (P, n)."""
    found = np.ones((len(z), len(exponents)))
    for factor in _factors(z, exponents):
        found *= factor
    return found


def monomials_and_slopes(z: Array, exponents: Exponents) -> tuple[Array, Array]:
    """Return the monomials (P, T) at points z (P, n), and their derivatives (n, P, T) with respect to z."""
    factors = _factors(z, exponents)
    slopes = np.empty((z.shape[1], len(z), len(exponents)))
    before = np.ones((len(z), len(exponents)))
    for i, factor in enumerate(factors):
        power = exponents[:, i]
        slopes[i] = before * power * z[:, i, None] ** np.maximum(power - 1, 0)
        before *= factor
    after = np.ones_like(before)
    for i in reversed(range(len(factors))):
        slopes[i] *= after
        after *= factors[i]
    return before, slopes


def _factors(z: Array, exponents: Exponents) -> list[Array]:
    """Return each variable's powers in the monomials: n arrays (P, T)."""
    powers = z[:, :, None] ** np.arange(int(exponents.max(initial=0)) + 1)
    return [powers[:, i, exponents[:, i]] for i in range(z.shape[1])]
