"""The view's geometry against OpenSim's bodies and path points, and against the inertial model's mass points."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import model_path
from oracles.demo_leg import swing_motion
from report.test_page import step_of, unpack  # type: ignore[import-not-found]

import opensim_inertia as oi
from opensim_inertia.model.recorded_motion import motion_states
from opensim_inertia.opensim_model.reading.components import model_muscles
from opensim_inertia.opensim_model.reading.paths import current_points, geometry_path
from opensim_inertia.reports.content import pack
from opensim_inertia.reports.scene import DEVIATION, FINE, MOST_TRIANGLES, build_scene, read_bones, swings
from opensim_inertia.warnings import MissingGeometryWarning

# isort: split
import opensim as osim

from opensim_inertia.analyses.inverse_dynamics import InverseDynamicsResult


def scene_of(inertial: oi.InertialModel, result: InverseDynamicsResult) -> dict[str, Any]:
    assert result.motion is not None
    states = motion_states(inertial, result.motion)
    return build_scene(inertial, states, np.arange(len(result.times)))


def mass_points_of(scene: dict[str, Any], frame: int, muscle: int) -> np.ndarray:
    """Where the page draws the mass points of a muscle, (n, 3), before quantisation."""
    m = scene["muscles"][muscle]
    first = sum(len(path["shares"]) for path in scene["muscles"][:muscle])
    line = scene["paths"][frame, first : first + len(m["shares"])]
    length, fibre = scene["lengths"][frame, muscle]
    chi, xi, _ = np.transpose(m["points"])
    at = ((m["proximal"] + chi * m["aponeurosis"]) * (length - fibre) + xi * fibre) / length
    return np.stack([np.interp(at, m["shares"], line[:, axis]) for axis in range(3)], axis=1)


@pytest.fixture(scope="module")
def scene(demo: Any) -> dict[str, Any]:
    return scene_of(*demo)


def test_bodies_are_where_opensim_has_them(demo: Any, scene: dict[str, Any]) -> None:
    inertial, result = demo
    packed, text = pack(scene)
    origins, rotations = unpack(text, packed["origins"]), unpack(text, packed["rotations"])
    model = inertial.model
    for row, state in enumerate(motion_states(inertial, result.motion)):
        if row % 20:
            continue
        model.realizePosition(state)
        for i, body in enumerate(model.getBodySet(), 1):
            assert scene["bodies"][i] == body.getName()
            for station in ((0.0, 0.0, 0.0), (0.3, -0.2, 0.1)):
                wanted = body.findStationLocationInGround(state, osim.Vec3(*station)).to_numpy()
                place = origins[row, i] + rotations[row, i] @ station
                tolerance = step_of(packed["origins"]) + np.abs(station).sum() * step_of(packed["rotations"])
                assert np.abs(place - wanted).max() <= 0.51 * tolerance


def test_paths_go_through_opensims_points_and_hold_the_mass_points(demo: Any, scene: dict[str, Any]) -> None:
    inertial, result = demo
    packed, text = pack(scene)
    paths, step = unpack(text, packed["paths"]), step_of(packed["paths"])
    assert step < 1e-4
    tested = 0
    for row, state in enumerate(motion_states(inertial, result.motion)):
        if row % 15:
            continue
        mass_points = inertial.mass_points(state, jacobians=False)
        first = 0
        for i, muscle in enumerate(scene["muscles"]):
            line = paths[row, first : first + len(muscle["shares"])]
            first += len(muscle["shares"])
            points = current_points(geometry_path(model_muscles(inertial.model)[muscle["name"]]), state)
            for point, drawn in ((points[0], line[0]), (points[-1], line[-1])):
                place = point.getParentFrame().findStationLocationInGround(state, point.getLocation(state)).to_numpy()
                assert np.abs(drawn - place).max() <= 0.51 * step
            drawn = mass_points_of(scene, row, i)
            assert np.linalg.norm(drawn - mass_points[muscle["name"]].positions, axis=1).max() <= DEVIATION
            assert np.sum(muscle["points"], axis=0)[2] == pytest.approx(muscle["mass"])
            tested += 1
    assert tested >= 16


def test_speeds_are_those_of_kinetic_energy(demo: Any, scene: dict[str, Any]) -> None:
    """Mass at its root mean square speed has the kinetic energy of the mass points."""
    inertial, result = demo
    state = next(motion_states(inertial, result.motion.at(np.array([30]))))
    for i, (name, points) in enumerate(inertial.mass_points(state, jacobians=False).items()):
        kinetic = 0.5 * sum(m * v @ v for m, v in zip(points.masses, points.velocities, strict=True))
        assert 0.5 * inertial.muscles.masses[name] * scene["speeds"][30, i] ** 2 == pytest.approx(kinetic, rel=1e-9)


def test_bellies_swing_as_the_result_says(demo: Any, scene: dict[str, Any]) -> None:
    """Of each muscle of the view; a mass on a segment is no belly. Quantised, and no more than a tenth of a page."""
    inertial, _ = demo
    mass = oi.options.WobblingMass("femur_r", 0.5, (0.0, -0.17, 0.0), 3000.0, 20.0)
    wobble = oi.options.Wobble(frequency=8.0, masses=(mass,))
    record = oi.inverse_dynamics(inertial, swing_motion(), band=False, wobble=wobble).wobble
    assert record is not None
    swung = {**scene, **swings(scene, record.muscles, record.displacements)}
    assert len(swung["swings"]["modes"]) == len(scene["muscles"]) == len(record.names) - 1
    everything, text = pack(swung)
    packed = everything["swings"]
    drawn = unpack(text, packed["displacements"])
    for k, (muscle, _) in enumerate(packed["modes"]):
        name = scene["muscles"][muscle]["name"]
        wanted = record.displacements[:, record.names.index(name)]
        assert np.abs(wanted).max() > 1e-5
        assert np.abs(drawn[:, k] - wanted).max() <= 0.51 * step_of(packed["displacements"])
    assert len(text) - len(pack(scene)[1]) < 40 * len(scene["rows"]) * len(scene["muscles"])


@pytest.mark.slow
def test_wrapping_paths_of_a_real_model_stay_near() -> None:
    file = model_path("Models/Arm26/arm26.osim")
    inertial = oi.InertialModel(str(file), oi.estimate_masses(str(file)), wrapping=oi.Wrapping(warn_wraps=False))
    rng = np.random.default_rng(2)
    states = []
    for _ in range(5):
        state = inertial.initial_state()
        low, high = inertial.coordinates.ranges.T
        inertial.coordinates.set_values(state, low + (high - low) * rng.uniform(0.2, 0.8, low.size))
        states.append(state)
    with pytest.warns(MissingGeometryWarning):
        scene = build_scene(inertial, states, np.arange(5))
    assert scene["surfaces"]
    for frame, state in enumerate(states):
        for i, (_, points) in enumerate(inertial.mass_points(state, jacobians=False).items()):
            between = 0.5 * scene["lengths"][frame, i, 0] / (FINE - 1)
            off = np.linalg.norm(mass_points_of(scene, frame, i) - points.positions, axis=1)
            assert off.max() <= DEVIATION + between
    for surface in scene["surfaces"]:
        body = inertial.model.getBodySet().get(scene["bodies"][surface["body"]])
        wrap = body.getWrapObject(surface["name"])
        placed = wrap.getFrame().findTransformInBaseFrame().compose(wrap.getTransform())
        assert np.allclose(surface["origin"], placed.p().to_numpy())


# -- bones ---------------------------------------------------------------------------------------------------------


def with_meshes(demo: Any, folder: Path, files: dict[str, tuple[float, float, float]]) -> oi.InertialModel:
    """The demo's model, saved to a folder, with meshes on the shank, scaled."""
    inertial = demo[0]
    model = inertial.original_model()
    shank = next(body for body in model.getBodySet() if body.getName().startswith("tibia"))
    for file, scale in files.items():
        mesh = osim.Mesh(file)
        mesh.set_scale_factors(osim.Vec3(*scale))
        shank.attachGeometry(mesh)
    model.finalizeConnections()
    path = folder / "meshed.osim"
    model.printToXML(str(path))
    return oi.InertialModel(str(path), inertial.masses)


