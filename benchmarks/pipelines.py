"""Inverse dynamics of public trials: OpenSim's tool beside this package, and beside an older checkout of it.

    python benchmarks/pipelines.py FOLDER... [--trial NAME ...] [--cutoff HZ] [--before CHECKOUT]

A FOLDER is one that ``opensim-inertia id`` takes, or a setup. OpenSim's tool and each version solve the same files,
each in a process of its own; without a setup the tool excludes actuators, as the package does. OpenSim's largest moment
is given [N m]. The difference of lumped forces is the largest over all coordinates, at the times that both have, of
``max |ours - OpenSim's| / max(max |OpenSim's|, 1e-3 N m or N)``. Beyond 1e-6 a reason is given, and both solve again:
the package with options that make it do as the tool does, the tool with the motion as the package reads it.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from common import osim, report
from fuzz.isolated import isolated
from oracles.trials import run_tool

import opensim_inertia as oi
from opensim_inertia.cli.arguments import with_options
from opensim_inertia.files import InverseDynamicsSetup, read_inverse_dynamics_setup
from opensim_inertia.files.setups import FolderTrial, folder_trials, plain_inverse_dynamics
from opensim_inertia.opensim_model.reading.loading import initialise, load_model
from opensim_inertia.opensim_model.reading.motion import recorded_columns

HERE = Path(oi.__file__).parents[1]
EQUAL, LEAST, SAME_TIME, CLOSE, LIMIT = 1e-6, 1e-3, 1e-6, 0.1, 600.0
#: Words of notes that say why lumped forces are not those of OpenSim's tool, the reason, and the option that undoes it.
REASONS = {
    "follow their couplers": ("coordinates follow their couplers", "--as-recorded"),
    "contacts of the model do not act": ("contacts are left out where loads press", "--with-contacts"),
    "not the rates of coordinates": ("OpenSim takes rates of coordinates for angular velocities", ""),
    "begin again after a full turn": ("angles begin again after a full turn", ""),
    "change to the equivalent triple": ("Euler angles change to their equivalent", ""),
    "they are one row": ("two rows have one time", ""),
}
NAMED = {"model_file": "--model", "coordinates_file": "--motion", "external_loads_file": "--external-loads"}
#: Forces by time, or none; in one word how it ended; and all that was said.
Outcome = tuple[pd.DataFrame | None, str, str]


def files_of(trial: FolderTrial, cutoff: dict[str, float]) -> tuple[InverseDynamicsSetup, list[str]]:
    """What a trial asks for, its files where they are, and the arguments that ask the package for it."""
    read = read_inverse_dynamics_setup(trial.setup) if trial.setup else plain_inverse_dynamics(None, Path())
    setup = with_options(read, argparse.Namespace(**vars(trial), with_contacts=False, **cutoff))
    typed = {option: getattr(setup, name) for name, option in NAMED.items()} | {"--cutoff": cutoff.get("cutoff")}
    words = [str(word) for option, value in typed.items() if value is not None for word in (option, value)]
    return setup, [str(trial.setup), *words] if trial.setup else words


def by_opensim(setup: InverseDynamicsSetup, folder: Path) -> Outcome:
    """What OpenSim's tool says, in a process of its own."""

    def task() -> int:
        osim.IO.SetPrecision(16)
        files = (osim.Model(str(setup.model_file)), setup.coordinates_file, setup.external_loads_file)
        run_tool(*files, setup.cutoff, setup.time_range, folder, setup.forces_to_exclude)
        return 0

    ended = isolated(task, LIMIT)
    if ended.code != 0:
        return (None, f"none ({ended.failure})", " ".join((ended.out + ended.err).split())[-200:])
    forces = oi.read_table(folder / "tool.sto")
    largest = forces.filter(like="_moment").abs().max()
    return (forces, f"{largest.max():.4g} at {largest.idxmax().removesuffix('_moment')}", "")


def by_package(typed: list[str], folder: Path, checkout: Path = HERE) -> Outcome:
    """What the command of a checkout says."""
    command = [sys.executable, "-m", "opensim_inertia", "id", *typed, "--no-band", "--no-picture", "--out", str(folder)]
    os.environ["PYTHONPATH"] = str(checkout.resolve())
    ended = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    if ended.returncode:
        _, is_ours, error = ended.stderr.rpartition("error: ")
        return (None, "refused" if is_ours and "Traceback" not in error else "crash", " ".join(error.split()))
    said = " ".join([ended.stdout, *json.loads((folder / "inverse_dynamics_run.json").read_text())["warnings"]])
    return (oi.read_table(folder / "inverse_dynamics_lumped.sto"), "answered", " ".join(said.split()))


