"""The demo: anthropometrics, muscles against finite differences, a smooth motion, files that stock OpenSim runs."""

import csv
import os
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from models.muscles import MUSCLES
from models.segments import SEGMENTS, STATURE
from oracles.demo_leg import swing_motion

from opensim_inertia._core.opensim import osim, quiet
from opensim_inertia.demo import DEMO_SIZE, LEGS, SWING, write_cohort, write_demo
from opensim_inertia.errors import OptionError, OutputError

TAKE_OFF, TOUCH_DOWN = SWING
COORDINATES = (
    "pelvis_tilt", "pelvis_list", "pelvis_rotation", "pelvis_tx", "pelvis_ty", "pelvis_tz",
    "hip_flexion_r", "hip_adduction_r", "hip_rotation_r", "knee_angle_r", "ankle_angle_r",
)  # fmt: skip
ANKLE, KNEE = "ankle_angle_r", "knee_angle_r"
TOLERANCE_ARM = 1e-5
"""Moment arms against differences of length [m]; OpenSim's cylinder is not the exact geodesic."""


class Leg:
    """A model and its state, kept together: a state must not outlive its model."""

    def __init__(self, size: tuple[float, float] = DEMO_SIZE) -> None:
        with quiet():
            self.model = osim.Model(str(LEGS[size]))
        self.state = self.model.initSystem()
        coordinates = self.model.getCoordinateSet()
        self.coordinates = {name: coordinates.get(name) for name in COORDINATES}
        self.muscles = {m.name: self.model.getMuscles().get(m.name) for m in MUSCLES}

    def pose(self, **values: float) -> "Leg":
        for name, value in values.items():
            self.coordinates[name].setValue(self.state, value, False)
        self.model.realizePosition(self.state)
        return self

    def length(self, muscle: str, **values: float) -> float:
        return self.pose(**values).muscles[muscle].getLength(self.state)

    def arm(self, muscle: str, coordinate: str) -> float:
        path = osim.GeometryPath.safeDownCast(self.muscles[muscle].getPath())
        return path.computeMomentArm(self.state, self.coordinates[coordinate])

    def wraps(self, muscle: str) -> bool:
        path = osim.GeometryPath.safeDownCast(self.muscles[muscle].getPath())
        return path.getCurrentPath(self.state).getSize() > path.getPathPointSet().getSize()


@pytest.fixture(scope="module")
def leg() -> Leg:
    return Leg()


def test_coordinates_are_the_papers_eleven(leg):
    names = leg.model.getCoordinateSet()
    assert [names.get(i).getName() for i in range(names.getSize())] == list(COORDINATES)
    assert len(COORDINATES) == 11 and leg.state.getNU() == 11
    rotational = {n for n, c in leg.coordinates.items() if c.getMotionType() == osim.Coordinate.Rotational}
    assert rotational == set(COORDINATES) - {"pelvis_tx", "pelvis_ty", "pelvis_tz"}


@pytest.mark.parametrize(("height", "mass"), LEGS)
def test_segments_have_the_published_masses_and_lengths(height, mass):
    leg = Leg((height, mass))
    # de Leva 1996, table 4, males: lower trunk, thigh, shank, foot
    assert leg.model.getTotalMass(leg.state) == pytest.approx((0.1117 + 0.1416 + 0.0433 + 0.0137) * mass, rel=1e-12)
    origin = {name: leg.model.getBodySet().get(name).getPositionInGround(leg.state).to_numpy() for name in SEGMENTS}
    assert origin["femur_r"][1] - origin["tibia_r"][1] == pytest.approx(0.4222 * height / STATURE, rel=1e-12)
    assert origin["tibia_r"][1] - origin["calcn_r"][1] == pytest.approx(0.4403 * height / STATURE, rel=1e-12)
    assert origin["calcn_r"][1] == pytest.approx(0.039 * height, rel=1e-12)  # the sole is on the ground


@pytest.mark.parametrize("body", SEGMENTS)
def test_segment_inertia_is_physical(leg, body):
    moments = leg.model.getBodySet().get(body).getInertia().getMoments().to_numpy()
    assert min(moments) > 0.0
    assert 2.0 * max(moments) < sum(moments)  # strict triangle inequality


def test_a_size_without_a_leg_is_refused(tmp_path):
    with pytest.raises(OptionError, match=r"subjects=\(1.7, 70.0\): expected sizes among"):
        write_cohort(tmp_path, subjects=[(1.7, 70.0)])


def test_the_three_types_of_path(leg):
    points = {
        n: osim.GeometryPath.safeDownCast(m.getPath()).getPathPointSet().getSize() for n, m in leg.muscles.items()
    }
    assert points == {"soleus_r": 2, "tib_ant_r": 4, "gasmed_r": 2, "gaslat_r": 2}
    wraps = {n: osim.GeometryPath.safeDownCast(m.getPath()).getWrapSet().getSize() for n, m in leg.muscles.items()}
    assert wraps == {"soleus_r": 0, "tib_ant_r": 0, "gasmed_r": 1, "gaslat_r": 1}


