"""InertialModel: errors that name what is wrong."""

from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from oracles import by_keyword
from oracles.live_states import state_at
from oracles.real_models import heavy, original, random_motion, table
from oracles.two_links import BENT, two_links

import opensim_inertia as oi

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")


def test_unknown_names_show_near_matches(opensim_models: Path) -> None:
    model = original(opensim_models, "gait10dof18musc")
    with pytest.raises(oi.errors.UnknownNameError, match="'soleus'.*'soleus_[rl]'") as caught:
        oi.InertialModel(model, {"soleus": 0.2})
    assert "soleus_r" in caught.value.near_matches
    for option in ({"belly": {"soleus": "distal"}}, {"proximal_tendon": {"soleus": 0.3}}):
        with pytest.raises(oi.errors.UnknownNameError, match="'soleus'"):
            by_keyword.inertial_model(model, {"soleus_r": 0.2}, strain="uniform", **option)
    masses = table(opensim_models, "gait10dof18musc").assign(segment="tibia")
    with pytest.raises(oi.errors.UnknownNameError, match="'tibia'.*'tibia_[rl]'"):
        oi.InertialModel(model, masses)
    inertial = oi.InertialModel(model, {"soleus_r": 0.2})
    with pytest.raises(oi.errors.UnknownNameError, match="gastroc_r"):
        inertial.mass_points(inertial.initial_state(), ["gastroc_r"])


@pytest.mark.parametrize("masses", [5, [("mus", 0.2)], "no_such.csv"])
def test_masses_of_another_kind(masses: object) -> None:
    with pytest.raises(oi.InertiaError):
        oi.InertialModel(two_links(BENT), masses)


@pytest.mark.parametrize(
    "option",
    [
        {"strain": "elastic"},
        {"distribution": "lumped"},
        {"wrapping": "magic"},
        {"unsupported": "ignore"},
        {"points": 0},
        {"points": 2.5},
        {"points": True},
        {"points": "20"},
        {"points": "many"},
        {"points": None},
        {"points": float("nan")},
        {"belly": 3, "strain": "uniform"},
        {"proximal_tendon": "half"},
        {"proximal_tendon": 1.1},
        {"proximal_tendon": float("nan")},
        {"belly": "middle", "strain": "uniform"},
        {"belly": (0.5, 0.5), "strain": "uniform"},
        {"belly": (-0.1, 0.5), "strain": "uniform"},
        {"belly": (0.1, float("nan")), "strain": "uniform"},
        {"belly": {"mus": "middle"}, "strain": "uniform"},
    ],
)
def test_options_are_checked(option: dict[str, object]) -> None:
    with pytest.raises(oi.errors.OptionError, match=next(iter(option))):
        by_keyword.inertial_model(two_links(BENT), {"mus": 0.1}, **option)


def test_states_of_other_models_and_not_finite_ones(opensim_models: Path) -> None:
    inertial = heavy(opensim_models, "gait10dof18musc")
    other = heavy(opensim_models, "arm26")
    stranger = other.initial_state()
    for ask in (inertial.evaluate, inertial.mass_points, inertial.path_lengths):
        with pytest.raises(oi.errors.ModelError, match="another model"):
            ask(stranger)
    q, u = random_motion(inertial)
    knee = inertial.coordinate_names.index("knee_angle_r")
    for spoil in (q, u):
        kept, spoil[knee] = spoil[knee], np.nan
        for ask in (inertial.evaluate, inertial.mass_points, inertial.path_lengths):
            with pytest.raises(oi.errors.ModelError, match="'knee_angle_r'"):
                ask(state_at(inertial, q, u))
        spoil[knee] = kept
    assert np.isfinite(inertial.evaluate(state_at(inertial, q, u)).bias).all()


@pytest.mark.parametrize("text", [None, "", "<OpenSimDocument", "<a></a>", "not xml", "\x00\x01\x02"])
def test_missing_or_malformed_models(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "bad.osim"
    if text is not None:
        path.write_text(text)
    with pytest.raises(oi.errors.ModelError, match="bad.osim"):
        oi.InertialModel(path, {})
    with pytest.raises(oi.errors.ModelError, match="not a file"):
        oi.InertialModel(tmp_path, {})


def test_coordinates_of_one_name_are_named_by_their_joints(opensim_models: Path, tmp_path: Path) -> None:
    """Gait10dof18musc, which has path points that move with a knee: one name for both hips, one for both knees."""
    model = opensim_models / "Models/Gait10dof18musc/gait10dof18musc.osim"
    motion = opensim_models / "Pipelines/Gait10dof18musc/OutputReference/IK/subject01_walk_IK.mot"
    text = model.read_text()
    for name in ("hip_flexion", "knee_angle"):
        text = text.replace(f"{name}_r", name).replace(f"{name}_l", name)
    (tmp_path / "same.osim").write_text(text)
    table = oi.read_motion_table(motion, osim.Model(str(model))).iloc[:10]
    same = {"hip_flexion_r": "hip_flexion", "hip_flexion_l": "/jointset/hip_l/hip_flexion/value"}
    same |= {"knee_angle_r": "knee_angle", "knee_angle_l": "knee_l_knee_angle"}
    apart, alike = (
        oi.inverse_dynamics(oi.InertialModel(file, oi.estimate_masses(file)), oi.Recording(motion), band=False)
        for file, motion in ((model, table), (tmp_path / "same.osim", table.rename(columns=same)))
    )
    expected = [same.get(name, name) for name in apart.coordinate_names]
    expected[expected.index(same["hip_flexion_l"])] = "hip_l_hip_flexion"
    assert list(alike.coordinate_names) == expected
    np.testing.assert_array_equal(alike.inertial_forces, apart.inertial_forces)
    (finding, _) = [f for f in oi.check(tmp_path / "same.osim", thorough=False).findings if f.check == "names twice"]
    assert finding.severity == "note"


def test_accelerations_of_a_model_without_coordinates_are_empty() -> None:
    inertial = oi.InertialModel(osim.Model(), {})
    assert inertial.udot(inertial.initial_state()).shape == (0,)


def test_an_acceleration_that_is_not_finite_is_named() -> None:
    """Here the force of an actuator is no number."""
    model = two_links(BENT)
    name = model.getCoordinateSet().get(0).getName()
    motor = osim.CoordinateActuator(name)
    motor.setName("motor")
    model.addForce(motor)
    inertial = oi.InertialModel(model, {"mus": 0.2})
    state = inertial.initial_state()
    actuator = osim.ScalarActuator.safeDownCast(inertial.model.getForceSet().get("motor"))
    actuator.overrideActuation(state, True)
    actuator.setOverrideActuation(state, np.nan)
    with pytest.raises(oi.errors.ModelError, match=f"OpenSim's own acceleration of coordinate '{name}' is not finite"):
        inertial.udot(state)
