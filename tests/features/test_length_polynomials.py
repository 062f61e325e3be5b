"""Length polynomials against OpenSim's own lengths and moment arms, differences, and closed forms."""

import json
import math

import numpy as np
import opensim as osim
import pytest
from models.pendulums import Cylinder, build_pendulum
from models.reaching_arm import reaching_arm

import opensim_inertia as oi

STRAIGHT = [("ground", (0.05, 0.1, 0.0)), ("rod2", (0.03, -0.1, 0.0))]


@pytest.fixture(scope="module")
def arm():
    return reaching_arm()


@pytest.fixture(scope="module")
def euler(arm):
    return oi.fit_length_polynomials(arm, 120, "TRI*", degree=3)


@pytest.fixture(scope="module")
def quaternion(arm):
    return oi.fit_length_polynomials(arm, 120, ["TRIlong", "BIC"], "quaternion", degree=3)


def opensim_values(model, muscle, names, poses):
    """OpenSim's length and moment arms of a muscle at poses whose coordinates are named."""
    state = model.initSystem()
    path = model.getMuscles().get(muscle).getPath()
    lengths, arms = [], []
    for pose in poses:
        for name, value in zip(names, pose, strict=True):
            model.getCoordinateSet().get(name).setValue(state, value, False)
        model.assemble(state)
        model.realizePosition(state)
        lengths.append(path.getLength(state))
        arms.append([path.computeMomentArm(state, model.getCoordinateSet().get(name)) for name in names])
    return np.array(lengths), np.array(arms)


def test_summary_is_of_the_differences_from_opensim():
    model, _ = build_pendulum(STRAIGHT)
    poses = np.random.default_rng(1).uniform(-1.2, 1.2, (60, 2))
    polynomials = oi.fit_length_polynomials(model, poses)
    lengths, arms = opensim_values(model, "muscle", ["shoulder", "elbow"], poses)
    row = polynomials.summary().loc["muscle"]
    off, steep = polynomials.lengths(poses)["muscle"] - lengths, polynomials.moment_arms("muscle", poses) - arms
    assert row["length RMSE [mm]"] == pytest.approx(1e3 * np.sqrt(np.mean(off**2)), rel=1e-6)
    assert row["arm RMSE [mm]"] == pytest.approx(1e3 * np.sqrt(np.mean(steep.to_numpy() ** 2)), rel=1e-6)
    assert row["length max [mm]"] == pytest.approx(1e3 * abs(off).max(), rel=1e-6)
    assert 5 < row["terms"] < 16
    assert row["arm RMSE [mm]"] < 0.05 * 1e3 * np.sqrt(np.mean(arms**2))
    assert polynomials.jumps.empty


@pytest.mark.parametrize("rotations", ["quaternion", pytest.param("euler", marks=pytest.mark.slow)])
def test_moment_arms_are_derivatives_of_lengths(rotations, request):
    polynomials = request.getfixturevalue(rotations)
    names = polynomials.coordinate_names
    poses = np.random.default_rng(2).uniform(-0.8, 0.8, (5, len(names)))
    for k, name in enumerate(names):
        step = 1e-6 * np.eye(len(names))[k]
        slopes = (polynomials.lengths(poses + step) - polynomials.lengths(poses - step)) / 2e-6
        for muscle in polynomials.muscle_names:
            arms = polynomials.moment_arms(muscle, poses)
            expected = arms[name] if name in arms else np.zeros(5)
            assert slopes[muscle].to_numpy() == pytest.approx(-np.array(expected), abs=1e-8)


def test_quaternions_stand_for_the_three_angles_of_a_joint(quaternion):
    assert quaternion.variables_of("TRIlong") == ("elbow_flexion", "shoulder.Q1", "shoulder.Q2", "shoulder.Q3")
    table = quaternion.summary()
    assert (table["length RMSE [mm]"] < 4).all()
    assert list(quaternion.moment_arms("BIC", 3)) == list(quaternion.coordinate_names)


