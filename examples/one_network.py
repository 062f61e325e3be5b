"""One network for every cylinder: double pendulums of various shapes whose muscles it leads.

As Wang et al. 2022, figure 7: origin, insertion, radius and rotation of the cylinder vary, the network does not. Beside
them a pendulum whose muscle has its mass fixed to the rods, half to either.
"""

import opensim_inertia as oi

# isort: split
import numpy as np
from common import output_folder
from double_pendulum import LENGTH, drift, energies, make_pendulum, put, simulate
from matplotlib import colormaps
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from scipy.spatial import ConvexHull

WIDTH, MASS = 0.12, 1.2  # of the cylinder as drawn [m], of the muscle [kg]
FIRST = {"origin": (0.12, 0.10, 0.0), "insertion": (0.11, -0.14, 0.0), "radius": 0.06, "turned": 0.0}
PENDULUMS = {
    "one pendulum": {},
    "another origin": {"origin": (0.18, 0.02, 0.0)},
    "another insertion": {"insertion": (0.15, -0.20, 0.0)},
    "a larger radius": {"radius": 0.09},
    "a turned cylinder": {"turned": 0.8},
}
START = [0.8, 0.1, 0.0, 0.0]  # angles of both pins [rad] and their speeds
TIMES = np.linspace(0.0, 0.8, 5)  # of the poses shown [s]
SHADES = colormaps["viridis"](np.linspace(0.9, 0.05, len(TIMES)))


def pendulum(masses, origin, insertion, radius, turned):
    """One of the pendulums, its rods of these masses [kg]."""
    return make_pendulum(masses, ((-0.8, 0.8), (-0.7, 0.1)), origin, insertion, radius, 1.0, turned)


def move(model, inertial=None):
    """The motion from START, with the muscle's inertia if an inertial model is given."""
    return simulate(model, START, TIMES[-1], inertial, rtol=1e-7, atol=1e-9, dense_output=True)


def joints(q):
    """Places of the pins and of the second rod's end in the plane (3, ..., 2) at angles (..., 2)."""
    a, b = q[..., 0], q[..., 0] + q[..., 1]
    elbow = LENGTH * np.stack([np.sin(a), -np.cos(a)], axis=-1)
    return np.stack([0 * elbow, elbow, elbow + LENGTH * np.stack([np.sin(b), -np.cos(b)], axis=-1)])


def silhouette(q, radius, turned):
    """The cylinder as seen from the front (n, 2)."""
    around = np.linspace(0, 2 * np.pi, 60)
    ring = np.stack([radius * np.cos(around) * np.cos(turned), radius * np.sin(around)], axis=1)
    ends = np.concatenate([ring + [side * WIDTH / 2 * np.sin(turned), 0] for side in (-1, 1)])
    outline = ends[ConvexHull(ends).vertices]
    c, s = np.cos(q[0]), np.sin(q[0])
    return joints(q)[1] + outline @ np.array([[c, s], [-s, c]])


def draw(axis, motion, last_of, shape, muscle):
    """Poses at TIMES, the later the darker, and the last one of another motion, dashed."""
    fine = np.linspace(*TIMES[[0, -1]], 200)
    axis.plot(*joints(motion.sol(fine)[:2].T)[2].T, "-", color="0.75", lw=1, zorder=1)
    if last_of is not None:
        axis.plot(*joints(last_of.y[:2, -1]).T, "--o", color="0.35", lw=1.2, ms=3, zorder=30)
    for i, (t, shade) in enumerate(zip(TIMES, SHADES, strict=True)):
        y = motion.sol(t)
        pale = 0.45 * np.array(shade[:3]) + 0.55
        axis.plot(*joints(y[:2]).T, "-o", color=pale, lw=5, ms=6, solid_capstyle="round", zorder=3 + 3 * i)
        if shape is not None:
            outline = silhouette(y[:2], shape["radius"], shape["turned"])
            axis.add_patch(Polygon(outline, fc="0.95", ec=pale, lw=1.2, alpha=0.9, zorder=4 + 3 * i))
        muscle(axis, y, shade, 5 + 3 * i)
    axis.set_aspect("equal")
    axis.set_xlim(-0.7, 0.68)
    axis.set_ylim(-0.84, 0.16)
    axis.axis("off")


def main():
    folder = output_folder("one_network")
    figure = Figure(figsize=(11, 6), layout="constrained")
    axes = figure.subplots(2, 3).ravel()
    # with its mass fixed to them, the muscle's shape does not matter
    lumped = pendulum((1.0 + MASS / 2, 1.0 + MASS / 2), **FIRST)
    lumped.initSystem()
    fixed = move(lumped)

    def halves(axis, y, shade, order):
        rods = joints(y[:2])
        axis.plot(*((rods[:-1] + rods[1:]) / 2).T, "o", color=shade, ms=11, mec="white", zorder=order)

    for axis, (name, change) in zip(axes, PENDULUMS.items(), strict=False):
        shape = FIRST | change
        inertial = oi.InertialModel(
            pendulum((1.0 + MASS, 1.0), **shape),  # the first rod also carries what the muscle will take
            {"muscle": MASS},
            strain="uniform",
            belly=(0.0, 1.0),
            wrapping="neural",
            strict=True,
        )
        moving = move(inertial.model, inertial)

        def path(axis, y, shade, order, inertial=inertial, shape=shape):
            x = inertial.mass_points(put(inertial.initial_state(), y), jacobians=False)["muscle"].positions[:, :2]
            b = y[0] + y[1]
            turn = np.array([[np.cos(b), -np.sin(b)], [np.sin(b), np.cos(b)]])
            last = joints(y[:2])[1] + turn @ shape["insertion"][:2]
            axis.plot(*np.concatenate([[shape["origin"][:2]], x, [last]]).T, color=shade, lw=2, zorder=order)
            axis.plot(*last, "s", color=shade, ms=4, zorder=order)
            axis.plot(*shape["origin"][:2], "s", color="black", ms=4, zorder=40)

        draw(axis, moving, fixed, shape, path)
        axis.set_title(name, fontsize=11)
        apart = np.linalg.norm(joints(moving.y[:2, -1])[2] - joints(fixed.y[:2, -1])[2])
        print(
            f"{name}: energy changes by {drift(*energies(inertial, moving.y.T)):.1e} of the largest kinetic energy; "
            f"after {TIMES[-1]:g} s the second rod's end is {100 * apart:.0f} cm from where fixed mass leads it"
        )
    draw(axes[-1], fixed, None, None, halves)
    axes[-1].set_title("mass fixed to the rods, half to either", fontsize=11)
    handles = [Line2D([], [], color=shade, lw=3, label=f"{t:.1f} s") for t, shade in zip(TIMES, SHADES, strict=True)]
    label = f"at {TIMES[-1]:.1f} s with the mass fixed to the rods"
    handles.append(Line2D([], [], color="0.35", ls="--", marker="o", ms=3, label=label))
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False)
    figure.savefig(folder / "one_network.png", dpi=100)
    print("wrote", folder / "one_network.png")


if __name__ == "__main__":
    main()
