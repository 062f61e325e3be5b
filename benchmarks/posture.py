"""Linearization against differencing the right-hand side, and stability of many activation patterns.

``ratio_MODEL``: processor time of ``linearize`` (A and B) over that of central differences of the simulation's whole
right-hand side over all states and controls. ``share_MODEL``: seconds of processor time for the stability of 10 000
patterns at one intrinsic stiffness, once the matrices are known; ``cheaper_MODEL``: how many times cheaper a pattern is
than one linearization; ``known_MODEL``: seconds until the matrices are known; ``error_MODEL``: relative error of the
matrices.
"""

import argparse
import statistics
import time
import warnings

import numpy as np
from common import alternate, opensim_models, osim, ratio, report

import opensim_inertia as oi
from opensim_inertia.dynamics.equations import Problem, System, start

GAIT_LOCKS = ("pelvis_tilt", "pelvis_tx", "pelvis_ty", "lumbar_extension")
RAJAGOPAL_LOCKS = ("pelvis_tilt", "pelvis_list", "pelvis_rotation", "pelvis_tx", "pelvis_ty", "pelvis_tz")
MODELS = {
    "arm26": ("Models/Arm26/arm26.osim", (), {"r_shoulder_elev": 0.2, "r_elbow_flex": 1.2}),
    "gait10dof": (
        "Models/Gait10dof18musc/gait10dof18musc.osim",
        GAIT_LOCKS,
        {"hip_flexion_r": 0.3, "knee_angle_r": -0.5, "ankle_angle_r": 0.1},
    ),
    "rajagopal": ("Models/Rajagopal/Rajagopal2016.osim", RAJAGOPAL_LOCKS, {"hip_flexion_r": 0.4, "knee_angle_r": 0.6}),
}
PATTERNS = 10_000


def posture(name: str, rigid: bool) -> oi.stability.Posture:
    """A model with inertial muscles, in equilibrium."""
    path, locks, pose = MODELS[name]
    model = osim.Model(str(opensim_models() / path))
    model.initSystem()
    for coordinate in locks:
        model.updCoordinateSet().get(coordinate).set_locked(True)
    if rigid:
        model = oi.stability.without_muscle_states(model)
    inertial = oi.InertialModel(model, oi.estimate_masses(model), wrapping=oi.Wrapping(warn_wraps=False))
    return oi.equilibrate(inertial, pose)


def differenced(system: System, t: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A and B by central differences of the whole right-hand side."""
    columns = []
    for i in range(len(y)):
        step = 1e-6 * (1 + abs(y[i])) * np.eye(len(y))[i]
        columns.append((system.rhs(t, y + step) - system.rhs(t, y - step)) / (2 * step[i]))
    inputs = []
    for k in range(len(system.drives.control_names)):
        ends = [system.rates_with(t, y, {k: step}) for step in (1e-6, -1e-6)]
        inputs.append((ends[0] - ends[1]) / 2e-6)
    return np.column_stack(columns), np.column_stack(inputs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=7)
    repetitions = parser.parse_args().repetitions
    warnings.simplefilter("ignore")
    found: dict[str, float] = {}
    for name in MODELS:
        p = posture(name, False)
        system, t, y = start(Problem(p.inertial, p.state, 1.0, p.excitations, equilibrate=False))
        tasks = {"ours": p.linearize, "plain": lambda system=system, t=t, y=y: differenced(system, t, y)}
        times = alternate(tasks, repetitions if name != "rajagopal" else 3)
        found[f"ratio_{name}"] = ratio(times, "ours", "plain")
        print(f"{name}: linearize {1e3 * statistics.median(times['ours']):.1f} ms")
    for name in ("arm26", "gait10dof"):
        p = posture(name, True)
        begin = time.process_time()
        linear = oi.stability.ActivationLinear(p.inertial, p.state)
        found[f"known_{name}"] = time.process_time() - begin
        patterns = oi.stability.sample_patterns(p, PATTERNS)
        tasks = {"one": p.linearize, "all": lambda linear=linear, a=patterns: linear.stable(a, 2.0)}
        times = alternate(tasks, repetitions)
        found[f"share_{name}"] = statistics.median(times["all"])
        found[f"cheaper_{name}"] = PATTERNS * ratio(times, "one", "all")
        found[f"error_{name}"] = float(linear.error(patterns[:10]).max())
    report(**found)


if __name__ == "__main__":
    main()
