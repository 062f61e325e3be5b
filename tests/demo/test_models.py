"""Models of the demo and of examples: published segments, files that stock OpenSim runs, a hopper that stands."""

import csv

import numpy as np
import opensim as osim
import pytest
from models import muscles_apart
from models.hopper import BODY_MASS, STANDING, hopper, hopper_masses
from models.hopper import COORDINATES as HOPPER_COORDINATES
from models.hopper import MUSCLES as HOPPER_MUSCLES
from models.muscles import MUSCLES as LEG_MUSCLES
from models.reaching_arm import (
    COORDINATES,
    MUSCLES,
    START,
    arm_masses,
    reaching_arm,
)
from models.segments import SEGMENTS, STATURE

import opensim_inertia as oi
from opensim_inertia import compare_wraps
from opensim_inertia.demo import LEGS, SWING, write_demo

TAKE_OFF, TOUCH_DOWN = SWING
WEIGHT = BODY_MASS * 9.80665
OPENSIM = 1e-4  # Largest difference of a path's length from OpenSim's [m], smoothing included; measured 1e-5
#: Coordinate, and least and largest moment arm [m], by muscle; extension of the hopper's knee is positive.
HOPPER_ARMS = [
    ("glut_max", "hip_flexion", -0.08, -0.04),
    ("hamstrings", "hip_flexion", -0.09, -0.04),
    ("hamstrings", "knee_angle", -0.07, -0.02),
    ("rect_fem", "hip_flexion", 0.03, 0.07),
    ("rect_fem", "knee_angle", 0.03, 0.05),
    ("vasti", "knee_angle", 0.03, 0.05),
    ("gastroc", "knee_angle", -0.04, -0.01),
    ("gastroc", "ankle_angle", -0.06, -0.02),
    ("soleus", "ankle_angle", -0.06, -0.02),
    ("tib_ant", "ankle_angle", 0.03, 0.06),
]
ARM_ARMS = [
    ("DELT1", "shoulder_flexion", 0.02, 0.05),
    ("DELT2", "shoulder_adduction", -0.05, -0.02),  # it abducts
    ("DELT3", "shoulder_flexion", -0.06, -0.01),
    ("TRIlong", "elbow_flexion", -0.026, -0.015),
    ("TRIlat", "elbow_flexion", -0.026, -0.015),
    ("TRImed", "elbow_flexion", -0.026, -0.015),
    ("BIC", "elbow_flexion", 0.018, 0.05),
]


@pytest.fixture(scope="module")
def standing() -> oi.InertialModel:
    """Every wrap led smoothly, or building it fails."""
    return oi.InertialModel(hopper(), hopper_masses(), wrapping=oi.Wrapping(strict=True))


@pytest.fixture(scope="module")
def arm() -> oi.InertialModel:
    """With muscles that do not pull; every wrap led smoothly, or building it fails."""
    return oi.InertialModel(
        *muscles_apart(reaching_arm(acting=False), arm_masses()), "rigid_tendon", wrapping=oi.Wrapping(strict=True)
    )


def ground_forces(trajectory: oi.forward_simulation.Trajectory) -> np.ndarray:
    """Upward, under heel and toes at every state (T, 2) [N]."""
    model, rows = trajectory.inertial.model, []
    contacts = [model.getForceSet().get(name) for name in ("heel", "toes")]
    for state in trajectory.states():
        model.realizeDynamics(state)
        rows.append([contact.getRecordValues(state).get(1) for contact in contacts])
    return np.array(rows)


def test_masses_and_wraps(standing: oi.InertialModel) -> None:
    stock = hopper()
    assert stock.getTotalMass(stock.initSystem()) == pytest.approx(BODY_MASS, rel=1e-12)
    state = standing.initial_state()
    muscles = sum(m.mass for m in HOPPER_MUSCLES.values())
    assert standing.model.getTotalMass(state) == pytest.approx(BODY_MASS, rel=1e-12)
    assert 0.1 * BODY_MASS < muscles < 0.15 * BODY_MASS
    assert standing.coordinate_names == HOPPER_COORDINATES
    found = compare_wraps(stock, poses=40, progress=False)
    assert set(found.index) == set(standing.wraps.sites) == {"glut_max", "rect_fem", "vasti", "gastroc"}
    assert (found["way"] == "analytic").all() and not standing.wraps.opensim
    assert found["length max [mm]"].max() < 1e3 * OPENSIM


