"""Muscle inertia as tendon armature in MuJoCo: equal where the belly lies on ground, and not where its segment moves.

MuJoCo gives a spatial tendon the kinetic energy a l'^2 / 2, with its length's rate l' and the armature a [kg]. A muscle
whose belly lies on a straight line fixed in ground has the same energy: material at arc length s moves at (ds/dl) l',
so that a is the integral of (ds/dl)^2 over the mass m. Fibres between rigid tendons have ds/dl from 0 to 1: a = m / 3.
With uniform strain, and a belly over the share b of the path from the origin on, a = m b^2 / 3. The same pendulums are
built in OpenSim and in MuJoCo (pip install 'mujoco>=4'), and compared at random states and in a free swing. MuJoCo
refuses armature on tendons that wrap: over a cylinder its moment arms R give the mass matrix, a R^T R.

Then the belly lies on the first rod. Its material has the rod's velocity v, and w along the path. An armature has the
energy of w^2, neither that of v . w nor weight that slides.
"""

import numpy as np
import pandas as pd
from common import output_folder
from matplotlib.figure import Figure
from models.pendulums import BODIES, Cylinder, build_pendulum

import opensim_inertia as oi

# isort: split
import opensim as osim

try:
    import mujoco
except ModuleNotFoundError:
    raise SystemExit("this example needs MuJoCo, which is not installed: pip install 'mujoco>=4'") from None

ROD, MUSCLE = 0.4, 1.0  # length of a rod [m]; mass of the muscle [kg]
START, TIME = (-1.0, 0.5), 1.0  # angles [rad]; end of the free swing [s]
STEP, EVERY = 1e-3, 10  # of MuJoCo's integrator [s]; steps between compared states
SHARE = 0.6  # of the path that is belly under uniform strain, from the origin on
#: Strain models, and the armature over the muscle's mass.
STRAINS = {
    "rigid_tendon": (oi.StrainModel("rigid_tendon"), 1 / 3),
    "aponeurosis": (oi.StrainModel("aponeurosis"), 1 / 3),
    "uniform": (oi.StrainModel("uniform", belly=(0.0, SHARE)), SHARE**2 / 3),
}
GROUND = (("ground", (1.0, 0.02, 0.0)), ("ground", (0.05, 0.02, 0.0)))  # level: sliding does no work against gravity
PATHS = {
    "one joint": (*GROUND, ("rod1", (0.03, -0.35, 0.0))),
    "two joints": (*GROUND, ("rod2", (0.03, -0.06, 0.0))),
}
LEG = {"path": (("rod1", (0.04, -0.03, 0.0)), ("rod1", (0.04, -0.36, 0.0)), ("rod2", (0.03, -0.06, 0.0)))}
LEG["rods"] = (8.0, 4.0)  # kg, the first with its muscle
LEG_SLACK = 0.25  # m, such that the belly is above the second point
CYLINDER = Cylinder(0.03)
EXACT = oi.Wrapping(smoothing=1e-6)  # a touch as sudden as MuJoCo's [m]
COLOURS = {"shoulder": "#0072B2", "elbow": "#D55E00"}


def in_opensim(path, strain="rigid_tendon", slack=1.2, cylinder=None, rods=(1.0, 1.0), donor=""):
    """Return a double pendulum with a muscle of a tendon slack length [m], and its mass in a donor rod or none."""
    model, table = build_pendulum(path, rods=rods, muscle=MUSCLE, length=ROD, angles=START, cylinder=cylinder)
    model.getMuscles().get("muscle").set_tendon_slack_length(slack)
    return oi.InertialModel(model, table.assign(segment=donor), strain, wrapping=EXACT)


