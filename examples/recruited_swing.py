"""Muscles of the ankle in the swing of a run: shares of its moment by criterion, and joint reactions."""

import pandas as pd
from common import CRITERIA, output_folder

import opensim_inertia as oi
from opensim_inertia.demo import write_demo

folder = output_folder("recruited_swing")
demo = write_demo(folder / "demo")
inertial = oi.InertialModel(str(demo["model"]), str(demo["masses"]))

# The demo's leg has no muscles of the hip, and gastrocnemii only at the knee: reserves help there. What holds the
# pelvis is not asked for.
reserves = {"hip_flexion_r": 50, "hip_adduction_r": 50, "hip_rotation_r": 50, "knee_angle_r": 50}
swing = oi.Recording(demo["motion"], time_range=(0.05, 0.55))
actuation = oi.Actuation(reserves=reserves, free="base")
found = {name: oi.recruit(inertial, swing, criterion, actuation) for name, criterion in CRITERIA.items()}
curves = pd.DataFrame({name: result.activations["tib_ant_r"] for name, result in found.items()})
curves.plot(ylabel="activation of tib_ant_r").figure.savefig(folder / "criteria.png")

outputs = oi.options.RecruitmentOutputs(joints=["knee_r", "ankle_r"], tension_ends=True)
result = oi.recruit(inertial, swing, actuation=actuation, kind=("inertial", "lumped"), outputs=outputs)
print(result.summary().loc[list(result.muscles)].round(3).T.to_string())
ends = result.tension_ends
for name in result.muscles:
    change = ends[name]["insertion"] - ends[name]["origin"]
    print(f"{name}: tension at the insertion less that at the origin, {change.min():+.1f} to {change.max():+.1f} N")
result.save(folder, prefix="swing_")
oi.plot(result, folder / "swing_plot.png")
oi.plotting.plot_bounds(result, folder / "swing_bounds.png")
print("wrote", folder)
