"""Start of a simulation: checks, loads, muscle equilibrium and constraints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..._core.arrays import Array
from ..._core.checks import check_names
from ..._core.diagnostics import raise_or_warn
from ..._core.errors import ModelError, MotionError, OptionError, SimulationError
from ..._core.opensim import osim
from ...model.constraints import solve_accelerations
from ...model.model import bound_to
from ...opensim_model.reading.components import model_muscles
from ...opensim_model.setups.driven_model import SWINGS
from ...opensim_model.setups.loads import Loads, unit_findings
from ...options.recording import Wobble
from ...paths.kernel.evaluation import AddedTerms
from .problem import PastMotion, Problem
from .swinging import Swinging, coordinates_of
from .system import System, central, equilibrate

#: Largest number of steps to initial rest, and tolerance on displacements [m].
STEPS, SETTLED = 50, 1e-14
#: Step of displacements [m] and their rates [m/s] for derivatives.
STEP = 1e-5


class SwingingSystem(System):
    """Equations of motion with wobbling masses; the last entries of y are displacements and their rates."""

    swings: Swinging

    def __init__(self, problem: Problem, wobble: Wobble) -> None:
        super().__init__(problem)
        self.swings = Swinging(self.inertial, self.state, wobble)
        self._plain = self.layout.size
        self.layout = self.layout.extended(self.swings.paths)
        self._following = np.zeros(0), np.zeros((0, self.nu))  # zddot at udot = 0, and its decrease per udot
        check_names("mass that wobbles", wobble.start or {}, self.swings.names, "wobble_start")

    def driven(self, problem: Problem) -> SwingingSystem:
        """Return the equations of ``problem``, which differs from this problem only in excitations and forces."""
        system = super().driven(problem)
        assert isinstance(system, SwingingSystem)
        system.swings = self.swings.again(system.inertial, system.state)
        return system

    def started(self, t: float, y: Array, known: Mapping[str, float]) -> Array:
        """Return y with initial displacements: from ``wobble.start``, else ``known`` (by path), else in equilibrium."""
        y = y.copy()
        parts = y[self._plain :].reshape(2, -1)
        self._settle(t, y, parts)
        for path, value in known.items():
            if path.startswith(SWINGS):
                check_names("displacement", [path], self.swings.paths, "the state at the start")
                y[self._plain + self.swings.paths.index(path)] = value
        if given := self.swings.wobble.start:
            state = self.realize(t, y)
            z, rate = (self.swings.split(part) for part in parts)
            for group, its, its_rate in zip(self.swings.at(state), z, rate, strict=True):
                for s, name in enumerate(group.swings.names):
                    if name in given:
                        its[s], its_rate[s] = coordinates_of(group, s, *map(np.asarray, given[name]))
        return y

    def _settle(self, t: float, y: Array, parts: Array) -> None:
        """Set ``parts`` (2, count), a view of y: displacements to equilibrium, and their rates to zero."""
        parts[:] = 0.0
        for _ in range(STEPS):
            state = self.realize(t, y)
            mass, force = super().added_terms(state)
            groups = self.swings.at(state)
            for terms in self.swings.terms(state):
                mass, force = mass + terms.mass_matrix, force + terms.force
            udot0 = state.getUDot().to_numpy()
            udot = super().accelerations(state, udot0, self.drives.forces(state), (mass, force))
            before = parts[0].copy()
            for z, group in zip(self.swings.split(parts[0]), groups, strict=True):
                values, n = group.swings.values, group.swings.coordinates
                coefficients = group.swings.coefficients([group.kinematics], udot[None])[0]
                held = coefficients[:, :n] + values.oscillator(group.tension)[0][:, None, None] * np.eye(n)
                z[:] = np.linalg.solve(held, coefficients[:, 2 * n, :, None])[..., 0]
            if np.abs(parts[0] - before).max(initial=0.0) <= SETTLED:
                return
        raise SimulationError("the wobbling masses find no rest: their forces balance nowhere near", t)

    def set_state(self, t: float, y: Array) -> osim.State:
        """Return OpenSim's state, the same object at each call, set to t [s] and y (ny,)."""
        self.swings.values = y[self._plain :].copy()
        return super().set_state(t, y[: self._plain])

    def _set_state_at_pose(self, y: Array) -> osim.State:
        self.swings.values = y[self._plain :].copy()
        return super()._set_state_at_pose(y[: self._plain])

    def added_terms(self, state: osim.State) -> AddedTerms:
        """Return the parts of mass matrix (nu, nu) and forces (nu,) that sliding and wobbling masses add."""
        mass, force = super().added_terms(state)
        found = self.swings.terms(state)
        for more_mass, more_force in (terms.reduced() for terms in found):
            mass, force = mass + more_mass, force + more_force
        at_rest, gain = zip(*(terms.following() for terms in found), strict=True)
        self._following = np.concatenate(at_rest), np.concatenate(gain)
        return mass, force

    def _accelerations(self, state: osim.State, udot0: Array, forces: Array | None, added: AddedTerms | None) -> Array:
        if added is None:
            rigid = self.mass_matrix(state)
            if (found := self.swings.equations(state, (rigid, udot0), self.seen)) is not None:
                mass, force, *following = found
                self._following = following[0], following[1]
                force = force if forces is None else force + forces
                udot = solve_accelerations(self.model, state, mass, force, udot0)
                if np.isfinite(udot).all():
                    return udot
            added = self.added_terms(state)
        return super()._accelerations(state, udot0, forces, added)

    def jacobian(self, t: float, y: Array) -> Array:
        """Return the Jacobian df/dy (ny, ny) of ``rhs``, by central differences for displacements and their rates."""
        result = super().jacobian(t, y)
        rates = self.rhs(t, y)
        if not np.isfinite(rates).all() or not np.isfinite(result).all():
            return result
        forces, udot0 = self.drives.forces(self.state), self.state.getYDot().to_numpy()[self.speeds]

        def moved(x: Array) -> Array:
            self.swings.values = x[self._plain :].copy()
            ydot = rates[: self._plain].copy()
            ydot[self.speeds] = self.accelerations(self.state, udot0, forces)
            return self._with_swings(ydot)

        for i in range(self._plain, self.layout.size):
            result[:, i] = central(moved, y, i, STEP)
        return result

    def _rates(self, state: osim.State, added: AddedTerms | None = None) -> Array:
        return self._with_swings(super()._rates(state))

    def _with_swings(self, ydot: Array) -> Array:
        """Return ``ydot`` extended by speeds and accelerations of displacements at the last evaluated state."""
        if not np.isfinite(ydot[self.speeds]).all():
            return np.full(self.layout.size, np.nan)
        at_rest, gain = self._following
        return np.concatenate([ydot, self.swings.values[self.swings.count :], at_rest - gain @ ydot[self.speeds]])


