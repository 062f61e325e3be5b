"""Forward simulation with muscle mass along the paths.

OpenSim computes all forces, muscles, contacts, controllers and constraints. With --lumped, the same model with mass
lumped into the segments is simulated for comparison.

SETUP.xml is an unchanged setup of OpenSim's Forward Tool: model, initial states, controllers, force sets, external
loads, times, accuracy. Paths in it are relative to the file. Its analyses are not run. Output: states (.sto, for
OpenSim's GUI and tools), energies and the muscles' work (.csv), and a picture (.png).

examples:
  opensim-inertia simulate arm26.osim --excite 'BIC*=0.5' BRA=0.2 --t-final 0.5
  opensim-inertia simulate arm26.osim --wobble --wobble-frequency 12 --t-final 0.5
  opensim-inertia simulate --setup setup_forward.xml --masses masses.csv --out results --trc
  opensim-inertia simulate model.osim --setup setup_forward.xml --integrator sdirk2 --step 0.001 --lumped
"""

from __future__ import annotations

import argparse
import fnmatch
import math
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from .._core.checks import check_file, silenced
from .._core.choices import ENGINES, ROTATIONS
from .._core.errors import (
    DivergenceError,
    InertiaError,
    ModelError,
    OptionError,
    UnknownNameError,
    first_of,
    opensim_reason,
)
from .._core.options import above
from .._core.warnings import InertiaWarning, MissingGeometryWarning
from . import arguments
from .arguments import add
from .output import Results, columns, inputs_of, wrapped

if TYPE_CHECKING:
    import pandas as pd

    from .._core.opensim import osim
    from ..analyses.forward_simulation import Trajectory
    from ..dynamics.integrators import Integrator
    from ..files.setups import ForwardSetup
    from ..model import InertialModel
    from ..options.recording import Wobble

#: Default final time [s].
T_FINAL = 1.0

FILES = {
    "states": ("simulation_states.sto", "all states, for OpenSim's GUI and tools"),
    "energy": ("simulation_energy.csv", "kinetic and potential energy of bones and muscles"),
    "work": ("simulation_work.csv", "work done by each muscle"),
    "run": ("simulation_run.json", "versions, options, integrator and warnings of this run"),
    "plot": ("simulation_plot.png", "picture of the coordinates that move most, and of the energies"),
    "lumped": ("simulation_lumped_states.sto", "all states of the lumped model, simulated alike"),
    "trc": ("simulation_mass_points.trc", arguments.POINTS),
    "report": ("simulation_report.html", arguments.REPORT),
}
check = arguments.check_inertial
#: Files written on request, by option.
ASKED = ("lumped", "trc", "report")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from ..dynamics.integrators import INTEGRATORS, FixedStep, OpenSimIntegrator  # not needed by every command

    arguments.add_model(parser, "the model (default: the setup's)", nargs="?")
    add(parser, "--setup", "setup of OpenSim's Forward Tool", "XML", check=arguments.existing("setup file"))
    group = parser.add_argument_group("problem, instead of the setup's")
    add(group, "--t-start", "initial time [s] (default: 0)", "T0", float)
    add(group, "--t-final", f"final time [s] (default: {T_FINAL:g})", "T1", float)
    add(group, "--states", "states to start from (default: the model's)", "STO")
    add(group, "--external-loads", "the external loads", "XML")
    add(group, "--excite", "constant excitations of actuators; names or patterns, as 'soleus_*=0.4'", "NAME=X...")
    group = parser.add_argument_group("how")
    kinds = INTEGRATORS.items()
    fixed = ", ".join(name for name, kind in kinds if issubclass(kind, FixedStep))
    stiff = ", ".join(name for name, kind in kinds if kind.is_implicit and not issubclass(kind, FixedStep))
    own = ", ".join(name for name, kind in kinds if issubclass(kind, OpenSimIntegrator))
    text = (
        f"with fixed steps: {fixed}; with error control: the others, of which {stiff} are for stiff models; OpenSim's "
        f"own, which need the plugin: {own}; auto: rk45, bdf while the model is stiff, dop853 where no muscle, wrap "
        "object or contact acts, or OpenSim's own where the plugin can"
    )
    add(group, "--integrator", text, choices=tuple(INTEGRATORS), default="auto")
    entries = [entry.argument() for kind in INTEGRATORS.values() for entry in kind.entries().values()]
    for flag, about in dict(entries).items():
        helps = dict.fromkeys(other["help"] for name, other in entries if name == flag)
        group.add_argument(flag, **about | {"help": "; ".join(helps)})
    text = "accelerations by OpenSim with the plugin, by this package, or by the first where it can"
    add(group, "--engine", text, choices=ENGINES, default="auto")
    text = "coordinates of joints that turn freely; unit quaternions also pass through gimbal lock"
    add(group, "--rotations", text, choices=ROTATIONS)
    arguments.add_inertial(parser, accelerations=True, wobble=True)
    group = parser.add_argument_group("results")
    add(group, "-o, --out", "folder (default: the setup's results_directory, or MODEL_simulation)", "DIR")
    add(group, "--report-step", "time between rows [s] (default: every step)", "S", float, check=above(0.0))
    add(group, "--lumped", "also simulate with all mass in the segments")
    add(group, "--trc", arguments.TRAJECTORIES)
    arguments.add_report(group, recorded=False)


