"""The actuators of a model at its states: what each does to the coordinates, and how strong it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import ModelError, OptionError, UnknownNameError, opensim_reason
from ..._core.opensim import osim, quiet
from ...model import InertialModel
from ...model.constraints import constraint_jacobian
from ...opensim_model.reading.components import model_muscles
from ...opensim_model.reading.coordinates import dependent_coordinates
from ...opensim_model.reading.kinematics import MomentArms
from ...opensim_model.reading.loading import initialise
from ...opensim_model.setups.driven_model import add_force_sets
from ...opensim_model.setups.loads import switch_off
from ...options.recruitment import Actuation

LENGTH = "fiber_length"
#: Fibres are at least this share of their optimal length.
SHORTEST = 0.01


class PassiveFibres:
    """Passive forces along the tendons of muscles of one model.

    A muscle with a state of fibre length gets that which its path leaves it beside a tendon of slack length; the fibres
    keep their height, as in OpenSim's muscles. Damping of fibres is left out.
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


class ActuationAt(NamedTuple):
    """Actuators at one state.

    Attributes:
        arms: generalized force per unit of force, (n, nu).
        strengths: force per unit of control, (n,) [N or N m].
        passive: passive forces of the muscles, (muscles,) [N].
        constraints: G (rows, nu).
    """

    arms: Array
    strengths: Array
    passive: Array
    constraints: Array


