"""Where and on which side paths wrap: as OpenSim does, and named where that cannot be held."""

import warnings
from functools import cache
from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from oracles.current_path import active_points, geometry_path, in_surface
from oracles.exact_geodesic import exact_path
from oracles.finite_differences import Array
from oracles.real_models import WRAPPING_MODELS, random_poses
from oracles.wrap_model import KINDS, MASSES, limit, random_pose, wrap_model

import opensim_inertia as oi
from opensim_inertia.warnings import WrappingFallbackWarning

NARROW = 1e-3  # m; half width of the transition at touch
WORST, MOST = 0.6e-3, 0.1e-3
"""m. The smooth path against OpenSim's: its cylinders are not exact geodesics (measured up to 0.37 mm), its ellipsoids
less so, and ours touch smoothly. At most poses far nearer."""
SHARE = 0.9  # Of the poses within ``MOST``. Measured 1.0 (Arm26) and 0.95.
ELLIPSOID = 4e-3
"""m. Arm26's TRIlong over two surfaces, one an ellipsoid: OpenSim's is up to 3.6 mm longer than the taut string."""
SEED = 99  # the survey's is 0


@cache
def real(root: Path, name: str) -> oi.InertialModel:
    """All wrapping muscles, of the right leg where there are two; they touch over a width that hides no difference."""
    model = osim.Model(str(root / WRAPPING_MODELS[name]))
    wrapping = [m.getName() for m in model.getMuscles() if geometry_path(m).getWrapSet().getSize()]
    names = [name for name in wrapping if not name.endswith("_l")]
    return oi.InertialModel(model, dict.fromkeys(names, 0.05), "uniform", wrapping=oi.Wrapping(smoothing=NARROW))


def set_pose(inertial: oi.InertialModel, state: osim.State, q: Array) -> None:
    state.setQ(osim.Vector.createFromMat(np.ascontiguousarray(q, float)))
    inertial.model.realizePosition(state)


def shown(path: osim.GeometryPath, state: osim.State) -> tuple[float, list[Array], list[str]]:
    """Length of the path that ``getCurrentPath`` shows, its points in ground and the wrap objects that they lie on."""
    points, total = path.getCurrentPath(state), 0.0
    places: list[Array] = []
    names: list[str] = []
    for i in range(points.getSize()):
        point = points.get(i)
        wrap = osim.PathWrapPoint.safeDownCast(point)
        place = point.getParentFrame().findStationLocationInGround(state, point.getLocation(state)).to_numpy().copy()
        name = wrap.getWrapObject().getName() if wrap else ""
        if i:
            on = wrap is not None and name == names[-1]
            total += wrap.getWrapLength(state) if on else float(np.linalg.norm(place - places[-1]))
        places.append(place)
        names.append(name)
    return total, places, names


def end_inside(inertial: oi.InertialModel, muscle: str, state: osim.State) -> bool:
    """Whether a path point next to a surface lies inside it: OpenSim then leads the path straight through."""
    points = active_points(inertial.model.getMuscles().get(muscle), state)
    for site in inertial.wraps.sites[muscle]:
        for i in range(site.first, site.last + 1):
            if i in points:
                x = in_surface(inertial.model, site.surface, points[i], state)
                scaled = x[:2] / site.surface.size[0] if site.surface.kind == "cylinder" else x / site.surface.size
                if np.linalg.norm(scaled) < 1:
                    return True
    return False


@pytest.mark.parametrize("name", WRAPPING_MODELS)
def test_lengths_are_opensims(opensim_models: Path, name: str) -> None:
    """At poses that the survey has not seen: same spans, same sides, same surfaces in the same order."""
    inertial = real(opensim_models, name)
    assert not inertial.wraps.opensim and len(inertial.wraps.sites) == {"arm26": 5, "rajagopal2016": 21}[name]
    state, off, wrapped = inertial.initial_state(), [], 0
    for q in random_poses(inertial, 40, SEED):
        set_pose(inertial, state, q)
        ours = inertial.path_lengths(state)["path"]
        for muscle in inertial.muscle_names:
            if end_inside(inertial, muscle, state):
                continue
            theirs, _, names = shown(geometry_path(inertial.model.getMuscles().get(muscle)), state)
            error = ours[muscle] - theirs
            if "TRIlonghh" in names and "TRIlongglen" in names:
                assert -ELLIPSOID < error < WORST, (muscle, q)  # see test_opensims_ellipsoid_is_longer
                continue
            assert abs(error) < WORST, (muscle, q)
            off.append(abs(error))
            wrapped += any(names)
    assert wrapped > 90
    assert np.mean(np.array(off) < MOST) > SHARE


