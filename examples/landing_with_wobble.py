"""Landing from 43 cm with soft tissue that wobbles, beside the same landing of rigid segments.

Pain and Challis (2006, J Biomech 39:119-124) let a model of four segments with wobbling masses drop from 43 cm:
forces and torques of joints were up to nearly 50 % lower than with rigid segments. Here Gait10dof18musc lands on both
feet, on contact spheres of OpenSim, with constant excitations. Its muscles wobble across their paths, and what else of
thigh, shank, pelvis and trunk is soft wobbles on springs. Two questions are asked:

* with the same excitations, how high are the peaks of the ground's force and of the muscles' moments?
* which peaks has a rigid model that is made to move its joints as the soft one did?
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from common import opensim_models, output_folder
from matplotlib.figure import Figure
from models.soles import add_sphere

import opensim_inertia as oi

# isort: split
import opensim as osim

DROP, GRAVITY = 0.43, 9.80665  # m, m/s^2
UNTIL, ROW = 0.06, 5e-4  # s
#: At touch-down [deg]; feet are flat.
POSES = {
    "knees bent": {"pelvis_tilt": -8.0, "hip_flexion": 30.0, "knee_angle": -36.0, "ankle_angle": 14.0},
    "legs nearly straight": {"pelvis_tilt": -4.0, "hip_flexion": 12.0, "knee_angle": -14.0, "ankle_angle": 6.0},
}
JOINTS = {"hip": "hip_flexion_r", "knee": "knee_angle_r", "ankle": "ankle_angle_r"}
EXCITATIONS = {
    "hamstrings": 0.25, "bifemsh": 0.1, "glut_max": 0.35, "iliopsoas": 0.1, "rect_fem": 0.25, "vasti": 0.4,
    "gastroc": 0.35, "soleus": 0.45, "tib_ant": 0.2,
}  # fmt: skip
#: Spheres under the feet, in the calcaneus' frame: forward and up [m]; radius [m], modulus [Pa], [s/m].
SPHERES = {"heel": (0.01, 0.012), "ball": (0.18, 0.012)}
RADIUS, STIFFNESS, DISSIPATION = 0.032, 3e6, 1.0


@dataclass(frozen=True)
class Soft:
    """Soft tissue of a segment: its share of the published mass, muscles included, and the spring of the rest.

    Attributes:
        share: of the segment's mass as published.
        frequency: of the spring [Hz]; an estimate: soft tissue of the leg vibrates at 10 to 65 Hz (Wakeling and Nigg
            2001), viscera at 4 to 8 Hz.
        damping: share of the critical damping; an estimate.
    """

    share: float
    frequency: float
    damping: float = 0.3


#: Bone is about a fifth of a thigh and a third of a shank; shares are rounded estimates after cadavers.
SOFT = {"femur": Soft(0.75, 12.0), "tibia": Soft(0.6, 15.0), "pelvis": Soft(0.6, 8.0), "torso": Soft(0.6, 6.0)}


def landing_model():
    """Return Gait10dof18musc with spheres under its feet that touch a plane."""
    model = osim.Model(str(opensim_models() / "Models" / "Gait10dof18musc" / "gait10dof18musc.osim"))
    model.setName("landing")
    floor = osim.ContactHalfSpace(osim.Vec3(0), osim.Vec3(0, 0, -np.pi / 2), model.getGround(), "floor")
    model.addContactGeometry(floor)
    for side in "rl":
        for name, (forward, up) in SPHERES.items():
            foot = model.getBodySet().get(f"calcn_{side}")
            add_sphere(model, foot, floor, f"{name}_{side}", (forward, up, 0.0), RADIUS, STIFFNESS, DISSIPATION)
    model.finalizeConnections()
    return model


def at_touch_down(inertial, pose):
    """Return the state in which the soles touch the floor in a pose, at the speed of the drop, muscles being active."""
    model, state = inertial.model, inertial.initial_state()
    coordinates = model.getCoordinateSet()
    for coordinate in coordinates:
        degrees = pose.get(coordinate.getName().removesuffix("_r").removesuffix("_l"), None)
        if degrees is not None:
            coordinate.setValue(state, np.radians(degrees), False)
    for name, activation in EXCITATIONS.items():
        for side in "rl":
            model.setStateVariableValue(state, f"/forceset/{name}_{side}/activation", activation)
    model.realizePosition(state)
    height = coordinates.get("pelvis_ty")
    lowest = min(
        model.getBodySet().get("calcn_r").findStationLocationInGround(state, osim.Vec3(*at, 0))[1] - RADIUS
        for at in SPHERES.values()
    )
    height.setValue(state, height.getValue(state) - lowest, False)
    height.setSpeedValue(state, -np.sqrt(2 * GRAVITY * DROP))
    model.equilibrateMuscles(state)
    return state


def soft_tissue(inertial, frequency=1.0):
    """Return the options of wobble, with frequencies times a factor."""
    masses, muscles = [], inertial.segments["muscles"]
    for body in inertial.model.getBodySet():
        name = body.getName()
        soft = SOFT.get(name.removesuffix("_r").removesuffix("_l"))
        if soft is None:
            continue
        mass = soft.share * body.getMass() - muscles.get(name, 0.0)  # muscles are soft, too
        rate = 2 * np.pi * soft.frequency * frequency
        centre = tuple(body.getMassCenter()[i] for i in range(3))
        stiffness, damping = mass * rate**2, 2 * soft.damping * mass * rate
        masses.append(oi.options.WobblingMass(name, mass, centre, stiffness, damping, f"{name} soft"))
    return oi.options.Wobble(frequency=15.0 * frequency, masses=tuple(masses))


def landed(inertial, pose, wobble=False):
    """Return a simulated landing."""
    excitations = {f"{name}_{side}": value for name, value in EXCITATIONS.items() for side in "rl"}
    problem = oi.Problem(inertial, at_touch_down(inertial, pose), UNTIL, excitations, equilibrate=False)
    return oi.simulate(problem, report_step=ROW, progress=False, wobble=wobble)


def ground_force(run):
    """Return the vertical force of the ground on both feet (T,) [N]."""
    return run.contacts().filter(like="/y").sum(axis=1).to_numpy()


def muscle_moments(run):
    """Return the moments of the right leg's muscles about its joints, by joint (T,) [N m]."""
    model = run.inertial.model
    muscles = [m for m in model.getMuscles() if m.getName().endswith("_r")]
    coordinates = {joint: model.getCoordinateSet().get(name) for joint, name in JOINTS.items()}
    rows = []
    for state in run.states():
        model.realizeDynamics(state)
        tension = [m.getActuation(state) for m in muscles]
        arms = {j: [m.computeMomentArm(state, c) for m in muscles] for j, c in coordinates.items()}
        rows.append({j: float(np.dot(tension, arms[j])) for j in JOINTS})
    return pd.DataFrame(rows, index=run.times)


