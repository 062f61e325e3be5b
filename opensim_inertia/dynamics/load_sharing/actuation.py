"""Generalized forces and strengths of a model's actuators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.checks import check_names
from ..._core.errors import ModelError, OptionError, opensim_reason
from ..._core.opensim import osim, quiet
from ...model import InertialModel
from ...model.constraints import DEPENDENT, constraint_jacobian, followers
from ...opensim_model.reading.components import model_muscles
from ...opensim_model.reading.coordinates import base_coordinates, dependent_coordinates
from ...opensim_model.reading.kinematics import MomentArms
from ...opensim_model.reading.loading import initialise
from ...opensim_model.setups.driven_model import add_force_sets
from ...options.recruitment import Actuation, Criterion
from .programs import RecruitmentSolution, solve_recruitment

LENGTH = "fiber_length"
#: Smallest fibre length, relative to the optimal length.
SHORTEST = 0.01


def _has_fibre_length(muscle: osim.Muscle) -> bool:
    names = muscle.getStateVariableNames()
    return any(names.get(i).endswith(LENGTH) for i in range(names.getSize()))


class ModelActuators:
    """Muscles, other actuators, and reserves (added coordinate actuators) of a model, in this order."""

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
        for name in self.names:
            if self.names.count(name) > 1:
                whose = f"model '{self.model.getName()}' and its actuators"
                raise ModelError(f"{whose} have more than one '{name}'; rename one")
        actuators = [*self._muscles, *self._non_muscles]
        wide = np.full(len(self.reserves), np.inf)
        self.lower = np.r_[[a.getMinControl() for a in actuators], -wide]
        self.upper = np.r_[[a.getMaxControl() for a in actuators], wide]
        for name, low, high in zip(self.names, self.lower, self.upper, strict=True):
            if not low <= high:
                raise ModelError(f"actuator '{name}' has min_control {low:g} above max_control {high:g}")
        self._physiology = actuation.physiology
        self._isometric = np.array([m.getMaxIsometricForce() for m in self._muscles])
        for name, force in zip(self.muscles, self._isometric, strict=True):
            if not 0 < force < np.inf:
                raise ModelError(f"muscle '{name}' has no strength: its max_isometric_force is {force:g} N")
        self._fixed_strengths = np.r_[[o.getOptimalForce() for o in self._non_muscles], list(self.reserves.values())]
        self._arms = MomentArms(self.model, [m.getPath() for m in self._muscles])
        self._is_passive = actuation.passive
        self._with_fibres = [m for m in self._muscles if _has_fibre_length(m)] if actuation.passive else []
        self._constant = self._constant_arms()
        self._bodily = [self._non_muscles[i] for i, arms in enumerate(self._constant) if arms is None]
        for actuator in self._bodily:
            actuator.overrideActuation(self._state, True)
            actuator.setOverrideActuation(self._state, 1.0)

    def at(self, time: float, q: Array, u: Array) -> tuple[Array, Array, Array, Array]:
        """Return, for n actuators, moment arms (n, nu), strengths (n,), passive muscle forces, constraint Jacobian."""
        state = self._state
        state.setTime(time)
        self.coordinates.set_values(state, q)
        state.setU(osim.Vector.createFromMat(u))
        try:
            arms, bodily = np.split(self._arms.at(state, self._bodily), [len(self._muscles)])
            active = self._isometric
            if self._physiology:
                active = np.array([m.calcInextensibleTendonActiveFiberForce(state, 1.0) for m in self._muscles])
            passive = self._passive_forces(state)
        except RuntimeError as error:
            raise ModelError(f"muscles cannot be evaluated at time {time:.6g} s: {opensim_reason(error)}") from None
        quantities = {"moment arms": arms.sum(axis=1), "active force": active, "passive force": passive}
        for quantity, values in quantities.items():
            if not np.isfinite(values).all():
                name = self.muscles[int(np.argmax(~np.isfinite(values)))]
                raise ModelError(f"muscle '{name}': its {quantity} at time {time:.6g} s is not finite")
        next_bodily = iter(bodily)
        others = [next(next_bodily) if constant is None else constant for constant in self._constant]
        strengths = np.r_[active, self._fixed_strengths]
        return np.vstack([arms, *others]), strengths, passive, constraint_jacobian(self.model, state)

    def _passive_forces(self, state: osim.State) -> Array:
        """Return passive forces along tendons (muscles,) [N], without damping.

        Fibre lengths that are states follow from a tendon of slack length and OpenSim's constant fibre height.
        """
        if not self._is_passive:
            return np.zeros(len(self._muscles))
        for muscle in self._with_fibres:
            optimal = muscle.getOptimalFiberLength()
            height = optimal * np.sin(muscle.getPennationAngleAtOptimalFiberLength())
            along = max(muscle.getLength(state) - muscle.getTendonSlackLength(), 0.0)
            muscle.setStateVariableValue(state, LENGTH, float(max(np.hypot(height, along), SHORTEST * optimal)))
        self.model.realizeVelocity(state)
        forces = (
            m.getMaxIsometricForce() * m.getPassiveForceMultiplier(state) * m.getCosPennationAngle(state)
            for m in self._muscles
        )
        return np.fromiter(forces, float)

    def _constant_arms(self) -> list[Array | None]:
        """Return generalized forces (nu,) per unit force of each non-muscle actuator; None if pose-dependent."""
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
        check_names("coordinate", reserves, names, "reserves")
        for name, strength in reserves.items():
            if isinstance(strength, bool) or not isinstance(strength, int | float) or not 0 < strength < np.inf:
                raise OptionError("reserves", reserves, f"positive strengths; that of '{name}' is {strength!r}")
        return {name: float(strength) for name, strength in reserves.items()}


def _other_actuators(model: osim.Model, state: osim.State) -> list[osim.ScalarActuator]:
    """Return the enabled actuators other than muscles; ModelError for one without optimal force."""
    actuators = []
    for component in model.getComponentsList():
        if osim.Actuator.safeDownCast(component) is None or osim.Muscle.safeDownCast(component) is not None:
            continue
        force = osim.Force.safeDownCast(component)
        scalar = osim.ScalarActuator.safeDownCast(component)
        if force is not None and not force.appliesForce(state):
            continue
        kind = None if scalar is None else getattr(osim, component.getConcreteClassName(), None)
        concrete = None if kind is None else kind.safeDownCast(component)
        if not hasattr(concrete, "getOptimalForce"):
            raise ModelError(f"actuator '{component.getName()}' is a {component.getConcreteClassName()}: not supported")
        actuators.append(concrete)
    return actuators


#: Tolerance of motions on constraints, relative to the largest entry of G.
BROKEN = 1e-7
#: Weights for making coordinates dependent: coupled and locked ones first, base last.
EAGER, RELUCTANT = 1e3, 1e-3
#: Smaller moment arms, relative to the largest of the row or muscle, count as zero.
NO_ARM = 1e-12


@dataclass(frozen=True, eq=False)
class SharedRow:
    """Actuators at one state: strengths, passive forces, and generalized forces on independent coordinates."""

    strengths: Array  # force per unit of control, (n,) [N or N m]
    passive: Array  # passive forces of muscles, (muscles,) [N]
    N: Array  # null space of the constraints, (nu, k)
    matrix: Array  # ``N^T R diag(F)``, forces on the k independent coordinates by controls (k, n)
    acting: NDArray[np.bool_]  # whether an actuator acts on an independent coordinate, (k,)
    pulling: NDArray[np.bool_]  # whether a muscle acts on a solved coordinate, (muscles,)
    passive_forces: Array  # effect of passive forces on independent coordinates, (k,)


class LoadSharing:
    """Actuators of a model that must produce given forces on independent coordinates."""

    def __init__(self, inertial: InertialModel, actuation: Actuation, free: Sequence[str], pose: Array) -> None:
        self.actuation = ModelActuators(inertial, actuation)
        names = inertial.coordinate_names
        eager = [*self.actuation.followers, *(names.index(name) for name in self.actuation.locked)]
        on_base = np.flatnonzero(base_coordinates(inertial.model, inertial.coordinates)).tolist()
        state = inertial.initial_state()
        inertial.coordinates.set_values(state, pose)
        inertial.model.realizePosition(state)
        weight = np.ones(len(names))
        weight[on_base] = RELUCTANT
        weight[eager] = EAGER
        self._dependent = np.zeros(len(names), dtype=bool)
        self._dependent[followers(constraint_jacobian(inertial.model, state), weight)] = True
        self.independent: NDArray[np.intp] = np.flatnonzero(~self._dependent)
        self.kept = np.array([names[i] not in free for i in self.independent])
        self._muscles = np.arange(len(self.actuation.names)) < len(self.actuation.muscles)

    def _null_space(self, G: Array, time: float) -> Array:
        """Return a null-space basis (nu, k) of constraint Jacobian G, with the identity in independent coordinates."""
        d = self._dependent
        N = np.zeros((len(d), len(self.independent)))
        N[self.independent, np.arange(len(self.independent))] = 1.0
        if len(G) and d.any():
            N[d] = -np.linalg.lstsq(G[:, d], G[:, self.independent], rcond=DEPENDENT)[0]
            broken = np.abs(self._folded(G, N)).max(axis=0, initial=0.0)
            if broken.max(initial=0.0) > BROKEN * np.abs(G).max(initial=0.0) * max(1.0, float(np.abs(N).max())):
                name = self.actuation.coordinates.names[self.independent[int(broken.argmax())]]
                raise ModelError(f"the constraints lock '{name}' at {time:.6g} s, but not at other times")
        return N

    def _folded(self, forces: Array, N: Array) -> Array:
        """Return generalized forces (..., nu) projected onto independent coordinates (..., k)."""
        d = self._dependent
        return np.asarray(forces[..., self.independent] + forces[..., d] @ N[d])

    def at(self, time: float, q: Array, u: Array) -> SharedRow:
        """Return the actuators at a state of coordinates q and speeds u (nu,)."""
        all_arms, strengths, passive, G = self.actuation.at(time, q, u)
        N = self._null_space(G, time)
        arms = self._folded(all_arms, N)
        sizes = np.abs(arms).max(axis=0, initial=0.0)
        acting = sizes > NO_ARM * sizes.max(initial=0.0)
        arms[:, ~acting] = 0.0
        muscles, matrix = len(passive), (arms * strengths[:, None]).T
        full, folded = (np.abs(x[:muscles]).max(axis=1, initial=0.0) for x in (all_arms, arms[:, self.kept]))
        pulling, passive_forces = folded > NO_ARM * full, passive @ arms[:muscles]
        return SharedRow(strengths, passive, N, matrix, acting, pulling, passive_forces)

    def solve(
        self, row: SharedRow, generalized: Array, criterion: Criterion, near: Array | None
    ) -> RecruitmentSolution:
        """Return the controls that produce generalized forces (nu,) on independent coordinates."""
        needed = self._folded(generalized, row.N) - row.passive_forces
        bounds = self.actuation.lower, self.actuation.upper
        matrix, right = row.matrix[self.kept], needed[self.kept]
        solution = solve_recruitment(matrix, right, *bounds, criterion, self._muscles, near)
        return solution._replace(missing=needed - row.matrix @ solution.activations)
