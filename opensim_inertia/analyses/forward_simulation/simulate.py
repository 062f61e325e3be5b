"""Forward simulation: the function ``simulate``, and the times at which its steps must end."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from tqdm import tqdm

from ..._core.arrays import Array
from ..._core.checks import shows_bar, warn
from ..._core.choices import MOST_STEPS, EngineName
from ..._core.errors import DivergenceError, OptionError
from ..._core.options import above, finite
from ..._core.warnings import InterruptedWarning
from ...dynamics.control.system import ControlledSystem, initial_history
from ...dynamics.equations.problem import Problem, check_problem
from ...dynamics.equations.quaternions import QuaternionSystem
from ...dynamics.equations.start import start
from ...dynamics.equations.system import System
from ...dynamics.integrators import (
    Automatic,
    ErrorControl,
    FixedStep,
    Integrator,
    IntegratorName,
    OpenSimIntegrator,
    SciPyIntegrator,
    as_integrator,
)
from ...model.model import check_moves
from ...options.recording import Wobble, wobble_of
from . import steppers
from .steppers import AutomaticSteps, FixedSteps, OpenSimSteps, SciPySteps, step_obstacle
from .trajectory import RunRecord, Trajectory

#: Smallest number of times that a jump returns through delays until it is too smooth to disturb an integrator; more for
#: integrators of higher order.
ECHOES = 5
#: Largest number of ends of steps for returning jumps.
MOST = 1000
#: Smallest distance of two times, relative to the simulated time.
CLOSE = 1e-12


def stops(start: float, end: float, jumps: Iterable[float], delays: Sequence[float], echoes: int = ECHOES) -> Array:
    """Return times [s] at which a step must end: ``jumps``, sums of a jump and up to ``echoes`` delays, and ``end``."""
    close = CLOSE * (end - start)
    known = _apart(np.array([t for t in jumps if t <= end], dtype=float), close)
    echo, echo_times = known, np.zeros(0)
    for _ in range(echoes):
        echo = np.add.outer(echo, np.array(delays)).ravel()
        echo = _apart(echo[echo < end], close)
        if not len(echo) or len(echo_times) + len(echo) > MOST:
            break
        echo_times = np.concatenate([echo_times, echo])
    if len(known):  # a jump's time is exact, that of its return is rounded
        echo_times = echo_times[np.abs(echo_times[:, None] - known).min(axis=1) > close]
    every = np.concatenate([known, _apart(echo_times, close)])
    return np.append(np.sort(every[(every > start + close) & (every < end - close)]), end)


def _apart(times: Array, close: float) -> Array:
    """Return sorted times [s]; leave out times less than ``close`` [s] after the time before."""
    times = np.sort(times)
    return times[np.diff(times, prepend=-np.inf) > close] if len(times) else times


_LOG = logging.getLogger(__name__)


def simulate(
    problem: Problem,
    integrator: Integrator | IntegratorName = "auto",
    *,
    breaks: Iterable[float] = (),
    report_step: float | None = None,
    progress: bool | None = None,
    engine: EngineName = "auto",
    wobble: bool | Wobble = False,
) -> Trajectory:
    """Simulate a model with inertial muscles forward in time.

    OpenSim computes forces, muscles, contacts, controllers and constraints. Muscle mass enters through ``(M + dM) udot
    + G^T lambda = f + h + g_m`` (Wang et al. 2022, eq. 7). Without muscle mass the motion is OpenSim's.

    Args:
        problem: the model, its start, end time and forces, as ``Problem(inertial, t_final=0.5)``.
        integrator: an integrator of :mod:`opensim_inertia.integrators`, as ``SDIRK2(step=1e-3)`` or
            ``RungeKutta45(accuracy=1e-8)``, or its name. With fixed steps: "forward_euler", "bdf1", "sdirk2". With
            error control, by SciPy: "rk45", "dop853", and "bdf" for stiff models. By OpenSim, for the engine "native":
            "runge_kutta_merson", and "cpodes" for stiff models. "auto": see
            :class:`~opensim_inertia.integrators.Automatic`.
        breaks: times [s] of jumps, where a step ends. Jumps of :class:`~opensim_inertia.forward_simulation.Pulse`
            signals, and their returns through delays, are known without this.
        report_step: report states at this interval [s]; default: every step of the integrator.
        progress: show a bar; default: on a terminal.
        engine: the program that computes accelerations: "python", this package; "native", OpenSim with the plugin's
            component, which is faster; "auto", the plugin if it is loaded (:func:`load_plugin`) and supports the
            problem. The plugin does not support ``forces``, excitations that are functions of the state, and paths that
            OpenSim wraps; ``Trajectory.notes`` give the reason. OpenSim's integrators support no ``control``, no
            excitations that are functions of time except :class:`Pulse`, and no excitation of actuators that a
            controller excites.
        wobble: whether bellies wobble across their paths, and masses on springs on segments: True for default options,
            False, or the options. Displacements and their rates are state variables. They start in equilibrium with the
            state's accelerations, or from ``Wobble.start``, or from the trajectory that is continued. Bellies have the
            tension of their muscles, unless ``Wobble.tension`` is given.

    Returns:
        the trajectory; after Ctrl-C until the interruption, with an :class:`InterruptedWarning`.

    Raises:
        PluginError: ``engine="native"``, and the plugin is missing; OptionError: the plugin does not support the
            problem, or an integrator, step, time or control is invalid; UnknownNameError: an actuator, coordinate or
            signal is not in the model; SimulationError: constraints cannot be met; DivergenceError: a coordinate
            diverges, the error has the trajectory until then; ModelError: the model has no coordinates, the state is
            another model's, a muscle's tendon has implicit dynamics, or the control has an instantaneous loop.
    """
    method = as_integrator(integrator)
    check_problem(problem)
    if engine == "python" and isinstance(method, OpenSimIntegrator):
        expected = "another one beside engine='python', for this one is OpenSim's own"
        raise OptionError("integrator", method.name, expected)
    in_quaternions = problem.rotations == "quaternion"
    if in_quaternions and isinstance(method, OpenSimIntegrator):
        expected = f"'euler' beside {method.name!r}, which steps OpenSim's coordinates"
        raise OptionError("rotations", problem.rotations, expected)
    if report_step is not None:
        above(0)("report_step", report_step)
    check_moves(problem.inertial)
    system, t0, y = start(problem, wobble_of(wobble))
    fixed = method.step if isinstance(method, FixedStep) else None
    for option, length in (("step", fixed), ("report_step", report_step)):
        if length is not None and not (problem.t_final - t0) / length <= MOST_STEPS:
            least = (problem.t_final - t0) / MOST_STEPS
            raise OptionError(option, length, f"{least:.3g} s or more, to go from {t0:.6g} to {problem.t_final:.6g} s")
    if isinstance(method, OpenSimIntegrator):
        obstacle = steppers.obstacle(system, problem) or step_obstacle(system, problem)
        if obstacle:
            raise OptionError("integrator", method.name, f"another one, for {obstacle}")
        engine = "native"
    name, equations, note = steppers.with_engine(engine, system, problem)
    native = name == "native"
    in_opensim = isinstance(method, OpenSimIntegrator) or (
        isinstance(method, Automatic) and native and not in_quaternions and not step_obstacle(system, problem)
    )
    if problem.control is not None:
        history = initial_history(system, problem.control, t0, y, problem.past)
        controlled = ControlledSystem(equations, problem.control, history)
        system = controlled if equations is system else ControlledSystem(system, problem.control, history)
        equations, y = controlled, history.at(t0)
    if in_quaternions:
        equations = QuaternionSystem(equations)
        y = equations.from_opensim(y)
    if equations.delays and equations.delays[0] < method.longest_step:
        if isinstance(method, FixedStep):
            raise OptionError("step", method.step, f"no more than the least delay, {equations.delays[0]:.6g} s")
        assert isinstance(method, ErrorControl)
        method = replace(method, step=equations.delays[0])
    jumps = {*(finite(" of seconds")("breaks", time) for time in breaks), *equations.breaks}
    if equations.history is not None:
        equations.history.jumps |= jumps
        jumps = equations.history.jumps
    halts = stops(t0, problem.t_final, jumps, equations.delays, max(ECHOES, method.order))
    report = None
    if report_step is not None:
        every = t0 + report_step * np.arange(1, int((problem.t_final - t0) / report_step * (1 - 1e-12)) + 1)
        report = np.append(every[every < problem.t_final - 1e-9 * report_step], problem.t_final)

    def run(equations: System, in_opensim: bool, engine: str, note: str) -> Trajectory:
        """Integrate ``equations`` (``system``, adapted to ``engine``); return the trajectory."""
        stepper: FixedSteps | SciPySteps | OpenSimSteps | None = None
        times, states, interrupted = [t0], [y], False
        show = {"disable": not shows_bar(progress), "unit": "s", "desc": "simulation", "bar_format": BAR}

        def trajectory() -> Trajectory:
            system.evaluations = equations.evaluations
            name, notes = method.name if stepper is None else stepper.name, (note,) if note else ()
            record = RunRecord(name, method, system.evaluations, interrupted, engine, notes)
            return Trajectory.of(system, np.array(times), equations.in_coordinates(np.stack(states)), record)

        _LOG.info("simulation from %g to %g s, integrator %s", t0, problem.t_final, method.name)
        if equations.history is not None:
            equations.history.clear()
        try:
            if in_opensim:
                stepper = OpenSimSteps(method, equations, t0, y)  # type: ignore[arg-type]
                rows = stepper.rows(halts, jumps, report)
            else:
                _look_from(equations, t0, halts)
                stepper = steps = _steps(method, equations, t0, y, float(halts[0]))
                rows = _reported(steps, equations, halts, jumps, report)
            with tqdm(total=problem.t_final - t0, **show) as bar:
                for t, ys in rows:
                    times += t.tolist()
                    states += list(ys)
                    bar.update(stepper.t - t0 - bar.n)
        except KeyboardInterrupt:
            interrupted = True
            warn(InterruptedWarning(f"interrupted at {times[-1]:.6g} s of {problem.t_final:.6g} s"))
        except DivergenceError as error:
            error.trajectory = trajectory()
            raise
        finally:
            equations.span = System.span
        return trajectory()

    try:
        try:
            return run(equations, in_opensim, name, note)
        except DivergenceError as error:  # perhaps a smooth path was lost: this package then uses OpenSim's path
            if not native or engine != "auto":
                raise
            equations, note = (
                QuaternionSystem(system) if in_quaternions else system,
                steppers.without_plugin(str(error)),
            )
        return run(equations, False, "python", note)
    finally:
        system.seen.warn()


def _steps(method: Any, equations: System, t0: float, y: Array, end: float) -> FixedSteps | SciPySteps:
    if isinstance(method, FixedStep):
        return FixedSteps(method, equations, t0, y)
    kind = SciPySteps if isinstance(method, SciPyIntegrator) else AutomaticSteps
    return kind(method, equations, t0, y, end)


#: Format of the progress bar: simulated seconds of all.
BAR = "{desc}: {percentage:3.0f}%|{bar}| {n:.3f}/{total:.3f} s [{elapsed}<{remaining}]"


def _look_from(equations: System, t: float, halts: Array) -> None:
    """Evaluate excitations and forces from t [s] to the next of ``halts`` only, so that no step sees a later jump."""
    if len(halts) > 1:
        stop = halts[np.searchsorted(halts, t, side="right")]
        equations.span = float(np.nextafter(t, np.inf)), float(np.nextafter(stop, -np.inf))


def _reported(
    stepper: FixedSteps | SciPySteps, equations: System, halts: Array, jumps: set[float], report: Array | None
) -> Iterator[tuple[Array, Array]]:
    """Integrate to the last halt; yield times (T,) and states (T, ny) at ``report`` times (None: after each step)."""
    done, halt = 0, 0
    while stepper.t < halts[-1]:
        if stepper.t >= halts[halt]:
            halt += 1
            _look_from(equations, stepper.t, halts)
            stepper.go_on(float(halts[halt]), stepper.t in jumps)
        stepper.step(float(halts[halt]))
        if equations.history is not None:
            equations.history.append(stepper.t, stepper.interpolant())
        if report is None:
            yield np.array([stepper.t]), stepper.y[None]
            continue
        now = int(np.searchsorted(report, stepper.t, side="right"))
        if now > done:
            yield report[done:now], stepper.within(report[done:now])
            done = now
