"""Rows for which external loads are not known are not recruited: their status says so, and nothing else counts them."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("daqp", reason="recruitment needs DAQP")

from oracles.pushes import write_push
from oracles.recruited_leg import heavy_leg, recruited

import opensim_inertia as oi

pytestmark = pytest.mark.filterwarnings(
    "ignore::opensim_inertia.warnings.InputWarning"
)  # the push is no ground reaction

SAME = 1e-7  # Relative to the largest: the same rows; the solver's tolerance is far below
KINDS = ("inertial", "lumped")


def test_rows_with_loads_are_those_of_a_run_that_asks_for_no_others(tmp_path: Path) -> None:
    loads = write_push(tmp_path, "calcn_r", np.arange(0.15, 0.35 + 1e-9, 0.005), (1.0, 10.0, 0.5))

    def solve(**options: object) -> oi.recruitment.RecruitmentResult:
        wanted = {"kind": KINDS, "joints": ["knee_r", "ankle_r"], "tension_ends": True} | options
        return recruited(heavy_leg(), external_loads=loads, **wanted)

    message = r"of its \d+ rows, from 0\.05\d* to \S+ s and from .* have no answer"
    with pytest.warns(oi.warnings.LoadsRangeWarning, match=message):
        short = solve()
    times, without = short.times[short.answered], ~short.answered
    within = solve(time_range=(times[0], times[-1]), every=1)
    assert 2 <= len(times) < len(short.times) - 2 and short.unsolved == 0
    rows = np.searchsorted(within.times, times - 1e-9)
    for kind in KINDS:
        ours, expected = short.of(kind), within.of(kind)
        pairs = [(getattr(ours, name), getattr(expected, name)) for name in ("controls", "forces", "tension_ends")]
        pairs += [(ours.reaction(joint), expected.reaction(joint)) for joint in short.joints]
        for table, other in pairs:
            other = other.iloc[rows].to_numpy()
            np.testing.assert_allclose(table[short.answered], other, rtol=0, atol=SAME * max(1, np.abs(other).max()))
            assert table[without].isna().all(axis=None)
    assert (short.status[without] == "no loads").all() and (short.status[short.answered] == "solved").all()
    summary = short.summary()
    assert summary.notna().all(axis=None) and (summary["rows unsolved"] == 0).all()
    assert summary["time"].between(times[0], times[-1]).all()
    np.testing.assert_allclose(summary["mean control"], short.controls[short.answered].mean())
    assert (pd.read_csv(short.save(tmp_path)["status"])["status"] == "no loads").sum() == without.sum()
    with pytest.raises(oi.errors.MotionError, match="have no answer"):
        solve(strict=True)
