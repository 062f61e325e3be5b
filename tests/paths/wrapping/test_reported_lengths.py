"""Lengths far from OpenSim's, named at the state: by whom, against OpenSim's own answers, and at no cost to others."""

from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from oracles.current_path import Wrap, geometry_path, read_current_path
from oracles.real_models import random_poses

import opensim_inertia as oi

FAR = 0.01
OVER_TWO = ("Infraspinatus_I", "Infraspinatus_S")

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.InertiaWarning")


@pytest.fixture(scope="module")
def shoulder(opensim_models: Path) -> oi.InertialModel:
    """With the mass of muscles over two wrap objects."""
    model = osim.Model(str(opensim_models / "Models/ThoracoscapularShoulder/ThoracoscapularShoulderModel.osim"))
    model.initSystem()
    masses = oi.estimate_masses(model)
    return oi.InertialModel(model, masses[masses["muscle"].isin(OVER_TWO)])


def far_poses(inertial: oi.InertialModel, count: int) -> list[tuple[np.ndarray, set[str]]]:
    """Poses, and the muscles that are far from OpenSim's length there."""
    model = osim.Model(inertial.model)
    state, known = model.initSystem(), dict[str, Wrap]()
    found = []
    for q in random_poses(inertial, count, 7):
        inertial.coordinates.set_values(state, q)
        model.realizePosition(state)
        lengths, far = inertial.path_lengths(state_of(inertial, q))["path"], set()
        for name in OVER_TWO:
            path = read_current_path(geometry_path(model.getMuscles().get(name)), state, known)
            if abs(lengths[name] - path.opensim_length) > FAR:
                far.add(name)
        found.append((q, far))
    return found


def state_of(inertial: oi.InertialModel, q: np.ndarray, time: float = 0.0) -> osim.State:
    state = inertial.initial_state()
    state.setTime(time)
    inertial.coordinates.set_values(state, q)
    return state


def named(notes: list[str]) -> set[str]:
    """Muscles that notes call far from ``getLength``."""
    return {note.split("'")[1] for note in notes if "off OpenSim's getLength" in note}


@pytest.mark.slow
def test_states_name_who_is_far_from_opensims_length(shoulder: oi.InertialModel) -> None:
    poses = far_poses(shoulder, 120)
    assert set(OVER_TWO) <= shoulder.wraps.watched_lengths
    for q, far in poses:
        assert named(shoulder.evaluate(state_of(shoulder, q)).notes) == far
    assert sum(bool(far) for _, far in poses) > 2
    assert sum(not far for _, far in poses) > 60


@pytest.mark.slow
def test_rows_and_simulations_name_them_with_their_times(shoulder: oi.InertialModel) -> None:
    q, far = next((q, far) for q, far in far_poses(shoulder, 120) if far)
    seen = shoulder.remarks()
    kinematics = [shoulder.dynamics.read(state_of(shoulder, q, time)) for time in (0.25, 0.5)]
    shoulder.evaluation.inverse(kinematics, np.zeros((2, len(q))), seen=seen)
    assert named(map(str, seen.diagnostics)) == far
    assert all(each.times == (0.25, 0.5) for each in seen.diagnostics)

    seen = shoulder.remarks()  # as right-hand sides ask
    state = state_of(shoulder, q, 0.75)
    shoulder.dynamics.realize_acceleration(state)
    shoulder.dynamics.accelerations(state, state.getUDot().to_numpy().copy(), seen=seen)
    assert named(map(str, seen.diagnostics)) == far
    assert all(each.times == (0.75,) for each in seen.diagnostics)
