"""Choice of the engine for equations of motion, and steppers, which integrate step by step and interpolate."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from inspect import signature
from typing import Any

import numpy as np
from scipy import integrate
from scipy.interpolate import CubicHermiteSpline
from scipy.linalg import lu_factor, lu_solve

from ..._core.arrays import Array
from ..._core.checks import check_choice
from ..._core.choices import ENGINES
from ..._core.errors import DivergenceError, InertiaError, OptionError, SimulationError
from ..._core.opensim import osim
from ...dynamics.equations.problem import Problem, Pulse
from ...dynamics.equations.start import carry_over
from ...dynamics.equations.system import FASTEST, System
from ...dynamics.integrators import (
    BDF,
    Automatic,
    FixedStep,
    OpenSimIntegrator,
    RungeKutta45,
    RungeKuttaMerson,
    SciPyIntegrator,
    Stage,
)
from ...model.constraints import CONSTRAINT_TOLERANCE
from ...model.plugin import Run, is_loaded, load_library
from ...model.plugin.native import with_plugin
from ...opensim_model.setups.driven_model import driven_actuators

#: The Jacobian is renewed if an iteration reduces the change by less than this factor.
SLOW = 0.3
#: Iterations until the Jacobian is renewed.
ITERATIONS = 8
#: Renewals of the Jacobian until a step fails.
RENEWALS = 4


#: A smaller projection, relative to the tolerated error, leaves the rates unchanged.
NEGLIGIBLE = 0.1
#: Ratio of the absolute to the relative tolerance.
ABSOLUTE = 1e-2
#: Steps shorter than this share of the simulated time, so many in a row, end the simulation.
SHORTEST, STALLED = 1e-13, 50
#: Equations are stiff if, over this many steps of "rk45", the median of step length times largest rate is above this.
#: Stability limits the product at 3.3; steps about this limit are tried and rejected.
STEPS, STABILITY = 15, 1.5


class FixedSteps:
    """Integrator with steps of fixed length, except a shorter last step; interpolates states by cubic polynomials."""

    stages: tuple[Stage, ...]  # stages of the last step
    landed: Stage  # end of the last step before projection onto the constraints

    def __init__(self, method: FixedStep, system: System, t: float, y: Array) -> None:
        self.name = method.name
        self.system, self.t, self.y = system, t, y
        self._method = method
        self._accuracy = getattr(method, "accuracy", np.nan)  # explicit methods solve nothing
        self._jacobian: Array | None = None
        self._factor: tuple[Array, Array] | None = None
        self._weight = 0.0
        self._before = (t, y)
        self._start, self._count = t, 0

    def step(self, end: float) -> None:
        """Make one step that ends not later than ``end`` [s]."""
        self._count += 1
        length = self._method.step
        target = self._start + self._count * length
        self.step_to(end if target > end - 1e-9 * length else target)

    def step_to(self, target: float) -> None:
        """Make one step that ends at ``target`` [s]."""
        self._before = (self.t, self.y)
        self.stages, y = self._method.advance(self.system.rhs, self._solve, self._before, target - self.t)
        self.landed = (target, y)
        self.system.check(target, y)
        self.t, self.y = target, self.system.project(target, y)

    def within(self, times: Array) -> Array:
        """Return interpolated states (T, ny) at times (T,) [s] within the last step."""
        return np.asarray(self.interpolant()(times))  # type: ignore[arg-type]

    def go_on(self, end: float, anew: bool) -> None:
        """Restart the grid of fixed steps at the present time; ``end`` and ``anew`` are ignored."""
        self._start, self._count = self.t, 0

    def interpolant(self) -> Callable[[float], Array]:
        """Return the cubic Hermite polynomial of the state over the last step."""
        (t0, y0), (t1, y1) = self._before, (self.t, self.y)
        rates = [self.system.rhs(t0, y0), self.system.rhs(t1, y1)]
        if not np.isfinite(rates[1]).all():
            raise self.system.divergence(t1, y1, "has no finite rate", rates[1])
        return CubicHermiteSpline([t0, t1], np.stack([y0, y1]), np.stack(rates))  # type: ignore[no-any-return]

    def _solve(self, t: float, base: Array, weight: float, guess: Array) -> Array:
        """Solve y = base + weight f(t, y) for y (ny,) by Newton's method; f is the right-hand side, dy/dt."""
        y = guess
        for renewal in range(RENEWALS + 1):
            if renewal or self._jacobian is None:
                self._jacobian, self._factor = self.system.jacobian(t, y), None
            if self._weight != weight or self._factor is None:
                matrix = np.eye(len(y)) - weight * self._jacobian
                matrix = matrix if np.isfinite(matrix).all() else np.eye(len(y))
                self._factor, self._weight = lu_factor(matrix, check_finite=False), weight
            converged, y = self._iterate(t, base, weight, y)
            if converged:
                return y
            if not np.isfinite(y).all():
                break
        change = base + weight * self.system.rhs(t, y) - y
        raise self.system.divergence(t, y, "has no solution at the next step: make the step shorter", change)

    def _iterate(self, t: float, base: Array, weight: float, y: Array) -> tuple[bool, Array]:
        """Iterate with the present factorized Newton matrix; return whether y (ny,) converged, and y."""
        assert self._factor is not None
        last = np.nan  # size of the last change
        for _ in range(ITERATIONS):
            residual = base + weight * self.system.rhs(t, y) - y
            if not np.isfinite(residual).all():
                return False, np.where(np.isfinite(residual), y, np.nan)
            change = lu_solve(self._factor, residual, check_finite=False)
            y = y + change
            size = float(np.abs(change / (1 + np.abs(y))).max())
            # at a linear rate, the remaining error is the last change times rate / (1 - rate)
            if size <= self._accuracy or (size < SLOW * last and size * size / last < SLOW * self._accuracy):
                return True, y
            if size > SLOW * last:
                return False, y
            last = size
        return False, y


