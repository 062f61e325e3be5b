"""A flick against the fingertip: the force at which a simulation with steps of 1 ms breaks, lumped and inertial.

This is section 4.4 of Wang et al. 2022: a force acts at the fingertip during the first two steps, and the bellies of
two flexors of 200 g lie in the forearm. If muscles are lumped, their mass is in the forearm, which is fixed, and the
finger's joints have the inertia of the bones alone: the simulation breaks at 5 N. With inertial muscles it breaks at 20
N.

After the flick nothing does work on the finger, so that its energy may not grow. "Broken" means that it has grown by
once more what the flick brought, or that the simulation itself stopped (DivergenceError: a speed above 1e5 rad/s, or an
implicit step without solution), within 50 ms. The paper gives neither duration nor bound, nor the way the flick goes:
the table shows what depends on them, and on the integrator and on damping in the joints. Lumped the answer is 4.5 to 6
N with any of these and forward Euler, as the paper's. Inertial it is 1.6 to 7 times as much; whether stiff tendons bear
more than uniform strain hangs on the duration. Bones 1.5 times as thick bear 11 N lumped, and 23 N inertial.

The flick goes away from the palm. Towards it, the guides on both sides of a joint meet at about 100 deg of flexion, and
beyond that a tendon through points is none: its moment arm jumps, and energy with it, whatever the integrator. A finger
whose flexors weigh a few grams comes there within 50 ms even if it is flicked away from the palm, as nothing stops its
joints: what breaks then is the path, and not the step.
"""

import warnings

import numpy as np
import opensim as osim
import pandas as pd
from common import output_folder
from matplotlib.figure import Figure
from models.finger import BONES, MUSCLE_MASS, TENDONS, build_finger

import opensim_inertia as oi

STEP = 1e-3  # s
STEPS_OF_FLICK = 2
BROKEN = 1.0  # growth of energy, share of what the flick brought
WITHIN = 0.05  # s
DAMPING = 2e-5  # N m s/rad, of the damped finger
FORCES = 2.5 * 1.15 ** np.arange(25)  # N, tried in turn until the simulation breaks
PAPER = (5.0, 20.0)  # N, lumped and inertial
MODELS = {
    "lumped": None,
    "uniform strain": {"strain": "uniform"},
    "rigid tendon": {"strain": "rigid_tendon"},
    "mass on all of the path": {"strain": oi.StrainModel("uniform", belly=(0.0, 1.0))},
}
COLOURS = dict(zip(MODELS, ("0.25", "#D55E00", "#0072B2", "#009E73"), strict=True))


def finger(name, damping=0.0):
    """Return the finger with one of MODELS' muscles; their donor segment is the forearm, which is fixed."""
    rows = [(t.muscle, MUSCLE_MASS, "forearm", "Wang et al. 2022") for t in TENDONS]
    masses = pd.DataFrame(rows, columns=["muscle", "mass", "segment", "source"])
    options = MODELS[name]
    model = build_finger(damping)
    return oi.InertialModel(model, {}) if options is None else oi.InertialModel(model, masses, **options)


def flick(inertial, newtons):
    """Return the generalized forces of a constant force at the fingertip, away from the palm (< 0: towards it)."""
    bodies = [inertial.model.getBodySet().get(bone.body) for bone in BONES]
    tip, start = osim.Vec3(BONES[-1].length, 0, 0), inertial.initial_state()
    inertial.model.realizePosition(start)
    force = newtons * bodies[-1].expressVectorInGround(start, osim.Vec3(0, 1, 0)).to_numpy()

    def forces(state):
        end = bodies[-1].findStationLocationInGround(state, tip).to_numpy()
        arms = [end - body.getPositionInGround(state).to_numpy() for body in bodies]
        return np.array([-np.cross(arm, force)[2] for arm in arms])  # hinges turn about -z

    return forces


