"""Whole inverse dynamics of Hamner's running with all 92 muscles inertial, against OpenSim's own lumped tool.

In one process, in turns. ``whole``: from files to a file, against OpenSim's tool from files to a file: load the model,
read motion and loads, solve, write. ``solve``: with the inertial model at hand, against OpenSim's tool less the time in
which it loads the model. Muscle masses at 0.6 MPa, continuous, rigid tendons. Two settings:
low-passed at 15 Hz from 0.5 to 9.9 s (565 frames; any 9.4 s of this motion have as many), and the whole motion
unfiltered (599 frames). OpenSim spends most of the filtered case on its splines of the padded motion.
"""

import argparse
import statistics
import tempfile
import warnings
from pathlib import Path

from common import alternate, opensim_models, ratio, report, silent

import opensim_inertia as oi

# isort: split
import opensim as osim

SETTINGS = {"filtered": (15.0, (0.5, 9.9)), "unfiltered": (None, (0.0, 9.97))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=7)
    repetitions = parser.parse_args().repetitions
    warnings.simplefilter("ignore", oi.ShortBellyWarning)
    data = opensim_models() / "Pipelines" / "Hamner"
    model_file = data / "outputReference" / "subject02_scaled.osim"
    motion = data / "outputReference" / "ResultsIK" / "subject02_running_ik.mot"
    loads = data / "External_Loads.xml"
    masses = oi.estimate_masses(osim.Model(str(model_file)))
    inertial = oi.InertialModel(model_file, masses)
    values: dict[str, object] = {"muscles": len(inertial.muscle_names)}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for name, (cutoff, time_range) in SETTINGS.items():

            def stock(cutoff: float | None = cutoff, span: tuple[float, float] = time_range) -> None:
                with silent():
                    tool = osim.InverseDynamicsTool()
                    tool.setModelFileName(str(model_file))
                    tool.setCoordinatesFileName(str(motion))
                    tool.setExternalLoadsFileName(str(loads))
                    tool.setLowpassCutoffFrequency(-1 if cutoff is None else cutoff)
                    tool.setStartTime(span[0])
                    tool.setEndTime(span[1])
                    excluded = osim.ArrayStr()
                    excluded.append("Muscles")
                    tool.setExcludedForces(excluded)
                    tool.setResultsDir(str(folder))
                    tool.setOutputGenForceFileName("stock.sto")
                    tool.run()

            def solve(
                ours: oi.InertialModel = inertial,
                cutoff: float | None = cutoff,
                span: tuple[float, float] = time_range,
            ) -> oi.InverseDynamicsResult:
                return oi.inverse_dynamics(ours, motion, loads, cutoff, span)

            def load() -> None:
                osim.Model(str(model_file)).initSystem()

            def whole(solve=solve) -> None:
                solve(oi.InertialModel(model_file, masses)).to_sto(folder / "inertial.sto")

            frames = len(solve().times)
            times = alternate({"OpenSim": stock, "load": load, "solve": solve, "whole": whole}, repetitions)
            for task, taken in times.items():
                print(f"{name}, {frames} frames, {task}: median {statistics.median(taken):.3f} s")
            table = oi.read_table(folder / "stock.sto")
            assert len(table) == frames, "the tool solves as many frames"
            values[f"{name}_frames"] = frames
            values[f"{name}_opensim_s"] = statistics.median(times["OpenSim"])
            values[f"{name}_ratio_whole"] = ratio(times, "whole", "OpenSim")
            times["OpenSim, model loaded"] = [a - b for a, b in zip(times["OpenSim"], times["load"], strict=True)]
            values[f"{name}_ratio_solve"] = ratio(times, "solve", "OpenSim, model loaded")
    report(**values)


if __name__ == "__main__":
    main()
