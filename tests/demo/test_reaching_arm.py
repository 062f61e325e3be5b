"""The reaching arm: published segments, paths that touch and leave their surfaces, moments that reach."""

import numpy as np
import pytest
from models import muscles_apart
from models.reaching_arm import (
    COORDINATES,
    ELBOW_BACK,
    ELBOW_FRONT,
    HUMERAL_HEAD,
    MOMENTS,
    MUSCLES,
    REACH_TIME,
    START,
    TARGET,
    arm_masses,
    reaching_arm,
    reaching_motion,
)

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim
from opensim_inertia.analyses.wrapping_report import compare_wraps
from opensim_inertia.errors import OptionError

OPENSIM = 1e-4
"""Largest difference of a path's length from OpenSim's [m], smoothing included; measured 1e-5."""
FORCES = dict(zip(COORDINATES, MOMENTS, strict=True))


@pytest.fixture(scope="module")
def arm() -> oi.InertialModel:
    """With muscles that do not pull, as MOMENTS were found for; every wrap led smoothly, or building it fails."""
    return oi.InertialModel(
        *muscles_apart(reaching_arm(acting=False), arm_masses()), "rigid_tendon", wrapping=oi.Wrapping(strict=True)
    )


@pytest.fixture(scope="module")
def reach(arm: oi.InertialModel) -> oi.forward_simulation.Trajectory:
    return oi.simulate(
        oi.Problem(arm, t_final=REACH_TIME, forces=FORCES), oi.integrators.DOP853(accuracy=1e-8), report_step=0.01
    )


def put(inertial: oi.InertialModel, angles: np.ndarray) -> osim.State:
    state = inertial.initial_state()
    inertial.coordinates.set_values(state, np.asarray(angles, dtype=float))
    inertial.model.realizeVelocity(state)
    return state


def path(inertial: oi.InertialModel, muscle: str) -> osim.GeometryPath:
    return osim.GeometryPath.safeDownCast(inertial.model.getMuscles().get(muscle).getPath())


def touches(inertial: oi.InertialModel, muscle: str, state: osim.State) -> bool:
    return path(inertial, muscle).getCurrentPath(state).getSize() > path(inertial, muscle).getPathPointSet().getSize()


def chords(inertial: oi.InertialModel, muscle: str, state: osim.State) -> float:
    """Length of straight lines between the muscle's path points [m]."""
    points = path(inertial, muscle).getPathPointSet()
    x = [points.get(i).getLocationInGround(state).to_numpy().copy() for i in range(points.getSize())]
    return float(np.linalg.norm(np.diff(x, axis=0), axis=1).sum())


def test_mass_and_inertia_are_the_published_segments(arm: oi.InertialModel) -> None:
    """About the shoulder's flexion axis, of the straight arm; 73 kg of de Leva's males, 2.71, 1.62 and 0.61 %."""
    expected, near = 0.0, 0.0
    for share, length, com, gyration in ((2.71, 0.2817, 0.5772, 0.269), (1.62, 0.2689, 0.4574, 0.265)):
        expected += 0.73 * share * ((near + com * length) ** 2 + (gyration * length) ** 2)
        near += length
    expected += 0.73 * 0.61 * ((near + 0.79 * 0.0862) ** 2 + (0.513 * 0.0862) ** 2)
    stock = reaching_arm()
    state = stock.initSystem()
    assert stock.getTotalMass(state) == pytest.approx(0.0494 * 73, abs=1e-3)
    for name in COORDINATES:
        stock.updCoordinateSet().get(name).setValue(state, 0.0)
    matrix = osim.Matrix()
    stock.getMatterSubsystem().calcM(state, matrix)
    assert matrix.get(0, 0) == pytest.approx(expected, rel=1e-3)
    hand = stock.getMarkerSet().get("hand").getLocationInGround(state).to_numpy()
    np.testing.assert_allclose(hand, [0.0, -0.2817 - 0.2689 - 0.0862, 0.0], atol=1e-12)
    rest = arm.model.getTotalMass(arm.initial_state())
    assert rest + sum(m.mass for m in MUSCLES.values()) == pytest.approx(stock.getTotalMass(state), rel=1e-12)
    segments = oi.InertialModel(stock, arm_masses()).segments
    assert 0.3 < segments.loc["upper_arm", "muscles"] / segments.loc["upper_arm", "mass"] < 0.6


