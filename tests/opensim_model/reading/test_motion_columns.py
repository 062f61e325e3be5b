"""Which column of a motion is which coordinate: by name or state path, misspelt, twice, or not at all."""

import warnings

import numpy as np
import opensim as osim
import pandas as pd
import pytest

import opensim_inertia as oi
from opensim_inertia.analyses.inverse_dynamics import InverseDynamicsResult

TIMES = np.linspace(0.0, 1.0, 11)

pytestmark = pytest.mark.filterwarnings("ignore:.*rest at their default values")


def leg(*names: str) -> osim.Model:
    """A chain of pins whose coordinates have these names."""
    model, parent = osim.Model(), None
    model.setName("leg")
    for i, name in enumerate(names):
        body = osim.Body(f"body{i}", 1.0, osim.Vec3(0), osim.Inertia(1, 1, 1))
        model.addBody(body)
        ends = (osim.Vec3(0), osim.Vec3(0), osim.Vec3(0, -1, 0), osim.Vec3(0))
        joint = osim.PinJoint(f"joint{i}", model.getGround() if parent is None else parent, *ends[:2], body, *ends[2:])
        joint.updCoordinate().setName(name)
        model.addJoint(joint)
        parent = body
    model.finalizeConnections()
    model.initSystem()
    return model


HIP, KNEE, ANKLE = "hip_flexion_r", "knee_angle_r", "ankle_angle_r"


def table(*columns: str) -> pd.DataFrame:
    values = {name: 0.05 * np.sin((i + 1) * TIMES) for i, name in enumerate(columns)}
    return pd.DataFrame(values, index=TIMES)


def read(motion: pd.DataFrame, model: osim.Model | None = None, strict: bool = False) -> InverseDynamicsResult:
    inertial = oi.InertialModel(leg(HIP, KNEE, ANKLE) if model is None else model, {})
    return oi.inverse_dynamics(inertial, oi.Recording(motion, strict=strict, as_recorded=True))


@pytest.mark.parametrize(
    "misspelt",
    ["ankle_angel_r", "Ankle_Angle_R", "ankle_anglee_r", "ankleangle_r", "/jointset/ankle/ankle_angel_r/value"],
)
def test_a_misspelt_coordinate_is_an_error_that_names_both(misspelt: str) -> None:
    with pytest.raises(oi.errors.MotionError) as caught:
        read(table(HIP, KNEE, misspelt))
    assert f"as coordinate '{ANKLE}', but column '{misspelt}' nearly is" in str(caught.value)


@pytest.mark.parametrize(
    "other", ["ankle_angle_l", "ankle_angle_r2", "subtalar_angle_r", "ankle_angle_r_moment", "time_of_day"]
)
def test_another_column_is_no_misspelt_one(other: str) -> None:
    assert read(table(HIP, KNEE, other)).missing == (ANKLE,)


@pytest.mark.parametrize("pair", [("q1", "q2"), ("pelvis_tx", "pelvis_ty"), ("arm_flex_r", "arm_flex_l")])
def test_coordinates_that_differ_by_a_letter_are_not_taken_for_each_other(pair: tuple[str, str]) -> None:
    present, missing = pair
    assert read(table(HIP, present), leg(HIP, missing)).missing == (missing,)


def test_a_missing_coordinate_is_a_warning_with_its_default() -> None:
    model = leg(HIP, KNEE, ANKLE)
    model.getCoordinateSet().get(ANKLE).setDefaultValue(0.25)
    model.initSystem()
    said = r"no column for free coordinates, which rest .*: 'ankle_angle_r' at 0\.25$"
    with pytest.warns(oi.warnings.InputWarning, match=said):
        result = read(table(HIP, KNEE), model)
    np.testing.assert_array_equal(result.motion.q[:, 2], 0.25)
    with pytest.raises(oi.errors.MotionError, match="'ankle_angle_r' at 0.25"):
        read(table(HIP, KNEE), model, strict=True)


def test_what_is_not_free_to_move_may_be_missing() -> None:
    model = leg(HIP, KNEE, ANKLE, "toes_r")
    model.getCoordinateSet().get(ANKLE).set_locked(True)
    model.getCoordinateSet().get("toes_r").setPrescribedFunction(osim.Constant(0.01))
    model.getCoordinateSet().get("toes_r").set_prescribed(True)
    coupler = osim.CoordinateCouplerConstraint()
    coupler.setName("coupler")
    leading = osim.ArrayStr()
    leading.append(HIP)
    coupler.setIndependentCoordinateNames(leading)
    coupler.setDependentCoordinateName(KNEE)
    coupler.setFunction(osim.LinearFunction(0.5, 0.0))
    model.addConstraint(coupler)
    model.initSystem()
    result = read(table(HIP), model)
    assert result.missing == (KNEE, ANKLE, "toes_r") and result.notes == ()


def test_the_same_coordinate_twice_is_refused_by_name() -> None:
    path = f"/jointset/joint1/{KNEE}/value"
    with pytest.raises(oi.errors.MotionError, match=f"columns '{KNEE}', '{path}' are all coordinate '{KNEE}'"):
        read(table(HIP, KNEE, ANKLE, path))
    twice = pd.concat([table(HIP, KNEE, path), table(path)], axis=1).drop(columns=KNEE)
    with pytest.raises(oi.errors.MotionError, match=f"column '{path}' is there more than once"):
        read(twice)


@pytest.mark.parametrize("in_degrees", [False, True])
def test_state_paths_follow_in_degrees(in_degrees: bool) -> None:
    names = (HIP, KNEE, ANKLE)
    states = table(*(f"/jointset/any_joint/{name}/value" for name in names))
    states.attrs["inDegrees"] = in_degrees
    plain = table(*names)
    plain.attrs["inDegrees"] = in_degrees
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        motion, expected = read(states).motion, read(plain).motion
    np.testing.assert_array_equal(motion.udot, expected.udot)
    scale = np.pi / 180 if in_degrees else 1.0
    np.testing.assert_allclose(motion.q[:, 1], scale * 0.05 * np.sin(2 * TIMES), rtol=0, atol=1e-14)  # rounding