def test_a_ball_joint_is_fitted_by_its_quaternion():
    """The moment arms of OpenSim's speeds, angular velocity in the parent, are the torque of a unit tension."""
    model, r, p = ball()
    rng = np.random.default_rng(3)
    poses = rng.uniform(-0.7, 0.7, (150, 3))
    polynomials = oi.fit_length_polynomials(model, poses, rotations="quaternion", stop=0, degree=6)
    assert polynomials.variables_of("muscle") == ("ball.Q1", "ball.Q2", "ball.Q3")
    assert polynomials.summary().loc["muscle", "length max [mm]"] < 0.02
    assert list(polynomials.moment_arms("muscle", poses[:1])) == [f"ball_coord_{i}_u" for i in range(3)]
    state = model.initSystem()
    for pose in poses[:5]:
        state.setQ(osim.Vector.createFromMat(np.append(pose, 0.0)))
        model.realizePosition(state)
        place = model.getBodySet().get("body").findStationLocationInGround(state, osim.Vec3(*p)).to_numpy()
        torque = np.cross(place, (r - place) / np.linalg.norm(r - place))
        assert polynomials.moment_arms("muscle", pose[None]).to_numpy()[0] == pytest.approx(torque, abs=3e-4)


def ball():
    """A body in a ball joint at the origin and a straight muscle from r in ground to p in the body."""
    r, p = np.array([0.1, 0.3, 0.05]), np.array([0.05, -0.2, 0.02])
    model = osim.Model()
    body = osim.Body("body", 1.0, osim.Vec3(0), osim.Inertia(1, 1, 1))
    model.addBody(body)
    model.addJoint(osim.BallJoint("ball", model.getGround(), body))
    muscle = osim.Thelen2003Muscle("muscle", 100.0, 0.1, 0.3, 0.0)
    muscle.addNewPathPoint("r", model.getGround(), osim.Vec3(*r))
    muscle.addNewPathPoint("p", body, osim.Vec3(*p))
    model.addForce(muscle)
    model.finalizeConnections()
    return model, r, p


def test_coordinates_that_follow_others_are_no_variables():
    model, _ = build_pendulum(STRAIGHT)
    coupler = osim.CoordinateCouplerConstraint()
    coupler.setName("coupler")
    names = osim.ArrayStr()
    names.append("shoulder")
    coupler.setIndependentCoordinateNames(names)
    coupler.setDependentCoordinateName("elbow")
    coupler.setFunction(osim.LinearFunction(0.5, 0.1))
    model.addConstraint(coupler)
    polynomials = oi.fit_length_polynomials(model, 50, stop=0.001)
    assert polynomials.coordinate_names == ("shoulder",)
    poses = np.linspace(-1, 1, 9)[:, None] * [[1.0, 0.5]] + [[0.0, 0.1]]
    lengths, arms = opensim_values(model, "muscle", ["shoulder"], poses[:, :1])
    assert polynomials.lengths(poses)["muscle"].to_numpy() == pytest.approx(lengths, abs=2e-4)
    assert polynomials.moment_arms("muscle", poses).to_numpy() == pytest.approx(arms, abs=2e-3)


def test_function_based_paths_are_the_polynomials_in_stock_opensim(tmp_path, euler):
    file = tmp_path / "set.xml"
    euler.to_function_based_paths(file)
    model = reaching_arm()
    osim.ModelFactory.replacePathsWithFunctionBasedPaths(model, osim.SetFunctionBasedPaths(str(file)))
    poses = np.random.default_rng(4).uniform(-0.8, 1.0, (6, 4))
    for muscle in euler.muscle_names:
        arms = euler.moment_arms(muscle, poses)
        names = list(euler.coordinate_names)
        lengths, opensim_arms = opensim_values(model, muscle, names, poses)
        assert model.getMuscles().get(muscle).getPath().getConcreteClassName() == "FunctionBasedPath"
        assert euler.lengths(poses)[muscle].to_numpy() == pytest.approx(lengths, abs=1e-9)
        assert arms.reindex(columns=names, fill_value=0).to_numpy() == pytest.approx(opensim_arms, abs=1e-9)


