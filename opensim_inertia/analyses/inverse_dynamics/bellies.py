"""Weights by which solved parts of muscles add up to the difference for other masses and places of bellies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ...model import InertialModel
from ...muscles.material.strands import Strands
from ...paths.kernel.evaluation import FrozenParts
from ...paths.kernel.remarks import MuscleRemarks

__all__ = ["Bellies", "Places", "Weights"]


class Places(NamedTuple):
    """Where bellies lie, for all muscles alike.

    Attributes:
        lengths: of aponeuroses as multiples (n,) of the muscles' own.
        shares: of the free tendon at the origin, (n,): 0 for the muscles' own, 1 for half of it.
    """

    lengths: Array
    shares: Array


class Weights(NamedTuple):
    """The weights of all parts of a difference, for n choices of masses and of places of bellies.

    Attributes:
        muscles: factors (muscles, n) on the muscles' parts.
        strands: weights (strands, V, n) of the differences of strands' parts.
    """

    muscles: Array
    strands: Array

    @property
    def stacked(self) -> Array:
        """All weights, (muscles + strands V, n)."""
        return np.concatenate([part.reshape(-1, part.shape[-1]) for part in self])


@dataclass(frozen=True, eq=False)
class Bellies:
    """The muscles whose bellies may lie elsewhere.

    Attributes:
        strands: those of these muscles; None for no muscle.
        varied: numbers (V,) of these muscles.
        frozen: their frozen mass as strands; None for no muscle.
    """

    strands: Strands | None
    varied: NDArray[np.intp]
    frozen: FrozenParts | None = None

    @classmethod
    def of(cls, inertial: InertialModel, placed: bool, seen: MuscleRemarks) -> Bellies:
        """Return the bellies of a model.

        Args:
            inertial: the model.
            placed: whether bellies may lie elsewhere. Muscles on paths of OpenSim's stay as they are.
            seen: collects remarks about muscles.
        """
        maps = inertial.muscles.between_aponeuroses(inertial.wraps.opensim) if placed else {}
        varied = np.array([i for i, name in enumerate(inertial.muscle_names) if name in maps], dtype=np.intp)
        if not maps:
            return cls(None, varied)
        strands = Strands(maps)
        frozen = inertial.frozen.otherwise(varied.tolist(), strands.maps_by_node, seen)
        return cls(strands, varied, frozen)

    def weights(self, factors: Array, places: Places | None) -> Weights:
        """Return the weights of the parts for n choices of masses and places.

        Args:
            factors: on the muscles' masses, (muscles, n).
            places: where bellies lie; None: where they are.
        """
        if self.strands is None or places is None:
            return Weights(factors, np.zeros((0, len(self.varied), factors.shape[1])))
        return Weights(factors, self.strands.weights(*places) * factors[self.varied])
