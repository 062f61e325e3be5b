"""Simulation in quaternions: through gimbal lock, and the same as in Euler angles away from it."""

import itertools

import numpy as np
import opensim as osim
import pytest
from conftest import slow_except
from models.ball_pendulum import build_ball_pendulum, set_tensions
from oracles import limbs
from scipy.spatial.transform import Rotation

import opensim_inertia as oi
from opensim_inertia.analyses.moment_arms import rotations

STEP = 2e-3
DRIFT = 3e-4  # [J]; at steps of 2 ms sdirk2 is off by 3e-6 J after 0.3 s
EXACT = oi.integrators.DOP853(accuracy=1e-11)


LOCK = np.pi / 2
OMEGA = (0.5, -0.4, 0.8)  # Angular velocity of the first rod at the start [rad/s]
OPTIONS = {"strain": oi.StrainModel("uniform", belly=(0.0, 1.0))}


def pendulum(tilt: float, custom: bool = False, muscle: float = 0.0, omega: object = OMEGA) -> oi.InertialModel:
    """Two rods, the first of which is ``tilt`` [rad] from gimbal lock, and turns by ``omega``."""
    angles = (0.3, LOCK - tilt, 0.2)
    speeds = np.linalg.solve(rotations.euler_map(angles, "parent"), omega) if custom else omega
    model, masses = build_ball_pendulum(
        (angles, (0.2, 0.3, -0.4)), (speeds, (0.0, 0.0, 0.0)), muscle=muscle, custom=custom
    )
    return oi.InertialModel(model, masses.assign(segment=""), **OPTIONS)


def orientations(trajectory: oi.forward_simulation.Trajectory) -> Rotation:
    return Rotation.from_euler("XYZ", trajectory.coordinates().to_numpy()[:, :3])


@pytest.mark.parametrize(
    ("custom", "tilt"), slow_except([(False, 0.0)], itertools.product([False, True], [0.3, 0.005, 0.0005, 0.0]))
)
def test_energy_stays_at_any_distance_from_lock(custom: bool, tilt: float) -> None:
    if custom and tilt == 0.0:
        inertial = oi.InertialModel(*build_ball_pendulum(((0.3, LOCK, 0.2), (0.2, 0.3, -0.4)), custom=True), **OPTIONS)
    else:
        inertial = pendulum(tilt, custom)
    motion = oi.simulate(oi.Problem(inertial, t_final=0.1, rotations="quaternion"), oi.integrators.SDIRK2(step=STEP))
    energy = motion.energy()
    assert np.ptp(energy["total"]) < DRIFT
    assert np.ptp(energy["kinetic"]) > 0.1
    assert np.abs(np.cos(motion.y[:, 1])).min() <= tilt + 1e-7


@pytest.mark.slow
def test_ball_and_custom_joints_pass_through_lock_alike() -> None:
    """They are the same mechanism, but OpenSim's accelerations of the second are singular there."""
    ends = []
    for custom in (False, True):
        inertial = pendulum(0.0005, custom)
        motion = oi.simulate(
            oi.Problem(inertial, t_final=0.1, rotations="quaternion"), oi.integrators.DOP853(accuracy=1e-7)
        )
        ends.append(orientations(motion)[-1])
    assert (ends[0] * ends[1].inv()).magnitude() < 1e-7


@pytest.mark.slow
def test_it_is_of_second_order_through_lock() -> None:
    inertial = pendulum(0.0)
    exact = orientations(oi.simulate(oi.Problem(inertial, t_final=0.08, rotations="quaternion"), EXACT))[-1]
    errors = []
    for step in (4e-3, 2e-3):
        motion = oi.simulate(
            oi.Problem(inertial, t_final=0.08, rotations="quaternion"), oi.integrators.SDIRK2(step=step)
        )
        errors.append((orientations(motion)[-1] * exact.inv()).magnitude())
    assert 3.8 < errors[0] / errors[1] < 4.2


