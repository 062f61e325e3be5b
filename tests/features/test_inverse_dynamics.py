"""Inverse dynamics against OpenSim's own tool, on whole trials, and the parts that we add against independent sums."""

from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from conftest import slow_except
from oracles.trials import TRIALS, gait10, recorded_motion, run_tool, short_walk, weld

import opensim_inertia as oi

TOOL = 1e-6  # N m or N. The tool prints eight decimals: measured 6e-9.
SUM = 1e-10  # Relative to the largest force: the same terms, summed by the kernel in batches instead of state by state

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")


def span(motion: Path) -> tuple[float, float]:
    times = oi.read_table(motion).index
    return float(times[0]), float(times[-1])


# The loads of Gait2392's trial end before its motion: what the tool makes of the rows beyond is no answer.
@pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.LoadsRangeWarning")
# Motions that are not filtered are noise. Running makes moments that no body makes: 24.6 N m per kg at the lumbar.
@pytest.mark.filterwarnings(
    "ignore:.*(no body makes the|accelerations are noise):opensim_inertia.warnings.InputWarning"
)
@pytest.mark.parametrize("cutoff", slow_except({6.0}, [None, 6.0]))
@pytest.mark.parametrize("trial", slow_except({"gait2392_walk", "gait10dof_walk"}, TRIALS))
def test_lumped_answers_are_opensims_tool(
    opensim_models: Path, tmp_path: Path, trial: str, cutoff: float | None
) -> None:
    """Results without muscle mass, and with all muscle mass frozen to its donors, equal stock OpenSim's."""
    file, motion, loads = (opensim_models / name for name in TRIALS[trial])
    model = osim.Model(str(file))
    stock = run_tool(model, motion, loads, cutoff, span(motion), tmp_path)
    assert np.abs(stock.to_numpy()).max() > 100

    massless = oi.InertialModel(model, {})
    beyond = {"implausible": "warn" if trial == "hamner_run" and cutoff is None else "refuse"}
    none = oi.inverse_dynamics(massless, oi.Recording(motion, loads, cutoff), **beyond)
    assert list(none.column_names) == list(stock.columns)
    np.testing.assert_allclose(none.times, stock.index, rtol=0, atol=1e-7)
    assert none.answered.all() == (trial != "gait2392_walk") and none.answered.sum() > 100
    stock.loc[~none.answered] = np.nan
    for kind in ("lumped", "inertial"):
        np.testing.assert_allclose(getattr(none, kind), stock, rtol=0, atol=TOOL)

    masses = oi.estimate_masses(model)
    assert masses["mass"].sum() > 5
    heavy = oi.inverse_dynamics(oi.InertialModel(model, masses), oi.Recording(motion, loads, cutoff), **beyond)
    np.testing.assert_allclose(heavy.lumped, stock, rtol=0, atol=TOOL)
    assert np.nanmax(np.abs(heavy.difference)) > 0.5


def test_rows_of_the_recording_are_those_of_the_tool_without_a_time_range(opensim_models: Path, tmp_path: Path) -> None:
    """The tool also solves the rows that its filter adds; a note says so, and finite times include them."""
    file, motion, _ = (opensim_models / name for name in TRIALS["gait10dof_walk"])
    model = osim.Model(str(file))
    stock = run_tool(model, motion, None, 6.0, (-np.inf, np.inf), tmp_path)
    massless = oi.InertialModel(model, {})
    for time_range in (None, (-np.inf, np.inf)):
        result = oi.inverse_dynamics(massless, oi.Recording(motion, None, 6.0, time_range))
        rows = np.searchsorted(stock.index, result.times - 1e-7)
        assert 100 < len(rows) < 0.6 * len(stock)
        np.testing.assert_allclose(result.times, stock.index[rows], rtol=0, atol=1e-7)
        np.testing.assert_allclose(result.lumped, stock.iloc[rows], rtol=0, atol=TOOL)
        (note,) = result.notes
        assert f"the {len(stock) - len(result.times)} rows beyond the recording are left out" in note
        assert note in result.provenance["warnings"]
    whole = oi.inverse_dynamics(massless, oi.Recording(motion, None, 6.0, (-100.0, 100.0)))
    np.testing.assert_allclose(whole.lumped, stock, rtol=0, atol=TOOL)
    assert "beyond the recording, which goes from" in whole.notes[0]


@pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.BrokenConstraintWarning")  # its kneecap stays behind
@pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.InputWarning")  # most coordinates rest
def test_wrapping_models_lumped_answer_is_opensims_solver(opensim_models: Path, tmp_path: Path) -> None:
    """Rajagopal2016: wraps, and a knee whose bias Simbody has wrong; the parts still add up to the tool's."""
    model = osim.Model(str(opensim_models / "Models/Rajagopal/Rajagopal2016.osim"))
    times = np.arange(12) * 0.02
    motion = pd.DataFrame(
        {"knee_angle_r": 0.5 + 0.4 * np.sin(9 * times), "hip_flexion_r": 0.3 * np.cos(7 * times)}, index=times
    )
    oi.write_table(motion, tmp_path / "swing.mot")
    stock = run_tool(model, tmp_path / "swing.mot", None, None, (0.0, 0.22), tmp_path)
    inertial = oi.InertialModel(model, oi.estimate_masses(model, muscles=["vaslat_r", "gasmed_r", "recfem_r"]))
    result = oi.inverse_dynamics(
        inertial, oi.Recording(tmp_path / "swing.mot", time_range=(0.0, 0.22), as_recorded=True)
    )
    np.testing.assert_allclose(result.lumped, stock[list(result.column_names)], rtol=0, atol=TOOL)
    assert np.abs(result.inertial_forces - result.lumped_forces).max() > 0.1


