"""Paths that flip from one side of a wrap object to the other, or that OpenSim breaks."""

import math
from functools import cache

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from oracles.live_states import state_at

import opensim_inertia as oi

pytestmark = [
    pytest.mark.filterwarnings(f"ignore::opensim_inertia.warnings.{name}")
    for name in ("LostPathWarning", "WrapDifferenceWarning")
]

MASSES = pd.DataFrame({"muscle": ["muscle"], "mass": [0.1], "segment": [""]})
UNIFORM = oi.StrainModel("uniform", belly=(0.0, 1.0))


def model_of(
    points: tuple[tuple[float, float, float], ...], *wraps: osim.WrapObject, kind: type = osim.SliderJoint
) -> osim.Model:
    """A muscle from ground to a body that slides along x, or turns about a pin, over wrap objects on ground."""
    model = osim.Model()
    model.setName("flips")
    ground, arm = model.getGround(), osim.Body("arm", 1.0, osim.Vec3(0), osim.Inertia(0.1, 0.1, 0.1))
    model.addBody(arm)
    joint = kind("slide", ground, osim.Vec3(0), osim.Vec3(0), arm, osim.Vec3(0), osim.Vec3(0))
    joint.updCoordinate().setName("x")
    if kind is osim.SliderJoint:
        joint.updCoordinate().setRangeMin(-0.04)
        joint.updCoordinate().setRangeMax(0.04)
    model.addJoint(joint)
    muscle = osim.Thelen2003Muscle("muscle", 100.0, 0.1, 0.1, 0.0)
    muscle.addNewPathPoint("from", ground, osim.Vec3(*points[0]))
    muscle.addNewPathPoint("to", arm, osim.Vec3(*points[1]))
    model.addForce(muscle)
    for wrap in wraps:
        ground.addWrapObject(wrap)
        muscle.updGeometryPath().addPathWrap(wrap)
    model.initSystem()
    return model


def ellipsoid(quadrant: str) -> osim.WrapEllipsoid:
    """A slender one, as that over which a forearm's muscle passes the elbow."""
    wrap = osim.WrapEllipsoid()
    wrap.setName("elbow")
    wrap.set_dimensions(osim.Vec3(0.015, 0.015, 0.1))
    wrap.set_quadrant(quadrant)
    return wrap


@cache
def elbow(quadrant: str, wrapping: str) -> oi.InertialModel:
    """A muscle whose end slides through the plane in which the shortest way past it flips."""
    model = model_of(((-0.0087, 0.0875, 0.034), (0.0087, -0.1346, -0.012)), ellipsoid(quadrant))
    return oi.InertialModel(model, MASSES, UNIFORM, wrapping=wrapping, points=9)


def jacobian(inertial: oi.InertialModel, x: float) -> np.ndarray:
    """Derivatives of the places of mass points over x, (points, 3)."""
    return inertial.mass_points(state_at(inertial, np.array([x])))["muscle"].jacobians[:, :, 0]


def places(inertial: oi.InertialModel, x: float) -> np.ndarray:
    return inertial.mass_points(state_at(inertial, np.array([x])))["muscle"].positions


def opensim_length(inertial: oi.InertialModel, x: float) -> float:
    state = state_at(inertial, np.array([x]))
    inertial.model.realizePosition(state)
    return float(inertial.model.getMuscles().get("muscle").getLength(state))


def notes_at(inertial: oi.InertialModel, x: float, time: float = 0.25) -> str:
    state = state_at(inertial, np.array([x]))
    state.setTime(time)
    return " ".join(inertial.evaluate(state).notes)


def test_a_path_with_a_quadrant_keeps_its_side_as_opensims_does() -> None:
    inertial = elbow("x", "analytic")
    for x in np.linspace(-0.012, 0.03, 22):
        ours = inertial.path_lengths(state_at(inertial, np.array([x]))).loc["muscle", "path"]
        assert ours == pytest.approx(opensim_length(inertial, x), abs=1e-4)  # 35 mm longer if it swings over the pole
        assert np.linalg.norm(jacobian(inertial, x), axis=1).max() < 1.5  # its end moves by 1; inside a flip it is 30
        assert notes_at(inertial, x) == ""


