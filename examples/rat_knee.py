"""The inertia of a rat's biceps femoris at the knee, over bare bones and over a fleshed shank and foot.

Pai (2010, "Muscle mass in musculoskeletal models") says that the biceps femoris posterior has 45 % of the inertia of
the shank's bones about the knee. This is a made-up knee with measured muscles, which shows how much of that number is
the muscle and how much is what it is compared with. Nothing of Pai's model is in it.

* Muscles' masses: Johnson et al. 2011 (IEEE Trans Biomed Eng 58:3328); of the biceps also Eng et al. 2008 (J Exp Biol
  211:2336), who have both heads, 2.67 g. Moment arms at a knee of -120 degrees, as those of a rat's hindlimb model.
* All muscles run straight from a thigh that is held. Each inserts at its moment arm from the knee's axis, at right
  angles, so that its insertion moves along the path: its inertia is m r^2 / 3 exactly.
* Lengths: shank 40 mm, foot 32 mm at right angles to it. Bones and fleshed parts are uniform rods: bones of the shank
  0.45 to 0.8 g, of the foot 0.4 g; with flesh 5.4 and 1.9 g. Gastrocnemii, which lie in the shank, are left out.

The share is that of ``oi.rank_muscles``: what slides, over the effective inertia of the lumped model, here of the shank
and what hangs on it.
"""

import opensim as osim
import pandas as pd
from common import output_folder

import opensim_inertia as oi

MUSCLES = {  # mass [g], moment arm at the knee [mm]
    "biceps_femoris_posterior": (1.655, 13.8),
    "semitendinosus": (0.884, 15.0),
    "gracilis_posterior": (0.246, 12.3),
    "gracilis_anterior": (0.168, 9.4),
    "quadriceps": (2.590, 3.7),
    "semimembranosus": (1.291, 3.9),
}
BICEPS = "biceps_femoris_posterior"
BOTH_HEADS = 2.67  # g, of the biceps
SHANK, FOOT = 40.0, 32.0  # mm
SHANKS = {  # masses of shank and foot [g]
    "bones of the shank, 0.45 g": (0.45, 0.0),
    "bones of the shank, 0.8 g": (0.8, 0.0),
    "bones of shank and foot, 0.45 and 0.4 g": (0.45, 0.4),
    "bones of shank and foot, 0.8 and 0.4 g": (0.8, 0.4),
    "shank and foot with flesh, 5.4 and 1.9 g": (5.4, 1.9),
}
PATH, SLACK = 0.04, 0.005  # m, of the muscles' paths and tendons


def knee(shank_mass, foot_mass):
    """Return a model of a held thigh, and a shank with its foot on a hinge; masses in grams."""
    model = osim.Model()
    model.setName("rat_knee")
    thigh = osim.Body("thigh", 0.03, osim.Vec3(-PATH / 2, 0, 0), osim.Inertia(1e-5, 1e-5, 1e-5))
    shank_length, foot_length = SHANK / 1000, FOOT / 1000
    m, f = shank_mass / 1000, foot_mass / 1000
    about_knee = m * shank_length**2 / 3 + f * (shank_length**2 + foot_length**2 / 3)
    down = (m * shank_length / 2 + f * shank_length) / (m + f)
    forward = f * foot_length / 2 / (m + f)
    inertia = about_knee - (m + f) * (down**2 + forward**2)
    shank = osim.Body("shank", m + f, osim.Vec3(forward, -down, 0), osim.Inertia(inertia, inertia, inertia))
    model.addBody(thigh)
    model.addBody(shank)
    model.addJoint(osim.WeldJoint("held", model.getGround(), thigh))
    model.addJoint(osim.PinJoint("knee", thigh, osim.Vec3(0), osim.Vec3(0), shank, osim.Vec3(0), osim.Vec3(0)))
    model.updCoordinateSet().get(0).setName("knee_angle")
    for name, (_, arm) in MUSCLES.items():
        side = 1 if name == "quadriceps" else -1
        muscle = osim.Thelen2003Muscle(name, 10.0, PATH - SLACK, SLACK, 0.0)
        muscle.addNewPathPoint("origin", thigh, osim.Vec3(-PATH, side * arm / 1000, 0))
        muscle.addNewPathPoint("insertion", shank, osim.Vec3(0, side * arm / 1000, 0))
        model.addForce(muscle)
    model.finalizeConnections()
    return model


def shares(shank_mass, foot_mass, biceps):
    """Return the shares [%] of the knee's inertia that the biceps and all thigh muscles make, and its band."""
    masses = {name: biceps if name == BICEPS else mass for name, (mass, _) in MUSCLES.items()}
    table = pd.DataFrame({"muscle": list(masses), "mass": [m / 1000 for m in masses.values()], "segment": "thigh"})
    inertial = oi.InertialModel(knee(shank_mass, foot_mass), table)
    ranking = oi.rank_muscles(inertial, inertial.initial_state())
    row = ranking.sliding.loc["knee_angle"]
    own = ranking.sliding_by_muscle.loc[BICEPS, "knee_angle"]
    return {
        "inertia [g cm^2]": 1e7 * row["inertia"],
        "biceps [%]": 100 * own,
        "thigh muscles [%]": 100 * row["share"],
        "lower [%]": 100 * row["lower"],
        "upper [%]": 100 * row["upper"],
    }


def main():
    folder = output_folder("rat_knee")
    rows = {
        (name, biceps): shares(*masses, biceps)
        for name, masses in SHANKS.items()
        for biceps in (MUSCLES[BICEPS][0], BOTH_HEADS)
    }
    table = pd.DataFrame(rows).T.rename_axis(["over", "biceps [g]"])
    print(table.round(2).to_string())
    table.to_csv(folder / "rat_knee.csv")
    print("wrote", folder / "rat_knee.csv")


if __name__ == "__main__":
    main()
