"""Polynomial paths against OpenSim's own ones, differenced: Rajagopal2016, 42 of its 80 muscles over wraps.

In one process, in turns, ratios of processor time: ``ratio_inverse`` of inverse dynamics of a made-up running motion
from call to result, ``ratio_terms`` of all terms at a state. They hold over the model's own ranges; ``fit_seconds`` is
the processor time that they take, once. ``off_mm_...``: the median and the largest over the muscles of the largest
distance of mass points from OpenSim's path over the sampled poses; ``off_1mm`` of the muscles are further off than 1 mm
or see OpenSim's path jump. ``torques_...``: of that motion, the largest difference over the largest torque that the
muscles' mass adds, coordinate by coordinate, the median and the largest; ``torques_analytic_...`` of smooth paths.
"""

import argparse
import statistics
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
from common import alternate, opensim_models, random_states, ratio, report
from inverse_dynamics import RAJAGOPAL, make_running

import opensim_inertia as oi
from opensim_inertia.analyses.inverse_dynamics import InverseDynamicsResult

POSES = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.0, help="of the motion, 100 rows each")
    parser.add_argument("--polynomial-paths", type=Path, help="their file; read if it is there, else written")
    arguments = parser.parse_args()
    for ignored in (oi.warnings.ShortBellyWarning, oi.warnings.PolynomialPathWarning):
        warnings.simplefilter("ignore", ignored)
    file = opensim_models() / RAJAGOPAL
    masses = oi.estimate_masses(file)
    start = time.process_time()
    fitted = oi.InertialModel(
        file, masses, wrapping=oi.Wrapping("polynomial", polynomial_paths=arguments.polynomial_paths)
    )
    seconds = time.process_time() - start
    models = {"polynomial": fitted, "opensim": oi.InertialModel(file, masses, wrapping="opensim")}
    with tempfile.TemporaryDirectory() as folder:
        motion = Path(folder) / "running.sto"
        make_running(file, motion, arguments.seconds + 0.4)
        span = (0.2, 0.2 + arguments.seconds)

        def solve(name: str) -> InverseDynamicsResult:
            return oi.inverse_dynamics(
                models[name],
                oi.Recording(motion, cutoff=15.0, time_range=span, assemble=True),
                per_muscle=False,
                band=False,
                implausible="warn",
            )

        tasks = {name: lambda name=name: solve(name) for name in models}
        whole = alternate(tasks, arguments.repetitions)
        models["analytic"] = oi.InertialModel(file, masses, wrapping=oi.Wrapping(warn_wraps=False))
        added = {}
        for name in models:
            result = solve(name)
            added[name] = result.inertial_forces - result.lumped_forces
        frames = len(result.times)
    moved = np.abs(added["opensim"]).max(axis=0)
    moves = moved > 1e-3 * moved.max()
    differs = {
        name: (np.abs(forces - added["opensim"]).max(axis=0) / np.maximum(moved, 1e-12))[moves]
        for name, forces in added.items()
    }
    states = {name: random_states(inertial.reference_state(), POSES) for name, inertial in models.items()}
    each = alternate(
        {name: lambda name=name: [models[name].evaluate(state) for state in states[name]] for name in tasks},
        3 * arguments.repetitions,
    )
    for name, taken in whole.items():
        print(f"{name}, {frames} frames: median {1e3 * statistics.median(taken) / frames:.2f} ms a frame")
    for name, taken in each.items():
        print(f"{name}, all terms of a state: median {1e3 * statistics.median(taken) / POSES:.2f} ms")
    off = [1e3 * path.largest for path in fitted.wraps.polynomial_paths.values()]
    report(
        ratio_inverse=ratio(whole, "opensim", "polynomial"),
        ratio_terms=ratio(each, "opensim", "polynomial"),
        fit_seconds=seconds,
        off_mm_median=statistics.median(off),
        off_mm_largest=max(off),
        off_1mm=sum(not path.is_close for path in fitted.wraps.polynomial_paths.values()),
        torques_median=float(np.median(differs["polynomial"])),
        torques_largest=float(differs["polynomial"].max()),
        torques_analytic_median=float(np.median(differs["analytic"])),
        torques_analytic_largest=float(differs["analytic"].max()),
    )


if __name__ == "__main__":
    main()
