"""Sobol indices of the peaks of inverse dynamics: which unknown makes how much of their variance.

The unknowns are those of a band (:class:`~opensim_inertia.analyses.inverse_dynamics.Uncertainty`), as independent
inputs: what the masses of all muscles have in common, each muscle's own mass, the length of the aponeuroses, free
tendon at the origin, and whether tendons are rigid. A peak is the largest size over the motion of the inertial force,
or of inertial - lumped. As for the band, no model is solved again. Indices are those of ``scipy.stats.sobol_indices``
(Saltelli's design on a Sobol sequence of ``scipy.stats.qmc``): first order, the variance that an input makes alone, and
total, with all that it makes together with others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import norm, sobol_indices, uniform

from .._core.arrays import Array
from .._core.errors import OptionError
from ..analyses.inverse_dynamics import InverseDynamicsResult, Uncertainty
from ..analyses.inverse_dynamics.uncertainty import MOST_AT_ONCE, placed_at

__all__ = ["PeakFunction", "SobolIndices", "sobol_of_peaks"]

COMMON = "common mass factor"
PLACES = ("aponeurosis length", "free tendon at the origin", "rigid tendons")
#: What is a peak.
OUTPUTS = ("inertial peak", "largest difference")


@dataclass(frozen=True)
class SobolIndices:
    """Sobol indices of peaks.

    Attributes:
        inputs: names of the k unknowns.
        outputs: "coordinate: peak" of each of the n peaks that vary.
        first, total: first-order and total indices, (n, k).
    """

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    first: Array
    total: Array

    def to_dataframe(self) -> pd.DataFrame:
        """Return a table with a row for each output and input."""
        index = pd.MultiIndex.from_product([self.outputs, self.inputs], names=["output", "input"])
        return pd.DataFrame({"first": self.first.ravel(), "total": self.total.ravel()}, index=index)


class PeakFunction:
    """The peaks of a coordinate as a function of the unknowns.

    Args:
        result: of inverse dynamics, with the parts of single muscles.
        coordinate: its name.
        uncertainty: how far masses are unknown.

    Attributes:
        inputs: names of the k unknowns.
    """

    def __init__(self, result: InverseDynamicsResult, coordinate: str, uncertainty: Uncertainty) -> None:
        parts = result.difference_parts(coordinate)
        bellies = None if result.band_parts is None else result.band_parts.bellies
        lumped = result.folded(result.lumped_forces)[:, result.coordinate_names.index(coordinate)]
        self._lumped = lumped[result.answered]
        self._uncertainty = uncertainty
        acting = np.asarray(parts.muscles.any(axis=1))
        if bellies is not None:
            acting[bellies.varied] |= parts.strands.any(axis=(0, 2))
            parts = parts._replace(strands=parts.strands[:, acting[bellies.varied]])
            bellies = bellies.some(acting)
        self._parts, self._bellies = parts._replace(muscles=parts.muscles[acting]).stacked, bellies
        mass_names = [f"mass of {name}" for name, acts in zip(result.muscles, acting, strict=True) if acts]
        self._places = PLACES if bellies is not None and bellies.strands is not None else ()
        self.inputs = (COMMON, *mass_names, *self._places)

    def __call__(self, unknowns: Array) -> Array:
        """Return peaks (2, n) as :data:`OUTPUTS` names them.

        Args:
            unknowns: (k, n): standard normal numbers of masses, and numbers from 0 to 1 of places.
        """
        peaks = np.empty((2, unknowns.shape[1]))
        step = max(1, MOST_AT_ONCE // max(1, *self._parts.shape))
        for start in range(0, unknowns.shape[1], step):
            some = slice(start, start + step)
            difference = self._differences(unknowns[:, some])
            peaks[0, some] = np.abs(self._lumped + difference).max(axis=1)
            peaks[1, some] = np.abs(difference).max(axis=1)
        return peaks

    def dists(self) -> list[Any]:
        """Return the distributions of the unknowns."""
        return [norm()] * (len(self.inputs) - len(self._places)) + [uniform()] * len(self._places)

    def _differences(self, unknowns: Array) -> Array:
        """Return inertial - lumped, (n, T)."""
        masses = len(self.inputs) - len(self._places)
        factors = self._uncertainty.factors_of(unknowns[:1].T, unknowns[1:masses].T).T
        if self._bellies is None:
            return factors.T @ self._parts
        places = placed_at(*unknowns[masses:]) if self._places else None
        return self._bellies.weights(factors, places).stacked.T @ self._parts


def sobol_of_peaks(
    result: InverseDynamicsResult, uncertainty: Uncertainty, coordinates: Sequence[str] | None = None
) -> SobolIndices:
    """Return Sobol indices of the peaks of coordinates.

    Args:
        result: of inverse dynamics with a band.
        uncertainty: what is unknown; ``draws``, a power of 2, is the size of Saltelli's design, and ``seed`` that of
            its Sobol sequence.
        coordinates: names; default: all independent ones that muscles change.

    Raises:
        OptionError: ``draws`` is no power of 2, or the result has no parts of single muscles.
    """
    if uncertainty.draws & (uncertainty.draws - 1):
        raise OptionError("draws", uncertainty.draws, "a power of 2")
    names = coordinates or [result.coordinate_names[i] for i in result.independent]
    rows: dict[str, tuple[dict[str, float], dict[str, float]]] = {}
    inputs: dict[str, None] = {}
    for name in names:
        function = PeakFunction(result, name, uncertainty)
        inputs |= dict.fromkeys(function.inputs)
        indices = _indices(function, uncertainty)
        for output, first, total in zip(OUTPUTS, *indices, strict=True):
            if np.isfinite(first).all():
                each = (dict(zip(function.inputs, values.tolist(), strict=True)) for values in (first, total))
                rows[f"{name}: {output}"] = (next(each), next(each))
    order = sorted(inputs, key=lambda name: (name in PLACES, name != COMMON))
    first, total = (
        np.array([[row[i].get(name, 0.0) for name in order] for row in rows.values()]).reshape(len(rows), -1)
        for i in (0, 1)
    )
    return SobolIndices(tuple(order), tuple(rows), first, total)


def _indices(function: PeakFunction, uncertainty: Uncertainty) -> tuple[Array, Array]:
    """Return first-order and total indices (2, k) of both peaks; NaN of one that does not vary."""
    varies = np.ptp(function(_few(function)), axis=1) > 0
    first, total = np.full((2, 2, len(function.inputs)), np.nan)
    if varies.any():
        indices = sobol_indices(
            func=lambda unknowns: function(unknowns)[varies],
            n=uncertainty.draws,
            dists=function.dists(),
            rng=np.random.default_rng([uncertainty.seed, 3]),
        )
        first[varies], total[varies] = indices.first_order, indices.total_order
    return first, total


def _few(function: PeakFunction) -> Array:
    """Return a few values of the unknowns, to see whether anything varies."""
    return np.array([distribution.ppf(np.linspace(0.1, 0.9, 5)) for distribution in function.dists()])
