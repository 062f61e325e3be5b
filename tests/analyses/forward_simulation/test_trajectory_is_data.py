"""Trajectories are arrays and names: they are pickled, sent to other processes, given their model again, and shown."""

from __future__ import annotations

import copy
import gc
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from oracles import limbs

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim

EXCITED = dict.fromkeys(limbs.MUSCLES, 0.3)
FORCES = {"knee": 0.5}


@pytest.fixture(scope="module")
def inertial() -> oi.InertialModel:
    return oi.InertialModel(limbs.limbs("fixed", pull=True), limbs.masses())


@pytest.fixture(scope="module")
def pulled(inertial: oi.InertialModel) -> oi.forward_simulation.Trajectory:
    """A lock and a force that is switched off hold in the simulation."""
    state = inertial.initial_state()
    inertial.model.equilibrateMuscles(state)
    inertial.model.getCoordinateSet().get("ankle").setLocked(state, True)
    inertial.model.getMuscles().get("short").setAppliesForce(state, False)
    return oi.simulate(oi.Problem(inertial, state, 0.05, excitations=EXCITED, forces=FORCES), report_step=0.01)


def copies(trajectory: Any) -> list[Any]:
    return [pickle.loads(pickle.dumps(trajectory)), copy.deepcopy(trajectory), copy.copy(trajectory)]


def test_copies_have_the_data(pulled: oi.forward_simulation.Trajectory) -> None:
    for one in copies(pulled):
        np.testing.assert_array_equal(one.times, pulled.times)
        np.testing.assert_array_equal(one.y, pulled.y)
        pd.testing.assert_frame_equal(one.to_dataframe(), pulled.to_dataframe())
        pd.testing.assert_frame_equal(one.coordinates(), pulled.coordinates())
        pd.testing.assert_frame_equal(one.speeds(), pulled.speeds())
        assert (one.integrator, one.evaluations, one.interrupted) == ("rk45", pulled.evaluations, False)
        with pytest.raises(ValueError, match="read-only"):
            one.y[0] = 1.0


def test_copies_name_what_they_lack(pulled: oi.forward_simulation.Trajectory, tmp_path: Path) -> None:
    for one in copies(pulled):
        for ask in (one.energy, one.work, one.accelerations, one.final_state, lambda one=one: oi.plot(one), one.states):
            with pytest.raises(oi.errors.ModelError, match=r"with_model\(inertial\)"):
                list(ask())
        with pytest.raises(oi.errors.ModelError, match=r"with_model\(inertial\)"):
            one.to_trc(tmp_path / "points.trc")
        one.to_sto(tmp_path / "states.sto")  # needs none
        assert (tmp_path / "states.sto").is_file()


@pytest.mark.slow
def test_a_model_given_again_gives_the_same(pulled: oi.forward_simulation.Trajectory, tmp_path: Path) -> None:
    """Another model of the same kind; locks and forces that are switched off hold, which ``work`` shows."""
    fresh = oi.InertialModel(limbs.limbs("fixed", pull=True), limbs.masses())
    again = copies(pulled)[0].with_model(fresh, excitations=EXCITED, forces=FORCES)
    assert again.inertial is fresh
    np.testing.assert_allclose(again.energy(), pulled.energy(), rtol=1e-12, atol=1e-14)
    work = again.work()
    np.testing.assert_allclose(work, pulled.work(), rtol=1e-10, atol=1e-14)
    assert work["short"].abs().max() == 0 < work["long"].abs().max()
    found = again.accelerations()
    np.testing.assert_allclose(found, pulled.accelerations(), rtol=1e-9, atol=1e-9)
    assert found["ankle"].abs().max() < 1e-9 < found["knee"].abs().max()
    assert again.final_state().getTime() == pulled.times[-1]
    again.to_trc(tmp_path / "points.trc")
    oi.plot(again, tmp_path / "motion.png")


def test_another_model_is_refused(pulled: oi.forward_simulation.Trajectory) -> None:
    others = oi.InertialModel(limbs.chain(3), {}), oi.InertialModel(limbs.limbs("ball", pull=True), {})
    for other in others:
        with pytest.raises(oi.errors.ModelError, match="other state variables than the trajectory.*expected the model"):
            copies(pulled)[0].with_model(other)


def test_a_final_state_keeps_its_model() -> None:
    """What it needs stays when all else is gone."""
    inertial = oi.InertialModel(limbs.limbs("fixed", pull=True), limbs.masses())
    state = oi.simulate(oi.Problem(inertial, t_final=0.01)).final_state()
    model = inertial.model
    expected = model.calcMassCenterPosition(state).to_numpy().copy()
    del inertial, model
    gc.collect()
    kept = state.model
    kept.realizePosition(state)
    np.testing.assert_array_equal(kept.calcMassCenterPosition(state).to_numpy(), expected)
    assert isinstance(state, osim.State)
