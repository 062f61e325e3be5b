"""Shank muscles apart from the shank or lumped into it: the ankle in the swing of running, after Verheul et al. 2023.

They computed the ankle moment of running swings with the gastrocnemii, soleus and tibialis anterior lumped into the
shank or as masses of their own, and report for the latter lower dorsiflexion and higher plantarflexion peaks, by 8 to
18 % and 24 to 42 %, and a root mean square difference of 0.8 to 1.6 N m, more at higher speed. Only their abstract
was read.

This is the nearest that the public recordings allow. It differs by other people (Hamner's subject 2 at 5 m/s on a
treadmill, 13 and 14 swings; with RAJAGOPAL_RUNNING, Rajagopal's subject, the swings that are whole), one speed each,
OpenSim's models and paths, and the masses, which the abstract does not give: the table shows several, from MRI to the
80 % of the shank of Wang et al. 2022. A peak is the largest moment to that side from take-off to touch-down. Heights,
which the regressions on MRI need, are a guess: the recordings do not tell them.
"""

import numpy as np
import opensim as osim
import pandas as pd
from common import markdown, opensim_models, output_folder, write_section
from matplotlib.figure import Figure
from motions import rajagopal_running
from running_swing import CUTOFF, WARD, ankle, cut, swings

import opensim_inertia as oi

HEIGHT = 1.80  # m, a guess
RAJAGOPAL = {"soleus": "soleus", "med_gas": "gasmed", "lat_gas": "gaslat", "tib_ant": "tibant"}
STRAINS = {
    "aponeurosis": {"strain": "aponeurosis"},
    "rigid tendon, distal": {"strain": "rigid_tendon"},
    "uniform, central": {"strain": oi.StrainModel("uniform", belly="central")},
}
REPORTED = {"dorsiflexion [%]": (8, 18), "plantarflexion [%]": (24, 42), "RMS [N m]": (0.8, 1.6)}
PICTURED = "four muscles, 80 % of the shank"
MASSES = {
    "four muscles, MRI": (True, {"method": oi.options.Handsfield(HEIGHT)}),
    "four muscles, 0.6 MPa": (True, {}),
    "four muscles, 0.25 MPa": (True, {"method": oi.options.SpecificTension(0.25e6)}),
    PICTURED: (True, None),
    "all of the shank's, MRI": (False, {"method": oi.options.Handsfield(HEIGHT)}),
    "all of the shank's, 0.6 MPa": (False, {}),
}


def runs():
    """Return name, model, motion, sides, ground reactions and the columns that say when a foot is on the ground."""
    hamner = opensim_models() / "Pipelines" / "Hamner"
    motion = hamner / "outputReference" / "ResultsIK" / "subject02_running_ik.mot"
    grf = oi.read_table(hamner / "subject02_running_grf.mot")
    yield "Hamner", hamner / "outputReference" / "subject02_scaled.osim", motion, grf, {k: k for k in WARD}
    folder = rajagopal_running()
    if folder is None:
        print("left out Rajagopal2016: set RAJAGOPAL_RUNNING to a folder with subject_scaled_run.osim")
        return
    grf = oi.read_table(folder / "grf_run.mot").rename(
        columns={"R_ground_force_vy": "ground_force_vy", "L_ground_force_vy": "1_ground_force_vy"}
    )
    motion = folder / "ik_output_run.mot"
    yield "Rajagopal2016", folder / "subject_scaled_run.osim", motion, grf, RAJAGOPAL


def masses(model, kind, names):
    """Return the mass table of one of MASSES; the shank is the donor segment of all muscles."""
    only, how = MASSES[kind]
    four = {f"{names[name]}_{side}": (weight, f"tibia_{side}") for side in "rl" for name, weight in WARD.items()}
    if how is None:
        rows = [
            (muscle, 0.8 * model.getBodySet().get(shank).getMass() * weight / sum(WARD.values()), shank, "Ward 2009")
            for muscle, (weight, shank) in four.items()
        ]
        return pd.DataFrame(rows, columns=["muscle", "mass", "segment", "source"])
    table = oi.estimate_masses(model, **how)
    table = table[table["muscle"].isin(four) if only else table["segment"].str.startswith("tibia_")]
    return table.assign(segment=[f"tibia_{name[-1]}" for name in table["muscle"]])


def compared(result, side, phases):
    """Return changes of both peaks [%, > 0: higher] and the RMS change [N m], means over swings; and the moments."""
    lumped, inertial = (cut(result.times, ankle(result, side, kind), phases) for kind in ("lumped", "inertial"))
    rows = {
        "dorsiflexion [%]": 100 * (inertial.max(axis=1) / lumped.max(axis=1) - 1),
        "plantarflexion [%]": 100 * (inertial.min(axis=1) / lumped.min(axis=1) - 1),
        "RMS [N m]": np.sqrt(((inertial - lumped) ** 2).mean(axis=1)),
        "lumped dorsiflexion [N m]": lumped.max(axis=1),
        "lumped plantarflexion [N m]": lumped.min(axis=1),
    }
    return {name: values.mean() for name, values in rows.items()}, (lumped, inertial)


