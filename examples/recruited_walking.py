"""Walking and running of real models: what muscle inertia changes of activations, forces and joint reactions."""

from common import CRITERIA, opensim_models, output_folder

import opensim_inertia as oi
from opensim_inertia.plotting import draw_criteria, save_picture

models = opensim_models()
folder = output_folder("recruited_walking")
tutorial = models / "Tutorials" / "Estimating_Joint_Reaction_Loads"
hamner = models / "Pipelines" / "Hamner"

# Walking, as OpenSim's tutorial on joint loads sets it up; running, with reserves in place of its actuators.
TRIALS = {
    "walking": {
        "model": tutorial / "subject01_simbody_adjusted_StaticOp.osim",
        "motion": tutorial / "subject01_walk1_Kinematics.sto",
        "external_loads": tutorial / "foot_floor_loads.xml",
        "actuators": tutorial / "gait2392_SO_weak_Residual_Actuators.xml",
        "accelerations": "speeds",
        "every": 10,
    },
    "running": {
        "model": hamner / "outputReference" / "subject02_scaled.osim",
        "motion": hamner / "outputReference" / "ResultsIK" / "subject02_running_ik.mot",
        "external_loads": hamner / "External_Loads.xml",
        "cutoff": 15.0,
        "time_range": (1.0, 1.7),
        "free": "base",
        "reserves": 20.0,
    },
}
#: Drawn under all criteria.
MUSCLE = "glut_med1_r"

for name, trial in TRIALS.items():
    model = str(trial.pop("model"))
    inertial = oi.InertialModel(model, oi.estimate_masses(model))
    result = oi.recruit(inertial, kind=("inertial", "lumped"), joints=["hip_r", "ankle_r"], **trial)
    print(f"{name}: {result}")
    table = result.summary().loc[list(result.muscles)]
    order = table["largest change of control"].abs().sort_values(ascending=False).index
    shown = ["largest control", "largest change of control", "time of change", "largest change of force"]
    print(table.loc[order[:8], shown].round(4).to_string(), "\n")
    result.save(folder, prefix=f"{name}_")
    if name == "walking":
        few = {**trial, "every": 40, "kind": "inertial"}
        found = {what: oi.recruit(inertial, **few, **chosen) for what, chosen in CRITERIA.items()}
        activations = {what: each.activations[MUSCLE].to_numpy() for what, each in found.items()}
        caption = f"Inertial muscles in walking. {result.caption.partition('. ')[2]}"
        picture = draw_criteria(found["squares"].times, MUSCLE, activations, caption)
        save_picture(picture, folder / f"{name}_criteria.png")
print("wrote", folder)
