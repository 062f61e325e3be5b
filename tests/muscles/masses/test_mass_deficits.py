"""Segments asked for more than they can give: lighter muscles or other donors, of rods by hand and a real scapula."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import model_path

import opensim_inertia as oi
from opensim_inertia._core.choices import TRANSFERS
from opensim_inertia._core.opensim import osim
from opensim_inertia.muscles.masses import estimate_masses
from opensim_inertia.muscles.masses.rigid import body_mass_properties
from opensim_inertia.muscles.masses.segments import LEAST_KEPT, inertia_problem

Rods = Callable[..., Any]
SHOULDER = "Models/ThoracoscapularShoulder/ThoracoscapularShoulderModel.osim"
ROUNDING = 1e-12
"""Relative."""


@pytest.fixture(scope="module")
def shoulder() -> Path:
    return model_path(SHOULDER, published=False)


def three_on_a_rod(rods: Rods) -> Any:
    """Muscles of one kind that lie along the middle one of three rods: at its upper end, in the middle, at its end."""
    model = rods(masses=(9.0, 1.0, 2.0), ends=((1, 0.05), (1, 0.15)))
    body = model.getBodySet().get("rod1")
    for name, below in (("middle", 0.2), ("low", 0.3)):
        muscle = osim.Millard2012EquilibriumMuscle(name, 1000.0, 0.12, 0.1, 0.0)
        for end, further in (("origin", 0.0), ("insertion", 0.1)):
            muscle.addNewPathPoint(end, body, osim.Vec3(0.03, -below - further, 0))
        model.addForce(muscle)
    model.finalizeConnections()
    return model


def test_scaled_by_hand(rods: Rods) -> None:
    asked = {"mus": 0.3, "middle": 0.5, "low": 0.6}
    table = estimate_masses(three_on_a_rod(rods), table=asked, overdrawn="scale")
    factor = 0.7 * 1.0 / 1.4
    assert table["mass"].tolist() == pytest.approx([factor * mass for mass in asked.values()], rel=ROUNDING)
    assert set(table["segment"]) == {"rod1"}
    assert (
        table["source"].tolist() == ["given by the user; times 0.5, so that segment 'rod1' keeps 30 % of its 1 kg"] * 3
    )
    assert table.attrs["overdrawn"] == [
        "3 muscles of 1.4 kg are scaled by 0.5, so that segment 'rod1' keeps 30 % of its 1 kg"
    ]


def test_passed_on_by_hand(rods: Rods) -> None:
    """To the rod above, those first that are nearest to it, and no more than must be."""
    asked = {"low": 0.3, "middle": 0.5, "mus": 0.6}
    table = estimate_masses(three_on_a_rod(rods), table=asked, overdrawn="neighbours").set_index("muscle")
    assert table["segment"].to_dict() == {"mus": "rod0", "middle": "rod0", "low": "rod1"}
    assert table["mass"].to_dict() == asked
    passed_on = "given by the user; given up by 'rod0' in place of 'rod1', which has too little"
    assert table["source"].to_dict() == {"mus": passed_on, "middle": passed_on, "low": "given by the user"}
    assert len(table.attrs["overdrawn"]) == 1 and table.attrs["overdrawn"][0].startswith("2 muscles of segment 'rod1'")


@pytest.mark.parametrize("overdrawn", ["scale", "neighbours"])
def test_segments_that_have_enough_are_left_alone(rods: Rods, overdrawn: str) -> None:
    asked = {"mus": 0.2, "middle": 0.3, "low": 0.199}
    table = estimate_masses(three_on_a_rod(rods), table=asked, overdrawn=overdrawn)
    pd.testing.assert_frame_equal(table, estimate_masses(three_on_a_rod(rods), table=asked))
    assert table.attrs["overdrawn"] == []


def test_where_no_parent_has_enough_it_is_an_error(rods: Rods) -> None:
    with pytest.raises(oi.errors.SegmentMassError, match="'rod0' has 9 kg.*no parent segment"):
        estimate_masses(three_on_a_rod(rods), table={"mus": 8.0}, overdrawn="neighbours")
    with pytest.raises(
        oi.errors.OptionError, match="overdrawn='steal': expected one of 'together', 'scale', 'neighbours', 'error'"
    ):
        estimate_masses(three_on_a_rod(rods), overdrawn="steal")


def test_the_error_offers_both(shoulder: Path) -> None:
    with pytest.raises(oi.errors.SegmentMassError, match="'scapula'.*overdrawn='scale' or overdrawn='neighbours'"):
        estimate_masses(shoulder, overdrawn="error")


@pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.RemainderWarning")
@pytest.mark.parametrize("transfer", TRANSFERS)
@pytest.mark.parametrize("overdrawn", ["scale", "neighbours"])
def test_a_real_scapula(shoulder: Path, overdrawn: str, transfer: str) -> None:
    """The scapula of 0.50 kg is asked for 1.37 kg: mass is conserved, and every donor remains a body."""
    asked = estimate_masses(shoulder)
    table = estimate_masses(shoulder, overdrawn=overdrawn)
    changed = (table["mass"] != asked["mass"]) | (table["segment"] != asked["segment"])
    assert changed.sum() >= 8
    assert (table["source"] != asked["source"]).tolist() == changed.tolist()
    if overdrawn == "neighbours":
        assert math.fsum(table["mass"]) == math.fsum(asked["mass"])
        assert all("thorax" in text for text in table["segment"][changed])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", oi.warnings.ShortBellyWarning)
        inertial = oi.InertialModel(shoulder, table, transfer=transfer, wrapping=oi.Wrapping(warn_wraps=False))
    given = inertial.original_model()
    whole = math.fsum(body.getMass() for body in given.getBodySet())
    left = math.fsum(body.getMass() for body in inertial.model.getBodySet())
    assert left + math.fsum(inertial.muscles.masses.values()) == pytest.approx(whole, rel=ROUNDING)
    for name in inertial.segments.index:
        before, after = (body_mass_properties(model, name) for model in (given, inertial.model))
        assert after.mass >= LEAST_KEPT * before.mass * (1 - ROUNDING)
        assert np.linalg.eigvalsh(after.inertia)[0] > 0
        if inertia_problem(six(before.inertia)) is None:
            assert inertia_problem(six(after.inertia)) is None
        else:  # the published scapula and clavicle break the triangle inequality; their remainders do no more
            assert lack(after.inertia) / after.mass <= lack(before.inertia) / before.mass * (1 + 1e-9)
    state = inertial.initial_state()
    inertial.model.realizeVelocity(state)
    mass_matrix = inertial.kinematics.mass_matrix(state) + inertial.evaluate(state).mass_matrix
    assert np.linalg.eigvalsh(mass_matrix)[0] > 0


def six(inertia: np.ndarray) -> np.ndarray:
    return np.array([*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2]])


def lack(inertia: np.ndarray) -> float:
    """By how much the largest principal moment exceeds the sum of the others."""
    small, middle, large = np.linalg.eigvalsh(inertia)
    return float(large - small - middle)
