"""Whether every model below a folder can be used, each in a process of its own (needs a system that can fork).

Of each ``.osim`` file masses are estimated and given to the muscles; the terms are evaluated at the default pose and at
random ones; a short simulation runs, and inverse dynamics of a slow swing of all coordinates within their ranges. A
model is ``ok`` if all of this works and all numbers are finite, ``refused`` if some of it ends by an error that is the
package's own, and a ``failure`` if it ends otherwise: by another exception, a number that is not finite, a signal, or
not within the time limit.

    python benchmarks/sweep.py FOLDER [--limit 300] [--jobs 2]
    python benchmarks/sweep.py FOLDER --commands [--limit 300] [--jobs 2]

With ``--commands`` every setup of OpenSim's Inverse Dynamics Tool and Static Optimization below the folder, and every
motion of inverse kinematics on the nearest model, with and without loads, are solved as a user types it. Of each
command the largest moment that is printed is shown, in N m per kg of body mass; one beyond 20 is a ``failure``.
"""

import argparse
import os

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"  # processes with threads do not fork safely

import multiprocessing
import re
import subprocess
import sys
import tempfile
import warnings
from functools import partial
from multiprocessing.pool import ThreadPool
from pathlib import Path

import numpy as np
import pandas as pd
from common import osim, report
from fuzz.isolated import isolated
from tqdm import tqdm

import opensim_inertia as oi
from opensim_inertia.opensim_model.reading.coordinates import random_poses
from opensim_inertia.opensim_model.reading.loading import load_model

POSES, ROWS, SECONDS = 3, 50, 0.01
#: Of the ranges' half widths.
SWING = 0.1
REFUSED = 2
#: N m per kg of body mass: more than any joint bears.
MOST_MOMENT = 20.0
#: What setups name, and the options that replace it.
NAMED = {"model_file": "--model", "coordinates_file": "--motion", "external_loads_file": "--external-loads"}
#: How motions of inverse kinematics are called in public repositories.
MOTIONS = ("*_ik.mot", "*_IK.mot", "ik_*.mot", "coordinates.sto", "*_Kinematics.sto")


def finite(what: str, *arrays: np.ndarray) -> None:
    for array in arrays:
        if not np.isfinite(array).all():
            raise ArithmeticError(f"{what}: not finite")


def swing(inertial: oi.InertialModel) -> pd.DataFrame:
    """Each coordinate swings once about its default value, within its range."""
    coordinates = inertial.coordinates
    times = np.linspace(0.0, 1.0, ROWS)
    room = np.minimum(coordinates.ranges[:, 1] - coordinates.defaults, coordinates.defaults - coordinates.ranges[:, 0])
    values = coordinates.defaults + SWING * np.clip(room, 0.0, 1.0) * np.sin(2 * np.pi * times)[:, None]
    return pd.DataFrame(values, index=times, columns=list(coordinates.names))


def evaluate(inertial: oi.InertialModel) -> None:
    coordinates = inertial.coordinates
    poses = random_poses(inertial.model, coordinates, POSES, seed=1, margin=0.1)
    for q in [coordinates.defaults, *poses]:
        state = inertial.initial_state()
        coordinates.set_values(state, q)
        terms = inertial.evaluate(state, subtract_frozen=False)
        finite("terms", terms.mass_matrix, terms.bias, terms.gravity)
        lowest = float(np.linalg.eigvalsh(terms.mass_matrix).min(initial=0.0))
        if not np.allclose(terms.mass_matrix, terms.mass_matrix.T) or lowest < -1e-9:
            raise ArithmeticError("the muscles' mass matrix is not symmetric and positive semidefinite")


def simulate(inertial: oi.InertialModel) -> None:
    finite("simulation", oi.simulate(oi.Problem(inertial, t_final=SECONDS), progress=False).y)


def inverse_dynamics(inertial: oi.InertialModel) -> None:
    result = oi.inverse_dynamics(inertial, swing(inertial), band=False)
    finite("inverse dynamics", result.inertial_forces, result.lumped_forces)


def use(file: Path) -> int:
    """Do all of it; print what is refused, by one line each, and return an exit code."""
    warnings.simplefilter("ignore")
    code = 0
    try:
        model = load_model(file)
        inertial = oi.InertialModel(model, oi.estimate_masses(model), unsupported="massless")
    except oi.InertiaError as error:
        print(f"refused: {error}")
        return REFUSED
    for step in (evaluate, simulate, inverse_dynamics):
        try:
            step(inertial)
        except oi.InertiaError as error:
            print(f"refused: {step.__name__}: {error}", flush=True)
            code = REFUSED
    return code


def judge(file: Path, limit: float) -> tuple[Path, str, str]:
    """A file, what became of it, and why."""
    done = isolated(lambda: use(file), limit)
    if done.failure:
        return file, "failure", f"{done.failure}: {(done.err.strip().splitlines() or [''])[-1]}"
    why = "; ".join(line.removeprefix("refused: ") for line in done.out.splitlines() if line.startswith("refused: "))
    return file, "refused" if done.code == REFUSED else "ok", why


