"""What a Trajectory says: states by OpenSim's names, files that OpenSim reads, energies, work; and its copies."""

import copy
import gc
import pickle
from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from oracles import limbs
from oracles.dense_dynamics import sliding_points

import opensim_inertia as oi

SAME = 1e-12  # The same number through another function of OpenSim's
WRITTEN = 1e-12  # Relative to 1 + |y|: files hold all digits; measured 1e-15
BALANCE = 1e-7  # Relative to the largest energy: work by Simpson's rule over reported times; measured 1e-9


@pytest.fixture(scope="module")
def pulled() -> oi.forward_simulation.Trajectory:
    """Muscles that pull, with states of their own."""
    inertial = oi.InertialModel(limbs.limbs("fixed", pull=True), limbs.masses(), distribution="points", points=8)
    excited = {name: 0.2 + 0.1 * i for i, name in enumerate(limbs.MUSCLES)}
    return oi.simulate(oi.Problem(inertial, t_final=0.1, excitations=excited, equilibrate=True), report_step=0.01)


def test_table_has_opensims_names_and_values(pulled: oi.forward_simulation.Trajectory) -> None:
    table, model = pulled.to_dataframe(), pulled.inertial.model
    names = model.getStateVariableNames()
    assert list(table.columns) == [names.get(i) for i in range(names.getSize())]
    assert "/forceset/long/fiber_length" in table.columns and "/jointset/hip_joint/hip/value" in table.columns
    assert table.index.name == "time" and len(table) == len(pulled) == 11
    for row, state in enumerate(pulled.states()):
        assert state.getTime() == table.index[row]
        for name in table.columns:
            assert table[name].iloc[row] == model.getStateVariableValue(state, name)
    for name in limbs.HINGES:
        path = f"/jointset/{name}_joint/{name}"
        np.testing.assert_array_equal(pulled.coordinates()[name], table[path + "/value"])
        np.testing.assert_array_equal(pulled.speeds()[name], table[path + "/speed"])
    table.iloc[:] = 0.0  # a table is the user's own
    assert np.abs(pulled.to_dataframe()).max().max() > 0


def test_accelerations_are_udot(pulled: oi.forward_simulation.Trajectory) -> None:
    got = pulled.accelerations()
    assert list(got.columns) == list(pulled.inertial.coordinate_names)
    assert np.abs(got.to_numpy()).max() > 1
    for row, state in enumerate(pulled.states()):
        pulled.system.drives.apply(pulled.inertial.model, state)
        np.testing.assert_allclose(got.iloc[row], pulled.inertial.udot(state), rtol=1e-10)
    assert len(got) == len(pulled)


def test_sto_is_a_states_trajectory(pulled: oi.forward_simulation.Trajectory, tmp_path: Path) -> None:
    file = tmp_path / "states.sto"
    pulled.to_sto(file)
    model = osim.Model(pulled.inertial.model)
    model.initSystem()
    read = osim.StatesTrajectory.createFromStatesTable(model, osim.TimeSeriesTable(str(file)))
    assert read.getSize() == len(pulled)
    assert read.isCompatibleWith(model)
    for row in range(len(pulled)):
        state = read.get(row)
        assert state.getTime() == pytest.approx(pulled.times[row], abs=WRITTEN)
        np.testing.assert_allclose(state.getY().to_numpy(), pulled.y[row], rtol=WRITTEN, atol=WRITTEN)
    np.testing.assert_allclose(oi.read_table(file), pulled.to_dataframe(), rtol=WRITTEN, atol=WRITTEN)


def test_sto_of_ball_joints(tmp_path: Path) -> None:
    """The unused slot is no state variable: OpenSim's reader leaves it undefined."""
    inertial = oi.InertialModel(limbs.limbs("ball"), limbs.masses())
    state = inertial.initial_state()
    state.setU(osim.Vector.createFromMat(np.arange(1.0, 7.0) / 5))
    trajectory = oi.simulate(oi.Problem(inertial, state, 0.2), report_step=0.05)
    trajectory.to_sto(tmp_path / "ball.sto")
    read = osim.StatesTrajectory.createFromStatesTable(inertial.model, osim.TimeSeriesTable(str(tmp_path / "ball.sto")))
    for row in range(len(trajectory)):
        got = read.get(row).getY().to_numpy()
        used = np.delete(np.arange(len(got)), 3)
        np.testing.assert_allclose(got[used], trajectory.y[row][used], rtol=0, atol=WRITTEN)


def test_trc_holds_the_mass_points(pulled: oi.forward_simulation.Trajectory, tmp_path: Path) -> None:
    pulled.to_trc(tmp_path / "points.trc", ["middle"])
    table = osim.TimeSeriesTableVec3(str(tmp_path / "points.trc"))
    assert table.getNumRows() == len(pulled) and table.getNumColumns() == 8
    scale = {"mm": 1e-3, "m": 1.0}[table.getTableMetaDataString("Units")]
    for row, state in enumerate(pulled.states()):
        expected = pulled.inertial.mass_points(state)["middle"].positions
        found = table.getRowAtIndex(row)
        got = np.array([found.getElt(0, k).to_numpy() for k in range(8)]) * scale
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-7)  # digits of the file
    with pytest.raises(oi.errors.UnknownNameError, match="middel"):
        pulled.to_trc(tmp_path / "none.trc", ["middel"])


