"""Standing in the frontal plane on delayed feedback (Bunderson et al. 2012, 3.3): roots, and feet that slip."""

from functools import cache

import numpy as np
import pytest
from models.hip_feedback import GAINS, hip_feedback, shove
from models.standing import BODY_MASS, standing

import opensim_inertia as oi

STANCE = 0.45
ROOTS = {0.20: 2.36, 0.26: 1.81, 0.334: 0.58, 0.45: -1.77, 0.60: 1.74 + 12.1j}
"""Rightmost roots with pinned feet [1/s]: too narrow fails by gain, too wide by delay."""


@cache
def model(feet: str, stance: float = STANCE) -> oi.InertialModel:
    return oi.InertialModel(standing(stance, feet), {})


def pushed(feet: str, stop: float, end: float) -> oi.forward_simulation.Trajectory:
    inertial = model(feet)
    return oi.simulate(
        oi.Problem(inertial, inertial.initial_state(), end, excitations=shove(0.1, stop), control=hip_feedback(STANCE)),
        report_step=0.002,
    )


def hip_torques(trajectory: oi.forward_simulation.Trajectory) -> np.ndarray:
    """What the feedback asks for: angles and rates 120 ms before (T, 2) [N m]."""
    lean = trajectory.coordinates()[["hip_l", "hip_r"]].to_numpy()[0]
    then = np.clip(trajectory.times - 0.120, 0.0, None)
    angles, rates = (
        np.column_stack([np.interp(then, trajectory.times, table[name]) for name in ("hip_l", "hip_r")])
        for table in (trajectory.coordinates(), trajectory.speeds())
    )
    return -GAINS[0] * (angles - lean) - GAINS[1] * rates


@pytest.mark.parametrize("stance", ROOTS)
def test_pinned_feet_have_the_published_roots(stance: float) -> None:
    inertial = oi.InertialModel(standing(stance, "pinned"), {})
    found = oi.linearize(inertial, inertial.initial_state(), control=hip_feedback(stance))
    root = found.eigenvalues()[0]
    assert len(found.A) == 2
    assert root.real == pytest.approx(np.real(ROOTS[stance]), abs=0.006)
    assert abs(root.imag) == pytest.approx(abs(np.imag(ROOTS[stance])), abs=0.05)


@pytest.mark.slow
def test_feet_on_contact_stand_as_on_pins_until_the_first_slips_and_the_body_recovers() -> None:
    free, pinned = pushed("contact", 0.13, 2.0), pushed("pinned", 0.13, 0.5)
    events = free.contact_events()
    first = events.iloc[0]
    assert (first["event"], first["contact"]) == ("slip", "foot_l")
    assert 0.2 < first["time"] < 0.35
    rows = int(np.searchsorted(free.times, first["time"]))
    sway = ["trunk_x", "trunk_y"]
    apart = free.coordinates()[sway].to_numpy()[:rows] - pinned.coordinates()[sway].to_numpy()[:rows]
    assert np.abs(apart).max() < 2e-3
    torques = hip_torques(pinned)[:rows]
    assert np.abs(hip_torques(free)[:rows] - torques).max() < 2.0 < 0.1 * np.abs(torques).max()
    assert np.abs(free.speeds().iloc[-1]).max() < 0.02
    forces = free.contacts()
    weight = forces["foot_l/y"] + forces["foot_r/y"]
    assert weight.iloc[-1] == pytest.approx(9.80665 * BODY_MASS, rel=1e-3)
    assert weight.iloc[0] == pytest.approx(9.80665 * BODY_MASS, rel=1e-3)


@pytest.mark.slow
def test_a_foot_that_lifts_does_not_end_the_simulation() -> None:
    trajectory = pushed("contact", 0.15, 1.2)
    assert "lift" in set(trajectory.contact_events()["event"])
    assert trajectory.times[-1] == 1.2
    assert trajectory.evaluations < 40_000
    assert np.abs(trajectory.speeds()).to_numpy().max() < 100
