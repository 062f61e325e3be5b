"""Polynomials fitted to samples by least squares, and their terms selected one by one.

Which terms a polynomial needs is found as van den Bogert, Blana and Heinrich do (Procedia IUTAM 2, 297-316, 2011),
whom Zoufaly et al. (2025) follow: the term that lowers the root mean square of all errors most is added, lengths and
moment arms together, until no term lowers it by more than a given share. Samples are compressed once, by an orthogonal
transformation; a candidate is then judged by what of it is orthogonal to the terms already there, and nothing is fitted
anew.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import Array
from ...errors import FewPosesError, NotFiniteError
from .polynomials import Exponents, Polynomials, all_terms, monomials, monomials_and_jacobian

__all__ = ["Regression", "Selection"]

#: Poses that are compressed at a time.
CHUNK = 1024
#: A candidate is left out once less than this share of it is orthogonal to the terms already there.
DEPENDENT = 1e-7
#: Errors below this share of the samples' root mean square are rounding: no term is added to lower them.
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Selection:
    """Polynomials whose terms were selected, and how.

    Attributes:
        polynomials: what was fitted.
        terms: the selected candidates (T,), as indices of :attr:`Regression.exponents`, in the order of selection.
        rmse: root mean square (T,) of all weighted errors once the first, the second, ... term was there.
    """

    polynomials: Polynomials
    terms: tuple[int, ...]
    rmse: Array


@dataclass(frozen=True, eq=False)
class Regression:
    """Samples of functions of n variables, compressed for least squares with candidate terms; made by :meth:`of`.

    Attributes:
        exponents: the candidates' exponents (C, n); the constant is first.
        centre, scale: (n,): the middle of the samples and half their range, in which the candidates are monomials.
        poses: the number of samples.
        weight: sum of the squared weights of one output's errors, by which a sum of squares is divided to give a mean.
        candidates: the candidates' rows (K, C) after the orthogonal transformation that compresses them.
        targets: the samples' rows (K, outputs) after the same transformation.
    """

    exponents: Exponents
    centre: Array
    scale: Array
    poses: int
    weight: float
    candidates: Array
    targets: Array

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
        """Return the compressed samples of functions and, if given, of their derivatives.

        Args:
            x: points (P, n), the poses.
            values: the functions there (P, outputs).
            jacobian: their derivatives (P, outputs, m) with respect to the parameters of ``motions``; None fits the
                values alone.
            degree: candidates are all monomials up to this total degree.
            weights: by how much errors are multiplied: of values, then of derivatives with respect to each parameter
                (1 + m,), or (1,) without ``jacobian``; default: 1.
            motions: derivatives of the points (P, n, m) with respect to m parameters; default: the parameters are x.

        Raises:
            NotFiniteError: a sample is NaN or infinite.
            PolynomialError: shapes do not agree.
            FewPosesError: there are no more poses than variables.
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
        for start in range(0, poses, CHUNK):
            at = slice(start, start + CHUNK)
            per_unit = point_jacobian[at] / scale[:, None]
            rows = _rows((x[at] - centre) / scale, terms, per_unit, values[at], derivatives[at], weight)
            compressed = np.asarray(np.linalg.qr(np.concatenate([compressed, rows]), mode="r"))
        total = float(poses * (weight**2).sum())
        return cls(terms, centre, scale, poses, total, compressed[:, : len(terms)], compressed[:, len(terms) :])

    def fit(self, terms: ArrayLike, outputs: slice | list[int] = slice(None)) -> Polynomials:
        """Return the polynomials with given terms that fit best.

        Where samples do not tell terms apart, the coefficients are the smallest of those that fit best.

        Args:
            outputs: the outputs to fit; default: all.
        """
        indices = np.asarray(terms, dtype=np.int64)
        if len(indices) > self.poses:
            raise FewPosesError(self.poses, len(indices))
        columns = self.candidates[:, indices]
        norms = np.linalg.norm(columns, axis=0)
        norms[norms == 0] = 1
        scaled_coefficients = np.linalg.lstsq(columns / norms, self.targets[:, outputs], rcond=DEPENDENT**2)[0]
        return Polynomials(self.exponents[indices], self.centre, self.scale, scaled_coefficients / norms[:, None])

    def select(
        self, *, stop: float = 0.04, most: int | None = None, outputs: slice | list[int] = slice(None)
    ) -> Selection:
        """Select terms one by one, and return the polynomials that fit best with them.

        The constant is the first. Each further term is the candidate that lowers the root mean square of all weighted
        errors most; when it lowers it by a share less than ``stop``, it is left out and the selection ends.

        Args:
            most: the most terms; default: as many as there are candidates.
            outputs: for which outputs, which then have the same terms; default: all.
        """
        columns, targets = self.candidates.copy(), self.targets[:, outputs].copy()
        initial_norms = np.linalg.norm(columns, axis=0)
        count = self.weight * targets.shape[1]
        floor = ROUNDING * np.sqrt((targets**2).sum() / count)
        terms: list[int] = []
        errors: list[float] = []
        available = np.ones(len(self.exponents), dtype=bool)
        while len(terms) < (len(available) if most is None else most):
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
        return Selection(self.fit(terms, outputs), tuple(terms), np.array(errors))


def _rows(z: Array, terms: Exponents, motions: Array, values: Array, jacobian: Array, weight: Array) -> Array:
    """Return the weighted rows (P (1 + m), C + outputs) of a least squares problem; m is 0 without derivatives."""
    if not jacobian.shape[2]:
        return weight[0] * np.concatenate([monomials(z, terms), values], axis=1)
    terms_values, terms_jacobian = monomials_and_jacobian(z, terms)
    rows = [np.concatenate([terms_values, values], axis=1)]
    for k in range(jacobian.shape[2]):
        rate = np.einsum("pn,npt->pt", motions[:, :, k], terms_jacobian)
        rows.append(np.concatenate([rate, jacobian[:, :, k]], axis=1))
    return np.concatenate([w * block for w, block in zip(weight, rows, strict=True)])