@pytest.mark.parametrize(
    ("custom", "integrator"),
    slow_except([(False, "dop853")], [(False, "dop853"), (True, "bdf"), (True, "auto")]),
)
def test_away_from_lock_it_is_the_motion_in_euler_angles(custom: bool, integrator: str) -> None:
    inertial = pendulum(0.8, custom, muscle=0.05)
    runs = [
        oi.simulate(
            oi.Problem(inertial, t_final=0.3, rotations=rotations),
            oi.integrators.named(integrator, accuracy=1e-8),
            report_step=0.1,
        )
        for rotations in ("euler", "quaternion")
    ]
    np.testing.assert_allclose(runs[0].y, runs[1].y, atol=2e-6)
    assert np.ptp(runs[0].y, axis=0)[:3].min() > 0.05


def body_on(kind: str) -> oi.InertialModel:
    """A body on one joint, tilted in its frames; ``left``: a CustomJoint about left-handed axes, scaled and shifted."""
    model = osim.Model()
    body = osim.Body("body", 2.0, osim.Vec3(0.1, -0.3, 0.05), osim.Inertia(0.3, 0.2, 0.25, 0.01, 0.02, -0.03))
    model.addBody(body)
    ends = [model.getGround(), osim.Vec3(0.1, 0.2, 0.3), osim.Vec3(0.4, 0.2, 0.1), body, osim.Vec3(0), osim.Vec3(0.1)]
    if kind == "left":
        joint = osim.CustomJoint("joint", *ends, left_handed())
    elif kind == "EllipsoidJoint":
        joint = osim.EllipsoidJoint("joint", *ends, osim.Vec3(0.2, 0.1, 0.15))
    else:
        joint = getattr(osim, kind)("joint", *ends)
    model.addJoint(joint)
    model.finalizeConnections()
    return oi.InertialModel(model, {})


def left_handed() -> osim.SpatialTransform:
    transform = osim.SpatialTransform()
    for i, direction in enumerate(((0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)) * 2):
        axis = transform.updTransformAxis(i)
        axis.setAxis(osim.Vec3(*direction))
        axis.set_function(osim.LinearFunction(-2.0 + i, 0.3 * i) if i < 2 else osim.Constant(0.1))
        if i == 2:
            axis.set_function(osim.LinearFunction(1.5, -0.2))
        if i < 3:
            names = osim.ArrayStr()
            names.append(f"turn_{i}")
            axis.setCoordinateNames(names)
    return transform


@pytest.mark.parametrize("kind", ["BallJoint", "FreeJoint", "EllipsoidJoint", "GimbalJoint", "left"])
def test_every_joint_that_turns_freely_moves_as_in_euler_angles(kind: str) -> None:
    inertial = body_on(kind)
    state = inertial.initial_state()
    n = state.getNU()
    inertial.coordinates.set_values(state, np.linspace(0.2, 0.5, n))
    state.setU(osim.Vector.createFromMat(np.linspace(1.0, -1.2, n)))
    runs = [
        oi.simulate(
            oi.Problem(inertial, state, 0.3, rotations=rotations), oi.integrators.DOP853(accuracy=1e-9), report_step=0.1
        )
        for rotations in ("euler", "quaternion")
    ]
    np.testing.assert_allclose(runs[0].y, runs[1].y, atol=2e-8)
    assert np.ptp(runs[0].y, axis=0)[:3].min() > 0.01


def tumbler() -> tuple[oi.InertialModel, np.ndarray]:
    """A free body whose rotation about its middle axis of inertia is unstable, and its moments of inertia."""
    model = osim.Model()
    model.setGravity(osim.Vec3(0))
    body = osim.Body("body", 2.0, osim.Vec3(0), osim.Inertia(0.1, 0.2, 0.25))
    model.addBody(body)
    model.addJoint(osim.FreeJoint("free", model.getGround(), body))
    model.finalizeConnections()
    return oi.InertialModel(model, {}), np.array([0.1, 0.2, 0.25])


@pytest.mark.slow
def test_a_tumbling_body_keeps_its_momentum_at_every_attitude() -> None:
    inertial, inertia = tumbler()
    state = inertial.initial_state()
    state.setU(osim.Vector.createFromMat(np.array([0.1, 3.0, 0.2, 0.5, -0.3, 0.2])))
    motion = oi.simulate(
        oi.Problem(inertial, state, 8.0, rotations="quaternion"), oi.integrators.DOP853(accuracy=1e-13)
    )
    R, u = orientations(motion).as_matrix(), motion.speeds().to_numpy()
    angular = np.einsum("tij,j,tkj,tk->ti", R, inertia, R, u[:, :3])
    assert np.abs(angular - angular[0]).max() < 1e-12
    np.testing.assert_array_equal(u[:, 3:], np.tile(u[0, 3:], (len(u), 1)))
    np.testing.assert_allclose(motion.coordinates().to_numpy()[-1, 3:], 8.0 * u[0, 3:], atol=1e-12)
    # it has turned over: the axis along which it span points the other way, and each axis everywhere
    assert R[:, 1, 1].min() < -0.9
    assert np.abs(np.cos(motion.y[:, 1])).min() < 0.1
    assert np.ptp(R[:, 0], axis=0).min() > 1.5


