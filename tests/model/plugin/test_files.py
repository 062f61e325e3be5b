"""Exported models: written and read again, run by OpenSim's Forward Tool, unknown to an OpenSim without the plugin."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from oracles import limbs, real_models
from oracles.plugin import Native, run_forward_tool

import opensim_inertia as oi
from opensim_inertia.files import write_table

SIMULATED = 1e-7  # Relative to 1 + |y|: two integrators, each with an accuracy of 1e-10

pytestmark = [
    pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning"),
]


def limbs_of(pull: bool = False) -> oi.InertialModel:
    return oi.InertialModel(limbs.limbs(pull=pull), limbs.masses())


@pytest.mark.parametrize("name", ["limbs", "gait2392", "rajagopal2016"])
def test_round_trip(tmp_path: Path, request: pytest.FixtureRequest, name: str) -> None:
    """Not a bit is lost in the file."""
    inertial = limbs_of() if name == "limbs" else real_models.heavy(request.getfixturevalue("opensim_models"), name)
    inertial.export(tmp_path / "model.osim")
    made, read = Native(inertial), Native(inertial, osim.Model(str(tmp_path / "model.osim")))
    state = inertial.initial_state()
    state.setU(osim.Vector.createFromMat(np.linspace(-1.0, 1.0, state.getNU())))
    y = state.getY().to_numpy().copy()
    here, there = made.udot(0.0, y), read.udot(0.0, y)
    assert np.abs(there - here).max() < 1e-12 * np.abs(here).max()


def forward_tool(ours: oi.forward_simulation.Trajectory, folder: Path) -> float:
    """Largest difference, relative to 1 + |y|, of the last state that OpenSim's tool finds from the same start."""
    ours.inertial.export(folder / "model.osim")
    write_table(ours.to_dataframe().iloc[:2], folder / "start.sto", in_degrees=False, name="states")
    theirs = run_forward_tool(folder, float(ours.times[-1]))
    last = ours.to_dataframe().iloc[-1]
    return float(((theirs[last.index] - last).abs() / (1 + last.abs())).max())


@pytest.mark.slow
def test_forward_tool_with_muscles(opensim_models: Path, tmp_path: Path) -> None:
    """Arm26 falls, its muscles at rest, which pull by their passive forces and their least activation."""
    inertial = real_models.heavy(opensim_models, "arm26")
    start = inertial.initial_state()
    inertial.model.equilibrateMuscles(start)
    ours = oi.simulate(
        oi.Problem(inertial, start, 0.1), oi.integrators.BDF(accuracy=1e-10), progress=False, engine="python"
    )
    assert forward_tool(ours, tmp_path) < SIMULATED


def test_without_the_plugin(tmp_path: Path) -> None:
    """OpenSim names what it does not know, and does not run the model without it."""
    limbs_of().export(tmp_path / "model.osim")
    code = f"import opensim\nopensim.Model({str(tmp_path / 'model.osim')!r}).initSystem()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode != 0
    assert "InertialMuscles" in done.stderr
    assert "not a registered Object" in done.stderr