def driven(inertial, run):
    """Return times [s], the ground's force [N] and the joints' moments [N m] of a model that is rigid, and whose joints
    move as those of a simulated landing; its pelvis is free.
    """
    model, motion = inertial.original_model(), run.coordinates()
    model.finalizeFromProperties()
    for muscle in model.getMuscles():
        muscle.set_appliesForce(False)
    for name in motion.columns:
        if name.startswith("pelvis"):
            continue
        spline = osim.GCVSpline()
        spline.setDegree(5)
        for t, value in motion[name].items():
            spline.addPoint(t, value)
        coordinate = model.updCoordinateSet().get(name)
        coordinate.setPrescribedFunction(spline)
        coordinate.setDefaultIsPrescribed(True)
    model.finalizeConnections()
    rigid = oi.InertialModel(model, {})
    state = rigid.initial_state()
    first = next(iter(run.states()))
    for coordinate in rigid.model.getCoordinateSet():
        same = run.inertial.model.getCoordinateSet().get(coordinate.getName())
        coordinate.setValue(state, same.getValue(first), False)
        coordinate.setSpeedValue(state, same.getSpeedValue(first))
    rigid.model.realizeVelocity(state)
    moved = oi.simulate(oi.Problem(rigid, state, UNTIL, equilibrate=False), report_step=ROW, progress=False)
    free = inertial.original_model()  # in which what moves the joints is no part of the motion
    for muscle in free.getMuscles():
        muscle.set_appliesForce(False)
    there, names = free.initSystem(), list(rigid.coordinate_names)
    solver, rows = osim.InverseDynamicsSolver(free), []
    for state, udot in zip(moved.states(), moved.accelerations().to_numpy(), strict=True):
        there.setQ(state.getQ())
        there.setU(state.getU())
        tau = solver.solve(there, osim.Vector.createFromMat(udot)).to_numpy()
        rows.append({joint: tau[names.index(name)] for joint, name in JOINTS.items()})
    return moved.times, ground_force(moved), pd.DataFrame(rows, index=moved.times)