def write_sphere(path: Path, sides: int) -> float:
    """Write a sphere about (0.1, 0, 0) as .obj, of quadrilaterals and of triangles at its poles; return its radius."""
    turn, tilt = np.meshgrid(np.arange(sides) * 2 * np.pi / sides, np.linspace(0, np.pi, sides)[1:-1])
    ring = np.stack([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)], axis=-1).reshape(-1, 3)
    points = 0.03 * np.vstack([[0, 0, 1], ring, [0, 0, -1]]) + [0.1, 0.0, 0.0]
    here = 2 + np.arange(len(ring)).reshape(-1, sides)  # numbers begin at 1
    beside = np.roll(here, -1, axis=1)
    sheets = np.stack([here[:-1], here[1:], beside[1:], beside[:-1]], axis=-1).reshape(-1, 4)
    caps = [[1, a, b] for a, b in zip(here[0], beside[0], strict=True)]
    caps += [[len(points), b, a] for a, b in zip(here[-1], beside[-1], strict=True)]
    lines = [*("v {} {} {}".format(*p) for p in points), *("f " + " ".join(map(str, f)) for f in (*caps, *sheets))]
    path.write_text("\n".join(lines))
    return 0.03


def test_meshes_are_found_beside_the_model_and_scaled(demo: Any, tmp_path: Path) -> None:
    (tmp_path / "Geometry").mkdir()
    radius = write_sphere(tmp_path / "Geometry" / "shank.obj", 20)
    inertial = with_meshes(demo, tmp_path, {"shank.obj": (2.0, 1.0, 1.0)})
    bones, notes = read_bones(inertial)
    assert notes == ()
    (mesh,) = (bone for bone in bones if bone["parts"].shape[1] == 3)
    local = (mesh["points"] - [0.2, 0.0, 0.0]) / [2.0, 1.0, 1.0]
    assert np.allclose(np.linalg.norm(local, axis=1), radius, atol=1e-6)
    drawn = {bone["body"] for bone in bones}
    assert mesh["body"] in drawn and len(drawn) == len(bones)  # no lines beside the mesh


