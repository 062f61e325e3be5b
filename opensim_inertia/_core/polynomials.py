"""Multivariate polynomials: least squares with stepwise selection of terms.

Source of the selection: van den Bogert, Blana and Heinrich, Procedia IUTAM 2, 297-316, 2011. Samples are compressed
once; each candidate term is scored by its component orthogonal to the selected terms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from math import comb, prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import Array
from .errors import FewPosesError, NotFiniteError, PolynomialError

#: Exponents (T, n) of T monomials in n variables.
Exponents = NDArray[np.int64]

#: Version of the format of :meth:`Polynomials.to_dict`.
VERSION = 1
#: Points that are evaluated at once, to limit memory.
CHUNK = 2048


@dataclass(frozen=True, eq=False)
class Polynomials:
    """Polynomials in n scaled variables (x - centre) / scale: sums of T monomials times ``coefficients``."""

    exponents: Exponents  # (T, n)
    centre: Array  # (n,)
    scale: Array  # (n,)
    coefficients: Array  # (T, outputs)

    def __post_init__(self) -> None:
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
        """Return the derivatives (..., outputs, n) with respect to x (..., n)."""
        x, z = self._scaled(x)
        jacobian = np.empty((len(z), self.outputs, self.variables))
        for at in _chunks(len(z)):
            _, term_jacobian = monomials_and_jacobian(z[at], self.exponents)
            jacobian[at] = np.moveaxis(term_jacobian @ self.coefficients, 0, 2) / self.scale
        return jacobian.reshape(*x.shape[:-1], self.outputs, self.variables)

    def expanded(self) -> Polynomials:
        """Return equal polynomials of the unscaled variables: all centres are 0 and all scales 1."""
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
        coefficients = np.array(list(expansion.values())).reshape(len(expansion), self.outputs)
        return Polynomials(np.reshape([*expansion], shape), np.zeros(shape[1]), np.ones(shape[1]), coefficients)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-compatible dict, without rounding."""
        arrays = {name: getattr(self, name).tolist() for name in self.__dataclass_fields__}
        return {"version": VERSION, **arrays}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Polynomials:
        """Return polynomials from a dict of :meth:`to_dict`."""
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
        """Return P points x (..., n) as an array, and the scaled variables as an array (P, n)."""
        points = np.asarray(x, dtype=float)
        if points.ndim < 1 or points.shape[-1] != self.variables:
            raise PolynomialError(f"points have shape {points.shape}; expected (..., {self.variables})")
        return points, ((points - self.centre) / self.scale).reshape(-1, self.variables)


def _chunks(count: int) -> list[slice]:
    return [slice(start, start + CHUNK) for start in range(0, count, CHUNK)]


def all_terms(variables: int, degree: int) -> Exponents:
    """Return the exponents (T, variables) of all T monomials with a total degree of at most ``degree``."""
    exponents = [
        np.bincount(factors, minlength=variables)
        for total in range(1, degree + 1)
        for factors in combinations_with_replacement(range(variables), total)
    ]
    return np.array([np.zeros(variables, dtype=np.int64), *exponents], dtype=np.int64).reshape(-1, variables)


def monomials(z: Array, exponents: Exponents) -> Array:
    """Return the values (P, T) of T monomials at P points z (P, n)."""
    values = np.ones((len(z), len(exponents)))
    for factor in _factors(z, exponents):
        values *= factor
    return values


def monomials_and_jacobian(z: Array, exponents: Exponents) -> tuple[Array, Array]:
    """Return the values (P, T) of T monomials at P points z (P, n), and their derivatives (n, P, T) by z."""
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
    """Return the powers of each variable in T monomials at P points, as a list of n arrays (P, T)."""
    powers = z[:, :, None] ** np.arange(int(exponents.max(initial=0)) + 1)
    return [powers[:, i, exponents[:, i]] for i in range(z.shape[1])]


