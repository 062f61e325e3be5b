"""The highest jump: excitations of seven muscles that throw a hopper as high as they can, found through ground contact.

The hopper stands crouched, held by its muscles. The excitations vary; they are linear between seven times from 0 to 0.3
s. The objective is the apex of the centre of mass of bones and muscles, y + v^2 / 2g at 0.3 s, when the feet have left
the ground. A little effort and joints beyond their range (limits are springs) count against it. The gradient goes back
through the contacts, in which the ground's force rises from body weight to two and a half times that, and drops to
nothing within a few steps.

The second argument "full" makes more iterations, with steps of 5 ms.
"""

import sys

import numpy as np
import pandas as pd
from common import output_folder, pytorch
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from models import muscles_apart
from models.hopper import BODY_MASS, MUSCLES, SOLE, hopper, hopper_masses

import opensim_inertia as oi

torch = pytorch()
GRAVITY = 9.80665
TIME = 0.3  # s
NODES = np.linspace(0.0, TIME, 7)  # s
BOUNDS = (0.01, 1.0)
EFFORT = 0.02  # m of height, for all muscles fully excited all the time
RANGE = 5.0  # m of height per rad^2, mean over time
KNEE, ANKLE = 0.0, np.radians(-40.0)  # beyond which knee and ankle are stretched too far
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#E69F00", "#56B4E9", "#CC79A7", "0.35")


def model():
    return oi.InertialModel(*muscles_apart(hopper(), hopper_masses()), "rigid_tendon")  # whose crouch is held


def holding(nodes=NODES):
    """Return the excitations (muscles, nodes) that hold the crouch."""
    return np.repeat([[muscle.hold] for muscle in MUSCLES.values()], len(nodes), axis=1)


def centre_of_mass(inertial):
    """Return a function of the state that gives the height [m] and upward speed [m/s] of the centre of all mass."""

    def function(state):
        mass = inertial.model.getTotalMass(state)
        y = mass * inertial.model.calcMassCenterPosition(state).get(1)
        v = mass * inertial.model.calcMassCenterVelocity(state).get(1)
        for points in inertial.mass_points(state).values():
            y += points.masses @ points.positions[:, 1]
            v += points.masses @ points.velocities[:, 1]
        return np.array([y, v]) / BODY_MASS

    return function


def apex(trajectory, function):
    """Return the height that the centre of mass will reach [m]."""
    y, v = trajectory.of_state(function)
    return y + v * v.abs() / (2 * GRAVITY)


def objective(inertial):
    """Return the objective to minimise: the apex's height, negative, plus effort and joints beyond their range."""
    function = centre_of_mass(inertial)

    def of(trajectory):
        effort = (trajectory.parameters["excitations"] ** 2).mean()
        knee, ankle = trajectory.coordinate("knee_angle"), trajectory.coordinate("ankle_angle")
        beyond = (torch.relu(knee - KNEE) ** 2 + torch.relu(ANKLE - ankle) ** 2).mean()
        return -apex(trajectory, function) + EFFORT * effort + RANGE * beyond

    return of


def simulation(inertial, step=0.01):
    """Return a jump as a differentiable function of excitations."""
    excitations = oi.gradients.Excitations(tuple(MUSCLES), NODES)
    parameters = {"excitations": excitations}
    return oi.DifferentiableSimulation(
        oi.Problem(inertial, t_final=TIME), parameters, oi.integrators.SDIRK2(step=step), progress=False
    )


def optimise(jump, iterations):
    """Find the highest jump within some iterations."""
    start = {"excitations": holding()}
    bounds = {"excitations": BOUNDS}
    return oi.minimise(jump, objective(jump.inertial), start, bounds, iterations=iterations, progress=False)


def course(trajectory):
    """Return height and speed of the centre of mass, and the ground's force under heel and toes [N], over time."""
    inertial = trajectory.inertial
    function, rows = centre_of_mass(inertial), []
    for state in trajectory.states():
        inertial.model.realizeDynamics(state)
        forces = [inertial.model.getForceSet().get(n).getRecordValues(state).get(1) for n in ("heel", "toes")]
        rows.append([*function(state), *forces])
    return pd.DataFrame(rows, index=trajectory.times, columns=["height", "speed", "heel", "toes"])