def test_from_an_end_inside_a_path_does_not_go_the_long_way_round_as_opensims_does_not() -> None:
    model = model_of(((-0.00555, -0.01695, 0.03), (-0.01125, -0.006, -0.001)), ellipsoid("x"))
    masses = MASSES.assign(mass=0.001)
    inertial = oi.InertialModel(model, masses, UNIFORM, wrapping=oi.Wrapping("analytic", smoothing=1e-3))
    for x in np.linspace(-0.002, 0.003, 11):  # the end is inside; at x < 0 the chord comes nearest between its ends
        ours = inertial.path_lengths(state_at(inertial, np.array([x]))).loc["muscle", "path"]
        assert ours == pytest.approx(opensim_length(inertial, x), abs=1e-6)


def flip_of(inertial: oi.InertialModel) -> float:
    """Where OpenSim's path jumps."""
    low, high = -0.03, 0.03
    for _ in range(40):
        middle = 0.5 * (low + high)
        side = places(inertial, middle)
        nearer_low = np.abs(side - places(inertial, low)).max() < np.abs(side - places(inertial, high)).max()
        low, high = (middle, high) if nearer_low else (low, middle)
    return 0.5 * (low + high)


def test_beside_a_jump_of_opensims_path_mass_moves_as_on_its_side() -> None:
    inertial = elbow("all", "opensim")
    x = flip_of(inertial)
    assert np.abs(places(inertial, x + 1e-7) - places(inertial, x - 1e-7)).max() > 0.01, "it jumps by a centimetre"
    for side in (-1, 1):
        at = x + side * 1e-6
        assert np.abs(jacobian(inertial, at)).max() < 1.5  # its end moves by 1; a difference over the jump is 17
        assert "jumps next to the state" in notes_at(inertial, at) and "(time 0.25 s)" in notes_at(inertial, at)
        beyond = (places(inertial, at + side * 1e-3) - places(inertial, at + side * 1e-4)) / (side * 9e-4)
        np.testing.assert_allclose(jacobian(inertial, at + side * 5.5e-4), beyond, atol=1e-3)  # its truncation
        assert notes_at(inertial, at + side * 5.5e-4) == ""


def test_forces_are_doubtful_where_opensims_path_swings_past_a_sphere_almost_at_once() -> None:
    """Its straight line passes 1.5 mm from the centre: it changes sides within 2 degrees of the arm's turn."""
    radius, reach, aside, sphere = 0.01, 0.15, 0.0015, osim.WrapSphere()
    sphere.setName("sphere")
    sphere.set_radius(radius)
    model = model_of(((-reach, 0.0, aside), (reach, 0.0, aside)), sphere, kind=osim.PinJoint)
    turn, speed = np.arange(-0.57, 0.6, 0.06), 5.0
    motion = pd.DataFrame({"x": turn}, index=pd.Index((turn - turn[0]) / speed, name="time"))
    result = oi.inverse_dynamics(oi.InertialModel(model, MASSES, UNIFORM, wrapping="opensim"), motion)
    fine = np.linspace(-0.6, 0.6, 12001)
    middle = radius * np.arctan2(reach * np.sin(fine), 2 * aside)  # place of the arc's middle along the sphere
    acceleration = np.abs(np.gradient(np.gradient(middle, fine), fine))
    swings = np.interp(turn, fine, acceleration) > 3.0  # [m]: as if it turned with the arm, but so far from the pin
    assert swings.sum() == 2 and np.array_equal(result.doubtful[:, 0], swings)
    difference = np.abs(result.inertial_forces - result.lumped_forces)[:, 0]
    assert difference[swings].max() > 10 * difference[~swings].max()
    assert abs(result.summary()["largest difference"].item()) == pytest.approx(difference[~swings].max(), rel=1e-12)
    assert any("almost jumps" in note for note in result.notes)