def test_it_starts_at_any_branch_of_the_angles() -> None:
    """Results begin at the state that is given, beyond lock, too, and do not jump."""
    inertial = pendulum(-0.6)
    motion = oi.simulate(oi.Problem(inertial, t_final=0.1, rotations="quaternion"), report_step=0.01)
    np.testing.assert_allclose(motion.y[0], oi.simulate(oi.Problem(inertial, t_final=0.1)).y[0], atol=1e-14)
    assert np.abs(np.diff(motion.y[:, :3], axis=0)).max() < 0.2
    assert motion.y[-1, 1] > LOCK


def closed_chain(custom: bool) -> oi.InertialModel:
    """The double pendulum, the end of which slides in a plane."""
    model, masses = build_ball_pendulum(
        ((0.3, LOCK - 0.002, 0.2), (0.2, 0.3, -0.4)), ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), custom=custom
    )
    state = model.initSystem()
    place = model.getBodySet().get("rod2").findStationLocationInGround(state, osim.Vec3(0, -1, 0)).to_numpy()
    plane = osim.PointOnLineConstraint(
        model.getGround(),
        osim.Vec3(0.3, 0.2, 1.0),
        osim.Vec3(*place),
        model.getBodySet().get("rod2"),
        osim.Vec3(0, -1, 0),
    )
    plane.setName("line")
    model.addConstraint(plane)
    model.finalizeConnections()
    return oi.InertialModel(model, masses.assign(segment=""), **OPTIONS)


@pytest.mark.slow
def test_constraints_are_met_through_lock() -> None:
    inertial = closed_chain(False)
    motion = oi.simulate(oi.Problem(inertial, t_final=0.1, rotations="quaternion"), EXACT)
    for state in motion.states():
        assert max(np.abs(e.to_numpy()).max() for e in (state.getQErr(), state.getUErr())) < 1e-9
    assert np.ptp(motion.energy()["total"]) < 1e-8
    other = oi.simulate(oi.Problem(inertial, t_final=0.1), EXACT)
    assert (orientations(motion)[-1] * orientations(other)[-1].inv()).magnitude() < 1e-7
    assert (orientations(motion)[-1] * orientations(motion)[0].inv()).magnitude() > 0.02


@pytest.mark.slow
def test_constant_tensions_do_the_work_that_energy_gains() -> None:
    inertial = pendulum(0.0)
    state, tensions = inertial.initial_state(), {"front": 8.0, "long": 5.0, "twister": 3.0}
    set_tensions(inertial.model, state, tensions)
    motion = oi.simulate(oi.Problem(inertial, state, 0.2, rotations="quaternion"), EXACT)
    stored = []
    for at in motion.states():
        stored.append(sum(f * inertial.model.getMuscles().get(name).getLength(at) for name, f in tensions.items()))
    energy = motion.energy()[["kinetic", "potential_bones"]].sum(axis=1)
    assert np.ptp(energy + stored) < 1e-8
    assert np.ptp(stored) > 0.1


def test_what_cannot_be_is_refused_by_name() -> None:
    inertial = pendulum(0.3)
    with pytest.raises(oi.errors.OptionError, match="rotations='quaternions': expected one of 'euler', 'quaternion'"):
        oi.simulate(oi.Problem(inertial, rotations="quaternions"))
    with pytest.raises(oi.errors.OptionError, match="rotations='quaternion'.*control"):
        oi.simulate(oi.Problem(inertial, control=object(), rotations="quaternion"))  # type: ignore[arg-type]
    with pytest.raises(oi.errors.OptionError, match="rotations='quaternion'.*no joint of model"):
        oi.simulate(oi.Problem(oi.InertialModel(limbs.chain(2), {}), rotations="quaternion"))
