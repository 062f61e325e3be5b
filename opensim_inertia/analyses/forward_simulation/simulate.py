"""Forward simulation of a model whose muscles have mass."""

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

#: How often a jump comes back before it is too smooth for an integrator to notice: as many times as its order, and
#: no less than this.
ECHOES = 5
#: How many times may be stepped on in all for that sake.
MOST = 1000
#: Times closer than this fraction of the time to simulate are one.
CLOSE = 1e-12


def stops(start: float, end: float, jumps: Iterable[float], delays: Sequence[float], echoes: int = ECHOES) -> Array:
    """Return the times after ``start`` when a step must end, ``end`` the last of them [s]."""
    close = CLOSE * (end - start)
    known = _apart(np.array([t for t in jumps if t <= end], dtype=float), close)
    echo, echo_times = known, np.zeros(0)
    for _ in range(echoes):
        echo = np.add.outer(echo, np.array(delays)).ravel()
        echo = _apart(echo[echo < end], close)
        if not len(echo) or len(echo_times) + len(echo) > MOST:
            break
        echo_times = np.concatenate([echo_times, echo])
    if len(known):  # of an echo and a jump at one time the jump stays, for its time is exact
        echo_times = echo_times[np.abs(echo_times[:, None] - known).min(axis=1) > close]
    every = np.concatenate([known, _apart(echo_times, close)])
    return np.append(np.sort(every[(every > start + close) & (every < end - close)]), end)


def _apart(times: Array, close: float) -> Array:
    """Return the times in ascending order, without those that are too close to the one before."""
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

    OpenSim computes every force, muscle, contact, controller and constraint; the muscles' mass enters through ``(M +
    dM) udot + G^T lambda = f + h + g_m`` (Wang et al. 2022, eq. 7). With no muscle mass the motion is OpenSim's.

    Args:
        problem: the model, where and when it starts, until when it runs, and the forces on it, as ``Problem(inertial,
            t_final=0.5)``.
        integrator: one of :mod:`opensim_inertia.integrators` with its options, as ``SDIRK2(step=1e-3)`` or
            ``RungeKutta45(accuracy=1e-8)``; or the name of one, for its defaults: with fixed steps "forward_euler",
            "bdf1", "sdirk2"; with error control, from SciPy, "rk45", "dop853", and for stiff models "bdf"; OpenSim's
            own, for the engine "native", "runge_kutta_merson", and for stiff models "cpodes"; "auto", see
            :class:`~opensim_inertia.integrators.Automatic`.
        breaks: times [s] when something jumps, on which a step ends; signals as
            :class:`~opensim_inertia.forward_simulation.Pulse` and what comes back through delays see to that
            themselves.
        report_step: give states at this distance of time [s]; default: every step of the integrator.
        progress: show a bar; default: on a terminal.
        engine: who computes accelerations: "python", this package; "native", OpenSim with the plugin's component, which
            is faster; "auto", the plugin where it is loaded (:func:`load_plugin`) and can, and this package for what
            the plugin cannot: ``forces``, excitations that are functions of the state, paths that OpenSim leads, and
            models that it cannot serve; ``Trajectory.notes`` then say why.
            OpenSim's integrators can neither ``control`` nor excitations that are functions of time other than a
            :class:`Pulse`, nor excite actuators that a controller of the model excites.
        wobble: whether bellies wobble across their paths, and how, with masses of segments on springs; True for the
            default options. Displacements and their rates are state variables, which start where their forces balance
            the state's accelerations, or as ``Wobble.start`` or the trajectory has them from which this goes on.
            Bellies are as tense as their muscles at each state, unless ``Wobble.tension`` says otherwise.

    Returns:
        the trajectory; after Ctrl-C all steps until then, with an :class:`InterruptedWarning`.

    Raises:
        PluginError: ``engine="native"``, and there is no plugin; OptionError: the plugin cannot do this, or an
            integrator, step or time that cannot be, a control that says what it must not; UnknownNameError: an
            actuator, coordinate or signal is not in the model; SimulationError: constraints cannot be met;
            DivergenceError: names the coordinate that runs away, and holds the trajectory until then; ModelError: the
            model has no coordinates, the state is another model's, a muscle's tendon has implicit dynamics, or the
            control makes an instantaneous loop, which is named.
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
        """Integrate equations that stand for those of the system, and return the system's motion."""
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
        except DivergenceError as error:  # perhaps a smooth path was lost, where this package takes OpenSim's
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


#: What the progress bar shows: simulated seconds of all.
BAR = "{desc}: {percentage:3.0f}%|{bar}| {n:.3f}/{total:.3f} s [{elapsed}<{remaining}]"


def _look_from(equations: System, t: float, halts: Array) -> None:
    """Let equations see one side of the jumps at the ends of the time from t to the next halt [s], if there are any."""
    if len(halts) > 1:
        stop = halts[np.searchsorted(halts, t, side="right")]
        equations.span = float(np.nextafter(t, np.inf)), float(np.nextafter(stop, -np.inf))


def _reported(
    stepper: FixedSteps | SciPySteps, equations: System, halts: Array, jumps: set[float], report: Array | None
) -> Iterator[tuple[Array, Array]]:
    """Make the steps, and yield the times and states to keep after each."""
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
