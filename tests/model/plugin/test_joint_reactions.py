"""Joint reactions with the component: those of masses welded to bodies, and of Newton's and Euler's laws."""

from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from oracles import limbs, trials
from oracles.finite_differences import Array
from oracles.live_states import pseudo_inertia
from oracles.plugin import Native

import opensim_inertia as oi
from opensim_inertia.files import read_table, write_table

SAME = 1e-10  # Relative to the largest reaction
FROM_FILES = 1e-6  # The same, of states and reactions that were written with eight digits
GRAVITY = np.array([0.0, -limbs.GRAVITY, 0.0])

pytestmark = [
    pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning"),
]


def reaction(model: osim.Model, state: osim.State, joint: str) -> Array:
    """Moment and force on a joint's child, at its child frame, in ground (6,)."""
    model.realizeAcceleration(state)
    found = model.getJointSet().get(joint).calcReactionOnChildExpressedInGround(state)
    return np.concatenate([found.get(i).to_numpy() for i in (0, 1)])


def moving(state: osim.State, seed: int) -> osim.State:
    rng = np.random.default_rng(seed)
    state.setQ(osim.Vector.createFromMat(rng.uniform(-0.4, 0.4, state.getNQ())))
    state.setU(osim.Vector.createFromMat(2 * rng.normal(size=state.getNU())))
    return state


def test_masses_that_move_with_a_body() -> None:
    """A muscle between points of one segment is part of it: reactions are those of the published model."""
    model = limbs.limbs()
    muscle = osim.Thelen2003Muscle("inside", 300.0, 0.1, 0.05, 0.0)
    muscle.set_appliesForce(False)
    for i, station in enumerate(((0.04, -0.02, 0.01), (-0.02, -0.25, 0.03))):
        muscle.addNewPathPoint(f"p{i}", model.getBodySet().get("shank"), osim.Vec3(*station))
    model.addForce(muscle)
    model.finalizeConnections()
    inertial = oi.InertialModel(model, {"inside": 0.8})
    native = Native(inertial)
    assert inertial.segments.loc["shank", "muscles"] == pytest.approx(0.8)
    stock = osim.State(model.initSystem())
    for seed in range(5):
        for joint in ("base", "hip_joint", "knee_joint", "ankle_joint"):
            ours = reaction(native.model, moving(native.state, seed), joint)
            theirs = reaction(model, moving(stock, seed), joint)
            assert np.abs(ours - theirs).max() < SAME * np.abs(theirs).max()


def rates(inertial: oi.InertialModel, bodies: list[str], muscles: list[str], state: osim.State, udot: Array) -> Array:
    """Moment about ground's origin and force that bodies and mass points need, gravity left to others (6,)."""
    model, total = inertial.model, np.zeros(6)
    model.realizeVelocity(state)
    matter = model.getMatterSubsystem()
    J, bias = osim.Matrix(), osim.Vector()
    matter.calcSystemJacobian(state, J)
    matter.calcBiasForSystemJacobian(state, bias)
    velocity = J.to_numpy() @ state.getU().to_numpy()
    acceleration = J.to_numpy() @ udot + bias.to_numpy()

    def add(x: Array, mass: float, a: Array) -> None:
        force = mass * (a - GRAVITY)
        total[:3] += np.cross(x, force)
        total[3:] += force

    for name in bodies:
        body = model.getBodySet().get(name)
        six = slice(6 * body.getMobilizedBodyIndex(), 6 * body.getMobilizedBodyIndex() + 6)
        w, alpha, a = velocity[six][:3], acceleration[six][:3], acceleration[six][3:]
        X = body.getTransformInGround(state)
        R = np.array([[X.R().get(i, j) for j in range(3)] for i in range(3)])
        frozen = inertial.frozen.by_segment.get(name, np.zeros((4, 4)))
        left = pseudo_inertia(body) - frozen
        mass, center = left[3, 3], left[:3, 3] / left[3, 3]
        second = left[:3, :3] - mass * np.outer(center, center)
        arm, central = R @ center, R @ (np.trace(second) * np.eye(3) - second) @ R.T
        centre = a + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm))
        add(X.p().to_numpy() + arm, mass, centre)
        total[:3] += central @ alpha + np.cross(w, central @ w)
    for points in inertial.mass_points(state, muscles).values():
        for x, m, A, b in zip(points.positions, points.masses, points.jacobians, points.jdot_u, strict=True):
            add(x, m, A @ udot + b)
    return total


def test_newton_and_euler_for_the_whole() -> None:
    """The base carries what all bodies and mass points need, however the muscles' paths share it out."""
    inertial = oi.InertialModel(limbs.limbs(pull=True), limbs.masses(), distribution="points", points=9)
    native = Native(inertial)
    for seed in range(5):
        found = reaction(native.model, moving(native.state, seed), "base")
        udot = np.array(native.state.getUDot().to_numpy())
        needed = rates(
            inertial, list(limbs.SEGMENTS), list(limbs.MUSCLES), moving(inertial.initial_state(), seed), udot
        )
        # the joint's frames are ground's origin
        assert np.abs(found - needed).max() < SAME * np.abs(needed).max()


