"""Which segment pays: hand-placed bellies on a chain of rods, and anatomy on the real models."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from opensim_inertia._opensim import osim
from opensim_inertia.errors import ModelError, OptionError, UnknownNameError, UnsupportedPathError
from opensim_inertia.masses import default_payer, default_payers
from opensim_inertia.masses.payers import Skeleton, belly_midpoint, default_pose

Rods = Callable[..., Any]

# Muscles whose payer anatomy leaves no doubt about, by the start of their names in any of the models.
ANATOMY = {
    "tibia": (
        "soleus med_gas lat_gas gasmed gaslat gastroc tib_ant tibant tib_post tibpost per_ perbrev perlong "
        "flex_ fdl fhl ext_ edl ehl"
    ),
    "femur": (
        "semimem semiten bifem bflh bfsh hamstrings vas rect_fem recfem grac sar add_long add_mag addlong "
        "addmag add_brev addbrev"
    ),
    "pelvis": "psoas iliacus iliopsoas glut_med glut_min glmed glmin peri piri",
    "torso": "ercspn",
    "r_humerus": "TRI BIC BRA",
}


@pytest.mark.parametrize(
    ("ends", "slack", "payer"),
    [
        (((0, 0.1), (1, 0.1)), 0.0, "rod0"),  # middle at y = -0.35
        (((0, 0.4), (1, 0.4)), 0.0, "rod1"),  # at -0.65
        (((0, 0.4), (1, 0.4)), 0.8, "rod0"),  # free tendon 0.4 m, belly 0.1 m: at -0.45
        (((0, 0.4), (2, 0.4)), 0.0, "rod1"),  # at -0.9, the rod that it only passes
        (((1, 0.1), (0, 0.1)), 0.0, "rod0"),  # origin below
    ],
)
def test_the_rod_beside_the_belly_pays(ends: Any, slack: float, payer: str, rods: Rods) -> None:
    model, state = default_pose(rods(ends=ends, slack=max(slack, 1e-3)))
    assert default_payer(model, state, "mus") == payer


def test_the_middle_of_the_belly_by_hand(rods: Rods) -> None:
    # straight down from y = -0.1 to -0.6, L = 0.5 m; slack length 0.2 m
    model, state = default_pose(rods(ends=((0, 0.1), (1, 0.1)), slack=0.2))
    muscle = model.getMuscles().get("mus")
    model.realizePosition(state)
    for options, s in [
        ({}, 0.2),  # free tendon 0.1: (0.5 - 0.1) / 2
        ({"aponeurosis": 0.0}, 0.15),
        ({"aponeurosis": 1.0}, 0.25),
        ({"aponeurosis": 0.0, "proximal": 1.0}, 0.35),
        ({"proximal": 0.5}, 0.25),
    ]:
        middle, origin, insertion = belly_midpoint(muscle, state, **options)
        np.testing.assert_allclose(middle, [0.03, -0.1 - s, 0.0], atol=1e-12)
        assert (origin, insertion) == ("rod0", "rod1")
    for bad in ({"proximal": -0.1}, {"aponeurosis": 1.1}, {"proximal": float("nan")}):
        with pytest.raises(OptionError):
            belly_midpoint(muscle, state, **bad)


def test_a_slack_tendon_leaves_the_belly_on_the_path(rods: Rods) -> None:
    model, state = default_pose(rods(ends=((0, 0.1), (1, 0.1)), slack=3.0))
    model.realizePosition(state)
    middle, _, _ = belly_midpoint(model.getMuscles().get("mus"), state)
    np.testing.assert_allclose(middle, [0.03, -0.1, 0.0], atol=1e-12)


@pytest.mark.parametrize("masses", [(1.0, 2.0, 1.0), (2.0, 1.0, 1.0)])
def test_between_equals_the_heavier_pays(masses: tuple[float, ...], rods: Rods) -> None:
    # the belly's middle is level with the joint: both rods are 0.03 m away
    model, state = default_pose(rods(masses=masses, ends=((0, 0.4), (1, 0.1)), slack=1e-12))
    assert default_payer(model, state, "mus") == f"rod{np.argmax(masses)}"


def test_small_bones_and_ground_never_pay(rods: Rods) -> None:
    model, state = default_pose(rods(masses=(2.0, 0.004, 1.0), ends=((0, 0.4), (2, 0.1)), slack=1e-3))
    assert default_payer(model, state, "mus") in {"rod0", "rod2"}
    model, state = default_pose(rods(ends=((-1, 0.0), (1, 0.01)), slack=1e-3))
    assert default_payer(model, state, "mus") == "rod0"


def test_no_one_to_pay_is_an_error_that_names_the_muscle(rods: Rods) -> None:
    model, state = default_pose(rods(masses=(0.001, 2.0), ends=((-1, 0.1), (0, 0.1)), slack=1e-3))
    with pytest.raises(ModelError, match="'mus'.*'ground'.*'rod0'"):
        default_payer(model, state, "mus")
    with pytest.raises(UnknownNameError, match="'mus'"):
        default_payer(model, state, "mus_r")


def test_a_path_without_points_is_named(rods: Rods) -> None:
    model = rods()
    muscle = osim.Millard2012EquilibriumMuscle("pathless", 1000.0, 0.1, 0.1, 0.0)
    path = osim.FunctionBasedPath()
    path.appendCoordinatePath("/jointset/joint0/" + model.getJointSet().get(0).get_coordinates(0).getName())
    path.setLengthFunction(osim.LinearFunction(0.01, 0.3))
    muscle.set_path(path)
    model.addForce(muscle)
    model.finalizeConnections()
    copy, state = default_pose(model)
    with pytest.raises(UnsupportedPathError, match="'pathless'.*FunctionBasedPath"):
        default_payers(copy, state)
    assert default_payers(copy, state, ["mus"]) == {"mus": "rod0"}


def test_a_model_that_cannot_be_initialised_is_an_error_of_ours() -> None:
    model = osim.Model()
    model.setName("loose")
    body = osim.Body("rod", 1.0, osim.Vec3(0), osim.Inertia(1.0))
    model.addBody(body)
    joint = osim.PinJoint("joint", model.getGround(), body)
    model.addJoint(joint)
    with pytest.raises(ModelError, match="loose"):
        default_pose(model)


def test_chains_and_lines_of_a_skeleton(rods: Rods) -> None:
    model, state = default_pose(rods())
    skeleton = Skeleton.of(model, state)
    assert skeleton.chain("rod0", "rod2") == ["rod0", "rod1", "rod2"]
    assert skeleton.chain("rod2", "ground") == ["rod2", "rod1", "rod0"]
    assert skeleton.chain("rod1", "rod1") == ["rod1"]
    np.testing.assert_allclose(skeleton.lines["rod1"], [[[0, -0.5, 0], [0, -1.0, 0]]], atol=1e-12)
    np.testing.assert_allclose(skeleton.lines["rod2"], [[[0, -1.0, 0], [0, -1.5, 0]]], atol=1e-12)
    assert skeleton.distance("rod1", np.array([0.3, -0.1, 0.0])) == pytest.approx(0.5)


def test_anatomy(real: tuple[str, Any]) -> None:
    name, model = real
    copy, state = default_pose(model)
    payers = default_payers(copy, state)
    checked = 0
    for body, starts in ANATOMY.items():
        for muscle in [m for m in payers if m.startswith(tuple(starts.split()))]:
            assert payers[muscle].removesuffix("_r").removesuffix("_l") == body, muscle
            checked += 1
    assert checked >= 0.75 * len(payers), f"{name}: most muscles are checked"


def test_left_and_right_pay_alike(real: tuple[str, Any]) -> None:
    _, model = real
    copy, state = default_pose(model)
    payers = default_payers(copy, state)
    for muscle, body in payers.items():
        if muscle.endswith("_l"):
            mirrored = payers[muscle[:-2] + "_r"]
            assert mirrored == (body[:-2] + "_r" if body.endswith("_l") else body), muscle