def peaks(force, moments):
    """Return the largest force of the ground [kN], and the largest sizes of moments [N m]."""
    return {"ground [kN]": force.max() / 1e3} | {f"{joint} [N m]": moments[joint].abs().max() for joint in JOINTS}


def land(pose):
    """Return peaks by model, and the curves (times, force of the ground, moments) by model."""
    model = landing_model()
    inertial = oi.InertialModel(model, oi.estimate_masses(model))
    soft = soft_tissue(inertial)
    runs = {
        "rigid, same excitations": landed(inertial, pose),
        "bellies wobble": landed(inertial, pose, oi.options.Wobble(frequency=15.0)),
        "all soft mass wobbles": landed(inertial, pose, soft),
    }
    curves = {name: (run.times, ground_force(run), muscle_moments(run)) for name, run in runs.items()}
    curves["rigid, joints moved alike"] = driven(inertial, runs["all soft mass wobbles"])
    return pd.DataFrame({name: peaks(*curve[1:]) for name, curve in curves.items()}).T, curves


def draw(curves, path):
    """Draw forces and moments of the poses, by model."""
    figure = Figure(figsize=(11, 3 * len(curves)), layout="constrained")
    rows = figure.subplots(len(curves), 4, sharex=True, squeeze=False)
    styles = {
        "rigid, same excitations": "C7-",
        "rigid, joints moved alike": "k--",
        "bellies wobble": "C1-",
        "all soft mass wobbles": "C0-",
    }
    for row, (pose, by_model) in zip(rows, curves.items(), strict=True):
        for name, style in styles.items():
            times, force, moments = by_model[name]
            width = 4.0 if style == "C7-" else 1.5  # bellies alone change little, and would hide it
            row[0].plot(1e3 * times, force / 1e3, style, lw=width, label=name)
            for axis, joint in zip(row[1:], JOINTS, strict=True):
                axis.plot(1e3 * times, moments[joint], style, lw=width)
        row[0].set_ylabel(f"{pose}\nforce of the ground [kN]")
        for axis, joint in zip(row[1:], JOINTS, strict=True):
            axis.set_ylabel(f"{joint}, right [N m]")
            axis.axhline(0.0, color="0.8", lw=0.5, zorder=0)
    for axis in rows[-1]:
        axis.set_xlabel("time after touch-down [ms]")
    figure.legend(*rows[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=4, frameon=False)
    figure.savefig(path, dpi=110)


def main():
    """Land in both poses, print the peaks and draw."""
    folder = output_folder("landing_with_wobble")
    tables, curves = {}, {}
    for name, pose in POSES.items():
        tables[name], curves[name] = land(pose)
    table = pd.concat(tables)
    table.to_csv(folder / "landing_with_wobble.csv")
    print(table.round(1).to_string())
    for name, peak in tables.items():
        for rigid in ("rigid, same excitations", "rigid, joints moved alike"):
            change = 100 * (peak.loc["all soft mass wobbles"] / peak.loc[rigid] - 1)
            text = ", ".join(f"{what.partition(' ')[0]} {value:+.0f} %" for what, value in change.items())
            print(f"{name}, against {rigid}: {text}")
    draw(curves, folder / "landing_with_wobble.png")
    print("wrote", folder / "landing_with_wobble.png")


if __name__ == "__main__":
    main()
