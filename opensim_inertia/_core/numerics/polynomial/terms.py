"""Monomials of several variables, and their derivatives."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from ...arrays import Array

__all__ = ["Exponents", "all_terms", "monomials", "monomials_and_jacobian"]

#: Exponents (T, n) of T monomials in n variables.
Exponents = NDArray[np.int64]


def all_terms(variables: int, degree: int) -> Exponents:
    """Return the exponents (T, variables) of all monomials up to a total degree, by degree; the constant is first."""
    exponents = [
        np.bincount(factors, minlength=variables)
        for total in range(1, degree + 1)
        for factors in combinations_with_replacement(range(variables), total)
    ]
    return np.array([np.zeros(variables, dtype=np.int64), *exponents], dtype=np.int64).reshape(-1, variables)


def monomials(z: Array, exponents: Exponents) -> Array:
    """Return the monomials (P, T) at points z (P, n)."""
    values = np.ones((len(z), len(exponents)))
    for factor in _factors(z, exponents):
        values *= factor
    return values


def monomials_and_jacobian(z: Array, exponents: Exponents) -> tuple[Array, Array]:
    """Return the monomials (P, T) at points z (P, n), and their derivatives (n, P, T) with respect to z."""
    factors = _factors(z, exponents)
    jacobian = np.empty((z.shape[1], len(z), len(exponents)))
    product_before = np.ones((len(z), len(exponents)))
    for i, factor in enumerate(factors):
        power = exponents[:, i]
        jacobian[i] = product_before * power * z[:, i, None] ** np.maximum(power - 1, 0)
        product_before *= factor
    product_after = np.ones_like(product_before)
    for i in reversed(range(len(factors))):
        jacobian[i] *= product_after
        product_after *= factors[i]
    return product_before, jacobian


def _factors(z: Array, exponents: Exponents) -> list[Array]:
    """Return each variable's powers in the monomials: n arrays (P, T)."""
    powers = z[:, :, None] ** np.arange(int(exponents.max(initial=0)) + 1)
    return [powers[:, i, exponents[:, i]] for i in range(z.shape[1])]
