"""Rigid mass on segments, against OpenSim's own inverse dynamics of bodies that have it."""

from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from oracles.finite_differences import Array

from opensim_inertia.muscles.masses.rigid import (
    LEAST_KEPT,
    THINNEST,
    RigidMass,
    body_mass_properties,
    completed,
    inertia_problem,
    set_mass_properties,
)

"""Relative to the largest force: Newton and Euler in another order than Simbody's recursion."""
SUM = 1e-14  # Of second moments [kg m^2] of at most 0.2: a few roundings of moments about the body's origin


def test_mass_properties_are_opensims(opensim_models: Path) -> None:
    model = osim.Model(str(opensim_models / "Models/Rajagopal/Rajagopal2016.osim"))
    for body in model.getBodySet():
        read = body_mass_properties(model, body.getName())
        i = read.inertia
        assert read.mass == body.getMass()
        np.testing.assert_array_equal(read.center, body.getMassCenter().to_numpy())
        entries = [i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2]]
        np.testing.assert_array_equal(entries, [body.get_inertia().get(k) for k in range(6)])
        np.testing.assert_array_equal(i, i.T)


def from_points(points: Array, masses: Array) -> RigidMass:
    places = np.column_stack([points, np.ones(len(points))])
    return RigidMass.from_pseudo_inertia(np.einsum("k,ki,kj->ij", masses, places, places))


def test_points_have_the_inertia_of_their_sum() -> None:
    """T = 1/2 w^T I w for every spin w about the centre of mass, and the sum of mass."""
    rng = np.random.default_rng(0)
    points, masses, spin = rng.normal(size=(7, 3)), rng.uniform(0.1, 1, 7), rng.normal(size=3)
    lumped = from_points(points, masses)
    restored = RigidMass.from_pseudo_inertia(lumped.pseudo_inertia)
    for one, other in zip(
        (restored.mass, restored.center, restored.inertia), (lumped.mass, lumped.center, lumped.inertia), strict=True
    ):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-14)
    spread = points - lumped.center
    np.testing.assert_allclose(lumped.covariance, np.einsum("k,ki,kj->ij", masses, spread, spread), rtol=0, atol=1e-14)
    assert lumped.mass == pytest.approx(masses.sum())
    np.testing.assert_allclose((masses[:, None] * (points - lumped.center)).sum(axis=0), 0, atol=1e-14)
    energy = 0.5 * (masses * (np.cross(spin, points - lumped.center) ** 2).sum(axis=1)).sum()
    assert 0.5 * spin @ lumped.inertia @ spin == pytest.approx(energy, rel=1e-12)
    assert energy > 0.1


def test_set_properties_are_read_back_and_the_system_follows() -> None:
    """About the pin of a pendulum: I + m r^2."""
    model = osim.Model()
    rod = osim.Body("rod", 1.0, osim.Vec3(0), osim.Inertia(1.0))
    model.addBody(rod)
    model.addJoint(osim.PinJoint("pin", model.getGround(), rod))
    properties = from_points(np.random.default_rng(2).normal(size=(5, 3)), np.arange(1.0, 6.0))
    set_mass_properties(model, "rod", properties)
    state = model.initSystem()
    read = body_mass_properties(model, "rod")
    assert read.mass == properties.mass
    np.testing.assert_array_equal(read.center, properties.center)
    np.testing.assert_array_equal(read.inertia, properties.inertia)
    matrix = osim.Matrix()
    model.getMatterSubsystem().calcM(state, matrix)
    about_pin = properties.inertia[2, 2] + properties.mass * (properties.center[:2] ** 2).sum()
    assert matrix.get(0, 0) == pytest.approx(about_pin, rel=1e-12)


CENTER, AXES = np.array([0.1, -0.2, 0.05]), np.linalg.qr(np.random.default_rng(7).normal(size=(3, 3)))[0]


def segment(moments: Array) -> RigidMass:
    covariance = (AXES * moments) @ AXES.T
    return RigidMass(2.0, CENTER, np.trace(covariance) * np.eye(3) - covariance)


def point(mass: float, distance: float) -> Array:
    place = np.append(CENTER + distance * AXES[:, 0], 1.0)
    return mass * np.outer(place, place)


def test_segments_lack_what_their_muscles_have_too_much() -> None:
    """About the centre of what is left of M, a point of m at r from the published centre has m r^2 M / (M - m)."""
    published = segment(np.array([0.003, 0.004, 0.02]))
    assert completed(published, point(0.5, 0.07)) is published
    whole = completed(published, point(0.5, 0.2))
    added = 0.5 * 0.2**2 * 2.0 / 1.5 - 0.003 + 1.5 * THINNEST**2
    across = np.eye(3) - np.outer(AXES[:, 0], AXES[:, 0])
    np.testing.assert_allclose(whole.inertia - published.inertia, added * across, rtol=0, atol=SUM)
    assert whole.mass == published.mass and whole.center is published.center


def test_segments_lighter_than_their_muscles_lack_mass() -> None:
    published = segment(np.array([0.003, 0.004, 0.02]))
    whole = completed(published, point(2.5, 0.0))
    assert whole.mass == pytest.approx(2.5 + LEAST_KEPT * 2.0)
    np.testing.assert_allclose(whole.inertia, published.inertia, rtol=0, atol=SUM)
    nothing = RigidMass(0.0, np.zeros(3), np.zeros((3, 3)))
    assert completed(nothing, np.diag([0.1, 0.1, 0.1, 0.3])).mass == pytest.approx(0.3)


def test_a_segment_that_no_body_can_be_lacks_nothing_without_muscles() -> None:
    """Its principal moments 1, 1 and 2.1 break the triangle inequality: one second moment is negative."""
    odd = RigidMass(1.0, np.zeros(3), np.diag([1.0, 1.0, 2.1]))
    assert completed(odd, np.diag([0.0, 0.0, 0.3, 0.0])) is odd
    whole = completed(odd, np.diag([0.0, 1.0, 0.3, 0.0]))
    np.testing.assert_allclose(whole.inertia - odd.inertia, np.diag([0.35, 0.35, 0.0]), rtol=0, atol=SUM)


@pytest.mark.parametrize(
    ("inertia", "problem"),
    [
        ([1, 1, 1, 0, 0, 0], None),
        ([1, 1, 2, 0, 0, 0], None),  # a plate
        ([1, 1, 2.01, 0, 0, 0], "triangle"),
        ([1, 0, 1, 0, 0, 0], "smallest"),
        ([-1, 1, 1, 0, 0, 0], "smallest"),
        ([1, 1, 1, 0.9, 0.9, -0.9], "smallest"),
        ([1, 1, 1, 0.6, 0, 0], "triangle"),  # principal moments 0.4, 1, 1.6
        ([np.nan, 1, 1, 0, 0, 0], "finite"),
    ],
)
def test_physical_inertias(inertia: list[float], problem: str | None) -> None:
    message = inertia_problem(inertia)
    assert message is None if problem is None else message is not None and problem in message
