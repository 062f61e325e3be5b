"""What recruitment refuses or warns of, by name."""

import numpy as np
import pytest

pytest.importorskip("daqp", reason="recruitment needs DAQP")

import opensim as osim
from oracles import recruited_leg
from oracles.recruited_leg import RESERVES, leg_model

import opensim_inertia as oi


def recruited(model: osim.Model | None = None, **options: object) -> oi.recruitment.RecruitmentResult:
    return recruited_leg.recruited(oi.InertialModel(leg_model() if model is None else model, {}), **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"criterion": "minmax"}, "criterion='minmax': expected one of 'polynomial', 'soft_saturation', 'min_max'"),
        ({"power": 0.9}, "power=0.9: expected a finite number of at least 1"),
        ({"kind": "sliding"}, "kind='sliding': expected one of 'lumped', 'inertial'"),
        ({"kind": ("lumped", "lumped")}, "or several that differ"),
        ({"every": 0}, "every=0: expected a whole number from 1"),
        ({"joints": "hip"}, "unknown joint 'hip'; did you mean 'hip_r'?"),
        ({"reserves": {"knee": 1.0}}, "unknown coordinate 'knee' in reserves; did you mean 'knee_angle_r'?"),
        ({"reserves": {"knee_angle_r": -1.0}}, "positive strengths; that of 'knee_angle_r' is -1.0"),
        ({"actuators": "none.xml"}, "file of actuators does not exist"),
        ({"external_loads": "none.xml"}, "external loads file does not exist"),
        ({"accelerations": "positions"}, "accelerations='positions': expected one of 'coordinates', 'speeds'"),
        ({"forces_to_exclude": "Muscle"}, "unknown force to exclude 'Muscle'"),
    ],
)
def test_wrong_options_are_named(options: dict, message: str) -> None:
    with pytest.raises(oi.InertiaError) as caught:
        recruited(**options)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("options", "messages"),
    [
        (
            {"free": ()},
            ("acts on 'pelvis_tilt', 'pelvis_list'", "Actuation(actuators='residuals.xml')", "free='base'"),
        ),
        ({"reserves": None}, ("acts on 'hip_flexion_r', 'hip_adduction_r'", "reserves={'hip_flexion_r': 1.0")),
    ],
)
def test_coordinates_on_which_nothing_acts_are_named(options: dict, messages: tuple[str, ...]) -> None:
    with pytest.raises(oi.errors.ModelError) as caught:
        recruited(**options)
    assert all(message in str(caught.value) for message in messages)


def weak(share: float) -> osim.Model:
    model = leg_model()
    for muscle in model.getMuscles():
        muscle.setMaxIsometricForce(share * muscle.getMaxIsometricForce())
    return model


def test_a_moment_that_no_muscle_can_make_is_told_with_the_reserve_that_would_do() -> None:
    with pytest.warns(oi.warnings.InfeasibleWarning) as caught:
        result = recruited(weak(1e-3), every=2)
    (message,) = (str(w.message) for w in caught)
    assert "has no solution at" in message and "'ankle_angle_r' lacks up to" in message and "N m (at" in message
    assert "reserves={'ankle_angle_r': " in message
    assert result.unsolved > 0 and (result.status == "infeasible").sum() == result.unsolved
    assert (result.summary()["rows unsolved"] == result.unsolved).all()
    assert f"{result.unsolved} rows NOT solved" in repr(result)
    assert any("lacks up to" in note for note in result.provenance["warnings"])
    lacking = np.abs(result.missing["ankle_angle_r"])
    assert (lacking[result.status == "infeasible"] > 1e-6).all() and (lacking[result.status == "solved"] < 1e-6).all()
    with pytest.raises(oi.InertiaError, match="has no solution"):
        recruited(weak(1e-3), every=2, strict=True)
    enough = recruited(weak(1e-3), every=2, reserves=RESERVES | {"ankle_angle_r": float(1.05 * lacking.max())})
    assert enough.unsolved == 0


def test_motion_that_breaks_a_lock_is_told_and_muscles_on_locked_coordinates_rest() -> None:
    model = leg_model()
    model.getCoordinateSet().get("ankle_angle_r").set_locked(True)
    with (
        pytest.warns(oi.warnings.BrokenConstraintWarning, match="'ankle_angle_r'"),
        pytest.warns(oi.warnings.IdleMuscleWarning),
        pytest.warns(oi.warnings.AccelerationWarning, match="accelerations that differ from the motion's by up to"),
    ):
        recruited(model, joints="knee_r")
    note = r"muscles 'soleus_r', 'tib_ant_r' act on no coordinate that is solved for \(locked: 'ankle_angle_r'; free: "
    with pytest.warns(oi.warnings.IdleMuscleWarning, match=note):
        result = recruited(model, joints="knee_r", assemble=True)
    with pytest.raises(oi.errors.ModelError, match=note):
        recruited(model, assemble=True, strict=True)
    assert result.answer.acceleration_error.max() < 1e-8
    assert "ankle_angle_r" not in result.coordinate_names
    lowest = [m.getMinControl() for m in (model.getMuscles().get(name) for name in ("soleus_r", "tib_ant_r"))]
    np.testing.assert_allclose(result.activations[["soleus_r", "tib_ant_r"]], [lowest] * len(result.times), atol=1e-9)