def experiment():
    """Return a table by run, masses, strain model and leg, and curves of the right leg or that with whole swings."""
    rows, curves = {}, {}
    for name, file, motion, grf, muscles in runs():
        model = osim.Model(str(file))
        wraps = {}
        for kind in MASSES:
            table = masses(model, kind, muscles)
            for strain, options in STRAINS.items():
                known = oi.Wrapping(plan=wraps.get(len(table)))
                inertial = oi.InertialModel(model, table, wrapping=known, **options)
                wraps[len(table)] = inertial.wraps
                result = oi.inverse_dynamics(inertial, oi.Recording(motion, cutoff=CUTOFF), band=False)
                for side in "rl":
                    phases = [p for p in swings(grf, side, result.times[-1]) if p[0] >= result.times[0]]
                    if not phases:
                        continue
                    values, moments = compared(result, side, phases)
                    kilograms = table.loc[table["segment"] == f"tibia_{side}", "mass"].sum()
                    rows[name, kind, strain, side] = {"in muscles [kg]": kilograms, "swings": len(phases), **values}
                    if strain == next(iter(STRAINS)):
                        curves.setdefault(name, {}).setdefault(kind, moments)
    return pd.DataFrame(rows).T.rename_axis(["run", "masses", "strain", "leg"]), curves


def over_strains(legs):
    """Return masses [kg] in muscles and the ranges of all changes over strain models, by run and masses."""
    groups = legs.groupby(["run", "masses"], sort=False)
    ranges = {name: groups[name].agg(lambda values: f"{values.min():.2f} to {values.max():.2f}") for name in REPORTED}
    return pd.DataFrame({"in muscles [kg]": groups["in muscles [kg]"].first(), **ranges})


def draw(table, curves, path):
    """Draw the ankle moment of swing, lumped and apart, and the changes of peaks beside the reported ranges."""
    figure = Figure(figsize=(13, 3.9 * len(curves) + 0.5), layout="constrained")
    axes = figure.subplots(len(curves), 3, squeeze=False, width_ratios=[1.2, 1, 1])
    shades = {"aponeurosis": "#0072B2", "rigid tendon, distal": "#009E73", "uniform, central": "#E69F00"}
    for (left, *right), (name, sets) in zip(axes, curves.items(), strict=True):
        for kind, style in (("four muscles, MRI", "-"), (PICTURED, "--")):
            lumped, inertial = sets[kind]
            left.plot(lumped.mean(axis=0), color="0.25", lw=2.4)
            left.plot(inertial.mean(axis=0), style, color=shades["aponeurosis"], lw=1.6, label=kind)
        left.axhline(0, color="0.8", lw=0.8, zorder=0)
        left.set_title(f"{name}, mean of swings, right: {len(lumped)}; lumped grey", fontsize=10)
        left.set_xlabel("take-off to touch-down [%]")
        left.set_ylabel("ankle moment [N m], dorsiflexion > 0")
        left.legend(frameon=False, fontsize=8)
        for axis, column in zip(right, ("dorsiflexion [%]", "plantarflexion [%]"), strict=True):
            low, high = REPORTED[column]
            sides = (-high, -low) if column.startswith("dorsi") else (low, high)
            axis.axvspan(*sides, color="0.9", zorder=0, label="Verheul et al. 2023")
            for strain, colour in shades.items():
                part = table.loc[name].xs(strain, level="strain")[column]
                for i, kind in enumerate(MASSES):
                    values = part.loc[kind].to_numpy()
                    axis.plot(values, [i] * len(values), "o", ms=5, color=colour, label=strain if i == 0 else None)
            axis.axvline(0, color="0.7", lw=0.8)
            axis.set_title(f"change of the peak {column.replace(' [%]', '')} moment", fontsize=10)
            axis.set_xlabel("[% of it]; a dot per leg")
            axis.set_yticks(range(len(MASSES)), list(MASSES) if axis is right[0] else [""] * len(MASSES), fontsize=8)
            axis.invert_yaxis()
        for axis in (left, *right):
            axis.spines[["top", "right"]].set_visible(False)
    figure.legend(*axes[0, 2].get_legend_handles_labels(), loc="outside upper right", ncols=4, frameon=False)
    figure.savefig(path, dpi=130)


def main():
    opensim_models()
    folder = output_folder("shank_muscles_apart")
    table, curves = experiment()
    table.to_csv(folder / "shank_muscles_apart.csv")
    legs = table.groupby(["run", "masses", "strain"], sort=False).mean().drop(columns="swings")
    print(legs.round(2).to_string())
    write_section("shank", markdown(over_strains(legs)))
    draw(table, curves, folder / "shank_muscles_apart.png")
    print("wrote", folder / "shank_muscles_apart.png")


if __name__ == "__main__":
    main()