class SciPySteps:
    """Steps of SciPy's integrators with error control and projection onto the constraints."""

    def __init__(self, method: SciPyIntegrator, system: System, t: float, y: Array, end: float) -> None:
        self.system, self._method, self._kind = system, method, getattr(integrate, method.name.upper())
        self.name = method.name
        self._options: dict[str, Any] = {
            "rtol": method.accuracy,
            "atol": ABSOLUTE * method.accuracy,
            "max_step": method.longest_step,
        }
        if "jac" in signature(self._kind).parameters:  # implicit methods
            self._options["jac"] = system.jacobian
        self.solver = self._kind(system.rhs, t, y, end, **self._options)
        if not np.isfinite(self.solver.h_abs):  # SciPy's explicit methods would shorten such a step for ever
            raise system.divergence(t, y, "has no finite rate", system.rhs(t, y))
        self.t, self.y = t, y
        self._length = self.solver.h_abs
        self._shortest, self._short_steps = SHORTEST * (end - t), 0
        self._dense: Any = None

    def step(self, end: float) -> None:
        """Make one step that ends not later than ``end`` [s]."""
        solver = self.solver
        self._length = solver.h_abs
        try:
            message = solver.step()
        except (ValueError, np.linalg.LinAlgError) as error:  # a matrix of an implicit method is not finite
            if not isinstance(error, np.linalg.LinAlgError) and "infs or NaNs" not in str(error):
                raise  # error of a drive
            message = "the equations are not finite"
        self._short_steps = self._short_steps + 1 if (solver.step_size or 0.0) < self._shortest else 0
        stalled = self._short_steps > STALLED
        if stalled or solver.status == "failed" or (message and solver.status == "running"):
            rates = self.system.rhs(solver.t, solver.y)
            raise self.system.divergence(solver.t, solver.y, "allows no further step", rates)
        self._dense = None
        self.system.check(solver.t, solver.y)
        self.t, self.y = float(solver.t), self._projected()

    def go_on(self, end: float, anew: bool) -> None:
        """Set the next end [s]; ``anew`` restarts SciPy's integrator at the present time, with the same step length."""
        solver = self.solver
        if not self._method.is_implicit:
            solver.h_abs = max(solver.h_abs, self._length)  # the last step was cut at its end
        if anew:
            length = min(float(solver.h_abs), end - self.t)
            self.solver = self._kind(self.system.rhs, self.t, self.y, end, first_step=length, **self._options)
        else:
            solver.t_bound, solver.status = end, "running"
        self._shortest = max(self._shortest, SHORTEST * (end - self.t))

    def interpolant(self) -> Callable[[float], Array]:
        """Return SciPy's interpolant of states over the last step."""
        if self._dense is None:
            self._dense = self.solver.dense_output()
        return self._dense  # type: ignore[no-any-return]

    def within(self, times: Array) -> Array:
        """Return interpolated states (T, ny) at times (T,) [s] within the last step."""
        states = np.asarray(self.interpolant()(times)).T  # type: ignore[arg-type]
        return np.stack([self.system.project(t, y) for t, y in zip(times.tolist(), states, strict=True)])

    def _projected(self) -> Array:
        solver = self.solver
        y = self.system.project(solver.t, solver.y)
        if y is not solver.y:
            is_moved = (np.abs(y - solver.y) > NEGLIGIBLE * self._method.accuracy * (ABSOLUTE + np.abs(y))).any()
            if is_moved:
                self._dense = solver.dense_output()  # of the step before projection
            solver.y = y
            if isinstance(solver, integrate.BDF):  # BDF keeps differences of past states; the first is the state
                solver.D[0] = y
            elif is_moved:
                solver.f = self.system.rhs(solver.t, y)
        return np.asarray(y)


