"""The report on wraps, against OpenSim's own lengths and cylinders known on paper."""

import re
from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from oracles.docs_scripts import load_script
from oracles.exact_geodesic import closed_form

import opensim_inertia as oi
from opensim_inertia import compare_wraps
from opensim_inertia.analyses.wrapping_report import COLUMNS
from opensim_inertia.errors import OptionError, UnknownNameError
from opensim_inertia.opensim_model.reading.coordinates import random_poses, read_coordinates
from opensim_inertia.paths.wrapping.current_path import shown_length

RADIUS, START, END = 0.03, np.array([-0.15, -0.02, 0.04]), np.array([0.12, 0.0, -0.06])
POSES = 25
DEVIATION = 5 / 32  # Of the half width of the transition at touch: how far it moves a path from the exact one at most


def hinged(length: float = 1.0) -> osim.Model:
    """A muscle from ground over a fixed cylinder about z to a body that turns about the same axis."""
    model, zero = osim.Model(), osim.Vec3(0)
    ground, body = model.getGround(), osim.Body("body", 1.0, zero, osim.Inertia(1))
    model.addBody(body)
    hinge = osim.PinJoint("hinge", ground, zero, zero, body, zero, zero)
    hinge.updCoordinate().setName("angle")
    hinge.updCoordinate().setRangeMin(-0.9)
    hinge.updCoordinate().setRangeMax(0.9)
    model.addJoint(hinge)
    for name in ("wrapping", "straight"):
        muscle = osim.Thelen2003Muscle(name, 100.0, 0.1, 0.1, 0.0)
        muscle.addNewPathPoint("start", ground, osim.Vec3(*START))
        muscle.addNewPathPoint("end", body, osim.Vec3(*END))
        model.addForce(muscle)
    wrap = osim.WrapCylinder()
    wrap.setName("drum")
    wrap.set_radius(RADIUS)
    wrap.set_length(length)
    wrap.set_quadrant("+y")
    wrap.thisown = False  # ground takes it
    model.updGround().addWrapObject(wrap)
    model.finalizeConnections()
    osim.GeometryPath.safeDownCast(model.getMuscles().get("wrapping").getPath()).addPathWrap(wrap)
    model.finalizeConnections()
    return model


def end_at(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * END[0] - s * END[1], s * END[0] + c * END[1], END[2]])


def angle_of_touch() -> float:
    """Where the chord is tangent to the drum's top: both tangent points are one."""
    top = [np.arctan2(x[1], x[0]) for x in (START, END)]
    off = [np.arccos(RADIUS / np.hypot(*x[:2])) for x in (START, END)]
    return (top[0] - off[0] - off[1] - top[1]) % (2 * np.pi)


def test_lengths_are_those_of_opensim_and_of_the_unrolled_cylinder() -> None:
    model = hinged()
    before = model.dump()
    table = compare_wraps(model, POSES, wrapping=oi.Wrapping(smoothing=0.0), progress=False)
    assert model.dump() == before
    assert list(table.index) == ["wrapping"] and tuple(table.columns) == COLUMNS
    row = table.loc["wrapping"]
    state = model.initSystem()
    path = osim.GeometryPath.safeDownCast(model.getMuscles().get("wrapping").getPath())
    expected, touched = [], []
    for (angle,) in random_poses(model, read_coordinates(model, state), POSES, seed=1):
        model.getCoordinateSet().get("angle").setValue(state, angle)
        model.realizePosition(state)
        touches = angle < angle_of_touch()
        drum = closed_form("cylinder", RADIUS, START, end_at(angle), np.array([0.0, 1.0, 0.0]))
        exact = drum.length if touches else np.linalg.norm(end_at(angle) - START)
        expected.append(1e3 * abs(exact - path.getLength(state)))  # one wrap: not stale
        touched.append(touches)
        assert shown_length(path, state) == pytest.approx(path.getLength(state), abs=1e-12)
    for label, share in (("median", 50), ("95 %", 95)):
        assert row[f"length {label} [mm]"] == pytest.approx(np.percentile(expected, share), abs=1e-6)
    assert row["length max [mm]"] > max(expected) - 1e-6  # also at the poses at which the path was planned
    assert 0.2 < np.mean(touched) < 0.95
    assert row["touched OpenSim [%]"] == row["touched ours [%]"] == pytest.approx(100 * np.mean(touched))
    assert row["smoothing max [mm]"] == row["no path [%]"] == 0.0
    assert row["getLength stale max [mm]"] < 1e-9


def test_the_path_is_the_shorter_geodesic() -> None:
    row = compare_wraps(hinged(), POSES, progress=False).loc["wrapping"]
    assert (row["way"], row["wraps"]) == ("analytic", "drum (cylinder)")
    assert row["points max [mm]"] > 0.5
    assert row["verdict"] == "geodesic"
    assert re.fullmatch(r"over 'drum' OpenSim's path is \d\.\d\d mm longer than the shortest one", row["reason"])
    assert row["worst pose"].startswith("angle ")