@pytest.mark.parametrize("size", LEGS)
def test_fibres_have_their_intended_length_in_the_neutral_pose(size):
    leg = Leg(size)
    for muscle in MUSCLES:
        actuator = leg.muscles[muscle.name]
        along = actuator.getLength(leg.state) - actuator.get_tendon_slack_length()
        fibre = along / np.cos(actuator.get_pennation_angle_at_optimal())
        assert fibre == pytest.approx(muscle.stretch * actuator.get_optimal_fiber_length(), abs=1e-6)  # rounded slack
        assert 0.5 < actuator.get_tendon_slack_length() / actuator.getLength(leg.state) < 0.95


@pytest.mark.parametrize("muscle", [m.name for m in MUSCLES])
@pytest.mark.parametrize("coordinate", [KNEE, ANKLE])
def test_moment_arms_are_minus_dl_dq_and_have_the_right_sign(leg, muscle, coordinate):
    step = np.radians(0.01)
    least, most = np.inf, -np.inf
    for knee in np.radians([0.0, -20.0, -60.0, -90.0, -113.0]):  # none at a touch
        for ankle in np.radians([-25.0, 0.0, 15.0]):
            pose = {KNEE: knee, ANKLE: ankle}
            sides = [leg.length(muscle, **{**pose, coordinate: pose[coordinate] + s * step}) for s in (-1.0, 1.0)]
            arm = leg.pose(**pose).arm(muscle, coordinate)
            assert arm == pytest.approx(-(sides[1] - sides[0]) / (2.0 * step), abs=TOLERANCE_ARM)
            least, most = min(least, arm), max(most, arm)
    expected = {  # [m]; extension and dorsiflexion positive
        (KNEE, "soleus_r"): (0.0, 0.0),
        (KNEE, "tib_ant_r"): (0.0, 0.0),
        (KNEE, "gasmed_r"): (-0.030, -0.010),
        (KNEE, "gaslat_r"): (-0.030, -0.010),
        (ANKLE, "tib_ant_r"): (0.03, 0.05),
    }.get((coordinate, muscle), (-0.06, -0.035))
    assert expected[0] - 1e-9 <= least and most <= expected[1] + 1e-9


@pytest.mark.parametrize("muscle", ["gasmed_r", "gaslat_r"])
def test_gastrocnemii_lift_off_the_condyles_once_and_smoothly(leg, muscle):
    knees = np.radians(np.arange(-140.0, 5.01, 0.5))
    for ankle in np.radians([-30.0, 0.0, 20.0]):
        wrapped, lengths = [], []
        for knee in knees:
            lengths.append(leg.length(muscle, **{KNEE: knee, ANKLE: ankle}))
            wrapped.append(leg.wraps(muscle))
        switches = np.flatnonzero(np.diff(wrapped))
        assert len(switches) == 1 and wrapped[-1] and not wrapped[0]
        assert -60.0 < np.degrees(knees[switches[0]]) < -25.0
        arms = np.diff(lengths) / np.diff(knees)
        assert np.abs(np.diff(arms)).max() < 5e-4  # a jump of the path would show as centimetres


def test_rigid_tendon_bellies_stay_long_enough_throughout(leg):
    least = {m.name: np.inf for m in MUSCLES}
    for _, row in swing_motion(60.0).iterrows():
        leg.pose(**row.to_dict())
        for name, actuator in leg.muscles.items():
            belly = actuator.getLength(leg.state) - actuator.get_tendon_slack_length()
            least[name] = min(least[name], belly / actuator.get_optimal_fiber_length())
    assert min(least.values()) > 0.25
    assert least["gasmed_r"] < 0.5  # and the motion does shorten them


def test_motion_is_a_smooth_running_swing():
    motion = swing_motion(1000.0)
    assert list(motion.columns) == list(COORDINATES) and motion.index.name == "time"
    assert motion.attrs["inDegrees"] is False
    assert motion.index[0] == 0.0 and motion.index[-1] == pytest.approx(0.6, abs=1e-12)
    degrees = np.degrees(motion.loc[TAKE_OFF:TOUCH_DOWN, ["hip_flexion_r", KNEE, ANKLE]])
    assert degrees.min().to_numpy() == pytest.approx([-20.0, -113.0, -20.0], abs=3.0)
    assert degrees.max().to_numpy() == pytest.approx([55.0, -11.0, 9.0], abs=3.0)
    derivative = motion.to_numpy()
    for most in (15.0, 250.0, 6000.0):  # velocity, acceleration, jerk of the fastest, the knee [rad/s^n]
        derivative = np.gradient(derivative, 1e-3, axis=0, edge_order=2)
        peak = np.abs(derivative[5:-5]).max()
        assert 0.5 * most < peak < most


