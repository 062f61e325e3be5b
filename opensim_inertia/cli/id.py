"""Inverse dynamics with muscle mass along the paths, compared with mass lumped into the segments.

SETUP.xml is an unchanged setup of OpenSim's Inverse Dynamics Tool; paths in it are relative to the file. Output:
generalized forces (.sto, with OpenSim's names), a summary (.csv) and a picture (.png). Without a setup, give --model
and --motion: no actuator acts, nothing is filtered, and results are in the working folder.

FOLDER holds trials: AddBiomechanics' ID/*_id_setup.xml with Models/ and IK/, or a model and motions as OpenCap and
Pose2Sim write them, with or without external loads. Each trial has its own results folder. The exit code is 1 if some
trials failed, 2 if all did.

examples:
  opensim-inertia id setup_id.xml
  opensim-inertia id --model scaled.osim --motion walk.mot --external-loads grf.xml --cutoff 6
  opensim-inertia id addbiomechanics_results --trial walk1 --out results
  opensim-inertia id setup_id.xml --masses masses.csv --out results --trc
  opensim-inertia id setup_id.xml --muscles 'soleus_*' '*gas_*' --strain uniform --cutoff 6 --time-range 0.4 1.6
  opensim-inertia id setup_id.xml --cutoff 30 --wobble --wobble-frequency 12
  opensim-inertia id setup_id.xml --method handsfield --height 1.8 --model scaled.osim
"""

from __future__ import annotations

import argparse
import math
from dataclasses import replace
from pathlib import Path

from .._core.checks import warn
from .._core.choices import PREFIXES
from .._core.errors import InertiaError
from .._core.warnings import InputWarning
from ..options.recording import Answers, Recording
from . import arguments
from .arguments import ALL_FAILED, SOME_FAILED, add, add_options
from .output import Results, inputs_of