def test_opensims_ellipsoid_is_longer(opensim_models: Path) -> None:
    """Between the same two points the geodesic over TRIlong's ellipsoid is millimetres shorter than OpenSim's arc."""
    inertial = real(opensim_models, "arm26")
    state = inertial.initial_state()
    set_pose(inertial, state, np.array([2.398, 0.318]))
    path = geometry_path(inertial.model.getMuscles().get("TRIlong"))
    theirs, points, names = shown(path, state)
    assert names[:6] == ["", "TRIlongglen", "TRIlongglen", "TRIlonghh", "TRIlonghh", ""]
    arc = osim.PathWrapPoint.safeDownCast(path.getCurrentPath(state).get(4)).getWrapLength(state)
    part = float(np.linalg.norm(points[3] - points[2]) + arc + np.linalg.norm(points[5] - points[4]))
    surface = inertial.muscles.surfaces["TRIlong"]["TRIlonghh"]
    local = [in_surface(inertial.model, surface, x, state) for x in points[2:6]]
    size = tuple(map(float, surface.size))
    exact = exact_path("ellipsoid", size, local[0], local[3], local[1] + local[2])  # type: ignore[arg-type]
    assert exact.confirmed and part - exact.length > 3e-3
    ours = inertial.path_lengths(state)["path"]["TRIlong"]
    assert theirs - ours == pytest.approx(part - exact.length, rel=0, abs=WORST)


@pytest.mark.parametrize("shoulder", [2.0190199999999994, 2.02844, 2.0307949999999995, 2.5430075])
def test_arm26_has_a_path_at_every_pose(opensim_models: Path, shoulder: float) -> None:
    inertial = real(opensim_models, "arm26")
    state = inertial.initial_state()
    set_pose(inertial, state, np.array([shoulder, 0.5]))
    assert np.isfinite(inertial.path_lengths(state)["path"]).all()


# Known limit: between 2.0166 and 2.0178 rad the path over TRIlonghh jumps to the other side of the ellipsoid and back:
# length 2.8 mm, places 21 mm, J 0.1 m.
@pytest.mark.xfail(
    raises=AssertionError, reason="TRIlong snaps from one side of the slender ellipsoid TRIlonghh to the other"
)
def test_arm26_is_continuous_over_its_range(opensim_models: Path) -> None:
    inertial = real(opensim_models, "arm26")
    state, lengths = inertial.initial_state(), []
    for shoulder in np.linspace(2.0155, 2.0185, 31):
        set_pose(inertial, state, np.array([shoulder, 0.5]))
        lengths.append(inertial.path_lengths(state)["path"]["TRIlong"])
    assert np.abs(np.diff(lengths)).max() < 1e-5  # 1e-4 rad times an arm of a few cm


def muscle_path(model: osim.Model) -> osim.GeometryPath:
    return osim.GeometryPath.safeDownCast(model.getMuscles().get("muscle").getPath())


def lengths(inertial: oi.InertialModel, count: int = 40) -> Array:
    """Ours and OpenSim's at random poses, and whether OpenSim touches (n, 3)."""
    rng, state, rows = np.random.default_rng(SEED), inertial.initial_state(), []
    path = muscle_path(inertial.model)
    for _ in range(count):
        set_pose(inertial, state, random_pose(rng))
        if inertial.wraps.sites["muscle"] and end_inside(inertial, "muscle", state):
            continue
        ours = inertial.path_lengths(state)["path"]["muscle"]
        rows.append(
            (ours, path.getLength(state), path.getCurrentPath(state).getSize() > path.getPathPointSet().getSize())
        )
    return np.array(rows)


@pytest.mark.parametrize("kind", KINDS)
def test_inactive_objects_are_not_there(kind: str) -> None:
    model = wrap_model(kind)
    wrap = muscle_path(model).getWrapSet().get(0).getWrapObject()
    wrap.set_active(False)
    model.finalizeConnections()
    inertial = oi.InertialModel(limit(model), MASSES, "uniform")
    assert inertial.wraps.sites == {"muscle": ()} and not inertial.wraps.opensim
    ours, theirs, _ = lengths(inertial).T
    np.testing.assert_allclose(ours, theirs, rtol=1e-14)