def test_every_wrap_is_analytic_and_opensims(arm: oi.InertialModel) -> None:
    assert set(arm.wraps.sites) == set(MUSCLES) and not arm.wraps.opensim and not arm.wraps.notes
    comparison = compare_wraps(reaching_arm(), poses=40, progress=False)
    assert (comparison["way"] == "analytic").all()
    assert comparison["length max [mm]"].max() < 1e3 * OPENSIM
    assert comparison["touched OpenSim [%]"].max() > 30


def test_muscles_touch_and_lift_off_along_the_reach(arm: oi.InertialModel) -> None:
    names, touched, excess = arm.muscle_names, [], []
    for angles in reaching_motion(rate=100.0).to_numpy():
        state = put(arm, angles)
        table = arm.path_lengths(state)
        assert not table["held"].any()
        touched.append([touches(arm, name, state) for name in names])
        excess.append([table["path"][name] - chords(arm, name, state) for name in names])
    on, off = np.array(touched), np.array(excess)
    radius = {"DELT": HUMERAL_HEAD, "TRI": ELBOW_BACK, "BIC": ELBOW_FRONT}
    for i, name in enumerate(names):
        width = 0.1 * next(r for start, r in radius.items() if name.startswith(start))
        assert (off[on[:, i], i] > 0).all() and (off[~on[:, i], i] < 0.1 * width).all()  # smooth touch: a little early
    changes = {name: np.diff(on[:, i].astype(int)) for i, name in enumerate(names)}
    assert [changes["DELT2"].min(), changes["DELT2"].max()] == [-1, 0]
    assert [changes["DELT3"].min(), changes["DELT3"].max()] == [0, 1]
    for name in ("TRIlong", "TRIlat", "TRImed"):
        assert [changes[name].min(), changes[name].max()] == [-1, 1]
        assert off[:, names.index(name)].max() > 5e-4
    assert touches(arm, "BIC", put(arm, np.zeros(4))) and not touches(arm, "BIC", put(arm, np.array(START)))
    assert touches(arm, "DELT1", put(arm, np.array([-0.5, 0.0, 0.0, 0.3])))


def test_fibres_keep_their_length_over_all_of_the_range(arm: oi.InertialModel) -> None:
    low, high = arm.coordinates.ranges.T
    for angles in np.random.default_rng(1).uniform(low, high, (150, 4)):
        lengths = arm.path_lengths(put(arm, angles))["fibre"]
        shares = [lengths[name] / MUSCLES[name].fibre for name in arm.muscle_names]
        assert 0.2 < min(shares) and max(shares) < 1.7


@pytest.mark.parametrize(
    ("muscle", "coordinate", "least", "most"),
    [
        ("DELT1", "shoulder_flexion", 0.02, 0.05),
        ("DELT2", "shoulder_adduction", -0.05, -0.02),  # it abducts
        ("DELT3", "shoulder_flexion", -0.06, -0.01),
        ("TRIlong", "elbow_flexion", -0.026, -0.015),
        ("TRIlat", "elbow_flexion", -0.026, -0.015),
        ("TRImed", "elbow_flexion", -0.026, -0.015),
        ("BIC", "elbow_flexion", 0.018, 0.05),
    ],
)
def test_moment_arms(arm: oi.InertialModel, muscle: str, coordinate: str, least: float, most: float) -> None:
    """-dL/dq of our own paths: which way muscles turn, and how much [m], where the reach starts and in its middle."""
    step, axis = 1e-5, np.eye(4)[COORDINATES.index(coordinate)]
    for angles in (np.array(START), np.array([0.5, -0.1, 0.1, 1.3])):
        ends = [arm.path_lengths(put(arm, angles + s * step * axis))["path"][muscle] for s in (-1, 1)]
        assert least < (ends[0] - ends[1]) / (2 * step) < most