def draw_pose(axis, inertial, values, shift, colour):
    """Draw leg and trunk from the side, at the true height of the hip."""
    state = inertial.initial_state()
    inertial.coordinates.set_values(state, np.asarray(values))
    inertial.model.realizePosition(state)
    bodies = inertial.model.getBodySet()
    hip, knee, ankle = (bodies.get(n).getPositionInGround(state).to_numpy()[:2] for n in ("thigh", "shank", "foot"))
    contacts = [inertial.model.getContactGeometrySet().get(f"{name}_sphere") for name in ("toes", "heel")]
    toes, heel = (c.getFrame().findStationLocationInGround(state, c.get_location()).to_numpy()[:2] for c in contacts)
    leg = np.array([hip + [0, 0.5], hip, knee, ankle, toes, heel, ankle]) + [shift, 0]
    for centre in leg[4:6]:
        axis.add_patch(Circle(centre, SOLE, color=colour, lw=0))
    axis.plot(*leg.T, "-", color=colour, lw=3, solid_joinstyle="round", solid_capstyle="round")
    axis.plot(*(leg[0] + [0, 0.12]), "o", color=colour, ms=11)


def main():
    folder = output_folder("jump")
    full = sys.argv[2:] == ["full"]
    inertial = model()
    jump = simulation(inertial, 0.005 if full else 0.01)
    found = optimise(jump, 80 if full else 14)
    before = course(jump.run({"excitations": holding()}).trajectory)
    after = course(found.trajectory)
    rows = []
    for name, motion in (("holding the crouch", before), ("optimised", after)):
        end = motion.iloc[-1]
        rise = end["height"] + end["speed"] * abs(end["speed"]) / (2 * GRAVITY) - before["height"].iloc[0]
        force = motion["heel"] + motion["toes"]
        rows.append((name, 100 * rise, end["speed"], force.max() / (BODY_MASS * GRAVITY)))
    columns = ["excitations", "rise [cm]", "speed at 0.3 s [m/s]", "largest force [body weights]"]
    table = pd.DataFrame(rows, columns=columns)
    table.to_csv(folder / "jump.csv", index=False)
    found.trajectory.to_sto(folder / "jump.sto")
    print(table.round(2).to_string(index=False))
    print(
        f"{found.iterations} iterations, {found.simulations} simulations, {found.gradients} gradients of "
        f"{jump.size} numbers, {found.seconds:.0f} s"
    )

    figure = Figure(figsize=(11, 6.4), layout="constrained")
    (poses, height, force), (left, right, search) = figure.subplots(2, 3)
    angles = found.trajectory.coordinates()
    for i, share in enumerate((0.0, 0.4, 0.7, 0.85, 1.0)):
        row = round(share * (len(angles) - 1))
        draw_pose(poses, inertial, angles.iloc[row], 0.5 * i, str(0.75 - 0.15 * i))
        poses.text(0.5 * i, -0.12, f"{1e3 * angles.index[row]:.0f} ms", ha="center", fontsize=8)
    poses.axhline(0, color="0.6", lw=1)
    poses.set_aspect("equal")
    poses.axis("off")
    poses.set_title("the jump", fontsize=10)
    for motion, style, name in ((before, "--", "before"), (after, "-", "optimised")):
        y = motion["height"]
        height.plot(1e3 * y.index, y, style, color="#0072B2", lw=2, label=f"{name}: height")
        reach = y + motion["speed"] * motion["speed"].abs() / (2 * GRAVITY)
        height.plot(1e3 * y.index, reach, style, color="#D55E00", lw=1.4, label=f"{name}: $y + v|v|/2g$")
        force.plot(1e3 * y.index, (motion["heel"] + motion["toes"]) / 1e3, style, color="0.2", lw=2, label=name)
    for name, colour in (("heel", "#56B4E9"), ("toes", "#E69F00")):
        force.plot(1e3 * after.index, after[name] / 1e3, color=colour, lw=1.3, label=f"optimised: {name}")
    force.axhline(BODY_MASS * GRAVITY / 1e3, color="0.8", lw=0.8, zorder=0)
    height.set_title("centre of mass [m]", fontsize=10)
    force.set_title("force of the ground [kN]", fontsize=10)
    for axis, values, title in ((left, holding(), "before"), (right, found.values["excitations"], "optimised")):
        for row, muscle, colour in zip(values, MUSCLES, COLOURS, strict=True):
            axis.plot(1e3 * NODES, row, "o-", color=colour, lw=1.8, ms=3.5, label=muscle)
        axis.set_ylim(-0.03, 1.05)
        axis.set_title(f"excitations, {title}", fontsize=10)
    left.legend(frameon=False, fontsize=8, ncols=2)
    better = 100 * (found.history["objective"].iloc[0] - found.history["objective"].cummin())
    search.plot(better.index + 1, better, color="0.2", lw=2)
    search.set_title("what the objective has gained [cm]", fontsize=10)
    search.set_xlabel("simulations")
    for axis in (height, force, left, right):
        axis.set_xlabel("time [ms]")
    for axis in (height, force):
        axis.legend(frameon=False, fontsize=8)
    for axis in (height, force, left, right, search):
        axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(folder / "jump.png", dpi=120)
    print("wrote", folder / "jump.png")


if __name__ == "__main__":
    main()