def test_frozen_mass_is_opensims_own_rigid_body(opensim_models: Path, tmp_path: Path) -> None:
    """The subtracted forces equal those of frozen muscles welded to a model in stock OpenSim as bodies."""
    inertial, motion, loads = gait10(opensim_models)
    by_hand = osim.Model(inertial.model)
    frozen = inertial.frozen.by_segment
    assert len(frozen) >= 5
    for name, matrix in frozen.items():
        weld(by_hand, name, matrix)
    by_hand.finalizeConnections()
    heavier = run_tool(by_hand, motion, loads, 6.0, (0.5, 0.7), tmp_path)
    result = short_walk(opensim_models)
    nothing_subtracted = inertial.rebuilt(masses=inertial.masses.assign(segment=""))
    alone = oi.inverse_dynamics(nothing_subtracted, oi.Recording(motion, loads, 6.0, (0.5, 0.7)))
    subtracted = alone.difference - result.difference
    np.testing.assert_allclose(subtracted, heavier.to_numpy() - result.lumped.to_numpy(), rtol=0, atol=TOOL)
    assert np.abs(subtracted).to_numpy().max() > 10


def test_frozen_mass_moves_as_simbody_has_it(opensim_models: Path) -> None:
    """The knees of Rajagopal2016 have a wrong bias in Simbody: Simbody's solver gives the subtracted forces."""
    bare = osim.Model(str(opensim_models / "Models/Rajagopal/Rajagopal2016.osim"))
    inertial = oi.InertialModel(bare, oi.estimate_masses(bare))
    nothing_subtracted = inertial.rebuilt(masses=inertial.masses.assign(segment=""), plan=inertial.wraps)
    loaded = osim.Model(bare)
    for name, matrix in inertial.frozen.by_segment.items():
        weld(loaded, name, matrix)
    loaded.finalizeConnections()
    rng, coordinates = np.random.default_rng(3), inertial.coordinates
    low, high = np.clip(coordinates.ranges.T, -1.2, 1.2)
    q = low + (high - low) * rng.uniform(0.25, 0.75, low.size)
    u, udot = rng.normal(size=(2, low.size)) * [[2.0], [20.0]]
    forces, seen = [], []
    for model, made in ((bare, nothing_subtracted), (loaded, inertial)):
        state = model.initSystem()
        for x in (state, own := made.initial_state()):
            coordinates.set_values(x, q)
            x.setU(osim.Vector.createFromMat(u))
        for force in model.getForceSet():
            force.setAppliesForce(state, False)
        forces.append(osim.InverseDynamicsSolver(model).solve(state, osim.Vector.createFromMat(udot)).to_numpy().copy())
        seen.append(made.evaluation.inverse([made.dynamics.read(own)], udot[None])[0])
    exact = forces[1] - forces[0]
    assert np.abs(exact).max() > 5
    np.testing.assert_allclose(seen[0] - seen[1], exact, rtol=0, atol=SUM * np.abs(forces[1]).max())


def test_inertial_answer_is_stock_solver_plus_evaluate(opensim_models: Path) -> None:
    """tau = tau_rigid + dM udot - h - g_m, from ``evaluate`` state by state and stock OpenSim on ``.model``."""
    inertial, motion, _ = gait10(opensim_models)
    result = oi.inverse_dynamics(inertial, oi.Recording(motion, None, 6.0, (0.5, 0.7)))
    recorded = recorded_motion(inertial, motion, 6.0, (0.5, 0.7))
    state = inertial.initial_state()
    forces = inertial.model.getForceSet()
    for i in range(forces.getSize()):
        if osim.Muscle.safeDownCast(forces.get(i)) is not None:
            forces.get(i).setAppliesForce(state, False)
    solver = osim.InverseDynamicsSolver(inertial.model)
    for row in range(len(recorded)):
        state.setTime(float(recorded.times[row]))
        state.setQ(osim.Vector.createFromMat(recorded.q[row]))
        state.setU(osim.Vector.createFromMat(recorded.u[row]))
        rigid = solver.solve(state, osim.Vector.createFromMat(recorded.udot[row])).to_numpy()
        terms = inertial.evaluate(state)
        added = terms.mass_matrix @ recorded.udot[row] - terms.bias - terms.gravity
        assert np.abs(added).max() > 0.1
        scale = np.abs(rigid).max()
        np.testing.assert_allclose(result.inertial_forces[row], rigid + added, rtol=0, atol=SUM * scale)


@pytest.mark.parametrize(
    "excluding", slow_except({"", "soleus_r tib_ant_l"}, ["", "All", "actuators", "soleus_r tib_ant_l"])
)
def test_excluded_forces_are_the_tools(opensim_models: Path, tmp_path: Path, excluding: str) -> None:
    """Where muscles act, and where ligaments and limits do not either. The tool keeps the external loads with "All"."""
    names = tuple(excluding.split())
    inertial, motion, loads = gait10(opensim_models)
    model = osim.Model(str(opensim_models / TRIALS["gait10dof_walk"][0]))
    stock = run_tool(model, motion, loads, None, (0.5, 0.55), tmp_path, names)
    result = oi.inverse_dynamics(inertial, oi.Recording(motion, loads, None, (0.5, 0.55)), forces_to_exclude=names)
    assert np.abs(stock.to_numpy()).max() > 100
    np.testing.assert_allclose(result.lumped, stock, rtol=0, atol=TOOL)