def test_ball_joints_cannot_be_function_based(tmp_path):
    model, _, _ = ball()
    polynomials = oi.fit_length_polynomials(model, 40, degree=2)
    assert polynomials.variables_of("muscle") == ("ball_coord_0", "ball_coord_1", "ball_coord_2")
    with pytest.raises(
        oi.errors.ModelError, match="coordinate 'ball_coord_0' .* its rate is not one of the model's speeds"
    ):
        polynomials.to_function_based_paths(tmp_path / "set.xml")


@pytest.mark.parametrize("rotations", ["euler", "quaternion"])
def test_stored_polynomials_are_the_same(tmp_path, arm, rotations, request):
    polynomials = request.getfixturevalue(rotations)
    polynomials.save(tmp_path / "arm.length_polynomials.json")
    again = oi.length_polynomials.load_length_polynomials(tmp_path / "arm.length_polynomials.json", arm)
    assert (again.lengths(7) == polynomials.lengths(7)).all(axis=None)
    assert again.summary().equals(polynomials.summary())
    assert repr(again) == repr(polynomials)


def test_polynomials_of_another_model_are_refused(tmp_path, arm, euler):
    file = tmp_path / "arm.length_polynomials.json"
    euler.save(file)
    other = reaching_arm()
    point = osim.PathPoint.safeDownCast(
        osim.GeometryPath.safeDownCast(other.getMuscles().get("TRIlat").getPath()).getPathPointSet().get(0)
    )
    point.set_location(osim.Vec3(-0.012, -0.075, 0.006))
    with pytest.raises(oi.errors.OtherModelError, match="not of this .*the path of muscle 'TRIlat' is .* mm off"):
        oi.length_polynomials.load_length_polynomials(file, other)
    with pytest.raises(
        oi.errors.OtherModelError, match="not of this 'double_pendulum': it has no coordinate 'shoulder_"
    ):
        oi.length_polynomials.load_length_polynomials(file, build_pendulum(STRAIGHT)[0])


def test_damaged_files_are_refused(tmp_path, arm, euler):
    file = tmp_path / "arm.length_polynomials.json"
    euler.save(file)
    stored = json.loads(file.read_text())
    for reason, text in {
        "it is not JSON": "{",
        "it is of version 2; expected 1": json.dumps(stored | {"version": 2}),
        "it was changed since it was written": json.dumps({k: v for k, v in stored.items() if k != "options"}),
    }.items():
        file.write_text(text)
        with pytest.raises(oi.errors.FileFormatError, match=reason):
            oi.length_polynomials.load_length_polynomials(file, arm)


def test_what_cannot_be_fitted_is_refused_by_name(arm):
    model, _ = build_pendulum([("rod1", (0, 0, 0)), ("rod1", (0, -0.2, 0))])
    with pytest.raises(oi.errors.SpanlessMuscleError, match="muscle 'muscle' spans no coordinate"):
        oi.fit_length_polynomials(model, 20, "muscle")
    poses = np.zeros((20, 4))
    with pytest.raises(oi.errors.MotionError, match=r"poses have shape \(20, 3\); expected \(P, 4\)"):
        oi.fit_length_polynomials(arm, poses[:, :3])
    poses[3, 1] = np.nan
    with pytest.raises(oi.errors.MotionError, match=r"pose 3 \(counted from 0\): '.*' is nan"):
        oi.fit_length_polynomials(arm, poses)
    with pytest.raises(oi.errors.FewPosesError, match="muscle 'TRIlong': 3 poses cannot determine 5 terms"):
        oi.fit_length_polynomials(arm, 3, "TRIlong")
    with pytest.raises(oi.errors.UnknownNameError, match="unknown muscle 'TRIlnog'"):
        oi.fit_length_polynomials(arm, 10, "TRIlnog")
    with pytest.raises(oi.errors.OptionError, match="rotations='spatial': expected one of 'euler', 'quaternion'"):
        oi.fit_length_polynomials(arm, 10, rotations="spatial")


