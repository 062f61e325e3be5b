"""Monomials of several variables, and several polynomials with the same terms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from math import comb, prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...arrays import Array
from ...errors import PolynomialError

__all__ = ["Exponents", "Polynomials", "all_terms", "monomials", "monomials_and_jacobian"]

#: Exponents (T, n) of T monomials in n variables.
Exponents = NDArray[np.int64]

#: The version of the dicts that :meth:`Polynomials.to_dict` returns.
VERSION = 1
#: Points that are evaluated at a time, so that many points need little memory.
CHUNK = 2048


@dataclass(frozen=True, eq=False)
class Polynomials:
    """Several polynomials of n variables x with the same T terms, in arrays that cannot be written to.

    Each is the sum over the terms t of c_t times the product over i of ((x_i - centre_i) / scale_i) to the power e_ti.

    Attributes:
        exponents: whole numbers e (T, n), at least 0.
        centre, scale: (n,); scales are positive.
        coefficients: c (T, outputs).

    Raises:
        PolynomialError: shapes do not agree, an exponent is negative, a scale is not positive, or a number not finite.
    """

    exponents: Exponents
    centre: Array
    scale: Array
    coefficients: Array

    def __post_init__(self) -> None:
        """Convert the arrays to read-only copies, and check their shapes and values."""
        for name, kind in (("exponents", np.int64), ("centre", float), ("scale", float), ("coefficients", float)):
            array = np.array(getattr(self, name), dtype=kind)
            if not np.isfinite(array).all():
                raise PolynomialError(f"a polynomial's {name} are not all finite numbers")
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        terms, variables = self.exponents.shape if self.exponents.ndim == 2 else (-1, -1)
        shapes = self.centre.shape, self.scale.shape, self.coefficients.ndim, len(self.coefficients)
        if terms < 0 or shapes != ((variables,), (variables,), 2, terms):
            listing = ", ".join(f"{name} {getattr(self, name).shape}" for name in self.__dataclass_fields__)
            raise PolynomialError(f"the shapes of a polynomial's arrays do not agree: {listing}")
        if self.exponents.min(initial=0) < 0:
            raise PolynomialError("a polynomial's exponents are negative; expected whole numbers from 0")
        if (self.scale <= 0).any():
            raise PolynomialError("a polynomial's scales are not all positive")

    @property
    def variables(self) -> int:
        """The number n of variables."""
        return self.exponents.shape[1]

    @property
    def outputs(self) -> int:
        """The number of polynomials."""
        return self.coefficients.shape[1]

    def values(self, x: ArrayLike) -> Array:
        """Return the values (..., outputs) at points x (..., n)."""
        x, z = self._scaled(x)
        values = np.empty((len(z), self.outputs))
        for at in _chunks(len(z)):
            values[at] = monomials(z[at], self.exponents) @ self.coefficients
        return values.reshape(*x.shape[:-1], self.outputs)

    def jacobian(self, x: ArrayLike) -> Array:
        """Return the exact derivatives (..., outputs, n) with respect to x at points x (..., n)."""
        x, z = self._scaled(x)
        jacobian = np.empty((len(z), self.outputs, self.variables))
        for at in _chunks(len(z)):
            _, term_jacobian = monomials_and_jacobian(z[at], self.exponents)
            jacobian[at] = np.moveaxis(term_jacobian @ self.coefficients, 0, 2) / self.scale
        return jacobian.reshape(*x.shape[:-1], self.outputs, self.variables)

    def expanded(self) -> Polynomials:
        """Return the same polynomials expanded to centres 0 and scales 1, with all terms that this takes."""
        expansion: dict[tuple[int, ...], Array] = {}
        for row, coefficients in zip(self.exponents.tolist(), self.coefficients, strict=True):
            shares = [
                [(k, comb(e, k) * (-c) ** (e - k) / s**e) for k in range(e + 1)]
                for e, c, s in zip(row, self.centre.tolist(), self.scale.tolist(), strict=True)
            ]
            for factors in product(*shares):
                exponents = tuple(k for k, _ in factors)
                expansion[exponents] = (
                    expansion.get(exponents, 0.0) + prod(share for _, share in factors) * coefficients
                )
        shape = len(expansion), self.variables
        exponents_found = np.array(list(expansion), dtype=np.int64).reshape(shape)
        coefficients_found = np.array(list(expansion.values())).reshape(len(expansion), self.outputs)
        return Polynomials(exponents_found, np.zeros(self.variables), np.ones(self.variables), coefficients_found)

    def to_dict(self) -> dict[str, Any]:
        """Return the polynomials as JSON knows them; :meth:`from_dict` makes the very same numbers of it."""
        arrays = {name: getattr(self, name).tolist() for name in self.__dataclass_fields__}
        return {"version": VERSION, **arrays}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Polynomials:
        """Return the polynomials that :meth:`to_dict` returned as a dict."""
        version = stored.get("version")
        if version != VERSION:
            raise PolynomialError(f"polynomials of version {version!r} cannot be read; expected version {VERSION}")
        try:
            exponents = np.array(stored["exponents"]).reshape(len(stored["exponents"]), len(stored["centre"]))
            if exponents.size and not np.issubdtype(exponents.dtype, np.integer):
                raise ValueError("exponents are not whole numbers")
            return cls(exponents, *(np.array(stored[name], float) for name in ("centre", "scale", "coefficients")))
        except (KeyError, TypeError, ValueError) as error:
            raise PolynomialError(f"stored polynomials are damaged: {error!r}") from None

    def _scaled(self, x: ArrayLike) -> tuple[Array, Array]:
        """Return the points as they were given, and as scaled rows."""
        points = np.asarray(x, dtype=float)
        if points.ndim < 1 or points.shape[-1] != self.variables:
            raise PolynomialError(f"points have shape {points.shape}; expected (..., {self.variables})")
        return points, ((points - self.centre) / self.scale).reshape(-1, self.variables)


def _chunks(count: int) -> list[slice]:
    return [slice(start, start + CHUNK) for start in range(0, count, CHUNK)]


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
