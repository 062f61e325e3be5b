"""A double pendulum with a muscle that touches a cylinder: energy on the exact path and with a smooth touch.

This is figure 4 of Wang et al. 2022: where a taut string touches, its mass changes its velocity at once, and energy
jumps, whatever the integrator does.
"""

import itertools

import numpy as np
from common import output_folder
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from models.pendulums import Cylinder, build_pendulum

import opensim_inertia as oi

LENGTH, RADIUS, MASS = 0.4, 0.04, 0.8  # of rods [m], cylinder [m] and muscle [kg]
ORIGIN, INSERTION = (0.05, 0.06), (0.03, -0.12)  # on ground and on the second rod [m]
START = (0.3, -0.6)  # angles of both pins [rad]
TIME = 2.0  # s
PATHS = {"exact path": 0.0, "smooth touch": None}  # half width of the transition; None: the belly's half thickness
COLOURS = {"kinetic": "#0072B2", "potential": "#D55E00", "total": "#E69F00"}


def pendulum(smoothing):
    """Return two rods of 1 kg and a muscle with a smooth touch of this half width [m]."""
    path = [("ground", (*ORIGIN, 0.0)), ("rod2", (*INSERTION, 0.0))]
    model, mass = build_pendulum(path, muscle=MASS, length=LENGTH, cylinder=Cylinder(RADIUS), angles=START)
    return oi.InertialModel(
        model, mass, oi.StrainModel("uniform", belly=(0.0, 1.0)), wrapping=oi.Wrapping(smoothing=smoothing)
    )


def places(states):
    """Return the places of cylinder, insertion and the second rod's end in the plane, each (T, 2)."""
    a, b = states[:, 0], states[:, 0] + states[:, 1]
    turned = [np.stack([-np.sin(b), np.cos(b)]), np.stack([np.cos(b), np.sin(b)])]
    centre = LENGTH * np.stack([np.sin(a), -np.cos(a)])
    insertion = centre + turned[1] * INSERTION[0] + turned[0] * INSERTION[1]
    return centre.T, insertion.T, (centre - LENGTH * turned[0]).T


def touching(states):
    """Return whether the straight line between the muscle's ends would cut the cylinder, (T,)."""
    centre, insertion, _ = places(states)
    a, b = ORIGIN - centre, insertion - centre
    return (b[:, 0] * a[:, 1] - b[:, 1] * a[:, 0]) < RADIUS * np.linalg.norm(b - a, axis=1)


def draw_pendulum(axis, motion, index):
    """Draw the pendulum at one state of the motion, with its mass points along the muscle."""
    centre, insertion, end = (x[index] for x in places(motion.y))
    axis.plot(*np.stack([np.zeros(2), centre, end]).T, "-o", color="0.55", lw=5, ms=8, solid_capstyle="round")
    axis.add_patch(Circle(centre, RADIUS, fc="0.85", ec="0.4", zorder=3))
    state = next(itertools.islice(motion.states(), index, None))
    x = motion.inertial.mass_points(state)["muscle"].positions[:, :2]
    axis.plot(*np.concatenate([[ORIGIN], x, [insertion]]).T, "-", color="#B22222", lw=1.5, zorder=4)
    axis.plot(*x.T, "o", color="#B22222", ms=4, zorder=4)
    axis.plot(*np.stack([ORIGIN, insertion]).T, "s", color="black", ms=4, zorder=5)
    axis.set_aspect("equal")
    axis.axis("off")


def main():
    folder = output_folder("touch_energy")
    figure = Figure(figsize=(10, 3.6), layout="constrained")
    left, *axes = figure.subplots(1, 3, width_ratios=[0.5, 1, 1])
    for axis, (name, smoothing) in zip(axes, PATHS.items(), strict=True):
        motion = oi.simulate(
            oi.Problem(pendulum(smoothing), t_final=TIME), oi.integrators.DOP853(step=0.01, accuracy=1e-10)
        )
        times, states, energy = motion.times, motion.y, motion.energy()
        kinetic, potential = energy["kinetic"].to_numpy(), energy["potential"].to_numpy(copy=True)
        potential += 1.0 - (kinetic + potential)[0]  # its zero, so that all begins at 1 J
        on, total = touching(states), kinetic + potential
        change = np.abs(total - total[0]).max() / kinetic.max()
        met = np.count_nonzero(on[1:] & ~on[:-1])
        print(f"{name}: {met} touches, energy changes by {change:.1e} of the largest kinetic energy")
        for label, values in (("kinetic", kinetic), ("potential", potential), ("total", total)):
            axis.plot(times, values, color=COLOURS[label], lw=1.8, label=label)
        band = {"transform": axis.get_xaxis_transform(), "color": "0.92", "lw": 0, "zorder": 0}
        axis.fill_between(times, 0, 1, where=on, label="muscle on the cylinder", **band)
        axis.set_title(f"{name}: total energy changes\nby {change:.2g} of the largest kinetic energy", fontsize=10)
        axis.set_xlabel("time [s]")
        axis.set_xlim(0, TIME)
        axis.set_xticks(np.arange(0, TIME + 0.1, 0.5))
        axis.spines[["top", "right"]].set_visible(False)
    axes[1].sharey(axes[0])
    axes[0].set_ylabel("energy [J]")
    draw_pendulum(left, motion, int(np.argmin(states[:, 1])))
    left.set_title(f"two rods of 1 kg,\na muscle of {MASS:g} kg", fontsize=10)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False)
    figure.savefig(folder / "touch_energy.png", dpi=120)
    print("wrote", folder / "touch_energy.png")


if __name__ == "__main__":
    main()
