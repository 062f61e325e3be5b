"""The demo's ankle moment under seven strain models, that is, assumptions about the parts of a path that stretch.

The transfer does not matter to the ankle. It matters to the knee, whose columns are for both transfers.
"""

import warnings

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
    for transfer in ("proportional", "conserving"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", oi.warnings.RemainderWarning)  # the table says so
            inertial = oi.InertialModel(files["model"], files["masses"], strain, transfer=transfer)
        summary = oi.inverse_dynamics(
            inertial, oi.Recording(files["motion"], time_range=setup.time_range), band=False
        ).summary()
        row = rows.setdefault(name, {})
        row |= summary.loc[
            "ankle_angle_r", ["lumped peak", "inertial peak", "largest difference", "largest difference [%]"]
        ]
        row[f"knee, {transfer} [%]"] = summary.loc["knee_angle_r", "largest difference [%]"]
    row["shank's residual [%]"] = 100 * inertial.segments.loc["tibia_r", "residual"]
table = pd.DataFrame(rows).T.astype(float)
table.index.name = "ankle"
print(table.round(2).to_string())
table.to_csv(folder / "strain_models.csv")
