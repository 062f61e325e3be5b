"""Exported models: written and read again, run by OpenSim's Forward Tool, unknown to an OpenSim without the plugin."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from models import reaching_arm
from oracles import limbs, real_models
from oracles.plugin import Native, run_forward_tool

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim
from opensim_inertia.files import write_table

SIMULATED = 1e-7
"""Relative to 1 + |y|: two integrators, each with an accuracy of 1e-10."""
SECONDS = 0.5

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


def test_forward_tool(tmp_path: Path) -> None:
    """A motion of the reaching arm with its muscles at rest."""
    inertial = oi.InertialModel(reaching_arm.reaching_arm(), reaching_arm.arm_masses())
    start = inertial.initial_state()
    start.setU(osim.Vector.createFromMat(np.full(start.getNU(), 0.5)))
    implicit = oi.integrators.BDF(accuracy=1e-10)
    ours = oi.simulate(oi.Problem(inertial, start, SECONDS, equilibrate=False), implicit, engine="python")
    bare = oi.InertialModel(reaching_arm.reaching_arm(), {})
    state = bare.initial_state()
    state.setY(start.getY())
    lumped = oi.simulate(oi.Problem(bare, state, SECONDS, equilibrate=False), implicit, engine="python")
    assert forward_tool(ours, tmp_path) < SIMULATED
    assert (lumped.to_dataframe().iloc[-1] - ours.to_dataframe().iloc[-1]).abs().max() > 1e-3


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


def test_engines_agree() -> None:
    """The native engine's trajectory is one of the inertial model: its energies count the mass once."""
    inertial = limbs_of(pull=True)
    both = [
        oi.simulate(
            oi.Problem(inertial, t_final=SECONDS, excitations={"long": 0.1}),
            oi.integrators.DOP853(accuracy=1e-10),
            engine=engine,
        )
        for engine in ("python", "native")
    ]
    python, native = both
    assert np.abs(native.y[-1] - python.y[-1]).max() < SIMULATED
    assert native.inertial is inertial
    energies = [each.energy().iloc[-1] for each in both]
    assert np.abs(energies[1] - energies[0]).max() < 1e-6
    assert native.evaluations > 0


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"forces": {"knee": 1.0}}, "'forces' act besides"),
        ({"excitations": lambda state: {"long": 0.1}}, "'excitations' are a function of states"),
    ],
)
def test_what_the_native_engine_cannot_do(options: dict, why: str) -> None:
    problem = oi.Problem(limbs_of(pull=True), t_final=0.01, **options)
    with pytest.raises(oi.errors.OptionError, match=why):
        oi.simulate(problem, engine="native")
    auto = oi.simulate(problem)
    python = oi.simulate(problem, engine="python")
    assert np.array_equal(auto.y, python.y)


def test_without_the_plugin(tmp_path: Path) -> None:
    """OpenSim names what it does not know, and does not run the model without it."""
    limbs_of().export(tmp_path / "model.osim")
    code = f"import opensim\nopensim.Model({str(tmp_path / 'model.osim')!r}).initSystem()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode != 0
    assert "InertialMuscles" in done.stderr
    assert "not a registered Object" in done.stderr
