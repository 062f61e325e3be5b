"""Rows for which external loads are not known have no answer, in any table, picture or number of a result."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from oracles.demo_leg import swing_motion
from oracles.pushes import write_push
from oracles.recruited_leg import heavy_leg

import opensim_inertia as oi
from opensim_inertia.analyses.inverse_dynamics import InverseDynamicsResult

pytestmark = [
    pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.LoadsRangeWarning"),
    pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.InputWarning"),  # the push is no ground reaction
]

FIRST, LAST = 0.1, 0.3
"""s. The loads are known between these; the motion is longer at both ends."""
SAME = 1e-9
"""Relative to the largest force: the same rows, in other batches."""


def write_loads(folder: Path, first: float, last: float) -> Path:
    """A push on the foot, known between two times."""
    times = np.arange(first, last + 1e-9, 0.005)
    return write_push(folder, "tibia_r", times, (20.0, 300.0, 5.0), name=f"loads_{last:g}")


def solve(loads: Path, **options: object) -> InverseDynamicsResult:
    return oi.inverse_dynamics(heavy_leg(), oi.Recording(swing_motion(), loads, **options))


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> InverseDynamicsResult:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", oi.warnings.LoadsRangeWarning)
        warnings.simplefilter("ignore", oi.warnings.InputWarning)
        return solve(write_loads(tmp_path_factory.mktemp("short"), FIRST, LAST))


@pytest.fixture(scope="module")
def within(tmp_path_factory: pytest.TempPathFactory, short: InverseDynamicsResult) -> InverseDynamicsResult:
    """The same motion, of which only the rows with loads are asked for."""
    times = short.times[short.answered]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", oi.warnings.InputWarning)
        return solve(write_loads(tmp_path_factory.mktemp("within"), FIRST, LAST), time_range=(times[0], times[-1]))


def test_rows_with_an_answer_are_those_of_a_run_that_asks_for_no_others(
    short: InverseDynamicsResult, within: InverseDynamicsResult
) -> None:
    assert len(short.times) > len(within.times) + 10 and within.answered.all()
    assert not short.answered[0] and not short.answered[-1]
    np.testing.assert_array_equal(short.times[short.answered], within.times)
    for name in ("lumped_forces", "inertial_forces"):
        ours, expected = getattr(short, name), getattr(within, name)
        np.testing.assert_allclose(ours[short.answered], expected, rtol=0, atol=SAME * np.abs(expected).max())
        assert np.isnan(ours[~short.answered]).all()


def test_numbers_are_of_rows_with_an_answer(short: InverseDynamicsResult, within: InverseDynamicsResult) -> None:
    summary, expected = short.summary(), within.summary()
    assert np.isfinite(expected.drop(columns="unit").to_numpy(dtype=float)).any()
    pd.testing.assert_frame_equal(summary, expected, rtol=1e-6, atol=1e-9)
    assert short.times[short.peak_rows].tolist() == within.times[within.peak_rows].tolist()
    for name in summary.index:
        band, wide = short.band(name), within.band(name)
        assert band[~short.answered].isna().all(axis=None)
        np.testing.assert_allclose(band[short.answered], wide, rtol=0, atol=1e-6 * np.abs(wide.to_numpy()).max())
        table = short.muscle_table(name)
        assert table[~short.answered].isna().all(axis=None) and table[short.answered].notna().all(axis=None)


@pytest.mark.slow
def test_files_and_arrays_hold_nan(short: InverseDynamicsResult, tmp_path: Path) -> None:
    short.save(tmp_path)
    for kind in ("lumped", "inertial"):
        back = oi.read_table(tmp_path / f"inverse_dynamics_{kind}.sto")
        np.testing.assert_array_equal(back.to_numpy(), getattr(short, kind).to_numpy())
        assert np.isnan(back.to_numpy()).any()
    assert (
        pd.read_csv(tmp_path / "inverse_dynamics_summary.csv")
        .drop(columns=["coordinate", "unit"])
        .notna()
        .any(axis=None)
    )
    name = short.summary().index[0]
    short.muscles_to_sto(tmp_path / "muscles.sto", name)
    assert np.isnan(oi.read_table(tmp_path / "muscles.sto").to_numpy()).any(axis=1).sum() == (~short.answered).sum()
    assert short.provenance["rows without an answer"] == (~short.answered).sum()
    copy = pickle.loads(pickle.dumps(short))
    np.testing.assert_array_equal(copy.answered, short.answered)
    assert f"{(~short.answered).sum()} more without an answer" in repr(short)


def test_loads_for_none_of_the_rows_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(oi.errors.FileFormatError, match="there are external loads for none of the times"):
        solve(write_loads(tmp_path, 7.0, 8.0))


def test_nothing_is_said_where_all_rows_have_loads(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", oi.warnings.InputWarning)
        result = solve(write_loads(tmp_path, -1.0, 2.0))
    assert result.answered.all() and "rows without an answer" not in result.provenance
