"""Changes by muscle inertia in running and walking, for several positions of bellies.

The tables cover three motions and sixteen ways to place the muscles' mass along their paths (three strain models). They
show the difference, inertial less lumped, at the lumped peak of each moment of the right leg.

Masses are those of ``estimate_masses`` (0.6 MPa). For all placements alike, each muscle has one donor, the segment in
which most of it lies by default. A second argument ``--page docs/placements.md`` rewrites that page's table.
"""

import warnings

import opensim as osim
import pandas as pd
from common import markdown, output_folder, write_section
from matplotlib.figure import Figure
from motions import recorded_motions

import opensim_inertia as oi
from opensim_inertia.muscles.masses.architecture import default_architecture
from opensim_inertia.muscles.masses.donors import main_segment, read_stretches
from opensim_inertia.muscles.masses.table import place_bellies

COORDINATES = {"hip flexion": "hip_flexion_r", "knee": "knee_angle_r", "ankle": "ankle_angle_r"}
HAS_SIGN = 0.1  # [N m]; what is smaller counts as no change

UNIFORM = {
    "proximal": "proximal",
    "central": "central",
    "distal": "distal",
    "middle half": (0.25, 0.75),
    "whole path": (0.0, 1.0),
}
APONEUROSES = {  # aponeurosis over the default's, share of the free tendon at the origin
    "none": (0.0, 0.0),
    "half": (0.5, 0.0),
    "default": (1.0, 0.0),
    "1.25 times": (1.25, 0.0),
    "default, free tendon half proximal": (1.0, 0.5),
    "default, free tendon all proximal": (1.0, 1.0),
}


def with_aponeuroses(masses, model, factor, proximal):
    """Return the table with aponeuroses a factor longer, cut at the slack length, and the number of those cut."""
    known = default_architecture({muscle.getName(): muscle for muscle in model.getMuscles()}, masses["muscle"])
    wanted = {name: factor * k.aponeurosis for name, k in known.items()}
    lengths = {name: min(wanted[name], k.slack_length) for name, k in known.items()}
    table = place_bellies(masses, known, dict.fromkeys(known, proximal), lengths).frame()
    return table, sum(wanted[name] > lengths[name] for name in known)


def placements(masses, model):
    """Yield strain models by kind and placement; print the aponeuroses that were cut."""
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        named = f"{share:g} of the tendon proximal"
        yield ("rigid tendon", named), masses, oi.StrainModel("rigid_tendon", proximal_tendon=share)
    for name, belly in UNIFORM.items():
        yield ("uniform", f"belly {name}"), masses, oi.StrainModel("uniform", belly=belly)
    for name, options in APONEUROSES.items():
        table, cut = with_aponeuroses(masses, model, *options)
        if cut:
            print(f"  aponeurosis {name}: {cut} of {len(table)} muscles have no more slack length than aponeurosis")
        yield ("aponeurosis", f"aponeurosis {name}"), table, oi.StrainModel()


def experiment(recorded):
    """Return lumped peaks and their differences [N m] for all placements of one motion, as rows."""
    model = osim.Model(str(recorded.model))
    masses = oi.estimate_masses(model)
    masses["segment"] = [main_segment(read_stretches(text)) for text in masses["segment"]]
    rows, wraps = [], None
    print(f"{recorded.name}: {masses['mass'].sum():.2f} kg in {len(masses)} muscles")
    for (strain, placement), table, how in placements(masses, model):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", oi.warnings.ShortBellyWarning)
            inertial = oi.InertialModel(model, table, how, wrapping=oi.Wrapping(plan=wraps))
            peaks = oi.inverse_dynamics(inertial, recorded.recording(), band=False).summary()
        wraps = inertial.wraps
        for name, coordinate in COORDINATES.items():
            time, lumped, difference = peaks.loc[coordinate, ["peak time", "lumped peak", "difference at peak"]]
            labels = {"motion": recorded.name, "coordinate": name, "strain": strain, "placement": placement}
            rows.append({**labels, "time": time, "lumped": lumped, "difference": difference})
    return rows


def sign(values):
    """Return the sign that all values have, "+" or "-", else "both" or "none"."""
    up, down = any(v > HAS_SIGN for v in values), any(v < -HAS_SIGN for v in values)
    return {(True, False): "+", (False, True): "-", (True, True): "both"}.get((up, down), "none")


def summary(table):
    """Return the range of differences over placements for each motion and coordinate, and their sign."""
    rows = {}
    for key, part in table.groupby(["motion", "coordinate"], sort=False):
        values = part["difference"]
        rows[key] = {
            "lumped peak": f"{part['lumped'].iloc[0]:.1f}",
            "difference": f"{values.min():+.2f} to {values.max():+.2f}",
            "sign": sign(values),
        }
    return pd.DataFrame(rows).T.rename_axis(["motion", "coordinate"])


def draw(table, path):
    """Draw the difference at the lumped peak by placement, one row of pictures per motion."""
    motions = list(dict.fromkeys(table["motion"]))
    figure = Figure(figsize=(12, 3.5 * len(motions) + 0.5), layout="constrained")
    axes = figure.subplots(len(motions), len(COORDINATES), squeeze=False, sharey=True)
    names = list(dict.fromkeys(zip(table["strain"], table["placement"], strict=True)))
    for row, motion in zip(axes, motions, strict=True):
        for axis, coordinate in zip(row, COORDINATES, strict=True):
            part = table[(table["motion"] == motion) & (table["coordinate"] == coordinate)]
            lumped = part["lumped"].iloc[0]
            axis.plot(100 * part["difference"] / abs(lumped), range(len(names)), "o", ms=5, color="#0072B2")
            axis.axvline(0, color="0.7", lw=0.8, zorder=0)
            for y in (4.5, 9.5):
                axis.axhline(y, color="0.85", lw=0.8, zorder=0)
            axis.set_title(f"{motion}: {coordinate}, peak {lumped:.0f} N m", fontsize=9)
            axis.spines[["top", "right"]].set_visible(False)
        row[0].set_yticks(range(len(names)), [f"{s}: {p.replace('aponeurosis ', '')}" for s, p in names], fontsize=7)
        row[0].invert_yaxis()
    for axis in axes[-1]:
        axis.set_xlabel("difference at the peak [% of it]")
    figure.savefig(path, dpi=130)


def main():
    motions = recorded_motions()
    folder = output_folder("what_decides_the_answer")
    table = pd.DataFrame([row for recorded in motions for row in experiment(recorded)])
    table.to_csv(folder / "placements.csv", index=False)
    print(f"\n{summary(table).to_string()}")
    draw(table, folder / "placements.png")
    write_section("summary", markdown(summary(table)))
    print("wrote", folder / "placements.csv")


if __name__ == "__main__":
    main()
