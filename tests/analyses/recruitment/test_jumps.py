"""Jumps of a recording in muscle recruitment: marks of inverse dynamics, which muscles over two joints pass on."""

import numpy as np
import pytest

pytest.importorskip("daqp", reason="recruitment needs DAQP")

from analyses.inverse_dynamics.test_jumps import JUMPS, TIMES, pendulums, swing
from oracles.demo_leg import swing_motion
from oracles.recruited_leg import RESERVES as OF_LEG
from oracles.recruited_leg import heavy_leg, recruited

import opensim_inertia as oi

SPAN = (0.6, 2.4)
RESERVED = OF_LEG | {"ankle_angle_r": 500.0}
RESERVES = oi.Actuation(reserves={"arm": 1.0, "leg": 1.0})


def solve(jump: np.ndarray, **options: object) -> oi.recruitment.RecruitmentResult:
    recording = oi.Recording(swing(jump), cutoff=12.0, time_range=SPAN)
    return oi.recruit(pendulums(), recording, actuation=RESERVES, kind=("inertial", "lumped"), **options)


def test_peaks_leave_out_what_inverse_dynamics_marks() -> None:
    """A reserve of each pendulum makes its moment: peaks are those of inverse dynamics, and the other limb is clean."""
    with pytest.warns(oi.warnings.InputWarning, match="it jumps: 'arm'"):
        result = solve(JUMPS["a row"], outputs=oi.options.RecruitmentOutputs(joints="all"))
    with pytest.warns(oi.warnings.InputWarning):
        moments = oi.inverse_dynamics(pendulums(), oi.Recording(swing(JUMPS["a row"]), cutoff=12.0, time_range=SPAN))
    np.testing.assert_array_equal(result.doubtful, moments.doubtful)
    np.testing.assert_array_equal(result.doubtful_reactions, moments.doubtful)
    summary, peaks = result.summary(), moments.summary()["lumped peak"]
    for name in ("arm", "leg"):
        assert summary.loc[f"{name}_reserve", "largest control"] == pytest.approx(peaks[name], abs=1e-9)
    clean = solve(0 * TIMES).summary()
    recorded = np.abs(result.controls["arm_reserve"]).max()
    assert recorded > 5 * abs(clean.loc["arm_reserve", "largest control"]), "tables keep the rows as recorded"
    arm = result.doubtful[:, 0]
    mean = np.delete(result.controls["arm_reserve"].to_numpy(), np.flatnonzero(arm)).mean()
    assert summary.loc["arm_reserve", "mean control"] == pytest.approx(mean, rel=1e-12)


def test_muscles_over_several_joints_pass_doubts_on() -> None:
    """Calf muscles share ankle and knee: these and all that acts on one of the two are marked where either is."""
    motion = swing_motion()
    motion.iloc[len(motion) // 2, motion.columns.get_loc("ankle_angle_r")] += 0.4
    with pytest.warns(oi.warnings.InputWarning, match="it jumps: 'ankle_angle_r'"):
        result = recruited(heavy_leg(), motion=motion, implausible="warn", every=1, reserves=RESERVED)
        moments = oi.inverse_dynamics(
            heavy_leg(), oi.Recording(motion, time_range=(0.05, 0.55)), band=False, implausible="warn"
        )
    ankle, knee, hip = (
        moments.doubtful[:, moments.coordinate_names.index(name)]
        for name in ("ankle_angle_r", "knee_angle_r", "hip_adduction_r")
    )
    either = ankle | knee
    assert 0 < either.sum() < len(either) and not np.array_equal(ankle, knee)
    for name in (*result.muscles, "knee_angle_r_reserve"):
        np.testing.assert_array_equal(result.doubtful[:, result.actuators.index(name)], either)
    np.testing.assert_array_equal(result.doubtful[:, result.actuators.index("hip_adduction_r_reserve")], hip)
    figure = oi.plot(result)
    assert "doubtful" in [text.get_text() for text in figure.legends[0].get_texts()]
