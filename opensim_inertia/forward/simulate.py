"""Forward simulation of a model whose muscles have mass."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator

import numpy as np
from tqdm import tqdm

from .._opensim import osim
from ..arrays import Array
from ..checks import check_choice
from ..equations.drives import Drive, Drives
from ..equations.system import System
from ..errors import DivergenceError, InertiaWarning, ModelError, OptionError, SimulationError, opensim_reason
from ..inertial import InertialModel
from ..inertial.model import bound_to
from ..setups.loads import LoadsRangeWarning, beyond_data, initialise_with_loads, with_external_loads
from .integrators import ADAPTIVE, FIXED, INTEGRATORS, Adaptive, Integrator, automatic
from .trajectory import Trajectory

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
    report_step: float | None = None,
    progress: bool | None = None,
) -> Trajectory:
    """Simulate a model with inertial muscles forward in time.

    OpenSim computes every force, muscle, contact, controller and constraint; the muscles' mass enters through ``(M +
    dM) udot + G^T lambda = f + h + g_m`` (Wang et al. 2022, eq. 7). With no muscle mass the motion is OpenSim's.

    Args:
        inertial: the model.
        state: where to start, a state of ``inertial.model`` (it is copied); default: the model's default state. Locks
            and forces that are switched off in it hold for the simulation. Coordinates and speeds that break
            constraints are moved onto them.
        t_final: end [s].
        integrator: with fixed steps "forward_euler" (order 1), "bdf1" (order 1, stiff) or "sdirk2" (order 2, stiff),
            as Wang et al. 2022; with error control, from SciPy, "rk23", "rk45", "dop853", and for stiff models
            "radau", "bdf"; "auto": "bdf" where muscles with states act (at rest they are stiff), else "dop853".
        step: length of fixed steps [s] (default 1 ms), or the longest step with error control (default: none).
        accuracy: relative error allowed per step (default 1e-6; absolute 1e-8); with fixed steps how well implicit
            equations are solved (default 1e-10).
        excitations: of muscles and other actuators: numbers or functions of time by name, or a function of the state
            (realized to velocity) that gives numbers by name or all of them in the order of the model's controls. They
            replace what controllers say of the actuators named.
        forces: generalized forces besides the model's own [N m or N], by coordinate name, in the same forms; arrays in
            ``inertial.coordinate_names`` order.
        external_loads: OpenSim external loads XML.
        equilibrate: let OpenSim find the fibre lengths at which the muscles start in equilibrium; default: where no
            ``state`` is given.
        report_step: give states at this distance of time [s]; default: every step of the integrator.
        progress: show a bar; default: on a terminal.

    Returns:
        the trajectory; after Ctrl-C what was done until then, with an :class:`InterruptedWarning`.

    Raises:
        OptionError: an integrator, step, accuracy or time that cannot be; UnknownNameError: an actuator or coordinate
            is not in the model; SimulationError: constraints cannot be met; DivergenceError: names the coordinate that
            runs away, and holds the trajectory until then; ModelError: the state is another model's, or a
            muscle's tendon has implicit dynamics.
    """
    check_choice("integrator", integrator, ("auto", *INTEGRATORS))
    step = positive("step", step, FIXED_STEP if integrator in FIXED else LONGEST_STEP)
    accuracy = positive("accuracy", accuracy, NEWTON_ACCURACY if integrator in FIXED else ADAPTIVE_ACCURACY)
    if report_step is not None:
        positive("report_step", report_step, 0.0)
    system, t0, y = start(inertial, state, t_final, excitations, forces, external_loads, equilibrate)
    integrator = automatic(system) if integrator == "auto" else integrator
    make = FIXED.get(integrator)
    stepper: Integrator = (
        make(system, t0, y, step, accuracy)
        if make
        else Adaptive(ADAPTIVE[integrator], system, t0, y, t_final, step, accuracy)
    )
    show = progress if progress is not None else sys.stderr.isatty()
    times, states, interrupted = [t0], [y], False
    report = _report_times(t0, t_final, report_step)
    try:
        with tqdm(total=t_final - t0, disable=not show, unit="s", desc="simulation", bar_format=BAR) as bar:
            for t, ys in _reported(stepper, t_final, report):
                times += t.tolist()
                states += list(ys)
                bar.update(stepper.t - t0 - bar.n)
    except KeyboardInterrupt:
        interrupted = True
        warnings.warn(f"interrupted at {times[-1]:.6g} s of {t_final:.6g} s", InterruptedWarning, stacklevel=2)
    except DivergenceError as error:
        error.trajectory = Trajectory(system, np.array(times), np.stack(states))
        raise
    return Trajectory(system, np.array(times), np.stack(states), interrupted)


def start(
    inertial: InertialModel,
    state: osim.State | None,
    t_final: float,
    excitations: Drive | None,
    forces: Drive | None,
    external_loads: str | os.PathLike[str] | None,
    equilibrate: bool | None,
) -> tuple[System, float, Array]:
    """The system that :func:`simulate` integrates, the time and the state where it starts; errors as there."""
    _check_muscles(inertial.model)
    start = inertial.initial_state() if state is None else osim.State(state)
    inertial.dynamics.check_state(start)
    states_of_model = inertial.model.getWorkingState().getNY()
    if start.getNY() != states_of_model:
        raise ModelError(f"the state has {start.getNY()} numbers, the model {states_of_model}: it is another model's")
    t0 = start.getTime()
    if not np.isfinite(t0):
        raise SimulationError("the state has no time", t0)
    if not isinstance(t_final, int | float | np.number) or not np.isfinite(t_final) or t_final <= t0:
        raise OptionError("t_final", t_final, f"a time after the start, {t0:.6g} s")
    if external_loads is not None:
        missing = beyond_data(external_loads, np.array([t0, t_final]))
        if missing:
            warnings.warn(missing, LoadsRangeWarning, stacklevel=3)
        inertial, start = _with_loads(inertial, start, external_loads)
    if equilibrate or (equilibrate is None and state is None):
        _equilibrate(inertial.model, start)
    system = System(inertial, start, Drives(inertial.model, inertial.coordinate_names, excitations, forces))
    y = system.project(t0, start.getY().to_numpy().copy())
    if not np.isfinite(y).all():
        raise SimulationError(f"'{system.variable(int(np.argmin(np.isfinite(y))))}' is not finite in the state", t0)
    return system, t0, y


#: What the progress bar shows: simulated seconds of all.
BAR = "{desc}: {percentage:3.0f}%|{bar}| {n:.3f}/{total:.3f} s [{elapsed}<{remaining}]"


def _reported(stepper: Integrator, end: float, report: Array | None) -> Iterator[tuple[Array, Array]]:
    """Times and states to keep, after each step."""
    done = 0
    while stepper.t < end:
        stepper.step(end)
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


def positive(option: str, value: float | None, default: float) -> float:
    """A positive number, or the default for None."""
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 < value < np.inf:
        raise OptionError(option, value, "a positive number")
    return float(value)


def _check_muscles(model: osim.Model) -> None:
    """Refuse muscles whose states OpenSim does not integrate."""
    for muscle in model.getMuscles():
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
        model.equilibrateMuscles(state)
    except RuntimeError as error:
        raise SimulationError(f"muscles find no equilibrium: {opensim_reason(error)}", state.getTime()) from None


def _with_loads(
    inertial: InertialModel, state: osim.State, path: str | os.PathLike[str]
) -> tuple[InertialModel, osim.State]:
    """The model with external loads, and the state as a state of it."""
    model = with_external_loads(inertial.model, path)
    new = osim.State(initialise_with_loads(model, path))
    carry_over(inertial.model, state, model, new)
    return bound_to(inertial, model), new


def carry_over(model: osim.Model, state: osim.State, other: osim.Model, new: osim.State) -> None:
    """Give a state of another, like model the time, variables, locks and switched-off forces of a state."""
    new.setTime(state.getTime())
    new.setY(state.getY())
    for mine, its in zip(model.getCoordinateSet(), other.getCoordinateSet(), strict=True):
        its.setLocked(new, mine.getLocked(state))
    for i in range(model.getForceSet().getSize()):
        other.getForceSet().get(i).setAppliesForce(new, model.getForceSet().get(i).appliesForce(state))
