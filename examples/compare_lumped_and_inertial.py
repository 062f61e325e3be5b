"""Inverse dynamics of the demo's running swing, with the muscles' mass lumped into the bones and on their paths."""

from common import output_folder

import opensim_inertia as oi
from opensim_inertia.demo import write_demo

folder = output_folder("compare_lumped_and_inertial")
files = write_demo(folder)

setup = oi.files.read_inverse_dynamics_setup(files["setup"])
inertial = oi.InertialModel(files["model"], files["masses"])
result = oi.inverse_dynamics(inertial, oi.Recording(files["motion"], time_range=setup.time_range))

columns = ["unit", "lumped peak", "difference at peak", "lower at peak", "upper at peak", "largest difference"]
print(result.summary().loc[["hip_flexion_r", "knee_angle_r", "ankle_angle_r"], columns].round(2).to_string())
oi.plot(result, folder / "compare.png", coordinates=["knee_angle_r", "ankle_angle_r"])
for path in result.save(folder, prefix="id_").values():
    print("wrote", path)
