"""Whole inverse dynamics with all muscles inertial, against OpenSim's own lumped tool.

Hamner's running (92 muscles, none wraps), a made-up running motion of Rajagopal2016 (80 muscles, 42 of them over wrap
objects, led analytically), and the walking of Gait2392 (92 muscles) and of Gait10dof18musc (18).

In processor time, all threads', in turns; BLAS has one thread, as the command's has. As processes: the command
``opensim-inertia id`` as users call it, with imports, masses that it estimates, tests of model, motion and loads, parts
of single muscles, band and summary, but without picture, over ``python -c "opensim.InverseDynamicsTool(...).run()"``:
with an empty cache (``cold``), with the wraps in the cache (``warm``), without band (``no_band``), and what a picture
takes besides [s]. Within one process that has imported everything, over OpenSim's tool in that process: ``whole``, with
masses at hand, load the model, read motion and loads, solve, write one file; ``solve``, with the inertial model at
hand, against OpenSim's tool less the time in which it loads the model. Both as a user of Python calls it, with what
single muscles add and the band, and as ``..._sums`` without. ``ratio_per_muscle`` and ``ratio_band`` are over the time
of the bare sums: with what single muscles add, and with the band and the summary as well. Muscle masses at 0.6 MPa,
default options. Hamner's in two settings: low-passed at 15 Hz from 0.5 to 9.9 s (565 frames; any 9.4 s of this motion
have as many), and the whole motion unfiltered (599 frames). OpenSim spends most of the filtered case on its splines of
the padded motion.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command does before NumPy is imported

# isort: split
import argparse
import statistics
import subprocess
import sys
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from common import alternate, opensim_models, ratio, report

import opensim_inertia as oi
from opensim_inertia._core.opensim import quiet

# isort: split
import opensim as osim

from opensim_inertia.analyses.inverse_dynamics import InverseDynamicsResult

RAJAGOPAL = Path("Models/Rajagopal/Rajagopal2016.osim")
#: A scaled model with its running and ground reactions, in a folder beside the models.
RUNNING = Path("rajagopal-running")
STRIDE = 0.7  # [s]


@dataclass
class Case:
    """A model and its motion."""

    model: Path
    motion: Path
    loads: Path | None
    cutoff: float | None
    span: tuple[float, float]


def make_running(model_file: Path, motion: Path, seconds: float = 4.0, rate: float = 100.0) -> None:
    """Write a motion like running for Rajagopal2016: legs half a stride apart, all other coordinates at rest."""
    model = osim.Model(str(model_file))
    names = [c.getName() for c in model.getCoordinateSet()]
    times = np.arange(0, seconds, 1 / rate)
    values = {name: np.zeros_like(times) for name in names}
    for side, phase in (("r", 0.0), ("l", np.pi)):
        turn = 2 * np.pi * times / STRIDE + phase
        values[f"hip_flexion_{side}"] = 15 + 30 * np.sin(turn)
        values[f"hip_adduction_{side}"] = -3 + 4 * np.sin(2 * turn + 0.4)
        values[f"knee_angle_{side}"] = 50 + 35 * np.sin(turn - 0.9) + 10 * np.sin(2 * turn)
        values[f"knee_angle_{side}_beta"] = values[f"knee_angle_{side}"]
        values[f"ankle_angle_{side}"] = 5 + 18 * np.sin(turn + 0.7)
    table = pd.DataFrame(values, index=pd.Index(times, name="time"))
    oi.write_table(table, motion, in_degrees=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=7)
    names = ["filtered", "unfiltered", "wrapping", "gait2392", "gait10", "rajagopal"]
    parser.add_argument("--cases", nargs="+", choices=names, default=names)
    arguments = parser.parse_args()
    repetitions, wanted = arguments.repetitions, arguments.cases
    warnings.simplefilter("ignore")
    root = opensim_models()
    hamner, gait, leg = (root / "Pipelines" / name for name in ("Hamner", "Gait2392_Simbody", "Gait10dof18musc"))
    running = hamner / "outputReference" / "ResultsIK" / "subject02_running_ik.mot"
    values: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as scratch:
        made_up = Path(scratch) / "running.sto"
        make_running(root / RAJAGOPAL, made_up)
        subject = hamner / "outputReference" / "subject02_scaled.osim"
        cases = {
            "filtered": Case(subject, running, hamner / "External_Loads.xml", 15.0, (0.5, 9.9)),
            "unfiltered": Case(subject, running, hamner / "External_Loads.xml", None, (0.0, 9.97)),
            "wrapping": Case(root / RAJAGOPAL, made_up, None, 15.0, (0.2, 3.8)),
            "gait2392": Case(
                gait / "OutputReference/subject01_simbody.osim",
                gait / "subject01_walk1_ik.mot",
                gait / "subject01_walk1_grf.xml",
                6.0,
                (0.4, 1.6),
            ),
            "gait10": Case(
                leg / "OutputReference/subject01.osim",
                leg / "OutputReference/IK/subject01_walk_IK.mot",
                leg / "ExperimentalData/subject01_walk_grf.xml",
                None,
                (0.0, 2.5),
            ),
        }
        scaled = root.parent / RUNNING
        if scaled.is_dir():
            files = (scaled / file for file in ("subject_scaled_run.osim", "ik_output_run.mot", "grf_run.xml"))
            cases["rajagopal"] = Case(*files, 15.0, (0.832, 1.546))
        os.environ["OPENSIM_INERTIA_CACHE"] = str(Path(scratch) / "cache")
        for name, case in cases.items():
            if name in wanted:
                values |= measure(name, case, Path(scratch), repetitions)
    report(**values)


def measure(name: str, case: Case, folder: Path, repetitions: int) -> dict[str, object]:
    """Ratios of one case."""
    masses = oi.estimate_masses(osim.Model(str(case.model)))
    inertial = oi.InertialModel(case.model, masses)

    tool = osim.InverseDynamicsTool()
    tool.setModelFileName(str(case.model))
    tool.setCoordinatesFileName(str(case.motion))
    if case.loads:
        tool.setExternalLoadsFileName(str(case.loads))
    tool.setLowpassCutoffFrequency(-1 if case.cutoff is None else case.cutoff)
    tool.setStartTime(case.span[0])
    tool.setEndTime(case.span[1])
    excluded = osim.ArrayStr()
    excluded.append("Muscles")
    tool.setExcludedForces(excluded)
    tool.setResultsDir(str(folder))
    tool.setOutputGenForceFileName("stock.sto")
    tool.printToXML(str(folder / "stock.xml"))

    def stock() -> None:
        with quiet():
            osim.InverseDynamicsTool(str(folder / "stock.xml")).run()

    def process(*words: str) -> None:
        """Run Python as a process of its own, which finds this package and its compiled modules."""
        named = {"PYTHONPATH": str(Path(oi.__file__).parents[1]), "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
        environment = os.environ | named | {"PYTHONDONTWRITEBYTECODE": ""}
        subprocess.run([sys.executable, *words], check=True, capture_output=True, cwd=folder, env=environment)

    def solve(ours: oi.InertialModel = inertial, **options: bool) -> InverseDynamicsResult:
        recording = oi.Recording(case.motion, case.loads, case.cutoff, case.span)
        # unfiltered, the motion makes moments that no body makes
        return oi.inverse_dynamics(ours, recording, implausible="warn", **options)

    def load() -> None:
        osim.Model(str(case.model)).initSystem()

    def whole(**options: bool) -> None:
        solve(oi.InertialModel(case.model, masses), **options).save(folder)

    def files(*options: str) -> None:
        words = ["-m", "opensim_inertia", "id", "--model", case.model, "--motion", case.motion, *options]
        words += ["--out", folder / "files", "--time-range", *case.span, "--implausible", "warn"]
        words += [] if case.loads is None else ["--external-loads", case.loads]
        words += [] if case.cutoff is None else ["--cutoff", case.cutoff]
        process(*map(str, words))

    frames, setup = len(solve().times), str(folder / "stock.xml")
    tasks = {
        "OpenSim's process": lambda: process("-c", f"import opensim; opensim.InverseDynamicsTool({setup!r}).run()"),
        "cold": lambda: files("--no-picture", "--no-cache"),
        "warm": lambda: files("--no-picture"),
        "no_band": lambda: files("--no-picture", "--no-band"),
        "picture": files,
        "OpenSim": stock,
        "load": load,
        "solve": solve,
        "solve_sums": lambda: solve(per_muscle=False),
        "whole": whole,
        "whole_sums": lambda: whole(per_muscle=False),
        "per_muscle": lambda: solve(band=False),
        "band": lambda: solve().summary(),
    }
    times = alternate(tasks, repetitions)
    for task, taken in times.items():
        print(f"{name}, {frames} frames, {task}: median {statistics.median(taken):.3f} s of processor time")
    assert len(oi.read_table(folder / "stock.sto")) == frames, "the tool solves as many frames"
    values: dict[str, object] = {
        f"{name}_muscles": len(inertial.muscle_names),
        f"{name}_frames": frames,
        f"{name}_opensim_s": statistics.median(times["OpenSim's process"]),
        f"{name}_ratio_cold": ratio(times, "cold", "OpenSim's process"),
        f"{name}_ratio_warm": ratio(times, "warm", "OpenSim's process"),
        f"{name}_ratio_no_band": ratio(times, "no_band", "OpenSim's process"),
        f"{name}_picture_s": statistics.median(a - b for a, b in zip(times["picture"], times["warm"], strict=True)),
        f"{name}_ratio_whole": ratio(times, "whole", "OpenSim"),
        f"{name}_ratio_whole_sums": ratio(times, "whole_sums", "OpenSim"),
    }
    times["OpenSim, model loaded"] = [a - b for a, b in zip(times["OpenSim"], times["load"], strict=True)]
    for task in ("solve", "solve_sums"):
        values[f"{name}_ratio_{task}"] = ratio(times, task, "OpenSim, model loaded")
    for task in ("per_muscle", "band"):
        values[f"{name}_ratio_{task}"] = ratio(times, task, "solve_sums")
    return values


if __name__ == "__main__":
    main()
