"""Inverse dynamics with bellies that swing, against the same without.

Hamner's running (92 muscles, none wraps) and, where there is a copy, running of a scaled Rajagopal2016 (80 muscles, 42
of them over wrap objects), low-passed at 15 Hz. In processor time of one process, in turns, the model being built: as a
user calls it, with what single muscles add and the band, and as ``..._plain`` without the band.
"""

import statistics
import sys
import warnings
from functools import partial
from pathlib import Path

from common import alternate, opensim_models, ratio, report

import opensim_inertia as oi

# isort: split
sys.path.append(str(Path(__file__).resolve().parents[1] / "examples"))
from motions import recorded_motions


def main() -> None:
    """Time both, and print the ratios."""
    warnings.simplefilter("ignore")
    opensim_models()
    values = {}
    for motion in recorded_motions():
        if "running" not in motion.name:
            continue
        name = motion.name.split(",")[0].lower()
        inertial = oi.InertialModel(motion.model, oi.estimate_masses(motion.model))
        recording = motion.recording()
        for kind, band in (("", True), ("_plain", False)):

            def solve(wobble, band=band, inertial=inertial, recording=recording):
                oi.inverse_dynamics(inertial, recording, band=band, progress=False, wobble=wobble)

            tasks = {"without": partial(solve, False), "with": partial(solve, True)}
            times = alternate(tasks, 5)
            values[f"{name}{kind}"] = ratio(times, "with", "without")
            without = statistics.median(times["without"])
            print(f"{motion.name}{', no band' if kind else ''}: {without:.2f} s without", flush=True)
    report(**values)


if __name__ == "__main__":
    main()