def test_energies_of_bones_and_muscles(pulled: oi.forward_simulation.Trajectory) -> None:
    energy, inertial = pulled.energy(), pulled.inertial
    np.testing.assert_allclose(energy["kinetic"], energy["kinetic_bones"] + energy["kinetic_muscles"], rtol=SAME)
    stored = ["potential_bones", "potential_muscles", "elastic_muscles", "springs"]
    np.testing.assert_allclose(energy["potential"], energy[stored].sum(axis=1), rtol=SAME)
    np.testing.assert_allclose(energy["total"], energy["kinetic"] + energy["potential"], rtol=SAME)
    gravity = inertial.model.getGravity().to_numpy()
    for row, state in enumerate(pulled.states()):
        u = state.getU().to_numpy()
        kinetic, potential = np.zeros(2), np.zeros(2)  # of muscles, and of what is frozen to segments
        for mass, x, J, _ in sliding_points(inertial, state):
            kinetic[int(mass < 0)] += 0.5 * mass * (J @ u) @ (J @ u)
            potential[int(mass < 0)] -= mass * x @ gravity
        assert energy["kinetic_muscles"].iloc[row] == pytest.approx(kinetic[0], rel=1e-10, abs=1e-14)
        assert energy["potential_muscles"].iloc[row] == pytest.approx(potential[0], rel=1e-10)
        inertial.model.realizeDynamics(state)
        bones = inertial.model.calcKineticEnergy(state) + kinetic[1]
        assert energy["kinetic_bones"].iloc[row] == pytest.approx(bones, rel=1e-10, abs=1e-14)
        own = energy["potential"].iloc[row] - potential.sum()
        assert own == pytest.approx(inertial.model.calcPotentialEnergy(state), rel=1e-10)
    assert energy["kinetic_muscles"].iloc[-1] > 0.01 * energy["kinetic"].iloc[-1]


@pytest.mark.slow
@pytest.mark.parametrize("base", ["custom", "free"])
def test_work_of_forces_is_the_change_of_energy(base: str) -> None:
    inertial = oi.InertialModel(limbs.limbs(base), limbs.masses(), "uniform")
    names = inertial.coordinate_names
    forces = {n: lambda t, i=i: np.sin(5 * t + i) for i, n in enumerate(names)}
    trajectory = oi.simulate(
        oi.Problem(inertial, t_final=0.3, forces=forces), oi.integrators.Automatic(accuracy=1e-10), report_step=0.001
    )
    energy, work = trajectory.energy(), trajectory.work()
    assert list(work.columns) == [*limbs.MUSCLES, "forces"]
    change = energy["total"] - energy["total"].iloc[0]
    assert np.abs(change).max() > 0.05
    np.testing.assert_allclose(work["forces"], change, rtol=0, atol=BALANCE * energy["kinetic"].max())
    assert np.abs(work[list(limbs.MUSCLES)]).max().max() == 0  # they apply no force


def test_work_of_muscles_is_the_kinetic_energy() -> None:
    """Without weight; they pull between path points, whatever their mass does."""
    inertial = oi.InertialModel(limbs.limbs("fixed", gravity=0.0, pull=True), limbs.masses())
    excited = dict.fromkeys(limbs.MUSCLES, 0.3)
    trajectory = oi.simulate(
        oi.Problem(inertial, t_final=0.1, excitations=excited, equilibrate=True),
        oi.integrators.Automatic(accuracy=1e-9),
        report_step=5e-4,
    )
    done, kinetic = trajectory.work(), trajectory.energy()["kinetic"]
    assert kinetic.iloc[-1] > 0.1
    assert (done.drop(columns="forces").abs().max() > 1e-3).all()
    np.testing.assert_allclose(done.sum(axis=1), kinetic - kinetic.iloc[0], rtol=0, atol=1e-5 * kinetic.max())


def test_copies_have_the_data_and_take_a_model_again(tmp_path: Path) -> None:
    """A lock and a force that is switched off hold in the simulation, and with another model of the same kind."""
    excited, forces = dict.fromkeys(limbs.MUSCLES, 0.3), {"knee": 0.5}
    inertial, fresh = (oi.InertialModel(limbs.limbs("fixed", pull=True), limbs.masses()) for _ in range(2))
    state = inertial.initial_state()
    inertial.model.equilibrateMuscles(state)
    inertial.model.getCoordinateSet().get("ankle").setLocked(state, True)
    inertial.model.getMuscles().get("short").setAppliesForce(state, False)
    run = oi.simulate(oi.Problem(inertial, state, 0.05, excitations=excited, forces=forces), report_step=0.01)
    for one in (pickle.loads(pickle.dumps(run)), copy.deepcopy(run)):
        pd.testing.assert_frame_equal(one.to_dataframe(), run.to_dataframe())
        assert (one.integrator, one.evaluations, one.interrupted) == (run.integrator, run.evaluations, False)
        for ask in (one.energy, one.work, one.accelerations, one.final_state, one.states):
            with pytest.raises(oi.errors.ModelError, match=r"with_model\(inertial\)"):
                list(ask())
        one.to_sto(tmp_path / "states.sto")  # needs none
        again = one.with_model(fresh, excitations=excited, forces=forces)
        np.testing.assert_allclose(again.energy(), run.energy(), rtol=1e-12, atol=1e-14)
        work, found = again.work(), again.accelerations()
        np.testing.assert_allclose(work, run.work(), rtol=1e-10, atol=1e-14)
        assert work["short"].abs().max() == 0 < work["long"].abs().max()
        np.testing.assert_allclose(found, run.accelerations(), rtol=1e-9, atol=1e-9)
        assert found["ankle"].abs().max() < 1e-9 < found["knee"].abs().max()
    with pytest.raises(oi.errors.ModelError, match="other state variables than the trajectory.*expected the model"):
        one.with_model(oi.InertialModel(limbs.limbs("ball", pull=True), {}))


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