class AutomaticSteps(SciPySteps):
    """Steps of "rk45" until stability limits their length more than accuracy does, then steps of "bdf"."""

    def __init__(self, method: Automatic, system: System, t: float, y: Array, end: float) -> None:
        self._stiff = BDF(method.step, method.accuracy)
        self._stiffness: deque[float] = deque(maxlen=STEPS)
        super().__init__(RungeKutta45(method.step, method.accuracy), system, t, y, end)

    def step(self, end: float) -> None:
        """Make one step that ends not later than ``end`` [s]."""
        if len(self._stiffness) == STEPS and np.median(self._stiffness) > STABILITY:
            self._stiffness.clear()
            explicit = self.name
            super().__init__(self._stiff, self.system, self.t, self.y, end)
            self.name = f"{explicit} and {self._stiff.name}"
        super().step(end)
        if not self._method.is_implicit:
            self._stiffness.append(_stiffness(self.solver))


def _stiffness(solver: integrate.RK45) -> float:
    """Return the last step's length times an estimate of the largest rate constant [1/s] of the equations."""
    K, weight = solver.K, 1 / (solver.atol + solver.rtol * np.abs(solver.y))
    states = np.linalg.norm(weight * (K[:6].T @ solver.B - K[:5].T @ solver.A[5, :5]))  # per step length
    return float(np.linalg.norm(weight * (K[6] - K[5])) / states) if states > 0 else 0.0


_LOG = logging.getLogger(__name__)


def with_engine(engine: str, system: System, problem: Problem) -> tuple[str, System, str]:
    """Return name and equations of the engine to use, and a note if a loaded plugin cannot be used, else ""."""
    check_choice("engine", engine, ENGINES)
    if engine == "python" or (engine == "auto" and not is_loaded()):
        return "python", system, ""
    reason = obstacle(system, problem)
    if reason and engine == "native":
        raise OptionError("engine", engine, f"'python' or 'auto', for {reason}")
    if not reason:
        try:
            load_library()
            inertial = with_plugin(system.inertial)
            state = inertial.initial_state()
            carry_over(system.model, system.problem.first_state, inertial.model, state)
            return "native", System(replace(system.problem, inertial=inertial, state=state), system.seen), ""
        except InertiaError as error:
            if engine == "native":
                raise
            reason = str(error)
    return "python", system, without_plugin(reason)


def without_plugin(reason: str) -> str:
    """Return a note, also logged, on why the plugin was not used."""
    note = f"the OpenSim plugin was not used, and the Python package computed accelerations instead: {reason}"
    _LOG.info("%s", note)
    return note


