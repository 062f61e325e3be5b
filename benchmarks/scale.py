"""Long recordings and large studies: processor time, time and memory from files to files.

A measured walk of the Gait10dof18musc model, two strides long, is repeated to as many frames as asked for, at 64 frames
a second, with ten rows of ground reactions for each of them; files of 100 000 frames and a million rows of loads are
made in a temporary folder, or kept in FOLDER. Each of the following is a process of its own:

* ``id``: ``opensim-inertia id`` with default options, without loads, the picture included;
* ``loads``: the same with the loads; ``loads_extra_cpu`` is what they cost;
* ``recruit``: muscle recruitment without loads, lumped and with muscle mass, by as many processes as there are
  processors; their processor time is among the command's, their memory is not;
* ``report``: the same as ``id`` with ``--report``; ``report_extra_cpu`` is what the page costs, ``report_mb`` its size;
* ``study``: ``opensim-inertia study`` of a study of small trials that has been finished before.

``_cpu`` is processor time of the process [s], ``_wall`` time by the clock [s], ``_memory_mb`` the most memory it had.

    python benchmarks/scale.py [FOLDER] [--frames 100000] [--trials 200]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from common import report

import opensim_inertia as oi
from opensim_inertia.demo import write_cohort

WALK = Path(__file__).resolve().parents[1] / "tests" / "data" / "Pipelines" / "Gait10dof18musc"
MOTION = "OutputReference/IK/subject01_walk_IK.mot"
LOADS, LOADS_TABLE = "ExperimentalData/subject01_walk_grf.xml", "ExperimentalData/subject01_walk_grf.mot"
#: Frames a second, whose steps are exact in binary: otherwise OpenSim's filter keeps 100 000 padded rows at most.
RATE, LOADS_PER_FRAME = 64, 10
#: A stride, and how long one fades into the next [s].
STRIDE, FADE = 37 / 30, 0.3


def repeated(table: pd.DataFrame, times: np.ndarray) -> pd.DataFrame:
    """A table of one stride and a little more, over and over, at other times [s]."""
    own, phase = table.index.to_numpy(), times % STRIDE
    share = np.clip(phase / FADE, 0.0, 1.0)
    share = share * share * (3 - 2 * share)
    columns = {
        name: share * np.interp(phase, own, table[name]) + (1 - share) * np.interp(phase + STRIDE, own, table[name])
        for name in table
    }
    return pd.DataFrame(columns, index=pd.Index(times, name="time"))


def write_walk(folder: Path, frames: int) -> None:
    """Write model, motion, loads, and a setup with and one without loads."""
    motion, loads = (oi.read_table(WALK / file) for file in (MOTION, LOADS_TABLE))
    oi.write_table(repeated(motion, np.arange(frames) / RATE), folder / "walk.mot", in_degrees=True)
    rows = np.arange(frames * LOADS_PER_FRAME) / (RATE * LOADS_PER_FRAME)
    oi.write_table(repeated(loads, rows), folder / "grf.mot", in_degrees=True)
    text = (WALK / LOADS).read_text().replace(Path(LOADS_TABLE).name, "grf.mot")
    (folder / "grf.xml").write_text(text)
    (folder / "model.osim").write_bytes((WALK / "OutputReference/subject01.osim").read_bytes())
    setup = (WALK / "ID/walk_Setup_ID.xml").read_text()
    setup = setup.replace("../subject01.osim", "model.osim").replace(f"../{MOTION[16:]}", "walk.mot")
    setup = setup.replace("0 2.5", f"0 {(frames - 1) / RATE}")
    for name, file in (("setup_loads.xml", "grf.xml"), ("setup.xml", "")):
        (folder / name).write_text(setup.replace(f"../{LOADS}", file))


def measured(name: str, *arguments: str | Path) -> dict[str, float]:
    """Run the command in a process of its own; processor time, time [s] and most memory [MB]."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "opensim_inertia", *map(str, arguments), "--quiet"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{name}: exit code {process.returncode}")
    memory = usage.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
    times = {"cpu": usage.ru_utime + usage.ru_stime, "wall": time.perf_counter() - start, "memory_mb": memory}
    return {f"{name}_{what}": value for what, value in times.items()}


def finished_study(folder: Path, count: int) -> Path:
    """Run a study of small trials, and return its file."""
    cohort = write_cohort(folder / "cohort", trials=-(-count // 6))
    setups = sorted(cohort.glob("S*/setup_*.xml"))[:count]
    lines = ['name = "many"', f"out = {json.dumps(str(folder / 'results'))}", "[output]", 'reports = "none"']
    for number, setup in enumerate(setups):
        trial: dict[str, Any] = {"setup": str(setup), "id": str(number), "subject": setup.parent.name}
        trial["masses"] = str(setup.with_name("masses.csv"))
        lines += ["[[trial]]", *(f"{key} = {json.dumps(value)}" for key, value in trial.items())]
    file = folder / "study.toml"
    file.write_text("\n".join(lines) + "\n")
    oi.study(file)
    return file


def main(folder: Path, frames: int, trials: int) -> None:
    """Make the files, run everything, and print it."""
    folder.mkdir(parents=True, exist_ok=True)
    write_walk(folder, frames)
    found = measured("id", "id", folder / "setup.xml", "--out", folder / "id")
    print(found, flush=True)
    found |= measured("loads", "id", folder / "setup_loads.xml", "--out", folder / "loads")
    print(found, flush=True)
    setup = folder / "setup.xml"
    found |= measured("recruit", "recruit", setup, "--reserves", "1000", "--no-picture", "--out", folder / "recruit")
    print(found, flush=True)
    found |= measured("report", "id", folder / "setup.xml", "--out", folder / "report", "--report")
    print(found, flush=True)
    page = folder / "report" / "inverse_dynamics_report.html"
    file = finished_study(folder, trials)
    found |= measured("study", "study", file)
    report(
        frames=frames,
        load_rows=frames * LOADS_PER_FRAME,
        trials=trials,
        **found,
        loads_extra_cpu=found["loads_cpu"] - found["id_cpu"],
        report_extra_cpu=found["report_cpu"] - found["id_cpu"],
        report_mb=page.stat().st_size / 1e6,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--frames", type=int, default=100_000)
    parser.add_argument("--trials", type=int, default=200)
    options = parser.parse_args()
    if options.folder is not None:
        main(options.folder.absolute(), options.frames, options.trials)
    else:
        with tempfile.TemporaryDirectory() as scratch:
            main(Path(scratch), options.frames, options.trials)