def run(args: argparse.Namespace) -> None:
    from ..analyses.forward_simulation import Trajectory
    from ..dynamics.integrators import INTEGRATORS, ErrorControl, named
    from ..model import InertialModel
    from ..model.plugin.native import load_plugin, native_available
    from ..opensim_model.reading.loading import load_model
    from ..opensim_model.setups.driven_model import driven_model

    if args.engine == "native":
        load_plugin()
    elif args.engine == "auto":
        native_available()  # loads the plugin
    setup = _completed(args)
    model = load_model(args.model)
    uncontrolled: tuple[str, ...] = ()
    if setup is not None:
        model, uncontrolled = driven_model(model, setup)
    options: dict[str, float | None] = {}  # given options, or the setup's error control
    if setup is not None and issubclass(INTEGRATORS[args.integrator], ErrorControl):
        options |= {"step": setup.step_range[1], "accuracy": setup.accuracy}
    names = {name for kind in INTEGRATORS.values() for name in kind.entries()}
    integrator = named(args.integrator, **options | {name: getattr(args, name) for name in names if name in args})
    files = {what: file for what, file in FILES.items() if what not in ASKED or getattr(args, what)}
    results = Results(args.out, files, inputs_of(args))
    inertial = arguments.prepare(model, args)
    if args.trc and not inertial.muscle_names:
        raise InertiaError("--trc: no muscle has mass, so there are no mass points")
    arguments.announce_report(args, inertial)
    if uncontrolled:
        print(wrapped(f"driven by no controller of the setup: {first_of(uncontrolled)}"))
    print(f"{args.t_start:g} to {args.t_final:g} s, integrator {args.integrator}\n", flush=True)
    failure: DivergenceError | None = None
    try:
        trajectory = _simulate(inertial, setup, integrator, args, arguments.wobble_of_arguments(args))
    except DivergenceError as error:
        failure = error
        assert isinstance(error.trajectory, Trajectory)
        trajectory = error.trajectory
    stopped = failure is not None or trajectory.interrupted
    lumped = None
    if args.lumped and not stopped:
        lumped = _simulate(InertialModel(inertial.original_model(), {}), setup, integrator, args, None)
    elif args.lumped:
        del results.files["lumped"]
    missing: list[str] = []
    with results.staged() as places:
        for what, reason in _write(trajectory, lumped, places, args):
            missing.append(results.files.pop(what)[0])
            reason = reason.replace(str(places["states"].parent), str(args.out))
            warnings.warn(InertiaWarning(f"{missing[-1]} is not written: {reason}"), stacklevel=2)
    print(_describe(trajectory))
    results.announce(f", until {trajectory.times[-1]:.6g} s" if stopped else "")
    if failure is not None:
        raise failure
    if trajectory.interrupted:
        raise KeyboardInterrupt
    if missing:
        raise InertiaError(f"the simulation is written, but without {', '.join(missing)}")


def _completed(args: argparse.Namespace) -> ForwardSetup | None:
    """Return the setup (None if not given); fill arguments that the user did not type from the setup or defaults."""
    from ..files.setups import read_forward_setup

    setup = None if args.setup is None else read_forward_setup(args.setup)
    args.model = args.model or (setup.model_file if setup else None)
    if args.model is None:
        where = f"{args.setup}: it names no model; " if setup else ""
        raise ModelError(f"{where}give the model: opensim-inertia simulate MODEL.osim")
    start, end = setup.time_range if setup else (0.0, T_FINAL)
    args.t_start = start if args.t_start is None else args.t_start
    args.t_final = end = end if args.t_final is None else args.t_final
    if not (math.isfinite(args.t_start) and math.isfinite(end) and args.t_start < end):
        raise OptionError("t_final", end, f"a time after the start, {args.t_start:.6g} s")
    if setup is not None:
        args.states = args.states or setup.states_file
        args.external_loads = args.external_loads or setup.external_loads_file
    for path, what in ((args.states, "states file"), (args.external_loads, "external loads file")):
        if path is not None:
            check_file(path, what)
    args.out = args.out or (setup.results_directory if setup else Path(f"{args.model.stem}_simulation"))
    return setup


