"""The least torques that bring the reaching arm to rest at its target, by OpenSim's MocoStudy, lumped and inertial.

The problem is that of lumped_or_inertial_controls.py, solved by direct collocation with torque actuators: the arm
starts at rest and is at rest at the target after 0.4 s, with the least squares of torques over strengths. The inertial
arm has its muscles' mass along them, by the plugin's component. (docs/guides/opensim-tools.md)

The mesh is coarse to be quick; with a second argument the number of its intervals is another.
"""

import sys

import numpy as np
import pandas as pd
from common import elsewhere, output_folder, plugin, with_torque_actuators
from matplotlib.figure import Figure
from models import muscles_apart
from models.reaching_arm import COORDINATES, REACH_TIME, START, TARGET, arm_masses, reaching_arm

import opensim_inertia as oi

osim = plugin()
# N m, of the actuators: as the inertia that each turns, or effort would tell to spin the arm about its long axis
STRENGTHS = dict(zip(COORDINATES, (10.0, 10.0, 0.3, 5.0), strict=True))
DAMPING = 0.2  # N m s/rad, as there
INTERVALS = 5
LIMIT = 15.0  # rad/s


def reach(name, model, intervals):
    """Return the optimal torques [N m] over time and the objective."""
    study = osim.MocoStudy()
    study.setName(name)
    problem = study.updProblem()
    problem.setModelAsCopy(model)
    problem.setTimeBounds(0.0, REACH_TIME)
    for coordinate, start, end in zip(COORDINATES, START, TARGET, strict=True):
        path = model.getCoordinateSet().get(coordinate).getAbsolutePathString()
        problem.setStateInfo(f"{path}/value", [-1.0, 2.0], start, end)
        problem.setStateInfo(f"{path}/speed", [-LIMIT, LIMIT], 0.0, 0.0)
    problem.addGoal(osim.MocoControlGoal("effort"))
    solver = study.initCasADiSolver()
    solver.set_num_mesh_intervals(intervals)
    solver.set_optim_convergence_tolerance(1e-4)
    solver.set_optim_constraint_tolerance(1e-6)
    solver.set_optim_finite_difference_scheme("forward")
    solver.set_parallel(0)
    solver.set_verbosity(0)
    solver.set_optim_ipopt_print_level(0)
    with elsewhere():
        solution = study.solve()
    assert solution.success(), solution.getStatus()
    torques = {c: strength * solution.getControl(f"/forceset/{c}").to_numpy() for c, strength in STRENGTHS.items()}
    return pd.DataFrame(torques, index=pd.Index(solution.getTime().to_numpy(), name="time")), solution.getObjective()


def main():
    folder = output_folder("native_moco_reach")
    intervals = int(sys.argv[2]) if len(sys.argv) > 2 else INTERVALS
    arm, bare = (reaching_arm(acting=False, damping=DAMPING) for _ in range(2))
    inertial = oi.InertialModel(*muscles_apart(bare, arm_masses()), "rigid_tendon")
    models = {"lumped": arm, "inertial": inertial.native_model()}
    figure = Figure(figsize=(8, 5), layout="constrained")
    figure.subplots(2, 2, sharex=True)
    for kind, model in models.items():
        torques, objective = reach(kind, with_torque_actuators(model, STRENGTHS), intervals)
        torques.to_csv(folder / f"{kind}.csv")
        print(f"{kind}: objective {objective:.3f}, largest torques [N m]")
        print(np.abs(torques).max().round(2).to_string())
        for axis, name in zip(figure.axes, COORDINATES, strict=True):
            axis.plot(torques.index, torques[name], label=kind)
            axis.set_title(f"{name.replace('_', ' ')} [N m]", fontsize=10)
            axis.spines[["top", "right"]].set_visible(False)
    figure.axes[-1].legend(frameon=False)
    figure.supxlabel("time [s]", fontsize=10)
    figure.savefig(folder / "reach.png", dpi=120)


if __name__ == "__main__":
    main()