def test_rotations_by_half_a_turn_are_refused_with_quaternions():
    model, _, _ = ball()
    poses = np.zeros((31, 3))
    poses[:, 0] = np.linspace(-3.1, 3.1, 31)
    with pytest.raises(oi.errors.MotionError, match=r"pose \d+ .* joint 'ball' is turned by nearly 180 degrees"):
        oi.fit_length_polynomials(model, poses, rotations="quaternion")


def turned(angle, v):
    cosine, sine = math.cos(angle), math.sin(angle)
    return np.array([cosine * v[0] - sine * v[1], sine * v[0] + cosine * v[1], v[2]])


def test_jumps_of_paths_are_found():
    """A path point that is there from one angle on lengthens the path at once."""
    model, _ = build_pendulum(STRAIGHT)
    muscle = model.getMuscles().get("muscle")
    at, middle = 0.3, np.array([0.2, -0.2, 0.0])
    point = osim.ConditionalPathPoint()
    point.setName("condition")
    point.setParentFrame(model.getGround())
    point.set_location(osim.Vec3(*middle))
    point.setCoordinate(model.getCoordinateSet().get("shoulder"))
    point.setRangeMin(at)
    point.setRangeMax(10.0)
    points = osim.GeometryPath.safeDownCast(muscle.getPath()).updPathPointSet()
    points.insert(1, point)
    point.thisown = False  # the set takes it
    model.finalizeConnections()
    poses = np.random.default_rng(5).uniform([-1, 0.4], [1, 0.41], (60, 2))
    with pytest.warns(oi.warnings.PathJumpWarning, match="'muscle' .* mm.*wrapping='analytic' fits smooth paths"):
        polynomials = oi.fit_length_polynomials(model, poses)
    row = polynomials.jumps.loc["muscle"]
    assert row["shoulder"] == pytest.approx(at, abs=1e-3)
    start, rod = np.array(STRAIGHT[0][1]), 0.4
    turn = at + row["elbow"]
    end = turned(at, (0, -rod, 0)) + turned(turn, STRAIGHT[1][1])
    size = np.linalg.norm(middle - start) + np.linalg.norm(end - middle) - np.linalg.norm(end - start)
    assert row["jump [mm]"] == pytest.approx(1e3 * size, abs=0.05)


def test_smooth_paths_can_be_fitted():
    cylinder = Cylinder(0.05)
    model, table = build_pendulum(
        [("rod1", (0.06, -0.1, 0.0)), ("rod2", (0.06, -0.2, 0.0))], cylinder=cylinder, muscle=0.02
    )
    poses = np.random.default_rng(6).uniform(-1.2, 1.2, (40, 2))
    polynomials = oi.fit_length_polynomials(model, poses, wrapping="analytic", degree=6)
    inertial = oi.InertialModel(model, table, "uniform")
    state = inertial.initial_state()
    lengths = []
    for pose in poses:
        inertial.coordinates.set_values(state, pose)
        lengths.append(inertial.path_lengths(state).loc["muscle", "path"])
    off = polynomials.lengths(poses)["muscle"] - np.array(lengths)
    assert polynomials.summary().loc["muscle", "length RMSE [mm]"] == pytest.approx(
        1e3 * np.sqrt(np.mean(off**2)), rel=1e-6
    )
    assert abs(off).max() < 2e-3


@pytest.mark.slow
def test_poses_without_forces_are_left_out(opensim_models):
    """Arm26's BIClong has a pose where OpenSim's forces are NaN; the other muscles do not suffer from it."""
    file = opensim_models / "Models/Arm26/arm26.osim"
    with pytest.warns(oi.InertiaWarning) as caught:
        polynomials = oi.fit_length_polynomials(str(file), 1000, degree=2)
    messages = [str(each.message) for each in caught if "NaN" in str(each.message)]
    assert len(messages) == 1 and messages[0].startswith("1 of 1000 poses") and messages[0].count("'") == 3
    assert list(polynomials.summary().index) == ["TRIlong", "TRIlat", "TRImed", "BIClong", "BICshort", "BRA"]
