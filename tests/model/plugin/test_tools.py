"""OpenSim's Inverse Dynamics Tool, Static Optimization and CMC on exported models."""

from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from oracles import real_models, trials
from oracles.plugin import set_up_tracking, with_torques, write_model
from scipy.interpolate import CubicSpline

import opensim_inertia as oi
from opensim_inertia.files import read_table

INVERSE = 1e-8  # Of the peak: both differentiate the motion alike; the tool's file has eight digits
OPTIMIZED = 2e-4  # Of the peak: what Static Optimization's own optimizer leaves
STEP = (0.5, 0.7)


def of_peak(found: pd.DataFrame, expected: pd.DataFrame) -> float:
    """Largest difference, relative to the largest value."""
    difference = found[expected.columns].to_numpy() - expected.to_numpy()
    return float(np.abs(difference).max() / np.abs(expected.to_numpy()).max())


def test_inverse_dynamics_tool(opensim_models: Path, tmp_path: Path) -> None:
    """With external loads; the "forward" export is refused, see ``test_mass_of_exports.py``."""
    inertial, motion, loads = trials.gait10(opensim_models)
    expected = oi.inverse_dynamics(inertial, oi.Recording(motion, loads, 6.0, STEP), band=False, per_muscle=False)
    found = trials.run_tool(inertial.native_model("inverse"), motion, loads, 6.0, STEP, tmp_path)
    found = found[list(expected.column_names)].set_axis(list(expected.coordinate_names), axis=1)
    assert of_peak(found, expected.inertial) < INVERSE
    assert of_peak(expected.lumped, expected.inertial) > 1e-3


def test_the_wrong_export_warns_in_the_solver(opensim_models: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Accelerations that are not put into the state are seen by nobody; the other export takes them from there."""
    inertial, _, _ = trials.gait10(opensim_models)
    model = inertial.native_model()
    state, solver = model.initSystem(), osim.InverseDynamicsSolver(model)
    udot = osim.Vector(state.getNU(), 1.0)
    for i in range(10):
        state.setTime(0.01 * i)
        solver.solve(state, udot)
    assert capfd.readouterr().err.count('export it with tool="inverse"') == 1
    model = inertial.native_model("inverse")
    state, solver = model.initSystem(), osim.InverseDynamicsSolver(model)
    with pytest.raises(RuntimeError, match="no accelerations were put into the state"):
        solver.solve(state, udot)
    for i in range(state.getNU()):
        state.updUDot().set(i, 1.0)
    by_solver = solver.solve(state, udot).to_numpy()
    ours = inertial.initial_state()
    terms = inertial.evaluate(ours)
    rigid = osim.InverseDynamicsSolver(inertial.model).solve(ours, udot).to_numpy()
    expected = rigid + terms.mass_matrix @ np.ones(len(rigid)) - terms.bias - terms.gravity
    np.testing.assert_allclose(by_solver, expected, rtol=0, atol=1e-9 * np.abs(expected).max())


def test_static_optimization(opensim_models: Path, tmp_path: Path) -> None:
    """With torque actuators alone there is nothing to choose: their forces are those of inverse dynamics."""
    inertial, motion, _ = trials.gait10(opensim_models)
    expected = oi.inverse_dynamics(
        inertial, oi.Recording(motion, None, 6.0, STEP), band=False, per_muscle=False
    ).inertial
    model = with_torques(inertial.native_model())
    write_model(model, tmp_path / "model.osim")
    optimization = osim.StaticOptimization()
    optimization.setName("so")
    trials.run_analysis(tmp_path / "model.osim", optimization, STEP, "walk", coordinates=motion)
    forces = read_table(tmp_path / "walk_so_force.sto")
    inner = forces.iloc[2:-2]  # splines of the states end in the outer rows
    assert len(inner) > 5
    at = CubicSpline(expected.index, expected.to_numpy())(inner.index)  # the tool's times are off by 1e-6 s
    names = [name.removesuffix("_moment").removesuffix("_force") for name in expected.columns]
    assert of_peak(inner, pd.DataFrame(at, columns=names)) < OPTIMIZED


@pytest.mark.slow
def test_computed_muscle_control(opensim_models: Path, tmp_path: Path) -> None:
    """CMC tracks a motion of Arm26 as well as with lumped mass."""
    inertial = real_models.heavy(opensim_models, "arm26")
    errors = {}
    for name, model in (("lumped", inertial.original_model()), ("inertial", inertial.native_model())):
        errors[name] = tracked(model, tmp_path / name)
    assert errors["inertial"] < 1.2 * errors["lumped"] + 1e-4


def tracked(model: osim.Model, folder: Path) -> float:
    """Largest error [rad] of a flexion that CMC tracks."""
    times = np.linspace(0.0, 0.5, 101)
    share = times / times[-1]
    smooth = 10 * share**3 - 15 * share**4 + 6 * share**5
    wanted = pd.DataFrame(
        {"r_shoulder_elev": 0.1 + 0.15 * smooth, "r_elbow_flex": 0.3 + 0.4 * smooth}, index=pd.Index(times, name="time")
    )
    tool = osim.CMCTool()
    set_up_tracking(tool, model, wanted, folder, 10.0, {name: f"{name}_reserve" for name in wanted.columns}, 1.0)
    tool.setName("cmc")
    tool.setReplaceForceSet(False)
    tool.setFinalTime(0.25)
    tool.setTimeWindow(0.01)
    tool.setUseFastTarget(False)
    tool.printToXML(str(folder / "setup.xml"))
    assert osim.CMCTool(str(folder / "setup.xml")).run()
    states = read_table(folder / "cmc_states.sto")
    error = 0.0
    for name in wanted.columns:
        column = next(c for c in states.columns if c.endswith(f"{name}/value"))
        error = max(error, float(np.abs(states[column] - np.interp(states.index, times, wanted[name])).max()))
    return error
