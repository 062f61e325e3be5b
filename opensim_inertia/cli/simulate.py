"""``opensim-inertia simulate``: forward simulation, from a model or a setup file of OpenSim's Forward Tool."""

from __future__ import annotations

import argparse
import fnmatch
import os
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from .._core.errors import (
    DivergenceError,
    FileFormatError,
    InertiaError,
    ModelError,
    OptionError,
    UnknownNameError,
    opensim_reason,
)
from .._core.opensim import osim, quiet
from .._core.provenance import run_record
from .._core.warnings import InertiaWarning
from ..analyses.forward_simulation import Trajectory, simulate
from ..dynamics.equations import Problem
from ..dynamics.integrators import INTEGRATORS, ErrorControl, Integrator, named
from ..files import ForwardSetup, read_forward_setup
from ..files.atomic import writing
from ..files.numbers import checked_numbers
from ..model import InertialModel
from ..model.plugin.self_test import load_plugin, native_available
from ..opensim_model.reading import load_model
from ..opensim_model.setups.correction import correction_of
from ..opensim_model.setups.driven_model import driven_model
from ..opensim_model.setups.initial_states import read_initial_states
from .arguments.simulate import T_FINAL
from .output import REPORT, check_writable, staged
from .preparing import prepare
from .text import columns, describe_model, file_list, listed, wrapped

__all__ = ["run"]


PREFIX = "simulation_"
FILES = {
    "states": (f"{PREFIX}states.sto", "all states, for OpenSim's GUI and tools"),
    "energy": (f"{PREFIX}energy.csv", "kinetic and potential energy of bones and muscles"),
    "work": (f"{PREFIX}work.csv", "work done by each muscle"),
    "run": (f"{PREFIX}run.json", "versions, options, integrator and warnings of this run"),
    "plot": (f"{PREFIX}plot.png", "picture of the coordinates that move most, and of the energies"),
}
TRC = {"trc": (f"{PREFIX}mass_points.trc", "mass points, for OpenSim's GUI: File > Preview Experimental Data")}
PAGE = {"report": (f"{PREFIX}report.html", REPORT)}
LUMPED = {"lumped": (f"{PREFIX}lumped_states.sto", "all states of the lumped model, simulated alike")}


@dataclass(frozen=True)
class _Task:
    """The simulation that the setup and the options ask for."""

    model_file: Path
    model: osim.Model
    t_start: float
    t_final: float
    states: Path | None
    loads: Path | None
    integrator: Integrator
    equilibrate: bool
    folder: Path
    uncontrolled: tuple[str, ...]
    setup: ForwardSetup | None


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    if args.engine == "native":
        load_plugin()
    elif args.engine == "auto":
        native_available()  # which loads it
    task = _task(args)
    files = FILES | (LUMPED if args.lumped else {}) | (TRC if args.trc else {})
    files |= PAGE if args.report else {}
    check_writable(
        [task.folder / name for name, _ in files.values()],
        [args.setup, args.masses, args.reference, task.model_file, task.states, task.loads],
    )
    prepared = prepare(task.model, args)
    if args.trc and not prepared.inertial.muscle_names:
        raise InertiaError("--trc: no muscle has mass, so there are no mass points")
    print(describe_model(prepared))
    if task.uncontrolled:
        print(wrapped(f"driven by no controller of the setup: {listed(task.uncontrolled)}"))
    print(f"{task.t_start:g} to {task.t_final:g} s, integrator {args.integrator}\n", flush=True)
    failure: DivergenceError | None = None
    try:
        trajectory = _simulate(prepared.inertial, task, args)
    except DivergenceError as error:
        failure = error
        assert isinstance(error.trajectory, Trajectory)
        trajectory = error.trajectory
    stopped = failure is not None or trajectory.interrupted
    lumped = None
    if args.lumped and not stopped:
        lumped = _simulate(InertialModel(task.model, {}), task, args)
    elif args.lumped:
        del files["lumped"]
    missing: list[str] = []
    with staged(task.folder) as staging:
        for what, reason in _write(trajectory, lumped, staging, args):
            missing.append(files.pop(what)[0])
            told = reason.replace(str(staging), str(task.folder))
            warnings.warn(InertiaWarning(f"{missing[-1]} is not written: {told}"), stacklevel=2)
    print(_describe(trajectory))
    done = f", until {trajectory.times[-1]:.6g} s" if stopped else ""
    print(f"\nwritten to {task.folder}{done}:")
    print(file_list({what: task.folder / name for name, what in files.values()}))
    if failure is not None:
        raise failure
    if trajectory.interrupted:
        raise KeyboardInterrupt
    if missing:
        raise InertiaError(f"the simulation is written, but without {', '.join(missing)}")