def test_constant_moments_reach(arm: oi.InertialModel, reach: oi.forward_simulation.Trajectory) -> None:
    angles = reach.coordinates()[list(COORDINATES)].to_numpy()
    assert np.abs(angles[-1] - TARGET).max() < np.radians(1)
    low, high = arm.coordinates.ranges.T
    assert (angles > low).all() and (angles < high).all()
    model = arm.model
    hand = [model.getMarkerSet().get("hand").getLocationInGround(s).to_numpy().copy() for s in reach.states()]
    assert hand[-1][0] > 0.5 > 0.2 > hand[0][0]
    lift = [touches(arm, "DELT2", state) for state in reach.states()]
    touch = [touches(arm, "DELT3", state) for state in reach.states()]
    assert lift[0] and not lift[-1] and touch[-1] and not touch[0]
    energy = reach.energy()["total"]
    assert energy.iloc[-1] - energy.iloc[0] == pytest.approx(reach.work()["forces"].iloc[-1], rel=1e-5)


def test_inverse_dynamics_gives_the_moments_back(
    arm: oi.InertialModel, reach: oi.forward_simulation.Trajectory
) -> None:
    solver, accelerations = osim.InverseDynamicsSolver(arm.model), reach.accelerations().to_numpy()
    for row, state in enumerate(reach.states()):
        needed = solver.solve(state, osim.Vector.createFromMat(accelerations[row].copy())).to_numpy().copy()
        added = arm.evaluation.inverse([arm.dynamics.read(state)], accelerations[row][None])[0]
        np.testing.assert_allclose(needed + added, MOMENTS, atol=1e-8)
        if row == len(reach) // 2:
            assert np.abs(added).max() > 0.1  # the muscles' part is some of it


def test_fixed_steps_converge_at_their_order(arm: oi.InertialModel, reach: oi.forward_simulation.Trajectory) -> None:
    for integrator, order in (("forward_euler", 1), ("sdirk2", 2)):
        errors = []
        for step in (8e-3, 4e-3):
            end = oi.simulate(
                oi.Problem(arm, t_final=REACH_TIME, forces=FORCES), oi.integrators.named(integrator, step=step)
            ).y[-1, :4]
            errors.append(np.abs(end - reach.y[-1, :4]).max())
        assert errors[0] / errors[1] == pytest.approx(2**order, rel=0.35)


@pytest.mark.slow
def test_muscles_pull_where_asked(arm: oi.InertialModel) -> None:
    assert arm.initial_state().getNZ() == 0
    acting = oi.InertialModel(reaching_arm(), arm_masses(), wrapping=oi.Wrapping(strict=True))
    assert acting.initial_state().getNZ() == len(MUSCLES)
    ends = {
        name: oi.simulate(
            oi.Problem(acting, t_final=0.06, excitations={name: 0.8} if name else {}), oi.integrators.SDIRK2(step=3e-3)
        )
        .coordinates()
        .iloc[-1]
        for name in ("", "DELT1", "BIC", "TRIlat")
    }
    for name, coordinate, sense in (
        ("DELT1", COORDINATES[0], 1),
        ("BIC", COORDINATES[3], 1),
        ("TRIlat", COORDINATES[3], -1),
    ):
        assert sense * (ends[name][coordinate] - ends[""][coordinate]) > 0.03


def test_damping_takes_energy() -> None:
    damped = oi.InertialModel(reaching_arm(acting=False, damping=0.5), arm_masses(), wrapping=oi.Wrapping(strict=True))
    state = put(damped, np.array([0.8, -0.1, 0.0, 0.5]))
    energy = oi.simulate(oi.Problem(damped, state, 0.2), "dop853", report_step=0.02).energy()["total"]
    assert (np.diff(energy) < 0).all()


def test_motion(arm: oi.InertialModel) -> None:
    motion = reaching_motion(0.5, 200.0)
    assert list(motion.columns) == list(COORDINATES) and motion.attrs["inDegrees"] is False
    assert len(motion) == 101 and motion.index[-1] == pytest.approx(0.5)
    np.testing.assert_allclose(motion.iloc[[0, -1]].to_numpy(), [START, TARGET], atol=1e-12)
    speeds = np.gradient(motion.to_numpy(), 5e-3, axis=0)
    assert np.abs(speeds[[0, -1]]).max() < 0.02 < 2.0 < np.abs(speeds).max()
    low, high = arm.coordinates.ranges.T
    assert (motion.to_numpy() >= low).all() and (motion.to_numpy() <= high).all()
    for bad in ({"duration": 0.0}, {"rate": float("inf")}):
        with pytest.raises(OptionError, match=next(iter(bad))):
            reaching_motion(**bad)
