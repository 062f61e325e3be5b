"""Muscle recruitment against OpenSim's Static Optimization, in processor time, and a model of 520 muscles.

The tutorial on joint loads (Gait2392 walking, 92 muscles, 6 residual actuators, 151 rows): from files to files in one
process, in turns, as its setup asks for it, by OpenSim's tool and by ours: ``ratio_squares`` with the sum of squared
activations, ``ratio_inertial`` the same with all muscles' mass along their paths beside the lumped answer,
``ratio_min_max`` with min/max. The model with 520 muscles, 115 free coordinates and 56 constraints, if it is there:
``seconds_520``, processor time for a row, less what the model and the first row take; ``seconds_520_min_max`` and
``seconds_520_lexicographic``.
"""

import argparse
import os
import statistics
import tempfile
import time
import warnings
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pandas as pd
from common import alternate, opensim_models, osim, ratio, report

import opensim_inertia as oi
from opensim_inertia._core.opensim import quiet

TUTORIAL = Path("Tutorials/Estimating_Joint_Reaction_Loads")
MODEL, MOTION = "subject01_simbody_adjusted_StaticOp.osim", "subject01_walk1_Kinematics.sto"
LOADS, ACTUATORS = "foot_floor_loads.xml", "gait2392_SO_weak_Residual_Actuators.xml"
CYCLIST = Path("cyclist/s01modelScaled.osim")


def setup_of(folder: Path, out: Path, end: float) -> Path:
    """The tutorial's setup with absolute names."""
    tree = ElementTree.parse(folder / "setup_static_optimization.xml")
    changes = {"model_file": folder / MODEL, "force_set_files": folder / ACTUATORS, "results_directory": out}
    changes |= {"external_loads_file": folder / LOADS, "coordinates_file": folder / MOTION}
    changes |= {"final_time": end, "end_time": end}
    for name, value in changes.items():
        for element in tree.iter(name):
            element.text = str(value)
    tree.write(out / "setup.xml")
    return out / "setup.xml"


def by_opensim(setup: Path) -> None:
    here = os.getcwd()
    os.chdir(setup.parent)
    try:
        with quiet():
            osim.AnalyzeTool(str(setup)).run()
    finally:
        os.chdir(here)


def by_us(folder: Path, out: Path, end: float, massive: bool, criterion: str) -> None:
    model = str(folder / MODEL)
    inertial = oi.InertialModel(
        model, oi.estimate_masses(model) if massive else {}, wrapping=oi.Wrapping(warn_wraps=False)
    )
    result = oi.recruit(
        inertial,
        oi.Recording(folder / MOTION, folder / LOADS, time_range=(0.5, end), accelerations="speeds"),
        criterion,
        oi.Actuation(folder / ACTUATORS),
        kind=("inertial", "lumped") if massive else "lumped",
        outputs=oi.options.RecruitmentOutputs(every=10),
    )
    for what, table in (("activation", result.controls), ("force", result.forces)):
        oi.write_table(table, out / f"{what}.sto", in_degrees=False)


def seconds_a_row(model: Path, rows: int, criterion: oi.options.Criterion | str = "polynomial") -> float:
    """Processor time for each further row of a made-up motion of all coordinates."""
    inertial = oi.InertialModel(str(model), {})
    time_ = np.linspace(0.0, 1.0, 101)
    swing = 0.05 * np.sin(2 * np.pi * time_)[:, None] * np.array(inertial.coordinates.rotational)
    motion = pd.DataFrame(inertial.reference + swing, index=time_, columns=inertial.coordinate_names)
    spent = []
    for end in (0.02, 0.02 + 0.01 * rows):
        start = time.process_time()
        recording = oi.Recording(motion, time_range=(0.0, end), assemble=True)
        result = oi.recruit(inertial, recording, criterion, actuation=oi.Actuation(reserves=1.0))
        spent.append((time.process_time() - start, len(result.times)))
    (first, few), (last, many) = spent
    return (last - first) / (many - few)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=2)
    parser.add_argument(
        "--end", type=float, default=1.999, help="last time of the tutorial's motion that is solved [s]"
    )
    parser.add_argument("--rows", type=int, default=20, help="of the model with 520 muscles")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    root = opensim_models()
    folder = root / TUTORIAL
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch)
        setup = setup_of(folder, out, args.end)
        tasks = {
            "opensim": lambda: by_opensim(setup),
            "squares": lambda: by_us(folder, out, args.end, False, "polynomial"),
            "inertial": lambda: by_us(folder, out, args.end, True, "polynomial"),
            "min_max": lambda: by_us(folder, out, args.end, False, "min_max"),
        }
        times = alternate(tasks, args.repetitions)
    for name, spent in times.items():
        print(f"{name}: {statistics.median(spent):.3f} s of processor time")
    found = {f"ratio_{name}": ratio(times, name, "opensim") for name in list(tasks)[1:]}
    cyclist = root.parent / CYCLIST
    if cyclist.is_file():
        found["seconds_520"] = seconds_a_row(cyclist, args.rows)
        found["seconds_520_min_max"] = seconds_a_row(cyclist, args.rows, "min_max")
        found["seconds_520_lexicographic"] = seconds_a_row(cyclist, args.rows, oi.MinMax("lexicographic"))
    report(**found)


if __name__ == "__main__":
    main()
