"""What single muscles add: sums, linearity in the masses, and coordinates that follow others."""

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from oracles.real_models import arm26_swing, original, table

import opensim_inertia as oi
from opensim_inertia.analyses.inverse_dynamics import InverseDynamicsResult

SAME = 1e-9
"""Relative to the largest difference: the same terms in another order, less rigid forces a hundred times as large."""
STRAINS = ("aponeurosis", "rigid_tendon", "uniform")

pytestmark = [
    pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning"),
    pytest.mark.filterwarnings(
        "ignore::opensim_inertia.warnings.InputWarning"
    ),  # most coordinates of Rajagopal2016 rest
]


def stride(rows: int = 8) -> pd.DataFrame:
    """A motion of Rajagopal2016 that obeys the couplers of its knees, whose angles are equal."""
    times = np.arange(rows) * 0.03
    knee = 0.7 + 0.5 * np.sin(9 * times)
    hip = 0.4 * np.cos(7 * times)
    return pd.DataFrame({"knee_angle_r": knee, "knee_angle_r_beta": knee, "hip_flexion_r": hip}, index=times)


@cache
def of_stride(root: Path) -> InverseDynamicsResult:
    masses = oi.estimate_masses(original(root, "rajagopal2016"), muscles=["vaslat_r", "recfem_r", "gasmed_r"])
    return oi.inverse_dynamics(oi.InertialModel(original(root, "rajagopal2016"), masses), stride())


def check_sums(result: InverseDynamicsResult) -> None:
    difference = result.inertial_forces - result.lumped_forces
    scale = np.abs(difference).max()
    assert scale > 1e-3
    assert result.parts is not None and result.per_muscle.shape == (len(result.muscles), *difference.shape)
    np.testing.assert_allclose(result.per_muscle.sum(axis=0), difference, rtol=0, atol=SAME * scale)
    for name in result.coordinate_names:
        summed = result.muscle_table(name).sum(axis=1) if name in leading(result) else None
        if summed is not None:
            folded = result.folded(difference)[:, result.coordinate_names.index(name)]
            np.testing.assert_allclose(summed, folded, rtol=0, atol=SAME * scale)


def leading(result: InverseDynamicsResult) -> list[str]:
    return [result.coordinate_names[i] for i in result.independent]


@pytest.mark.parametrize("strain", STRAINS)
def test_parts_sum_to_the_difference(opensim_models: Path, strain: str) -> None:
    arm = original(opensim_models, "arm26")
    inertial = oi.InertialModel(arm, table(opensim_models, "arm26"), strain)
    result = oi.inverse_dynamics(inertial, arm26_swing(9))
    check_sums(result)
    assert result.muscles == inertial.muscle_names


@pytest.mark.parametrize("options", [{"wrapping": "opensim"}, {"distribution": "points", "points": 3}])
def test_parts_sum_for_other_paths_and_points(opensim_models: Path, options: dict) -> None:
    arm = original(opensim_models, "arm26")
    inertial = oi.InertialModel(arm, table(opensim_models, "arm26"), **options)
    assert bool(inertial.wraps.opensim) == ("wrapping" in options)
    check_sums(oi.inverse_dynamics(inertial, arm26_swing(9)))


@pytest.mark.slow
def test_each_row_is_a_run_with_that_muscle_alone(opensim_models: Path) -> None:
    arm, masses = original(opensim_models, "arm26"), table(opensim_models, "arm26")
    whole = oi.InertialModel(arm, masses)
    result = oi.inverse_dynamics(whole, arm26_swing(9))
    scale = np.abs(result.per_muscle).max()
    for row, name in zip(result.per_muscle, result.muscles, strict=True):
        alone = oi.InertialModel(arm, masses[masses["muscle"] == name])
        one = oi.inverse_dynamics(alone, arm26_swing(9))
        np.testing.assert_allclose(row, one.inertial_forces - one.lumped_forces, rtol=0, atol=SAME * scale)


def test_folding_keeps_the_power(opensim_models: Path) -> None:
    """Forces on coordinates that follow others act on these: on a motion that obeys the coupler power is the same."""
    result = of_stride(opensim_models)
    motion = result.motion
    assert motion is not None
    beta = result.coordinate_names.index("knee_angle_r_beta")
    assert np.abs(motion.u[:, beta]).max() > 1
    for forces in (result.lumped_forces, result.inertial_forces):
        assert np.abs(forces[:, beta]).max() > 1e-3
        power, folded = ((f * motion.u).sum(axis=1) for f in (forces, result.folded(forces)))
        np.testing.assert_allclose(folded, power, rtol=0, atol=1e-8 * np.abs(power).max())
        assert (result.folded(forces)[:, beta] == 0).all()
    for row in result.per_muscle:
        power, folded = ((f * motion.u).sum(axis=1) for f in (row, result.folded(row)))
        np.testing.assert_allclose(folded, power, rtol=0, atol=1e-8 * np.abs(power).max())


def test_coordinates_that_follow_others_are_refused_by_name(opensim_models: Path, tmp_path: Path) -> None:
    result = of_stride(opensim_models)
    assert "knee_angle_r_beta" not in result.summary().index
    for ask in (
        result.muscle_table,
        lambda name: oi.plotting.plot_muscles(result, name),
        lambda name: oi.plot(result, coordinates=[name]),
        lambda name: result.muscles_to_sto(tmp_path / "x.sto", name),
    ):
        with pytest.raises(oi.errors.OptionError, match="knee_angle_r_beta.*'knee_angle_r', which it follows"):
            ask("knee_angle_r_beta")
        with pytest.raises(oi.errors.UnknownNameError, match="'knee_angel_r'; did you mean 'knee_angle_r'"):
            ask("knee_angel_r")
    assert list(tmp_path.iterdir()) == []
