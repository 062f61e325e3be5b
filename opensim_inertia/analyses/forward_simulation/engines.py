"""Engines of a simulation's right-hand side: this package, or OpenSim alone with the plugin's component."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..._core.arrays import Array
from ..._core.checks import check_choice
from ..._core.choices import ENGINES
from ..._core.errors import DivergenceError, InertiaError, OptionError, SimulationError
from ..._core.opensim import osim
from ...dynamics.equations.drives import Pulse
from ...dynamics.equations.problem import Problem
from ...dynamics.equations.start import carry_over
from ...dynamics.equations.system import FASTEST, System
from ...dynamics.integrators import Automatic, OpenSimIntegrator, RungeKuttaMerson
from ...model.constraints import CONSTRAINT_TOLERANCE
from ...model.native_dynamics import with_plugin
from ...model.plugin import Run, is_loaded, load_library
from ...opensim_model.setups.driven_model import driven_actuators

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Engine:
    """An engine that computes accelerations."""

    name: str
    system: System
    note: str = ""


def with_engine(engine: str, system: System, problem: Problem) -> Engine:
    """Return equations that are the same, evaluated by an engine."""
    check_choice("engine", engine, ENGINES)
    if engine == "python" or (engine == "auto" and not is_loaded()):
        return Engine("python", system)
    reason = obstacle(system, problem)
    if reason and engine == "native":
        raise OptionError("engine", engine, f"'python' or 'auto', for {reason}")
    if not reason:
        try:
            return Engine("native", _by_plugin(system))
        except InertiaError as error:
            if engine == "native":
                raise
            reason = str(error)
    return Engine("python", system, without_plugin(reason))


def without_plugin(reason: str) -> str:
    """Return a note, which is logged too, that the plugin was not used for a reason."""
    note = f"the OpenSim plugin was not used, and the Python package computed accelerations instead: {reason}"
    _LOG.info("%s", note)
    return note


def _by_plugin(system: System) -> System:
    """Return the same equations, evaluated by OpenSim with the plugin's component."""
    load_library()
    problem = system.problem
    inertial = with_plugin(problem.inertial)
    state = inertial.initial_state()
    assert problem.state is not None
    carry_over(problem.inertial.model, problem.state, inertial.model, state)
    return System(replace(problem, inertial=inertial, state=osim.State(state)), system.seen)


def obstacle(system: System, problem: Problem) -> str:
    """Return why the plugin cannot serve a problem; empty if it can."""
    if system.swings is not None:
        return "mass swings"
    if problem.forces is not None:
        return "'forces' act besides the model's own"
    if callable(problem.excitations):
        return "'excitations' are a function of states of 'inertial.model'"
    if system.inertial.wraps.opensim:
        return f"OpenSim leads the path of '{next(iter(system.inertial.wraps.opensim))}'"
    if not system.inertial.kinematics.knows_bias:
        return "a joint's acceleration is known by differences only"
    return ""


#: Steps in one call of the library; interrupts are seen after each.
BATCH = 20
#: Lengths of steps [s] by which it is found out why there is no further one.
AHEAD = np.geomspace(1e-8, 1e-2, 13)


def step_obstacle(system: System, problem: Problem) -> str:
    """Return why OpenSim cannot step a problem that the plugin can evaluate; empty if it can."""
    if problem.control is not None:
        return "there is a 'control'"
    excitations = problem.excitations
    if excitations is None:
        return ""
    assert isinstance(excitations, Mapping), "the plugin evaluates no other"
    for name, signal in excitations.items():
        if callable(signal) and not isinstance(signal, Pulse):
            return f"the excitation of '{name}' is a function of time other than a Pulse"
    for actuator in sorted(path.rpartition("/")[2] for path in driven_actuators(system.model)):
        if any(name == actuator or name.startswith(f"{actuator}_") for name in excitations):
            return f"a controller of the model excites '{actuator}' besides 'excitations'"
    return ""


