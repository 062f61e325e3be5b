"""The triceps surae's share of the ankle's effective inertia, and the reasons why it differs from Pai 2010.

Pai (2010, "Muscle mass in musculoskeletal models") says 7.6 % for the human ankle; of his text only this number is
used. The effective inertia of the ankle is its diagonal entry of M + dM, with all other joints held. A muscle adds its
mass times the square of its moment arm times kappa, which is (velocity of its mass / velocity of its insertion)^2,
averaged over the mass:

    share = sum(m r^2 kappa) / (I_foot + sum over all muscles)

A mass spread evenly over a path that stretches evenly from a fixed origin has kappa = 1/3, which is what a uniform
strand such as Pai's makes; a mass that follows its insertion has kappa = 1. The table shows these numbers for two
models at their default pose, several strain models and masses, and for a triceps with kappa = 1/3 and the mass that MRI
finds.

Feet differ, too: all that turns with the ankle counts. MRI's triceps has 0.93 kg (Fukunaga et al. 1992: 877
cm^3).
"""

import numpy as np
import opensim as osim
import pandas as pd
from common import markdown, opensim_models, output_folder, write_section
from matplotlib.figure import Figure

import opensim_inertia as oi

PAI = 7.6  # %
MRI = 0.93  # kg, triceps surae
DE_LEVA = 1.37  # % of body mass, a man's foot (de Leva 1996)
HEIGHT = 1.75  # m, of the regressions on MRI: near both models' people
ANKLE = "ankle_angle_r"
FILES = {
    "Gait2392": ("Gait2392_Simbody/gait2392_thelen2003muscle.osim", ("soleus_r", "med_gas_r", "lat_gas_r")),
    "Rajagopal2016": ("Rajagopal/Rajagopal2016.osim", ("soleus_r", "gasmed_r", "gaslat_r")),
}
MASSES = {
    "0.6 MPa": {},
    "Handsfield": {"method": oi.options.Handsfield(HEIGHT)},
}
STRAINS = {
    "aponeurosis": {"strain": "aponeurosis"},
    "rigid tendon, distal": {"strain": oi.StrainModel("rigid_tendon", proximal_tendon=0.0)},
    "rigid tendon, half proximal": {"strain": oi.StrainModel("rigid_tendon", proximal_tendon=0.5)},
    "rigid tendon, proximal": {"strain": oi.StrainModel("rigid_tendon", proximal_tendon=1.0)},
    "uniform, central": {"strain": oi.StrainModel("uniform", belly="central")},
    "uniform, proximal": {"strain": oi.StrainModel("uniform", belly="proximal")},
    "uniform, whole path": {"strain": oi.StrainModel("uniform", belly=(0.0, 1.0))},
}


def moment_arms(inertial, muscles):
    """Return the moment arm [m] of each muscle at the ankle, at the default pose."""
    state = inertial.initial_state()
    coordinate = inertial.model.getCoordinateSet().get(ANKLE)
    inertial.model.realizePosition(state)
    return np.array([inertial.model.getMuscles().get(name).computeMomentArm(state, coordinate) for name in muscles])


def ankle(inertial, muscles):
    """Return the foot's inertia, and the triceps' mass, moment arm, kappa, inertia and share; see the module's text."""
    i = inertial.coordinate_names.index(ANKLE)
    state, matrix = inertial.initial_state(), osim.Matrix()
    inertial.model.realizeVelocity(state)
    inertial.model.getMatterSubsystem().calcM(state, matrix)
    terms = inertial.evaluate(state, per_muscle=True)
    foot, added = matrix.to_numpy()[i, i], terms.added_mass_matrix[i, i]
    own = np.array([terms.muscles[name].added_mass_matrix[i, i] for name in muscles])
    mass = inertial.masses.set_index("muscle").loc[list(muscles), "mass"].to_numpy()
    reach = mass * moment_arms(inertial, muscles) ** 2
    return {
        "I_foot [kg cm^2]": 1e4 * foot,
        "triceps [kg]": mass.sum(),
        "moment arm [cm]": 1e2 * np.sqrt(reach.sum() / mass.sum()),
        "m r^2 / I_foot [%]": 100 * reach.sum() / foot,
        "kappa": own.sum() / reach.sum(),
        "triceps' inertia [kg cm^2]": 1e4 * own.sum(),
        "triceps' share [%]": 100 * own.sum() / (foot + added),
        "all muscles' share [%]": 100 * added / (foot + added),
    }