def test_differences_are_those_of_which_making_the_model_warns(opensim_models: Path) -> None:
    model = osim.Model(str(opensim_models / "Models/Arm26/arm26.osim"))
    plan = oi.InertialModel(model, oi.estimate_masses(model), wrapping=oi.Wrapping(warn_wraps=False)).wraps
    table = compare_wraps(model, 5, progress=False)
    for name, difference in plan.differences.items():
        assert table.loc[name, "points max [mm]"] >= 1e3 * difference.points - 1e-9


def test_what_the_smooth_touch_adds_is_told_apart() -> None:
    wide, narrow = (
        compare_wraps(hinged(), POSES, wrapping=oi.Wrapping(smoothing=width), progress=False).loc["wrapping"]
        for width in (0.025, 0.0)
    )
    assert wide["half width [mm]"] == 25.0 and narrow["half width [mm]"] == 0.0
    assert 1.0 < wide["smoothing max [mm]"] < 1.01 * DEVIATION * 25.0 and narrow["smoothing max [mm]"] == 0.0
    same = ["length max [mm]", "points max [mm]", "verdict", "reason"]
    assert (wide[same] == narrow[same]).all()


def test_stale_getlength_is_apart_from_the_difference() -> None:
    script = load_script("opensim_multi_wrap")
    model = script.make_model()
    model.updCoordinateSet().get("angle").setRangeMin(-0.6)
    model.updCoordinateSet().get("angle").setRangeMax(0.3)
    row = compare_wraps(model, POSES, wrapping=oi.Wrapping(smoothing=0.0), progress=False).loc["muscle"]
    angles = random_poses(model, read_coordinates(model, model.initSystem()), POSES, seed=1)[:, 0]
    length, drawn_length, exact = script.sweep(angles).T[:3]
    assert row["getLength stale max [mm]"] == pytest.approx(1e3 * np.abs(length - drawn_length).max(), abs=1e-6)
    assert row["getLength stale max [mm]"] > 10
    assert row["length max [mm]"] == pytest.approx(1e3 * np.abs(exact - drawn_length).max(), abs=1e-5)
    assert row["length max [mm]"] < 1e-3 and row["reason"] == ""


def test_end_inside_is_found() -> None:
    """The end turns about a hinge beside the drum and dips into it."""
    model = hinged()
    wrap = model.updGround().getWrapObject("drum")
    wrap.set_translation(osim.Vec3(0.08, 0.05, 0.0))
    model.finalizeConnections()
    row = compare_wraps(model, 40, progress=False).loc["wrapping"]
    angle = float(row["worst pose"].removeprefix("angle "))
    assert np.hypot(*(end_at(angle) - [0.08, 0.05, 0.0])[:2]) < RADIUS
    assert row["verdict"] == "look at" and row["reason"].startswith("an end lies inside 'drum' at ")


def test_surface_that_is_always_around_an_end_is_left_out() -> None:
    """OpenSim goes straight at every pose, and so does the smooth path."""
    model = hinged()
    point = model.getMuscles().get("wrapping").getPath()
    first = osim.GeometryPath.safeDownCast(point).getPathPointSet().get(0)
    osim.PathPoint.safeDownCast(first).set_location(osim.Vec3(-0.02, 0.01, 0.04))
    row = compare_wraps(model, 10, progress=False).loc["wrapping"]
    assert row["points max [mm]"] < 1e-9 and row["verdict"] == "as OpenSim"
    assert "'drum' is left out" in row["notes"]


def test_errors() -> None:
    with pytest.raises(OptionError, match="poses"):
        compare_wraps(hinged(), 0)
    with pytest.raises(UnknownNameError, match="did you mean 'wrapping'"):
        compare_wraps(hinged(), muscles="wraping")
    row = compare_wraps(hinged(length=0.0), 3, progress=False).loc["wrapping"]
    assert row["way"] == "none" and "'drum'" in row["why"] and np.isnan(row["length max [mm]"])


@pytest.mark.slow
def test_arm26(opensim_models: Path) -> None:
    table = compare_wraps(opensim_models / "Models" / "Arm26" / "arm26.osim", 20, progress=False)
    assert list(table.index) == ["TRIlong", "TRIlat", "TRImed", "BIClong", "BRA"]
    over = (table["length max [mm]"] > 1.0) | (table["points max [mm]"] > 1.0)
    assert ((table["reason"] != "") == over).all()
    assert "over 'TRIlongglen' and 'TRIlonghh' OpenSim's path is 4.63 mm longer" in table.loc["TRIlong", "reason"]
    assert table.loc["TRIlong", "getLength stale max [mm]"] > 1
    assert (table.drop("TRIlong")["getLength stale max [mm]"] < 1e-6).all()
    same = table.drop(["TRIlong", "BIClong"])
    np.testing.assert_array_equal(same["touched ours [%]"], same["touched OpenSim [%]"])
