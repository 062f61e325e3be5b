"""Simulations that OpenSim's own integrators step, with the plugin's component: no Python between the evaluations."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import DivergenceError, SimulationError
from ..._core.opensim import osim
from ...dynamics.equations.drives import Pulse
from ...dynamics.equations.problem import Problem
from ...dynamics.equations.system import FASTEST, System
from ...dynamics.integrators import Automatic, CPodes, OpenSimIntegrator, RungeKuttaMerson
from ...model.constraints import CONSTRAINT_TOLERANCE
from ...model.plugin import Run
from ...opensim_model.setups.driven_model import driven_actuators
from .switching import COMPARED, PER_STATE, START

MERSON, CPODES = RungeKuttaMerson.name, CPodes.name

#: Steps in one call of the library; interrupts are seen after each.
BATCH = 20
#: "cpodes" may lose as many evaluations on "runge_kutta_merson" as "bdf" on "rk45". It is tried when so many times as
#: many have passed, so that attempts in vain cost little.
WAIT = 10
#: How many calls of the library tell what "runge_kutta_merson" costs.
WINDOW = 5
#: Lengths of steps [s] by which it is found out why there is no further one.
AHEAD = np.geomspace(1e-8, 1e-2, 13)


def obstacle(system: System, problem: Problem) -> str:
    """Return why OpenSim cannot step a problem that the plugin can evaluate; empty if it can.

    Args:
        system: the equations.
        problem: the problem as the user has stated it.
    """
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
    """Steps of one of OpenSim's integrators, or of the one of the two that takes fewer evaluations.

    Args:
        method: the integrator; the automatic one is "runge_kutta_merson", and "cpodes" while the equations are stiff
            and it takes fewer evaluations.
        system: equations that OpenSim evaluates, with nothing that is an :func:`obstacle`.
        t, y: time [s] and state (ny,) at the start.

    Attributes:
        t: the time to which it has come [s].
    """

    def __init__(self, method: OpenSimIntegrator | Automatic, system: System, t: float, y: Array) -> None:
        self.system, self.t, self._y = system, t, y
        self._switches = isinstance(method, Automatic)
        self._method = MERSON if self._switches else method.name
        self._accuracy, self._step = method.accuracy, method.longest_step
        self._used: list[str] = []
        self._defaults = system.model.getDefaultControls().to_numpy().copy()
        self._loss = START + PER_STATE * len(y)
        self._wait = WAIT * self._loss
        self._cost = np.inf  # of "runge_kutta_merson", evaluations per second
        self._count_anew()

    @property
    def name(self) -> str:
        """The integrators that have made steps."""
        return " and ".join(self._used) or self._method

    def rows(self, halts: Array, jumps: set[float], reports: Array | None) -> Iterator[tuple[Array, Array]]:
        """Make the steps, and yield times (T,) and states (T, ny) after every few of them.

        Args:
            halts: the times at which a step must end [s], ascending; the last is the end.
            jumps: the times at which rates jump.
            reports: the times at which states are wanted, ascending; None: after every step.

        Raises:
            DivergenceError: the motion runs away, or the integrator finds no further step.
        """
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
        length = 0.0
        while self.t < end:
            run, spent = self._begin(end, length), 0
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
                length = run.next_step if self._method == MERSON else 0.0
                if self._switches and self._switched():
                    break

    def _begin(self, end: float, length: float) -> Run:
        """Return a run from the present state, with a first step of a length [s] (0: as long as it thinks best)."""
        if self._method not in self._used:
            self._used.append(self._method)
        state = self.system.set_state(self.t, self._y)
        limits = self._accuracy, CONSTRAINT_TOLERANCE, self._step, length
        try:
            return Run(self.system.model, state, end, self._method, *limits)
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

    # -- which integrator ----------------------------------------------------------------------------------------

    def _count_anew(self) -> None:
        self._begun = self.system.evaluations
        self._marks = deque([(self.t, self._begun)], maxlen=WINDOW)

    def _switched(self) -> bool:
        """Switch to the other integrator if that one promises to take fewer evaluations; return whether it did."""
        count, (since, before) = self.system.evaluations, self._marks[0]
        spent, seconds = count - before, self.t - since
        if self._method == MERSON:
            self._marks.append((self.t, count))
            if count - self._begun < self._wait:
                return False
            self._cost, self._method = spent / seconds, CPODES
        elif spent > self._cost * seconds + self._loss:
            self._wait, self._method = 2 * self._wait, MERSON
        else:
            if spent > COMPARED * self._loss:
                self._count_anew()
            return False
        self._count_anew()
        return True
