"""Rows for which external loads are not known are not recruited: their status says so, and nothing else counts them."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("daqp", reason="recruitment needs DAQP")

from oracles.pushes import write_push
from oracles.recruited_leg import heavy_leg, recruited

import opensim_inertia as oi

pytestmark = pytest.mark.filterwarnings(
    "ignore::opensim_inertia.warnings.InputWarning"
)  # the push is no ground reaction

FIRST, LAST = 0.15, 0.35
"""s. The loads are known between these; the motion is longer at both ends."""
SAME = 1e-7
"""Relative to the largest: the same rows; the solver's tolerance is far below."""
KINDS = ("inertial", "lumped")


@pytest.fixture(scope="module")
def loads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    times = np.arange(FIRST, LAST + 1e-9, 0.005)
    return write_push(tmp_path_factory.mktemp("loads"), "calcn_r", times, (1.0, 10.0, 0.5))


def solve(loads: Path, **options: object) -> oi.recruitment.RecruitmentResult:
    wanted = {"kind": KINDS, "joints": ["knee_r", "ankle_r"], "tension_ends": True} | options
    return recruited(heavy_leg(), external_loads=loads, **wanted)


@pytest.fixture(scope="module")
def short(loads: Path) -> oi.recruitment.RecruitmentResult:
    message = r"of its \d+ rows, from 0\.05\d* to \S+ s and from .* have no answer"
    with warnings.catch_warnings(), pytest.warns(oi.warnings.LoadsRangeWarning, match=message):
        warnings.simplefilter("ignore", oi.warnings.InputWarning)
        return solve(loads)


def test_rows_with_loads_are_those_of_a_run_that_asks_for_no_others(
    short: oi.recruitment.RecruitmentResult, loads: Path
) -> None:
    times = short.times[short.answered]
    within = solve(loads, time_range=(times[0], times[-1]), every=1)
    assert 2 <= len(times) < len(short.times) - 2 and short.unsolved == 0 and short.answered.any()
    rows = np.searchsorted(within.times, times - 1e-9)
    for kind in KINDS:
        ours, expected = short.of(kind), within.of(kind)
        pairs = [(getattr(ours, name), getattr(expected, name)) for name in ("controls", "forces", "tension_ends")]
        pairs += [(ours.reaction(joint), expected.reaction(joint)) for joint in short.joints]
        for table, other in pairs:
            other = other.iloc[rows].to_numpy()
            np.testing.assert_allclose(table[short.answered], other, rtol=0, atol=SAME * max(1, np.abs(other).max()))
            assert table[~short.answered].isna().all(axis=None)


def test_the_status_says_so_and_the_summary_leaves_them_out(short: oi.recruitment.RecruitmentResult) -> None:
    assert (short.status[~short.answered] == "no loads").all() and (short.status[short.answered] == "solved").all()
    assert (short.bounds_active[~short.answered] == 4).all(axis=None)
    summary = short.summary()
    assert summary.notna().all(axis=None) and (summary["rows unsolved"] == 0).all()
    answered = short.times[short.answered]
    assert summary["time"].between(answered[0], answered[-1]).all()
    np.testing.assert_allclose(summary["mean control"], short.controls[short.answered].mean())
    without = int((~short.answered).sum())
    assert f"{without} more without an answer" in repr(short)


def test_strict_refuses(loads: Path) -> None:
    with pytest.raises(oi.errors.MotionError, match="have no answer"):
        solve(loads, strict=True)
