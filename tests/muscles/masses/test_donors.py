"""Donor segments: hand-placed bellies on a chain of rods, reference poses, and anatomy on the real models."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from conftest import model_path
from oracles.mass_tables import stretches

import opensim_inertia as oi
from opensim_inertia import estimate_masses
from opensim_inertia.errors import FileFormatError, OptionError, UnknownNameError
from opensim_inertia.muscles.masses import default_donors, reference_pose

Rods = Callable[..., Any]


def donors_of_mus(model: Any, state: Any) -> str:
    return default_donors(model, state, ["mus"])["mus"]


# Muscles whose donor anatomy leaves no doubt about, by the start of their names in any of the models.
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
    ("ends", "slack", "donors"),
    [
        (((0, 0.1), (1, 0.1)), 0.0, "0.8 rod0 + 0.2 rod1"),  # the joint is at y = -0.5, the path from -0.1 to -0.6
        (((0, 0.4), (1, 0.4)), 0.0, "0.2 rod0 + 0.8 rod1"),
        (((0, 0.4), (2, 0.4)), 0.0, "0.1 rod0 + 0.5 rod1 + 0.4 rod2"),  # the middle rod it only passes
        (((1, 0.1), (0, 0.1)), 0.0, "0.2 rod1 + 0.8 rod0"),  # origin below
        (((0, 0.1), (1, 0.02)), 0.0, "rod0"),  # 5 % of 0.42 m is more than 2 cm
    ],
)
def test_each_stretch_lies_in_the_rod_beside_it(ends: Any, slack: float, donors: str, rods: Rods) -> None:
    model, state = reference_pose(rods(ends=ends, slack=max(slack, 1e-6)))
    assert donors_of_mus(model, state) == donors


@pytest.mark.parametrize("lengths", [(0.2, 0.0, 0.1), (0.0, 0.1, 0.1), (0.1, 0.05, 0.1), (0.25, 0.1, 0.0)])
def test_shares_are_those_of_mass_points(lengths: tuple[float, float, float], rods: Rods) -> None:
    """The belly is a trapezoid along the path: the kernel's own points say how much of it is above the joint."""
    model, (aponeurosis, proximal, distal) = rods(ends=((0, 0.15), (1, 0.25)), slack=sum(lengths)), lengths
    columns = {"belly": aponeurosis + 0.12, "free_tendon_proximal": proximal, "free_tendon_distal": distal}
    table = pd.DataFrame({"muscle": ["mus"], "mass": [0.1], **columns})
    inertial = oi.InertialModel(model, table, points=10_000)
    cloud = inertial.mass_points(inertial.initial_state(), jacobians=False)["mus"]
    above = cloud.masses[cloud.positions[:, 1] > -0.5].sum() / 0.1
    (first, share), (second, _) = stretches(inertial.masses.loc[0, "segment"])
    assert (first, second) == ("rod0", "rod1")
    assert share == pytest.approx(above, abs=2.5e-3)  # three decimals; 100 x 100 points


def test_a_slack_tendon_leaves_the_belly_on_the_path(rods: Rods) -> None:
    """All of the tendon is free, and longer than the path."""
    table = pd.DataFrame({"muscle": ["mus"], "mass": [0.1], "belly": 0.12, "free_tendon_proximal": 0.0})
    assert estimate_masses(rods(slack=3.0), table=table).loc[0, "segment"] == "rod0"


def test_small_bones_pass_on_to_the_body_they_hang_on(rods: Rods) -> None:
    model, state = reference_pose(rods(masses=(2.0, 0.004, 1.0), ends=((0, 0.4), (2, 0.1)), slack=1e-6))
    assert donors_of_mus(model, state) == "0.857 rod0 + 0.143 rod2"  # 0.6 and 0.1 of 0.7 m
    model, state = reference_pose(rods(masses=(0.001, 2.0), ends=((0, 0.1), (1, 0.1)), slack=1e-6))
    assert donors_of_mus(model, state) == "0.8 rod0 + 0.2 rod1", "0.4 of 0.5 m on a rod that moves in ground"