class ModelActuators:
    """Muscles, other actuators and reserves of a model, in this order."""

    def __init__(self, inertial: InertialModel, actuation: Actuation) -> None:
        self.model = osim.Model(inertial.model)
        self.coordinates = inertial.coordinates
        initialise(self.model, names_are_known=True)
        with quiet():
            add_force_sets(self.model, actuation.files, "actuators")
        self._state = osim.State(initialise(self.model))
        names = self.coordinates.names
        coordinate_set = self.model.getCoordinateSet()
        self.locked = tuple(name for name in names if coordinate_set.get(name).getLocked(self._state))
        self.followers = dependent_coordinates(self.model, self.coordinates)
        acting_muscles = {name: m for name, m in model_muscles(self.model).items() if m.appliesForce(self._state)}
        self._muscles = list(acting_muscles.values())
        self.muscles = tuple(acting_muscles)
        self._non_muscles = _other_actuators(self.model, self._state)
        self.reserves = self._checked_reserves(actuation.reserves)
        non_muscles = [actuator.getName() for actuator in self._non_muscles]
        self.names = (*self.muscles, *non_muscles, *(f"{c}_reserve" for c in self.reserves))
        _check_unique(self.names, self.model)
        actuators = [*self._muscles, *self._non_muscles]
        wide = np.full(len(self.reserves), np.inf)
        self.lower = np.r_[[a.getMinControl() for a in actuators], -wide]
        self.upper = np.r_[[a.getMaxControl() for a in actuators], wide]
        self._check_bounds()
        self._physiology = actuation.physiology
        self._isometric = np.array([m.getMaxIsometricForce() for m in self._muscles])
        for name, force in zip(self.muscles, self._isometric, strict=True):
            if not 0 < force < np.inf:
                raise ModelError(f"muscle '{name}' has no strength: its max_isometric_force is {force:g} N")
        self._fixed_strengths = np.r_[[o.getOptimalForce() for o in self._non_muscles], list(self.reserves.values())]
        self._arms = MomentArms(self.model, [m.getPath() for m in self._muscles])
        self._fibres = PassiveFibres(self._muscles) if actuation.passive else None
        self._constant = self._constant_arms()
        self._bodily = [i for i, arms in enumerate(self._constant) if arms is None]
        self._inverse_dynamics = osim.InverseDynamicsSolver(self.model)
        self._override_state = osim.State(self._state)
        switch_off(self.model, self._override_state, ("All",))
        for i in self._bodily:
            self._non_muscles[i].setAppliesForce(self._override_state, True)
            self._non_muscles[i].overrideActuation(self._override_state, True)
            self._non_muscles[i].setOverrideActuation(self._override_state, 0.0)

    def at(self, time: float, q: Array, u: Array) -> ActuationAt:
        """Return the actuators at a state of coordinates q and speeds u (nu,)."""
        state = self._at_pose(self._state, time, q, u)
        try:
            arms = self._arms.at(state)
            active = self._isometric
            if self._physiology:
                active = np.array([m.calcInextensibleTendonActiveFiberForce(state, 1.0) for m in self._muscles])
            passive = np.zeros(len(self._muscles)) if self._fibres is None else self._fibres.at(state)
        except RuntimeError as error:
            raise ModelError(f"muscles cannot be evaluated at time {time:.6g} s: {opensim_reason(error)}") from None
        self._check_finite(time, arms, active, passive)
        other_arms = [arms_of if arms_of is not None else np.zeros(len(q)) for arms_of in self._constant]
        if self._bodily:
            for i, bodily_arms in zip(self._bodily, self._bodily_arms(time, q, u), strict=True):
                other_arms[i] = bodily_arms
        all_arms = np.vstack([arms, *other_arms]) if other_arms else arms
        G = constraint_jacobian(self.model, state)
        return ActuationAt(all_arms, np.r_[active, self._fixed_strengths], passive, G)

    def _at_pose(self, state: osim.State, time: float, q: Array, u: Array) -> osim.State:
        state.setTime(time)
        self.coordinates.set_values(state, q)
        state.setU(osim.Vector.createFromMat(u))
        return state

    def _bodily_arms(self, time: float, q: Array, u: Array) -> list[Array]:
        """Return the generalized force (nu,) per unit of force of each actuator that acts on bodies.

        It is the difference of two solutions of inverse dynamics, with the actuator's force overridden by 0 and by 1.
        """
        state = self._at_pose(self._override_state, time, q, u)
        at_rest = osim.Vector(len(u), 0.0)
        passive_solution = self._inverse_dynamics.solve(state, at_rest).to_numpy().copy()
        bodily_arms = []
        for i in self._bodily:
            self._non_muscles[i].setOverrideActuation(state, 1.0)
            bodily_arms.append(passive_solution - self._inverse_dynamics.solve(state, at_rest).to_numpy())
            self._non_muscles[i].setOverrideActuation(state, 0.0)
        return bodily_arms

    def _constant_arms(self) -> list[Array | None]:
        """Return the generalized force (nu,) per unit of force of each actuator that acts on one coordinate."""
        names, unit = self.coordinates.names, np.eye(len(self.coordinates.names))
        of_others = [
            None
            if (coordinate_actuator := osim.CoordinateActuator.safeDownCast(actuator)) is None
            else unit[names.index(coordinate_actuator.getCoordinate().getName())]
            for actuator in self._non_muscles
        ]
        return [*of_others, *(unit[names.index(c)] for c in self.reserves)]

    def _checked_reserves(self, reserves: Mapping[str, float] | float | None) -> dict[str, float]:
        names = self.coordinates.names
        if reserves is None:
            return {}
        if not isinstance(reserves, Mapping):
            movable = [n for i, n in enumerate(names) if n not in self.locked and i not in self.followers]
            reserves = dict.fromkeys(movable, reserves)
        for name, strength in reserves.items():
            if name not in names:
                raise UnknownNameError("coordinate", name, names, "reserves")
            if isinstance(strength, bool) or not isinstance(strength, int | float) or not 0 < strength < np.inf:
                raise OptionError("reserves", reserves, f"positive strengths; that of '{name}' is {strength!r}")
        return {name: float(strength) for name, strength in reserves.items()}

    def _check_bounds(self) -> None:
        for name, low, high in zip(self.names, self.lower, self.upper, strict=True):
            if not low <= high:
                raise ModelError(f"actuator '{name}' has min_control {low:g} above max_control {high:g}")

    def _check_finite(self, time: float, arms: Array, active: Array, passive: Array) -> None:
        quantities = {"moment arms": arms.sum(axis=1), "active force": active, "passive force": passive}
        for quantity, values in quantities.items():
            if not np.isfinite(values).all():
                name = self.muscles[int(np.argmax(~np.isfinite(values)))]
                raise ModelError(f"muscle '{name}': its {quantity} at time {time:.6g} s is not finite")


def _other_actuators(model: osim.Model, state: osim.State) -> list[osim.ScalarActuator]:
    """Return the actuators, other than muscles, that are switched on; each must have an optimal force."""
    actuators = []
    for component in model.getComponentsList():
        if osim.Actuator.safeDownCast(component) is None or osim.Muscle.safeDownCast(component) is not None:
            continue
        force = osim.Force.safeDownCast(component)
        scalar = osim.ScalarActuator.safeDownCast(component)
        if force is not None and not force.appliesForce(state):
            continue
        concrete = None if scalar is None else getattr(osim, component.getConcreteClassName(), None)
        concrete = None if concrete is None else concrete.safeDownCast(component)
        if concrete is None or not hasattr(concrete, "getOptimalForce"):
            raise ModelError(f"actuator '{component.getName()}' is a {component.getConcreteClassName()}: not supported")
        actuators.append(concrete)
    return actuators


def _check_unique(names: Sequence[str], model: osim.Model) -> None:
    for name in names:
        if names.count(name) > 1:
            raise ModelError(f"model '{model.getName()}' and its actuators have more than one '{name}'; rename one")
