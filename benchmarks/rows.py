"""Inverse dynamics of long motions: processor time of a row, with band and as sums, against OpenSim's own tool.

A recorded motion goes forth and back, at 100 rows a second, low-passed at 6 Hz, without loads: Gait2392 (92 muscles)
and Gait10dof18musc (18) with 10 000 rows, a scaled Rajagopal2016 (80, 42 of them wrapping) with 4000. ``_band`` and
``_sums`` are [us] a row of ``oi.inverse_dynamics`` with muscles' parts and band, and of neither; ``_opensim`` is that
of OpenSim's tool, less loading the model, and ``_ratio`` that with band over it. ``long_`` is ``opensim-inertia id``
of 100 000 rows of Gait2392 as a process, all files written: processor time [s] and most memory [MB].
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command does before NumPy is imported

# isort: split
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from common import opensim_models, osim, processor_time, report

import opensim_inertia as oi
from opensim_inertia._core.opensim import quiet

RATE, CUTOFF, LONG = 100.0, 6.0, 100_000


def write_long(motion: Path, rows: int, path: Path) -> None:
    """A motion that goes forth and back."""
    table = oi.read_table(motion)
    own, times = table.index.to_numpy(), np.arange(rows) / RATE
    span = own[-1] - own[0]
    phase = own[0] + span - np.abs(times % (2 * span) - span)
    columns = {name: np.interp(phase, own, table[name]) for name in table}
    oi.write_table(pd.DataFrame(columns, index=times), path, in_degrees=bool(table.attrs["inDegrees"]))


def tool(model: Path, motion: Path, folder: Path) -> "osim.InverseDynamicsTool":
    """OpenSim's tool for all rows of a motion."""
    made, excluded = osim.InverseDynamicsTool(), osim.ArrayStr()
    made.setModelFileName(str(model))
    made.setCoordinatesFileName(str(motion))
    made.setLowpassCutoffFrequency(CUTOFF)
    made.setStartTime(0.0)
    made.setEndTime(1e6)
    excluded.append("Muscles")
    made.setExcludedForces(excluded)
    made.setResultsDir(str(folder))
    return made


def main() -> None:
    warnings.simplefilter("ignore")
    root, values = opensim_models(), dict[str, object]()
    gait, leg = (root / "Pipelines" / name for name in ("Gait2392_Simbody", "Gait10dof18musc"))
    running = root.parent / "rajagopal-running"
    cases = {
        "gait2392": (gait / "OutputReference/subject01_simbody.osim", gait / "subject01_walk1_ik.mot", 10_000),
        "gait10": (leg / "OutputReference/subject01.osim", leg / "OutputReference/IK/subject01_walk_IK.mot", 10_000),
        "rajagopal": (running / "subject_scaled_run.osim", running / "ik_output_run.mot", 4000),
    }
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for name, (model, motion, rows) in cases.items():
            if not model.is_file():
                continue
            path = folder / f"{name}.mot"
            write_long(motion, rows, path)
            inertial, theirs = oi.InertialModel(model), tool(model, path, folder)
            tasks = {
                "band": lambda model=inertial, path=path: oi.inverse_dynamics(model, path, cutoff=CUTOFF),
                "sums": lambda model=inertial, path=path: oi.inverse_dynamics(
                    model, path, cutoff=CUTOFF, band=False, per_muscle=False
                ),
                "loading": lambda model=model: osim.Model(str(model)).initSystem(),
                "opensim": theirs.run,
            }
            spent = {}
            for task, run in tasks.items():
                start = processor_time()
                with quiet():
                    run()
                spent[task] = 1e6 * (processor_time() - start) / rows
            spent["opensim"] -= spent.pop("loading")
            values |= {f"{name}_{task}": time for task, time in spent.items()}
            values[f"{name}_ratio"] = spent["band"] / spent["opensim"]
        model, motion, _ = cases["gait2392"]
        write_long(motion, LONG, folder / "long.mot")
        tool(model, folder / "long.mot", folder).printToXML(str(folder / "setup.xml"))
        command = [sys.executable, "-m", "opensim_inertia", "id", str(folder / "setup.xml"), "--quiet"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        values |= {"long_cpu": usage.ru_utime + usage.ru_stime, "long_memory_mb": usage.ru_maxrss / 1024}
    report(**values)


if __name__ == "__main__":
    main()