@pytest.mark.slow
def test_it_stands_at_its_weight_and_holds_itself(standing: oi.InertialModel) -> None:
    held = oi.simulate(
        oi.Problem(standing, t_final=0.2, excitations={n: m.hold for n, m in HOPPER_MUSCLES.items()}),
        oi.integrators.SDIRK2(step=4e-3),
    )
    forces = ground_forces(held)
    assert forces[0].sum() == pytest.approx(WEIGHT, rel=2e-3)
    assert (forces[0] > 0.2 * WEIGHT).all()
    assert np.abs(forces.sum(axis=1) - WEIGHT).max() < 2e-3 * WEIGHT
    assert np.abs(held.coordinates().to_numpy() - STANDING).max() < 2e-3
    slack = oi.InertialModel(hopper(hold=False), hopper_masses(), wrapping=oi.Wrapping(strict=True))
    fallen = oi.simulate(
        oi.Problem(slack, t_final=0.2, excitations=dict.fromkeys(HOPPER_MUSCLES, 0.02)),
        oi.integrators.SDIRK2(step=4e-3),
    )
    assert fallen.coordinates()["pelvis_ty"].iloc[-1] < STANDING[0] - 0.05


def put(inertial: oi.InertialModel, angles: np.ndarray) -> osim.State:
    state = inertial.initial_state()
    inertial.coordinates.set_values(state, np.asarray(angles, dtype=float))
    inertial.model.realizeVelocity(state)
    return state


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


@pytest.mark.parametrize(("muscle", "coordinate", "least", "most"), [*HOPPER_ARMS, *ARM_ARMS])
def test_moment_arms(
    standing: oi.InertialModel, arm: oi.InertialModel, muscle: str, coordinate: str, least: float, most: float
) -> None:
    """-dL/dq of our own paths [m]: which way muscles turn, and how much, in two poses."""
    poses, inertial = ((STANDING, (0.9, 0.1, -0.2, -0.1)), standing)
    if muscle in MUSCLES:
        poses, inertial = ((START, (0.5, -0.1, 0.1, 1.3)), arm)
    step, axis = 1e-5, np.eye(4)[inertial.coordinate_names.index(coordinate)]
    for pose in np.array(poses):
        ends = [inertial.path_lengths(put(inertial, pose + s * step * axis))["path"][muscle] for s in (-1, 1)]
        assert least < (ends[0] - ends[1]) / (2 * step) < most


@pytest.fixture(scope="module", params=LEGS)
def leg(request: pytest.FixtureRequest) -> tuple[osim.Model, osim.State, tuple[float, float]]:
    """A model with its state, and stature [m] and body mass [kg]."""
    model = osim.Model(str(LEGS[request.param]))
    return model, model.initSystem(), request.param


def test_segments_have_the_published_masses_and_lengths(leg):
    model, state, (height, mass) = leg
    # de Leva 1996, table 4, males: lower trunk, thigh, shank, foot
    assert model.getTotalMass(state) == pytest.approx((0.1117 + 0.1416 + 0.0433 + 0.0137) * mass, rel=1e-12)
    origin = {name: model.getBodySet().get(name).getPositionInGround(state).to_numpy() for name in SEGMENTS}
    assert origin["femur_r"][1] - origin["tibia_r"][1] == pytest.approx(0.4222 * height / STATURE, rel=1e-12)
    assert origin["tibia_r"][1] - origin["calcn_r"][1] == pytest.approx(0.4403 * height / STATURE, rel=1e-12)
    assert origin["calcn_r"][1] == pytest.approx(0.039 * height, rel=1e-12)  # the sole is on the ground
    for name in SEGMENTS:
        moments = model.getBodySet().get(name).getInertia().getMoments().to_numpy()
        assert min(moments) > 0.0 and 2.0 * max(moments) < sum(moments)  # strict triangle inequality


def test_masses_leave_the_shank_its_bones(tmp_path):
    with open(write_demo(tmp_path)["masses"], encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [list(row) for row in rows] == [["muscle", "mass", "segment", "source"]] * 4
    assert [row["muscle"] for row in rows] == [m.name for m in LEG_MUSCLES]
    assert all("Ward" in row["source"] for row in rows)
    shank = 0.0433 * 75.0
    total = sum(float(row["mass"]) for row in rows if row["segment"] == "tibia_r")
    assert 0.2 * shank < total < 0.5 * shank
    ratios = [float(row["mass"]) / kg for row, kg in zip(rows, (0.2758, 0.0801, 0.1135, 0.0622), strict=True)]
    assert ratios == pytest.approx([ratios[0]] * 4, rel=1e-3)  # Ward 2009


def test_stock_inverse_dynamics_runs_the_setup_as_it_is(tmp_path, monkeypatch):
    paths = write_demo(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert osim.InverseDynamicsTool(paths["setup"].name).run()
    moments = oi.read_table(tmp_path / "id_swing.sto")
    assert moments.index[0] == pytest.approx(TAKE_OFF) and moments.index[-1] == pytest.approx(TOUCH_DOWN)
    assert moments.shape == (61, 11) and np.isfinite(moments.to_numpy()).all()
    peaks = moments.abs().max()
    # Swing of a 75 kg runner: ankle a few N m, knee about 1 to 2 and hip 2 to 4 N m per kg.
    assert 2.0 < peaks["ankle_angle_r_moment"] < 10.0
    assert 60.0 < peaks["knee_angle_r_moment"] < 150.0
    assert 120.0 < peaks["hip_flexion_r_moment"] < 300.0