def test_where_a_path_would_flip_mass_is_divided_and_is_no_faster_than_its_end() -> None:
    inertial = elbow("all", "analytic")
    xs = np.linspace(-0.03, 0.03, 61)
    fastest = np.array([np.linalg.norm(jacobian(inertial, x), axis=1).max() for x in xs])
    mass = np.array([inertial.evaluate(state_at(inertial, np.array([x]))).mass_matrix[0, 0] for x in xs])
    marked = np.array(["its mass is divided" in notes_at(inertial, x) for x in xs])
    assert marked[20:45].all() and not marked[[0, -1]].any()
    assert fastest.max() < 1.0  # the end moves by 1; a string that swings over moves by 30
    assert np.ptp(mass) < 0.05 * mass.mean()  # one that swings over has 200 times as much
    time = np.linspace(0.0, 1.0, len(xs))
    motion = pd.DataFrame({"x": xs}, index=pd.Index(time, name="time"))
    result = oi.inverse_dynamics(inertial, motion)
    (note,) = [note for note in result.provenance["warnings"] if note.startswith("muscle") and "is divided" in note]
    assert f"at {marked.sum()} states (time {time[marked][0]:.6g}, " in note


@pytest.mark.parametrize("x", [-0.012, 0.004, 0.019])
def test_the_mass_matrix_of_divided_mass_gives_its_other_terms(x: float) -> None:
    inertial, step = elbow("all", "analytic"), 2e-4

    def terms(at: float):
        state = state_at(inertial, np.array([at]))
        state.setU(osim.Vector(1, 0.7))
        return inertial.evaluate(state)

    here, around = terms(x), [terms(x + k * step) for k in (-2, -1, 1, 2)]

    def slope(values: list[float]) -> float:
        return (8 * (values[2] - values[1]) - (values[3] - values[0])) / (12 * step)

    by_mass = -0.5 * slope([t.mass_matrix[0, 0] for t in around]) * 0.7**2
    by_height = -slope([t.potential_energy for t in around])
    np.testing.assert_allclose(here.bias[0], by_mass, rtol=0, atol=1e-9)  # N, of differences over the step
    np.testing.assert_allclose(here.gravity[0], by_height, rtol=0, atol=1e-7)


def broken_triceps(strict: bool) -> oi.InertialModel:
    """OpenSim sends this path 2.5 m away: a triceps at one pose, over the glenoid's rim and the head of the humerus."""
    head, rim = osim.WrapEllipsoid(), osim.WrapCylinder()
    head.setName("head")
    head.set_dimensions(osim.Vec3(0.035, 0.02, 0.02))
    head.set_translation(osim.Vec3(-0.0078, 0.36, 0.17))
    head.set_xyz_body_rotation(osim.Vec3(3.00162, -0.853466, 2.57419))
    head.set_quadrant("z")
    rim.setName("rim")
    rim.set_radius(0.003)
    rim.set_length(0.03)
    rim.set_translation(osim.Vec3(-0.013905, 0.36, 0.1478))
    rim.set_xyz_body_rotation(osim.Vec3(1.37532, -0.294612, 2.43596))
    rim.set_quadrant("x")
    model = model_of(((-0.0234, 0.3841, 0.1542), (0.0686, 0.2841, 0.2141)), head, rim)
    return oi.InertialModel(model, MASSES, UNIFORM, wrapping=oi.Wrapping("opensim", strict=strict))


def test_a_path_that_opensim_breaks_goes_straight_past_the_surface_and_says_so() -> None:
    inertial = broken_triceps(False)
    with pytest.warns(oi.warnings.LostPathWarning, match="muscle 'muscle': .* is broken on 'rim'"):
        notes_at(inertial, 0.0)
    assert opensim_length(inertial, 0.0) > 0.9
    chord = math.dist((-0.0234, 0.3841, 0.1542), (0.0686, 0.2841, 0.2141))
    length = inertial.path_lengths(state_at(inertial, np.zeros(1))).loc["muscle", "path"]
    assert chord < length < chord + math.pi * 0.035
    assert np.linalg.norm(places(inertial, 0.0), axis=1).max() < 0.5
    note = notes_at(inertial, 0.0, 0.5)
    assert "'muscle': it follows OpenSim's own path" in note and "broken on 'rim'" in note and "(time 0.5 s)" in note


