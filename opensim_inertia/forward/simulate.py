"""Forward simulation of a model whose muscles have mass."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator

import numpy as np
from tqdm import tqdm

from .._opensim import osim
from ..arrays import Array
from ..checks import check_choice, check_positive, outside, shows_bar
from ..choices import MOST_STEPS
from ..equations.drives import Drive
from ..equations.problem import Problem
from ..equations.start import start
from ..errors import DivergenceError, InertiaWarning, OptionError
from ..inertial import InertialModel
from ..inertial.checks import check_moves
from .integrators import ADAPTIVE, FIXED, INTEGRATORS, Adaptive, Integrator
from .switching import automatic
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
        state: where to start, a state of ``inertial.model``; default: the model's default state.
        t_final: end [s].
        integrator: with fixed steps "forward_euler" (order 1), "bdf1" (order 1, stiff) or "sdirk2" (order 2, stiff),
            as Wang et al. 2022; with error control, from SciPy, "rk23", "rk45", "dop853", and for stiff models
            "radau", "bdf"; "auto": where muscles with states, forces over wrap objects or contacts act, "rk45", and
            "bdf" while the equations are stiff, as with muscles at rest; else "dop853".
        step: length of fixed steps [s] (default 1 ms), or the longest step with error control (default: none).
        accuracy: relative error allowed per step (default 1e-6; absolute 1e-8); with fixed steps how well implicit
            equations are solved (default 1e-10).
        excitations: numbers or functions of time by muscle or other actuator, or a function of the state.
        forces: generalized forces [N m or N] by coordinate, in the same forms.
        external_loads: OpenSim external loads XML.
        equilibrate: whether muscles start in equilibrium; default: where no ``state`` is given.
        report_step: give states at this distance of time [s]; default: every step of the integrator.
        progress: show a bar; default: on a terminal.

    :class:`~opensim_inertia.equations.Problem` describes the model, state, times, drives and loads in full.

    Returns:
        the trajectory; after Ctrl-C what was done until then, with an :class:`InterruptedWarning`.

    Raises:
        OptionError: an integrator, step, accuracy or time that cannot be; UnknownNameError: an actuator or coordinate
            is not in the model; SimulationError: constraints cannot be met; DivergenceError: names the coordinate that
            runs away, and holds the trajectory until then; ModelError: the model has no coordinates, the
            state is another model's, or a muscle's tendon has implicit dynamics.
    """
    check_choice("integrator", integrator, ("auto", *INTEGRATORS))
    step = check_positive("step", step, FIXED_STEP if integrator in FIXED else LONGEST_STEP)
    accuracy = check_positive("accuracy", accuracy, NEWTON_ACCURACY if integrator in FIXED else ADAPTIVE_ACCURACY)
    if report_step is not None:
        check_positive("report_step", report_step, 0.0)
    check_moves(inertial.model)
    system, t0, y = start(Problem(inertial, state, t_final, excitations, forces, external_loads, equilibrate))
    for option, length in (("step", step if integrator in FIXED else None), ("report_step", report_step)):
        if length is not None and not (t_final - t0) / length <= MOST_STEPS:
            least = (t_final - t0) / MOST_STEPS
            raise OptionError(option, length, f"{least:.3g} s or more, to go from {t0:.6g} to {t_final:.6g} s")
    show = shows_bar(progress)
    times, states, interrupted = [t0], [y], False
    report = _report_times(t0, t_final, report_step)
    stepper: Integrator | None = None
    try:
        if integrator == "auto":
            stepper = automatic(system, t0, y, t_final, step, accuracy)
        elif integrator in FIXED:
            stepper = FIXED[integrator](system, t0, y, step, accuracy)
        else:
            stepper = Adaptive(ADAPTIVE[integrator], system, t0, y, t_final, step, accuracy)
        with tqdm(total=t_final - t0, disable=not show, unit="s", desc="simulation", bar_format=BAR) as bar:
            for t, ys in _reported(stepper, t_final, report):
                times += t.tolist()
                states += list(ys)
                bar.update(stepper.t - t0 - bar.n)
    except KeyboardInterrupt:
        interrupted = True
        warnings.warn(f"interrupted at {times[-1]:.6g} s of {t_final:.6g} s", InterruptedWarning, stacklevel=outside())
    except DivergenceError as error:
        made_by = integrator if stepper is None else stepper.name
        error.trajectory = Trajectory.of(system, np.array(times), np.stack(states), made_by)
        raise
    made_by = integrator if stepper is None else stepper.name
    return Trajectory.of(system, np.array(times), np.stack(states), made_by, interrupted)


#: What the progress bar shows: simulated seconds of all.
BAR = "{desc}: {percentage:3.0f}%|{bar}| {n:.3f}/{total:.3f} s [{elapsed}<{remaining}]"


def _reported(stepper: Integrator, end: float, report: Array | None) -> Iterator[tuple[Array, Array]]:
    """Make the steps, and yield the times and states to keep after each."""
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