def test_newton_and_euler_below_a_joint() -> None:
    """No muscle passes the hip here: it carries the segments below and the muscles between them."""
    inertial = oi.InertialModel(limbs.limbs(pull=True), {"middle": 0.6}, distribution="points", points=9)
    native = Native(inertial)
    for name in ("long", "short"):
        for each in (native.model, inertial.model):
            each.getMuscles().get(name).set_appliesForce(False)
    native = Native(inertial, native.model)
    for seed in range(5):
        found = reaction(native.model, moving(native.state, seed), "hip_joint")
        udot = np.array(native.state.getUDot().to_numpy())
        frame = native.model.getJointSet().get("hip_joint").getChildFrame()
        at = frame.getPositionInGround(native.state).to_numpy()
        own = moving(inertial.initial_state(), seed)
        needed = rates(inertial, ["thigh", "shank", "foot"], ["middle"], own, udot)
        needed[:3] -= np.cross(at, needed[3:])
        assert np.abs(found - needed).max() < SAME * np.abs(needed).max()


STEP = (0.6, 0.7)  # Time of a part of the swing [s]


def states_of_a_step(model: osim.Model, inertial: oi.InertialModel, motion: Path) -> pd.DataFrame:
    read = trials.recorded_motion(inertial, motion, 6.0, STEP)
    paths = {c.getName(): c.getAbsolutePathString() for c in model.getCoordinateSet()}
    table = {f"{paths[n]}/value": read.q[:, i] for i, n in enumerate(inertial.coordinate_names)}
    table |= {f"{paths[n]}/speed": read.u[:, i] for i, n in enumerate(inertial.coordinate_names)}
    return pd.DataFrame(table, index=pd.Index(read.times, name="time"))


def analyse(folder: Path, name: str) -> pd.DataFrame:
    """OpenSim's JointReaction of a joint, by its Analyze Tool, from the files ``model.osim`` and ``states.sto``."""
    joints = osim.ArrayStr()
    joints.append(name)
    analysis = osim.JointReaction()
    analysis.setName("reactions")
    analysis.setJointNames(joints)
    trials.run_analysis(folder / "model.osim", analysis, STEP, "step", states=folder / "states.sto")
    return read_table(next(folder.glob("*ReactionLoads.sto")))


def on_insertion(inertial: oi.InertialModel, muscle: str, state: osim.State, udot: Array) -> tuple[Array, Array]:
    """Place of a two-point muscle's end, and the force that its mass points exert there, (3,) each.

    Points lie at the share r(L) of the straight path from a to b. Moving b moves one by r, and by r'(L) (b - a) for
    each length that L gains, so that a force f on it is r f + r' (f . (b - a)) n on b.
    """
    points = inertial.mass_points(state, [muscle])[muscle]
    path, bodies = inertial.muscles.paths[muscle].points, inertial.model.getBodySet()
    a, b = (bodies.get(p.body).findStationLocationInGround(state, osim.Vec3(*p.station)).to_numpy() for p in path)
    length = np.linalg.norm(b - a)
    normal = (b - a) / length
    map = inertial.material_map(muscle)
    fibre = length - map.slack
    assert fibre > map.shortest + map.hold_width
    total = np.zeros(3)
    for xi, x, m, J, bias in zip(
        points.fractions, points.positions, points.masses, points.jacobians, points.jdot_u, strict=True
    ):
        along = map.proximal * map.slack + xi * fibre
        np.testing.assert_allclose(x, a + along * normal, rtol=0, atol=1e-12)
        f = -m * (J @ udot + bias - GRAVITY)
        total += along / length * f + (xi * length - along) / length**2 * (f @ (b - a)) * normal
    return b, total


def test_joint_reaction_analysis(opensim_models: Path, tmp_path: Path) -> None:
    """OpenSim's analysis of a walking step, in which muscles pull nothing and the pelvis hangs on a force."""
    whole, motion, _ = trials.gait10(opensim_models)
    given = whole.original_model()
    for muscle in given.getMuscles():
        muscle.set_appliesForce(False)
    lift = osim.PrescribedForce("lift", given.getBodySet().get("pelvis"))
    lift.setForceFunctions(osim.Constant(0.0), osim.Constant(900.0), osim.Constant(0.0))
    given.addForce(lift)
    given.finalizeConnections()
    inertial = oi.InertialModel(given, {"soleus_r": 0.9}, "rigid_tendon", "points", points=5)
    inertial.export(tmp_path / "model.osim")
    native = Native(inertial)
    steps = states_of_a_step(native.model, inertial, motion)
    write_table(steps, tmp_path / "states.sto", in_degrees=False, name="states")
    loads = analyse(tmp_path, "ankle_r")
    columns = [f"ankle_r_on_talus_r_in_ground_{x}{i}" for x in "mfp" for i in "xyz"]
    assert len(loads) > 5
    paths = [native.model.getCoordinateSet().get(n).getAbsolutePathString() for n in inertial.coordinate_names]
    for time, row in loads[columns].iterrows():
        at = steps.iloc[np.argmin(np.abs(steps.index - time))]
        found, place = row.to_numpy()[:6], row.to_numpy()[6:]
        state = inertial.initial_state()
        inertial.coordinates.set_values(state, at[[f"{path}/value" for path in paths]].to_numpy())
        state.setU(osim.Vector.createFromMat(at[[f"{path}/speed" for path in paths]].to_numpy().copy()))
        udot = native.udot(0.0, state.getY().to_numpy().copy())
        foot = rates(inertial, ["talus_r", "calcn_r", "toes_r"], [], state, udot)
        end, force = on_insertion(inertial, "soleus_r", state, udot)
        assert np.linalg.norm(force) > 1.0
        needed = foot - np.concatenate([np.cross(end, force), force])
        needed[:3] -= np.cross(place, needed[3:])
        assert np.abs(found - needed).max() < FROM_FILES * np.abs(needed).max()