def test_a_path_that_opensim_breaks_is_an_error_if_wrapping_is_strict() -> None:
    with pytest.raises(oi.errors.ModelError, match="at time 0 s: muscle 'muscle': .* is broken on 'rim'"):
        broken_triceps(True)


def test_from_an_end_inside_a_path_that_is_much_longer_than_opensims_is_marked() -> None:
    wrap = ellipsoid("all")
    wrap.set_dimensions(osim.Vec3(0.06, 0.05, 0.055))
    model = model_of(((-0.075, 0.005, 0.0), (0.06, 0.005, 0.0)), wrap)
    inertial = oi.InertialModel(model, MASSES, UNIFORM)
    for x in np.linspace(-0.03, 0.03, 13):
        straight = 0.135 + x
        lies_inside = (0.06 + x) ** 2 / 0.06**2 + 0.005**2 / 0.05**2 < 1
        longer = inertial.path_lengths(state_at(inertial, np.array([x]))).loc["muscle", "path"] - straight
        assert ("lies inside a wrap object" in notes_at(inertial, x)) == (lies_inside and longer > 0.01)
        assert opensim_length(inertial, x) == pytest.approx(straight, abs=1e-9) or not lies_inside
    assert "lies inside" in notes_at(inertial, -0.005)


def test_mass_whose_path_has_hardly_a_side_is_divided() -> None:
    ball = osim.WrapSphere()
    ball.setName("ball")
    ball.set_radius(0.03)
    model = model_of(((0.0, 0.1, 0.0), (0.0, -0.1, 0.003)), ball)  # its end passes 3 mm beside the opposite place
    inertial = oi.InertialModel(model, MASSES, UNIFORM, wrapping="analytic", points=9)
    for x in (-0.03, -0.02, -0.004, 0.0, 0.004, 0.02, 0.03):
        start, end = np.array([0.0, 0.1, 0.0]), np.array([x, -0.1, 0.003])
        firmness = np.linalg.norm(np.cross(start, end)) / np.hypot(np.linalg.norm(start), np.linalg.norm(end)) / 0.03
        assert ("its mass is divided" in notes_at(inertial, x)) == (firmness < 0.5)
        assert np.linalg.norm(jacobian(inertial, x), axis=1).max() < 1.0  # a string turns by 10 at x = 0


def test_mass_that_swings_cannot_be_divided() -> None:
    ball = osim.WrapSphere()
    ball.setName("ball")
    ball.set_radius(0.03)
    model = model_of(((0.0, 0.1, 0.0), (0.0, -0.1, 0.003)), ball)
    inertial = oi.InertialModel(model, MASSES, UNIFORM)
    motion = pd.DataFrame({"x": np.linspace(0.0, 0.002, 9)}, index=pd.Index(np.linspace(0.0, 0.1, 9), name="time"))
    with pytest.raises(oi.errors.ModelError, match="'muscle': its mass is divided .* its belly cannot swing"):
        oi.inverse_dynamics(inertial, motion, wobble=True)


def test_a_passive_model_keeps_its_energy_through_a_flip() -> None:
    model = model_of(((-0.0087, 0.0875, 0.034), (0.0087, -0.1346, -0.012)), ellipsoid("all"))
    model.updForceSet().get("muscle").set_appliesForce(False)
    model.initSystem()
    inertial = oi.InertialModel(model, MASSES, UNIFORM, wrapping="analytic")
    start = state_at(inertial, np.array([-0.03]))
    start.setU(osim.Vector(1, 1.0))
    result = oi.simulate(oi.Problem(inertial, start, t_final=0.08), "dop853")
    x, energy = result.coordinates()["x"].to_numpy(), result.energy()["total"].to_numpy()
    assert x[0] < -0.02 and x[-1] > 0.02, "from one side of the flip to the other"
    assert np.abs(energy - energy[0]).max() < 1e-4 * abs(energy[0])  # the integrator's accuracy: measured 2.3e-5
    assert any("its mass is divided" in note for note in result.provenance["warnings"])