PREFIX = PREFIXES["inverse dynamics"]
#: Files that are always written, with descriptions.
FILES = {
    "lumped": (f"{PREFIX}lumped.sto", "forces, all mass in the segments: OpenSim's own answer"),
    "inertial": (f"{PREFIX}inertial.sto", "forces, muscle mass that slides along the paths"),
    "curves": (f"{PREFIX}curves.csv", "both forces, their difference and its band over time, for Matlab, R and others"),
    "curves.sto": (f"{PREFIX}curves.sto", "the same for OpenSim"),
    "summary": (f"{PREFIX}summary.csv", "peaks and differences of every coordinate"),
    "masses": (f"{PREFIX}masses.csv", "the masses, donor segments and bellies that were used"),
    "run": (f"{PREFIX}run.json", "versions, options, inputs and warnings of this run"),
}
PICTURE = "picture of forces and of their change by muscle inertia, with the assumptions"
CYCLES = "means and standard deviations over gait cycles"
WOBBLE = {
    "wobble": (f"{PREFIX}wobble.sto", "the part of the inertial forces by wobble"),
    "swings": (f"{PREFIX}wobble.csv", "wobbling masses: frequencies, damping, displacements"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_setup(parser, "Inverse Dynamics Tool", folders=True)
    arguments.add_inertial(parser, wobble=True)
    arguments.add_replacements(parser)
    group = parser.add_argument_group("results")
    add(group, "-o, --out", "folder (default: the setup's results_directory, or here)", "DIR")
    add(group, "--all", "print all coordinates; default: hips, knees and ankles, where the model has them")
    add(group, "--explain", "print the meaning of the table's columns")
    add(group, "--per-kg", "divide by the model's mass in files, picture and report: N m/kg, N/kg")
    add(group, "--cycles", "mean and standard deviation over gait cycles: a table, and the picture of them")
    add(group, "--trc", arguments.TRAJECTORIES)
    add(group, "--per-muscle", "also write which muscles change the force of these coordinates", "COORDINATE...")
    add_options(group, Recording, only=("strict",))
    text = "leave out the uncertainty band of masses and bellies"
    group.add_argument("--no-band", dest="band", action="store_false", help=text)
    arguments.add_picture(group)
    add(group, "--coordinates", "shown by the picture (default: hips, knees, ankles, largest changes)", "COORDINATE...")
    arguments.add_report(group)


def check(args: argparse.Namespace) -> None:
    arguments.check_inertial(args)
    if args.picture is None:
        arguments.refuse(args, "--no-picture is given", "coordinates")
    arguments.check_setup(args)


def files_of(args: argparse.Namespace) -> dict[str, tuple[str, str]]:
    """Return name and description of each requested output file, by key."""
    files = FILES | ({} if args.picture is None else {"plot": (f"{PREFIX}plot.{args.picture}", PICTURE)})
    files |= {"cycles": (f"{PREFIX}cycles.csv", CYCLES)} if args.cycles else {}
    files |= WOBBLE if getattr(args, "wobble", False) else {}
    files |= {"trc": (f"{PREFIX}mass_points.trc", arguments.POINTS)} if args.trc else {}
    files |= {"report": (f"{PREFIX}report.html", arguments.REPORT)} if args.report else {}
    for name in args.per_muscle:
        files[f"muscles of {name}"] = (f"{PREFIX}muscles_{name}.sto", f"each muscle's change of {name}")
        if args.picture is not None:
            files[f"picture of {name}"] = (f"{PREFIX}muscles_{name}.{args.picture}", f"the same of {name} as a picture")
    return files


def run(args: argparse.Namespace) -> int:
    if args.setup is None or not args.setup.is_dir():
        _solve_trial(args)
        return 0
    from ..files.setups import folder_trials

    if args.motion is not None:
        arguments.refuse(args, "the motions are those of the folder", "motion")
    trials = folder_trials(args.setup, args.trial or (), args.model)
    failed = 0
    for trial in trials:
        print(f"== {trial.name}", flush=True)
        own = {"setup": trial.setup, "motion": trial.motion, "model": args.model or trial.model}
        own |= {"external_loads": args.external_loads or trial.external_loads}
        own |= {"out": (args.out or Path.cwd()) / trial.name.replace("/", "_")}
        try:
            _solve_trial(argparse.Namespace(**vars(args) | own))
        except InertiaError as error:
            if len(trials) == 1:
                raise
            failed += 1
            warn(InputWarning(f"trial '{trial.name}' failed: ", *error.args))
        print(flush=True)
    return 0 if not failed else SOME_FAILED if failed < len(trials) else ALL_FAILED


def _solve_trial(args: argparse.Namespace) -> None:
    from ..analyses.inverse_dynamics import inverse_dynamics
    from ..analyses.inverse_dynamics.summary import check_coordinate
    from ..checks.recordings import solve_checked
    from ..files.setups import plain_inverse_dynamics, read_inverse_dynamics_setup
    from ..files.spreadsheets import write_csv
    from ..opensim_model.reading.coordinates import couplings
    from ..opensim_model.reading.loading import load_model
    from ..opensim_model.setups.loads import read_gait_events

    if args.setup is None:
        setup = plain_inverse_dynamics(args.model, args.motion)
    else:
        setup = read_inverse_dynamics_setup(args.setup)
    setup = arguments.with_options(setup, args)
    assert setup.model_file is not None and setup.coordinates_file is not None
    inputs = inputs_of(args, setup.model_file, setup.coordinates_file, setup.external_loads_file)
    results = Results(args.out if args.out is not None else setup.results_directory, files_of(args), inputs)
    described: list[str] = []  # printed below the table
    inertial = arguments.prepare(load_model(setup.model_file), args, described.append)
    couples = couplings(inertial.model, inertial.coordinates, inertial.coordinates.defaults[None])
    for option in ("per_muscle", "coordinates", "trc"):
        flag, given = f"--{option.replace('_', '-')}", getattr(args, option)
        for name in given if option != "trc" else ():
            check_coordinate(name, inertial.coordinate_names, couples, flag)
        if given and option != "coordinates" and not inertial.muscle_names:
            raise InertiaError(f"{flag}: no muscle has mass")
    arguments.announce_report(args, inertial, setup.coordinates_file)
    start, end = setup.time_range
    span = "all of the recording" if math.isinf(start) and math.isinf(end) else f"{start:g} to {end:g} s"
    filtered = "no filter" if setup.cutoff is None else f"low-pass filter at {setup.cutoff:g} Hz"
    loads = "no external loads" if setup.external_loads_file is None else f"loads {setup.external_loads_file.name}"
    events = {} if args.events is None else {"gait events": read_gait_events(args.events)}
    result = solve_checked(
        inverse_dynamics,
        inertial,
        arguments.recording_of(setup, args, vars(args) | setup.recording),
        forces_to_exclude=setup.forces_to_exclude,
        band=args.band,
        implausible=Answers.of(vars(args)).implausible,
        wobble=arguments.wobble_of_arguments(args) or False,
    )
    result = replace(result, provenance={**result.provenance, **events})
    written = result.per_kg() if args.per_kg else result
    with results.staged() as places:
        written.save(places["run"].parent)
        if args.cycles:
            write_csv(written.cycles(), places["cycles"])
        for name in args.per_muscle:
            written.muscles_to_sto(places[f"muscles of {name}"], name)
        if args.picture is not None:
            from ..plotting.forces import plot_forces, plot_muscles

            plot_forces(written, places["plot"], args.coordinates or None, cycles=args.cycles)
            for name in args.per_muscle:
                plot_muscles(written, name, places[f"picture of {name}"])
        if args.report:
            arguments.write_report(written, places["report"], inertial, args)
        if args.trc:
            from ..analyses.mass_points import write_mass_points_of
            from ..model.recorded_motion import motion_states

            assert result.motion is not None
            states = motion_states(inertial, result.motion)
            write_mass_points_of(inertial, states, result.motion.times, places["trc"])
    arguments.print_result(result, everything=args.all, explain=args.explain)
    print("", *described, f"motion {setup.coordinates_file.name}, {span}, {filtered}, {loads}", sep="\n")
    results.announce()
