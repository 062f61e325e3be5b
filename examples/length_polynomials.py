"""Muscles' paths as polynomials of Euler angles and of quaternions: terms, errors, and moment arms along a motion.

The counterpart of the table of Zoufaly et al. 2025, who fit the serratus anterior of a model that is not public, during
abduction of the humerus in the plane of the scapula with noise on the angles: 15 terms in Euler angles, with root mean
square errors of 1.0 mm in length and 10.2 mm in moment arms, and 13 terms in quaternions, with 2.36 and 10.0 mm. Here
the muscles are those of the thoracoscapular shoulder model in such a motion, and around the hip of Gait2392 in walking,
with the same rule for terms (each must lower the error by 4 %).

Jumps of OpenSim's paths explain some of what is left: with more noise its serratus anterior jumps by centimetres, and a
second table has the errors of polynomials of OpenSim's paths and of this package's smooth ones.

It writes the tables, the moment arms of the serratus anterior along the motion beside OpenSim's, and the error against
the number of terms. A second argument ``--page docs/length_polynomials.md`` rewrites that page's tables.
"""

import warnings

import numpy as np
import opensim as osim
import pandas as pd
from common import markdown, opensim_models, output_folder, write_section
from matplotlib.figure import Figure

import opensim_inertia as oi

SHOULDER = "ThoracoscapularShoulder/ThoracoscapularShoulderModel.osim"
SHOULDER_MUSCLES = (
    "SerratusAnterior_I",
    "SerratusAnterior_M",
    "SerratusAnterior_S",
    "DeltoideusScapula_M",
    "Infraspinatus_S",
    "Subscapularis_M",
    "PectoralisMajorClavicle_S",
)
HIP = "Gait2392_Simbody/gait2392_millard2012muscle.osim"
WALKING = "Pipelines/Gait2392_Simbody/subject01_walk1_ik.mot"
HIP_MUSCLES = ("glut_max1_r", "glut_med1_r", "psoas_r", "rect_fem_r", "semimem_r", "add_mag1_r")
#: How far each coordinate goes from its default at the end of the abduction [rad]; the constraint adjusts others.
ABDUCTION = {"shoulder_elv": 1.15, "scapula_upward_rot": 0.55, "clav_elev": 0.2, "clav_prot": -0.25}
POSES = 400
#: Standard deviation of the noise on every angle that moves [rad].
NOISE, MORE_NOISE = np.radians(4), np.radians(12)


def abduction(model):
    """Return a motion of 1 s in which the arm is raised and the scapula follows, as a DataFrame."""
    state = model.initSystem()
    coordinates = list(model.getCoordinateSet())
    defaults = {c.getName(): c.getDefaultValue() for c in coordinates}
    rows = []
    for share in np.linspace(0, 1, 41):
        for name, change in ABDUCTION.items():
            model.getCoordinateSet().get(name).setValue(state, defaults[name] + share * change, False)
        model.assemble(state)
        rows.append([c.getValue(state) for c in coordinates])
    return pd.DataFrame(rows, index=np.linspace(0, 1, 41), columns=[c.getName() for c in coordinates])


def noisy(motion, moving, noise=NOISE):
    """Return poses of a motion with noise [rad] on some coordinates."""
    rng = np.random.default_rng(0)
    chosen = motion.iloc[np.linspace(0, len(motion) - 1, POSES).round().astype(int)].copy()
    chosen[moving] += noise * rng.standard_normal((POSES, len(moving)))
    chosen.index = np.arange(POSES) / POSES
    return chosen


