"""Which muscles matter: shares against the matrices, and the smallest sets by trying all of them."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")


@cache
def walking(root: Path) -> tuple[oi.InertialModel, Path]:
    folder = root / "Pipelines/Gait10dof18musc/OutputReference"
    model = osim.Model(str(folder / "subject01.osim"))
    return oi.InertialModel(model, oi.estimate_masses(model)), folder / "IK/subject01_walk_IK.mot"


def states(inertial: oi.InertialModel, count: int) -> list[osim.State]:
    rng, found = np.random.default_rng(0), []
    for _ in range(count):
        state = inertial.initial_state()
        state.setQ(osim.Vector.createFromMat(rng.uniform(-0.5, 0.5, len(inertial.coordinate_names))))
        found.append(state)
    return found


def test_shares_are_diagonals_over_effective_inertia(opensim_models: Path) -> None:
    inertial, _ = walking(opensim_models)
    poses = states(inertial, 3)
    ranking = oi.rank_muscles(inertial, poses)
    assert ranking.poses == 3 and set(ranking.shares.index) == set(inertial.muscle_names)
    assert tuple(ranking.shares.columns) == inertial.coordinate_names
    expected = np.zeros((len(inertial.muscle_names), len(inertial.coordinate_names)))
    for state in poses:
        inertial.model.realizePosition(state)
        M = osim.Matrix()
        inertial.model.getMatterSubsystem().calcM(state, M)
        effective = np.diag(M.to_numpy() + inertial.evaluate(state).mass_matrix)
        for i, name in enumerate(inertial.muscle_names):
            points = inertial.mass_points(state, [name])[name]
            row = (points.masses[:, None, None] * points.jacobians**2).sum(axis=(0, 1)) / effective
            expected[i] += row / len(poses)
    ours = ranking.shares.loc[list(inertial.muscle_names)].to_numpy()
    assert ours.max() > 0.01
    # mass_points shows 20 points of a continuous muscle: 1/(4 n^2) of its second moment
    np.testing.assert_allclose(ours, expected, rtol=0, atol=0.01 * expected.max())
    assert (ours >= 0).all() and (ours.sum(axis=0) < 1).all()
    most = ranking.shares.max(axis=1).to_numpy()
    assert (np.diff(most) <= 0).all()


@pytest.mark.parametrize("fraction", [0.5, 0.9, 1.0])
def test_needed_is_the_smallest_set(opensim_models: Path, fraction: float) -> None:
    inertial, _ = walking(opensim_models)
    ranking = oi.rank_muscles(inertial, states(inertial, 1), fraction)
    for name in ("ankle_angle_r", "knee_angle_r"):
        share = ranking.shares[name]
        total, needed = share.sum(), ranking.needed[name]
        held = share[list(needed)].sum()
        assert held >= fraction * total * (1 - 1e-9)
        positive = share[share > 0]
        assert 0 < len(needed) <= len(positive)
        fewer = combinations(positive, len(needed) - 1)
        assert all(sum(set_of) < fraction * total for set_of in fewer)
        assert all(share[m] > 0 for m in needed)


def test_no_muscles_and_bad_arguments(opensim_models: Path, tmp_path: Path) -> None:
    inertial, _ = walking(opensim_models)
    massless = oi.InertialModel(inertial.model, {})
    empty = oi.rank_muscles(massless)
    assert empty.shares.empty and all(needed == () for needed in empty.needed.values()) and empty.summary().empty
    for fraction in (0.0, -1.0, 1.5, float("nan")):
        with pytest.raises(oi.errors.OptionError, match="fraction"):
            oi.rank_muscles(inertial, fraction=fraction)
    with pytest.raises(oi.errors.MotionError, match="no state"):
        oi.rank_muscles(inertial, [])
    with pytest.raises(oi.errors.FileFormatError, match="no_such"):
        oi.rank_muscles(inertial, tmp_path / "no_such.mot")
