"""Motions that break the model's constraints: told from those that filters have rounded off, and projected."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from oracles import limbs
from oracles.trials import TRIALS, run_tool

import opensim_inertia as oi
from opensim_inertia.analyses.inverse_dynamics import InverseDynamicsResult
from opensim_inertia.model.recorded_motion import ANGLE, LENGTH, broken_constraints, recorded_motion
from opensim_inertia.opensim_model.reading.coordinates import follow_couplers

KNEE, PATELLA = "knee_angle_r", "knee_angle_r_beta"
ROWS = slice(100, 160)


@pytest.fixture(scope="module")
def rajagopal(opensim_models: Path) -> oi.InertialModel:
    """A model whose kneecaps follow the knees by couplers, and whose feet and wrists are locked."""
    return oi.InertialModel(opensim_models / "Models/Rajagopal/Rajagopal2016.osim", {})


@pytest.fixture(scope="module")
def running(opensim_models: Path, rajagopal: oi.InertialModel) -> pd.DataFrame:
    """Running, in radians, whose kneecaps follow the knees; these flex the other way in the model of the recording."""
    table = oi.read_motion_table(opensim_models / TRIALS["hamner_run"][1], rajagopal.model).iloc[ROWS]
    table = table.assign(**{name: -table[name] for name in ("knee_angle_r", "knee_angle_l")})
    return table.assign(**{f"knee_angle_{side}_beta": table[f"knee_angle_{side}"] for side in "rl"})


def solve(inertial: oi.InertialModel, motion: pd.DataFrame, **options: bool | str) -> InverseDynamicsResult:
    implausible = options.pop("implausible", "refuse")
    recording = oi.Recording(motion, cutoff=15.0, **options)
    return oi.inverse_dynamics(inertial, recording, band=False, per_muscle=False, implausible=implausible)


def in_degrees(motion: pd.DataFrame) -> pd.DataFrame:
    return motion.assign(**{PATELLA: np.degrees(motion[PATELLA])})


@pytest.mark.filterwarnings("ignore:.*no body makes:opensim_inertia.warnings.InputWarning")
def test_a_coupled_coordinate_in_degrees_is_warned_of(rajagopal: oi.InertialModel, running: pd.DataFrame) -> None:
    """Where it is taken as recorded, as OpenSim takes it."""
    right = solve(rajagopal, running, strict=True)
    said = rf"coordinate '{PATELLA}' is \S+ rad where its coupler asks for \S+ \(it seems to be in degrees.*at time"
    with pytest.warns(oi.warnings.BrokenConstraintWarning, match=said) as caught:
        wrong = solve(rajagopal, in_degrees(running), as_recorded=True, implausible="warn")
    row = int(
        re.search(r"\(row (\d+) of 60\)", str(caught[0].message))[1]
    )  # the filter moves the largest angle a little
    assert abs(row - 1 - int(np.argmax(np.abs(running[PATELLA].to_numpy())))) < 4
    assert str(caught[0].message) in wrong.provenance["warnings"]
    assert np.abs(wrong.lumped_forces - right.lumped_forces).max() > 100  # N or N m
    with pytest.raises(oi.errors.MotionError, match=PATELLA):
        solve(rajagopal, in_degrees(running), strict=True, as_recorded=True)


def place(inertial: oi.InertialModel, name: str) -> int:
    return inertial.coordinates.index(name)


@pytest.mark.parametrize("spoiled", ["degrees", "absent"])
def test_assembled_it_is_the_motion_without_error(
    rajagopal: oi.InertialModel, running: pd.DataFrame, tmp_path: Path, spoiled: str
) -> None:
    """Against OpenSim's own tool on that motion; with a linear coupler the filter leaves no difference."""
    given = in_degrees(running) if spoiled == "degrees" else running.drop(columns=PATELLA)
    assembled = solve(rajagopal, given, assemble=True, strict=True)
    assert PATELLA not in assembled.missing and assembled.provenance["projected on the constraints"]
    file = tmp_path / "running.sto"
    oi.write_table(running, file, in_degrees=False)
    span = (float(running.index[0]), float(running.index[-1]))
    tool = run_tool(rajagopal.original_model(), file, None, 15.0, span, tmp_path)
    ours = assembled.lumped
    np.testing.assert_allclose(ours.to_numpy(), tool[list(assembled.column_names)].to_numpy(), rtol=1e-6, atol=1e-5)


