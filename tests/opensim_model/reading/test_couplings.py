"""Coordinates that follow others: slopes against central differences of the coupler, and chains of couplers."""

from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from oracles.real_models import original

import opensim_inertia as oi
from opensim_inertia.analyses.inverse_dynamics import InverseDynamicsResult

TIMES = np.linspace(0.0, 0.5, 9)
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
    model.finalizeConnections()
    return model


@pytest.mark.filterwarnings("ignore:.*rest at their default values")
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
    couplers = [osim.CoordinateCouplerConstraint.safeDownCast(each) for each in model.getConstraintSet()]
    functions = {each.getDependentCoordinateName(): each.getFunction() for each in couplers if each is not None}
    result, names = solved(model, {"knee_angle_r": 0.1 * TIMES}), oi.InertialModel(model, {}).coordinate_names
    assert {names[c.dependent]: names[c.independent] for c in result.couplings} == expected
    for coupling in result.couplings:
        function = functions[names[coupling.dependent]]
        for x, slope in zip(result.motion.q[:, coupling.independent], coupling.slopes, strict=True):
            ahead, behind = (function.calcValue(osim.Vector(1, float(x + step))) for step in (STEP, -STEP))
            assert slope == pytest.approx((ahead - behind) / (2 * STEP), abs=1e-8)


def solved(model: osim.Model, columns: dict[str, np.ndarray]) -> InverseDynamicsResult:
    return oi.inverse_dynamics(oi.InertialModel(model, {}), pd.DataFrame(columns, index=TIMES), implausible="warn")


@pytest.mark.filterwarnings("ignore:.*it breaks constraints")
def test_chains_end_at_coordinates_that_follow_none() -> None:
    result = solved(chain(), {"a": (a := 0.3 * np.sin(TIMES)), "b": 0 * TIMES, "c": 0 * TIMES})
    names = result.coordinate_names
    by_name = {names[c.dependent]: c.slopes for c in result.couplings}
    assert sorted(by_name) == ["b", "c"] and {names[c.independent] for c in result.couplings} == {"a"}
    np.testing.assert_allclose(by_name["c"], 2 * by_name["b"], rtol=1e-14)
    np.testing.assert_allclose(by_name["b"], 2.1 * a**2 + 0.3, rtol=1e-12)


def test_couplers_that_are_not_enforced_couple_nothing() -> None:
    assert solved(chain(enforced=False), dict.fromkeys("abc", 0.1 * TIMES)).couplings == ()
