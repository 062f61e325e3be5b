"""Muscles at rest: activations given, excitations that keep them, and fibres that stand still."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import SimulationError, opensim_reason
from ...opensim_model.reading.paths import PATH_LISTS
from .muscle_derivatives import MuscleDerivatives
from .system import System

#: Least activation of muscles with elastic tendons: none evaluates its fibres' speed without activation.
LEAST_ELASTIC = 0.01
#: Newton steps on fibres after OpenSim's own search, which stops at 1e-8 of the largest force.
STEPS = 6
#: Step of fibre lengths, or of normalised tendon forces, for the slope of their rates.
SLOPE_STEP = 1e-7
#: Rates of fibres that are rest [their unit per second].
REST = 1e-12


class AtRest(NamedTuple):
    """Muscles at rest: the state (ny,), and what is added to each control that differs from the drives'."""

    y: Array
    changes: Mapping[int, float]


class MuscleRest:
    """Brings the muscles of a system that act to rest."""

    def __init__(self, system: System, muscles: MuscleDerivatives) -> None:
        self._system, self._muscles = system, muscles
        path = system.layout.path
        self._activations = [[i for i in rows if path(i).endswith("/activation")] for rows in muscles.state_entries]
        fibres = [[i for i in rows if not path(i).endswith("/activation")] for rows in muscles.state_entries]
        self._fibres = np.array([i for rows in fibres for i in rows], dtype=int)
        least = np.where([bool(rows) for rows in fibres], LEAST_ELASTIC, 0.0)
        controls = np.array([(m.getMinControl(), m.getMaxControl()) for m in muscles.muscles]).reshape(-1, 2)
        least = np.maximum(np.maximum(least, muscles.minimum_activations), controls[:, 0])
        #: Least and largest activations at which muscles can rest (m, 2).
        self.bounds = np.column_stack([least, controls[:, 1]])

    def at(self, t: float, y: Array, activations: Array, other_controls: Mapping[int, float] | None = None) -> AtRest:
        """Return the state at rest, with the pose of y (ny,), no speeds, and activations (m,).

        Activation dynamics rest where the excitation is the activation; muscles without them take it at once.
        """
        system = self._system
        y = y.copy()
        y[system.speeds] = 0.0
        for entries, activation in zip(self._activations, activations.tolist(), strict=True):
            y[entries] = activation
        target_controls = dict(zip(self._muscles.controls, activations.tolist(), strict=True)) | dict(
            other_controls or {}
        )
        now = system.drives.controls(system.model, system.set_state(t, y))
        changes = {i: float(value - now[i]) for i, value in target_controls.items()}
        if len(self._fibres):
            y = self._equilibrated(t, y, changes)
        return AtRest(y, changes)

    def _equilibrated(self, t: float, y: Array, changes: Mapping[int, float]) -> Array:
        """Return y (ny,) with fibres at rest: OpenSim's equilibrium, improved by Newton steps on the fibres' rates."""
        system, fibres = self._system, self._fibres
        state = system.set_state(t, y)
        system.drives.set_controls(system.model, state, changes)
        try:
            with PATH_LISTS:
                system.model.equilibrateMuscles(state)
        except RuntimeError as error:
            raise SimulationError(f"muscles find no equilibrium: {opensim_reason(error)}", t) from None
        y[fibres] = state.getY().to_numpy()[fibres]
        rates = self._rates(t, y, changes)
        for _ in range(STEPS):
            if np.abs(rates).max() <= REST:
                break
            shifted = y.copy()
            shifted[fibres] += SLOPE_STEP
            slope = (self._rates(t, shifted, changes) - rates) / SLOPE_STEP
            candidate = y.copy()
            candidate[fibres] -= np.divide(rates, slope, out=np.zeros_like(rates), where=slope < 0)
            after = self._rates(t, candidate, changes)
            better = np.abs(after) < np.abs(rates)
            y[fibres[better]] = candidate[fibres[better]]
            rates = np.where(better, after, rates)
            if not better.any():
                break
        return y

    def _rates(self, t: float, y: Array, changes: Mapping[int, float]) -> Array:
        return np.array(self._system.realize(t, y, changes).getYDot().to_numpy()[self._fibres])