class OpenSimSteps:
    """Steps of one of OpenSim's integrators; t [s] is the time to which it has come."""

    def __init__(self, method: OpenSimIntegrator | Automatic, system: System, t: float, y: Array) -> None:
        self.system, self.t, self._y = system, t, y
        self.name = RungeKuttaMerson.name if isinstance(method, Automatic) else method.name
        self._accuracy, self._step = method.accuracy, method.longest_step
        self._defaults = system.model.getDefaultControls().to_numpy().copy()

    def rows(self, halts: Array, jumps: set[float], reports: Array | None) -> Iterator[tuple[Array, Array]]:
        """Make the steps, and yield times (T,) and states (T, ny) after every few of them."""
        rates = self.system.rhs(self.t, self._y)
        if not np.isfinite(rates).all():
            raise self.system.divergence(self.t, self._y, "has no finite rate", rates)
        for halt in halts.tolist():
            self._set_controls((self.t + halt) / 2)
            wanted = None if reports is None else reports[(reports > self.t) & (reports <= halt)]
            end = halt if halt == halts[-1] else float(np.nextafter(halt, -np.inf))  # one side of the jump there
            if self.t in jumps:
                self.t = float(np.nextafter(self.t, np.inf))
            for times, states in self._until(end, wanted):
                times[times >= end] = halt
                yield times, states
            self.t = halt

    def _until(self, end: float, reports: Array | None) -> Iterator[tuple[Array, Array]]:
        """Make the steps until a time before which nothing jumps."""
        if reports is not None:
            reports = np.minimum(reports, end)
        if self.t >= end:
            return
        run, spent = self._begin(end), 0
        while self.t < end:
            times, states = run.advance(reports, BATCH)
            self.system.evaluations += run.evaluations - spent
            spent = run.evaluations
            motion = self._are_motion(states)
            yield times[:motion], states[:motion]
            if motion < len(times):
                self.system.check(float(times[motion]), states[motion])
            if run.error:
                if len(times):
                    self.t, self._y = float(times[-1]), states[-1]
                raise self._stuck(run.error)
            self.t, self._y = run.time, run.state
            self.system.check(self.t, self._y)
            reports = None if reports is None else reports[len(times) :]

    def _begin(self, end: float) -> Run:
        """Return a run from the present state to a time [s]."""
        state = self.system.set_state(self.t, self._y)
        limits = self._accuracy, CONSTRAINT_TOLERANCE, self._step
        try:
            return Run(self.system.model, state, end, self.name, *limits)
        except SimulationError as error:
            raise self._stuck(str(error)) from None

    def _set_controls(self, time: float) -> None:
        """Give the model the excitations of a time [s], which hold until the next jump."""
        excitations: Any = self.system.problem.excitations
        if excitations is None:
            return
        names, controls = self.system.drives.control_names, self._defaults.copy()
        for name, signal in excitations.items():
            controls[names.index(name)] = signal(time) if callable(signal) else signal
        self.system.model.setDefaultControls(osim.Vector.createFromMat(controls))

    def _are_motion(self, states: Array) -> int:
        """Return how many of the states (T, ny) are still a motion."""
        speeds = states[:, self.system.speeds]
        runs_away = ~np.isfinite(states).all(axis=1) | (np.abs(speeds).max(axis=1, initial=0.0) >= FASTEST)
        return int(np.argmax(runs_away)) if runs_away.any() else len(states)

    def _stuck(self, reason: str) -> DivergenceError:
        """Return the error that says why there is no further step: what OpenSim says just ahead, or a reason."""
        rates = self.system.rhs(self.t, self._y)
        for length in AHEAD.tolist():
            if not self.system.trouble:
                self.system.rhs(self.t + length, self._y + length * rates)
        self.system.trouble = self.system.trouble or reason
        return self.system.divergence(self.t, self._y, "allows no further step", rates)
