"""Rows for which external loads are not known have no answer, in any table, file or number of a result."""

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

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.InputWarning")  # the push is made up

SAME = 1e-9  # Relative to the largest force: the same rows, in other batches


def solve(folder: Path, first: float, last: float, **options: object) -> InverseDynamicsResult:
    """With a push on the foot, known between two times [s]; the motion is from 0 to 0.6 s."""
    times = np.arange(first, last + 1e-9, 0.005)
    loads = write_push(folder, "tibia_r", times, (20.0, 300.0, 5.0))
    return oi.inverse_dynamics(heavy_leg(), oi.Recording(swing_motion(), loads, **options))


def test_rows_with_an_answer_are_those_of_a_run_that_asks_for_no_others(tmp_path: Path) -> None:
    with pytest.warns(oi.warnings.LoadsRangeWarning):
        short = solve(tmp_path, 0.1, 0.3)
    without, times = ~short.answered, short.times[short.answered]
    within = solve(tmp_path, 0.1, 0.3, time_range=(times[0], times[-1]))
    assert len(short.times) > len(within.times) + 10 and within.answered.all()
    assert without[0] and without[-1] and short.provenance["rows without an answer"] == without.sum()
    np.testing.assert_array_equal(times, within.times)
    paths = short.save(tmp_path)
    for name in ("lumped", "inertial"):
        ours, expected = getattr(short, name), getattr(within, name).to_numpy()
        np.testing.assert_allclose(ours[short.answered], expected, rtol=0, atol=SAME * np.abs(expected).max())
        assert ours[without].isna().all(axis=None)
        np.testing.assert_array_equal(oi.read_table(paths[name]).to_numpy(), ours.to_numpy())
    summary = short.summary()
    pd.testing.assert_frame_equal(summary, within.summary(), rtol=1e-6, atol=1e-9)
    for name in summary.index:
        band, wide = np.array(short.difference_band(name)), np.array(within.difference_band(name))
        assert np.isnan(band[:, without]).all()
        np.testing.assert_allclose(band[:, short.answered], wide, rtol=0, atol=1e-6 * np.abs(within.lumped[name]).max())
        table = short.muscle_table(name)
        assert table[without].isna().all(axis=None) and table[short.answered].notna().all(axis=None)
    panel = oi.plot(short).axes[0]
    assert len(panel.collections[0].get_paths()) == 2  # grey before and after
    np.testing.assert_array_equal(np.isnan(np.asarray(panel.lines[0].get_ydata(), dtype=float)), without)


def test_loads_for_none_of_the_rows_are_an_error_and_for_all_nothing_is_said(tmp_path: Path) -> None:
    with pytest.raises(oi.errors.FileFormatError, match="there are external loads for none of the times"):
        solve(tmp_path, 7.0, 8.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", oi.warnings.LoadsRangeWarning)
        result = solve(tmp_path, -1.0, 2.0)
    assert result.answered.all() and "rows without an answer" not in result.provenance
