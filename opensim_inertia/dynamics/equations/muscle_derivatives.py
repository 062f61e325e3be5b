"""Derivatives of muscles' tensions and state rates, and muscles at rest.

Tension and rates depend only on the muscle's path length and its rate, states and control. All muscles are perturbed at
once: along one direction of speeds or coordinates that changes all lengths, and by one state or control of each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..._core.arrays import Array
from ..._core.opensim import osim
from ...opensim_model.reading.components import model_muscles
from ...opensim_model.reading.kinematics import MomentArms
from .system import LEAST_MUSCLE_STATE, MUSCLE_POSE_STEP, MUSCLE_SPEED_STEP, MUSCLE_STATE_STEP, System, equilibrate

#: Smallest change of a muscle's length along a direction, relative to its largest possible change.
LEAST_CHANGE = 0.1
#: Number of random directions.
TRIALS = 64
#: Muscles with a smaller sum of moment arms [m] span no joint.
NO_ARM = 1e-9
#: Smallest activation of muscles with elastic tendons: fibre speeds are undefined without activation.
LEAST_ELASTIC = 0.01
#: Newton steps after OpenSim's search, which stops at 1e-8 of the largest force.
STEPS = 6
#: Step of fibre lengths, or of normalised tendon forces, for slopes of their rates.
SLOPE_STEP = 1e-7
#: Tolerance on rates of fibres at rest [their unit per second].
REST = 1e-12


#: Tensions and state rates (m, 1 + states), lengths and lengthening speeds of paths (m,).
_Response = tuple[Array, Array, Array]


class MuscleDerivatives:
    """Derivatives of enabled muscles' tensions and state rates, and equilibria of these muscles."""

    def __init__(self, system: System) -> None:
        self.system, self.model = system, system.model
        acting = [m for m in model_muscles(self.model).values() if m.appliesForce(system.state)]
        self.muscles = acting
        self.state_entries = [system.layout.within(m.getAbsolutePathString()) for m in acting]
        names = system.drives.control_names
        self.controls = [names.index(m.getName()) for m in acting]
        self.minimum_activations = np.array([_minimum_activation(m) for m in acting])
        fibres = [[i for i in rows if not system.layout.path(i).endswith("/activation")] for rows in self.state_entries]
        self._fibres = np.array([i for rows in fibres for i in rows], dtype=int)
        limits = np.array([(m.getMinControl(), m.getMaxControl()) for m in acting]).reshape(-1, 2)
        least = np.maximum(np.where([bool(rows) for rows in fibres], LEAST_ELASTIC, 0.0), self.minimum_activations)
        #: Least and largest activations at rest (m, 2).
        self.bounds = np.column_stack([np.maximum(least, limits[:, 0]), limits[:, 1]])
        self._arms = MomentArms(self.model, [m.getPath() for m in acting])
        self._width = 1 + max(map(len, self.state_entries), default=0)
        self._trials = np.random.default_rng(0).choice([-1.0, 1.0], size=(TRIALS, system.nu))

    def with_overridden_tensions(self, state: osim.State) -> osim.State:
        """Return a copy of a state with overridden muscle tensions, which ``override_tensions`` sets."""
        override_state = osim.State(state)
        for muscle in self.muscles:
            muscle.overrideActuation(override_state, True)
        # the first change of a copied state can restore a version number of its cache: values read later would then be
        # those of
        # the original state
        self.model.realizeVelocity(override_state)
        self.lengths(override_state)
        return override_state

    def override_tensions(self, state: osim.State, tensions: Array) -> None:
        """Set the tensions (m,) [N] in a state from ``with_overridden_tensions``."""
        for muscle, tension in zip(self.muscles, tensions.tolist(), strict=True):
            muscle.setOverrideActuation(state, tension)

    def tensions(self, state: osim.State) -> Array:
        """Return the muscles' tensions (m,) [N] at a state realized to dynamics."""
        return np.array([m.getActuation(state) for m in self.muscles])

    def lengths(self, state: osim.State) -> Array:
        """Return lengths [m] and lengthening speeds [m/s] of m muscle paths (2, m)."""
        pairs = [(m.getLength(state), m.getLengtheningSpeed(state)) for m in self.muscles]
        return np.array(pairs).reshape(-1, 2).T

    def lengthening(self, state: osim.State, y: Array) -> Array:
        """Return lengthening speeds of muscle paths per unit of each generalized speed, (muscles, nu)."""
        nq, nu = self.system.nq, self.system.nu
        result = np.zeros((len(self.muscles), nu))
        if not self.muscles:
            return result
        state.setQ(osim.Vector.createFromMat(y[:nq]))
        for j, unit in enumerate(np.eye(nu)):
            state.setU(osim.Vector.createFromMat(unit))
            self.model.realizeVelocity(state)
            result[:, j] = [m.getLengtheningSpeed(state) for m in self.muscles]
        return result

    def moment_arms(self, state: osim.State) -> Array:
        """Return generalized forces (m, nu) per unit of tension along OpenSim's muscle paths."""
        return self._arms.at(state)

    def at(self, t: float, y: Array, lengthening: Array) -> tuple[Array, Array, Array]:
        """Return derivatives of tensions, state rates (m, ...) with respect to path length, its rate and states."""
        n, width = len(self.muscles), self._width
        length, speed, states = (np.zeros(s) for s in ((n, width), (n, width), (n, width - 1, width)))
        slots = self.system.layout.coordinates.slots
        for direction, selected in self._directions(lengthening):
            steps = self.system.speeds, MUSCLE_SPEED_STEP * direction
            rates, _, speeds = (each[selected] for each in self._differences(t, y, *steps))
            speed[selected] = rates / speeds[:, None]
            rates, lengths, speeds = (
                each[selected] for each in self._differences(t, y, slots, MUSCLE_POSE_STEP * direction)
            )
            length[selected] = (rates - speed[selected] * speeds[:, None]) / lengths[:, None]
        for k in range(width - 1):
            indices = [i for i, rows in enumerate(self.state_entries) if k < len(rows)]
            entries = [self.state_entries[i][k] for i in indices]
            step = MUSCLE_STATE_STEP * np.maximum(LEAST_MUSCLE_STATE, np.abs(y[entries]))
            middle = np.zeros(len(entries))
            if k == 0:  # activation
                least = self.minimum_activations[indices]
                middle = _off_kink(y[entries], self._controls_at(t, y)[indices], step, least) - y[entries]
            states[indices, k] = self._differences(t, y, entries, step, middle)[0][indices] / (2 * step[:, None])
        return length, speed, states

    def over_controls(self, t: float, y: Array, step: float) -> Array:
        """Return d(tension, state rates)/d(own control) of each muscle (m, 1 + states)."""
        if not self.muscles:
            return np.zeros((0, self._width))
        now = self._controls_at(t, y)
        low = np.array([m.getMinControl() for m in self.muscles])
        high = np.array([m.getMaxControl() for m in self.muscles])
        middle = np.where((now >= low) & (now <= high), np.clip(now, low + step, high - step), now)
        activations = np.array([y[rows[0]] if rows else np.inf for rows in self.state_entries])
        # on the same side of the kink as the derivative by activation
        middle = np.where(
            np.abs(activations - now) < step, activations - np.where(activations > now, step, -step), middle
        )
        ends = []
        for sign in (1, -1):
            changes = dict(zip(self.controls, (middle + sign * step - now).tolist(), strict=True))
            ends.append(self._response(self.system.realize(t, y, changes))[0])
        return (ends[0] - ends[1]) / (2 * step)

    def _controls_at(self, t: float, y: Array) -> Array:
        return self.system.drives.controls(self.model, self.system.set_state(t, y))[self.controls]

    def response(self, t: float, y: Array) -> Array:
        """Return the muscles' tensions and state rates (m, 1 + states)."""
        return self._response(self.system.realize(t, y))[0]

    def _differences(self, t: float, y: Array, entries: Any, step: Array, middle: Array | float = 0.0) -> list[Array]:
        """Return tensions, rates, lengths for ``entries`` of y plus middle + step, minus those for middle - step."""
        ends = []
        for sign in (1, -1):
            moved = y.copy()
            moved[entries] += middle + sign * step
            ends.append(self._response(self.system.realize(t, moved)))
        return [up - down for up, down in zip(*ends, strict=True)]

    def _response(self, state: osim.State) -> _Response:
        ydot = state.getYDot().to_numpy()
        rates = np.zeros((len(self.muscles), self._width))
        rates[:, 0] = self.tensions(state)
        for i, rows in enumerate(self.state_entries):
            rates[i, 1 : 1 + len(rows)] = ydot[rows]
        return rates, *self.lengths(state)

    def _directions(self, lengthening: Array) -> list[tuple[Array, Array]]:
        """Return speed directions (nu,), each with a mask (m,) of muscles to differentiate; masks do not overlap."""
        reach = np.abs(lengthening).sum(axis=1)
        remaining = reach > NO_ARM
        change = np.abs(lengthening @ self._trials.T) / np.where(remaining, reach, 1.0)[:, None]
        chosen = []
        while remaining.any():
            best = int(np.argmax((change[remaining] > LEAST_CHANGE).sum(axis=0) + change[remaining].min(axis=0)))
            selected = remaining & (change[:, best] > min(LEAST_CHANGE, 0.99 * float(change[remaining, best].max())))
            chosen.append((self._trials[best], selected))
            remaining = remaining & ~selected
        return chosen

    def at_rest(
        self, t: float, y: Array, activations: Array, other_controls: Mapping[int, float] | None = None
    ) -> tuple[Array, dict[int, float]]:
        """Return y (ny,) with muscles at rest at ``activations`` (m,), and required changes of controls, by index."""
        system = self.system
        y = y.copy()
        y[system.speeds] = 0.0
        for entries, activation in zip(self.state_entries, activations.tolist(), strict=True):
            y[[i for i in entries if i not in self._fibres]] = activation
        target_controls = dict(zip(self.controls, activations.tolist(), strict=True)) | dict(other_controls or {})
        now = system.drives.controls(system.model, system.set_state(t, y))
        changes = {i: float(value - now[i]) for i, value in target_controls.items()}
        if len(self._fibres):
            y = self._equilibrated(t, y, changes)
        return y, changes

    def _equilibrated(self, t: float, y: Array, changes: Mapping[int, float]) -> Array:
        """Return y (ny,) with fibres at rest under ``changes`` of controls, found by OpenSim and Newton steps."""
        system, fibres = self.system, self._fibres
        state = system.set_state(t, y)
        system.drives.set_controls(system.model, state, changes)
        equilibrate(system.model, state)
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
        return np.array(self.system.realize(t, y, changes).getYDot().to_numpy()[self._fibres])


def _off_kink(activation: Array, control: Array, step: Array, least: Array) -> Array:
    """Return activations moved at least ``step`` away from controls, because activation dynamics have a kink there."""
    beside = control + np.where((activation > control) | (control - 2 * step < least), step, -step)
    return np.where(np.abs(activation - control) < step, beside, activation)


def _minimum_activation(muscle: osim.Muscle) -> float:
    """Return a muscle's minimum activation."""
    concrete = getattr(osim, muscle.getConcreteClassName(), None)
    muscle = muscle if concrete is None else concrete.safeDownCast(muscle)
    if not muscle.hasProperty("minimum_activation"):
        return 0.0
    return float(osim.PropertyHelper.getValueDouble(muscle.getPropertyByName("minimum_activation")))
