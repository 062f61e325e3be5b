"""The neural way of wrapping in live models: mechanics as without wraps, and surfaces that have no network."""

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from oracles.finite_differences import Array, along_flow, gradient
from oracles.live_states import FIRST, SECOND, check_lagrangian, positions, state_at
from oracles.wrap_model import MASSES, limit, random_pose, wrap_model

import opensim_inertia as oi
from opensim_inertia.errors import ModelError, UnsupportedPathError
from opensim_inertia.warnings import WrappingFallbackWarning

CHRISTOFFEL = 1e-6  # Relative; what is asked for

HELD = [("cylinder", "-y"), ("sphere", "all")]
#: From end to end.
ENDS = oi.masses.PointMasses(np.linspace(0, 1, 9), np.full(9, 0.2 / 9))


@cache
def one_wrap(kind: str, quadrant: str, shown: bool = False) -> oi.InertialModel:
    masses = {"muscle": ENDS} if shown else MASSES
    inertial = oi.InertialModel(
        limit(wrap_model(kind, quadrant)),
        masses,
        oi.StrainModel("uniform", belly=(0.0, 1.0)),
        wrapping=oi.Wrapping("neural", strict=True),
    )
    assert not inertial.wraps.opensim
    (site,) = inertial.wraps.sites["muscle"]
    assert site.network
    return inertial


def passage(inertial: oi.InertialModel, q: Array) -> tuple[float, float, float]:
    """d, f1, f2 of the chord, lengths of the radius; d of a cylinder on its held side."""
    (site,) = inertial.wraps.sites["muscle"]
    rotation, origin = site.surface.in_body  # on ground
    flat = [1, 1, site.surface.kind == "sphere"]
    a, b = ((x - origin) @ rotation * flat / site.surface.size[0] for x in positions(inertial, q)[[0, -1]])
    t = (b - a) / np.linalg.norm(b - a)
    d = site.turn * np.cross(a, t)[2] if site.surface.kind == "cylinder" else np.linalg.norm(np.cross(a, t))
    return float(d), float(-a @ t), float(b @ t)


def poses(kind: str, quadrant: str, low: float, high: float, count: int) -> Iterator[Array]:
    """At which d / r is within these bounds, and the feet within what was learnt."""
    inertial, rng = one_wrap(kind, quadrant, True), np.random.default_rng(3)
    while count:
        q = random_pose(rng)
        try:
            d, f1, f2 = passage(inertial, q)
        except ModelError:  # beyond the long way
            continue
        if low < d < high and min(f1, f2) > 0.2:
            yield q
            count -= 1


# -- mechanics ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("within", [(0.1, 0.8), (0.8, 1.2), (1.26, 1.34)])
@pytest.mark.parametrize(("kind", "quadrant"), HELD)
def test_jacobians_and_accelerations_are_differences(kind: str, quadrant: str, within: tuple[float, float]) -> None:
    """On the surface, through touch and where the bend fades. All points: a network's path has no tangent points."""
    inertial, rng = one_wrap(kind, quadrant, True), np.random.default_rng(5)
    for q in poses(kind, quadrant, *within, 2):
        u = rng.normal(size=6)
        points = inertial.mass_points(state_at(inertial, q, u))["muscle"]
        slope = gradient(lambda at: positions(inertial, at), q, 2e-5)
        np.testing.assert_allclose(points.jacobians, slope, rtol=0, atol=FIRST)
        np.testing.assert_allclose(points.velocities, points.jacobians @ u, rtol=0, atol=1e-10)
        # the directional derivative of J itself, and the second one of the places
        ahead, behind = (inertial.mass_points(state_at(inertial, q + s * u))["muscle"].jacobians for s in (1e-6, -1e-6))
        scale = np.abs(points.jdot_u).max()
        np.testing.assert_allclose(points.jdot_u, (ahead - behind) @ u / 2e-6, rtol=0, atol=SECOND * scale)
        second = along_flow(lambda at: positions(inertial, at), q, u, 5e-5)
        np.testing.assert_allclose(points.jdot_u, second, rtol=0, atol=SECOND * scale)


@pytest.mark.parametrize("within", [(0.1, 0.8), (0.8, 1.2), (1.26, 1.34)])
@pytest.mark.parametrize(("kind", "quadrant"), HELD)
def test_terms_are_lagrangian(kind: str, quadrant: str, within: tuple[float, float]) -> None:
    """The continuous mass: twenty Gauss points in h as in dM."""
    inertial, rng = one_wrap(kind, quadrant), np.random.default_rng(7)
    (q,) = poses(kind, quadrant, *within, 1)
    check_lagrangian(inertial, q, rng.normal(size=6), CHRISTOFFEL, 5e-5)


# -- other surfaces ------------------------------------------------------------------------------------------------


def test_ellipsoid_without_a_network_is_named() -> None:
    strain = oi.StrainModel("uniform", (0.0, 1.0))
    model = limit(wrap_model("ellipsoid"))
    with pytest.warns(WrappingFallbackWarning, match="muscle 'muscle'.*ellipsoid 'wrap'"):
        inertial = oi.InertialModel(model, MASSES, strain, wrapping="neural")
    with pytest.raises(UnsupportedPathError, match="muscle 'muscle'.*ellipsoid 'wrap'") as caught:
        oi.InertialModel(model, MASSES, strain, wrapping=oi.Wrapping("neural", strict=True))
    assert caught.value.muscle == "muscle"
    # what is used there instead is the analytic path
    analytic = oi.InertialModel(model, MASSES, oi.StrainModel("uniform", belly=(0.0, 1.0)))
    q = np.random.default_rng(1).uniform(-0.05, 0.05, 6)
    np.testing.assert_array_equal(positions(inertial, q), positions(analytic, q))
