"""Jumps of a recording: solved as recorded, marked where forces break Newton's law, left out of peaks."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim

MASS, LENGTH, INERTIA, GRAVITY = 4.0, 0.3, 0.05, 9.80665
TIMES = np.arange(301) / 100
MIDDLE = 150


def pendulums() -> oi.InertialModel:
    """Two pendulums side by side, an arm and a leg; an angle of zero hangs down."""
    model = osim.Model()
    for name in ("arm", "leg"):
        body = osim.Body(name, MASS, osim.Vec3(0, -LENGTH, 0), osim.Inertia(0.02, 0.01, INERTIA))
        model.addBody(body)
        joint = osim.PinJoint(f"{name}_joint", model.getGround(), body)
        joint.updCoordinate().setName(name)
        model.addJoint(joint)
    model.finalizeConnections()
    model.setGravity(osim.Vec3(0, -GRAVITY, 0))
    return oi.InertialModel(model, {})


def swing(jump: np.ndarray) -> pd.DataFrame:
    columns = {"arm": 0.3 * np.sin(5 * TIMES) + jump, "leg": 0.4 * np.sin(4 * TIMES)}
    return pd.DataFrame(columns, index=pd.Index(TIMES, name="time"))


def newton(amplitude: float, rate: float, times: np.ndarray, jump: np.ndarray | float) -> np.ndarray:
    angle = amplitude * np.sin(rate * times)
    acceleration = -(rate**2) * angle
    return (INERTIA + MASS * LENGTH**2) * acceleration + MASS * GRAVITY * LENGTH * np.sin(angle + jump)


JUMPS = {
    "a step": 1.5 * (TIMES >= TIMES[MIDDLE]),
    "a row": 0.8 * (np.arange(301) == MIDDLE),
    "ten rows": 0.6 * ((np.arange(301) >= MIDDLE) & (np.arange(301) < MIDDLE + 10)),
}


@pytest.mark.parametrize("cutoff", [None, 12.0])
@pytest.mark.parametrize("kind", JUMPS)
def test_forces_that_are_not_doubtful_obey_newton(kind: str, cutoff: float | None) -> None:
    """The other limb moves as if nothing had jumped; exactly the wrong forces are marked."""
    inertial, jump = pendulums(), JUMPS[kind]
    span = (0.6, 2.4)
    recording = oi.Recording(swing(jump), cutoff=cutoff, time_range=span)
    with pytest.warns(oi.warnings.InputWarning, match=r"it jumps: 'arm' by .* rad from 1.49 to 1.5 s"):
        result = oi.inverse_dynamics(inertial, recording)
    arm, leg = (result.coordinate_names.index(name) for name in ("arm", "leg"))
    still = oi.inverse_dynamics(inertial, oi.Recording(swing(0 * TIMES), cutoff=cutoff, time_range=span))
    np.testing.assert_allclose(result.lumped_forces[:, leg], still.lumped_forces[:, leg], rtol=0, atol=5e-9)
    assert not result.doubtful[:, leg].any() and not still.doubtful.any()
    stays = jump if kind == "a step" else 0 * jump
    right = newton(0.3, 5.0, result.times, np.interp(result.times, TIMES, stays))
    off, peak = np.abs(result.lumped_forces[:, arm] - right), np.abs(right).max()
    marked = result.doubtful[:, arm]
    assert off[~marked].max() < 0.015 * peak + 0.002 * 2 * MASS
    assert off[marked].max() > peak and 3 <= marked.sum() < 90
    assert marked[result.times.searchsorted(TIMES[MIDDLE] - 1e-9)]
    row = result.summary().loc["arm"]
    assert abs(row["lumped peak"]) == np.abs(result.lumped_forces[~marked, arm]).max()


def test_forces_are_those_of_the_recording_as_it_is() -> None:
    """OpenSim's own tool, which does not look for jumps, gives the same forces for the same file."""
    inertial = pendulums()
    table = swing(JUMPS["a step"])
    with pytest.warns(oi.warnings.InputWarning):
        result = oi.inverse_dynamics(inertial, table)
    solver = osim.InverseDynamicsSolver(inertial.model)
    state = osim.State(inertial.model.getWorkingState())
    assert result.motion is not None
    for row in (MIDDLE - 1, MIDDLE, MIDDLE + 3):
        q, u, udot = (getattr(result.motion, name)[row] for name in ("q", "u", "udot"))
        inertial.coordinates.set_values(state, q)
        state.setU(osim.Vector.createFromMat(u))
        expected = solver.solve(state, osim.Vector.createFromMat(udot)).to_numpy()
        np.testing.assert_allclose(result.lumped_forces[row], expected, rtol=0, atol=1e-9)