@pytest.mark.parametrize(("bounds", "spans"), [((1, 2), (0, 1)), ((2, 3), (1, 2)), ((-1, -1), (0, 2))])
def test_ranges_keep_other_spans_straight(bounds: tuple[int, int], spans: tuple[int, int]) -> None:
    """The path runs over the sphere and back past it; ``range`` says on which way it wraps."""
    model = wrap_model("sphere")
    path = muscle_path(model)
    path.appendNewPathPoint("back", model.getGround(), osim.Vec3(-0.1, -0.06, 0.03))
    for k, bound in enumerate(bounds):
        path.getWrapSet().get(0).set_range(k, bound)
    model.finalizeConnections()
    inertial = oi.InertialModel(limit(model), MASSES, "uniform", wrapping=oi.Wrapping(smoothing=H))
    (site,) = inertial.wraps.sites["muscle"]
    assert (site.first, site.last) == spans
    rows = lengths(inertial)
    touched = rows[:, 2] > 0
    assert touched.sum() >= 5
    # OpenSim's straight spans are ours; where one of two spans touches, its path may be the other one's
    np.testing.assert_allclose(rows[:, 0], rows[:, 1], rtol=0, atol=BACK if spans == (0, 2) else 2e-4)


BACK = 1e-2  # m; measured 9.8 mm: OpenSim wraps one span of a path on each surface, ours every one that touches it


@pytest.mark.parametrize("quadrant", ["+y", "-y"])
def test_quadrants_of_a_cylinder(quadrant: str) -> None:
    """A cylinder's quadrant holds the side, the long way round included; OpenSim goes the same way."""
    inertial = oi.InertialModel(
        limit(wrap_model("cylinder", quadrant)), MASSES, "uniform", wrapping=oi.Wrapping(smoothing=H)
    )
    assert not inertial.wraps.opensim
    ours, theirs, touches = lengths(inertial, 100).T
    assert touches.sum() > 60
    assert np.mean(np.abs(ours - theirs) < 1e-3) > 0.97  # but at seams; measured 1 of 95 beyond, 8.6 mm
    assert np.median(np.abs(ours - theirs)) < 1e-5


H = 1e-3  # m; narrow, for comparisons with OpenSim


@pytest.mark.slow
@pytest.mark.parametrize("kind", [name for name, kind in KINDS.items() if kind.quadrant != "all"])
def test_either_side_falls_back_by_name(kind: str) -> None:
    """Without a quadrant OpenSim passes the free body's surface on whichever side is shorter."""
    model = wrap_model(kind)
    with pytest.warns(WrappingFallbackWarning, match="'muscle'.*'wrap' on one side or the other.*opensim"):
        inertial = oi.InertialModel(model, MASSES, "uniform")
    assert list(inertial.wraps.opensim) == ["muscle"] and not inertial.wraps.sites
    with pytest.raises(oi.errors.UnsupportedPathError, match="'muscle'.*'wrap' on one side or the other") as caught:
        oi.InertialModel(model, MASSES, "uniform", wrapping=oi.Wrapping(strict=True))
    assert caught.value.muscle == "muscle"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        asked = oi.InertialModel(model, MASSES, "uniform", wrapping=oi.Wrapping("opensim", strict=True))
    state, own = inertial.initial_state(), asked.initial_state()
    for one, at in ((inertial, state), (asked, own)):
        set_pose(one, at, random_pose(np.random.default_rng(1)))
    one, two = inertial.evaluate(state), asked.evaluate(own)
    np.testing.assert_array_equal(one.mass_matrix, two.mass_matrix)


WAYS = pytest.mark.parametrize("wrapping", ["analytic", "opensim"])


@WAYS
@pytest.mark.parametrize("kind", KINDS)
def test_degenerate_surfaces_are_named(kind: str, wrapping: str) -> None:
    model = wrap_model(kind)
    wrap = muscle_path(model).getWrapSet().get(0).getWrapObject()
    wrap = getattr(osim, wrap.getConcreteClassName()).safeDownCast(wrap)
    KINDS[kind].set_size(wrap, KINDS[kind].flat)
    with pytest.raises(oi.errors.ModelError, match=KINDS[kind].refusal):
        oi.InertialModel(model, MASSES, "uniform", wrapping=wrapping)


@pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.WrappingFallbackWarning")
@WAYS
@pytest.mark.parametrize("kind", KINDS)
def test_origin_at_the_insertion_is_named(kind: str, wrapping: str) -> None:
    model = wrap_model(kind)
    end = osim.PathPoint.safeDownCast(muscle_path(model).getPathPointSet().get(1))
    end.set_location(osim.Vec3(-0.1, 0.05, 0.02))  # the origin, at the default pose
    model.finalizeConnections()
    with pytest.raises(oi.errors.ModelError, match="'muscle'.*no length"):
        oi.InertialModel(model, MASSES.assign(segment="body"), "uniform", wrapping=wrapping)
