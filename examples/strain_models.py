"""The demo's ankle and knee under seven strain models, that is, assumptions about the parts of a path that stretch."""

import pandas as pd
from common import output_folder

import opensim_inertia as oi
from opensim_inertia.demo import write_demo

MODELS = {
    "fibres between aponeuroses": oi.StrainModel(),
    "uniform strain, belly central": oi.StrainModel("uniform", belly="central"),
    "uniform strain, belly proximal": oi.StrainModel("uniform", belly="proximal"),
    "rigid tendon, all distal": oi.StrainModel("rigid_tendon", proximal_tendon=0.0),
    "rigid tendon, quarter proximal": oi.StrainModel("rigid_tendon", proximal_tendon=0.25),
    "rigid tendon, half proximal": oi.StrainModel("rigid_tendon", proximal_tendon=0.5),
    "rigid tendon, all proximal": oi.StrainModel("rigid_tendon", proximal_tendon=1.0),
}

folder = output_folder("strain_models")
files = write_demo(folder)
setup = oi.files.read_inverse_dynamics_setup(files["setup"])
rows = {}
for name, strain in MODELS.items():
    inertial = oi.InertialModel(files["model"], files["masses"], strain)
    recording = oi.Recording(files["motion"], time_range=setup.time_range)
    summary = oi.inverse_dynamics(inertial, recording, band=False).summary()
    ankle = ["lumped peak", "inertial peak", "largest difference", "largest difference [%]"]
    knee = summary.loc["knee_angle_r", "largest difference [%]"]
    rows[name] = {**summary.loc["ankle_angle_r", ankle], "knee [%]": knee}
table = pd.DataFrame(rows).T.astype(float)
table.index.name = "ankle"
print(table.round(2).to_string())
table.to_csv(folder / "strain_models.csv")
