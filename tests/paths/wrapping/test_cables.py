"""Muscles whose paths are OpenSim's ``Scholz2015GeometryPath``: cables over obstacles."""

from collections.abc import Callable

import numpy as np
import opensim as osim
import pytest
from oracles import by_keyword
from oracles.cables import add_cable, cable_model, reported_length, set_hint
from oracles.exact_geodesic import closed_form
from oracles.finite_differences import Array
from oracles.live_states import check_derivatives, check_lagrangian, close, state_at
from paths.wrapping.test_several_wraps import CYLINDERS, END, START, chain_model, chain_poses

import opensim_inertia as oi

EXACT = 1e-6  # m; what is asked for. OpenSim's search stops at corners of 1e-5 rad: measured 5e-9.
CHRISTOFFEL = 1e-6  # Relative. Measured 2e-9.

"""Relative, as for other paths."""

RADIUS = 0.03
#: Kind, size, and the hint on the side of +y.
SHAPES: dict[str, tuple[float | tuple[float, ...], tuple[float, float, float]]] = {
    "cylinder": (RADIUS, (0.0, RADIUS, 0.0)),
    "sphere": (RADIUS, (0.0, RADIUS, 0.0)),
    "ellipsoid": ((0.04, 0.03, 0.05), (0.0, 0.03, 0.0)),
}
#: Heights at which the chord passes: on the side of the hint, beyond the centre, and clear beyond the obstacle.
HEIGHTS = (0.012, -0.012, -0.08)


def laid(kind: str, height: float, side: float = 1.0, hinted: bool = True) -> osim.Model:
    """A muscle nearly along x at a height over an obstacle with a hint on the side +y or -y, or without one."""
    size, hint = SHAPES[kind]
    place = [side * x for x in hint] if hinted else [np.nan] * 3
    return cable_model(kind, size, place, (-0.2, height, 0.002), (0.2, height, 0.0), most=0.006)


def heavy(model: osim.Model, **options: object) -> oi.InertialModel:
    given = {"smoothing": 1e-3, "points": 9, "warn_wraps": False} | options
    return by_keyword.inertial_model(model, {"muscle": 0.4}, strain="uniform", belly=(0.0, 1.0), **given)


def poses(model: osim.Model, count: int, seed: int = 1) -> Array:
    most = model.getCoordinateSet().get(0).getRangeMax()
    return np.random.default_rng(seed).uniform(-most, most, (count, 3))


def length(inertial: oi.InertialModel, q: Array) -> float:
    return float(inertial.path_lengths(state_at(inertial, q))["path"].iloc[0])


@pytest.mark.slow
@pytest.mark.parametrize("height", HEIGHTS)
@pytest.mark.parametrize("kind", SHAPES)
def test_lengths_are_opensims(kind: str, height: float) -> None:
    """Without smoothing and, for none of the poses is near to touch, with it."""
    smooth, exact = heavy(laid(kind, height)), heavy(laid(kind, height), wrapping="opensim")
    assert exact.wraps.opensim == {} and exact.wraps.sites["muscle"][0].smoothing == 0.0
    for q in poses(exact.model, 6):
        told = reported_length(exact.model, "muscle", q)
        assert told > np.linalg.norm([0.4, 0.0, -0.002] + q) + (0.004 if height < 0 else 2e-4)
        assert length(exact, q) == pytest.approx(told, rel=0, abs=EXACT)
        assert length(smooth, q) == pytest.approx(told, rel=0, abs=EXACT)


@pytest.mark.slow
@pytest.mark.parametrize("kind", SHAPES)
def test_the_hint_says_the_side(kind: str) -> None:
    for side in (1.0, -1.0):
        inertial = heavy(laid(kind, 0.012, side))
        middle = inertial.mass_points(inertial.initial_state())["muscle"].positions[4]
        assert side * middle[1] > 0.02
        told = reported_length(inertial.model, "muscle", np.zeros(3))
        assert length(inertial, np.zeros(3)) == pytest.approx(told, rel=0, abs=EXACT)


@pytest.mark.slow
@pytest.mark.parametrize("kind", SHAPES)
def test_without_a_hint_the_path_goes_the_short_way(kind: str) -> None:
    for side in (1.0, -1.0):
        inertial = heavy(laid(kind, side * 0.012, hinted=False))
        middle = inertial.mass_points(inertial.initial_state())["muscle"].positions[4]
        assert side * middle[1] > 0.02
        told = reported_length(inertial.model, "muscle", np.zeros(3))
        assert length(inertial, np.zeros(3)) == pytest.approx(told, rel=0, abs=EXACT)
        assert "no contact hint" in inertial.wraps.notes["muscle"][0]


