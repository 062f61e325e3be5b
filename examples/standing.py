"""Standing in the frontal plane on delayed feedback, and a shove (Bunderson et al. 2012, figure 3).

A trunk on two legs, 75 kg. The torque of each hip follows the hip's angle and rate 120 ms earlier, by the paper's
gains. With feet on pins the rightmost root says at which stances that holds the body up: too narrow fails by gain, too
wide by delay. With feet on frictional ground a shove of 30 ms makes a foot slip, and one of 50 ms makes it step.
"""

import sys

import numpy as np
import pandas as pd
from common import output_folder
from matplotlib.figure import Figure
from models.hip_feedback import DELAY, hip_feedback, shove
from models.standing import BODY_MASS, standing

import opensim_inertia as oi
from opensim_inertia.analyses.stability.result import stability_map

STANCES = (0.20, 0.26, 0.334, 0.45, 0.60)  # m
STANCE = 0.45
SHOVES = {"30 ms": 0.030, "50 ms": 0.050}  # s
START = 0.1  # s
WEIGHT = 9.80665 * BODY_MASS
SLIPPED, LIFTED, PINNED = "#E69F00", "#D55E00", "0.6"


def draw_maps(maps, gains, delays):
    """Draw growth rates (D, G) [1/s] of each stance over gain and delay [s]; the line is where growth is zero."""
    figure = Figure(figsize=(2.4 + 2.5 * len(maps), 3.4), layout="constrained")
    axes = figure.subplots(1, len(maps), sharey=True, squeeze=False)[0]
    largest = min(max(float(np.nanpercentile(np.abs(growth), 90)) for growth in maps.values()), 10.0)
    for axis, (title, growth) in zip(axes, maps.items(), strict=True):
        colours = {"cmap": "PuOr_r", "vmin": -largest, "vmax": largest, "shading": "gouraud"}
        mesh = axis.pcolormesh(gains, 1e3 * delays, growth, **colours)
        if growth.min() < 0 < growth.max():
            axis.contour(gains, 1e3 * delays, growth, [0.0], colors="0.25", linewidths=1.2)
        axis.plot(1.0, 1e3 * DELAY, "o", color="#009E73", markeredgecolor="white", markersize=7)
        axis.set_title(title, fontsize=9)
        axis.set_xlabel("gain")
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel("delay [ms]")
    figure.colorbar(mesh, ax=list(axes), extend="both", label="growth of the fastest change [1/s]")
    return figure


def linear(stance):
    """Return the linearization of the model on pins, with the feedback."""
    inertial = oi.InertialModel(standing(stance, "pinned"), {})
    return oi.linearize(inertial, inertial.initial_state(), control=hip_feedback(stance))


def shoved(feet, seconds, end):
    """Return the trajectory after a shove."""
    inertial = oi.InertialModel(standing(STANCE, feet), {})
    return oi.simulate(
        oi.Problem(
            inertial,
            inertial.initial_state(),
            end,
            excitations=shove(START, START + seconds),
            control=hip_feedback(STANCE),
        ),
        report_step=0.002,
    )


def draw(trajectories, pinned, events):
    """Draw ground reactions, hip torques and sway, one column for each shove."""
    figure = Figure(figsize=(9.0, 8.0), layout="constrained")
    axes = figure.subplots(4, len(trajectories), sharex="col", sharey="row", squeeze=False)
    for column, (name, trajectory) in zip(axes.T, trajectories.items(), strict=True):
        forces, torques, sway = trajectory.contacts(), trajectory.controls(), trajectory.coordinates()
        for side, color, what in (("l", "#0072B2", "left"), ("r", "#CC79A7", "right")):
            column[0].plot(forces.index, forces[f"foot_{side}/y"] / WEIGHT, color=color, label=what, lw=1.0)
            column[1].plot(forces.index, forces[f"foot_{side}/x"] / WEIGHT, color=color, lw=1.0)
            column[2].plot(torques.index, torques[f"hip_{side}"], color=color, lw=1.0)
        on_pins = pinned[name]
        column[2].plot(on_pins.times, on_pins.controls()["hip_l"], color=PINNED, ls="--", label="left, feet on pins")
        column[3].plot(sway.index, 1e3 * sway["trunk_x"], color="#009E73", label="feet on the ground")
        column[3].plot(on_pins.times, 1e3 * on_pins.coordinates()["trunk_x"], color=PINNED, ls="--", label="on pins")
        for axis in column:
            axis.axvspan(START, START + SHOVES[name], color="0.9", lw=0)
            axis.spines[["top", "right"]].set_visible(False)
            for kind, color in (("slip", SLIPPED), ("lift", LIFTED)):
                first = events[name].query("event == @kind")["time"]
                if len(first):
                    axis.axvline(first.iloc[0], color=color, lw=1.0, ls=":", label=f"first {kind}")
        column[0].set_title(f"shove of {name}", fontsize=10)
        column[0].set_ylim(-0.05, 2.0)
        column[1].set_ylim(-0.4, 0.4)
        column[3].set_ylim(-50, 300)
        column[3].set_xlabel("time [s]")
    labels = ("upward force\n[body weight]", "sideways force\n[body weight]", "hip torque [N m]", "sway [mm]")
    for axis, label in zip(axes[:, 0], labels, strict=True):
        axis.set_ylabel(label)
    for axis in (axes[0, 1], axes[2, 0], axes[3, 0]):
        axis.legend(frameon=False, fontsize=8)
    return figure


def main(folder, points):
    rows = [(stance, linear(stance).eigenvalues()[0]) for stance in STANCES]
    table = pd.DataFrame([(s, r.real, abs(r.imag)) for s, r in rows], columns=["stance", "growth", "frequency"])
    table.to_csv(folder / "standing_roots.csv", index=False)
    print(table.to_string(index=False, float_format="{:.3f}".format))

    gains, delays = np.linspace(0.2, 2.5, points), np.linspace(0.0, 0.25, points)
    maps = {}
    for stance in STANCES[1:]:
        found = linear(stance)
        maps[f"stance {stance:g} m"] = stability_map(found.A, found.delayed[0], gains, delays)
    draw_maps(maps, gains, delays).savefig(folder / "stability_map.png", dpi=160)

    ends = {"30 ms": 2.0, "50 ms": 0.8}  # s
    trajectories = {name: shoved("contact", seconds, ends[name]) for name, seconds in SHOVES.items()}
    pinned = {name: shoved("pinned", seconds, ends[name]) for name, seconds in SHOVES.items()}
    events = {name: trajectory.contact_events() for name, trajectory in trajectories.items()}
    for name, happened in events.items():
        first = ", ".join(f"{e.contact} {e.event}s {e.time:.3f} s" for e in happened[:4].itertuples())
        print(f"shove of {name}: {first}")
    pd.concat(events, names=["shove"]).to_csv(folder / "standing_events.csv")
    draw(trajectories, pinned, events).savefig(folder / "standing.png", dpi=160)


if __name__ == "__main__":
    main(output_folder("standing"), 41 if "full" in sys.argv[2:] else 11)