def simulate(inertial, newtons, integrator="forward_euler", duration=WITHIN):
    """Return times [s] and energies [J] after the flick, the flick's energy [J], and the time of a stop, or inf."""
    method = oi.integrators.named(integrator, step=STEP)
    with warnings.catch_warnings():  # a finger that breaks folds, and its fibres become short: see above
        for kind in (oi.warnings.PathJumpWarning, oi.warnings.ShortBellyWarning):
            warnings.simplefilter("ignore", kind)
        try:
            flicked = oi.Problem(inertial, t_final=STEPS_OF_FLICK * STEP, forces=flick(inertial, newtons))
            first = oi.simulate(flicked, method, progress=False)
        except oi.errors.DivergenceError:
            return np.zeros(1), np.zeros(1), 1.0, 0.0
        stopped = np.inf
        try:
            onward = oi.Problem(inertial, first.final_state(), STEPS_OF_FLICK * STEP + duration)
            rest = oi.simulate(onward, method, progress=False)
        except oi.errors.DivergenceError as error:
            rest = error.trajectory
            stopped = rest.times[-1] + STEP
        before, energy = (motion.energy()["total"].to_numpy() for motion in (first, rest))
    return rest.times, energy, before[-1] - before[0], stopped


def broken_after(inertial, newtons, integrator="forward_euler", duration=WITHIN):
    """Return the time from the flick to the failure of the simulation [s], or inf."""
    times, energy, brought, stopped = simulate(inertial, newtons, integrator, duration)
    grown = times[energy - energy[0] > BROKEN * brought]
    return max(0.0, min([stopped, *grown[:1]]) - STEPS_OF_FLICK * STEP)


def threshold(inertial, sign=1, integrator="forward_euler", within=WITHIN, forces=FORCES, halvings=3):
    """Return the smallest of ``forces`` that breaks the simulation, refined by bisection [N], or nan."""
    stable = np.nan
    for force in forces:
        if broken_after(inertial, sign * force, integrator, within) <= within:
            if np.isnan(stable):
                return force
            broken = force
            for _ in range(halvings):
                middle = np.sqrt(stable * broken)
                if broken_after(inertial, sign * middle, integrator, within) <= within:
                    broken = middle
                else:
                    stable = middle
            return broken
        stable = force
    return np.nan


def draw_finger(axis, inertial):
    """Draw bones, tendons with their guides, bellies' mass points, and the flick."""
    model, state = inertial.model, inertial.initial_state()
    model.realizePosition(state)
    joints = [np.array([-0.04, 0.0])]
    for bone in BONES:
        body = model.getBodySet().get(bone.body)
        joints.append(body.getPositionInGround(state).to_numpy()[:2])
    end = model.getBodySet().get(BONES[-1].body).findStationLocationInGround(state, osim.Vec3(BONES[-1].length, 0, 0))
    joints.append(end.to_numpy()[:2])
    joints = 1e3 * np.array(joints)
    axis.plot(*joints.T, "-o", color="0.75", lw=9, ms=11, solid_capstyle="round", zorder=1)
    for tendon, colour in zip(TENDONS, ("#B22222", "#E69F00"), strict=True):
        path = osim.GeometryPath.safeDownCast(model.getMuscles().get(tendon.muscle).getPath()).getPathPointSet()
        points = 1e3 * np.array([path.get(i).getLocationInGround(state).to_numpy()[:2] for i in range(path.getSize())])
        axis.plot(*points.T, "-", color=colour, lw=1.6, zorder=3, label=tendon.muscle)
        axis.plot(*points[1:].T, "o", color=colour, ms=3.5, zorder=4)
    unit = joints[-1] - joints[-2]
    unit = np.array([unit[1], -unit[0]]) / np.linalg.norm(unit)  # to the palm
    arrow = {"arrowstyle": "-|>", "color": "black", "lw": 1.6}
    axis.annotate("", joints[-1], joints[-1] + 24 * unit, arrowprops=arrow)
    axis.text(*(joints[-1] + 25 * unit), "flick", ha="right", va="center", fontsize=9)
    axis.text(-40, -17, "to the elbow", fontsize=8, ha="left", va="top")
    axis.legend(frameon=False, fontsize=8, loc="lower left")
    axis.set_aspect("equal")
    axis.axis("off")
    axis.set_xlim(-42, 72)


