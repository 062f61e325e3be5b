"""A knee that follows splines, moved by Hill muscles, beside a hinge: gap between the bones, and effects of mass.

This is section 4.6 of Wang et al. 2022, figures 11 and 12. The thigh is fixed. The gastrocnemii are excited a little,
soleus and tibialis anterior by how far the ankle is from its neutral angle, and rectus femoris, then semimembranosus by
hand. Hill muscles are OpenSim's Millard2012EquilibriumMuscle with its damped equilibrium.
"""

import numpy as np
import pandas as pd
from common import output_folder
from matplotlib.figure import Figure
from models import muscles_apart
from models.segments import Sizes
from models.spline_knee import (
    PLATEAU,
    build_seated_leg,
    condyle,
    gap,
    knee_masses,
    translation,
)

import opensim_inertia as oi

HEIGHT, MASS = 1.75, 75.0  # m, kg
THIGH = Sizes(HEIGHT, MASS).length("femur_r")
TIME = 1.0  # s
QUIET, CALVES = 0.01, 0.03  # excitations of muscles at rest, and of the gastrocnemii
GAIN = 2.0  # excitation per rad between the ankle and its neutral angle
BURSTS = {"rect_fem_r": (0.05, 0.35, 0.35), "semimem_r": (0.40, 0.70, 0.30)}  # from [s], until [s], excitation
RISE = 0.05  # s
ANKLE = np.radians(-4.5)  # where it starts
FRONT = 0.022  # radius of the femur before the knee [m], for the picture
COLOURS = {"lumped": "0.25", "revolute": "#0072B2", "spline": "#D55E00"}


def burst(time, start, end, height):
    """Return an excitation that rises, stays, and falls."""
    return height * np.clip((time - start) / RISE, 0, 1) * np.clip((end - time) / RISE, 0, 1)


def excitations(state):
    """Return the excitations of all six muscles, from the time and the ankle's angle [rad]."""
    time, ankle = state.getTime(), state.getQ().get(1)
    given = {name: QUIET + burst(time, *values) for name, values in BURSTS.items()}
    given |= {"gasmed_r": CALVES, "gaslat_r": CALVES}
    given |= {"tib_ant_r": np.clip(-GAIN * ankle, QUIET, 1), "soleus_r": np.clip(GAIN * ankle, QUIET, 1)}
    return given


def simulate(knee, with_masses):
    """Simulate the motion, with inertial muscles or with their mass in the bones."""
    leg = build_seated_leg(knee, HEIGHT, MASS)
    inertial = oi.InertialModel(*(muscles_apart(leg, knee_masses()) if with_masses else (leg, {})), "rigid_tendon")
    assert inertial.coordinate_names == ("knee_angle_r", "ankle_angle_r")
    state = inertial.initial_state()
    inertial.model.getCoordinateSet().get("ankle_angle_r").setValue(state, ANKLE)
    problem = oi.Problem(inertial, state, TIME, excitations=excitations, equilibrate=True)
    return oi.simulate(problem, oi.integrators.RungeKutta45(accuracy=1e-5), report_step=0.01, progress=False)


def turned(points, angle):
    """Turn points (n, 2) of the tibia's frame into the femur's."""
    c, s = np.cos(angle), np.sin(angle)
    return points @ np.array([[c, s], [-s, c]])


def draw(axis, knee, angles):
    """Draw the condyle, and the tibia's end at some knee angles, in the femur's frame [mm]."""
    back = condyle(np.radians(np.linspace(-118, 8, 80)), THIGH)
    around = np.radians(np.linspace(8, 100, 30))  # an arc that goes on where the condyle is not touched
    front = back[-1] + FRONT * np.stack([np.sin(around) - np.sin(around[0]), np.cos(around[0]) - np.cos(around)], 1)
    shaft = np.array([[0.016, 0.062], [-0.010, 0.062]])
    axis.fill(*(1e3 * np.concatenate([back, front, shaft])).T, fc="0.9", ec="0.4", lw=1.2)
    tibia = np.array([[-0.024, 0.0], [0.024, 0.0], [0.012, -0.035], [-0.012, -0.035]]) - [0, PLATEAU * THIGH]
    shades = np.linspace(0.35, 1.0, len(angles))
    for angle, shade in zip(np.radians(angles), shades, strict=True):
        at = translation([angle], THIGH)[0] if knee == "spline" else np.zeros(2)
        axis.fill(*(1e3 * (turned(tibia, angle) + at)).T, fc=COLOURS[knee], ec="none", alpha=0.18 * shade)
        axis.plot(*(1e3 * (turned(tibia[:2], angle) + at)).T, color=COLOURS[knee], lw=2, alpha=shade)
    axis.set_aspect("equal")
    axis.set_xlim(-78, 48)
    axis.set_ylim(-74, 64)
    axis.axis("off")


