"""Elastic forces of passive fibres of muscles whose tendons are inextensible, as their active strength is taken."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..._core.arrays import Array
from ..._core.opensim import osim

__all__ = ["PassiveFibres"]

LENGTH = "fiber_length"
#: Fibres are at least this share of their optimal length.
SHORTEST = 0.01


class PassiveFibres:
    """Passive forces along the tendons of muscles of one model.

    A muscle with a state of fibre length gets that which its path leaves it beside a tendon of slack length; the fibres
    keep their height, as in OpenSim's muscles. Damping of fibres is left out.

    Args:
        muscles: the muscles.
    """

    def __init__(self, muscles: Sequence[osim.Muscle]) -> None:
        self._muscles = muscles
        self._set = []
        for muscle in muscles:
            names = muscle.getStateVariableNames()
            self._set.append(any(names.get(i).endswith(LENGTH) for i in range(names.getSize())))
        self._model = muscles[0].getModel() if muscles else None

    def at(self, state: osim.State) -> Array:
        """Return passive forces along the tendons (muscles,) [N] at a state, which is realized to velocity."""
        if self._model is None:
            return np.zeros(0)
        for muscle, is_state in zip(self._muscles, self._set, strict=True):
            if is_state:
                muscle.setStateVariableValue(state, LENGTH, _fibre_length(muscle, state))
        self._model.realizeVelocity(state)
        return np.array(
            [
                m.getMaxIsometricForce() * m.getPassiveForceMultiplier(state) * m.getCosPennationAngle(state)
                for m in self._muscles
            ]
        )


def _fibre_length(muscle: osim.Muscle, state: osim.State) -> float:
    """Return the length of a muscle's fibres [m] beside a tendon of slack length."""
    optimal = muscle.getOptimalFiberLength()
    height = optimal * np.sin(muscle.getPennationAngleAtOptimalFiberLength())
    along = max(muscle.getLength(state) - muscle.getTendonSlackLength(), 0.0)
    return float(max(np.hypot(height, along), SHORTEST * optimal))