def test_many_triangles_are_simplified(demo: Any, tmp_path: Path) -> None:
    radius = write_sphere(tmp_path / "fine.obj", 180)
    bones, _ = read_bones(with_meshes(demo, tmp_path, {"fine.obj": (1.0, 1.0, 1.0)}))
    (mesh,) = (bone for bone in bones if bone["parts"].shape[1] == 3)
    assert 0.5 * MOST_TRIANGLES < len(mesh["parts"]) <= MOST_TRIANGLES
    assert np.allclose(np.linalg.norm(mesh["points"] - [0.1, 0.0, 0.0], axis=1), radius, atol=1e-3)


def test_missing_meshes_are_told_once_and_drawn_as_lines(demo: Any, tmp_path: Path) -> None:
    inertial = with_meshes(demo, tmp_path, {"lost.vtp": (1.0, 1.0, 1.0), "gone.vtp": (1.0, 1.0, 1.0)})
    with pytest.warns(MissingGeometryWarning, match="2 of 2 .*gone.vtp, lost.vtp") as caught:
        bones, notes = read_bones(inertial)
    assert len(caught) == 1 and len(notes) == 1
    assert all(bone["parts"].shape[1] == 2 for bone in bones)
    state = inertial.reference_state()
    inertial.model.realizePosition(state)
    shank = next(bone for bone in bones if bone["body"].startswith("tibia"))
    joint = next(
        j for j in inertial.model.getJointSet() if j.getParentFrame().findBaseFrame().getName() == shank["body"]
    )
    centre = joint.getChildFrame().getPositionInGround(state)
    body = inertial.model.getBodySet().get(shank["body"])
    local = inertial.model.getGround().findStationLocationInAnotherFrame(state, centre, body).to_numpy()
    assert np.linalg.norm(shank["points"] - local, axis=1).min() < 1e-12


def test_folders_that_are_not_there_are_told_with_that(demo: Any, tmp_path: Path) -> None:
    inertial = with_meshes(demo, tmp_path, {"lost.vtp": (1.0, 1.0, 1.0)})
    with pytest.warns(MissingGeometryWarning, match=r"1 of 1 .*lost.vtp.*; no folder of meshes: .*Geometri$") as caught:
        read_bones(inertial, [tmp_path / "Geometri", tmp_path])
    assert len(caught) == 1
    with pytest.warns(MissingGeometryWarning, match="^no folder of meshes: Geometri$"):
        read_bones(demo[0], ["Geometri"])


def test_a_mesh_that_is_no_mesh_is_named(demo: Any, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()  # OpenSim itself, which reads what is beside the model, crashes on it
    (tmp_path / "elsewhere" / "bad.obj").write_text("no mesh")
    with pytest.warns(MissingGeometryWarning, match=r"cannot be read: bad\.obj \(the mesh holds no polygon\)"):
        bones, _ = read_bones(with_meshes(demo, tmp_path, {"bad.obj": (1.0, 1.0, 1.0)}), [tmp_path / "elsewhere"])
    assert all(bone["parts"].shape[1] == 2 for bone in bones)