def test_stretches_on_ground_stay_there(rods: Rods) -> None:
    for ends, donors in [
        (((-1, -0.3), (0, 0.2)), "0.6 ground + 0.4 rod0"),  # from y = 0.3 past the joint at 0 to -0.2
        (((0, 0.2), (-1, -0.3)), "0.4 rod0 + 0.6 ground"),
        (((-1, 0.0), (1, 0.01)), "rod0"),  # 1 of 51 cm on rod1, none on ground
        (((-1, -0.3), (0, 0.01)), "ground"),  # 1 of 31 cm is less than 5 %
        (((-1, -0.3), (-1, -0.1)), "ground"),
    ]:
        model, state = reference_pose(rods(ends=ends, slack=1e-6))
        assert donors_of_mus(model, state) == donors
    with pytest.raises(UnknownNameError, match="'mus'"):
        default_donors(model, state, ["mus_r"])


def test_the_lengths_of_a_table_decide_about_its_donor(rods: Rods) -> None:
    # from y = -0.3 to -0.8, L = 0.5 m; slack length 0.3 m: fibres 0.2 m, the joint is at -0.5
    model = rods(ends=((0, 0.3), (1, 0.3)), slack=0.3)
    for proximal, donor in [(0.0, "rod0"), (0.3, "rod1")]:  # bellies -0.3 to -0.5, and -0.6 to -0.8
        table = pd.DataFrame({"muscle": ["mus"], "mass": [0.1], "belly": 0.12, "free_tendon_proximal": proximal})
        assert estimate_masses(model, table=table).loc[0, "segment"] == donor
    table["segment"] = "rod0"
    assert estimate_masses(model, table=table).loc[0, "segment"] == "rod0", "a given donor stays"


def static_trial(path: Path, rows: list[list[float]], labels: tuple[str, ...]) -> Path:
    text = f"static\nversion=1\nnRows={len(rows)}\nnColumns={len(labels) + 1}\ninDegrees=yes\nendheader\n"
    text += "\t".join(("time", *labels)) + "\n"
    text += "".join("\t".join(map(str, (0.1 * i, *row))) + "\n" for i, row in enumerate(rows))
    path.write_text(text)
    return path


@pytest.mark.parametrize("kind", ["dict", "array", "file", "paths of states", "state"])
def test_every_form_of_a_reference_pose_is_the_same(kind: str, rods: Rods, tmp_path: Path) -> None:
    model = rods()
    names = [c.getName() for c in model.getCoordinateSet()]
    angle, other = np.deg2rad(20.0), np.deg2rad(-50.0)
    rows = [[10.0, -40.0, 7.0], [30.0, -60.0, 7.0]]
    labels = (names[0], names[2], "no_coordinate")
    if kind == "paths of states":
        labels = (
            f"/jointset/joint0/{names[0]}/value",
            f"/jointset/joint2/{names[2]}/value",
            "/forceset/mus/activation",
        )
    owner = rods()
    owner_state = owner.initSystem()
    owner.getCoordinateSet().get(0).setValue(owner_state, angle)
    owner.getCoordinateSet().get(2).setValue(owner_state, other)
    reference = {
        "dict": {names[0]: angle, names[2]: other},
        "array": np.array([angle, 0.0, other]),
        "file": static_trial(tmp_path / "a.mot", rows, labels),
        "paths of states": static_trial(tmp_path / "b.sto", rows, labels),
        "state": owner_state,
    }[kind]
    copy, state = reference_pose(model, reference)
    values = [copy.getCoordinateSet().get(name).getValue(state) for name in names]
    np.testing.assert_allclose(values, [angle, 0.0, other], atol=1e-14)
    copy.realizePosition(state)
    end = copy.getBodySet().get("rod0").findStationLocationInGround(state, osim.Vec3(0, -0.5, 0))
    np.testing.assert_allclose(
        [end.get(i) for i in range(3)], [0.5 * np.sin(angle), -0.5 * np.cos(angle), 0], atol=1e-12
    )


