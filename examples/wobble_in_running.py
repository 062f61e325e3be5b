"""Running with bellies that wobble across their paths: changes of hip and knee moments by frequency and damping.

Masters and Challis (2022) let masses on springs wobble in simulated running, and found the hip's moment up to 50 %
larger with low frequencies, within 15 % of the rigid one with high ones, and the knee's changed little. Here the motion
is recorded, the bellies of all muscles wobble, and frequency and damping are varied over the same map.
"""

import numpy as np
import pandas as pd
from common import markdown, output_folder, write_section
from matplotlib.figure import Figure
from motions import recorded_motions

import opensim_inertia as oi

FREQUENCIES = (8.0, 10.0, 12.0, 15.0, 20.0, 25.0, 35.0)  # Hz
DAMPINGS = (0.1, 0.2, 0.4, 0.8)
JOINTS = {"hip": "hip_flexion_r", "knee": "knee_angle_r", "ankle": "ankle_angle_r"}


def changes(inertial, recording, frequency, damping):
    """Return by joint the RMS and the largest moment by wobble [N m], and the change of the peak [%]."""
    wobble = oi.options.Wobble(frequency=frequency, damping=damping)
    result = oi.inverse_dynamics(inertial, recording, band=False, per_muscle=False, wobble=wobble)
    summary = result.summary()
    rows = []
    for joint, name in JOINTS.items():
        i = result.coordinate_names.index(name)
        swung, lumped = result.wobble.forces[:, i], np.abs(result.folded(result.lumped_forces)[:, i])
        with_wobble = np.abs(result.folded(result.lumped_forces + result.wobble.forces)[:, i])
        rows.append(
            {
                "joint": joint,
                "frequency [Hz]": frequency,
                "damping": damping,
                "wobble RMS [N m]": summary.loc[name, "wobble RMS"],
                "largest wobble [N m]": np.abs(swung).max(),
                "peak changes by [%]": 100 * (with_wobble.max() / lumped.max() - 1),
                "largest displacement [mm]": result.wobble.table["largest displacement [mm]"].max(),
            }
        )
    return rows


def draw(table, title, path):
    """Draw the maps of hip and knee."""
    figure = Figure(figsize=(10, 4.2), layout="constrained")
    axes = figure.subplots(1, 2)
    for axis, joint in zip(axes, ("hip", "knee"), strict=True):
        of_joint = table[table["joint"] == joint]
        values = of_joint.pivot(index="damping", columns="frequency [Hz]", values="wobble RMS [N m]").to_numpy()
        drawn = axis.pcolormesh(values, cmap="viridis", vmin=0)
        for (i, j), value in np.ndenumerate(values):
            bright = value < 0.6 * values.max()
            axis.text(j + 0.5, i + 0.5, f"{value:.2g}", ha="center", va="center", color="w" if bright else "k")
        axis.set_xticks(np.arange(len(FREQUENCIES)) + 0.5, [f"{f:g}" for f in FREQUENCIES])
        axis.set_yticks(np.arange(len(DAMPINGS)) + 0.5, [f"{d:g}" for d in DAMPINGS])
        axis.set(xlabel="frequency of the bellies [Hz]", ylabel="share of critical damping")
        axis.set_title(f"{joint}, right")
        figure.colorbar(drawn, ax=axis, label="RMS of the moment by wobble [N m]")
    figure.suptitle(title)
    figure.savefig(path, dpi=150)


motion = recorded_motions()[0]
folder = output_folder("wobble_in_running")
inertial = oi.InertialModel(motion.model, oi.estimate_masses(motion.model))
recording = motion.recording()
rows = [row for f in FREQUENCIES for d in DAMPINGS for row in changes(inertial, recording, f, d)]
table = pd.DataFrame(rows)
table.to_csv(folder / "wobble_in_running.csv", index=False)
draw(table, f"{motion.name}, low-pass filter at {motion.cutoff:g} Hz", folder / "wobble_in_running.png")
at_fifth = table[table["damping"] == 0.2].drop(columns="damping").set_index(["joint", "frequency [Hz]"])
print(f"{motion.name}, damping 0.2:\n{at_fifth.round(2).to_string()}")
wide = at_fifth["wobble RMS [N m]"].unstack("joint")[list(JOINTS)].add_suffix(", RMS [N m]")
wide["hip, largest [N m]"] = at_fifth.loc["hip", "largest wobble [N m]"]
wide["displacement, largest [mm]"] = at_fifth.loc["hip", "largest displacement [mm]"]
write_section("running", markdown(wide))
print("wrote", folder / "wobble_in_running.png")
