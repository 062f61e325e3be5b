"""The start of a simulation: states checked, loads added, muscles in equilibrium, constraints met."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..._core.arrays import Array
from ..._core.diagnostics import raise_or_warn
from ..._core.errors import ModelError, MotionError, OptionError, SimulationError, opensim_reason
from ..._core.opensim import osim
from ...model import InertialModel
from ...model.model import bound_to
from ...opensim_model.reading.components import model_muscles
from ...opensim_model.reading.paths import PATH_LISTS
from ...opensim_model.setups.loads import Loads, unit_findings
from ...options.recording import Wobble
from .problem import PastMotion, Problem
from .swinging_system import SwingingSystem
from .system import System


def start(problem: Problem, wobble: Wobble | None = None) -> tuple[System, float, Array]:
    """Return the equations of a problem, the time [s] at which it starts and the state y (ny,) there."""
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
    """Return the problem with a state, with its external loads in the model, and with muscles in equilibrium."""
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
        inertial, state = _with_loads(inertial, state, loads)
    if problem.equilibrate or (problem.equilibrate is None and problem.state is None):
        _equilibrate(inertial.model, state)
    return replace(problem, inertial=inertial, state=state, external_loads=None, equilibrate=False)


@dataclass(frozen=True)
class Conditions:
    """Plain data that hold for all states of a simulation."""

    locked: tuple[bool, ...]
    applied: tuple[bool, ...]
    overridden: tuple[float | None, ...]

    @classmethod
    def of(cls, model: osim.Model, state: osim.State) -> Conditions:
        """Read those of a state of a model."""
        forces = model.getForceSet()
        return cls(
            tuple(bool(coordinate.getLocked(state)) for coordinate in model.getCoordinateSet()),
            tuple(bool(forces.get(i).appliesForce(state)) for i in range(forces.getSize())),
            tuple(_overridden(forces.get(i), state) for i in range(forces.getSize())),
        )

    def put(self, model: osim.Model, state: osim.State) -> None:
        """Set them in a state of a model, which may have more forces; coordinates are locked where they are."""
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


def _overridden(force: osim.Force, state: osim.State) -> float | None:
    actuator = osim.ScalarActuator.safeDownCast(force)
    if actuator is None or not actuator.isActuationOverridden(state):
        return None
    return float(actuator.getOverrideActuation(state))


def carry_over(model: osim.Model, state: osim.State, target_model: osim.Model, target_state: osim.State) -> None:
    """Give a state of another model, which is like ``model``, a state's time, variables and :class:`Conditions`."""
    target_state.setTime(state.getTime())
    target_state.setY(state.getY())
    Conditions.of(model, state).put(target_model, target_state)


def _check_muscles(model: osim.Model) -> None:
    """Refuse muscles whose states OpenSim does not integrate."""
    for muscle in model_muscles(model).values():
        mode = "tendon_compliance_dynamics_mode"
        if not muscle.hasProperty(mode) or muscle.get_ignore_tendon_compliance():
            continue
        if osim.PropertyHelper.getValueString(muscle.getPropertyByName(mode)) == "implicit":
            raise ModelError(
                f"muscle '{muscle.getName()}': with implicit tendon dynamics its force stands still outside of "
                f"optimal control; set {mode} to explicit"
            )


def _equilibrate(model: osim.Model, state: osim.State) -> None:
    try:
        with PATH_LISTS:
            model.equilibrateMuscles(state)
    except RuntimeError as error:
        raise SimulationError(f"muscles find no equilibrium: {opensim_reason(error)}", state.getTime()) from None


def _with_loads(inertial: InertialModel, state: osim.State, loads: Loads) -> tuple[InertialModel, osim.State]:
    """Return the model with external loads, and the state as a state of it."""
    model, _ = loads.added_to(inertial.model)
    loaded = bound_to(inertial, model)
    new = loaded.initial_state()
    carry_over(inertial.model, state, model, new)
    return loaded, new