def _simulate(
    inertial: InertialModel,
    setup: ForwardSetup | None,
    integrator: Integrator,
    args: argparse.Namespace,
    wobble: Wobble | None,
) -> Trajectory:
    from ..analyses.forward_simulation import simulate
    from ..dynamics.equations import GivenStart, Problem
    from ..opensim_model.setups.driven_model import correction_of, read_initial_states

    state = inertial.initial_state()
    state.setTime(args.t_start)
    start: osim.State | GivenStart = state
    if args.states is not None:
        defaults, swings = read_initial_states(args.states, inertial.model, state, args.t_start)
        if defaults:
            print(wrapped(f"not in {args.states.name}, at their defaults: {first_of(defaults, 4)}"))
        if swings and wobble is None:
            print(wrapped(f"displacements of mass that wobbles in {args.states.name} are left out"))
        start = GivenStart(state, swings if wobble is not None else {})
    problem = Problem(
        inertial,
        start,
        args.t_final,
        _excitations(args.excite, inertial.model) or None,
        None if setup is None else correction_of(setup, args.states, inertial.model),
        args.external_loads,
        setup.solve_for_equilibrium if setup else args.states is None,
        rotations=args.rotations,
    )
    run = {"report_step": args.report_step, "engine": args.engine, "wobble": wobble or False}
    return simulate(problem, integrator, **run)


def _excitations(given: list[str], model: osim.Model) -> dict[str, float]:
    """Return excitations by actuator from texts such as "NAME=0.4"; NAME may be a pattern."""
    actuators = [actuator.getName() for actuator in model.getActuatorList()]
    found: dict[str, float] = {}
    for entry in given:
        pattern, (value,) = arguments.named_numbers("excite", entry, "soleus_r=0.4")
        names = fnmatch.filter(actuators, pattern)
        if not names:
            raise UnknownNameError("actuator", pattern, actuators, "--excite")
        found.update(dict.fromkeys(names, value))
    return found


def _write(
    trajectory: Trajectory, lumped: Trajectory | None, places: Mapping[str, Path], args: argparse.Namespace
) -> Iterator[tuple[str, str]]:
    """Write all requested files; for each file that cannot be written, yield its key in ``places`` and the reason."""
    from .._core.provenance import run_record
    from ..files.atomic import write_text
    from ..files.spreadsheets import write_csv
    from ..files.tables import checked_numbers, load_table
    from ..plotting import plot_motion
    from ..reports import report

    def to_csv(table: pd.DataFrame, path: Path) -> None:
        checked_numbers(load_table(table), InertiaError)
        write_csv(table, path)

    parts: dict[str, Callable[[Path], object]] = {
        "energy": lambda path: to_csv(trajectory.energy(), path),
        "work": lambda path: to_csv(trajectory.work(), path),
        "run": lambda path: write_text(path, run_record(trajectory.provenance)),
        "plot": lambda path: plot_motion(trajectory, path, lumped=lumped),
        "lumped": lambda path: None if lumped is None else lumped.to_sto(path),
        "trc": trajectory.to_trc,
        "report": lambda path: report(trajectory, path, geometry=args.geometry, lumped=lumped),
    }
    trajectory.to_sto(places["states"])
    for what in filter(places.__contains__, parts):
        try:
            with silenced(MissingGeometryWarning):
                parts[what](places[what])
        except Exception as error:  # keeps the simulation whatever happens
            yield what, opensim_reason(error) if isinstance(error, RuntimeError) else str(error)


def _describe(trajectory: Trajectory) -> str:
    import numpy as np

    table = trajectory.inertial.coordinates
    values = trajectory.coordinates()
    rows = [["coordinate", "unit", "start", "end", "least", "most"]]
    for name, column in values.items():
        turns = table.rotational[table.index(str(name))]
        shown = np.degrees(column.to_numpy()) if turns else column.to_numpy()
        if np.ptp(shown) > 0:
            numbers = [shown[0], shown[-1], shown.min(), shown.max()]
            unit = "deg" if turns else "m" if table.translational[table.index(str(name))] else ""
            rows.append([str(name), unit, *(f"{x:.4g}" for x in numbers)])
    steps = f"{len(trajectory) - 1} rows, {trajectory.evaluations} evaluations of the right-hand side"
    steps += "".join(f"\n{wrapped(note)}" for note in trajectory.notes)
    return f"{columns(rows, left=(0, 1))}\n{steps}" if len(rows) > 1 else f"nothing moved\n{steps}"
