"""Coordinates that follow others: slopes against central differences of the coupler, and chains of couplers."""

from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from oracles.real_models import original

from opensim_inertia.opensim_model.reading.coordinates import (
    couplings,
    follow_couplers,
    read_coordinates,
)

STEP = 1e-5  # Of central differences [rad or m]; their error is of the order of its square


def chain(enforced: bool = True) -> osim.Model:
    """Three sliders: the second follows the first by a cubic, the third twice the second; couplers in that disorder."""
    model = osim.Model()
    model.setName("chain")
    for name in "abc":
        body = osim.Body(name, 1.0, osim.Vec3(0), osim.Inertia(1))
        model.addBody(body)
        joint = osim.SliderJoint(f"{name}_slider", model.getGround(), body)
        joint.updCoordinate().setName(name)
        model.addJoint(joint)
    line = osim.LinearFunction(2.0, 0.0)
    cubic = osim.PolynomialFunction(osim.Vector.createFromMat(np.array([0.7, 0.0, 0.3, 0.1])))
    for leading, following, function in (("b", "c", line), ("a", "b", cubic)):
        names = osim.ArrayStr()
        names.append(leading)
        coupler = osim.CoordinateCouplerConstraint()
        coupler.setName(f"{following}_follows")
        coupler.setIndependentCoordinateNames(names)
        coupler.setDependentCoordinateName(following)
        coupler.setFunction(function)
        coupler.set_isEnforced(enforced)
        model.addConstraint(coupler)
    return model


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("gait10dof18musc", {}),
        ("rajagopal2016", {f"knee_angle_{side}_beta": f"knee_angle_{side}" for side in "rl"}),
        ("leg6dof9musc", {"knee_angle_pat_r": "knee_angle_r"}),
    ],
)
def test_slopes_of_real_couplers(opensim_models: Path, name: str, expected: dict[str, str]) -> None:
    model = original(opensim_models, name)
    coordinates = read_coordinates(model, model.getWorkingState())
    q = np.tile(coordinates.defaults, (4, 1)) + 0.1 * np.arange(4)[:, None]
    pairs = couplings(model, coordinates, q)
    assert {coordinates.names[c.dependent]: coordinates.names[c.independent] for c in pairs} == expected
    check(model, coordinates, q, pairs)


def check(model, coordinates, q, pairs) -> None:
    for c in pairs:
        ahead, behind = q.copy(), q.copy()
        ahead[:, c.independent] += STEP
        behind[:, c.independent] -= STEP
        for _ in range(2):  # as long as the longest chain
            ahead, behind = (follow_couplers(model, coordinates, at) for at in (ahead, behind))
        slopes = (ahead - behind)[:, c.dependent] / (2 * STEP)
        np.testing.assert_allclose(c.slopes, slopes, rtol=0, atol=1e-8)


def test_chains_end_at_coordinates_that_follow_none() -> None:
    model = chain()
    coordinates = read_coordinates(model, model.initSystem())
    q = np.array([[0.3, 0.0, 0.0], [-0.8, 0.0, 0.0]])
    for _ in range(2):
        q = follow_couplers(model, coordinates, q)
    pairs = couplings(model, coordinates, q)
    assert sorted((coordinates.names[c.dependent], coordinates.names[c.independent]) for c in pairs) == [
        ("b", "a"),
        ("c", "a"),
    ]
    by_name = {coordinates.names[c.dependent]: c.slopes for c in pairs}
    np.testing.assert_allclose(by_name["c"], 2 * by_name["b"], rtol=1e-14)
    a = q[:, coordinates.index("a")]
    np.testing.assert_allclose(by_name["b"], 2.1 * a**2 + 0.3, rtol=1e-12)
    check(model, coordinates, q, pairs)


def test_couplers_that_are_not_enforced_couple_nothing() -> None:
    model = chain(enforced=False)
    coordinates = read_coordinates(model, model.initSystem())
    assert couplings(model, coordinates, np.zeros((2, 3))) == ()