def obstacle(system: System, problem: Problem) -> str:
    """Return the reason why the plugin cannot compute a problem's accelerations; "" if it can."""
    if system.swings is not None:
        return "mass wobbles"
    if problem.forces is not None:
        return "'forces' act besides the model's own"
    if callable(problem.excitations):
        return "'excitations' are a function of states of 'inertial.model'"
    if system.inertial.wraps.opensim:
        return f"OpenSim leads the path of '{next(iter(system.inertial.wraps.opensim))}'"
    if not system.inertial.kinematics.knows_bias:
        return "a joint's acceleration is known by differences only"
    return ""


#: Steps per call of the library; interrupts act after each call.
BATCH = 20
#: Step lengths [s] for finding the cause of a failure.
AHEAD = np.geomspace(1e-8, 1e-2, 13)


def step_obstacle(system: System, problem: Problem) -> str:
    """Return the reason why OpenSim's integrators cannot integrate a problem; "" if they can."""
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
    """Steps of OpenSim's integrators; ``t`` is the time [s] reached."""

    def __init__(self, method: OpenSimIntegrator | Automatic, system: System, t: float, y: Array) -> None:
        self.system, self.t, self._y = system, t, y
        self.name = RungeKuttaMerson.name if isinstance(method, Automatic) else method.name
        self._accuracy, self._step = method.accuracy, method.longest_step
        self._defaults = system.model.getDefaultControls().to_numpy().copy()

    def rows(self, halts: Array, jumps: set[float], reports: Array | None) -> Iterator[tuple[Array, Array]]:
        """Make steps to the last of ``halts`` [s], and yield times (T,) and states (T, ny) in batches."""
        rates = self.system.rhs(self.t, self._y)
        if not np.isfinite(rates).all():
            raise self.system.divergence(self.t, self._y, "has no finite rate", rates)
        for halt in halts.tolist():
            self._set_controls((self.t + halt) / 2)
            wanted = None if reports is None else reports[(reports > self.t) & (reports <= halt)]
            end = halt if halt == halts[-1] else float(np.nextafter(halt, -np.inf))  # one side of the jump
            if self.t in jumps:
                self.t = float(np.nextafter(self.t, np.inf))
            for times, states in self._until(end, wanted):
                times[times >= end] = halt
                yield times, states
            self.t = halt

    def _until(self, end: float, reports: Array | None) -> Iterator[tuple[Array, Array]]:
        """Make steps over an interval without excitation jumps, to ``end`` [s]; yield times (T,), states (T, ny)."""
        if reports is not None:
            reports = np.minimum(reports, end)
        if self.t >= end:
            return
        state, spent = self.system.set_state(self.t, self._y), 0
        try:
            run = Run(self.system.model, state, end, self.name, self._accuracy, CONSTRAINT_TOLERANCE, self._step)
        except SimulationError as error:
            raise self._stuck(str(error)) from None
        while self.t < end:
            times, states = run.advance(reports, BATCH)
            self.system.evaluations += run.evaluations - spent
            spent = run.evaluations
            speeds = states[:, self.system.speeds]
            runs_away = ~np.isfinite(states).all(axis=1) | (np.abs(speeds).max(axis=1, initial=0.0) >= FASTEST)
            motion = int(np.argmax(runs_away)) if runs_away.any() else len(states)
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

    def _set_controls(self, time: float) -> None:
        """Set the model's default controls to the excitations at a time [s] between two jumps of excitations."""
        excitations: Any = self.system.problem.excitations
        if excitations is None:
            return
        names, controls = self.system.drives.control_names, self._defaults.copy()
        for name, signal in excitations.items():
            controls[names.index(name)] = signal(time) if callable(signal) else signal
        self.system.model.setDefaultControls(osim.Vector.createFromMat(controls))

    def _stuck(self, reason: str) -> DivergenceError:
        """Return the error for a failed step; ``reason`` is OpenSim's message."""
        rates = self.system.rhs(self.t, self._y)
        for length in AHEAD.tolist():
            if not self.system.trouble:
                self.system.rhs(self.t + length, self._y + length * rates)
        self.system.trouble = self.system.trouble or reason
        return self.system.divergence(self.t, self._y, "allows no further step", rates)
