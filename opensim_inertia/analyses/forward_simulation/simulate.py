"""Forward simulation of a model whose muscles have mass."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from tqdm import tqdm

from ..._core.arrays import Array
from ..._core.checks import check_choice, check_positive, check_times, shows_bar, warn
from ..._core.choices import MOST_STEPS, OPENSIM_INTEGRATORS, ROTATIONS
from ..._core.errors import DivergenceError, InertiaWarning, OptionError
from ..._core.opensim import osim
from ...dynamics.control import Control, ControlledSystem, initial_history
from ...dynamics.equations.drives import Drive
from ...dynamics.equations.problem import Problem
from ...dynamics.equations.quaternions import QuaternionSystem
from ...dynamics.equations.start import start
from ...dynamics.equations.system import System
from ...model import InertialModel
from ...model.arguments import check_inertial
from ...model.checks import check_moves
from . import engines, opensim_integrators
from .integrators import ADAPTIVE, FIXED, INTEGRATORS, Adaptive, Integrator
from .opensim_integrators import OpenSimSteps
from .stops import ECHOES, ECHOES_OF_DOP853, stops
from .switching import automatic, may_be_stiff
from .trajectory import Trajectory

_LOG = logging.getLogger(__name__)

#: Length of fixed steps, and longest one of adaptive integrators [s], if none is given.
FIXED_STEP = 1e-3
LONGEST_STEP = np.inf
#: Relative accuracy if none is given: of a step's result for adaptive integrators, of the solution of implicit
#: equations for fixed steps.
ADAPTIVE_ACCURACY = 1e-6
NEWTON_ACCURACY = 1e-10


class InterruptedWarning(InertiaWarning):
    """A simulation was interrupted and holds what was done until then."""


def simulate(
    inertial: InertialModel,
    state: osim.State | None = None,
    t_final: float = 1.0,
    integrator: str = "auto",
    step: float | None = None,
    accuracy: float | None = None,
    *,
    excitations: Drive | None = None,
    forces: Drive | None = None,
    external_loads: str | os.PathLike[str] | None = None,
    equilibrate: bool | None = None,
    control: Control | None = None,
    past: Trajectory | None = None,
    breaks: Iterable[float] = (),
    report_step: float | None = None,
    progress: bool | None = None,
    engine: str = "auto",
    rotations: str = "euler",
) -> Trajectory:
    """Simulate a model with inertial muscles forward in time.

    OpenSim computes every force, muscle, contact, controller and constraint; the muscles' mass enters through ``(M +
    dM) udot + G^T lambda = f + h + g_m`` (Wang et al. 2022, eq. 7). With no muscle mass the motion is OpenSim's.

    Args:
        inertial: the model.
        state: where to start, a state of ``inertial.model``; default: the model's default state.
        t_final: end [s].
        integrator: with fixed steps "forward_euler" (order 1), "bdf1" (order 1, stiff) or "sdirk2" (order 2, stiff),
            as Wang et al. 2022; with error control, from SciPy, "rk23", "rk45", "dop853", and for stiff models
            "radau", "bdf"; OpenSim's own with error control, for the engine "native", "runge_kutta_merson", and for
            stiff models "cpodes"; "auto": where muscles with states, forces over wrap objects or contacts act, "rk45",
            and "bdf" while the equations are stiff, as with muscles at rest, or OpenSim's two in their place; else
            "dop853".
        step: length of fixed steps [s] (default 1 ms), or the longest step with error control (default: none).
        accuracy: relative error allowed per step (default 1e-6; absolute 1e-8, but as Simbody has it with OpenSim's
            integrators); with fixed steps how well implicit equations are solved (default 1e-10).
        excitations: numbers or functions of time by muscle or other actuator, or a function of the state.
        forces: generalized forces [N m or N] by coordinate, in the same forms.
        external_loads: OpenSim external loads XML.
        equilibrate: whether muscles start in equilibrium; default: where no ``state`` is given.
        control: feedback and feedforward of excitations, with delays and states of its own: a
            :class:`~opensim_inertia.NeuralControl`, or another object as
            :class:`~opensim_inertia.dynamics.control.Control` describes. Its excitations go before ``excitations``.
            Before the start the state was what it is there.
        past: a trajectory of the same model and control to go on from, which is what was before the start; ``state`` is
            then its last one by default.
        breaks: times [s] at which something jumps, on which a step ends; signals as :class:`~opensim_inertia.Pulse` and
            what comes back through delays see to that themselves.
        report_step: give states at this distance of time [s]; default: every step of the integrator.
        progress: show a bar; default: on a terminal.
        engine: who computes accelerations: "python", this package; "native", OpenSim with the plugin's component, which
            is faster; "auto", the plugin where it is loaded (:func:`load_plugin`) and can, and this package for what
            the plugin cannot: ``forces``, excitations that are functions of the state, paths that OpenSim leads, and
            models that it cannot serve; ``Trajectory.notes`` then say why.
            OpenSim's integrators can neither ``control`` nor excitations that are functions of time other than a
            :class:`Pulse`, nor excite what a controller of the model excites.
        rotations: what turns joints that turn freely about three axes: "euler", the coordinates of OpenSim, which are
            singular in gimbal lock; or "quaternion", unit quaternions, which have no singularity. Results are in
            OpenSim's coordinates either way. :func:`~opensim_inertia.dynamics.equations.quaternions.free_joints` says
            which joints these are. Not with ``control``.

    :class:`~opensim_inertia.dynamics.equations.Problem` describes the model, state, times, drives and loads in full.

    Returns:
        the trajectory; after Ctrl-C what was done until then, with an :class:`InterruptedWarning`.

    Raises:
        PluginError: ``engine="native"``, and there is no plugin; OptionError: the plugin cannot do this, or an
            integrator, step, accuracy or time that cannot be, a control that says what it must not; UnknownNameError:
            an actuator, coordinate or signal is not in the model; SimulationError: constraints cannot be met;
            DivergenceError: names the coordinate that runs away, and holds the trajectory until then; ModelError: the
            model has no coordinates, the state is another model's, a muscle's tendon has implicit dynamics, or the
            control makes an instantaneous loop, which is named.
    """
    check_choice("integrator", integrator, ("auto", *INTEGRATORS, *OPENSIM_INTEGRATORS))
    if integrator in OPENSIM_INTEGRATORS and engine == "python":
        raise OptionError("integrator", integrator, "another one beside engine='python', for this one is OpenSim's own")
    in_quaternions = check_choice("rotations", rotations, ROTATIONS) == "quaternion"
    if in_quaternions and control is not None:
        raise OptionError("rotations", rotations, "'euler' where there is a control, which reads OpenSim's coordinates")
    if in_quaternions and integrator in OPENSIM_INTEGRATORS:
        raise OptionError("rotations", rotations, f"'euler' beside {integrator!r}, which steps OpenSim's coordinates")
    step = check_positive("step", step, FIXED_STEP if integrator in FIXED else LONGEST_STEP)
    accuracy = check_positive("accuracy", accuracy, NEWTON_ACCURACY if integrator in FIXED else ADAPTIVE_ACCURACY)
    if report_step is not None:
        check_positive("report_step", report_step, 0.0)
    check_inertial(inertial)
    check_moves(inertial.model)
    if past is not None and state is None:
        state = past.final_state()
    problem = Problem(inertial, state, t_final, excitations, forces, external_loads, equilibrate)
    system, t0, y = start(problem)
    for option, length in (("step", step if integrator in FIXED else None), ("report_step", report_step)):
        if length is not None and not (t_final - t0) / length <= MOST_STEPS:
            least = (t_final - t0) / MOST_STEPS
            raise OptionError(option, length, f"{least:.3g} s or more, to go from {t0:.6g} to {t_final:.6g} s")
    if integrator in OPENSIM_INTEGRATORS:
        obstacle = engines.obstacle(system, problem) or opensim_integrators.obstacle(system, problem, control)
        if obstacle:
            raise OptionError("integrator", integrator, f"another one, for {obstacle}")
        engine = "native"
    chosen = engines.with_engine(engine, system, problem)
    equations, native = chosen.system, chosen.name == "native"
    in_opensim = integrator in OPENSIM_INTEGRATORS or (
        integrator == "auto"
        and native
        and not in_quaternions
        and not opensim_integrators.obstacle(system, problem, control)
        and may_be_stiff(system)
    )
    if control is not None:
        history = initial_history(system, control, t0, y, None if past is None else past.history)
        controlled = ControlledSystem(equations, control, history)
        system = controlled if equations is system else ControlledSystem(system, control, history)
        equations, y = controlled, history.at(t0)
    elif past is not None:
        raise OptionError("past", past, "a control beside it, for without one the past plays no part")
    if in_quaternions:
        equations = QuaternionSystem(equations)
        y = equations.from_opensim(y)
    if equations.delays and equations.delays[0] < step:
        if integrator in FIXED:
            raise OptionError("step", step, f"no more than the least delay, {equations.delays[0]:.6g} s")
        step = equations.delays[0]
    jumps = {*check_times("breaks", breaks), *equations.breaks}
    if equations.history is not None:
        equations.history.jumps |= jumps
        jumps = equations.history.jumps
    echoes = ECHOES_OF_DOP853 if integrator == "dop853" else ECHOES
    halts = stops(t0, t_final, jumps, equations.delays, echoes)
    run = _Run(integrator, t_final, step, accuracy, report_step, progress, halts, jumps, in_opensim, chosen)
    with system.notes.gathered():
        if native and engine == "auto":
            try:
                return run.trajectory(system, equations, t0, y)
            except DivergenceError as error:  # perhaps a smooth path was lost, where this package takes OpenSim's
                equations = QuaternionSystem(system) if in_quaternions else system
                begun_again = engines.Engine("python", system, engines.without_plugin(str(error)))
                run = replace(run, in_opensim=False, engine=begun_again)
        return run.trajectory(system, equations, t0, y)


@dataclass(frozen=True)
class _Run:
    """How equations are integrated, as :func:`simulate` explains."""

    integrator: str
    t_final: float
    step: float
    accuracy: float
    report_step: float | None
    progress: bool | None
    halts: Array
    jumps: set[float]
    in_opensim: bool
    engine: engines.Engine

    def stepper(self, equations: System, t0: float, y: Array) -> Integrator | OpenSimSteps:
        if self.in_opensim:
            return OpenSimSteps(self.integrator, equations, t0, y, self.step, self.accuracy)
        end = float(self.halts[0])
        if self.integrator == "auto":
            return automatic(equations, t0, y, end, self.step, self.accuracy)
        if self.integrator in FIXED:
            return FIXED[self.integrator](equations, t0, y, self.step, self.accuracy)
        method = ADAPTIVE[self.integrator]
        return Adaptive(method, equations, t0, y, end, self.step, self.accuracy)

    def trajectory(self, system: System, equations: System, t0: float, y: Array) -> Trajectory:
        """Integrate equations that stand for those of a system, from t0 [s] and y (ny,); return the system's motion."""
        stepper: Integrator | OpenSimSteps | None = None
        show = shows_bar(self.progress)
        times, states, interrupted = [t0], [y], False
        report = _report_times(t0, self.t_final, self.report_step)

        def made() -> Trajectory:
            system.evaluations = equations.evaluations
            made_by = self.integrator if stepper is None else stepper.name
            y = equations.in_coordinates(np.stack(states))
            notes = [self.engine.note] if self.engine.note else []
            return Trajectory.of(system, np.array(times), y, made_by, interrupted, self.engine.name, notes)

        _LOG.info("simulation from %g to %g s, integrator %s", t0, self.t_final, self.integrator)
        if equations.history is not None:
            equations.history.clear()
        try:
            if not self.in_opensim:
                _look_from(equations, t0, self.halts)
            stepper = self.stepper(equations, t0, y)
            rows = (
                stepper.rows(self.halts, self.jumps, report)
                if isinstance(stepper, OpenSimSteps)
                else _reported(stepper, equations, self.halts, self.jumps, report)
            )
            with tqdm(total=self.t_final - t0, disable=not show, unit="s", desc="simulation", bar_format=BAR) as bar:
                for t, ys in rows:
                    times += t.tolist()
                    states += list(ys)
                    bar.update(stepper.t - t0 - bar.n)
        except KeyboardInterrupt:
            interrupted = True
            what = f"interrupted at {times[-1]:.6g} s of {self.t_final:.6g} s"
            warn(InterruptedWarning(what))
        except DivergenceError as error:
            error.trajectory = made()
            raise
        finally:
            equations.span = System.span
        return made()


#: What the progress bar shows: simulated seconds of all.
BAR = "{desc}: {percentage:3.0f}%|{bar}| {n:.3f}/{total:.3f} s [{elapsed}<{remaining}]"


def _look_from(equations: System, t: float, halts: Array) -> None:
    """Let equations see one side of the jumps at the ends of the time from t to the next halt [s], if there are any."""
    if len(halts) > 1:
        stop = halts[np.searchsorted(halts, t, side="right")]
        equations.span = float(np.nextafter(t, np.inf)), float(np.nextafter(stop, -np.inf))


def _reported(
    stepper: Integrator, equations: System, halts: Array, jumps: set[float], report: Array | None
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


def _report_times(start: float, end: float, step: float | None) -> Array | None:
    if step is None:
        return None
    times = start + step * np.arange(1, int((end - start) / step * (1 - 1e-12)) + 1)
    return np.append(times[times < end - 1e-9 * step], end)