@pytest.mark.parametrize("kind", ["cylinder", "sphere"])
def test_mass_lies_on_the_geodesic(kind: str) -> None:
    """Places are those of the closed form, which knows neither OpenSim nor the kernel."""
    inertial = heavy(laid(kind, -0.012), smoothing=0.0)
    for q in poses(inertial.model, 4, seed=2):
        start, end = np.array([-0.2, -0.012, 0.002]), np.array([0.2, -0.012, 0.0]) + q
        path = closed_form(kind, RADIUS, start, end, np.array(SHAPES[kind][1]))  # type: ignore[arg-type]
        shown = inertial.mass_points(state_at(inertial, q))["muscle"]
        wanted = [path.place(xi * path.length) for xi in shown.fractions]
        np.testing.assert_allclose(shown.positions, wanted, rtol=0, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("height", HEIGHTS[1:])
@pytest.mark.parametrize("kind", SHAPES)
def test_derivatives(kind: str, height: float) -> None:
    """The long way clear round a sphere or an ellipsoid included, which wrap objects do not have."""
    inertial = heavy(laid(kind, height))
    q, u = poses(inertial.model, 1)[0], np.random.default_rng(3).normal(size=3)
    check_derivatives(inertial, q, u, 1e-4, 4)
    check_lagrangian(inertial, q, u, CHRISTOFFEL, 1e-4)
    udot = np.random.default_rng(4).normal(size=3)
    state = state_at(inertial, q, u)
    (tau,) = inertial.evaluation.inverse([inertial.dynamics.read(state)], udot[None])
    terms = inertial.evaluate(state)
    close(tau, terms.mass_matrix @ udot - terms.bias - terms.gravity, 1e-11)


def cable_chain(count: int) -> osim.Model:
    """Cylinders on three bodies, a via point before the last one, and one cylinder that the cable passes twice."""
    model = chain_model(count, scholz=True)
    cable = add_cable(model, "cable")
    ground, surfaces = model.getGround(), model.getContactGeometrySet()
    cable.appendPathPoint(ground, osim.Vec3(*START))
    for i, (name, (_, _, radius, _, side)) in enumerate(list(CYLINDERS.items())[:count]):
        if i == 2:
            cable.appendPathPoint(model.getBodySet().get("A"), osim.Vec3(0.05, 0.0, 0.02))
        cable.appendObstacle(surfaces.get(name), osim.Vec3(0, radius * (1 if side == "+y" else -1), 0))
    cable.appendPathPoint(model.getBodySet().get("C"), osim.Vec3(*END))
    model.finalizeConnections()
    return model


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 3])
def test_several_obstacles_and_via_points(count: int) -> None:
    inertial = oi.InertialModel(
        cable_chain(count), {"cable": 0.4}, "uniform", wrapping=oi.Wrapping(smoothing=1e-3, warn_wraps=False)
    )
    sites = inertial.wraps.sites["cable"]
    assert [(s.surface.name, s.first) for s in sites] == list(zip(CYLINDERS, (0, 0, 1), strict=True))[:count]
    for q in chain_poses(inertial, 5, 1):
        told = reported_length(inertial.model, "cable", q)
        assert length(inertial, q) == pytest.approx(told, rel=0, abs=EXACT)


@pytest.mark.slow
def test_paths_that_turn_back_are_found() -> None:
    """OpenSim starts at a hint past the muscle's end, and ends on a path that runs to the obstacle and back."""
    start, end = (0.03, 0.19, 0.0), (0.05, 0.035, 0.0)
    model = cable_model("cylinder", 0.025, (0.025, 0.0, 0.0), start, end, most=0.005)
    told, straight = (
        reported_length(heavy(model).model, "muscle", np.zeros(3)),
        float(np.linalg.norm(np.subtract(end, start))),
    )
    assert told > straight + 0.05
    with pytest.warns(
        oi.warnings.WrapDifferenceWarning, match=r"^1 of 1 wrapping muscles has a path of OpenSim's with corners"
    ):
        inertial = heavy(model, warn_wraps=True)
    assert inertial.wraps.unconverged == {"muscle": 1.0}
    assert length(inertial, np.zeros(3)) == pytest.approx(straight, rel=0, abs=1e-12)
    assert "corners, up to 1.8e+02 deg, at 100 % of poses" in inertial.wraps.notes["muscle"][-1]


def in_frame(model: osim.Model, offset: float) -> None:
    frame = osim.PhysicalOffsetFrame("aside", model.getGround(), osim.Transform(osim.Vec3(0, offset, 0)))
    model.addComponent(frame)
    model.finalizeConnections()
    model.updContactGeometrySet().get("obstacle").connectSocket_frame(frame)
    model.finalizeConnections()


def radius(model: osim.Model, to: float) -> None:
    osim.ContactCylinder.safeDownCast(model.updContactGeometrySet().get("obstacle")).setRadius(to)


WRONG: dict[str, tuple[Callable[[osim.Model], None], str]] = {
    "frame with an offset": (lambda m: in_frame(m, 0.01), "hangs on frame 'aside', whose offset from body 'ground'"),
    "radius negative": (lambda m: radius(m, -0.1), "of size -0.1 m, has no extent"),
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_obstacles_are_named(what: str) -> None:
    model = cable_model("cylinder", RADIUS, (0.0, RADIUS, 0.0))
    change, message = WRONG[what]
    change(model)
    with pytest.raises(oi.errors.UnsupportedPathError, match=f"muscle 'muscle'.*'obstacle'.*{message}"):
        heavy(model)


@pytest.mark.parametrize("hint", [(np.nan, 0.1), (0.0, 0.0)])
def test_hints_that_say_no_side_are_refused(hint: tuple[float, float]) -> None:
    model = cable_model("cylinder", RADIUS, (0.0, RADIUS, 0.0))
    set_hint(model, *hint)
    with pytest.raises(oi.errors.ModelError, match="'cable' cannot be initialised"):
        heavy(model)


@pytest.mark.slow
def test_ends_inside_an_obstacle_are_named() -> None:
    """OpenSim cannot realize such a state, so there is nothing to compare with at most of the poses."""
    model = cable_model("sphere", RADIUS, (0.0, RADIUS, 0.0), end=(0.05, 0.0, 0.0), most=0.05)
    inertial = heavy(model)
    inside = state_at(inertial, np.array([-0.04, 0.0, 0.0]))
    with pytest.raises(oi.errors.ModelError, match="lies inside the surface"):
        inertial.evaluate(inside)