def main():
    folder = output_folder("spline_knee")
    runs = {
        "spline": simulate("spline", True),
        "lumped": simulate("spline", False),
        "revolute": simulate("revolute", True),
    }
    coordinates = {name: run.coordinates() for name, run in runs.items()}
    labels = {"spline": "spline knee, inertial muscles", "lumped": "spline knee, lumped"}
    labels |= {"revolute": "revolute knee, inertial muscles"}
    times = runs["spline"].times
    opened = 1e3 * gap(coordinates["revolute"]["knee_angle_r"], "revolute", THIGH)  # mm

    figure = Figure(figsize=(13.5, 6.2), layout="constrained")
    (a, b, c, f), (d, e, g, h) = figure.subplots(2, 4, height_ratios=[1.15, 1])
    poses = (-10, -60, -110)
    draw(a, "spline", poses)
    a.set_title("spline knee, flexed by 10, 60, 110 deg", fontsize=10)
    draw(b, "revolute", poses)
    b.set_title("revolute knee: the tibia leaves the femur", fontsize=10)
    angles = np.linspace(-120, 10, 131)
    for knee in ("spline", "revolute"):
        c.plot(angles, 1e3 * gap(np.radians(angles), knee, THIGH), color=COLOURS[knee], lw=1.8, label=f"{knee} knee")
    c.set(title="gap between femur and tibia", xlabel="knee angle [deg]", ylabel="[mm]")
    c.legend(frameon=False, fontsize=8)
    for axis, name in ((d, "knee_angle_r"), (e, "ankle_angle_r")):
        for run in ("revolute", "lumped", "spline"):
            axis.plot(times, np.degrees(coordinates[run][name]), color=COLOURS[run], lw=1.6, label=labels[run])
        axis.set(title=name.replace("_r", "").replace("_", " "), xlabel="time [s]", ylabel="[deg]")
    d.legend(frameon=False, fontsize=8, loc="upper right")
    d.set_ylim(top=45)
    for name, colour in (("rect_fem_r", "#009E73"), ("semimem_r", "#CC79A7")):
        f.plot(times, 100 * (QUIET + burst(times, *BURSTS[name])), color=colour, lw=1.6, label=name)
    ankle = coordinates["spline"]["ankle_angle_r"].to_numpy()
    f.plot(times, 100 * np.clip(-GAIN * ankle, QUIET, 1), color="#56B4E9", lw=1.6, label="tib_ant_r (controlled)")
    f.plot(times, 100 * np.full(len(times), CALVES), color="0.5", lw=1.6, label="gasmed_r, gaslat_r")
    f.set(title="excitations", xlabel="time [s]", ylabel="[%]", ylim=(0, 50))
    f.legend(frameon=False, fontsize=8, ncols=2, loc="upper right", handlelength=1.2, columnspacing=1)
    change = np.degrees(coordinates["spline"] - coordinates["lumped"])
    for name, colour in (("knee_angle_r", "#D55E00"), ("ankle_angle_r", "#E69F00")):
        g.plot(times, change[name], color=colour, lw=1.6, label=name.replace("_r", "").replace("_", " "))
    g.set(title="inertial minus lumped", xlabel="time [s]", ylabel="[deg]")
    g.legend(frameon=False, fontsize=8)
    h.plot(times, opened, color=COLOURS["revolute"], lw=1.6, label="revolute knee")
    h.plot(times, 0 * opened, color=COLOURS["spline"], lw=1.6, label="spline knee")
    h.set(title="gap in this motion", xlabel="time [s]", ylabel="[mm]")
    h.legend(frameon=False, fontsize=8, loc="upper left")
    for axis in (c, d, e, f, g, h):
        axis.spines[["top", "right"]].set_visible(False)
        axis.margins(x=0)
        axis.axhline(0, color="0.8", lw=0.6, zorder=0)
    figure.savefig(folder / "spline_knee.png", dpi=120)

    table = pd.DataFrame({labels[k]: np.degrees(v["knee_angle_r"]) for k, v in coordinates.items()})
    table["gap of the revolute knee [mm]"] = opened
    table.to_csv(folder / "spline_knee.csv")
    for name, run in coordinates.items():
        knee = np.degrees(run["knee_angle_r"])
        print(f"{labels[name]}: knee from {knee.iloc[0]:.1f} to {knee.max():.1f} to {knee.min():.1f} deg")
    knee, ankle = np.abs(change).max()
    print(f"inertial against lumped: knee by up to {knee:.1f} deg, ankle by up to {ankle:.1f} deg")
    print(f"revolute knee: a gap of {opened.max():.1f} mm in this motion")
    print("wrote", folder / "spline_knee.png")


if __name__ == "__main__":
    main()