def difference(ours: pd.DataFrame, theirs: pd.DataFrame) -> tuple[float, str]:
    """The largest difference, its coordinate, and the number of rows that differ."""
    theirs = theirs[ours.columns].reindex(ours.index, method="nearest", tolerance=SAME_TIME)
    each = (ours - theirs).abs() / theirs.abs().max().clip(lower=LEAST)
    rows = int((each > EQUAL).any(axis=1).sum())
    return float(each.max().max()), f"{each.max().idxmax()}, {rows} of {len(each.dropna(how='all'))} rows"


def reasons(setup: InverseDynamicsSetup, typed: list[str], said: str, folder: Path) -> str:
    """Why both differ, and by how much where options undo it, and the tool has the motion as the package reads it."""
    pairs = [pair for note, pair in REASONS.items() if note in said]
    words, options = [word for word, _ in pairs], [option for _, option in pairs if option]
    table = oi.read_table(setup.coordinates_file)
    steps = np.diff(table.index.unique())
    words += ["OpenSim's tool ignores columns named by state paths"] if "/value" in " ".join(table.columns) else []
    words += [f"rows {steps.min():.1g} s apart, where splines round"] if steps.min() < CLOSE * steps.max() else []
    initialise(model := load_model(setup.model_file))
    names = [coordinate.getName() for coordinate in model.getCoordinateSet()]
    oi.write_table(recorded_columns(setup.coordinates_file, model, names), folder / "read.sto")
    theirs, *_ = by_opensim(replace(setup, coordinates_file=folder / "read.sto"), folder)
    ours, *_ = by_package([*typed, *options, "--implausible", "warn"], folder)
    if words and theirs is not None and ours is not None:
        size, where = difference(ours, theirs)
        words.append(f"{size:.1e} when undone" if size <= EQUAL else f"{size:.1e} left ({where})")
    return "; ".join(words) or "unexplained"


def compare(trial: FolderTrial, cutoff: dict[str, float], before: Path | None) -> tuple[list[Outcome], str, str]:
    """What OpenSim's tool says of a trial, the package before, and after; their difference, and its reason."""
    try:
        setup, typed = files_of(trial, cutoff)
    except oi.InertiaError as error:
        return [(None, "no file", "")] * 3, "", str(error)
    with tempfile.TemporaryDirectory() as scratch:
        spare = [Path(tempfile.mkdtemp(dir=scratch)) for _ in range(4)]
        theirs, *_ = tool = by_opensim(setup, spare[0])
        ours, _, said = after = by_package(typed, spare[1])
        outcomes = [tool, by_package(typed, spare[2], before) if before else (None, "", ""), after]
        if theirs is None or ours is None:
            return outcomes, "", " / ".join(text[:250] for forces, _, text in (tool, after) if forces is None)
        apart, where = difference(ours, theirs)
        return outcomes, f"{apart:.1e}", f"{where}: {reasons(setup, typed, said, spare[3])}" if apart > EQUAL else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="+", help="of trials, or a setup of inverse dynamics")
    parser.add_argument("--trial", nargs="+", default=[], help="only these")
    parser.add_argument("--cutoff", type=lambda hertz: {"cutoff": float(hertz)}, default={}, help="of all motions [Hz]")
    parser.add_argument("--before", type=Path, help="an older checkout with its compiled kernel")
    args, counts = parser.parse_args(), np.zeros(3, dtype=int)
    print("| trial | OpenSim's tool [N m] | before | after | difference | reason |\n|---|---|---|---|---|---|")
    for folder in (each.resolve() for each in args.folder):
        for trial in folder_trials(folder, args.trial) if folder.is_dir() else [FolderTrial("", folder)]:
            outcomes, *rest = compare(trial, args.cutoff, args.before)
            counts += [forces is not None for forces, *_ in outcomes]
            cells = (f"{folder.parent.name}/{folder.name} {trial.name}", *(word for _, word, _ in outcomes), *rest)
            print(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |", flush=True)
    report(**dict(zip(("opensim", "before", "after"), counts.tolist(), strict=True)))


if __name__ == "__main__":
    main()