def test_donors_are_found_at_the_reference_pose(rods: Rods) -> None:
    # From 0.45 m above the joint to 0.2 m below it, 0.22 m of free tendon at the origin. Straight, L = 0.65 m, and the
    # belly passes the joint after 0.23 of its 0.43 m. Bent by a right angle, L = 0.4925 m; the place nearest to the
    # joint is at 0.45^2 / L = 0.4112 m, after 0.1912 of the belly's 0.2725 m.
    model = rods(ends=((0, 0.05), (1, 0.2)), slack=0.22, off=0.0)
    table = pd.DataFrame({"muscle": ["mus"], "mass": [0.1], "belly": 0.12, "free_tendon_proximal": 0.22})
    knee = model.getCoordinateSet().get(1)
    assert estimate_masses(model, table=table).loc[0, "segment"] == "0.535 rod0 + 0.465 rod1"
    bent_donors = "0.702 rod0 + 0.298 rod1"
    for angle in (np.pi / 2, -np.pi / 2):
        bent = estimate_masses(model, table=table, reference={knee.getName(): angle})
        assert bent.loc[0, "segment"] == bent_donors
        assert estimate_masses(model, table=table, reference=[0.0, angle, 0.0]).loc[0, "segment"] == bent_donors
    assert knee.getDefaultValue() == 0.0


def test_a_reference_pose_moves_couplers_and_locked_coordinates() -> None:
    model = osim.Model(str(model_path("Models/Rajagopal/Rajagopal2016.osim")))
    model.getCoordinateSet().get("ankle_angle_r").setDefaultLocked(True)
    copy, state = reference_pose(model, {"knee_angle_r": 1.0, "ankle_angle_r": 0.2})
    value = {c.getName(): c.getValue(state) for c in copy.getCoordinateSet()}
    assert value["knee_angle_r"] == pytest.approx(1.0) and value["ankle_angle_r"] == pytest.approx(0.2)
    assert value["knee_angle_r_beta"] == pytest.approx(1.0, abs=0.1), "the kneecap follows the knee"
    assert value["knee_angle_l_beta"] == pytest.approx(0.0, abs=0.1)
    straight = default_donors(*reference_pose(model))
    sitting = default_donors(copy, state)
    assert {m: sitting[m] for m in ("soleus_r", "vaslat_r")} == {m: straight[m] for m in ("soleus_r", "vaslat_r")}


def test_bad_reference_poses_are_named(rods: Rods, tmp_path: Path) -> None:
    model = rods()
    name = model.getCoordinateSet().get(0).getName()
    with pytest.raises(UnknownNameError, match=f"'{name}_r'.*'{name}'"):
        reference_pose(model, {f"{name}_r": 0.1})
    with pytest.raises(UnknownNameError, match="hip"):
        reference_pose(model, static_trial(tmp_path / "a.mot", [[1.0]], ("hip",)))
    with pytest.raises(FileFormatError, match=name):
        reference_pose(model, static_trial(tmp_path / "b.mot", [[1.0], [float("nan")]], (name,)))
    with pytest.raises(FileFormatError, match="absent.mot"):
        estimate_masses(model, reference=tmp_path / "absent.mot")
    for bad in ([0.1], np.zeros((3, 1)), ["a", "b", "c"], [0.0, np.nan, 0.0], {name: np.inf}, {name: "bent"}, 3.0):
        with pytest.raises(OptionError, match="reference"):
            reference_pose(model, bad)
    two_rods = rods(masses=(1.0, 1.0))
    state = two_rods.initSystem()
    with pytest.raises(OptionError, match="3"):
        reference_pose(model, state)
    table = estimate_masses(model)
    with pytest.raises(UnknownNameError):
        estimate_masses(model, table=table, reference={"nothing": 0.0})


def test_anatomy(real: tuple[str, Any]) -> None:
    name, model = real
    copy, state = reference_pose(model)
    donors = default_donors(copy, state)
    checked = 0
    for body, starts in ANATOMY.items():
        for muscle in [m for m in donors if m.startswith(tuple(starts.split()))]:
            most, _ = max(stretches(donors[muscle]), key=lambda pair: pair[1])
            assert most.removesuffix("_r").removesuffix("_l") == body, muscle
            checked += 1
    assert checked >= 0.75 * len(donors), f"{name}: most muscles are checked"


def test_left_and_right_have_the_same_donors(real: tuple[str, Any]) -> None:
    _, model = real
    copy, state = reference_pose(model)
    donors = default_donors(copy, state)
    for muscle, text in donors.items():
        if muscle.endswith("_l"):
            left, right = stretches(text), stretches(donors[muscle[:-2] + "_r"])
            assert [re.sub("_l$", "_r", name) for name, _ in left] == [name for name, _ in right], muscle
            # sides differ by up to some millimetres of bellies of some decimetres
            assert [share for _, share in left] == pytest.approx([share for _, share in right], abs=0.02), muscle