def in_mujoco(path, armature, cylinder=None, rods=(1.0, 1.0)):
    """Return the pendulum as a MuJoCo model, with a tendon and its armature [kg] as muscle."""
    spec = mujoco.MjSpec()
    spec.option.gravity, spec.option.timestep = [0, -9.80665, 0], STEP
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    bodies = {"ground": spec.worldbody}
    for i, mass in enumerate(rods):
        across = mass * ROD**2 / 12
        rod = bodies[BODIES[i]].add_body(name=BODIES[i + 1], pos=[0, -ROD if i else 0, 0], explicitinertial=True)
        rod.mass, rod.ipos, rod.inertia = mass, [0, -ROD / 2, 0], [across, across / 10, across]
        rod.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 0, 1])
        bodies[BODIES[i + 1]] = rod
    tendon = spec.add_tendon(name="muscle", armature=armature)
    for i, (body, place) in enumerate(path):
        if cylinder is not None and i == len(path) - 1:
            bodies["rod1"].add_site(name="side", pos=[2 * cylinder.radius, -ROD, 0])
            geom = bodies["rod1"].add_geom(name="wrap", pos=[0, -ROD, 0], size=[cylinder.radius, 0.5, 0])
            geom.type = mujoco.mjtGeom.mjGEOM_CYLINDER
            tendon.wrap_geom("wrap", "side")
        bodies[body].add_site(name=f"{i}", pos=place)
        tendon.wrap_site(f"{i}")
    return spec.compile()


def ours_at(inertial, q, u):
    """Return mass matrix (2, 2) and bias (2,), the forces at zero accelerations, at angles [rad] and speeds [rad/s]."""
    state = inertial.initial_state()
    state.setQ(osim.Vector.createFromMat(np.asarray(q)))
    state.setU(osim.Vector.createFromMat(np.asarray(u)))
    published, udot = osim.Matrix(), inertial.udot(state)
    inertial.model.getMatterSubsystem().calcM(state, published)
    mass_matrix = published.to_numpy() + inertial.evaluate(state).added_mass_matrix
    return mass_matrix, -mass_matrix @ udot


def mujoco_at(model, q, u):
    """Return mass matrix and bias of a MuJoCo model, and its tendon's moment arms (2,) [m]."""
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = q, u
    mujoco.mj_forward(model, data)
    mass_matrix = np.zeros((2, 2))
    mujoco.mj_fullM(model, data, mass_matrix)
    return mass_matrix, data.qfrc_bias.copy(), data.ten_J.copy()


def swing(inertial):
    """Simulate the free swing from START and return a trajectory."""
    return oi.simulate(
        oi.Problem(inertial, t_final=TIME), oi.integrators.DOP853(accuracy=1e-11), report_step=STEP * EVERY
    )


def mujoco_swing(model):
    """Return the angles (T, 2) [rad] of the free swing in MuJoCo."""
    data = mujoco.MjData(model)
    data.qpos[:] = START
    found = [data.qpos.copy()]
    for _ in range(round(TIME / STEP / EVERY)):
        mujoco.mj_step(model, data, EVERY)
        found.append(data.qpos.copy())
    return np.array(found)


def compare(path, name, states=50):
    """Return the largest differences from MuJoCo of mass matrix and bias, over the muscle's part of them, and of the
    swing [rad], and how much the muscle changes this swing [rad].
    """
    strain, share = STRAINS[name]
    inertial, model, without = in_opensim(path, strain), in_mujoco(path, share * MUSCLE), in_mujoco(path, 0.0)
    rng = np.random.default_rng(0)
    largest = np.zeros((2, 2))
    for q, u in zip(rng.uniform((-1.2, -0.6), (0.4, 0.9), (states, 2)), rng.normal(0, 5, (states, 2)), strict=True):
        ours, theirs, bones = ours_at(inertial, q, u), mujoco_at(model, q, u), mujoco_at(without, q, u)
        for i in range(2):
            largest[i] = np.maximum(largest[i], [abs(x - theirs[i]).max() for x in (ours[i], bones[i])])
    angles = mujoco_swing(model)
    swings = (swing(inertial).coordinates().to_numpy(), mujoco_swing(without))
    return *largest[:, 0] / largest[:, 1], *(np.abs(x - angles).max() for x in swings)


