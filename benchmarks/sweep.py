"""Whether every model below a folder can be used, each in a process of its own (needs a system that can fork).

Of each ``.osim`` file masses are estimated and given to the muscles; the terms are evaluated at the default pose and at
random ones; a short simulation runs, and inverse dynamics of a slow swing of all coordinates within their ranges. A
model is ``ok`` if all of this works and all numbers are finite, ``refused`` if some of it ends by an error that is the
package's own, and a ``failure`` if it ends otherwise: by another exception, a number that is not finite, a signal, or
not within the time limit.

    python benchmarks/sweep.py FOLDER [--limit 300] [--jobs 2]
"""

import argparse
import os

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"  # processes with threads do not fork safely

import multiprocessing
import sys
import warnings
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import numpy as np
import pandas as pd
from common import osim, report
from fuzz.isolated import isolated
from tqdm import tqdm

import opensim_inertia as oi
from opensim_inertia.reading import random_poses

POSES, ROWS, SECONDS = 3, 50, 0.01
#: Of the ranges' half widths.
SWING = 0.1
REFUSED = 2


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
        terms = inertial.evaluate(state)
        finite("terms", terms.mass_matrix, terms.bias, terms.gravity)
        lowest = float(np.linalg.eigvalsh(terms.mass_matrix).min(initial=0.0))
        if not np.allclose(terms.mass_matrix, terms.mass_matrix.T) or lowest < -1e-9:
            raise ArithmeticError("the muscles' mass matrix is not symmetric and positive semidefinite")


def simulate(inertial: oi.InertialModel) -> None:
    finite("simulation", oi.simulate(inertial, t_final=SECONDS, progress=False).y)


def inverse_dynamics(inertial: oi.InertialModel) -> None:
    result = oi.inverse_dynamics(inertial, swing(inertial), band=False)
    finite("inverse dynamics", result.inertial_forces, result.lumped_forces)


def use(file: Path) -> int:
    """Do all of it; print what is refused, by one line each, and return an exit code."""
    warnings.simplefilter("ignore")
    code = 0
    try:
        model = osim.Model(str(file))
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=float, default=300.0, help="seconds per model (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="(default: %(default)s)")
    args = parser.parse_args()
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
