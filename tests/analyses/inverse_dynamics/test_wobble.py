"""Inverse dynamics with mass that swings: against forward integration, closed forms, and answers without it."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pytest
from conftest import slow_except
from oracles.finite_differences import Array
from oracles.limbs import limbs
from oracles.limbs import masses as limb_masses
from oracles.live_states import state_at
from oracles.swinging import rates
from scipy.integrate import solve_ivp

import opensim_inertia as oi
from opensim_inertia._core.errors import MotionError, OptionError, UnknownNameError
from opensim_inertia._core.opensim import osim
from opensim_inertia._core.warnings import InputWarning
from opensim_inertia.analyses.inverse_dynamics.wobble import Oscillators, Wobbling
from opensim_inertia.dynamics.equations.swinging import swing_terms
from opensim_inertia.model.wobble.building import swings_of

DRIVEN = 1e-8
"""Relative to the largest: rows 5 ms apart of motions of 2 Hz, against DOP853 at 1e-12; measured below 1e-9."""
ZERO = 1e-8
"""Relative to the rigid forces: accelerations of forward dynamics back in inverse dynamics; measured below 1e-12."""

ESTIMATED = 3.0
"""The error is estimated by its order, which steps of many periods do not quite have; measured 1.3. In one part each, a
step's error is 2000 times what is asked for."""

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


@pytest.mark.parametrize("which", slow_except({0}, [0, 1]))
def test_the_answer_to_a_motion_is_that_of_forward_dynamics(which: int) -> None:
    """Displacements and forces of a skeleton that is moved, integrated step by step with errors controlled."""
    inertial, times = arm(), np.arange(31) * 0.005
    wobbling = Wobbling(inertial, SOFT, inertial.evaluation.bodies, times)
    rows = [moved(t) for t in times]
    states = [inertial.dynamics.read(state_at(inertial, q, u)) for q, u, _ in rows]
    wobbling.add(states, np.array([udot for _, _, udot in rows]))
    record, _ = wobbling.solve(keeps_band=False, error=1e-9)
    group = wobbling.groups[which]
    n, count = group.coordinates, len(group.names)

    def terms(t: float, y: Array):  # type: ignore[no-untyped-def]
        q, u, udot = moved(t)
        z, rate = y.reshape(2, count, n)
        found = swing_terms(group, inertial.dynamics.read(state_at(inertial, q, u)), z, rate)
        at_rest, gain = found.following()
        return found, (at_rest - gain @ udot).reshape(count, n)

    first = group.coefficients(states[:1], rows[0][2][None])[0]
    k = group.values.oscillator()[0]
    start = np.zeros((2, count, n))
    for s in range(count):
        start[0, s] = np.linalg.solve(first[s, :n] + k[s] * np.eye(n), first[s, 2 * n])
    answer = solve_ivp(
        lambda t, y: np.concatenate([y[count * n :], terms(t, y)[1].ravel()]),
        (0.0, times[-1]), start.ravel(), method="DOP853", rtol=1e-12, atol=1e-14, t_eval=times[[0, 15, 30]],
    )  # fmt: skip
    places = {name: i for i, name in enumerate(record.names)}
    largest = np.abs(record.displacements).max()
    forces = np.zeros((3, 3))
    for column, row in enumerate((0, 15, 30)):
        y = answer.y[:, column]
        its, acceleration = terms(times[row], y)
        swung = np.concatenate([*y.reshape(2, count, n)], axis=-1)[None, None]
        none = np.zeros((1, 1, count))
        d = group.answers(states[row : row + 1], rows[row][2][None], swung, none, none).displacements[0]
        found = record.displacements[row, [places[name] for name in group.names]]
        np.testing.assert_allclose(found, d, rtol=0, atol=DRIVEN * largest)
        udot = rows[row][2]
        forces[column] = its.mass_matrix @ udot - its.force
        forces[column] += np.einsum("asi,si->a", its.coupling, acceleration)
    part = record.of_masses if which else record.forces - record.of_masses
    np.testing.assert_allclose(part[[0, 15, 30]], forces, rtol=0, atol=DRIVEN * np.abs(record.forces).max())


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


@pytest.mark.parametrize("among", [(0,), (0, 1, 2)])
def test_each_oscillator_is_stepped_as_finely_as_it_needs(among: tuple[int, ...]) -> None:
    """Against DOP853, in sets of other stiffness, a slow oscillator beside stiff ones, which need more parts."""
    times, which = np.linspace(0.0, 1.8, 7), list(among)
    polynomials = np.random.default_rng(3).normal(0.0, 1.0, (6, 3, 5, 2))  # of what the spline has exactly
    polynomials[:, :, :2] *= 8.0
    polynomials[:, :, 4] *= 100.0
    given = np.einsum("pt,psij->tsij", (times / 1.8) ** np.arange(6)[:, None], polynomials)[:, which]
    own, errors = np.array([40.0, 900.0, 3e4])[which], np.array([1e-8, 3e-7, 3e-7])
    k = np.broadcast_to(np.array([1.0, 0.5, 2.0])[:, None, None] * own, (3, len(times), len(which))).copy()
    c = 0.4 * np.sqrt(k)
    out = Oscillators(times, given).move(k, c, errors)
    for v in range(3):
        largest = np.abs(out[v, ..., :2]).max()
        for i, s in enumerate(which):

            def rate(t: float, y: Array, s: int = s, v: int = v, i: int = i) -> Array:
                K, C, b = np.split(np.einsum("p,pij->ij", (t / 1.8) ** np.arange(6), polynomials[:, s]), [2, 4])
                z, dz = y[:2], y[2:]
                return np.concatenate([dz, b[0] - K @ z - C @ dz - k[v, 0, i] * z - c[v, 0, i] * dz])

            found = solve_ivp(rate, (0.0, 1.8), out[v, 0, i], "DOP853", t_eval=times, rtol=1e-12, atol=1e-12 * largest)
            assert np.abs(found.y.T[:, :2] - out[v, :, i, :2]).max() < ESTIMATED * errors[v] * largest


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


def test_tension_stiffens_and_gaps_start_anew() -> None:
    inertial, motion = arm(), table()
    forces = pd.DataFrame(400.0, index=[-1.0, 1.0], columns=["long", "short"])
    tense = oi.inverse_dynamics(inertial, motion, wobble=oi.options.Wobble(tension=forces), band=False).wobble
    assert tense is not None
    frequency = tense.table["median frequency [Hz]"]
    assert frequency["middle"] == pytest.approx(15.0)
    belly = inertial.path_lengths(inertial.reference_state()).loc["long", "belly"]
    k = np.pi**2 / (2 * belly) * (400.0 + tense.table.loc["long", "F0 [N]"])
    assert frequency["long"] == pytest.approx(np.sqrt(k / tense.table.loc["long", "modal mass [kg]"]) / (2 * np.pi))
    times = np.r_[np.arange(5), 50 + np.arange(4)] * 0.005
    wobbling = Wobbling(inertial, SOFT, inertial.evaluation.bodies, times)
    rows = [moved(t) for t in times]
    wobbling.add(
        [inertial.dynamics.read(state_at(inertial, q, u)) for q, u, _ in rows], np.array([a for _, _, a in rows])
    )
    late = Wobbling(inertial, SOFT, inertial.evaluation.bodies, times[5:])
    late.add(
        [inertial.dynamics.read(state_at(inertial, q, u)) for q, u, _ in rows[5:]],
        np.array([a for _, _, a in rows[5:]]),
    )
    both = (x.solve(keeps_band=False)[0].displacements[-4:] for x in (wobbling, late))
    np.testing.assert_array_equal(*both)


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