def start(problem: Problem, wobble: Wobble | None = None) -> tuple[System, float, Array]:
    """Return a problem's equations, start time [s] and initial state y (ny,)."""
    ready = resolved(problem)
    state = ready.first_state
    assert state is not None
    t0 = state.getTime()
    y = state.getY().to_numpy().copy()
    swinging = None if wobble is None else SwingingSystem(ready, wobble)
    if swinging is None or not swinging.swings.paths:
        system = System(ready)
        y = system.project(t0, y)
    else:
        system = swinging
        swinging.swings.check(t0, problem.t_final)
        y = system.project(t0, np.concatenate([y, np.zeros(len(swinging.swings.paths))]))
        known = problem.state.final_values() if isinstance(problem.state, PastMotion) else {}
        y = swinging.started(t0, y, known)
    if not np.isfinite(y).all():
        raise SimulationError(f"'{system.layout.label(int(np.argmin(np.isfinite(y))))}' is not finite in the state", t0)
    return system, t0, y


def resolved(problem: Problem) -> Problem:
    """Return the complete problem: with a state, external loads in the model, and muscle equilibrium."""
    inertial, t_final = problem.inertial, problem.t_final
    first = problem.first_state
    state = inertial.initial_state() if first is None else inertial.dynamics.copy_state(first)
    _check_muscles(inertial.model)
    t0 = state.getTime()
    if not np.isfinite(t0):
        raise SimulationError("the state has no time", t0)
    if not isinstance(t_final, int | float | np.number) or not np.isfinite(t_final) or t_final <= t0:
        raise OptionError("t_final", t_final, f"a time after the start, {t0:.6g} s")
    if problem.external_loads is not None:
        loads = Loads(problem.external_loads)
        raise_or_warn(loads.uncovered(np.array([t0, t_final])), MotionError)
        raise_or_warn(unit_findings(loads, inertial.model), MotionError)
        model, _ = loads.added_to(inertial.model)
        loaded = bound_to(inertial, model)
        new = loaded.initial_state()
        carry_over(inertial.model, state, model, new)
        inertial, state = loaded, new
    if problem.equilibrate or (problem.equilibrate is None and problem.state is None):
        equilibrate(inertial.model, state)
    return replace(problem, inertial=inertial, state=state, external_loads=None, equilibrate=False)


@dataclass(frozen=True)
class Conditions:
    """Locks, enabled forces and overridden actuators of a simulation, as plain data."""

    locked: tuple[bool, ...]
    applied: tuple[bool, ...]
    overridden: tuple[float | None, ...]

    @classmethod
    def of(cls, model: osim.Model, state: osim.State) -> Conditions:
        """Read the conditions of a state."""
        forces = list(model.getForceSet())
        actuators = [osim.ScalarActuator.safeDownCast(force) for force in forces]
        return cls(
            tuple(bool(coordinate.getLocked(state)) for coordinate in model.getCoordinateSet()),
            tuple(bool(force.appliesForce(state)) for force in forces),
            tuple(a.getOverrideActuation(state) if a and a.isActuationOverridden(state) else None for a in actuators),
        )

    def put(self, model: osim.Model, state: osim.State) -> None:
        """Set the conditions in a state of a model."""
        for coordinate, locked in zip(model.getCoordinateSet(), self.locked, strict=True):
            coordinate.setLocked(state, locked)
        for i, applied in enumerate(self.applied):
            model.getForceSet().get(i).setAppliesForce(state, applied)
        for i, force in enumerate(self.overridden):
            actuator = osim.ScalarActuator.safeDownCast(model.getForceSet().get(i))
            if actuator is not None:
                actuator.overrideActuation(state, force is not None)
                if force is not None:
                    actuator.setOverrideActuation(state, force)


def carry_over(model: osim.Model, state: osim.State, target_model: osim.Model, target_state: osim.State) -> None:
    """Copy time, state variables and :class:`Conditions` of a state to the state of a similar model."""
    target_state.setTime(state.getTime())
    target_state.setY(state.getY())
    Conditions.of(model, state).put(target_model, target_state)


def _check_muscles(model: osim.Model) -> None:
    """Raise :class:`ModelError` for muscles with states that OpenSim does not integrate."""
    for muscle in model_muscles(model).values():
        mode = "tendon_compliance_dynamics_mode"
        if not muscle.hasProperty(mode) or muscle.get_ignore_tendon_compliance():
            continue
        if osim.PropertyHelper.getValueString(muscle.getPropertyByName(mode)) == "implicit":
            raise ModelError(
                f"muscle '{muscle.getName()}': with implicit tendon dynamics its force stands still outside of "
                f"optimal control; set {mode} to explicit"
            )
