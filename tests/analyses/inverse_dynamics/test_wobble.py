"""Inverse dynamics with mass that swings: against forward integration, closed forms, and answers without it."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pytest
from oracles.finite_differences import Array
from oracles.limbs import limbs
from oracles.limbs import masses as limb_masses
from oracles.live_states import state_at
from oracles.swinging import rates

import opensim_inertia as oi
from opensim_inertia._core.errors import MotionError, OptionError, UnknownNameError
from opensim_inertia._core.opensim import osim
from opensim_inertia._core.warnings import InputWarning
from opensim_inertia.model.wobble.building import swings_of

ZERO = 1e-8
"""Relative to the rigid forces: accelerations of forward dynamics back in inverse dynamics; measured below 1e-12."""


MASS = oi.options.WobblingMass("shank", 0.6, (0.02, -0.12, 0.01), 4000.0, 20.0)
SOFT = oi.options.Wobble(frequency=9.0, masses=(MASS,))

pytestmark = [
    pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning"),
]


@cache
def arm() -> oi.InertialModel:
    return oi.InertialModel(limbs("fixed"), limb_masses())


def moved(t: float) -> tuple[Array, Array, Array]:
    """A motion of the three hinges, with its speeds and accelerations."""
    w, size, phase = np.array([9.0, 12.0, 7.0]), np.array([0.3, 0.4, 0.2]), np.array([0.0, 1.0, 2.0])
    angle = w * t + phase
    return size * np.sin(angle), size * w * np.cos(angle), -size * w**2 * np.sin(angle)


def table(rows: int = 60, step: float = 0.005) -> pd.DataFrame:
    times = np.arange(rows) * step
    return pd.DataFrame([moved(t)[0] for t in times], index=times, columns=["hip", "knee", "ankle"])


def test_inverse_of_forward_returns_no_force() -> None:
    """Accelerations of the whole system, in which nothing else acts, need none."""
    inertial = arm()
    groups = swings_of(inertial, SOFT)
    count = sum(len(g.names) * g.coordinates for g in groups)
    rng = np.random.default_rng(2)
    y = rng.normal(size=2 * (3 + count)) * np.r_[[0.4] * 3, [0.01] * count, [3.0] * 3, [0.3] * count]
    found = rates(inertial, groups, y)
    udot = found[3 + count : 6 + count]
    state = state_at(inertial, y[:3], y[3 + count : 6 + count])
    inertial.model.realizeAcceleration(state)
    rigid = osim.InverseDynamicsSolver(inertial.model).solve(state, osim.Vector.createFromMat(udot)).to_numpy()
    kinematics = inertial.dynamics.read(state)
    tau = rigid + inertial.evaluation.inverse([kinematics], udot[None])[0]
    at = 0
    for group in groups:
        size = len(group.names) * group.coordinates
        z, rate = (x[at : at + size].reshape(1, 1, -1, group.coordinates) for x in (y[3:], y[6 + count :]))
        oscillators = (np.broadcast_to(x, (1, 1, len(x))) for x in group.values.oscillator())
        swung = np.concatenate([z, rate], axis=-1)
        tau += group.answers([kinematics], udot[None], swung, *oscillators).summed[0, 0]
        at += size
    assert np.abs(rigid).max() > 1
    np.testing.assert_allclose(tau, 0, rtol=0, atol=ZERO * np.abs(rigid).max())


def test_without_swinging_nothing_changes() -> None:
    """Bit for bit; and what is stiff adds little, whose parts sum up."""
    inertial, motion = arm(), table()
    plain = oi.inverse_dynamics(inertial, motion)
    for kind in ("lumped", "inertial"):
        np.testing.assert_array_equal(
            getattr(oi.inverse_dynamics(inertial, motion, wobble=False), f"{kind}_forces"),
            getattr(plain, f"{kind}_forces"),
        )
    soft = oi.inverse_dynamics(inertial, motion, wobble=SOFT)
    assert soft.wobble is not None and plain.wobble is None
    np.testing.assert_array_equal(soft.lumped_forces, plain.lumped_forces)
    scale = float(np.abs(soft.wobble.forces).max())
    assert scale > 0.1
    np.testing.assert_allclose(
        soft.inertial_forces - plain.inertial_forces, soft.wobble.forces, rtol=0, atol=1e-12 * scale
    )
    for name in soft.coordinate_names:
        i = soft.coordinate_names.index(name)
        summed = soft.muscle_table(name).sum(axis=1)
        np.testing.assert_allclose(summed, (soft.inertial_forces - soft.lumped_forces)[:, i], rtol=0, atol=1e-9 * scale)
        ends = soft.wobble_table(name)
        assert (ends["lower"] <= ends["wobble"]).all() and (ends["wobble"] <= ends["upper"]).all()
    assert {"wobble at peak", "largest wobble"} <= set(soft.summary().columns)
    stiff = oi.inverse_dynamics(inertial, motion, wobble=oi.options.Wobble(frequency=300.0), band=False)
    assert stiff.wobble is not None
    assert 0 < np.abs(stiff.wobble.forces[10:-10]).max() < 2e-3 * scale  # (9 / 300)^2; ends of splines are rough


def test_tension_stiffens() -> None:
    inertial, motion = arm(), table()
    forces = pd.DataFrame(400.0, index=[-1.0, 1.0], columns=["long", "short"])
    tense = oi.inverse_dynamics(inertial, motion, wobble=oi.options.Wobble(tension=forces), band=False).wobble
    assert tense is not None
    frequency = tense.table["median frequency [Hz]"]
    assert frequency["middle"] == pytest.approx(15.0)
    belly = inertial.path_lengths(inertial.reference_state()).loc["long", "belly"]
    k = np.pi**2 / (2 * belly) * (400.0 + tense.table.loc["long", "F0 [N]"])
    assert frequency["long"] == pytest.approx(np.sqrt(k / tense.table.loc["long", "modal mass [kg]"]) / (2 * np.pi))


def test_bad_input_is_refused_by_name() -> None:
    inertial, motion = arm(), table()
    tension = pd.DataFrame(5.0, index=[-1.0, 1.0], columns=["long"])
    for given, error, message in (
        (tension.set_axis([0.0, 0.1]), MotionError, "covers 0 to 0.1 s, the motion 0 to 0.295 s"),
        (-tension, OptionError, "that of 'long' pushes"),
        (tension.rename(columns={"long": "longg"}), UnknownNameError, "did you mean 'long'"),
        (
            tension.assign(shortt=1.0),
            MotionError,
            "no column is named as muscle 'short', but column 'shortt' nearly is",
        ),
        (tension.set_axis([1.0, -1.0]), MotionError, "the table of tensions: times must increase"),
        (np.nan * tension, MotionError, "column 'long' is nan at time -1 s"),
    ):
        with pytest.raises(error, match=message):
            oi.inverse_dynamics(inertial, motion, wobble=oi.options.Wobble(tension=given))
    with pytest.warns(InputWarning, match="largest tension is 0.4 N; are these activations"):
        oi.inverse_dynamics(inertial, motion, wobble=oi.options.Wobble(tension=0.08 * tension), band=False)
    with pytest.raises(OptionError, match="True, False or a Wobble"):
        oi.inverse_dynamics(inertial, motion, wobble=15.0)  # type: ignore[arg-type]
    with pytest.warns(InputWarning, match=r"filtered at 8 Hz.*15 Hz.*leaves 2.2 %"):
        oi.inverse_dynamics(inertial, oi.Recording(motion, cutoff=8.0), wobble=True)