def test_a_locked_coordinate_that_moves_is_named(rajagopal: oi.InertialModel, running: pd.DataFrame) -> None:
    moved = running.assign(mtp_angle_r=0.2)
    with pytest.warns(
        oi.warnings.BrokenConstraintWarning, match="'mtp_angle_r' is 0.2 rad where it is locked or prescribed at"
    ):
        solve(rajagopal, moved)
    assembled = solve(rajagopal, moved, assemble=True, strict=True)
    np.testing.assert_allclose(assembled.lumped_forces, solve(rajagopal, running).lumped_forces, atol=1e-9)


@pytest.mark.parametrize("cutoff", [None, 15.0, 6.0])
def test_filters_are_no_breach(opensim_models: Path, rajagopal: oi.InertialModel, cutoff: float | None) -> None:
    """The knee of running drives the splines of Leg39's couplers, which a filter does not commute with."""
    leg = oi.InertialModel(opensim_models / "Models/Leg39/leg39.osim", {})
    table = oi.read_motion_table(opensim_models / TRIALS["hamner_run"][1], rajagopal.model)
    q = np.tile(leg.coordinates.defaults, (len(table), 1))
    low, high = leg.coordinates.ranges[place(leg, KNEE)]
    q[:, place(leg, KNEE)] = np.clip(table[KNEE] * np.sign(low + high) * np.sign(table[KNEE].mean()), low, high)
    q = np.round(follow_couplers(leg.model, leg.coordinates, q), 4)  # as a file with four digits has it
    motion = recorded_motion(
        leg, oi.Recording(pd.DataFrame(q, index=table.index, columns=leg.coordinate_names), cutoff=cutoff)
    )
    assert broken_constraints(leg, motion, "running") == []
    off = np.abs(follow_couplers(leg.model, leg.coordinates, motion.q) - motion.q).max(axis=0)
    angle, length = off[place(leg, "pat_angle_r")], off[place(leg, "tib_tx_r")]
    assert 1e-6 < angle < ANGLE and 1e-6 < length < LENGTH
    assert cutoff != 6.0 or (angle > 0.5 * ANGLE and length > 0.1 * LENGTH)


@pytest.mark.parametrize("trial", TRIALS)
def test_real_motions_are_no_breach(opensim_models: Path, trial: str) -> None:
    model, motion, _ = (opensim_models / file for file in TRIALS[trial])
    inertial = oi.InertialModel(model, {})
    assert broken_constraints(inertial, recorded_motion(inertial, oi.Recording(motion)), "it") == []


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("held point", r"constraint 'hold_link5' is off by 0\.\d+ m,? at time 1 s"),
        ("held body", r"constraint 'weld_link5' is off by 0\.\d+ (rad|m) at time 1 s"),
        ("tied", r"constraint 'tie_link5' is off by 0\.\d+ m at time 1 s"),
        ("prescribed", r"coordinate 'q2' is -0\.5 rad where it is locked or prescribed at 0\.\d+, at time 0\.5\d* s"),
        ("twice coupled", "coordinate 'q"),
    ],
)
def test_other_constraints_are_named_and_met(kind: str, said: str) -> None:
    """A planar chain that moves one link from where its constraints are met."""
    inertial = oi.InertialModel(limbs.constrained(kind)[0], {"muscle": 0.8})
    times = np.linspace(0, 1, 41)
    q = np.tile(limbs.START, (len(times), 1))
    q[:, 0] += 0.3 * times**2
    table = pd.DataFrame(q, index=times, columns=[f"q{i + 1}" for i in range(5)])
    (broken,) = broken_constraints(inertial, recorded_motion(inertial, oi.Recording(table, as_recorded=True)), "it")
    assert broken.kind is oi.warnings.BrokenConstraintWarning and re.search(said, str(broken))
    motion = recorded_motion(inertial, oi.Recording(table, assemble=True))
    assert broken_constraints(inertial, motion, "it") == []
    state = inertial.initial_state()
    for time, pose in zip(motion.times, motion.q, strict=True):
        state.setTime(float(time))
        inertial.coordinates.set_values(state, pose)
        inertial.model.realizePosition(state)
        assert np.abs(state.getQErr().to_numpy()).max() < 1e-9
    assert np.ptp(motion.q, axis=0).max() > 0.05
