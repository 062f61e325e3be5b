"""Long tables of external loads are brought to the times of evaluation: forces are OpenSim's ``ExternalForce``'s."""

from pathlib import Path

import numpy as np
import pytest

from opensim_inertia._core.opensim import osim, quiet
from opensim_inertia.opensim_model.reading.loading import load_model
from opensim_inertia.opensim_model.setups import loads as loads_module
from opensim_inertia.opensim_model.setups.loads import Loads

FOLDER = "Pipelines/Gait10dof18musc"
LOADS = f"{FOLDER}/ExperimentalData/subject01_walk_grf.xml"
#: Of the largest value in the table: rounding of the interpolation is 1e-15.
CLOSE = 1e-11


@pytest.fixture(scope="module")
def walker(opensim_models: Path) -> osim.Model:
    """The model that walks, initialised."""
    with quiet():
        model = load_model(opensim_models / f"{FOLDER}/OutputReference/subject01.osim")
        model.initSystem()
    return model


def external_forces(model: osim.Model) -> list[osim.ExternalForce]:
    components = list(map(osim.ExternalForce.safeDownCast, model.getComponentsList()))
    return [force for force in components if force is not None]


def test_interpolated_loads_are_those_of_opensims_external_force(opensim_models: Path, walker: osim.Model) -> None:
    """At, between and beyond the rows of measured ground reactions, and at the ends of parts of the table."""
    loads = Loads(opensim_models / LOADS)
    model, _ = loads.added_to(walker)
    forces = {force.getName(): force for force in external_forces(model)}
    rows = loads.times
    assert len(rows) > 1000 and set(forces) == {"right", "left"}
    everywhere = np.sort(np.random.default_rng(0).uniform(rows[0] - 0.002, rows[-1] + 0.002, 500))
    for times in (everywhere, rows[::100], np.array([1.2345]), np.array([rows[-1] + 0.001]), rows[:3] + 1e-4):
        of_load = loads.at(times)
        for name, force in forces.items():
            getters = (force.getForceAtTime, force.getPointAtTime, force.getTorqueAtTime)
            expected = np.array([np.concatenate([ask(time).to_numpy() for ask in getters]) for time in times.tolist()])
            ours = np.hstack(of_load[name])
            sizes = np.abs(loads.values(name)).max(axis=0)
            assert (np.abs(ours - expected) <= CLOSE * sizes).all()
    linear = np.interp(everywhere, rows, loads.values("right")[:, 1])
    right = loads.at(everywhere)["right"][0][:, 1]
    assert np.abs(linear - right).max() > 1.0  # [N]; a line would not do


def test_forces_on_coordinates_are_opensims(
    opensim_models: Path, walker: osim.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the times that a long table is brought to, visited in any order."""
    monkeypatch.setattr(loads_module, "LONG", 100)
    loads = Loads(opensim_models / LOADS)
    rng = np.random.default_rng(1)
    times = np.sort(np.r_[rng.uniform(0, 2.5, 300), -0.001, 2.501])
    (resampled, at_times), (whole, state) = loads.added_to(walker, times), loads.added_to(walker)
    solvers = osim.InverseDynamicsSolver(resampled), osim.InverseDynamicsSolver(whole)
    still = osim.Vector(state.getNU(), 0.0)
    ours, expected = np.empty((2, len(times), state.getNU()))
    for row in rng.permutation(len(times)).tolist():
        for solver, solved, own in zip(solvers, (ours, expected), (at_times, state), strict=True):
            own.setTime(times[row])
            solved[row] = solver.solve(own, still).to_numpy()
    assert (ours != expected).any()  # rounding
    assert (np.abs(ours - expected).max(axis=0) <= CLOSE * np.abs(expected).max(axis=0)).all()
    assert np.ptp(expected[:, 2]) > 100  # [N]: they do act
