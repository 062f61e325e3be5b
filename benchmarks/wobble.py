"""Inverse dynamics and right-hand sides of simulations with wobbling bellies, against the same without.

Hamner's running (92 muscles, none wraps) and, where there is a copy, running of a scaled Rajagopal2016 (80 muscles, 42
of them over wrap objects), low-passed at 15 Hz. In processor time of one process, in turns, the model being built: as a
user calls it, with what single muscles add and the band, and as ``..._plain`` without the band.

``rhs_...``: the right-hand side of a simulation of a public model, all of whose bellies wobble, near its default state;
bellies are as tense as their muscles, or ``..._constant`` as they are without tension. ``--rhs`` measures these alone.
"""

import statistics
import sys
import warnings
from functools import partial
from pathlib import Path

import numpy as np
from common import alternate, opensim_models, ratio, report
from motions import recorded_motions

import opensim_inertia as oi
from opensim_inertia.dynamics.equations import start
from opensim_inertia.options import Wobble

#: Public models whose right-hand sides are measured, below the folder of models.
MODELS = {
    "arm26": "Arm26/arm26.osim",
    "gait10dof18musc": "Gait10dof18musc/gait10dof18musc.osim",
    "gait2392": "Gait2392_Simbody/gait2392_thelen2003muscle.osim",
    "rajagopal2016": "Rajagopal/Rajagopal2016.osim",
}
EVALUATIONS, TURNS, TURNS_OF_MOTIONS = 40, 7, 11


def right_hand_sides(file: Path) -> dict[str, float]:
    """Return the costs [s] of right-hand sides of a model, over those without wobble: by tension."""
    inertial = oi.InertialModel(file, oi.estimate_masses(str(file)))
    problem = oi.Problem(inertial, t_final=1.0)
    rng = np.random.default_rng(0)
    tasks = {}
    for name, wobble in (("without", None), ("own", Wobble()), ("constant", Wobble(tension=0.0))):
        system, t, y = start(problem, wobble)
        states = [y + 1e-4 * rng.normal(size=len(y)) for _ in range(EVALUATIONS)]

        def evaluate(system=system, t=t, states=states):
            for state in states:
                system.rhs(t, state)

        tasks[name] = evaluate
    times = alternate(tasks, TURNS)
    without = 1e3 * statistics.median(times["without"]) / EVALUATIONS
    print(f"{file.stem}: {without:.2f} ms without, {len(inertial.muscle_names)} bellies", flush=True)
    return {name: ratio(times, name, "without") for name in ("own", "constant")}


def main() -> None:
    """Time both, and print the ratios."""
    warnings.simplefilter("ignore")
    models = opensim_models() / "Models"
    values = {}
    for name, file in MODELS.items():
        ratios = right_hand_sides(models / file)
        values |= {f"rhs_{name}": ratios["own"], f"rhs_{name}_constant": ratios["constant"]}
    if "--rhs" in sys.argv:
        report(**values)
        return
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
            times = alternate(tasks, TURNS_OF_MOTIONS)
            values[f"{name}{kind}"] = ratio(times, "with", "without")
            without = statistics.median(times["without"])
            print(f"{motion.name}{', no band' if kind else ''}: {without:.2f} s without", flush=True)
    report(**values)


if __name__ == "__main__":
    main()
