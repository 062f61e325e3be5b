"""Walking and running of real models: changes of activations, forces and joint reactions by muscle inertia."""

import pandas as pd
from common import CRITERIA, opensim_models, output_folder

import opensim_inertia as oi

models = opensim_models()
folder = output_folder("recruited_walking")
tutorial = models / "Tutorials" / "Estimating_Joint_Reaction_Loads"
hamner = models / "Pipelines" / "Hamner"

# Walking, as OpenSim's tutorial on joint loads sets it up; running, with reserves in place of its actuators.
TRIALS = {
    "walking": (
        tutorial / "subject01_simbody_adjusted_StaticOp.osim",
        oi.Recording(
            tutorial / "subject01_walk1_Kinematics.sto", tutorial / "foot_floor_loads.xml", accelerations="speeds"
        ),
        oi.Actuation(tutorial / "gait2392_SO_weak_Residual_Actuators.xml"),
        10,
    ),
    "running": (
        hamner / "outputReference" / "subject02_scaled.osim",
        oi.Recording(
            hamner / "outputReference" / "ResultsIK" / "subject02_running_ik.mot",
            hamner / "External_Loads.xml",
            cutoff=15.0,
            time_range=(1.0, 1.7),
        ),
        oi.Actuation(free="base", reserves=20.0),
        1,
    ),
}
#: Drawn under all criteria.
MUSCLE = "glut_med1_r"

for name, (model, recording, actuation, every) in TRIALS.items():
    inertial = oi.InertialModel(model, oi.estimate_masses(model))
    outputs = oi.options.RecruitmentOutputs(joints=["hip_r", "ankle_r"], every=every)
    result = oi.recruit(inertial, recording, actuation=actuation, kind=("inertial", "lumped"), outputs=outputs)
    print(f"{name}: {result}")
    table = result.summary().loc[list(result.muscles)]
    order = table["largest change of control"].abs().sort_values(ascending=False).index
    shown = ["largest control", "largest change of control", "time of change", "largest change of force"]
    print(table.loc[order[:8], shown].round(4).to_string(), "\n")
    result.save(folder, prefix=f"{name}_")
    oi.plot(result, folder / f"{name}_plot.png")
    if name == "walking":
        few = oi.options.RecruitmentOutputs(every=40)
        found = {what: oi.recruit(inertial, recording, c, actuation, outputs=few) for what, c in CRITERIA.items()}
        curves = pd.DataFrame({what: result.activations[MUSCLE] for what, result in found.items()})
        curves.plot(ylabel=f"activation of {MUSCLE}").figure.savefig(folder / f"{name}_criteria.png")
print("wrote", folder)
