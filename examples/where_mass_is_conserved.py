"""The segments that cannot give up exactly what their muscles are, and how much is missing.

The conserving transfer takes the muscles' mass at the default pose out of the segment. What is left must be a body: its
second moments about its centre must be positive. Where a segment is slimmer than its muscles lie apart, they are not,
and the nearest body of the same mass and centre is taken; the residual is what that adds, as a share of the segment's
second moments. The tables cover six models and three strain models with their defaults, with masses from
``estimate_masses``.

A second argument ``--page docs/placements.md`` rewrites that page's table.
"""

import warnings

import numpy as np
import opensim as osim
import pandas as pd
from common import markdown, opensim_models, output_folder, write_section
from motions import rajagopal_running

import opensim_inertia as oi

STRAINS = ("aponeurosis", "rigid_tendon", "uniform")
COLUMNS = ["mass [kg]", "in muscles [kg]", "lowest second moment [kg cm^2]", "residual [%]"]


def models():
    """Return files by name."""
    folder = opensim_models()
    found = {
        "Gait2392": folder / "Models" / "Gait2392_Simbody" / "gait2392_thelen2003muscle.osim",
        "Gait10dof18musc": folder / "Models" / "Gait10dof18musc" / "gait10dof18musc.osim",
        "Hamner, scaled": folder / "Pipelines" / "Hamner" / "outputReference" / "subject02_scaled.osim",
        "Arm26": folder / "Models" / "Arm26" / "arm26.osim",
        "Rajagopal2016": folder / "Models" / "Rajagopal" / "Rajagopal2016.osim",
    }
    scaled = rajagopal_running()
    if scaled is None:
        print("left out Rajagopal2016, scaled: set RAJAGOPAL_RUNNING to a folder with subject_scaled_run.osim")
    else:
        found["Rajagopal2016, scaled"] = scaled / "subject_scaled_run.osim"
    return found


def transfers(file, strain):
    """Yield rows by segment, and the reason where the model is impossible."""
    model = osim.Model(str(file))
    masses = oi.estimate_masses(model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        inertial = oi.InertialModel(model, masses, strain=strain)
    for name, transfer in inertial.placement.transfers.items():
        values = np.array(
            [transfer.published.mass, transfer.muscles[3, 3], 1e4 * transfer.lowest, 100 * transfer.residual]
        )
        yield name, values


def whole(table):
    """Return the number of exact segments, and the worst of the others, for each model and strain model."""
    rows = {}
    for key, part in table.groupby(["model", "strain"], sort=False):
        bad = part[part["residual [%]"] > 0].sort_values("residual [%]", ascending=False)
        listed = [f"{name} {row['residual [%]']:.2g} %" for (_, _, name), row in bad.iterrows()]
        rows[key] = {
            "segments that give mass": len(part),
            "conserved exactly": len(part) - len(bad),
            "residual of the others": ", ".join(listed) or "-",
        }
    return pd.DataFrame(rows).T.rename_axis(["model", "strain"])


def main():
    files = models()
    folder = output_folder("where_mass_is_conserved")
    rows = {}
    for name, file in files.items():
        for strain in STRAINS:
            for segment, values in transfers(file, strain):
                rows[name, strain, segment] = values
    table = pd.DataFrame(rows, index=COLUMNS).T.rename_axis(["model", "strain", "segment"])
    table.to_csv(folder / "where_mass_is_conserved.csv")
    short = whole(table)
    with pd.option_context("display.max_colwidth", None, "display.width", 200):
        print(short.to_string())
    bad = table[table["residual [%]"] > 0]
    text = f"{markdown(short)}\n\nThe segments that are not conserved exactly:\n\n{markdown(bad, 3)}"
    (folder / "where_mass_is_conserved.md").write_text(text + "\n", encoding="utf-8")
    write_section("conserved", text)
    print("wrote", folder / "where_mass_is_conserved.md")


if __name__ == "__main__":
    main()