def over_a_cylinder(states=50):
    """Return MuJoCo's refusal, and the largest relative difference of mass matrices by MuJoCo's moment arms."""
    try:
        in_mujoco(PATHS["two joints"], MUSCLE / 3, CYLINDER)
        refusal = ""
    except ValueError as error:
        refusal = str(error).splitlines()[0]
    inertial = in_opensim(PATHS["two joints"], cylinder=CYLINDER)
    model = in_mujoco(PATHS["two joints"], 0.0, CYLINDER)
    found = []
    for q in np.random.default_rng(0).uniform((-1.2, -0.6), (0.4, 0.9), (states, 2)):
        bones, _, arms = mujoco_at(model, q, np.zeros(2))
        added = ours_at(inertial, q, np.zeros(2))[0] - bones
        found.append(np.abs(added - MUSCLE / 3 * np.outer(arms, arms)).max() / np.abs(added).max())
    return refusal, max(found)


def belly_on_a_rod():
    """Return tables by time of the swing: forces of sliding and its weight [N m], and angles less those of fixed mass
    [rad].
    """
    inertial = in_opensim(**LEG, slack=LEG_SLACK, donor="rod1")
    models = [in_mujoco(**LEG, armature=armature) for armature in (MUSCLE / 3, 0.0)]
    motion = swing(inertial)
    q, u = motion.coordinates(), motion.speeds().to_numpy()
    forces = []
    for state, angles, speeds in zip(motion.states(), q.to_numpy(), u, strict=True):
        terms, udot = inertial.evaluate(state), inertial.udot(state)
        inverse = []
        for model in models:
            data = mujoco.MjData(model)
            data.qpos[:], data.qvel[:], data.qacc[:] = angles, speeds, udot
            mujoco.mj_inverse(model, data)
            inverse.append(data.qfrc_inverse.copy())
        sliding = terms.added_mass_matrix @ udot - terms.h - terms.gravity
        forces.append([*sliding, *(inverse[0] - inverse[1]), *-terms.gravity])
    columns = pd.MultiIndex.from_product([("sliding mass", "armature", "weight"), COLOURS])
    with_armature, fixed = map(mujoco_swing, models)
    angles = np.hstack([q.to_numpy() - fixed, with_armature - fixed])
    return pd.DataFrame(forces, q.index, columns), pd.DataFrame(angles, q.index, columns[:4])


def rms(values):
    """Return the root mean square."""
    return float(np.sqrt(np.mean(values**2)))


def main():
    folder = output_folder("mujoco_armature")
    rows = {(joints, name): compare(path, name) for joints, path in PATHS.items() for name in STRAINS}
    table = pd.DataFrame(rows, ["mass matrix", "bias", "swing [rad]", "moved by [rad]"]).T
    print("largest differences from MuJoCo, belly on ground\n" + table.map("{:.0e}".format).to_string())
    refusal, apart = over_a_cylinder()
    print(f"over a cylinder MuJoCo says: {refusal}\nthe muscle's mass matrix by its moment arms: {apart:.0e}")
    forces, angles = belly_on_a_rod()
    for name in COLOURS:
        sliding, armature, weight = (forces[kind][name] for kind in ("sliding mass", "armature", "weight"))
        whole, rest = (100 - 100 * rms(x - armature) / rms(x) for x in (sliding, sliding - weight))
        print(f"belly on a rod, {name}: armature explains {whole:.0f} % of sliding, {rest:.0f} % of it without weight")
    figure = Figure(figsize=(8, 3.2), layout="constrained")
    tables = {"force of sliding [N m]": forces, "angle - that of fixed mass [deg]": np.degrees(angles)}
    for axis, (label, found) in zip(figure.subplots(1, 2), tables.items(), strict=True):
        axis.axhline(0, color="0.8", lw=0.8)
        for name, colour in COLOURS.items():
            for kind, style in (("sliding mass", "-"), ("armature", "--")):
                axis.plot(found[kind][name], style, color=colour, label=f"{name}, {kind}")
        axis.set(xlabel="time [s]", ylabel=label, xlim=(0, TIME))
        axis.spines[["top", "right"]].set_visible(False)
    axis.legend(frameon=False)
    figure.savefig(folder / "mujoco_armature.png", dpi=110)
    forces.to_csv(folder / "mujoco_armature.csv")
    print("wrote", folder)


if __name__ == "__main__":
    main()