def strand(model, row):
    """Return the share [%] of a triceps with MRI's mass and kappa = 1/3, and the mass or foot that gives Pai's."""
    state, bodies = model.initSystem(), model.getBodySet()
    foot = sum(bodies.get(name).getMass() for name in ("talus_r", "calcn_r", "toes_r"))
    inertia, third = row["I_foot [kg cm^2]"], 1e4 * (row["moment arm [cm]"] / 100) ** 2 / 3
    share, of_body = PAI / 100, 100 * foot / model.getTotalMass(state)
    lighter = inertia * DE_LEVA / of_body
    return {
        "foot [kg]": foot,
        "of body mass [%]": of_body,
        "I_foot [kg cm^2]": inertia,
        "moment arm [cm]": row["moment arm [cm]"],
        "share of 0.93 kg, kappa 1/3 [%]": 100 * MRI * third / (inertia + MRI * third),
        f"the same, foot of {DE_LEVA} % [%]": 100 * MRI * third / (lighter + MRI * third),
        "mass for 7.6 %, kappa 1/3 [kg]": share / (1 - share) * inertia / third,
        "I_foot for 7.6 %, 0.93 kg, kappa 1/3 [kg cm^2]": MRI * third * (1 - share) / share,
    }


def by_strain(table):
    """Return each model's kappa, and its triceps' share [%] with each of MASSES, by strain model."""
    columns = {}
    for (name, kind), part in table.groupby(["model", "masses"], sort=False):
        part = part.droplevel(["model", "masses"])
        columns.setdefault(f"{name}, kappa", part["kappa"])
        columns[f"{name}, {part['triceps [kg]'].iloc[0]:.2f} kg ({kind})"] = part["triceps' share [%]"]
    return pd.DataFrame(columns)


def draw(table, path):
    """Draw the triceps' share by strain model, masses and model, beside Pai's."""
    figure = Figure(figsize=(10, 3.8), layout="constrained")
    colours = {"0.6 MPa": "#0072B2", "Handsfield": "#009E73"}
    for axis, name in zip(figure.subplots(1, 2, sharex=True), FILES, strict=True):
        for masses, colour in colours.items():
            shares = [table.at[(name, masses, strain), "triceps' share [%]"] for strain in STRAINS]
            axis.plot(shares, range(len(shares)), "o", color=colour, label=masses)
        axis.axvline(PAI, color="0.5", lw=1, ls="--", label="Pai 2010")
        axis.set_yticks(range(len(STRAINS)), list(STRAINS) if name == next(iter(FILES)) else [""] * len(STRAINS))
        axis.invert_yaxis()
        axis.set_xlim(0, 1.05 * table["triceps' share [%]"].max())
        axis.set_title(name, fontsize=10)
        axis.set_xlabel("triceps surae's share of the ankle's inertia [%]")
        axis.spines[["top", "right"]].set_visible(False)
    figure.axes[0].legend(frameon=False, fontsize=8)
    figure.savefig(path, dpi=130)


def main():
    models = opensim_models() / "Models"
    folder = output_folder("ankle_inertia")
    rows, strands = {}, {}
    for name, (file, triceps) in FILES.items():
        model = osim.Model(str(models / file))
        for kind, how in MASSES.items():
            table = oi.estimate_masses(model, **how)
            table = table[table["segment"] == "tibia_r"].assign(segment="")  # the muscles' own inertia
            for strain, options in STRAINS.items():
                inertial = oi.InertialModel(model, table, **options)
                rows[name, kind, strain] = ankle(inertial, triceps)
        strands[name] = strand(model, rows[name, "0.6 MPa", "aponeurosis"])
    table = pd.DataFrame(rows).T.rename_axis(["model", "masses", "strain"])
    beside = pd.DataFrame(strands).T.rename_axis("model")
    table.to_csv(folder / "ankle_inertia.csv")
    print(f"{table.round(2).to_string()}\n\n{beside.round(2).to_string()}")
    write_section("ankle", f"{markdown(by_strain(table))}\n\n{markdown(beside)}")
    draw(table, folder / "ankle_inertia.png")
    print("wrote", folder / "ankle_inertia.png")


if __name__ == "__main__":
    main()
