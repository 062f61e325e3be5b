"""Energy of double pendulums with and without the quadratic velocity vector h of the muscle's mass.

This is figure 8 of Wang et al. 2022. In (a, b) the muscle's continuous mass slides past a path point; in (c, d) the
muscle touches and leaves a cylinder, as the first one of ``wrapped_pendulums.py`` does. Bones keep their own quadratic
velocity vector. :func:`oi.simulate` has no switch to leave the muscle's out, so a generalized force of -h cancels it.
The integrators are SDIRK2, as in the paper, and DOP853 with error control: without h they agree on a wrong motion.
"""

import numpy as np
from common import output_folder
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from models.pendulums import build_pendulum
from wrapped_pendulums import MASS, ROD, member

import opensim_inertia as oi

PATH = (("ground", (0.15, 0.10, 0.0)), ("rod1", (0.10, -0.35, 0.0)), ("rod2", (0.08, -0.25, 0.0)))  # [m]
BENT = (1.2, -1.0)  # angles at the start of the pendulum with the path point [rad]
TIME = 2.0  # s
SDIRK2 = oi.integrators.SDIRK2(step=2e-3)
DOP853 = oi.integrators.DOP853(accuracy=1e-7)
COLOURS = {"kinetic": "#0072B2", "potential": "#D55E00", "total": "#E69F00"}


def through_a_point():
    """Return the pendulum with a muscle through a point of the first rod."""
    model, mass = build_pendulum(PATH, rods=(MASS, MASS), muscle=MASS, length=ROD, angles=BENT)
    return oi.InertialModel(model, mass, oi.StrainModel("uniform", belly=(0.0, 1.0)))


def run(inertial, with_h, integrator, end=TIME, report_step=None):
    """Simulate the motion, with the muscle's h or without."""
    without = None if with_h else lambda state: -inertial.evaluate(state).h
    return oi.simulate(oi.Problem(inertial, t_final=end, forces=without), integrator, report_step=report_step)


def drift(energy):
    """Return the largest change of the total energy over the largest kinetic energy."""
    return (energy["total"] - energy["total"].iloc[0]).abs().max() / energy["kinetic"].max()


def main():
    folder = output_folder("energy_with_and_without_qvv")
    models = {"path point": through_a_point(), "wrapping": member("first")}
    figure = Figure(figsize=(10, 6), layout="constrained")
    axes = figure.subplots(2, 2, sharex=True)
    for row, (name, inertial) in zip(axes, models.items(), strict=True):
        shown = []
        for axis, with_h in zip(row, (False, True), strict=True):
            energy = run(inertial, with_h, SDIRK2).energy()
            accurate = run(inertial, with_h, DOP853, report_step=0.02).energy()
            zero = energy["total"].iloc[0]
            for column, colour in COLOURS.items():
                shift = 0.0 if column == "kinetic" else zero  # potential and total energy begin at 0
                axis.plot(energy[column] - shift, color=colour, lw=2.4)
                axis.plot(accurate[column] - shift, ":", color="black", lw=1.1)
                shown.append(energy[column].to_numpy() - shift)
            with_or_without = "with" if with_h else "without"
            print(
                f"{name}, {with_or_without} the muscle's h: the total energy changes by {drift(energy):.1e} (SDIRK2) "
                f"and {drift(accurate):.1e} (DOP853) of the largest kinetic energy"
            )
            change = f"total energy changes by {drift(energy):.1g} of the largest kinetic energy"
            axis.set_title(f"{name}, {with_or_without} the muscle's QVV:\n{change}", fontsize=10)
            axis.spines[["top", "right"]].set_visible(False)
            axis.set_xlim(0, TIME)
        low, high = np.min(np.concatenate(shown)), np.max(np.concatenate(shown))
        for axis in row:
            axis.set_ylim(low - 0.05 * (high - low), high + 0.05 * (high - low))
        row[0].set_ylabel("energy [J]")
        row[1].tick_params(labelleft=False)
    for axis in axes[1]:
        axis.set_xlabel("time [s]")
    handles = [Line2D([], [], color=colour, lw=2.4, label=name) for name, colour in COLOURS.items()]
    handles.append(Line2D([], [], color="black", ls=":", lw=1.1, label="the same by DOP853 with error control"))
    figure.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False)
    figure.savefig(folder / "energy_with_and_without_qvv.png", dpi=120)
    print("wrote", folder / "energy_with_and_without_qvv.png")


if __name__ == "__main__":
    main()
