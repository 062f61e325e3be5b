"""Joint moments of half a step of walking by OpenSim's MocoInverse, with the muscles' mass lumped and inertial.

Needs OPENSIM_MODELS, whose Gait10dof18musc pipeline has the motion and the ground reactions. Torque actuators alone
make the motion, so that nothing is left to choose and MocoInverse is inverse dynamics; with muscles it finds their
excitations in the same way. The inertial model has its muscles' mass along them, by the plugin's component.
(docs/guides/opensim-tools.md)
"""

import numpy as np
import pandas as pd
from common import elsewhere, opensim_models, output_folder, plugin, with_torque_actuators
from matplotlib.figure import Figure

import opensim_inertia as oi

PIPELINE = opensim_models() / "Pipelines" / "Gait10dof18musc"
osim = plugin()
TIMES = (0.6, 1.1)  # s, the right leg's swing and what surrounds it
INTERVAL = 0.05  # s
STRENGTH = 10.0  # N m
SHOWN = ("hip_flexion_r", "knee_angle_r", "ankle_angle_r")


def moments(model):
    """Return the moments [N m] over time that make the motion."""
    processor = osim.ModelProcessor(
        with_torque_actuators(model, {c.getName(): STRENGTH for c in model.getCoordinateSet()})
    )
    processor.append(osim.ModOpAddExternalLoads(str(PIPELINE / "ExperimentalData" / "subject01_walk_grf.xml")))
    inverse = osim.MocoInverse()
    inverse.setModel(processor)
    motion = osim.TableProcessor(str(PIPELINE / "OutputReference" / "IK" / "subject01_walk_IK.mot"))
    motion.append(osim.TabOpLowPassFilter(6.0))
    motion.append(osim.TabOpUseAbsoluteStateNames())
    inverse.setKinematics(motion)
    inverse.set_initial_time(TIMES[0])
    inverse.set_final_time(TIMES[1])
    inverse.set_mesh_interval(INTERVAL)
    inverse.set_kinematics_allow_extra_columns(True)
    with elsewhere():
        solved = inverse.solve()
    solution = solved.getMocoSolution()  # part of the former
    assert solution.success(), solution.getStatus()
    found = {name: STRENGTH * solution.getControl(f"/forceset/{name}").to_numpy() for name in SHOWN}
    return pd.DataFrame(found, index=pd.Index(solution.getTime().to_numpy(), name="time"))


def main():
    folder = output_folder("native_moco_inverse")
    model = osim.Model(str(PIPELINE / "OutputReference" / "subject01.osim"))
    inertial = oi.InertialModel(model, oi.estimate_masses(model))
    both = {"lumped": moments(model), "inertial": moments(inertial.native_model())}
    figure = Figure(figsize=(9, 3.2), layout="constrained")
    for axis, name in zip(figure.subplots(1, len(SHOWN)), SHOWN, strict=True):
        for kind, found in both.items():
            axis.plot(found.index, found[name], label=kind)
        difference = np.abs(both["inertial"][name] - both["lumped"][name]).max()
        print(f"{name}: inertial and lumped are up to {difference:.2f} N m apart")
        axis.set_title(f"{name.replace('_', ' ')} [N m]", fontsize=10)
        axis.spines[["top", "right"]].set_visible(False)
    figure.axes[-1].legend(frameon=False)
    figure.supxlabel("time [s]", fontsize=10)
    figure.savefig(folder / "walking.png", dpi=120)
    pd.concat(both, axis=1).to_csv(folder / "walking.csv")


if __name__ == "__main__":
    main()
