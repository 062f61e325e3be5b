"""Muscles with important inertia in running: their shares of the effective inertia of hip, knee and ankle."""

import opensim as osim
from common import opensim_models, output_folder
from matplotlib.figure import Figure

import opensim_inertia as oi

COORDINATES = {"hip_flexion_r": "hip flexion", "knee_angle_r": "knee", "ankle_angle_r": "ankle"}

data = opensim_models() / "Pipelines" / "Hamner" / "outputReference"
folder = output_folder("which_muscles_matter")

model = osim.Model(str(data / "subject02_scaled.osim"))
inertial = oi.InertialModel(model, oi.estimate_masses(model))  # 0.6 MPa; fibres between aponeuroses
ranking = oi.rank_muscles(inertial, data / "ResultsIK" / "subject02_running_ik.mot")
print(ranking.summary().loc[list(COORDINATES)].round(2).to_string())
ranking.shares.to_csv(folder / "shares.csv")

figure = Figure(figsize=(10, 4.2), layout="constrained")
for axis, (coordinate, title) in zip(figure.subplots(1, 3), COORDINATES.items(), strict=True):
    share = 100 * ranking.shares[coordinate].sort_values(ascending=False).head(10)[::-1]
    few = ranking.needed[coordinate]
    axis.barh(share.index, share, color=["#0072B2" if name in few else "0.75" for name in share.index])
    total = 100 * ranking.shares[coordinate].sum()
    axis.set_title(f"{title}: all muscles {total:.1f} %,\n90 % of it in {len(few)}", fontsize=10)
    axis.set_xlabel("share of effective inertia [%]")
    axis.tick_params(axis="y", labelsize=8)
    axis.spines[["top", "right"]].set_visible(False)
figure.savefig(folder / "ranking.png", dpi=150)
print("wrote", folder / "ranking.png")
