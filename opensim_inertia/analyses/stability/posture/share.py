"""The share of activation patterns that are stable (Bunderson et al. 2012, fig. 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ...._core.arrays import Array
from ...._core.errors import OptionError
from ...._core.representation import Described
from ..linearization import ActivationLinear
from ..linearization.result import decays
from ..linearization.short_range import check_stiffness
from .equilibrium import Posture, check_posture
from .patterns import sample_patterns

__all__ = ["StableShare", "stable_share"]

#: Patterns, and stiffnesses [largest isometric forces per optimal fibre length], if none are given.
PATTERNS = 1000
STIFFNESSES = tuple(np.round(np.arange(0.0, 5.01, 0.5), 2).tolist())


@dataclass(frozen=True, eq=False, repr=False)
class StableShare(Described):
    """Which activation patterns of a posture are stable, over intrinsic stiffness.

    Attributes:
        muscles: names of the m muscles.
        patterns: activations (N, m).
        stiffnesses: intrinsic stiffnesses (G,) [largest isometric forces per optimal fibre length].
        eigenvalues: of each pattern at each stiffness, complex (G, N, n) [1/s].
        model: the model's name.
        provenance: what tells how this was made, see :meth:`InertialModel.provenance`.
    """

    muscles: tuple[str, ...]
    patterns: Array
    stiffnesses: Array
    eigenvalues: Array
    model: str = ""
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def description(self) -> Mapping[str, str]:
        """Return how many patterns there are, and the share at each stiffness."""
        shares = zip(self.stiffnesses, self.share, strict=True)
        return {
            "model": self.model,
            "patterns": f"{len(self.patterns)} of {len(self.muscles)} muscles",
            "stable": ", ".join(f"{100 * share:.3g} % at {stiffness:g}" for stiffness, share in shares),
        }

    @property
    def rightmost(self) -> Array:
        """The eigenvalue with the largest real part of each pattern at each stiffness, complex (G, N) [1/s]."""
        values = self.eigenvalues
        return np.asarray(np.take_along_axis(values, values.real.argmax(axis=-1)[..., None], -1)[..., 0])

    @property
    def stable(self) -> NDArray[np.bool_]:
        """Whether each pattern is stable at each stiffness (G, N)."""
        return decays(self.eigenvalues)

    @property
    def share(self) -> Array:
        """The share of patterns that are stable at each stiffness (G,)."""
        return np.asarray(self.stable.mean(axis=1))

    def table(self) -> pd.DataFrame:
        """Return the share, and doubling times [s] of the fastest and the median unstable pattern, per stiffness."""
        growth = self.rightmost.real
        doubling = np.log(2) / np.where(growth > 0, growth, np.nan)
        some = ~np.isnan(doubling).all(axis=1)
        shortest, median = np.full(len(some), np.nan), np.full(len(some), np.nan)
        shortest[some], median[some] = np.nanmin(doubling[some], axis=1), np.nanmedian(doubling[some], axis=1)
        columns = {"stable_share": self.share, "shortest_doubling_time": shortest, "median_doubling_time": median}
        return pd.DataFrame(columns, index=pd.Index(self.stiffnesses, name="intrinsic_stiffness"))


def stable_share(
    p: Posture,
    stiffnesses: Sequence[float] | Array = STIFFNESSES,
    patterns: int | Array = PATTERNS,
    seed: int = 0,
    *,
    approximate: bool = False,
) -> StableShare:
    """Return which of many activation patterns that hold a posture are stable, over intrinsic stiffness.

    Args:
        p: the posture; its muscles have rigid tendons and no activation dynamics, as :class:`ActivationLinear` wants.
        stiffnesses: intrinsic stiffnesses [largest isometric forces per optimal fibre length] (G,).
        patterns: how many are drawn (:func:`sample_patterns`), or activations (N, m) in the order of ``p.activations``.
        seed: of the random numbers.
        approximate: as :class:`ActivationLinear` takes it.

    Raises:
        OptionError: a stiffness is not a number from 0 to 1e6, or a number or patterns that cannot be. ModelError: a
            muscle has activation dynamics or an elastic tendon.
    """
    gammas = np.asarray(stiffnesses, dtype=float).reshape(-1)
    if not len(gammas):
        raise OptionError("stiffnesses", stiffnesses, "at least one number")
    for gamma in gammas.tolist():
        check_stiffness(gamma, "stiffnesses")
    check_posture(p)
    muscles = set(p.activations)
    linear = ActivationLinear(
        p.inertial,
        p.state,
        excitations={name: value for name, value in p.excitations.items() if name not in muscles},
        forces=p.external_forces,
        point_forces=p.point_forces,
        approximate=approximate,
    )
    drawn = sample_patterns(p, patterns, seed) if isinstance(patterns, int | np.integer) else np.asarray(patterns)
    eigenvalues = np.array([linear.eigenvalues(drawn, gamma) for gamma in gammas.tolist()])
    name, provenance = p.inertial.model.getName(), p.provenance()
    return StableShare(linear.muscles, drawn, gammas, eigenvalues, name, provenance)