def commands(folder: Path) -> dict[str, list[str]]:
    """Commands as a user types them, by what they are called.

    Published setups name files that lie elsewhere in the repository: those are given as options, as a user would.
    """
    typed = {}
    for setup in sorted(folder.rglob("*.xml")):
        text = setup.read_text(errors="replace")
        kind = "id" if "<InverseDynamicsTool" in text else "recruit" if "<StaticOptimization" in text else ""
        if kind:
            options = [word for tag, option in NAMED.items() for word in elsewhere(setup, text, tag, option)]
            typed[f"{kind} {setup.relative_to(folder)}"] = [kind, str(setup), *options]
    for motion in sorted(path for pattern in MOTIONS for path in folder.rglob(pattern)):
        model = nearest(motion, "*.osim")
        if model is None:
            continue
        beside = (file for above in list(motion.parents)[:3] for file in sorted(above.glob("*.xml")))
        loads = [file for file in beside if "<ExternalLoads" in file.read_text(errors="replace")]
        plain = ["id", "--model", str(model), "--motion", str(motion)]
        name = f"id {motion.relative_to(folder)}"
        typed[name] = plain
        if loads:
            typed[f"{name}, loads, 6 Hz"] = [*plain, "--external-loads", str(loads[0]), "--cutoff", "6"]
    return typed


def nearest(file: Path, pattern: str) -> Path | None:
    """The first file of a pattern beside a file, or below one of the folders above it, the nearest first."""
    for folder in list(file.parents)[:3]:
        matches = sorted(folder.rglob(pattern))
        if matches:
            return matches[0]
    return None


def elsewhere(setup: Path, text: str, tag: str, option: str) -> list[str]:
    """An option that names the file which a setup wants, where that lies elsewhere in the repository."""
    named = re.search(rf"<{tag}>\s*(.*?)\s*</{tag}>", text)
    if named is None or not named[1] or (setup.parent / named[1]).is_file():
        return []
    stem = Path(named[1]).stem
    match = nearest(setup, Path(named[1]).name) or nearest(setup, f"{stem}*{Path(named[1]).suffix}")
    return [] if match is None else [option, str(match)]


def body_mass(command: list[str]) -> float:
    """Mass of the model that a command solves [kg]."""
    if "--model" in command:
        model = Path(command[command.index("--model") + 1])
    else:
        setup = Path(command[1])
        model = setup.parent / re.search(r"<model_file>\s*(.*?)\s*</model_file>", setup.read_text())[1]
    initialised = osim.Model(str(model))
    return float(initialised.getTotalMass(initialised.initSystem()))


def type_command(entry: tuple[str, list[str]], limit: float) -> tuple[str, str, str]:
    """What a command is called, what became of it, and its largest moment or its error."""
    name, command = entry
    with tempfile.TemporaryDirectory() as folder:
        program = [sys.executable, "-m", "opensim_inertia", *command, "--out", folder]
        try:
            done = subprocess.run(program, capture_output=True, text=True, timeout=limit)
        except subprocess.TimeoutExpired:
            return name, "failure", f"not done within {limit:g} s"
        last = (done.stderr.strip().splitlines() or [""])[-1]
        if done.returncode == REFUSED and "error: " in last:
            return name, "refused", last.partition("error: ")[2]
        tables = list(Path(folder).glob("*inverse_dynamics*summary.csv"))
        if done.returncode or "Traceback" in done.stderr:
            return name, "failure", last
        if not tables:
            return name, "ok", done.stdout.strip().splitlines()[0]
        summary = pd.read_csv(tables[0])
        moments = summary[summary["unit"] == "N m"]
        sizes = moments[["lumped peak", "inertial peak"]].abs().max(axis=1)
        worst = sizes.idxmax()
        each = float(sizes[worst]) / body_mass(command)
        shown = f"{moments.loc[worst, 'coordinate']} {moments.loc[worst, 'lumped peak']:+.4g} N m, {each:.3g} N m/kg"
        return name, "ok" if each <= MOST_MOMENT else "failure", shown


def sweep_commands(folder: Path, limit: float, jobs: int) -> int:
    """Type every command, and print a table."""
    entries = list(commands(folder).items())
    tally = dict.fromkeys(("ok", "refused", "failure"), 0)
    with ThreadPool(jobs) as pool:
        for name, what, why in pool.imap(partial(type_command, limit=limit), entries):
            tally[what] += 1
            print(f"{what:8s} {name}: {why}", flush=True)
    report(commands=len(entries), **tally)
    return 1 if tally["failure"] else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=float, default=300.0, help="seconds per model (default: %(default)s)")
    parser.add_argument("--commands", action="store_true", help="type commands on the setups and data sets")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="(default: %(default)s)")
    args = parser.parse_args()
    if args.commands:
        return sweep_commands(args.folder, args.limit, args.jobs)
    files = sorted(args.folder.rglob("*.osim"))
    if not files:
        parser.error(f"there is no .osim file below {args.folder}")
    osim.Logger.setLevelString("off")
    tally = dict.fromkeys(("ok", "refused", "failure"), 0)
    with multiprocessing.get_context("fork").Pool(args.jobs) as pool:
        work = pool.imap_unordered(partial(judge, limit=args.limit), files)
        for file, what, why in tqdm(work, total=len(files), unit="model", disable=not sys.stderr.isatty()):
            tally[what] += 1
            tqdm.write(f"{what:8s} {file.relative_to(args.folder)}" + (f": {why}" if why else ""))
    report(models=len(files), **tally)
    return 1 if tally["failure"] else 0


if __name__ == "__main__":
    sys.exit(main())