def main():
    folder = output_folder("finger_flick")
    fingers = {name: finger(name) for name in MODELS}
    found = {(name, "forward_euler"): threshold(inertial) for name, inertial in fingers.items()}
    for integrator in ("bdf1", "sdirk2"):
        for name in list(MODELS)[:3]:
            found[name, integrator] = threshold(fingers[name], integrator=integrator, forces=FORCES[::2], halvings=1)
    rows = [("from the palm", i, 0.0, WITHIN, name, value) for (name, i), value in found.items()]
    some = list(MODELS)[:3]
    rows += [("to the palm", "forward_euler", 0.0, WITHIN, n, threshold(fingers[n], -1, halvings=1)) for n in some]
    for duration in (0.02, 0.1):
        values = [threshold(fingers[n], within=duration, halvings=1) for n in some]
        rows += [("from the palm", "forward_euler", 0.0, duration, n, v) for n, v in zip(some, values, strict=True)]
    values = [threshold(finger(n, DAMPING), within=0.1, halvings=1) for n in some]
    rows += [("from the palm", "forward_euler", DAMPING, 0.1, n, v) for n, v in zip(some, values, strict=True)]
    names = ["flick", "integrator", "damping [N m s/rad]", "within [s]", "muscles", "breaks at [N]"]
    table = pd.DataFrame(rows, columns=names)
    lumped = table[table["muscles"] == "lumped"].set_index(names[:4])["breaks at [N]"]
    keys = pd.MultiIndex.from_frame(table[names[:4]])
    table["times lumped"] = table["breaks at [N]"].to_numpy() / lumped.reindex(keys).to_numpy()
    table.to_csv(folder / "finger_flick.csv", index=False)
    print(table.round({"breaks at [N]": 1, "times lumped": 1}).to_string(index=False))

    figure = Figure(figsize=(11, 3.7), layout="constrained")
    left, middle, right = figure.subplots(1, 3, width_ratios=[1, 1, 1.1])
    draw_finger(left, fingers["uniform strain"])
    left.set_title("index finger, two flexors of 200 g", fontsize=10)
    for name in ("lumped", "uniform strain"):
        for share, style in ((0.8, "--"), (1.5, "-")):
            newtons = share * found[name, "forward_euler"]
            times, energy, brought, _ = simulate(fingers[name], newtons)
            label = f"{name}, {newtons:.1f} N"
            middle.plot(
                1e3 * times, 1 + (energy - energy[0]) / brought, style, color=COLOURS[name], lw=1.6, label=label
            )
    middle.axhline(1 + BROKEN, color="0.8", lw=0.8, zorder=0)
    middle.set(yscale="log", ylim=(0.2, 1e4), xlabel="time [ms]", xlim=(0, 1e3 * (WITHIN + STEPS_OF_FLICK * STEP)))
    middle.set_title("energy over what the flick brought,\nforward Euler", fontsize=10)
    middle.legend(frameon=False, fontsize=8, loc="upper left")
    integrators = ("forward_euler", "bdf1", "sdirk2")
    for i, name in enumerate(MODELS):
        shown = [
            (k, found[name, integrator]) for k, integrator in enumerate(integrators) if (name, integrator) in found
        ]
        places, values = np.array(shown).T
        right.bar(places + 0.2 * (i - 1.5), values, 0.19, color=COLOURS[name], label=name)
    for i, value in enumerate(PAPER):
        label = {"label": f"Wang et al. 2022: {PAPER[0]:g} and {PAPER[1]:g} N"} if i == 0 else {}
        right.plot([-0.42 + 0.2 * i, -0.18 + 0.2 * i], [value, value], color="black", lw=2.2, **label)
    right.set_xticks(range(3), [i.replace("_", " ") for i in integrators])
    right.set_title("force at which the simulation breaks [N]", fontsize=10)
    right.set_ylim(top=1.5 * right.get_ylim()[1])
    right.legend(frameon=False, fontsize=8, ncols=1, loc="upper left")
    for axis in (middle, right):
        axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(folder / "finger_flick.png", dpi=120)
    print("wrote", folder / "finger_flick.png")


if __name__ == "__main__":
    main()