#: Poses that are compressed at once.
COMPRESSED = 1024
#: A candidate is excluded if a smaller share is orthogonal to the selected terms.
DEPENDENT = 1e-7
#: Errors below this share of the samples' root mean square are round-off; selection stops there.
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Regression:
    """Samples of functions of n variables, compressed by QR factorisation for stepwise least squares."""

    exponents: Exponents  # of candidates (C, n); the constant is first
    centre: Array  # (n,), midpoint of the samples
    scale: Array  # (n,), half the range of the samples
    poses: int  # number of samples
    weight: float  # sum of squared weights of one output
    candidates: Array  # (K, C), compressed
    targets: Array  # (K, outputs), compressed samples

    @classmethod
    def of(
        cls,
        x: ArrayLike,
        values: ArrayLike,
        jacobian: ArrayLike | None = None,
        *,
        degree: int = 4,
        weights: ArrayLike | None = None,
        motions: ArrayLike | None = None,
    ) -> Regression:
        """Compress values (P, outputs) at points x (P, n), and the values' derivatives (P, outputs, m) by m parameters.

        ``motions`` (P, n, m) are derivatives of the points; default: the parameters are x. Candidates are all monomials
        up to ``degree``; ``weights`` (1 + m,) scale errors. NotFiniteError: NaN or infinite sample; FewPosesError:
        fewer than n + 1 poses.
        """
        x, values = np.asarray(x, dtype=float), np.asarray(values, dtype=float)
        poses, variables = x.shape
        point_jacobian = np.broadcast_to(np.eye(variables), (poses, variables, variables))
        if motions is not None:
            point_jacobian = np.asarray(motions, dtype=float)
        kinds = 1 if jacobian is None else 1 + point_jacobian.shape[2]
        derivatives = np.empty((poses, values.shape[1], 0)) if jacobian is None else np.asarray(jacobian, dtype=float)
        weight = np.ones(kinds) if weights is None else np.asarray(weights, dtype=float)
        for what, array in (("x", x), ("values", values), ("jacobian", derivatives), ("motions", point_jacobian)):
            wrong = ~np.isfinite(array.reshape(poses, -1)).all(axis=1)
            if wrong.any():
                raise NotFiniteError(what, int(wrong.argmax()))
        if poses < variables + 1:
            raise FewPosesError(poses, variables + 1)
        terms = all_terms(variables, degree)
        centre = (x.max(axis=0) + x.min(axis=0)) / 2
        half_range = (x.max(axis=0) - x.min(axis=0)) / 2
        scale = np.where(half_range > np.finfo(float).eps * (1 + abs(centre)), half_range, 1.0)

        compressed = np.empty((0, len(terms) + values.shape[1]))
        for start in range(0, poses, COMPRESSED):
            at = slice(start, start + COMPRESSED)
            per_unit = point_jacobian[at] / scale[:, None]
            rows = _rows((x[at] - centre) / scale, terms, per_unit, values[at], derivatives[at], weight)
            compressed = np.asarray(np.linalg.qr(np.concatenate([compressed, rows]), mode="r"))
        total = float(poses * (weight**2).sum())
        return cls(terms, centre, scale, poses, total, compressed[:, : len(terms)], compressed[:, len(terms) :])

    def select(self, *, stop: float = 0.04, outputs: slice | list[int] = slice(None)) -> tuple[Polynomials, Array]:
        """Add terms while each lowers the RMS error by fraction ``stop``; return polynomials, and error after each."""
        columns, targets = self.candidates.copy(), self.targets[:, outputs].copy()
        initial_norms = np.linalg.norm(columns, axis=0)
        count = self.weight * targets.shape[1]
        floor = ROUNDING * np.sqrt((targets**2).sum() / count)
        terms: list[int] = []
        errors: list[float] = []
        available = np.ones(len(self.exponents), dtype=bool)
        while len(terms) < len(available):
            if terms:
                norms = np.linalg.norm(columns, axis=0)
                available &= norms > DEPENDENT * initial_norms
                if not available.any() or errors[-1] <= floor:
                    break
                gain = np.zeros(len(available))
                gain[available] = ((columns[:, available].T @ targets) ** 2).sum(axis=1) / norms[available] ** 2
                best = int(gain.argmax())
            else:
                best = 0
            direction = columns[:, best] / np.linalg.norm(columns[:, best])
            residuals = targets - np.outer(direction, direction @ targets)
            error = float(np.sqrt((residuals**2).sum() / count))
            if terms and errors[-1] - error < stop * errors[-1]:
                break
            if len(terms) == self.poses:
                raise FewPosesError(self.poses, len(terms) + 1)
            terms.append(best)
            errors.append(error)
            available[best] = False
            targets = residuals
            columns -= np.outer(direction, direction @ columns)
        columns = self.candidates[:, terms]
        norms = np.linalg.norm(columns, axis=0)
        norms[norms == 0] = 1
        scaled = np.linalg.lstsq(columns / norms, self.targets[:, outputs], rcond=DEPENDENT**2)[0]
        return Polynomials(self.exponents[terms], self.centre, self.scale, scaled / norms[:, None]), np.array(errors)


def _rows(z: Array, terms: Exponents, motions: Array, values: Array, jacobian: Array, weight: Array) -> Array:
    """Return least-squares rows (P (1 + m), C + outputs): C monomials and outputs at P points, then m derivatives."""
    if not jacobian.shape[2]:
        return weight[0] * np.concatenate([monomials(z, terms), values], axis=1)
    terms_values, terms_jacobian = monomials_and_jacobian(z, terms)
    rows = [np.concatenate([terms_values, values], axis=1)]
    for k in range(jacobian.shape[2]):
        rate = np.einsum("pn,npt->pt", motions[:, :, k], terms_jacobian)
        rows.append(np.concatenate([rate, jacobian[:, :, k]], axis=1))
    return np.concatenate([w * block for w, block in zip(weight, rows, strict=True)])
