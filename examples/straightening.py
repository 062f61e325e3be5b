"""Two bones and a muscle of equal masses, released bent, and the time at which they are straight.

This is figure 6 of Wang et al. 2022 (after Pai 2010, figure 2): with the muscle's inertia both angles reach zero at 0.3
s, with its mass lumped into the bones they do not. The paper's text gives neither lengths, angles nor forces. Chosen
here: two uniform rods of 1 kg and of equal length hang from pins; a muscle of 1 kg, uniform along the straight line
from the first pin to the middle of the second rod; gravity of 9.80665 m/s^2, and no other force, the muscle's own
neither; from rest, with the first rod at 45 degrees. Two angles that are zero at one time are two conditions, so two
numbers are solved for, to four digits: the rods' length, which sets the pace, and the second rod's angle, which sets
the mode. The tests solve for them anew, with Lagrange's equations in SciPy.

The lumped models give half of the muscle's mass to each rod, as in the paper's section 4.2 (under gravity alone this
moves as without a muscle), or all of it to the first rod, as in a model whose proximal segment has the muscle's mass.
"""

import numpy as np
from common import output_folder
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from models.pendulums import build_pendulum

import opensim_inertia as oi

LENGTH, MASS = 0.4697, 1.0  # of each rod [m]; of each rod and of the muscle [kg]
INSERTION = LENGTH / 2  # along the second rod [m]
START = (45.0, -135.39)  # degrees
ZERO = 0.3  # s, where both angles are zero
TIME = 0.4  # s
LUMPED = {"half to each bone": (1.5, 1.5), "all to the first bone": (2.0, 1.0)}  # masses of the rods [kg]
COLOURS = {"shoulder": "#0072B2", "elbow": "#D55E00"}
POSES = (0.0, 0.15, 0.3)  # s


def with_muscle(step=None):
    """Simulate with the muscle's inertia; states are ``step`` [s] apart, or where the integrator has them."""
    path = [("ground", (0.0, 0.0, 0.0)), ("rod2", (0.0, -INSERTION, 0.0))]
    ranges = ((-1.0, 1.0), (-2.5, 0.5))
    model, mass = build_pendulum(path, length=LENGTH, muscle=MASS, angles=np.radians(START), ranges=ranges)
    return run(oi.InertialModel(model, mass, oi.StrainModel("uniform", belly=(0.0, 1.0))), step)


def without_muscle(rods, step=None):
    """Simulate rods that have these masses [kg]."""
    return run(oi.InertialModel(*build_pendulum([], rods=rods, length=LENGTH, angles=np.radians(START))), step)


def run(inertial, step):
    return oi.simulate(oi.Problem(inertial, t_final=TIME), oi.integrators.DOP853(accuracy=1e-10), report_step=step)


def places(angles):
    """Return the places of first pin, second pin, second rod's end and insertion (4, 2) at angles [deg]."""
    a, b = np.radians([angles[0], angles[0] + angles[1]])
    elbow = LENGTH * np.array([np.sin(a), -np.cos(a)])
    along = np.array([np.sin(b), -np.cos(b)])
    return np.stack([0 * elbow, elbow, elbow + LENGTH * along, elbow + INSERTION * along])


def draw_poses(axis, angles, lumped):
    """Draw the rods at POSES, side by side, and the lumped ones' last pose beside the last."""
    for i, t in enumerate(POSES):
        shift = [0.52 * i, 0.0]
        if t == ZERO:
            x = places(lumped.loc[t].to_numpy()) + shift
            axis.plot(*x[:3].T, ":o", color="0.35", lw=1.8, ms=4)
            axis.annotate("lumped", x[1], (6, 0), textcoords="offset points", color="0.35", va="center")
        x = places(angles.loc[t].to_numpy()) + shift
        axis.plot(*x[:3].T, "-o", color="0.7", lw=7, ms=9, solid_capstyle="round")
        axis.plot(*x[[0, 3]].T, "-", color="#B22222", lw=2.5)
        axis.plot(*x[[0, 3]].T, "s", color="#B22222", ms=4)
        axis.text(shift[0], 0.06, f"{t:g} s", ha="center")
    axis.set_aspect("equal")
    axis.axis("off")


def main():
    folder = output_folder("straightening")
    motions = {"muscle's inertia": with_muscle(0.005)}
    motions |= {f"lumped, {name}": without_muscle(rods, 0.005) for name, rods in LUMPED.items()}
    angles = {name: np.degrees(motion.coordinates()) for name, motion in motions.items()}
    for table in angles.values():
        table.index = table.index.to_numpy().round(9)
    for name, table in angles.items():
        shoulder, elbow = table.loc[ZERO]
        print(f"{name}: at {ZERO} s the shoulder is at {shoulder:.3f} and the elbow at {elbow:.3f} degrees")
    inertial, half, first = angles.values()
    figure = Figure(figsize=(10, 4), layout="constrained")
    left, axis = figure.subplots(1, 2, width_ratios=[1, 1])
    draw_poses(left, inertial, half)
    left.set_title("two bones and a muscle, 1 kg each, released bent", fontsize=11, pad=18)
    axis.axhline(0, color="0.8", lw=0.8)
    axis.axvline(ZERO, color="0.8", lw=0.8)
    for name, colour in COLOURS.items():
        axis.plot(inertial[name], "-", color=colour, lw=2)
        axis.plot(half[name], ":", color=colour, lw=2)
        axis.plot(first[name], "--", color=colour, lw=0.9, alpha=0.7)
        axis.annotate(name, (0.02, inertial[name].iloc[0]), (0, 6), textcoords="offset points", color=colour)
    axis.plot(ZERO, 0, "o", color="black", ms=5, zorder=5)
    styles = {"muscle's inertia": ("-", 2), "half to each bone": (":", 2), "all to the first bone": ("--", 0.9)}
    handles = [Line2D([], [], color="0.25", ls=ls, lw=lw, label=label) for label, (ls, lw) in styles.items()]
    axis.legend(handles=handles, frameon=False, loc="lower right")
    axis.set_title(f"both angles are zero at {ZERO} s only with the muscle's inertia", fontsize=11, pad=18)
    axis.set_xlabel("time [s]")
    axis.set_ylabel("angle [deg]")
    axis.set_xlim(0, TIME)
    axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(folder / "straightening.png", dpi=120)
    print("wrote", folder / "straightening.png")


if __name__ == "__main__":
    main()