def main():
    models, folder = opensim_models(), output_folder("length_polynomials")
    shoulder = osim.Model(str(models / "Models" / SHOULDER))
    raised = abduction(shoulder)
    moving = [name for name in raised if name.startswith(("clav", "scap", "plane", "shoulder", "axial"))]
    hip = osim.Model(str(models / "Models" / HIP))
    hip.initSystem()
    names = [c.getName() for c in hip.getCoordinateSet()]
    walk = oi.read_motion_table(models / WALKING, hip)
    walk = walk[[name for name in walk if name in names]]
    legs = [name for name in walk if name.startswith(("hip", "knee")) and name.endswith("_r")]

    cases = [
        (shoulder, noisy(raised, moving), SHOULDER_MUSCLES),
        (hip, noisy(walk, legs), HIP_MUSCLES),
    ]
    rows, curves, fitted = [], {}, {}
    for model, poses, muscles in cases:
        for rotations in ("euler", "quaternion"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", oi.warnings.PathJumpWarning)  # the table says it
                polynomials = oi.fit_length_polynomials(model, poses, muscles, rotations, progress=False)
            fitted[model.getName(), rotations] = polynomials
            for muscle, row in polynomials.summary().iterrows():
                rows.append(
                    {
                        "muscle": muscle,
                        "rotations": rotations,
                        "variables": int(row["variables"]),
                        "terms": int(row["terms"]),
                        "length RMSE [mm]": row["length RMSE [mm]"],
                        "arm RMSE [mm]": row["arm RMSE [mm]"],
                        "jump [mm]": row["jump [mm]"],
                    }
                )
                curves[muscle, rotations] = 1e3 * polynomials.by_muscle[muscle].rmse
    table = pd.DataFrame(rows).pivot(index="muscle", columns="rotations")
    table = table.loc[[*SHOULDER_MUSCLES, *HIP_MUSCLES]]
    shown = pd.DataFrame(index=table.index)
    for what in ("terms", "length RMSE [mm]", "arm RMSE [mm]"):
        for rotations in ("euler", "quaternion"):
            shown[f"{rotations}: {what}"] = table[what, rotations]
    shown["jump [mm]"] = table["jump [mm]", "euler"]
    shown.to_csv(folder / "length_polynomials.csv")
    print(shown.to_string(float_format="{:.2f}".format))
    write_section("terms and errors", markdown(shown))

    rows = []
    for wrapping in ("opensim", "analytic"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", oi.warnings.PathJumpWarning)
            poses = noisy(raised, moving, MORE_NOISE)
            polynomials = oi.fit_length_polynomials(shoulder, poses, "Serratus*", wrapping=wrapping, progress=False)
        rows += [{"muscle": muscle, "path": wrapping, **row} for muscle, row in polynomials.summary().iterrows()]
    jumps = pd.DataFrame(rows).drop(columns=["variables", "degree"]).astype({"terms": int})
    jumps.to_csv(folder / "jumps.csv", index=False)
    print(jumps.to_string(float_format="{:.2f}".format))
    write_section("jumps", markdown(jumps.sort_values("muscle", kind="stable").set_index("muscle")))

    polynomials = fitted[shoulder.getName(), "quaternion"]
    oi.plotting.plot_moment_arms(polynomials, "SerratusAnterior_M", folder / "serratus_anterior.png", raised)
    draw(curves, folder / "terms.png")


def draw(curves, path):
    """Draw errors against numbers of terms: Euler angles solid, quaternions dashed."""
    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    axis = figure.subplots()
    for i, muscle in enumerate(("SerratusAnterior_M", "DeltoideusScapula_M", "glut_med1_r", "psoas_r")):
        for rotations, style in (("euler", "-"), ("quaternion", "--")):
            errors = curves[muscle, rotations]
            label = f"{muscle}, {rotations}"
            axis.plot(np.arange(1, len(errors) + 1), errors, style, color=f"C{i}", lw=1.2, label=label)
            axis.plot(len(errors), errors[-1], "o", color=f"C{i}", ms=3.5)
    axis.set_yscale("log")
    axis.set_xlabel("terms")
    axis.set_ylabel("RMS error of length and moment arms [mm]")
    axis.grid(axis="y", color="0.9", lw=0.6)
    axis.spines[["top", "right"]].set_visible(False)
    axis.legend(frameon=False, fontsize=8)
    figure.savefig(path, dpi=160)


if __name__ == "__main__":
    main()
