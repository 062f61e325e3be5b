"""A family of double pendulums with muscles that wrap over cylinders of various shapes.

This is figure 7 of Wang et al. 2022: both bones and the muscle have the same mass, while origin, insertion, radius and
rotation of the cylinder vary. Beside them a pendulum has no muscle, and half of its mass is added to each bone. All
muscles touch the cylinder and lift off again; energy stays. Paths are exact geodesics with a smooth touch
(``wrapping="analytic"``); while the poses last, the network that the package ships leads them as well
(``wrapping="neural"``), as in the paper.
"""

import numpy as np
from common import output_folder
from matplotlib import colormaps
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from models.pendulums import Cylinder, build_pendulum
from scipy.spatial import ConvexHull

import opensim_inertia as oi

PAPER = oi.StrainModel("uniform", belly=(0.0, 1.0))
ROD, MASS, WIDTH = 0.4, 1.0, 0.12  # length of the rods [m]; mass of each and of the muscle [kg]; cylinder as drawn [m]
FIRST = {"origin": (0.12, 0.10, 0.0), "insertion": (0.11, -0.14, 0.0), "radius": 0.06, "turned": 0.0}  # [m], [rad]
FAMILY = {
    "first": {},
    "another origin": {"origin": (0.18, 0.02, 0.0)},
    "another insertion": {"insertion": (0.15, -0.20, 0.0)},
    "larger radius": {"radius": 0.09},
    "turned cylinder": {"turned": 0.8},
}
START = (0.8, 0.1)  # angles of both pins [rad]
RANGES = ((-0.8, 0.8), (-0.9, 0.1))  # [rad]; over these the muscle is watched to learn how it wraps
TIME, POSES = 2.0, (0.0, 0.2, 0.4, 0.6, 0.8)  # s
ACCURACY = {"analytic": 1e-9, "neural": 1e-7}  # of each step
SHADES = colormaps["viridis"](np.linspace(0.9, 0.05, len(POSES)))
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00")


def member(name, wrapping="analytic", smoothing=None):
    """Return one of the family as an inertial model, with the paper's strain model."""
    shape = FIRST | FAMILY[name]
    model, mass = build_pendulum(
        [("ground", shape["origin"]), ("rod2", shape["insertion"])],
        rods=(MASS, MASS),
        muscle=MASS,
        length=ROD,
        cylinder=Cylinder(shape["radius"], shape["turned"]),
        angles=START,
        ranges=RANGES,
    )
    return oi.InertialModel(model, mass, PAPER, wrapping=oi.Wrapping(wrapping, smoothing, strict=True))


def lumped():
    """Return the pendulum without a muscle, with half of its mass on each rod."""
    rods = (1.5 * MASS, 1.5 * MASS)
    return oi.InertialModel(*build_pendulum([], rods=rods, length=ROD, angles=START))


def run(inertial, end=TIME, accuracy=ACCURACY["analytic"]):
    """Simulate with states 10 ms apart."""
    return oi.simulate(oi.Problem(inertial, t_final=end), oi.integrators.DOP853(accuracy=accuracy), report_step=0.01)


def drift(motion):
    """Return the change of the total energy since the start over the largest kinetic energy, (T,)."""
    energy = motion.energy()
    return (energy["total"] - energy["total"].iloc[0]) / energy["kinetic"].max()


def joints(angles):
    """Return both pins and the second rod's end in the plane (3, ..., 2) [m] at angles (..., 2)."""
    a, b = angles[..., 0], angles[..., 0] + angles[..., 1]
    elbow = ROD * np.stack([np.sin(a), -np.cos(a)], axis=-1)
    return np.stack([0 * elbow, elbow, elbow + ROD * np.stack([np.sin(b), -np.cos(b)], axis=-1)])


def silhouette(angles, radius, turned):
    """Return the cylinder's outline seen along z (n, 2) [m]."""
    around = np.linspace(0, 2 * np.pi, 60)
    ring = radius * np.stack([np.cos(around) * np.cos(turned), np.sin(around)], axis=1)
    both = np.concatenate([ring + [side * WIDTH / 2 * np.sin(turned), 0] for side in (-1, 1)])
    outline = both[ConvexHull(both).vertices]
    c, s = np.cos(angles[0]), np.sin(angles[0])
    return joints(angles)[1] + outline @ np.array([[c, s], [-s, c]])