def _task(args: argparse.Namespace) -> _Task:
    """Return what the setup and the options ask for; check that its files exist."""
    setup = None if args.setup is None else read_forward_setup(args.setup)
    model_file: Path | None = args.model or (setup.model_file if setup else None)
    if model_file is None:
        where = f"{args.setup}: it names no model; " if setup else ""
        raise ModelError(f"{where}give the model: opensim-inertia simulate MODEL.osim")
    start, end = setup.time_range if setup else (0.0, T_FINAL)
    start = start if args.t_start is None else args.t_start
    end = end if args.t_final is None else args.t_final
    if not (np.isfinite(start) and np.isfinite(end) and start < end):
        raise OptionError("t_final", end, f"a time after the start, {start:.6g} s")
    states = _existing(args.states or (setup.states_file if setup else None), "states file")
    loads = _existing(args.external_loads or (setup.external_loads_file if setup else None), "external loads file")
    with quiet():
        model = load_model(model_file)
        driven = driven_model(model, setup) if setup else None
    return _Task(
        model_file=model_file,
        model=driven.model if driven else model,
        t_start=start,
        t_final=end,
        states=states,
        loads=loads,
        integrator=_integrator(args, setup),
        equilibrate=setup.solve_for_equilibrium if setup else states is None,
        folder=args.out or (setup.results_directory if setup else Path(f"{model_file.stem}_simulation")),
        uncontrolled=driven.uncontrolled if driven else (),
        setup=setup,
    )


def _integrator(args: argparse.Namespace, setup: ForwardSetup | None) -> Integrator:
    """Return the integrator with the options that are given, or else the setup's, which are those of error control."""
    options: dict[str, float | None] = {}
    if setup is not None and issubclass(INTEGRATORS[args.integrator], ErrorControl):
        options |= {"step": setup.step_range[1], "accuracy": setup.accuracy}
    names = {name for kind in INTEGRATORS.values() for name in kind.entries()}
    options |= {name: value for name in sorted(names) if (value := getattr(args, name)) is not None}
    return named(args.integrator, **options)


def _existing(path: Path | None, what: str) -> Path | None:
    if path is not None and not os.path.isfile(path):
        raise FileFormatError(path, f"{what} does not exist")
    return path


def _simulate(inertial: InertialModel, task: _Task, args: argparse.Namespace) -> Trajectory:
    state = inertial.initial_state()
    state.setTime(task.t_start)
    if task.states is not None:
        missing = read_initial_states(task.states, inertial.model, state, task.t_start).defaults
        if missing:
            print(wrapped(f"not in {task.states.name}, at their defaults: {listed(missing, 4)}"))
    excitations = _excitations(args.excite, inertial.model)
    correction = None if task.setup is None else correction_of(task.setup, task.states, inertial.model)
    with quiet():
        problem = Problem(
            inertial,
            state,
            task.t_final,
            excitations or None,
            correction,
            task.loads,
            task.equilibrate,
            rotations=args.rotations,
        )
        return simulate(problem, task.integrator, report_step=args.report_step, engine=args.engine)


def _excitations(given: list[str], model: osim.Model) -> dict[str, float]:
    """Return the numbers of ``NAME=X`` by actuator; NAME may be a pattern."""
    actuators = [actuator.getName() for actuator in model.getActuatorList()]
    found: dict[str, float] = {}
    for entry in given:
        pattern, _, number = entry.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = np.nan
        if not pattern or not np.isfinite(value):
            raise OptionError("excite", entry, "NAME=X with a number X, such as soleus_r=0.4")
        names = fnmatch.filter(actuators, pattern)
        if not names:
            raise UnknownNameError("actuator", pattern, actuators, "--excite")
        found.update(dict.fromkeys(names, value))
    return found


def _write(
    trajectory: Trajectory, lumped: Trajectory | None, folder: Path, args: argparse.Namespace
) -> Iterator[tuple[str, str]]:
    """Write the states, and then what is made of them; yield which of that fails, and why."""
    parts: dict[str, Callable[[Path], object]] = {
        "energy": lambda path: _write_csv(trajectory.energy(), path),
        "work": lambda path: _write_csv(trajectory.work(), path),
        "run": lambda path: _write_text(run_record(trajectory.provenance()), path),
        "plot": lambda path: trajectory.plot(path, lumped=lumped),
    }
    files = FILES | LUMPED | TRC | PAGE
    if lumped is not None:
        parts["lumped"] = lumped.to_sto
    if args.trc:
        parts["trc"] = trajectory.to_trc
    if args.report:
        parts["report"] = lambda path: trajectory.report(path, geometry=args.geometry, lumped=lumped)
    with quiet():
        trajectory.to_sto(folder / FILES["states"][0])
    for what, write in parts.items():
        try:
            with quiet():
                write(folder / files[what][0])
        except Exception as error:  # whatever it is, what was simulated is not lost
            yield what, opensim_reason(error) if isinstance(error, RuntimeError) else str(error)


def _write_csv(table: pd.DataFrame, path: Path) -> None:
    """Write a table of finite numbers."""
    checked_numbers(table, InertiaError)
    with writing(path) as temporary:
        table.to_csv(temporary)


def _write_text(text: str, path: Path) -> None:
    with writing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def _describe(trajectory: Trajectory) -> str:
    """Return as text where the coordinates went, and what that took."""
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