def test_the_foot_stays_above_the_ground(leg):
    foot = leg.model.getBodySet().get("calcn_r")
    length, height = SEGMENTS["calcn_r"].length * 1.75 / STATURE, 0.039 * 1.75
    ends = [osim.Vec3(x, -height, 0.0) for x in (-0.235 * length, 0.765 * length)]
    lowest = []
    for _, row in swing_motion(60.0).loc[TAKE_OFF:TOUCH_DOWN].iterrows():
        leg.pose(**row.to_dict())
        lowest.append(min(foot.findStationLocationInGround(leg.state, end).get(1) for end in ends))
    assert min(lowest) > 0.0
    assert lowest[0] < 0.03 and lowest[-1] < 0.03 and max(lowest) > 0.1  # from the ground, over it, back to it


def test_files_are_the_same_bytes_each_time(tmp_path):
    first, second = write_demo(tmp_path / "a"), write_demo(tmp_path / "b" / "c")
    third = write_demo(tmp_path / "a")
    assert sorted(first) == ["masses", "model", "motion", "setup"]
    for what, path in first.items():
        assert path.is_absolute() and path.parent == tmp_path / "a"
        assert path.read_bytes() == second[what].read_bytes() == third[what].read_bytes()
    assert sorted(os.listdir(tmp_path / "a")) == sorted(p.name for p in first.values())


def test_the_model_file_needs_no_meshes_and_names_no_folder(tmp_path):
    paths = write_demo(tmp_path)
    root = ElementTree.parse(paths["model"]).getroot()
    assert not list(root.iter("Mesh"))
    for path in paths.values():
        assert str(tmp_path) not in path.read_text(encoding="utf-8")


def test_masses_leave_the_shank_its_bones(tmp_path):
    with open(write_demo(tmp_path)["masses"], encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [list(row) for row in rows] == [["muscle", "mass", "segment", "source"]] * 4
    assert [row["muscle"] for row in rows] == [m.name for m in MUSCLES]
    assert all("Ward" in row["source"] for row in rows)
    shank = 0.0433 * 75.0
    total = sum(float(row["mass"]) for row in rows if row["segment"] == "tibia_r")
    assert 0.2 * shank < total < 0.5 * shank
    ratios = [float(row["mass"]) / kg for row, kg in zip(rows, (0.2758, 0.0801, 0.1135, 0.0622), strict=True)]
    assert ratios == pytest.approx([ratios[0]] * 4, rel=1e-3)  # Ward 2009


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="file"):
        write_demo(tmp_path / "file")


def test_stock_inverse_dynamics_runs_the_setup_as_it_is(tmp_path, monkeypatch):
    paths = write_demo(tmp_path)
    monkeypatch.chdir(tmp_path)
    with quiet():
        tool = osim.InverseDynamicsTool(paths["setup"].name)
        assert tool.run()
    moments = _read_sto(tmp_path / "id_swing.sto")
    assert moments.index[0] == pytest.approx(TAKE_OFF) and moments.index[-1] == pytest.approx(TOUCH_DOWN)
    assert moments.shape == (61, 11) and np.isfinite(moments.to_numpy()).all()
    peaks = moments.abs().max()
    # Swing of a 75 kg runner: ankle a few N m, knee about 1 to 2 and hip 2 to 4 N m per kg.
    assert 2.0 < peaks["ankle_angle_r_moment"] < 10.0
    assert 60.0 < peaks["knee_angle_r_moment"] < 150.0
    assert 120.0 < peaks["hip_flexion_r_moment"] < 300.0
    # Against differences of the motion at 10 kHz: what OpenSim's splines through 120 Hz miss.
    for coordinate, most in ((ANKLE, 0.02), (KNEE, 0.15)):  # [N m], of 5 and 110
        error = _largest_error(moments[f"{coordinate}_moment"], coordinate)
        assert error < most


def _read_sto(path: Path) -> pd.DataFrame:
    lines = path.read_text().splitlines()
    return pd.read_csv(path, sep=r"\s+", skiprows=lines.index("endheader") + 1, index_col=0)


def _largest_error(moments: pd.Series, coordinate: str) -> float:
    """Largest difference [N m] from the inverse dynamics of finely differenced coordinates, over every tenth frame."""
    leg = Leg()
    leg.model.getForceSet().clearAndDestroy()
    leg.state = leg.model.initSystem()
    solver = osim.InverseDynamicsSolver(leg.model)
    fine = swing_motion(10_000.0)
    step = fine.index[1]
    order = list(COORDINATES)  # in this chain also the order of the speeds
    errors = []
    for time, moment in moments.iloc[::10].items():
        k = round(time / step)
        before, here, after = (fine.iloc[k + s] for s in (-10, 0, 10))
        for name in order:
            leg.model.updCoordinateSet().get(name).setValue(leg.state, here[name], False)
            speed = (after[name] - before[name]) / (20 * step)
            leg.model.updCoordinateSet().get(name).setSpeedValue(leg.state, speed)
        accelerations = osim.Vector.createFromMat(
            ((after - 2 * here + before) / (10 * step) ** 2)[order].to_numpy(dtype=float)
        )
        forces = solver.solve(leg.state, accelerations)
        errors.append(abs(forces.get(order.index(coordinate)) - moment))
    return max(errors)