def draw(axis, motion, shape=None):
    """Draw poses at POSES, later ones darker, over the way of the second rod's end."""
    angles = motion.coordinates().to_numpy()
    axis.plot(*joints(angles[motion.times <= POSES[-1] + 1e-9])[2].T, "-", color="0.8", lw=1)
    states = {round(state.getTime(), 9): i for i, state in enumerate(motion.states())}
    for order, (t, shade) in enumerate(zip(POSES, SHADES, strict=True)):
        q = angles[states[t]]
        pale = 0.4 * shade[:3] + 0.6
        axis.plot(*joints(q).T, "-o", color=pale, lw=5, ms=6, solid_capstyle="round", zorder=3 * order)
        if shape is None:
            middles = (joints(q)[:-1] + joints(q)[1:]) / 2
            axis.plot(*middles.T, "o", color=shade, ms=9, mec="white", zorder=3 * order + 2)
            continue
        outline = silhouette(q, shape["radius"], shape["turned"])
        axis.add_patch(Polygon(outline, fc="0.95", ec=pale, lw=1.2, alpha=0.9, zorder=3 * order + 1))
        c, s = np.cos(q.sum()), np.sin(q.sum())
        last = joints(q)[1] + np.array([[c, -s], [s, c]]) @ shape["insertion"][:2]
        x = np.concatenate([[shape["origin"][:2]], points(motion, states[t]), [last]])
        axis.plot(*x.T, "-", color=shade, lw=2, zorder=3 * order + 2)
        axis.plot(*last, "s", color=shade, ms=4, zorder=3 * order + 2)
    if shape is not None:
        axis.plot(*shape["origin"][:2], "s", color="black", ms=4, zorder=3 * len(POSES))
    axis.set_aspect("equal")
    axis.set_xlim(-0.74, 0.68)
    axis.set_ylim(-0.84, 0.14)
    axis.axis("off")


def points(motion, index):
    """Return the muscle's line in the plane (n, 2) [m] at one of the motion's states."""
    for i, state in enumerate(motion.states()):
        if i == index:
            return motion.inertial.mass_points(state, jacobians=False)["muscle"].positions[:, :2]
    raise IndexError(index)


def main():
    folder = output_folder("wrapped_pendulums")
    figure = Figure(figsize=(11, 8.4), layout="constrained")
    grid = figure.add_gridspec(3, 6, height_ratios=[1, 1, 0.9])
    elbows, energies = figure.add_subplot(grid[2, :3]), figure.add_subplot(grid[2, 3:])
    fixed = run(lumped())
    for i, name in enumerate([*FAMILY, "lumped"]):
        axis = figure.add_subplot(grid[i // 3, 2 * (i % 3) : 2 * (i % 3) + 2])
        if name == "lumped":
            draw(axis, fixed)
            axis.set_title("no muscle: half of its mass on each bone", fontsize=10)
            elbows.plot(np.degrees(fixed.coordinates()["elbow"]), "--", color="0.3", lw=1.8)
            print(f"lumped: energy changes by {np.abs(drift(fixed)).max():.1e} of the largest kinetic energy")
            break
        motion = run(member(name))
        draw(axis, motion, FIRST | FAMILY[name])
        axis.set_title(name, fontsize=10, color=COLOURS[i])
        elbow = motion.coordinates()["elbow"]
        change = drift(motion).abs()
        elbows.plot(np.degrees(elbow), "-", color=COLOURS[i], lw=1.4)
        energies.semilogy(change.iloc[1:], "-", color=COLOURS[i], lw=1.2)
        network = run(member(name, wrapping="neural"), POSES[-1], ACCURACY["neural"])
        learnt = network.coordinates()["elbow"]
        elbows.plot(np.degrees(learnt), ":", color="black", lw=1.4)
        apart = np.degrees(np.abs(learnt.to_numpy() - elbow.to_numpy()[: len(learnt)]).max())
        print(
            f"{name}: energy changes by {change.max():.1e} of the largest kinetic energy over {TIME:g} s; led by the "
            f"network by {np.abs(drift(network)).max():.1e} over {POSES[-1]:g} s, elbow at most {apart:.2f} degrees off"
        )
    elbows.set_title("elbow: the muscle's place matters", fontsize=10)
    elbows.set_ylabel("angle [deg]")
    handles = [
        Line2D([], [], color="0.3", lw=1.4, label="geodesic"),
        Line2D([], [], color="black", ls=":", lw=1.4, label="network"),
        Line2D([], [], color="0.3", ls="--", lw=1.8, label="no muscle"),
    ]
    elbows.legend(handles=handles, frameon=False, fontsize=8)
    energies.set_title("change of energy, of the largest kinetic energy", fontsize=10)
    energies.set_ylim(1e-15, 1e-5)
    for axis in (elbows, energies):
        axis.set_xlabel("time [s]")
        axis.set_xlim(0, TIME)
        axis.spines[["top", "right"]].set_visible(False)
    handles = [Line2D([], [], color=shade, lw=4, label=f"{t:.1f} s") for t, shade in zip(POSES, SHADES, strict=True)]
    figure.legend(handles=handles, loc="outside upper center", ncols=len(handles), frameon=False)
    figure.savefig(folder / "wrapped_pendulums.png", dpi=110)
    print("wrote", folder / "wrapped_pendulums.png")


if __name__ == "__main__":
    main()