def test_a_jump_that_does_not_reach_the_rows_asked_for_is_not_mentioned() -> None:
    inertial, glitch = pendulums(), 2.2 * (np.arange(301) == 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = oi.inverse_dynamics(inertial, oi.Recording(swing(glitch), time_range=(0.5, 0.9), strict=True))
    still = oi.inverse_dynamics(inertial, oi.Recording(swing(0 * TIMES), time_range=(0.5, 0.9)))
    assert not result.doubtful.any()
    np.testing.assert_allclose(result.lumped_forces, still.lumped_forces, rtol=0, atol=1e-6)


def test_strict_refuses_and_so_does_a_range_of_which_nothing_is_left() -> None:
    inertial, table = pendulums(), swing(JUMPS["a step"])
    with pytest.raises(oi.errors.MotionError, match="it jumps: 'arm'"):
        oi.inverse_dynamics(inertial, oi.Recording(table, strict=True))
    both = table.assign(leg=table["leg"] + JUMPS["a step"])
    with pytest.raises(oi.errors.MotionError, match="no row is left"):
        oi.inverse_dynamics(inertial, oi.Recording(both, time_range=(1.48, 1.51)))


def test_a_few_rows_that_no_body_makes_are_marked() -> None:
    """Moments beyond 1000 N m per kg of a model fixed to ground, by Newton's law; many such rows are refused."""
    inertial, times = pendulums(), np.arange(3001) / 1000

    def shaken(seconds: float) -> tuple[pd.DataFrame, np.ndarray]:
        """A burst of 20 Hz that begins and ends smoothly, and whether its moment is beyond."""
        phase, rate = (times - 1.5) / seconds, 2 * np.pi * 20
        wave, window = np.sin(rate * times), np.exp(-(phase**2))
        slope, bend = -2 * phase / seconds * window, (4 * phase**2 - 2) / seconds**2 * window
        acceleration = 2 * (bend * wave + 2 * rate * slope * np.cos(rate * times) - rate**2 * window * wave)
        angle = 2 * window * wave
        moment = (INERTIA + MASS * LENGTH**2) * acceleration + MASS * GRAVITY * LENGTH * np.sin(angle)
        columns = {"arm": angle, "leg": 0.4 * np.sin(4 * times)}
        return pd.DataFrame(columns, index=pd.Index(times, name="time")), np.abs(moment) > 1000 * 2 * MASS

    table, beyond = shaken(0.1)
    assert 0.01 < beyond.mean() < 0.1
    with pytest.warns(oi.warnings.InputWarning, match=rf"{beyond.sum()} of 3001 rows are marked as doubtful"):
        result = oi.inverse_dynamics(inertial, table)
    np.testing.assert_array_equal(result.doubtful, np.repeat(beyond[:, None], 2, axis=1))
    assert result.summary().loc["arm", "lumped peak"] in result.lumped_forces[~beyond, 0]
    with pytest.warns(oi.warnings.InputWarning, match="no body makes"):
        assert not oi.inverse_dynamics(inertial, table, implausible="warn").doubtful.any()
    with pytest.raises(oi.errors.MotionError, match="no body makes"):
        oi.inverse_dynamics(inertial, oi.Recording(table, strict=True))
    with (
        pytest.warns(oi.warnings.InputWarning, match="161 rad/s"),
        pytest.raises(oi.errors.MotionError, match="no body makes"),
    ):
        oi.inverse_dynamics(inertial, shaken(0.5)[0])


@pytest.mark.slow
def test_doubtful_rows_are_grey_and_named_in_the_report() -> None:
    inertial = pendulums()
    with pytest.warns(oi.warnings.InputWarning):
        result = oi.inverse_dynamics(inertial, swing(JUMPS["a row"]))
    figure = result.plot(coordinates=["arm", "leg"])
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert "doubtful" in legend
    assert np.isfinite(result.lumped.to_numpy()).all()
    assert "it jumps" in result.report().html


def test_doubtful_rows_are_marked_in_labelled_arrays() -> None:
    pytest.importorskip("xarray")
    with pytest.warns(oi.warnings.InputWarning):
        result = oi.inverse_dynamics(pendulums(), swing(JUMPS["a row"]))
    np.testing.assert_array_equal(result.to_xarray()["doubtful"], result.doubtful)
